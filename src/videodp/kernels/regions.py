"""Regions of a picture that show one thing or another, and which of both it is."""

from __future__ import annotations

import numpy as np
from numba import njit

from videodp.kernels.modes import count_members

__all__ = ["decide_regions", "split_regions"]


@njit(nogil=True, cache=True)
def split_regions(
    first: np.ndarray,
    second: np.ndarray,
    one: np.ndarray,
    two: np.ndarray,
    least: int,
    apart: int,
    drift: int,
    margin: float,
    labels: np.ndarray,
) -> int:
    """Joins neighbouring pixels whose samples fall apart into two sets in the same way.

    Args:
        first: (h, w) uint64, the larger set of each pixel.
        second: (h, w) uint64, the smaller one; pixels with fewer than `least` in it are left out.
        one: (h, w, 3) float32, what the larger set shows.
        two: (h, w, 3) float32, what the smaller one shows.
        least: samples.
        apart: by how many samples the larger sets of two neighbours may differ at most.
        drift: by how many it may differ from that of the region's first pixel.
        margin: grey levels, over the three channels, by which two neighbours may go on better
            crosswise, the one's larger set with the other's smaller: there a body ends.
        labels: (h, w) int32, written: 0 for none, else the region from 1.

    Returns:
        Number of regions.
    """
    height, width = first.shape
    labels[:] = 0
    stack = np.empty(height * width, np.int64)
    regions = 0
    for start in range(height * width):
        y, x = start // width, start % width
        if labels[y, x] or count_members(second[y, x]) < least:
            continue
        regions += 1
        labels[y, x] = regions
        stack[0] = start
        size = 1
        seed = first[y, x]
        while size:
            size -= 1
            y, x = stack[size] // width, stack[size] % width
            for side in range(4):
                b = y + (side == 1) - (side == 0)
                a = x + (side == 3) - (side == 2)
                if b < 0 or a < 0 or b >= height or a >= width or labels[b, a]:
                    continue
                if count_members(second[b, a]) < least:
                    continue
                if count_members(first[y, x] ^ first[b, a]) > apart:
                    continue
                if count_members(seed ^ first[b, a]) > drift:
                    continue
                if _crosswise(one[y, x], two[y, x], one[b, a], two[b, a]) > margin:
                    continue
                labels[b, a] = regions
                stack[size] = b * width + a
                size += 1
    return regions


@njit(nogil=True, cache=True)
def _crosswise(p: np.ndarray, q: np.ndarray, r: np.ndarray, s: np.ndarray) -> float:
    """By how much p goes on better with s, and q with r, than p with r, and q with s."""
    better = 0.0
    for k in range(3):
        better += abs(p[k] - r[k]) + abs(q[k] - s[k]) - abs(p[k] - s[k]) - abs(q[k] - r[k])
    return better


@njit(nogil=True, cache=True)
def decide_regions(
    count: int,
    region: np.ndarray,
    beyond: np.ndarray,
    steps: np.ndarray,
    length: np.ndarray,
    prior: float,
    chosen: np.ndarray,
) -> None:
    """Chooses for each region what goes on best with what is decided, the clearest case first.

    Args:
        count: of regions, beside region 0, which shows its first picture for certain.
        region: (n,) int64, of each border, each once from either side; none of region 0.
        beyond: (n,) int64, the region on the other side.
        steps: (n, 4) float64: sum of the contrasts along the border, with the pictures of both
            sides: first and first, first and second, second and first, second and second.
        length: (n,) float64, of the border.
        prior: how many times the contrast of the first the second's must be below.
        chosen: (count + 1,) int64, written: 0 for the first picture, 1 for the second.
    """
    order = np.argsort(beyond)
    starts = np.searchsorted(beyond[order], np.arange(count + 2))
    around = np.full(count + 1, 20.0)  # short borders prove little
    for border in range(len(region)):
        around[region[border]] += length[border]
    contrast = np.zeros((2, count + 1))
    decided = np.zeros(count + 1, np.bool_)
    chosen[:] = 0
    decided[0] = True
    last = 0
    for _ in range(count):
        for place in range(starts[last], starts[last + 1]):
            border = order[place]
            contrast[0, region[border]] += steps[border, chosen[last]]
            contrast[1, region[border]] += steps[border, 2 + chosen[last]]
        clearest = -1.0
        for other in range(1, count + 1):
            if not decided[other]:
                clear = abs(prior * contrast[0, other] - contrast[1, other]) / around[other]
                if clear > clearest:
                    clearest, last = clear, other
        decided[last] = True
        chosen[last] = contrast[1, last] < prior * contrast[0, last]
