"""Opens what a query is asked of: a video with its elements, or elements alone."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from videodp.elements import Elements, load_elements
from videodp.elements.find import find_elements
from videodp.elements.parquet import ParquetSource, read_header
from videodp.errors import UsageError
from videodp.queries.footage import Footage, footage_of
from videodp.stages import Stages
from videodp.video import Video, probe

__all__ = ["elements_of", "found_file", "open_footage"]

_ELEMENTS = (".parquet", ".txt", ".csv")


def open_footage(
    source: str | Path,
    elements: str | Path | None = None,
    *,
    pictures_only: bool = False,
    unchecked: bool = False,
    frames: tuple[int, int] | None = None,
    labels: Collection[str] | None = None,
    rate: Fraction | None = None,
    stages: Stages | None = None,
) -> Footage:
    """Opens an original or a private video, or an elements file.

    Args:
        source: a video or a folder of images; or elements, ``.parquet`` or MOT ``.txt``.
        elements: who is in the video; without it what `elements_of` knows.
        pictures_only: leave the elements out.
        unchecked: do not read and check every row of a Parquet file; only SQL can be asked then,
            which reads the file itself. The elements have no `tracks`.
        frames: first frame and end.
        labels: only elements with these labels.
        rate: frames per second of elements without a video, or of a folder of images.
        stages: told about progress where elements are found first.
    """
    source = Path(source)
    if source.suffix.lower() in _ELEMENTS and not source.is_dir():
        if elements is not None:
            raise UsageError(f"{source.name} is an elements file itself: give one of the two")
        who = _load(source, None, unchecked)
        return footage_of(who, frames=frames, labels=labels, rate=rate)
    video = probe(source, image_rate=rate or Fraction(25))
    if elements is not None:
        who = _load(Path(elements), video, unchecked)
        return footage_of(who, video, frames=frames, labels=labels)
    known = None if pictures_only else elements_of(video, unchecked=unchecked, stages=stages)
    return footage_of(known, video, frames=frames, labels=labels)


def elements_of(video: Video, *, unchecked: bool = False, stages: Stages | None = None) -> Elements:
    """The elements of a video, without being told which file holds them.

    ``street.elements.parquet`` beside ``street.mp4``, else what was found in this very file
    before (`found_file`), else, in a private video, they are found now and kept there. Nothing is
    written beside an original without being asked for.

    Raises:
        UsageError: it is no private video, and nobody has looked yet.
    """
    beside = video.path.with_name(f"{video.path.stem}.elements.parquet")
    if beside.is_file():
        return _load(beside, video, unchecked)
    if any(video.path.parent.glob(_found_name(video.path, "*"))):  # a hash reads the whole video
        found = found_file(video)
        if found.is_file():
            return _load(found, video, unchecked)
    if video.path.with_name(f"{video.path.stem}.release.json").is_file():
        found = found_file(video)
        elements = find_elements(video, found, overwrite=True, private=False, stages=stages)
        kept = f"who is in {video.path.name} was looked for, and is kept in {found.name}"
        return replace(elements, warnings=(kept, *elements.warnings), _index={})
    raise UsageError(
        f"who is in {video.path.name}? find out with videodp find {video.path.name} -o "
        f"{beside.name}, or give --elements FILE (.parquet, or MOT .txt with one line "
        "frame,id,x,y,w,h for each element and frame)"
    )


def _load(path: Path, video: Video | None, unchecked: bool) -> Elements:
    if not (unchecked and path.suffix.lower() == ".parquet" and path.is_file()):
        return load_elements(path, video)
    header = read_header(path)
    of_this = video is None or (header.size, header.length) == (
        (video.width, video.height),
        video.frames,
    )
    if header.length is None or not of_this:
        return load_elements(path, video)  # which says what does not fit
    return Elements(ParquetSource(path), (), header.size, header.length)


def found_file(video: Video) -> Path:
    """Where the elements found in a video are kept: beside it, named after what is in it.

    The name changes with the content, so that a video that was replaced is looked at again.
    """
    digest = hashlib.blake2b(digest_size=4)
    for path in video.pictures or (video.path,):
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    return video.path.with_name(_found_name(video.path, digest.hexdigest()))


def _found_name(path: Path, digest: str) -> str:
    name = path.stem if digest != "*" else _literal(path.stem)
    return f"{name}.found-{digest}.parquet"


def _literal(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)
