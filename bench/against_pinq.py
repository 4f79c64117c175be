"""What a synthetic video answers, beside PINQ that protects an element over the whole answer.

    python -m bench.against_pinq street 1000
    python -m bench.against_pinq VIDEO GROUND_TRUTH.txt

prints a table. PINQ spends all of epsilon on each question by itself; synthesis spends it once for
everything. PINQ's bounds are those of most of the elements (95 percent), read off the truth: better
than an owner could choose them. Means over a few releases.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
from scipy.stats import wasserstein_distance

from bench.traffic import PATTERNS, traffic
from videodp import pinq
from videodp.elements import Elements, load_elements
from videodp.privacy.noise import SecureNoise
from videodp.privacy.randomness import Randomness
from videodp.publish import publish
from videodp.queries import Footage, footage_of
from videodp.queries.pixels import histogram
from videodp.queries.tracks import summarise as tracks_of
from videodp.settings import Settings
from videodp.synthesis.boxes import elements_of
from videodp.synthesis.population import populate
from videodp.synthesis.records import records_of
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import release, summarise
from videodp.video import Video, probe

FRAMES = 16
"""Frames whose histograms are asked for, evenly over the video."""
BINS = 60
"""Steps of the histogram of stays that PINQ is asked for."""


@dataclass
class Found:
    """Errors, release by release."""

    rows: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    def add(self, question: str, way: str, error: float) -> None:
        self.rows.setdefault((question, way), []).append(error)

    def lines(self) -> Iterator[str]:
        yield "| question | answered by | error |"
        yield "| --- | --- | --- |"
        for (question, way), errors in self.rows.items():
            yield f"| {question} | {way} | {np.mean(errors):.4g} |"


@dataclass(frozen=True, eq=False)
class Truth:
    """What is asked of the original."""

    footage: Footage
    counts: np.ndarray
    """(frames,) elements in each."""
    stays: np.ndarray
    """(n,) frames from first to last sighting."""

    @property
    def bound(self) -> int:
        """Frames that 95 percent of the elements do not outstay."""
        return int(np.quantile(self.stays, 0.95))


def truth_of(elements: Elements, footage: Footage) -> Truth:
    return Truth(footage, counts_of(elements, len(footage)), stays_of(footage))


def counts_of(elements: Elements, frames: int) -> np.ndarray:
    """(frames,) float64."""
    counts = np.zeros(frames)
    for seen in elements.frames(0, frames):
        counts[seen.frame] = len(seen)
    return counts


def stays_of(footage: Footage) -> np.ndarray:
    """(n,) frames."""
    found = tracks_of(footage)
    return np.asarray(found.last - found.first + 1)


def off(truth: Truth, counts: np.ndarray, stays: np.ndarray) -> tuple[float, float]:
    """Mean error of a frame's count, and of stays (Wasserstein over mean)."""
    return (
        float(np.abs(counts - truth.counts).mean()),
        float(wasserstein_distance(truth.stays, stays) / truth.stays.mean()),
    )


COUNT, STAYS, COLOURS = (
    "count in every frame (elements)",
    "all stay times (Wasserstein over mean)",
    f"histograms of {FRAMES} frames (pixels in a cell)",
)


def ask_pinq(truth: Truth, epsilon: float, found: Found, name: str) -> None:
    """Counts and stays, each for all of epsilon."""
    terms = pinq.Terms(epsilon)
    answer = pinq.count(truth.footage, terms, frames=truth.bound)
    noisy = answer.table["elements"].to_numpy()
    found.add(COUNT, name, float(np.abs(noisy - truth.counts).mean()))
    smooth = np.convolve(noisy, np.ones(truth.bound) / truth.bound, "same")
    found.add(COUNT, f"{name}, smoothed", float(np.abs(smooth - truth.counts).mean()))
    bins = min(BINS, truth.bound)
    table = pinq.stay_times(truth.footage, terms, longest=truth.bound, bins=bins).table
    middles = 0.5 * (table["low"].to_numpy() + table["high"].to_numpy())
    weights = np.maximum(table["elements"].to_numpy(), 0) + 1e-9
    error = wasserstein_distance(truth.stays, middles, None, weights) / truth.stays.mean()
    found.add(STAYS, name, float(error))


