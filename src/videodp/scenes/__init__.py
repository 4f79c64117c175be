"""Painted street scenes with exact ground truth.

Data for the demo, the tests and the benchmarks: `paint(SceneSpec(people=24))` gives a scene,
its frames, and for each frame everybody's silhouette to the pixel.
"""

from videodp.scenes.scene import Scene, paint
from videodp.scenes.spec import PaintedFrame, SceneSpec, Shown
from videodp.scenes.write import truth_file, write_scene

__all__ = ["PaintedFrame", "Scene", "SceneSpec", "Shown", "paint", "truth_file", "write_scene"]
