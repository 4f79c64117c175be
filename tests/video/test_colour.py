"""Colours are what the file says they are."""

from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from videodp.errors import VideoError
from videodp.video.colour import from_rgb, to_rgb

# ITU-T H.273: red and blue weight of each matrix.
WEIGHTS = {1: (0.2126, 0.0722), 5: (0.299, 0.114), 6: (0.299, 0.114), 9: (0.2627, 0.0593)}
LIMITED, FULL = 1, 2


def naive(y: int, u: int, v: int, matrix: int, full: bool, bits: int) -> NDArray[np.float64]:
    """The definition, for one pixel."""
    red, blue = WEIGHTS[matrix]
    scale = 2 ** (bits - 8)
    if full:
        light, cb, cr = y / (2**bits - 1), u - 128 * scale, v - 128 * scale
        cb, cr = cb / (2**bits - 1), cr / (2**bits - 1)
    else:
        light = (y / scale - 16) / 219
        cb, cr = (u / scale - 128) / 224, (v / scale - 128) / 224
    r = light + 2 * (1 - red) * cr
    b = light + 2 * (1 - blue) * cb
    g = (light - red * r - blue * b) / (1 - red - blue)
    return np.clip(np.array([r, g, b]) * 255, 0, 255)


def flat(pixel_format: str, values: tuple[int, ...], width: int, height: int) -> av.VideoFrame:
    frame = av.VideoFrame(width, height, pixel_format)
    kind = np.uint16 if "le" in pixel_format else np.uint8
    for plane, value in zip(frame.planes, values, strict=True):
        np.frombuffer(plane, kind)[:] = value
    return frame


@pytest.mark.parametrize(
    ("pixel_format", "bits"),
    [
        *(("yuv420p", 8), ("yuv422p", 8), ("yuv444p", 8), ("yuvj420p", 8), ("yuvj444p", 8)),
        *(("yuv420p10le", 10), ("yuv444p10le", 10), ("yuv420p12le", 12)),
    ],
)
@pytest.mark.parametrize("size", [(64, 48), (63, 47), (2, 2)])
def test_matrix_and_range_are_honoured(pixel_format: str, bits: int, size: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    for matrix in WEIGHTS:
        for colour_range in (0, LIMITED, FULL):
            y, u, v = (int(value) << (bits - 8) for value in rng.integers(70, 180, 3))
            frame = flat(pixel_format, (y, u, v), *size)
            frame.colorspace, frame.color_range = matrix, colour_range
            full = colour_range == FULL or "j" in pixel_format
            wanted = naive(y, u, v, matrix, full, bits)
            assert np.abs(to_rgb(frame) - wanted).max() < 4, (matrix, colour_range)
            assert (frame.colorspace, frame.color_range) == (matrix, colour_range)


@pytest.mark.parametrize(("height", "matrix"), [(719, 6), (720, 1)])
def test_what_is_unspecified_follows_the_height(height: int, matrix: int) -> None:
    frame = flat("yuv420p", (120, 80, 180), 32, height)
    assert np.abs(to_rgb(frame) - naive(120, 80, 180, matrix, False, 8)).max() < 4


def test_unknown_matrices_are_refused() -> None:
    frame = flat("yuv420p", (120, 80, 180), 32, 32)
    frame.colorspace = 14
    with pytest.raises(VideoError, match="colour matrix"):
        to_rgb(frame)


def test_grey_is_honoured_too() -> None:
    for colour_range, wanted in ((FULL, 100), (LIMITED, 98), (0, 100)):
        frame = flat("gray", (100,), 16, 16)
        frame.color_range = colour_range
        assert (to_rgb(frame) == wanted).all()


@pytest.mark.parametrize("pixel_format", ["bgr0", "gbrp", "bgr24", "rgba", "rgb48le", "gbrap"])
@pytest.mark.parametrize("width", [1, 7, 64])
def test_rgb_in_any_order_is_exact(pixel_format: str, width: int) -> None:
    rgb = np.random.default_rng(5).integers(0, 256, (5, width, 3), dtype=np.uint8)
    frame = av.VideoFrame.from_ndarray(rgb, format="rgb24").reformat(format=pixel_format)
    assert (to_rgb(frame) == rgb).all()


def test_palettes(tmp_path: Path) -> None:
    rgb = np.random.default_rng(5).integers(0, 2, (16, 16, 3), dtype=np.uint8) * 255
    path = tmp_path / "a.gif"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("gif", rate=10)
        stream.width, stream.height, stream.pix_fmt = 16, 16, "rgb8"
        frame = av.VideoFrame.from_ndarray(rgb, format="rgb24").reformat(format="rgb8")
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    with av.open(str(path)) as container:
        (frame,) = container.decode(video=0)
        # the encoder's palette ends at 252
        assert np.abs(to_rgb(frame).astype(int) - rgb).max() <= 3


@pytest.mark.parametrize("height", [48, 720])
def test_there_and_back_again(height: int) -> None:
    rng = np.random.default_rng(9)
    for pixel_format, most in (("yuv420p", 3), ("yuv444p", 3), ("bgr0", 0)):
        for colour in rng.integers(0, 256, (40, 3), dtype=np.uint8):
            rgb = np.full((height, 32, 3), colour, np.uint8)
            back = to_rgb(from_rgb(rgb, pixel_format))
            assert np.abs(back.astype(int) - rgb).max() <= most


def test_an_array_outlives_its_frame() -> None:
    arrays = []
    for value in range(60, 200, 10):
        frame = flat("yuv420p", (value, 128, 128), 62, 48)
        arrays.append((to_rgb(frame), to_rgb(frame).copy()))
        del frame
    assert all((array == copy).all() for array, copy in arrays)
