"""Folders of numbered pictures are videos too."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from videodp.errors import NotAVideoError, UsageError, VideoError
from videodp.video import probe, read_frames

from .conftest import picture

ENCODERS = {".png": "png", ".bmp": "bmp", ".tif": "tiff", ".tiff": "tiff", ".jpg": "mjpeg"}


def save(path: Path, array: NDArray[np.uint8] | NDArray[np.uint16], pixel_format: str) -> Path:
    """Encode one picture with FFmpeg."""
    codec = ENCODERS[path.suffix.lower()]
    frame = av.VideoFrame.from_ndarray(array, format=pixel_format)
    if codec == "mjpeg":
        frame = frame.reformat(format="yuvj444p")
    if codec == "bmp":
        frame = frame.reformat(format="bgr24")
    encoder = av.CodecContext.create(codec, "w")
    encoder.width, encoder.height, encoder.pix_fmt = frame.width, frame.height, frame.format.name
    encoder.time_base = Fraction(1, 25)
    path.write_bytes(b"".join(bytes(p) for p in encoder.encode(frame) + encoder.encode(None)))
    return path


@pytest.mark.parametrize("ending", [".png", ".bmp", ".tif", ".tiff", ".PNG"])
def test_pictures_in_the_order_of_their_numbers(tmp_path: Path, ending: str) -> None:
    numbers = [1, 2, 3, 9, 10, 11, 100]
    for number in reversed(numbers):
        save(tmp_path / f"frame{number}{ending}", picture(number, 33, 21), "rgb24")
    (tmp_path / "notes.txt").write_text("not a picture")
    (tmp_path / f".hidden{ending}").write_text("not a picture")
    video = probe(tmp_path)
    assert (video.width, video.height, video.frames, video.rate) == (33, 21, 7, 25)
    for frame, number in zip(read_frames(video), numbers, strict=True):
        assert (frame.rgb == picture(number, 33, 21)).all()
        assert frame.time == Fraction(frame.index, 25)
    assert [frame.index for frame in read_frames(video, 2, 5)] == [2, 3, 4]


def test_the_rate_can_be_given(tmp_path: Path) -> None:
    save(tmp_path / "1.png", picture(1), "rgb24")
    save(tmp_path / "2.png", picture(2), "rgb24")
    video = probe(tmp_path, image_rate=Fraction(30000, 1001))
    assert video.rate == Fraction(30000, 1001)
    assert video.time_of(1) == Fraction(1001, 30000)
    with pytest.raises(UsageError, match="above 0"):
        probe(tmp_path, image_rate=Fraction(0))


def test_every_kind_of_pixel_becomes_rgb(tmp_path: Path) -> None:
    rgb = picture(3)
    grey = rgb[..., 0]
    alpha = np.full((*grey.shape, 1), 7, np.uint8)
    save(tmp_path / "1.png", rgb, "rgb24")
    save(tmp_path / "2.png", np.ascontiguousarray(np.concatenate([rgb, alpha], -1)), "rgba")
    save(tmp_path / "3.png", np.ascontiguousarray(grey), "gray")
    save(tmp_path / "4.png", rgb.astype(np.uint16) * 257, "rgb48be")
    save(tmp_path / "5.png", np.ascontiguousarray(grey).astype(np.uint16) * 257, "gray16be")
    got = [frame.rgb.astype(int) for frame in read_frames(probe(tmp_path))]
    in_grey = np.repeat(grey[..., None].astype(int), 3, -1)
    for array, wanted in zip(got, [rgb, rgb, in_grey, rgb, in_grey], strict=True):
        assert array.dtype == int
        assert np.abs(array - wanted).max() <= 1


def test_jpeg_colours_are_bt601_whatever_the_size(tmp_path: Path) -> None:
    for number, height in enumerate((48, 768)):
        folder = tmp_path / str(number)
        folder.mkdir()
        wanted = np.full((height, 64, 3), (200, 60, 30), np.uint8)
        save(folder / "1.jpg", wanted, "rgb24")
        (frame,) = read_frames(probe(folder))
        assert np.abs(frame.rgb.astype(int) - wanted).max() <= 4


def test_pictures_of_another_size_are_named(tmp_path: Path) -> None:
    for number in range(4):
        save(tmp_path / f"{number}.png", picture(number, 64 + (number == 2), 48), "rgb24")
    with pytest.raises(VideoError, match=r"2\.png is 65x48 but 0\.png is 64x48"):
        probe(tmp_path)


def test_a_broken_picture_is_named(tmp_path: Path) -> None:
    for number in range(3):
        save(tmp_path / f"{number}.png", picture(number), "rgb24")
    (tmp_path / "1.png").write_bytes(b"no picture")
    with pytest.raises(NotAVideoError, match=r"1\.png"):
        probe(tmp_path)
    data = save(tmp_path / "1.png", picture(1), "rgb24").read_bytes()
    (tmp_path / "1.png").write_bytes(data[:60])
    with pytest.raises(NotAVideoError, match=r"1\.png"):
        list(read_frames(probe(tmp_path)))
