"""RGB histograms of one frame: original, PINQ, private (paper, section 5.3)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from videodp import pinq
from videodp.experiments.chance import terms
from videodp.experiments.lab import Lab
from videodp.experiments.store import Rows
from videodp.queries import footage_of

__all__ = ["channels", "colours_of", "histograms", "moved", "noisy_colours", "private_colours"]

_CHANNELS = ("red", "green", "blue")
_SHARE = 50
"""PINQ is told that an element has at most a fiftieth of the picture."""


def histograms(lab: Lab, seed: int) -> Rows:
    """One seed, at the smallest epsilon, in the frame with most elements."""
    epsilon = lab.trial.epsilons[0]
    frame = lab.fullest.frames[0]
    counts = {
        "original": colours_of(frame.rgb),
        "private": private_colours(lab, epsilon, seed),
    }
    sensitivity = {"original": 0, "private": 0}
    for setting in pinq.SETTINGS:
        answer = noisy_colours(lab, terms(epsilon, setting, seed, "histogram"))
        name = f"pinq-{setting}"
        counts[name] = channels(answer.table)
        sensitivity[name] = answer.sensitivity
    original = counts["original"]
    return {
        "histogram": [
            {
                "frame": frame.index,
                "epsilon": epsilon,
                "seed": seed,
                "channel": channel,
                "value": value,
                **{name: int(table[i, value]) for name, table in counts.items()},
            }
            for i, channel in enumerate(_CHANNELS)
            for value in range(256)
        ],
        "histogram_errors": [
            {
                "source": name,
                "epsilon": epsilon,
                "seed": seed,
                "sensitivity": sensitivity[name],
                "moved": moved(table, original),
            }
            for name, table in counts.items()
            if name != "original"
        ],
    }


def private_colours(lab: Lab, epsilon: float, seed: int) -> np.ndarray:
    """(3, 256) int64 of that frame in one private video."""
    plan = lab.plan(epsilon, "auto")
    picks, drawn = lab.drawn(plan, seed)
    return colours_of(next(lab.fullest.private(lab.cast(drawn), lab.background(plan, picks, seed))))


def noisy_colours(lab: Lab, agreed: pinq.Terms) -> pinq.Answer:
    """PINQ's answer about that frame."""
    frame = lab.fullest.frames[0]
    footage = footage_of(lab.elements, lab.video, frames=(frame.index, frame.index + 1))
    pixels = max(frame.rgb.shape[0] * frame.rgb.shape[1] // _SHARE, 1)
    bounds = {} if agreed.paper else {"pixels": pixels, "frames": 1}
    return pinq.histogram(footage, agreed, **bounds)


def channels(table: pa.Table) -> np.ndarray:
    """(3, 256) int64 of an answer."""
    return np.array([table[channel].to_numpy() for channel in _CHANNELS])


def colours_of(rgb: np.ndarray) -> np.ndarray:
    """(3, 256) int64 of a picture."""
    return np.stack([np.bincount(rgb[..., i].reshape(-1), minlength=256) for i in range(3)])


def moved(told: np.ndarray, original: np.ndarray) -> float:
    """Share of the pixels that are counted at a wrong value."""
    return float(np.abs(told - original).sum() / (2 * original.sum()))
