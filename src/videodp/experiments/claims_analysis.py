"""Claims about analysis: detection, histograms, stay times, counts, run times."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import numpy as np

from videodp.experiments.judge import (
    CANNOT,
    FAILS,
    Finding,
    column,
    mean_of,
    percent,
    trend,
    verdict,
)
from videodp.experiments.store import Row, Rows
from videodp.experiments.tables import count_curves

__all__ = ["ANALYSIS"]

Judge = Callable[[Rows], Finding | None]
_FEWEST = 5
"""Elements that must go a way before its stay times are judged."""


def _precision(rows: Rows) -> Finding | None:
    own = _private(rows, "detection")
    if not own:
        return None
    line = trend(own, "epsilon", "precision")
    if not line.x:
        return Finding(CANNOT, "not one element is found in any private video")
    return Finding(
        verdict(min(line.means) >= 0.9),
        f"against what the same search finds in the original: {_each(line.x, line.means)}",
    )


def _recall(rows: Rows) -> Finding | None:
    own = _private(rows, "detection")
    line = trend(own, "epsilon", "recall")
    if not line.x:
        return None
    searched = Counter(row["epsilon"] for row in own)
    most = max(searched.values())
    judged = trend([r for r in own if searched[r["epsilon"]] == most], "epsilon", "recall")
    gain = judged.means[-1] - judged.means[0]
    measured = f"{_each(line.x, line.means)} (judged at {judged.x[0]:g} and {judged.x[-1]:g})"
    if gain >= 0.1 and not judged.repeated:
        return Finding(CANNOT, f"{measured}; one seed is not enough")
    return Finding(verdict(gain >= 0.1 and judged.certain), measured)


def _histogram(rows: Rows) -> Finding | None:
    own = rows.get("histogram_errors")
    if not own:
        return None
    by = {name: column(_of(own, name), "moved") for name in ("private", "pinq-paper")}
    needed = mean_of(_of(own, "pinq-paper"), "sensitivity")
    whole = mean_of(_of(own, "pinq-element"), "moved")
    return Finding(
        verdict(max(by["private"]) < min(by["pinq-paper"])),
        f"pixels counted at a wrong value: private {percent(float(np.mean(by['private'])))}, PINQ "
        f"{percent(float(np.mean(by['pinq-paper'])))} with the largest element as sensitivity "
        f"({needed:g}), {percent(whole)} if a whole element is to be protected",
    )


def _stays_beat_pinq(ways: tuple[str, ...]) -> Judge:
    def judge(rows: Rows) -> Finding | None:
        own = rows.get("stay_errors", [])
        parts, better = [], []
        for way in ways:
            here = [row for row in own if row["way"] == way]
            private, noisy = _private({"_": here}, "_"), _of(here, "pinq-paper")
            if not private or not noisy:
                continue
            if mean_of(private, "in_original") < _FEWEST:
                parts.append(f"{way}: too few elements to tell")
                continue
            a, b = (trend(side, "epsilon", "distance") for side in (private, noisy))
            if not a.x:
                parts.append(f"{way}: not one element is found in any private video")
                continue
            per = mean_of(noisy, "per_element")
            parts.append(
                f"{way}: private {_each(a.x, a.means)}; PINQ {_each(b.x, b.means)}"
                f" ({per:.3g} for each element by itself)"
            )
            better += [x < y for x, y in zip(a.means, b.means, strict=False)]
        if not parts:
            return None
        text = f"mean distance of stays from the original's, in frames: {'; '.join(parts)}"
        return Finding(verdict(all(better)) if better else CANNOT, text)

    return judge


def _half_found(rows: Rows) -> Finding | None:
    own = [row for row in _private(rows, "stay_errors") if row["way"] == "all"]
    if not own:
        return None
    smallest = min(row["epsilon"] for row in own)
    own = [row for row in own if row["epsilon"] == smallest]
    found, original = mean_of(own, "elements"), mean_of(own, "in_original")
    drawn = [r for r in _private(rows, "detection") if r["epsilon"] == smallest]
    share = found / original if original else math.nan
    return Finding(
        verdict(0.35 <= share <= 0.65),
        f"at epsilon {smallest:g} {found:.3g} tracks are found, {original:.3g} in the original, "
        f"{mean_of(own, 'in_truth'):g} are true; {mean_of(drawn, 'shown'):.3g} elements were drawn",
    )


def _close_stays(epsilon: float, share: float) -> Judge:
    def judge(rows: Rows) -> Finding | None:
        own = [
            row
            for row in _private(rows, "stay_errors")
            if row["way"] == "all" and row["epsilon"] == epsilon
        ]
        stays = [
            row["frames"] for row in _of(rows.get("stays", []), "original") if row["way"] == "all"
        ]
        if not own or not stays:
            return None
        apart, mean = mean_of(own, "distance"), float(np.mean(stays))
        if math.isnan(apart):
            return Finding(FAILS, "not one element is found")
        return Finding(
            verdict(apart <= share * mean),
            f"mean distance {apart:.3g} frames, the mean stay is {mean:.3g}",
        )

    return judge


def _acceptable(rows: Rows) -> Finding | None:
    parts, good = [], []
    for source in ("pinq-paper", "private"):
        own = _of(rows.get("count_errors", []), source)
        if not own:
            return None
        line = trend(own, "epsilon", "error")
        mean = mean_of(own, "mean_original")
        good += [error <= 0.25 * mean for error in line.means]
        parts.append(f"{source} {_each(line.x, line.means)}")
    return Finding(
        verdict(all(good)),
        f"mean error of a count: {'; '.join(parts)}; the mean count is {mean:.3g} (acceptable: a "
        "quarter of it)",
    )


def _fluctuates(rows: Rows) -> Finding | None:
    curves = count_curves(rows.get("counts", []))
    epsilons = [e for source, e in curves if source == "private" and e is not None]
    if not epsilons or ("pinq-paper", min(epsilons)) not in curves:
        return None
    steps = {
        source: float(np.abs(np.diff(curves[source, min(epsilons)], axis=1)).mean())
        for source in ("pinq-paper", "private")
    }
    return Finding(
        verdict(steps["pinq-paper"] > steps["private"]),
        f"mean step from frame to frame at epsilon {min(epsilons):g}: PINQ "
        f"{steps['pinq-paper']:.3g}, private {steps['private']:.3g}",
    )


def _sensitivity(rows: Rows) -> Finding | None:
    stays = [r for r in _of(rows.get("stays", []), "truth") if r["way"] == "all"]
    if not stays:
        return None
    longest = max(column(stays, "frames"))
    whole = _of(rows.get("count_errors", []), "pinq-element")
    line = trend(whole, "epsilon", "error")
    return Finding(
        verdict(longest <= 1),
        f"the longest stay is {longest:g} frames: its element changes as many counts and loses "
        "as many times epsilon. With noise that protects a whole element, the mean error is "
        f"{_each(line.x, line.means)}",
    )


def _publishing(rows: Rows) -> Finding | None:
    seconds = {row["what"]: row["seconds"] for row in rows.get("times", [])}
    if "publish" not in seconds:
        return None
    find = mean_of(rows["times"], "seconds", lambda r: r["what"].startswith("find"))
    minutes = seconds["publish"] / 60
    worked = mean_of(rows["times"], "processor", lambda r: r["what"] == "publish") / 60
    return Finding(
        verdict(minutes <= 20),
        f"{minutes:.2g} minutes to publish ({worked:.2g} of processor time); looking for elements "
        f"takes "
        f"{'an unknown time' if math.isnan(find) else f'{find / 60:.2g} minutes'} more",
    )


def _asking(rows: Rows) -> Finding | None:
    worked = {row["what"]: row.get("processor") for row in rows.get("times", [])}
    private, original = (worked.get(f"query histogram, {name}") for name in ("private", "original"))
    if not (private and original):
        return None
    ratio = private / original
    return Finding(
        verdict(abs(ratio - 1) <= 0.2),
        f"RGB histogram: the private video takes {ratio:.2f} times the processor time of the "
        "original, decoding included",
    )


def _private(rows: Rows, name: str) -> list[Row]:
    return _of(rows.get(name, []), "private")


def _of(rows: list[Row], source: str) -> list[Row]:
    return [row for row in rows if row.get("source") == source]


def _each(x: list[float], values: list[float]) -> str:
    return ", ".join(f"{value:.3g} at {at:g}" for at, value in zip(x, values, strict=True))


ANALYSIS: tuple[tuple[str, Judge], ...] = (
    ("Precision is always close to 1", _precision),
    ("Recall grows quickly as epsilon increases", _recall),
    ("RGB histograms: the private video is closer to the original than PINQ", _histogram),
    (
        "Stay times: PINQ is overly obfuscated at any epsilon, private is far better",
        _stays_beat_pinq(("all",)),
    ),
    ("The same in each direction", _stays_beat_pinq(("upstream", "downstream"))),
    ("At epsilon 0.8 about half of the elements are found (40 of 83)", _half_found),
    ("At epsilon 0.8 stay times still lie close to the original", _close_stays(0.8, 0.2)),
    ("At epsilon 1.6 stay times converge to the original", _close_stays(1.6, 0.1)),
    ("Counts in each frame are acceptable with PINQ and in the private video", _acceptable),
    ("Counts fluctuate more with PINQ when epsilon is small", _fluctuates),
    ("A count in each frame has sensitivity 1", _sensitivity),
    ("A private video is made in acceptable time (20 and 12 minutes)", _publishing),
    ("Asking a private video takes about as long as asking the original", _asking),
)
"""Each claim, and what decides on it; None where nothing was measured."""
