"""Frames to a file that is complete or not there."""

import errno
import os
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Self

import av
import numpy as np
from av.codec.context import Flags as CodecFlags
from av.container import OutputContainer
from av.video.stream import VideoStream
from numpy.typing import NDArray

from videodp.errors import OutputError, UsageError
from videodp.video.atomic import atomic_path, check_free, output_error
from videodp.video.audio import AudioCopy
from videodp.video.colour import from_rgb, is_hd
from videodp.video.formats import choose
from videodp.video.model import Video

__all__ = ["VideoWriter"]

_BT709, _SMPTE170M = 1, 6  # ITU-T H.273: matrix, primaries and transfer alike
_RGB_MATRIX, _SRGB_TRANSFER = 0, 13
_LIMITED, _FULL = 1, 2
_BITEXACT_CONTAINER = 0x0400


class VideoWriter:
    """Write frames to a video file.

    Use it as a context manager: the file appears under its name when the block ends well,
    and never otherwise.

        with VideoWriter("out.mp4", width=640, height=480, rate=Fraction(25)) as writer:
            for frame in frames:
                writer.write(frame)

    The same frames give the same file, byte for byte, on the same machine.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        width: int,
        height: int,
        rate: Fraction,
        time_base: Fraction | None = None,
        codec: str = "libx264",
        crf: int = 20,
        preset: str = "veryfast",
        overwrite: bool = False,
        private: bool = False,
        audio_from: Video | None = None,
        threads: int = 0,
    ) -> None:
        """Check everything that can be checked before the first frame.

        Args:
            path: The file; its ending names the format.
            width: Of every frame. Odd sizes are kept (with colour at full resolution).
            height: The same.
            rate: Frames per second.
            time_base: Seconds per unit of the times given to `write`; one frame at `rate`
                if not given. Matroska files round times to milliseconds.
            codec: libx264, libx265, libsvtav1, libvpx-vp9, or ffv1 (lossless RGB).
            crf: Quality, 0 is best; not for ffv1.
            preset: Speed in x264's words, for all codecs; not for ffv1.
            overwrite: Replace a file that is already there.
            private: Nobody else on this machine may read it.
            audio_from: Copy the sound of this video, unchanged.
            threads: The encoder's threads: 0 for its own choice.

        Raises:
            UsageError: These settings do not go together.
            OutputExistsError: The file is there already.
        """
        self.path = Path(path)
        self._encoding = choose(self.path, codec, width, height, crf, preset)
        if rate <= 0 or (time_base is not None and time_base <= 0):
            raise UsageError(f"a frame rate of {rate} is not possible: give one above 0")
        check_free(self.path, overwrite)
        self.width, self.height = width, height
        self.rate = Fraction(rate)
        self.time_base = 1 / self.rate if time_base is None else Fraction(time_base)
        self.frames = 0
        self._overwrite, self._private = overwrite, private
        self._audio_from = audio_from
        self._threads = threads
        self._stack = ExitStack()
        self._container: OutputContainer | None = None
        self._stream: VideoStream
        self._audio: AudioCopy | None = None
        self._last_pts: int | None = None
        self._anchor = (0, Fraction(0))  # (frame, its time): what `pts=None` counts from

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            place = atomic_path(self.path, self._overwrite, private=self._private)
            temporary = stack.enter_context(place)
            container = self._open(temporary)
            self._container = container
            stack.callback(self._abandon)
            self._stream = self._add_stream(container)
            if self._audio_from is not None:
                self._audio = stack.enter_context(AudioCopy(self._audio_from, container))
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._stack:
            if error is not None:
                # Thrown into the block, so that `atomic_path` sees it and cleans up.
                raise error
            self._finish()

    def prepare(self, rgb: NDArray[np.uint8]) -> av.VideoFrame:
        """Convert a frame to what the encoder takes, ready for `write`; from any thread.

        Args:
            rgb: (height, width, 3) uint8 RGB; it may be changed afterwards.

        Raises:
            UsageError: Wrong size or type.
        """
        if rgb.shape != (self.height, self.width, 3) or rgb.dtype != np.uint8:
            raise UsageError(
                f"a frame is {rgb.dtype} {rgb.shape}, expected uint8 {(self.height, self.width, 3)}"
            )
        frame = from_rgb(rgb, self._encoding.pixel_format)
        matrix, transfer, primaries, colour_range = self._colours()
        frame.colorspace, frame.color_trc = matrix, transfer
        frame.color_primaries, frame.color_range = primaries, colour_range
        return frame

    def write(self, picture: NDArray[np.uint8] | av.VideoFrame, pts: int | None = None) -> None:
        """Write the next frame.

        Args:
            picture: (height, width, 3) uint8 RGB, which may be changed afterwards; or what
                `prepare` made of it.
            pts: When to show it, in `time_base`, later than the frame before; one frame
                later at `rate` if not given.

        Raises:
            UsageError: Wrong size or type, or times that do not increase.
            OutputError: The file cannot be written, e.g. the disk is full.
        """
        if self._container is None:
            raise UsageError("the writer is not open: use it in a with statement")
        frame = picture if isinstance(picture, av.VideoFrame) else self.prepare(picture)
        pts = self._time(pts)
        frame.pts, frame.time_base = pts, self.time_base
        try:
            self._container.mux(self._stream.encode(frame))
            if self._audio is not None:
                self._audio.copy_until((pts + 1) * self.time_base)
        except (av.error.FFmpegError, OSError) as error:
            raise self._failure(error) from error
        self.frames += 1

    def _time(self, pts: int | None) -> int:
        """The time of the next frame, checked."""
        if pts is None:
            first, time = self._anchor
            pts = round((time + (self.frames - first) / self.rate) / self.time_base)
        else:
            self._anchor = (self.frames, pts * self.time_base)
        if self._last_pts is not None and pts <= self._last_pts:
            raise UsageError(
                f"frame {self.frames} is to be shown at {pts}, not after the one before "
                f"({self._last_pts}): times must increase"
            )
        self._last_pts = pts
        return pts

    def _open(self, temporary: Path) -> OutputContainer:
        # SVT-AV1 talks on stderr by itself, and only listens to this variable. 1: errors.
        os.environ.setdefault("SVT_LOG", "1")
        try:
            container = av.open(
                f"file:{temporary.absolute()}", "w", format=self._encoding.container
            )
        except (av.error.FFmpegError, OSError) as error:
            raise self._failure(error) from error
        # No dates, no random ids: the same frames give the same bytes.
        container.flags |= _BITEXACT_CONTAINER
        return container

    def _add_stream(self, container: OutputContainer) -> VideoStream:
        stream = container.add_stream(
            self._encoding.codec, rate=self.rate, options=dict(self._encoding.options)
        )
        assert isinstance(stream, VideoStream)
        context = stream.codec_context
        stream.width, stream.height = self.width, self.height
        stream.pix_fmt = self._encoding.pixel_format
        stream.time_base = context.time_base = self.time_base
        context.thread_count = self._threads
        context.flags |= CodecFlags.bitexact
        matrix, transfer, primaries, colour_range = self._colours()
        context.colorspace, context.color_trc = matrix, transfer
        context.color_primaries, context.color_range = primaries, colour_range
        return stream

    def _colours(self) -> tuple[int, int, int, int]:
        """(matrix, transfer, primaries, range), as written into the file."""
        if self._encoding.lossless:
            return _RGB_MATRIX, _SRGB_TRANSFER, _BT709, _FULL
        kind = _BT709 if is_hd(self.height) else _SMPTE170M
        return kind, kind, kind, _LIMITED

    def _finish(self) -> None:
        """Write what the encoder and the container still hold."""
        container = self._container
        if container is None:
            return
        if not self.frames:
            raise UsageError(f"no frame was written to {self.path}: a video needs at least one")
        try:
            container.mux(self._stream.encode(None))
            if self._audio is not None:
                self._audio.copy_until(None)
            self._container = None
            container.close()
        except (av.error.FFmpegError, OSError) as error:
            raise self._failure(error) from error

    def _abandon(self) -> None:
        """Close the file whatever state it is in; what it holds is thrown away."""
        container, self._container = self._container, None
        if container is not None:
            try:
                container.close()
            except (av.error.FFmpegError, OSError):
                return

    def _failure(self, error: Exception) -> OutputError:
        if isinstance(error, OutputError):
            return error
        if isinstance(error, OSError):
            return output_error(error, self.path)
        failure = OutputError(f"cannot write {self.path}: {error}: choose another codec or size")
        failure.errno = errno.EINVAL
        return failure
