"""The plan: which colours may be shown, how often, and exactly what that gives away.

census, epsilon --palette, optimal k--> Ψ_j --budget--> ε(θ) --draws--> Plan
"""

from videodp.plan.make import (
    MAX_EPSILON,
    check_choices,
    check_epsilon,
    epsilon_for,
    make_plan,
)
from videodp.plan.model import Curve, Plan, Wear

__all__ = [
    "MAX_EPSILON",
    "Curve",
    "Plan",
    "Wear",
    "check_choices",
    "check_epsilon",
    "epsilon_for",
    "make_plan",
]
