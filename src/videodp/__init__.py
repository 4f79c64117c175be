"""VideoDP: private videos that anyone may analyse."""

from videodp.compare import Comparison, compare
from videodp.elements import Elements, load_elements
from videodp.errors import VideoDPError
from videodp.publish import Published, publish
from videodp.render import Look
from videodp.settings import Encoding, Settings
from videodp.video import Video, probe

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "Elements",
    "Encoding",
    "Look",
    "Published",
    "Settings",
    "Video",
    "VideoDPError",
    "__version__",
    "compare",
    "load_elements",
    "probe",
    "publish",
]
