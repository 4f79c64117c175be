"""How many pixels of each colour are published: equation 6, then what was left over."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from videodp.census import Census
from videodp.kernels.loss import colour_losses, most_draws
from videodp.plan.loss import most_draws_within
from videodp.plan.model import Wear

__all__ = ["Ledger", "equation_six", "spend_leftover"]

_SLACK = 1e-11
"""Kept back from every budget: more than the rounding error of a sum of logarithms."""


def equation_six(hiding: np.ndarray, wear: Wear, budgets: np.ndarray) -> np.ndarray:
    """The most draws of each colour that its own budget allows, (p,) int64."""
    return np.array(
        [
            most_draws_within(hiding[a:b], wear.pixels[a:b], budget)
            for (a, b), budget in zip(
                pairwise(wear.offsets.tolist()), budgets.tolist(), strict=True
            )
        ],
        np.int64,
    )


@dataclass
class _Entry:
    """One published colour in the ledger."""

    who: np.ndarray
    pixels: np.ndarray
    hiding: np.ndarray
    draws: int = 0
    losses: np.ndarray = field(default_factory=lambda: np.zeros(0))


class Ledger:
    """What every element has spent so far. Nothing is booked that an element cannot pay."""

    def __init__(self, elements: int, epsilon: float) -> None:
        self.left = np.full(elements, epsilon - _SLACK)
        self.entries: dict[int, _Entry] = {}

    def book(
        self, colour: int, who: np.ndarray, pixels: np.ndarray, hiding: np.ndarray, draws: int
    ) -> None:
        """Books draws that were decided elsewhere."""
        entry = _Entry(who, pixels, hiding, draws, self._losses(hiding, pixels, draws))
        self.left[who] -= entry.losses
        self.entries[colour] = entry

    def spend(self, colour: int) -> None:
        """Books as many further draws as all wearers can pay."""
        entry = self.entries[colour]
        limits = self.left[entry.who] + entry.losses
        draws = int(most_draws(entry.hiding, entry.pixels, limits))
        if draws > entry.draws:
            losses = self._losses(entry.hiding, entry.pixels, draws)
            self.left[entry.who] -= losses - entry.losses
            entry.draws, entry.losses = draws, losses

    @staticmethod
    def _losses(hiding: np.ndarray, pixels: np.ndarray, draws: int) -> np.ndarray:
        return np.asarray(colour_losses(hiding, pixels, np.full(len(pixels), draws)))


def spend_leftover(ledger: Ledger, census: Census, tracks: int = 1) -> None:
    """Spends what rounding down left over, until no element can afford another draw.

    First the palette; then further colours: of each element those that nobody else wears, then
    the shared ones. Always the most worn colour first: it stands for most of the element. One
    pass is enough, because accounts only shrink and prices only rise.
    """
    for colour in sorted(ledger.entries, key=lambda c: (-ledger.entries[c].pixels.max(), c)):
        ledger.spend(colour)
    for element in range(len(ledger.left)):
        _spend_own(ledger, census, element)
    _spend_shared(ledger, census, tracks)


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
        own = slice(pick, pick + 1)
        ledger.book(int(colours[pick]), who, worn[own], counts[own], 0)
        ledger.spend(int(colours[pick]))
        done += 1


def _spend_shared(ledger: Ledger, census: Census, tracks: int) -> None:
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
    hiding = wear.hiding(census.total[places], tracks)
    with np.errstate(divide="ignore"):  # where nothing hides them one draw costs everything
        prices = -np.log1p(-wear.pixels / hiding)
    for i in np.lexsort((colours, -census.worn_max[places])):
        own = slice(wear.offsets[i], wear.offsets[i + 1])
        if (prices[own] <= ledger.left[wear.elements[own]]).all():
            ledger.book(int(colours[i]), *wear.of(i), hiding[own], 0)
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
