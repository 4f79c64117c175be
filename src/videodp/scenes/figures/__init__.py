"""Generic people, painted: from a description, a pose, a size and a light to a sprite."""

from videodp.scenes.figures.look import Colour, Figure, Light, Pose, dress
from videodp.scenes.figures.skeleton import CYCLE
from videodp.scenes.figures.sprite import Sprite, paint_figure, trim

__all__ = [
    "CYCLE",
    "Colour",
    "Figure",
    "Light",
    "Pose",
    "Sprite",
    "dress",
    "paint_figure",
    "trim",
]
