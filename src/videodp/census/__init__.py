"""The census: what colours the video, its background and each element have.

video, elements --count_fragment--> Fragment, ... --merge--> Census
"""

from videodp.census.background import (
    BackgroundSamples,
    Moments,
    background_samples,
    keep_background,
    moments_of,
)
from videodp.census.count import count_fragment
from videodp.census.cut import cut
from videodp.census.merge import merge
from videodp.census.model import Census, Fragment, Part, Sample, WornTable
from videodp.census.take import take_census

__all__ = [
    "BackgroundSamples",
    "Census",
    "Fragment",
    "Moments",
    "Part",
    "Sample",
    "WornTable",
    "background_samples",
    "count_fragment",
    "cut",
    "keep_background",
    "merge",
    "moments_of",
    "take_census",
]
