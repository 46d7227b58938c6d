"""Corrections that are followed up by the real trackers, in a process beside a real engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from app.controller import run_clip
from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.engine.link import EngineLink
from app.desk.jobs.jobs import Jobs, JobState
from app.desk.services.corrector import Corrector
from app.desk.services.retracker import Retracker
from app.sources.reading import Reading
from kernels.errors import InputError
from pipelines.features import State, Tracks
from pipelines.frontend import Roi
from pipelines.measures import fields_of, plain
from tests.patience import PATIENCE

N, HEIGHT, WIDTH = 40, 72, 128


def _textured(rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Two textured squares that move on a dim ground; squares of 15 px whose centres are `centre(k, frame)`."""
    squares = rng.integers(60, 250, (2, 15, 15), np.uint8)
    frames = 20 + rng.integers(0, 6, (N, HEIGHT, WIDTH), np.uint8)
    for t in range(N):
        for k in range(2):
            x, y = centre(k, t)
            frames[t, y - 7 : y + 8, x - 7 : x + 8] = squares[k]
    return frames


def centre(k: int, frame: int) -> tuple[int, int]:
    """Where a square is."""
    return 20 + frame, 20 + 30 * k


class Desk:
    """A bench with all that corrects, over a real engine."""

    def __init__(self, link: EngineLink, clip: str, pipeline: str, settings: dict[str, object], roi: Roi | None = None):
        self.bench, self.jobs = Workbench(link), Jobs()
        self.corrector = Corrector(self.bench)
        self.retracker = Retracker(self.bench, self.corrector, self.jobs)
        self.bench.files.choose(pipeline)
        self.bench.editor.edit("set", self.bench.pipeline.with_settings(settings))
        self.bench.speed, self.bench.loop = None, False
        self.bench.open(clip, reading=Reading(fps=100.0), roi=roi)
        self.until(lambda: self.bench.opened is not None and self.bench.store.ranges == [(0, N - 1)])

    def until(self, good: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not good():
            assert time.monotonic() < end, [m.sentence for m in self.bench.messages]
            self.bench.tick()
            self.jobs.tick()
            time.sleep(0.01)

    def correct(self, track: int, frame: int, x: float, y: float) -> JobState:
        job = self.retracker.begin(track, frame, x, y)
        self.until(lambda: not job.running)
        return job.state

    def close(self) -> None:
        self.jobs.close()
        self.bench.close()
        self.until(lambda: self.bench.opened is None)


@pytest.fixture
def opened(link: EngineLink, tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    made: list[Desk] = []
    clip = str(tmp_path / "squares.npy")
    np.save(clip, _textured(np.random.default_rng(5)))

    def make(pipeline: str, settings: dict[str, object], roi: Roi | None = None) -> Desk:
        while made:  # one engine, one clip
            made.pop().close()
        made.append(Desk(link, clip, pipeline, settings, roi))
        return made[-1]

    yield make
    for desk in made:
        desk.close()


def _sorted(rows: Tracks) -> Tracks:
    return np.sort(rows, order=["frame", "track"])


def _same(one: Tracks, other: Tracks) -> None:
    """The same rows and measures; NaN, of rows set by hand, is NaN."""
    assert one.dtype == other.dtype
    for name in one.dtype.names or ():
        np.testing.assert_array_equal(_sorted(one)[name], _sorted(other)[name], err_msg=name)


PLACES = (centre(0, 0), centre(1, 0))
POINTS: dict[str, object] = {"track.points": PLACES, "track.window": 15, "track.search": 6}


@pytest.mark.parametrize("roi", [None, (8, 4, 112, 64)])
def test_what_follows_a_correction_is_what_the_tracker_finds_from_there(
    opened: Callable[..., Desk], tmp_path: Path, roi: Roi | None
) -> None:
    desk = opened("template", POINTS, roi)
    store = desk.bench.store
    before = store.all()
    x, y = centre(1, 15)
    assert desk.correct(0, 15, x, y) is JobState.DONE  # track 0 goes over to the other square
    after = store.all()
    np.testing.assert_array_equal(after[after["track"] == 1], before[before["track"] == 1])
    mine = store.track(0)
    np.testing.assert_array_equal(mine[mine["frame"] < 15], before[(before["track"] == 0) & (before["frame"] < 15)])
    settings = {**POINTS, "track.points": ((float(x), float(y), 15.0),)}
    alone = run_clip(tmp_path / "squares.npy", "template", settings=settings, out=tmp_path / "o", overlay=False,
                     fps=100.0, roi=roi).tracks  # fmt: skip
    found, late = _sorted(plain(alone)), plain(mine[mine["frame"] >= 15])
    np.testing.assert_allclose(found["anisotropy"], late["anisotropy"], atol=1e-6)
    found["anisotropy"] = late["anisotropy"]  # files hold sigma_x and sigma_y in its place, rounded
    np.testing.assert_array_equal(late, found)
    assert fields_of(mine) == fields_of(alone) == ("rotation", "scale")
    for name in fields_of(mine):
        np.testing.assert_allclose(mine[name][mine["frame"] >= 15], _sorted(alone)[name], rtol=1e-6, atol=1e-6)
        assert np.isfinite(mine[name][mine["frame"] > 15]).all()
    assert desk.corrector.corrections.hand_frames(0) == [15]
    desk.corrector.undo()
    np.testing.assert_array_equal(_sorted(store.all()), _sorted(before))
    desk.corrector.redo()
    np.testing.assert_array_equal(_sorted(store.all()), _sorted(after))


def test_it_is_kept_in_the_file_and_ends_where_the_track_was_set_by_hand_later(
    opened: Callable[..., Desk], tmp_path: Path
) -> None:
    desk = opened("template", POINTS)
    desk.corrector.move(0, 30, 99.0, 9.0)
    assert desk.correct(0, 15, *centre(1, 15)) is JobState.DONE
    mine = desk.bench.store.track(0)
    at = {int(row["frame"]): (float(row["x"]), float(row["y"])) for row in mine}
    assert at[30] == (99.0, 9.0)
    np.testing.assert_allclose(at[29], centre(1, 29), atol=0.2)
    np.testing.assert_allclose(at[31], centre(0, 31), atol=0.2)
    assert desk.corrector.corrections.hand_frames(0) == [15, 30]
    kept = desk.bench.store.all()
    again = opened("template", POINTS)
    _same(again.bench.store.all(), kept)


def test_corners_are_followed_from_where_they_were_put(opened: Callable[..., Desk]) -> None:
    desk = opened("corners", {"follow.max_points": 4})
    rows = desk.bench.store.all()
    track = int(rows["track"][0])
    others = rows[rows["track"] != track]
    x, y = centre(1, 10)
    assert desk.correct(track, 10, x + 0.3, y - 0.2) is JobState.DONE, desk.bench.messages
    after = desk.bench.store.all()
    np.testing.assert_array_equal(after[after["track"] != track], others)
    mine = desk.bench.store.track(track)
    mine = mine[mine["frame"] >= 10]
    assert mine["frame"].tolist() == list(range(10, N))
    assert (mine["state"] == State.TRACKED).all()
    expected = np.array([centre(1, t) for t in range(10, N)]) + (0.3, -0.2)
    np.testing.assert_allclose(np.stack((mine["x"], mine["y"]), 1), expected, atol=0.2)


def test_a_place_where_nothing_can_be_followed_is_refused_and_changes_nothing(opened: Callable[..., Desk]) -> None:
    desk = opened("template", POINTS)
    before = desk.bench.store.all()
    assert desk.correct(0, 15, 1.0, 1.0) is JobState.FAILED
    assert desk.bench.messages[-1].level is Level.ERROR
    assert "edge" in desk.bench.messages[-1].sentence
    assert desk.correct(0, N, 50.0, 20.0) is JobState.FAILED
    np.testing.assert_array_equal(desk.bench.store.all(), before)
    assert not desk.corrector.corrections.undo_words


def test_it_can_be_cancelled_and_goes_with_the_clip(opened: Callable[..., Desk]) -> None:
    desk = opened("template", POINTS)
    heard: list[str] = []
    desk.retracker.on(lambda: heard.append(desk.retracker.words))
    job = desk.retracker.begin(0, 15, *centre(1, 15))
    assert desk.retracker.words == "following 0"
    desk.retracker.cancel()
    desk.until(lambda: not job.running)
    assert heard[-1] == ""
    assert not desk.corrector.corrections.undo_words
    job = desk.retracker.begin(0, 15, *centre(1, 15))
    desk.bench.close()
    desk.until(lambda: desk.bench.opened is None and not job.running)
    assert not desk.retracker.following
    with pytest.raises(InputError, match="open a clip"):
        desk.retracker.begin(0, 15, 5, 5)


def _spots() -> npt.NDArray[np.uint8]:
    """Two bright spots that cross: one to the right, one to the left, 2 px apart in y."""
    frames = np.full((N, HEIGHT, WIDTH), 10, np.uint8)
    yy, xx = np.mgrid[:HEIGHT, :WIDTH]
    for t in range(N):
        for k in range(2):
            x, y = spot(k, t)
            light = 10 + 200 * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / 8)
            frames[t] = np.maximum(frames[t], light.astype(np.uint8))
    return frames


def spot(k: int, frame: int) -> tuple[float, float]:
    """Where a spot is."""
    return (24.0 + 2 * frame, 30.0) if k == 0 else (104.0 - 2 * frame, 40.0)


def test_blobs_are_linked_anew_from_the_one_that_was_meant(link: EngineLink, tmp_path: Path) -> None:
    clip = str(tmp_path / "spots.npy")
    np.save(clip, _spots())
    desk = Desk(link, clip, "blobs", {})
    try:
        rows = desk.bench.store.at(30)
        names = [int(rows["track"][np.argmin(np.hypot(rows["x"] - x, rows["y"] - y))])
                 for x, y in (spot(0, 30), spot(1, 30))]  # fmt: skip
        before = desk.bench.store.all()
        for near in (0.0, 1.4, 4.4):  # on the spot, beside it, and as people point
            x, y = spot(1, 25)
            assert desk.correct(names[0], 25, x + near, y) is JobState.DONE, desk.bench.messages
            mine = desk.bench.store.track(names[0])
            late = mine[mine["frame"] >= 25]
            assert late["frame"].tolist() == list(range(25, N))
            assert (late["state"] == State.TRACKED).all()
            np.testing.assert_allclose(late["x"], [spot(1, t)[0] for t in range(25, N)], atol=0.3)
            np.testing.assert_allclose(late["y"], 40.0, atol=0.3)
            theirs = before[(before["track"] == names[1]) & (before["frame"] > 25)]
            np.testing.assert_array_equal(late["area"][1:], theirs["area"])  # measured as what was followed by itself
            assert desk.bench.messages[-1].sentence.endswith("from frame 25 on, for 15 frames")
            after = desk.bench.store.all()
            others = after[after["track"] != names[0]]
            np.testing.assert_array_equal(others, before[before["track"] != names[0]])
            desk.corrector.undo()
        x, y = spot(1, 25)
        assert desk.correct(names[0], 25, x, y + 20.0) is JobState.FAILED  # nothing is there, then or later
        assert "none of the frames after" in desk.bench.messages[-1].sentence
        np.testing.assert_array_equal(_sorted(desk.bench.store.all()), _sorted(before))
    finally:
        desk.close()


def test_a_track_that_is_lost_again_is_said_to_be_so_with_the_frames_in_which_it_was_seen(
    link: EngineLink, tmp_path: Path
) -> None:
    frames = _spots()
    frames[32:] = 10  # everything goes
    clip = str(tmp_path / "gone.npy")
    np.save(clip, frames)
    desk = Desk(link, clip, "blobs", {"follow.max_missed": 3})
    try:
        rows = desk.bench.store.at(28)
        x, y = spot(1, 28)
        track = int(rows["track"][np.argmin(np.hypot(rows["x"] - x, rows["y"] - y))])
        assert desk.correct(track, 28, x, y) is JobState.DONE
        mine = desk.bench.store.track(track)
        lost = int(mine[mine["state"] == State.LOST]["frame"][-1])
        words = desk.bench.messages[-1].sentence
        assert words.endswith(f"from frame 28 on, for {lost - 28} frames, seen in 4; lost in frame {lost}")
    finally:
        desk.close()
