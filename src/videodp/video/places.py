"""A few frames from all over a video."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from videodp.video.model import Frame, Video
from videodp.video.reader import read_frames

__all__ = ["read_places"]


def read_places(video: Video, places: Sequence[int], threads: int = 0) -> Iterator[Frame]:
    """Read some frames, jumping to the key frame before each where that decodes less.

    Args:
        video: What `probe` returned.
        places: Their indices, ascending, at least one.
        threads: As for `read_frames`.

    Yields:
        The frames, in order.
    """
    jumps = [p - video.key_frames[bisect_right(video.key_frames, p) - 1] + 1 for p in places]
    if 2 * sum(jumps) < places[-1] - places[0]:
        for place in places:
            yield from read_frames(video, place, place + 1, threads=threads)
    else:
        wanted = frozenset(places)
        yield from read_frames(video, places[0], places[-1] + 1, threads=threads, only=wanted)
