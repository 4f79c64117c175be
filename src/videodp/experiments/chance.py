"""Noise that can be drawn again: an experiment gives the same numbers for the same seed."""

from __future__ import annotations

import hashlib

from videodp.pinq import Terms
from videodp.privacy.noise import RepeatableNoise

__all__ = ["noise", "terms"]


def noise(seed: int, epsilon: float, *purpose: object) -> RepeatableNoise:
    """Noise of its own for each purpose."""
    name = "/".join(map(str, (seed, epsilon, *purpose)))
    digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
    return RepeatableNoise(int.from_bytes(digest))


def terms(epsilon: float, setting: str, seed: int, *purpose: object) -> Terms:
    """Terms with noise of its own for each purpose."""
    return Terms(epsilon, setting, noise=noise(seed, epsilon, setting, *purpose))
