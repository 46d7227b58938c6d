"""Key points placed by registration of the picture between the frames of a network."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import affine_transform, gaussian_filter

from kernels.errors import DefinitionError
from pipelines.features import State, Tracks, join_tracks
from pipelines.trackers.base import Tracker, make_tracker
from pipelines.trackers.refinement import FEW, moving_least_squares
from tests.pipelines.trackers.test_keypoints import table

SIZE, FRAMES, STEP, FPS = 128, 32, 4, 1000.0
CENTRE = np.array([64.0, 64.0])


def motion(t: int) -> tuple[np.ndarray, np.ndarray]:
    """A turn with scale, and a shift: new = turn @ old + shift."""
    angle, scale = 0.08 * np.sin(t / 7), 1 + 0.04 * np.sin(t / 5)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return turn, CENTRE + [5 * np.sin(t / 6), 3 * np.sin(t / 4)] - turn @ CENTRE


@pytest.fixture(scope="module")
def film() -> np.ndarray:
    rng = np.random.default_rng(3)
    texture = gaussian_filter(rng.normal(0, 1, (SIZE, SIZE)), 2.0)
    texture = 128 + 40 * texture / texture.std()
    frames = []
    for t in range(FRAMES):
        turn, shift = motion(t)
        back = np.linalg.inv(turn)
        moved = affine_transform(texture, back[::-1, ::-1], (-back @ shift)[::-1], order=3, mode="nearest")
        frames.append(np.clip(np.rint(moved + rng.normal(0, 2, moved.shape)), 0, 255).astype(np.uint8))
    return np.array(frames)


def grid(side: int) -> np.ndarray:
    at = np.linspace(40, 88, side)
    return np.stack(np.meshgrid(at, at), -1).reshape(-1, 2)


def inputs_of(
    film: np.ndarray, places: np.ndarray, step: int = STEP, noise: float = 0.7
) -> list[dict[str, np.ndarray]]:
    """What the tracker gets: the network's points every `step` frames."""
    rng = np.random.default_rng(7)
    made = []
    for t, picture in enumerate(film):
        turn, shift = motion(t)
        rows = table(places @ turn.T + shift + rng.normal(0, noise, places.shape), sigma=noise)
        made.append({"points": rows if t % step == 0 else rows[:0], "image": picture})
    return made


def made(**settings: object) -> Tracker:
    return make_tracker("keypoints", {"refine": "template", "window": 15, **settings}, (SIZE, SIZE), FPS)


def fed(tracker: Tracker, inputs: list[dict[str, np.ndarray]], lengths: tuple[int, ...] = (), first: int = 0) -> Tracks:
    said, at = [], 0
    for n in (*lengths, len(inputs)):
        part = inputs[at : at + n]
        index = list(range(first + at, first + at + len(part)))
        said += tracker.update_batch(index, [k / FPS for k in index], part) if part else []
        at += n
    return join_tracks(said)


def errors(rows: Tracks, count: int) -> np.ndarray:
    """Of the way since the first frame, px (frames, points, 2)."""
    at = np.stack([rows["x"], rows["y"]], -1).reshape(-1, count, 2)
    turns = [motion(t) for t in range(len(at))]
    start = (at[0] - turns[0][1]) @ np.linalg.inv(turns[0][0]).T
    return np.array([one - (start @ turn.T + shift) for one, (turn, shift) in zip(at, turns, strict=True)])


@pytest.mark.parametrize("side", [3, 9], ids=["few", "many"])
def test_the_picture_tells_the_way_between_looks_of_the_network(film, side):
    count = side * side
    assert (count > FEW) == (side == 9)
    rows = fed(made(), inputs_of(film, grid(side)))
    assert np.array_equal(rows["track"].reshape(FRAMES, count), np.tile(np.arange(count), (FRAMES, 1)))
    assert (rows["state"][count:] == State.TRACKED).all()
    off = errors(rows, count)[1:]
    assert np.sqrt((off**2).sum(-1).mean()) < (0.05 if side == 3 else 0.03)
    sigma = rows["sigma"].astype(float).reshape(FRAMES, count, 1)[1:]
    assert 0.5 < ((off / sigma) ** 2).mean() < 2.0
    plain = fed(made(refine="none"), inputs_of(film, grid(side), 1))
    assert np.sqrt((errors(plain, count)[1:] ** 2).sum(-1).mean()) > 0.4


@pytest.mark.parametrize("side", [3, 9], ids=["few", "many"])
def test_bits_depend_neither_on_batches_nor_on_a_snapshot(film, side):
    given = inputs_of(film, grid(side))
    given[12]["points"] = given[12]["points"][1:]  # the network does not see a point once
    given[20]["points"]["x"] += 30  # and is wrong about all of them once
    whole = fed(made(), given).tobytes()
    assert fed(made(), given, (1, 2, 7, 3)).tobytes() == whole
    tracker = made()
    before = fed(tracker, given[:14])
    state = tracker.snapshot()
    other = made()
    other.restore(state)
    assert join_tracks([before, fed(other, given[14:], first=14)]).tobytes() == whole
    again = made()
    again.restore(state)
    assert join_tracks([before, fed(again, given[14:], (3, 1), first=14)]).tobytes() == whole


def test_a_point_that_the_network_sees_elsewhere_begins_anew_there(film):
    given = inputs_of(film, grid(3), 1)
    for one in given[10:]:
        one["points"]["x"][4] += 20
    rows = fed(made(), given)
    last = rows[rows["frame"] == FRAMES - 1]
    turn, shift = motion(FRAMES - 1)
    assert np.abs(last["x"] - (grid(3) @ turn.T + shift)[:, 0] - 20 * (np.arange(9) == 4)).max() < 3
    assert (last["track"] == np.arange(9)).all()


def test_without_the_network_tracks_end(film):
    """What it has not seen for `max_missed` frames nobody knows to be that point."""
    given = inputs_of(film, grid(3), FRAMES)
    rows = fed(made(max_missed=10), given)
    assert rows["frame"].max() == 11
    assert (rows["state"][-9:] == State.LOST).all()


def test_frames_that_cannot_be_read(film):
    given = inputs_of(film, grid(9))
    tracker = made()
    fed(tracker, given[:6])
    assert (tracker.skip(6, 6 / FPS)["state"] == State.PREDICTED).all()
    rows = fed(tracker, given[7:], first=7)
    assert (rows["state"] == State.TRACKED).all()


def test_a_picture_is_needed():
    with pytest.raises(DefinitionError, match="needs the input 'image' for refine"):
        made().update(0, 0.0, {"points": table(grid(3))})


def test_any_affine_motion_is_exact_and_one_window_is_a_shift():
    rng = np.random.default_rng(0)
    windows, places = rng.uniform(0, 100, (12, 2)), rng.uniform(-20, 120, (30, 2))
    linear, shift = rng.normal(0, 0.1, (2, 2)), np.array([3.0, -2.0])
    shares, weights = moving_least_squares(places, windows, 15.0, rng.uniform(0.5, 2, 12))
    assert np.allclose(shares @ (windows @ linear.T + shift), places @ linear.T + shift, atol=0.05)
    assert np.allclose(shares.sum(1), 1)
    assert (weights >= 0).all()
    shares, _ = moving_least_squares(places, windows[:1], 15.0, np.ones(1))
    assert np.allclose(shares, 1)
