"""Detectors: who is in one frame.

frame --Detector.detect--> Detections
"""

from videodp.elements.detect.model import Detections, Detector, no_detections

__all__ = ["Detections", "Detector", "no_detections"]
