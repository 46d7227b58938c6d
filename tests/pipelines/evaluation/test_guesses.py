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
    matches = match(both, near(both.real, both.claimed, 3.0), 3.0)
    table = guesses(np.random.default_rng(1).permutation(tracks), both, matches)
    assert table["track"].tolist() == [1, 1, 2]
    assert table["thing"].tolist() == [3, 3, 8]
    assert table["frame"].tolist() == [2, 3, 4]
    np.testing.assert_allclose(table["dx"], (1.0, -2.0, 0.0))
    np.testing.assert_allclose(table["dy"], (0.0, 0.0, -49.0))
    assert guesses(tracks, both, matches, Reason.MERGED)["frame"].tolist() == [2]
    assert calibration(table[:2]).rows == 2
    assert not len(guesses(tracks[:0], both, matches))
    assert evaluate_all(tracks, truth).guesses.tobytes() == table.tobytes()
