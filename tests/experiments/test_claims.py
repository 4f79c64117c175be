"""Verdicts follow the rules of docs/experiments.md, on rows made up to go either way."""

from pathlib import Path

import numpy as np
import pytest

from videodp.experiments.claims import write_claims
from videodp.experiments.claims_analysis import ANALYSIS
from videodp.experiments.claims_pixels import PIXELS
from videodp.experiments.judge import CANNOT, FAILS, HOLDS
from videodp.experiments.store import Row, Rows

JUDGES = dict((*PIXELS, *ANALYSIS))
EPSILONS, SEEDS, KS = (0.8, 1.6, 2.8), (0, 1, 2), tuple(range(4, 31))


def verdict(start: str, rows: Rows) -> str:
    """Of the one claim that begins like this."""
    (judge,) = [judge for text, judge in JUDGES.items() if text.startswith(start)]
    finding = judge(rows)
    assert finding is not None
    assert finding.measured
    return finding.verdict


def sweep(name: str, values: dict[float, float], x: str = "epsilon", **more: object) -> list[Row]:
    return [
        {"rule": rule, x: at, "seed": seed, name: value + seed * 1e-4, **more}
        for rule in ("paper", "affordable")
        for at, value in values.items()
        for seed in SEEDS
    ]


@pytest.mark.parametrize(
    ("claim", "column"),
    [
        ("MSE after Phase I declines", "element_mse_phase1"),
        ("MSE after Phase II declines", "element_mse"),
    ],
)
def test_declines(claim: str, column: str) -> None:
    for values, expected in (
        ((0.3, 0.2, 0.1), HOLDS),
        ((0.3, 0.3, 0.3), FAILS),
        ((0.1, 0.2, 0.3), FAILS),
    ):
        rows = sweep(column, dict(zip(EPSILONS, values, strict=True)))
        assert verdict(claim, {"pixels": rows}) == expected


def test_one_seed_tells_nothing_but_the_wrong_direction() -> None:
    falling = sweep("element_mse", dict(zip(EPSILONS, (0.3, 0.2, 0.1), strict=True)))
    rising = sweep("element_mse", dict(zip(EPSILONS, (0.1, 0.2, 0.3), strict=True)))
    for rows, expected in ((falling, CANNOT), (rising, FAILS)):
        one = [row for row in rows if row["seed"] == 0]
        assert verdict("MSE after Phase II declines", {"pixels": one}) == expected


def test_kl() -> None:
    both = {"kl": 1.0, "epsilon": 0.8}
    rising = {float(k): 1 + k / 10 for k in KS}
    rows = sweep("kl_phase1_sampled", rising, "k", **both)
    assert verdict("KL increases with k", {"k": rows}) == HOLDS
    falling = {float(k): 1 - k / 100 for k in KS}
    rows = sweep("kl_phase1_sampled", falling, "k", **both)
    assert verdict("KL increases with k", {"k": rows}) == FAILS
    rows = sweep("kl_phase1_sampled", {0.8: 1.0, 1.6: 2.0}, kl=1.0)
    assert verdict("KL over epsilon", {"pixels": rows}) == CANNOT


def largest(curve: dict[int, float], solved: int, spread: float) -> Rows:
    rng = np.random.default_rng(0)
    return {
        "largest": [
            {
                "rule": "paper",
                "k": k,
                "element_mse": value + spread * rng.standard_normal(),
                "element_mse_phase1": 0.3,
                "drawn": 1,
                "expected": value,
                "solved_k": solved,
            }
            for k, value in curve.items()
            for _ in range(12)
        ]
    }


def test_the_best_k() -> None:
    valley = {k: 0.1 + (k - 12) ** 2 / 1000 for k in KS}
    claim = "MSE of the largest element after Phase II"
    assert verdict(claim, largest(valley, 12, 1e-3)) == HOLDS
    assert verdict(claim, largest(valley, 20, 1e-3)) == FAILS  # the solver chose another
    assert verdict(claim, largest(valley, 12, 2.0)) == FAILS  # nothing but noise
    slope = {k: 0.1 + k / 100 for k in KS}
    assert verdict(claim, largest(slope, 4, 1e-3)) == FAILS  # smallest at an end
    assert verdict("MSE of the largest element after Phase I does", largest(valley, 1, 0)) == HOLDS