def painted(pattern: str, tracks: int, epsilon: float, runs: int) -> Found:
    """Tables without pictures."""
    real, settings, found = traffic(pattern, tracks, 1), SynthesisSettings(epsilon), Found()
    public = (real.size, real.frames, real.rate)
    elements = elements_of(real)
    truth = truth_of(elements, footage_of(elements, rate=real.rate))
    summary = summarise(records_of(elements, *public, settings.grid), settings, *public)
    found.add(COUNT, "nobody, ever", float(truth.counts.mean()))
    for _ in range(runs):
        noisy = release(summary, settings, SecureNoise())
        made = elements_of(populate(noisy, settings, *public, Randomness()))
        footage = footage_of(made, rate=real.rate)
        counts, stays = off(truth, counts_of(made, real.frames), stays_of(footage))
        found.add(COUNT, "synthesis", counts)
        found.add(STAYS, "synthesis", stays)
        for share in (1, 5, 10):
            ask_pinq(truth, epsilon / share, found, f"PINQ, 1 of {share} questions")
    return found


def recorded(video_file: Path, truth_file: Path, epsilon: float, runs: int) -> Found:
    """With pictures."""
    video, found = probe(video_file), Found()
    elements = load_elements(truth_file, video)
    truth = truth_of(elements, footage_of(elements, video))
    found.add(COUNT, "nobody, ever", float(truth.counts.mean()))
    when = np.linspace(0, video.frames - 1, FRAMES).astype(int).tolist()

    real = shown_in(video, when)
    areas = (s.boxes[:, 2:].prod(axis=1).max(initial=1) for s in elements.frames(0, video.frames))
    largest = int(max(areas))
    with tempfile.TemporaryDirectory() as folder:
        for run in range(runs):
            out = Path(folder) / f"{run}.mp4"
            settings = Settings(epsilon, "synthesis", synthesis_labels=("person",))
            publish(video_file, out, truth_file, settings)
            private = probe(out)
            made = load_elements(out.with_suffix(".elements.parquet"), private)
            there = counts_of(made, video.frames)
            lengths = stays_of(footage_of(made, private)) if len(made) else np.zeros(1)
            counts, stays = off(truth, there, lengths)
            found.add(COUNT, "synthesis", counts)
            found.add(STAYS, "synthesis", stays)
            shown = shown_in(private, when)
            found.add(COLOURS, "synthesis", float(np.abs(shown - real).mean()))
            for share in (1, 5, 10):
                name = f"PINQ, 1 of {share} questions"
                ask_pinq(truth, epsilon / share, found, name)
                terms = pinq.Terms(epsilon / share / FRAMES)
                noisy = np.stack(
                    [
                        _values(
                            pinq.histogram(
                                footage_of(elements, video, frames=(f, f + 1)),
                                terms,
                                pixels=largest,
                                frames=1,
                            ).table
                        )
                        for f in when
                    ]
                )
                found.add(COLOURS, name, float(np.abs(noisy - real).mean()))
    return found


def shown_in(video: Video, frames: list[int]) -> np.ndarray:
    """(frames, 3, 256) float64: histograms of the pictures."""
    return np.stack(
        [_values(histogram(footage_of(None, video, frames=(f, f + 1)))) for f in frames]
    )


def _values(table: pa.Table) -> np.ndarray:
    """(3, 256) float64."""
    return np.stack([table[c].to_numpy() for c in ("red", "green", "blue")]).astype(np.float64)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", help="a pattern, or a video")
    parser.add_argument("truth", help="how many tracks, or the elements of the video")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    asked = (given.epsilon, given.runs)
    if given.source in PATTERNS:
        found = painted(given.source, int(given.truth), *asked)
    else:
        found = recorded(Path(given.source), Path(given.truth), *asked)
    print("\n".join(found.lines()))


if __name__ == "__main__":
    main()
