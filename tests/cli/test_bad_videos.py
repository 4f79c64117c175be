"""Recordings that cannot be used: one line that says so, and nothing is written."""

import shutil
from pathlib import Path

import av
import numpy as np
import pytest

from video.conftest import make_clip
from videodp.video import probe

from .conftest import ELEMENTS, EPSILON, PUBLISH, Commands

PROTECTED = {
    "encryption_scheme": "cenc-aes-ctr",
    "encryption_key": "00112233445566778899aabbccddeeff",
    "encryption_kid": "0123456789abcdef0123456789abcdef",
}
REST = (*ELEMENTS, *EPSILON)


def text(path: Path) -> None:
    path.write_text("This is not a video.\n" * 50)


def noise(path: Path) -> None:
    path.write_bytes(np.random.default_rng(0).bytes(5000))


def nothing(path: Path) -> None:
    path.write_bytes(b"")


def no_frame(path: Path) -> None:
    with av.open(str(path), "w", options={"movflags": "empty_moov"}) as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        container.start_encoding()


def sound(path: Path) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=48000)
        silence = av.AudioFrame.from_ndarray(
            np.zeros((2, 1024), np.float32), format="fltp", layout="stereo"
        )
        silence.sample_rate = 48000
        container.mux(stream.encode(silence))
        container.mux(stream.encode(None))


def encrypted(path: Path) -> None:
    make_clip(path, "libx264", container_options=PROTECTED)


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (text, "not a video .*give a file such as"),
        (noise, "not a video .*give a file such as"),
        (nothing, "empty .*get the file again"),
        (no_frame, "without a single frame"),
        (sound, "sound but no pictures: give a video"),
        (encrypted, "encrypted: give a copy without protection"),
        (folder, "folder without pictures: give"),
    ],
)
@pytest.mark.parametrize("command", ["publish", "compare"])
def test_bad_recordings(videodp: Commands, make, match: str, command: str) -> None:
    make(videodp.folder / "bad.mp4")
    rest = ("-o", "private.mp4", *REST) if command == "publish" else ("street.mp4",)
    videodp.refused(1, match, command, "bad.mp4", *rest)


def test_no_such_recording(videodp: Commands) -> None:
    rest = ("-o", "private.mp4", *REST)
    videodp.refused(2, "no file no.mp4: check the name", "publish", "no.mp4", *rest)
    videodp.refused(2, "no file no.mp4: check the name", "compare", "no.mp4", "street.mp4")
    videodp.refused(2, "no file no.mp4: check the name", "compare", "street.mp4", "no.mp4")
    videodp.refused(2, "only local files", "publish", "http://127.0.0.1/a.mp4", *rest)


def test_a_name_cannot_break_the_line(videodp: Commands) -> None:
    name = "two\nlines\x1b[31m\r.mp4"
    (videodp.folder / name).write_text("no video")
    said = videodp.refused(1, "not a video", "publish", name, "-o", "private.mp4", *REST)
    assert said.rstrip("\n").isprintable()


def test_a_cut_recording_is_published_only_when_allowed(videodp: Commands) -> None:
    whole = make_clip(videodp.folder / "whole.mkv", "libx264", frames=60, size=(160, 120))
    data = whole.read_bytes()
    whole.with_name("cut.mkv").write_bytes(data[: len(data) // 2 | 1])
    whole.unlink()
    lines = (f"{frame},7,{frame},20,30,60,1,1,1" for frame in range(1, 61))
    whole.with_name("cut.txt").write_text("\n".join(lines))
    arguments = ("publish", "cut.mkv", "-o", "private.mkv", "--elements", "cut.txt", *EPSILON)
    videodp.refused(
        1, r"ends early: \d+ .*frames can be decoded; pass --allow-truncated", *arguments
    )
    done = videodp.fine(*arguments, "--allow-truncated")
    usable = probe(videodp.folder / "cut.mkv", allow_truncated=True).frames
    assert f"note: the video ends early: only its first {usable} frames were published" in done.err
    assert 0 < usable < 60
    assert probe(videodp.folder / "private.mkv").frames == usable


def test_an_mp4_without_its_index_is_beyond_help(videodp: Commands) -> None:
    path = videodp.folder / "street.mp4"
    path.write_bytes(path.read_bytes()[:3000])
    for allow in ([], ["--allow-truncated"]):
        videodp.refused(1, "ends before its index.*get a complete copy", *PUBLISH, *REST, *allow)


def test_compare_wants_one_size_and_one_length(videodp: Commands) -> None:
    make_clip(videodp.folder / "other.mp4", "libx264", size=(64, 48), frames=8)
    make_clip(videodp.folder / "longer.mp4", "libx264", size=(96, 64), frames=9)
    own = "give a private video and its own original"
    videodp.refused(
        2, f"96x64, but other.mp4 is 64x48: {own}", "compare", "street.mp4", "other.mp4"
    )
    videodp.refused(
        2, f"8 frames, but longer.mp4 has 9: {own}", "compare", "street.mp4", "longer.mp4"
    )
    shutil.copy("street.mp4", "same.mp4")
    videodp.refused(
        2, "no elements file", "compare", "street.mp4", "same.mp4", "--elements", "no.parquet"
    )
