"""Output files that are complete or not there."""

import errno
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from videodp.errors import OutputError, OutputExistsError, UsageError, VideoDPError

__all__ = ["atomic_path", "check_free", "check_one_use", "output_error", "same_file"]

_FULL = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def atomic_path(
    path: str | Path, overwrite: bool = False, *, private: bool = False
) -> Iterator[Path]:
    """Give a temporary path beside `path` that becomes `path` when all went well.

    The temporary file exists already and is empty. Any exception, Ctrl-C too, deletes it
    and leaves `path` as it was.

    Args:
        path: Where the finished file shall be.
        overwrite: Replace a file that is already there.
        private: Nobody else on this machine may read it, from its first byte on.

    Yields:
        The temporary path, with the same file ending.

    Raises:
        OutputExistsError: The file is there already and `overwrite` is not given.
        OutputError: No such folder, no permission, or the disk is full.
    """
    path = Path(path)
    check_free(path, overwrite)
    # Hidden and unpredictable: nobody can place a link there and have us write through it.
    temporary = path.with_name(f".{path.stem[:100]}.part-{secrets.token_hex(8)}{path.suffix}")
    try:
        mode = 0o600 if private else 0o666
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
    except OSError as error:
        raise output_error(error, path) from error
    try:
        yield temporary
        _put_in_place(temporary, path, overwrite)
    except OSError as error:
        if isinstance(error, VideoDPError) or error.errno not in _FULL:
            raise
        raise output_error(error, path) from error
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def same_file(one: Path, other: Path) -> bool:
    """Whether two names are those of one file, which need not be there."""
    if one.resolve() == other.resolve():
        return True
    # Path.exists fails where a name is too long
    return os.path.exists(one) and os.path.exists(other) and one.samefile(other)


def check_one_use(path: Path, others: Iterable[Path | None], what: str = "it") -> None:
    """Refuse an output that is to be something else in the same run, under whatever name."""
    if any(other is not None and same_file(path, other) for other in others):
        raise UsageError(f"{path} has another use in this run: give {what} another name")


def check_free(path: Path, overwrite: bool) -> None:
    """Refuse early what could not be put in place at the end."""
    try:
        there = path.exists()
    except OSError as error:
        raise output_error(error, path) from error
    if path.is_dir():
        raise OutputError(f"{path} is a folder: give the name of a file")
    if there and not path.is_file():
        raise OutputError(f"{path} is not a regular file: choose another name")
    if not overwrite and os.path.lexists(path):
        raise _exists(path)
    if not path.parent.is_dir():
        raise output_error(FileNotFoundError(errno.ENOENT, "No such folder"), path)
    if not os.access(path.parent, os.W_OK):
        raise output_error(PermissionError(errno.EACCES, "Permission denied"), path)


def output_error(error: OSError, path: Path) -> OutputError:
    """Say in one line why `path` cannot be written."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            reason = "the disk is full: free some space or choose another folder"
        case errno.ENOENT | errno.ENOTDIR:
            reason = f"there is no folder {path.parent}: make it first"
        case errno.EACCES | errno.EPERM | errno.EROFS:
            reason = f"no permission to write in {path.parent.resolve()}: choose another folder"
        case errno.ENAMETOOLONG:
            reason = "the name is too long: choose a shorter one"
        case errno.EFBIG:
            reason = "the file would be larger than allowed here: choose another folder"
        case _:
            reason = f"{error.strerror or error}: choose another folder"
    failure = OutputError(f"cannot write {path}: {reason}")
    failure.errno = error.errno
    return failure


def _put_in_place(temporary: Path, path: Path, overwrite: bool) -> None:
    try:
        if overwrite:
            os.replace(temporary, path)
            return
        try:
            # Unlike a rename, a link never replaces what someone else made meanwhile.
            os.link(temporary, path)
        except FileExistsError:
            raise
        except OSError:
            # No hard links on this file system: reserve the name, then replace our own file.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            os.replace(temporary, path)
    except FileExistsError as error:
        raise _exists(path) from error
    except OSError as error:
        raise output_error(error, path) from error


def _exists(path: Path) -> OutputExistsError:
    return OutputExistsError(
        f"{path} is already there: choose another name, or overwrite it with --overwrite"
    )
