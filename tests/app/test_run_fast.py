"""`fusetrack run --fast`: what was rewritten, and within what, stands in the report and in the summary."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.cli import main


def run(folder: Path, *options: str) -> dict[str, object]:
    command = ["run", "sim:beam", "--frames", "0:4", "--no-overlay", "--quiet", "--out", str(folder)]
    assert main([*command, *options]) == 0
    summary: dict[str, object] = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return summary


def test_fast_is_recorded_with_its_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary = run(tmp_path / "fast", "--fast")
    made = summary["rewritings"]
    assert isinstance(made, list)
    assert made
    assert all(0 < r["bound"] < 1e-3 and r["saved"] > 0 and not r["exact"] for r in made)
    assert summary["exact"] is False
    assert "fast     " in capsys.readouterr().out


def test_exact_is_the_default(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    summary = run(tmp_path / "exact")
    assert summary["exact"] is True
    assert not [r for r in summary["rewritings"] if not r["exact"]]  # type: ignore[attr-defined]
    assert "fast     " not in capsys.readouterr().out
    assert (tmp_path / "exact" / "tracks.csv").read_bytes()
