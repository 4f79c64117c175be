"""Publishing by synthesis: from files to files."""

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import videodp
from helpers import read_all, write_video
from videodp import Encoding, Look, Settings
from videodp.errors import OutputExistsError, UsageError
from videodp.report import write_report
from videodp.scenes import SceneSpec, paint, write_scene

SPEC = SceneSpec(160, 96, 30, people=10, vehicles=2, seed=2, noise=1.0, light=0.0)
OUTPUTS = {
    "private.mkv",
    "private.release.json",
    "private.owner.json",
    "private.elements.parquet",
}


def settings(epsilon: float = 2.0, **more: Any) -> Settings:
    asked = {"seed": 7, "encoding": Encoding(codec="ffv1"), "synthesis_labels": ("person", "car")}
    return Settings(epsilon, mechanism="synthesis", **{**asked, **more})


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("street")
    return folder / "street.mkv", write_scene(SPEC, folder / "street.mkv", codec="ffv1")


@pytest.fixture(scope="module")
def published(
    street: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> videodp.Published:
    folder = tmp_path_factory.mktemp("published")
    return videodp.publish(street[0], folder / "private.mkv", street[1], settings())


def digests(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if "owner" not in path.name
    }


def test_four_files_that_fit_the_recording(published: videodp.Published) -> None:
    assert {path.name for path in published.video.parent.iterdir()} == OUTPUTS
    video = videodp.probe(published.video)
    assert (video.width, video.height, video.frames) == (160, 96, 30)
    assert published.elements_file is not None
    truth = videodp.load_elements(published.elements_file, video)
    assert len(truth) <= published.owner["painted"]
    answers = videodp.ask(videodp.open_footage(published.video), "count")
    assert len(answers) == 30


def test_the_truth_tells_who_was_painted(published: videodp.Published) -> None:
    video = videodp.probe(published.video)
    truth = videodp.load_elements(published.elements_file, video)  # type: ignore[arg-type]
    pictures = read_all(published.video).astype(int)
    empty = paint(SPEC).background
    plate = np.median(pictures, axis=0)  # smooth where the street was nearly always covered
    boxed, outside = [], []
    for picture, seen in zip(pictures, truth.frames(0, 30), strict=True):
        inside = np.zeros(empty.shape[:2], bool)
        for x, y, w, h in seen.boxes.astype(int).tolist():
            inside[y : y + h, x : x + w] = True
        off = np.abs(picture - empty).max(axis=2)
        boxed += [float((off[inside] > 25).mean())] if inside.any() else []
        painted = np.abs(picture - plate).max(axis=2) > 25
        outside.append(float(painted[~inside].mean()))
    assert not boxed or np.mean(boxed) > 0.3
    assert np.mean(outside) < 0.02


def test_any_number_of_workers_gives_the_same_bytes(
    street: tuple[Path, Path], tmp_path: Path
) -> None:
    found = []
    for workers in (1, 3):
        folder = tmp_path / str(workers)
        folder.mkdir()
        videodp.publish(street[0], folder / "private.mkv", street[1], settings(), workers=workers)
        found.append(digests(folder))
    assert found[0] == found[1]


def test_without_a_seed_no_two_runs_are_alike(street: tuple[Path, Path], tmp_path: Path) -> None:
    for name in ("1", "2"):
        (tmp_path / name).mkdir()
        done = videodp.publish(
            street[0], tmp_path / name / "private.mkv", street[1], settings(seed=None)
        )
        assert not any("seed" in line for line in done.release["assumptions"])
        assert done.release["settings"]["seed"] is None
    one, two = (digests(tmp_path / name) for name in ("1", "2"))
    assert one["private.mkv"] != two["private.mkv"]


def test_the_release_says_what_is_guaranteed_and_nothing_of_the_recording(
    published: videodp.Published, tmp_path: Path
) -> None:
    release = json.loads(published.release_file.read_text())
    assert release == published.release
    assert (release["mechanism"], release["epsilon"], release["delta"]) == ("synthesis", 2.0, 0.0)
    assert sum(release["settings"]["epsilon_of"].values()) == pytest.approx(2.0, rel=1e-12)
    assert sum(release["settings"]["epsilon_of"].values()) <= 2.0
    assert release["settings"]["labels"] == ["person", "car"]
    assert any("empty scene" in line for line in release["assumptions"])
    other = SceneSpec(160, 96, 30, people=1, vehicles=0, seed=9, noise=1.0, light=0.0)
    truth = write_scene(other, tmp_path / "other.mkv", codec="ffv1")
    again = videodp.publish(tmp_path / "other.mkv", tmp_path / "private.mkv", truth, settings())
    assert {**again.release, "speaks": None} == {**release, "speaks": None}


def test_the_owner_learns_who_was_counted(published: videodp.Published) -> None:
    owner = json.loads(published.owner_file.read_text())
    assert len(owner["elements"]) == 12
    assert {row["loss"] for row in owner["elements"]} == {2.0}
    assert not any("exposure" in row for row in owner["elements"])
    assert list(owner["timing"])[-2:] == ["plate", "paint"]
    assert owner["peak_memory_mb"] > 0
    assert owner["notice"].startswith("FOR THE OWNER ONLY")


def test_the_owners_plate_takes_the_place_of_the_recording(
    street: tuple[Path, Path], tmp_path: Path
) -> None:
    cv2.imwrite(str(tmp_path / "empty.png"), paint(SPEC).background[..., ::-1])
    asked = settings(plate=tmp_path / "empty.png")
    one = videodp.publish(street[0], tmp_path / "one.mkv", street[1], asked)
    assert one.release["settings"]["plate"] == "given"
    # Other pixels, the same elements: not one byte of the private video changes.
    noise = np.random.default_rng(3).integers(0, 256, (30, 96, 160, 3)).astype(np.uint8)
    blank = write_video(tmp_path / "blank.mkv", noise)
    two = videodp.publish(blank, tmp_path / "two.mkv", street[1], asked)
    assert one.video.read_bytes() == two.video.read_bytes()


def test_nothing_is_left_behind_when_it_fails(
    street: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, temporary = tmp_path / "out", tmp_path / "temporary"
    out.mkdir()
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    cv2.imwrite(str(tmp_path / "small.png"), np.zeros((8, 8, 3), np.uint8))
    with pytest.raises(UsageError, match="the video is 160x96"):
        videodp.publish(
            street[0], out / "private.mkv", street[1], settings(plate=tmp_path / "small.png")
        )
    for name in sorted(OUTPUTS):
        (out / name).write_text("mine")
        with pytest.raises(OutputExistsError, match="already there"):
            videodp.publish(street[0], out / "private.mkv", street[1], settings())
        assert [path.name for path in out.iterdir()] == [name]
        (out / name).unlink()
    assert list(temporary.iterdir()) == []


def test_what_is_read_is_never_replaced(street: tuple[Path, Path], tmp_path: Path) -> None:
    video, truth = (tmp_path / path.name for path in street)
    for path, copy in zip(street, (video, truth), strict=True):
        copy.write_bytes(path.read_bytes())
    loaded = videodp.load_elements(truth)
    for elements in (truth, loaded):
        with pytest.raises(UsageError, match="is what is to be read"):
            videodp.publish(video, tmp_path / "street.mp4", elements, settings(), overwrite=True)
    assert truth.read_bytes() == street[1].read_bytes()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"k": 4}, "leave out --k"),
        ({"rule": "paper"}, "leave out --rule"),
        ({"criterion": "fill"}, "leave out --criterion"),
        ({"look": Look(background="plate")}, "leave out --background"),
        ({"look": Look(fill="spatial")}, "leave out --fill"),
        ({"look": Look(insert="none")}, "leave out --insert"),
        ({"encoding": Encoding(keep_audio=True)}, "leave out --keep-audio"),
        ({"synthesis_labels": ("other",)}, "labels"),
    ],
)
def test_settings_of_the_other_mechanism_are_refused(more: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        settings(**more)


def test_sampling_takes_no_plate(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--plate is for --mechanism synthesis"):
        Settings(1.0, plate=tmp_path / "empty.png")
    with pytest.raises(UsageError, match="--synthesis-labels is for"):
        Settings(1.0, synthesis_labels=("person",))


@pytest.mark.parametrize("people", [0, 1])
def test_nobody_or_one(people: int, tmp_path: Path) -> None:
    spec = SceneSpec(64, 48, 5, people=people, vehicles=0)
    truth = write_scene(spec, tmp_path / "street.mkv", codec="ffv1")
    done = videodp.publish(tmp_path / "street.mkv", tmp_path / "p.mkv", truth, settings(seed=None))
    assert videodp.probe(done.video).frames == 5
    listed = any("no sensitive element is listed" in warning for warning in done.warnings)
    assert listed == (people == 0)


def test_an_epsilon_too_small_to_say_anything_paints_nobody(
    street: tuple[Path, Path], tmp_path: Path
) -> None:
    """Painted all the same in 1 of 700 runs; the seed is fixed."""
    done = videodp.publish(street[0], tmp_path / "p.mkv", street[1], settings(0.01))
    assert done.release["speaks"] is False
    assert done.owner["painted"] == 0
    assert any("epsilon is too small" in warning for warning in done.warnings)


def test_nobody_is_made_up_from_noise(
    street: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tiny epsilon may tell of millions."""

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("videodp.synthesis.tell.populate", never)
    for seed in range(4):
        out = tmp_path / f"{seed}.mkv"
        done = videodp.publish(street[0], out, street[1], settings(epsilon=1e-4, seed=seed))
        assert done.release["speaks"] is False


def test_a_large_epsilon_speaks(street: tuple[Path, Path], tmp_path: Path) -> None:
    done = videodp.publish(street[0], tmp_path / "p.mkv", street[1], settings(20.0))
    assert done.release["speaks"] is True
    assert done.owner["painted"] == pytest.approx(12, abs=2)


def test_the_report_and_the_comparison_know_both_mechanisms(
    street: tuple[Path, Path], published: videodp.Published, tmp_path: Path
) -> None:
    page = write_report(tmp_path / "r.html", published, videodp.probe(street[0])).read_text()
    assert "Who was counted" in page
    assert "Who was exposed" not in page
    assert published.release["summary"] in page.replace("&#39;", "'")
    result = videodp.compare(street[0], published.video, street[1])
    assert result.background == "plate"
    assert result.drawn == 0


def test_an_epsilon_that_promises_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="promises nothing"):
        settings(21.0)
