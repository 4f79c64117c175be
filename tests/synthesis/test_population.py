"""The population: only from the noisy summary, whole, within the picture and the video."""

import inspect

import numpy as np
import pytest

from synthesis.people import FRAMES, PUBLIC, RATE, SIZE, crowd, record
from videodp.privacy.noise import RepeatableNoise
from videodp.privacy.randomness import Randomness
from videodp.synthesis.boxes import elements_of
from videodp.synthesis.model import Population
from videodp.synthesis.population import populate
from videodp.synthesis.records import Records, records_of
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import NoisySummary, release, summarise

NOBODY = record().take(np.zeros(0, np.int64))


def made(records: Records, epsilon: float = 1.0, seed: int = 0) -> tuple[Population, NoisySummary]:
    settings = SynthesisSettings(epsilon)
    noisy = release(summarise(records, settings, *PUBLIC), settings, RepeatableNoise(seed))
    return populate(noisy, settings, *PUBLIC, Randomness(seed)), noisy


def check(population: Population) -> None:
    ids = [actor.id for actor in population.actors]
    assert ids == list(range(1, len(ids) + 1))
    firsts = [actor.first for actor in population.actors]
    assert firsts == sorted(firsts)
    for actor in population.actors:
        assert np.all(np.isfinite(actor.knots))
        assert np.all(np.diff(actor.knots[:, 0]) >= 0)
        assert actor.knots[0, 0] >= 0
        assert actor.knots[-1, 0] <= FRAMES - 1
        assert np.all(actor.knots[:, 3:] > 0)
        x, foot = actor.knots[:, 1], actor.knots[:, 2]
        assert np.all((x >= 0) & (x <= SIZE[0]) & (foot > 0) & (foot <= SIZE[1]))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "records",
    [
        NOBODY,
        record(),
        crowd(200),
        record("dragon").take(np.zeros(300, np.int64)),
        record(first=0, last=FRAMES - 1).take(np.zeros(400, np.int64)),
        record(first=FRAMES - 1, last=FRAMES - 1).take(np.zeros(400, np.int64)),
    ],
    ids=["nobody", "one", "crowd", "labels never seen", "all the time", "all at the end"],
)
def test_any_recording_gives_a_whole_population(records: Records, seed: int) -> None:
    population, _ = made(records, seed=seed)
    check(population)


def test_it_sees_public_things_and_the_noisy_summary_only() -> None:
    kinds = [p.annotation for p in inspect.signature(populate).parameters.values()]
    assert kinds[0] == "NoisySummary"
    assert not any("Records" in kind or kind == "Summary" for kind in kinds)


def test_the_same_noise_gives_the_same_population_whatever_the_records() -> None:
    """What is released decides everything: a record that noise hid changes nothing."""
    settings = SynthesisSettings(1.0)
    noisy = release(summarise(crowd(50), settings, *PUBLIC), settings, RepeatableNoise(1))
    a, b = (populate(noisy, settings, *PUBLIC, Randomness(3)) for _ in range(2))
    assert len(a.actors) == len(b.actors)
    for one, other in zip(a.actors, b.actors, strict=True):
        assert one.label == other.label
        assert np.array_equal(one.knots, other.knots)


def test_with_little_noise_it_repeats_the_summary() -> None:
    records = crowd(300)
    population, noisy = made(records, epsilon=1e5)
    assert len(population.actors) == 300
    settings = SynthesisSettings(1e5)
    again = records_of(elements_of(population), *PUBLIC, settings.grid)
    drawn = summarise(again, settings, *PUBLIC)
    assert np.array_equal(drawn["labels"].counts, noisy["labels"].counts)
    assert np.array_equal(drawn["flows"].counts, noisy["flows"].counts)
    assert np.array_equal(drawn["arrivals"].counts, noisy["arrivals"].counts)
    stays = [(r.last - r.first + 1) / float(RATE) for r in (records, again)]
    assert np.mean(stays[1]) == pytest.approx(np.mean(stays[0]), rel=0.05)
    assert np.median(again.height) == pytest.approx(60, rel=0.25)


def test_the_number_of_actors_is_the_noisy_one() -> None:
    sizes = {len(made(crowd(100), seed=seed)[0].actors) for seed in range(8)}
    assert len(sizes) > 2


def test_ids_and_labels_come_from_public_lists() -> None:
    population, _ = made(record("dragon").take(np.zeros(500, np.int64)))
    assert {actor.label for actor in population.actors} <= set(SynthesisSettings(1.0).all_labels)
    assert sum(actor.label == "other" for actor in population.actors) > 300
