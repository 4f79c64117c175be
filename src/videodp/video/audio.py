"""Sound, copied from one file to another without touching it."""

from collections.abc import Iterator
from fractions import Fraction
from types import TracebackType
from typing import Self

import av
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.packet import Packet

from videodp.errors import UsageError
from videodp.video.model import Video
from videodp.video.source import open_container

__all__ = ["AudioCopy"]


class AudioCopy:
    """The first sound track of a video, fed into an output in step with its pictures."""

    def __init__(self, video: Video, output: OutputContainer) -> None:
        if not video.has_audio or video.pictures:
            raise UsageError(f"{video.path} has no sound to keep: leave the sound out")
        self._output = output
        self._input = open_container(video.path)
        source = self._input.streams.audio[0]
        try:
            self._stream = output.add_stream_from_template(source)
        except (ValueError, av.error.FFmpegError) as error:
            self._input.close()
            name = source.codec_context.name if source.codec_context else "unknown"
            raise UsageError(
                f"the sound of {video.path} ({name}) does not fit into a {output.format.name} "
                "file: choose .mkv, or leave the sound out"
            ) from error
        self._packets: Iterator[Packet[AudioStream]] = self._input.demux(source)
        self._next: Packet[AudioStream] | None = next(self._packets, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._input.close()

    def copy_until(self, time: Fraction | None) -> None:
        """Copy the packets up to a time in seconds; all that are left without one."""
        while self._next is not None:
            packet = self._next
            if packet.dts is not None:
                if time is not None and packet.dts * packet.time_base > time:
                    return
                packet.stream = self._stream
                self._output.mux_one(packet)
            self._next = next(self._packets, None)
