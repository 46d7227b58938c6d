"""The box between two threads and two processes."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from app.desk.engine.picture_box import MOST_NAME, MOST_ROWS, PictureBox
from app.desk.pipeline.heat_maps import HeatMap
from pipelines.features import TRACK_DTYPE


def rows_of(count: int, frame: int) -> np.ndarray:
    rows = np.zeros(count, TRACK_DTYPE)
    rows["frame"] = frame
    return rows


def test_the_newest_picture_is_there_once() -> None:
    box = PictureBox(100)
    other = PictureBox(name=box.name)
    try:
        assert other.take() is None
        box.put(np.full((4, 5), 1, np.uint8), 7, 0.7, rows_of(2, 7))
        box.put(np.arange(20, dtype=np.uint16).reshape(2, 5, 2), 8, 0.8, rows_of(3, 8), "smooth", 12)
        shown = other.take()
        assert shown is not None
        assert (shown.frame, shown.time, shown.output, shown.bits, shown.number) == (8, 0.8, "smooth", 12, 2)
        np.testing.assert_array_equal(shown.pixels, np.arange(20).reshape(2, 5, 2))
        assert shown.pixels.dtype == np.uint16
        assert len(shown.rows) == 3
        assert other.take() is None
        with pytest.raises(ValueError, match="does not fit"):
            box.put(np.zeros((11, 10), np.uint8), 9, 0.9, rows_of(0, 9))
        box.put(np.zeros((1, 1), np.float32), 9, 0.9, rows_of(MOST_ROWS + 5, 9), bits=0)
        del shown
        again = other.take()
        assert again is not None
        assert len(again.rows) == MOST_ROWS
        assert again.heat is None
        heat = HeatMap(np.arange(6, dtype=np.float32).reshape(3, 2), (1.0, 0.5, 2.0, -0.5, 1.0, 3.0))
        box.put(np.ones((3, 3), np.uint8), 9, 0.9, rows_of(0, 9), heat=heat)
        del again
        last = other.take()
        assert last is not None
        assert last.heat is not None
        np.testing.assert_array_equal(last.heat.values, heat.values)
        assert last.heat.place == heat.place
        assert last.pixels.all()
        with pytest.raises(ValueError, match="does not fit"):
            box.put(np.zeros((9, 9), np.uint8), 9, 0.9, rows_of(0, 9), heat=heat)
        del last
    finally:
        other.close()
        box.close()


def test_names_of_outputs_are_whole_whatever_their_letters() -> None:
    box = PictureBox(100)
    try:
        for name in ("a" * 127 + "\u00e9", "\u91cf" * (MOST_NAME // 3), "x" * MOST_NAME):
            box.put(np.zeros((4, 5), np.uint8), 7, 0.7, rows_of(1, 7), name)
            shown = box.take()
            assert shown is not None
            assert shown.output == name
            assert shown.rows["frame"].tolist() == [7]
        with pytest.raises(ValueError, match="name of an output"):
            box.put(np.zeros((4, 5), np.uint8), 8, 0.8, rows_of(1, 8), "x" * (MOST_NAME + 1))
        assert box.take() is None
        del shown
    finally:
        box.close()


def test_memory_that_is_gone_already_is_no_mistake() -> None:
    box = PictureBox(100)
    other = PictureBox(name=box.name)
    box.close()
    other.free()  # its maker died, and what looks after the memory of the dead was faster
    other.close()


def test_a_picture_that_is_looked_at_is_never_written() -> None:
    box = PictureBox(64 * 64)
    other = PictureBox(name=box.name)
    done = threading.Event()

    def write() -> None:
        for k in range(20000):
            box.put(np.full((64, 64), k % 251, np.uint8), k, 0.0, rows_of(k % 7, k))
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    last = looked = 0
    while not done.is_set() or looked == 0:
        shown = other.take()
        if shown is None:
            continue
        value = int(shown.pixels[0, 0])
        assert value == shown.frame % 251
        assert (shown.pixels == value).all()
        assert (shown.rows["frame"] == shown.frame).all()
        assert len(shown.rows) == shown.frame % 7
        assert (shown.pixels == value).all()
        assert shown.number > last
        last, looked = shown.number, looked + 1
        del shown
    writer.join()
    assert looked > 10
    other.close()
    box.close()
