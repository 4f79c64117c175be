"""What a scene is asked to be, and what a painted frame says about itself."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from videodp.errors import UsageError

__all__ = ["PaintedFrame", "SceneSpec", "Shown"]


@dataclass(frozen=True)
class SceneSpec:
    """What to paint. The same spec gives the same frames, always.

    Without vehicles the scene is a pedestrian street, without people a highway, else a street
    with pavements on both sides.

    Attributes:
        width: Pixels, 32..8192.
        height: Pixels, 32..8192.
        frames: Number of frames.
        rate: Frames per second.
        people: Identities in the whole scene that are people; each is in the picture at some
            time.
        vehicles: The same for vehicles.
        seed: Which scene of all the scenes that fit the rest.
        noise: Standard deviation of the sensor noise in grey levels; 0 for none.
        light: How far the light changes slowly around its mean; 0.03 is 3 %.
    """

    width: int = 1280
    height: int = 720
    frames: int = 300
    rate: Fraction = Fraction(25)
    people: int = 12
    vehicles: int = 4
    seed: int = 0
    noise: float = 2.0
    light: float = 0.03

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            if not 32 <= getattr(self, name) <= 8192:
                raise UsageError(f"{name} must be 32 to 8192 pixels, not {getattr(self, name)}")
        if self.frames < 1:
            raise UsageError(f"a scene needs at least 1 frame, not {self.frames}")
        if not 0 < self.rate <= 1000:
            raise UsageError(f"the frame rate must be above 0 and at most 1000, not {self.rate}")
        for name in ("people", "vehicles"):
            if not 0 <= getattr(self, name) <= 10_000:
                raise UsageError(f"{name} must be 0 to 10000, not {getattr(self, name)}")
        if self.seed < 0:
            raise UsageError(f"the seed must not be negative: {self.seed}")
        if not (math.isfinite(self.noise) and 0 <= self.noise <= 30):
            raise UsageError(f"the noise must be 0 to 30 grey levels, not {self.noise}")
        if not (math.isfinite(self.light) and 0 <= self.light <= 0.5):
            raise UsageError(f"the change of light must be 0 to 0.5, not {self.light}")

    @property
    def seconds(self) -> float:
        """Length of the scene."""
        return float(self.frames / self.rate)


@dataclass(frozen=True, eq=False)
class Shown:
    """One element in one frame, exactly.

    Attributes:
        id: Identity, from 1; the same in every frame.
        label: "person", "car", "truck" or "bus".
        box: x, y, w, h in pixels, inside the picture, tight around the mask.
        mask: (h, w) bool over the box: the whole silhouette, also where a nearer element
            hides it.
        visible: Share of the mask's pixels that no nearer element hides.
    """

    id: int
    label: str
    box: tuple[int, int, int, int]
    mask: NDArray[np.bool_]
    visible: float


@dataclass(frozen=True, eq=False)
class PaintedFrame:
    """A frame and the truth about it.

    Attributes:
        index: Place in the scene, from 0.
        rgb: (height, width, 3) uint8.
        shown: The elements in it, back to front.
    """

    index: int
    rgb: NDArray[np.uint8]
    shown: tuple[Shown, ...]
