"""Work on several things at once, results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

__all__ = ["in_order"]

T = TypeVar("T")
R = TypeVar("R")


def in_order(
    function: Callable[[T], R], things: Iterable[T], workers: int
) -> Generator[R, None, None]:
    """Applies a function in threads and yields its results in the order of the things.

    At most two things for each worker, and one more, are under way or wait to be fetched.
    """
    under_way: deque[Future[R]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for thing in things:
                under_way.append(pool.submit(function, thing))
                if len(under_way) > 2 * workers:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            for future in under_way:
                future.cancel()
