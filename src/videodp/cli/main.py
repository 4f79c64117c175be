"""The commands, and how their errors are told."""

from __future__ import annotations

import signal
import sys
import traceback
from contextlib import suppress
from types import FrameType

import typer

from videodp.cli import (
    audit,
    compare,
    demo,
    experiments,
    find,
    models,
    publish,
    query,
    scene,
)
from videodp.errors import VideoDPError
from videodp.queries.output import printed

__all__ = ["app", "main"]

WRONG_USE, FAILED, INTERRUPTED = 2, 1, 130

app = typer.Typer(
    name="videodp",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Private videos: publish a video that anyone may analyse, with a true statement of what "
    "it gives away about any one person or vehicle. Add --debug to any command for a traceback.",
)
app.command("demo")(demo.demo)
app.command("scene")(scene.scene)
app.command("find")(find.find)
app.command("publish")(publish.publish)
app.command("compare")(compare.compare)
app.add_typer(models.models, name="models")
app.command("query")(query.query)
app.command("audit")(audit.audit)
app.command("experiments")(experiments.experiments)


def _version(asked: bool) -> None:
    if asked:
        from videodp import __version__

        typer.echo(f"videodp {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """Options of every command."""


# typer brings its own copy of click; these are its error classes, whichever copy it is.
_CallError: type[Exception] = typer.BadParameter.__mro__[2]


def main() -> None:
    """Runs a command: one line on stderr when something is wrong, and a status that tells."""
    for name in ("SIGTERM", "SIGHUP"):  # told to end, or the terminal is gone
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # not under nohup
            signal.signal(number, _interrupt)
    arguments = sys.argv[1:]
    debug = "--debug" in arguments
    sys.exit(run([argument for argument in arguments if argument != "--debug"], debug))


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Cleans up like ctrl-C; a shell may tell us twice, and cleaning up is not cut short."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def run(arguments: list[str], debug: bool = False) -> int:
    """Runs one command and returns its exit status."""
    if not arguments:
        run(["--help"], debug)
        return WRONG_USE
    try:
        status = app(arguments, prog_name="videodp", standalone_mode=False)
        if status == INTERRUPTED:  # typer's own word for ctrl-C
            raise KeyboardInterrupt
        return status if isinstance(status, int) else 0
    except (KeyboardInterrupt, typer.Abort):
        _tell("stopped: no unfinished file is left", debug)
        return INTERRUPTED
    except VideoDPError as error:
        _tell(str(error), debug)
        return error.status
    except OSError as error:
        _tell(f"{error.strerror or error}: {error.filename or 'while reading or writing'}", debug)
        return FAILED
    except Exception as error:
        if isinstance(error, _CallError):
            message = error.format_message()  # type: ignore[attr-defined]
            if message:
                _tell(f"{message} (see {_called(arguments)} --help)", debug)
            return WRONG_USE
        _tell(f"a fault in VideoDP: {type(error).__name__}: {error} (see --debug)", debug)
        return FAILED


def _called(arguments: list[str]) -> str:
    """The command that the arguments name, as far as there is one: not all errors know."""
    command: object = typer.main.get_command(app)
    names = ["videodp"]
    for name in arguments:
        command = getattr(command, "commands", {}).get(name)
        if command is None:
            break
        names.append(name)
    return " ".join(names)


def _tell(message: str, debug: bool) -> None:
    if debug:
        traceback.print_exc()
    with suppress(OSError):  # where the terminal is gone nobody can be told
        print(f"videodp: {printed(' '.join(message.split()))}", file=sys.stderr)
