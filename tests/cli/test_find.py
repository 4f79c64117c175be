"""videodp find, and the commands that find by themselves."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from elements.detect.onnx_files import red_and_blue
from elements.find.clips import drifting, empty, plaza
from helpers import read_all
from videodp.elements import load_elements

from .conftest import ELEMENTS, EPSILON, PUBLISH, Commands

pytest.importorskip("trackers")

FIND = ("find", "plaza.mp4", "-o", "who.parquet")


@pytest.fixture(autouse=True)
def here(
    videodp: Commands, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody walks in plaza.mp4; no detector is on this machine."""
    shutil.copy(plaza().path, videodp.folder / "plaza.mp4")
    monkeypatch.setenv("VIDEODP_MODELS", str(tmp_path_factory.mktemp("models")))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def test_find_says_who_and_what_that_means(videodp: Commands) -> None:
    done = videodp.fine(*FIND, "--preview", "see.mp4")
    assert done.out.splitlines()[1] == "see.mp4: the preview, FOR YOU ONLY"
    assert "who.parquet: " in done.out
    assert " element. FOR YOU ONLY" in done.out
    assert done.err.count("\n") == 1
    assert "get a model: videodp models fetch yolox-nano" in done.err
    assert len(load_elements("who.parquet")) > 0
    videodp.refused(2, r"who\.parquet is already there", *FIND)
    assert videodp.fine(*FIND, "--overwrite", "--detector", "motion").err == ""


@pytest.mark.parametrize(
    ("options", "match"),
    [
        (("--detector", "magic"), "no detector 'magic': give yolox or the path of an .onnx file"),
        (("--detector", "yolox"), "no YOLOX model is here: get it with videodp models fetch"),
        (("--detector", "no.onnx"), r"no model at no\.onnx: give the path"),
        (("--labels", ","), "no label was given: write for example --labels person,car"),
        (("--span", "10-20"), "'10-20' is not a span of time: write for example 00:10-01:30"),
        (("--span", "00:03-00:02"), "a span begins before it ends"),
        (("--span", "10:00-11:00"), "the span holds no frame: the video is 4.0 seconds long"),
        (("--every", "0"), "every must be 1 or more, not 0: 2 is each second frame"),
        (("--region", "no.json"), "cannot read no.json"),
        (("--region", "street.mp4"), "street.mp4 is not JSON: write for example|cannot read"),
        (("--region", "far.json"), "a region reaches outside the picture of 480x270"),
        (("--region", "list.json"), "must hold polygons under in and out"),
        (("--elements", "no.txt"), "no elements file at no.txt"),
        (("--elements", "no.txt", "--every", "2"), "with --elements nobody is looked for"),
        (("--elements", "who.parquet"), "has another use in this run"),
        (("--preview", "plaza.mp4", "--overwrite"), "plaza.mp4 has another use in this run"),
        (("--preview", "who.parquet"), "who.parquet has another use in this run"),
        (("--preview", "street.mp4"), "street.mp4 is already there"),
        (("-o", "who.csv"), r"elements are written as \.parquet or MOT \.txt"),
        (("-o", ""), "is not a file name: give one such as found.parquet"),
        (("--span", "00:01-00:02", "-o", "who.txt"), "MOT text cannot say that only a part"),
    ],
)
def test_wrong_use(videodp: Commands, options: tuple[str, ...], match: str) -> None:
    Path("far.json").write_text('{"in": [[[0, 0], [999, 0], [0, 99]]]}')
    Path("list.json").write_text("[]")
    videodp.refused(2, match, *FIND, *options)


def test_a_damaged_model(videodp: Commands) -> None:
    pytest.importorskip("onnxruntime")
    Path("m.onnx").write_bytes(b"<html>not found</html>" * 99)
    videodp.refused(1, r"m\.onnx is not an ONNX model", *FIND, "--detector", "m.onnx")


def test_a_camera_that_moves(videodp: Commands) -> None:
    shutil.copy(drifting().path, "moves.mkv")
    videodp.refused(2, "the camera moves.*models fetch", "find", "moves.mkv", "-o", "who.parquet")
    publish = ("publish", "moves.mkv", "-o", "private.mp4", *EPSILON)
    videodp.refused(2, "the camera moves.*models fetch", *publish)
    videodp.refused(2, "the camera moves.*yolox", *publish, "--detector", "motion")


def test_given_boxes_get_their_masks(videodp: Commands) -> None:
    Path("by-hand.txt").write_text("1,7,100,100,40,90,1,1,1\n2,7,101,100,40,90,1,1,1\n")
    videodp.fine(*FIND, "--elements", "by-hand.txt")
    elements = load_elements("who.parquet")
    assert [(track.id, track.label, track.frames) for track in elements.tracks] == [
        (7, "person", 2)
    ]


def test_publish_finds_everybody_first(videodp: Commands) -> None:
    videodp.fine(*FIND, "--detector", "motion")
    known = ("publish", "plaza.mp4", "-o", "one.mp4", "--elements", "who.parquet", *EPSILON)
    videodp.fine(*known)
    finding = ("publish", "plaza.mp4", "-o", "two.mp4", "--detector", "motion", *EPSILON)
    done = videodp.fine(*finding, "--keep-elements", "kept.parquet")
    assert "kept.parquet: who was found where, FOR YOU ONLY" in done.out
    assert Path("one.mp4").read_bytes() == Path("two.mp4").read_bytes()
    assert Path("who.parquet").read_bytes() == Path("kept.parquet").read_bytes()
    assert "detect" in json.loads(Path("two.owner.json").read_text())["timing"]


