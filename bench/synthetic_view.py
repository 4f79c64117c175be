"""What software sees in a synthetic video, beside what was painted into it.

    python -m bench.synthetic_view VIDEO ELEMENTS --epsilon 8 --seed 1

Prints at which epsilon a summary speaks, how many of the painted people YOLOX-nano finds on whole
frames and how many of its boxes are right (overlap of half; taller than 40 pixels; painted ones of
which nobody nearer hides more than a fifth, in frames at equal distances), what of the painted
people is too small or too fast, and how far counts and stays of the product's own find are from
what was painted. Only people are painted, so what find calls a person is the fair comparison; all
it found also holds what stands in the plate, such as parked cars, and whatever else moves.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.stats import wasserstein_distance

from bench.against_pinq import counts_of, stays_of
from videodp.elements import Elements, load_elements
from videodp.elements.detect import open_detector
from videodp.elements.find import find_elements
from videodp.elements.track.boxes import overlap
from videodp.privacy.noise import SecureNoise
from videodp.publish import publish
from videodp.queries import footage_of
from videodp.settings import Settings
from videodp.synthesis.records import records_of
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import release, summarise
from videodp.video import Video, probe, read_frames

EPSILONS = (0.5, 1, 2, 3, 4, 8)
RELEASES = 200
EVERY, SURE, TALL = 8, 0.3, 40
SMALL, RUNS = 30, 2.5
"""Pixels below which the detector finds hardly anybody; own heights a second of a runner."""


def speaking(video: Video, elements: Elements) -> str:
    """At each epsilon, how many of the releases speak."""
    told = []
    for epsilon in EPSILONS:
        settings = SynthesisSettings(epsilon, labels=("person",))
        public = ((video.width, video.height), video.frames, video.rate)
        exact = summarise(records_of(elements, *public, settings.grid), settings, *public)
        yes = sum(release(exact, settings, SecureNoise()).speaks for _ in range(RELEASES))
        told.append(f"{epsilon:g}: {yes / RELEASES:.2f}")
    return "speaks at epsilon " + ", ".join(told)


def detected(video: Video, made: Elements) -> str:
    """Recall and precision of a stock detector."""
    detector = open_detector("yolox", ("person",), least_score=SURE)
    shown = {seen.frame: seen.boxes for seen in made.frames(0, video.frames)}
    hits = asked = right = boxes = 0
    for frame in read_frames(video, only=range(0, video.frames, EVERY)):
        painted = shown.get(frame.index, np.zeros((0, 4)))
        found = detector.detect(frame.rgb).boxes
        found = found[found[:, 3] > TALL]
        meets = overlap(painted, found)
        a, b = linear_sum_assignment(-meets)
        good = meets[a, b] >= 0.5
        wanted = (painted[:, 3] > TALL) & _clear(painted)
        hits, asked = hits + int(wanted[a[good]].sum()), asked + int(wanted.sum())
        right, boxes = right + int(good.sum()), boxes + len(found)
    return (
        f"YOLOX-nano: recall {hits / max(asked, 1):.2f} of {asked}, "
        f"precision {right / max(boxes, 1):.2f} of {boxes}"
    )


def _clear(boxes: np.ndarray) -> np.ndarray:
    """(n,) bool: no box with a lower edge further down covers more than a fifth of it."""
    low, high = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    sides = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    common = np.clip(sides, 0, None).prod(axis=2)
    nearer = high[:, 1] > high[:, None, 1]
    return np.asarray((common * nearer).max(axis=1, initial=0) <= 0.2 * boxes[:, 2:].prod(axis=1))


def painted(video: Video, made: Elements) -> str:
    """What of the painted people nobody can find, or follow from frame to frame."""
    boxes: dict[int, list[np.ndarray]] = {}
    for seen in made.frames(0, video.frames):
        for identity, box in zip(seen.ids.tolist(), seen.boxes, strict=True):
            boxes.setdefault(identity, []).append(box)
    ways = [np.stack(way) for way in boxes.values()]
    small = np.concatenate([way[:, 3] < SMALL for way in ways]).mean()
    fast = sum(bool(_speeds(way, float(video.rate)).max(initial=0) > RUNS) for way in ways)
    return (
        f"painted: {small:.0%} of the boxes are less than {SMALL} pixels high, {fast} of "
        f"{len(ways)} go faster than {RUNS:g} of their heights a second"
    )


def _speeds(way: np.ndarray, rate: float) -> np.ndarray:
    """(n,) own heights per second, over steps of three frames."""
    feet = way[:, :2] + way[:, 2:] * (0.5, 1.0)
    return np.asarray(np.linalg.norm(feet[3:] - feet[:-3], axis=1) / way[3:, 3] * rate / 3)


def found_again(video: Video, made: Elements, out: Path) -> Iterator[str]:
    """How far our own find is from what was painted: for label person, and everything it found."""
    find_elements(video.path, out)
    found = load_elements(out, video)
    others = {track.label for track in found.tracks} - {"person"}
    yield f"find, label person: {_beside(video, made, found.without(others))}"
    yield f"find, all it found: {_beside(video, made, found)}"


def _beside(video: Video, made: Elements, found: Elements) -> str:
    a, b = (counts_of(one, video.frames) for one in (made, found))
    stays, others = (stays_of(footage_of(one, video)) for one in (made, found))
    return (
        f"{len(found)} tracks of {len(made)} painted; count in a frame {b.mean():.2f} for "
        f"{a.mean():.2f}, off by {np.abs(a - b).mean():.2f}; mean stay {others.mean():.0f} frames "
        f"for {stays.mean():.0f}, Wasserstein over mean "
        f"{wasserstein_distance(stays, others) / stays.mean():.2f}"
    )


def main() -> None:
    """Prints the lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", type=Path)
    parser.add_argument("elements", type=Path)
    parser.add_argument("--epsilon", type=float, default=8.0)
    parser.add_argument("--seed", type=int, help="the same release again; none: another each time")
    given = parser.parse_args()
    video = probe(given.video)
    print(speaking(video, load_elements(given.elements, video)), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "synthetic.mp4"
        settings = Settings(
            given.epsilon, "synthesis", synthesis_labels=("person",), seed=given.seed
        )
        publish(given.video, out, given.elements, settings)
        private = probe(out)
        made = load_elements(out.with_name("synthetic.elements.parquet"), private)
        print(detected(private, made), flush=True)
        print(painted(private, made), flush=True)
        for line in found_again(private, made, Path(folder) / "found.parquet"):
            print(line, flush=True)


if __name__ == "__main__":
    main()
