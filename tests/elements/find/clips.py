"""Videos of painted people, made once."""

import functools
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from elements.track.mot import Rows
from helpers import new_folder, write_video
from videodp.elements import Elements, OwnerPicture, Placed, load_elements, place
from videodp.scenes import SceneSpec, paint, truth_file, write_scene
from videodp.video import Video, probe

__all__ = ["drifting", "empty", "outlined", "plaza", "rows_of", "truth_of"]


@functools.cache
def plaza(seed: int = 0, frames: int = 100, people: int = 5) -> Video:
    """People who walk, stop, cross and group before a still camera; the truth is beside it."""
    path = new_folder() / "plaza.mp4"
    spec = SceneSpec(480, 270, frames, people=people, vehicles=0, seed=seed)
    write_scene(spec, path)
    return probe(path)


@functools.cache
def empty(frames: int = 30) -> Video:
    """A still scene in which nobody ever is."""
    scene = paint(SceneSpec(320, 180, frames, people=1, vehicles=0, seed=5))
    views = [scene.empty(i) for i in range(frames)]
    return probe(write_video(new_folder() / "empty.mkv", np.stack(views)))


@functools.cache
def drifting(frames: int = 30) -> Video:
    """The same, seen by a camera that moves."""
    picture = paint(SceneSpec(480, 270, 1, people=1, vehicles=0, seed=5)).background
    views = [picture[20:200, 3 * i : 3 * i + 320] for i in range(frames)]
    return probe(write_video(new_folder() / "drifting.mkv", np.stack(views)))


def truth_of(video: Video) -> Elements:
    """Who really is in a painted video."""
    return load_elements(truth_file(video.path), video)


def rows_of(path: Path, least_visible: float = 0.0) -> Rows:
    """The boxes of an elements file."""
    table = pq.read_table(path)
    boxes = np.column_stack([table[name].to_numpy() for name in ("x", "y", "width", "height")])
    seen = np.nan_to_num(table["visibility"].to_numpy().astype(float), nan=1.0)
    keep = seen >= least_visible
    return Rows(table["frame"].to_numpy()[keep], table["id"].to_numpy()[keep], boxes[keep])


def outlined(video: Video, elements: Elements) -> tuple[np.ndarray, np.ndarray]:
    """(2 of) (frames, height, width) int32: who protects each pixel, and who is drawn there."""
    size = (video.width, video.height)
    protected, drawn = OwnerPicture(*size), OwnerPicture(*size)
    found = []
    for seen in elements.frames(0, video.frames):
        placed = place(elements, seen, *size)
        shapes = Placed(
            placed.frame, placed.index, placed.boxes, placed.bounds, placed.shapes, placed.shapes
        )
        found.append((protected.paint(placed).copy(), drawn.paint(shapes).copy()))
    first, second = zip(*found, strict=True)
    return np.stack(first), np.stack(second)
