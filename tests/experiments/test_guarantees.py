"""Each way at the same epsilon, and at the same guarantee: what is promised is what is compared."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from helpers import new_folder
from videodp.elements import load_elements
from videodp.experiments.guarantees import LEVELS, advantage, sampling_as_sure_as
from videodp.experiments.lab import Lab
from videodp.experiments.made_up import footage_of_actors, made_up
from videodp.scenes import truth_file
from videodp.video import probe

from .conftest import TRIAL


def rows(folder: Path, **wanted: str) -> list[dict[str, str]]:
    with (folder / "guarantees.csv").open(encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    return [row for row in found if all(row[key] == value for key, value in wanted.items())]


@pytest.mark.parametrize("epsilon", [0.01, 0.8, 2.4, 8.0])
def test_advantage_is_that_of_randomised_response(epsilon: float) -> None:
    """The mechanism that gives away most: it tells the truth so often and lies so often."""
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    assert advantage(epsilon) == pytest.approx(truth - (1 - truth))
    exposed = 1 - math.exp(-sampling_as_sure_as(epsilon))
    assert exposed == pytest.approx(advantage(epsilon))


def test_every_way_is_asked_at_every_level(tried: Path) -> None:
    for level in map("{:g}".format, LEVELS):
        same = {row["source"] for row in rows(tried, same="epsilon", level=level)}
        assert same == {"sampling", "synthesis", "pinq-paper", "pinq-element"}
        sure = {row["source"] for row in rows(tried, same="guarantee", level=level)}
        assert sure == {"sampling", "synthesis", "pinq-element"}
    assert len(rows(tried, source="original")) == 1


def test_at_the_same_guarantee_nobody_loses_more(tried: Path) -> None:
    for row in rows(tried, same="guarantee"):
        level = float(row["level"])
        assert float(row["advantage"]) == pytest.approx(advantage(level))
        if row["source"] != "sampling":
            assert float(row["loss"]) == pytest.approx(level)


def test_what_an_epsilon_costs_with_pinq(tried: Path) -> None:
    """Four answers of PINQ cost four times; the paper's counts cost epsilon a frame."""
    for row in rows(tried, same="epsilon", source="pinq-element"):
        assert float(row["loss"]) == pytest.approx(4 * float(row["level"]))
    for row in rows(tried, same="epsilon", source="pinq-paper"):
        assert row["loss"] == ""
        assert float(row["count_loss"]) == pytest.approx(12 * float(row["level"]))  # all frames


def test_errors_by_hand(tried: Path, street: Path) -> None:
    """Counts and stays of a made-up population, from its actors."""
    video = probe(street)
    truth = load_elements(truth_file(street), video)
    lab = Lab(video, truth, TRIAL, new_folder())
    population = made_up(lab, 8.0, 1)
    there = np.zeros(video.frames)
    for actor in population.actors:
        there[actor.first : actor.last + 1] += 1
    true = np.array([len(seen) for seen in truth.frames(0, video.frames)])
    (row,) = rows(tried, same="epsilon", source="synthesis", level="8", seed="1")
    assert float(row["count_error"]) == pytest.approx(np.abs(there - true).mean())
    off = abs(len(population.actors) - len(truth)) / len(truth)
    assert float(row["total_error"]) == pytest.approx(off)
    assert len(footage_of_actors(lab, population)) == video.frames


def test_the_page_says_what_is_lost(tried: Path) -> None:
    page = (tried / "claims.md").read_text(encoding="utf-8")
    assert "| same guarantee | way |" in page
    assert "| 0.8 | sampling | 0.478 | no bound | 0.38 |" in page
    assert "| 0.8 | PINQ for a whole element | 0.2 | 0.8 | 0.38 |" in page
    assert "cost whoever is in most frames 9.6." in page
