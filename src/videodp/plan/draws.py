"""How many pixels of each colour are published: equation 6, then what was left over."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from videodp.census import Census
from videodp.kernels.loss import colour_loss, most_draws
from videodp.plan.loss import most_draws_within
from videodp.plan.model import Wear

__all__ = ["Ledger", "equation_six", "spend_leftover"]

_SLACK = 1e-11
"""Kept back from every budget: more than the rounding error of a sum of logarithms."""


def equation_six(counts: np.ndarray, wear: Wear, budgets: np.ndarray) -> np.ndarray:
    """The most draws of each colour that its own budget allows, (p,) int64."""
    return np.array(
        [
            most_draws_within(int(count), wear.of(i)[1], float(budget))
            for i, (count, budget) in enumerate(zip(counts, budgets, strict=True))
        ],
        np.int64,
    )


@dataclass
class _Entry:
    """One published colour in the ledger."""

    count: int
    who: np.ndarray
    pixels: np.ndarray
    draws: int = 0
    losses: np.ndarray = field(default_factory=lambda: np.zeros(0))


class Ledger:
    """What every element has spent so far. Nothing is booked that an element cannot pay."""

    def __init__(self, elements: int, epsilon: float) -> None:
        self.left = np.full(elements, epsilon - _SLACK)
        self.entries: dict[int, _Entry] = {}

    def book(
        self, colour: int, count: int, who: np.ndarray, pixels: np.ndarray, draws: int
    ) -> None:
        """Books draws that were decided elsewhere."""
        entry = _Entry(count, who, pixels, draws, self._losses(count, pixels, draws))
        self.left[who] -= entry.losses
        self.entries[colour] = entry

    def spend(self, colour: int) -> None:
        """Books as many further draws as all wearers can pay."""
        entry = self.entries[colour]
        limits = self.left[entry.who] + entry.losses
        draws = int(most_draws(entry.count, entry.pixels, limits))
        if draws > entry.draws:
            losses = self._losses(entry.count, entry.pixels, draws)
            self.left[entry.who] -= losses - entry.losses
            entry.draws, entry.losses = draws, losses

    @staticmethod
    def _losses(count: int, pixels: np.ndarray, draws: int) -> np.ndarray:
        return np.array([colour_loss(count, int(w), draws, np.inf) for w in pixels])


def spend_leftover(ledger: Ledger, census: Census) -> None:
    """Spends what rounding down left over, until no element can afford another draw.

    First the palette; then further colours: of each element those that nobody else wears, then
    the shared ones. Always the most worn colour first: it stands for most of the element. One
    pass is enough, because accounts only shrink and prices only rise.
    """
    for colour in sorted(ledger.entries, key=lambda c: (-ledger.entries[c].pixels.max(), c)):
        ledger.spend(colour)
    for element in range(len(ledger.left)):
        _spend_own(ledger, census, element)
    _spend_shared(ledger, census)


def _spend_own(ledger: Ledger, census: Census, element: int) -> None:
    colours, worn = census.worn.of(element)
    at = census.find(colours)
    usable = (census.wearers[at] == 1) & (worn < census.total[at])
    usable &= ~np.isin(colours, np.fromiter(ledger.entries, np.int32, len(ledger.entries)))
    colours, worn, counts = colours[usable], worn[usable], census.total[at][usable]
    order = np.lexsort((colours, -worn))
    prices = -np.log1p(-worn / counts)[order]
    who = np.array([element])
    done = 0
    while (later := np.flatnonzero(prices[done:] <= ledger.left[element])[:1]).size:
        done += int(later[0])
        pick = order[done]
        ledger.book(int(colours[pick]), int(counts[pick]), who, worn[pick : pick + 1], 0)
        ledger.spend(int(colours[pick]))
        done += 1


def _spend_shared(ledger: Ledger, census: Census) -> None:
    affordable = (census.wearers > 1) | (census.worn_sum < census.total)
    affordable &= census.wearers > 0
    affordable[census.find(np.fromiter(ledger.entries, np.int32, len(ledger.entries)))] = False
    for element in range(len(ledger.left)):
        colours, worn = census.worn.of(element)
        at = census.find(colours)
        affordable[at] &= worn < -np.expm1(-ledger.left[element]) * census.total[at]
    places = np.flatnonzero(affordable)
    colours = census.colours[places]
    wear = wear_of(census, colours)
    for i in np.lexsort((colours, -census.worn_max[places])):
        who, pixels = wear.of(i)
        fits = -np.log1p(-pixels / census.total[places[i]]) <= ledger.left[who]
        if fits.all():
            ledger.book(int(colours[i]), int(census.total[places[i]]), who, pixels, 0)
            ledger.spend(int(colours[i]))


def wear_of(census: Census, colours: np.ndarray) -> Wear:
    """Which elements wear which of `colours` (ascending)."""
    rows = [np.zeros((0, 3), np.int64)]
    for element in range(len(census.tracks)):
        pixels = census.worn.pixels(element, colours)
        at = np.flatnonzero(pixels)
        rows.append(np.column_stack([at, np.full(len(at), element), pixels[at]]))
    table = np.concatenate(rows)
    table = table[np.lexsort((table[:, 1], table[:, 0]))]
    offsets = np.searchsorted(table[:, 0], np.arange(len(colours) + 1))
    return Wear(offsets, table[:, 1], table[:, 2])
