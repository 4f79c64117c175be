"""How long they stay."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from videodp.errors import UsageError
from videodp.pinq.terms import Answer, Terms, answer, needed
from videodp.queries.footage import Footage
from videodp.queries.tables import table_of
from videodp.queries.tracks import Summary, summarise

__all__ = ["PAPER_STAY", "STAY", "STAY_TIMES", "stay", "stay_times"]

PAPER_STAY = 60
"""The paper's sensitivity of a stay time, in frames (section 5.3)."""

STAY = pa.schema([("rank", pa.int32()), ("frames", pa.int64())])
STAY_TIMES = pa.schema([("low", pa.int64()), ("high", pa.int64()), ("elements", pa.int64())])


def stay(footage: Footage, terms: Terms) -> Answer:
    """How long each element stays, as the paper asks it: a noisy number for each element.

    Only with the setting ``paper``: a row for each element tells how many there are, and that
    an element is there cannot be hidden by noise on its row.

    Returns:
        `STAY`: ranked by the true stay from short to long, as in the paper's figures; frames
        from first to last sighting, both included, with noise.
    """
    if not terms.paper:
        raise UsageError(
            "a row for each element tells that it is there: ask stay_times, which counts elements"
        )
    stays = np.sort(_stays(summarise(footage)))
    protects = (
        f"how long one element stays, if that could differ by at most {PAPER_STAY} frames; "
        "not that it is there, not how many there are, and not the order of their stays"
    )
    ranks = np.arange(1, len(stays) + 1)
    return answer(
        terms,
        stays,
        PAPER_STAY,
        protects,
        lambda noisy: table_of(STAY, {"rank": ranks, "frames": noisy}),
    )


def stay_times(
    footage: Footage, terms: Terms, *, longest: int | None = None, bins: int = 10
) -> Answer:
    """How many elements stay how long: one element is in one bin, so the sensitivity is 1.

    Args:
        footage: an original and its elements.
        terms: both settings give the same noise here.
        longest: end of the last bin in frames; longer stays count there.
        bins: equal steps from 0 to the longest stay.

    Returns:
        `STAY_TIMES`: elements that stay more than `low` and at most `high` frames.
    """
    longest = needed("longest", longest, 500, "where the last bin ends, in frames")
    if not 1 <= bins <= min(longest, 10_000):
        raise UsageError(
            f"stay times need 1 to {min(longest, 10_000)} bins, not {bins}: a bin holds a frame"
        )
    edges = np.arange(bins + 1) * longest // bins
    stays = np.minimum(_stays(summarise(footage)), longest)
    counts = np.bincount(np.searchsorted(edges, stays) - 1, minlength=bins)
    return answer(
        terms,
        counts,
        1,
        "one element over the whole answer: it is in one bin",
        lambda noisy: table_of(
            STAY_TIMES, {"low": edges[:-1], "high": edges[1:], "elements": noisy}
        ),
    )


def _stays(summary: Summary) -> np.ndarray:
    """(n,) int64 frames from first to last sighting."""
    return np.asarray(summary.last - summary.first + 1)
