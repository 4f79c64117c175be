"""Learns the scene from samples of a video: no single frame has to be empty.

At each pixel the samples are put into sets that agree. The largest is the scene, unless it is a
body that stood still for most of the time: bodies have an outline, so where samples of one region
fall apart in time in the same way, that side is the scene that goes on across the region's border.
Regions are decided one after the other, the clearest first, against those that are decided already.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np

from videodp.elements.motion.model import SceneModel, shrink_frame
from videodp.errors import UsageError
from videodp.kernels.fill import ring_fill
from videodp.kernels.light import fit_light
from videodp.kernels.modes import (
    MOST_SAMPLES,
    erode_members,
    find_modes,
    mean_of_members,
)
from videodp.kernels.regions import decide_regions, split_regions

__all__ = ["learn_scene"]

_TOLERANCE = 14
"""Grey levels within which two samples of a pixel agree, in common light."""
_LINES = 64
_SIDE = 0.12
"""Share of the samples from which on a second set may be the scene."""
_LOWER = 0.9
"""The border's contrast against that of the larger set, below which the smaller is the scene."""
_CROSSWISE = 10.0
"""Grey levels by which the sets of two neighbours must go on better crosswise to be told apart."""
_BOX_MARGIN = 0.08
"""Share of a box's sides by which it is grown before it is cut out."""


def learn_scene(
    samples: np.ndarray,
    boxes: Sequence[np.ndarray] | None = None,
    workers: int = 1,
    *,
    fine: bool = True,
) -> SceneModel:
    """The scene behind everybody.

    Args:
        samples: (n, height, width, 3) uint8 RGB frames from all over the time; may be a memory
            map, is read line by line. At most 64.
        boxes: for each sample (k, 4) float64 x, y, width, height of what is certainly not scene.
        workers: threads.
        fine: learn it in full size; otherwise that is the small scene, enlarged.
    """
    count, height, width, _ = samples.shape
    if not 1 <= count <= MOST_SAMPLES:
        raise UsageError(f"a scene is learnt from 1 to {MOST_SAMPLES} samples, not {count}")
    small = np.stack([shrink_frame(sample) for sample in samples])
    free = _outside(boxes, count, (width, height), small.shape[1:3])
    tables = _common_light(small, free)
    with ThreadPoolExecutor(workers) as pool:
        members = _members(small, free, tables, pool)
        small_plate, small_noise = _average(small, tables, members, pool)
        if fine:
            plate, noise = _average(samples, tables, members, pool)
        else:
            plate, noise = (_enlarged(part, width, height) for part in (small_plate, small_noise))
    return SceneModel(plate, noise, small_plate, small_noise)


def _enlarged(small: np.ndarray, width: int, height: int) -> np.ndarray:
    large: np.ndarray = cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST)
    return large


def _outside(
    boxes: Sequence[np.ndarray] | None,
    count: int,
    size: tuple[int, int],
    shape: tuple[int, ...],
) -> np.ndarray:
    """(n, h, w) uint8: 1 outside all boxes of a sample."""
    height, width = shape
    free = np.ones((count, height, width), np.uint8)
    across, down = width / size[0], height / size[1]
    for i in range(count if boxes is not None else 0):
        for x, y, w, h in boxes[i] if boxes is not None else ():
            more = _BOX_MARGIN * min(w, h) + 1.0 / across
            left, right = (x - more) * across, (x + w + more) * across
            top, bottom = (y - more) * down, (y + h + more) * down
            lines = slice(max(0, int(np.floor(top))), max(0, int(np.ceil(bottom))))
            free[i, lines, max(0, int(np.floor(left))) : max(0, int(np.ceil(right)))] = 0
    return free


