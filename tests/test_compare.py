import json
import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

import videodp
from videodp.compare import Comparison, compare
from videodp.elements import OwnerPicture, place
from videodp.errors import UsageError
from videodp.kernels.compare import GREY_SCALE, compare_pictures, similarity
from videodp.video import VideoWriter, probe

WIDTH, HEIGHT, FRAMES = 64, 48, 6


def pictures(seed: int, shades: int = 6, frames: int = FRAMES) -> np.ndarray:
    """(frames, height, width, 3) uint8 in few colours, so that elements share some."""
    random = np.random.default_rng(seed)
    rgb = random.integers(0, shades, (frames, HEIGHT, WIDTH, 3)) * 40
    return rgb.astype(np.uint8)


def save(path: Path, frames: np.ndarray) -> Path:
    height, width = frames.shape[1:3]
    with VideoWriter(path, width=width, height=height, rate=Fraction(10), codec="ffv1") as out:
        for frame in frames:
            out.write(frame)
    return path


def save_mot(path: Path) -> Path:
    """Two elements that cross, one of them leaving the picture, in frames 2 to 5."""
    lines = []
    for frame in range(2, 6):
        lines.append(f"{frame},7,{5 + 6 * frame},10,12,20,1,1,1")
        lines.append(f"{frame},9,{50 - 6 * frame},14,15.5,30,1,3,1")
        lines.append(f"{frame},4,60,40,20,20,1,tree,1")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def owners(video: Path, mot: Path, without: tuple[str, ...] = ()) -> np.ndarray:
    """(frames, height, width): the id of the element that owns each pixel, else 0."""
    elements = videodp.load_elements(mot, probe(video)).without(without)
    out = np.zeros((FRAMES, HEIGHT, WIDTH), np.int32)
    owners = OwnerPicture(WIDTH, HEIGHT)
    for seen in elements.frames(0, FRAMES):
        out[seen.frame] = owners.paint(place(elements, seen, WIDTH, HEIGHT))
    ids = np.array([0, *(track.id for track in elements.tracks)])
    return ids[out]


def grey(rgb: np.ndarray) -> np.ndarray:
    return rgb.astype(float) @ [0.299, 0.587, 0.114] / 255


def colours(rgb: np.ndarray) -> list[tuple[int, ...]]:
    return [tuple(pixel) for pixel in rgb.reshape(-1, 3).tolist()]


def naive_kl(original: np.ndarray, private: np.ndarray) -> float:
    c, x = Counter(colours(original)), Counter(colours(private))
    v, o = sum(c.values()), sum(x.values())
    return sum(n / v * math.log(n / v * o / (x[rgb] + 1)) for rgb, n in c.items())


