"""From tracks to a made-up population: the mechanism, all but its picture.

elements --tell--> NoisySummary --act--> Population
"""

from __future__ import annotations

from fractions import Fraction

from videodp.elements import Elements
from videodp.privacy.noise import Noise
from videodp.privacy.randomness import Randomness
from videodp.synthesis.model import Population
from videodp.synthesis.population import populate
from videodp.synthesis.records import records_of
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import NoisySummary, release, summarise

__all__ = ["act", "tell"]


def tell(
    elements: Elements,
    settings: SynthesisSettings,
    size: tuple[int, int],
    frames: int,
    rate: Fraction,
    noise: Noise,
) -> NoisySummary:
    """All that is ever told about the tracks: here epsilon is spent, and nowhere else.

    Args:
        elements: who is in the recording; each track is one record.
        settings: public.
        size: width and height of the picture, public.
        frames: of the video, public.
        rate: frames per second, public.
        noise: of a release, or repeatable for experiments.
    """
    records = records_of(elements, size, frames, rate, settings.grid)
    return release(summarise(records, settings, size, frames, rate), settings, noise)


def act(
    noisy: NoisySummary,
    settings: SynthesisSettings,
    size: tuple[int, int],
    frames: int,
    rate: Fraction,
    randomness: Randomness,
) -> Population:
    """The population to be painted: nobody where the summary tells noise only.

    The arguments are those of `populate`.
    """
    if not noisy.speaks:  # it may tell of millions
        return Population(size, frames, rate, ())
    return populate(noisy, settings, size, frames, rate, randomness)
