"""How people go: where each one is at each moment."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from videodp.scenes.figures import CYCLE, Figure, Pose, dress
from videodp.scenes.layout import Layout
from videodp.scenes.spec import SceneSpec
from videodp.scenes.traffic import Drive

__all__ = ["Walk", "plan_walks"]

_TURN = 0.25  # seconds before and after which the way ahead is looked at


@dataclass(frozen=True, eq=False)
class Walk:
    """One person's way through the scene.

    Attributes:
        figure: Who walks.
        tall: Body height against an adult's.
        times: (n,) float64 seconds, ascending; the walk is straight between them.
        xs: (n,) float64, column at each time.
        feet: (n,) float64, row at each time.
        steps: (n,) float64, gait cycles walked until each time.
        rest: Heading while standing.
    """

    figure: Figure
    tall: float
    times: NDArray[np.float64]
    xs: NDArray[np.float64]
    feet: NDArray[np.float64]
    steps: NDArray[np.float64]
    rest: float

    def place(self, t: float) -> tuple[float, float]:
        """Column and row of the feet at a time."""
        x, y = np.interp(t, self.times, self.xs), np.interp(t, self.times, self.feet)
        return float(x), float(y)

    def pose(self, t: float) -> Pose:
        """The pose at a time."""
        (x0, y0), (x1, y1) = self.place(t - _TURN), self.place(t + _TURN)
        before, now, after = np.interp((t - _TURN, t, t + _TURN), self.times, self.steps)
        # About one cycle a second is a full stride; less just before and after a pause.
        stride = min(1.0, float(after - before) / (2 * _TURN) * 1.6)
        heading = self.rest
        if stride > 0:
            # A row is further on the ground than a column is, since we look along it.
            way = math.atan2(2.5 * (y1 - y0), x1 - x0)
            delta = (way - self.rest + math.pi) % (2 * math.pi) - math.pi
            heading = self.rest + delta * min(1.0, 1.5 * stride)
        return Pose(float(now) % 1.0, stride, heading)


def plan_walks(
    spec: SceneSpec, layout: Layout, drives: Sequence[Drive], rng: np.random.Generator
) -> tuple[Walk, ...]:
    """Plan everybody's walk, so that each is in the picture at some time."""
    sizes: list[int] = []
    while sum(sizes) < spec.people:
        size = int(rng.choice((1, 2, 3), p=(0.68, 0.24, 0.08)))
        sizes.append(min(size, spec.people - sum(sizes)))
    walks: list[Walk] = []
    # Spread evenly over the time, in random order.
    slots = (rng.permutation(len(sizes)) + rng.uniform(0, 1, len(sizes))) / max(1, len(sizes))
    for size, slot in zip(sizes, slots.tolist(), strict=True):
        crosses = bool(size == 1 and len(layout.walks) > 1 and rng.random() < 0.45)
        leader = _way(spec, layout, rng, slot, crosses)
        for _ in range(30 if crosses else 0):
            if not _hits(leader, layout, drives):
                break
            leader = _way(spec, layout, rng, slot, crosses)
        else:  # along the pavement nobody hits anything; across the road there was no gap
            leader = _way(spec, layout, rng, slot, crosses=False) if crosses else leader
        walks += _group(leader, size, layout, rng)
    return tuple(_into_view(walk, spec) for walk in walks)


def _way(
    spec: SceneSpec, layout: Layout, rng: np.random.Generator, slot: float, crosses: bool
) -> Walk:
    """One person's way: from one side of the picture to the other, with a pause for some."""
    band = layout.walks[int(rng.random() < 0.7) % len(layout.walks)]
    first, last = rng.uniform(*band, 2)
    if crosses:
        other = layout.walks[0] if band is layout.walks[1] else layout.walks[1]
        last = rng.uniform(*other)
    elif len(layout.walks) == 1 and rng.random() < 0.6:
        # Most people keep their distance to the houses.
        last = np.clip(first + rng.normal(0, 0.05) * layout.height, *band)
    tall = float(rng.uniform(0.92, 1.07))
    figure = dress(rng)
    if figure.head > 1:
        tall *= 0.68
    margin = 0.5 * layout.adult(max(first, last))
    xs, feet = [-margin, layout.width + margin], [float(first), float(last)]
    if crosses:  # somewhere on the way, at a right angle or nearly
        x = layout.width * rng.uniform(0.25, 0.75)
        lean = layout.width * rng.uniform(0.0, 0.06)
        xs, feet = [xs[0], x - lean, x + lean, xs[1]], [feet[0], feet[0], feet[1], feet[1]]
    if rng.random() < 0.5:
        xs = [layout.width - x for x in xs]
    pace = float(rng.uniform(0.62, 0.85))  # body heights per second
    times, steps = [0.0], [0.0]
    for i in range(1, len(xs)):
        tallness = tall * layout.adult(0.5 * (feet[i] + feet[i - 1]))
        way = math.hypot(xs[i] - xs[i - 1], 1.6 * (feet[i] - feet[i - 1])) / tallness
        times.append(times[-1] + way / pace)
        steps.append(steps[-1] + way / CYCLE)
    ways = [np.array(column, np.float64) for column in (times, xs, feet, steps)]
    if not crosses and rng.random() < 0.4:
        # Longer pauses where there is time for them.
        pause = float(rng.uniform(1.0, max(1.5, min(12.0, 0.25 * spec.seconds))))
        ways = _pause(ways, float(rng.uniform(0.25, 0.75)) * times[-1], pause)
    start = _start(spec.seconds, float(ways[0][-1]), slot)
    rest = float(rng.uniform(0, 2 * math.pi))
    return Walk(figure, tall, ways[0] + start, ways[1], ways[2], ways[3], rest)


