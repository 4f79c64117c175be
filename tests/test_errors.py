"""The tree of errors is drawn as it is, with the status each ends a command with."""

import re

from videodp import errors


def _tree(kind: type[errors.VideoDPError]) -> dict[str, int]:
    found = {kind.__name__: kind.status}
    for child in kind.__subclasses__():
        found |= _tree(child)
    return found


def test_the_drawing_is_the_tree() -> None:
    drawn = re.findall(r"^ {4}(\d)  [ │├└─]*(\w+)", errors.__doc__ or "", re.MULTILINE)
    ours = {n: s for n, s in _tree(errors.VideoDPError).items() if n in errors.__all__}
    assert {name: int(status) for status, name in drawn} == ours
    assert set(ours) == set(errors.__all__)


def test_status() -> None:
    """2 for what the call itself says, 1 for what came of it."""
    wrong = {name for name, status in _tree(errors.VideoDPError).items() if status == 2}
    assert wrong >= {"UsageError", "VideoNotFoundError", "ElementsNotFoundError"}
    assert not wrong & {"NotAVideoError", "TruncatedVideoError", "ElementsError", "OutputError"}
