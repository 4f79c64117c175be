"""``videodp query``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from videodp.cli.progress import progress, tell_warnings
from videodp.cli.shapes import frame_span, grid_of, ground_of, line_of, region_of, zone_of
from videodp.cli.values import frame_rate, names
from videodp.elements import load_elements
from videodp.errors import UsageError
from videodp.queries import Footage, ask, open_footage, sql
from videodp.queries.output import form_of, show_answer, write_answer
from videodp.queries.plots import check_plot, write_plot
from videodp.queries.registry import find_query
from videodp.queries.sql import is_sql
from videodp.stages import Stages
from videodp.video import check_free, check_one_use

__all__ = ["query"]


def query(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="A video, or elements.")],
    question: Annotated[
        str, typer.Argument(metavar='NAME|"SQL"', help="Name of a query, or one SELECT.")
    ],
    elements: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Who is in it: .parquet, or MOT .txt.")
    ] = None,
    labels: Annotated[
        str | None, typer.Option(metavar="LABELS", help="Only these: person,car.")
    ] = None,
    frames: Annotated[str | None, typer.Option(metavar="A-B", help="Only these, from 0.")] = None,
    line: Annotated[str | None, typer.Option(metavar="x0,y0,x1,y1", help="In pixels.")] = None,
    zone: Annotated[str | None, typer.Option(metavar='"x,y x,y x,y"', help="Its corners.")] = None,
    axis: Annotated[str | None, typer.Option(metavar="x|y", help="Of a direction.")] = None,
    region: Annotated[
        list[str] | None, typer.Option(metavar="x,y,w,h", help="Of pixels; may be repeated.")
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(metavar='"x,y=X,Y ..."', help="Four points, in pixels and in metres."),
    ] = None,
    grid: Annotated[str | None, typer.Option(metavar="16x9", help="Cells of a map.")] = None,
    bins: Annotated[int | None, typer.Option(help="Of stay times.")] = None,
    truth: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Elements to match with.")
    ] = None,
    overlap: Annotated[float | None, typer.Option(help="Of matching boxes, 0..1.")] = None,
    fps: Annotated[str | None, typer.Option(help="Frame rate of elements without a video.")] = None,
    form: Annotated[
        str | None, typer.Option("--format", help="table, csv, json or parquet.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Not to the screen.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Also plot it.")] = None,
    time_limit: Annotated[float, typer.Option(help="Seconds for SQL.")] = 30.0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
) -> None:
    """Ask a video, private or original, or an elements file.

    Examples: videodp query private.mp4 count --elements found.parquet --plot count.png, or videodp
    query private.mp4 "SELECT label, count(*) FROM tracks GROUP BY label". NAME is one of count,
    density, density-map, stay, stay-times, direction, crossings, crossing-events, occupancy, dwell,
    speed, heatmap, histogram, pixels, pixel-totals, match.
    """
    statement = is_sql(question)
    looked_at = None if statement else find_query(question)
    form = form_of(form, output)
    _check_outputs((output, plot), (source, elements, truth), overwrite)
    parameters = {
        "line": None if line is None else line_of(line),
        "zone": None if zone is None else zone_of(zone),
        "axis": axis,
        "regions": [region_of(one) for one in region] if region else None,
        "ground": None if reference is None else ground_of(reference),
        "grid": None if grid is None else grid_of(grid),
        "bins": bins,
        "overlap": overlap,
    }
    with progress() as watcher:
        footage = open_footage(
            source,
            elements,
            pictures_only=looked_at is not None and looked_at.pictures,
            unchecked=statement,
            frames=None if frames is None else frame_span(frames),
            labels=None if labels is None else names(labels),
            rate=None if fps is None else frame_rate(fps),
            stages=Stages(watcher),
        )
    if elements is None and footage.elements is not None:
        tell_warnings(footage.elements.warnings)
    tell_warnings(_strange_labels(footage))
    if looked_at is None:
        if given := [name for name, value in parameters.items() if value is not None]:
            raise UsageError(f"SQL takes no {', '.join(given)}: say it in the statement")
        answer = sql(footage, question, time_limit=time_limit)
    else:
        known = None if truth is None else load_elements(truth, footage.video)
        answer = ask(footage, question, **parameters, truth=known)
    if plot is not None:  # which may be refused, and then nothing is written
        write_plot(answer, plot, "" if statement else question, overwrite=overwrite)
    if output is not None:
        write_answer(answer, output, form, overwrite=overwrite)
    else:
        show_answer(answer, form)


def _strange_labels(footage: Footage) -> Iterator[str]:
    """A misspelt label is answered like one that nobody has, so it is said which there are."""
    strange, there = footage.strange_labels()
    for label in strange:
        known = f"there are {', '.join(there)}" if there else "there are no elements"
        yield f"no element has the label '{label}': {known}"


def _check_outputs(
    outputs: tuple[Path | None, Path | None], inputs: tuple[Path | None, ...], overwrite: bool
) -> None:
    """Says what cannot be written before anything is computed."""
    output, plot = outputs
    if output is not None:
        check_one_use(output, (plot, *inputs))
        check_free(output, overwrite)
    if plot is not None:
        check_one_use(plot, inputs)
        check_plot(plot, overwrite)
