"""Whoever looks at the frames: a network, what moves, or both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from videodp.elements.detect import (
    Detections,
    Detector,
    find_model,
    look_closer,
    no_detections,
    open_detector,
    tile,
)
from videodp.elements.detect.labels import COCO
from videodp.elements.detect.open import YOLOX
from videodp.elements.find.settings import FindSettings
from videodp.elements.find.strangers import as_strangers
from videodp.elements.motion import ForegroundStore, MotionDetector, Scenes
from videodp.elements.track import Found, describe, unite
from videodp.errors import MissingExtraError, UsageError
from videodp.video import Frame

__all__ = [
    "MOTION",
    "Eyes",
    "choose_network",
    "looks_with",
    "refuse_motion",
    "sees_everything",
]

MOTION = "motion"
_OWN_MODEL = "own model"

_WIDE = 960
"""Pixels across from which people in the distance are too small in the shrunk frame."""
_GET_A_MODEL = "to tell people and vehicles apart get a model: videodp models fetch yolox-nano"


@dataclass
class Eyes:
    """Looks at single frames; the same frame gives the same answer, from any thread."""

    network: Detector | None
    scenes: Scenes | None
    """None where motion is not looked for."""
    store: ForegroundStore | None
    """Keeps what moves, as evidence for the tracker."""
    settings: FindSettings
    strangers: bool = False
    """Whether what the network takes for something else may be an element."""

    def look(self, frame: Frame) -> Found:
        """Everybody in a frame, and how they look."""
        found = self._detect(frame)
        if self.scenes is not None:
            found = unite(found, self._moving(frame, self.scenes))
        if self.settings.area is not None:
            found = found.take(self.settings.area.holds(found.boxes))
        return Found(frame.index, found, describe(frame.rgb, found.boxes))

    def _detect(self, frame: Frame) -> Detections:
        """Looks at the whole frame and, in large ones, closer at one part after the other."""
        if self.network is None:
            return no_detections()
        height, width = frame.rgb.shape[:2]
        cuts = tile(width, height, height, overlap=0.25) if width > _WIDE else []
        turn = frame.index // self.settings.every
        found = look_closer(self.network, frame.rgb, cuts and [cuts[turn % len(cuts)]])
        return as_strangers(found, (width, height)) if self.strangers else found

    def _moving(self, frame: Frame, scenes: Scenes) -> Detections:
        model = scenes.at(frame.index)
        if model is None:
            return no_detections()
        detector = MotionDetector(model)
        foreground = detector.foreground(frame.rgb)
        if self.store is not None:
            self.store.write(frame.index, foreground)
        return detector.boxes_of(foreground)

    def covered(self, frame: int, boxes: np.ndarray) -> np.ndarray:
        """(n,) float64: the share of each box in which something moves."""
        assert self.store is not None
        return self.store.covered(frame - frame % self.settings.every, boxes)


def sees_everything() -> Detector | None:
    """The network with all it knows; None where it knows other things than most do."""
    try:
        return open_detector("yolox", COCO, threads=1)
    except UsageError:
        return None


def choose_network(settings: FindSettings) -> tuple[Detector | None, str | None]:
    """The network that was asked for, and a note if there is none where one would help."""
    if settings.detector == "motion":
        return None, None
    kind: str | Path = settings.detector
    if settings.detector == "auto":
        if find_model(YOLOX) is None:
            return None, (
                "no model is here, so whatever moves is an element, and whoever stands still may "
                f"be PUBLISHED UNPROTECTED; {_GET_A_MODEL}"
            )
        kind = "yolox"
    try:
        # One thread a frame: the frames are spread over the cores already.
        return open_detector(kind, settings.labels, threads=1), None
    except MissingExtraError:
        if settings.detector == "auto":
            return None, (
                "a model is here, but nothing to run it with, so whatever moves is an element; "
                'install it: pip install "videodp[detect]"'
            )
        raise


def looks_with(settings: FindSettings, network: Detector | None) -> tuple[str, ...]:
    """The names of whatever looks, for everybody to read: of an own model not even its name."""
    named = settings.detector in ("auto", "yolox")
    seeing = () if network is None else (YOLOX if named else _OWN_MODEL,)
    return (*seeing, MOTION) if network is None or settings.detector == "auto" else seeing


def refuse_motion(settings: FindSettings) -> UsageError:
    """Why motion alone will not do."""
    hint = "use --detector yolox" if settings.detector == "motion" else _GET_A_MODEL
    return UsageError(
        f"the camera moves, so what moves in the picture tells nobody from the scene: {hint}"
    )
