"""Tiny videos with elements: made, written, read back, and counted by the oracle."""

import atexit
import functools
import shutil
import tempfile
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

import naive
from videodp.census import BackgroundSamples, Census, Sample, WornTable, take_census
from videodp.elements import (
    Elements,
    ParquetWriter,
    Seen,
    Track,
    load_elements,
    no_runs,
    pack_runs,
)
from videodp.video import Video, VideoWriter, probe, read_frames


@dataclass(frozen=True)
class Scene:
    """A video in memory and who is in it."""

    frames: np.ndarray
    """(n, height, width, 3) uint8 RGB."""
    elements: list[naive.Element]
    labels: dict[int, str] = field(default_factory=dict)

    @property
    def height(self) -> int:
        return self.frames.shape[1]

    @property
    def width(self) -> int:
        return self.frames.shape[2]


@dataclass(frozen=True)
class Taken:
    """A scene, counted by the oracle and by the product."""

    scene: Scene
    counts: naive.Counts
    video: Video
    elements: Elements
    census: Census


def make_scene(seed: int, *, frames: int | None = None, masks: bool = True) -> Scene:
    """A few colours, all cases; boxes in and out of the picture, masks, hidden elements."""
    rng = np.random.default_rng(seed)
    width, height = int(rng.integers(8, 25)), int(rng.integers(6, 17))
    n = int(rng.integers(1, 9)) if frames is None else frames
    elements: list[naive.Element] = []
    ids = rng.permutation(np.arange(1, 60))[: rng.integers(1, 5)].tolist()
    for i in ids:
        if elements and rng.random() < 0.2:  # behind another one, all the time
            front = elements[-1]
            if not front.masks and i < front.id:
                elements.append(naive.Element(i, dict(front.boxes)))
                continue
        elements.append(_element(rng, i, n, width, height, masks))
    colours = rng.integers(0, 256, (28, 3), dtype=np.uint8)
    weights = rng.dirichlet(np.full(12, 0.7))
    picture = colours[rng.choice(12, (n, height, width), p=weights)]
    for t in range(n):
        for (a, b), j in naive.owners(elements, t, height, width).items():
            # Up to 9: also in the background; 12, 13: elements only; after that: one's own.
            mine = 14 + 3 * ids.index(j)
            picture[t, a, b] = colours[rng.choice([*range(10), 12, 13, mine, mine + 1, mine + 2])]
    for own in (14, 15, 17, 18, 20):  # some of one's own are found once in the background, too
        picture[rng.integers(n), rng.integers(height), rng.integers(width)] = colours[own]
    labels = {i: str(rng.choice(["person", "car"])) for i in ids}
    return Scene(picture, elements, labels)


def _element(
    rng: np.random.Generator, i: int, n: int, width: int, height: int, masks: bool
) -> naive.Element:
    fine = rng.choice([1, 4, 1000])  # whole pixels, quarters, anything
    w, h = (
        max(1.0, round(float(rng.uniform(size / 8, size * 0.6)) * fine) / fine)
        for size in (width, height)
    )
    x, y = float(rng.uniform(-w / 2, width - w / 2)), float(rng.uniform(-h / 2, height - h / 2))
    far, pace = rng.uniform(0, 5, 2), rng.uniform(0.1, 0.5, 2)
    first, last = sorted(rng.integers(0, n, 2).tolist())
    boxes, shapes = {}, {}
    masked = masks and rng.random() < 0.4
    for t in range(first, last + 1):
        box = (
            round((x + far[0] * np.sin(pace[0] * (t - first))) * fine) / fine,
            round((y + far[1] * np.sin(pace[1] * (t - first))) * fine) / fine,
            w,
            h,
        )
        inside = naive.box_mask(box, height, width)
        if not inside or (boxes and rng.random() < 0.15):
            continue
        boxes[t] = box
        if masked:
            chosen = {place for place in sorted(inside) if rng.random() < 0.7}
            shapes[t] = chosen or {min(inside)}
    if not boxes:
        boxes[first] = (1.0, 1.0, w, h)
    return naive.Element(i, boxes, shapes)


def runs_of(places: set[tuple[int, int]], width: int) -> list[tuple[int, int]]:
    """Start and length of a mask's runs in raster order; a run may go on in the next line."""
    runs: list[tuple[int, int]] = []
    for at in sorted(a * width + b for a, b in places):
        if runs and sum(runs[-1]) == at:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((at, 1))
    return runs


def seen_frame(scene: Scene, t: int) -> Seen:
    """The elements of one frame, ordered by id: sorting them is the product's business."""
    here = sorted((e for e in scene.elements if t in e.boxes), key=lambda e: e.id)
    runs = [runs_of(e.masks[t], scene.width) if t in e.masks else [] for e in here]
    masks = pack_runs([np.array(some, np.int32).reshape(-1, 2) for some in runs])
    return Seen(
        t,
        np.array([e.id for e in here], np.int64),
        np.array([e.boxes[t] for e in here], np.float64).reshape(-1, 4),
        tuple(scene.labels.get(e.id, "person") for e in here),
        masks,
        no_runs(len(here)),
    )


def write_video(path: Path, frames: np.ndarray) -> Path:
    """Exact RGB."""
    height, width = frames.shape[1:3]
    with VideoWriter(path, width=width, height=height, rate=Fraction(25), codec="ffv1") as writer:
        for frame in frames:
            writer.write(np.ascontiguousarray(frame))
    return path