def naive_ssim(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """scikit-image's structural_similarity(gaussian_weights=True), written down again."""
    a, b = grey(a), grey(b)

    def mean(picture: np.ndarray) -> np.ndarray:
        return gaussian_filter(picture, 1.5, truncate=3.5)

    ma, mb = mean(a), mean(b)
    va, vb, vab = mean(a * a) - ma * ma, mean(b * b) - mb * mb, mean(a * b) - ma * mb
    c1, c2 = 0.01**2, 0.03**2
    return ((2 * ma * mb + c1) * (2 * vab + c2) / ((ma**2 + mb**2 + c1) * (va + vb + c2)))[
        5:-5, 5:-5
    ]


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Original, private and MOT file."""
    return (
        save(tmp_path / "original.mkv", pictures(1)),
        save(tmp_path / "private.mkv", pictures(2)),
        save_mot(tmp_path / "truth.txt"),
    )


def owner_file(path: Path, background: str, who: np.ndarray, **more: object) -> Path:
    """A record that draws a pixel of element 7 and two of element 9."""
    truth = pictures(1)
    drawn = []
    for identity, number in ((7, 1), (9, 2)):
        for f, y, x in np.argwhere(who == identity)[:number].tolist():
            rgb = truth[f, y, x].tolist()
            drawn.append({"id": identity, "frame": f, "x": x, "y": y, "rgb": rgb})
    palette = []
    for rgb, n in Counter(tuple(pixel["rgb"]) for pixel in drawn).items():
        palette.append({"rgb": rgb, "count": 99, "draws": n + 3, "epsilon": 0.1, "worn": {}})
    record = {
        "settings": {"background": background, "insensitive": ["tree"]},
        "drawn_pixels": drawn,
        "palette": palette,
        **more,
    }
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def test_whole_picture_without_elements(pair: tuple[Path, Path, Path]) -> None:
    original, private, _ = pair
    found = compare(original, private)
    assert found.kl == pytest.approx(naive_kl(pictures(1), pictures(2)))
    assert found.mse == pytest.approx(np.mean((grey(pictures(1)) - grey(pictures(2))) ** 2))
    assert found.element_mse is found.mse_phase1 is found.background_psnr is None
    assert found.owner is None


@pytest.mark.parametrize("background", ["retain", "plate", "sample"])
def test_everything_against_the_slow_way(
    pair: tuple[Path, Path, Path], tmp_path: Path, background: str
) -> None:
    original, private, mot = pair
    who = owners(original, mot, ("tree",))
    record = owner_file(tmp_path / "who.json", background, who)
    found = compare(original, private, mot, record)

    v, o = pictures(1), pictures(2)
    error = (grey(v) - grey(o)) ** 2
    inside = who > 0
    assert found.element_pixels == inside.sum()
    assert found.kl == pytest.approx(naive_kl(v, o))
    assert found.mse == pytest.approx(error.mean())
    assert found.element_mse == pytest.approx(error[inside].mean())

    phase1 = grey(v) ** 2  # everything black
    drawn = json.loads(record.read_text())["drawn_pixels"]
    for pixel in drawn:
        phase1[pixel["frame"], pixel["y"], pixel["x"]] = 0
    if background == "retain":
        phase1[~inside] = 0
    elif background == "plate":
        phase1[~inside] = error[~inside]
    else:
        worn = set(colours(v[inside]))
        own = np.array([rgb in worn for rgb in colours(v)]).reshape(inside.shape)
        phase1[~inside & ~own] = 0
        for row in json.loads(record.read_text())["palette"]:
            same = np.argwhere((v == row["rgb"]).all(axis=-1) & ~inside)
            phase1[tuple(same[:3].T)] = 0  # three draws more than fell on elements
    assert found.mse_phase1 == pytest.approx(phase1.mean())
    assert found.element_mse_phase1 == pytest.approx(phase1[inside].mean())

    difference = (v.astype(float) - o)[~inside]
    assert found.background_psnr == pytest.approx(10 * math.log10(255**2 / np.mean(difference**2)))
    similar = np.stack([naive_ssim(a, b) for a, b in zip(v, o, strict=True)])
    outside = ~inside[:, 5:-5, 5:-5]
    assert found.background_ssim == pytest.approx(similar[outside].mean(), abs=1e-5)
    assert (found.background, found.drawn) == (background, 3)


def test_owner_file_beside_the_private_video_is_found(pair: tuple[Path, Path, Path]) -> None:
    original, private, mot = pair
    plain = compare(original, private, mot)
    assert (plain.owner, plain.drawn) == (None, 0)
    assert "no owner's record" in plain.notes[0]
    beside = private.with_name("private.owner.json")
    owner_file(beside, "retain", owners(original, mot, ("tree",)))
    found = compare(original, private, mot)
    assert (found.owner, found.drawn) == (beside, 3)
    assert found.record()["owner"] == "private.owner.json"
    assert "private.owner.json, found beside" in found.notes[0]
    assert plain.element_pixels is not None
    assert found.element_pixels is not None
    assert found.element_pixels < plain.element_pixels  # the tree is not sensitive


def test_identical_videos(pair: tuple[Path, Path, Path]) -> None:
    original, _, mot = pair
    found = compare(original, original, mot)
    assert found.mse == found.element_mse == 0
    assert found.background_psnr == math.inf
    assert found.background_ssim == pytest.approx(1, abs=1e-6)
    record = json.loads(json.dumps(found.record(), allow_nan=False))
    assert record["background_psnr"] is None
    assert any("infinite" in note for note in record["notes"])


def test_no_element_and_a_tiny_picture(tmp_path: Path) -> None:
    video = save(tmp_path / "tiny.mkv", pictures(3)[:, :8, :12])
    (tmp_path / "none.txt").write_text("")
    found = compare(video, video, tmp_path / "none.txt")
    assert found.element_mse is found.element_mse_phase1 is found.background_ssim is None
    assert len(found.notes) == 4


def test_agrees_with_what_publish_wrote(tmp_path: Path) -> None:
    original = save(tmp_path / "original.mkv", pictures(1))
    mot = save_mot(tmp_path / "truth.txt")
    settings = videodp.Settings(
        2.0, insensitive=("tree",), k=4, encoding=videodp.Encoding(codec="ffv1"), seed=3
    )
    published = videodp.publish(original, tmp_path / "private.mkv", mot, settings, workers=1)
    found = compare(original, published.video, mot)
    assert found.owner == published.owner_file
    assert found.drawn == len(published.owner["drawn_pixels"]) > 0
    assert found.element_pixels == sum(e["pixels"] for e in published.owner["elements"])
    assert found.background_psnr == math.inf  # retained, and written without loss
    assert found.element_mse is not None
    assert found.element_mse_phase1 is not None
    assert found.element_mse < found.element_mse_phase1


def test_progress_is_told(pair: tuple[Path, Path, Path]) -> None:
    told: list[tuple[str, int, int]] = []
    compare(pair[0], pair[1], watcher=lambda *step: told.append(step))
    assert told == [("compare", n, FRAMES) for n in range(FRAMES + 1)]


def test_wrong_size_and_length(tmp_path: Path, pair: tuple[Path, Path, Path]) -> None:
    small = save(tmp_path / "small.mkv", pictures(1)[:, :, :32])
    short = save(tmp_path / "short.mkv", pictures(1, frames=5))
    with pytest.raises(UsageError, match=r"64x48, but small\.mkv is 32x48"):
        compare(pair[0], small)
    with pytest.raises(UsageError, match=r"6 frames, but short\.mkv has 5"):
        compare(pair[0], short)


def test_records_that_do_not_belong(pair: tuple[Path, Path, Path], tmp_path: Path) -> None:
    original, private, mot = pair
    who = owners(original, mot, ("tree",))
    record = owner_file(tmp_path / "who.json", "retain", who)
    with pytest.raises(UsageError, match="original does not have"):
        compare(private, private, mot, record)
    other = np.where(who == 7, 9, np.where(who == 9, 7, 0))
    with pytest.raises(UsageError, match="where it is not"):
        compare(original, private, mot, owner_file(tmp_path / "other.json", "retain", other))
    with pytest.raises(UsageError, match="no owner's record"):
        compare(original, private, mot, tmp_path / "missing.json")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"settings": 1}', '{"settings": {"background": "blue"}}', "\xff"]
)
def test_broken_owner_files(pair: tuple[Path, Path, Path], tmp_path: Path, text: str) -> None:
    broken = tmp_path / "broken.json"
    broken.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=r"broken\.json is not an owner's record"):
        compare(pair[0], pair[1], pair[2], broken)


def test_kernel_sums_exactly() -> None:
    random = np.random.default_rng(5)
    counts = np.zeros((3, 2**24), np.int64)
    expected = [Counter[int](), Counter[int](), Counter[int]()]
    for _ in range(20):
        shape = tuple(random.integers(1, 20, 2))
        a, b = random.integers(0, 256, (2, *shape, 3)).astype(np.uint8)
        owner = random.integers(0, 3, shape).astype(np.int32)
        greys = np.zeros((2, *shape), np.float32)
        found = compare_pictures(a, b, owner, *counts, *greys)
        ga, gb = (p.astype(int) @ [299, 587, 114] for p in (a, b))
        inside = owner > 0
        assert found == (
            inside.sum(),
            ((ga - gb) ** 2)[inside].sum(),
            ((ga - gb) ** 2)[~inside].sum(),
            (ga**2)[inside].sum(),
            ((a.astype(int) - b) ** 2)[~inside].sum(),
        )
        for picture, count in zip((a, b, a[inside]), expected, strict=True):
            count.update(r << 16 | g << 8 | b for r, g, b in picture.reshape(-1, 3).tolist())
        np.testing.assert_allclose(greys[0], ga / GREY_SCALE, rtol=1e-6)
        np.testing.assert_allclose(greys[1], gb / GREY_SCALE, rtol=1e-6)
    for found_counts, count in zip(counts, expected, strict=True):
        assert {int(c): int(found_counts[c]) for c in np.flatnonzero(found_counts)} == count


def test_similarity_of_a_picture_with_itself() -> None:
    flat = np.full((12, 14), 0.5, np.float32)
    owner = np.zeros((12, 14), np.int32)
    owner[6, 6] = 1
    assert similarity(flat, flat, 2 * flat**2, flat**2, owner, 5) == (pytest.approx(7), 7)


def test_it_prints_what_was_measured(pair: tuple[Path, Path, Path]) -> None:
    original, private, mot = pair
    lines = str(compare(original, private)).splitlines()
    assert [line.split()[-1] for line in lines[:2]] == [
        f"{naive_kl(pictures(1), pictures(2)):.6g}",
        f"{np.mean((grey(pictures(1)) - grey(pictures(2))) ** 2):.6g}",
    ]
    assert lines[2].startswith("note: no elements")
    assert "background, PSNR in dB" in str(compare(original, original, mot))


def test_a_comparison_is_frozen() -> None:
    assert Comparison.__dataclass_params__.frozen  # type: ignore[attr-defined]
