"""From a name or a file to a detector."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from videodp.elements.detect.final import Final, read_outputs
from videodp.elements.detect.model import Detector
from videodp.elements.detect.network import open_network
from videodp.elements.detect.store import find_model
from videodp.elements.detect.yolox import LEAST_SCORE, Yolox, is_yolox
from videodp.errors import ModelError, ModelNotFoundError, UsageError

__all__ = ["YOLOX", "open_detector"]

YOLOX = "yolox-nano"
"""The model that ``yolox`` means."""


def open_detector(
    kind: str | Path,
    labels: Sequence[str] | None = None,
    *,
    least_score: float = LEAST_SCORE,
    threads: int = 0,
) -> Detector:
    """Opens a detector that is a network; the same one may be used from several threads.

    Args:
        kind: ``yolox``, which is looked for as `find_model` does, or the path of an ONNX file.
        labels: what to look for; people and vehicles if not given.
        least_score: boxes below are not reported.
        threads: that one frame may use; 0 for as many as there are cores.

    Raises:
        MissingExtraError: ONNX Runtime is not installed.
        ModelNotFoundError: there is no such file.
        ModelError: the file is no detector.
        UsageError: the model has no such label.
    """
    if not 0 <= least_score <= 1:
        raise UsageError(f"a score is 0 to 1, not {least_score}: try {LEAST_SCORE}")
    network = open_network(_path(kind), threads)
    # One look at a black sheet, which is the same in any numbers: tells shapes that the file
    # leaves open, and that it runs.
    blank, _, _ = network.sheet.put(np.zeros((1, 1, 3), np.uint8))
    wide, tall = network.sheet.size_of(blank)
    outputs = network.run(np.zeros_like(blank))
    if not outputs or not all(isinstance(out, np.ndarray) for out in outputs):
        raise ModelError(f"{network.name} puts out no tables of numbers: it is no detector")
    if not network.takes_size and is_yolox(outputs, wide, tall):
        return Yolox(network, outputs[0], labels, least_score)
    final = read_outputs(network, outputs)
    if final is None:
        raise network.refuse(outputs, "is no detector that is known here")
    return Final(network, final, labels, least_score)


def _path(kind: str | Path) -> Path:
    if kind == "yolox":
        path = find_model(YOLOX)
        if path is None:
            raise ModelNotFoundError(
                f"no YOLOX model is here: get it with videodp models fetch {YOLOX}, or name the "
                "folder it is in with VIDEODP_MODELS, or give the path of an ONNX file"
            )
        return path
    if isinstance(kind, str) and not kind.lower().endswith(".onnx"):
        raise UsageError(f"no detector '{kind}': give yolox or the path of an .onnx file")
    return Path(kind)
