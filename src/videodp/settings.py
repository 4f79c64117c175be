"""What the owner asked for: everything that decides what a private video looks like."""

from __future__ import annotations

from dataclasses import Field, asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from videodp.errors import BudgetError, UsageError
from videodp.plan import MAX_EPSILON, check_choices, check_epsilon
from videodp.render import Look
from videodp.synthesis.settings import SynthesisSettings

__all__ = ["MECHANISMS", "Encoding", "Settings"]

MECHANISMS = ("sampling", "synthesis")
_SAMPLING_ONLY = ("k", "rule", "criterion")


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
    synthesis_labels: tuple[str, ...] = ()
    """For synthesis: which labels are told apart; none: the usual ones. Never read off a video."""
    plate: Path | None = None
    """For synthesis: a picture of the empty scene; None: made from the recording."""
    encoding: Encoding = field(default_factory=Encoding)
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.mechanism not in MECHANISMS:
            raise UsageError(f"no mechanism '{self.mechanism}': use {', '.join(MECHANISMS)}")
        if self.tracks_per_person < 1:
            raise UsageError(f"tracks per person must be at least 1, not {self.tracks_per_person}")
        if self.mechanism == "sampling":
            check_epsilon(self.epsilon)
        check_choices(self.k, self.rule, self.criterion)
        self._check_mechanism()

    @property
    def epsilon_per_track(self) -> float:
        """A person who was split into several tracks has one epsilon for all of them."""
        return self.epsilon / self.tracks_per_person

    @property
    def synthesis(self) -> SynthesisSettings:
        """The public parameters of synthesis."""
        asked = SynthesisSettings(self.epsilon, self.tracks_per_person)
        return replace(asked, labels=self.synthesis_labels) if self.synthesis_labels else asked

    def _check_mechanism(self) -> None:
        """What the other mechanism is told makes no sense for this one."""
        if self.mechanism == "sampling":
            for name in ("plate", "synthesis_labels"):
                if getattr(self, name):
                    option = name.replace("_", "-")
                    raise UsageError(f"--{option} is for --mechanism synthesis: leave it out")
            return
        idle = [f.name for f in fields(self) if f.name in _SAMPLING_ONLY and not _default(self, f)]
        idle += [f.name for f in fields(Look) if not _default(self.look, f)]
        if idle:
            raise UsageError(f"synthesis draws no pixels: leave out --{idle[0]}")
        if self.encoding.keep_audio:
            raise UsageError("synthesis cannot protect voices: leave out --keep-audio")
        _ = self.synthesis  # checks itself
        if self.epsilon > MAX_EPSILON:
            raise BudgetError(
                f"epsilon {self.epsilon:g} promises nothing (a factor of exp({self.epsilon:g})): "
                f"stay at or below {MAX_EPSILON:g}"
            )

    def record(self) -> dict[str, Any]:
        """As it stands in the release."""
        return {
            "tracks_per_person": self.tracks_per_person,
            "insensitive": list(self.insensitive),
            **(self._sampling() if self.mechanism == "sampling" else self._synthesis()),
            "codec": self.encoding.codec,
            "crf": self.encoding.crf,
            "audio": self.encoding.keep_audio,
            "seed": self.seed,
        }

    def _sampling(self) -> dict[str, Any]:
        return {
            "k": self.k,
            "rule": self.rule,
            "criterion": self.criterion,
            "background": self.look.background,
            "fill": self.look.fill or "auto",
            "insert": self.look.insert,
        }

    def _synthesis(self) -> dict[str, Any]:
        asked = asdict(self.synthesis)
        histograms = {name: self.synthesis.epsilon_of(name) for name in asked.pop("shares")}
        del asked["epsilon"], asked["tracks_per_person"]
        return {
            "background": "plate",
            "plate": "the recording" if self.plate is None else "given",
            "epsilon_of": histograms,
            **{name: list(v) if isinstance(v, tuple) else v for name, v in asked.items()},
        }


def _default(settings: Any, which: Field[Any]) -> bool:
    return bool(getattr(settings, which.name) == which.default)
