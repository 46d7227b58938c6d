"""A tracker of one's own: the example of pipelines/README.md works, and each mistake in one is named."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.controller import run_clip
from kernels.plugins import load_plugin
from pipelines.trackers import base

README = Path(__file__).parents[3] / "pipelines" / "README.md"
PIPELINE = """
name = "mine"
[stages.gray]
[stages.bright]
use = "threshold"
level = 60
[stages.regions]
use = "components"
inputs = { mask = "bright", weights = "gray" }
[trackers.particles]
use = "NAME"
inputs = "regions"
"""


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch):
    """The trackers of these tests are those of no others."""
    monkeypatch.setattr(base, "_REGISTRY", dict(base.registry()))


@pytest.fixture
def clip(tmp_path):
    """Two spots, 30 frames."""
    y, x = np.mgrid[:40, :80]
    spots = [
        sum(180 * np.exp(-((x - 10 - t) ** 2 + (y - at) ** 2) / 4.5) for at in (12, 28)) + 20 for t in range(30)
    ]
    np.save(tmp_path / "clip.npy", np.array(spots).astype(np.uint8))
    return str(tmp_path / "clip.npy")


def example(folder: Path, name: str, *changes: tuple[str, str]) -> str:
    """The README's tracker under another name, changed; returns the file of a pipeline that uses it."""
    text = README.read_text(encoding="utf-8").partition("## Add a tracker")[2]
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1].replace('"nearest"', f'"{name}"')
    for old, new in changes:
        assert old in code
        code = code.replace(old, new)
    (folder / f"{name}.py").write_text(code)
    load_plugin(folder / f"{name}.py")
    (folder / f"{name}.toml").write_text(PIPELINE.replace("NAME", name))
    return str(folder / f"{name}.toml")


def test_the_example_follows(clip, tmp_path):
    outcome = run_clip(clip, example(tmp_path, "nearest_plain"), out=tmp_path / "out", overlay=False)
    table = outcome.tracks
    assert len(table) == 60
    for track, y in ((0, 12), (1, 28)):
        rows = table[table["track"] == track]
        np.testing.assert_array_equal(rows["frame"], np.arange(30))
        np.testing.assert_allclose(rows["x"], 10 + np.arange(30), atol=0.02)
        np.testing.assert_allclose(rows["y"], y, atol=0.02)


def test_rows_in_any_order_are_put_in_order(clip, tmp_path):
    pipeline = example(tmp_path, "nearest_turned", ("return rows\n", "return rows[::-1]\n"))
    table = run_clip(clip, pipeline, out=tmp_path / "out", overlay=False).tracks
    plain = run_clip(clip, example(tmp_path, "nearest_kept"), out=tmp_path / "out", overlay=False).tracks
    np.testing.assert_array_equal(table, plain)


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("late", "self.last = rows", 'assert index < 20, "too late"\n        self.last = rows',
         r"at frame 20 fails with AssertionError: too late \(.*bad_late\.py, line \d+\)"),
        ("none", "return rows", "return", r"at frame 0 returned nothing \(None\); it returns a table of"),
        ("column", "return rows", 'return rows["x"]', r"at frame 0 returned an array of float64 of shape \(2,\)"),
        ("frame", "= index, time,", "= index + 1, time,", "at frame 0 returned a row of frame 1"),
        ("place", "return rows", 'rows["x"][0] = np.nan\n        return rows', "returned track 0 at x = nan, y = 12"),
        ("twice", "return rows", 'rows["track"] = 7\n        return rows', "at frame 0 returned track 7 twice"),
    ],
)  # fmt: skip
def test_mistakes_are_named_and_what_was_done_is_kept(clip, tmp_path, capsys, name, old, new, words):
    pipeline = example(tmp_path, f"bad_{name}", (old, new))
    code = main(["run", clip, "-p", pipeline, "-o", str(tmp_path / "out"), "--no-overlay", "-q"])
    said = capsys.readouterr().err
    assert code == 1
    assert len(said.strip().splitlines()) == 1
    assert said.startswith(f"fusetrack: tracker particles (bad_{name}) ")
    assert re.search(words, said)
    if name == "late":
        assert (tmp_path / "out" / "tracks.csv").read_text().count("\n") > 20
