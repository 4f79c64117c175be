"""A stock detector, run plainly: YOLOX-nano (COCO classes) on a frame and on parts of it."""

import itertools
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE = 416
COCO = {"person": (0,), "car": (2,), "bus": (5, 7), "truck": (5, 7)}

Boxes = NDArray[np.float32]


class Yolox:
    """The detector: frames in, boxes out."""

    def __init__(self, path: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        self._net = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        self._input = self._net.get_inputs()[0].name
        grids, strides = [], []
        for stride in (8, 16, 32):
            n = SIDE // stride
            rows, columns = np.mgrid[:n, :n]
            grids.append(np.stack((columns, rows), axis=2).reshape(-1, 2))
            strides.append(np.full((n * n, 1), stride))
        self._grid = np.concatenate(grids).astype(np.float32)
        self._stride = np.concatenate(strides).astype(np.float32)

    def whole(self, rgb: NDArray[np.uint8], classes: tuple[int, ...], least: float) -> Boxes:
        """Boxes (n, 5): x, y, w, h, score, found on the frame as a whole."""
        ratio = min(SIDE / rgb.shape[0], SIDE / rgb.shape[1])
        small = cv2.resize(rgb, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
        sheet = np.full((SIDE, SIDE, 3), 114, np.uint8)
        sheet[: small.shape[0], : small.shape[1]] = small[:SIDE, :SIDE, ::-1]
        blob = sheet.transpose(2, 0, 1)[None].astype(np.float32)
        out = self._net.run(None, {self._input: blob})[0][0]
        score = out[:, 4] * out[:, [5 + c for c in classes]].max(axis=1)
        keep = score >= least
        centre = (out[keep, :2] + self._grid[keep]) * self._stride[keep] / ratio
        size = np.exp(out[keep, 2:4]) * self._stride[keep] / ratio
        return _thin(np.hstack((centre - size / 2, size, score[keep, None])))

    def tiled(
        self, rgb: NDArray[np.uint8], classes: tuple[int, ...], least: float, side: int
    ) -> Boxes:
        """The same, found on the whole frame and on square tiles that overlap by half."""
        height, width = rgb.shape[:2]
        found = [self.whole(rgb, classes, least)]
        for y, x in itertools.product(_starts(height, side), _starts(width, side)):
            tile = np.ascontiguousarray(rgb[y : y + side, x : x + side])
            boxes = self.whole(tile, classes, least)
            found.append(boxes + np.array([x, y, 0, 0, 0], np.float32))
        return _thin(np.concatenate(found))


def _starts(length: int, side: int) -> list[int]:
    return sorted({*range(0, max(1, length - side), side // 2), max(0, length - side)})


def _thin(boxes: Boxes) -> Boxes:
    if not len(boxes):
        return boxes.reshape(0, 5)
    kept = cv2.dnn.NMSBoxes(boxes[:, :4].tolist(), boxes[:, 4].tolist(), 0.0, 0.55)
    return boxes[np.asarray(kept, int).ravel()]


def overlap(a: tuple[int, int, int, int], boxes: Boxes) -> NDArray[np.float32]:
    """Intersection over union of one box and (n, 5) boxes."""
    x0, y0 = np.maximum(a[0], boxes[:, 0]), np.maximum(a[1], boxes[:, 1])
    x1 = np.minimum(a[0] + a[2], boxes[:, 0] + boxes[:, 2])
    y1 = np.minimum(a[1] + a[3], boxes[:, 1] + boxes[:, 3])
    both = np.clip(x1 - x0, 0, None) * np.clip(y1 - y0, 0, None)
    return both / (a[2] * a[3] + boxes[:, 2] * boxes[:, 3] - both)
