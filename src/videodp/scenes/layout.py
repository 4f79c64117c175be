"""Where things are in the picture: horizon, house fronts, pavements, lanes."""

from dataclasses import dataclass

from videodp.scenes.spec import SceneSpec

__all__ = ["Lane", "Layout", "lay_out"]


@dataclass(frozen=True)
class Lane:
    """One lane of the road.

    Attributes:
        foot: Row on which wheels stand.
        direction: 1 to the right, -1 to the left.
    """

    foot: float
    direction: int


@dataclass(frozen=True)
class Layout:
    """The picture's geometry, in pixels.

    Attributes:
        width: Of the picture.
        height: Of the picture.
        kind: street, plaza or highway.
        horizon: Row where figures would have no height; may lie above the picture.
        slope: Height of an adult per row below the horizon.
        wall: Row where the house fronts meet the ground.
        road: Upper and lower row of the road; equal where there is none.
        lanes: From far to near.
        walks: Rows people may stand on, from far to near: (upper, lower).
    """

    width: int
    height: int
    kind: str
    horizon: float
    slope: float
    wall: float
    road: tuple[float, float]
    lanes: tuple[Lane, ...]
    walks: tuple[tuple[float, float], ...]

    def adult(self, foot: float) -> float:
        """Height of an adult who stands on a row."""
        return max(4.0, self.slope * (foot - self.horizon))


def lay_out(spec: SceneSpec) -> Layout:
    """The geometry of a scene."""
    if spec.people == 0 and spec.vehicles > 0:
        feet = (0.36, 0.44, 0.53, 0.66, 0.77, 0.895)
        return _layout(spec, "highway", -0.3, 0.118, 0.27, (0.29, 0.93), feet, ())
    if spec.vehicles == 0:
        return _layout(spec, "plaza", 0.06, 0.3, 0.29, (0.0, 0.0), (), ((0.315, 0.985),))
    walks = ((0.43, 0.485), (0.8, 0.985))
    return _layout(spec, "street", 0.13, 0.3, 0.41, (0.5, 0.775), (0.605, 0.745), walks)


def _layout(
    spec: SceneSpec,
    kind: str,
    horizon: float,
    tall: float,
    wall: float,
    road: tuple[float, float],
    feet: tuple[float, ...],
    walks: tuple[tuple[float, float], ...],
) -> Layout:
    """Turn shares of the picture's height into rows; `tall` is an adult at the lower edge."""
    h = spec.height
    lanes = tuple(
        # Traffic keeps to the right, as seen from the near side of the road.
        Lane(foot * h, 1 if 2 * i >= len(feet) else -1)
        for i, foot in enumerate(feet)
    )
    return Layout(
        width=spec.width,
        height=h,
        kind=kind,
        horizon=horizon * h,
        slope=tall / (0.985 - horizon),
        wall=wall * h,
        road=(road[0] * h, road[1] * h),
        lanes=lanes,
        walks=tuple((a * h, b * h) for a, b in walks),
    )
