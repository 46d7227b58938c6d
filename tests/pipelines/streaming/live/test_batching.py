"""How many frames are in hand, with a clock of the test's own: no thread, no machine that is busy with other things."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from kernels.ir.image import U8, U16, ImageType
from pipelines.frame import FrameBatch, PixelFormat, SourceInfo, TimeBase
from pipelines.streaming.engine.building import Order, build
from pipelines.streaming.engine.tracking import Tracking
from pipelines.streaming.engine.warming import LEAST, warm
from pipelines.streaming.live.batching import BatchLength
from pipelines.streaming.live.live_runner import FIRST_BATCHES
from pipelines.streaming.live.ring import Ring
from tests.shipped import fixed

LATENCY = 0.25


def run(
    fps: float, speed: float | Callable[[float], float], seconds: float = 4.0, *, rate: float = 0.0, seen: bool = False,
    late: Sequence[float] = (),
) -> tuple[list[tuple[float, float]], int]:  # fmt: skip
    """(when it was captured, how long it took) of each processed frame, and how many were left out, of a camera of
    `fps` and an engine that takes `speed` frames a second (or so many at a time), `rate` in a trial, and `late` seconds
    more for each of the first batches."""
    length = BatchLength(LATENCY, max(32, int(fps * LATENCY)), 64, fps, None, rate, seen)
    speed_at = speed if callable(speed) else lambda _: speed
    limit = length.limit if rate else min(length.limit, FIRST_BATCHES * length.wanted)
    more = list(late)
    waiting: list[float] = []
    done: list[tuple[float, float]] = []
    now, number, left_out = 0.0, 0, 0
    frames = int(fps * seconds)
    while number < frames or waiting:
        if len(waiting) < length.wanted and number < frames and not (waiting and now - waiting[0] >= length.patience):
            now = max(now, number / fps)
            waiting.append(number / fps)
            number += 1
            continue
        fresh = [captured for captured in waiting if captured >= now - length.too_old]
        left_out += len(waiting) - len(fresh)
        batch, waiting = fresh[: length.wanted], fresh[length.wanted :]
        if not batch:
            continue
        busy = len(batch) / speed_at(now) + (more.pop(0) if more else 0.0)
        now += busy
        while number < frames and number / fps <= now:
            if len(waiting) + len(batch) < limit:
                waiting.append(number / fps)
            else:
                left_out += 1
            number += 1
        done += [(captured, now - captured) for captured in batch]
        length.done(len(batch), busy, len(waiting), now - batch[0], busy)
        limit = length.limit
    return done, left_out


@pytest.mark.parametrize(("fps", "speed"), [(1000, 50), (1000, 90), (1000, 300), (1000, 500), (500, 70), (200, 40)])
def test_an_overload_from_the_first_frame_is_over_within_a_second(fps: float, speed: float) -> None:
    """What had come before the speed was known is worked off; then the latency holds, and the engine does not idle."""
    done, left_out = run(fps, speed)
    assert len(done) + left_out == 4 * fps
    assert max(seconds for captured, seconds in done if captured > 1.0) <= LATENCY
    assert max(seconds for _, seconds in done) < 2 * LATENCY + 64 / speed
    assert len(done) > 0.95 * 4 * speed


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("slower", "off"), [(0.0, 1.0), (0.35, 1.0), (0.5, 1.0), (0.35, 3.0)])
def test_an_overload_is_within_the_latency_but_for_a_hundredth(seed: int, slower: float, off: float) -> None:
    """Whatever else the machine does: the engine's speed changes every .2 to 1 s, by a third or a half either way, and
    the trial may have been three times too fast. It does not idle for that."""
    rng = np.random.default_rng(seed)
    ends = np.cumsum(rng.uniform(0.2, 1.0, 100))
    speeds = 350.0 * rng.choice([1 - slower, 1.0, 1 + slower], 100)

    def speed(now: float) -> float:
        return float(speeds[np.searchsorted(ends, now)])

    done, left_out = run(700, speed, 20.0, rate=350.0 * off, seen=True)
    assert len(done) + left_out == 14_000
    assert np.percentile([seconds for _, seconds in done], 99) <= LATENCY
    possible = sum(speed(now) * 0.01 for now in np.arange(0.0, 20.0, 0.01))
    assert len(done) > 0.95 * min(possible, 14_000)


def test_an_engine_that_is_fast_enough_leaves_nothing_out() -> None:
    done, left_out = run(1000, 1500)
    assert left_out == 0
    assert max(seconds for _, seconds in done) < 0.1


@pytest.mark.parametrize("late", [(0.15,), (0.0, 0.0, 0.0, 0.15), (0.03, 0.06, 0.02), (0.02,) * 6])
@pytest.mark.parametrize("rate", [600.0, 1400.0, 5000.0])
def test_nothing_is_left_out_while_threads_wake_up(rate: float, late: Sequence[float]) -> None:
    """A pipeline that keeps up, by a trial that may have been disturbed, loses no frame because its first batches take
    several times as long as the rest, as long as that is no longer than the latency."""
    done, left_out = run(1000, 1500, rate=rate, late=late)
    assert left_out == 0
    assert max(seconds for _, seconds in done) <= LATENCY


@pytest.mark.parametrize("speed", [250, 400, 500, 900])
@pytest.mark.parametrize("off", [0.5, 1.0, 2.0, 4.0])
def test_an_overload_that_was_tried_is_over_within_a_second(speed: float, off: float) -> None:
    """Also where the trial was wrong by a factor."""
    done, left_out = run(1000, speed, rate=off * speed)
    assert len(done) + left_out == 4000
    assert max(seconds for captured, seconds in done if captured > 1.0) <= LATENCY
    assert max(seconds for _, seconds in done) <= LATENCY * max(1.0, 1000 / speed) + 2 * 64 / speed
    assert len(done) > 0.95 * 4 * speed


def test_a_trial_that_cannot_keep_up_begins_with_what_is_through_in_time() -> None:
    assert BatchLength(LATENCY, 250, 64, 1000.0, None, 300.0).limit == int(LATENCY * 300)
    assert BatchLength(LATENCY, 250, 64, 1000.0, None, 500.0).limit == 250


def test_one_disturbed_batch_at_the_start_costs_nothing() -> None:
    """A first batch that takes six times as long as the others is not believed alone."""
    length = BatchLength(LATENCY, 250, 64, 1000.0)
    length.done(16, 0.048, 48)  # 333 frames/s
    assert length.limit >= 64
    for _ in range(6):
        length.done(16, 0.008, 0)  # 2000
    assert length.limit == 250


@pytest.mark.parametrize("form", [
    PixelFormat("mono", 8), PixelFormat("mono", 12), PixelFormat("mono", 12, shift=4), PixelFormat("mono", 12, "msb12"),
    PixelFormat("mono", 10, "msb10", lut=tuple(k * k // 1023 for k in range(1024))),
    PixelFormat("rgb", 8), PixelFormat("rggb", 8),
])  # fmt: skip
def test_a_trial_finds_spots_and_leaves_no_trace(form: PixelFormat) -> None:
    """Stages behind the detector are tried, too, on pictures of every spelling; then the first frame is the first."""
    width = 128 if form.packing == "none" else 128 * form.bits // 8
    dtype = U8 if form.bits == 8 or form.packing != "none" else U16
    image = ImageType(dtype, 96, width, 3 if form.color == "rgb" else 1, 0)
    info = SourceInfo("made", "made", 128, 96, 4, image, form, TimeBase(1000.0, "header", ""))
    order = Order(info, "cpu", batch=4)
    built = build(fixed("blobs"), order)
    seen: list[int] = []
    step = built.engine.step

    def noted(batch: FrameBatch) -> Any:
        tapped = step(batch)
        seen.append(max(len(table.rows) for data in tapped.values() for table in data))
        return tapped

    built.engine.step = noted  # type: ignore[method-assign]
    tried = warm(built, order)
    assert tried.rate > 0
    assert seen[0] == 0
    assert len(seen) > LEAST
    assert seen[1] > 0
    assert set(seen[1:]) == {seen[1]}
    pixels = np.random.default_rng(1).integers(0, 256, (4, *image.shape)).astype(dtype.numpy)
    batch = FrameBatch(np.arange(4), np.arange(4) / 1000, pixels)
    fresh = build(fixed("blobs"), order).engine.step(batch)
    again = step(batch)
    for ref, data in fresh.items():
        for one, other in zip(data, again[ref], strict=True):
            assert one.rows.tobytes() == other.rows.tobytes()


def test_a_trial_counts_the_trackers_and_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stages and trackers work side by side: the slower of them is the speed."""
    image = ImageType(U8, 96, 128)
    info = SourceInfo("made", "made", 128, 96, 4, image, PixelFormat("mono", 8), TimeBase(1000.0, "header", ""))
    order = Order(info, "cpu", batch=4)
    free = warm(build(fixed("blobs"), order), order).rate
    follow, frames = Tracking.follow, []

    def slow(self: Tracking, batch: FrameBatch, tapped: Any) -> Any:
        frames.extend(batch.indices.tolist())
        time.sleep(0.02)
        return follow(self, batch, tapped)

    monkeypatch.setattr(Tracking, "follow", slow)
    built = warm(build(fixed("blobs"), order), order)
    assert built.rate <= 4 / 0.02 < free
    assert frames == list(range(len(frames)))  # trackers refuse what does not rise


@pytest.mark.skipif(sys.platform != "linux", reason="counts what Linux hands out")
def test_the_ring_is_there_before_the_first_frame() -> None:
    """Its memory is the system's no more: the first frames are copied as fast as the others."""
    image = ImageType(U8, 512, 512)
    ring = Ring(64, image)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    ring.pixels[...] = 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 64
