"""Everything on a tiny street: complete, repeatable, and it goes on where it was stopped."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from helpers import new_folder
from videodp.errors import UsageError
from videodp.experiments import EXPERIMENTS, Trial, run_experiments
from videodp.scenes import truth_file

from .conftest import TRIAL

TABLES = {
    *("pixels", "k", "largest", "detection", "counts", "count_errors", "stays", "stay_errors"),
    *("histogram", "histogram_errors", "comparators", "guarantees", "frames", "times"),
}
PLOTS = {
    *("pixels", "k", "largest", "detection", "counts", "stays", "histogram", "guarantees"),
    "frames",
}
MEASURED = {"times"}  # seconds are never the same twice


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def contents(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.glob("*.csv") if p.stem not in MEASURED}


def test_everything_is_there(tried: Path) -> None:
    assert {path.stem for path in tried.glob("*.csv")} == TABLES
    assert {path.stem for path in tried.glob("*.png")} == PLOTS
    assert all(path.stat().st_size > 2000 for path in tried.glob("*.png"))
    claims = (tried / "claims.md").read_text(encoding="utf-8")
    assert "not measured" not in claims
    assert claims.count("**holds**") + claims.count("**does not hold**") > 15
    assert "| blur |" in claims
    assert not [path for path in tried.rglob(".*part*")]


def test_tables_have_a_row_for_each_trial(tried: Path) -> None:
    assert len(rows(tried, "pixels")) == 2 * 3 * 2  # rules, epsilons, seeds
    assert len(rows(tried, "k")) == 2 * 2 * 4 * 2
    assert len(rows(tried, "counts")) == 12
    private = [row for row in rows(tried, "detection") if row["source"] == "private"]
    assert [(row["epsilon"], row["seed"]) for row in private] == [
        (epsilon, seed) for epsilon in ("0.8", "1.6", "2.4") for seed in "01"
    ]
    assert {row["way"] for row in rows(tried, "comparators")} == {"blur", "pixelise", "synthesis"}


def test_columns_are_documented(tried: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")
    for name in TABLES:
        assert f"`{name}.csv`" in text
        for column in rows(tried, name)[0]:
            word = column.split(" ")[0] if name == "counts" else column
            assert f"`{word}`" in text, f"{name}: {column}"


def test_the_same_seed_gives_the_same_tables(tried: Path, street: Path) -> None:
    again = new_folder() / "again"
    run_experiments(street, truth_file(street), again, TRIAL)
    assert contents(again) == contents(tried)


def test_it_goes_on_after_an_interruption(tried: Path, street: Path) -> None:
    folder = new_folder() / "stopped"
    seen = []

    def stop(stage: str, done: int, total: int) -> None:
        seen.append(done)
        if done >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_experiments(street, truth_file(street), folder, TRIAL, watcher=stop)
    kept = {path: path.stat().st_mtime_ns for path in (folder / "parts").iterdir()}
    assert 0 < len(kept) < len(list((tried / "parts").iterdir()))
    assert not (folder / "claims.md").exists()
    run_experiments(street, truth_file(street), folder, TRIAL)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept  # none was done again
    assert contents(folder) == contents(tried)


def test_one_experiment_and_more_seeds_later(tried: Path, street: Path) -> None:
    folder = new_folder() / "few"
    few = Trial(**{**vars(TRIAL), "only": ("pixels",), "seeds": 1})
    claims = run_experiments(street, truth_file(street), folder, few)
    assert "not measured" in claims.read_text(encoding="utf-8")
    assert {path.stem for path in folder.glob("*.csv")} == {"pixels"}
    more = Trial(**{**vars(TRIAL), "only": ("pixels", "k")})
    run_experiments(street, truth_file(street), folder, more)
    for name in ("pixels", "k"):
        assert (folder / f"{name}.csv").read_bytes() == (tried / f"{name}.csv").read_bytes()


def test_other_settings_are_refused(tried: Path, street: Path) -> None:
    folder = new_folder() / "copy"
    shutil.copytree(tried, folder)
    other = Trial(**{**vars(TRIAL), "ks": (4, 5)})
    with pytest.raises(UsageError, match="another ks: give another folder, or --overwrite"):
        run_experiments(street, truth_file(street), folder, other)
    few = Trial(**{**vars(other), "only": ("pixels",), "seeds": 1})
    run_experiments(street, truth_file(street), folder, few, overwrite=True)
    assert {path.stem for path in (folder / "parts").iterdir()} == {"pixels-0"}
    (folder / "manifest.json").write_text("[]")
    with pytest.raises(UsageError, match="not ours"):
        run_experiments(street, truth_file(street), folder, few)


def test_wrong_use(street: Path) -> None:
    with pytest.raises(UsageError, match="no experiment 'pixel': did you mean pixels"):
        Trial(only=("pixel",))
    with pytest.raises(UsageError, match="seeds must be 1 to 100, not 0"):
        Trial(seeds=0)
    nobody = street.with_name("nobody.txt")
    nobody.write_text("")
    with pytest.raises(UsageError, match="nobody"):
        run_experiments(street, nobody, new_folder() / "none", TRIAL)


def test_parts_hold_their_rows(tried: Path) -> None:
    part = json.loads((tried / "parts" / "pixels-0.json").read_text())
    assert len(part["pixels"]) == 2 * 3
    names = {path.name.split("-")[0].split(".")[0] for path in (tried / "parts").iterdir()}
    assert names <= {*EXPERIMENTS, "original", "private", "blur", "pixelise", "synthesis"}
