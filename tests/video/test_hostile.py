"""A video is a file from a stranger: it must not make us open anything else."""

import socket
import threading
from pathlib import Path

import pytest

from videodp.errors import NotAVideoError, VideoError, VideoNotFoundError
from videodp.video import probe


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1.2,\n{other}\n#EXT-X-ENDLIST\n"),
        ("a.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1.2,\n{other}\n#EXT-X-ENDLIST\n"),
        ("a.ffconcat", "ffconcat version 1.0\nfile {other}\n"),
        ("a.txt", "ffconcat version 1.0\nfile '{other}'\n"),
        ("a.avi", "ffconcat version 1.0\nfile {other}\n"),
        (
            "a.mpd",
            '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
            'mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="video/mp4">'
            '<Representation id="1" bandwidth="1"><BaseURL>{other}</BaseURL></Representation>'
            "</AdaptationSet></Period></MPD>",
        ),
        ("a.sdp", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nm=video 5004 RTP/AVP 96\n"),
    ],
)
@pytest.mark.parametrize("kind", ["file", "network"])
def test_playlists_open_nothing(
    tmp_path: Path, mp4: Path, name: str, content: str, kind: str
) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.settimeout(0.2)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/a.ts"
        path = tmp_path / name
        path.write_text(content.format(other=mp4.name if kind == "file" else address))
        with pytest.raises(NotAVideoError):
            probe(path)
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:{port}/a.mp4", "HTTP://127.0.0.1:{port}/a.mp4", "tcp://127.0.0.1:{port}"],
)
def test_addresses_are_not_visited(address: str) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.settimeout(0.2)
        with pytest.raises(VideoNotFoundError, match="only local files"):
            probe(address.format(port=server.getsockname()[1]))
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.parametrize(
    "name",
    [
        *("concat:a.mp4|b.mp4", "subfile,,start,0,end,99,,:a.mp4", "pipe:0", "file:a.mp4"),
        *("lavfi:testsrc", "data:video/mp4;base64,AAAA", "crypto:a.mp4", "frame%03d.png"),
    ],
)
def test_ffmpeg_words_are_only_names(
    tmp_path: Path, mp4: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.mp4").write_bytes(mp4.read_bytes())
    with pytest.raises(VideoNotFoundError):
        probe(name)


@pytest.mark.parametrize("name", ["http:a.mp4", "concat:a.mp4", "-i.mp4", "%03d.mp4", "ü ñ.mp4"])
def test_strange_names_of_real_files_work(tmp_path: Path, mp4: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(mp4.read_bytes())
    assert probe(path).frames == 31


def test_probing_leaves_no_thread_and_no_file_open(mp4: Path) -> None:
    threads, files = threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        probe(mp4)
        with pytest.raises(VideoError):
            probe(mp4.parent)
    assert threading.active_count() == threads
    assert len(list(Path("/proc/self/fd").iterdir())) == files
