"""``videodp demo``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from videodp.cli.progress import progress, tell_warnings
from videodp.errors import OutputError
from videodp.publish import Published, publish
from videodp.queries import ask, open_footage
from videodp.report import Answer, write_overview, write_report, write_side_by_side
from videodp.scenes import SceneSpec, write_scene
from videodp.settings import Settings
from videodp.video import Video, probe

__all__ = ["demo"]

_EPSILON = {"sampling": 0.8, "synthesis": 8.0}
"""Noise on a small epsilon would drown the few dozens who pass in a demo."""
_LABELS = ("person", "car")


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where to put everything.")] = Path(
        "demo"
    ),
) -> None:
    """Paint a street, publish private videos of it in both ways, and show them side by side.

    Example: videodp demo --out demo. Files of an earlier demo are replaced.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder {out}: {error.strerror}") from None
    street = out / "street.mp4"
    both = (
        Settings(_EPSILON["sampling"]),
        Settings(_EPSILON["synthesis"], mechanism="synthesis", synthesis_labels=_LABELS),
    )
    with progress() as watcher:
        spec = SceneSpec(960, 540, frames=600, people=60, vehicles=8)
        truth = write_scene(spec, street, overwrite=True, watcher=watcher)
        original = probe(street)
        published, reports = [], []
        for settings in both:
            name = settings.mechanism
            done = publish(
                original, out / f"{name}.mp4", truth, settings, overwrite=True, watcher=watcher
            )
            published.append(done)
            page = out / f"{name}.html"
            reports.append(write_report(page, done, original, overwrite=True))
            tell_warnings(done.warnings)
    page = out / "report.html"
    write_overview(page, original, published, _answers(street, published), reports, overwrite=True)
    picture = _picture(out / "side-by-side.jpg", original, published)
    print(f"A painted street:             {street}")
    for done in published:
        name = str(done.release["mechanism"])
        print(f"{f'Private, by {name}:':<29} {done.video}")
        print(f"{'What that guarantees:':<29} {done.release_file}")
    print(f"All three in one picture:     {picture}")
    print(f"\nNow look at the report:       {page}")


def _answers(street: Path, published: list[Published]) -> list[Answer]:
    """A few questions; a sampled video comes without elements, so it is not asked."""
    questions = (
        "people and vehicles in all",
        "people in view at a time, on average",
        "vehicles in view at a time, on average",
        "seconds they stay, on average",
    )
    asked = [
        _ask(street),
        *(_ask(done.video) if done.elements_file else None for done in published),
    ]
    answers = []
    for i, question in enumerate(questions):
        first, *rest = ("find them first" if found is None else found[i] for found in asked)
        answers.append(Answer(question, first, tuple(rest)))
    return answers


def _ask(video: Path) -> tuple[str, ...]:
    footage = open_footage(video)
    stays = ask(footage, "stay")["seconds"].to_numpy()
    counts = ask(footage, "count")
    seen = (f"{np.mean(counts[who].to_numpy()):.1f}" for who in ("people", "vehicles"))
    stay = f"{np.mean(stays):.1f}" if len(stays) else "-"
    return f"{len(stays)}", *seen, stay


def _picture(path: Path, original: Video, published: list[Published]) -> Path:
    videos = [("original", original)]
    videos += [(str(done.release["mechanism"]), probe(done.video)) for done in published]
    return write_side_by_side(path, videos, original.frames // 2, overwrite=True)
