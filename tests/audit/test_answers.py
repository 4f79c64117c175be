"""Answers with noise keep what they say they protect; read as more, they are broken.

Seeds are fixed. With a new seed, a sound audit ends in "claim broken" with a probability of at
most 0.01.
"""

from collections.abc import Callable

import pytest

from queries.rows import footage_of_rows, walk
from videodp import pinq
from videodp.audit import Audit, answer_trial, judge
from videodp.pinq import Answer, Terms
from videodp.privacy.noise import Noise
from videodp.queries import Footage, Line

CROWD = [row for who in (1, 2, 3) for row in walk(who, {t: (9.0 * who, t) for t in range(9)})]
CANARY = walk(9, {t: (50.0, 20.0 if t // 2 % 2 else 80.0) for t in range(12)})
LINE = Line((0, 50), (100, 50))

BOUNDED: dict[str, Callable[[Footage, Terms], Answer]] = {
    "count": lambda footage, terms: pinq.count(footage, terms, frames=6),
    "total": pinq.total,
    "stay_times": lambda footage, terms: pinq.stay_times(footage, terms, longest=8, bins=4),
    "crossings": lambda footage, terms: pinq.crossings(footage, terms, line=LINE, crossings=3),
}


def audited(ask: Callable[[Footage, Terms], Answer], setting: str, claim: float) -> Audit:
    worlds = [footage_of_rows([*CROWD, *more], 12) for more in ([], CANARY)]

    def asked(present: bool, noise: Noise) -> Answer:
        return ask(worlds[present], Terms(1.0, setting, noise=noise))

    return judge("pinq", "", [answer_trial("a walker", asked, claim)], runs=6000, seed=1)


@pytest.mark.parametrize("name", BOUNDED)
def test_one_element_is_protected_over_the_whole_answer(name: str) -> None:
    audit = audited(BOUNDED[name], "element", 1.0)
    assert audit.stands
    assert audit.findings[0].bound.epsilon > 0.3, "it does look"


@pytest.mark.parametrize("name", BOUNDED)
def test_half_of_the_claim_is_refuted(name: str) -> None:
    assert not audited(BOUNDED[name], "element", 0.25).stands


def test_the_papers_setting_protects_no_whole_element() -> None:
    """Who is counted in 12 frames loses 12 times epsilon; of one frame the claim stands."""
    count = BOUNDED["count"]
    audit = audited(count, "paper", 1.0)
    assert not audit.stands
    assert audit.findings[0].bound.epsilon > 3
    assert audited(count, "paper", 12.0).stands
