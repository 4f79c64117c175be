"""Tells how far a long run is, and how long each of its stages took."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyarrow as pa

__all__ = ["Stages", "Watcher", "handing_back"]

_WORTHWHILE = 1.0
_M_ARENA_MAX = -8

Watcher = Callable[[str, int, int], None]
"""Told the stage, how many steps are done, and how many there are."""


class Stages:
    """Stop watch and progress of the stages of one run."""

    def __init__(self, watcher: Watcher | None = None) -> None:
        _limit_arenas()
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
        with handing_back():
            yield step
        self.seconds[name] = round(time.perf_counter() - started, 3)


@contextmanager
def handing_back() -> Iterator[None]:
    """Gives memory that the block no longer uses back to the system, so that blocks do not add up.

    A block that took less than a second is not worth it.
    """
    started = time.perf_counter()
    yield
    if time.perf_counter() - started >= _WORTHWHILE:
        _hand_back()


def _hand_back() -> None:
    """Arrow and glibc keep what was freed, glibc in an arena for each thread there was.

    What decoders hold is freed only when Python looks for cycles.
    """
    gc.collect()
    pa.default_memory_pool().release_unused()
    _glibc("malloc_trim", 0)


def _limit_arenas() -> None:
    """As many arenas as there are cores: glibc would make eight times as many, each with holes."""
    _glibc("mallopt", _M_ARENA_MAX, os.cpu_count() or 1)


def _glibc(name: str, *arguments: int) -> None:
    """Calls a function of the C library where it is glibc; others have no such function."""
    if sys.platform == "linux":
        function = getattr(ctypes.CDLL(None), name, None)
        if function is not None:
            function(*arguments)
