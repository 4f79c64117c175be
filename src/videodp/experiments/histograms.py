"""RGB histograms of one frame: original, PINQ, private (paper, section 5.3)."""

from __future__ import annotations

import numpy as np

from videodp import pinq
from videodp.experiments.chance import terms
from videodp.experiments.lab import Lab
from videodp.experiments.store import Rows
from videodp.queries import footage_of

__all__ = ["histograms"]

_CHANNELS = ("red", "green", "blue")
_SHARE = 50
"""PINQ is told that an element has at most a fiftieth of the picture."""


def histograms(lab: Lab, seed: int) -> Rows:
    """One seed, at the smallest epsilon, in the frame with most elements."""
    sheet, epsilon = lab.fullest, lab.trial.epsilons[0]
    frame = sheet.frames[0]
    footage = footage_of(lab.elements, lab.video, frames=(frame.index, frame.index + 1))
    plan = lab.plan(epsilon, "auto")
    picks, drawn = lab.drawn(plan, seed)
    private = next(sheet.private(lab.cast(drawn), lab.background(plan, picks, seed)))
    counts = {"original": _counts(frame.rgb), "private": _counts(private)}
    pixels = max(frame.rgb.shape[0] * frame.rgb.shape[1] // _SHARE, 1)
    sensitivity = {"original": 0, "private": 0}
    for setting in pinq.SETTINGS:
        told = terms(epsilon, setting, seed, "histogram")
        bounds = {} if setting == "paper" else {"pixels": pixels, "frames": 1}
        answer = pinq.histogram(footage, told, **bounds)
        name = f"pinq-{setting}"
        counts[name] = np.array([answer.table[channel].to_numpy() for channel in _CHANNELS])
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
                "moved": float(np.abs(table - original).sum() / (2 * original.sum())),
            }
            for name, table in counts.items()
            if name != "original"
        ],
    }


def _counts(rgb: np.ndarray) -> np.ndarray:
    """(3, 256) int64."""
    return np.stack([np.bincount(rgb[..., i].reshape(-1), minlength=256) for i in range(3)])
