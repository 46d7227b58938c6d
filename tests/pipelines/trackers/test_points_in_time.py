"""Points that begin in a frame of their own: the order of rows, and what is made of frames that cannot be read."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import State
from pipelines.trackers.base import make_tracker

POINTS = ((30.3, 30.0), (60.0, 40.2, 0), (80.0, 50.0, 5), (56.0, 38.0, 6))
TRACKERS = [("template", {}), ("klt", {"max_points": 0}), ("vibration", {})]


@pytest.fixture(scope="module")
def frames(scene):
    plate, rng = scene.Speckle(seed=1), np.random.default_rng(1)
    return [np.rint(120 + 30 * plate.image(80, 112, 0.4 * i, -0.1 * i) + rng.normal(size=(80, 112))) for i in range(12)]


def made(name, params, shown, first=0, through=None):
    """Rows of all frames; None cannot be read. `through`: a frame before which a snapshot is gone back to."""
    tracker = make_tracker(name, {"points": POINTS, **params}, (80, 112), 1000.0)
    rows = []
    for i, picture in enumerate(shown, first):
        if i == through:
            state, tracker = tracker.snapshot(), make_tracker(name, {"points": POINTS, **params}, (80, 112), 1000.0)
            tracker.restore(state)
        rows.append(tracker.skip(i, i / 1000) if picture is None else tracker.update(i, i / 1000, {"image": picture}))
    return np.concatenate(rows)


def begun(rows):
    """Of each track its first frame and state."""
    ids, first = np.unique(rows["track"], return_index=True)
    return {int(k): (int(rows["frame"][i]), State(int(rows["state"][i]))) for k, i in zip(ids, first, strict=True)}


@pytest.mark.parametrize(("name", "params"), TRACKERS)
@pytest.mark.parametrize("bad", [(), (8,)])
def test_rows_of_a_frame_rise_with_the_track_also_behind_the_frame_in_which_one_began(frames, name, params, bad):
    order = ((30.3, 30.0, 4), (60.0, 40.2), (80.0, 50.0, 2))
    tracker = make_tracker(name, {"points": order, **params}, (80, 112), 1000.0)
    for i, picture in enumerate(frames):
        rows = tracker.skip(i, i / 1000) if i in bad else tracker.update(i, i / 1000, {"image": picture})
        assert (np.diff(rows["track"]) > 0).all()
    assert rows["track"].tolist() == [0, 1, 2]


@pytest.mark.parametrize(("name", "params"), TRACKERS)
@pytest.mark.parametrize("through", [None, 1, 2])
def test_where_the_first_frames_cannot_be_read_points_begin_in_the_next_one(frames, name, params, through):
    rows = made(name, params, [None, None, *frames[2:]], through=through)
    assert begun(rows) == dict(zip(range(4), [(k, State.TRACKED) for k in (2, 2, 5, 6)], strict=True))


@pytest.mark.parametrize(("name", "params"), TRACKERS)
@pytest.mark.parametrize("bad", [0, 1])
def test_points_of_frames_before_the_first_that_is_processed_are_lost(frames, name, params, bad):
    rows = made(name, params, [None] * bad + frames[6 + bad :], first=6)
    there = 6 + bad
    assert begun(rows) == {
        0: (there, State.TRACKED), 1: (there, State.LOST), 2: (there, State.LOST), 3: (there, State.TRACKED)
    }  # fmt: skip


@pytest.mark.parametrize(("name", "params"), TRACKERS)
def test_snapshots_from_before_the_first_frame_was_kept_go_on(frames, name, params):
    """Of one that was taken after a frame: what waits is begun, also if the frame that it names cannot be read."""
    made_one = make_tracker(name, {"points": POINTS, **params}, (80, 112), 1000.0)
    made_one.update(0, 0.0, {"image": frames[0]})
    older = {key: value for key, value in made_one.snapshot().items() if key != "first_frame"}
    again = make_tracker(name, {"points": POINTS, **params}, (80, 112), 1000.0)
    again.restore(older)
    rows = np.concatenate([again.update(i, i / 1000, {"image": frames[i]}) for i in (7, 8)])
    assert set(rows["track"].tolist()) == {0, 1, 2, 3}
    assert (rows["state"] == State.TRACKED).all()
