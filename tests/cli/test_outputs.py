"""Outputs are complete or not there, and never replace what they must not."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from videodp.cli import publish as publish_command
from videodp.video import probe

from .conftest import ELEMENTS, EPSILON, PUBLISH, Commands, check_refusal, listing

REST = (*ELEMENTS, *EPSILON)
OUTPUTS = ("private.mp4", "private.release.json", "private.owner.json", "report.html")
REPORT = ("--report", "report.html")


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_that_is_there_is_kept(videodp: Commands, name: str) -> None:
    Path(name).write_text("mine")
    match = f"{name} is already there: choose another name, or overwrite it with --overwrite"
    videodp.refused(2, match, *PUBLISH, *REST, *REPORT)
    videodp.fine(*PUBLISH, *REST, *REPORT, "--overwrite")
    assert all(Path(output).stat().st_size > 100 for output in OUTPUTS)


@pytest.mark.parametrize("name", ["other.mp4", "other.elements.parquet"])
def test_a_scene_that_is_there_is_kept(videodp: Commands, name: str) -> None:
    Path(name).write_text("mine")
    scene = ("scene", "other.mp4", "--size", "96x64", "--frames", "2", "--people", "1")
    videodp.refused(2, f"{name} is already there.*--overwrite", *scene)
    videodp.fine(*scene, "--overwrite")
    assert probe("other.mp4").frames == 2


def test_overwriting_fails_without_harm(videodp: Commands) -> None:
    videodp.fine(*PUBLISH, *REST, *REPORT)
    Path("own.txt").write_text("1,1,500,500,5,5\n")
    arguments = (*PUBLISH, "--elements", "own.txt", *EPSILON, *REPORT, "--overwrite")
    videodp.refused(1, "outside the picture", *arguments)


@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
def test_what_is_read_is_never_replaced(videodp: Commands, overwrite: tuple[str, ...]) -> None:
    elements = "street.elements.parquet"
    Path("link.mp4").symlink_to("street.mp4")
    os.link("street.mp4", "hard.mp4")
    for output in ("street.mp4", "link.mp4", "hard.mp4", "../work/street.mp4"):
        match = "is what is to be read: give the output another name|is already there"
        videodp.refused(2, match, "publish", "street.mp4", "-o", output, *REST, *overwrite)
    shutil.copy(elements, "private.owner.json")
    for name in ("private.owner.json", "private.release.json"):
        Path(name).unlink(missing_ok=True)
        Path(name).symlink_to(elements)
        given = ("--elements", elements)
        videodp.refused(
            2, "is what is to be read|already there", *PUBLISH, *given, *EPSILON, *overwrite
        )


@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
@pytest.mark.parametrize(
    "name",
    [
        *("street.mp4", "street.elements.parquet", "private.mp4"),
        *("private.release.json", "private.owner.json", "./private.mp4"),
    ],
)
def test_the_report_replaces_nothing_else(
    videodp: Commands, overwrite: tuple[str, ...], name: str
) -> None:
    match = "give the report another name|is already there"
    videodp.refused(2, match, *PUBLISH, *REST, *overwrite, "--report", name)


def test_the_report_of_a_folder_of_pictures_is_not_the_folder(videodp: Commands) -> None:
    Path("here").mkdir()
    videodp.refused(
        1, "here is a folder: give the name of a file", *PUBLISH, *REST, "--report", "here"
    )


@pytest.mark.parametrize(
    ("output", "status", "match"),
    [
        ("no/private.mp4", 1, "there is no folder no: make it first"),
        ("folder.mp4", 1, "folder.mp4 is a folder: give the name of a file"),
        ("street.mp4/private.mp4", 1, "there is no folder street.mp4: make it first"),
        ("x" * 300 + ".mp4", 1, "the name is too long: choose a shorter one"),
    ],
)
def test_places_that_cannot_be_written(
    videodp: Commands, output: str, status: int, match: str
) -> None:
    Path("folder.mp4").mkdir()
    videodp.refused(status, match, "publish", "street.mp4", "-o", output, *REST)
    videodp.refused(status, match, "scene", output, "--size", "96x64", "--frames", "1")


def test_a_report_that_cannot_be_written_is_refused_before_the_work(videodp: Commands) -> None:
    report = ("--report", "no/report.html")
    videodp.refused(1, "there is no folder no: make it first", *PUBLISH, *REST, *report)


def test_companions_that_are_folders(videodp: Commands) -> None:
    Path("private.owner.json").mkdir()
    for overwrite in ([], ["--overwrite"]):
        videodp.refused(1, "private.owner.json is a folder", *PUBLISH, *REST, *overwrite)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only(videodp: Commands) -> None:
    Path("closed").mkdir()
    Path("closed").chmod(0o555)
    videodp.refused(1, "no permission", "publish", "street.mp4", "-o", "closed/private.mp4", *REST)


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[None]:
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("needs root to mount")
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.parametrize("size", ["4k", "8k", "16k"])
def test_a_full_disk(videodp: Commands, size: str) -> None:
    Path("disk").mkdir()
    scene = ("scene", "disk/other.mp4", "--size", "320x240", "--frames", "5", "--crf", "0")
    with small_disk(Path("disk"), size):
        videodp.refused(1, "disk/.*the disk is full: free some space", *scene)
        # A few colours of noise do not fit, whatever the codec makes of the rest.
        output = ("publish", "street.mp4", "-o", "disk/private.mkv", "--codec", "ffv1")
        videodp.refused(1, "disk/.*the disk is full: free some space", *output, *REST)


def test_no_room_for_temporary_files(videodp: Commands) -> None:
    with small_disk(videodp.temporary, "4k"):
        videodp.refused(1, "disk is full|No space left", *PUBLISH, *REST)


LIMITED = """
    import resource, sys
    from videodp.cli.main import run
    limit = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    sys.exit(run(sys.argv[2:]))
