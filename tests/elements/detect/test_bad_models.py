"""Files that are no detectors: one line each."""

import sys
from pathlib import Path

import numpy as np
import pytest

from videodp.elements.detect import open_detector
from videodp.errors import MissingExtraError, ModelError, ModelNotFoundError, UsageError

from .onnx_files import node, red_and_blue, value, write


def refused(path: Path | str, match: str, kind: type[Exception] = ModelError) -> None:
    with pytest.raises(kind, match=match) as caught:
        open_detector(path)
    assert "\n" not in str(caught.value)


def test_not_there(tmp_path: Path) -> None:
    refused(tmp_path / "no.onnx", "no model at .*no.onnx: give the path", ModelNotFoundError)
    refused(tmp_path, "no model at", ModelNotFoundError)
    refused("x" * 5000 + ".onnx", "no model at", ModelNotFoundError)


@pytest.mark.parametrize("kind", ["magic", "", "yolo", "model.pt"])
def test_no_such_kind(kind: str) -> None:
    refused(kind, f"no detector '{kind}': give yolox or the path of an .onnx file", UsageError)


def test_empty(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(b"")
    refused(tmp_path / "m.onnx", r"m\.onnx is empty: get it again")


def test_without_onnxruntime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = red_and_blue(tmp_path / "m.onnx")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    refused(path, r'pip install "videodp\[detect\]"', MissingExtraError)


@pytest.mark.parametrize("what", ["text", "cut", "zeros", "flipped"])
def test_damaged(tmp_path: Path, what: str, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("onnxruntime")
    good = red_and_blue(tmp_path / "m.onnx").read_bytes()
    bad = {
        "text": b"<html>not found</html>\n" * 50,
        "cut": good[: len(good) // 2],
        "zeros": bytes(1000),
        "flipped": bytes(255 - b for b in good),
    }[what]
    (tmp_path / "m.onnx").write_bytes(bad)
    refused(tmp_path / "m.onnx", r"m\.onnx is not an ONNX model that can be opened: .+")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("dtype", "shape"),
    [
        (np.float32, (1, 10)),
        (np.float32, (1, 1, 32, 32)),  # grey pictures
        (np.float32, (4, 3, 32, 32)),  # four at once
        (np.int64, (1, 3, 32, 32)),
    ],
)
def test_no_picture_is_taken(tmp_path: Path, dtype: type, shape: tuple[int, ...]) -> None:
    pytest.importorskip("onnxruntime")
    path = write(
        tmp_path / "m.onnx",
        [node("Identity", "x", "y")],
        [value("x", dtype, shape)],
        [value("y", dtype, shape)],
        {},
    )
    refused(path, r"m\.onnx is no detector of one picture: it takes x tensor\(.*\)\[.*; needed")


@pytest.mark.parametrize("columns", [6, 7, 85])
def test_other_tables(tmp_path: Path, columns: int) -> None:
    """As many columns as a detector would have, but no boxes in them."""
    pytest.importorskip("onnxruntime")
    rng = np.random.default_rng(columns)
    shape = (1, columns) if columns == 7 else (1, 21, columns)
    path = write(
        tmp_path / "m.onnx",
        [node("Identity", "t", "y")],
        [value("x", np.float32, (1, 3, 32, 32))],
        [value("y", np.float32, shape)],
        {"t": rng.normal(size=shape).astype(np.float32)},
    )
    refused(path, r"is no detector that is known here: .* puts out y float32\[")


def test_fails_while_running(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    path = write(
        tmp_path / "m.onnx",
        [node("Reshape", "x s", "y")],
        [value("x", np.float32, (1, 3, "h", "w"))],
        [value("y", np.float32, (1, "n", 6))],
        {"s": np.array([1, 7, 11], np.int64)},
    )
    refused(path, r"m\.onnx cannot be run: ")
