"""PINQ: the same questions, answered from the original with noise (paper, section 2.3).

The baseline that a private video is compared with. Each answer is paid for by itself, and says
what it protects.

original, elements --a query with Terms--> Answer: a noisy table, its epsilon, what that protects
"""

from videodp.pinq.colours import histogram
from videodp.pinq.counts import count, occupancy, total
from videodp.pinq.flows import crossings, direction
from videodp.pinq.stays import stay, stay_times
from videodp.pinq.terms import SETTINGS, Answer, Terms

__all__ = [
    "SETTINGS",
    "Answer",
    "Terms",
    "count",
    "crossings",
    "direction",
    "histogram",
    "occupancy",
    "stay",
    "stay_times",
    "total",
]
