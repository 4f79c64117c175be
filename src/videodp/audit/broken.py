"""Mechanisms that are broken on purpose: an audit that does not find them is worth nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from videodp.privacy.noise import Noise, RepeatableNoise
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import NoisySummary, Summary, release

__all__ = ["BROKEN", "Release"]

Release = Callable[[Summary, SynthesisSettings, Noise], NoisySummary]
"""From a summary, or from copies of it along a first axis, to noisy ones."""


@dataclass(frozen=True)
class _Changed:
    """Noise of which something was changed on the way."""

    inner: Noise
    sensitivity: Callable[[int], int] = lambda sensitivity: sensitivity
    epsilon: Callable[[float], float] = lambda epsilon: epsilon
    empty_too: bool = True

    @property
    def repeatable(self) -> bool:
        """See `Noise`."""
        return self.inner.repeatable

    def laplace(self, values: np.ndarray, sensitivity: int, epsilon: float) -> np.ndarray:
        """See `Noise`."""
        noisy = self.inner.laplace(values, self.sensitivity(sensitivity), self.epsilon(epsilon))
        return noisy if self.empty_too else np.where(values == 0, 0, noisy)


class _Fixed:
    """The same noise in every release: the first axis tells the releases apart."""

    repeatable = True

    def laplace(self, values: np.ndarray, sensitivity: int, epsilon: float) -> np.ndarray:
        """See `Noise`."""
        first = RepeatableNoise(1).laplace(values[:1], sensitivity, epsilon)
        return np.asarray(values + (first - values[:1]))


def _halved_noise(summary: Summary, settings: SynthesisSettings, noise: Noise) -> NoisySummary:
    return release(summary, settings, _Changed(noise, epsilon=lambda epsilon: 2 * epsilon))


def _uncharged_histogram(
    summary: Summary, settings: SynthesisSettings, noise: Noise
) -> NoisySummary:
    noisy = release(summary, settings, noise)
    exact = summary.histograms[0]
    first = replace(noisy.histograms[0], counts=exact.counts)
    return replace(noisy, histograms=(first, *noisy.histograms[1:]))


def _epsilon_for_each(summary: Summary, settings: SynthesisSettings, noise: Noise) -> NoisySummary:
    return release(summary, settings, _Changed(noise, epsilon=lambda epsilon: settings.epsilon))


def _off_by_one(summary: Summary, settings: SynthesisSettings, noise: Noise) -> NoisySummary:
    return release(
        summary, settings, _Changed(noise, sensitivity=lambda most: 1 if most == 2 else most)
    )


def _one_track(summary: Summary, settings: SynthesisSettings, noise: Noise) -> NoisySummary:
    return release(summary, replace(settings, tracks_per_person=1), noise)


def _empty_exact(summary: Summary, settings: SynthesisSettings, noise: Noise) -> NoisySummary:
    return release(summary, settings, _Changed(noise, empty_too=False))


def _fixed_seed(summary: Summary, settings: SynthesisSettings, noise: Noise) -> NoisySummary:
    return release(summary, settings, _Fixed())


BROKEN: dict[str, Release] = {
    "halved-noise": _halved_noise,
    "uncharged-histogram": _uncharged_histogram,
    "epsilon-for-each": _epsilon_for_each,
    "off-by-one": _off_by_one,
    "one-track": _one_track,
    "empty-exact": _empty_exact,
    "fixed-seed": _fixed_seed,
}
"""Half the noise; one histogram without noise; all of epsilon for every histogram; sensitivity 1
instead of 2; a person's other tracks forgotten; noise only where somebody is; always the same
noise."""
