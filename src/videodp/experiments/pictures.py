"""A frame after Phase I and after Phase II (paper, appendix D)."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from videodp.elements import OwnerPicture
from videodp.experiments.lab import Lab
from videodp.experiments.sheet import read_sheet
from videodp.experiments.store import Rows
from videodp.render import Drawn
from videodp.video import atomic_path

__all__ = ["write_frames"]

_WIDE = 360
_DOT = 4
"""A drawn pixel is shown this many pixels to each side, else nobody would see it."""
_EPSILONS = (0.8, 1.6)


def write_frames(lab: Lab, path: Path) -> Rows:
    """One picture: a line for each epsilon, with the original, Phase I and Phase II.

    Of all frames the one with most drawn pixels is taken, of several the first: in most frames
    there is none at all.
    """
    lines, rows = [], []
    for epsilon in _EPSILONS:
        plan = lab.plan(epsilon, "auto")
        picks, drawn = lab.drawn(plan, 0)
        at = int(np.argmax(np.bincount(drawn.frame, minlength=lab.video.frames)))
        sheet = read_sheet(lab.video, lab.elements, [at])
        original = np.ascontiguousarray(sheet.frames[0].rgb)
        owner = OwnerPicture(lab.video.width, lab.video.height).paint(sheet.placed[0])
        private = next(sheet.private(lab.cast(drawn), lab.background(plan, picks, 0)))
        lines.append(np.hstack([original, _after_phase_one(original, owner, drawn, at), private]))
        rows.append(
            {
                "epsilon": epsilon,
                "frame": at,
                "drawn_here": int((drawn.frame == at).sum()),
                "drawn": len(drawn.frame),
                "elements_drawn": len(np.unique(drawn.element)),
                "elements": len(lab.elements),
            }
        )
    picture = np.vstack(lines)
    size = 3 * _WIDE, round(picture.shape[0] * 3 * _WIDE / picture.shape[1])
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    with atomic_path(path, overwrite=True) as temporary:
        cv2.imwrite(str(temporary), cv2.cvtColor(small, cv2.COLOR_RGB2BGR))
    return {"frames": rows}


def _after_phase_one(rgb: np.ndarray, owner: np.ndarray, drawn: Drawn, frame: int) -> np.ndarray:
    """Background as it is, elements black, and each drawn pixel as a square that can be seen."""
    out = rgb.copy()
    out[owner > 0] = 0
    for i in np.flatnonzero(drawn.frame == frame).tolist():
        y, x = int(drawn.y[i]), int(drawn.x[i])
        colour = rgb[y, x].copy()
        out[max(y - _DOT, 0) : y + _DOT + 1, max(x - _DOT, 0) : x + _DOT + 1] = colour
    return out
