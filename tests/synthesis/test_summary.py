"""What the proof rests on: one record moves each histogram by at most its sensitivity."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthesis.people import CELLS, FRAMES, PUBLIC, RATE, SETTINGS, crowd, record
from videodp.errors import BudgetError, UsageError
from videodp.privacy.noise import RepeatableNoise, SecureNoise
from videodp.synthesis.settings import OTHER, SHARES, SynthesisSettings
from videodp.synthesis.summary import release, summarise

ANY = st.floats(allow_nan=True, allow_infinity=True)
PLACE = st.tuples(ANY, ANY)
RECORDS = st.builds(
    record,
    label=st.sampled_from(["person", "car", "pedestrian", "van", "dragon", OTHER, ""]),
    first=st.integers(-5, 10**9),
    last=st.integers(-5, 10**9),
    entry=PLACE,
    exit=PLACE,
    foot=ANY,
    height=ANY,
    ratio=ANY,
    speed=ANY,
    standing=ANY,
    visits=st.dictionaries(st.integers(0, CELLS - 1), st.integers(0, 2**31), max_size=20),
)
NOBODY = record().take(np.zeros(0, np.int64))


@given(one=RECORDS, others=st.integers(0, 20), seed=st.integers(0, 9))
def test_any_record_moves_each_histogram_by_its_sensitivity(one, others, seed) -> None:
    few = crowd(others, seed)
    without, with_it = (summarise(r, SETTINGS, *PUBLIC) for r in (few, few.joined(one)))
    for before, after in zip(without.histograms, with_it.histograms, strict=True):
        change = after.counts - before.counts
        assert change.shape == before.counts.shape
        assert change.min() >= 0
        assert change.sum() == before.sensitivity == after.sensitivity
        if before.name == "arrivals":
            assert np.count_nonzero(change) == 1
        if before.name in ("labels", "stays", "flows", "ends", "occupancy") and change.ndim > 1:
            touched = np.flatnonzero(change.reshape(len(change), -1).any(axis=1))
            assert len(touched) == 1, "one period only"


@given(one=RECORDS, at=st.integers(0, 20))
def test_where_a_record_stands_in_the_list_does_not_matter(one, at) -> None:
    few = crowd(20)
    order = np.insert(np.arange(20), at, 20)
    a = summarise(few.joined(one), SETTINGS, *PUBLIC)
    b = summarise(few.joined(one).take(order), SETTINGS, *PUBLIC)
    for first, second in zip(a.histograms, b.histograms, strict=True):
        assert np.array_equal(first.counts, second.counts)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 1 / 3, 2.0, 7.7])
@pytest.mark.parametrize("tracks_per_person", [1, 3])
def test_all_histograms_together_cost_at_most_epsilon(epsilon, tracks_per_person) -> None:
    settings = SynthesisSettings(epsilon, tracks_per_person=tracks_per_person)
    noisy = release(summarise(crowd(5), settings, *PUBLIC), settings, RepeatableNoise(0))
    assert {h.name for h in noisy.histograms} == set(SHARES)
    assert sum(Fraction(h.epsilon) for h in noisy.histograms) <= Fraction(epsilon)
    # What the noise that was really used promises to all tracks of one person.
    spent = sum(tracks_per_person * h.sensitivity / h.scale for h in noisy.histograms)
    assert spent == pytest.approx(epsilon, rel=1e-9)


def test_every_cell_gets_noise_even_if_there_is_nobody() -> None:
    noisy = release(summarise(NOBODY, SETTINGS, *PUBLIC), SETTINGS, SecureNoise())
    for histogram in noisy.histograms:
        assert histogram.counts.dtype == np.int64
        if histogram.counts.size > 50:  # all 0 with a probability below 1e-40
            assert np.any(histogram.counts)
    assert not noisy.repeatable


def test_noise_from_a_seed_says_so() -> None:
    exact = summarise(crowd(3), SETTINGS, *PUBLIC)
    a, b = (release(exact, SETTINGS, RepeatableNoise(4)) for _ in range(2))
    assert a.repeatable
    assert np.array_equal(a["flows"].counts, b["flows"].counts)


def test_a_visit_is_shared_out_by_time() -> None:
    one = summarise(record(visits={3: 3, 9: 1}), SETTINGS, *PUBLIC)["occupancy"].counts[0, 0]
    assert one[3] == 180
    assert one[9] == 60
    assert one.sum() == SETTINGS.visit


def test_a_long_video_has_windows_and_periods_of_its_own() -> None:
    day = 24 * 3600 * 25
    late = record(first=day - 10, last=day - 1)
    summary = summarise(late, SETTINGS, (640, 360), day, Fraction(25))
    assert summary["arrivals"].counts.shape == (288,)
    assert summary["arrivals"].counts[-1] == 1
    assert summary["flows"].counts.shape[0] == 24
    assert summary["flows"].counts[-1].sum() == 1


def test_fractional_rates_count_windows_exactly() -> None:
    rate = Fraction(30000, 1001)
    border = math.ceil(300 * rate)
    for first, window in ((border - 1, 0), (border, 1)):
        found = summarise(record(first=first), SETTINGS, (640, 360), 3 * border, rate)
        assert np.argmax(found["arrivals"].counts) == window


def test_labels_are_public_and_others_are_other() -> None:
    counts = summarise(
        record("pedestrian").joined(record("van")).joined(record("dragon")), SETTINGS, *PUBLIC
    )["labels"].counts[0]
    assert dict(zip(SETTINGS.all_labels, counts.tolist(), strict=True)) == {
        **dict.fromkeys(SETTINGS.all_labels, 0),
        "person": 1,
        "car": 1,
        OTHER: 1,
    }


def test_epsilon_too_small_for_so_few_says_so() -> None:
    """False alarm rate: 0.003 of speaking about nobody; these seeds are fixed."""

    def speaks(records, epsilon: float, seed: int) -> bool:
        settings = SynthesisSettings(epsilon)
        return release(
            summarise(records, settings, *PUBLIC), settings, RepeatableNoise(seed)
        ).speaks

    assert all(speaks(crowd(500), 1.0, seed) for seed in range(20))
    assert not any(speaks(NOBODY, 1.0, seed) for seed in range(20))
    assert sum(speaks(crowd(20), 0.01, seed) for seed in range(20)) <= 1


def test_the_total_is_that_of_all_histograms() -> None:
    settings = SynthesisSettings(1e6)
    noisy = release(summarise(crowd(40), settings, *PUBLIC), settings, RepeatableNoise(0))
    assert noisy.total()[0] == pytest.approx(40, abs=0.01)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"epsilon": 0.0}, BudgetError),
        ({"epsilon": math.nan}, BudgetError),
        ({"shares": {**SHARES, "stays": 90}}, BudgetError),
        ({"shares": {"stays": 100}}, BudgetError),
        ({"labels": ()}, UsageError),
        ({"labels": ("person", "person")}, UsageError),
        ({"labels": (OTHER,)}, UsageError),
        ({"tracks_per_person": 0}, UsageError),
        ({"window": 0}, UsageError),
    ],
)
def test_what_cannot_be_is_refused(change, error) -> None:
    with pytest.raises(error):
        SynthesisSettings(**{"epsilon": 1.0, **change})


def test_frames_and_rate_are_public() -> None:
    assert SETTINGS.windows(FRAMES, RATE) == 3
    assert SETTINGS.windows(1, RATE) == 1
    assert SETTINGS.periods(FRAMES, RATE) == 1
