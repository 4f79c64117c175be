"""``videodp audit``."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from videodp.audit import Audit, audit_sampling, audit_synthesis, show_audit
from videodp.cli.progress import progress
from videodp.errors import UsageError

__all__ = ["audit"]

_BROKEN = 1


def audit(
    mechanism: Annotated[str, typer.Option(help="sampling or synthesis")] = "synthesis",
    epsilon: Annotated[
        float | None, typer.Option(metavar="E", help="Of the claim; 1, or 0.8 for sampling.")
    ] = None,
    runs: Annotated[int, typer.Option(help="With each canary, and as many without.")] = 20_000,
    confidence: Annotated[float, typer.Option(help="Of the whole verdict, 0.5 to 1.")] = 0.99,
    broken: Annotated[
        str | None, typer.Option(metavar="NAME", help="Audit something broken on purpose.")
    ] = None,
    video: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A recording instead of a made-up one.")
    ] = None,
    elements: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Who is in it: .parquet, or MOT .txt.")
    ] = None,
    tracks_per_person: Annotated[
        int, typer.Option(help="Tracks of one person; for sampling with --video.")
    ] = 1,
    pictures: Annotated[
        int, typer.Option(min=0, help="Published videos to look at (sampling); 0 for none.")
    ] = 100,
    populations: Annotated[
        int, typer.Option(min=0, help="Finished populations to look at (synthesis); 0 for none.")
    ] = 100,
    secure: Annotated[
        bool, typer.Option("--secure", help="Noise from OpenDP: the released path, slow.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Repeats an audit.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Attack a mechanism and say whether its claim stands.

    Example: videodp audit --mechanism synthesis --epsilon 1 puts a canary in and leaves it out,
    20,000 times each, and prints the largest epsilon that the runs prove. The exit status is 0 if
    the claim stands, 1 if it is broken. --broken halved-noise shows that a broken mechanism is
    found; other names: uncharged-histogram, epsilon-for-each, off-by-one, one-track, empty-exact,
    fixed-seed, and for sampling epsilon-dp.
    """
    if (video is None) != (elements is None):
        raise UsageError("a recording needs both: give --video FILE and --elements FILE")
    if mechanism not in ("sampling", "synthesis"):
        raise UsageError(f"no mechanism '{mechanism}': use sampling or synthesis")
    attack: Callable[..., Audit]
    if mechanism == "sampling":
        epsilon = 0.8 if epsilon is None else epsilon
        attack = partial(audit_sampling, epsilon, pictures=pictures)
    else:
        epsilon = 1.0 if epsilon is None else epsilon
        attack = partial(
            audit_synthesis,
            epsilon,
            populations=populations,
            secure=secure,
        )
    with progress() as watcher:
        result = attack(
            video=video,
            elements=elements,
            tracks_per_person=tracks_per_person,
            runs=runs,
            confidence=confidence,
            seed=seed,
            broken=broken,
            watcher=watcher,
        )
    if as_json:
        print(json.dumps(result.record(), indent=1))
    else:
        show_audit(result)
    if not result.stands:
        raise typer.Exit(_BROKEN)
