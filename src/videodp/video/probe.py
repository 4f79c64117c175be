"""One look at a video: everything the other stages need to know, or why it is no use."""

from contextlib import closing, suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path

import av
import numpy as np
from av.container import InputContainer
from av.video.stream import VideoStream
from numpy.typing import NDArray

from videodp.errors import (
    EmptyVideoError,
    NotAVideoError,
    TruncatedVideoError,
    VideoError,
)
from videodp.video.decode import decode_all, set_threads
from videodp.video.images import probe_pictures
from videodp.video.model import Video
from videodp.video.orientation import orientation
from videodp.video.scan import Scan, scan
from videodp.video.source import local_path, open_container, video_stream
from videodp.video.structure import cut_off

__all__ = ["probe"]

_LARGEST = 16384
_HEAD = 8  # frames decoded to see that the packets keep their promise
_FIELDS = {"h264", "hevc", "mpeg2video", "mpeg1video"}


def probe(
    path: str | Path, *, allow_truncated: bool = False, image_rate: Fraction = Fraction(25)
) -> Video:
    """Look at a video, without decoding more of it than needed.

    Args:
        path: A video file, or a folder of numbered pictures of one size.
        allow_truncated: Accept a file that ends early, and use what can be decoded.
        image_rate: Frames per second of a folder of pictures.

    Returns:
        The video's description, with the exact number of frames.

    Raises:
        UsageError: `path` is not a path.
        VideoNotFoundError: There is no such local file.
        NotAVideoError: Nothing in it can be decoded as pictures.
        EmptyVideoError: It has no frame.
        TruncatedVideoError: It ends early.
    """
    found = local_path(path)
    if found.is_dir():
        return probe_pictures(found, image_rate)
    ends_early = cut_off(found)
    try:
        container = open_container(found)
    except NotAVideoError as error:
        if ends_early:
            raise TruncatedVideoError(
                f"{found} ends before its index, so nothing of it can be decoded: get a complete "
                "copy"
            ) from error
        raise
    with closing(container):
        stream = video_stream(container, found)
        _check_size(found, stream.codec_context.width, stream.codec_context.height)
        scanned = scan(container, stream)
        if scanned.encrypted:
            raise NotAVideoError(f"{found} is encrypted: give a copy without protection")
        promised = stream.frames
        early = scanned.damaged or (ends_early and not 0 < promised <= scanned.packets)
        head = _head(found)
        early = early or (container.format.name == "mpegts" and _tail_is_damaged(found, scanned))
        timeline = _timeline(found, scanned, head, early)
        if not len(timeline.pts) and (allow_truncated or not early):
            raise _undecodable(found, scanned, stream)
        if timeline.failed and not allow_truncated:
            of = f" of {promised}" if promised > len(timeline.pts) else ""
            raise TruncatedVideoError(
                f"{found} ends early: {len(timeline.pts)}{of} frames can be decoded; "
                "pass --allow-truncated to use those"
            )
        return _video(found, container, stream, head[0], timeline)


@dataclass(frozen=True)
class _Timeline:
    """When each frame is shown, and where decoding can start."""

    pts: NDArray[np.int64]
    key_frames: tuple[int, ...]
    timed: bool
    failed: bool  # the file ends early, or decoding failed on the way


def _timeline(path: Path, scanned: Scan, head: list[av.VideoFrame], early: bool) -> _Timeline:
    """Trust the packets if a look at the first frames bears them out, else decode all."""
    times = [frame.pts for frame in head]
    agrees = scanned.reliable and times == scanned.pts[: len(times)].tolist() and bool(times)
    fields = any(frame.interlaced_frame for frame in head)
    if agrees and not fields and not early:
        return _Timeline(scanned.pts, _key_frames(scanned.pts, scanned), timed=True, failed=False)
    counted, failed = _count(path, scanned.last_pts if early else None)
    known = [pts for pts in counted if pts is not None]
    pts = np.array(known, np.int64)
    timed = len(known) == len(counted) and bool(np.all(np.diff(pts) > 0))
    if not timed:
        pts = np.arange(len(counted), dtype=np.int64)
    key_frames = _key_frames(pts, scanned) if timed else (0,)
    return _Timeline(pts, key_frames, timed, failed or early)


