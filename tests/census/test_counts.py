"""The census against the oracle, and against itself however the video is cut."""

from pathlib import Path

import numpy as np
import pytest

import naive
from helpers import (
    census_of,
    make_scene,
    new_folder,
    seen_frame,
    taken,
    write_elements,
    write_scene,
)
from videodp.census import Census, cut, take_census
from videodp.elements import OwnerPicture, load_elements, place
from videodp.video import probe

SEEDS = range(24)


def assert_same(census: Census, other: Census) -> None:
    assert (census.width, census.height, census.frames) == (other.width, other.height, other.frames)
    assert census.tracks == other.tracks
    for name in ("pixels", "visible", "colours", "total", "worn_sum", "worn_max", "wearers"):
        np.testing.assert_array_equal(getattr(census, name), getattr(other, name), err_msg=name)
    for name in ("offsets", "colours", "counts"):
        ours, theirs = getattr(census.worn, name), getattr(other.worn, name)
        np.testing.assert_array_equal(ours, theirs, err_msg=f"worn.{name}")


def assert_same_samples(census: Census, other: Census) -> None:
    for ours, theirs in zip(census.samples, other.samples, strict=True):
        for a, b in zip((s.load() for s in ours), (s.load() for s in theirs), strict=True):
            assert (a.frame, a.box, a.origin) == (b.frame, b.box, b.origin)
            np.testing.assert_array_equal(a.colours, b.colours)


@pytest.mark.parametrize("seed", SEEDS)
def test_counts_are_the_oracles(seed: int) -> None:
    one = taken(seed)
    assert_same(one.census, census_of(one.counts, one.scene.labels))


@pytest.mark.parametrize("seed", SEEDS)
def test_cases(seed: int) -> None:
    one = taken(seed)
    expected = [one.counts.case(colour) for colour in one.census.colours.tolist()]
    assert one.census.cases().tolist() == expected


def test_all_cases_and_hidden_elements_occur() -> None:
    seen = {case for seed in SEEDS for case in taken(seed).census.cases().tolist()}
    assert seen == {1, 2, 3}
    assert any((taken(seed).census.pixels == 0).any() for seed in SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_samples_are_the_first_visible_frames_of_each_part(seed: int) -> None:
    one = taken(seed)
    for element, samples in zip(one.counts.elements, one.census.samples, strict=True):
        assert [s.frame for s in samples] == naive.palette_frames(one.counts, element)
        for sample in (s.load() for s in samples):
            assert sample.box == element.boxes[sample.frame]
            x0, y0 = sample.origin
            pixels = {
                (y0 + y, x0 + x): int(sample.colours[y, x])
                for y, x in np.argwhere(sample.colours >= 0).tolist()
            }
            assert pixels == {
                (a, b): one.counts.theta(t, a, b)
                for t, a, b in one.counts.pixels[element.id]
                if t == sample.frame
            }


@pytest.mark.parametrize("seed", SEEDS)
def test_owner_of_every_pixel(seed: int) -> None:
    one = taken(seed)
    owners = OwnerPicture(one.video.width, one.video.height)
    for seen in one.elements.frames(0, one.video.frames):
        owner = owners.paint(place(one.elements, seen, one.video.width, one.video.height))
        ids = {
            (y, x): one.elements.tracks[owner[y, x] - 1].id for y, x in np.argwhere(owner).tolist()
        }
        assert ids == one.counts.owner[seen.frame]


def test_long_lives_are_sampled_in_parts() -> None:
    scene = make_scene(1, frames=41, masks=False)
    folder = new_folder()
    video_file, elements_file = write_scene(folder, scene)
    video = probe(video_file)
    for fragment in (None, 7):
        store = folder / str(fragment)
        store.mkdir()
        elements = load_elements(elements_file, video)
        census = take_census(video, elements, store, fragment=fragment)
        counts = naive.Counts(scene.frames.tolist(), scene.elements)
        frames = [[s.frame for s in samples] for samples in census.samples]
        assert frames == [naive.palette_frames(counts, e) for e in counts.elements]
        assert max(map(len, frames)) == naive.LIFE_PARTS
        plate_frames = naive.spread(list(range(41)), naive.PLATE_FRAMES)
        assert list(census.background.frames) == plate_frames


@pytest.mark.parametrize("seed", [2, 9, 13, 21])
def test_any_cut_gives_the_same_census(seed: int) -> None:
    one = taken(seed)
    background = one.census.background.rows(0, one.video.height)
    for fragment in (1, 2, 3, 5, 7):
        for workers in (1, 2) if fragment < 3 else (2,):
            store = new_folder()
            census = take_census(one.video, one.elements, store, workers=workers, fragment=fragment)
            assert_same(census, one.census)
            assert_same_samples(census, one.census)
            assert census.background.frames == one.census.background.frames
            rows = census.background.rows(0, one.video.height)
            np.testing.assert_array_equal(rows, background)


def test_parts_add_up() -> None:
    one = taken(9)
    census = take_census(one.video, one.elements, new_folder(), fragment=2)
    starts = [part.start for part in census.parts]
    assert starts == sorted(starts)
    for element in range(len(census.tracks)):
        colours, counts = census.worn.of(element)
        added = sum(part.worn.pixels(element, colours) for part in census.parts)
        np.testing.assert_array_equal(added, counts)


@pytest.mark.parametrize("seed", [3, 8])
def test_mot_text_and_parquet_give_the_same_census(seed: int, tmp_path: Path) -> None:
    scene = make_scene(seed, masks=False)
    video_file, parquet = write_scene(tmp_path, scene)
    video = probe(video_file)
    text = write_elements(tmp_path / "scene.txt", scene)
    one = take_census(video, load_elements(parquet, video), new_folder())
    other = take_census(video, load_elements(text, video), new_folder())
    np.testing.assert_array_equal(one.worn.counts, other.worn.counts)
    np.testing.assert_array_equal(one.worn.colours, other.worn.colours)


def test_insensitive_elements_are_background() -> None:
    one = taken(13)
    labels = one.scene.labels
    assert set(labels.values()) == {"person", "car"}
    census = take_census(one.video, one.elements.without(["car"]), new_folder())
    people = [e for e in one.scene.elements if labels[e.id] == "person"]
    assert_same(census, census_of(naive.Counts(one.scene.frames.tolist(), people), labels))


def test_written_elements_come_back() -> None:
    one = taken(4)
    for seen in one.elements.source.frames(0, one.video.frames):
        expected = seen_frame(one.scene, seen.frame)
        order = np.argsort(seen.ids)
        np.testing.assert_array_equal(seen.ids[order], expected.ids)
        np.testing.assert_array_equal(seen.boxes[order], expected.boxes)


@pytest.mark.parametrize("length", [None, 1, 3, 100])
def test_fragments_cover_the_video_once(length: int | None) -> None:
    video = taken(9).video
    pieces = cut(video, 2, length)
    covered = [frame for start, stop in pieces for frame in range(start, stop)]
    assert covered == list(range(video.frames))
