"""What the report tells, worked out from the owner's record; no wording, no layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["MOST_ROWS", "Colours", "ElementRow", "Facts", "KCurve", "PaletteRow", "Stage", "gather"]

MOST_ROWS = 40
"""Elements in the table; of more, only the largest are listed."""

MOST_COLOURS = 30
"""Colours in the palette table."""


@dataclass(frozen=True)
class KCurve:
    """What each number of colours k promises for one element."""

    k: tuple[int, ...]
    mse: tuple[float, ...]
    """By the paper's criterion."""
    fill: tuple[float, ...]
    """Expected MSE of the finished figure; empty where it was not worked out."""
    flat: bool
    chosen: int


@dataclass(frozen=True)
class ElementRow:
    """One element."""

    id: int
    label: str
    frames: int
    first: int
    last: int
    loss: float
    drawn: int = 0
    pixels: int = 0
    k: int = 0
    exposure: float = 0.0
    curve: KCurve | None = None


@dataclass(frozen=True)
class PaletteRow:
    """One published colour."""

    rgb: tuple[int, int, int]
    count: int
    draws: int
    epsilon: float
    wearers: int


@dataclass(frozen=True)
class Colours:
    """How many colours and pixels are of one case."""

    case: int
    colours: int
    pixels: int
    share: float
    """Of all pixels of the video."""


@dataclass(frozen=True)
class Stage:
    """How long one stage took."""

    name: str
    seconds: float
    rate: float
    """Frames per second."""
    share: float
    """Of the longest stage."""


@dataclass(frozen=True)
class Facts:
    """Everything the page shows besides pictures and the public record."""

    elements: tuple[ElementRow, ...]
    """Largest first."""
    expected: float
    """Expected number of exposed elements."""
    happened: int
    """Elements of which a pixel was drawn."""
    drawn: int
    """Pixels drawn of them."""
    curves: tuple[KCurve, ...]
    flat: int
    """Curves by which one k is as good as another."""
    finished: bool
    """Whether the error of the finished figures was worked out."""
    colours: tuple[Colours, ...]
    palette: tuple[PaletteRow, ...]
    """Most draws first."""
    published_colours: int
    draws: int
    """Of all colours together, on elements and background."""
    stages: tuple[Stage, ...]
    seconds: float
    rate: float
    peak_memory_mb: float | None
    painted: int | None
    """Made-up actors of a synthetic video; None for sampling."""

    @property
    def shown(self) -> tuple[ElementRow, ...]:
        """The elements of the table."""
        return self.elements[:MOST_ROWS]


def gather(owner: dict[str, Any], frames: int) -> Facts:
    """Reads an owner's record; what a mechanism does not record is left empty."""
    elements = sorted(_elements(owner), key=lambda row: (-row.pixels, -row.frames, row.id))
    curves = tuple(row.curve for row in elements if row.curve is not None)
    palette = sorted(
        (_palette_row(row) for row in owner.get("palette", [])),
        key=lambda row: (-row.draws, -row.epsilon, row.rgb),
    )
    timing: dict[str, float] = owner.get("timing", {})
    seconds = sum(timing.values())
    longest = max(timing.values(), default=0.0)
    return Facts(
        elements=tuple(elements),
        expected=sum(row.exposure for row in elements),
        happened=sum(row.drawn > 0 for row in elements),
        drawn=sum(row.drawn for row in elements),
        curves=curves,
        flat=sum(curve.flat for curve in curves),
        finished=all(curve.fill for curve in curves),
        colours=_colours(owner.get("colours", {})),
        palette=tuple(palette[:MOST_COLOURS]),
        published_colours=len(palette),
        draws=sum(row.draws for row in palette),
        stages=tuple(
            Stage(name, took, _rate(frames, took), took / longest if longest else 0.0)
            for name, took in timing.items()
        ),
        seconds=seconds,
        rate=_rate(frames, seconds),
        peak_memory_mb=owner.get("peak_memory_mb"),
        painted=owner.get("painted"),
    )


def _rate(frames: int, seconds: float) -> float:
    return frames / max(seconds, 1e-3)


def _elements(owner: dict[str, Any]) -> list[ElementRow]:
    curves = owner.get("curves", {})
    return [_element(row, curves.get(str(row["id"]))) for row in owner.get("elements", [])]


def _element(row: dict[str, Any], curve: dict[str, Any] | None) -> ElementRow:
    always = row["id"], row["label"], row["frames"], row["first"], row["last"], row["loss"]
    if "exposure" not in row:
        return ElementRow(*always)
    shape = None
    if curve is not None:
        numbers = tuple(curve["k"]), tuple(curve["mse"]), tuple(curve["fill"] or ())
        shape = KCurve(*numbers, curve["flat"], row["k"])
    return ElementRow(*always, row["drawn"], row["pixels"], row["k"], row["exposure"], shape)


def _palette_row(row: dict[str, Any]) -> PaletteRow:
    red, green, blue = (int(channel) for channel in row["rgb"])
    return PaletteRow(
        (red, green, blue), row["count"], row["draws"], row["epsilon"], len(row["worn"])
    )


def _colours(colours: dict[str, int]) -> tuple[Colours, ...]:
    if not colours:
        return ()
    pixels = sum(colours[f"case{case}_pixels"] for case in (1, 2, 3))
    return tuple(
        Colours(
            case,
            colours[f"case{case}"],
            colours[f"case{case}_pixels"],
            colours[f"case{case}_pixels"] / max(pixels, 1),
        )
        for case in (1, 2, 3)
    )
