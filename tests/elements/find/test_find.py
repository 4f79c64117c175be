"""From a video to its elements file."""

import dataclasses
import hashlib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from elements.detect.onnx_files import red_and_blue
from elements.track.mot import measure
from helpers import write_video
from videodp.elements import Searched, load_elements
from videodp.elements.find import Area, FindSettings, find_elements, write_preview
from videodp.errors import ModelError, ModelNotFoundError, OutputExistsError, UsageError
from videodp.stages import Stages
from videodp.video import probe, read_frames

from .clips import drifting, empty, outlined, plaza, rows_of, truth_of

pytest.importorskip("trackers")

MOTION = FindSettings(detector="motion")


@pytest.fixture(autouse=True)
def no_model(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is on this machine: no detector, unless a test gives one."""
    monkeypatch.setenv("VIDEODP_MODELS", str(tmp_path_factory.mktemp("models")))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The plaza, found by what moves."""
    path = tmp_path_factory.mktemp("found") / "plaza.parquet"
    find_elements(plaza(), path, MOTION)
    return path


# --- what is found ---


def test_everybody_is_protected_and_drawn(found: Path) -> None:
    video, truth = plaza(), truth_of(plaza())
    real, _ = outlined(video, truth)
    protected, drawn = outlined(video, load_elements(found, video))
    assert (protected > 0)[real > 0].mean() >= 0.98
    assert (protected > 0).sum() <= 3 * (real > 0).sum()
    assert ((drawn > 0) & (real > 0)).sum() >= 0.6 * ((drawn > 0) | (real > 0)).sum()
    assert not ((drawn > 0) & (protected == 0)).any()


def test_identities_last(found: Path) -> None:
    truth = rows_of(plaza().path.with_suffix(".elements.parquet"), least_visible=0.5)
    score = measure(truth, rows_of(found))
    assert score.idf1 >= 0.75
    assert score.recall >= 0.75


def test_what_moves_without_a_model_is_said(tmp_path: Path) -> None:
    elements = find_elements(plaza(), tmp_path / "a.parquet")
    assert len(elements) > 0
    (note,) = elements.warnings
    assert "whatever moves is an element" in note
    assert "videodp models fetch yolox-nano" in note
    assert {track.label for track in elements.tracks} == {"element"}


def test_workers_and_repeats_give_the_same_file(tmp_path: Path, found: Path) -> None:
    find_elements(plaza(), tmp_path / "b.parquet", MOTION, workers=3)
    one, two = (hashlib.sha256(p.read_bytes()).digest() for p in (found, tmp_path / "b.parquet"))
    assert one == two


def test_a_video_without_anybody(tmp_path: Path) -> None:
    elements = find_elements(empty(), tmp_path / "a.parquet", MOTION)
    assert len(elements) == 0
    assert load_elements(tmp_path / "a.parquet", empty()).tracks == ()


def test_thousands_of_elements(tmp_path: Path) -> None:
    """3,000 identities, 300 in each frame, most of them where nothing moves."""
    rng = np.random.default_rng(4)
    corners = np.column_stack([rng.integers(0, 300, 3000), rng.integers(0, 150, 3000)])
    lines = [
        f"{frame + 1},{1 + i},{x},{y},12,24,1,1,1"
        for frame in range(10)
        for i, (x, y) in enumerate(corners[300 * frame : 300 * frame + 300], 300 * frame)
    ]
    (tmp_path / "a.txt").write_text("\n".join(lines))
    elements = find_elements(empty(), tmp_path / "a.parquet", given=tmp_path / "a.txt")
    assert len(elements) == 3000
    boxes, _ = outlined(empty(), load_elements(tmp_path / "a.txt", empty()))
    protected, _ = outlined(empty(), elements)
    assert ((protected > 0) >= (boxes > 0)).all()


# --- a model ---


def _dots(tmp_path: Path) -> Path:
    """A red square that wanders, and a blue one that stands, on grey."""
    views = np.full((20, 64, 96, 3), 128, np.uint8)
    for i, view in enumerate(views):
        view[8:16, 8 + 2 * i : 16 + 2 * i] = (255, 0, 0)
        view[40:48, 64:72] = (0, 0, 255)
    return write_video(tmp_path / "dots.mkv", views)


def test_a_model_of_ones_own(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    model = red_and_blue(tmp_path / "m.onnx")
    video = _dots(tmp_path)
    everybody = find_elements(video, tmp_path / "a.parquet", FindSettings(detector=str(model)))
    assert {track.label for track in everybody.tracks} == {"person", "car"}
    asked = FindSettings(detector=str(model), labels=("person",))
    people = find_elements(video, tmp_path / "b.parquet", asked)
    assert {track.label for track in people.tracks} == {"person"}
    assert people.searched == Searched(labels=("person",))
    kept = FindSettings(detector=str(model), insensitive=("car",))
    rest = find_elements(video, tmp_path / "c.parquet", kept)
    assert {track.label for track in rest.tracks} == {"person"}
    assert rest.searched.left_out == ("car",)


def test_bad_models(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    bad = tmp_path / "m.onnx"
    bad.write_bytes(b"no model at all")
    cases = {str(bad): ModelError, "yolox": ModelNotFoundError, "magic": UsageError}
    for detector, error in cases.items():
        with pytest.raises(error) as caught:
            find_elements(plaza(), tmp_path / "a.parquet", FindSettings(detector=detector))
        assert "\n" not in str(caught.value)
    model = str(red_and_blue(tmp_path / "n.onnx"))
    settings = FindSettings(detector=model, labels=("persn",))
    with pytest.raises(UsageError, match="no label 'persn': did you mean 'person'"):
        find_elements(plaza(), tmp_path / "a.parquet", settings)
    assert not (tmp_path / "a.parquet").exists()


def test_a_moving_camera(tmp_path: Path) -> None:
    for detector, hint in {"motion": "--detector yolox", "auto": "models fetch"}.items():
        with pytest.raises(UsageError, match=f"the camera moves.*{hint}"):
            find_elements(drifting(), tmp_path / "a.parquet", FindSettings(detector=detector))
    assert not (tmp_path / "a.parquet").exists()


# --- where and when ---


def test_a_span(tmp_path: Path) -> None:
    settings = dataclasses.replace(MOTION, span=(Fraction(1), Fraction(2)))
    elements = find_elements(plaza(), tmp_path / "a.parquet", settings)
    assert elements.searched == Searched(frames=(25, 50))
    frames = [seen.frame for seen in elements.source.frames(0, 1000)]
    assert min(frames) >= 25
    assert max(frames) < 50
    settings = dataclasses.replace(MOTION, span=(Fraction(9), Fraction(10)))
    with pytest.raises(UsageError, match=r"the span holds no frame: the video is 4\.0 seconds"):
        find_elements(plaza(), tmp_path / "b.parquet", settings)
    with pytest.raises(UsageError, match="a span begins before it ends"):
        FindSettings(span=(Fraction(3), Fraction(2)))


def test_a_region(tmp_path: Path) -> None:
    left = np.array([[0, 0], [240, 0], [240, 270], [0, 270]], np.float32)
    for area, side in ((Area((left,), ()), -1), (Area((), (left,)), 1)):
        settings = dataclasses.replace(MOTION, area=area)
        path = tmp_path / f"{side}.parquet"
        elements = find_elements(plaza(), path, settings)
        assert elements.searched == Searched(in_part=True)
        boxes = rows_of(path).box
        middles = boxes[:, 0] + boxes[:, 2] / 2
        assert (side * (middles - 240) > -30).all()  # tracks go on a little
    settings = dataclasses.replace(MOTION, area=Area((left * 3,), ()))
    with pytest.raises(UsageError, match="reaches outside the picture of 480x270"):
        find_elements(plaza(), tmp_path / "a.parquet", settings)


def test_every_second_frame(tmp_path: Path) -> None:
    settings = dataclasses.replace(MOTION, every=2)
    elements = find_elements(plaza(), tmp_path / "a.parquet", settings)
    real, _ = outlined(plaza(), truth_of(plaza()))
    protected, _ = outlined(plaza(), elements)
    assert (protected > 0)[real > 0].mean() >= 0.97
    with pytest.raises(UsageError, match="every must be 1 or more"):
        FindSettings(every=0)


# --- files ---


def test_mot_text_comes_back_without_loss(tmp_path: Path, found: Path) -> None:
    """Found, written as text, corrected by hand, outlined: boxes, ids and labels are as given."""
    find_elements(plaza(), tmp_path / "a.txt", MOTION)
    lines = (tmp_path / "a.txt").read_text().splitlines()
    lines.append("3,777,10.25,20.5,31.125,62,1,dog on a lead,1")
    (tmp_path / "a.txt").write_text("\n".join(lines))
    elements = find_elements(plaza(), tmp_path / "b.parquet", given=tmp_path / "a.txt")
    text = load_elements(tmp_path / "a.txt", plaza())
    assert elements.tracks == text.tracks
    for ours, theirs in zip(elements.frames(0, 100), text.frames(0, 100), strict=True):
        assert ours.ids.tolist() == theirs.ids.tolist()
        np.testing.assert_array_equal(ours.boxes, theirs.boxes)
        assert all(len(ours.masks.of(i)) for i in range(len(ours)))
    before = rows_of(found)
    np.testing.assert_allclose(rows_of(tmp_path / "b.parquet").box[3:9], before.box[3:9], rtol=1e-9)


def test_what_was_not_searched_stays_known(tmp_path: Path) -> None:
    settings = dataclasses.replace(MOTION, span=(Fraction(1), Fraction(2)))
    find_elements(plaza(), tmp_path / "a.parquet", settings)
    again = find_elements(plaza(), tmp_path / "b.parquet", given=tmp_path / "a.parquet")
    assert again.searched == Searched(frames=(25, 50))
    with pytest.raises(UsageError, match="MOT text cannot say"):
        find_elements(plaza(), tmp_path / "b.txt", given=tmp_path / "a.parquet")


def test_files_are_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.parquet").write_text("mine")
    with pytest.raises(OutputExistsError):
        find_elements(plaza(), tmp_path / "a.parquet", MOTION)
    with pytest.raises(UsageError, match=r"elements are written as \.parquet or MOT \.txt"):
        find_elements(plaza(), tmp_path / "a.csv", MOTION)

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "outline" and done:
            raise KeyboardInterrupt

    private = tmp_path / "private"
    private.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(private))
    with pytest.raises(KeyboardInterrupt):
        find_elements(plaza(), tmp_path / "b.parquet", MOTION, stages=Stages(stop))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.parquet", "private"]
    assert list(private.iterdir()) == []


def test_the_file_says_how_sure(found: Path) -> None:
    sure = pq.read_table(found)["confidence"].to_numpy()
    assert ((sure > 0) & (sure < 1)).all()


def test_the_preview_shows_everybody(tmp_path: Path, found: Path) -> None:
    video = plaza()
    elements = load_elements(found, video)
    write_preview(video, elements, tmp_path / "p.mp4", workers=2)
    preview = probe(tmp_path / "p.mp4")
    assert (preview.width, preview.height, preview.frames) == (480, 270, 100)
    protected, _ = outlined(video, elements)
    for frame, shown in zip(read_frames(video), read_frames(preview), strict=True):
        if frame.index % 25 == 0:
            change = np.abs(frame.rgb.astype(int) - shown.rgb).mean(axis=2)
            there = protected[frame.index] > 0
            assert change[there].mean() > 10 * change[~there].mean()
