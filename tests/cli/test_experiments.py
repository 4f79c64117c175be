"""``videodp experiments`` from the command line."""

import functools
from pathlib import Path

import pytest

from videodp.cli import experiments
from videodp.scenes import SceneSpec

from .conftest import Commands


def test_on_a_video(videodp: Commands) -> None:
    done = videodp.run(
        "experiments", "street.mp4", "-o", "tried", "--seeds", 1, "--only", "pixels,frames"
    )
    assert (done.status, done.err) == (0, "")
    assert "claims.md" in done.out
    names = {path.name for path in Path("tried").iterdir()}
    assert {"pixels.csv", "pixels.png", "frames.png", "claims.md", "manifest.json"} <= names


def test_on_a_painted_scene(videodp: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    small = functools.partial(SceneSpec, people=3, vehicles=0)
    monkeypatch.setattr(experiments, "SceneSpec", lambda width, height, frames: small(96, 64, 6))
    done = videodp.run("experiments", "--scene", "--seeds", 1, "--only", "histogram")
    assert (done.status, done.err) == (0, "")
    assert Path("experiments/scene.mp4").is_file()
    assert Path("experiments/histogram.csv").is_file()


@pytest.mark.parametrize(
    ("status", "message", "arguments"),
    [
        (2, "give a video, or --scene", []),
        (2, "give a video, or --scene", ["street.mp4", "--scene"]),
        (2, "seeds must be 1 to 100", ["street.mp4", "--seeds", "0"]),
        (2, "did you mean pixels", ["street.mp4", "--only", "pixls"]),
        (2, "give --elements FILE", ["moved.mp4"]),
        (2, "there is no file none.mp4", ["none.mp4"]),
        (2, "none.mp4", ["none.mp4", "--elements", "street.elements.parquet"]),
        (2, "none.txt", ["street.mp4", "--elements", "none.txt"]),
        (1, "cannot make the folder", ["street.mp4", "-o", "street.mp4"]),
    ],
)
def test_wrong_use(videodp: Commands, status: int, message: str, arguments: list[str]) -> None:
    Path("moved.mp4").write_bytes(Path("street.mp4").read_bytes())
    videodp.refused(status, message, "experiments", *arguments)
