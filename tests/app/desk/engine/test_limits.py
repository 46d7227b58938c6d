"""What is said to limit a run, from readings whose limit is known."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from app.desk.engine.limits import Weight, Work, what_limits
from app.desk.engine.reports import Measured
from app.desk.engine.throughput import Throughput, look, same_run
from app.frame_counts import FrameCounts
from app.sources.opening import open_source
from pipelines.frame import SourceInfo, TimeBase
from pipelines.streaming.common.meter import MeterReading
from tests.app.desk.readings import clip_readings, live_readings

CLIP = Path(__file__).parents[4] / "sample_videos" / "vortex_600fps.avi"


@pytest.fixture(scope="module")
def clip() -> SourceInfo:
    source = open_source(CLIP)
    source.close()
    return source.info


@pytest.fixture
def camera(clip: SourceInfo) -> SourceInfo:
    return replace(clip, kind="camera", frames=0, time=TimeBase(1000.0, "scene", ""))


def test_rates_costs_and_queues_are_those_of_the_last_seconds() -> None:
    seen = look(live_readings(recording=True, missing=2))
    assert {s.name: round(s.now) for s in seen.speeds} == {
        "captured": 1000, "stages": 1000, "processed": 1000, "recorded": 1000, "shown": 32}  # fmt: skip
    assert [(c.name, c.kind) for c in seen.costs] == [
        ("gray+smooth+dog", "program"), ("label", "program"), ("tracking", "track"), ("writing", "write")]  # fmt: skip
    assert seen.cost("program") == pytest.approx(0.0005)
    assert seen.cost("track") == pytest.approx(0.0004)
    assert seen.counts == FrameCounts(10_000, 10_000, {}, 80)
    assert seen.counts.announced == 10_080
    assert seen.recent == FrameCounts(3000, 3000, {}, 24)  # 3 s are 12 readings
    assert seen.disk is not None
    assert seen.disk.bytes_a_second == pytest.approx(262_144 * 1000)
    assert set(seen.queues) == {"pipeline", "tracking", "disk"}


def test_a_recording_that_just_began_has_no_rate_yet_and_what_was_before_it_counts_for_nothing() -> None:
    readings = live_readings(recording=True)
    assert readings[-1].recording is not None
    young = [replace(m, recording=None) if k < len(readings) - 3 else m for k, m in enumerate(readings)]
    disk = look(young).disk
    assert disk is not None
    assert math.isnan(disk.bytes_a_second), "not 0 beside thousands of frames"
    older = [replace(m, recording=None) if k < len(readings) - 8 else m for k, m in enumerate(readings)]
    disk = look(older).disk
    assert disk is not None
    assert disk.bytes_a_second == pytest.approx(262_144 * 1000)


def test_a_new_run_forgets_the_one_before() -> None:
    first, second = live_readings(30), live_readings(4)
    assert list(same_run([*first, *second])) == second
    assert look([*first, *second]).speed("captured") == pytest.approx(1000)
    assert look([]) == Throughput()


def test_tracking_that_is_too_slow_is_named_with_numbers(camera: SourceInfo) -> None:
    costs = {"gray": 0.0003, "track": 0.0014}
    (worst, *_) = what_limits(look(live_readings(costs=costs, behind=70)), camera, True)
    assert (worst.weight, worst.hop) == (Weight.LOSS, "tracking")
    assert "tracking takes 1.4 ms a frame, the camera gives one each 1 ms, 840 frames were left out" in worst.words
    assert "fewer points" in worst.advice


def test_what_is_left_out_is_not_lost() -> None:
    seen = look(live_readings(behind=10, dropped=1, missing=2, recording=True))
    assert seen.counts.left_out == {"the engine was behind": 400}
    assert seen.counts.lost == {"never came from the camera": 80, "found no room before the disk": 40}
    assert (seen.counts.all_left_out, seen.counts.all_lost) == (400, 120)
    assert seen.counts.captured == seen.counts.processed + seen.counts.all_left_out


def test_the_costliest_program_is_named(camera: SourceInfo) -> None:
    costs = {"gray": 0.0001, "smooth+median": 0.0011, "track": 0.0004}
    (worst, *_) = what_limits(look(live_readings(costs=costs)), camera, True)
    assert (worst.weight, worst.hop) == (Weight.LIMIT, "the pipeline")
    assert "1.2 ms a frame" in worst.words
    assert "most of it is smooth + median" in worst.advice
    assert "GPU" in worst.advice
    (on_gpu, *_) = what_limits(look(live_readings(costs=costs)), camera, True, device="cuda:0")
    assert "GPU" not in on_gpu.advice


def test_a_network_that_is_too_slow_says_by_how_much_and_what_would_help(camera: SourceInfo) -> None:
    work = Work(("heat", "other"), {"gray+heat/conv_0": 0.002, "heat/conv_1+heat": 0.0005})
    costs = {"gray+heat/conv_0": 0.0027, "heat/conv_1+heat": 0.0005, "label": 0.0002, "track": 0.0001}
    (worst, *_) = what_limits(look(live_readings(costs=costs, behind=160)), camera, True, work=work)
    assert (worst.weight, worst.hop) == (Weight.LOSS, "the pipeline")
    assert worst.advice == (
        "most of it is the network heat, 3.2 ms (2.5 ms by the plan), 4 times the 0.8 ms that are left for it: it "
        "would keep up with an input whose sides are about 0.5 times as long, or at every 4th frame alone; what also "
        "helps: an int8 model, if it is none yet, or a GPU")  # fmt: skip
    near = {"heat/conv_1+heat": 0.0009, "track": 0.0001}
    (worst, *_) = what_limits(look(live_readings(costs=near)), camera, True, device="cuda:0", work=work)
    assert worst.weight is Weight.NEAR
    assert worst.advice.startswith("most of it is the network heat, 0.9 ms (0.5 ms by the plan); a smaller input")
    (worst, *_) = what_limits(look(live_readings(costs={"smooth": 0.003, "heat": 0.001})), camera, True, work=work)
    assert "network" not in worst.advice


def test_a_hop_that_is_nearly_too_slow_is_said_before_it_is(camera: SourceInfo) -> None:
    (worst, *_) = what_limits(look(live_readings(costs={"gray": 0.00085, "track": 0.0001})), camera, True)
    assert (worst.weight, worst.hop) == (Weight.NEAR, "the pipeline")
    assert "85%" in worst.words


def test_a_run_at_its_ease_is_limited_by_the_camera(camera: SourceInfo) -> None:
    (only,) = what_limits(look(live_readings()), camera, True)
    assert (only.weight, only.hop) == (Weight.FINE, "camera")
    assert "1000 frames/s" in only.words
    assert "the pipeline is the busiest hop with 50% and would follow up to 2000" in only.words


def test_lost_frames_and_slow_cameras(camera: SourceInfo) -> None:
    (worst, *_) = what_limits(look(live_readings(missing=5)), camera, True)
    assert (worst.weight, worst.hop) == (Weight.LOSS, "camera")
    assert "60 frames were lost" in worst.words
    (worst, *_) = what_limits(look(live_readings(fps=700)), camera, True)
    assert "700 of the 1000 frames/s" in worst.words


def test_a_disk_that_is_behind_or_nearly_full(camera: SourceInfo) -> None:
    found = what_limits(look(live_readings(recording=True, waiting=200)), camera, True)
    assert (found[0].weight, found[0].hop) == (Weight.LIMIT, "disk")
    assert "200 of 256 frames wait" in found[0].words
    found = what_limits(look(live_readings(recording=True, dropped=3)), camera, True)
    assert found[0].weight is Weight.LOSS
    assert "120 frames were lost" in found[0].words
    late = [replace(m, recording=replace(m.recording, seconds_left=20.0)) for m in live_readings(recording=True)
            if m.recording is not None]  # fmt: skip
    assert "full in 20 s" in what_limits(look(late), camera, True)[0].words


def test_clips_are_limited_by_their_speed_or_by_the_work(clip: SourceInfo) -> None:
    seen = look(clip_readings(fps=60))
    (only,) = what_limits(seen, clip, False, speed=0.1)
    assert (only.weight, only.hop) == (Weight.FINE, "speed")
    assert "60 frames/s; as fast as it goes would be up to 455" in only.words
    (only,) = what_limits(look(clip_readings(fps=400)), clip, False, speed=None)
    assert only.hop == "tracking"
    assert "1.2 ms of the 2.5 ms a frame" in only.words
    (only,) = what_limits(look(clip_readings(fps=100)), clip, False, speed=None)
    assert only.hop == "reading"
    (only,) = what_limits(look(clip_readings(fps=400)), clip, False, speed=1.0)
    assert only.hop == "tracking"


def test_a_clip_that_stands_still_is_limited_by_nothing(clip: SourceInfo) -> None:
    seen = look(clip_readings(fps=4))
    (only,) = what_limits(seen, clip, False, speed=None, paused=True)
    assert (only.weight, only.words) == (Weight.FINE, "paused; a frame took 2.2 ms without reading")
    assert what_limits(Throughput(), clip, False, paused=True)[0].words == "no frame has come yet"


def test_nobody_is_told_to_export_what_is_read_as_it_lies(clip: SourceInfo) -> None:
    seen = look(clip_readings(fps=100))
    video, array = (what_limits(seen, replace(clip, name=name), False, speed=None)[0] for name in ("a.mp4", "a.NPY"))
    assert ".npy" in video.advice
    assert ".npy" not in array.advice


def test_there_is_always_an_answer(clip: SourceInfo, camera: SourceInfo) -> None:
    assert what_limits(Throughput(), None, False)[0].words == "nothing is open"
    assert what_limits(Throughput(), clip, False)[0].words == "no frame has come yet"
    bare = look([Measured(MeterReading(1.0))])
    assert what_limits(bare, camera, True)[0].words == "no frame has come yet"
    assert "sets the pace" in what_limits(look(live_readings(costs={})), camera, True)[0].words
