"""A bench that finds out at once whether a pipeline fits, however busy the machine is."""

from __future__ import annotations

import pytest

from app.desk.bench import fitting


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "AT_ONCE", 30.0)
