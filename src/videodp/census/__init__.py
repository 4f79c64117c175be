"""The census: what colours the video, its background and each element have.

video, elements --count_fragment--> Fragment, ... --merge--> Census
"""

from videodp.census.count import count_fragment
from videodp.census.cut import cut
from videodp.census.merge import merge
from videodp.census.model import BackgroundSamples, Census, Fragment, Part, Sample, WornTable
from videodp.census.take import take_census

__all__ = [
    "BackgroundSamples",
    "Census",
    "Fragment",
    "Part",
    "Sample",
    "WornTable",
    "count_fragment",
    "cut",
    "merge",
    "take_census",
]
