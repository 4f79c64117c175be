"""An ONNX file, opened: what it takes, what it puts out, and how it is run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from videodp.elements.detect.sheet import Sheet
from videodp.errors import MissingExtraError, ModelError, ModelNotFoundError

__all__ = ["Network", "open_network"]

_TYPES: dict[str, np.dtype[np.generic]] = {
    "tensor(float)": np.dtype(np.float32),
    "tensor(float16)": np.dtype(np.float16),
    "tensor(uint8)": np.dtype(np.uint8),
}
_SIZES = "orig_target_sizes"  # the second input of RT-DETR and its kin


@dataclass(frozen=True)
class Network:
    """A model that takes one picture; may be run from several threads at once."""

    name: str
    sheet: Sheet
    """What it takes, with numbers 0..255 and red first unless its metadata says otherwise."""
    says_numbers: bool
    """Whether its metadata says what numbers it takes."""
    outputs: tuple[str, ...]
    metadata: Mapping[str, str]
    takes_size: bool
    """Whether it also asks for the size that boxes are to be told in."""
    takes: str
    """Inputs in words."""
    _session: Any
    _input: str

    def run(self, sheet: np.ndarray) -> list[np.ndarray]:
        """All outputs for one sheet that `Sheet.put` made."""
        feeds = {self._input: sheet}
        if self.takes_size:
            feeds[_SIZES] = np.array([self.sheet.size_of(sheet)], np.int64)
        try:
            return list(self._session.run(None, feeds))
        except Exception as error:  # onnxruntime's errors share no class of their own
            raise ModelError(f"{self.name} cannot be run: {_first_line(error)}") from error

    def refuse(self, outputs: list[np.ndarray], reason: str) -> ModelError:
        """The error for a model that is no detector; tells what it takes and puts out."""
        out = ", ".join(
            f"{name} {array.dtype}{list(array.shape)}"
            for name, array in zip(self.outputs, outputs, strict=True)
        )
        return ModelError(
            f"{self.name} {reason}: it takes {self.takes} and puts out {out}; give a YOLOX "
            "export or one that puts out final boxes, scores and classes"
        )


def open_network(path: str | Path, threads: int = 0) -> Network:
    """Opens an ONNX file.

    Args:
        path: the file.
        threads: that one run may use; 0 for as many as there are cores.

    Raises:
        MissingExtraError: ONNX Runtime is not installed.
        ModelNotFoundError: there is no such file.
        ModelError: it cannot be opened, or takes something else than one picture.
    """
    path = Path(path)
    if not os.path.isfile(path):  # Path.is_file fails where a name is too long
        raise ModelNotFoundError(f"no model at {path}: give the path of an ONNX file")
    if not path.stat().st_size:
        raise ModelError(f"{path.name} is empty: get it again")
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtraError(
            'detectors need ONNX Runtime: pip install "videodp[detect]"'
        ) from error
    options = onnxruntime.SessionOptions()
    # A number, always: left to itself, the runtime ties its threads to cores that a container may
    # not have, and complains on stderr.
    options.intra_op_num_threads = threads or os.cpu_count() or 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # its words come as exceptions, not on stderr
    # Threads that wait do so asleep: decoding and tracking need the cores meanwhile.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        inputs = session.get_inputs()
        metadata = dict(session.get_modelmeta().custom_metadata_map)
    except Exception as error:  # as above
        raise ModelError(
            f"{path.name} is not an ONNX model that can be opened: {_first_line(error)}"
        ) from error
    takes = ", ".join(f"{i.name} {i.type}{i.shape}" for i in inputs)
    pictures = [i for i in inputs if i.name != _SIZES]
    sheet = _sheet(pictures[0], metadata) if len(pictures) == 1 else None
    if sheet is None:
        raise ModelError(
            f"{path.name} is no detector of one picture: it takes {takes}; needed is one picture "
            "with 3 channels, float32, float16 or uint8"
        )
    return Network(
        path.name,
        sheet,
        "image.nominalpixelrange" in {key.lower() for key in metadata},
        tuple(output.name for output in session.get_outputs()),
        metadata,
        len(inputs) > 1,
        takes,
        session,
        pictures[0].name,
    )


def _sheet(picture: Any, metadata: Mapping[str, str]) -> Sheet | None:
    """What an input takes; None if that is no picture."""
    shape = [size if isinstance(size, int) and size > 0 else None for size in picture.shape]
    dtype = _TYPES.get(picture.type)
    batched = len(shape) == 4
    if dtype is None or len(shape) not in (3, 4) or (batched and shape[0] not in (1, None)):
        return None
    first, height, last = shape[-3:]
    # Where no axis says it is the channels: whole numbers come as pictures are stored.
    channels_last = (last == 3 and first != 3) or (first is last is None and dtype == np.uint8)
    if (last if channels_last else first) not in (3, None):
        return None
    height, width = (first, height) if channels_last else (height, last)
    # The keys of the ONNX standard's image metadata; neither they nor values mind case.
    said = {key.lower(): value.lower() for key, value in metadata.items()}
    return Sheet(
        height,
        width,
        dtype,
        channels_last,
        batched,
        bgr=said.get("image.bitmappixelformat", "").startswith("bgr"),
        unit=said.get("image.nominalpixelrange") == "normalized_0_1",
    )


def _first_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text[:200] or type(error).__name__
