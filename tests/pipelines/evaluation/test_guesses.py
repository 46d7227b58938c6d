"""Rows that claim to have seen nothing, by hand."""

from __future__ import annotations

import numpy as np

from pipelines.evaluation.calibration import calibration
from pipelines.evaluation.clear_mot import match
from pipelines.evaluation.complete import evaluate_all
from pipelines.evaluation.guesses import guesses
from pipelines.evaluation.matching import near
from pipelines.evaluation.tables import tables
from pipelines.features import TRACK_DTYPE, Reason, State
from pipelines.truth import TRUTH_DTYPE


def test_guesses_are_judged_by_the_thing_that_the_track_was_on() -> None:
    truth = np.zeros(12, TRUTH_DTYPE)
    truth["frame"], truth["track"] = np.tile(np.arange(6), 2), np.repeat((3, 8), 6)
    truth["x"], truth["y"], truth["visible"] = np.tile(np.arange(6.0), 2), np.repeat((0.0, 50.0), 6), True
    truth["visible"][2:4] = False
    tracks = np.zeros(12, TRACK_DTYPE)
    tracks["frame"], tracks["track"] = np.tile(np.arange(6), 2), np.repeat((1, 2), 6)
    tracks["x"], tracks["y"], tracks["sigma"] = truth["x"], truth["y"], 0.5
    tracks["state"] = State.TRACKED
    tracks["state"][2:4], tracks["reason"][2:4] = State.PREDICTED, (Reason.MERGED, Reason.NOT_DETECTED)
    tracks["x"][2:4] += (1.0, -2.0)
    # The other one guesses before it was ever on a thing, and when it goes over to the first.
    tracks["state"][6], tracks["state"][10] = State.PREDICTED, State.PREDICTED
    tracks["y"][10:] = 1.0
    both = tables(tracks, truth)
    within = near(both.real, both.claimed, 3.0)
    matches = match(both, within, 3.0)
    table = guesses(np.random.default_rng(1).permutation(tracks), both, within, matches)
    assert table["track"].tolist() == [1, 1, 2]
    assert table["thing"].tolist() == [3, 3, 8]
    assert table["frame"].tolist() == [2, 3, 4]
    np.testing.assert_allclose(table["dx"], (1.0, -2.0, 0.0))
    np.testing.assert_allclose(table["dy"], (0.0, 0.0, -49.0))
    assert guesses(tracks, both, within, matches, Reason.MERGED)["frame"].tolist() == [2]
    assert calibration(table[:2]).rows == 2
    assert not len(guesses(tracks[:0], both, within, matches))
    assert evaluate_all(tracks, truth).guesses.tobytes() == table.tobytes()


def test_who_shares_a_row_with_another_is_still_on_its_own_thing() -> None:
    """Two meet and part; the only row that claims to have seen them is nearer to the other one's thing for a frame."""
    truth = np.zeros(12, TRUTH_DTYPE)
    truth["frame"], truth["track"] = np.tile(np.arange(6), 2), np.repeat((3, 8), 6)
    truth["y"], truth["visible"] = np.concatenate(([0, 0, 0, 0, 0, 0], [9, 4, 1, 1, 4, 9])), True
    tracks = np.zeros(12, TRACK_DTYPE)
    tracks["frame"], tracks["track"] = np.tile(np.arange(6), 2), np.repeat((1, 2), 6)
    tracks["y"], tracks["sigma"], tracks["state"] = truth["y"], 0.5, State.TRACKED
    for row in (2, 3, 8):
        tracks["state"][row], tracks["reason"][row] = State.PREDICTED, Reason.MERGED
    tracks["y"][9] = 0.2  # seen, and beside the thing 3
    tracks["state"][10] = State.PREDICTED
    both = tables(tracks, truth)
    within = near(both.real, both.claimed, 3.0)
    matches = match(both, within, 3.0)
    second = both.claimed.rows["track"][matches.claimed] == 2
    assert both.real.rows["track"][matches.real][second].tolist() == [8, 8, 3, 8]
    table = guesses(tracks, both, within, matches)
    assert table[["thing", "track", "frame"]].tolist() == [(3, 1, 2), (3, 1, 3), (8, 2, 2), (8, 2, 4)]
    # Were its own thing out of reach, or another one's, it would have gone over.
    other = tracks[9:10].copy()
    other["track"], other["y"] = 5, 2.5
    for y, rows, thing in ((2.5, tracks, 8), (3.5, tracks, 3), (2.5, np.concatenate((tracks, other)), 3)):
        truth["y"][9] = y
        both = tables(rows, truth)
        within = near(both.real, both.claimed, 3.0)
        table = guesses(rows, both, within, match(both, within, 3.0))
        assert table["thing"][table["frame"] == 4].tolist() == [thing]
