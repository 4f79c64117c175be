"""Render: Phase I draws pixels, Phase II fills what is missing.

plan --draw--> Picks --locate--> Drawn --cast_of--> Cast
video, elements, Cast, Background --render_frames--> pictures
"""

from videodp.render.draw import Drawn, Picks, draw
from videodp.render.locate import locate
from videodp.render.model import Look
from videodp.render.plate import Plate, make_plate
from videodp.render.stream import background_of, cast_of, render_frames

__all__ = [
    "Drawn",
    "Look",
    "Picks",
    "Plate",
    "background_of",
    "cast_of",
    "draw",
    "locate",
    "make_plate",
    "render_frames",
]
