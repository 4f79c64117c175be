"""Noise that can be drawn again: an experiment gives the same numbers for the same seed."""

from __future__ import annotations

import hashlib

from videodp.pinq import Terms
from videodp.privacy.noise import RepeatableNoise

__all__ = ["terms"]


def terms(epsilon: float, setting: str, seed: int, *purpose: object) -> Terms:
    """Terms with noise of its own for each purpose."""
    name = "/".join(map(str, (seed, epsilon, setting, *purpose)))
    number = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest())
    return Terms(epsilon, setting, noise=RepeatableNoise(number))
