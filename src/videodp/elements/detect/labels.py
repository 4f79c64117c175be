"""Names of classes, and which of them are looked for.

names of a model + labels asked for --choose_classes--> class numbers
"""

from __future__ import annotations

import ast
import difflib
import json
from collections.abc import Mapping, Sequence

import numpy as np

from videodp.errors import UsageError

__all__ = ["COCO", "COCO_IDS", "DEFAULT_LABELS", "choose_classes", "class_names", "label_kinds"]

COCO = tuple(
    """person,bicycle,car,motorcycle,airplane,bus,train,truck,boat,traffic light,fire hydrant,
stop sign,parking meter,bench,bird,cat,dog,horse,sheep,cow,elephant,bear,zebra,giraffe,backpack,
umbrella,handbag,tie,suitcase,frisbee,skis,snowboard,sports ball,kite,baseball bat,baseball glove,
skateboard,surfboard,tennis racket,bottle,wine glass,cup,fork,knife,spoon,bowl,banana,apple,
sandwich,orange,broccoli,carrot,hot dog,pizza,donut,cake,chair,couch,potted plant,bed,dining table,
toilet,tv,laptop,mouse,remote,keyboard,cell phone,microwave,oven,toaster,sink,refrigerator,book,
clock,vase,scissors,teddy bear,hair drier,toothbrush""".replace("\n", "").split(",")
)
"""The 80 classes of COCO as detectors number them, from 0."""

_UNUSED_IDS = {0, 12, 26, 29, 30, 45, 66, 68, 69, 71, 83}
COCO_IDS: dict[int, str] = dict(
    zip((number for number in range(91) if number not in _UNUSED_IDS), COCO, strict=True)
)
"""The same with COCO's own ids, 1 to 90 with gaps, which torchvision and TensorFlow put out."""

DEFAULT_LABELS = ("person", "bicycle", "car", "motorcycle", "bus", "truck")
"""Who is protected if nobody says otherwise: people, and the vehicles of a street.

A vehicle stands for its driver: colour, make and time of day name a household. A bicycle or a
motorcycle is part of its rider's picture, and is often found where the rider is not. Everything
else that detectors know (bags, dogs, umbrellas) is small, moves with a person, and would split
people into several elements with a budget each. Boats, trains and aeroplanes carry crowds.
"""

_LOOK_ALIKE = {"bus": "car", "truck": "car"}
# Detectors often call one vehicle two of these: two elements would spend two budgets on it.

_METADATA_KEYS = ("names", "class_names", "classes", "labels")


def class_names(metadata: Mapping[str, str]) -> dict[int, str]:
    """Names by class number from a model's metadata; empty where there are none.

    Read are a list or a mapping, as JSON or as Python writes it, and names between commas.
    """
    for key in _METADATA_KEYS:
        names = _parse(metadata.get(key, ""))
        if names:
            return names
    return {}


def _parse(text: str) -> dict[int, str]:
    value: object = None
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text)
            break
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    if value is None and "," in text:
        value = text.split(",")
    if isinstance(value, Mapping):
        pairs = list(value.items())
    elif isinstance(value, Sequence) and not isinstance(value, str):
        pairs = list(enumerate(value))
    else:
        return {}
    try:
        return {int(number): str(name).strip() for number, name in pairs}
    except (TypeError, ValueError):
        return {}


def choose_classes(names: Mapping[int, str], labels: Sequence[str] | None) -> dict[int, str]:
    """The classes to report, with their names.

    Without `labels` these are the default labels that the model knows; all its classes if it
    knows none of them, because then it was made for something else and chosen on purpose.

    Raises:
        UsageError: the model has no such label; the message names the nearest one.
    """
    if labels is None:
        known = {number: name for number, name in names.items() if name in DEFAULT_LABELS}
        return known or dict(names)
    if not labels:
        raise UsageError("no labels to look for: give some, for example person,car")
    have = sorted(set(names.values()))
    for label in labels:
        if label not in have:
            near = difflib.get_close_matches(label.lower(), have, 1, 0.5)
            hint = f"did you mean '{near[0]}'?" if near else f"it knows {_some(have)}"
            raise UsageError(f"the detector has no label '{label}': {hint}")
    return {number: name for number, name in names.items() if name in labels}


def label_kinds(labels: Sequence[str]) -> np.ndarray:
    """(n,) int64: the same number for labels of which only one can be true of one thing."""
    kinds = [_LOOK_ALIKE.get(label, label) for label in labels]
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
    return np.array([numbers[kind] for kind in kinds], np.int64)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
