"""How vehicles go: lanes in which everybody keeps the same speed, so that nobody collides."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from videodp.scenes.layout import Lane, Layout
from videodp.scenes.spec import SceneSpec
from videodp.scenes.vehicles import Vehicle, build

__all__ = ["Drive", "plan_traffic"]

_ADULT = 1.72  # metres


@dataclass(frozen=True, eq=False)
class Drive:
    """One vehicle's way through the scene.

    Attributes:
        vehicle: What drives.
        lane: Where.
        foot: Row on which its wheels stand.
        length: In pixels.
        offset: Way travelled, in pixels from the side it comes from, at time 0.
        times: (n,) float64 seconds of the lane's timetable.
        ways: (n,) float64 pixels that the lane's vehicles have travelled until each time.
        width: Of the picture.
    """

    vehicle: Vehicle
    lane: Lane
    foot: float
    length: float
    offset: float
    times: NDArray[np.float64]
    ways: NDArray[np.float64]
    width: int

    def travelled(self, t: float) -> float:
        """Pixels travelled since the vehicle's middle was at the picture's edge."""
        return self.offset + float(np.interp(t, self.times, self.ways))

    def place(self, t: float) -> float:
        """Column of the vehicle's middle."""
        way = self.travelled(t)
        return way if self.lane.direction > 0 else self.width - way


def plan_traffic(spec: SceneSpec, layout: Layout, rng: np.random.Generator) -> tuple[Drive, ...]:
    """Plan every vehicle's drive, so that each is in the picture at some time."""
    counts = np.bincount(np.arange(spec.vehicles) % max(1, len(layout.lanes)), minlength=1)
    order = rng.permutation(len(counts))
    drives: list[Drive] = []
    for lane, count in zip(layout.lanes, counts[order], strict=False):
        drives += _fill(spec, layout, lane, int(count), rng)
    return tuple(drives)


def _fill(
    spec: SceneSpec, layout: Layout, lane: Lane, count: int, rng: np.random.Generator
) -> list[Drive]:
    """The drives of one lane."""
    if count == 0:
        return []
    metre = layout.adult(lane.foot) / _ADULT
    vehicles = [build(rng, heavy=0.1 if layout.kind == "highway" else 0.0) for _ in range(count)]
    lengths = [vehicle.metres * metre for vehicle in vehicles]
    gaps = [metre * (1.5 + rng.uniform(0.0, 1.5)) for _ in lengths]
    queue = sum(lengths) + sum(gaps)
    # As fast as is needed for everybody to pass.
    stay = max(3.2 if layout.kind == "highway" else 6.5, 4 / float(spec.rate))
    speed = layout.width / stay * rng.uniform(0.85, 1.0)
    times, ways = _timetable(spec, speed, layout.kind == "street", rng)
    lacking = queue - layout.width - float(ways[-1])
    if lacking > 0:
        # But a vehicle is in view for a second, and for a few frames, at least.
        fastest = layout.width / max(1.2, 4 / float(spec.rate)) / speed
        ways = ways * max(1.0, min(fastest, 1 + 1.05 * lacking / max(1.0, float(ways[-1]))))
    # Everybody's middle must be in the picture in a few frames.
    until, since = (float(np.interp(float(i / spec.rate), times, ways)) for i in _margins(spec))
    first, last = -since, 0.95 * layout.width - until
    # Where even the fastest lane is too short, vehicles overlap.
    squeeze = min(1.0, (last - first) / queue)
    shares = rng.dirichlet(np.full(count + 1, 4.0)) * max(0.0, last - first - queue)
    drives = []
    head = first
    for vehicle, length, gap, share in zip(vehicles, lengths, gaps, shares, strict=False):
        offset = head + share + squeeze * 0.5 * (length + gap)
        head += share + squeeze * (length + gap)
        foot = lane.foot + rng.uniform(-0.006, 0.006) * layout.height
        drives.append(Drive(vehicle, lane, foot, length, offset, times, ways, layout.width))
    return drives


def _margins(spec: SceneSpec) -> tuple[int, int]:
    """Until which frame the first vehicles must stay and from which the last must be there."""
    return min(2, spec.frames - 1), max(0, spec.frames - 3)


def _timetable(
    spec: SceneSpec, speed: float, stops: bool, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The way a lane has travelled at each tenth of a second, with soft stops."""
    times = np.arange(0.0, spec.seconds + 0.2, 0.1)
    pace = np.ones_like(times)
    if stops:
        at = rng.uniform(1.0, 5.0)
        while at < spec.seconds:
            stop = rng.uniform(1.5, 3.5)
            # Braking and starting take a second each.
            pace *= np.clip(np.abs(times - at - 0.5 * stop) - 0.5 * stop, 0.0, 1.0)
            at += stop + rng.uniform(6.0, 10.0)
    ways = np.concatenate(([0.0], np.cumsum(pace[:-1] * 0.1 * speed)))
    return times, ways
