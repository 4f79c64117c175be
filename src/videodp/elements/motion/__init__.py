"""What moves before a still camera.

video --survey--> Scenes --at(frame)--> SceneModel --MotionDetector.detect--> Detections
                                                   --foreground--> ForegroundStore
"""

from videodp.elements.motion.camera import CameraMotion, recognise_camera
from videodp.elements.motion.detector import MotionDetector
from videodp.elements.motion.foreground import small_foreground
from videodp.elements.motion.learn import learn_scene
from videodp.elements.motion.model import LightChange, SceneModel
from videodp.elements.motion.store import ForegroundStore
from videodp.elements.motion.survey import Scenes, survey

__all__ = [
    "CameraMotion",
    "ForegroundStore",
    "LightChange",
    "MotionDetector",
    "SceneModel",
    "Scenes",
    "learn_scene",
    "recognise_camera",
    "small_foreground",
    "survey",
]
