"""The clips that are measured: painted scenes, kept in .cache/bench."""

from __future__ import annotations

from pathlib import Path

from videodp.scenes import SceneSpec, truth_file, write_scene

CACHE = Path(__file__).parents[1] / ".cache" / "bench"


def clip(spec: SceneSpec) -> tuple[Path, Path]:
    """A painted scene and its elements, painted once."""
    name = f"{spec.width}x{spec.height}-{spec.frames}-p{spec.people}-v{spec.vehicles}-{spec.seed}"
    video = CACHE / f"{name}.mp4"
    CACHE.mkdir(parents=True, exist_ok=True)
    if not (video.exists() and truth_file(video).exists()):
        write_scene(spec, video, overwrite=True)
    return video, truth_file(video)


SHORT = SceneSpec(1920, 1080, 300, people=24, vehicles=0, seed=3)
LONG = SceneSpec(1920, 1080, 3000, people=146, vehicles=0, seed=3)
"""As many people in view at a time as in SHORT: 19."""
PAPER = SceneSpec(1920, 1080, 1050, people=83, vehicles=0, seed=4)
