import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import videodp
from videodp.errors import OutputExistsError
from videodp.report import write_report
from videodp.report.facts import MOST_ROWS, ElementRow, gather
from videodp.report.pictures import moments
from videodp.video import VideoWriter, probe

BAD = "<script>alert('you & \"me\"')</script>"
FRAMES = 8


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[videodp.Published, videodp.Video]:
    """A publication of a tiny video whose elements file has a hostile label."""
    folder = tmp_path_factory.mktemp("report")
    random = np.random.default_rng(1)
    with VideoWriter(
        folder / "a&b.mkv", width=64, height=48, rate=Fraction(10), codec="ffv1"
    ) as out:
        for _ in range(FRAMES):
            out.write((random.integers(0, 5, (48, 64, 3)) * 50).astype(np.uint8))
    rows = [f"{f},{i},{4 + 18 * i + f},10,12,24,1,{BAD},1" for f in range(2, 8) for i in (1, 2)]
    (folder / "who.txt").write_text("\n".join(rows))
    settings = videodp.Settings(
        2.0, tracks_per_person=2, encoding=videodp.Encoding(codec="ffv1"), seed=2
    )
    done = videodp.publish(
        folder / "a&b.mkv", folder / "out.mkv", folder / "who.txt", settings, workers=1
    )
    return done, probe(folder / "a&b.mkv")


def page_of(published: videodp.Published, original: videodp.Video, folder: Path) -> str:
    path = write_report(folder / "report.html", published, original)
    return path.read_text(encoding="utf-8")


def plain(page: str) -> str:
    """Only what is read, on one line."""
    page = re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", page).replace("&nbsp;", " ").split())


def test_the_page_says_what_was_published_and_for_whom_it_is(
    published: tuple[videodp.Published, videodp.Video], tmp_path: Path
) -> None:
    page = page_of(*published, tmp_path)
    text = plain(page)
    body = text[text.index("only: out.mkv") + len("only: out.mkv") :].strip()
    assert body.startswith("For the owner only: this page shows the original recording.")
    release = published[0].release
    for words in (release["summary"], release["caution"], *release["assumptions"]):
        assert words in text
    owner = published[0].owner
    happened = sum(e["drawn"] > 0 for e in owner["elements"])
    assert f"Happened: {happened} of 2" in text
    expected = sum(e["exposure"] for e in owner["elements"])
    assert f"Expected number of exposed elements: {expected:.1f}" in text
    for version in release["versions"].values():
        assert version in text
    assert "render" in text
    assert page.count("data:image/jpeg;base64,") >= 2


def test_labels_and_names_are_escaped(
    published: tuple[videodp.Published, videodp.Video], tmp_path: Path
) -> None:
    warned = replace(published[0], warnings=(f"mind {BAD}",))
    page = page_of(warned, published[1], tmp_path)
    assert "<script" not in page.lower()
    assert page.count("&lt;script&gt;") == 3  # two elements, one warning
    assert "a&amp;b.mkv" in page


def test_the_page_needs_no_network(
    published: tuple[videodp.Published, videodp.Video], tmp_path: Path
) -> None:
    page = page_of(*published, tmp_path)
    assert "default-src 'none'" in page
    for link in re.findall(r"""(?:\b(?:src|href)=|url\()["']?([^"')>\s]+)""", page):
        assert link.startswith(("data:image/jpeg", "#")), link
    assert str(published[0].video.parent) not in page  # names only, no folders


def test_the_file_appears_whole_or_not_at_all(
    published: tuple[videodp.Published, videodp.Video], tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    path.write_text("mine")
    with pytest.raises(OutputExistsError):
        write_report(path, *published)
    assert path.read_text() == "mine"
    write_report(path, *published, overwrite=True)
    assert path.read_text().endswith("</html>")
    broken = replace(published[0], owner={"elements": [{}]})
    with pytest.raises(KeyError):
        write_report(tmp_path / "broken.html", broken, published[1])
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def with_owner(published: videodp.Published, **changes: Any) -> videodp.Published:
    return replace(published, owner={**published.owner, **changes})


def test_the_choice_of_k_is_explained(
    published: tuple[videodp.Published, videodp.Video], tmp_path: Path
) -> None:
    done, original = published
    ks = [4, 5, 6]

    def curve(flat: bool) -> dict[str, Any]:
        fill = None if flat else [0.2, 0.1, 0.3]
        return {"k": ks, "mse": [0.3, 0.2, 0.1], "fill": fill, "flat": flat}

    def text(flat: bool) -> str:
        changed = with_owner(done, curves={"1": curve(flat), "2": curve(flat)})
        return plain(page_of(changed, original, tmp_path / str(flat)))

    for name in ("True", "False", "hand"):
        (tmp_path / name).mkdir()
    flat = text(True)
    assert "gives up only about epsilon pixels in all" in flat
    assert "--criterion fill" in flat
    steep = text(False)
    assert "finished figures of all elements together" in steep
    assert "tells one k from another for 2 of 2" in steep
    by_hand = replace(
        with_owner(done, curves={}),
        release={**done.release, "settings": {**done.release["settings"], "k": 6}},
    )
    page = page_of(by_hand, original, tmp_path / "hand")
    assert "fixed by hand at 6 for every element" in plain(page)
    assert "<svg" not in page


def test_many_elements_become_a_histogram(
    published: tuple[videodp.Published, videodp.Video], tmp_path: Path
) -> None:
    done, original = published
    one = done.owner["elements"][0]
    many = [{**one, "id": i, "label": f"walker-{i}", "pixels": 1000 + i} for i in range(60)]
    page = page_of(with_owner(done, elements=many, curves={}), original, tmp_path)
    assert "Histogram of the exposures" in page
    shown = re.findall(r"walker-(\d+)", page)
    assert [int(i) for i in shown] == list(range(59, 59 - MOST_ROWS, -1))


def test_nothing_but_a_video(
    published: tuple[videodp.Published, videodp.Video], tmp_path: Path
) -> None:
    done, original = published
    page = page_of(replace(done, owner={}), original, tmp_path)
    assert "No sensitive element is listed" in page
    assert "<h2>Colours</h2>" not in page


def row(first: int, last: int, drawn: int = 0) -> ElementRow:
    return ElementRow(1, "person", last - first + 1, first, last, 0.1, drawn)


def test_moments_are_the_fullest_frames_of_each_part() -> None:
    found = moments([row(0, 4), row(4, 4), row(12, 18), row(15, 15, drawn=1)], 20, count=2)
    assert [(m.frame, m.present, m.exposed) for m in found] == [(4, 2, 0), (15, 2, 1)]


def test_moments_leave_out_empty_parts_but_not_all() -> None:
    assert [m.frame for m in moments([row(0, 2)], 40)] == [1]
    assert len(moments([], 40)) == 4
    assert len(moments([], 1)) == 1


def test_facts_add_up(published: tuple[videodp.Published, videodp.Video]) -> None:
    owner = published[0].owner
    facts = gather(owner, FRAMES)
    assert facts.drawn == len(owner["drawn_pixels"])
    assert facts.draws == sum(p["draws"] for p in owner["palette"])
    assert sum(c.colours for c in facts.colours) == owner["colours"]["total"]
    assert sum(c.share for c in facts.colours) == pytest.approx(1)
    assert [p.draws for p in facts.palette] == sorted(p.draws for p in facts.palette)[::-1]
    assert facts.seconds == pytest.approx(sum(owner["timing"].values()))