"""


def test_a_file_that_may_not_grow(videodp: Commands) -> None:
    before = listing(videodp.folder)
    command = ["-c", textwrap.dedent(LIMITED), "2000", *PUBLISH, *ELEMENTS, *EPSILON]
    done = videodp.subprocess(*command, status=1)
    check_refusal(done, 1, "larger than allowed|too large")
    assert listing(videodp.folder) == before


def test_a_report_that_fails_leaves_a_complete_release(
    videodp: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error", "report.html")

    monkeypatch.setattr(publish_command, "write_report", fail)
    done = videodp.run(*PUBLISH, *REST, *REPORT)
    assert done.status == 1
    assert done.err.splitlines()[-1] == "videodp: Input/output error: report.html"
    assert probe("private.mp4").frames == 8
    assert json.loads(Path("private.owner.json").read_text())["notice"]
    assert not Path("report.html").exists()


def _readable(folder: Path) -> set[str]:
    """What anybody but its owner may read or enter."""
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.stat().st_mode & 0o077}


def test_what_is_for_the_owner_only_the_owner_may_read(videodp: Commands) -> None:
    before = _readable(videodp.folder)
    mask = os.umask(0o022)
    try:
        videodp.fine(*PUBLISH, *REST, *REPORT)
        videodp.fine("find", "street.mp4", "-o", "f.parquet", *ELEMENTS, "--preview", "f.mp4")
        videodp.fine("find", "street.mp4", "-o", "f.txt", *ELEMENTS)
        videodp.fine("experiments", "street.mp4", *ELEMENTS, "-o", "tried", "--only", "frames")
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(mask)
    assert _readable(videodp.folder) - before == {"private.mp4", "private.release.json"}
    assert Path("private.mp4").stat().st_mode & 0o777 == 0o644
    assert Path("tried").stat().st_mode & 0o777 == 0o700
    assert list(Path("tried").rglob("*.csv"))
