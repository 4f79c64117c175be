"""Noisy answers: what they cost, whom they protect, and that the bounds are true."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import naive
from helpers import taken
from queries.rows import Row, elements_of_rows, footage_of_rows, walk
from videodp import pinq
from videodp.elements import Elements
from videodp.errors import BudgetError, UsageError
from videodp.pinq import Answer, Terms
from videodp.privacy.noise import RepeatableNoise
from videodp.queries import Footage, Line, Zone, footage_of

LINE = Line((0, 50), (100, 50))
ZONE = Zone(((0, 0), (60, 0), (60, 100), (0, 100)))


@dataclass(frozen=True)
class Silence:
    """No noise, so that what is below it can be counted."""

    repeatable: bool = True

    def laplace(self, values: np.ndarray, sensitivity: int, epsilon: float) -> np.ndarray:
        return np.asarray(values, np.int64)


def zigzag(identity: int, start: int, times: int, x: float) -> list[Row]:
    """Up and down over the line, two sightings on each side."""
    feet = {start + t: (x, 20.0 if t // 2 % 2 else 80.0) for t in range(2 * times + 2)}
    return walk(identity, feet)


ROWS = [
    *zigzag(1, 0, 1, 10),
    *zigzag(2, 1, 4, 30),
    *zigzag(3, 2, 2, 55),
    *walk(-1, {4: (20, 20), 5: (20, 20)}),
]
LENGTH = 12

QUESTIONS: dict[str, tuple[Callable[..., Answer], dict[str, object]]] = {
    "count": (pinq.count, {"frames": 5}),
    "occupancy": (pinq.occupancy, {"zone": ZONE, "frames": 3}),
    "total": (pinq.total, {}),
    "stay_times": (pinq.stay_times, {"longest": 8, "bins": 4}),
    "direction": (pinq.direction, {}),
    "crossings": (pinq.crossings, {"line": LINE, "crossings": 2}),
}


def numbers(table: pa.Table) -> np.ndarray:
    """All noisy columns of an answer."""
    public = {"frame", "time", "low", "high", "direction", "value", "rank"}
    names = [name for name in table.column_names if name not in public]
    return np.concatenate([table[name].to_numpy() for name in names])


def silent(setting: str = "element", **more: int) -> Terms:
    return Terms(1.0, setting, noise=Silence(), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("epsilon", [0.1, 0.8, 2.4])
@pytest.mark.parametrize("setting", pinq.SETTINGS)
def test_the_privacy_map_of_an_answer_is_the_epsilon_that_was_asked(
    name: str, epsilon: float, setting: str
) -> None:
    ask, bounds = QUESTIONS[name]
    answer = ask(footage_of_rows(ROWS, LENGTH), Terms(epsilon, setting), **bounds)
    assert answer.loss(answer.sensitivity) <= epsilon
    assert answer.loss(answer.sensitivity) == pytest.approx(epsilon, rel=1e-12)
    assert answer.loss(3 * answer.sensitivity) == pytest.approx(3 * epsilon)
    assert (answer.epsilon, answer.setting) == (epsilon, setting)
    assert answer.protects
    assert not answer.repeatable


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("who", [1, 2, 3])
def test_no_element_moves_an_answer_further_than_its_sensitivity(name: str, who: int) -> None:
    ask, bounds = QUESTIONS[name]
    without = [row for row in ROWS if row[1] != who]
    answers = [ask(footage_of_rows(rows, LENGTH), silent(), **bounds) for rows in (ROWS, without)]
    a, b = (numbers(answer.table) for answer in answers)
    assert answers[0].sensitivity == answers[1].sensitivity
    assert 0 < np.abs(a - b).sum() <= answers[0].sensitivity


@pytest.mark.parametrize("name", ["count", "occupancy", "crossings"])
def test_somebody_needs_the_whole_sensitivity(name: str) -> None:
    """A bound that nobody reaches would hide a mistake in the tests above."""
    ask, bounds = QUESTIONS[name]
    full = ask(footage_of_rows(ROWS, LENGTH), silent(), **bounds)
    rest = [row for row in ROWS if row[1] != 2]
    less = ask(footage_of_rows(rest, LENGTH), silent(), **bounds)
    moved = np.abs(numbers(full.table) - numbers(less.table)).sum()
    assert moved == full.sensitivity


def test_answers_by_hand() -> None:
    footage = footage_of_rows(ROWS, LENGTH)
    wide = {"count": {"frames": 100}, "crossings": {"line": LINE, "crossings": 100}}
    got = {
        name: numbers(ask(footage, silent(), **(bounds | wide.get(name, {}))).table).tolist()
        for name, (ask, bounds) in QUESTIONS.items()
    }
    assert got["count"] == [1, 2, 3, 3, 2, 2, 2, 2, 1, 1, 1, 0]
    assert got["total"] == [3]
    assert got["stay_times"] == [0, 1, 1, 1]  # 4, 6 and 10 frames; the last is cut off at 8
    assert got["crossings"] == [1 + 2 + 1, 0 + 2 + 1]
    paper = pinq.count(footage, silent("paper"))
    assert paper.table["elements"].to_pylist() == got["count"]
    assert pinq.stay(footage, silent("paper")).table["frames"].to_pylist() == [4, 6, 10]


def test_the_paper_s_sensitivities() -> None:
    footage = footage_of_rows(ROWS, LENGTH)
    terms = Terms(0.8, "paper")
    stay = pinq.stay(footage, terms)
    assert (stay.sensitivity, stay.scale) == (60, pytest.approx(75))
    count = pinq.count(footage, terms)
    assert count.sensitivity == 1
    assert count.loss(10) == pytest.approx(8)  # who stays for ten frames


def test_a_person_of_several_tracks() -> None:
    once, twice = (
        pinq.count(footage_of_rows(ROWS, LENGTH), Terms(1, tracks_per_person=n), frames=5)
        for n in (1, 2)
    )
    assert (once.sensitivity, twice.sensitivity) == (5, 10)


def test_noise_of_an_answer_has_its_scale() -> None:
    """Mean distance of discrete Laplace; 20,000 draws, false alarm below 1e-6 (6 sigma)."""
    answer = pinq.count(footage_of_rows([], 20_000), Terms(0.8, noise=RepeatableNoise(3)), frames=4)
    q = np.exp(-1 / answer.scale)
    expected, drawn = 2 * q / (1 - q * q), np.abs(answer.table["elements"].to_numpy())
    assert abs(drawn.mean() - expected) < 6 * drawn.std() / np.sqrt(len(drawn))
    assert answer.repeatable


@pytest.mark.parametrize(
    ("ask", "bounds", "message"),
    [
        (pinq.count, {}, "this needs a bound: frames=500"),
        (pinq.occupancy, {"zone": ZONE}, "this needs a bound: frames=500"),
        (pinq.crossings, {"line": LINE}, "this needs a bound: crossings=2"),
        (pinq.stay_times, {}, "this needs a bound: longest=500"),
        (pinq.count, {"frames": 0}, "frames must be a whole number from 1, not 0"),
        (pinq.stay_times, {"longest": 3, "bins": 4}, "1 to 3 bins, not 4"),
        (pinq.stay, {}, "ask stay_times"),
        (pinq.histogram, {}, "this needs a bound: pixels=5000"),
        (pinq.histogram, {"pixels": 9}, "this needs a bound: frames=1"),
    ],
)
def test_a_query_without_bounds_is_refused(
    ask: Callable[..., Answer], bounds: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        ask(footage_of_rows(ROWS, LENGTH), Terms(1), **bounds)


def test_terms_that_cannot_be() -> None:
    with pytest.raises(UsageError, match="no setting 'pinq': use element or paper"):
        Terms(1, "pinq")
    for epsilon in (0.0, -1.0, float("nan")):
        with pytest.raises(BudgetError):
            Terms(epsilon)
    with pytest.raises(UsageError):
        Terms(1, tracks_per_person=0)
    with pytest.raises(UsageError, match="drowns everything"):
        pinq.count(footage_of_rows(ROWS, LENGTH), Terms(1, tracks_per_person=10**6), frames=10**12)


def test_nobody_is_there() -> None:
    empty = footage_of(elements_of_rows([], 0))
    assert len(pinq.count(empty, Terms(1), frames=1).table) == 0
    assert len(pinq.stay(empty, Terms(1, "paper")).table) == 0
    assert len(pinq.total(empty, Terms(1)).table) == 1


@pytest.fixture(scope="module")
def pictures() -> tuple[Footage, Elements, np.ndarray]:
    """A tiny video, its elements, and who owns each pixel: -1 for the background."""
    scene = taken(3)
    owned = np.full(scene.scene.frames.shape[:3], -1)
    for t, frame in enumerate(owned):
        for place, who in naive.owners(scene.scene.elements, t, *frame.shape).items():
            frame[place] = who
    return footage_of(scene.elements, scene.video), scene.elements, owned


def test_histogram(pictures: tuple[Footage, Elements, np.ndarray]) -> None:
    footage, _, owned = pictures
    frames = np.array([frame.rgb for frame in footage.pictures()])
    loose = pinq.histogram(footage, silent(), pixels=10**6, frames=100).table
    for channel, name in enumerate(("red", "green", "blue")):
        true = np.bincount(frames[..., channel].reshape(-1), minlength=256)
        assert loose[name].to_pylist() == true.tolist()
    pixels, lives = 3, 2
    tight = pinq.histogram(footage, silent(), pixels=pixels, frames=lives)
    assert tight.sensitivity == 3 * pixels * lives
    kept = int((owned < 0).sum())
    for who in np.unique(owned[owned >= 0]):
        mine = [int((frame == who).sum()) for frame in owned]
        kept += sum(min(n, pixels) for n in [n for n in mine if n][:lives])
    assert sum(tight.table["red"].to_pylist()) == kept


def test_histogram_in_the_paper_s_way(pictures: tuple[Footage, Elements, np.ndarray]) -> None:
    footage, _, owned = pictures
    answer = pinq.histogram(footage, silent("paper"))
    sizes = [int((frame == who).sum()) for frame in owned for who in np.unique(frame[frame >= 0])]
    assert answer.sensitivity == max(sizes)
    assert "read off the video" in answer.protects
    assert pinq.histogram(footage, silent("paper"), pixels=77).sensitivity == 77


def test_the_privacy_map_of_a_histogram(pictures: tuple[Footage, Elements, np.ndarray]) -> None:
    for setting in pinq.SETTINGS:
        answer = pinq.histogram(pictures[0], Terms(0.8, setting), pixels=9, frames=2)
        assert answer.loss(answer.sensitivity) == pytest.approx(0.8, rel=1e-12)
        assert answer.sensitivity == (9 if setting == "paper" else 3 * 9 * 2)


def test_no_other_source_of_noise() -> None:
    """Noise in answers comes from one place."""
    folder = Path(pinq.__file__).parent
    for file in folder.glob("*.py"):
        assert "random" not in file.read_text(encoding="utf-8"), file
