"""Plays the attacker: what do many runs prove about a claim?

Trial --play, with the canary and without--> outputs --score--> events --judge--> Audit
"""

from videodp.audit.answers import answer_trial
from videodp.audit.broken import BROKEN
from videodp.audit.judge import judge
from videodp.audit.model import Audit, Check, Finding, Promise, Statistic, Trial
from videodp.audit.run import READ_AS_DP, audit_sampling, audit_synthesis
from videodp.audit.show import show_audit
from videodp.audit.statistics import column, laplace_ratio, learnt_ratio

__all__ = [
    "BROKEN",
    "READ_AS_DP",
    "Audit",
    "Check",
    "Finding",
    "Promise",
    "Statistic",
    "Trial",
    "answer_trial",
    "audit_sampling",
    "audit_synthesis",
    "column",
    "judge",
    "laplace_ratio",
    "learnt_ratio",
    "show_audit",
]
