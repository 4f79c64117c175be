"""Detectors: who is in one frame.

"yolox" or FILE.onnx --open_detector--> Detector
frame --Detector.detect--> Detections
frame, cuts --look_closer--> Detections        small figures, seen larger
"yolox-nano" --find_model, fetch_model--> file
"""

from videodp.elements.detect.fetch import fetch_model, install_model
from videodp.elements.detect.labels import DEFAULT_LABELS
from videodp.elements.detect.model import Detections, Detector, no_detections
from videodp.elements.detect.open import open_detector
from videodp.elements.detect.store import CATALOGUE, Model, find_model, models_folder
from videodp.elements.detect.tiles import Tiled, look_closer, tile

__all__ = [
    "CATALOGUE",
    "DEFAULT_LABELS",
    "Detections",
    "Detector",
    "Model",
    "Tiled",
    "fetch_model",
    "find_model",
    "install_model",
    "look_closer",
    "models_folder",
    "no_detections",
    "open_detector",
    "tile",
]
