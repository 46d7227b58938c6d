from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from app.exports.blend_loops import COLUMNS, WORD, Canvas, Layers, Paling, stamped, trailed
from app.exports.drawing import DARK, PALETTE, RIM, WHITE, Colour, letters
from app.exports.planes import Planes, show, yuv_of
from app.exports.stamps import SHEET_BYTES, Marks, Ring, palette_of
from kernels.loops.calling import call
from kernels.opencv import cv2

Array = npt.NDArray[Any]


def label(picture: npt.NDArray[np.uint8], words: str, x: float, y: float, size: float, colour: Colour = WHITE) -> None:
    """Write bold words with a dark rim, baseline at y, legible on any ground; drawn once and kept for the next time."""
    weight, ink, down = _stamp(words, size, colour)
    left, top = round(x) - RIM, round(y) - down
    height, width = weight.shape[:2]
    x0, y0 = max(0, -left), max(0, -top)
    x1, y1 = min(width, picture.shape[1] - left), min(height, picture.shape[0] - top)
    if x0 < x1 and y0 < y1:
        view = picture[top + y0 : top + y1, left + x0 : left + x1]
        view[:] = view * weight[y0:y1, x0:x1] + ink[y0:y1, x0:x1]


def _stamp(words: str, size: float, colour: Colour) -> tuple[Array, Array, int]:
    """How much of the ground is left (height, width, 1), what is added to it (height, width, 3), and the baseline's
    row.
    """
    broad, letter, down = letters(words, size)
    face, rim = (layer.astype(np.float32)[..., None] / np.float32(255) for layer in (letter, broad))
    ink = rim * (1 - face) * np.array(DARK, np.float32) + face * np.array(colour, np.float32)
    return (1 - rim) * (1 - face), ink + np.float32(0.5), down  # 0.5: what follows cuts off


