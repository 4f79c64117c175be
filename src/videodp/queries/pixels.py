"""Statistics of pixels: histograms, means and variances, of the picture or of regions of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import pyarrow as pa

from videodp.queries.footage import Footage
from videodp.queries.geometry import Region
from videodp.queries.tables import table_of

__all__ = ["HISTOGRAM", "PIXELS", "PIXEL_TOTALS", "histogram", "pixel_totals", "pixels"]

HISTOGRAM = pa.schema(
    [
        ("value", pa.int32()),
        ("red", pa.int64()),
        ("green", pa.int64()),
        ("blue", pa.int64()),
    ]
)
_REGION = [(name, pa.int32()) for name in ("x", "y", "width", "height")]
_STATISTICS = [
    (name, pa.float64())
    for name in ("red", "green", "blue", "red_variance", "green_variance", "blue_variance")
]
PIXELS = pa.schema([("frame", pa.int32()), ("time", pa.float64()), *_REGION, *_STATISTICS])
PIXEL_TOTALS = pa.schema([*_REGION, ("frames", pa.int32()), *_STATISTICS])


def histogram(footage: Footage, *, regions: Sequence[Region] = ()) -> pa.Table:
    """How many pixels have each value of red, green and blue (paper, section 5.3).

    Args:
        footage: what to look at.
        regions: only these; a pixel in two of them counts twice. The whole picture if none.

    Returns:
        `HISTOGRAM`: 256 rows, summed over the frames.
    """
    counts = np.zeros((3, 256), np.int64)
    places = _places(footage, regions)
    for frame in footage.pictures():
        for region in places:
            for channel, row in enumerate(counts):
                row += np.bincount(region.cut(frame.rgb)[..., channel].reshape(-1), minlength=256)
    return table_of(
        HISTOGRAM,
        {"value": np.arange(256), "red": counts[0], "green": counts[1], "blue": counts[2]},
    )


def pixels(footage: Footage, *, regions: Sequence[Region] = ()) -> pa.Table:
    """Mean and variance of red, green and blue in every frame.

    Args:
        footage: what to look at.
        regions: of these; of the whole picture if none.

    Returns:
        `PIXELS`: one row for each frame and region; means 0..255, variances of the population.
    """
    places = _places(footage, regions)
    rows = np.zeros((len(footage), len(places), 6))
    for row, statistics in zip(rows, _statistics(footage, places), strict=True):
        row[:] = statistics
    frames = np.repeat(np.arange(footage.start, footage.stop), len(places))
    return table_of(
        PIXELS,
        {
            "frame": frames,
            "time": footage.seconds(frames),
            **_sides(places * len(footage)),
            **_named(rows.reshape(-1, 6)),
        },
    )


def pixel_totals(footage: Footage, *, regions: Sequence[Region] = ()) -> pa.Table:
    """Mean and variance of red, green and blue over all pixels of all frames.

    Args:
        footage: what to look at.
        regions: of these; of the whole picture if none.

    Returns:
        `PIXEL_TOTALS`: one row for each region; empty without frames.
    """
    places = _places(footage, regions)
    means, spread = np.zeros((len(places), 3)), np.zeros((len(places), 3))
    for n, row in enumerate(_statistics(footage, places), 1):
        # All frames are of one size, so that the mean of their means is the mean; the squares
        # are summed about the running mean, where nothing cancels out.
        step = row[:, :3] - means
        means += step / n
        spread += row[:, 3:] + step * (row[:, :3] - means)
    if not len(footage):
        return PIXEL_TOTALS.empty_table()
    return table_of(
        PIXEL_TOTALS,
        {
            **_sides(places),
            "frames": [len(footage)] * len(places),
            **_named(np.column_stack([means, spread / len(footage)])),
        },
    )


def _places(footage: Footage, regions: Sequence[Region]) -> list[Region]:
    size = footage.size
    return [region.inside(size) for region in regions] or [Region(0, 0, *size)]


def _statistics(footage: Footage, places: Sequence[Region]) -> Iterator[np.ndarray]:
    """For every frame (regions, 6) float64: means, then variances."""
    for frame in footage.pictures():
        pairs = [cv2.meanStdDev(region.cut(frame.rgb)) for region in places]
        yield np.array([[*mean[:, 0], *(deviation[:, 0] ** 2)] for mean, deviation in pairs])


def _sides(places: Sequence[Region]) -> dict[str, list[object]]:
    return {field: [getattr(place, field) for place in places] for field, _ in _REGION}


def _named(values: np.ndarray) -> dict[str, np.ndarray]:
    return {name: values[:, i] for i, (name, _) in enumerate(_STATISTICS)}
