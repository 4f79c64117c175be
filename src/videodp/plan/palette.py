"""The palette of an element: its most frequent case-3 colour in each of k cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from videodp.census import Census, Sample
from videodp.kernels.cells import top_of_cells

__all__ = ["Wardrobe", "choose", "open_wardrobe"]

_TOP = 8
"""Colours remembered for each cell; more are looked up in the rare case that all are taken."""


@dataclass(frozen=True)
class Wardrobe:
    """What one element wears, and where: the sampled pixels and the colours' prices."""

    colours: np.ndarray
    """(n,) int32 all colours it wears, ascending. Its codes are places in this array."""
    worn: np.ndarray
    """(n,) int64 pixels over all frames (d_j(θ))."""
    allowed: np.ndarray
    """(n,) bool: case 3."""
    price: np.ndarray
    """(n,) float64: privacy loss of one draw, to the wearer that has most of it."""
    codes: np.ndarray
    """(pixels,) int32 colour code of each sampled pixel, ascending."""
    u: np.ndarray
    """(pixels,) float64: place across the box, 0..1."""
    v: np.ndarray
    """(pixels,) float64: place down the box, 0..1."""
    aspect: float
    """Height over width of the box, over all samples."""
    samples: tuple[Sample, ...]

    def rows(self, k: int) -> int:
        """Bands of a grid of k cells that are about square."""
        return int(min(max(round((k * self.aspect) ** 0.5), 1), k))


def open_wardrobe(census: Census, element: int) -> Wardrobe:
    """Loads what the census kept of one element."""
    colours, worn = census.worn.of(element)
    at = census.find(colours)
    total, most = census.total[at], census.worn_max[at]
    allowed = ~((census.wearers[at] == 1) & (worn == total))
    with np.errstate(divide="ignore"):
        price = -np.log1p(-most / total)
    samples = tuple(stored.load() for stored in census.samples[element])
    codes, u, v = _pixels(samples, colours)
    widths = sum(sample.box[2] for sample in samples)
    heights = sum(sample.box[3] for sample in samples)
    aspect = heights / widths if samples else 1.0
    return Wardrobe(colours, worn, allowed, price, codes, u, v, aspect, samples)


def _pixels(
    samples: tuple[Sample, ...], colours: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    codes: list[np.ndarray] = [np.zeros(0, np.int32)]
    across: list[np.ndarray] = [np.zeros(0)]
    down: list[np.ndarray] = [np.zeros(0)]
    for sample in samples:
        y, x = np.nonzero(sample.colours >= 0)
        codes.append(sample.colours[y, x])
        left, top, width, height = sample.box
        across.append((x + sample.origin[0] + 0.5 - left) / width)
        down.append((y + sample.origin[1] + 0.5 - top) / height)
    worn = np.concatenate(codes).astype(np.int64)
    keys = np.sort((worn << 32) | np.arange(len(worn)))  # one integer sorts faster than a pair
    worn, order = keys >> 32, keys & 0xFFFFFFFF
    steps = np.flatnonzero(np.diff(worn, prepend=-1))
    code = np.searchsorted(colours, worn[steps]).astype(np.int32)
    code = np.repeat(code, np.diff(steps, append=len(worn)))
    return code, np.concatenate(across)[order], np.concatenate(down)[order]


def choose(wardrobe: Wardrobe, k: int, epsilon: float, rule: str) -> np.ndarray:
    """The palette (Ψ_j) for k cells: codes in the order of the cells, all distinct.

    Cell by cell the most frequent case-3 colour that is not taken yet. With the rule
    ``affordable``, colours that can pay for one draw with an even share of epsilon go before
    those that cannot; with ``paper`` they do not. Ties go to the smaller colour.
    """
    preferred = wardrobe.allowed.astype(np.uint8)
    if rule == "affordable":
        preferred += wardrobe.allowed & (wardrobe.price <= epsilon / k)
    else:
        preferred *= 2
    rows = wardrobe.rows(k)
    best = _top(wardrobe, preferred, k, rows)
    taken: list[int] = []
    for cell in range(k):
        free = [code for code in best[cell].tolist() if code >= 0 and code not in taken]
        if not free and best[cell, -1] >= 0:  # all remembered ones are taken: look again
            rest = preferred.copy()
            rest[taken] = 0
            free = [code for code in _top(wardrobe, rest, k, rows)[cell].tolist() if code >= 0]
        taken.extend(free[:1])
    return np.array(taken, np.int32)


def _top(wardrobe: Wardrobe, preferred: np.ndarray, k: int, rows: int) -> np.ndarray:
    best, _ = top_of_cells(wardrobe.codes, wardrobe.u, wardrobe.v, preferred, k, rows, _TOP)
    return np.asarray(best)
