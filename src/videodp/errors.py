"""Everything that can go wrong, as one tree, with the exit status of a command it ends.

Wrong use, 2, is what the call itself says: an option, or a file that is not there, or is in the
way. If the call is right but a file is not what it should be, or nothing can be written, the run
has failed: 1.

    1  VideoDPError
    2  ├── UsageError (ValueError)
    2  │   ├── BudgetError                             an epsilon or an exposure that cannot be
    2  │   ├── ModelNotFoundError (FileNotFoundError)  no such detector file
    2  │   └── OutputExistsError (FileExistsError)
    1  ├── VideoError
    2  │   ├── VideoNotFoundError (FileNotFoundError)
    1  │   ├── NotAVideoError (ValueError)             nothing in it can be decoded as pictures
    1  │   ├── EmptyVideoError (ValueError)            a video without a single frame
    1  │   └── TruncatedVideoError                     ends before it should
    1  ├── ElementsError (ValueError)
    2  │   └── ElementsNotFoundError (FileNotFoundError)
    1  ├── ModelError (ValueError)                     is no detector, or cannot be fetched
    1  ├── OutputError (OSError)                       cannot be written: full disk, no such folder
    1  └── MissingExtraError (ImportError)             an optional part is not installed

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

    status = 1
    """What a command ends with."""


class UsageError(VideoDPError, ValueError):
    """The call itself is wrong."""

    status = 2


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

    status = 2


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

    status = 2


class ModelError(VideoDPError, ValueError):
    """The file is no detector that can be used, or could not be fetched."""


class OutputError(VideoDPError, OSError):
    """The output cannot be written."""


class MissingExtraError(VideoDPError, ImportError):
    """An optional part of VideoDP is not installed."""
