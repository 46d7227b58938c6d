"""Sessions with known content for the tests of this folder."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from app.sessions import events
from app.sessions.layout import FRAME_ROW, Picture
from app.sessions.preamble import Preamble
from app.sessions.recording import Recording
from app.sessions.writer import SessionWriter
from kernels.ir.image import DTYPES
from pipelines.features import TRACK_DTYPE, Tracks
from tests.patience import PATIENCE

START = 1_700_000_000_000_000_000
SMALL = Picture(24, 16, "u8", 16, 24, 1, 8)


def picture(width: int, height: int, dtype: str = "u8", channels: int = 1) -> Picture:
    color = {1: "mono", 3: "rgb", 4: "rgba"}[channels]
    bits = DTYPES[dtype].bits
    return Picture(width, height, dtype, height, width, channels, bits, color, bits)


def pixels(form: Picture, k: int) -> np.ndarray[Any, Any]:
    """Frame k: noise that belongs to k alone."""
    data = np.random.default_rng([k, 7]).integers(0, 256, form.frame_bytes, np.uint8)
    if form.dtype == "f32":
        data = data.astype(np.float32).view(np.uint8)[: form.frame_bytes]
    return form.view(data)


def row(k: int, **changed: Any) -> Any:
    made = np.zeros(1, FRAME_ROW)
    made["sequence"], made["camera_id"], made["camera_time"] = k, 1000 + k, 5_000_000_000 + k * 1_000_000
    made["host_time"], made["time"] = START + k * 1_000_000, k / 1000
    for name, value in changed.items():
        made[name] = value
    return made[0]


def preamble(form: Picture = SMALL) -> Preamble:
    manifest = ("manifest.json", "application/json", b'{"format": "test"}')
    return Preamble(form, {"camera": {"model": "test"}}, (manifest,), START)


def tracks(first: int, frames: int) -> Tracks:
    rng = np.random.default_rng(first)
    rows = np.zeros(2 * frames, TRACK_DTYPE)
    rows["frame"] = np.repeat(np.arange(first, first + frames), 2)
    rows["track"] = np.tile([0, 1], frames)
    for name in ("time", "x", "y", "vx", "vy", "sigma", "score"):
        rows[name] = rng.normal(size=2 * frames)
    rows["sigma"][0], rows["state"], rows["reason"] = np.nan, 1, 8
    return rows


def write(
    path: Path, numbers: Iterable[int], form: Picture = SMALL, *,
    every: int = 0, close: bool = True, direct: bool = True,
) -> list[tuple[int, int]]:  # fmt: skip
    """Write frames `numbers`; a flush, with an event and tracks, every `every` frames.

    Returns (bytes handed to the system, frames in them) after every write.
    """
    writer = SessionWriter.create(path, preamble(form), direct=direct, sync_every=0)
    steps = [(writer.file.position, 0)]
    plain = writer.file.write

    def noted(view: memoryview) -> None:
        plain(view)
        steps.append((writer.file.position, writer.frames_written + writer.held))

    writer.file.write = noted  # type: ignore[method-assign]
    for count, k in enumerate(numbers, 1):
        writer.frame(row(k), form.bytes_of(pixels(form, k)))
        if every and count % every == 0:
            writer.event(events.event(events.NOTE, k, text=f"at {k}"), count, START + k)
            writer.tracks(tracks(k, 3), count, START + k)
            writer.flush()
    if close:
        writer.close()
    else:
        writer.flush()
        writer.abandon()
    return steps


@contextmanager
def held_up(recording: Recording) -> Iterator[None]:
    """The recorder stands still meanwhile, as before a disk that takes nothing."""
    os.kill(recording.process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(recording.process, signal.SIGCONT)


def until(condition: object, recording: Recording) -> None:
    """Wait for it."""
    end = time.monotonic() + PATIENCE
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, recording.account
        time.sleep(0.002)
