"""Thresholds beyond all that their input can be are told before a run."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest

from app.controller import run_clip
from app.hinting.levels import level_hints
from app.sources.opening import open_source
from pipelines.definition import library, load
from pipelines.streaming.common.preparing import prepare
from tests.shipped import fixed

EDGES = '[stages.gray]\n[stages.edges]\nuse = "gradient"\n[stages.mask]\nuse = "threshold"\n'


@pytest.fixture
def clip(tmp_path):
    np.save(tmp_path / "clip.npy", np.random.default_rng(1).integers(0, 200, (3, 32, 40)).astype(np.uint8))
    return str(tmp_path / "clip.npy")


def told(clip, pipeline, settings):
    with closing(open_source(clip)) as source:
        return level_hints(prepare(fixed(pipeline).with_settings(settings), source, None))


@pytest.mark.parametrize(("level", "polarity", "words"), [
    (-5, "bright", "lies below all that its input can be (-1 to 1): all of the picture passes"),
    (1.5, "bright", "lies above all that its input can be (-1 to 1): nothing passes"),
    (-5, "dark", "lies below all that its input can be (-1 to 1): nothing passes"),
    (2, "dark", "lies above all that its input can be (-1 to 1): all of the picture passes"),
    (-0.999, "bright", ""), (0.999, "dark", ""), (0.03, "bright", ""), (1.001, "bright", ""), (-1.001, "dark", ""),
])  # fmt: skip
def test_what_everything_or_nothing_passes_is_told(clip, level, polarity, words):
    hints = told(clip, "blobs", {"bright.level": level, "bright.polarity": polarity})
    assert hints == ([f"bright.level = {level:g} {words}"] if words else [])


def test_no_level_of_the_shipped_pipelines_is_spoken_of(clip):
    for name in library():
        assert told(clip, name, {}) == []


def test_one_side_is_known_of_a_magnitude(clip, tmp_path):
    (tmp_path / "edges.toml").write_text(f'name = "edges"\n{EDGES}inputs = {{ image = "edges.magnitude" }}\n')
    with closing(open_source(clip)) as source:
        made = load(str(tmp_path / "edges.toml"))
        (hint,) = level_hints(prepare(made.with_settings({"mask.level": -3}), source, None))
    assert hint.startswith("mask.level = -3 lies below all that its input can be (0 ")
    assert hint.endswith("all of the picture passes")


def test_a_run_tells_it_before_it_begins(clip, tmp_path):
    words = []
    run_clip(clip, "blobs", settings={"bright.level": -5}, fps=10, out=tmp_path / "out", overlay=False,
             notify=words.append)  # fmt: skip
    assert any("bright.level = -5 lies below" in one for one in words)
