"""The second mechanism on the same video: who is made up, and the pictures."""

from __future__ import annotations

from videodp.experiments.chance import noise
from videodp.experiments.lab import Lab
from videodp.privacy.randomness import Randomness
from videodp.queries import Footage, footage_of
from videodp.synthesis.boxes import elements_of
from videodp.synthesis.model import Population
from videodp.synthesis.paint import Painter
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.tell import act, tell

__all__ = ["footage_of_actors", "made_up", "painter"]

_EXPECTED = {True: ("person",), False: ("car", "bus", "truck")}
"""Labels that are told apart where people, or vehicles, are expected: an owner knows which."""


def made_up(lab: Lab, epsilon: float, seed: int) -> Population:
    """The population of one release."""
    settings = SynthesisSettings(epsilon, labels=_EXPECTED[lab.of_people])
    video = lab.video
    public = (video.width, video.height), video.frames, video.rate
    noisy = tell(lab.elements, settings, *public, noise(seed, epsilon, "synthesis"))
    return act(noisy, settings, *public, Randomness(seed))


def painter(lab: Lab, population: Population, seed: int) -> Painter:
    """Its pictures, on the scene of this video."""
    return Painter(population, lab.scenery, Randomness(seed))


def footage_of_actors(lab: Lab, population: Population) -> Footage:
    """What a synthetic video is asked by: its own elements, which come with it."""
    return footage_of(elements_of(population), lab.video)
