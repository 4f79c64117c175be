"""Gets a published detector file: over the network, or from where its owner has it.

Model --fetch_model--> file in the cache, to the byte what was published
Model, FILE --install_model--> file in the cache
"""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from videodp.elements.detect.open import open_detector
from videodp.elements.detect.store import Model, is_pinned, models_folder
from videodp.errors import ModelError, ModelNotFoundError, VideoDPError
from videodp.stages import Stages, Watcher
from videodp.video.atomic import atomic_path, output_error

__all__ = ["fetch_model", "install_model"]

_CHUNK = 1 << 16
_SECONDS = 30  # without a byte, until the connection counts as dead
_KILOBYTE = 1000


class _HttpsOnly(urllib.request.HTTPRedirectHandler):
    """Follows redirects as long as nobody on the way can read or change what comes."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if urlsplit(newurl).scheme != "https":
            raise urllib.error.HTTPError(
                req.full_url, code, "it sends us on to an address without https", headers, fp
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _https() -> urllib.request.OpenerDirector:
    """Speaks https and nothing else, through the proxy that ``https_proxy`` names, if any."""
    proxies = {k: v for k, v in urllib.request.getproxies().items() if k == "https"}
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(proxies),
        urllib.request.HTTPSHandler(),
        _HttpsOnly(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.UnknownHandler(),
    ):
        opener.add_handler(handler)
    return opener


def fetch_model(
    model: Model,
    folder: Path | None = None,
    *,
    opener: urllib.request.OpenerDirector | None = None,
    watcher: Watcher | None = None,
) -> Path:
    """Downloads a model unless it is there; what an earlier try left is gone on with.

    Args:
        model: what to get.
        folder: where to keep it; the cache if not given.
        opener: what opens the address; https only if not given.
        watcher: told about progress, in kilobytes.

    Returns:
        The file, which has the published size and hash.

    Raises:
        ModelError: it cannot be fetched, or something else came.
        OutputError: it cannot be written.
    """
    path = _place(model, folder)
    if path.is_file() and is_pinned(model, path):
        return path
    part = path.with_name(f"{path.name}.part")
    with Stages(watcher).stage("fetch kB", -(-model.size // _KILOBYTE)) as step:
        told = 0
        for got in _download(model, part, opener or _https()):
            step(got // _KILOBYTE - told)
            told = got // _KILOBYTE
        step(-(-model.size // _KILOBYTE) - told)
    if not is_pinned(model, part):
        size = part.stat().st_size
        part.unlink()
        what = f"{size} bytes" if size != model.size else "other bytes"
        raise ModelError(
            f"{model.url} is not the published {model.file}, which has {model.size} bytes and "
            f"SHA-256 {model.sha256}: {what} came and were thrown away; {_otherwise(model)}"
        )
    try:
        os.replace(part, path)
    except OSError as error:
        raise output_error(error, path) from error
    return path


def install_model(model: Model, file: str | Path, folder: Path | None = None) -> tuple[Path, bool]:
    """Puts a file that is here already in the place of a model.

    Args:
        model: in whose place.
        file: the published file, or any other that opens as a detector.
        folder: where to keep it; the cache if not given.

    Returns:
        The file's new place, and whether it is the published one.

    Raises:
        ModelNotFoundError: there is no such file.
        ModelError: it is no detector.
        OutputError: it cannot be written.
    """
    file = Path(file)
    if not os.path.isfile(file):
        raise ModelNotFoundError(f"no file at {file}: give the path of {model.file}")
    pinned = is_pinned(model, file)
    if not pinned:
        open_detector(file)
    path = _place(model, folder)
    if not (path.exists() and path.samefile(file)):
        with atomic_path(path, overwrite=True) as temporary:
            shutil.copyfile(file, temporary)
    return path, pinned


def _place(model: Model, folder: Path | None) -> Path:
    folder = models_folder() if folder is None else folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise output_error(error, folder / model.file) from error
    return folder / model.file


def _download(model: Model, part: Path, opener: urllib.request.OpenerDirector) -> Iterator[int]:
    """Brings `part` to its full size, or past it if too much comes; yields its size meanwhile."""
    start = _size(part)
    if start >= model.size:  # finished but not checked, or no part of it
        start = 0
    got = 0
    reason = "the connection ended"
    try:
        with _open(model, start, opener) as answer:
            if answer.status != http.client.PARTIAL_CONTENT:
                start = 0  # this server sends whole files only
            elif not answer.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
                raise _failed(model, "it sent another part than asked for")
            for got in _write(model, part, start, answer):
                yield got
    except urllib.error.HTTPError as error:
        error.close()
        if start and error.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.unlink(missing_ok=True)  # the next try begins anew
        raise _failed(model, f"{error.code} {error.reason}") from error
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, VideoDPError):
            raise
        reason = str(getattr(error, "reason", "") or error) or type(error).__name__
        got = _size(part)
        if not got:
            raise _failed(model, reason) from error
    if got < model.size:
        raise ModelError(
            f"cannot fetch {model.name} from {_host(model)}: {reason} after {got} of "
            f"{model.size} bytes; run it again to go on from there, or {_otherwise(model)}"
        )


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _open(
    model: Model, start: int, opener: urllib.request.OpenerDirector
) -> http.client.HTTPResponse:
    headers = {"User-Agent": "videodp", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
    request = urllib.request.Request(model.url, headers=headers)
    answer = opener.open(request, timeout=_SECONDS)
    assert isinstance(answer, http.client.HTTPResponse)  # an opener of http and https
    return answer


def _write(model: Model, part: Path, start: int, answer: http.client.HTTPResponse) -> Iterator[int]:
    with contextlib.ExitStack() as stack:
        try:
            # Without a buffer: what came is on disk, and a full disk is told here.
            out = stack.enter_context(part.open("ab" if start else "wb", buffering=0))
        except OSError as error:
            raise output_error(error, part) from error
        got = start
        yield got
        while got <= model.size and (chunk := answer.read(_CHUNK)):
            try:
                rest = memoryview(chunk)
                while rest:
                    rest = rest[out.write(rest) :]
            except OSError as error:
                raise output_error(error, part) from error
            got += len(chunk)
            yield got


def _failed(model: Model, reason: str) -> ModelError:
    return ModelError(
        f"cannot fetch {model.name} from {_host(model)}: {reason}; {_otherwise(model)}"
    )


def _host(model: Model) -> str:
    return urlsplit(model.url).hostname or model.url


def _otherwise(model: Model) -> str:
    return (
        f"get {model.url} in another way and run videodp models fetch {model.name} --from FILE, "
        "or put it in a folder that VIDEODP_MODELS names"
    )
