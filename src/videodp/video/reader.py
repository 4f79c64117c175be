"""The frames of a video, lazily, the same wherever reading starts."""

from bisect import bisect_right
from collections.abc import Collection, Generator, Iterator

import av

from videodp.errors import TruncatedVideoError, UsageError, VideoError
from videodp.video.colour import to_rgb, upright
from videodp.video.decode import decode_from
from videodp.video.images import read_pictures
from videodp.video.model import Frame, Video

__all__ = ["read_frames"]


def read_frames(
    video: Video,
    start: int = 0,
    stop: int | None = None,
    *,
    threads: int = 0,
    only: Collection[int] | None = None,
) -> Generator[Frame, None, None]:
    """Read frames `start` to `stop` (without it) of a video.

    Frame n is bit by bit the same whatever `start` is: decoding begins at a key frame
    where that is certain, else at the beginning.

    Args:
        video: What `probe` returned.
        start: First frame, from 0.
        stop: End, not read itself; the end of the video if not given.
        threads: FFmpeg's decoder threads: 0 for as many as there are cores, 1 for none.
        only: Convert and yield only the frames with these indices; a set.

    Yields:
        The frames, in order, none missing.

    Raises:
        UsageError: `start` and `stop` are not within the video.
        TruncatedVideoError: A frame that `probe` promised cannot be decoded.
    """
    stop = video.frames if stop is None else stop
    if not 0 <= start <= stop <= video.frames:
        raise UsageError(
            f"frames {start} to {stop} are not within {video.path}, which has {video.frames} frames"
        )
    return _read(video, start, stop, threads, only)


def _read(
    video: Video, start: int, stop: int, threads: int, only: Collection[int] | None
) -> Generator[Frame, None, None]:
    if start == stop:
        return
    if video.pictures:
        for frame in read_pictures(video, start, stop):
            if only is None or frame.index in only:
                yield frame
        return
    expected = start
    cause: Exception | None = None
    for key_frame in _places_to_start(video, start):
        decoded = decode_from(video, key_frame, threads)
        try:
            for index, raw in decoded:
                if index < expected:
                    continue
                if only is None or index in only:
                    yield _frame(video, index, raw)
                expected = index + 1
                if expected == stop:
                    return
        except (av.error.FFmpegError, OSError) as error:
            if isinstance(error, VideoError):
                raise
            cause = error
        finally:
            decoded.close()
        if expected > start:
            break
    raise TruncatedVideoError(
        f"{video.path}: frame {expected} of {video.frames} cannot be decoded; the file is damaged "
        "or has changed: get it again, or pass --allow-truncated to use the frames before"
    ) from cause


def _places_to_start(video: Video, start: int) -> Iterator[int]:
    """The nearest key frame, then earlier ones in growing strides, at last the beginning."""
    at, stride = bisect_right(video.key_frames, start) - 1, 1
    while at > 0:
        yield video.key_frames[at]
        at, stride = at - stride, stride * 4
    yield 0


def _frame(video: Video, index: int, raw: av.VideoFrame) -> Frame:
    rgb = upright(to_rgb(raw), video.quarter_turns, video.mirrored)
    if rgb.shape != (video.height, video.width, 3):
        raise VideoError(
            f"{video.path} changes its size at frame {index}, from {video.width}x{video.height} to "
            f"{rgb.shape[1]}x{rgb.shape[0]}: convert it to one size first"
        )
    return Frame(index, int(video.pts[index]), video.time_of(index), rgb)
