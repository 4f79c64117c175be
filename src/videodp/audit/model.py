"""What flows through an audit: trials go in, findings and checks come out.

Trial --play--> outputs with and without the canary --score--> scores --judge--> Finding, Check
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from videodp.audit.bound import Bound

__all__ = ["Audit", "Check", "Finding", "Promise", "Score", "Statistic", "Trial"]

Score = Callable[[np.ndarray], np.ndarray]
"""(runs, d) outputs to (runs,) finite numbers, each a function of its own run."""


@dataclass(frozen=True)
class Statistic:
    """One way to look at an output, and the claim about everything that can be seen that way."""

    name: str
    learn: Callable[[np.ndarray, np.ndarray], Score]
    """Outputs with the canary and without, on runs that are not judged, to the score."""
    epsilon: float
    delta: float = 0.0
    claimed: bool = True
    """False: a reading that nobody claims, shown for what it is worth."""
    given: Callable[[np.ndarray], np.ndarray] | None = None
    """(runs, d) to (runs,) bool: look at these runs only, in both worlds."""


@dataclass(frozen=True)
class Promise:
    """A probability that is promised exactly."""

    name: str
    probability: float
    bound: float
    """What the statement says that it does not exceed."""
    happened: Callable[[np.ndarray], np.ndarray]
    """(runs, d) outputs with the canary to (runs,) bool."""


@dataclass(frozen=True)
class Trial:
    """A mechanism, run on two inputs that differ in one canary; all else is known."""

    canary: str
    """Who is in one input and not in the other, in words."""
    play: Callable[[bool, int, int], np.ndarray]
    """With the canary or without, how many runs, and a seed: (runs, d) outputs.

    A row is what one release shows. Runs are independent; so are worlds with other seeds."""
    statistics: tuple[Statistic, ...]
    promises: tuple[Promise, ...] = ()
    runs: int | None = None
    """If not as many as the audit's: finished pictures take long."""


@dataclass(frozen=True)
class Finding:
    """What one statistic proves about one canary."""

    canary: str
    statistic: str
    epsilon: float
    """The claim."""
    delta: float
    claimed: bool
    bound: Bound

    @property
    def broken(self) -> bool:
        """Whether the claim, or the reading that nobody claims, is refuted."""
        return self.bound.epsilon > self.epsilon

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "canary": self.canary,
            "statistic": self.statistic,
            "claimed": self.claimed,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "epsilon_at_least": self.bound.epsilon,
            "broken": self.broken,
            "guesses": [
                {
                    "when": f"score {'>=' if guess.above else '<='} {guess.threshold:g}",
                    "said": "present" if guess.present else "absent",
                }
                for guess in self.bound.guesses
            ],
            "right": self.bound.right,
            "wrong": self.bound.wrong,
            "runs": self.bound.runs,
        }


@dataclass(frozen=True)
class Check:
    """A promised probability, against how often it happened."""

    canary: str
    promise: Promise
    hits: int
    runs: int
    low: float
    high: float
    """What the probability can be, given the hits."""

    @property
    def agrees(self) -> bool:
        """Whether what was measured can be what was promised."""
        return self.low <= self.promise.probability <= self.high

    @property
    def broken(self) -> bool:
        """Whether it surely happens more often than promised."""
        return self.low > min(self.promise.probability, self.promise.bound)

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "canary": self.canary,
            "name": self.promise.name,
            "promised": self.promise.probability,
            "bound": self.promise.bound,
            "measured": self.hits / self.runs,
            "low": self.low,
            "high": self.high,
            "runs": self.runs,
            "agrees": self.agrees,
            "broken": self.broken,
        }


@dataclass(frozen=True)
class Audit:
    """Everything that was tried, and the verdict."""

    mechanism: str
    claim: str
    """In one sentence."""
    confidence: float
    """If the claim is true, the verdict is "claim stands" with at least this probability."""
    runs: int
    """Of each world, for each canary."""
    findings: tuple[Finding, ...]
    checks: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()
    """What the audit could not look at, or what its readings mean."""

    @property
    def stands(self) -> bool:
        """False as soon as one claim is refuted."""
        refuted = [finding.broken for finding in self.findings if finding.claimed]
        return not any(refuted) and not any(check.broken for check in self.checks)

    @property
    def verdict(self) -> str:
        """*claim stands* or *claim broken*."""
        return "claim stands" if self.stands else "claim broken"

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "mechanism": self.mechanism,
            "claim": self.claim,
            "verdict": self.verdict,
            "confidence": self.confidence,
            "runs": self.runs,
            "findings": [finding.record() for finding in self.findings],
            "checks": [check.record() for check in self.checks],
            "notes": list(self.notes),
        }
