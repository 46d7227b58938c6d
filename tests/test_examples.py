"""The example for people who program runs as it stands, and says what it is there to show."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import matplotlib as mpl
import pytest

from app import launcher

TOUR = Path(__file__).parents[1] / "app" / "examples" / "tour.py"


def test_the_tour_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "fusetrack", launcher)  # this checkout's, whatever is installed
    mpl.use("Agg")
    names = runpy.run_path(str(TOUR))
    said = capsys.readouterr().out
    for words in ("<Clip 'sim:vortex': 40 frames", "did you mean bright__level=?", "[trackers.blob]", "um^2/s",
                  "<Shapes of", "40 of 40 frames"):  # fmt: skip
        assert words in said, words
    assert {path.name for path in tmp_path.iterdir()} == {"msd.png", "paths.png"}
    assert len(names["tracks"].ids) > 8
    assert len(names["bent"].ids) == 5
    assert abs(names["diffusion"].exponent - 1) < 0.2

