"""Statistics of pixels equal those of numpy over the frames that were written."""

from pathlib import Path

import numpy as np
import pytest

import videodp
from helpers import write_video
from videodp.errors import UsageError
from videodp.queries import Footage, Region, footage_of, histogram, pixel_totals, pixels
from videodp.video import probe

REGIONS = (Region(1, 2, 3, 4), Region(0, 0, 12, 8))


@pytest.fixture(scope="module")
def frames() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 256, (5, 8, 12, 3), dtype=np.uint8)


@pytest.fixture(scope="module")
def footage(frames: np.ndarray, tmp_path_factory: pytest.TempPathFactory) -> Footage:
    path = write_video(tmp_path_factory.mktemp("pixels") / "noise.mkv", frames)
    return footage_of(None, probe(path), frames=(1, 4))


def test_histogram(frames: np.ndarray, footage: Footage) -> None:
    answer = histogram(footage)
    for channel, name in enumerate(("red", "green", "blue")):
        expected = np.bincount(frames[1:4, ..., channel].reshape(-1), minlength=256)
        assert answer[name].to_pylist() == expected.tolist()


def test_histogram_of_regions(frames: np.ndarray, footage: Footage) -> None:
    answer = histogram(footage, regions=REGIONS[:1])
    expected = np.bincount(frames[1:4, 2:6, 1:4, 1].reshape(-1), minlength=256)
    assert answer["green"].to_pylist() == expected.tolist()


def test_pixels(frames: np.ndarray, footage: Footage) -> None:
    rows = pixels(footage, regions=REGIONS).to_pylist()
    assert [(row["frame"], row["x"]) for row in rows] == [(t, x) for t in (1, 2, 3) for x in (1, 0)]
    for row in rows:
        x, y, w, h = (row[side] for side in ("x", "y", "width", "height"))
        part = frames[row["frame"], y : y + h, x : x + w].astype(float)
        assert [row[c] for c in ("red", "green", "blue")] == pytest.approx(part.mean(axis=(0, 1)))
        found = [row[f"{c}_variance"] for c in ("red", "green", "blue")]
        assert found == pytest.approx(part.var(axis=(0, 1)))


def test_pixel_totals(frames: np.ndarray, footage: Footage) -> None:
    rows = pixel_totals(footage, regions=REGIONS).to_pylist()
    assert [row["frames"] for row in rows] == [3, 3]
    part = frames[1:4, 2:6, 1:4].astype(float)
    assert rows[0]["red"] == pytest.approx(part[..., 0].mean())
    assert rows[0]["blue_variance"] == pytest.approx(part[..., 2].var())
    assert len(pixel_totals(footage_of(None, footage.video, frames=(2, 2)))) == 0


def test_a_region_outside_the_picture(footage: Footage) -> None:
    with pytest.raises(UsageError, match="reaches to 13,4, outside the picture of 12x8"):
        pixels(footage, regions=[Region(10, 0, 3, 4)])


def test_elements_are_asked_for_by_name(footage: Footage) -> None:
    with pytest.raises(UsageError, match=r"who is in noise\.mkv"):
        videodp.ask(footage, "count")


def test_any_code(frames: np.ndarray, footage: Footage) -> None:
    assert footage.video is not None
    path: Path = footage.video.path
    means = videodp.analyse(path, lambda frame: (frame.index, int(frame.rgb.max())), frames=(2, 4))
    assert means == [(t, int(frames[t].max())) for t in (2, 3)]
    rows = videodp.analyse(path, lambda frame: {"frame": frame.index, "t": float(frame.time)})
    table = videodp.as_table(rows)
    assert table["frame"].to_pylist() == [0, 1, 2, 3, 4]
    assert table["t"].to_pylist() == pytest.approx([0, 0.04, 0.08, 0.12, 0.16])
    with pytest.raises(UsageError, match="a table needs rows"):
        videodp.as_table([1, 2])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="the rows do not fit into one table"):
        videodp.as_table([{"a": 1}, {"a": "x"}])


def test_a_fault_in_any_code_is_the_analysts_own(footage: Footage) -> None:
    assert footage.video is not None
    with pytest.raises(ZeroDivisionError):
        videodp.analyse(footage.video, lambda frame: 1 / frame.index)
