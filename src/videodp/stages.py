"""Tells how far a long run is, and how long each of its stages took."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyarrow as pa

__all__ = ["Stages", "Watcher", "hand_back"]

Watcher = Callable[[str, int, int], None]
"""Told the stage, how many steps are done, and how many there are."""


class Stages:
    """Stop watch and progress of the stages of one run."""

    def __init__(self, watcher: Watcher | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self._watcher = watcher
        self._lock = threading.Lock()

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Callable[[int], None]]:
        """Times the block; hands it a function to report steps with, from any thread."""
        done = 0

        def step(count: int) -> None:
            nonlocal done
            with self._lock:
                done += count
                if self._watcher:
                    self._watcher(name, done, total)

        started = time.perf_counter()
        step(0)
        yield step
        hand_back()
        self.seconds[name] = round(time.perf_counter() - started, 3)


def hand_back() -> None:
    """Gives memory that is no longer used back to the system, so that pieces of work do not add up.

    Arrow and glibc keep what was freed, glibc in an arena for each thread there was; and what
    decoders hold is freed only when Python looks for cycles.
    """
    gc.collect()
    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim is not None:
            trim(0)
