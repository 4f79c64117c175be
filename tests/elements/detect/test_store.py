"""Where models are looked for, and how they get there: from a server of our own."""

import hashlib
import os
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from videodp.elements.detect import (
    CATALOGUE,
    Model,
    fetch_model,
    find_model,
    install_model,
    models_folder,
    open_detector,
)
from videodp.elements.detect.fetch import _HttpsOnly
from videodp.elements.detect.store import is_pinned, known_model
from videodp.errors import ModelError, ModelNotFoundError, OutputError, UsageError

from .onnx_files import red_and_blue

CONTENT = bytes(range(256)) * 1000
PINNED = hashlib.sha256(CONTENT).hexdigest()
NANO = CATALOGUE["yolox-nano"]


class Server(ThreadingHTTPServer):
    """Serves one file, as badly as a test asks for."""

    content = CONTENT
    ranges = True
    cut: int | None = None
    """Bytes after which a connection ends."""
    wrong_range = False
    redirect = ""
    status = 200

    def __init__(self) -> None:
        self.asked: list[str | None] = []
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/tiny.onnx"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        server, asked = self.server, self.headers["Range"]
        server.asked.append(asked)
        if server.redirect or server.status != 200:
            self.send_response(302 if server.redirect else server.status)
            if server.redirect:
                self.send_header("Location", server.redirect)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
        start = start if server.ranges else 0
        body = server.content[start:]
        self.send_response(206 if start else 200)
        if start:
            first = start + server.wrong_range
            size = len(server.content)
            self.send_header("Content-Range", f"bytes {first}-{size - 1}/{size}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if server.cut is None else body[: server.cut])

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def model(server: Server) -> Model:
    return Model("tiny", "tiny.onnx", "none", len(CONTENT), PINNED, server.url)


def opener() -> urllib.request.OpenerDirector:
    """Without https, which a server of our own cannot have."""
    return urllib.request.build_opener(urllib.request.ProxyHandler({}))


def fetch(model: Model, folder: Path) -> Path:
    return fetch_model(model, folder, opener=opener())


def refused(model: Model, folder: Path, match: str) -> None:
    with pytest.raises(ModelError, match=match) as caught:
        fetch(model, folder)
    assert "\n" not in str(caught.value)
    assert "videodp models fetch tiny --from FILE" in str(caught.value)
    assert "VIDEODP_MODELS" in str(caught.value)
    assert not (folder / "tiny.onnx").exists()


def test_the_right_file(server: Server, model: Model, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    folder = tmp_path / "new" / "folder"
    path = fetch_model(model, folder, opener=opener(), watcher=lambda *step: told.append(step))
    assert path == folder / "tiny.onnx"
    assert path.read_bytes() == CONTENT
    assert os.listdir(folder) == ["tiny.onnx"]
    assert told[0] == ("fetch kB", 0, 256)
    assert told[-1] == ("fetch kB", 256, 256)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert server.asked == [None]


def test_a_good_file_is_not_fetched_again(server: Server, model: Model, tmp_path: Path) -> None:
    (tmp_path / "tiny.onnx").write_bytes(CONTENT)
    assert fetch(model, tmp_path).read_bytes() == CONTENT
    assert server.asked == []


def test_another_file_is_replaced(model: Model, tmp_path: Path) -> None:
    (tmp_path / "tiny.onnx").write_bytes(b"other")
    assert fetch(model, tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (CONTENT[::-1], "is not the published tiny.onnx, .* other bytes came"),
        (CONTENT + b"more", "is not the published tiny.onnx, .* bytes came and were thrown"),
        (CONTENT * 9, "is not the published tiny.onnx"),
    ],
    ids=["hash", "longer", "far longer"],
)
def test_the_wrong_file(
    server: Server, model: Model, tmp_path: Path, content: bytes, match: str
) -> None:
    server.content = content
    refused(model, tmp_path, match)
    assert os.listdir(tmp_path) == []


def test_a_shorter_file_counts_as_unfinished(server: Server, model: Model, tmp_path: Path) -> None:
    server.content = CONTENT[:-1]
    refused(model, tmp_path, f"after {len(CONTENT) - 1} of {len(CONTENT)} bytes; run it again")


@pytest.mark.parametrize("ranges", [True, False])
def test_a_cut_connection(server: Server, model: Model, tmp_path: Path, ranges: bool) -> None:
    server.cut = 100_000
    refused(model, tmp_path, "after 100000 of 256000 bytes; run it again to go on from there")
    assert os.listdir(tmp_path) == ["tiny.onnx.part"]
    server.cut, server.ranges = None, ranges
    assert fetch(model, tmp_path).read_bytes() == CONTENT
    assert server.asked == [None, "bytes=100000-"]
    assert os.listdir(tmp_path) == ["tiny.onnx"]


def test_parts_of_something_else(server: Server, model: Model, tmp_path: Path) -> None:
    part = tmp_path / "tiny.onnx.part"
    part.write_bytes(b"x" * 1000)
    refused(model, tmp_path, "other bytes came")
    assert fetch(model, tmp_path).read_bytes() == CONTENT
    (tmp_path / "tiny.onnx").unlink()
    part.write_bytes(b"x" * len(CONTENT))  # too long for a part
    assert fetch(model, tmp_path).read_bytes() == CONTENT
    assert server.asked == ["bytes=1000-", None, None]


def test_another_part_than_asked_for(server: Server, model: Model, tmp_path: Path) -> None:
    (tmp_path / "tiny.onnx.part").write_bytes(CONTENT[:1000])
    server.wrong_range = True
    refused(model, tmp_path, "it sent another part than asked for")


@pytest.mark.parametrize("status", [404, 416, 500])
def test_the_server_refuses(server: Server, model: Model, tmp_path: Path, status: int) -> None:
    (tmp_path / "tiny.onnx.part").write_bytes(CONTENT[:1000])
    server.status = status
    refused(model, tmp_path, rf"cannot fetch tiny from 127\.0\.0\.1: {status} ")
    assert (tmp_path / "tiny.onnx.part").exists() == (status != 416)


def test_no_network(model: Model, tmp_path: Path) -> None:
    nobody = replace(model, url="http://127.0.0.1:1/tiny.onnx")
    refused(nobody, tmp_path, r"cannot fetch tiny from 127\.0\.0\.1: .*refused")
    assert os.listdir(tmp_path) == []


def test_only_https_is_spoken(server: Server, model: Model, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="unknown url type: http"):
        fetch_model(model, tmp_path)
    server.redirect = server.url
    redirected = urllib.request.build_opener(urllib.request.ProxyHandler({}), _HttpsOnly())
    with pytest.raises(ModelError, match="sends us on to an address without https"):
        fetch_model(model, tmp_path, opener=redirected)
    assert server.asked == [None]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk(model: Model, tmp_path: Path) -> None:
    (tmp_path / "tiny.onnx.part").symlink_to("/dev/full")
    with pytest.raises(OutputError, match="the disk is full"):
        fetch(model, tmp_path)


def test_no_folder_can_be_made(model: Model, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"cannot write .*tiny\.onnx"):
        fetch(model, tmp_path / "file" / "models")


def test_install(model: Model, tmp_path: Path) -> None:
    source, folder = tmp_path / "downloaded", tmp_path / "models"
    source.write_bytes(CONTENT)
    assert install_model(model, source, folder) == (folder / "tiny.onnx", True)
    assert install_model(model, folder / "tiny.onnx", folder) == (folder / "tiny.onnx", True)
    assert (folder / "tiny.onnx").read_bytes() == CONTENT
    with pytest.raises(ModelNotFoundError, match=r"no file at .*nothing: give the path of tiny"):
        install_model(model, tmp_path / "nothing", folder)


def test_install_another_detector(model: Model, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    source, folder = red_and_blue(tmp_path / "mine.onnx"), tmp_path / "models"
    assert install_model(model, source, folder) == (folder / "tiny.onnx", False)
    assert (folder / "tiny.onnx").read_bytes() == source.read_bytes()
    source.write_bytes(b"something")
    with pytest.raises(ModelError, match="not an ONNX model"):
        install_model(model, source, folder)
    assert (folder / "tiny.onnx").read_bytes() != b"something"


def test_where_models_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, cache = tmp_path / "own", tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.delenv("VIDEODP_MODELS", raising=False)
    assert models_folder() == cache / "videodp" / "models"
    assert find_model("yolox-nano") is None
    kept = models_folder() / "yolox_nano.onnx"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"kept")
    own.mkdir()
    monkeypatch.setenv("VIDEODP_MODELS", str(own))
    assert find_model("yolox-nano") == kept
    (own / "yolox_nano.onnx").write_bytes(b"mine")
    assert find_model("yolox-nano") == own / "yolox_nano.onnx"
    monkeypatch.setenv("VIDEODP_MODELS", str(tmp_path / "no"))
    with pytest.raises(ModelNotFoundError, match=r"VIDEODP_MODELS is .*no such folder"):
        find_model("yolox-nano")


@pytest.mark.parametrize("cache", ["", "relative/folder"])
def test_the_cache_without_a_usable_variable(
    cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert models_folder() == tmp_path / ".cache" / "videodp" / "models"


def test_yolox_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("VIDEODP_MODELS", str(tmp_path))
    with pytest.raises(ModelNotFoundError, match="videodp models fetch yolox-nano, or name"):
        open_detector("yolox")
    pytest.importorskip("onnxruntime")
    red_and_blue(tmp_path / "yolox_nano.onnx")
    open_detector("yolox")


def test_the_catalogue() -> None:
    assert all(model.url.startswith("https://") for model in CATALOGUE.values())
    assert all(len(bytes.fromhex(model.sha256)) == 32 for model in CATALOGUE.values())
    assert known_model("yolox-nano") is NANO
    with pytest.raises(UsageError, match="no model 'yolox_nano': did you mean 'yolox-nano'"):
        known_model("yolox_nano")
    with pytest.raises(UsageError, match="no model 'zzz': known are yolox-nano"):
        known_model("zzz")


def test_pinned_means_every_byte(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content, pinned in ((CONTENT, True), (CONTENT[:-1], False), (CONTENT[::-1], False)):
        path.write_bytes(content)
        assert is_pinned(model, path) == pinned


def test_the_runtime_is_not_needed_before_a_model_is_opened() -> None:
    script = "import sys, videodp.cli, videodp.elements.detect; print('onnxruntime' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "False\n"
