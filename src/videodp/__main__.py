"""``videodp`` and ``python -m videodp``: ready for ctrl-C before anything large is loaded."""

from __future__ import annotations

import os
import signal
from types import FrameType

__all__ = ["main"]

_INTERRUPTED = 130


def main() -> None:
    """Loads the commands, and runs the one that was asked for."""
    # Whoever started us may have said that ctrl-C is not for us: then it stays so.
    listening = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if listening:
        signal.signal(signal.SIGINT, _leave)
    from videodp.cli.main import main as run

    if listening:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


def _leave(number: int, frame: FrameType | None) -> None:
    """Ends at once: nothing is written yet, and an exception would not get through every import."""
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
