"""A folder with a painted street to run commands in, and what must hold for every error."""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from helpers import new_folder
from videodp.cli.main import run as run_command

# SVT-AV1 reads this once, when it is first used.
os.environ.setdefault("SVT_LOG", "1")

SIZE, FRAMES = (96, 64), 8
PUBLISH = ("publish", "street.mp4", "-o", "private.mp4")
ELEMENTS = ("--elements", "street.elements.parquet")
EPSILON = ("--epsilon", "2", "--seed", "1")


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    status: int
    out: str
    err: str


def listing(folder: Path) -> dict[str, str]:
    """Every file of a folder, hidden ones too, and what is in it."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else "folder"
        for path in sorted(folder.rglob("*"))
    }


class Commands:
    """Runs commands in one folder; temporary files have a folder of their own."""

    def __init__(self, folder: Path, temporary: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.temporary = temporary
        self._capture = capture

    def run(self, *arguments: object) -> Done:
        """In this process."""
        self._capture.readouterr()
        status = run_command([str(argument) for argument in arguments])
        captured = self._capture.readouterr()
        assert list(self.temporary.iterdir()) == [], "temporary files were left behind"
        return Done(status, captured.out, captured.err)

    def fine(self, *arguments: object) -> Done:
        """A command that must succeed; all it may say on stderr are notes."""
        done = self.run(*arguments)
        assert done.status == 0, done.err
        assert all(line.startswith("videodp: note: ") for line in done.err.splitlines()), done.err
        return done

    def refused(self, status: int, match: str, *arguments: object) -> str:
        """A command that must fail with one line, and change nothing."""
        before = listing(self.folder)
        done = self.run(*arguments)
        check_refusal(done, status, match)
        assert listing(self.folder) == before
        return done.err

    def subprocess(self, *command: str, status: int, **more: object) -> Done:
        """In a process of its own: `command` follows `python`."""
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        done = subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            **more,  # type: ignore[call-overload]
        )
        assert done.returncode == status, done.stderr
        assert list(self.temporary.iterdir()) == [], "temporary files were left behind"
        return Done(done.returncode, done.stdout, done.stderr)


def check_refusal(done: Done, status: int, match: str) -> None:
    assert done.err.startswith("videodp: "), done.err
    assert done.err.count("\n") == 1, done.err
    assert done.err.endswith("\n")
    assert done.out == ""
    assert "a fault in VideoDP" not in done.err
    assert re.search(match, done.err), done.err
    assert done.status == status, done.err


@pytest.fixture(scope="session")
def painted() -> Path:
    """A folder with a street that is painted once."""
    folder = new_folder()
    size = "x".join(map(str, SIZE))
    arguments = ["scene", str(folder / "street.mp4"), "--size", size, "--frames", str(FRAMES)]
    assert run_command([*arguments, "--people", "3", "--vehicles", "1", "--seed", "3"]) == 0
    return folder


@pytest.fixture
def videodp(
    painted: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Commands]:
    """Commands in a folder that holds street.mp4 and street.elements.parquet."""
    folder, temporary = tmp_path / "work", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    for path in painted.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.chdir(folder)
    yield Commands(folder, temporary, capsys)
    assert list(temporary.iterdir()) == [], "temporary files were left behind"
