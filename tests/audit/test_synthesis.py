"""Synthesis keeps its claim; seven ways to break it are found.

All seeds are fixed. With a new seed, a sound audit ends in "claim broken" with a probability of at
most 0.01.
"""

from dataclasses import replace

import numpy as np
import pytest

from videodp.audit import BROKEN, Audit, audit_synthesis, judge
from videodp.audit.broken import Release
from videodp.audit.crowd import canaries, crowd
from videodp.audit.populations import population_trial
from videodp.audit.synthesis import summary_trial
from videodp.errors import BudgetError, UsageError
from videodp.privacy.noise import RepeatableNoise, SecureNoise
from videodp.synthesis.settings import SHARES, SynthesisSettings
from videodp.synthesis.summary import NoisySummary, Summary, release

TOGETHER = "all of it, likelihood ratio"
WIDEST = max(SHARES, key=lambda name: SHARES[name])
"""The histogram with the largest share of epsilon."""


def largest(audit: Audit, statistic: str) -> float:
    return max(f.bound.epsilon for f in audit.findings if f.statistic == statistic)


def of_one_canary(epsilon: float, mechanism: Release, runs: int = 20_000) -> Audit:
    """The lorry alone, which moves fewest cells; ``bench.audit`` plays all canaries."""
    settings = SynthesisSettings(epsilon)
    recording = crowd(settings)
    name, canary = next(iter(canaries(recording, settings).items()))
    trial = summary_trial(name, recording, canary, settings, RepeatableNoise, mechanism)
    return judge("synthesis", "", [trial], runs=runs, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_the_claim_stands(epsilon: float) -> None:
    audit = of_one_canary(epsilon, release)
    assert audit.stands
    assert not any(finding.broken for finding in audit.findings)
    assert 0.3 * epsilon < largest(audit, TOGETHER) <= epsilon, "it does look"


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_half_the_noise_is_found(epsilon: float) -> None:
    audit = of_one_canary(epsilon, BROKEN["halved-noise"])
    assert not audit.stands
    assert epsilon < largest(audit, TOGETHER) <= 2 * epsilon
    claim = SynthesisSettings(epsilon).epsilon_of(WIDEST)
    assert claim < largest(audit, WIDEST) <= 2 * claim


@pytest.mark.parametrize("name", sorted(set(BROKEN) - {"halved-noise", "off-by-one"}))
def test_what_is_broken_is_found(name: str) -> None:
    assert not audit_synthesis(1.0, runs=1500, populations=0, seed=1, broken=name).stands


def test_one_histogram_off_by_one_is_found() -> None:
    """The whole would hardly be above its claim; the histogram's own share is."""
    audit = audit_synthesis(2.0, runs=6000, populations=0, seed=1, broken="off-by-one")
    assert {f.statistic for f in audit.findings if f.broken} == {"ends"}


def test_several_tracks_of_one_person_are_covered() -> None:
    audit = audit_synthesis(2.0, tracks_per_person=3, runs=2000, populations=0, seed=1)
    assert audit.stands
    assert largest(audit, TOGETHER) > 0.5


def test_noise_from_opendp() -> None:
    """The released path: 150 runs are few, but a histogram without noise is found in them."""
    settings = SynthesisSettings(1.0)
    recording = crowd(settings, 5)
    name, canary = next(iter(canaries(recording, settings).items()))
    verdicts = []
    for mechanism in (release, BROKEN["uncharged-histogram"]):
        trial = summary_trial(
            name, recording, canary, settings, lambda seed: SecureNoise(), mechanism
        )
        verdicts.append(judge("synthesis", "", [trial], runs=150).stands)
    assert verdicts == [True, False]


def test_canaries_move_what_they_can() -> None:
    """Each canary uses up the sensitivity of every histogram, to the last unit."""
    settings = SynthesisSettings(1.0, tracks_per_person=2)
    recording = crowd(settings)
    for canary in canaries(recording, settings).values():
        assert len(canary) == 2
        worlds = recording.summary(settings, canary), recording.summary(settings, None)
        for present, absent in zip(worlds[0].histograms, worlds[1].histograms, strict=True):
            moved = int(np.abs(present.counts - absent.counts).sum())
            assert moved == 2 * present.sensitivity, present.name


@pytest.mark.slow
def test_finished_populations() -> None:
    """Few runs prove little, but a summary without noise on its counts shows through."""
    settings = SynthesisSettings(1.0)
    recording = crowd(settings, 3)
    name, canary = next(iter(canaries(recording, settings).items()))

    def bare(summary: Summary, settings: SynthesisSettings, noise: RepeatableNoise) -> NoisySummary:
        noisy = release(summary, settings, noise)
        exact = zip(noisy.histograms, summary.histograms, strict=True)
        return replace(
            noisy, histograms=tuple(replace(h, counts=e.counts, scale=1e-3) for h, e in exact)
        )

    def stands(mechanism: object) -> bool:
        trial = population_trial(
            name, recording, canary, settings, RepeatableNoise, mechanism, runs=40
        )
        return judge("synthesis", "", [trial], seed=1).stands

    assert stands(release)
    assert not stands(bare)


def test_no_such_audit() -> None:
    with pytest.raises(UsageError, match="no broken synthesis 'half': use halved-noise"):
        audit_synthesis(broken="half")
    with pytest.raises(BudgetError):
        audit_synthesis(-1.0)
