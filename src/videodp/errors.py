"""Everything that can go wrong, as one tree.

    VideoDPError
    ├── UsageError (ValueError)                wrong use: exit status 2
    │   ├── BudgetError                        an epsilon or an exposure that cannot be
    │   ├── ModelNotFoundError (FileNotFoundError) no such detector file
    │   └── OutputExistsError (FileExistsError)
    ├── VideoError
    │   ├── VideoNotFoundError (FileNotFoundError)
    │   ├── NotAVideoError (ValueError)        nothing in it that can be decoded as pictures
    │   ├── EmptyVideoError (ValueError)       a video without a single frame
    │   └── TruncatedVideoError                ends before it should
    ├── ElementsError (ValueError)
    │   └── ElementsNotFoundError (FileNotFoundError)
    ├── ModelError (ValueError)                a file that is no detector, or cannot be fetched
    ├── OutputError (OSError)                  cannot be written: full disk, no such folder
    └── MissingExtraError (ImportError)        an optional part is not installed

Each message is one line: what is wrong, and what to do about it.
"""

__all__ = [
    "BudgetError",
    "ElementsError",
    "ElementsNotFoundError",
    "EmptyVideoError",
    "MissingExtraError",
    "ModelError",
    "ModelNotFoundError",
    "NotAVideoError",
    "OutputError",
    "OutputExistsError",
    "TruncatedVideoError",
    "UsageError",
    "VideoDPError",
    "VideoError",
    "VideoNotFoundError",
]


class VideoDPError(Exception):
    """Anything VideoDP reports about itself."""


class UsageError(VideoDPError, ValueError):
    """The call itself is wrong."""


class BudgetError(UsageError):
    """An epsilon or an exposure that no plan can be made for."""


class ModelNotFoundError(UsageError, FileNotFoundError):
    """There is no such detector file."""


class OutputExistsError(UsageError, FileExistsError):
    """The output is already there and must not be overwritten."""


class VideoError(VideoDPError):
    """The video cannot be used."""


class VideoNotFoundError(VideoError, FileNotFoundError):
    """There is no such file or folder."""


class NotAVideoError(VideoError, ValueError):
    """The file holds no pictures that can be decoded."""


class EmptyVideoError(VideoError, ValueError):
    """The video has no frame."""


class TruncatedVideoError(VideoError):
    """The video ends before it should."""


class ElementsError(VideoDPError, ValueError):
    """The elements do not fit the video or cannot be read."""


class ElementsNotFoundError(ElementsError, FileNotFoundError):
    """There is no such elements file."""


class ModelError(VideoDPError, ValueError):
    """The file is no detector that can be used, or could not be fetched."""


class OutputError(VideoDPError, OSError):
    """The output cannot be written."""


class MissingExtraError(VideoDPError, ImportError):
    """An optional part of VideoDP is not installed."""
