"""Find: who is in the video, where, under which identity, in which shape.

video --survey--> Scenes --look_over--> Found, frame by frame --track--> Sightings
      --outline--> elements file
"""

from videodp.elements.find.area import Area, read_area
from videodp.elements.find.preview import write_preview
from videodp.elements.find.run import find_elements
from videodp.elements.find.settings import FindSettings

__all__ = ["Area", "FindSettings", "find_elements", "read_area", "write_preview"]
