"""What all pages have in common."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined

__all__ = ["environment"]


def environment() -> Environment:
    """Labels and file names come from others: everything is escaped."""
    environment = Environment(
        loader=PackageLoader("videodp.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["whole"] = lambda value: f"{value:,.0f}"
    environment.filters["percent"] = _percent
    environment.filters["short"] = lambda value: f"{value:.3g}"
    environment.filters["plain"] = lambda value: f"{value:.4g}" if type(value) is float else value
    environment.filters["plural"] = lambda n, word: f"{n:,} {word}" + ("" if n == 1 else "s")
    return environment


def _percent(share: float) -> str:
    """Little is not nothing."""
    return "< 0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %"
