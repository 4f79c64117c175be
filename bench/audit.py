"""What the audit of synthesis shows over epsilon: ``python -m bench.audit`` draws its picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

from videodp.audit import Audit, audit_synthesis
from videodp.synthesis.settings import SHARES

EPSILONS = (0.5, 1.0, 2.0)
MECHANISMS = {
    "as released": (None, "#3b82d0", "o"),
    "noise halved": ("halved-noise", "#d9822b", "s"),
}
PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "audit.png"
TOGETHER = "all of it, likelihood ratio"
WIDEST = max(SHARES, key=lambda name: SHARES[name])
"""The histogram with the largest share of epsilon."""


def most(audit: Audit, statistic: str) -> float:
    """The largest bound that one statistic gives, over the canaries."""
    return max(f.bound.epsilon for f in audit.findings if f.statistic == statistic)


def measure(runs: int) -> dict[str, list[Audit]]:
    """Every mechanism at every epsilon."""
    return {
        name: [
            audit_synthesis(epsilon, runs=runs, populations=0, seed=1, broken=broken)
            for epsilon in EPSILONS
        ]
        for name, (broken, _, _) in MECHANISMS.items()
    }


def plot(audits: dict[str, list[Audit]]) -> None:
    """Lower bound against claim: who is above the line is broken."""
    with rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(8.4, 3.6), layout="constrained")
        both = figure.subplots(1, 2)
        for axes, statistic, title in (
            (both[0], TOGETHER, "everything together, against epsilon"),
            (both[1], WIDEST, f"one histogram ({WIDEST}), against its share"),
        ):
            claims = [
                next(f.epsilon for f in audit.findings if f.statistic == statistic)
                for audit in audits["as released"]
            ]
            axes.plot([0, *claims], [0, *claims], color="#777777", label="the claim")
            for name, (_, colour, mark) in MECHANISMS.items():
                bounds = [most(audit, statistic) for audit in audits[name]]
                axes.plot(claims, bounds, mark + "--", color=colour, label=name)
            axes.set_title(title, loc="left", fontsize=10)
            axes.set_xlabel("claimed epsilon")
            axes.set_xlim(0, max(claims) * 1.08)
            axes.set_ylim(0, max(claims) * 2.1)
        both[0].set_ylabel("epsilon is at least")
        both[0].legend(frameon=False, fontsize=9)
        figure.savefig(PICTURE, dpi=120, metadata={"Software": None})


def main() -> None:
    """Measures, prints a table, writes the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20_000)
    audits = measure(parser.parse_args().runs)
    print(f"| mechanism | epsilon | together, at least | {WIDEST}: share | at least | verdict |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, row in audits.items():
        for epsilon, audit in zip(EPSILONS, row, strict=True):
            share = next(f.epsilon for f in audit.findings if f.statistic == WIDEST)
            print(
                f"| {name} | {epsilon:g} | {most(audit, TOGETHER):.3f} | {share:.3f} "
                f"| {most(audit, WIDEST):.3f} | {audit.verdict} |"
            )
    plot(audits)


if __name__ == "__main__":
    main()
