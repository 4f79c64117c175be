"""The paper's experiments again (section 5 and appendix D), and which of its claims hold.

video, elements --a part, a seed--> rows, kept --> CSV files, plots, claims.md
"""

from videodp.experiments.run import run_experiments
from videodp.experiments.settings import EXPERIMENTS, Trial

__all__ = ["EXPERIMENTS", "Trial", "run_experiments"]
