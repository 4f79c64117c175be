"""Whoever follows the made-up people from frame to frame comes to the tracks that were painted.

People come, stand and go between dark grass and bright stone. First each one is boxed where they
were painted, so that only their looks and their way can break a track; then, where the model is at
hand, the product's own find looks at the finished video.
"""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from elements.find.clips import rows_of
from elements.track.mot import Rows
from shared_data import model_path
from videodp.elements.detect import Detections
from videodp.elements.find import FindSettings, find_elements
from videodp.elements.track import Found, describe, track
from videodp.privacy.randomness import Randomness
from videodp.synthesis.paint import Painted, Painter
from videodp.synthesis.scenery import Scenery
from videodp.video import VideoWriter

from .crowds import crowd

WIDTH, HEIGHT = 640, 360
LENGTH = {7: 140, 25: 300}
"""Frames of a clip at each rate."""


def grass_and_stone() -> np.ndarray:
    """(height, width, 3) uint8: stripes, so that nobody can stay on one of them."""
    plate = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    grass = np.arange(WIDTH) // 160 % 2 == 0
    plate[:, grass], plate[:, ~grass] = (72, 90, 52), (166, 164, 158)
    return plate


def shown(plate: np.ndarray, rate: int, seed: int) -> Iterator[Painted]:
    size, tall = (WIDTH, HEIGHT), (0.2, 0.4)
    population = crowd(
        size, LENGTH[rate], 7, rate=Fraction(rate), labels=("person",), tall=tall, seed=seed
    )
    painter = Painter(population, Scenery(plate, 1.5), Randomness(seed))
    return map(painter.frame, range(LENGTH[rate]))


def rows_of_all(painted: Painted) -> np.ndarray:
    """(n, 7): frame, id, box and visibility of everybody in the picture."""
    seen = painted.seen
    frame = np.full(len(seen), seen.frame)
    return np.column_stack([frame, seen.ids, seen.boxes, painted.visibility])


def rows_inside(painted: Painted) -> np.ndarray:
    """The same without those whom the border cuts: no detector would be sure of them."""
    rows = rows_of_all(painted)
    return rows[(rows[:, 2] > 0) & (rows[:, 2] + rows[:, 4] < WIDTH)]


def stays(rows: Rows) -> np.ndarray:
    """(n,) frames of each track."""
    return np.unique(rows.id, return_counts=True)[1]


def as_rows(table: np.ndarray) -> Rows:
    return Rows(table[:, 0].astype(int), table[:, 1].astype(int), table[:, 2:6])


def followed(rate: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Stays as they were painted, and as they are tracked by boxes that are exactly right."""
    truth = []

    def found() -> Iterator[Found]:
        for painted in shown(grass_and_stone(), rate, seed):
            rows = rows_inside(painted)
            truth.append(rows)
            boxes = rows[rows[:, 6] >= 0.4, 2:6]
            sure = np.full(len(boxes), 0.8, np.float32)
            detections = Detections(boxes, sure, ("person",) * len(boxes))
            yield Found(painted.seen.frame, detections, describe(painted.rgb, boxes))

    tracks = track(found(), (WIDTH, HEIGHT), rate, LENGTH[rate])
    tracked = Rows(tracks.frame, tracks.id, tracks.box)
    return stays(as_rows(np.concatenate(truth))), stays(tracked)


@pytest.mark.parametrize("rate", [*LENGTH])
def test_nobody_changes_clothes_on_the_way(rate: int) -> None:
    pytest.importorskip("trackers")
    painted, tracked = map(
        np.concatenate, zip(*(followed(rate, seed) for seed in range(1, 5)), strict=True)
    )
    assert len(painted) >= 25
    assert 0.85 * len(painted) <= len(tracked) <= 1.4 * len(painted)
    assert wasserstein_distance(painted, tracked) < 0.2 * painted.mean()


@pytest.mark.slow
def test_find_counts_what_was_painted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("trackers")
    monkeypatch.setenv("VIDEODP_MODELS", str(model_path("yolox_nano.onnx").parent))
    video, rows = tmp_path / "made.mkv", []
    with VideoWriter(video, width=WIDTH, height=HEIGHT, rate=Fraction(7), codec="ffv1") as writer:
        for painted in shown(grass_and_stone(), 7, 1):
            writer.write(painted.rgb)
            rows.append(rows_of_all(painted))
    find_elements(video, tmp_path / "found.parquet", FindSettings(labels=("person",)))
    truth, found = as_rows(np.concatenate(rows)), rows_of(tmp_path / "found.parquet")
    counts = [len(one.frame) / LENGTH[7] for one in (truth, found)]
    assert len(stays(found)) == pytest.approx(len(stays(truth)), abs=1)
    assert counts[1] == pytest.approx(counts[0], rel=0.1)
    assert wasserstein_distance(stays(truth), stays(found)) < 0.2 * stays(truth).mean()
