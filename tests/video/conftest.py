"""Small clips in many formats, made with PyAV alone, so that the writer is not its own judge."""

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

# SVT-AV1 reads this once, when it is first used.
os.environ.setdefault("SVT_LOG", "1")

WIDTH, HEIGHT, FRAMES = 64, 48, 31


def picture(index: int, width: int = WIDTH, height: int = HEIGHT) -> NDArray[np.uint8]:
    """A smooth picture with a moving square, different for every index."""
    y, x = np.mgrid[0:height, 0:width]
    rgb = np.stack([x * 3 + index * 5, y * 4 + index, (x + y) * 2 + 40], axis=-1) % 230
    at = index * 2 % (width - 16)
    rgb[10:26, at : at + 16] = (220, 30 + index * 3, 60)
    return rgb.astype(np.uint8)


def make_clip(
    path: Path,
    codec: str,
    *,
    frames: int = FRAMES,
    pixel_format: str = "yuv420p",
    options: dict[str, str] | None = None,
    container_options: dict[str, str] | None = None,
    rate: Fraction = Fraction(25),
    size: tuple[int, int] = (WIDTH, HEIGHT),
    pts: list[int] | None = None,
    time_base: Fraction | None = None,
    turn: int = 0,
    gop: int = 8,
    b_frames: int | None = None,
    muxer: str | None = None,
) -> Path:
    """Encode `frames` pictures with FFmpeg's own calls."""
    if codec == "libx264":  # see videodp.video.formats: two encodings must be the same
        options = dict(options or {})
        options["x264-params"] = ":".join(filter(None, [options.get("x264-params"), "mbtree=0"]))
    with av.open(str(path), "w", format=muxer, options=container_options or {}) as container:
        stream = container.add_stream(codec, rate=rate, options=options or {})
        stream.width, stream.height = size
        stream.pix_fmt = pixel_format
        stream.gop_size = gop
        if b_frames is not None:
            stream.max_b_frames = b_frames
        if time_base is not None:
            stream.time_base = stream.codec_context.time_base = time_base
        if turn:
            stream.set_display_rotation(turn)
        for index in range(frames):
            frame = av.VideoFrame.from_ndarray(picture(index, *size), format="rgb24")
            frame = frame.reformat(format=pixel_format)
            frame.pts = pts[index] if pts else index
            frame.time_base = time_base or 1 / rate
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def decode(path: Path) -> list[av.VideoFrame]:
    """All frames, by FFmpeg's plainest way."""
    with av.open(str(path)) as container:
        return list(container.decode(video=0))


@pytest.fixture
def clip(tmp_path: Path) -> Callable[..., Path]:
    """`clip("name.mp4", "libx264", ...)`: a clip in the test's own folder."""

    def make(name: str, codec: str, **settings: object) -> Path:
        return make_clip(tmp_path / name, codec, **settings)  # type: ignore[arg-type]

    return make


@pytest.fixture
def mp4(clip: Callable[..., Path]) -> Path:
    """A plain H.264 clip with B-frames and small groups of pictures."""
    return clip("plain.mp4", "libx264", b_frames=2)
