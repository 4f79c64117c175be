"""What `probe` says about videos, and about files that are none or only part of one."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from videodp.errors import (
    EmptyVideoError,
    NotAVideoError,
    TruncatedVideoError,
    UsageError,
    VideoDPError,
    VideoError,
    VideoNotFoundError,
)
from videodp.video import probe, read_frames

from .conftest import FRAMES, decode

PROTECTED = {
    "encryption_scheme": "cenc-aes-ctr",
    "encryption_key": "00112233445566778899aabbccddeeff",
    "encryption_kid": "0123456789abcdef0123456789abcdef",
}


def test_a_plain_video(mp4: Path) -> None:
    video = probe(str(mp4))
    assert (video.width, video.height, video.frames) == (64, 48, FRAMES)
    assert video.rate == 25
    assert isinstance(video.rate, Fraction)
    assert (video.codec, video.pixel_format) == ("h264", "yuv420p")
    assert not video.has_audio
    assert not video.truncated
    assert video.key_frames[0] == 0
    assert len(video.key_frames) > 2
    assert video.pts.dtype == np.int64
    assert video.time_of(5) == Fraction(5, 25)


def test_frames_are_counted_not_guessed(clip: Callable[..., Path]) -> None:
    for name, codec, settings in (
        ("a.webm", "libvpx", {"options": {"auto-alt-ref": "1", "lag-in-frames": "16"}}),
        ("b.avi", "mpeg4", {"b_frames": 3}),
        ("c.avi", "libx264", {"b_frames": 3}),
        ("d.flv", "flv", {}),
        ("e.mp4", "libx264", {"pts": [i * 3 + i % 2 for i in range(FRAMES)]}),
    ):
        path = clip(name, codec, **settings)
        assert probe(path).frames == len(decode(path)) == FRAMES, name


@pytest.mark.parametrize("degrees", [90, 180, 270])
@pytest.mark.parametrize("ending", ["mp4", "mkv"])
def test_turned_videos_stand_upright(clip: Callable[..., Path], degrees: int, ending: str) -> None:
    flat = probe(clip(f"flat.{ending}", "libx264"))
    turned = probe(clip(f"turned.{ending}", "libx264", turn=degrees))
    assert (turned.width, turned.height) == ((48, 64) if degrees != 180 else (64, 48))
    for wanted, got in zip(read_frames(flat, 0, 3), read_frames(turned, 0, 3), strict=True):
        assert got.rgb.shape == (turned.height, turned.width, 3)
        # FFmpeg: the angle by which the picture is to be turned counterclockwise
        assert (got.rgb == np.rot90(wanted.rgb, degrees // 90)).all()


NOT_VIDEOS: dict[str, tuple[str, bytes, type[VideoError], str]] = {
    "text": ("a.mp4", b"hello, this is text\n" * 50, NotAVideoError, "not a video"),
    "empty": ("a.mp4", b"", NotAVideoError, "is empty"),
    "random": ("a.mp4", np.random.default_rng(0).bytes(20_000), NotAVideoError, "not a video"),
    "random avi": ("a.avi", np.random.default_rng(1).bytes(20_000), NotAVideoError, "not a video"),
    "subtitles": ("a.srt", b"1\n00:00:00,000 --> 00:00:01,000\nhi\n", NotAVideoError, "not a"),
    "script": ("a.py", b"print('x')\n", NotAVideoError, "not a video"),
}


@pytest.mark.parametrize("name", NOT_VIDEOS)
def test_files_that_are_no_videos(
    tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    file, content, kind, message = NOT_VIDEOS[name]
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(kind, match=message) as failure:
        probe(path)
    assert "\n" not in str(failure.value)
    assert str(path) in str(failure.value)
    assert capfd.readouterr() == ("", ""), "FFmpeg must keep quiet"


def test_missing_and_impossible_paths(tmp_path: Path) -> None:
    for path in (tmp_path / "no.mp4", "", "a\0b", "x" * 5000):
        with pytest.raises(VideoNotFoundError):
            probe(path)
    with pytest.raises(FileNotFoundError, match="check the name"):
        probe(tmp_path / "no.mp4")
    for odd in (b"a.mp4", None, 3, 1.5):
        with pytest.raises(UsageError):
            probe(odd)  # type: ignore[arg-type]
    with pytest.raises(NotAVideoError, match="neither a file nor a folder"):
        probe("/dev/null")


def test_a_folder_without_pictures(tmp_path: Path) -> None:
    with pytest.raises(EmptyVideoError, match="without pictures"):
        probe(tmp_path)


def test_sound_alone_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=48000)
        sound = av.AudioFrame.from_ndarray(
            np.zeros((2, 1024), np.float32), format="fltp", layout="stereo"
        )
        sound.sample_rate = 48000
        container.mux(stream.encode(sound))
        container.mux(stream.encode(None))
    with pytest.raises(NotAVideoError, match="sound but no pictures"):
        probe(path)


def test_a_video_without_frames(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w", options={"movflags": "empty_moov"}) as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        container.start_encoding()
    with pytest.raises(EmptyVideoError, match="without a single frame"):
        probe(path)


def test_encrypted_videos_are_named_as_such(clip: Callable[..., Path]) -> None:
    path = clip("a.mp4", "libx264", container_options=PROTECTED)
    for allow in (False, True):
        with pytest.raises(NotAVideoError, match="encrypted"):
            probe(path, allow_truncated=allow)


def test_packets_that_do_not_decode(clip: Callable[..., Path]) -> None:
    path = clip("a.mp4", "libx264", b_frames=0)
    data = bytearray(path.read_bytes())
    start = data.index(b"mdat") + 4
    end = data.index(b"moov") - 4
    data[start:end] = np.random.default_rng(0).bytes(end - start)
    path.write_bytes(data)
    for allow in (False, True):
        with pytest.raises(NotAVideoError, match="may be encrypted or damaged"):
            probe(path, allow_truncated=allow)


def _cut(path: Path, share: float) -> Path:
    data = path.read_bytes()
    # An odd length: a cut between two packets of MPEG-TS, which are 188 bytes, leaves no trace.
    path.write_bytes(data[: int(len(data) * share) | 1])
    return path


def test_mp4_cut_before_its_index(mp4: Path) -> None:
    _cut(mp4, 0.6)
    for allow in (False, True):
        with pytest.raises(TruncatedVideoError, match="before its index"):
            probe(mp4, allow_truncated=allow)


CUT = {
    "mp4 with the index in front": ("a.mp4", "libx264", {"movflags": "faststart"}),
    "fragmented mp4": ("a.mp4", "libx264", {"movflags": "frag_keyframe+empty_moov"}),
    "mkv": ("a.mkv", "libx264", {}),
    "mkv ffv1": ("b.mkv", "ffv1", {}),
    "webm": ("a.webm", "libvpx-vp9", {}),
    "avi": ("a.avi", "mpeg4", {}),
    "avi mjpeg": ("b.avi", "mjpeg", {}),
    "ts": ("a.ts", "libx264", {}),
}


@pytest.mark.parametrize("share", [0.35, 0.5, 0.83])
@pytest.mark.parametrize("name", CUT)
def test_cut_videos(clip: Callable[..., Path], tmp_path: Path, name: str, share: float) -> None:
    file, codec, container_options = CUT[name]
    settings = {"pixel_format": "yuvj420p"} if codec == "mjpeg" else {}
    path = clip(
        file,
        codec,
        frames=60,
        size=(320, 240) if codec == "mpeg4" else (160, 120),
        container_options=container_options,
        **settings,
    )
    complete = tmp_path / f"complete-{file}"
    shutil.copy(path, complete)
    _cut(path, share)
    with pytest.raises(TruncatedVideoError, match=r"ends early: \d+ (of 60 )?frames can be"):
        probe(path)
    video = probe(path, allow_truncated=True)
    assert video.truncated
    assert 5 < video.frames < 60
    whole = [frame.rgb for frame in read_frames(probe(complete))]
    for frame in read_frames(video):
        assert (frame.rgb == whole[frame.index]).all(), "only undamaged frames may be used"
    last = list(read_frames(video, video.frames - 1))
    assert (last[0].rgb == whole[video.frames - 1]).all()


def test_complete_videos_are_not_called_cut(clip: Callable[..., Path]) -> None:
    for file, codec, container_options in CUT.values():
        settings = {"pixel_format": "yuvj420p"} if codec == "mjpeg" else {}
        path = clip(file, codec, container_options=container_options, **settings)
        assert not probe(path).truncated
    for name in ("live.mkv", "live.webm"):
        codec = "libx264" if name.endswith("mkv") else "libvpx-vp9"
        assert probe(clip(name, codec, container_options={"live": "1"})).frames == FRAMES


def test_a_file_that_changes_after_the_probe(clip: Callable[..., Path]) -> None:
    """The frames promised and the frames given are never different without an error."""
    path = clip("a.mp4", "libx264", container_options={"movflags": "faststart"})
    video = probe(path)
    _cut(path, 0.7)
    with pytest.raises(TruncatedVideoError, match="cannot be decoded"):
        list(read_frames(video))
    path.write_bytes(b"")
    with pytest.raises(VideoDPError):
        list(read_frames(video))
    path.unlink()
    with pytest.raises(VideoDPError):
        list(read_frames(video))


def test_damage_in_the_middle(clip: Callable[..., Path]) -> None:
    path = clip("a.mkv", "ffv1", options={"level": "3", "slicecrc": "1"})
    video = probe(path)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 400] = bytes(400)
    path.write_bytes(data)
    with suppress(TruncatedVideoError):
        assert len(list(read_frames(video))) == video.frames


def test_huge_pictures_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mjpeg", rate=1)
        stream.width, stream.height, stream.pix_fmt = 17000, 16, "yuvj420p"
        frame = av.VideoFrame.from_ndarray(np.zeros((16, 17000, 3), np.uint8), format="rgb24")
        container.mux(stream.encode(frame.reformat(format="yuvj420p")))
        container.mux(stream.encode(None))
    with pytest.raises(VideoError, match="17000x16"):
        probe(path)


def test_a_change_of_size_on_the_way(clip: Callable[..., Path], tmp_path: Path) -> None:
    parts = [
        clip(f"{width}.h264", "libx264", frames=5, size=(width, 48)).read_bytes()
        for width in (64, 96)
    ]
    path = tmp_path / "a.h264"
    path.write_bytes(b"".join(parts))
    with pytest.raises(VideoError, match="changes its size at frame 5, from 64x48 to 96x48"):
        list(read_frames(probe(path)))
