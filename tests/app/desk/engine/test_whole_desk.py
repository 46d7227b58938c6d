"""What a user does with tracks, over one real engine: rates, ranges, problems, merging, spectra, several trackers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.desk.bench.workbench import Workbench
from app.desk.engine.link import EngineLink
from app.desk.jobs.jobs import Jobs
from app.desk.pipeline import editing
from app.desk.services.corrector import Corrector
from app.desk.services.retracker import Retracker
from app.desk.tracks.calibration import Calibration
from app.desk.tracks.motions import make
from app.desk.tracks.owners import owner
from app.desk.tracks.problems import Kind, find_problems
from app.desk.tracks.signals import Quantity, spectrum
from app.desk.tracks.spectra import noise_floor
from app.sources.reading import Reading
from pipelines.features import State
from pipelines.streaming.common.states import RunState
from tests.app.desk.engine.conftest import until
from tests.track_summaries import summaries

N, HEIGHT, WIDTH, RATE = 60, 64, 96, 200.0
GONE, JUMP = 30, 45


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Three soft spots on a dim ground: one stays, one is gone from GONE on, one is elsewhere from JUMP on."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    frames = np.random.default_rng(2).normal(20, 1, (N, HEIGHT, WIDTH))
    for t in range(N):
        places = [(20 + 0.5 * t, 15.0), (20.0, 34.0), (70.0 + (5.0 if t >= JUMP else 0.0), 52.0)]
        for k, (cx, cy) in enumerate(places):
            if k != 1 or t < GONE:
                frames[t] += 180 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * 1.8**2))
    path = tmp_path_factory.mktemp("clip") / "spots.npy"
    np.save(path, np.clip(frames, 0, 255).astype(np.uint8))
    return str(path)


@pytest.fixture
def bench(link: EngineLink) -> Iterator[Workbench]:
    made = Workbench(link)
    made.speed, made.loop = None, False
    yield made
    made.close()
    if made.opened is not None:
        until(made, lambda: made.opened is None)


def played(bench: Workbench, clip: str, fps: float | None = RATE) -> None:
    bench.open(clip, reading=Reading(fps=fps))
    until(bench, lambda: bench.opened is not None and bench.store.ranges == [(0, bench.opened.info.frames - 1)])


def test_the_rate_that_was_given_is_that_of_the_rows_and_ranges_are_kept(bench: Workbench, clip: str) -> None:
    bench.files.choose("blobs")
    played(bench, clip)
    rows = bench.store.all()
    np.testing.assert_allclose(rows["time"], rows["frame"] / RATE)
    bench.player.set_range(10, 20)
    bench.player.seek(3)
    until(bench, lambda: bench.shown is not None and bench.shown.frame == 10)
    bench.player.play()
    until(bench, lambda: bench.state is RunState.PAUSED and bench.position == 19)
    bench.player.set_loop(True)
    bench.player.play()
    seen = set()
    for _ in range(100):
        bench.tick()
        seen.add(bench.position)
        time.sleep(0.002)
    assert min(seen) >= 10
    assert max(seen) < 20
    bench.player.pause()
    bench.open(clip, reading=Reading(fps=50.0))  # asked for again: all times are others
    until(bench, lambda: bench.store.known(5) and bench.info is not None and bench.info.time.fps == 50.0)
    rows = bench.store.at(5)
    np.testing.assert_allclose(rows["time"], 0.1)


def test_undo_and_a_jump_leave_rows_of_what_holds_alone(bench: Workbench, clip: str) -> None:
    bench.files.choose("blobs")
    played(bench, clip)
    right = {frame: bench.store.at(frame).tobytes() for frame in range(N)}
    bench.loop = True
    for frame in (0, 25, 0):
        bench.editor.set_param("bright", "level", 0.9)
        until(bench, lambda: bench.store.ranges == [(N - 1, N - 1)])  # the frame that stands still alone
        built = bench.built
        bench.editor.undo()
        bench.player.seek(frame)
        bench.player.play()
        until(bench, lambda first=frame: bench.store.ranges == [(first, N - 1)])  # type: ignore[misc]
        until(bench, lambda: bench.state is RunState.PAUSED and bench.position == N - 1)
        assert bench.built is built, "a live parameter compiles nothing on its way back"
        bench.player.seek(0)
        until(bench, lambda: bench.position == 0 and bench.state is RunState.PAUSED)
        bench.player.play()
        until(bench, lambda: bench.position == N - 1 and bench.state is RunState.PAUSED)
        until(bench, lambda: bench.store.ranges == [(0, N - 1)])  # rows come when they come
        assert {k: bench.store.at(k).tobytes() for k in range(N)} == right


def test_problems_merges_and_splits_of_real_tracks(bench: Workbench, clip: str) -> None:
    corrector = Corrector(bench)
    bench.files.choose("blobs")
    bench.editor.set_param("follow", "leave", 2.0)  # what leaves is not waited for
    bench.editor.set_param("follow", "max_missed", 3)
    played(bench, clip)
    found = find_problems(bench.store.all())
    lost = [one for one in found if one.kind is Kind.LOST]
    gone = [s for s in summaries(bench.store) if s.state is State.LOST and s.seen > 20]
    assert {one.track for one in lost} >= {s.track for s in gone} != set()
    stays = max(summaries(bench.store), key=lambda s: s.seen).track
    before = bench.store.all()
    new = corrector.split(stays, 20)
    rows = bench.store.all()
    assert set(rows["frame"][rows["track"] == new]) == set(range(20, N))
    assert rows["frame"][rows["track"] == stays].max() == 19
    corrector.merge([stays, new])
    after = bench.store.all()
    assert "area" in (after.dtype.names or ())
    assert np.sort(after, order=["frame", "track"]).tobytes() == np.sort(before, order=["frame", "track"]).tobytes()


def test_trackers_keep_their_ids_apart_after_a_change_of_the_pipeline(bench: Workbench, clip: str) -> None:
    bench.files.choose("blobs")
    played(bench, clip)
    bench.player.seek(N // 2)
    until(bench, lambda: bench.shown is not None and bench.shown.frame == N // 2)
    built = bench.built
    bench.editor.edit("another tracker", editing.add_tracker(
        bench.pipeline, "vibration", editing.tracker_inputs(bench.pipeline, "vibration")))
    until(bench, lambda: bench.built is not built and bench.store.known(N // 2))
    first, second = (one.id for one in bench.pipeline.trackers)
    bench.player.play()
    until(bench, lambda: bench.store.ranges == [(N // 2, N - 1)])
    by = {track: owner(bench.owners, track) for track in np.unique(bench.store.all()["track"]).tolist()}
    assert set(by.values()) == {first, second}
    spots = {track for track, name in by.items() if name == first}
    assert len(spots) <= 5  # those that are seen by the tracker of spots
    followers = Retracker(bench, Corrector(bench), Jobs())
    places = {track: followers._tracker_of(track) for track in by}
    assert places == {track: int(name == second) for track, name in by.items()}
    bench.editor.edit("one tracker less", editing.remove(bench.pipeline, first))
    assert {followers._tracker_of(track) for track, name in by.items() if name == second} == {0}


def test_a_swing_stands_above_the_noise_that_the_tracker_measured(bench: Workbench, tmp_path: Path) -> None:
    frames, at, rate = 512, 31.25, 500.0
    y, x = np.mgrid[:48, :48]
    rng = np.random.default_rng(6)
    moved = x[None] - 0.2 * np.sin(2 * np.pi * at * np.arange(frames) / rate)[:, None, None]
    pictures = 120 + 40 * np.sin(0.7 * moved) + 40 * np.sin(0.55 * y[None] + 0.3 * moved)
    np.save(tmp_path / "plate.npy", np.clip(pictures + rng.normal(0, 2, pictures.shape), 0, 255).astype(np.uint8))
    bench.files.choose("vibration")
    node = bench.pipeline.trackers[0].id
    bench.editor.edit("points", bench.pipeline.with_settings({f"{node}.points": ((24.0, 24.0),)}))
    played(bench, str(tmp_path / "plate.npy"), rate)
    until(bench, lambda: bool(bench.tables))
    (track,) = np.unique(bench.store.all()["track"]).tolist()
    made = spectrum(make(Quantity.X, [bench.store.track(track)], Calibration()), welch=3)
    peak, amplitude = made.peak()
    assert peak == pytest.approx(at, abs=0.5)
    assert amplitude == pytest.approx(0.2, rel=0.05)
    floor = noise_floor(bench.tables, track, Quantity.X, Calibration())
    assert floor is not None
    frequency, density = floor
    assert frequency[-1] == pytest.approx(rate / 2)
    quiet = (made.frequency > 100) & (made.frequency < 240)
    measured = np.median(np.interp(made.frequency[quiet], frequency, density))
    assert 0.3 < np.median(made.density[quiet]) / measured < 3
    assert made.density.max() > 100 * measured
