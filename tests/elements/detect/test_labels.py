"""Names of classes, and which are looked for."""

import pytest

from videodp.elements.detect.labels import (
    COCO,
    COCO_IDS,
    DEFAULT_LABELS,
    choose_classes,
    class_names,
)
from videodp.errors import UsageError

NAMES = dict(enumerate(COCO))


def test_coco() -> None:
    assert len(COCO) == len(set(COCO)) == len(COCO_IDS) == 80
    assert [COCO.index(label) for label in DEFAULT_LABELS] == [0, 1, 2, 3, 5, 7]
    # Ids that the data set's own documentation shows.
    assert [COCO_IDS[n] for n in (1, 3, 8, 13, 18, 90)] == [
        "person", "car", "truck", "stop sign", "dog", "toothbrush",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("metadata", "names"),
    [
        ({}, {}),
        ({"names": "{0: 'person', 1: 'fork lift'}"}, {0: "person", 1: "fork lift"}),
        ({"names": '{"0": "person", "2": "car"}'}, {0: "person", 2: "car"}),
        ({"classes": '["face", "hand"]'}, {0: "face", 1: "hand"}),
        ({"labels": "face, hand"}, {0: "face", 1: "hand"}),
        ({"names": "", "class_names": "['a']"}, {0: "a"}),
        ({"names": "7"}, {}),
        ({"names": "{'a': 'b'}"}, {}),
        ({"names": "(" * 5000}, {}),
    ],
)
def test_names_in_metadata(metadata: dict[str, str], names: dict[int, str]) -> None:
    assert class_names(metadata) == names


def test_default_labels() -> None:
    assert tuple(choose_classes(NAMES, None).values()) == DEFAULT_LABELS
    assert choose_classes({0: "face", 1: "person"}, None) == {1: "person"}
    assert choose_classes({0: "face", 1: "hand"}, None) == {0: "face", 1: "hand"}


def test_asked_labels() -> None:
    assert choose_classes(NAMES, ["dog", "person"]) == {0: "person", 16: "dog"}


@pytest.mark.parametrize(
    ("labels", "match"),
    [
        (["persons"], "no label 'persons': did you mean 'person'"),
        (["Car"], "no label 'Car': did you mean 'car'"),
        (["person", "xyzzy"], "no label 'xyzzy': it knows airplane, apple, .*[.]{3}"),
        ([""], "no label ''"),
        ([], "no labels to look for"),
    ],
)
def test_unknown_labels(labels: list[str], match: str) -> None:
    with pytest.raises(UsageError, match=match):
        choose_classes(NAMES, labels)
