"""Output files are complete or not there."""

# ruff: noqa: PT012 - what is tested is how the with block ends

import errno
import os
import stat
from pathlib import Path

import pytest

from videodp.errors import OutputError, OutputExistsError, UsageError, VideoNotFoundError
from videodp.video import atomic_path, check_one_use, same_file


def test_the_file_appears_when_all_went_well(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with atomic_path(path) as temporary:
        assert temporary.parent == tmp_path
        assert temporary.name.startswith(".a.part-")
        assert temporary.suffix == ".json"
        temporary.write_text("{}")
        assert not path.exists()
    assert path.read_text() == "{}"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, SystemExit, GeneratorExit])
def test_nothing_is_left_after_an_error(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "a.json"
    with pytest.raises(error), atomic_path(path) as temporary:
        temporary.write_text("half")
        raise error
    assert list(tmp_path.iterdir()) == []


def test_existing_files(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(OutputExistsError, match="--overwrite"), atomic_path(path):
        raise AssertionError("must not be entered")
    with pytest.raises(FileExistsError), atomic_path(path):
        raise AssertionError("must not be entered")
    with atomic_path(path, overwrite=True) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    path.unlink()
    path.symlink_to(tmp_path / "nowhere")
    with pytest.raises(OutputExistsError), atomic_path(path):
        raise AssertionError("must not be entered")


@pytest.mark.parametrize("links", [True, False])
def test_a_file_made_meanwhile_is_kept(
    tmp_path: Path, links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not links:
        _no_links(monkeypatch)
    path = tmp_path / "a.json"
    with pytest.raises(OutputExistsError), atomic_path(path) as temporary:
        temporary.write_text("ours")
        path.write_text("theirs")
    assert path.read_text() == "theirs"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_file_systems_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _no_links(monkeypatch)
    path = tmp_path / "a.json"
    with atomic_path(path) as temporary:
        temporary.write_text("ours")
    assert path.read_text() == "ours"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_places_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path, message in (
        (tmp_path / "no" / "a.json", "there is no folder"),
        (tmp_path, "is a folder"),
        (Path("/dev/null"), "not a regular file"),
        (tmp_path / ("x" * 300 + ".json"), "name is too long"),
    ):
        with pytest.raises(OutputError, match=message) as failure, atomic_path(path, True):
            raise AssertionError("must not be entered")
        assert "\n" not in str(failure.value)

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(OutputError, match="no permission"), atomic_path(tmp_path / "a.json"):
        raise AssertionError("must not be entered")


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(OutputError, match=r"a\.json.*disk is full"),
        atomic_path(tmp_path / "a.json"),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_other_errors_pass_unchanged(tmp_path: Path) -> None:
    for error in (VideoNotFoundError("gone"), OSError(errno.EIO, "broken"), ValueError("x")):
        with pytest.raises(type(error)) as caught, atomic_path(tmp_path / "a.json"):
            raise error
        assert caught.value is error


def _no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("there", [True, False])
def test_nobody_else_may_read_a_private_file(
    tmp_path: Path, links: bool, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    if not links:
        _no_links(monkeypatch)
    if there:
        path.write_text("old")
    with atomic_path(path, overwrite=there, private=True) as temporary:
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o600
        temporary.write_text("{}")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_one_name_has_one_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    there = Path("there.mp4")
    there.write_text("a video")
    Path("link.mp4").symlink_to(there)
    Path("twin.mp4").hardlink_to(there)
    Path("folder").mkdir()
    for name in ("there.mp4", "./there.mp4", "folder/../there.mp4", "link.mp4", "twin.mp4"):
        with pytest.raises(UsageError, match="has another use in this run: give it another name"):
            check_one_use(Path(name), (None, Path("new.mp4"), there))
    with pytest.raises(UsageError, match="another use"):
        check_one_use(Path("new.mp4"), (tmp_path / "new.mp4",))
    check_one_use(Path("new.mp4"), (None, there, Path("folder")))
    check_one_use(there, ())
    assert not same_file(there, Path("x" * 5000))
