"""How many frames are in hand, with a clock of the test's own: no thread, no machine that is busy with other things."""

from __future__ import annotations

import pytest

from pipelines.streaming.batching import BatchLength
from pipelines.streaming.live import FIRST_BATCHES

LATENCY = 0.25


def run(fps: float, speed: float, seconds: float = 4.0) -> tuple[list[tuple[float, float]], int]:
    """(when it was captured, how long it took) of each processed frame, and how many were left out, of a camera of
    `fps` and an engine that takes `speed` frames a second."""
    length = BatchLength(LATENCY, max(32, int(fps * LATENCY)), 64, fps)
    limit = min(length.limit, FIRST_BATCHES * length.wanted)
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
        batch, waiting = waiting[: length.wanted], waiting[length.wanted :]
        busy = len(batch) / speed
        now += busy
        while number < frames and number / fps <= now:
            if len(waiting) + len(batch) < limit:
                waiting.append(number / fps)
            else:
                left_out += 1
            number += 1
        done += [(captured, now - captured) for captured in batch]
        length.done(len(batch), busy, len(waiting))
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


def test_an_engine_that_is_fast_enough_leaves_nothing_out() -> None:
    done, left_out = run(1000, 1500)
    assert left_out == 0
    assert max(seconds for _, seconds in done) < 0.1


def test_one_disturbed_batch_at_the_start_costs_nothing() -> None:
    """A first batch that takes six times as long as the others is not believed alone."""
    length = BatchLength(LATENCY, 250, 64, 1000.0)
    length.done(16, 0.048, 48)  # 333 frames/s
    assert length.limit >= 64
    for _ in range(6):
        length.done(16, 0.008, 0)  # 2000
    assert length.limit == 250
