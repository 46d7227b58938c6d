"""Fields over the picture: which colour lies where, the ends of the colours, what is missing, arrows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.desk.tracks.field_map import HIGHEST, FieldAsk, FieldMaker, spanned, squares
from app.exports.scale import parse_scale
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State, Tracks

STEP = 10


def frame(index: int, strain: float = 0.0, lost: tuple[int, ...] = ()) -> Tracks:
    """8 x 6 points, 10 px apart, from (20, 20) on, stretched along x."""
    x, y = (axis.ravel() for axis in np.meshgrid(20 + STEP * np.arange(8), 20 + STEP * np.arange(6)))
    rows = np.zeros(len(x), TRACK_DTYPE)
    rows["frame"], rows["time"], rows["track"], rows["state"] = index, index / 100, np.arange(len(x)), State.TRACKED
    rows["x"], rows["y"] = 20 + (x - 20) * (1 + strain), y
    rows["state"][list(lost)] = State.PREDICTED
    return rows


ASK = FieldAsk(frame(0), frame(5, 0.05), "u", 3, "green-lagrange", 21.0, None, (120, 90))


def test_the_colour_of_a_point_lies_where_it_is_now():
    made = FieldMaker().make(replace(ASK, ends=(0.0, 3.5)))
    assert made.colours.shape == (90, 120)
    assert made.ends == (0.0, 3.5)
    for column in range(8):
        now = 20 + STEP * column * 1.05
        assert made.colours[45, round(now)] == round(HIGHEST * 0.5 * column / 3.5)
    assert (made.colours[:, 101:] == 255).all(), "the last one is at 93.5, and half a step wide"
    assert (made.colours[:14] == 255).all()
    assert (made.unit, made.length, made.gauge_length) == ("px", "px", 2 * STEP + 21)
    assert (made.points, made.missing, made.reference) == (48, 0, 0)


def test_no_gaps_are_left_between_points_that_move_apart():
    made = FieldMaker().make(replace(ASK, quantity="exx"))
    assert (made.colours[16:74, 16:97] != 255).all()
    assert made.unit == ""


@pytest.mark.parametrize("scale", [None, parse_scale("0.5 mm/px")])
def test_strain_has_no_unit_and_displacement_that_of_lengths(scale):
    maker = FieldMaker()
    strain = maker.make(replace(ASK, quantity="exx", scale=scale))
    assert sum(strain.ends) / 2 == pytest.approx(0.05 + 0.05**2 / 2, rel=1e-3)
    moved = maker.make(replace(ASK, scale=scale))
    assert moved.ends[1] == pytest.approx(3.5 * (0.5 if scale else 1.0), rel=0.02)
    assert moved.unit == ("mm" if scale else "px")


def test_what_was_not_seen_has_no_colour_and_is_counted():
    made = FieldMaker().make(replace(ASK, rows=frame(5, 0.0, lost=(3, 11))))
    assert made.missing == 2
    assert made.colours[20, 50] == 255
    assert made.colours[20, 40] != 255
    gone = FieldMaker().make(replace(ASK, rows=frame(5, 0.0, lost=tuple(range(48)))))
    assert gone.missing == 48
    assert (gone.colours == 255).all()
    assert not len(gone.ways)


def test_the_reference_itself_has_not_moved():
    made = FieldMaker().make(replace(ASK, rows=ASK.reference))
    assert made.missing == 0
    assert not made.ways.any()
    assert made.ends[0] < 0 < made.ends[1]


def test_too_few_points_are_no_field():
    with pytest.raises(InputError, match=r"fill an area with a grid of points \(Shift\+B\)"):
        FieldMaker().make(replace(ASK, reference=frame(0)[:2]))


def test_windows_are_kept_as_long_as_the_points_are_the_same():
    maker = FieldMaker()
    maker.make(replace(ASK, quantity="exx"))
    kept = maker._gauge
    maker.make(replace(ASK, quantity="eyy", rows=frame(6, 0.02)))
    assert maker._gauge is kept
    maker.make(replace(ASK, quantity="eyy", window=5))
    assert maker._gauge is not kept


def test_the_ends_leave_odd_values_out_and_hold_those_before():
    values = np.append(np.linspace(0.0, 1.0, 1000), [50.0, np.nan])
    low, high = spanned(values, None)
    assert (low, high) == (pytest.approx(0.01, abs=0.002), pytest.approx(0.99, abs=0.002))
    assert spanned(values, (-2.0, 0.5)) == (-2.0, high)
    flat = spanned(np.full(5, 3.0), None)
    assert flat[0] < 3.0 < flat[1]
    assert spanned(np.array([np.nan]), None)[0] < spanned(np.array([np.nan]), None)[1]


def test_squares_end_at_the_picture():
    places, values = np.array([[0.0, 0.0], [9.0, 4.0], [-50.0, 2.0]]), np.array([0.0, 1.0, 1.0])
    found = squares(places, values, 4.0, (10, 5), (0.0, 1.0))
    assert found[0, 0] == 0
    assert found[4, 9] == HIGHEST
    assert (found != 255).sum() < 50


def test_arrows_are_some_of_the_points():
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(60) * 5.0, np.arange(40) * 5.0))
    rows = np.zeros(len(x), TRACK_DTYPE)
    rows["track"], rows["state"], rows["x"], rows["y"] = np.arange(len(x)), State.TRACKED, x, y
    later = rows.copy()
    later["frame"] = 1
    later["time"], later["x"] = 0.1, x + 2.0
    made = FieldMaker().make(replace(ASK, reference=rows, rows=later, size=(300, 200)))
    assert 100 < len(made.starts) < 400
    assert (made.ways == (2.0, 0.0)).all()
