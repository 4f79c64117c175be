"""Commands that were asked for something impossible: status 2 and what to do instead."""

import pytest

from .conftest import ELEMENTS, EPSILON, PUBLISH, Commands

SCENE = ("scene", "other.mp4", "--size", "96x64", "--frames", "4")


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ((), "give either --epsilon or --max-exposure: for example --epsilon 0.8"),
        (("--epsilon", "1", "--max-exposure", "0.5"), "give either --epsilon or --max-exposure"),
        (("--epsilon", "0"), "epsilon must be a number above 0, not 0: try 0.8"),
        (("--epsilon", "-1"), "epsilon must be a number above 0, not -1"),
        (("--epsilon", "nan"), "epsilon must be a number above 0, not nan"),
        (("--epsilon", "inf"), "epsilon must be a number above 0, not inf"),
        (("--epsilon", "1000"), "epsilon 1000 promises nothing .*stay at or below 20"),
        (("--epsilon", "much"), "--epsilon.*valid (number|float)"),
        (("--max-exposure", "0"), "a probability between 0 and 1, not 0: try 0.5"),
        (("--max-exposure", "1"), "a probability between 0 and 1, not 1: try 0.5"),
        (("--max-exposure", "2"), "a probability between 0 and 1, not 2: try 0.5"),
        (("--max-exposure", "nan"), "a probability between 0 and 1, not nan: try 0.5"),
        (("--max-exposure", "-0.5"), "a probability between 0 and 1, not -0.5"),
    ],
)
def test_budget(videodp: Commands, options: tuple[str, ...], match: str) -> None:
    videodp.refused(2, match, *PUBLISH, *ELEMENTS, *options)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        (("--mechanism", "magic"), "no mechanism 'magic': use sampling"),
        (("--plate", "empty.png"), "--plate is for --mechanism synthesis: leave it out"),
        (("--synthesis-labels", "cat"), "--synthesis-labels is for --mechanism synthesis"),
        (("--mechanism", "synthesis", "--k", "4"), "synthesis draws no pixels: leave out --k"),
        (("--mechanism", "synthesis", "--fill", "spatial"), "leave out --fill"),
        (("--mechanism", "synthesis", "--keep-audio"), "cannot protect voices"),
        (("--mechanism", "synthesis", "--synthesis-labels", "a,a"), "labels are different names"),
        (("--mechanism", "synthesis", "--plate", "street.mp4"), "street.mp4 is no picture"),
        (("--mechanism", "synthesis", "--plate", "none.png"), "none.png"),
        (("--background", "blue"), "no background 'blue': use retain, plate, sample"),
        (("--fill", "up"), "no fill 'up': use "),
        (("--insert", "coin"), "no insert 'coin': use lifetime, neighbours, none"),
        (("--rule", "golden"), "no rule 'golden': use affordable or paper"),
        (("--criterion", "taste"), "no criterion 'taste': use "),
        (("--background", "sample", "--fill", "temporal"), "leave out --fill temporal"),
        (("--k", "0"), "k is a whole number from 1 to"),
        (("--k", "-1"), "'-1' is not a number of colours: give --k auto or --k 6"),
        (("--k", "x"), "'x' is not a number of colours"),
        (("--k", "1.5"), "'1.5' is not a number of colours"),
        (("--k", "9" * 5000), "not a number of colours|k is a whole number"),
        (("--tracks-per-person", "0"), "tracks per person must be at least 1, not 0"),
        (("--codec", "magic"), "the codec 'magic' is unknown: choose one of .*libx264"),
        (("--codec", "ffv1"), "mp4 files cannot hold ffv1: choose one of"),
        (("--codec", "libsvtav1", "--crf", "64"), "a crf of 64 is not possible with libsvtav1"),
        (("--crf", "52"), "a crf of 52 is not possible with libx264: 0 .*51"),
        (("--crf", "-1"), "a crf of -1 is not possible"),
        (("--crf", "good"), "--crf.*valid int"),
        (("--preset", "warp"), "preset 'warp' is unknown: choose one of"),
        (("--workers", "0"), "--workers"),
        (("--workers", "-2"), "--workers"),
        (("--seed", "x"), "--seed.*valid int"),
        (("--image-rate", "fast"), "'fast' is not a frame rate: write 25"),
        (("--image-rate", "1/0"), "'1/0' is not a frame rate"),
        (("--image-rate", "nan"), "'nan' is not a frame rate"),
        (("--image-rate", "1e99999999999"), "'1e99999999999' is not a frame rate"),
        (("--no-such-option",), "No such option"),
        (("--k",), "requires an argument"),
        (("another.mp4",), "unexpected extra argument"),
        (("-o", "private"), "does not end in a way that names a video format: choose one of .mp4"),
        (("-o", "private.xyz"), "does not end in a way that names a video format"),
        (("-o", "private.txt"), "does not end in a way that names a video format"),
        (("-o", ""), "is not a file name: give"),
    ],
)
def test_settings(videodp: Commands, options: tuple[str, ...], match: str) -> None:
    videodp.refused(2, match, *PUBLISH, *ELEMENTS, *EPSILON, *options)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        (("--size", "big"), "'big' is not a size: write width x height, for example 1280x720"),
        (("--size", "96"), "'96' is not a size"),
        (("--size", "-96x64"), "'-96x64' is not a size"),
        (("--size", "0x0"), "width must be 32 to 8192 pixels, not 0"),
        (("--size", "96x31"), "height must be 32 to 8192 pixels, not 31"),
        (("--size", "99999x64"), "width must be 32 to 8192 pixels"),
        (("--size", "9" * 5000 + "x64"), "not a size|width must be"),
        (("--fps", "0"), "the frame rate must be above 0 and at most 1000, not 0"),
        (("--fps", "-25"), "'-25' is not a frame rate|must be above 0"),
        (("--fps", "2000"), "the frame rate must be above 0 and at most 1000"),
        (("--fps", "x"), "'x' is not a frame rate: write 25, 29.97 or 30000/1001"),
        (("--fps", "1e99999999999"), "'1e99999999999' is not a frame rate"),
        (("--frames", "0"), "at least 1 frame, not 0"),
        (("--frames", "-3"), "at least 1 frame, not -3"),
        (("--people", "-1"), "people must be 0 to 10000, not -1"),
        (("--vehicles", "-1"), "vehicles must be 0 to 10000, not -1"),
        (("--noise", "nan"), "noise must be 0 to 30"),
        (("--noise", "99"), "noise must be 0 to 30"),
        (("--seed", "-1"), "seed must not be negative"),
        (("--codec", "magic"), "the codec 'magic' is unknown"),
        (("--crf", "99"), "a crf of 99 is not possible"),
    ],
)
def test_scene(videodp: Commands, options: tuple[str, ...], match: str) -> None:
    videodp.refused(2, match, *SCENE, *options)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("paint",), "No such command 'paint'"),
        (("--fast",), "No such option"),
        (("publish",), "Missing argument 'VIDEO'"),
        (("publish", "street.mp4"), "Missing option"),
        (("scene",), "Missing argument 'OUT.mp4'"),
        (("scene", ""), "is not a file name: give one such as street.mp4"),
        (("scene", "other.xyz"), "does not end in a way that names a video format"),
        (("compare",), "Missing argument 'ORIGINAL'"),
        (("compare", "street.mp4"), "Missing argument 'PRIVATE'"),
        (("compare", "street.mp4", "street.mp4", "street.mp4"), "unexpected extra argument"),
        (("demo", "here"), "unexpected extra argument"),
    ],
)
def test_calls(videodp: Commands, arguments: tuple[str, ...], match: str) -> None:
    videodp.refused(2, match, *arguments)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("paint",), r"\(see videodp --help\)"),
        (("publis",), r"'publish'.*\(see videodp --help\)"),
        (("--versoin",), r"--version.*\(see videodp --help\)"),
        (("publish",), r"\(see videodp publish --help\)"),
        (("publish", "street.mp4"), r"\(see videodp publish --help\)"),
        ((*PUBLISH, "--epsilonn", "1"), r"--epsilon\b.*\(see videodp publish --help\)"),
        ((*PUBLISH, "--crf"), r"requires an argument.*\(see videodp publish --help\)"),
        ((*PUBLISH, "--crf", "good"), r"valid int.*\(see videodp publish --help\)"),
        (("demo", "here"), r"unexpected.*\(see videodp demo --help\)"),
        (("models",), r"\(see videodp models --help\)"),
        (("models", "fech"), r"'fetch'.*\(see videodp models --help\)"),
        (("models", "list", "--json"), r"\(see videodp models list --help\)"),
    ],
)
def test_a_wrong_call_points_to_the_help_of_its_command(
    videodp: Commands, arguments: tuple[str, ...], match: str
) -> None:
    videodp.refused(2, match, *arguments)


def test_no_command_shows_the_commands(videodp: Commands) -> None:
    done = videodp.run()
    assert done.status == 2
    assert "Usage: videodp" in done.out
    assert "publish" in done.out
    assert done.err == ""
