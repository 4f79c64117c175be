"""The empty scene: from a recording in which it is never empty, or as the owner gives it."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from helpers import write_video
from videodp.elements import Elements, Searched, load_elements
from videodp.errors import NotAVideoError, UsageError, VideoNotFoundError
from videodp.scenes import SceneSpec, paint, write_scene
from videodp.synthesis.scenery import given_scenery, learn_scenery
from videodp.video import Video, probe

SPEC = SceneSpec(320, 180, 75, people=8, vehicles=3, seed=4, noise=2.0, light=0.0)


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> tuple[Video, Path]:
    folder = tmp_path_factory.mktemp("street")
    truth = write_scene(SPEC, folder / "street.mkv", codec="ffv1")
    return probe(folder / "street.mkv"), truth


def test_nobody_is_in_the_plate(street: tuple[Video, Path], tmp_path: Path) -> None:
    video, truth = street
    found = learn_scenery(video, load_elements(truth, video), tmp_path, 2)
    off = np.abs(found.plate.astype(int) - paint(SPEC).background)
    assert found.unseen < 0.05 * off[..., 0].size  # a place must be free in a fifth of the samples
    assert (off.max(axis=2) > 12).mean() < 0.01
    assert found.still
    assert found.noise == pytest.approx(2.0, abs=0.5)


def test_what_an_element_always_covers_leaves_no_trace(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    frames = np.repeat(rng.integers(40, 220, (1, 60, 80, 3)), 6, axis=0).astype(np.uint8)
    other = frames.copy()
    other[:, 20:40, 30:50] = rng.integers(0, 256, (6, 20, 20, 3))
    (tmp_path / "who.txt").write_text("\n".join(f"{t},1,30,20,20,20" for t in range(1, 7)))
    plates = []
    for name, recording in (("one", frames), ("other", other)):
        (tmp_path / name).mkdir()
        video = probe(write_video(tmp_path / f"{name}.mkv", recording))
        elements = load_elements(tmp_path / "who.txt", video)
        plates.append(learn_scenery(video, elements, tmp_path / name))
    assert plates[0].unseen == plates[1].unseen >= 400
    assert np.array_equal(plates[0].plate, plates[1].plate)
    assert plates[0].noise == plates[1].noise == 0
    assert np.array_equal(plates[0].plate[:, :20], frames[0, :, :20])


def somebody_stands(folder: Path, rows: Iterable[str]) -> tuple[Video, Elements]:
    """In one place, in red, for 200 frames; and what a tracker says about them."""
    frames = np.random.default_rng(3).integers(96, 104, (200, 48, 64, 3)).astype(np.uint8)
    frames[:, 15:30, 30:36] = (200, 30, 30)
    video = probe(write_video(folder / "one.mkv", frames))
    (folder / "who.txt").write_text("\n".join(rows))
    return video, load_elements(folder / "who.txt", video)


@pytest.mark.parametrize("missed", [{100}, {2, 6, 10, 14, 18, 100, 150}, {*range(90, 110)}])
def test_who_is_missed_for_a_while_is_not_in_the_plate(tmp_path: Path, missed: set[int]) -> None:
    """A tracker loses them now and then."""
    rows = (f"{f + 1},1,30,15,6,15" for f in range(200) if f not in missed)
    found = learn_scenery(*somebody_stands(tmp_path, rows), tmp_path)
    assert found.plate[..., 0].max() < 110


def test_who_comes_under_a_new_identity_is_not_in_the_plate(tmp_path: Path) -> None:
    """There is no gap between two sightings of one track: the share of clear samples decides."""
    rows = (f"{f + 1},{1 + (f > 100)},30,15,6,15" for f in range(200) if not 85 <= f < 115)
    found = learn_scenery(*somebody_stands(tmp_path, rows), tmp_path)
    assert found.plate[..., 0].max() < 110


def test_frames_that_were_not_searched_say_nothing(tmp_path: Path) -> None:
    rows = (f"{f + 1},1,30,15,6,15" for f in range(50, 150))
    video, elements = somebody_stands(tmp_path, rows)
    searched = replace(elements, searched=Searched((50, 150)), _index={})
    assert learn_scenery(video, searched, tmp_path).plate[..., 0].max() < 110


def test_what_need_not_be_hidden_leaves_no_smears(
    street: tuple[Video, Path], tmp_path: Path
) -> None:
    """As long as it moves: its colours would be in the middle of what is left of a busy road."""
    video, truth = street
    everybody = load_elements(truth, video)
    sensitive = everybody.without({track.label for track in everybody.tracks} - {"person"})
    assert 0 < len(sensitive) < len(everybody)
    (tmp_path / "all").mkdir()
    found = learn_scenery(video, sensitive, tmp_path, 2, everybody=everybody)
    hidden = learn_scenery(video, everybody, tmp_path / "all", 2)
    assert np.array_equal(found.plate, hidden.plate)


def test_what_need_not_be_hidden_stays_where_it_stands(tmp_path: Path) -> None:
    """A car that is parked, its boxes trembling; one that passes; and a person who stands."""
    rng = np.random.default_rng(6)
    ground = rng.integers(40, 220, (60, 160, 3)).astype(np.uint8)
    plates = []
    for name, person in (("one", 255), ("other", 0)):
        views, lines = np.repeat(ground[None], 50, axis=0), []
        for t, view in enumerate(views):
            view[10:30, 20:50] = (200, 0, 0)
            lines.append(f"{t + 1},1,{20 + rng.integers(-1, 2)},10,30,20,1,car")
            at = 2 * t
            view[35:50, at : at + 30] = (0, 200, 0)
            lines.append(f"{t + 1},2,{at},35,30,15,1,car")
            view[5:25, 100:110] = person
            lines.append(f"{t + 1},3,100,5,10,20,1,person")
        (tmp_path / "who.txt").write_text("\n".join(lines))
        (tmp_path / name).mkdir()
        video = probe(write_video(tmp_path / f"{name}.mkv", views))
        everybody = load_elements(tmp_path / "who.txt", video)
        sensitive = everybody.without(["car"])
        assert [track.id for track in sensitive.tracks] == [3]
        plates.append(learn_scenery(video, sensitive, tmp_path / name, everybody=everybody).plate)
    assert np.array_equal(plates[0], plates[1]), "who stands there shows"
    assert (plates[0][10:30, 20:50] == (200, 0, 0)).all(), "the parked car is gone"
    assert np.array_equal(plates[0][35:50], ground[35:50]), "the passing car has left a smear"


def test_workers_do_not_change_it(street: tuple[Video, Path], tmp_path: Path) -> None:
    video, truth = street
    elements = load_elements(truth, video)
    plates = []
    for workers in (1, 3):
        folder = tmp_path / str(workers)
        folder.mkdir()
        plates.append(learn_scenery(video, elements, folder, workers).plate)
    assert np.array_equal(*plates)


def test_a_single_frame_and_nobody(tmp_path: Path) -> None:
    spec = SceneSpec(64, 48, 1, people=0, vehicles=0, noise=0.0, light=0.0)
    truth = write_scene(spec, tmp_path / "one.mkv", codec="ffv1")
    video = probe(tmp_path / "one.mkv")
    found = learn_scenery(video, load_elements(truth, video), tmp_path)
    assert np.array_equal(found.plate, paint(spec).background)
    assert found.unseen == 0
    assert found.noise == 0


def test_the_owners_own_picture_is_taken_as_it_is(
    street: tuple[Video, Path], tmp_path: Path
) -> None:
    video, _ = street
    empty = paint(SPEC).background
    cv2.imwrite(str(tmp_path / "empty.png"), empty[..., ::-1])
    assert np.array_equal(given_scenery(tmp_path / "empty.png", video).plate, empty)


def test_a_plate_that_does_not_fit_is_refused(street: tuple[Video, Path], tmp_path: Path) -> None:
    video, truth = street
    cv2.imwrite(str(tmp_path / "small.png"), np.zeros((90, 160, 3), np.uint8))
    with pytest.raises(UsageError, match=r"small\.png is 160x90, but the video is 320x180"):
        given_scenery(tmp_path / "small.png", video)
    with pytest.raises(VideoNotFoundError, match=r"nothing\.png"):
        given_scenery(tmp_path / "nothing.png", video)
    with pytest.raises(UsageError, match=r"is no picture: give a \.png"):
        given_scenery(truth, video)
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    with pytest.raises(NotAVideoError, match="picture"):
        given_scenery(tmp_path / "broken.png", video)