def _planes(height: int, width: int, level: int = 100) -> Planes:
    pitches = width + 16, width // 2 + 8
    y = np.full(height * pitches[0], yuv_of((level,) * 3)[0], np.uint8)
    u, v = (np.full(height // 2 * pitches[1], 128, np.uint8) for _ in range(2))
    return Planes(y, u, v, pitches, height, width)


def _canvas(planes: Planes) -> Canvas:
    return Canvas(planes.y.reshape(-1), planes.u.reshape(-1), planes.v.reshape(-1), *planes.pitches)


def _copy(planes: Planes) -> Planes:
    return Planes(planes.y.copy(), planes.u.copy(), planes.v.copy(), planes.pitches, planes.height, planes.width)


def _same(a: Planes, b: Planes) -> None:
    for one, other in ((a.y, b.y), (a.u, b.u), (a.v, b.v)):
        np.testing.assert_array_equal(one, other)


def test_compiled_shapes_are_those_of_python_also_across_the_edges() -> None:
    rng = np.random.default_rng(0)
    planes = _planes(24, 32)
    planes.y[:] = rng.integers(16, 236, planes.y.shape)
    planes.u[:], planes.v[:] = (rng.integers(16, 241, planes.u.shape) for _ in range(2))
    sheet = rng.choice([0, 0, 7, 130, 255], 4000).astype(np.uint8)
    marks = np.array(
        [(11 * k, 1 + k % 9, 2 + k % 7, x, y, 200, 40 + k, 220 - k)
         for k, (x, y) in enumerate([(3, 4), (-3, -2), (29, 20), (-20, 5), (8, 21), (5, -40), (31, 3), (90, 90)])],
        np.int64,
    )  # fmt: skip
    assert marks.shape[1] == COLUMNS
    other = _copy(planes)
    call(stamped, _canvas(planes), 23, 31, sheet, marks.ravel(), len(marks), 37)
    stamped(_canvas(other), 23, 31, sheet, marks.ravel(), len(marks), 37)
    _same(planes, other)
    assert stamped.native() is not None


def test_compiled_trails_are_those_of_python_and_end() -> None:
    rng = np.random.default_rng(1)
    planes = _planes(10, 70)
    shape = 10, 2 * WORD
    opacity = rng.choice([0, 0, 0, 9, 255], shape).astype(np.uint8)
    opacity[:, 70:] = 0
    tint, born = rng.integers(0, 21, shape).astype(np.uint8), rng.integers(0, 30, shape).astype(np.int32)
    colours = palette_of((*PALETTE, WHITE))
    other, layer = _copy(planes), opacity.copy()
    paling = Paling(30, 20, colours, 240, 60)
    counted = call(trailed, _canvas(planes), Layers(opacity, tint, born, 10, 2 * WORD), paling)
    flat = Layers(layer.ravel(), tint.ravel(), born.ravel(), 10, 2 * WORD)
    assert counted == trailed(_canvas(other), flat, paling)
    _same(planes, other)
    np.testing.assert_array_equal(opacity, layer)
    assert counted == (opacity > 0).sum() > 0
    assert (born[opacity > 0] > 10).all()
    assert trailed.native() is not None


@pytest.mark.parametrize("level", [0, 100, 255])
def test_rings_and_words_look_as_opencv_draws_them(level: int) -> None:
    planes = _planes(60, 120, level)
    expected = planes.bgr()
    marks = Marks()
    places = [(20.25, 30.5), (60.0, 29.3125), (118.0, 58.5)]
    colours = np.tile(yuv_of(PALETTE[0]), (len(places), 1))
    marks.rings(np.array(places), [(Ring(5.0, True, False), np.arange(len(places)))], colours)
    for x, y in places:
        centre = round(16 * x), round(16 * y)
        cv2.circle(expected, centre, 80, DARK, 3, cv2.LINE_AA, 4)
        cv2.circle(expected, centre, 80, PALETTE[0], 1, cv2.LINE_AA, 4)
    marks.lines(["42"], np.array([[80.0, 20.0]]), 0.5, [WHITE])
    label(expected, "42", 80.0, 20.0, 0.5, WHITE)
    marks.draw(planes, 60, 120)
    got = planes.bgr().astype(int)
    luma = np.array([0.114, 0.587, 0.299])
    assert np.abs((got - expected) @ luma).max() < 12
    # Colour has half the resolution, as in every such video.
    coarse = [cv2.resize(image.astype(np.float32), (60, 30), interpolation=cv2.INTER_AREA) for image in (got, expected)]
    assert np.abs(coarse[0] - coarse[1]).max() < 25
    assert np.abs(coarse[0] - coarse[1]).mean() < 0.5


def test_a_full_sheet_begins_anew() -> None:
    marks, planes = Marks(), _planes(60, 120)

    def both() -> None:
        marks.rings(np.array([(30.0, 40.0)]), [(Ring(5.0, True, True), np.arange(1))], np.array([(200, 90, 140)]))
        marks.lines(["1"], np.array([[10.0, 20.0]]), 0.5, [WHITE])

    both()
    marks.draw(planes, 60, 120)
    once = planes.bgr()
    size = 0
    for k in range(10**6):
        marks.lines([str(k)], np.array([[300.0, 300.0]]), 2.0, [WHITE])
        if k % 100 == 99:
            marks.draw(planes, 60, 120)
            size, before = marks._used, size
            if size < before:
                break
    assert len(marks._sheet) < 3 * SHEET_BYTES
    both()
    planes = _planes(60, 120)
    marks.draw(planes, 60, 120)
    np.testing.assert_array_equal(planes.bgr(), once)


@pytest.mark.parametrize("size", [(20, 30), (21, 31)])
def test_pictures_are_shown_as_opencv_converts_them(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    grey = rng.integers(0, 256, size, np.uint8)
    y, x = np.mgrid[: size[0], : size[1]]
    colour = np.stack([5 * y, 5 * x, 3 * (x + y) + 60], axis=2).astype(np.uint8)
    for picture in (grey, cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), colour):
        planes = _planes(30, 40, 24)
        show(picture, planes)
        shown = planes.bgr()[: size[0], : size[1]].astype(int)
        wanted = picture if picture.ndim == 3 else picture[:, :, None]
        assert np.abs(shown - wanted).max() < (3 if picture is not colour else 20)
        assert np.abs(shown - wanted).mean() < (1 if picture is not colour else 5)
        assert np.abs(planes.bgr()[22:, 32:].astype(int) - 24).max() <= 1
