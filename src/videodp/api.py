"""What ``import videodp`` offers, and where it comes from."""

from videodp.compare import Comparison as Comparison
from videodp.compare import compare as compare
from videodp.elements import Elements as Elements
from videodp.elements import load_elements as load_elements
from videodp.elements.find import FindSettings as FindSettings
from videodp.elements.find import find_elements as find_elements
from videodp.elements.find import write_preview as write_preview
from videodp.errors import VideoDPError as VideoDPError
from videodp.publish import Published as Published
from videodp.publish import publish as publish
from videodp.queries import Footage as Footage
from videodp.queries import analyse as analyse
from videodp.queries import as_table as as_table
from videodp.queries import ask as ask
from videodp.queries import open_footage as open_footage
from videodp.queries import sql as sql
from videodp.render import Look as Look
from videodp.settings import Encoding as Encoding
from videodp.settings import Settings as Settings
from videodp.video import Video as Video
from videodp.video import probe as probe
