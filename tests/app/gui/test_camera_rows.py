"""Rows of a form about several cameras have what they are given, and tell of what a user changes in them."""

from __future__ import annotations

import pytest
from pyqtgraph.Qt import QtWidgets

from app.gui.stereo.camera_rows import CameraRows, Choice
from app.project import OneCamera

OPEN, SECOND = Choice("window:open", "open clip: a.avi", 0), Choice("window:second", "second clip: b.avi", 4)


@pytest.fixture
def rows(app: QtWidgets.QApplication) -> CameraRows:
    """Of two cameras or more."""
    del app
    return CameraRows(("", ""), "its clip", lambda folder: "", 2)


def test_what_is_offered_is_told_of_only_if_something_goes(rows: CameraRows) -> None:
    rows.bring((OneCamera("left.avi"), OneCamera("")))
    told: list[tuple[str, ...]] = []
    rows.changed.connect(lambda: told.append(rows.values))
    rows.offer((OPEN,))
    rows.offer((OPEN, SECOND))
    assert rows.values == ("left.avi", SECOND.key)
    assert rows.offsets == (0, 4)
    told.clear()  # that it is ahead
    rows.offer((OPEN, SECOND))
    assert not told
    rows.offer((OPEN,))
    assert told[-1] == ("left.avi", "")


def test_a_project_over_an_open_clip_has_that_clip_where_it_was_chosen_and_nothing_of_another_project(
    rows: CameraRows,
) -> None:
    rows.offer((OPEN, SECOND))
    rows.bring((OneCamera(""), OneCamera("right.avi", 3)))
    rows.offer((OPEN, SECOND))
    assert rows.values == (OPEN.key, "right.avi")
    rows.bring((OneCamera("other.avi"),))
    assert rows.values == ("other.avi", "")
    assert rows.offsets == (0, 0)
