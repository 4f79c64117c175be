"""Broken toys are found, sound ones are not, and the bound comes near to the truth.

All seeds are fixed. With a new seed, a sound toy is called broken with a probability of at most
1 - confidence, 0.01 unless said otherwise.
"""

import math

import numpy as np
import pytest

from audit.toys import audited, count
from videodp.audit import Promise, Statistic, Trial, column, judge
from videodp.errors import UsageError
from videodp.privacy.noise import RepeatableNoise


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_a_sound_count_stands_and_nearly_reaches_its_claim(epsilon: float) -> None:
    audit = audited(count(epsilon), epsilon)
    assert audit.stands
    assert audit.verdict == "claim stands"
    for finding in audit.findings:
        assert 0.75 * epsilon <= finding.bound.epsilon <= epsilon


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_half_the_noise_is_found(epsilon: float) -> None:
    audit = audited(count(2 * epsilon), epsilon)
    assert not audit.stands
    assert audit.verdict == "claim broken"
    assert all(finding.broken for finding in audit.findings)


@pytest.mark.parametrize("moved", [2, 3])
def test_a_sensitivity_that_is_too_small_is_found(moved: int) -> None:
    assert not audited(count(1.0, moved), 1.0).stands
    assert audited(count(1.0, moved), 1.0 * moved).stands


def test_a_question_that_is_not_charged_is_found() -> None:
    """Two counts with all of epsilon each: only looking at both together shows it."""

    def twice(present: int, runs: int, seed: int) -> np.ndarray:
        return np.hstack([count(1.0)(present, runs, seed + place) for place in (0, 10**6)])

    audit = audited(twice, 1.0)
    assert [finding.broken for finding in audit.findings] == [False, True]
    assert audited(twice, 2.0).stands


def test_noise_from_a_fixed_seed_is_found() -> None:
    def fixed(present: int, runs: int, seed: int) -> np.ndarray:
        noisy = RepeatableNoise(1).laplace(np.array([7 + present]), 1, 1.0)
        return np.repeat(noisy[None], runs, axis=0)

    audit = audited(fixed, 1.0)
    assert not audit.stands
    assert audit.findings[0].bound.epsilon > 5


def test_both_directions_are_tried() -> None:
    """What only happens when the canary is not there tells as much."""

    def shy(present: int, runs: int, seed: int) -> np.ndarray:
        if present:
            return np.zeros((runs, 1))
        return np.random.default_rng(seed).random((runs, 1)) < 0.1

    audit = audited(shy, 1.0)
    assert not audit.stands
    assert [guess.present for guess in audit.findings[0].bound.guesses] == [False]


def test_delta_is_taken_off() -> None:
    """Who is published with probability 0.3 is a matter of delta, not of epsilon."""

    def lottery(present: int, runs: int, seed: int) -> np.ndarray:
        return present * (np.random.default_rng(seed).random((runs, 1)) < 0.3)

    assert audited(lottery, 0.0, 0.3).stands
    assert not audited(lottery, 0.0, 0.25).stands
    assert not audited(lottery, 3.0).stands


def test_runs_are_looked_at_where_it_is_said() -> None:
    """Given that nobody was published, a lottery tells nothing."""

    def play(present: bool, runs: int, seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        won = present * (rng.random(runs) < 0.3)
        return np.column_stack([won, rng.random(runs) + 10 * won])

    def lost(outputs: np.ndarray) -> np.ndarray:
        return outputs[:, 0] == 0

    statistics = (
        Statistic("given", column(1), 0.0, given=lost),
        Statistic("all", column(1), 0.0, claimed=False),
    )
    audit = judge("lottery", "", [Trial("x", play, statistics)], runs=4000, seed=1)
    assert [finding.broken for finding in audit.findings] == [False, True]
    assert audit.stands, "nobody claims the second"


@pytest.mark.parametrize(
    ("promised", "bound", "agrees", "stands"),
    [(0.3, 0.5, True, True), (0.35, 0.5, False, True), (0.25, 0.5, False, False)],
)
def test_promises(promised: float, bound: float, agrees: bool, stands: bool) -> None:
    def play(present: bool, runs: int, seed: int) -> np.ndarray:
        return np.random.default_rng(seed).random((runs, 1)) < 0.3

    promise = Promise("wins", promised, bound, lambda outputs: outputs[:, 0])
    audit = judge("x", "", [Trial("x", play, (), (promise,))], runs=20_000, seed=1)
    assert audit.checks[0].agrees == agrees
    assert audit.stands == stands


def test_worlds_do_not_share_their_randomness() -> None:
    seeds = []

    def play(present: bool, runs: int, seed: int) -> np.ndarray:
        seeds.append(seed)
        return np.zeros((runs, 1))

    trials = [Trial("x", play, (Statistic("y", column(0), 1.0),))] * 3
    judge("x", "", trials, runs=100, seed=1)
    judge("x", "", trials, runs=100, seed=2)
    assert len(set(seeds)) == 12


def test_more_is_tried_with_the_same_confidence() -> None:
    """Looking more often makes every single bound more careful: it proves less of what it saw."""

    def proved(times: int) -> float:
        toy = count(1.0)
        trial = Trial(
            "somebody",
            lambda present, runs, seed: toy(int(present), runs, seed),
            (Statistic("first number", column(0), 1.0),) * times,
        )
        audit = judge("x", "", [trial], runs=20_000, seed=3)
        seen = audit.findings[0].bound
        return math.log(seen.right / seen.wrong) - seen.epsilon

    assert 0 < proved(1) < proved(50) < 0.2


@pytest.mark.parametrize(
    ("how", "match"),
    [
        ({"runs": 99}, "99 runs prove nothing: give at least 100"),
        ({"confidence": 1.0}, "confidence is 0.5 or more and below 1"),
        ({"confidence": math.nan}, "confidence is 0.5 or more and below 1"),
    ],
)
def test_bad_use(how: dict[str, float], match: str) -> None:
    with pytest.raises(UsageError, match=match):
        audited(count(1.0), 1.0, **how)