def _common_light(small: np.ndarray, free: np.ndarray) -> np.ndarray:
    """(n, 3, 256) float32: grey levels of each sample in the light of their median."""
    count = len(small)
    ordered = np.partition(small[:, ::2, ::2], (count - 1) // 2, axis=0)
    median = np.ascontiguousarray(ordered[(count - 1) // 2])
    levels = np.arange(256, dtype=np.float32)
    tables = np.empty((count, 3, 256), np.float32)
    light = np.zeros((3, 2), np.float32)
    for i in range(count):
        few, known = (np.ascontiguousarray(a[i, ::2, ::2]) for a in (small, free))
        fit_light(few, median, known, light)
        tables[i] = (levels[None] - light[:, 1:]) / light[:, :1]
    return tables


def _members(
    small: np.ndarray, free: np.ndarray, tables: np.ndarray, pool: ThreadPoolExecutor
) -> np.ndarray:
    """(h, w) uint64: the samples that show the scene, at each small pixel."""
    count, height, width, _ = small.shape
    levels = np.clip(np.rint(tables), 0, 255).astype(np.uint8)
    even = np.empty_like(small)
    for i in range(count):
        for channel in range(3):
            even[i, ..., channel] = levels[i, channel][small[i, ..., channel]]
    first, second = np.zeros((2, height, width), np.uint64)

    def strip(top: int) -> None:
        lines = slice(top, top + _LINES)
        find_modes(even[:, lines], free[:, lines], _TOLERANCE, first[lines], second[lines])

    list(pool.map(strip, range(0, height, _LINES)))
    swap = _standing_out((first, second), (_mean_of(even, first), _mean_of(even, second)), count)
    out = np.empty_like(first)
    erode_members(np.where(swap, second, first), max(2, count // 6), out)
    return out


def _standing_out(
    sets: tuple[np.ndarray, np.ndarray], pictures: tuple[np.ndarray, np.ndarray], count: int
) -> np.ndarray:
    """(h, w) bool: where the other set shows the scene, because the first has an outline."""
    labels = np.zeros(sets[0].shape, np.int32)
    least, apart, drift = max(2, round(_SIDE * count)), max(1, count // 6), max(1, count // 5)
    regions = split_regions(*sets, *pictures, least, apart, drift, _CROSSWISE, labels)
    keys, steps = _borders(labels, pictures, regions + 1)
    borders, place, length = np.unique(keys, return_inverse=True, return_counts=True)
    total = np.stack([np.bincount(place, step, len(borders)) for step in steps], axis=1)
    region, beyond = np.divmod(borders, regions + 1)
    chosen = np.zeros(regions + 1, np.int64)
    decide_regions(regions, region, beyond, total, length.astype(np.float64), _LOWER, chosen)
    found: np.ndarray = chosen[labels] > 0
    return found


def _borders(
    labels: np.ndarray, pictures: tuple[np.ndarray, np.ndarray], count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Each two neighbouring pixels of different regions, from either side but from 0.

    Returns:
        (n,) int64, region times count plus the other region; and (4, n) the contrast between them
        with the pictures of both sides, in the order of `decide_regions`.
    """
    keys, steps = [np.zeros(0, np.int64)], [np.zeros((4, 0))]
    for axis in (0, 1):
        near = [slice(None), slice(None)]
        far = [slice(None), slice(None)]
        near[axis], far[axis] = slice(None, -1), slice(1, None)
        for inner, outer in ((tuple(near), tuple(far)), (tuple(far), tuple(near))):
            border = (labels[inner] != labels[outer]) & (labels[inner] > 0)
            keys.append(labels[inner][border].astype(np.int64) * count + labels[outer][border])
            here, there = ([p[side][border] for p in pictures] for side in (inner, outer))
            steps.append(np.stack([np.abs(a - b).sum(axis=1) for a in here for b in there]))
    return np.concatenate(keys), np.concatenate(steps, axis=1)


def _mean_of(even: np.ndarray, members: np.ndarray) -> np.ndarray:
    """(h, w, 3) float32: mean of the samples in the set of each pixel."""
    total = np.zeros((*members.shape, 3), np.float32)
    count = np.zeros(members.shape, np.float32)
    for i, sample in enumerate(even):
        there = (members >> np.uint64(i) & np.uint64(1)).astype(np.float32)
        total += sample * there[..., None]
        count += there
    mean: np.ndarray = total / np.maximum(count, 1)[..., None]
    return mean


def _average(
    samples: np.ndarray, tables: np.ndarray, members: np.ndarray, pool: ThreadPoolExecutor
) -> tuple[np.ndarray, np.ndarray]:
    """Plate and noise; what no sample shows is filled from around it."""
    _, height, width, _ = samples.shape
    rows = np.arange(height) * members.shape[0] // height
    columns = np.arange(width) * members.shape[1] // width
    plate = np.zeros((height, width, 3), np.uint8)
    noise = np.zeros((height, width), np.uint8)

    def strip(top: int) -> None:
        lines = slice(top, min(top + _LINES, height))
        some = np.ascontiguousarray(samples[:, lines])
        mean_of_members(some, tables, members, rows[lines], columns, plate[lines], noise[lines])

    list(pool.map(strip, range(0, height, _LINES)))
    ring_fill(plate, (noise != 255).astype(np.uint8))
    return plate, noise
