"""What the documents show works: every command and every example runs, in order."""

import functools
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer.main

from videodp.cli import demo
from videodp.cli.main import app, run
from videodp.scenes import SceneSpec

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
_BLOCK = re.compile(
    r"(?:<!-- test: skip (?P<reason>[^>]+?) -->\s*\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
# The same commands on less: what is tested is that they work, not how long they take.
_SMALLER = {"--size": "96x64", "--frames": "8"}
_PLACES = ("--line", "--zone", "--region", "--reference")
_PAINTED = 640  # width of the scene in which the documents place lines and zones


@dataclass(frozen=True)
class Block:
    kind: str
    text: str
    skipped: bool


def blocks(document: Path) -> list[Block]:
    return [
        Block(found["kind"], found["text"], found["reason"] is not None)
        for found in _BLOCK.finditer(document.read_text(encoding="utf-8"))
    ]


def commands(block: Block) -> list[list[str]]:
    """The lines of a block that are commands; in a console, what follows is their output."""
    text = block.text.replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines()]
    if block.kind == "console":
        lines = [line[2:] for line in lines if line.startswith("$ ")]
    return [shlex.split(line, comments=True) for line in lines if line and line[0] != "#"]


def smaller(arguments: list[str]) -> list[str]:
    arguments = list(arguments)
    for option, value in _SMALLER.items() if arguments[0] == "scene" else ():
        if option in arguments:
            arguments[arguments.index(option) + 1] = value
        else:
            arguments += [option, value]
    for place, option in enumerate(arguments[:-1], 1):
        if option in _PLACES:
            arguments[place] = re.sub(
                r"\d+", lambda number: str(int(number[0]) * 96 // _PAINTED), arguments[place]
            )
    return arguments


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_example_runs(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    small = functools.partial(SceneSpec, width=96, height=64)
    monkeypatch.setattr(demo, "SceneSpec", lambda *_, frames, **__: small(frames=min(frames, 8)))
    names: dict[str, object] = {"__name__": "example"}
    for block in blocks(document):
        if block.skipped:
            continue
        if block.kind == "python":
            exec(compile(block.text, str(document), "exec"), names)
        elif block.kind in ("console", "sh"):
            for command in commands(block):
                assert command[0] == "videodp", f"{command}: no way to run this; skip it in words"
                assert run(smaller(command[1:])) == 0, command


def test_what_a_skipped_block_is() -> None:
    """Only what changes the machine may be skipped."""
    for document in DOCUMENTS:
        for block in blocks(document):
            if block.skipped and block.kind in ("console", "sh"):
                assert all(c[0] in ("make", "pip", "git", "python", "cd") for c in commands(block))


def _options() -> list[tuple[str, str]]:
    """Commands and their options; the options of a command's own commands count as its own."""
    group = typer.main.get_command(app)
    return [
        (name, option)
        for name, command in group.commands.items()  # type: ignore[attr-defined]
        for one in [command, *getattr(command, "commands", {}).values()]
        for parameter in one.params
        for option in parameter.opts
        if option.startswith("-") and option != "--help"
    ]


def _sections() -> dict[str, str]:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    parts = re.split(r"^## videodp (\w+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_command_is_documented() -> None:
    assert sorted(_sections()) == sorted({name for name, _ in _options()})


@pytest.mark.parametrize(("command", "option"), _options())
def test_every_option_is_documented(command: str, option: str) -> None:
    assert re.search(rf"(?<![\w-]){option}(?![\w-])", _sections()[command]), f"{command} {option}"


def test_no_option_is_documented_that_is_not_there() -> None:
    known = {option for _, option in _options()} | {"--help", "--debug", "--version"}
    for document in DOCUMENTS:
        text = _BLOCK.sub("", document.read_text(encoding="utf-8"))
        assert set(re.findall(r"`(--[a-z-]+)", text)) <= known, document


def test_links_lead_somewhere() -> None:
    for document in [*DOCUMENTS, ROOT / "CONTRIBUTING.md"]:
        if not document.exists():
            continue
        text = document.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if not re.match(r"[a-z]+:", target):
                assert (document.parent / target).exists(), f"{document.name}: {target}"
