"""Places that are read from text: lines, zones, regions, reference points, frames."""

from __future__ import annotations

import re

from videodp.errors import UsageError
from videodp.queries import Ground, Line, Region, Zone

__all__ = ["frame_span", "grid_of", "ground_of", "line_of", "region_of", "zone_of"]

_NUMBER = r"-?\d{1,9}(?:\.\d{1,9})?"
_WHOLE = r"\d{1,9}"


def line_of(text: str) -> Line:
    """``x0,y0,x1,y1``."""
    x0, y0, x1, y1 = map(float, _fields(text, "line", ",".join([_NUMBER] * 4), "0,240,640,240"))
    return Line((x0, y0), (x1, y1))


def zone_of(text: str) -> Zone:
    """``x,y x,y x,y``."""
    corner = f"{_NUMBER},{_NUMBER}"
    numbers = _fields(text, "zone", f"{corner}(?: +{corner})*", "0,0 320,0 320,240 0,240")
    values = list(map(float, numbers))
    return Zone(tuple(zip(values[::2], values[1::2], strict=True)))


def region_of(text: str) -> Region:
    """``x,y,w,h``, whole pixels."""
    x, y, w, h = map(int, _fields(text, "region", ",".join([_WHOLE] * 4), "0,0,320,240"))
    return Region(x, y, w, h)


def ground_of(text: str) -> Ground:
    """``x,y=X,Y`` four times: a point of the picture, and where it is in metres."""
    pair = f"{_NUMBER},{_NUMBER}={_NUMBER},{_NUMBER}"
    example = "0,400=0,0 640,400=20,0 480,200=20,30 160,200=0,30"
    v = list(
        map(
            float,
            _fields(text, "set of four reference points", f"{pair}(?: +{pair}){{3}}", example),
        )
    )
    seen = ((v[0], v[1]), (v[4], v[5]), (v[8], v[9]), (v[12], v[13]))
    return Ground(seen, ((v[2], v[3]), (v[6], v[7]), (v[10], v[11]), (v[14], v[15])))


def grid_of(text: str) -> tuple[int, int]:
    """``16x9``."""
    columns, rows = map(int, _fields(text, "grid", f"{_WHOLE}x{_WHOLE}", "16x9"))
    return columns, rows


def frame_span(text: str) -> tuple[int, int]:
    """``A-B``, both included; as first frame and end."""
    first, last = map(int, _fields(text, "span of frames", f"{_WHOLE}-{_WHOLE}", "0-99"))
    if last < first:
        raise UsageError(f"frames {text} end before they begin: write the smaller one first")
    return first, last + 1


def _fields(text: str, what: str, pattern: str, example: str) -> list[str]:
    text = text.strip()
    if not re.fullmatch(pattern, text, re.ASCII):
        raise UsageError(f"'{text[:60]}' is not a {what}: write for example {example}")
    return re.findall(_NUMBER if what not in ("span of frames", "grid") else _WHOLE, text)
