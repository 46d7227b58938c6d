"""Tables of points as spreadsheets write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.controller import run_clip
from app.points_file import read_points
from kernels.errors import InputError

POINTS = ((64.5, 12.0), (3.25, 7.0))


@pytest.mark.parametrize(
    "text",
    [
        "x_px,y_px\n64.5,12\n3.25,7\n",
        "\ufeffx_px;y_px\r\n64,5;12\r\n3,25;7\r\n",
        "name\tx\ty\ntip\t64,5\t12\nroot\t3.25\t7.0\n",
        "frame;x_px;y_px\n0;64.5;12\n0;3.25;7\n",
        "frame;x_px;y_px;track\n0,0;64,5;12;1\n0;3,25;7;2\n5;9;9;1\n",
    ],
)
def test_commas_semicolons_and_tabs(tmp_path: Path, text: str) -> None:
    (tmp_path / "points.csv").write_text(text, encoding="utf-8", newline="")
    said: list[str] = []
    assert read_points(tmp_path / "points.csv", said.append) == POINTS
    assert len(said) == text.startswith("name")  # names are not taken over


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x_px,y_px\n1\n", "line 2 has '' as y_px"),
        ("x_px;y_px\n1;2\n\n1;a\n", "line 4 has 'a' as y_px"),
        ("frame,x_px,y_px\n0,1,2\nq,1,1\n", "line 3 has 'q' as frame"),
        *((f"frame,x_px,y_px\n0,1,2\n{odd},1,1\n", f"line 3 has '{odd}' as frame")
          for odd in ("nan", "inf", "-inf", "1e300", "-1", "0.5", "")),
        *((f"x_px,y_px\n{odd},1\n", f"line 2 has '{odd}' as x_px") for odd in ("nan", "-inf", "1e999")),
        ("x_px;y_px\n1,5;NaN\n", "line 2 has 'NaN' as y_px"),
    ],
)
def test_what_is_no_table_of_points_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "points.csv").write_text(text)
    with pytest.raises(InputError, match=f"is not a table of points with numbers in every row: {words}"):
        read_points(tmp_path / "points.csv", print)


def test_rows_that_are_longer_than_the_header_are_refused(tmp_path: Path) -> None:
    """Decimal commas between commas would be other points, and numbers all the same."""
    path = tmp_path / "points.csv"
    path.write_text("x_px,y_px\n64,12\n64,5,12,5\n")
    with pytest.raises(InputError, match=r"has 4 cells in line 3 and 2 in its header; where a comma is the decimal"):
        read_points(path, print)
    path.write_text("x_px,y_px\n64.5,12,\n3.25,7,,\n")  # what some programs end lines with
    assert read_points(path, print) == POINTS


def test_points_that_are_there_twice_are_said_in_a_sentence(tmp_path: Path) -> None:
    path, said = tmp_path / "points.csv", list[str]()
    path.write_text("name,x_px,y_px\ntip,64.5,12\nroot,3.25,7\ntip,9,9\nend,64.50,12.0\n")
    assert read_points(path, said.append) == (*POINTS, (9.0, 9.0), (64.5, 12.0))
    place, name = said
    assert "1 of 4 points lie where another does (point 3 where 0 does, at 64.5, 12; counted from 0)" in place
    assert name.endswith("in the order of the points, from 0; 1 of them are there before, such as 'tip'")
    path.write_text("frame,x_px,y_px,track\n0,64.5,12,0\n0,3.25,7,1\n1,64.5,12,0\n")
    said.clear()
    assert read_points(path, said.append) == POINTS  # those of later frames are no points
    assert said == []


def test_a_column_of_frames_says_where_points_begin(tmp_path: Path) -> None:
    """Each has its window as it is in that frame; of tables of tracks the first frame tells the points."""
    path, said = tmp_path / "points.csv", list[str]()
    path.write_text("frame;x_px;y_px\n4,0;64,5;12\n0;3,25;7\n25;9;9\n")
    assert read_points(path, said.append) == ((64.5, 12.0, 4), (3.25, 7.0), (9.0, 9.0, 25))
    assert len(said) == 1
    assert "its 3 points begin in 3 frames" in said[0]
    path.write_text("frame,x_px,y_px,particle\n7,64.5,12,0\n7,3.25,7,1\n8,64.5,12,0\n")
    assert read_points(path, print) == ((64.5, 12.0, 7), (3.25, 7.0, 7))
    pixels = np.random.default_rng(2).integers(0, 255, (30, 64, 96), np.uint8)
    pixels[:] = pixels[0]
    np.save(tmp_path / "clip.npy", pixels)
    path.write_text("frame,x_px,y_px\n4,40,30\n20,60,30\n")
    points = read_points(path, said.append)
    made = run_clip(tmp_path / "clip.npy", "template", points=points, fps=100.0, out=tmp_path / "o", overlay=False)
    rows = made.tracks
    assert [int(rows["frame"][rows["track"] == k].min()) for k in (0, 1)] == [4, 20]
