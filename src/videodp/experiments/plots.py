"""The paper's figures again, with bands of one standard deviation over the seeds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from videodp.experiments.store import Row, Rows
from videodp.experiments.tables import count_curves, mean_and_spread
from videodp.video import atomic_path

__all__ = ["write_plots"]

_STYLE: dict[Any, Any] = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
_COLOURS = ("#3b82d0", "#d9822b", "#4c9f70", "#8b5fb0", "#777777", "#c0392b")
_SOURCES = {
    "pinq-paper": "PINQ (paper)",
    "pinq-element": "PINQ (whole element)",
    "private": "private video",
}
_WAYS = {
    "sampling": "sampling",
    "synthesis": "synthesis",
    "pinq-paper": "PINQ (paper)",
    "pinq-element": "PINQ (whole element)",
}
_LEAST = 0.01
"""Below this a logarithmic axis goes on evenly, down to 0."""
_QUESTIONS = {
    "count_error": "count in a frame: elements off",
    "stay_error": "stay times: Wasserstein over mean",
    "total_error": "number of elements: share off",
    "moved": "histogram: share of pixels moved",
}


def write_plots(folder: Path, rows: Rows) -> None:
    """One PNG for each figure of which there is something."""
    figures: dict[str, tuple[str, Callable[[list[Row]], Figure]]] = {
        "pixels": ("pixels", lambda own: _sweep(own, "epsilon")),
        "k": ("k", lambda own: _sweep(own, "k")),
        "largest": ("largest", _largest),
        "detection": ("detection", _detection),
        "counts": ("counts", _counts),
        "stays": ("stays", _stays),
        "histogram": ("histogram", _histogram),
        "guarantees": ("guarantees", _guarantees),
    }
    for name, (needs, plot) in figures.items():
        if rows.get(needs):
            with (
                atomic_path(folder / f"{name}.png", overwrite=True) as path,
                rc_context(_STYLE),
            ):
                plot(rows[needs]).savefig(path, format="png", dpi=90)


def _band(axes: Axes, rows: list[Row], x: str, y: str, colour: str, label: str) -> None:
    groups: dict[float, list[float]] = defaultdict(list)
    for row in rows:
        if row.get(y) is not None:
            groups[row[x]].append(row[y])
    if not groups:
        return
    at = np.array(sorted(groups))
    middle, spread = np.array([mean_and_spread(groups[value]) for value in at.tolist()]).T
    axes.plot(at, middle, ".-", color=colour, label=label, lw=1.3)
    axes.fill_between(at, middle - spread, middle + spread, color=colour, alpha=0.18, lw=0)


def _grid(lines: int, columns: int, height: float = 2.6) -> tuple[Figure, Any]:
    figure = Figure(figsize=(3.4 * columns, height * lines), layout="constrained")
    return figure, figure.subplots(lines, columns, squeeze=False)


def _sweep(rows: list[Row], x: str) -> Figure:
    figure, axes = _grid(2, 3)
    panels = {
        "kl_phase1": "KL after Phase I",
        "kl_phase1_sampled": "KL after Phase I, background sampled",
        "kl": "KL of the private video",
        "element_mse_phase1": "MSE of elements after Phase I",
        "element_mse": "MSE of elements after Phase II",
        "drawn": "drawn pixels of elements",
    }
    groups = defaultdict(list)
    for row in rows:
        name = row["rule"] if x == "epsilon" else f"{row['rule']}, epsilon {row['epsilon']:g}"
        groups[name].append(row)
    for ax, (column, title) in zip(axes.flat, panels.items(), strict=True):
        for (name, own), colour in zip(groups.items(), _COLOURS, strict=False):
            _band(ax, own, x, column, colour, name)
        ax.set_title(title, loc="left")
        ax.set_xlabel(x)
        ax.ticklabel_format(useOffset=False)
    axes.flat[0].legend(frameon=False, fontsize=7)
    return figure


def _largest(rows: list[Row]) -> Figure:
    figure, axes = _grid(1, 3)
    for rule, colour in zip(dict.fromkeys(row["rule"] for row in rows), _COLOURS, strict=False):
        own = [row for row in rows if row["rule"] == rule]
        _band(axes[0, 0], own, "k", "element_mse_phase1", colour, rule)
        _band(axes[0, 1], own, "k", "element_mse", colour, rule)
        _band(axes[0, 2], own, "k", "expected", colour, rule)
        for ax in axes[0, 1:]:
            ax.axvline(own[0]["solved_k"], color=colour, ls=":", lw=1)
    for ax, title in zip(
        axes.flat,
        ("measured, after Phase I", "measured, after Phase II", "expected by the solver"),
        strict=True,
    ):
        ax.set_title(f"MSE of the largest element\n{title}", loc="left")
        ax.set_xlabel("k (dotted: the solver's choice)")
        ax.ticklabel_format(useOffset=False)
    axes.flat[0].legend(frameon=False, fontsize=7)
    return figure


def _detection(rows: list[Row]) -> Figure:
    figure, axes = _grid(1, 2)
    private = [row for row in rows if row["source"] == "private"]
    for ax, name in zip(axes.flat, ("precision", "recall"), strict=True):
        _band(ax, private, "epsilon", name, _COLOURS[0], "against those in the original")
        _band(ax, private, "epsilon", f"{name}_truth", _COLOURS[1], "against the truth")
        for row in rows:
            if row["source"] == "original" and row.get(f"{name}_truth") is not None:
                line = row[f"{name}_truth"]
                ax.axhline(line, color=_COLOURS[1], ls=":", lw=1, label="original, against truth")
        ax.set_title(name, loc="left")
        ax.set_xlabel("epsilon")
        ax.set_ylim(0, 1.02)
    axes.flat[1].legend(frameon=False, fontsize=7)
    return figure


def _epsilons(rows: list[Row]) -> list[float]:
    return sorted({row["epsilon"] for row in rows if row["epsilon"] is not None})


def _present(rows: list[Row]) -> list[str]:
    return [source for source in _SOURCES if any(row["source"] == source for row in rows)]


def _counts(rows: list[Row]) -> Figure:
    curves = count_curves(rows)
    sources, epsilons = _present(rows), _epsilons(rows)
    figure, axes = _grid(max(len(sources), 1), max(len(epsilons), 1), 2.2)
    for i, source in enumerate(sources):
        for j, epsilon in enumerate(epsilons):
            ax = axes[i, j]
            if (source, epsilon) in curves:
                values = curves[source, epsilon]
                _many(ax, np.arange(values.shape[1]), values, _COLOURS[i])
            if ("original", None) in curves:
                ax.plot(curves["original", None][0], color="#c0392b", lw=1, label="original")
            ax.set_title(f"{_SOURCES[source]}, epsilon {epsilon:g}", loc="left")
            ax.set_xlabel("frame")
    axes[0, 0].set_ylabel("elements")
    axes[0, 0].legend(frameon=False, fontsize=7)
    return figure


def _many(ax: Axes, x: np.ndarray, values: np.ndarray, colour: str) -> None:
    """The first seed as a line, and a band of one standard deviation about the mean."""
    middle = values.mean(axis=0)
    spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(len(middle))
    ax.fill_between(x, middle - spread, middle + spread, color=colour, alpha=0.25, lw=0)
    ax.plot(x, values[0], color=colour, lw=0.7, label="one seed")


def _stays(rows: list[Row]) -> Figure:
    sources, epsilons = _present(rows), _epsilons(rows)
    ways = [way for way in ("all", "upstream", "downstream") if _enough(rows, way)]
    shown = [(way, source) for way in ways for source in sources if _has(rows, way, source)]
    figure, axes = _grid(max(len(shown), 1), 1, 2.3)
    figure.set_figwidth(8.5)
    for ax, (way, source) in zip(axes.flat, shown, strict=False):
        _ranked(ax, [r for r in rows if r["source"] == "original" and r["way"] == way], "#c0392b")
        for epsilon, colour in zip(epsilons, _COLOURS, strict=False):
            own = [
                r for r in rows if (r["source"], r["way"], r["epsilon"]) == (source, way, epsilon)
            ]
            _ranked(ax, own, colour, f"epsilon {epsilon:g}")
        ax.set_title(f"{_SOURCES[source]}: stay, {way}", loc="left")
        ax.set_ylabel("frames")
    axes.flat[-1].set_xlabel("element, ranked (PINQ of the paper: by the true stay)")
    axes.flat[0].legend(frameon=False, fontsize=7)
    return figure


def _enough(rows: list[Row], way: str) -> bool:
    """A few elements more or less say nothing about a direction."""
    return way == "all" or sum(r["source"] == "original" and r["way"] == way for r in rows) >= 5


def _has(rows: list[Row], way: str, source: str) -> bool:
    return any(row["way"] == way and row["source"] == source for row in rows)


def _ranked(ax: Axes, rows: list[Row], colour: str, label: str = "original") -> None:
    """The first seed as points, the others paler."""
    for seed in sorted({row["seed"] for row in rows}, key=lambda s: (s is None, s)):
        own = [row for row in rows if row["seed"] == seed]
        first = seed in (0, None)
        ax.plot(
            [row["rank"] for row in own],
            [row["frames"] for row in own],
            "-" if seed is None else ".",
            color=colour,
            ms=3 if first else 1.5,
            alpha=1 if first else 0.25,
            lw=1.4,
            label=label if first else None,
        )


def _histogram(rows: list[Row]) -> Figure:
    sources = ["original", "pinq-paper", "pinq-element", "private"]
    first = [row for row in rows if row["seed"] == 0]
    figure, axes = _grid(1, len(sources), 2.4)
    for ax, source in zip(axes.flat, sources, strict=True):
        for channel, colour in zip(("red", "green", "blue"), _RGB, strict=True):
            own = [row for row in first if row["channel"] == channel]
            ax.plot([r["value"] for r in own], [r[source] for r in own], color=colour, lw=0.8)
        ax.set_title(_SOURCES.get(source, source), loc="left")
        ax.set_xlabel("value")
    axes.flat[0].set_ylabel("pixels")
    return figure


_RGB: Sequence[str] = ("#c0392b", "#2e8b57", "#3b6fb0")


def _guarantees(rows: list[Row]) -> Figure:
    figure, axes = _grid(2, len(_QUESTIONS), 2.5)
    levels = sorted({row["level"] for row in rows if row["level"] is not None})
    for line, same in zip(axes, ("epsilon", "guarantee"), strict=True):
        for ax, (column, title) in zip(line, _QUESTIONS.items(), strict=True):
            for (source, name), colour in zip(_WAYS.items(), _COLOURS, strict=False):
                own = [r for r in rows if (r["same"], r["source"]) == (same, source)]
                _band(ax, own, "level", column, colour, name)
            ax.set_xscale("log")
            ax.set_xticks(levels, [f"{level:g}" for level in levels])
            ax.xaxis.set_minor_locator(NullLocator())
            ax.set_yscale("symlog", linthresh=_LEAST)  # noise may round to nothing at all
            ax.set_ylim(bottom=0)
            ax.set_title(title, loc="left")
            ax.set_xlabel(f"the same {same} as synthesis at")
    axes[0, 0].legend(frameon=False, fontsize=7)
    return figure
