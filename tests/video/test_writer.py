"""What is written can be read again: the same frames, times, colours and sound."""

# ruff: noqa: PT012 - what is tested is how the with block ends

import hashlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from videodp.errors import OutputError, OutputExistsError, UsageError
from videodp.video import VideoWriter, probe, read_frames

from .conftest import picture


def _write(
    path: Path, count: int = 9, size: tuple[int, int] = (64, 48), **settings: object
) -> Path:
    settings = {"rate": Fraction(25), **settings}
    width, height = size
    with VideoWriter(path, width=width, height=height, **settings) as writer:  # type: ignore[arg-type]
        for index in range(count):
            writer.write(picture(index, *size))
    return path


@pytest.mark.parametrize("ending", [".mkv", ".avi", ".nut"])
@pytest.mark.parametrize("size", [(64, 48), (63, 47), (1, 1), (34, 720)])
def test_ffv1_gives_back_every_byte(tmp_path: Path, ending: str, size: tuple[int, int]) -> None:
    rng = np.random.default_rng(7)
    frames = [rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8) for _ in range(5)]
    path = tmp_path / f"a{ending}"
    with VideoWriter(path, width=size[0], height=size[1], rate=Fraction(10), codec="ffv1") as out:
        for frame in frames:
            out.write(frame)
    video = probe(path)
    assert video.frames == 5
    assert video.rate == 10
    for frame, wanted in zip(read_frames(video), frames, strict=True):
        assert (frame.rgb == wanted).all()


