"""Where to cut a video into fragments."""

from __future__ import annotations

from videodp.video import Video

__all__ = ["cut"]

_SHORTEST = 48
_LONGEST = 240


def cut(video: Video, workers: int, length: int | None = None) -> list[tuple[int, int]]:
    """Fragments [start, stop) that cover the video in order.

    They begin where decoding can begin, so that no frame is decoded twice, and there are a few for
    each worker. `length` asks for pieces of exactly that many frames instead.
    """
    if length is not None:
        starts = list(range(0, video.frames, length))
    else:
        target = min(max(video.frames // (4 * workers), _SHORTEST), _LONGEST)
        starts = [0]
        for key in sorted(video.key_frames):
            if key - starts[-1] >= target and video.frames - key >= _SHORTEST // 2:
                starts.append(key)
        starts = _split_longest(starts, video)
    return list(zip(starts, [*starts[1:], video.frames], strict=True))


def _split_longest(starts: list[int], video: Video) -> list[int]:
    """No fragment may hold so many pixels that a 32-bit counter could overflow."""
    limit = max((2**31 - 1) // (video.width * video.height), 1)
    ends = [*starts[1:], video.frames]
    return [at for a, b in zip(starts, ends, strict=True) for at in range(a, b, limit)]
