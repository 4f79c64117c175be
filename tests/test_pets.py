"""Real people: the whole way on a real recording, where it is at hand."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from shared_data import data_path
from videodp.census import Census, take_census
from videodp.elements import load_elements
from videodp.plan import Plan, make_plan
from videodp.privacy.randomness import Randomness
from videodp.render import draw
from videodp.video import probe

pytestmark = pytest.mark.slow

EPSILON = 0.8
RUNS = 200
ALARM = 1e-4
"""False-alarm rate of each statistical test, if its seeds were new."""


@pytest.fixture(scope="module")
def census(tmp_path_factory: pytest.TempPathFactory) -> Census:
    video = probe(data_path("pets09-s2l1.avi"))
    elements = load_elements(data_path("pets09-s2l1.gt.txt"), video)
    return take_census(video, elements, Path(tmp_path_factory.mktemp("census")), workers=2)


@pytest.fixture(scope="module")
def plan(census: Census) -> Plan:
    return make_plan(census, EPSILON, workers=2)


@pytest.fixture(scope="module")
def exposed(plan: Plan) -> np.ndarray:
    """(runs, elements) bool: of whom at least one pixel was drawn."""
    shown = np.zeros((RUNS, len(plan.losses)), bool)
    for run in range(RUNS):
        shown[run, draw(plan, Randomness(run)).element] = True
    return shown


def test_everybody_is_counted(census: Census) -> None:
    assert census.frames == 795
    assert len(census.tracks) == 19
    assert census.total.sum() == 795 * 768 * 576
    assert census.pixels.sum() == census.worn_sum.sum() == np.asarray(census.worn.counts).sum()


def test_epsilon_is_kept_and_used(plan: Plan) -> None:
    assert (plan.losses <= EPSILON).all()
    assert (plan.losses / EPSILON).mean() >= 0.95
    assert all(curve.k[0] >= 4 and curve.k[-1] == 30 for curve in plan.curves)


def covariance(plan: Plan, i: int, j: int) -> float:
    """Of "i is exposed" and "j is exposed", exactly: neither of them is with this loss together.

    The pixels of both are one set of w_i + w_j of the c pixels of a colour.
    """
    together = 0.0
    for at in range(len(plan.colours)):
        who, pixels = plan.wear.of(at)
        w = int(pixels[(who == i) | (who == j)].sum())
        c, x = int(plan.counts[at]), int(plan.draws[at])
        short, long = sorted((w, x))
        together -= np.log1p(-long / (c - np.arange(short))).sum()
    return float(np.exp(-together) - np.exp(-plan.losses[i] - plan.losses[j]))


def test_number_of_exposed_elements(plan: Plan, exposed: np.ndarray) -> None:
    """Bernstein's inequality for 200 independent runs, with the exact variance of one run.

    Elements that share colours are exposed together or in each other's place, so the variance of
    their number needs all covariances. One run gives a number from 0 to n; with variance v, the sum
    of 200 leaves its mean by t or more with probability at most
    2 exp(-t^2 / (2 (200 v + n t / 3))): set to 1e-4 and solved for t. No normal law is assumed.
    """
    n = len(plan.losses)
    p = plan.exposures
    variance = float((p * (1 - p)).sum())
    variance += 2 * sum(covariance(plan, i, j) for i in range(n) for j in range(i))
    assert variance > 0
    level = np.log(2 / ALARM)
    bound = level * n / 3 + np.sqrt((level * n / 3) ** 2 + 2 * level * RUNS * variance)
    assert bound < 0.15 * RUNS * n  # it does say something
    assert abs(exposed.sum() - RUNS * p.sum()) <= bound


def test_how_often_each_element_is_exposed(plan: Plan, exposed: np.ndarray) -> None:
    """Runs are independent, so each count is binomial; 1e-4 for all elements together."""
    for shown, exposure in zip(exposed.sum(axis=0), plan.exposures, strict=True):
        assert stats.binomtest(int(shown), RUNS, exposure).pvalue > ALARM / len(plan.exposures)


def test_rule_paper_stops_earlier(census: Census, plan: Plan) -> None:
    paper = make_plan(census, EPSILON, k=6, rule="paper")
    assert (paper.losses <= EPSILON).all()
    assert paper.losses.mean() < plan.losses.mean()
