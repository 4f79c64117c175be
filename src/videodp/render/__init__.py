"""Render: Phase I draws pixels, Phase II fills what is missing.

plan --draw--> Picks --locate--> Drawn --> Cast
video, elements, Cast, Background --render_frames--> pictures
"""

from videodp.render.draw import Drawn, Picks, draw
from videodp.render.figures import Cast
from videodp.render.locate import locate
from videodp.render.model import Look
from videodp.render.plate import Plate, make_plate
from videodp.render.stream import background_of, render_frames

__all__ = [
    "Cast",
    "Drawn",
    "Look",
    "Picks",
    "Plate",
    "background_of",
    "draw",
    "locate",
    "make_plate",
    "render_frames",
]
