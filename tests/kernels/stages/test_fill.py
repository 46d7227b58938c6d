"""Filling holes: equal to a plain flood, and what it is for: wide markers seen by their rims."""

import numpy as np
import numpy.typing as npt
import pytest
import scipy.ndimage

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.ir.image import F32, U8, ImageType
from kernels.stages.components import components
from kernels.stages.fill import fill


def flooded(mask: npt.NDArray[np.bool_], size: int) -> npt.NDArray[np.bool_]:
    """The same by walking from pixel to pixel."""
    out, todo = mask.copy(), ~mask
    height, width = mask.shape
    while todo.any():
        first = tuple(int(v) for v in np.argwhere(todo)[0])
        walk, hole = [first], []
        todo[first] = False
        while walk:
            y, x = walk.pop()
            hole.append((y, x))
            for v, u in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if 0 <= v < height and 0 <= u < width and todo[v, u]:
                    todo[v, u] = False
                    walk.append((v, u))
        ys, xs = np.array(hole).T
        inside = ys.min() > 0 and xs.min() > 0 and ys.max() < height - 1 and xs.max() < width - 1
        if inside and (not size or max(np.ptp(ys), np.ptp(xs)) < size):
            out[ys, xs] = True
    return out


@pytest.mark.parametrize("size", [0, 1, 2, 5])
def test_it_is_a_flood_from_outside(size: int) -> None:
    draw, changed = np.random.default_rng(11), 0
    for _ in range(150):
        mask = draw.random(draw.integers(1, 20, 2)) < draw.uniform(0.3, 0.9)
        found = evaluate(fill, mask, size=size)
        np.testing.assert_array_equal(found, flooded(mask, size))
        changed += int((found != mask).any())
    assert changed > 75


@pytest.mark.parametrize("width", [63, 64, 65, 127, 128, 200])
def test_rows_of_several_words_and_as_many_runs_as_there_may_be(width: int) -> None:
    draw, size = np.random.default_rng(width), 6
    y, x = np.mgrid[:180, :width]
    for mask in (draw.random((90, width)) < 0.55, (x + y) % 2 > 0, (x % 2 > 0) & (y < 2), np.ones((3, width), bool)):
        label, _ = scipy.ndimage.label(~mask)  # of four neighbours
        expected = mask.copy()
        for n, (rows, columns) in enumerate(scipy.ndimage.find_objects(label), 1):
            inside = min(rows.start, columns.start) > 0 and rows.stop < mask.shape[0] and columns.stop < width
            if inside and max(rows.stop - rows.start, columns.stop - columns.start) <= size:
                expected |= label == n
        np.testing.assert_array_equal(evaluate(fill, mask, size=size), expected)


def test_holes_in_islands_in_holes() -> None:
    y, x = np.mgrid[:41, :41]
    far = np.maximum(abs(y - 20), abs(x - 20))
    mask = np.isin(far, (2, 6, 7, 12, 18))
    for size in (0, 3, 4, 10, 24, 35):
        np.testing.assert_array_equal(evaluate(fill, mask, size=size), flooded(mask, size))
    np.testing.assert_array_equal(evaluate(fill, mask, size=0), far <= 18)


def test_masks_of_bytes_and_what_it_was_given() -> None:
    mask = np.array([[0, 9, 0], [3, 0, 255], [0, 1, 0]], np.uint8)
    before = mask.copy()
    assert evaluate(fill, mask).tolist() == [[False, True, False], [True, True, True], [False, True, False]]
    np.testing.assert_array_equal(mask, before)


@pytest.mark.parametrize("kind", [ImageType(F32, 8, 8), ImageType(U8, 8, 8, 3)])
def test_only_masks(kind: ImageType) -> None:
    with pytest.raises(DefinitionError, match="mask of one channel"):
        fill.build([kind])


@pytest.mark.parametrize("radius", [8, 11])
def test_a_disc_known_by_its_rim_is_centred(radius: int) -> None:
    """Its own light is no ground: unfilled, a rim that lies aside pulls the plane around it, and sigma says nothing."""
    y, x = np.mgrid[:60, :60]
    draw = np.random.default_rng(radius)
    far = np.hypot(x - 30.3, y - 29.8)
    light = (30 + 150 / (1 + np.exp((far - radius) / 0.4)) + draw.normal(0, 1, far.shape)).astype(np.float32)
    rim = abs(np.hypot(x - 30.0, y - 29.8) - radius) < 2
    row = evaluate(components, evaluate(fill, rim), light, grow=1).rows[0]
    off = np.hypot(row["x"] - 30.3, row["y"] - 29.8)
    assert off < 4 * row["sigma"] < 0.05
    bare = evaluate(components, rim, light, grow=1).rows[0]
    assert np.hypot(bare["x"] - 30.3, bare["y"] - 29.8) > 10 * off
