"""What a painted person looks like, how it stands, and the light it stands in."""

from dataclasses import dataclass

import numpy as np

__all__ = ["Colour", "Figure", "Light", "Pose", "dress"]

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Figure:
    """A generic person. Colours are RGB, lengths are shares of the body height.

    Attributes:
        skin: Face, neck and hands.
        hair: Hair.
        top: Shirt, jacket or coat.
        accent: Second colour of the top.
        bottom: Trousers or skirt.
        shoes: Shoes.
        bag: Backpack, or None.
        pattern: How `accent` lies on `top`: plain, bands, checks, open, print or stripes.
        sleeve: Share of the arm that the sleeve covers, 0.3 (short) or 1 (long).
        legwear: trousers, shorts, skirt or coat.
        long_hair: Hair down to the shoulders.
        build: Width of the body against its height; 1 is ordinary.
        head: Size of the head against the body; 1 is an adult's.
    """

    skin: Colour = (205, 160, 130)
    hair: Colour = (60, 40, 30)
    top: Colour = (50, 80, 140)
    accent: Colour = (220, 220, 215)
    bottom: Colour = (45, 48, 60)
    shoes: Colour = (35, 30, 30)
    bag: Colour | None = None
    pattern: str = "plain"
    sleeve: float = 1.0
    legwear: str = "trousers"
    long_hair: bool = False
    build: float = 1.0
    head: float = 1.0


@dataclass(frozen=True)
class Pose:
    """How a figure stands in one moment.

    Attributes:
        phase: Place in the gait cycle, 0..1; two steps make one cycle.
        stride: Size of the steps: 0 stands still, 1 walks.
        heading: Angle in radians: 0 to the right, pi/2 towards us, pi to the left.
    """

    phase: float = 0.0
    stride: float = 0.0
    heading: float = 0.0


@dataclass(frozen=True)
class Light:
    """Light on a figure.

    Attributes:
        direction: Towards the light: right, up, towards us. Any length.
        ambient: Share of the light that comes from everywhere, 0..1.
        tint: Factor for red, green and blue.
    """

    direction: tuple[float, float, float] = (-0.45, 0.55, 0.7)
    ambient: float = 0.5
    tint: tuple[float, float, float] = (1.12, 1.1, 1.06)


_SKINS = ((228, 186, 158), (210, 165, 135), (190, 140, 108), (150, 104, 76), (104, 70, 52))
_HAIRS = ((35, 28, 26), (62, 42, 30), (96, 68, 44), (150, 118, 74), (130, 128, 126))
_TOPS = (
    (36, 40, 52), (62, 66, 74), (40, 62, 112), (150, 36, 42), (226, 224, 218), (44, 92, 72),
    (196, 160, 60), (110, 70, 120), (118, 150, 184), (206, 110, 60), (90, 84, 60), (230, 180, 190),
)  # fmt: skip
_BOTTOMS = ((34, 38, 54), (52, 70, 104), (28, 28, 32), (92, 88, 84), (140, 122, 94), (70, 52, 44))
_SHOES = ((30, 28, 28), (72, 46, 32), (215, 212, 208), (130, 40, 40))
_PATTERNS = ("plain", "plain", "open", "bands", "checks", "print", "stripes")


def dress(rng: np.random.Generator) -> Figure:
    """Make up a figure at random."""

    def any_of(colours: tuple[Colour, ...]) -> Colour:
        colour = np.array(colours[rng.integers(len(colours))])
        red, green, blue = np.clip(colour + rng.integers(-9, 10, 3), 4, 250).tolist()
        return red, green, blue

    child = rng.random() < 0.08
    return Figure(
        skin=any_of(_SKINS),
        hair=any_of(_HAIRS),
        top=any_of(_TOPS),
        accent=any_of(_TOPS),
        bottom=any_of(_BOTTOMS),
        shoes=any_of(_SHOES),
        bag=any_of(_TOPS) if rng.random() < 0.25 else None,
        pattern=str(rng.choice(_PATTERNS)),
        sleeve=1.0 if rng.random() < 0.65 else 0.3,
        legwear=str(rng.choice(("trousers", "shorts", "skirt", "coat"), p=(0.72, 0.08, 0.1, 0.1))),
        long_hair=bool(rng.random() < 0.4),
        build=float(rng.uniform(0.9, 1.15)),
        head=1.18 if child else 1.0,
    )
