"""The words that go with an epsilon."""

import math
import re

import pytest

from videodp.privacy.statement import (
    limits_of_search,
    sampling_statement,
    synthesis_statement,
    way_of_search,
)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.8, "0.551"), (1.6, "0.799"), (2.4, "0.910")])
def test_numbers(epsilon: float, delta: str) -> None:
    statement = sampling_statement(epsilon)
    assert statement.delta == pytest.approx(1 - math.exp(-epsilon))
    assert statement.epsilon == epsilon
    assert delta in statement.summary
    assert delta in statement.caution
    assert f"at least {math.floor(1000 * math.exp(-epsilon)) / 1000:.3f}" in statement.summary


@pytest.mark.parametrize("epsilon", [1e-9, 1e-5, 4e-4, 0.1, 0.8, 3.0, 8.0, 20.0])
def test_no_number_promises_more_than_is_true(epsilon: float) -> None:
    """What is said to hold at least is rounded down, what at most is rounded up."""
    told = sampling_statement(epsilon).summary
    least, most = (
        re.search(f"probability {word} ([0-9.]+)", told)[1] for word in ("at least", "up to")
    )
    assert 0 < float(least) <= math.exp(-epsilon) < 1
    assert -math.expm1(-epsilon) <= float(most) <= 1
    assert float(least) > 0.9 * math.exp(-epsilon)
    factor = re.search("factor of at most ([0-9.]+)[. ]", synthesis_statement(epsilon).summary)
    assert 1 < math.exp(epsilon) <= float(factor[1].rstrip(".")) < 1.01 * math.exp(epsilon)


def test_says_what_it_is_not() -> None:
    assert "much weaker than epsilon-differential privacy" in sampling_statement(0.8).caution


def test_assumptions_follow_the_settings() -> None:
    plain = sampling_statement(0.8).assumptions
    assert "one identity" in " ".join(plain)
    assert "at most 3 identities" in " ".join(
        sampling_statement(0.8, tracks_per_person=3).assumptions
    )
    grounds = {
        b: sampling_statement(0.8, background=b).assumptions for b in ("retain", "plate", "sample")
    }
    assert len(set(grounds.values())) == 3
    plate = " ".join(grounds["plate"])
    assert "the last bits of the picture depend on that" in plate
    assert "No probability here bounds this" in plate
    assert "no frame tells" not in plate
    assert "nothing protects a voice" in sampling_statement(0.8, audio=True).assumptions[-1]
    assert "voice" not in " ".join(plain)
    seeded = sampling_statement(0.8, seeded=True).assumptions
    assert "Do not release this video" in seeded[-1]
    assert seeded[:-1] == plain


def test_releases_add_up() -> None:
    for statement in (sampling_statement(0.8), synthesis_statement(1.0)):
        assert "Every release from the same recording costs its own epsilon" in statement.caution


def test_what_becomes_of_frames_that_were_not_searched() -> None:
    shown, hidden = (
        limits_of_search((5, 9), True, None, (), published=published) for published in (True, False)
    )
    assert "in all other frames everybody is published as they are" in shown[0]
    assert "in all other frames nobody is counted or shown" in hidden[0]
    assert "outside of it everybody may show in the empty scene" in hidden[1]


def test_how_elements_were_found_is_said_in_words() -> None:
    assert "gave the list" in way_of_search(())
    assert way_of_search(("motion",)).endswith("who stood still may have been missed.")
    both = way_of_search(("yolox-nano", "motion"))
    assert "the detector yolox-nano and by what moves" in both
    assert "missed" not in both
    assert "the owner's own" in way_of_search(("own model",))


def test_synthesis_is_epsilon_differentially_private_and_says_on_what_it_rests() -> None:
    plain = synthesis_statement(1.0, shares={"arrivals": 60, "stays": 40})
    assert (plain.mechanism, plain.epsilon, plain.delta) == ("synthesis", 1.0, 0.0)
    assert "1-differentially private (delta 0)" in plain.summary
    assert "factor of at most 2.719" in plain.summary
    assert "arrivals 60 %, stays 40 %" in plain.summary
    assert "one track" in plain.summary
    said = " ".join(plain.assumptions)
    for word in ("Tracks are the records", "not sensitive", "Size, frame rate", "How long comput"):
        assert word in said
    assert "The picture of the empty scene behind the population is not covered" in plain.summary
    assert "from the population afterwards" in plain.summary
    assert "depends on who was where" in plain.assumptions[2]
    assert "--plate FILE" in plain.assumptions[2]
    several = synthesis_statement(0.5, tracks_per_person=3, plate_given=True, seeded=True)
    assert "up to 3 tracks" in several.summary
    assert "given by the owner" in several.assumptions[2]
    assert "from the video afterwards" in several.summary
    assert "not covered" not in several.summary
    assert "Do not release this video" in several.assumptions[-1]
