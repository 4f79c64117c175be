"""One page: each claim of the paper's experiments, what was measured, and whether it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from videodp.experiments.claims_analysis import ANALYSIS
from videodp.experiments.claims_guarantees import guarantees
from videodp.experiments.claims_pixels import PIXELS
from videodp.experiments.comparators import GUARANTEES
from videodp.experiments.judge import Finding, mean_of, percent
from videodp.experiments.store import Rows
from videodp.video import atomic_path

__all__ = ["write_claims"]

_INTRODUCTION = """\
# {video}: do the paper's claims hold?

{size}, {frames} frames at {rate:g} a second, {elements} elements. {seeds} seeds unless a line says
otherwise. The rules by which a claim holds stand in docs/experiments.md and are the same for every
video. Everything here tells about the original: for its owner only.

Sampled: whole pictures are compared on {sheet} frames before encoding (Phase I on all frames,
exactly); elements are looked for in each {every}. frame and followed between, in the private
videos of {many} seeds at epsilon {shown} and of {few} at the others. The fixed k of the
sweeps is {k}; sweeps over k try {ks}.

| | the paper says | measured | verdict |
| --- | --- | --- | --- |
"""


def write_claims(folder: Path, rows: Rows, facts: dict[str, Any]) -> Path:
    """``claims.md``: claims of which nothing was measured are said to be so."""
    lines = [_INTRODUCTION.format(**facts)]
    for number, (text, judge) in enumerate((*PIXELS, *ANALYSIS), 1):
        finding = judge(rows) or Finding("not measured", "")
        lines.append(f"| {number} | {text} | {finding.measured} | **{finding.verdict}** |\n")
    lines += [*_others(rows), *guarantees(rows)]
    path = folder / "claims.md"
    with atomic_path(path, overwrite=True) as temporary:
        temporary.write_text("".join(lines), encoding="utf-8")
    return path


def _others(rows: Rows) -> list[str]:
    """The table of comparators; private videos stand in it too."""
    table = [*_private(rows), *rows.get("comparators", [])]
    if not table:
        return []
    lines = [
        "\n## Other ways to hide people\n\n",
        "Precision and recall of boxes against those that the same search finds in the original.\n",
        "\n| way | epsilon | KL | MSE | MSE of elements | precision | recall | promise |\n",
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
    ]
    for row in table:
        epsilon = "" if row["epsilon"] is None else f"{row['epsilon']:g}"
        figures = [
            "" if row.get(name) is None else f"{row[name]:.3g}"
            for name in ("kl", "mse", "element_mse", "precision", "recall")
        ]
        cells = [row["way"], epsilon, *figures, row["guarantee"]]
        lines.append(f"| {' | '.join(cells)} |\n")
    shown = mean_of(rows.get("detection", []), "shown")
    if shown == shown:
        share = shown / mean_of(rows["detection"], "elements")
        lines.append(f"\nOver all private videos, {percent(share)} of the elements were drawn.\n")
    return lines


def _private(rows: Rows) -> list[dict[str, Any]]:
    found = [row for row in rows.get("detection", []) if row["source"] == "private"]
    names = ("kl", "mse", "element_mse", "precision", "recall")
    table: list[dict[str, Any]] = []
    for epsilon in sorted({row["epsilon"] for row in found}):
        own = [row for row in found if row["epsilon"] == epsilon]
        values = {name: mean_of(own, name) for name in names}
        known = {name: None if value != value else value for name, value in values.items()}
        table.append(
            {
                "way": "private video",
                "epsilon": epsilon,
                **known,
                "guarantee": GUARANTEES["private"],
            }
        )
    return table
