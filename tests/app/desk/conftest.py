"""A bench that finds out at once whether a pipeline fits, however busy the machine is; what a clip says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.desk.bench import fitting
from app.desk.engine.link import EngineLink
from app.sources.opening import open_source
from pipelines.frame import SourceInfo

CLIP = Path(__file__).parents[3] / "sample_videos" / "vortex_600fps.avi"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "AT_ONCE", 30.0)


@pytest.fixture(scope="module")
def info() -> SourceInfo:
    source = open_source(CLIP)
    try:
        return source.info
    finally:
        source.close()


@pytest.fixture(scope="module")
def link() -> Iterator[EngineLink]:
    """An engine for all tests of a file that leave it alive; to start one takes longer than most of them."""
    link = EngineLink()
    yield link
    link.close()
