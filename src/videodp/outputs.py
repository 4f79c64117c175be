"""The files of a private video: told apart before, and put in place together or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

from videodp.elements import ParquetWriter
from videodp.errors import UsageError
from videodp.mechanisms import Files
from videodp.release import companion
from videodp.scenes import truth_file
from videodp.settings import Settings
from videodp.video import Video, VideoWriter, atomic_path, check_one_use, same_file

__all__ = ["check_names", "open_files", "outputs_of"]


def outputs_of(output: Path, settings: Settings) -> tuple[Path, ...]:
    """Every file that appears."""
    if not output.name:
        raise UsageError(f"'{output}' is not a file name: give the output one, such as private.mp4")
    outputs = (output, companion(output, "release"), companion(output, "owner"))
    return (*outputs, truth_file(output)) if settings.mechanism == "synthesis" else outputs


def check_names(
    outputs: Sequence[Path], inputs: Sequence[Path], keep_elements: Path | None
) -> None:
    """No output may replace the recording or its elements, whatever was asked for."""
    for path in filter(os.path.exists, outputs):  # Path.exists fails where a name is too long
        if any(same_file(source, path) for source in inputs):
            raise UsageError(f"{path} is what is to be read: give the output another name")
    if keep_elements is not None:
        check_one_use(keep_elements, (*inputs, *outputs), "the elements")


@contextmanager
def open_files(output: Path, video: Video, settings: Settings, overwrite: bool) -> Iterator[Files]:
    """A private folder, and outputs that appear together or not at all."""
    encoding = settings.encoding
    writer = VideoWriter(
        output,
        width=video.width,
        height=video.height,
        rate=video.rate,
        time_base=video.time_base,
        codec=encoding.codec,
        crf=encoding.crf,
        preset=encoding.preset,
        overwrite=overwrite,
        audio_from=video if encoding.keep_audio else None,
    )
    release, owner = companion(output, "release"), companion(output, "owner")
    beside, size = truth_file(output), (video.width, video.height)
    truth = None
    if settings.mechanism == "synthesis":
        truth = ParquetWriter(beside, size, video.frames, overwrite=overwrite)
    with (
        tempfile.TemporaryDirectory(prefix="videodp-") as store,
        _take_back_on_error(overwrite) as in_place,
        atomic_path(release, overwrite) as release_file,
    ):
        with atomic_path(owner, overwrite, private=True) as owner_file:
            with truth or nullcontext():
                with writer:
                    yield Files(Path(store), writer, truth, release_file, owner_file)
                in_place.append(output)
            if truth is not None:
                in_place.append(beside)
        in_place.append(owner)


@contextmanager
def _take_back_on_error(overwrite: bool) -> Iterator[list[Path]]:
    """Deletes files that were put in place before another one could not be."""
    in_place: list[Path] = []
    try:
        yield in_place
    except BaseException:
        for path in [] if overwrite else in_place:
            path.unlink(missing_ok=True)
        raise
