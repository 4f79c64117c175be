"""VideoDP: private videos that anyone may analyse."""

from videodp.compare import Comparison, compare
from videodp.elements import Elements, load_elements
from videodp.elements.find import FindSettings, find_elements, write_preview
from videodp.errors import VideoDPError
from videodp.publish import Published, publish
from videodp.queries import Footage, analyse, as_table, ask, open_footage, sql
from videodp.render import Look
from videodp.settings import Encoding, Settings
from videodp.video import Video, probe

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "Elements",
    "Encoding",
    "FindSettings",
    "Footage",
    "Look",
    "Published",
    "Settings",
    "Video",
    "VideoDPError",
    "__version__",
    "analyse",
    "as_table",
    "ask",
    "compare",
    "find_elements",
    "load_elements",
    "open_footage",
    "probe",
    "publish",
    "sql",
    "write_preview",
]
