"""``videodp audit``: what it prints, and the status that tells."""

import json

import pytest

from .conftest import ELEMENTS, Commands

QUICK = ("--runs", "500", "--seed", "1", "--populations", "0", "--pictures", "0")
VIDEO = ("--video", "street.mp4")


def test_a_claim_that_stands(videodp: Commands) -> None:
    done = videodp.run("audit", *QUICK)
    assert done.status == 0
    assert done.err == ""
    assert done.out.splitlines()[-1] == "claim stands"
    assert "synthesis is 1-differentially private" in done.out
    assert "arrivals" in done.out


def test_a_claim_that_is_broken(videodp: Commands) -> None:
    done = videodp.run("audit", *QUICK, "--broken", "uncharged-histogram")
    assert done.status == 1
    assert done.err == ""
    assert done.out.splitlines()[-1] == "claim broken"
    assert "Refuted: 'arrivals'" in done.out


def test_sampling(videodp: Commands) -> None:
    few = ("--mechanism", "sampling", *QUICK, "--runs", "200")
    done = videodp.run("audit", *few)
    assert done.status == 0
    assert "(broken)" in done.out, "what nobody claims is in brackets"
    assert "exposed with probability 0.551 at most" in done.out
    broken = videodp.run("audit", *few, "--broken", "epsilon-dp")
    assert broken.status == 1
    assert broken.out.splitlines()[-1] == "claim broken"


@pytest.mark.parametrize("mechanism", ["sampling", "synthesis"])
def test_a_recording_as_json(videodp: Commands, mechanism: str) -> None:
    done = videodp.run("audit", "--mechanism", mechanism, *QUICK, *VIDEO, *ELEMENTS, "--json")
    assert done.status == 0
    record = json.loads(done.out)
    assert record["verdict"] == "claim stands"
    assert record["runs"] == 500
    assert record["confidence"] == 0.99
    assert all(
        one["epsilon_at_least"] <= one["epsilon"] or not one["claimed"]
        for one in record["findings"]
    )
    assert bool(record["checks"]) == (mechanism == "sampling")
    again = videodp.run("audit", "--mechanism", mechanism, *QUICK, *VIDEO, *ELEMENTS, "--json")
    assert again.out == done.out


def test_people_of_two_tracks(videodp: Commands) -> None:
    few = ("--mechanism", "sampling", *QUICK, *VIDEO, *ELEMENTS, "--json")
    done = videodp.run("audit", *few, "--tracks-per-person", "2")
    assert done.status == 0
    checks = json.loads(done.out)["checks"]
    assert sum("if one person" in check["name"] for check in checks) >= 2


@pytest.mark.parametrize(
    ("match", "arguments"),
    [
        ("no mechanism 'pinq'", ("--mechanism", "pinq")),
        ("no broken synthesis 'x'", ("--broken", "x")),
        (
            "no broken sampling 'halved-noise'",
            ("--mechanism", "sampling", "--broken", "halved-noise"),
        ),
        ("99 runs prove nothing", ("--runs", "99", "--populations", "0")),
        ("confidence is 0.5 or more", ("--confidence", "2", "--populations", "0")),
        ("epsilon must be", ("--epsilon", "0")),
        ("epsilon must be", ("--epsilon", "nan", "--mechanism", "sampling")),
        ("tracks per person", ("--tracks-per-person", "0")),
        ("tracks per person", ("--tracks-per-person", "0", "--mechanism", "sampling")),
        ("nobody in the painted", ("--tracks-per-person", "2", "--mechanism", "sampling")),
        ("needs both", VIDEO),
        ("needs both", ELEMENTS),
        ("there is no file nowhere.mp4", ("--video", "nowhere.mp4", *ELEMENTS)),
    ],
)
def test_wrong_use(videodp: Commands, match: str, arguments: tuple[str, ...]) -> None:
    videodp.refused(2, match, "audit", *arguments)
