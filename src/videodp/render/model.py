"""How a plan is to be rendered."""

from __future__ import annotations

from dataclasses import dataclass

from videodp.errors import UsageError
from videodp.render.background import BACKGROUNDS, FILLS
from videodp.render.figures import INSERTS

__all__ = ["Look"]


@dataclass(frozen=True)
class Look:
    """Choices that change the picture, not the privacy of the elements."""

    background: str = "retain"
    fill: str | None = None
    """None: temporal if the camera stands still."""
    insert: str = "lifetime"

    def __post_init__(self) -> None:
        for name, value, allowed in (
            ("background", self.background, BACKGROUNDS),
            ("fill", self.fill or FILLS[0], FILLS),
            ("insert", self.insert, INSERTS),
        ):
            if value not in allowed:
                raise UsageError(f"no {name} '{value}': use {', '.join(allowed)}")
        if self.background == "sample" and self.fill == "temporal":
            raise UsageError(
                "a sampled background has no plate to fill from: leave out --fill temporal"
            )
