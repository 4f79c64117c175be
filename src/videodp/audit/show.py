"""An audit for people."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table

from videodp.audit.model import Audit, Check, Finding

__all__ = ["show_audit"]


def show_audit(audit: Audit) -> None:
    """Prints every figure, what it rests on, and the verdict in the last line."""
    wide = None if sys.stdout.isatty() else 200
    console = Console(file=sys.stdout, width=wide, highlight=False, markup=False)
    console.print(f"The claim: {audit.claim}.")
    console.print(
        f"{audit.runs} runs with each canary and as many without; all limits together hold with "
        f"a confidence of {audit.confidence:g}.\n"
    )
    if audit.findings:
        console.print(_findings(audit.findings))
    if audit.checks:
        console.print(_checks(audit.checks))
    for note in audit.notes:
        console.print(f"- {note}", soft_wrap=True)
    console.print(f"\n{_worst(audit)}", soft_wrap=True)
    console.print(audit.verdict)


def _findings(findings: tuple[Finding, ...]) -> Table:
    table = _table("what is looked at", "claim", "at least", "guessed right", "wrong")
    for one in findings:
        claim = f"{one.epsilon:.3f}" + (f" +{one.delta:.2f}" if one.delta else "")
        bound = one.bound
        verdict = "broken" if one.broken else "stands"
        table.add_row(
            one.canary,
            one.statistic,
            claim,
            f"{bound.epsilon:.3f}",
            str(bound.right),
            str(bound.wrong),
            verdict if one.claimed else f"({verdict})",
        )
    return table


def _checks(checks: tuple[Check, ...]) -> Table:
    table = _table("what was promised", "at most", "promised", "measured", "so it is between")
    for one in checks:
        table.add_row(
            one.canary,
            one.promise.name,
            f"{one.promise.bound:.4f}",
            f"{one.promise.probability:.4f}",
            f"{one.hits / one.runs:.4f}",
            f"{one.low:.4f} and {one.high:.4f}",
            "broken" if one.broken else "agrees" if one.agrees else "less than promised",
        )
    return table


def _table(subject: str, *figures: str) -> Table:
    """Columns for the canary, the subject, the figures, and in the end the verdict."""
    table = Table(box=None, pad_edge=False)
    for name in ("canary", subject):
        table.add_column(name)
    for name in figures:
        table.add_column(name, justify="right")
    table.add_column("")
    return table


def _worst(audit: Audit) -> str:
    """The figure that decides: the one farthest above its claim, or the largest of all."""
    claimed = [one for one in audit.findings if one.claimed]
    broken = [one for one in claimed if one.broken]
    if broken:
        worst = max(broken, key=lambda one: one.bound.epsilon - one.epsilon)
        return (
            f"Refuted: '{worst.statistic}' of '{worst.canary}' shows an epsilon of at least "
            f"{worst.bound.epsilon:.3f}; the claim is {worst.epsilon:.3f}."
        )
    if any(check.broken for check in audit.checks):
        check = max(audit.checks, key=lambda one: one.low - one.promise.probability)
        return (
            f"Refuted: '{check.promise.name}' of '{check.canary}' happens with a probability of at "
            f"least {check.low:.4f}; promised were {check.promise.probability:.4f}."
        )
    if not claimed:
        return "Nothing was claimed."
    most = max(claimed, key=lambda one: one.bound.epsilon)
    return (
        f"Nothing refuted. The most that was shown is an epsilon of at least "
        f"{most.bound.epsilon:.3f} ('{most.statistic}' of '{most.canary}', claim "
        f"{most.epsilon:.3f})."
    )
