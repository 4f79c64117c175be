"""Integer noise with an exact privacy loss: discrete Laplace, for counts.

`SecureNoise` is OpenDP's, from the operating system's randomness: the only one for a release.
`RepeatableNoise` has the same distribution from a seed, for experiments and tests: whoever knows
the seed can take it off again.
"""

from __future__ import annotations

import functools
import math
from typing import Protocol

import numpy as np
import opendp.prelude as dp

from videodp.errors import BudgetError

__all__ = ["Noise", "RepeatableNoise", "SecureNoise", "loss_of", "noise_from", "scale_for"]

dp.enable_features("contrib")

_TRIES = 64


class Noise(Protocol):
    """Where noise comes from."""

    @property
    def repeatable(self) -> bool:
        """Whether it can be taken off again: then nothing made with it may be released."""

    def laplace(self, values: np.ndarray, sensitivity: int, epsilon: float) -> np.ndarray:
        """Adds noise to counts so that together they are epsilon-differentially private.

        Args:
            values: integers, any shape.
            sensitivity: how far one record can move all of them together (L1).
            epsilon: the privacy loss of the whole array.

        Returns:
            int64, the same shape.
        """


class SecureNoise:
    """OpenDP's sampler: exact, and from the operating system."""

    repeatable = False

    def laplace(self, values: np.ndarray, sensitivity: int, epsilon: float) -> np.ndarray:
        """See `Noise`."""
        flat = np.ascontiguousarray(values, np.int64).ravel()
        if not len(flat):
            return flat.reshape(np.shape(values))
        noisy = _mechanism(scale_for(sensitivity, epsilon))(flat)
        return np.array(noisy, np.int64).reshape(np.shape(values))


class RepeatableNoise:
    """The same distribution from a seed: never for a release."""

    repeatable = True

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng([seed, 0x6E6F697365])

    def laplace(self, values: np.ndarray, sensitivity: int, epsilon: float) -> np.ndarray:
        """See `Noise`; the difference of two geometric variables is discrete Laplace."""
        success = -math.expm1(-1 / scale_for(sensitivity, epsilon))
        up, down = self._rng.geometric(success, (2, *np.shape(values)))
        return np.asarray(np.asarray(values, np.int64) + up - down)


def noise_from(seed: int | None) -> Noise:
    """Noise for a release, or repeatable noise where a seed is given."""
    return SecureNoise() if seed is None else RepeatableNoise(seed)


@functools.lru_cache(maxsize=256)
def scale_for(sensitivity: int, epsilon: float) -> float:
    """The smallest scale at which OpenDP's own privacy map promises at most epsilon.

    Raises:
        BudgetError: there is no such scale.
    """
    if sensitivity < 1:
        raise BudgetError(f"a sensitivity is 1 or more, not {sensitivity}: say what one can change")
    if not (math.isfinite(epsilon) and epsilon > 0):
        raise BudgetError(f"epsilon must be above 0 and finite, not {epsilon}: give for example 1")
    scale = sensitivity / epsilon
    for _ in range(_TRIES):  # rounding may leave it a hair above
        if math.isfinite(scale) and loss_of(scale, sensitivity) <= epsilon:
            return scale
        scale = math.nextafter(scale, math.inf)
    raise BudgetError(f"no noise is known for an epsilon of {epsilon}: give a larger one")


def loss_of(scale: float, change: int) -> float:
    """OpenDP's privacy map: the loss of whoever can move the noisy numbers by `change` (L1)."""
    return float(_mechanism(scale).map(change))


def _mechanism(scale: float) -> dp.Measurement:
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    return dp.m.make_laplace(*space, scale=scale)
