"""Painted clips in memory, and their scenes; made once."""

import functools

import cv2
import numpy as np

from videodp.elements.motion import SceneModel, learn_scene
from videodp.scenes import Scene, SceneSpec, paint

KINDS = {"street": (8, 3), "plaza": (10, 0), "highway": (0, 8)}
"""People and vehicles."""

FRAMES = 200


@functools.cache
def scene_of(kind: str, seed: int = 0, width: int = 640, height: int = 360) -> Scene:
    people, vehicles = KINDS[kind]
    return paint(
        SceneSpec(
            width=width, height=height, frames=FRAMES, people=people, vehicles=vehicles, seed=seed
        )
    )


def places(scene: Scene, count: int = 24) -> list[int]:
    """Frames from all over a scene."""
    return np.linspace(0, len(scene) - 1, count).round().astype(int).tolist()


def sampled(scene: Scene, count: int = 24) -> np.ndarray:
    """(count, height, width, 3) uint8."""
    return np.stack([scene.frame(place).rgb for place in places(scene, count)])


@functools.cache
def model_of(kind: str, seed: int = 0, boxes: bool = False) -> SceneModel:
    """Learnt with or without the true boxes; vehicles may stand for the whole clip."""
    scene = scene_of(kind, seed)
    known = None
    if boxes:
        known = [
            np.array([shown.box for shown in scene.frame(i).shown], float).reshape(-1, 4)
            for i in places(scene)
        ]
    return learn_scene(sampled(scene), known)


def truth(frame) -> np.ndarray:
    """(height, width) bool: everybody's pixels."""
    found = np.zeros(frame.rgb.shape[:2], bool)
    for shown in frame.shown:
        x, y, w, h = shown.box
        found[y : y + h, x : x + w] |= shown.mask
    return found


def moved(rgb: np.ndarray, x: float, y: float, zoom: float = 1.0, turn: float = 0.0) -> np.ndarray:
    """The frame as another camera would see it."""
    height, width = rgb.shape[:2]
    way = cv2.getRotationMatrix2D((width / 2, height / 2), turn, zoom)
    way[:, 2] += (x, y)
    return cv2.warpAffine(rgb, way, (width, height), borderMode=cv2.BORDER_REFLECT)
