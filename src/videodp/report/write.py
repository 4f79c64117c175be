"""Puts the report together."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from videodp.publish import Published
from videodp.report.facts import MOST_ROWS, Facts, gather
from videodp.report.page import environment
from videodp.report.pictures import moments, take_shots
from videodp.report.plots import plot_curves, plot_exposures
from videodp.video import Video, atomic_path, probe

__all__ = ["write_report"]


def write_report(
    path: str | Path, published: Published, original: Video, *, overwrite: bool = False
) -> Path:
    """Writes a page for the owner: original and private pictures, exposure, colours, timings.

    The page is one HTML file that needs no network and no scripts. It shows the original
    recording and who was drawn, so it is for the owner only, and says so.

    Args:
        path: the HTML file.
        published: what `publish` returned.
        original: the recording it was made from.
        overwrite: replace a file that is there.

    Returns:
        The path.
    """
    path = Path(path)
    # Opened first: a name that cannot be written is refused before any work.
    with atomic_path(path, overwrite, private=True) as temporary:
        facts = gather(published.owner, original.frames)
        page = (
            environment()
            .get_template("report.html")
            .render(
                name=published.video.name,
                original=original,
                release=published.release,
                warnings=published.warnings,
                facts=facts,
                shots=take_shots(
                    original, probe(published.video), moments(facts.elements, original.frames)
                ),
                exposures=_exposures(facts),
                curves=Markup(plot_curves(facts.curves)) if facts.curves else None,
            )
        )
        temporary.write_text(page, encoding="utf-8")
    return path


def _exposures(facts: Facts) -> Markup | None:
    """A table says it all while it is short."""
    if facts.painted is not None or len(facts.elements) <= MOST_ROWS:
        return None
    return Markup(plot_exposures([row.exposure for row in facts.elements]))
