"""What a medium will sustain, tried before it matters: a short session of the same frames, recorded and deleted."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.files.atomic import size_text
from app.sessions.enough import enough_words, spares
from app.sessions.layout import FrameLayout, Picture
from app.sessions.preamble import Preamble
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from app.sessions.sentences import creation_error
from app.sessions.shared import RecorderState
from kernels.errors import InputError

BUSY = 0.85
"""Share of a core from which on the recorder's processor counts as what limits it."""
LEAST_FREE = 64 << 20
"""Bytes that a rehearsal leaves free."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What was found.

    Args:
        fps: frames a second that were recorded, on average, the last sync included.
        frames, seconds: of the trial.
        frame_bytes: bytes that a frame takes in the file.
        processor: share of a core that the recorder took.
        longest_write, longest_sync: seconds.
        free_bytes: of the disk.
    """

    fps: float
    frames: int
    seconds: float
    frame_bytes: int
    processor: float
    longest_write: float
    longest_sync: float
    free_bytes: int

    @property
    def limit(self) -> str:
        """What the rate ends at: "processor" or "medium"."""
        return "processor" if self.processor > BUSY else "medium"

    def sustains(self, fps: float) -> bool:
        """Whether `fps` can be recorded with a margin."""
        return spares(self.fps, fps)

    def seconds_left(self, fps: float) -> float:
        """How long the disk lasts at `fps`."""
        return self.free_bytes / (self.frame_bytes * fps)

    def queue(self, fps: float) -> int:
        """Frames that a queue should hold: twice the longest pause that was seen, two seconds at least."""
        return int(np.ceil(fps * max(2.0, 2 * (self.longest_write + self.longest_sync))))

    def describe(self, fps: float) -> str:
        """One sentence for people."""
        minutes = self.seconds_left(fps) / 60
        return (
            f"{self.fps:.0f} frames/s ({size_text(self.fps * self.frame_bytes)}/s) can be recorded here, "
            f"{enough_words(self.fps, fps)}; the {self.limit} is the limit; the disk lasts {minutes:.1f} minutes"
        )


def rehearse(
    folder: str | os.PathLike[str], picture: Picture, *, seconds: float = 3.0, queue: int = 64,
    name: str = "session.mcap",
) -> Rehearsal:  # fmt: skip
    """Record synthetic frames as fast as they are taken, then delete them.

    Args:
        folder: where the session shall be.
        picture: the type of the frames.
        seconds: of the trial; caches of disks hold some seconds, so a longer one tells more.
        queue: frames between this program and the recorder.
        name: of the session, for sentences.

    Raises:
        InputError: nothing can be recorded there.
    """
    try:
        place = Path(tempfile.mkdtemp(prefix=".rehearsal-", dir=folder))
    except OSError as error:
        raise creation_error(Path(folder) / name, error) from error
    image = picture.image
    # Noise: no file system can compress it.
    noise = np.random.default_rng(0).integers(0, 256, (8, picture.frame_bytes), np.uint8)
    frames = [picture.view(row) for row in noise]
    assert frames[0].shape == image.shape
    try:
        stride = FrameLayout(picture).stride
        room = shutil.disk_usage(place).free - LEAST_FREE
        most = max(0, room // stride)
        if not most:
            raise InputError(f"there is no room to record anything in {folder}; free some space")
        options = RecordingOptions(queue=queue, wait=True, trial=True)
        recording = Recording.start(place / "rehearsal.mcap", Preamble(picture), options)
        begin, before = time.monotonic(), recording.account.processor
        count = 0
        while count < most and time.monotonic() - begin < seconds:
            for frame in frames:
                recording.put(frame)
            count += len(frames)
            if recording.account.state is RecorderState.FAILED:
                break
        account = recording.close()
        # The last sync included: what only lies in a cache has not been recorded.
        took = time.monotonic() - begin
        return Rehearsal(account.recorded / took, account.recorded, took, stride,
                         (account.processor - before) / took, account.longest_write, account.longest_sync,
                         shutil.disk_usage(place).free + account.bytes)  # fmt: skip
    finally:
        with suppress(OSError):
            shutil.rmtree(place)
