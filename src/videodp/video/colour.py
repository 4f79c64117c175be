"""The one conversion between FFmpeg's pixels and RGB, in both directions.

The colours that are counted and the colours that are published must be the same, so every
frame of every source goes through `to_rgb`.
"""

import threading

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter
from numpy.typing import NDArray

from videodp.errors import VideoError
from videodp.kernels.yuv import to_yuv420, weights

__all__ = ["from_rgb", "is_hd", "to_rgb", "upright"]

# AVColorSpace (ITU-T H.273, table 4) to swscale's matrices.
_UNSPECIFIED = (2, 3)
_MATRICES = {
    0: Colorspace.ITU601,  # "identity": the planes are RGB, no matrix is applied
    1: Colorspace.ITU709,
    4: Colorspace.FCC,
    5: Colorspace.ITU601,
    6: Colorspace.ITU601,
    7: Colorspace.SMPTE240M,
    9: Colorspace.BT2020,
}
_HD_LINES = 720
_WEIGHTS = (weights(0.299, 0.114), weights(0.2126, 0.0722))  # BT.601, BT.709
_GREY = ("gray", "ya8", "ya16")
_LIMITED_TO_FULL = np.clip((np.arange(256) - 16) * 255 / 219, 0, 255).round().astype(np.uint8)

_local = threading.local()


def is_hd(height: int) -> bool:
    """Whether a picture of this height is BT.709 where nothing says otherwise."""
    return height >= _HD_LINES


def to_rgb(frame: av.VideoFrame) -> NDArray[np.uint8]:
    """Convert a decoded frame to RGB.

    Args:
        frame: Any pixel format. Its colour matrix and range are honoured; unspecified
            ones are BT.709 from 720 lines up, BT.601 below, and limited range. Alpha is
            dropped.

    Returns:
        (height, width, 3) uint8 RGB; rows may be padded. It keeps its memory alive.
    """
    rgb = _reformatter().reformat(
        frame,
        format="rgb24",
        src_colorspace=_matrix(frame),
        dst_colorspace=Colorspace.ITU601,
        # One thread: frames are spread over the cores already, slices of one need not be.
        threads=1,
    )
    pixels = _view(rgb)
    if frame.color_range == ColorRange.MPEG and frame.format.name.startswith(_GREY):
        return _LIMITED_TO_FULL[pixels]  # swscale takes every grey for full range
    return pixels


def from_rgb(rgb: NDArray[np.uint8], pixel_format: str) -> av.VideoFrame:
    """Convert RGB to a frame for an encoder: limited range, BT.709 from 720 lines up.

    Args:
        rgb: (height, width, 3) uint8 RGB.
        pixel_format: FFmpeg's name of the encoder's pixel format.
    """
    contiguous = np.ascontiguousarray(rgb)
    if pixel_format == "yuv420p":
        return _to_yuv420(contiguous)
    if contiguous.flags.writeable:
        frame = av.VideoFrame.from_numpy_buffer(contiguous, format="rgb24")
    else:
        frame = av.VideoFrame.from_ndarray(contiguous, format="rgb24")
    if pixel_format == "rgb24":
        return frame
    matrix = Colorspace.ITU709 if is_hd(len(rgb)) else Colorspace.ITU601
    return _reformatter().reformat(
        frame,
        format=pixel_format,
        dst_colorspace=matrix,
        dst_color_range=ColorRange.MPEG,
        interpolation=Interpolation.AREA,
        threads=1,
    )


def _to_yuv420(rgb: NDArray[np.uint8]) -> av.VideoFrame:
    """The usual case by hand: three times as fast as swscale, and rounded correctly."""
    height, width = rgb.shape[:2]
    luma_weight, chroma_weight = _WEIGHTS[is_hd(height)]
    frame = av.VideoFrame(width, height, "yuv420p")
    planes = [np.asarray(memoryview(plane)) for plane in frame.planes]
    lines = [
        data.reshape(-1, plane.line_size)[: plane.height, : plane.width]
        for data, plane in zip(planes, frame.planes, strict=True)
    ]
    to_yuv420(rgb.reshape(height, -1), luma_weight, chroma_weight, *lines)
    return frame


def upright(rgb: NDArray[np.uint8], quarter_turns: int, mirrored: bool) -> NDArray[np.uint8]:
    """Turn a decoded picture the way its rotation metadata says."""
    if not mirrored and not quarter_turns:
        return rgb
    turned = np.rot90(rgb[:, ::-1] if mirrored else rgb, quarter_turns)
    return np.ascontiguousarray(turned)  # what counts pixels walks along rows


def _reformatter() -> VideoReformatter:
    """One per thread: it keeps its tables between frames, and is not thread-safe."""
    reformatter: VideoReformatter | None = getattr(_local, "reformatter", None)
    if reformatter is None:
        reformatter = _local.reformatter = VideoReformatter()
    return reformatter


def _matrix(frame: av.VideoFrame) -> Colorspace:
    if frame.colorspace in _UNSPECIFIED:
        return Colorspace.ITU709 if is_hd(frame.height) else Colorspace.ITU601
    try:
        return _MATRICES[frame.colorspace]
    except KeyError:
        raise VideoError(
            f"the video uses a colour matrix (number {frame.colorspace}) that cannot be "
            "converted: convert it to BT.709 first"
        ) from None


def _view(frame: av.VideoFrame) -> NDArray[np.uint8]:
    """The pixels of an rgb24 frame as an array, without a copy."""
    plane = frame.planes[0]
    rows = np.asarray(memoryview(plane)).reshape(frame.height, plane.line_size)
    return rows[:, : frame.width * 3].reshape(frame.height, frame.width, 3)
