"""Progress bars on stderr, only where somebody looks."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from videodp.queries.output import printed
from videodp.stages import Watcher

__all__ = ["progress", "tell_warnings"]


class _Speed(ProgressColumn):
    """Steps a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed or task.finished_speed or 0:.0f}/s")


@contextmanager
def progress() -> Iterator[Watcher | None]:
    """A watcher that draws one bar for each stage; None where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with Progress(
        TextColumn("{task.description:<8}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Speed(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as bars:
        tasks = {}

        def watch(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done)

        yield watch


def tell_warnings(warnings: Iterable[str]) -> None:
    """One line each on stderr."""
    for warning in warnings:
        print(f"videodp: note: {printed(warning)}", file=sys.stderr)
