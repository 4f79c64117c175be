"""``videodp demo``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from videodp.cli.progress import progress, tell_warnings
from videodp.errors import OutputError
from videodp.publish import publish
from videodp.report import write_report
from videodp.scenes import SceneSpec, write_scene
from videodp.video import probe

__all__ = ["demo"]


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where to put everything.")] = Path(
        "demo"
    ),
) -> None:
    """Paint a street, publish a private video of it, and write a report.

    Example: videodp demo --out demo. Files of an earlier demo are replaced.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder {out}: {error.strerror}") from None
    street = out / "street.mp4"
    with progress() as watcher:
        truth = write_scene(SceneSpec(frames=250), street, overwrite=True, watcher=watcher)
        original = probe(street)
        private = publish(
            original, out / "private.mp4", truth, 0.8, overwrite=True, watcher=watcher
        )
    report = write_report(out / "report.html", private, original, overwrite=True)
    tell_warnings(private.warnings)
    print(f"A painted street:           {street}")
    print(f"The private video of it:    {private.video}")
    print(f"What that guarantees:       {private.release_file}")
    print(f"\nNow look at the report:     {report}")
