"""Tiny ONNX files, written byte by byte, so that tests need neither models nor another package.

red_and_blue: a YOLOX whose person is a red cell and whose car is a blue one
brightest: final boxes at fixed places, scored by the brightest red, green and blue
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

Shape = Sequence[int | str]

_TYPES = {np.dtype(t): n for t, n in ((np.float32, 1), (np.uint8, 2), (np.int64, 7), (np.half, 10))}
BOXES = np.array([[4, 8, 12, 24], [16, 8, 28, 30], [2, 2, 30, 6]], np.float32)
"""(3, 4) x0, y0, x1, y1 on a sheet of 32x32: where `brightest` puts its boxes."""
CLASSES = (0, 2, 16)
"""person, car, dog, as COCO counts from 0."""


def _varint(value: int) -> bytes:
    out = bytearray()
    value &= 2**64 - 1
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(raw)) + raw


def tensor(name: str, array: np.ndarray) -> bytes:
    dims = b"".join(_number(1, size) for size in array.shape)
    kind = _number(2, _TYPES[array.dtype])
    return dims + kind + _bytes(8, name) + _bytes(9, np.ascontiguousarray(array).tobytes())


def value(name: str, dtype: type, shape: Shape) -> bytes:
    dims = b"".join(
        _bytes(1, _number(1, size) if isinstance(size, int) else _bytes(2, size)) for size in shape
    )
    kind = _number(1, _TYPES[np.dtype(dtype)]) + _bytes(2, dims)
    return _bytes(1, name) + _bytes(2, _bytes(1, kind))


def node(op: str, inputs: str, output: str, **attributes: int | list[int]) -> bytes:
    raw = b"".join(_bytes(1, name) for name in inputs.split()) + _bytes(2, output) + _bytes(4, op)
    for name, what in attributes.items():
        if isinstance(what, int):
            raw += _bytes(5, _bytes(1, name) + _number(3, what) + _number(20, 2))
        else:
            ints = b"".join(_number(8, i) for i in what)
            raw += _bytes(5, _bytes(1, name) + ints + _number(20, 7))
    return raw


def write(
    path: Path,
    nodes: Sequence[bytes],
    inputs: Sequence[bytes],
    outputs: Sequence[bytes],
    tensors: Mapping[str, np.ndarray],
    metadata: Mapping[str, str] | None = None,
) -> Path:
    graph = b"".join(_bytes(1, n) for n in nodes) + _bytes(2, "tiny")
    graph += b"".join(_bytes(5, tensor(name, array)) for name, array in tensors.items())
    graph += b"".join(_bytes(11, i) for i in inputs) + b"".join(_bytes(12, o) for o in outputs)
    model = _number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, "") + _number(2, 13))
    for key, text in (metadata or {}).items():
        model += _bytes(14, _bytes(1, key) + _bytes(2, text))
    path.write_bytes(model)
    return path


def red_and_blue(
    path: Path,
    size: tuple[int, int] | None = (96, 64),
    *,
    classes: int = 80,
    decoded: bool = False,
    metadata: Mapping[str, str] | None = None,
) -> Path:
    """A YOLOX for sheets of this width and height, or any: boxes are two cells wide and high.

    The objectness is 1; class 0 is how much redder than blue a cell is, class 2 the opposite.
    """
    columns = 5 + classes
    nodes, tensors = [], {"shape": np.array([1, columns, -1], np.int64)}
    for stride in (8, 16, 32):
        weights = np.zeros((columns, 3, stride, stride), np.float32)
        share = 1 / (stride * stride * 255)
        weights[5, 2], weights[5, 0] = share, -share  # blue comes first
        if classes > 2:
            weights[7, 2], weights[7, 0] = -share, share
        bias = np.zeros(columns, np.float32)
        bias[:5] = 0.5, 0.5, np.log(2), np.log(2), 1
        tensors |= {f"w{stride}": weights, f"b{stride}": bias}
        nodes += [
            node("Conv", f"images w{stride} b{stride}", f"c{stride}", strides=[stride, stride]),
            node("Reshape", f"c{stride} shape", f"r{stride}"),
        ]
    nodes += [
        node("Concat", "r8 r16 r32", "all", axis=2),
        node("Transpose", "all", "rows", perm=[0, 2, 1]),
        node("Relu", "rows", "raw" if decoded else "output"),
    ]
    if decoded:
        assert size is not None
        factor, offset = [], []
        for stride in (8, 16, 32):
            for y in range(size[1] // stride):
                for x in range(size[0] // stride):
                    factor.append([stride, stride, 0, 0, *[1] * (classes + 1)])
                    wide = 2 * stride
                    offset.append([x * stride, y * stride, wide, wide, *[0] * (classes + 1)])
        tensors |= {
            "factor": np.array(factor, np.float32)[None],
            "offset": np.array(offset, np.float32)[None],
        }
        nodes += [node("Mul", "raw factor", "scaled"), node("Add", "scaled offset", "output")]
    shape: Shape = (1, 3, size[1], size[0]) if size else ("batch", 3, "height", "width")
    outputs = [value("output", np.float32, (1, "cells", columns))]
    return write(path, nodes, [value("images", np.float32, shape)], outputs, tensors, metadata)


def brightest(
    path: Path, kind: str, *, side: int = 32, metadata: Mapping[str, str] | None = None
) -> Path:
    """Three boxes at `BOXES`; their scores are the brightest red, green and blue of the sheet.

    Kinds are table, yolov7, rtdetr, torchvision, tensorflow, and classifier, which is no detector.
    """
    dtype, shape, axes = np.float32, [1, 3, side, side], [2, 3]
    if kind == "torchvision":
        shape, axes = [3, side, side], [1, 2]
    if kind == "tensorflow":
        dtype, shape, axes = np.uint8, [1, "height", "width", 3], [1, 2]
    inputs = [value("images", dtype, shape)]
    nodes = [node("Cast", "images", "float", to=1)]
    tensors = {"unit": np.array(1 / 255 if dtype is np.uint8 else 1, np.float32)}
    nodes += [
        node("Mul", "float unit", "numbers"),
        node("ReduceMax", "numbers", "best", axes=axes, keepdims=0),
    ]
    corners, classes = BOXES[None], np.array([CLASSES], np.int64)
    if kind == "classifier":
        return write(path, nodes, inputs, [value("best", np.float32, (1, 3))], tensors)
    if kind in ("table", "yolov7"):
        cells = {"boxes": corners, "classes": classes[:, :, None].astype(np.float32)}
        cells["batch"] = np.zeros((1, 3, 1), np.float32)
        tensors |= cells | {"rows": np.array([1, 3, 1]), "seven": np.array([3, 7])}
        nodes.append(node("Reshape", "best rows", "scores"))
        if kind == "table":
            nodes.append(node("Concat", "boxes scores classes", "output", axis=2))
            outputs = [value("output", np.float32, (1, 3, 6))]
        else:
            nodes += [
                node("Concat", "batch boxes classes scores", "wide", axis=2),
                node("Reshape", "wide seven", "output"),
            ]
            outputs = [value("output", np.float32, ("found", 7))]
        return write(path, nodes, inputs, outputs, tensors, metadata)
    names = ("labels", "boxes", "scores")
    if kind == "rtdetr":
        inputs.append(value("orig_target_sizes", np.int64, (1, 2)))
        tensors |= {"shares": corners / side, "four": np.array([1, 1, 4])}
        nodes += [
            node("Cast", "orig_target_sizes", "size", to=1),
            node("Concat", "size size", "sizes", axis=1),
            node("Reshape", "sizes four", "scale"),
            node("Mul", "shares scale", "boxes"),
        ]
    elif kind == "torchvision":
        names = ("1", "0", "2")
        corners, classes = corners[0], np.array([1, 3, 18])
    else:
        names = ("detection_classes", "detection_boxes", "detection_scores")
        corners = corners[:, :, [1, 0, 3, 2]] / side
        classes = np.array([[1, 3, 18]], np.float32)
    tensors["c"] = classes
    nodes += [node("Identity", "c", names[0]), node("Identity", "best", names[2])]
    if kind != "rtdetr":
        tensors["b"] = corners
        nodes.append(node("Identity", "b", names[1]))
    outputs = [
        value(names[0], classes.dtype.type, classes.shape),
        value(names[1], np.float32, corners.shape),
        value(names[2], np.float32, classes.shape),
    ]
    return write(path, nodes, inputs, outputs, tensors, metadata)
