"""One plot for each answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from videodp.errors import UsageError
from videodp.queries.output import printed
from videodp.video import atomic_path, check_free

__all__ = ["check_plot", "plot_answer", "write_plot"]

_ENDINGS = (".png", ".svg", ".pdf")
_STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "videodp",
}
_COLOURS = ("#3b82d0", "#d9822b", "#4c9f70", "#8b5fb0", "#777777")
_RGB = ("#c0392b", "#2e8b57", "#3b6fb0")
_MOST_BARS = 60
"""More bars than this are numbered, not named."""


def check_plot(path: str | Path, overwrite: bool) -> Path:
    """Refuses early what could not be written at the end."""
    path = Path(path)
    if path.suffix.lower() not in _ENDINGS:
        raise UsageError(f"{path.name} is not a name for a plot: end it in {', '.join(_ENDINGS)}")
    check_free(path, overwrite)
    return path


def write_plot(
    answer: pa.Table, path: str | Path, name: str = "", *, overwrite: bool = False
) -> Path:
    """Writes the plot of an answer; without the name of a query that of any table."""
    path = check_plot(path, overwrite)
    with atomic_path(path, overwrite) as temporary, rc_context(_STYLE):
        kind = path.suffix[1:].lower()
        metadata: dict[str, Any] = {} if kind == "png" else {"CreationDate": None}
        if kind == "svg":
            metadata = {"Date": None}
        plot_answer(answer, name).savefig(temporary, format=kind, dpi=120, metadata=metadata)
    return path


def plot_answer(answer: pa.Table, name: str = "") -> Figure:
    """The plot of an answer: a figure of its own, outside of any state of matplotlib."""
    figure = Figure(figsize=(8.4, 3.6), layout="constrained")
    axes = figure.subplots()
    axes.set_title(name, loc="left")
    if not len(answer):
        axes.text(0.5, 0.5, "nothing: no row", ha="center", transform=axes.transAxes)
        axes.set_axis_off()
        return figure
    _PLOTS.get(name, _any)(axes, answer)
    return figure


def _column(answer: pa.Table, name: str) -> np.ndarray:
    """(n,) float64; what is not known is not a number."""
    return np.array(answer[name].cast(pa.float64()).to_numpy(), np.float64)


def _over_time(*names: str) -> Callable[[Axes, pa.Table], None]:
    def draw(axes: Axes, answer: pa.Table) -> None:
        x, label = _moments(answer)
        for name, colour in zip(names, _COLOURS, strict=False):
            if name in answer.column_names:
                axes.plot(x, _column(answer, name), color=colour, lw=1.2, label=_word(name))
        axes.set_xlabel(label)
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)

    return draw


def _moments(answer: pa.Table) -> tuple[np.ndarray, str]:
    if answer["time"].null_count:
        return _column(answer, "frame"), "frame"
    return _column(answer, "time"), "seconds"


def _map(name: str) -> Callable[[Axes, pa.Table], None]:
    def draw(axes: Axes, answer: pa.Table) -> None:
        last = answer.slice(len(answer) - 1).to_pylist()[0]
        columns, rows = last["column"] + 1, last["row"] + 1
        width, height = last["x"] + last["width"], last["y"] + last["height"]
        values = _column(answer, name).reshape(rows, columns)
        image = axes.imshow(values, cmap="viridis", extent=(0, width, height, 0))
        assert axes.figure is not None
        axes.figure.colorbar(image, ax=axes, label=_word(name))

    return draw


def _ranked(axes: Axes, answer: pa.Table) -> None:
    name = "frames" if answer["seconds"].null_count else "seconds"
    values = np.sort(_column(answer, name))
    axes.plot(np.arange(1, len(values) + 1), values, ".-", color=_COLOURS[0])
    axes.set_xlabel("element, from short to long")
    axes.set_ylabel(name)
    axes.set_ylim(bottom=0)


def _stay_times(axes: Axes, answer: pa.Table) -> None:
    low, high = _column(answer, "low"), _column(answer, "high")
    axes.bar(low, _column(answer, "elements"), high - low, align="edge", color=_COLOURS[0], ec="w")
    axes.set_xlabel("seconds")
    axes.set_ylabel("elements")


def _directions(axes: Axes, answer: pa.Table) -> None:
    found = answer["direction"].to_pylist()
    names = ("upstream", "downstream", "none")
    axes.bar(names, [found.count(name) for name in names], color=_COLOURS[0])
    axes.set_ylabel("elements")


def _events(axes: Axes, answer: pa.Table) -> None:
    x, label = _moments(answer)
    way = np.array(answer["direction"].to_pylist())
    for name, colour in zip(("in", "out"), _COLOURS, strict=False):
        axes.step(x, np.cumsum(way == name), where="post", color=colour, label=name)
    axes.set_xlabel(label)
    axes.set_ylabel("crossings so far")
    axes.legend(frameon=False)


def _speeds(axes: Axes, answer: pa.Table) -> None:
    axes.hist(_column(answer, "speed"), bins=20, color=_COLOURS[0], ec="w")
    axes.set_xlabel(f"{answer['unit'][0].as_py()}/s")
    axes.set_ylabel("elements")


def _colours(axes: Axes, answer: pa.Table) -> None:
    x = _column(answer, "value")
    for name, colour in zip(("red", "green", "blue"), _RGB, strict=True):
        axes.plot(x, _column(answer, name), color=colour, lw=1.2)
    axes.set_xlabel("value")
    axes.set_ylabel("pixels")


def _means(axes: Axes, answer: pa.Table) -> None:
    x, label = _moments(answer)
    regions = [answer[side].to_numpy() for side in ("x", "y", "width", "height")]
    first = np.all([side == side[0] for side in regions], axis=0)
    for name, colour in zip(("red", "green", "blue"), _RGB, strict=True):
        axes.plot(x[first], _column(answer, name)[first], color=colour, lw=1.2)
    axes.set_xlabel(label)
    axes.set_ylabel("mean of the first region")


def _bars(
    label: str, *names: str, colours: tuple[str, ...] = _COLOURS
) -> Callable[[Axes, pa.Table], None]:
    def draw(axes: Axes, answer: pa.Table) -> None:
        at, share = np.arange(len(answer)), 0.8 / len(names)
        for i, (name, colour) in enumerate(zip(names, colours, strict=False)):
            place = at + (i - (len(names) - 1) / 2) * share
            axes.bar(place, _column(answer, name), share, color=colour, label=_word(name))
        if len(answer) <= _MOST_BARS:
            axes.set_xticks(at, [_word(str(one)) for one in answer[label].to_pylist()])
        axes.legend(frameon=False)

    return draw


def _any(axes: Axes, answer: pa.Table) -> None:
    """The answer to a statement: its first column against all numbers of the others."""
    names = [
        name
        for name, kind in zip(answer.column_names, answer.schema.types, strict=True)
        if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    ]
    first = answer.column_names[0]
    shown = [name for name in names if name != first or len(answer.column_names) == 1]
    if not shown or len(set(answer.column_names)) < len(answer.column_names):
        raise UsageError("a plot needs a column and a number for each of its values: name both")
    if first in names and first not in shown:
        order = np.argsort(_column(answer, first), kind="stable")
        for name, colour in zip(shown, _COLOURS, strict=False):
            values = _column(answer, name)[order]
            axes.plot(_column(answer, first)[order], values, color=colour, label=_word(name))
        axes.set_xlabel(_word(first))
        axes.legend(frameon=False)
        return
    _bars(first, *shown[: len(_COLOURS)])(axes, answer)


def _word(text: str) -> str:
    """A text for a plot: no control characters, no formulas, not too long."""
    return printed(text).replace("$", r"\$").lstrip("_")[:40]


_PLOTS: dict[str, Callable[[Axes, pa.Table], None]] = {
    "count": _over_time("people", "vehicles"),
    "occupancy": _over_time("people", "vehicles"),
    "density": _over_time("per_megapixel", "per_square_metre"),
    "density-map": _map("people"),
    "heatmap": _map("elements"),
    "stay": _ranked,
    "stay-times": _stay_times,
    "dwell": _ranked,
    "direction": _directions,
    "crossings": _bars("label", "in", "out"),
    "crossing-events": _events,
    "speed": _speeds,
    "histogram": _colours,
    "pixels": _means,
    "pixel-totals": _bars("x", "red", "green", "blue", colours=_RGB),
    "match": _bars("label", "precision", "recall"),
}
