"""``videodp models``: what it tells, and what goes wrong; nothing here uses a network."""

import hashlib
from pathlib import Path

import pytest

from elements.detect.onnx_files import brightest, red_and_blue
from videodp.elements.detect import CATALOGUE, Model

from .conftest import Commands


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache's folder, which is not there yet; no other place is looked into."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("VIDEODP_MODELS", raising=False)
    return tmp_path / "cache" / "videodp" / "models"


def pin(monkeypatch: pytest.MonkeyPatch, path: Path, url: str = "https://127.0.0.1:1/m") -> None:
    """Makes a file the published yolox-nano."""
    raw = path.read_bytes()
    model = Model(
        "yolox-nano", "yolox_nano.onnx", "none", len(raw), hashlib.sha256(raw).hexdigest(), url
    )
    monkeypatch.setitem(CATALOGUE, "yolox-nano", model)


def test_list(videodp: Commands, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = videodp.fine("models", "list").out
    assert "yolox-nano  Apache-2.0  3.7 MB  not here: videodp models fetch yolox-nano\n" in out
    assert f"looked into: {cache}\n" in out
    assert "VIDEODP_MODELS can name a folder that is looked into first\n" in out
    path = red_and_blue(videodp.folder / "yolox_nano.onnx")
    monkeypatch.setenv("VIDEODP_MODELS", str(videodp.folder))
    out = videodp.fine("models", "list").out
    assert f"here: {path} (not the published bytes)\n" in out
    assert f"looked into: {videodp.folder} (VIDEODP_MODELS), then {cache}\n" in out
    pin(monkeypatch, path)
    assert f"here: {path}\n" in videodp.fine("models", "list").out


def test_fetch_from_a_file(videodp: Commands, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = red_and_blue(videodp.folder / "mine.onnx")
    pin(monkeypatch, source)
    done = videodp.fine("models", "fetch", "yolox-nano", "--from", source)
    assert (done.out, done.err) == (f"{cache / 'yolox_nano.onnx'}\n", "")
    # It is there now, so that no network is needed.
    assert videodp.fine("models", "fetch", "yolox-nano").out == done.out


def test_fetch_from_another_file(videodp: Commands, cache: Path) -> None:
    pytest.importorskip("onnxruntime")
    source = red_and_blue(videodp.folder / "mine.onnx")
    done = videodp.fine("models", "fetch", "yolox-nano", "--from", source)
    assert done.err == (
        f"videodp: note: {source} is a detector, but not the published yolox_nano.onnx: "
        "taken as it is\n"
    )
    assert (cache / "yolox_nano.onnx").read_bytes() == source.read_bytes()


def test_no_network(videodp: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("https_proxy", raising=False)
    monkeypatch.delenv("HTTPS_PROXY", raising=False)
    pin(monkeypatch, videodp.folder / "street.mp4")
    match = r"cannot fetch yolox-nano from 127\.0\.0\.1: .*--from FILE, or put .* VIDEODP_MODELS"
    videodp.refused(1, match, "models", "fetch", "yolox-nano")


@pytest.mark.parametrize(
    ("status", "match", "arguments"),
    [
        (2, "Missing command", ()),
        (2, "No such command 'paint'", ("paint",)),
        (2, "Missing argument 'NAME'", ("fetch",)),
        (2, "no model 'yolo': did you mean 'yolox-nano'", ("fetch", "yolo")),
        (2, "no file at nope.onnx: give the path", ("fetch", "yolox-nano", "--from", "nope.onnx")),
        (2, "no file at .*: give the path", ("fetch", "yolox-nano", "--from", ".")),
        (1, "not an ONNX model", ("fetch", "yolox-nano", "--from", "street.mp4")),
    ],
)  # fmt: skip
def test_wrong_use(videodp: Commands, status: int, match: str, arguments: tuple[str, ...]) -> None:
    if status == 1:
        pytest.importorskip("onnxruntime")
    videodp.refused(status, match, "models", *arguments)


def test_a_classifier_is_not_taken(videodp: Commands, cache: Path) -> None:
    pytest.importorskip("onnxruntime")
    source = brightest(videodp.folder / "m.onnx", "classifier")
    videodp.refused(1, "is no detector", "models", "fetch", "yolox-nano", "--from", source)
    assert not cache.exists()


def test_a_folder_that_is_not_there(videodp: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIDEODP_MODELS", "nowhere")
    videodp.refused(2, "VIDEODP_MODELS is nowhere, but there is no such folder", "models", "list")
