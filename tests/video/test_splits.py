"""Frame n is the same, bit by bit, wherever reading starts."""

import hashlib
import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from shared_data import data_path
from videodp.video import Video, probe, read_frames

from .conftest import FRAMES, decode, make_clip

X264 = {"preset": "fast"}

CLIPS: dict[str, tuple[str, str, dict[str, object]]] = {
    "h264 b-frames": ("a.mp4", "libx264", {"b_frames": 3, "options": X264}),
    "h264 tiny groups": ("a.mp4", "libx264", {"b_frames": 3, "gop": 2, "options": X264}),
    "h264 intra": ("a.mp4", "libx264", {"gop": 1}),
    "h264 open groups": (
        "a.mp4",
        "libx264",
        {"b_frames": 3, "gop": 6, "options": {"x264-params": "open-gop=1:scenecut=0"}},
    ),
    "h264 intra refresh": (
        "a.mkv",
        "libx264",
        {"b_frames": 0, "gop": 6, "options": {"x264-params": "intra-refresh=1"}},
    ),
    "h264 mkv": ("a.mkv", "libx264", {"b_frames": 2}),
    "h264 ts": ("a.ts", "libx264", {"b_frames": 2}),
    "h264 ts open groups": (
        "a.ts",
        "libx264",
        {"b_frames": 3, "gop": 6, "options": {"x264-params": "open-gop=1:scenecut=0"}},
    ),
    "h264 avi": ("a.avi", "libx264", {"b_frames": 2}),
    "h264 flv": ("a.flv", "libx264", {"b_frames": 2}),
    "h264 raw": ("a.h264", "libx264", {"b_frames": 2}),
    "h264 fields": (
        "a.ts",
        "libx264",
        {"b_frames": 2, "options": {"x264-params": "interlaced=1", "flags": "+ildct+ilme"}},
    ),
    "h264 fragmented": (
        "a.mp4",
        "libx264",
        {"b_frames": 2, "container_options": {"movflags": "frag_keyframe+empty_moov"}},
    ),
    "hevc": ("a.mp4", "libx265", {"options": {"x265-params": "log-level=none:keyint=8"}}),
    "hevc open groups": (
        "a.mkv",
        "libx265",
        {"options": {"x265-params": "log-level=none:keyint=8:open-gop=1:bframes=3"}},
    ),
    "vp8": ("a.webm", "libvpx", {"options": {"auto-alt-ref": "1", "lag-in-frames": "12"}}),
    "vp9": (
        "a.webm",
        "libvpx-vp9",
        {"options": {"auto-alt-ref": "1", "lag-in-frames": "12", "cpu-used": "8"}},
    ),
    "vp9 ivf": ("a.ivf", "libvpx-vp9", {"options": {"cpu-used": "8"}}),
    "av1": ("a.mkv", "libsvtav1", {"options": {"preset": "12"}}),
    "mpeg4 avi": ("a.avi", "mpeg4", {"b_frames": 0}),
    "mpeg4 avi b-frames": ("a.avi", "mpeg4", {"b_frames": 2}),
    "mpeg4 mp4 b-frames": ("a.mp4", "mpeg4", {"b_frames": 2}),
    "msmpeg4 avi": ("a.avi", "msmpeg4", {}),
    "mpeg2 ts": ("a.ts", "mpeg2video", {"b_frames": 2}),
    "mpeg2 mpg": ("a.mpg", "mpeg2video", {"b_frames": 2}),
    "mjpeg": ("a.avi", "mjpeg", {"pixel_format": "yuvj420p"}),
    "mjpeg mov": ("a.mov", "mjpeg", {"pixel_format": "yuvj422p"}),
    "ffv1": ("a.mkv", "ffv1", {"options": {"level": "3"}}),
    "ffv1 rgb": ("a.avi", "ffv1", {"pixel_format": "bgr0"}),
    "prores": ("a.mov", "prores_ks", {"pixel_format": "yuv422p10le"}),
    "gif": ("a.gif", "gif", {"pixel_format": "rgb8", "rate": Fraction(20)}),
    "apng": ("a.apng", "apng", {"pixel_format": "rgb24"}),
    "raw": ("a.nut", "rawvideo", {}),
    "variable rate": (
        "a.mp4",
        "libx264",
        {
            "pts": [index * index + 7 * index for index in range(FRAMES)],
            "time_base": Fraction(1, 1000),
            "b_frames": 2,
        },
    ),
    "turned": ("a.mp4", "libx264", {"turn": 90}),
    "odd size": ("a.mkv", "libx264", {"size": (63, 47), "pixel_format": "yuv444p"}),
}


def _digests(video: Video, start: int, stop: int | None, threads: int) -> list[tuple[object, ...]]:
    return [
        (frame.index, frame.pts, frame.time, hashlib.sha256(frame.rgb.tobytes()).hexdigest())
        for frame in read_frames(video, start, stop, threads=threads)
    ]


