"""How many people a stock detector still sees in the private video, beside what was promised.

    python -m bench.exposure VIDEO GROUND_TRUTH.txt

prints a table for epsilon 0.8, 1.6 and 2.4. People are those of the ground truth (MOT text). A
person is seen in a frame where the detector has a person's box that overlaps theirs by half
(intersection over union), each box for one person; as an identity if that is so in at least so
many of the frames that were looked at. The elements are found by the product, not taken from the
ground truth. Means over a few seeds of the random draw.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

import videodp
from videodp.elements import load_elements
from videodp.elements.detect import Detector, open_detector
from videodp.elements.track.boxes import overlap
from videodp.video import probe, read_frames

EPSILONS = (0.8, 1.6, 2.4)
EVERY = 3
"""Each so many frames are looked at."""
SURE = 0.3
"""Least score of a box of the detector."""
TIMES = (1, 5, 20)
"""Frames in which an identity must be seen to count."""


@dataclass(frozen=True)
class Seen:
    """What a detector sees in a video."""

    people: float
    """Share of the people of a frame."""
    boxes: float
    """Boxes in a frame, right or wrong."""
    identities: tuple[int, ...]
    """Identities that are seen in so many frames as `TIMES` says."""


def seen(detector: Detector, video: Path, truth: dict[int, list[tuple[int, np.ndarray]]]) -> Seen:
    """Looks at a video: whom the detector sees where."""
    found: dict[int, int] = {}
    hits = people = boxes = 0
    wanted = [frame for frame in truth if frame % EVERY == 0]
    for frame in read_frames(probe(video), only=wanted):
        ids = [identity for identity, _ in truth[frame.index]]
        real = np.array([box for _, box in truth[frame.index]])
        shown = detector.detect(frame.rgb).boxes
        meets = overlap(real, shown)
        a, b = linear_sum_assignment(-meets)
        good = a[meets[a, b] >= 0.5]
        for i in good.tolist():
            found[ids[i]] = found.get(ids[i], 0) + 1
        hits, people, boxes = hits + len(good), people + len(ids), boxes + len(shown)
    return Seen(hits / people, boxes / len(wanted), tuple(_count(found, n) for n in TIMES))


def _count(found: dict[int, int], least: int) -> int:
    return sum(times >= least for times in found.values())


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("video", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--background", default="retain")
    arguments = parser.parse_args()
    for line in table(arguments.video, arguments.truth, arguments.seeds, arguments.background):
        print(line, flush=True)


def table(video: Path, truth_file: Path, seeds: int, background: str) -> Iterator[str]:
    """The lines, as they are measured."""
    truth = {
        frame.frame: list(zip(frame.ids.tolist(), frame.boxes, strict=True))
        for frame in load_elements(truth_file, probe(video)).source.frames(0, 2**31)
    }
    detector = open_detector("yolox", ("person",), least_score=SURE)
    yield (
        "| video | exposed at most | mean exposure | exposed | people seen per frame | boxes per "
        f"frame | identities seen in {', '.join(map(str, TIMES))} frames or more |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    original = seen(detector, video, truth)
    yield f"| original | | | | {_row(original.people, original.boxes, original.identities)} |"
    with tempfile.TemporaryDirectory() as folder:
        elements = videodp.find_elements(video, f"{folder}/found.parquet")
        for epsilon in EPSILONS:
            runs, exposure, exposed = [], [], []
            for seed in range(seeds):
                settings = videodp.Settings(epsilon, look=videodp.Look(background), seed=seed)
                out = Path(folder) / "private.mp4"
                done = videodp.publish(video, out, elements, settings, overwrite=True)
                exposure += [element["exposure"] for element in done.owner["elements"]]
                exposed += [element["drawn"] > 0 for element in done.owner["elements"]]
                runs.append(seen(detector, out, truth))
            yield (
                f"| epsilon {epsilon} | {-math.expm1(-epsilon):.2f} | {np.mean(exposure):.2f} | "
                f"{np.mean(exposed):.2f} | "
                + _row(
                    float(np.mean([run.people for run in runs])),
                    float(np.mean([run.boxes for run in runs])),
                    np.mean([run.identities for run in runs], axis=0).tolist(),
                )
                + " |"
            )


def _row(people: float, boxes: float, identities: Sequence[float]) -> str:
    return f"{people:.2f} | {boxes:.1f} | {', '.join(f'{n:.3g}' for n in identities)}"


if __name__ == "__main__":
    main()
