"""Frames in, frames out: everything that touches a video file.

    probe(path) ──▶ Video ──read_frames──▶ Frame, Frame, ... ──▶ VideoWriter

`probe` looks once and returns a handle; `read_frames` gives the same frames wherever it
starts; `VideoWriter` leaves a complete file or none.
"""

from videodp.video.atomic import atomic_path, check_free, check_one_use, same_file
from videodp.video.images import read_picture
from videodp.video.in_order import in_order
from videodp.video.model import Frame, Video
from videodp.video.places import read_places
from videodp.video.prefetch import prefetch
from videodp.video.probe import probe
from videodp.video.reader import read_frames
from videodp.video.writer import VideoWriter

__all__ = [
    "Frame",
    "Video",
    "VideoWriter",
    "atomic_path",
    "check_free",
    "check_one_use",
    "in_order",
    "prefetch",
    "probe",
    "read_frames",
    "read_picture",
    "read_places",
    "same_file",
]
