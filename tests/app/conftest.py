"""For every test of the program."""

from __future__ import annotations

import pytest

from app.sessions import recorder, recording


@pytest.fixture(autouse=True)
def _recorders(monkeypatch: pytest.MonkeyPatch) -> None:
    """A queue of 32 MB where a test names no other: half a gigabyte costs a second of the kernel's time every time.

    And a recorder may take its time to start, however busy the machine is.
    """
    monkeypatch.setattr(recording, "QUEUE_BYTES", 32 << 20)
    monkeypatch.setattr(recorder, "START_PATIENCE", 120.0)
