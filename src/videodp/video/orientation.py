"""How a decoded picture must be turned to stand upright."""

import av
import numpy as np
from av.sidedata.sidedata import SideData

__all__ = ["orientation"]


def orientation(frame: av.VideoFrame) -> tuple[int, bool]:
    """Read a frame's display matrix.

    Returns:
        (quarter_turns, mirrored): mirror left to right first, then turn by 90 degrees
        counterclockwise so often. Other angles are rounded to these.
    """
    try:
        matrix = frame.side_data.get("DISPLAYMATRIX")
    except ValueError:  # side data of a kind that PyAV does not know, such as EXIF
        return round(frame.rotation / 90) % 4, False
    if not isinstance(matrix, SideData):
        return 0, False
    a, b, _, c, d, *_ = np.frombuffer(bytes(matrix), np.int32).astype(np.float64)
    # The matrix maps (x, y) to (a x + c y, b x + d y), with y pointing down.
    mirrored = a * d - b * c < 0
    if mirrored:
        a, b = -a, -b
    counterclockwise = np.degrees(np.arctan2(-b, a))
    return round(counterclockwise / 90) % 4, bool(mirrored)
