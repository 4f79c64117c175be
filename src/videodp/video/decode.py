"""Decoding a file from a given place, one frame after the other."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain

import av
from av.container import InputContainer
from av.packet import Packet
from av.video.stream import VideoStream

from videodp.video.model import Video
from videodp.video.source import open_container, video_stream

__all__ = ["decode_all", "decode_from", "set_threads"]


def set_threads(stream: VideoStream, threads: int) -> None:
    """Let FFmpeg decode with so many threads: 0 for as many as there are cores."""
    stream.thread_count = threads
    stream.thread_type = "NONE" if threads == 1 else "AUTO"


def decode_all(container: InputContainer, stream: VideoStream) -> Iterator[av.VideoFrame]:
    """Decode every frame from where the container stands."""
    return _decode(container.demux(stream))


def decode_from(
    video: Video, key_frame: int, threads: int
) -> Generator[tuple[int, av.VideoFrame], None, None]:
    """Decode from a key frame, with the index of each frame.

    Args:
        video: The video.
        key_frame: One of `video.key_frames`, 0 for the beginning.
        threads: FFmpeg's decoder threads.

    Yields:
        (index, frame). Frames whose index cannot be told for certain end the iteration:
        the caller sees a frame missing, never a wrong one.
    """
    with closing(open_container(video.path)) as container:
        stream = video_stream(container, video.path)
        set_threads(stream, threads)
        frames: Iterator[av.VideoFrame] | None
        if key_frame == 0:
            frames = decode_all(container, stream)
        else:
            frames = _seek(video, key_frame, container, stream)
        index, begun = key_frame, key_frame == 0
        for frame in frames or ():
            if not begun and frame.pts is not None and frame.pts < video.pts[key_frame]:
                continue  # shown before the key frame, and may refer to what came before it
            begun = True
            if index >= video.frames:
                return
            if video.timed and frame.pts != int(video.pts[index]):
                return
            yield index, frame
            index += 1


def _seek(
    video: Video, key_frame: int, container: InputContainer, stream: VideoStream
) -> Iterator[av.VideoFrame] | None:
    """Go to a key frame and decode from there; None if it does not turn up."""
    pts = int(video.pts[key_frame])
    # MPEG-TS has no index: a seek there lands somewhere behind the decoding time it is given.
    margin = round(1 / video.time_base) if container.format.name == "mpegts" else 0
    try:
        container.seek(pts - margin, stream=stream, backward=True)
    except av.error.FFmpegError:
        return None
    packets = container.demux(stream)
    for packet in packets:
        if packet.pts == pts and packet.is_keyframe:
            return _decode(chain([packet], packets))
        if packet.dts is not None and packet.dts > pts:
            return None  # some demuxers land behind the place that was asked for
    return None


def _decode(packets: Iterable["Packet[VideoStream]"]) -> Iterator[av.VideoFrame]:
    begun = False
    for packet in packets:
        try:
            frames = packet.decode()
        except av.error.InvalidDataError:
            if begun:
                raise
            continue  # a recording that begins in the middle: wait for the first whole frame
        begun |= bool(frames)
        yield from frames
