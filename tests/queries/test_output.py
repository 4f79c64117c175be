"""Answers as text, files and plots."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

from videodp.errors import OutputExistsError, UsageError
from videodp.queries import QUERIES, Line, Zone, ask
from videodp.queries.output import show_answer, write_answer
from videodp.queries.plots import plot_answer, write_plot

from .rows import elements_of_rows, footage_of_rows, walk

ROWS = [
    *walk(1, {t: (10.0 + t, 20.0 + 5 * t) for t in range(12)}),
    *walk(2, {t: (50.0, 80.0 - 5 * t) for t in range(12)}, "a $x_{ car"),
]
MORE = {
    "line": Line((0, 50), (100, 50)),
    "zone": Zone(((0, 0), (100, 0), (100, 60))),
    "truth": elements_of_rows(ROWS, 12),
}
ANSWER = pa.table(
    {
        "name": ["plain", "\x1b[31mred", "[bold]x", None],
        "n": [1, 2, 3, 4],
        "x": [0.5, float("nan"), float("inf"), None],
        "many": [[1, 2], [], None, [3]],
    }
)


def test_a_table_for_people_cannot_be_steered(capsys: pytest.CaptureFixture[str]) -> None:
    show_answer(ANSWER)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[31mred" in out
    assert "[bold]x" in out


def test_a_long_table_says_what_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    show_answer(pa.table({"n": range(1000), "text": ["x" * 1000] * 1000}))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 52
    assert max(map(len, lines)) < 80
    assert lines[-1] == "and 950 more rows: --format csv shows all"


def test_an_empty_table_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    show_answer(ANSWER.slice(0, 0))
    assert capsys.readouterr().out.splitlines()[-1] == "nothing: no row"


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    show_answer(ANSWER, "json")
    rows = json.loads(capsys.readouterr().out)
    assert rows[1] == {"name": "\x1b[31mred", "n": 2, "x": None, "many": []}
    show_answer(ANSWER.slice(0, 0), "json")
    assert json.loads(capsys.readouterr().out) == []


def test_csv_and_parquet(tmp_path: Path) -> None:
    back = pc.read_csv(write_answer(ANSWER, tmp_path / "a.csv"))
    assert back["n"].to_pylist() == [1, 2, 3, 4]
    assert back["many"].to_pylist() == ["[1, 2]", "[]", "", "[3]"]
    assert pq.read_table(write_answer(ANSWER, tmp_path / "a.parquet")).schema == ANSWER.schema
    text = write_answer(ANSWER, tmp_path / "a.txt", "table").read_text()
    assert "plain" in text


def test_files_are_kept(tmp_path: Path) -> None:
    path = write_answer(ANSWER, tmp_path / "a.csv")
    with pytest.raises(OutputExistsError):
        write_answer(ANSWER, path)
    write_answer(ANSWER, path, overwrite=True)
    with pytest.raises(UsageError, match="there is no format 'xml'"):
        write_answer(ANSWER, tmp_path / "a.xml")
    assert [one.name for one in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize("name", [n for n, query in QUERIES.items() if not query.pictures])
@pytest.mark.parametrize("rows", [ROWS, []], ids=["some", "nobody"])
@pytest.mark.parametrize("rate", [10, None])
def test_every_answer_has_a_plot(
    name: str, rows: list[tuple[int, int, str, float, float, float, float]], rate: int | None
) -> None:
    if name == "speed" and rate is None:
        pytest.skip("a speed needs the frame rate")
    needed = {key: MORE[key] for key in QUERIES[name].needs}
    answer = ask(footage_of_rows(rows, 12, rate=rate), name, **needed)
    plot_answer(answer, name).canvas.draw()


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_plot_is_a_file(ending: str, tmp_path: Path) -> None:
    answer = pa.table({"label": ["a$", "b"], "n": [1, 2]})
    first = write_plot(answer, tmp_path / f"a.{ending}").read_bytes()
    assert first == write_plot(answer, tmp_path / f"b.{ending}").read_bytes()
    with pytest.raises(OutputExistsError):
        write_plot(answer, tmp_path / f"a.{ending}")


def test_what_cannot_be_plotted(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"end it in \.png, \.svg, \.pdf"):
        write_plot(ANSWER, tmp_path / "a.gif")
    with pytest.raises(UsageError, match="a plot needs a column and a number"):
        write_plot(pa.table({"label": ["a"]}), tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_json_loses_no_column(capsys: pytest.CaptureFixture[str]) -> None:
    twice = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(UsageError, match="the same name"):
        show_answer(twice, "json")
    assert capsys.readouterr().out == ""
