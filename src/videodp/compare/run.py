"""Compares a private video with its original, frame by frame in step."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from itertools import repeat
from pathlib import Path

from videodp.compare.model import Comparison
from videodp.compare.owner import PhaseOne, read_phase_one
from videodp.compare.tally import Tally
from videodp.elements import Elements, Seen, elements_for
from videodp.errors import UsageError
from videodp.release import companion
from videodp.stages import Stages, Watcher
from videodp.video import Video, probe, read_frames

__all__ = ["compare"]

_UNDER_WAY = 4
"""Pairs of frames that wait to be measured, at most."""


def compare(
    original: str | Path | Video,
    private: str | Path | Video,
    elements: str | Path | Elements | None = None,
    owner: str | Path | None = None,
    *,
    watcher: Watcher | None = None,
) -> Comparison:
    """Measures what a private video still has in common with its original.

        result = videodp.compare("street.mp4", "private.mp4", "street.elements.parquet")
        print(result.element_mse)

    Args:
        original: the recording (V).
        private: the private video (O): same size, same number of frames.
        elements: who is in the original; without them only the whole picture is measured.
        owner: ``NAME.owner.json``; taken from beside the private video if it is there. It tells
            what was drawn, and which elements were left in the background.
        watcher: told about progress.

    Returns:
        The measures; `Comparison` says exactly what each one is.

    Raises:
        UsageError: the files do not belong together.
    """
    original = original if isinstance(original, Video) else probe(original)
    private = private if isinstance(private, Video) else probe(private)
    _same_shape(original, private)
    elements = None if elements is None else elements_for(original, elements)
    record, found = _owner_file(private, elements, owner)
    phase_one = read_phase_one(record) if record else PhaseOne()
    if elements is not None:
        elements = elements.without(phase_one.insensitive)
    tally = Tally(original, elements, phase_one)
    with Stages(watcher).stage("compare", original.frames) as step:
        for _ in _measured(original, private, elements, tally):
            step(1)
    return _comparison(original, tally, phase_one, record, _notes(tally, record, found))


def _same_shape(original: Video, private: Video) -> None:
    if (original.width, original.height) != (private.width, private.height):
        raise UsageError(
            f"{original.path.name} is {original.width}x{original.height}, but {private.path.name} "
            f"is {private.width}x{private.height}: give a private video and its own original"
        )
    if original.frames != private.frames:
        raise UsageError(
            f"{original.path.name} has {original.frames} frames, but {private.path.name} has "
            f"{private.frames}: give a private video and its own original"
        )


def _owner_file(
    private: Video, elements: Elements | None, owner: str | Path | None
) -> tuple[Path | None, bool]:
    """The owner's record, and whether it was found without being named."""
    if owner is not None:
        return Path(owner), False
    beside = companion(private.path, "owner")
    if elements is not None and beside.is_file():
        return beside, True
    return None, False


def _measured(
    original: Video, private: Video, elements: Elements | None, tally: Tally
) -> Iterator[None]:
    """Decodes in this thread and measures in another, which is the only one to add up."""
    seen: Iterable[Seen | None] = repeat(None, original.frames)
    if elements is not None:
        seen = elements.frames(0, original.frames)
    under_way: deque[Future[None]] = deque()
    with (
        closing(read_frames(original)) as ours,
        closing(read_frames(private)) as theirs,
        ThreadPoolExecutor(1) as pool,
    ):
        for frame, other, here in zip(ours, theirs, seen, strict=True):
            under_way.append(pool.submit(tally.add, frame, other, here))
            if len(under_way) > _UNDER_WAY:
                yield under_way.popleft().result()
        for waiting in under_way:
            yield waiting.result()


def _comparison(
    original: Video,
    tally: Tally,
    phase_one: PhaseOne,
    record: Path | None,
    notes: Iterator[str],
) -> Comparison:
    """Without elements nothing that needs them."""
    split = tally.elements is not None
    return Comparison(
        frames=original.frames,
        width=original.width,
        height=original.height,
        kl=tally.kl(),
        mse=tally.mse(),
        mse_phase1=tally.mse_phase1() if split else None,
        element_mse=tally.element_mse() if split else None,
        element_mse_phase1=tally.element_mse_phase1() if split else None,
        element_pixels=tally.pixels if split else None,
        background_psnr=tally.background_psnr() if split else None,
        background_ssim=tally.background_ssim() if split else None,
        background=phase_one.background if split else None,
        drawn=phase_one.pixels if split else None,
        owner=record,
        notes=tuple(notes),
    )


def _notes(tally: Tally, record: Path | None, found: bool) -> Iterator[str]:
    if tally.elements is None:
        yield "no elements were given: only the whole picture was measured"
        return
    if record is None:
        yield (
            "no owner's record: Phase I counts no pixel of an element as drawn, and the "
            "background as retained"
        )
    elif found:
        yield f"{record.name}, found beside the private video, tells what was drawn"
    if not tally.pixels:
        yield "no pixel belongs to an element: there is no MSE of elements"
    if tally.background_psnr() == math.inf:
        yield "the background is identical: its PSNR is infinite, null in JSON"
    if tally.background_psnr() is not None and tally.background_ssim() is None:
        yield "the picture is too small for a window of 11x11 pixels: there is no SSIM"