def _key_frames(pts: NDArray[np.int64], scanned: Scan) -> tuple[int, ...]:
    """Where decoding can start, given when each decoded frame is shown.

    From the first of these on, packets and frames must be the same; a file that begins in
    the middle may differ before.
    """
    if not len(pts):
        return (0,)
    keys = scanned.key_pts[(scanned.key_pts >= pts[0]) & (scanned.key_pts <= pts[-1])]
    for at, key in enumerate(keys[:3]):
        packets = scanned.pts[(scanned.pts >= key) & (scanned.pts <= pts[-1])]
        if np.array_equal(packets, pts[pts >= key]):
            return tuple(sorted({0, *np.searchsorted(pts, keys[at:]).tolist()}))
    return (0,)


def _head(path: Path) -> list[av.VideoFrame]:
    """The first frames, as far as they decode."""
    head: list[av.VideoFrame] = []
    with closing(open_container(path)) as container, suppress(av.error.FFmpegError):
        stream = video_stream(container, path)
        set_threads(stream, 1)
        head.extend(islice(decode_all(container, stream), _HEAD))
    return head


def _tail_is_damaged(path: Path, scanned: Scan) -> bool:
    """Whether the end of a MPEG-TS file, which has no length anywhere, does not decode."""
    with closing(open_container(path)) as container:
        stream = video_stream(container, path)
        set_threads(stream, 1)
        # Report what decoders otherwise hide.
        stream.codec_context.options = {"err_detect": "explode"}
        try:
            if len(scanned.key_pts):
                container.seek(int(scanned.key_pts[-1]), stream=stream, backward=True)
            for frame in decode_all(container, stream):
                if frame.is_corrupt:
                    return True
        except (av.error.FFmpegError, OSError):
            return True
    return False


def _count(path: Path, damaged: int | None) -> tuple[list[int | None], bool]:
    """Decode everything up to the first frame that is damaged; true if there was one.

    Args:
        path: The file.
        damaged: When the last packet of a file that ends early is shown: decoders hide
            that part of it is missing.
    """
    times: list[int | None] = []
    with closing(open_container(path)) as container:
        stream = video_stream(container, path)
        set_threads(stream, 0)
        try:
            for frame in decode_all(container, stream):
                if damaged is not None and (frame.is_corrupt or frame.pts == damaged):
                    return times, True
                times.append(frame.pts)
        except (av.error.FFmpegError, OSError):
            return times, True
    return times, False


def _video(
    path: Path,
    container: InputContainer,
    stream: VideoStream,
    first: av.VideoFrame,
    timeline: _Timeline,
) -> Video:
    quarter_turns, mirrored = orientation(first)
    size = (first.width, first.height)
    rate = stream.average_rate or stream.guessed_rate or stream.base_rate or Fraction(25)
    time_base = stream.time_base if timeline.timed and stream.time_base else 1 / rate
    return Video(
        path=path,
        width=size[quarter_turns % 2],
        height=size[1 - quarter_turns % 2],
        frames=len(timeline.pts),
        rate=Fraction(rate),
        time_base=Fraction(time_base),
        codec=stream.codec_context.name,
        pixel_format=first.format.name,
        has_audio=bool(container.streams.audio),
        key_frames=timeline.key_frames,
        truncated=timeline.failed,
        pts=timeline.pts,
        timed=timeline.timed,
        quarter_turns=quarter_turns,
        mirrored=mirrored,
    )


def _undecodable(path: Path, scanned: Scan, stream: VideoStream) -> VideoError:
    if not scanned.packets:
        return EmptyVideoError(f"{path} is a video without a single frame: give another")
    return NotAVideoError(
        f"{path} cannot be decoded as {stream.codec_context.name}: it may be encrypted or damaged; "
        "give another copy"
    )


def _check_size(path: Path, width: int, height: int) -> None:
    if width > _LARGEST or height > _LARGEST:
        raise VideoError(
            f"{path} is {width}x{height}; at most {_LARGEST}x{_LARGEST} is possible: scale it down"
        )
