"""Frames put several at once: the same session as one by one, whatever the cutting into calls."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.sessions import events
from app.sessions.proof import prove
from app.sessions.reader import open_session
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from pipelines.frame import ARRIVAL, UNKNOWN
from tests.app.sessions.made import SMALL, held_up, picture, pixels, preamble, until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")


def arrivals(first: int, ids: list[int]) -> np.ndarray[Any, Any]:
    made = np.zeros(len(ids), ARRIVAL)
    made["camera_id"], made["camera_time"] = ids, [1000 * k for k in range(first, first + len(ids))]
    made["host_time"] = [10**18 + k for k in range(first, first + len(ids))]
    return made


def put_many(recording: Recording, ids: list[int], form: Any = SMALL) -> int:
    first, count = recording.announced, len(ids)
    block = np.array([pixels(form, first + k) for k in range(count)]).reshape(count, *form.image.shape)
    times = np.arange(first, first + count) / 500
    return recording.put_many(block, arrivals(first, ids), times)


@pytest.mark.parametrize("sizes", [[1] * 10, [10], [3, 0, 7], [4, 4, 2]])
def test_the_same_as_one_by_one(tmp_path: Path, sizes: list[int]) -> None:
    """Gaps, repetitions, late frames and unknown numbers, across the edges of calls."""
    ids = [5, 6, 7, 10, 11, 11, 12, 9, UNKNOWN, 20]
    with Recording.start(tmp_path / "one.mcap", preamble()) as one:
        for k, camera_id in enumerate(ids):
            assert one.put(
                pixels(SMALL, k), camera_id=camera_id, camera_time=1000 * k, host_time=10**18 + k, time_s=k / 500
            )
    with Recording.start(tmp_path / "many.mcap", preamble()) as many:
        for size in sizes:
            assert put_many(many, ids[many.announced : many.announced + size]) == size
    with open_session(tmp_path / "one.mcap") as first, open_session(tmp_path / "many.mcap") as second:
        assert first.rows.tobytes() == second.rows.tobytes()
        assert all((second.read(k) == pixels(SMALL, k)).all() for k in range(10))
        mine, theirs = ([e for e in session.events() if e["kind"] != events.STATISTICS] for session in (first, second))
        assert mine == theirs  # statistics come with every second that passes
        assert [e["kind"] for e in theirs] == ["gap", "duplicate", "late", "gap", "close"]


def test_wider_pixels_go_round_the_ring(tmp_path: Path) -> None:
    form = picture(20, 12, "u16", 3)
    with Recording.start(tmp_path / "a.mcap", preamble(form), RecordingOptions(queue=7, wait=True)) as recording:
        for size in (5, 13, 1, 20):
            assert put_many(recording, list(range(recording.announced, recording.announced + size)), form) == size
    with open_session(tmp_path / "a.mcap") as session:
        assert all((session.read(k) == pixels(form, k)).all() for k in range(39))
        assert prove(session).complete


def test_what_finds_no_room_is_named_frame_by_frame(tmp_path: Path) -> None:
    """The first of a batch that fit are taken, the others are one range of losses with what follows."""
    recording = Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(queue=20))
    with held_up(recording):
        assert [put_many(recording, list(range(k, k + 8))) for k in range(0, 40, 8)] == [8, 8, 4, 0, 0]
    until(lambda: recording.account.waiting == 0, recording)
    assert put_many(recording, list(range(40, 48))) == 8
    account = recording.close()
    assert (account.announced, account.recorded, account.dropped) == (48, 28, 20)
    with open_session(tmp_path / "a.mcap") as session:
        proof = prove(session)
        assert session.rows["sequence"].tolist() == [*range(20), *range(40, 48)]
    assert [(a.first, a.last, a.kind) for a in proof.absences] == [(20, 39, "loss")]


def test_another_size_is_refused(tmp_path: Path) -> None:
    with Recording.start(tmp_path / "a.mcap", preamble()) as recording:
        with pytest.raises(ValueError, match=r"not uint8 \(9, 24\)"):
            recording.put_many(np.zeros((2, 9, 24), np.uint8), arrivals(0, [0, 1]), np.zeros(2))
        with pytest.raises(ValueError, match="not uint16"):
            recording.put(np.zeros((16, 24), np.uint16))
        assert recording.announced == 0
