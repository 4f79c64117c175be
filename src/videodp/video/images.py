"""Folders of numbered pictures as videos."""

import re
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from videodp.errors import EmptyVideoError, NotAVideoError, UsageError, VideoError
from videodp.video.colour import to_rgb, upright
from videodp.video.model import Frame, Video
from videodp.video.orientation import orientation
from videodp.video.source import PICTURE_ENDINGS, local_path, open_container, video_stream

__all__ = ["probe_pictures", "read_picture", "read_pictures"]


def probe_pictures(folder: Path, rate: Fraction) -> Video:
    """Look at a folder of pictures of one size, in the order of their numbers."""
    if rate <= 0:
        raise UsageError(f"a rate of {rate} pictures a second is not possible: give one above 0")
    pictures = tuple(
        sorted(
            (
                p
                for p in folder.iterdir()
                if p.suffix.lower() in PICTURE_ENDINGS and p.name[0] != "."
            ),
            key=_natural,
        )
    )
    if not pictures:
        raise EmptyVideoError(
            f"{folder} is a folder without pictures: give a video, or a folder of numbered "
            ".png, .jpg, .bmp, .tiff or .webp files"
        )
    width, height, codec, pixel_format = _describe(pictures[0])
    for picture in pictures[1:]:
        other_width, other_height, *_ = _describe(picture)
        if (other_width, other_height) != (width, height):
            raise VideoError(
                f"{picture} is {other_width}x{other_height} but {pictures[0].name} is "
                f"{width}x{height}: all pictures must have one size"
            )
    return Video(
        path=folder,
        width=width,
        height=height,
        frames=len(pictures),
        rate=Fraction(rate),
        time_base=1 / Fraction(rate),
        codec=codec,
        pixel_format=pixel_format,
        has_audio=False,
        key_frames=tuple(range(len(pictures))),
        truncated=False,
        pts=np.arange(len(pictures), dtype=np.int64),
        pictures=pictures,
    )


def read_pictures(video: Video, start: int, stop: int) -> Iterator[Frame]:
    """Read pictures `start` to `stop` of a folder."""
    for index in range(start, stop):
        rgb = _read(video.pictures[index])
        if rgb.shape != (video.height, video.width, 3):
            raise VideoError(f"{video.pictures[index]} has changed its size: start again")
        yield Frame(index, int(video.pts[index]), video.time_of(index), rgb)


def read_picture(path: str | Path) -> NDArray[np.uint8]:
    """Read one picture file: (height, width, 3) uint8 RGB, upright."""
    found = local_path(path)
    if found.suffix.lower() not in PICTURE_ENDINGS:
        raise UsageError(f"{found} is no picture: give a .png, .jpg, .bmp, .tiff or .webp file")
    return _read(found)


def _read(picture: Path) -> NDArray[np.uint8]:
    frame = _decode(picture)
    return upright(to_rgb(frame), *orientation(frame))


def _describe(picture: Path) -> tuple[int, int, str, str]:
    """(width, height, codec, pixel format) of the upright picture."""
    with closing(open_container(picture, picture=True)) as container:
        stream = video_stream(container, picture)
        context = stream.codec_context
        if not context.width or not context.height:
            raise NotAVideoError(f"{picture} cannot be read as a picture: get it again")
        return context.width, context.height, context.name, context.pix_fmt or ""


def _decode(picture: Path) -> av.VideoFrame:
    try:
        with closing(open_container(picture, picture=True)) as container:
            stream = video_stream(container, picture)
            stream.thread_count = 1
            for frame in container.decode(stream):
                return frame
    except av.error.FFmpegError as error:
        raise NotAVideoError(f"{picture} cannot be decoded: get the picture again") from error
    raise NotAVideoError(f"{picture} cannot be decoded: get the picture again")


def _natural(path: Path) -> list[tuple[int, str]]:
    """Sort 2.png before 10.png."""
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