@pytest.mark.parametrize(
    ("ending", "codec"),
    [
        *((".mp4", codec) for codec in ("libx264", "libx265", "libsvtav1", "libvpx-vp9")),
        *((".mkv", codec) for codec in ("libx264", "libx265", "libsvtav1", "libvpx-vp9")),
        *((".webm", "libvpx-vp9"), (".webm", "libsvtav1"), (".mov", "libx264")),
    ],
)
@pytest.mark.parametrize("size", [(64, 64), (65, 67), (64, 720)])
def test_flat_colours_come_back(
    tmp_path: Path,
    ending: str,
    codec: str,
    size: tuple[int, int],
    capfd: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / f"a{ending}"
    colours = [(200, 30, 40), (20, 180, 90), (10, 20, 220), (128, 128, 128), (255, 255, 255)]
    rate = Fraction(30000, 1001)
    if codec == "libsvtav1" and size[0] % 2:
        with pytest.raises(UsageError, match="odd size"):
            VideoWriter(path, width=size[0], height=size[1], rate=rate, codec=codec)
        return
    with VideoWriter(
        path, width=size[0], height=size[1], rate=rate, codec=codec, preset="ultrafast"
    ) as out:
        for colour in colours:
            for _ in range(3):
                out.write(np.full((size[1], size[0], 3), colour, np.uint8))
    video = probe(path)
    assert (video.width, video.height, video.frames) == (*size, 15)
    with av.open(str(path)) as container:
        context = container.streams.video[0].codec_context
        assert context.colorspace == (1 if size[1] >= 720 else 6)
        assert context.color_range == 1
    for frame in read_frames(video):
        wanted = np.array(colours[frame.index // 3])
        middle = frame.rgb[8:-8, 8:-8].reshape(-1, 3).mean(axis=0)
        assert np.abs(middle - wanted).max() <= 3, (frame.index, middle)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("ending", [".mp4", ".mkv", ".mov"])
def test_times_are_kept(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    times = [0, 40, 50, 200, 1000, 1033, 5000]
    with VideoWriter(
        path, width=64, height=48, rate=Fraction(25), time_base=Fraction(1, 1000)
    ) as out:
        for index, pts in enumerate(times):
            out.write(picture(index), pts)
    video = probe(path)
    assert [frame.time for frame in read_frames(video)] == [Fraction(t, 1000) for t in times]


def test_the_next_frame_follows_at_the_rate_without_drift(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    rate = Fraction(30000, 1001)
    with VideoWriter(path, width=64, height=48, rate=rate, time_base=Fraction(1, 90000)) as out:
        out.write(picture(0), 900)
        for index in range(1, 40):
            out.write(picture(index))
    for frame in read_frames(probe(path)):
        assert abs(frame.time - (Fraction(1, 100) + frame.index / rate)) <= Fraction(1, 90000)


def test_a_copy_keeps_count_and_times(clip: Callable[..., Path], tmp_path: Path) -> None:
    source = probe(
        clip("a.mp4", "libx264", pts=[i * i + i * 3 + 77 for i in range(31)],
             time_base=Fraction(1, 600), b_frames=2)
    )  # fmt: skip
    path = tmp_path / "b.mp4"
    with VideoWriter(
        path, width=64, height=48, rate=source.rate, time_base=source.time_base
    ) as out:
        for frame in read_frames(source):
            out.write(frame.rgb, frame.pts)
    copy = probe(path)
    assert copy.frames == source.frames
    assert [copy.time_of(i) for i in range(31)] == [source.time_of(i) for i in range(31)]


@pytest.mark.parametrize(
    ("name", "codec"), [("a.mkv", "ffv1"), ("a.mp4", "libx264"), ("a.webm", "libvpx-vp9")]
)
def test_the_same_frames_give_the_same_bytes(tmp_path: Path, name: str, codec: str) -> None:
    digests = set()
    for folder, threads in (("one", 0), ("two", 0), ("three", 1 if codec == "ffv1" else 0)):
        (tmp_path / folder).mkdir()
        path = _write(tmp_path / folder / name, codec=codec, threads=threads)
        digests.add(hashlib.sha256(path.read_bytes()).digest())
    assert len(digests) == 1


def test_strided_and_read_only_frames_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.mkv"
    wide = picture(0, 128, 48)
    fixed = picture(1)
    fixed.flags.writeable = False
    reused = picture(2)
    with VideoWriter(path, width=64, height=48, rate=Fraction(25), codec="ffv1") as out:
        for array in (wide[:, ::2], np.rot90(picture(3, 48, 64)), fixed, reused):
            out.write(array)
        reused[:] = 0
    got = [frame.rgb for frame in read_frames(probe(path))]
    assert (got[0] == wide[:, ::2]).all()
    assert (got[1] == np.rot90(picture(3, 48, 64))).all()
    assert (got[3] == picture(2)).all()


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("a.mp4", {"codec": "h264_magic"}, "unknown: choose one of"),
        ("a.xyz", {}, "choose one of .mp4"),
        ("a", {}, "choose one of .mp4"),
        ("a.webm", {"codec": "libx264"}, "cannot hold libx264"),
        ("a.mp4", {"codec": "ffv1"}, "cannot hold ffv1"),
        ("a.mp4", {"crf": 52}, "0 .best. to 51"),
        ("a.mp4", {"crf": -1}, "0 .best. to 51"),
        ("a.webm", {"codec": "libvpx-vp9", "crf": 64}, "0 .best. to 63"),
        ("a.mp4", {"preset": "swift"}, "choose one of ultrafast"),
        ("a.mp4", {"rate": Fraction(0)}, "above 0"),
        ("a.mp4", {"width": 0}, "1 to 16384"),
        ("a.mp4", {"codec": "libx265"}, "small size 64x48"),
        ("a.mp4", {"codec": "libsvtav1"}, "small size 64x48"),
    ],
)
def test_wrong_settings_are_refused_at_once(
    tmp_path: Path, name: str, settings: dict[str, object], message: str
) -> None:
    settings = {"width": 64, "height": 48, "rate": Fraction(25), **settings}
    with pytest.raises(UsageError, match=message):
        VideoWriter(tmp_path / name, **settings)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_wrong_frames_are_refused(tmp_path: Path) -> None:
    for bad in (picture(0, 32, 48), picture(0).astype(np.float32), picture(0)[..., 0]):
        with (
            pytest.raises(UsageError, match="expected uint8"),
            VideoWriter(tmp_path / "a.mp4", width=64, height=48, rate=Fraction(25)) as out,
        ):
            out.write(bad)
    with (
        pytest.raises(UsageError, match="must increase"),
        VideoWriter(tmp_path / "a.mp4", width=64, height=48, rate=Fraction(25)) as out,
    ):
        out.write(picture(0), 5)
        out.write(picture(1), 5)
    with pytest.raises(UsageError, match="with statement"):
        VideoWriter(tmp_path / "a.mp4", width=64, height=48, rate=Fraction(25)).write(picture(0))
    assert list(tmp_path.iterdir()) == []


def test_a_video_without_frames_is_not_left_behind(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no frame"):
        _write(tmp_path / "a.mp4", count=0)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, SystemExit])
@pytest.mark.parametrize("frames", [0, 7])
def test_nothing_is_left_when_the_block_fails(
    tmp_path: Path, error: type[BaseException], frames: int
) -> None:
    path = tmp_path / "a.mp4"
    with (
        pytest.raises(error),
        VideoWriter(path, width=64, height=48, rate=Fraction(25)) as out,
    ):
        for index in range(frames):
            out.write(picture(index))
        raise error
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_is_kept_unless_told_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    path.write_text("precious")
    with pytest.raises(OutputExistsError, match="--overwrite"):
        _write(path)
    assert path.read_text() == "precious"
    with (
        pytest.raises(ValueError, match="oops"),
        VideoWriter(path, width=64, height=48, rate=Fraction(25), overwrite=True) as out,
    ):
        out.write(picture(0))
        raise ValueError("oops")
    assert path.read_text() == "precious"
    _write(path, overwrite=True)
    assert probe(path).frames == 9


def test_a_video_can_be_written_over_itself(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.mp4")
    video = probe(path)
    with VideoWriter(path, width=64, height=48, rate=video.rate, overwrite=True) as out:
        for frame in read_frames(video):
            out.write(frame.rgb)
    assert probe(path).frames == 9


FULL_DISK = """
    import resource, sys
    from fractions import Fraction
    import numpy as np
    from videodp.errors import OutputError
    from videodp.video import VideoWriter
    limit, name, codec, frames = int(sys.argv[1]), *sys.argv[2:4], int(sys.argv[4])
    rng = np.random.default_rng(0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        with VideoWriter(name, width=128, height=96, rate=Fraction(25), codec=codec) as out:
            for _ in range(frames):
                out.write(rng.integers(0, 256, (96, 128, 3), dtype=np.uint8))
    except OutputError as error:
        print(error)
    else:
        print("no error")
"""


@pytest.mark.parametrize(
    ("name", "codec", "frames", "limit"),
    [
        ("a.mp4", "libx264", 200, 200_000),  # while frames are written
        ("a.mp4", "libx264", 4, 20_000),  # at the end
        ("a.mkv", "ffv1", 20, 100_000),
        ("a.mkv", "ffv1", 1, 100),
        ("a.mp4", "libx264", 1, 0),
    ],
)
def test_a_file_that_cannot_grow_is_an_error_and_is_not_left(
    tmp_path: Path, name: str, codec: str, frames: int, limit: int
) -> None:
    """A limit on the size of files stands in for a full disk: both fail in write()."""
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FULL_DISK), str(limit), name, codec, str(frames)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "would be larger than allowed" in run.stdout
    assert run.stderr == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs root to mount")
def test_a_full_disk(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    rng = np.random.default_rng(0)
    try:
        for name, codec, count in (("a.mp4", "libx264", 60), ("a.mkv", "ffv1", 9)):
            with (
                pytest.raises(OutputError, match="disk is full"),
                VideoWriter(
                    disk / name, width=128, height=96, rate=Fraction(25), codec=codec
                ) as out,
            ):
                for _ in range(count):
                    out.write(rng.integers(0, 256, (96, 128, 3), dtype=np.uint8))
            assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def _with_sound(path: Path, codec: str = "aac") -> Path:
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=25)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        audio = container.add_stream(codec, rate=48000)
        for index in range(50):
            frame = av.VideoFrame.from_ndarray(picture(index), format="rgb24")
            container.mux(video.encode(frame.reformat(format="yuv420p")))
            tone = np.sin(np.arange(1920) / 20 + index * 96).astype(np.float32)
            kind = audio.format.name
            samples = tone if kind.startswith("flt") else (tone * 9000).astype(np.int16)
            planes = np.stack([samples, samples])
            planes = planes if kind.endswith("p") else planes.T.reshape(1, -1)
            sound = av.AudioFrame.from_ndarray(
                np.ascontiguousarray(planes), format=kind, layout="stereo"
            )
            sound.sample_rate = 48000
            container.mux(audio.encode(sound))
        container.mux(video.encode(None))
        container.mux(audio.encode(None))
    return path


def _packets(path: Path) -> list[tuple[bytes, Fraction]]:
    with av.open(str(path)) as container:
        return [
            (bytes(packet), packet.pts * packet.time_base)
            for packet in container.demux(audio=0)
            if packet.pts is not None
        ]


@pytest.mark.parametrize("ending", [".mp4", ".mkv", ".mov"])
def test_sound_is_copied_unchanged(tmp_path: Path, ending: str) -> None:
    source = probe(_with_sound(tmp_path / "in.mp4"))
    assert source.has_audio
    path = tmp_path / f"out{ending}"
    with VideoWriter(
        path, width=64, height=48, rate=source.rate, time_base=source.time_base, audio_from=source
    ) as out:
        for frame in read_frames(source):
            out.write(frame.rgb, frame.pts)
    copy = probe(path)
    assert copy.has_audio
    assert copy.frames == source.frames
    before, after = _packets(source.path), _packets(path)
    assert [data for data, _ in before] == [data for data, _ in after]
    for (_, wanted), (_, got) in zip(before, after, strict=True):
        assert abs(wanted - got) <= Fraction(1, 900)


def test_sound_that_does_not_fit_is_refused(tmp_path: Path, mp4: Path) -> None:
    source = probe(_with_sound(tmp_path / "in.mp4"))
    for name, wanted, message in (
        ("out.webm", source, "does not fit"),
        ("out.mp4", probe(mp4), "has no sound"),
    ):
        codec = "libvpx-vp9" if name.endswith("webm") else "libx264"
        with (
            pytest.raises(UsageError, match=message),
            VideoWriter(
                tmp_path / name,
                width=64,
                height=48,
                rate=Fraction(25),
                codec=codec,
                audio_from=wanted,
            ),
        ):
            pass
        assert not (tmp_path / name).exists()


def test_sound_is_dropped_unless_asked_for(tmp_path: Path) -> None:
    assert not probe(_write(tmp_path / "a.mp4")).has_audio
