"""What is guaranteed, in plain words and numbers, and what it rests on.

Everything here is a function of public choices. Nothing depends on who is in the video.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

__all__ = [
    "Statement",
    "limits_of_search",
    "sampling_statement",
    "synthesis_statement",
    "way_of_search",
]

_AGAIN = (
    "Every release from the same recording costs its own epsilon, with either mechanism: they add "
    "up."
)
_NOT_THE_PLATE = (
    " The picture of the empty scene behind the population is not covered by it: it was made from "
    "the recording and is assumed not to be sensitive."
)


@dataclass(frozen=True)
class Statement:
    """A guarantee that may be printed beside a private video."""

    mechanism: str
    epsilon: float
    delta: float
    summary: str
    """One paragraph: what holds."""
    caution: str
    """One paragraph: what it must not be taken for."""
    assumptions: tuple[str, ...]


def sampling_statement(
    epsilon: float,
    *,
    tracks_per_person: int = 1,
    background: str = "retain",
    audio: bool = False,
    seeded: bool = False,
) -> Statement:
    """The statement of the paper's mechanism (DESIGN section 4).

    Args:
        epsilon: budget for one person or vehicle over the whole video.
        tracks_per_person: identities that one of them may have been split into.
        background: what was done with the background.
        audio: whether the sound was kept.
        seeded: whether the randomness can be repeated.
    """
    delta = -math.expm1(-epsilon)
    most, least = _at_most(delta), _at_least(epsilon)
    then = (
        ""
        if background == "sample"
        else ", and the drawn pixels are then distributed as if it had never been there"
    )
    summary = (
        f"For each protected person or vehicle: with probability at least {least} not one of "
        f"its pixels is published{then}. Otherwise, with probability up to {most}, at least "
        "one true pixel of it is public, and its outline and path may be seen in the private "
        "video. The probabilities are over the random draw of pixels, which is made once for the "
        "whole video: publishing again to get a luckier draw would break them."
    )
    caution = (
        f"This is the probabilistic guarantee (epsilon, delta) = ({epsilon:g}, {most}) of "
        "Definition 2 of the VideoDP paper. It is much weaker than epsilon-differential privacy "
        "as the words are used today: it bounds how likely an element is to be exposed, not what "
        f"is learnt about it when it is. {_AGAIN}"
    )
    assumptions = [
        "Every sensitive person or vehicle was found in every frame; what was missed is published "
        "like background, and whoever was missed often in the same place may show there in other "
        "frames, too.",
        _identities(tracks_per_person),
        _background(background),
        "Which colours are drawn, and how many pixels of each, was chosen from the video itself; "
        "that choice is not charged to epsilon (nor is it in the paper).",
        "Taking an element away uncovers nothing: what it hid of others is not counted.",
        "Size, frame rate, number of frames and the times of the frames are public.",
    ]
    if audio:
        assumptions.append("The sound is that of the recording: nothing protects a voice.")
    if seeded:
        assumptions.append(
            "The random draw was made with a seed, for a test or an experiment: whoever knows or "
            "guesses the seed can repeat it. Do not release this video."
        )
    return Statement("sampling", epsilon, delta, summary, caution, tuple(assumptions))


def way_of_search(found_by: Sequence[str]) -> str:
    """How it is known who is in the video, as a further assumption.

    Args:
        found_by: ``motion``, ``own model`` or the name of a model; none: the owner gave the list.
    """
    if not found_by:
        return (
            "The owner gave the list of people and vehicles; how it was made and checked is for "
            "the owner to say."
        )
    ways = {
        "motion": "by what moves while the camera stands still",
        "own model": "with a detector of the owner's own",
    }
    named = [ways.get(name, f"with the detector {name}") for name in found_by]
    alone = " alone: who stood still may have been missed" if list(found_by) == ["motion"] else ""
    return f"VideoDP looked for people and vehicles {' and '.join(named)}{alone}."


def limits_of_search(
    frames: tuple[int, int] | None,
    in_part: bool,
    labels: Sequence[str] | None,
    left_out: Sequence[str],
    *,
    published: bool = True,
) -> tuple[str, ...]:
    """What the owner chose not to protect, as further assumptions.

    Args:
        frames: [start, stop) in which elements were looked for; None: all.
        in_part: whether only a part of the picture was searched.
        labels: what was looked for; None: people and vehicles.
        left_out: labels that were found but are not protected.
        published: whether whoever is no element is published; else they are left out, but may
            show in the picture of the empty scene, which is made from searched frames.
    """
    fate = "is published as they are" if published else "may show in the empty scene"
    elsewhere = f"everybody {fate}" if published else "nobody is counted or shown"
    limits = []
    if frames is not None:
        limits.append(
            f"The owner had only frames {frames[0]} to {frames[1] - 1} (from 0) searched: in all "
            f"other frames {elsewhere}."
        )
    if in_part:
        limits.append(
            f"The owner had only a part of the picture searched: outside of it everybody {fate}."
        )
    if labels is not None:
        limits.append(f"The detector was asked for these labels only: {', '.join(labels)}.")
    if left_out:
        limits.append(
            "The owner says that elements with these labels are not sensitive; every one of them "
            f"{fate}: {', '.join(left_out)}."
        )
    return tuple(limits)


def synthesis_statement(
    epsilon: float,
    *,
    shares: Mapping[str, int] | None = None,
    tracks_per_person: int = 1,
    plate_given: bool = False,
    seeded: bool = False,
) -> Statement:
    """The statement of synthesis (DESIGN section 6, docs/synthesis.md).

    Args:
        epsilon: for one person or vehicle over the whole video.
        shares: percent of epsilon for each histogram of the summary.
        tracks_per_person: tracks that one of them may have been split into.
        plate_given: whether the owner gave a picture of the empty scene.
        seeded: whether the noise can be repeated.
    """
    record = "one track" if tracks_per_person == 1 else f"up to {tracks_per_person} tracks"
    parts = ", ".join(f"{name} {share} %" for name, share in (shares or {}).items())
    spent = f" Epsilon was spent as follows: {parts}." if parts else ""
    covered = (
        "is computed from the video afterwards"
        if plate_given
        else "is computed from the population afterwards"
    )
    summary = (
        "The video shows a made-up population, drawn from counts with noise; no pixel, path or "
        "time of any tracked person or vehicle is in it. Those counts are "
        f"{epsilon:g}-differentially private (delta 0): adding or removing {record} of the "
        f"recording changes the probability of any outcome by a factor of at most "
        f"{_factor(epsilon)}. That stays true whatever "
        f"{covered}, however often this video is asked, and with whatever other knowledge."
        f"{'' if plate_given else _NOT_THE_PLATE}{spent}"
    )
    caution = (
        "Nobody in this video is real: it answers how many, when, where, for how long and which "
        "way, with errors; it does not answer anything about a single person or event. Answers "
        "about few elements are mostly noise. Whoever has more tracks than stated is protected "
        f"less: with k times as many, by a factor of exp(k epsilon). {_AGAIN}"
    )
    assumptions = [
        "Tracks are the records: what is protected is whether a track is in the list of tracks, "
        "and anything about it. How a tracker's other tracks change when one element is not in the "
        "picture is not counted.",
        (
            "Each person or vehicle has at most one track."
            if tracks_per_person == 1
            else f"Each person or vehicle has at most {tracks_per_person} tracks; the noise is as "
            "much larger."
        ),
        (
            "The picture of the empty scene was given by the owner and is public; it shows nothing "
            "of this recording."
            if plate_given
            else "The picture of the empty scene and its sensor noise are not sensitive. They were "
            "made from frames of the recording with the elements cut out, so which frames enter "
            "at a place depends on who was where, and the last bits of the picture tell of that to "
            "somebody who knows the scene very exactly; a place that was nearly always covered is "
            "a smooth patch; whoever was not found as an element, and what "
            "sticks out of an outline, may be in it. A picture of the owner's own (--plate FILE) "
            "does without this assumption."
        ),
        "Size, frame rate, times and number of frames of the video are public, and so are "
        "all settings: "
        "labels, windows, zones, grids and bins are not chosen from the recording.",
        "How long computing takes is not protected.",
    ]
    if seeded:
        assumptions.append(
            "The noise was made with a seed, for a test or an experiment: whoever knows or guesses "
            "the seed can take it off again. Do not release this video."
        )
    return Statement("synthesis", epsilon, 0.0, summary, caution, tuple(assumptions))


def _at_most(chance: float) -> str:
    """A probability, rounded up; never to 0."""
    return _rounded(Decimal(chance), Decimal(chance), ROUND_CEILING)


def _at_least(epsilon: float) -> str:
    """The probability exp(-epsilon), rounded down; never to 1."""
    chance = (-Decimal(epsilon)).exp()
    return _rounded(chance, min(chance, 1 - chance), ROUND_FLOOR)


def _factor(epsilon: float) -> str:
    """The factor exp(epsilon), rounded up; never to 1."""
    factor = Decimal(epsilon).exp()
    return _rounded(factor, factor - 1, ROUND_CEILING)


def _rounded(value: Decimal, small: Decimal, how: str) -> str:
    """Three decimals, or more where two digits of something small would be lost."""
    digits = max(3, 1 - small.adjusted())
    return f"{value.quantize(Decimal(1).scaleb(-digits), how):f}"


def _identities(tracks_per_person: int) -> str:
    if tracks_per_person == 1:
        return (
            "Each of them was tracked under one identity over the whole video; a short track that "
            "holds parts of several counts as one more."
        )
    return (
        f"Each of them was tracked under at most {tracks_per_person} identities over the whole "
        "video; epsilon is shared among them."
    )


def _background(background: str) -> str:
    if background == "plate":
        return (
            "The empty scene is not sensitive, nor is what its picture tells. Every background "
            "pixel and every gap comes from one picture, the median of frames with the elements "
            "cut out, so no outline is left to the eye. But which frames enter at a place depends "
            "on who covered it, published or not, and the last bits of the picture depend on that: "
            "whoever knows the scene very exactly can tell from them that an unpublished element "
            "stood there. No probability here bounds this. Places that were covered nearly "
            "whenever the scene was sampled are filled from their surroundings: a smooth patch "
            "tells anybody that somebody stood there for long."
        )
    if background == "sample":
        return (
            "The background is not sensitive. Background pixels in colours that some element wears "
            "are drawn like those of elements; those in other colours are kept. Which colours "
            "these are, and the gaps themselves, depend on elements that are not published, too."
        )
    return (
        "The background is not sensitive; that includes shadows, reflections and the traces that "
        "compression leaves around an element. Background pixels are kept as they are, so gaps "
        "that were filled where an element stood can be told from true background by looking "
        "closely."
    )
