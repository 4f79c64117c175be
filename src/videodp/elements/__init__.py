"""Elements: who is in the video, where, under which identity.

elements file --load_elements--> Elements --frames()--> Seen, frame by frame
"""

from videodp.elements.load import load_elements
from videodp.elements.model import Elements, Seen, Track
from videodp.elements.mot import write_mot
from videodp.elements.ownership import Placed, paint_owner, place
from videodp.elements.parquet import ParquetWriter
from videodp.elements.runs import mask_runs

__all__ = [
    "Elements",
    "ParquetWriter",
    "Placed",
    "Seen",
    "Track",
    "load_elements",
    "mask_runs",
    "paint_owner",
    "place",
    "write_mot",
]
