"""Tracking: which detections of single frames are the same person or vehicle.

detections and looks, frame by frame --track--> Sightings, one table for the whole video

A live tracker follows the sure detections. Its tracks are cut where elements meet, and joined
again with the whole video in view; weak detections, gaps and ends are added after that.
"""

from videodp.elements.track.describe import describe
from videodp.elements.track.model import EXTENDED, FILLED, SEEN, UNKNOWN, Found, Sightings
from videodp.elements.track.run import track
from videodp.elements.track.things import Covered
from videodp.elements.track.unite import unite

__all__ = [
    "EXTENDED",
    "FILLED",
    "SEEN",
    "UNKNOWN",
    "Covered",
    "Found",
    "Sightings",
    "describe",
    "track",
    "unite",
]
