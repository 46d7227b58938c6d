"""Figures straight into pixels: where curves, marks and words lie."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from app.exports.trajectories import PictureStyle, TrajectoryPicture
from app.plots.look import DARK, LIGHT, Look, look_of
from app.plots.raster import Box, Panel, Raster, key, rgb_of, words_in
from app.plots.ticks import MOST, ticks
from kernels.opencv import cv2
from pipelines.features import TRACK_DTYPE, State, Tracks

pytestmark = pytest.mark.sharp
RED = "#d01010"


def panel() -> Panel:
    made = Panel(Raster(LIGHT, 3.0, 2.0), Box(100, 50, 500, 350))
    made.grid(visible=False)
    return made


def like(figure: Raster, colour: str) -> npt.NDArray[np.intp]:
    """Rows and columns of the pixels that have nearly a colour."""
    return np.argwhere(np.abs(figure.pixels.astype(int) - rgb_of(colour)).max(axis=2) < 40)


def test_a_curve_lies_where_its_values_are_and_is_as_wide_as_asked_for() -> None:
    axes = panel()
    axes.set_xlim(0.0, 4.0)
    axes.set_ylim(10.0, 0.0)  # downwards
    axes.plot([0.0, 4.0, np.nan, 1.0, 1.0], [2.5, 2.5, np.nan, 5.0, 10.0], color=RED, lw=1.3)
    axes.draw()
    seen = like(axes.figure, RED)
    level = seen[seen[:, 1] > 250]
    assert level[:, 0].mean() == pytest.approx(50 + 300 * 0.25 - 0.5, abs=0.6)
    assert level[:, 1].max() == 499
    assert len(level) / 250 == pytest.approx(1.3 * 200 / 72, abs=1.0)
    upright = seen[seen[:, 0] > 210]
    assert upright[:, 1].mean() == pytest.approx(100 + 400 * 0.25 - 0.5, abs=0.6)
    assert (upright[:, 0].min(), upright[:, 0].max()) == (pytest.approx(200, abs=12), 349)


@pytest.mark.parametrize("wide", [1.4, 3.4, 5.4, 7.4, 9.4])
def test_lines_are_as_wide_as_asked_for(wide: float) -> None:
    axes = panel()
    axes.plot([0.0, 1.0], [0.5, 0.5], color="#000000", lw=wide * 72 / 200)
    axes.draw()
    column = axes.figure.pixels[51:349, 300, 0] / 255
    assert (1.0 - column).sum() == pytest.approx(wide, abs=0.35)


def test_nothing_leaves_the_box_and_what_is_far_away_breaks_nothing() -> None:
    axes = panel()
    axes.plot([-1e30, 0.5, 1e30], [0.5, 1e30, 0.2], color=RED, lw=2.0)
    axes.plot([-3.0], [0.5], "o", mfc="none", mec=RED, ms=900.0, mew=2.0)
    axes.plot([0.2, 0.9], [-9.0, 9.0], color=RED, lw=2.0, alpha=0.5)
    axes.draw()
    seen = like(axes.figure, RED)
    assert len(seen)
    assert (seen >= (50, 100)).all()
    assert (seen < (350, 500)).all()


def test_faint_lines_cover_a_part_of_the_ground_once_where_they_cross_themselves() -> None:
    axes = panel()
    axes.plot([0.1, 0.9, 0.9, 0.1], [0.1, 0.9, 0.1, 0.9], color="#000000", lw=3.0, alpha=0.5)
    axes.draw()
    inside = axes.figure.pixels[60:340, 110:490]
    assert inside.min() == 128
    assert inside[140, 190].tolist() == [128, 128, 128]


@pytest.mark.parametrize(("how", "covered"), [("o", True), ("ring", False)])
def test_marks_are_round_and_as_large_as_asked_for(how: str, covered: bool) -> None:
    axes = panel()
    given: dict[str, Any] = {"color": RED} if covered else {"mfc": "none", "mec": RED, "mew": 0.8}
    axes.plot([0.5], [0.5], "o", ms=14.4, **given)  # 40 px
    axes.draw()
    seen = like(axes.figure, RED)
    high, wide = seen.max(axis=0) - seen.min(axis=0) + 1
    assert (high, wide) == (pytest.approx(40, abs=4), pytest.approx(40, abs=4))
    assert tuple(seen.mean(axis=0)) == (pytest.approx(199.5, abs=0.6), pytest.approx(299.5, abs=0.6))
    assert (len(seen) > 0.8 * np.pi * 400) == covered


def test_words_lie_beside_their_place_and_those_of_places_outside_are_left_out() -> None:
    axes = panel()
    for place in ((0.5, 0.5), (1.5, 0.5)):
        axes.annotate("HH", place, (3, 0), textcoords="offset points", fontsize=9.0, color=RED, va="center")
    axes.draw()
    seen = like(axes.figure, RED)
    assert seen[:, 1].min() == pytest.approx(300 + 3 * 200 / 72, abs=4)
    assert seen[:, 1].max() < 380
    assert seen[:, 0].mean() == pytest.approx(200, abs=3)


def test_letters_of_any_alphabet_are_those_of_dejavu_and_as_large_as_asked_for() -> None:
    mask, below = words_in("Hg", 100.0)
    assert np.flatnonzero(mask[:, 5:15].max(axis=1)).size == pytest.approx(73, abs=2)  # a capital, of 100 px an em
    assert below == pytest.approx(21, abs=2)
    assert not np.array_equal(words_in("µ", 20.0)[0], words_in("²", 20.0)[0])


@pytest.mark.parametrize(("low", "high", "most"), [(0.0, 1.0, 5), (-3.2, 17.0, 9), (1e-9, 2e-9, 4), (5e8, 9e8, 6),
                                                   (133.78, 133.82, 7), (-1e-3, 1e-3, 2)])  # fmt: skip
def test_ticks_are_round_and_told_apart_and_no_more_than_there_is_room_for(low: float, high: float, most: int) -> None:
    places, words = ticks(low, high, most)
    assert 2 <= len(places) <= min(most, MOST) + 1
    assert low - 1e-9 * (high - low) <= places[0]
    assert places[-1] <= high + 1e-9 * (high - low)
    assert len(set(words)) == len(words)
    for place, word in zip(places, words, strict=True):
        assert float(word.replace("\N{MINUS SIGN}", "-")) == pytest.approx(place, abs=1e-9 * (high - low), rel=1e-4)


def test_the_key_has_each_name_once() -> None:
    first, second = panel(), panel()
    second.figure = first.figure
    for axes in (first, second):
        axes.plot([], [], "o", color=RED, ms=5.0, label="start")
    key(first.figure, [first, second], 20, 380)
    assert len(like(first.figure, RED)) == pytest.approx(np.pi / 4 * (5.0 * 200 / 72) ** 2, rel=0.25)


def rows() -> Tracks:
    made = np.zeros(300, TRACK_DTYPE)
    made["frame"], made["state"] = np.arange(300), State.TRACKED
    made["time"] = made["frame"] / 1000
    made["x"], made["y"] = 40.0 + made["frame"] / 3, 60.0
    return made


@pytest.mark.parametrize("size", [(200, 160), (160, 400), (600, 100)])
@pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])
def test_a_run_s_figure_shows_the_picture_undistorted_with_the_track_on_it(
    tmp_path: Path, size: tuple[int, int], look: Look
) -> None:
    picture = TrajectoryPicture(*size)
    picture.add(rows())
    ground = np.zeros((*size[::-1], 3), np.uint8)
    ground[60:64, :, 2] = 255  # what the track lies on, blue
    picture.save(tmp_path / "t.png", ground, PictureStyle(title="clip µ $x$"), look)
    shown = cv2.imread(str(tmp_path / "t.png"))[:, :, ::-1]
    wide = 9.0 if size[0] > 1.8 * size[1] else 11.5
    assert shown.shape[1] == int(wide * look.dpi)
    lit = np.argwhere(np.abs(shown.astype(int) - (0, 0, 115)).max(axis=2) < 3)  # as the ground is shown
    assert len(lit) > 1000
    scale = (lit[:, 1].max() - lit[:, 1].min() + 1) / size[0]
    assert lit[:, 0].max() - lit[:, 0].min() + 1 == pytest.approx(4 * scale, abs=3)


def test_a_run_s_figure_wants_no_matplotlib_and_others_do(tmp_path: Path) -> None:
    code = f"""
import sys
import numpy as np
from app.exports.trajectories import TrajectoryPicture, by_pixels
from app.plots.look import look_of
TrajectoryPicture(80, 60).save({str(tmp_path / "t.png")!r}, np.zeros((60, 80), np.uint8))
print([by_pixels(look_of(words)) for words in ("", "png", "svg", "pdf", "paper", "double")])
print("matplotlib" in sys.modules)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split("\n")[:2] == ["[True, True, False, False, False, False]", "False"]
    TrajectoryPicture(80, 60).save(tmp_path / "p.png", np.zeros((60, 80), np.uint8), look=look_of("paper"))
    assert cv2.imread(str(tmp_path / "p.png")).shape[1] == pytest.approx(89 / 25.4 * 600, abs=1)