@pytest.mark.parametrize("name", CLIPS)
def test_every_split_equals_the_whole(name: str, tmp_path: Path) -> None:
    file, codec, settings = CLIPS[name]
    path = make_clip(tmp_path / file, codec, **settings)  # type: ignore[arg-type]
    video = probe(path)
    plain = decode(path)
    whole = _digests(video, 0, None, 0)

    assert video.frames == len(whole) == len(plain)
    assert len({digest for *_, digest in whole}) == len(whole), "the pictures must differ"
    assert [index for index, *_ in whole] == list(range(len(whole)))
    if video.timed:
        assert [pts for _, pts, *_ in whole] == [frame.pts for frame in plain]
    for start in range(video.frames):
        stop = min(start + 2, video.frames)
        assert _digests(video, start, stop, 1) == whole[start:stop], start
    assert _digests(video, 11, None, 2) == whole[11:]


def test_a_recording_that_begins_in_the_middle(tmp_path: Path) -> None:
    path = make_clip(tmp_path / "a.ts", "libx264", b_frames=2, frames=60)
    whole = [frame.rgb for frame in read_frames(probe(path))]
    data = path.read_bytes()
    path.write_bytes(data[len(data) // 3 // 188 * 188 :])
    video = probe(path)
    assert 20 < video.frames < 50
    assert len(video.key_frames) > 2
    frames = _digests(video, 0, None, 0)
    for frame in read_frames(video, 0, None):
        assert (frame.rgb == whole[frame.index - video.frames]).all()
    for start in range(video.frames):
        assert _digests(video, start, start + 1, 1) == frames[start : start + 1]


def test_a_video_can_be_sent_to_another_process(mp4: Path) -> None:
    video = probe(mp4)
    copy = pickle.loads(pickle.dumps(video))
    assert copy == video
    assert (copy.pts == video.pts).all()


SEEKABLE = [
    *("h264 b-frames", "h264 mkv", "h264 ts", "hevc", "vp8", "vp9", "mpeg4 avi"),
    *("mpeg4 mp4 b-frames", "mjpeg", "ffv1", "h264 open groups", "h264 fragmented", "raw"),
]


@pytest.mark.parametrize("name", SEEKABLE)
def test_fragments_need_not_decode_what_comes_before(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise splitting a video into n fragments would cost n times the decoding."""
    file, codec, settings = CLIPS[name]
    settings = {**settings, "frames": 80, "gop": 8}
    video = probe(make_clip(tmp_path / file, codec, **settings))  # type: ignore[arg-type]
    if name == "h264 open groups":
        assert video.key_frames[0] == 0  # what x264 marks as a key need not be clean
        return
    assert len(video.key_frames) >= 5
    from videodp.video import reader

    places: list[int] = []
    decode_from = reader.decode_from

    def spy(video: Video, key_frame: int, threads: int) -> object:
        places.append(key_frame)
        return decode_from(video, key_frame, threads)

    monkeypatch.setattr(reader, "decode_from", spy)
    for start in (video.key_frames[-1], video.frames - 1):
        next(read_frames(video, start))
    assert places == [video.key_frames[-1]] * 2


@pytest.mark.parametrize(("name", "frames"), [("pets09-s2l1.avi", 795), ("car-detection.mp4", 377)])
def test_real_videos_split_exactly(name: str, frames: int) -> None:
    video = probe(data_path(name))
    assert video.frames == frames
    keys = video.key_frames
    assert len(keys) > 3
    starts = {*keys[:3], keys[1] - 1, keys[1] + 1, frames - 1}
    wanted = {index for start in starts for index in (start, start + 1) if index < frames}
    whole = {
        frame.index: hashlib.sha256(frame.rgb.tobytes()).digest()
        for frame in read_frames(video)
        if frame.index in wanted
    }
    for start in starts:
        for frame in read_frames(video, start, min(start + 2, frames)):
            assert hashlib.sha256(frame.rgb.tobytes()).digest() == whole[frame.index]


def test_reading_is_lazy_and_closes(mp4: Path) -> None:
    video = probe(mp4)
    frames = read_frames(video)
    first = next(frames)
    copy = first.rgb.copy()
    for _ in range(10):
        next(frames)
    assert (first.rgb == copy).all(), "a frame belongs to the caller"
    frames.close()  # type: ignore[attr-defined]
    mp4.unlink()


def test_frames_outside_the_video_are_refused(clip: Callable[..., Path]) -> None:
    video = probe(clip("a.mp4", "libx264"))
    for start, stop in ((-1, 3), (3, 2), (0, FRAMES + 1)):
        with pytest.raises(ValueError, match="not within"):
            read_frames(video, start, stop)
    assert list(read_frames(video, 5, 5)) == []
