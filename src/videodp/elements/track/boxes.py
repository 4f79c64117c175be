"""Boxes (x, y, width, height) against boxes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

__all__ = ["apart", "centres", "clearness", "overlap", "per_frame", "share_inside", "sizes"]

_TINY = 1e-9


def apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(n,) 0..1, how different rows of looks are: 0 where one of them is unknown.

    Looks are roots of histograms, so this is 1 minus their Bhattacharyya coefficient.
    """
    norm = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    alike = np.einsum("nd,nd->n", a, b) / np.maximum(norm, _TINY)
    return np.asarray(np.where(norm > 0, np.clip(1 - alike, 0, 1), 0))


def clearness(frame: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """(n,) 0..1: the share of each box that no box in front of it covers.

    Of two boxes of a frame, the one whose lower edge is further down is in front.
    """
    clear = np.ones(len(frame))
    for rows in per_frame(frame):
        here = boxes[rows]
        bottom = here[:, 1] + here[:, 3]
        covered = np.where(bottom[None] > bottom[:, None], share_inside(here, here), 0)
        clear[rows] = 1 - covered.max(axis=1, initial=0)
    return clear


def centres(boxes: np.ndarray) -> np.ndarray:
    """(n, 2): the middle of each box."""
    return np.asarray(boxes[:, :2] + boxes[:, 2:] / 2)


def sizes(boxes: np.ndarray) -> np.ndarray:
    """(n,): the mean of width and height, the unit in which distances are judged."""
    return np.asarray(np.maximum((boxes[:, 2] + boxes[:, 3]) / 2, _TINY))


def overlap(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(n, m): intersection over union of each of `a` (n, 4) with each of `b` (m, 4)."""
    both = _both(a, b)
    return np.asarray(both / np.maximum(_area(a)[:, None] + _area(b)[None] - both, _TINY))


def share_inside(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(n, m): the share of each of `a` (n, 4) that is inside each of `b` (m, 4)."""
    return np.asarray(_both(a, b) / np.maximum(_area(a)[:, None], _TINY))


def per_frame(frame: np.ndarray) -> Iterator[slice]:
    """The rows of each frame that has any, of a sorted column."""
    edges = np.flatnonzero(np.diff(frame, prepend=-1, append=np.iinfo(np.int32).max))
    for start, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        yield slice(start, stop)


def _both(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum((a[:, :2] + a[:, 2:])[:, None], (b[:, :2] + b[:, 2:])[None])
    return np.asarray(np.clip(high - low, 0, None).prod(axis=2))


def _area(a: np.ndarray) -> np.ndarray:
    return np.asarray(a[:, 2] * a[:, 3])
