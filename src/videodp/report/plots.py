"""Plots as inline SVG that takes its ink from the page, so that it fits light and dark.

No text of a plot comes from a file: elements appear as lines and bars, without their labels.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from videodp.report.facts import KCurve

__all__ = ["MOST_CURVES", "plot_curves", "plot_exposures"]

MOST_CURVES = 60
"""More lines than this are no longer told apart; the median is of all."""

_INK = "#010203"  # replaced by the page's own text colour
_ACCENT = "#3b82d0"
_MARK = "#d9822b"
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "videodp",
    "font.size": 10,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _INK,
    "axes.titlesize": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": _INK,
    "ytick.color": _INK,
}


def plot_curves(curves: Sequence[KCurve]) -> str:
    """The criteria over k, each curve divided by its own largest value."""
    with rc_context(_STYLE):
        figure = Figure(figsize=(8.4, 3.2), layout="constrained")
        chosen = [c.chosen for c in curves]
        finished = all(c.fill for c in curves)
        axes = figure.subplots(1, 1 + finished, sharey=True, squeeze=False)[0]
        left = axes[0]
        _draw_curves(left, curves, [c.mse for c in curves], chosen)
        left.set_title("the paper's criterion (dots: the k that was used)", loc="left")
        if finished:
            _draw_curves(axes[1], curves, [c.fill for c in curves], chosen)
            axes[1].set_title("the finished figure (dots: the k that was used)", loc="left")
        left.set_ylabel("expected error / its largest")
        left.set_ylim(_lowest(curves), 1.02)
        return _svg(figure)


def _draw_curves(
    axes: Axes,
    curves: Sequence[KCurve],
    values: Sequence[tuple[float, ...]],
    marked: Sequence[int],
) -> None:
    lines = [np.array(v) / max(max(v), 1e-12) for v in values]
    for curve, line, k in list(zip(curves, lines, marked, strict=True))[:MOST_CURVES]:
        axes.plot(curve.k, line, color=_ACCENT, alpha=0.35, linewidth=1)
        if k in curve.k:
            axes.plot([k], [line[curve.k.index(k)]], "o", color=_MARK, markersize=4, alpha=0.8)
    if len({curve.k for curve in curves}) == 1:
        axes.plot(curves[0].k, np.median(lines, axis=0), color=_ACCENT, linewidth=2.2)
    axes.set_xlabel("number of colours k")
    axes.grid(axis="y", color=_INK, alpha=0.12)


def _lowest(curves: Sequence[KCurve]) -> float:
    """Below every curve, and far enough below 1 that a flat curve looks flat."""
    values = [min(v) / max(*v, 1e-12) for c in curves for v in (c.mse, c.fill) if v]
    return max(min(0.8, *values) - 0.02, 0.0)


def plot_exposures(exposures: Sequence[float]) -> str:
    """How many elements have which probability to be exposed."""
    with rc_context(_STYLE):
        figure = Figure(figsize=(8.4, 2.6), layout="constrained")
        axes = figure.subplots()
        axes.hist(exposures, bins=np.linspace(0, 1, 41).tolist(), color=_ACCENT)
        axes.set_xlim(0, 1)
        axes.set_xlabel("exposure: probability that a true pixel is published")
        axes.set_ylabel("elements")
        axes.grid(axis="y", color=_INK, alpha=0.12)
        return _svg(figure)


def _svg(figure: Figure) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :].replace(_INK, "currentColor")
