"""What a private video still has in common with its original (paper, section 5.1)."""

from videodp.compare.model import Comparison
from videodp.compare.run import compare
from videodp.compare.tally import colour_divergence

__all__ = ["Comparison", "colour_divergence", "compare"]
