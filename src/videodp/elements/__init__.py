"""Elements: who is in the video, where, under which identity.

elements file --load_elements--> Elements --frames()--> Seen, frame by frame
"""

from videodp.elements.checked import parquet_file
from videodp.elements.gaps import unlisted
from videodp.elements.load import elements_for, load_elements
from videodp.elements.model import Elements, Runs, Searched, Seen, Track, no_runs
from videodp.elements.mot import write_mot
from videodp.elements.ownership import OwnerPicture, Placed, place
from videodp.elements.parquet import ParquetWriter
from videodp.elements.runs import mask_runs, pack_runs

__all__ = [
    "Elements",
    "OwnerPicture",
    "ParquetWriter",
    "Placed",
    "Runs",
    "Searched",
    "Seen",
    "Track",
    "elements_for",
    "load_elements",
    "mask_runs",
    "no_runs",
    "pack_runs",
    "parquet_file",
    "place",
    "unlisted",
    "write_mot",
]
