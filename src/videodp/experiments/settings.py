"""What is tried out, and what was sampled to be done in time."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

from videodp.errors import UsageError

__all__ = ["EXPERIMENTS", "Trial"]

EXPERIMENTS = {
    "pixels": "KL and MSE, after Phase I and II, over epsilon (figure KL)",
    "k": "the same over k (appendix D)",
    "largest": "MSE of the largest element over k, against the solver's choice (appendix D)",
    "detection": "precision and recall, counts and stay times in private videos",
    "pinq": "counts and stay times answered from the original with noise",
    "histogram": "RGB histograms of a frame: original, PINQ, private",
    "comparators": "blurred regions, and pixelisation with Laplace noise",
    "guarantees": "sampling, synthesis and PINQ at the same epsilon, and at the same guarantee",
    "frames": "a frame after Phase I and after Phase II",
    "times": "how long everything takes",
}
"""By name; the order in which they run."""


@dataclass(frozen=True)
class Trial:
    """The paper's values, and how often each is repeated."""

    seeds: int = 5
    only: tuple[str, ...] = tuple(EXPERIMENTS)
    detector: str = "auto"
    """As for find: ``auto``, ``yolox``, ``motion``, or the path of an ONNX file."""
    epsilons: tuple[float, ...] = (0.8, 1.2, 1.6, 2.0, 2.4, 2.8)
    shown: tuple[float, ...] = (0.8, 1.6, 2.4)
    """Of these counts and stay times are shown."""
    many: int = 5
    """How many seeds, at most, private videos are searched for at these epsilons."""
    few: int = 1
    """The same at the others."""
    k_epsilons: tuple[float, ...] = (0.8, 1.6)
    ks: tuple[int, ...] = tuple(range(4, 31))
    rules: tuple[str, ...] = ("paper", "affordable")

    def __post_init__(self) -> None:
        if not 1 <= self.seeds <= 100:
            raise UsageError(f"seeds must be 1 to 100, not {self.seeds}")
        for name in self.only:
            if name not in EXPERIMENTS:
                close = difflib.get_close_matches(name, EXPERIMENTS, n=1, cutoff=0.5)
                hint = f"did you mean {close[0]}?" if close else f"use {', '.join(EXPERIMENTS)}"
                raise UsageError(f"there is no experiment '{name}': {hint}")

    def searched(self, epsilon: float) -> int:
        """How many private videos of an epsilon are searched for elements, one for each seed."""
        return min(self.many if epsilon in self.shown else self.few, self.seeds)

    def detections(self) -> list[tuple[float, int]]:
        """Epsilon and seed of the private videos of the sweep that are searched."""
        return [
            (epsilon, seed) for epsilon in self.epsilons for seed in range(self.searched(epsilon))
        ]

    def record(self) -> dict[str, Any]:
        """What must be the same for finished parts to be used again."""
        return {
            "detector": self.detector,
            "epsilons": list(self.epsilons),
            "k_epsilons": list(self.k_epsilons),
            "ks": list(self.ks),
            "rules": list(self.rules),
        }
