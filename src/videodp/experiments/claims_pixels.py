"""Claims about pixels: KL divergence, MSE, k, and frames after each phase."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from videodp.experiments.judge import (
    CANNOT,
    FAILS,
    HOLDS,
    Finding,
    column,
    mean_of,
    percent,
    trend,
    verdict,
)
from videodp.experiments.store import Row, Rows

__all__ = ["PIXELS"]

Judge = Callable[[Rows], Finding | None]


def _of_rule(rows: Rows, name: str, rule: str = "paper") -> list[Row]:
    return [row for row in rows.get(name, []) if row["rule"] == rule]


def _kl_over_epsilon(rows: Rows) -> Finding | None:
    own = _of_rule(rows, "pixels")
    if not own:
        return None
    sampled, final = (trend(own, "epsilon", y) for y in ("kl_phase1_sampled", "kl"))
    shape = "rises" if sampled.rises else "falls" if sampled.falls else "has no clear direction"
    measured = f"after Phase I it {shape}: {sampled}; in the private video {final}"
    return Finding(CANNOT, f"{measured}. The paper says something else for each of its videos")


def _mse_over_epsilon(phase: int) -> Judge:
    def judge(rows: Rows) -> Finding | None:
        if not rows.get("pixels"):
            return None
        name = "element_mse_phase1" if phase == 1 else "element_mse"
        lines = {r: trend(_of_rule(rows, "pixels", r), "epsilon", name) for r in _RULES}
        measured = "; ".join(f"{rule} rule: {line}" for rule, line in lines.items())
        verdict = lines["paper"].verdict(rising=False)
        hardly = verdict == HOLDS and abs(lines["paper"].change) < 0.01
        return Finding(
            verdict, f"MSE of elements, {measured}{'; hardly to be seen' if hardly else ''}"
        )

    return judge


_RULES = ("paper", "affordable")


def _reduced(rows: Rows) -> Finding | None:
    own = _of_rule(rows, "pixels")
    if not own:
        return None
    ratio = mean_of(own, "mse") / mean_of(own, "mse_phase1_sampled")
    elements = mean_of(own, "element_mse") / mean_of(own, "element_mse_phase1")
    return Finding(
        verdict(elements <= 0.5),
        f"what Phase II leaves of the MSE: {percent(elements)} on elements, {percent(ratio)} of "
        "the whole picture. Black counts as the wrong colour of what was not drawn",
    )


def _kl_over_k(rows: Rows) -> Finding | None:
    own = _of_rule(rows, "k")
    if not own:
        return None
    lines = {
        epsilon: trend([r for r in own if r["epsilon"] == epsilon], "k", "kl_phase1_sampled")
        for epsilon in sorted({row["epsilon"] for row in own})
    }
    measured = "; ".join(f"epsilon {epsilon:g}: {line}" for epsilon, line in lines.items())
    verdicts = {line.verdict(rising=True) for line in lines.values()}
    return Finding(FAILS if FAILS in verdicts else max(verdicts), measured)


def _flat_phase_one(rows: Rows) -> Finding | None:
    own = _of_rule(rows, "largest")
    if not own:
        return None
    means = trend(own, "k", "element_mse_phase1").means
    share = float(np.ptp(means) / np.mean(means))
    return Finding(verdict(share <= 0.05), f"it varies by {percent(share)}")


def _best_k(rows: Rows) -> Finding | None:
    own = _of_rule(rows, "largest")
    if not own:
        return None
    line = trend(own, "k", "element_mse")
    best, solved = line.x[int(np.argmin(line.means))], own[0]["solved_k"]
    span, error = float(np.ptp(line.means)), 2 * max(line.errors)
    drawn = np.mean([row["drawn"] > 0 for row in own])
    measured = (
        f"smallest at k = {best:g}, the solver chose {solved}; from smallest to largest "
        f"{span:.2g}, two standard errors are {error:.2g}; the element was drawn in "
        f"{percent(float(drawn))} of the trials; the solver's own curve varies by "
        f"{percent(_variation(own))}"
    )
    if span <= error:
        return Finding(FAILS, f"no minimum can be seen: {measured}")
    inside = line.x[0] < best < line.x[-1]
    return Finding(verdict(inside and abs(best - solved) <= 2), measured)


def _variation(rows: list[Row]) -> float:
    expected = column(rows, "expected")
    return float(np.ptp(expected) / np.mean(expected)) if expected else 0.0


def _more_pixels(rows: Rows) -> Finding | None:
    own = _of_rule(rows, "pixels", "affordable")
    if not own:
        return None
    line = trend(own, "epsilon", "drawn")
    shown = "; ".join(
        f"in the frame that is shown for epsilon {row['epsilon']:g}, the one with most, "
        f"{row['drawn_here']}"
        for row in rows.get("frames", [])
    )
    return Finding(
        line.verdict(rising=True),
        f"pixels of all {mean_of(own, 'elements'):g} elements in the whole video: {line}; {shown}",
    )


def _privacy(rows: Rows) -> Finding | None:
    own = _of_rule(rows, "pixels", "affordable")
    if not own:
        return None
    measured = "; ".join(
        f"epsilon {epsilon:g}: {percent(mean_of(at, 'shown') / mean_of(at, 'elements'))} of the "
        f"elements drawn (expected {percent(mean_of(at, 'mean_exposure'))})"
        for epsilon in sorted({row["epsilon"] for row in own})
        for at in [[row for row in own if row["epsilon"] == epsilon]]
    )
    shown = sum(column(own, "shown"))
    return Finding(
        FAILS if shown else HOLDS,
        f"{measured}. True pixels of a drawn element are public: that is the probabilistic "
        "(epsilon, delta) with delta = 1 - exp(-epsilon), not epsilon-differential privacy",
    )


PIXELS: tuple[tuple[str, Judge], ...] = (
    (
        "KL over epsilon first rises, then falls (PED), or rises and levels off (VEH)",
        _kl_over_epsilon,
    ),
    ("MSE after Phase I declines as epsilon increases", _mse_over_epsilon(1)),
    ("MSE after Phase II declines as epsilon increases", _mse_over_epsilon(2)),
    ("MSE is greatly reduced by Phase II", _reduced),
    ("KL increases with k", _kl_over_k),
    ("MSE of the largest element after Phase I does not change much with k", _flat_phase_one),
    (
        "MSE of the largest element after Phase II first decreases with k, then increases; the "
        "solver finds the best k",
        _best_k,
    ),
    ("More pixels are sampled as epsilon is larger", _more_pixels),
    ("The private video satisfies differential privacy", _privacy),
)
"""Each claim, and what decides on it; None where nothing was measured."""
