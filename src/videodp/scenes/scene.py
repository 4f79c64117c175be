"""A scene: any of its frames, at any time, with the truth about it."""

import functools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from videodp.kernels.paint import expose, stamp, visible_pixels
from videodp.scenes.backdrop import paint_backdrop
from videodp.scenes.figures import Light, Sprite, paint_figure
from videodp.scenes.layout import lay_out
from videodp.scenes.spec import PaintedFrame, SceneSpec, Shown
from videodp.scenes.traffic import plan_traffic
from videodp.scenes.vehicles import SPOKES, paint_vehicle
from videodp.scenes.walks import plan_walks

__all__ = ["Scene", "paint"]

_GAIN = 4096
_BANK = 1 << 20  # values of noise made once; each row of each frame reads somewhere in it
_WHEEL_STEPS = 4  # positions of a wheel between one spoke and the next
_SPRITES = 256  # vehicles kept: more than are ever in view, whatever the length of the scene


class _Cut(NamedTuple):
    """The part of one element that is inside the picture."""

    id: int
    label: str
    box: tuple[int, int, int, int]
    rgba: NDArray[np.uint8]


class Scene:
    """A painted street scene.

    Frames are a pure function of the spec and the index: they can be asked for in any order
    and from several threads at once.

    Attributes:
        spec: What was asked for.
        background: (height, width, 3) uint8 RGB, the empty street without noise.
    """

    def __init__(self, spec: SceneSpec) -> None:
        self.spec = spec
        self._layout = lay_out(spec)
        street, traffic, walks, sensor = np.random.default_rng(spec.seed).spawn(4)
        self.background: NDArray[np.uint8] = paint_backdrop(self._layout, street)
        self.background.flags.writeable = False
        self._drives = plan_traffic(spec, self._layout, traffic)
        self._walks = plan_walks(spec, self._layout, self._drives, walks)
        self._light_phase = float(sensor.uniform(0, 2 * math.pi))
        size = _BANK + 3 * spec.width if spec.noise > 0 else 0
        grains = sensor.standard_normal(size, np.float32) * np.float32(spec.noise)
        self._noise = grains.round().clip(-127, 127).astype(np.int8)
        self._light = Light()
        self._vehicle = functools.lru_cache(_SPRITES)(self._paint_vehicle)

    def __iter__(self) -> Iterator[PaintedFrame]:
        for index in range(self.spec.frames):
            yield self.frame(index)

    def __len__(self) -> int:
        return self.spec.frames

    def frame(self, index: int) -> PaintedFrame:
        """Paint one frame."""
        index = self._check(index)
        cuts = sorted(self._cuts(index), key=lambda cut: (cut.box[1] + cut.box[3], cut.id))
        rgb = self.background.copy()
        owner = np.zeros(rgb.shape[:2], np.int32)
        for cut in cuts:
            stamp(rgb, owner, cut.rgba, cut.box[0], cut.box[1], cut.id)
        shown = []
        for cut in cuts:
            mask = cut.rgba[:, :, 3] > 0
            visible = visible_pixels(owner, *cut.box, cut.id) / np.count_nonzero(mask)
            shown.append(Shown(cut.id, cut.label, cut.box, mask, float(visible)))
        self._expose(rgb, index)
        return PaintedFrame(index, rgb, tuple(shown))

    def empty(self, index: int) -> NDArray[np.uint8]:
        """The same frame with nobody in it: same light, same noise."""
        index = self._check(index)
        rgb = self.background.copy()
        self._expose(rgb, index)
        return rgb

    def _check(self, index: int) -> int:
        if not 0 <= index < self.spec.frames:
            raise IndexError(f"the scene has frames 0 to {self.spec.frames - 1}, not {index}")
        return int(index)

    def _cuts(self, index: int) -> Iterator[_Cut]:
        """Everybody who is in the picture, cut to its borders."""
        t = float(index / self.spec.rate)
        width = self.spec.width
        for number, walk in enumerate(self._walks, 1):
            if not walk.times[0] <= t <= walk.times[-1]:
                continue
            x, foot = walk.place(t)
            height = walk.tall * self._layout.adult(foot)
            if not -height < x < width + height:
                continue
            figure = paint_figure(walk.figure, walk.pose(t), height, self._light)
            yield from self._cut(number, "person", figure, x, foot)
        for number, drive in enumerate(self._drives):
            x = drive.place(t)
            if not -drive.length < x < width + drive.length:
                continue
            metres = drive.travelled(t) / drive.length * drive.vehicle.metres
            turn = metres / drive.vehicle.model.wheel
            step = int(turn * _WHEEL_STEPS * SPOKES / (2 * math.pi)) % _WHEEL_STEPS
            label = drive.vehicle.label
            yield from self._cut(
                len(self._walks) + 1 + number, label, self._vehicle(number, step), x, drive.foot
            )

    def _paint_vehicle(self, number: int, step: int) -> Sprite:
        drive = self._drives[number]
        turn = step * 2 * math.pi / (_WHEEL_STEPS * SPOKES)
        return paint_vehicle(drive.vehicle, drive.length, drive.lane.direction, turn)

    def _cut(self, who: int, label: str, sprite: Sprite, x: float, foot: float) -> Iterator[_Cut]:
        """Put a sprite on its place on the ground; nothing where it is outside the picture."""
        h, w = sprite.rgba.shape[:2]
        left, top = round(x) - sprite.anchor, round(foot) - h
        x0, y0 = max(0, left), max(0, top)
        x1, y1 = min(self.spec.width, left + w), min(self.spec.height, top + h)
        if x0 >= x1 or y0 >= y1:
            return
        inside = sprite.rgba[y0 - top : y1 - top, x0 - left : x1 - left]
        if inside.shape != sprite.rgba.shape:
            # What is left of it need not reach to the borders of the cut: trim again.
            solid = inside[:, :, 3] > 0
            rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
            if not rows.size:
                return
            inside = inside[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            x0, y0 = x0 + int(columns[0]), y0 + int(rows[0])
        box = (x0, y0, inside.shape[1], inside.shape[0])
        yield _Cut(who, label, box, np.ascontiguousarray(inside))

    def _expose(self, rgb: NDArray[np.uint8], index: int) -> None:
        """Put light and sensor noise of a moment onto a frame."""
        spec = self.spec
        t = float(index / spec.rate)
        change = math.sin(2 * math.pi * t / 23.0 + self._light_phase)
        gain = round(_GAIN * (1 + spec.light * change))
        rng = np.random.default_rng((spec.seed, index))
        offsets = rng.integers(0, _BANK, spec.height)
        expose(rgb.reshape(spec.height, -1), gain, self._noise, offsets)


def paint(spec: SceneSpec | None = None) -> Scene:
    """Make a scene; the default is a street with a dozen people and a few cars."""
    return Scene(spec or SceneSpec())