def detection(precision: tuple[float, ...], recall: tuple[float, ...]) -> Rows:
    return {
        "detection": [
            {
                **{"source": "private", "epsilon": epsilon, "seed": seed},
                **{"precision": p, "recall": r + seed * 1e-3, "shown": 1},
            }
            for epsilon, p, r in zip(EPSILONS, precision, recall, strict=True)
            for seed in SEEDS
        ]
    }


def test_detection() -> None:
    good = detection((0.95, 0.96, 0.97), (0.3, 0.5, 0.7))
    assert verdict("Precision", good) == HOLDS
    assert verdict("Recall", good) == HOLDS
    bad = detection((0.95, 0.6, 0.97), (0.5, 0.5, 0.5))
    assert verdict("Precision", bad) == FAILS
    assert verdict("Recall", bad) == FAILS


def test_nothing_is_found() -> None:
    rows = detection((None, None, None), (0.0, 0.0, 0.0))  # type: ignore[arg-type]
    assert verdict("Precision", rows) == CANNOT
    assert verdict("Recall", rows) == FAILS
    nobody = stays(None, 60, 0)  # type: ignore[arg-type]
    assert verdict("Stay times", nobody) == CANNOT
    assert verdict("At epsilon 0.8 stay", nobody) == FAILS


def stays(private: float, noisy: float, found: int) -> Rows:
    row = {"way": "all", "in_original": 20, "in_truth": 19}
    return {
        "stay_errors": [
            {**row, "source": source, "epsilon": epsilon, "distance": apart, "elements": found}
            for source, apart in (("private", private), ("pinq-paper", noisy))
            for epsilon in (0.8, 1.6, 2.4)
        ],
        "stays": [{"source": "original", "way": "all", "frames": 100.0}],
    }


def test_stay_times() -> None:
    assert verdict("Stay times", stays(8, 60, 10)) == HOLDS
    assert verdict("Stay times", stays(60, 8, 10)) == FAILS
    assert verdict("At epsilon 0.8 about half", stays(8, 60, 10)) == HOLDS
    assert verdict("At epsilon 0.8 about half", stays(8, 60, 19)) == FAILS
    assert verdict("At epsilon 0.8 stay", stays(15, 60, 10)) == HOLDS
    assert verdict("At epsilon 1.6 stay", stays(15, 60, 10)) == FAILS


def test_counts() -> None:
    def rows(error: float, steps: list[int]) -> Rows:
        return {
            "count_errors": [
                {"source": source, "epsilon": 0.8, "error": error, "mean_original": 8.0}
                for source in ("private", "pinq-paper")
            ],
            "counts": [
                {"source": "private", "epsilon": 0.8, "counts": [5, 5, 6, 6]},
                {"source": "pinq-paper", "epsilon": 0.8, "counts": steps},
            ],
        }

    assert verdict("Counts in each frame", rows(1.9, [1, 9, 1, 9])) == HOLDS
    assert verdict("Counts in each frame", rows(2.1, [1, 9, 1, 9])) == FAILS
    assert verdict("Counts fluctuate", rows(1, [1, 9, 1, 9])) == HOLDS
    assert verdict("Counts fluctuate", rows(1, [5, 5, 5, 5])) == FAILS


def test_nothing_measured(tmp_path: Path) -> None:
    facts = dict.fromkeys(
        (
            "video",
            "size",
            "frames",
            "elements",
            "k",
            "every",
            "seeds",
            "sheet",
            "shown",
            "few",
            "ks",
            "many",
        ),
        1,
    )
    page = write_claims(tmp_path, {}, {**facts, "rate": 25.0}).read_text(encoding="utf-8")
    assert page.count("**not measured**") == len(JUDGES)
