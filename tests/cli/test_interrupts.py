"""Ctrl-C, faults and terminals, mostly in processes of their own."""

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import textwrap
import tomllib
from pathlib import Path

import pytest

from videodp.cli import publish as publish_command
from videodp.cli.main import main

from .conftest import ELEMENTS, EPSILON, FRAMES, PUBLISH, Commands, check_refusal, listing

ROOT = Path(__file__).parents[2]
REST = (*ELEMENTS, *EPSILON)

# Presses ctrl-C, or is told to end, once the stage has come to its third step.
INTERRUPTED = """
    import contextlib, os, signal, sys
    from videodp.cli import publish, scene
    from videodp.cli.main import main

    number, wanted = getattr(signal, sys.argv[1]), sys.argv[2]
    sys.argv = ["videodp", *sys.argv[3:]]
    pressed = False

    def watch(stage, done, total):
        global pressed
        if stage == wanted and done >= 3 and not pressed:
            pressed = True
            os.kill(os.getpid(), number)

    publish.progress = scene.progress = lambda: contextlib.nullcontext(watch)
    try:
        main()
    finally:
        assert pressed
"""
SCENE = ("scene", "other.mp4", "--size", "96x64", "--frames", "50")


@pytest.mark.parametrize(
    ("number", "stage", "arguments"),
    [
        ("SIGINT", "census", (*PUBLISH, *REST)),
        ("SIGINT", "render", (*PUBLISH, *REST)),
        ("SIGTERM", "render", (*PUBLISH, *REST)),
        ("SIGHUP", "census", (*PUBLISH, *REST)),
        ("SIGHUP", "render", (*PUBLISH, *REST)),
        ("SIGINT", "paint", SCENE),
    ],
)
def test_ctrl_c(videodp: Commands, number: str, stage: str, arguments: tuple[str, ...]) -> None:
    before = listing(videodp.folder)
    script = textwrap.dedent(INTERRUPTED)
    done = videodp.subprocess("-c", script, number, stage, *arguments, status=130)
    check_refusal(done, 130, "stopped")
    assert listing(videodp.folder) == before


# Says on stdout when there is something to be left behind, and waits.
WAITING = """
    import contextlib, os, time
    from videodp.cli import publish
    from videodp.cli.main import main

    bars = publish.progress

    @contextlib.contextmanager
    def progress():
        with bars() as draw:
            def watch(stage, done, total):
                draw(stage, done, total)
                if stage == "render" and done == 3:
                    os.write(1, b"now")  # the bar takes what is printed
                    time.sleep(60)
            yield watch

    publish.progress = progress
    main()
"""


def test_the_terminal_is_gone(videodp: Commands) -> None:
    """As when a window is closed, or a connection is lost: with a bar on the terminal."""
    before = listing(videodp.folder)
    ours, theirs = pty.openpty()
    shown = b""
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(WAITING), *PUBLISH, *REST],
        cwd=videodp.folder,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TMPDIR": str(videodp.temporary), "TERM": "xterm-256color"},
        preexec_fn=_take_terminal,
    ) as process:
        os.close(theirs)
        while not select.select([process.stdout], [], [], 0)[0]:
            if select.select([ours], [], [], 0.05)[0]:
                shown += os.read(ours, 4096)  # or the bar would wait for a reader
        assert process.stdout.read(3) == b"now", shown  # type: ignore[union-attr]
        assert list(videodp.temporary.iterdir())
        os.close(ours)
        process.wait(30)
    assert process.returncode > 0  # it ended by itself
    assert listing(videodp.folder) == before
    assert list(videodp.temporary.iterdir()) == []


def _take_terminal() -> None:
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_nohup_is_respected(videodp: Commands) -> None:
    script = textwrap.dedent(INTERRUPTED)
    ignoring = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n{script}"
    videodp.subprocess("-c", ignoring, "SIGHUP", "render", *PUBLISH, *REST, status=0)
    assert Path("private.mp4").is_file()


# Presses ctrl-C while the commands are loaded, by being one of the modules that they need.
WHILE_LOADING = """
    import os, runpy, signal, sys
    from importlib.abc import MetaPathFinder

    class Press(MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name == pressed:
                os.kill(os.getpid(), signal.SIGINT)

    pressed = sys.argv[1]
    sys.meta_path.insert(0, Press())
    if len(sys.argv) > 2:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.argv[1:] = ["--version"]
    runpy.run_module("videodp", run_name="__main__")
"""


@pytest.mark.parametrize("module", ["videodp.cli", "numpy"])
def test_ctrl_c_while_loading(videodp: Commands, module: str) -> None:
    script = textwrap.dedent(WHILE_LOADING)
    done = videodp.subprocess("-c", script, module, status=130)
    assert (done.out, done.err) == ("", "")
    done = videodp.subprocess("-c", script, module, "ignored", status=0)
    assert done.out.startswith("videodp ")


def test_the_installed_command_is_the_module() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"videodp": "videodp.__main__:main"}


def test_ctrl_c_during_the_report_tells_the_truth(
    videodp: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(publish_command, "write_report", press)
    done = videodp.run(*PUBLISH, *REST, "--report", "report.html")
    assert done.status == 130
    assert Path("private.mp4").exists()
    assert "nothing was written" not in done.err


def test_no_traceback_without_debug(videodp: Commands) -> None:
    call = ("-m", "videodp", "publish", "no.mp4", "-o", "private.mp4", *REST)
    check_refusal(videodp.subprocess(*call, status=2), 2, "no file no.mp4")
    told = videodp.subprocess(*call, "--debug", status=2).err
    assert "Traceback (most recent call last)" in told
    assert told.splitlines()[-1].startswith("videodp: there is no file no.mp4")


def test_a_fault_of_ours_is_one_line(
    videodp: Commands, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(publish_command, "run", fail)
    done = videodp.run(*PUBLISH, *REST)
    assert done.status == 1
    assert done.err == "videodp: a fault in VideoDP: ZeroDivisionError: oh (see --debug)\n"
    monkeypatch.setattr(sys, "argv", ["videodp", "--debug", *PUBLISH, *REST])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "Traceback" in capsys.readouterr().err


def test_progress_is_for_terminals(videodp: Commands) -> None:
    call = ["-m", "videodp", *PUBLISH, *REST]
    assert videodp.subprocess(*call, status=0).err == ""
    ours, theirs = pty.openpty()
    shown = bytearray()
    with subprocess.Popen(
        [sys.executable, *call, "--overwrite"],
        cwd=videodp.folder,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"},
    ) as process:
        os.close(theirs)
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # the other end is closed
            pass
        printed = process.communicate()[0].decode()
        os.close(ours)
        assert process.returncode == 0
    for stage in ("census", "draw", "render"):
        assert stage.encode() in shown
    assert f"{FRAMES}/{FRAMES}".encode() in shown
    assert b"/s" in shown
    assert printed.startswith("private.mp4: the private video\n")


def test_a_reader_that_leaves(videodp: Commands) -> None:
    """As in `videodp --help | head -0`: nobody is told about it."""
    with subprocess.Popen(
        [sys.executable, "-m", "videodp", "publish", "--help"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()  # type: ignore[union-attr]
        told = process.stderr.read().decode()  # type: ignore[union-attr]
    assert "Traceback" not in told
    assert "Exception ignored" not in told
    assert process.returncode in (0, 1, -signal.SIGPIPE)