def _pause(ways: list[NDArray[np.float64]], at: float, pause: float) -> list[NDArray[np.float64]]:
    """Stand still for a while at a time of the way."""
    times = ways[0]
    i = int(np.searchsorted(times, at))
    out = [np.concatenate((times[:i], [at, at + pause], times[i:] + pause))]
    for column in ways[1:]:
        here = np.interp(at, times, column)
        out.append(np.concatenate((column[:i], [here, here], column[i:])))
    return out


def _start(seconds: float, stay: float, slot: float) -> float:
    """When somebody who stays so long comes, so that they are in the picture at some time.

    In a short scene everybody is there in the middle of it, somewhere along the way; a long
    one is filled evenly, from before its beginning until its end.
    """
    seen = min(0.25 * stay, seconds)
    share = min(1.0, max(0.0, seconds / stay - 1))
    reach = (1 - share) * 0.36 * stay + share * max(0.0, 0.5 * (seconds + stay) - seen)
    return 0.5 * (seconds - stay) + (2 * slot - 1) * reach


def _group(leader: Walk, size: int, layout: Layout, rng: np.random.Generator) -> list[Walk]:
    """The leader, and people who walk along."""
    walks = [leader]
    for i in range(1, size):
        figure = dress(rng)
        tall = float(rng.uniform(0.92, 1.07)) * (0.68 if figure.head > 1 else 1.0)
        aside = (-1) ** i * rng.uniform(0.35, 0.6) * layout.adult(float(leader.feet.mean()))
        down = rng.uniform(-0.025, 0.025) * layout.height
        band = next((b for b in layout.walks if b[0] <= leader.feet[0] <= b[1]), layout.walks[0])
        feet = np.clip(leader.feet + down, *band)
        # Short legs take more steps.
        steps = leader.steps * (leader.tall / tall) + rng.uniform(0, 1)
        rest = leader.rest + math.pi + rng.uniform(-0.6, 0.6)
        walks.append(Walk(figure, tall, leader.times, leader.xs + aside, feet, steps, rest))
    return walks


def _into_view(walk: Walk, spec: SceneSpec) -> Walk:
    """The walk, moved in time if it would not be in the picture for three frames."""
    moments = np.arange(spec.frames) / float(spec.rate)
    at = np.interp(moments, walk.times, walk.xs)
    there = (moments >= walk.times[0]) & (moments <= walk.times[-1])
    if np.count_nonzero(there & (at >= 0) & (at < spec.width)) >= min(3, spec.frames):
        return walk
    # In the middle of the picture in the middle of the scene.
    order = slice(None) if walk.xs[0] < walk.xs[-1] else slice(None, None, -1)
    middle = np.interp(0.5 * spec.width, walk.xs[order], walk.times[order])
    times = walk.times + moments[spec.frames // 2] - middle
    return replace(walk, times=times)


def _hits(walk: Walk, layout: Layout, drives: Sequence[Drive]) -> bool:
    """Whether somebody would walk into a vehicle."""
    upper, lower = layout.road
    for t in np.arange(walk.times[0], walk.times[-1], 0.2):
        x, y = walk.place(float(t))
        if not upper <= y <= lower:
            continue
        room = 0.25 * layout.adult(y)
        for drive in drives:
            near = abs(y - drive.lane.foot + 0.03 * layout.height) < 0.06 * layout.height
            if near and abs(x - drive.place(float(t))) < 0.5 * drive.length + room:
                return True
    return False
