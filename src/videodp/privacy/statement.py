"""What is guaranteed, in plain words and numbers, and what it rests on.

Everything here is a function of public choices. Nothing depends on who is in the video.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Statement", "sampling_statement", "synthesis_statement"]


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
    epsilon: float, *, tracks_per_person: int = 1, background: str = "retain", seeded: bool = False
) -> Statement:
    """The statement of the paper's mechanism (DESIGN section 4).

    Args:
        epsilon: budget for one person or vehicle over the whole video.
        tracks_per_person: identities that one of them may have been split into.
        background: what was done with the background.
        seeded: whether the randomness can be repeated.
    """
    delta = -math.expm1(-epsilon)
    hidden = math.exp(-epsilon)
    then = (
        ""
        if background == "sample"
        else ", and the drawn pixels are then distributed as if it had never been there"
    )
    summary = (
        f"For each protected person or vehicle: with probability at least {hidden:.3f} not one of "
        f"its pixels is published{then}. Otherwise, with probability up to {delta:.3f}, at least "
        "one true pixel of it is public, and its outline and path may be seen in the private "
        "video. The probabilities are over the random draw of pixels, which is made once for the "
        "whole video: publishing again to get a luckier draw would break them."
    )
    caution = (
        f"This is the probabilistic guarantee (epsilon, delta) = ({epsilon:g}, {delta:.3f}) of "
        "Definition 2 of the VideoDP paper. It is much weaker than epsilon-differential privacy "
        "as the words are used today: it bounds how likely an element is to be exposed, not what "
        "is learnt about it when it is."
    )
    assumptions = [
        "Every sensitive person or vehicle was found in every frame; what was missed is published "
        "like background.",
        _identities(tracks_per_person),
        _background(background),
        "Which colours are drawn, and how many pixels of each, was chosen from the video itself; "
        "that choice is not charged to epsilon (nor is it in the paper).",
        "Taking an element away uncovers nothing: what it hid of others is not counted.",
        "Size, frame rate and number of frames of the video are public.",
    ]
    if seeded:
        assumptions.append(
            "The random draw was made with a seed, for a test or an experiment: whoever knows or "
            "guesses the seed can repeat it. Do not release this video."
        )
    return Statement("sampling", epsilon, delta, summary, caution, tuple(assumptions))


def synthesis_statement(
    epsilon: float, *, tracks_per_person: int = 1, plate_given: bool = False, seeded: bool = False
) -> Statement:
    """The statement of synthesis (DESIGN section 6).

    Args:
        epsilon: for one person or vehicle over the whole video and everything that is published.
        tracks_per_person: identities that one of them may have been split into.
        plate_given: whether the empty scene is a picture that the owner had.
        seeded: whether the randomness can be repeated.
    """
    summary = (
        f"This video is {epsilon:g}-differentially private for every protected person or vehicle "
        "over its whole length, with delta 0: whoever is taken out of the recording, or added to "
        f"it, changes the probability of any private video by a factor of at most "
        f"{math.exp(epsilon):.3g}. Everybody in it is made up. What follows the recording are a "
        "few counts with noise; no pixel of anybody is published. That holds for any number of "
        "analyses of the video."
    )
    caution = (
        "Single figures stand for nobody, and small numbers are mostly noise. The guarantee is "
        "about the elements that were listed, and about what is made of them; the picture of the "
        "empty scene is taken to be public."
    )
    assumptions = [
        "Every sensitive person or vehicle was listed; who was not is not counted.",
        _identities(tracks_per_person),
        "The picture of the empty scene is public"
        + (
            ": the owner gave it."
            if plate_given
            else ", and so is the strength of the noise on it: both were made from sampled frames, "
            "from what no listed element covered. A smooth patch in it tells that somebody stood "
            "there for long."
        ),
        "Size, frame rate, time stamps and number of frames of the video are public.",
    ]
    if seeded:
        assumptions.append(
            "The noise was made with a seed, for a test or an experiment: whoever knows or guesses "
            "the seed can take it off. Do not release this video."
        )
    return Statement("synthesis", epsilon, 0.0, summary, caution, tuple(assumptions))


def _identities(tracks_per_person: int) -> str:
    if tracks_per_person == 1:
        return "Each of them was tracked under one identity over the whole video."
    return (
        f"Each of them was tracked under at most {tracks_per_person} identities over the whole "
        "video; epsilon is shared among them."
    )


def _background(background: str) -> str:
    if background == "plate":
        return (
            "The empty scene is not sensitive. Every background pixel and every gap comes from one "
            "picture of it, the median of places and times that no element covered, so no frame "
            "tells where an unpublished element stood. Places that were covered whenever the scene "
            "was sampled are filled from their surroundings: a smooth patch in the plate tells "
            "that somebody stood there for long."
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
