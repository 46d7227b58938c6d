"""Live runs: the tracks of a clip, every frame accounted for, changes at exact frames."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError, InputError
from pipelines.definition import library, loads
from pipelines.frame import FrameBatch, Result
from pipelines.streaming.common.changes import Change
from pipelines.streaming.common.states import RunState
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.tracking import PICTURE
from pipelines.streaming.live.ledger import BEHIND, PAUSED
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.clip.test_runner import SPOTS, Keep
from tests.pipelines.streaming.live.cameras import FakeCamera, RunTape, Tape
from tests.pipelines.streaming.live.live_runs import CLIP, WHOLE, Closing, gone, live, offline
from tests.shipped import UNFORESEEN, fixed


@pytest.mark.parametrize("options", [{}, {"batch": 1}, {"batch": 7}, {"roi": (3, 5, 40, 37)}, {"pictures": True}])
def test_a_live_run_gives_the_tracks_of_the_clip(options: dict[str, Any]) -> None:
    keep, tape = Keep(), RunTape()
    runner, report = live(FakeCamera(CLIP), [keep], recorder=tape, **options)
    assert (report.state, report.error, report.ledger.processed) == (RunState.STOPPED, "", len(CLIP))
    same = offline(**{key: value for key, value in options.items() if key != "batch"})
    assert [r.index for r in keep.results] == list(range(len(CLIP)))
    assert keep.tracks.tobytes() == same.tracks.tobytes()
    for a, b in zip(keep.results, same.results, strict=True):
        assert a.taps.keys() == b.taps.keys()
        assert all(a.taps[name].tobytes() == b.taps[name].tobytes() for name in a.taps)
    assert np.concatenate(tape.rows).tobytes() == same.tracks.tobytes()
    assert np.array_equal(np.stack(tape.pixels), CLIP)
    assert tape.times == [i / 1000 for i in range(len(CLIP))]
    assert tape.events == []
    last = runner.latest()
    assert last is not None
    assert (last.result.index, PICTURE in last.result.taps) == (len(CLIP) - 1, "pictures" in options)
    assert runner.latest() is None
    assert gone()


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(sorted(library())), st.integers(1, 20), st.integers(1, 40))
def test_every_shipped_pipeline_in_any_batches_and_takes(name: str, batch: int, most: int) -> None:
    begins = UNFORESEEN if name == "background-motion" else {}  # as where nothing is known beforehand
    keep, pipeline = Keep(), fixed(name).with_settings(begins)
    live(FakeCamera(CLIP[:24], most=most), [keep], pipeline=pipeline, batch=batch)
    assert keep.tracks.tobytes() == offline(CLIP[:24], pipeline).tracks.tobytes()


def test_one_thread_talks_to_the_camera() -> None:
    camera = FakeCamera(CLIP)
    live(camera)
    assert camera.threads == {"capture"}


@pytest.mark.parametrize("tape", [Tape(), RunTape()])
def test_a_ring_that_is_full_leaves_frames_out_by_name(tape: Tape) -> None:
    """The recorder has every frame; what is processed and what is named as left out is all, once."""

    class Slow(Keep):
        def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
            time.sleep(0.004)
            super().write(frames, results)

    slow, count = Slow(), 600
    camera = FakeCamera(CLIP, range(count), pace=0.0005)
    _, report = live(camera, [slow], recorder=tape, slots=12, latency=0.05, batch=2)
    ledger = report.ledger
    processed = [r.index for r in slow.results]
    left = [i for first, last in tape.unprocessed for i in range(first, last + 1)]
    assert sorted(processed + left) == list(range(count))
    assert (ledger.announced, ledger.processed, ledger.left_out) == (count, len(processed), len(left))
    assert ledger.reasons == {BEHIND: len(left)}
    assert len(left) > 50
    assert tape.ids == list(range(count))
    assert [(u.first, u.last) for u in ledger.unprocessed] == tape.unprocessed
    assert report.reading.depths["ring"].deepest <= 12
    rows = np.concatenate(tape.rows)
    assert set(rows["frame"]) <= set(processed)
    assert rows["time"].tolist() == [tape.times[i] for i in rows["frame"]]


def test_gaps_and_duplicates_are_counted_and_named() -> None:
    script = [0, 1, 2, 2, 3, 7, 8, 7, 8, 8, 9, 20, 20, 21]
    tape, keep = Tape(), Keep()
    _, report = live(FakeCamera(CLIP, script), [keep], recorder=tape)
    ledger = report.ledger
    assert tape.ids == [0, 1, 2, 3, 7, 8, 9, 20, 21]
    assert [r.index for r in keep.results] == list(range(9))
    assert [(g.sequence, g.first_id, g.last_id) for g in ledger.gaps] == [(4, 4, 6), (7, 10, 19)]
    assert (ledger.missing, ledger.duplicates, ledger.duplicate_ids) == (13, 5, [2, 7, 8, 8, 20])
    assert [e["camera_id"] for e in tape.named("duplicate")] == [2, 7, 8, 8, 20]
    assert [e["frame"] for e in tape.named("duplicate")] == [3, 6, 6, 6, 8]
    assert [(t.sequence, round(t.seconds, 6)) for t in ledger.slow_steps] == [(4, 0.004), (7, 0.011)]
    np.testing.assert_allclose(tape.times, [i / 1000 for i in tape.ids])
    assert all(np.array_equal(p, CLIP[i % len(CLIP)]) for p, i in zip(tape.pixels, tape.ids, strict=True))


def test_a_frame_that_comes_late_is_no_repetition() -> None:
    """It is neither announced nor missing: counted and named by itself; when it comes once more, it comes again."""
    script = [0, 1, 3, 2, 4, 8, 6, 6, 5, 9, 1]
    tape = Tape()
    _, report = live(FakeCamera(CLIP, script), recorder=tape)
    ledger = report.ledger
    assert tape.ids == [0, 1, 3, 4, 8, 9]
    assert (ledger.late, ledger.late_ids) == (3, [2, 6, 5])
    assert (ledger.duplicates, ledger.duplicate_ids) == (2, [6, 1])
    assert ledger.missing == 1  # 7
    assert [(g.first_id, g.last_id) for g in ledger.gaps] == [(2, 2), (5, 7)]
    assert [(e["camera_id"], e["frame"]) for e in tape.named("late")] == [(2, 3), (6, 5), (5, 5)]
    assert [(e["camera_id"], e["frame"]) for e in tape.named("duplicate")] == [(6, 5), (1, 6)]
    assert ledger.facts()["late_ids"] == [2, 6, 5]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=80), st.integers(1, 9))
def test_any_numbers(steps: list[int], most: int) -> None:
    """Steps of 0 are duplicates, of more than 1 gaps; a plain loop is the oracle."""
    script = np.cumsum([0, *steps]).tolist()
    tape = RunTape()
    _, report = live(FakeCamera(CLIP, script, most=most), recorder=tape)
    assert tape.ids == sorted(set(script))
    assert report.ledger.duplicates == len(script) - len(set(script))
    assert report.ledger.missing == script[-1] + 1 - len(set(script))


def test_a_camera_without_numbers_and_clock_is_timed_by_the_host() -> None:
    tape = Tape()
    _, report = live(FakeCamera(CLIP, range(30), numbers=False, clock=False), recorder=tape)
    assert (report.ledger.announced, report.ledger.missing, report.ledger.duplicates) == (30, 0, 0)
    assert tape.times[0] == 0.0
    assert (np.diff(tape.times) >= 0).all()


class Late(FakeCamera):
    """Knows its size only once it is started."""

    def __init__(self) -> None:
        super().__init__(CLIP)
        self.true, self.info = self.info, MemoryClip(moving_spots(1, 20)).info

    def start(self) -> None:
        super().start()
        self.info = self.true


def test_a_camera_that_knows_its_size_late_is_prepared_for_again() -> None:
    keep, camera = Keep(), Late()
    live(camera, [keep])
    assert keep.tracks.tobytes() == offline().tracks.tobytes()
    assert camera.threads == {"capture"}
    runner = LiveRunner(Late(), loads(SPOTS), options=LiveOptions(**WHOLE), recorder=Tape())
    with pytest.raises(InputError, match="fake delivers 48x48 u8 at 1000 fps, not 20x20 u8 at 1000 fps as it said"):
        runner.start()


def test_a_slow_step_of_the_clock_is_named_where_a_camera_has_no_numbers() -> None:
    tape = Tape()
    _, report = live(FakeCamera(CLIP, [0, 1, 2, 6, 7], numbers=False), recorder=tape)
    assert [(t.sequence, t.seconds) for t in report.ledger.slow_steps] == [(3, 0.004)]
    assert tape.events == [{"kind": "time gap", "frame": 3, "seconds": 0.004}]
    assert report.ledger.facts()["time_gaps"] == 1


def test_pause_leaves_frames_out_and_records_them() -> None:
    tape, keep = Tape(), Keep()
    steps = {"pause": 20, "resume": 50}
    runner: LiveRunner

    def pause() -> None:
        runner.pause()

    def resume() -> None:
        runner.resume()

    script: list[Any] = list(range(80))
    script.insert(steps["resume"], resume)
    script.insert(steps["pause"], pause)
    states: list[RunState] = []
    runner = LiveRunner(
        FakeCamera(CLIP, script), loads(SPOTS), [keep], LiveOptions(**WHOLE), recorder=tape, on_state=states.append
    )
    runner.start()
    report = runner.wait(PATIENCE)
    assert report is not None
    assert tape.ids == list(range(80))
    assert [r.index for r in keep.results] == [*range(20), *range(50, 80)]
    assert tape.unprocessed == [(20, 49)]
    assert report.ledger.reasons == {PAUSED: 30}
    assert [s for s in states if s in (RunState.PAUSED, RunState.RUNNING)] == [
        RunState.RUNNING, RunState.PAUSED, RunState.RUNNING]  # fmt: skip


def test_so_many_frames_and_no_more() -> None:
    camera, keep = FakeCamera(CLIP, range(10_000)), Keep()
    _, report = live(camera, [keep], frames=33)
    assert (report.ledger.announced, len(keep.results)) == (33, 33)
    assert camera.stopped


def test_stop_finishes_what_was_taken() -> None:
    keep = Keep()
    camera = FakeCamera(CLIP, range(100_000), pace=0.002)
    runner = LiveRunner(camera, loads(SPOTS), [keep], LiveOptions(**WHOLE))
    runner.start()
    assert runner.latest(PATIENCE) is not None
    report = runner.stop(PATIENCE)
    assert report is not None
    assert report.state is RunState.STOPPED
    assert report.ledger.left_out == 0
    assert report.ledger.processed == report.ledger.announced == len(keep.results) > 0
    assert runner.stop(1) is report


def test_a_run_that_never_began_can_be_stopped() -> None:
    sink = Closing()
    report = LiveRunner(FakeCamera(CLIP), loads(SPOTS), [sink], LiveOptions(**WHOLE)).stop(1)
    assert report is not None
    assert (report.state, report.ledger.announced, sink.closed) == (RunState.STOPPED, 0, 1)


def test_bad_changes_are_refused_at_once() -> None:
    runner = LiveRunner(FakeCamera(CLIP), loads(SPOTS), options=LiveOptions(**WHOLE))
    for node, param, value, said in (
        ("nope", "level", 1, "no node"), ("bright", "nope", 1, "no parameter"), ("slow", "alpha", 7, "outside"),
        ("follow", "gate", -1, "outside"), ("smooth", "sigma", -1.0, "outside"),
    ):  # fmt: skip
        with pytest.raises(DefinitionError, match=said):
            runner.set_param(node, param, value)
    with pytest.raises(DefinitionError, match="no node"):
        LiveRunner(
            FakeCamera(CLIP), loads(SPOTS), options=LiveOptions(**WHOLE), changes=[Change(3, "nope", "level", 1)]
        ).prepare()


def test_an_overloaded_run_names_what_the_engine_gave_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow from some frame on, it gives up what waits for too long: every frame is processed or named, once."""
    given_up: list[int] = []

    class Noted(LiveRunner):
        def gives_up(self, frames: Any) -> None:
            given_up.extend(frames.tolist())
            super().gives_up(frames)

    submit = Engine.submit

    def slow(self: Engine, batch: FrameBatch) -> Any:
        time.sleep((0.002 if batch.indices[0] < 500 else 0.02) * len(batch))
        return submit(self, batch)

    monkeypatch.setattr(Engine, "submit", slow)
    tape, keep = Tape(), Keep()
    camera = FakeCamera(CLIP, list(range(1500)), pace=0.001, most=64)
    runner = Noted(camera, loads(SPOTS), [keep], LiveOptions(latency=0.1, device="cpu"), recorder=tape)
    runner.start()
    report = runner.wait(PATIENCE)
    assert report is not None
    report.ledger.check(ended=True)
    named = [k for first, last in tape.unprocessed for k in range(first, last + 1)]
    assert sorted(named + [r.index for r in keep.results]) == list(range(1500))
    assert given_up
    assert set(given_up) < set(named)