def write_elements(path: Path, scene: Scene) -> Path:
    """Parquet, or MOT text (which has no masks)."""
    n = len(scene.frames)
    if path.suffix == ".txt":
        lines = [
            f"{t + 1},{e.id},{','.join(repr(float(side)) for side in box)},1,-1,-1,-1"
            for e in scene.elements
            for t, box in e.boxes.items()
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path
    with ParquetWriter(path, (scene.width, scene.height), n) as writer:
        for t in range(n):
            writer.write(seen_frame(scene, t))
    return path


def write_scene(folder: Path, scene: Scene) -> tuple[Path, Path]:
    """Files of the video and of its elements."""
    return (
        write_video(folder / "scene.mkv", scene.frames),
        write_elements(folder / "scene.parquet", scene),
    )


def read_all(path: str | Path) -> np.ndarray:
    """(n, height, width, 3) uint8."""
    return np.stack([np.array(frame.rgb) for frame in read_frames(probe(path))])


def counted(scene: Scene) -> naive.Counts:
    """The oracle's census."""
    return naive.Counts(scene.frames.tolist(), scene.elements)


@functools.cache
def _room() -> Path:
    room = Path(tempfile.mkdtemp(prefix="videodp-tests-"))
    atexit.register(shutil.rmtree, room, ignore_errors=True)
    return room


def new_folder() -> Path:
    """An empty folder that lasts for the whole run."""
    return Path(tempfile.mkdtemp(dir=_room()))


@functools.cache
def taken(seed: int) -> Taken:
    """The scene of a seed with both censuses; made once for all tests."""
    scene, folder = make_scene(seed), new_folder()
    video_file, elements_file = write_scene(folder, scene)
    video = probe(video_file)
    elements = load_elements(elements_file, video)
    store = folder / "census"
    store.mkdir()
    census = take_census(video, elements, store, workers=1)
    return Taken(scene, counted(scene), video, elements, census)


@dataclass(frozen=True)
class _Held:
    """A sample that was never on disk."""

    sample: Sample

    def load(self) -> Sample:
        return self.sample


def census_of(counts: naive.Counts, labels: dict[int, str] | None = None) -> Census:
    """The product's census from the oracle's counts, without any file: for tests of the plan."""
    ids = sorted(counts.worn)
    colours = np.array(sorted(counts.count), np.int32)
    tables = [sorted((c, w) for c, w in counts.worn[j].items() if w) for j in ids]
    worn = np.array([[counts.worn[j][c] for c in colours.tolist()] for j in ids], np.int64)
    rows = np.array([row for table in tables for row in table], np.int64).reshape(-1, 2)
    tracks = tuple(
        Track(e.id, (labels or {}).get(e.id, "person"), min(e.boxes), max(e.boxes), len(e.boxes))
        for e in counts.elements
    )
    offsets = np.cumsum([0, *map(len, tables)]).astype(np.int64)
    table = WornTable(offsets, rows[:, 0].astype(np.int32), rows[:, 1].copy())
    return Census(
        counts.width,
        counts.height,
        len(counts.video),
        tracks,
        worn.sum(axis=1),
        np.array([len({t for t, _, _ in counts.pixels[j]}) for j in ids], np.int64),
        colours,
        np.array([counts.count[c] for c in colours.tolist()], np.int64),
        worn.sum(axis=0),
        worn.max(axis=0),
        (worn > 0).sum(axis=0).astype(np.int32),
        table,
        ((0, len(counts.video), table),),
        tuple(
            tuple(_Held(_sample(counts, e, t)) for t in naive.palette_frames(counts, e))
            for e in counts.elements
        ),
        BackgroundSamples(Path(), (), counts.height, counts.width),
    )


def _sample(counts: naive.Counts, element: naive.Element, t: int) -> Sample:
    crop = np.full((counts.height, counts.width), -1, np.int32)
    for s, a, b in counts.pixels[element.id]:
        if s == t:
            crop[a, b] = counts.theta(t, a, b)
    return Sample(t, element.boxes[t], (0, 0), crop)


def drawn_places(drawn, elements: Elements) -> dict[int, dict[int, dict[tuple[int, int], tuple]]]:
    """What `locate` found, as the oracle has it: {id: {t: {(line, column): rgb}}}."""
    found: dict[int, dict[int, dict[tuple[int, int], tuple]]] = {}
    for e, t, y, x, c in zip(
        drawn.element, drawn.frame, drawn.y, drawn.x, drawn.colour.tolist(), strict=True
    ):
        one = found.setdefault(elements.tracks[e].id, {}).setdefault(int(t), {})
        one[int(y), int(x)] = (c >> 16, c >> 8 & 255, c & 255)
    return found


def as_picture(frame: np.ndarray) -> dict[tuple[int, int], tuple[int, int, int]]:
    """{(line, column): (red, green, blue)}."""
    return {
        (a, b): tuple(pixel)
        for a, line in enumerate(frame.tolist())
        for b, pixel in enumerate(line)
    }


def as_array(picture: dict[tuple[int, int], tuple[int, int, int]], like: np.ndarray) -> np.ndarray:
    """The other way."""
    array = np.zeros_like(like)
    for place, rgb in picture.items():
        array[place] = rgb
    return array
