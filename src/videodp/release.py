"""The files beside a private video: one for everybody, one for the owner only."""

from __future__ import annotations

import json
import platform
import resource
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from videodp.census import Census
from videodp.elements import Elements
from videodp.plan import Curve, Plan
from videodp.privacy.statement import Statement
from videodp.render import Drawn

__all__ = [
    "companion",
    "owner_record",
    "peak_memory_mb",
    "release_record",
    "sampling_part",
    "synthesis_part",
    "write_json",
]


def companion(output: Path, kind: str) -> Path:
    """``private.mp4`` and ``release`` give ``private.release.json``."""
    return output.with_name(f"{output.stem}.{kind}.json")


def release_record(statement: Statement, settings: dict[str, Any]) -> dict[str, Any]:
    """What may be published beside the video: nothing in it depends on who is in the video."""
    return {
        "mechanism": statement.mechanism,
        "epsilon": statement.epsilon,
        "delta": statement.delta,
        "statement": f"{statement.summary} {statement.caution}",
        "summary": statement.summary,
        "caution": statement.caution,
        "assumptions": list(statement.assumptions),
        "settings": settings,
        "versions": {
            "videodp": version("videodp"),
            "python": platform.python_version(),
            "av": version("av"),
            "numpy": version("numpy"),
        },
    }


def owner_record(
    part: dict[str, Any], timing: dict[str, float], settings: dict[str, Any]
) -> dict[str, Any]:
    """What the owner may look up, and nobody else; `part` comes from the mechanism."""
    return {
        "notice": "FOR THE OWNER ONLY. This file tells who is in the video: do not publish it.",
        "settings": settings,
        **part,
        "timing": timing,
        "peak_memory_mb": peak_memory_mb(),
    }


def synthesis_part(elements: Elements, epsilon: float, painted: int) -> dict[str, Any]:
    """Who was in the recording, and how many made-up actors took their places."""
    return {
        "epsilon": epsilon,
        "painted": painted,
        "elements": [
            {
                "id": track.id,
                "label": track.label,
                "frames": track.frames,
                "first": track.first,
                "last": track.last,
                "loss": epsilon,
            }
            for track in elements.tracks
        ],
    }


def sampling_part(census: Census, plan: Plan, drawn: Drawn) -> dict[str, Any]:
    """Who was exposed, and by what."""
    ids = [track.id for track in census.tracks]
    cases = census.cases()
    return {
        "epsilon": plan.epsilon,
        "elements": _elements(census, plan, drawn),
        "palette": _palette(plan, ids),
        "colours": {
            "total": len(census.colours),
            **{f"case{case}": int((cases == case).sum()) for case in (1, 2, 3)},
            **{f"case{case}_pixels": int(census.total[cases == case].sum()) for case in (1, 2, 3)},
        },
        "drawn_pixels": [
            {"id": ids[e], "frame": int(f), "x": int(x), "y": int(y), "rgb": _rgb(c)}
            for e, f, y, x, c in zip(
                drawn.element, drawn.frame, drawn.y, drawn.x, drawn.colour, strict=True
            )
        ],
        "curves": {
            str(identity): _curve(curve)
            for identity, curve in zip(ids, plan.curves, strict=True)
            if curve is not None
        },
    }


def _elements(census: Census, plan: Plan, drawn: Drawn) -> list[dict[str, Any]]:
    counts = drawn.counts(len(census.tracks))
    return [
        {
            "id": track.id,
            "label": track.label,
            "frames": track.frames,
            "first": track.first,
            "last": track.last,
            "pixels": int(census.pixels[i]),
            "k": int(plan.k[i]),
            "colours": len(plan.palettes[i]),
            "loss": float(plan.losses[i]),
            "exposure": float(plan.exposures[i]),
            "drawn": int(counts[i]),
        }
        for i, track in enumerate(census.tracks)
    ]


def _palette(plan: Plan, ids: list[int]) -> list[dict[str, Any]]:
    rows = []
    for i, colour in enumerate(plan.colours):
        who, pixels = plan.wear.of(i)
        rows.append(
            {
                "rgb": _rgb(colour),
                "count": int(plan.counts[i]),
                "draws": int(plan.draws[i]),
                "epsilon": float(plan.budgets[i]),
                "worn": {str(ids[e]): int(n) for e, n in zip(who, pixels, strict=True)},
            }
        )
    return rows


def _curve(curve: Curve) -> dict[str, Any]:
    return {
        "k": curve.k.tolist(),
        "mse": curve.mse.tolist(),
        "fill": None if curve.fill is None else curve.fill.tolist(),
        "flat": curve.flat,
    }


def _rgb(colour: int) -> list[int]:
    return [int(colour) >> 16, int(colour) >> 8 & 255, int(colour) & 255]


def peak_memory_mb() -> float:
    """The most memory this process has held, in megabytes."""
    unit = 2**20 if sys.platform == "darwin" else 2**10  # macOS counts bytes, Linux kilobytes
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1)


def write_json(path: Path, record: dict[str, Any]) -> None:
    """Writes to a path that already exists as a temporary file."""
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
