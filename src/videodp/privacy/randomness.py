"""Randomness for releases: a keyed AES-CTR generator with exact integer draws.

Without a seed the key comes from the operating system. A seed makes a run repeatable and is for
tests and experiments only: whoever knows it can undo the randomness, so a release records it.
"""

from __future__ import annotations

import hashlib
import secrets

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

__all__ = ["Randomness", "Stream"]

_WORD = 2**64


class Stream:
    """An endless sequence of 64-bit words that belongs to one purpose."""

    def __init__(self, key: bytes) -> None:
        """`key`: 32 bytes."""
        self._encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
        self._ready: list[int] = []

    def words(self, count: int) -> np.ndarray:
        """Fresh words, (count,) uint64."""
        return np.frombuffer(self._encryptor.update(bytes(8 * count)), dtype="<u8")

    def _word(self) -> int:
        if not self._ready:  # one call of the cipher for many words
            self._ready = self.words(256).tolist()
        return self._ready.pop()

    def below(self, bound: int) -> int:
        """An integer in [0, bound), each exactly equally likely (rejection, no rounding)."""
        if not 0 < bound <= _WORD:
            raise ValueError(f"bound must be between 1 and 2**64, not {bound}")
        limit = _WORD - _WORD % bound
        while True:
            word = self._word()
            if word < limit:
                return word % bound

    def distinct(self, count: int, bound: int) -> np.ndarray:
        """`count` different integers of [0, bound), every set equally likely; sorted int64.

        Floyd's algorithm: one draw each, memory for the result only.
        """
        chosen: set[int] = set()
        for top in range(bound - count, bound):
            pick = self.below(top + 1)
            chosen.add(top if pick in chosen else pick)
        return np.array(sorted(chosen), np.int64)

    def hypergeometric(self, total: int, marked: int, draws: int) -> int:
        """How many marked items are among `draws` items taken from `total` without return.

        Exact: the draws are played out one after the other. Drawing and marking are symmetric, so
        the shorter of the two is played: min(marked, draws) steps.
        """
        steps, targets = sorted((marked, draws))
        hits = 0
        for step in range(steps):
            hits += self.below(total - step) < targets - hits
        return hits


class Randomness:
    """A key from which independent streams are derived by name."""

    def __init__(self, seed: int | None = None) -> None:
        """`seed`: None draws a key from the operating system."""
        self.seed = seed
        if seed is None:
            self._key = secrets.token_bytes(32)
        else:
            self._key = hashlib.blake2b(f"videodp seed {seed}".encode(), digest_size=32).digest()

    def stream(self, *purpose: str | int) -> Stream:
        """The stream of one purpose, for example ``stream("frame", 17)``."""
        name = "\x1f".join(map(str, purpose)).encode()
        return Stream(hashlib.blake2b(name, digest_size=32, key=self._key).digest())