def test_a_video_without_anybody(videodp: Commands) -> None:
    shutil.copy(empty().path, "empty.mkv")
    found = videodp.fine("find", "empty.mkv", "-o", "who.parquet", "--detector", "motion")
    assert found.out == "who.parquet: nobody. FOR YOU ONLY\n"
    done = videodp.fine("publish", "empty.mkv", "-o", "p.mkv", "--detector", "motion", *EPSILON)
    assert "no sensitive element is listed: the private video looks like the original" in done.err
    before, after = read_all("empty.mkv"), read_all("p.mkv")
    assert np.abs(before.astype(int) - after).mean() < 4  # but for the encoder


def test_publish_keeps_nothing_unasked(videodp: Commands) -> None:
    before = set(Path().iterdir())
    done = videodp.fine("publish", "plaza.mp4", "-o", "p.mp4", "--epsilon", "1")
    made = {path.name for path in set(Path().iterdir()) - before}
    assert made == {"p.mp4", "p.release.json", "p.owner.json"}
    assert "whatever moves is an element" in done.err


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ((*ELEMENTS, "--detector", "motion"), "elements are given, so none are looked for"),
        ((*ELEMENTS, "--labels", "person"), "elements are given, so none are looked for"),
        ((*ELEMENTS, "--keep-elements", "k.parquet"), "elements are given, so none are looked for"),
        (("--keep-elements", "street.mp4"), "street.mp4 has another use in this run"),
        (("--keep-elements", "private.mp4"), "private.mp4 has another use in this run"),
        (("--keep-elements", "private.owner.json"), "has another use in this run"),
        (("--keep-elements", "k.csv"), r"elements are written as \.parquet or MOT \.txt"),
        (("--keep-elements", "street.elements.parquet"), "is already there"),
        (("--keep-elements", "r.html", "--report", "r.html"), "has another use in this run"),
        (("--labels", ""), "no label was given"),
    ],
)
def test_publish_wrong_use(videodp: Commands, options: tuple[str, ...], match: str) -> None:
    videodp.refused(2, match, *PUBLISH, *EPSILON, *options)


STATED = {
    ("auto", False): "by what moves while the camera stands still alone: who stood still may",
    ("auto", True): "with the detector yolox-nano and by what moves while the camera stands still.",
    ("yolox", True): "with the detector yolox-nano.",
    ("motion", True): "by what moves while the camera stands still alone: who stood still may",
    ("secret-place.onnx", False): "with a detector of the owner's own.",
}


@pytest.mark.parametrize(("detector", "model"), STATED)
def test_the_release_says_who_looked(
    videodp: Commands, monkeypatch: pytest.MonkeyPatch, detector: str, model: bool
) -> None:
    """For everybody to read, so in the same words whether anybody is in the video or not."""
    pytest.importorskip("onnxruntime")
    video = "street.mp4" if detector == "auto" else "empty.mkv"
    shutil.copy(empty().path, "empty.mkv")
    red_and_blue(Path("secret-place.onnx"))
    if model:
        monkeypatch.setenv("VIDEODP_MODELS", str(red_and_blue(Path("yolox_nano.onnx")).parent))
    looking = ("publish", video, "-o", "p.mkv", *EPSILON, "--detector", detector)
    videodp.fine(*looking)
    release = Path("p.release.json").read_text()
    said = json.loads(release)["assumptions"]
    (way,) = [line for line in said if line.startswith("VideoDP looked for people and vehicles ")]
    assert way.removeprefix("VideoDP looked for people and vehicles ").startswith(
        STATED[detector, model]
    )
    assert "secret" not in release


@pytest.mark.parametrize("mechanism", ["sampling", "synthesis"])
def test_the_release_says_that_elements_were_given(videodp: Commands, mechanism: str) -> None:
    videodp.fine(*PUBLISH, *EPSILON, *ELEMENTS, "--mechanism", mechanism)
    release = Path("private.release.json").read_text()
    assert "The owner gave the list of people and vehicles" in release
    assert "VideoDP looked" not in release


def test_a_part_that_was_searched_is_not_the_whole(videodp: Commands) -> None:
    videodp.fine(*FIND, "--span", "00:01-00:02")
    publish = ("publish", "plaza.mp4", "-o", "p.mp4", "--elements", "who.parquet", *EPSILON)
    done = videodp.fine(*publish, "--insensitive", "car")
    assert "NOT EVERYBODY IS PROTECTED. The owner had only frames 25 to 49" in done.err
    said = json.loads(Path("p.release.json").read_text())["assumptions"]
    assert any("only frames 25 to 49 (from 0) searched" in line for line in said)
    assert any("published as they are: car." in line for line in said)
    Path("half.json").write_text('{"out": [[[0, 0], [99, 0], [99, 99]]]}')
    videodp.fine(*FIND, "--region", "half.json", "--overwrite")
    assert "NOT EVERYBODY IS PROTECTED" in videodp.fine(*publish, "--overwrite").err
    said = json.loads(Path("p.release.json").read_text())["assumptions"]
    assert any("only a part of the picture searched" in line for line in said)


def test_the_private_video_is_looked_at_once(videodp: Commands) -> None:
    videodp.fine("publish", "plaza.mp4", "-o", "p.mp4", "--detector", "motion", *EPSILON)
    first = videodp.fine("query", "p.mp4", "stay", "--format", "csv")
    (found,) = Path().glob("p.found-*.parquet")
    assert f"is kept in {found}" in first.err
    again = videodp.fine("query", "p.mp4", "stay", "--format", "csv")
    assert again.out == first.out
    assert again.err == ""


def test_nothing_is_put_beside_an_original(videodp: Commands) -> None:
    videodp.refused(
        2,
        r"who is in plaza\.mp4\? find out with videodp find plaza\.mp4 -o plaza\.elements\.parquet",
        *("query", "plaza.mp4", "count"),
    )
