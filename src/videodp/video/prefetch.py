"""Work on one side, decoding on the other, and a short queue in between."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterable
from typing import NoReturn, TypeVar

__all__ = ["prefetch"]

T = TypeVar("T")

_ENOUGH = 4
_POLL = 0.2


def prefetch(items: Iterable[T], ahead: int = _ENOUGH) -> Generator[T, None, None]:
    """Yields the same items, made by a thread that is at most `ahead` of them.

    An error among the items is raised where it would have been. Closing this iterator ends the
    thread and closes `items`.
    """
    ready: queue.Queue[Callable[[], T]] = queue.Queue(ahead)
    stopped = threading.Event()

    def put(result: Callable[[], T]) -> bool:
        while not stopped.is_set():
            try:
                ready.put(result, timeout=_POLL)
            except queue.Full:
                continue
            return True
        return False

    def make() -> None:
        iterator = iter(items)
        try:
            for item in iterator:
                if not put(_value(item)):
                    return
            put(_error(StopIteration()))
        except BaseException as error:
            put(_error(error))
        finally:
            close = getattr(iterator, "close", None)
            if close is not None:
                close()

    thread = threading.Thread(target=make, name="videodp-prefetch", daemon=True)
    thread.start()
    try:
        while True:
            try:
                item = ready.get()()
            except StopIteration:
                return
            yield item
    finally:
        stopped.set()
        thread.join()


def _value(item: T) -> Callable[[], T]:
    return lambda: item


def _error(error: BaseException) -> Callable[[], NoReturn]:
    def fail() -> NoReturn:
        raise error

    return fail
