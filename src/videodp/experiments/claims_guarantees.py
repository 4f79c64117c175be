"""The page's table of what each way answers, beside what it really guarantees."""

from __future__ import annotations

import math

from videodp.experiments.guarantees import LEVELS
from videodp.experiments.judge import mean_of, percent
from videodp.experiments.store import Row, Rows

__all__ = ["guarantees"]

_NAMES = {
    "sampling": "sampling",
    "synthesis": "synthesis",
    "pinq-paper": "PINQ as in the paper",
    "pinq-element": "PINQ for a whole element",
}
_HEAD = """
| {first} | way | told epsilon | lost by one | advantage | count | stays | number | histogram |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
_TEXT = """
## At the same epsilon, and at the same guarantee

Four questions: how many are in every frame (mean error, elements), all stay times (Wasserstein
distance over the mean stay; 1 if nobody is told of), how many there are (share off), and the RGB
histogram of the fullest frame (share of pixels at a wrong value). All against the truth; a sampled
video is searched as an analyst would, which on the original itself is off by
{original}.
{nobody}
*Told epsilon*: what the way is given; PINQ spends it on each question. *Lost by one*: epsilon of
all four answers together for one element, with delta 0. *Advantage*: by how much the probability of
anything that can be seen differs with an element and without it, at most. Sampling has no epsilon
with delta 0:
whoever is drawn shows, with a probability of up to 1 - exp(-epsilon), if all that it rests on is
granted. PINQ as in the paper has none either: a row for each stay time tells who is there.
{count}
"""


def guarantees(rows: Rows) -> list[str]:
    """Lines of the page; none if nothing was measured."""
    own = rows.get("guarantees", [])
    if not own:
        return []
    original = [row for row in own if row["source"] == "original"]
    told = {"original": _in_words(original), "nobody": _nobody(rows), "count": _count_alone(own)}
    lines = [_TEXT.format(**told)]
    for same in ("epsilon", "guarantee"):
        lines.append(_HEAD.format(first=f"same {same}"))
        for level in LEVELS:
            here = [row for row in own if row["same"] == same and row["level"] == level]
            lines += [_line(level, source, here) for source in _NAMES if _of(here, source)]
    return lines


def _of(rows: list[Row], source: str) -> list[Row]:
    return [row for row in rows if row["source"] == source]


def _line(level: float, source: str, here: list[Row]) -> str:
    own = _of(here, source)
    loss = own[0]["loss"]
    cells = [
        f"{level:g}",
        _NAMES[source],
        f"{own[0]['epsilon']:.3g}",
        "no bound" if loss is None else f"{loss:.3g}",
        f"{own[0]['advantage']:.3g}",
        *_errors(own),
    ]
    return f"| {' | '.join(cells)} |\n"


def _errors(own: list[Row]) -> list[str]:
    return [
        f"{mean_of(own, 'count_error'):.3g}",
        f"{mean_of(own, 'stay_error'):.2f}",
        percent(mean_of(own, "total_error")),
        percent(mean_of(own, "moved")),
    ]


def _in_words(original: list[Row]) -> str:
    count, stays, total, _ = _errors(original)
    return f"{count} elements in a frame, {stays} in stay times and {total} in their number"


def _nobody(rows: Rows) -> str:
    """What whoever looks at nothing would say."""
    mean = mean_of(rows.get("count_errors", []), "mean_truth")
    return "" if math.isnan(mean) else f"Who says *nobody, ever* is off by {mean:.3g} in a frame."


def _count_alone(own: list[Row]) -> str:
    """What the paper's sensitivity of 1 costs who is in view longest."""
    noisy = [row for row in _of(own, "pinq-paper") if row["level"] == LEVELS[0]]
    loss = mean_of(noisy, "count_loss")
    return f"Its counts alone, at epsilon {LEVELS[0]:g}, cost whoever is in most frames {loss:.4g}."
