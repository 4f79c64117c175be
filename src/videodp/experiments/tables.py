"""Rows to CSV files; docs/experiments.md has their columns."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from videodp.experiments.store import Row, Rows, Store

__all__ = ["count_curves", "mean_and_spread", "write_tables"]


def write_tables(store: Store, rows: Rows) -> None:
    """Everything as CSV; histograms of the first seed only."""
    tables = dict(rows)
    if "counts" in rows:
        tables["counts"] = _counts(rows["counts"])
    if "histogram" in rows:
        tables["histogram"] = [row for row in rows["histogram"] if row["seed"] == 0]
    for name, own in tables.items():
        if own:
            store.write_csv(name, own)


def mean_and_spread(values: list[float]) -> tuple[float, float]:
    """Mean and standard deviation (of a sample; 0 for one value)."""
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return float(np.mean(values)), spread


def count_curves(rows: list[Row]) -> dict[tuple[str, float | None], np.ndarray]:
    """Counts of each frame by source and epsilon, (seeds, frames) int64."""
    curves: dict[tuple[str, float | None], list[list[int]]] = defaultdict(list)
    for row in rows:
        curves[row["source"], row["epsilon"]].append(row["counts"])
    return {key: np.array(values) for key, values in curves.items()}


def _counts(rows: list[Row]) -> list[Row]:
    """One row for each frame, with mean and spread over the seeds."""
    curves = count_curves(rows)
    columns: dict[str, np.ndarray] = {}
    for (source, epsilon), values in curves.items():
        name = source if epsilon is None else f"{source} {epsilon:g}"
        columns[name] = values.mean(axis=0)
        if epsilon is not None:
            spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])
            columns[f"{name} sd"] = spread
    length = max(map(len, columns.values()))
    return [
        {"frame": frame, **{name: float(own[frame]) for name, own in columns.items()}}
        for frame in range(length)
    ]
