"""How a window's pixels are packed: every one once, in its half; the sums by plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.loops.calling import call
from pipelines.trackers.registration.response.response import ones, room_of, starts
from pipelines.trackers.registration.windows.pack_loops import cut, keep, sums, unpack
from pipelines.trackers.registration.windows.packing import halves, in_blocks, line_masks, moves, places, vectors
from pipelines.trackers.registration.windows.structs import Packing

WINDOWS = pytest.mark.parametrize("window", [9, 11, 13, 15, 17, 19, 21, 31, 33, 35, 49, 67])


@WINDOWS
def test_every_pixel_stands_once_in_its_half(window):
    for half, packed in zip((halves(window), ~halves(window)), places(window), strict=True):
        assert sorted(packed[packed >= 0].tolist()) == np.flatnonzero(half).tolist()
    assert vectors(window) * 16 < window**2 / 2 + window / 2 + 18


@WINDOWS
@pytest.mark.parametrize("kind", ["uint8", "uint16", "float32", "float64"])
@pytest.mark.parametrize("compiled", [True, False])
def test_windows_are_cut_from_corners_and_summed(window, kind, compiled):
    random, side = np.random.default_rng(window), window + 3
    picture, count = (100 * random.random((side, side))).astype(kind), vectors(window)
    columns = random.normal(size=(2 * count, 6, 16)).astype(np.float32)
    masks, packed = line_masks(window), places(window)
    for top, left in ((0, 0), (3, 3), (1, 2)):  # nothing beyond the picture is read
        room, out = room_of(window), np.empty(16)
        room[:] = 0.0
        values = (picture.ravel(), top * side + left, moves(window, side), masks, masks.ravel())
        if compiled:
            call(cut, *values, room, pixels=kind, lanes=np.float32)
        else:
            cut(*values, room)
        part = picture[top : top + window, left : left + window].astype(float)
        part -= part[window // 2, window // 2]
        wanted = np.where(packed >= 0, part.ravel()[packed], 0.0).astype(np.float32)
        np.testing.assert_array_equal(room[: wanted.size], wanted.ravel())
        packing = Packing(*values[2:], room.reshape(-1, 16), room)
        given = (*values[:2], packing, columns.reshape(-1, 16), count, out)
        if compiled:
            call(sums, *given, pixels=kind, lanes=np.float32)
        else:
            sums(*given)
        lying = columns.reshape(2, count, 6, 16).transpose(0, 2, 1, 3).reshape(2, 6, -1).astype(float)
        pixels = wanted.astype(float)
        products = np.einsum("hpk,hk->hp", lying, pixels)
        expected = np.column_stack((products, pixels.sum(axis=1), (pixels**2).sum(axis=1)))
        np.testing.assert_allclose(out.reshape(2, 8), expected, rtol=1e-5, atol=1e-3 * window)


@WINDOWS
def test_columns_come_back_as_they_were_rounded(window):
    blocks = len(starts(window))
    part = window * blocks * 8
    column = np.random.default_rng(window).normal(size=(6, window, blocks, 8)) * ones(window).reshape(blocks, 8)
    kept, back, packed = np.full(2 * vectors(window) * 96, 9, np.float32), np.full(6 * part, 9.0), in_blocks(window)
    call(keep, column, part, packed, packed.size, kept)
    call(unpack, kept, packed, packed.size, part, back)
    assert back.tolist() == column.astype(np.float32).astype(float).ravel().tolist()
    again, more = np.full_like(kept, 8), np.full_like(back, 8)
    keep(column.ravel(), part, packed.ravel(), packed.size, again)
    unpack(again, packed.ravel(), packed.size, part, more)
    assert again.tobytes() == kept.tobytes()
    assert more.tobytes() == back.tobytes()


@pytest.mark.parametrize("window", [9, 21])
@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_a_pixel_that_is_no_number_is_noticed_wherever_in_the_window_it_is(window, odd):
    side = window + 4
    picture = np.random.default_rng(1).random((side, side)).astype(np.float32)
    columns, room, out = np.ones((2 * vectors(window) * 6, 16), np.float32), room_of(window), np.empty(16)
    masks = line_masks(window)

    def fine() -> int:
        room[:] = 0.0
        packing = Packing(moves(window, side), masks, masks.ravel(), room.reshape(-1, 16), room)
        given = (picture.ravel(), 2 * side + 2, packing, columns, vectors(window), out)
        return int(call(sums, *given, pixels=np.float32, lanes=np.float32))

    assert fine() == 1
    for row in range(side):
        for column in range(side):
            was, picture[row, column] = picture[row, column], odd
            assert fine() == (not (2 <= row < 2 + window and 2 <= column < 2 + window)), (row, column)
            picture[row, column] = was
