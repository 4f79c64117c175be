"""The most frequent colours of each cell."""

from collections import Counter

import numpy as np
import pytest

import naive
from videodp.kernels.cells import bands, cell_of, top_of_cells


@pytest.mark.parametrize("cells", [1, 2, 3, 5, 7, 12, 30])
def test_cells_are_the_pages(cells: int) -> None:
    box = (2.3, 1.9, 10.9, 17.3)
    for rows in range(1, cells + 1):
        for a in range(0, 21):  # some of these lie outside the box
            for b in range(0, 15):
                u, v = (b + 0.5 - box[0]) / box[2], (a + 0.5 - box[1]) / box[3]
                assert cell_of(u, v, bands(cells, rows)) == naive.cell(cells, rows, box, a, b)


@pytest.mark.parametrize("cells", [1, 4, 7, 30])
def test_every_cell_is_used_once(cells: int) -> None:
    for rows in range(1, cells + 1):
        middle = []
        for row in range(rows):
            columns = (row + 1) * cells // rows - row * cells // rows
            middle += [((i + 0.5) / columns, (row + 0.5) / rows) for i in range(columns)]
        assert [cell_of(u, v, bands(cells, rows)) for u, v in middle] == list(range(cells))


@pytest.mark.parametrize("seed", range(12))
def test_top_of_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, kinds, top = int(rng.integers(0, 200)), 9, int(rng.integers(1, 5))
    cells = int(rng.integers(1, 8))
    rows = int(rng.integers(1, cells + 1))
    codes = np.sort(rng.integers(0, kinds, n)).astype(np.int32)
    u, v = rng.random((2, n)).astype(np.float32)
    preferred = rng.integers(0, 3, kinds).astype(np.uint8)
    best, counts = top_of_cells(codes, u, v, preferred, cells, rows, top)
    here = [Counter() for _ in range(cells)]
    for code, across, down in zip(codes.tolist(), u.tolist(), v.tolist(), strict=True):
        here[cell_of(across, down, bands(cells, rows))][code] += 1
    for cell in range(cells):
        candidates = [code for code in here[cell] if preferred[code]]
        order = sorted(candidates, key=lambda c: (-int(preferred[c]), -here[cell][c], c))[:top]
        assert best[cell].tolist() == order + [-1] * (top - len(order))
        assert counts[cell, : len(order)].tolist() == [here[cell][code] for code in order]
