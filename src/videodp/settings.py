"""What the owner asked for: everything that decides what a private video looks like."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from videodp.errors import UsageError
from videodp.plan import check_choices, check_epsilon
from videodp.render import Look

__all__ = ["MECHANISMS", "Encoding", "Settings"]

MECHANISMS = ("sampling",)


@dataclass(frozen=True)
class Encoding:
    """How the private video is written."""

    codec: str = "libx264"
    crf: int = 20
    preset: str = "veryfast"
    keep_audio: bool = False


@dataclass(frozen=True)
class Settings:
    """Checked when it is made; recorded in the release, so public."""

    epsilon: float
    mechanism: str = "sampling"
    insensitive: tuple[str, ...] = ()
    tracks_per_person: int = 1
    k: int | str = "auto"
    rule: str = "affordable"
    criterion: str = "paper"
    look: Look = field(default_factory=Look)
    encoding: Encoding = field(default_factory=Encoding)
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.mechanism not in MECHANISMS:
            raise UsageError(f"no mechanism '{self.mechanism}': use {', '.join(MECHANISMS)}")
        if self.tracks_per_person < 1:
            raise UsageError(f"tracks per person must be at least 1, not {self.tracks_per_person}")
        check_epsilon(self.epsilon)
        check_choices(self.k, self.rule, self.criterion)

    @property
    def epsilon_per_track(self) -> float:
        """A person who was split into several tracks has one epsilon for all of them."""
        return self.epsilon / self.tracks_per_person

    def record(self) -> dict[str, Any]:
        """As it stands in the release."""
        return {
            "tracks_per_person": self.tracks_per_person,
            "insensitive": list(self.insensitive),
            "k": self.k,
            "rule": self.rule,
            "criterion": self.criterion,
            "background": self.look.background,
            "fill": self.look.fill or "auto",
            "insert": self.look.insert,
            "codec": self.encoding.codec,
            "crf": self.encoding.crf,
            "audio": self.encoding.keep_audio,
            "seed": self.seed,
        }
