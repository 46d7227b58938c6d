"""What thresholds divide: histograms, suggestions, and when they are looked at."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.engine.picture_box import Shown
from app.desk.services import levels as module
from app.desk.services.levels import MOST_PIXELS, LevelAsk, LevelLook, Levels, divided, look_of, otsu, without_levels
from app.desk.services.levels_work import looks
from app.desk.subprocess_worker import Answer
from app.sources.opening import open_source
from app.sources.reading import AS_STORED, Reading
from kernels.executors.base import executor
from pipelines.definition import load, loads
from pipelines.features import TRACK_DTYPE
from pipelines.frame import FrameBatch
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.engine.engine import Engine
from pipelines.writing import dumps
from tests.app.desk.bench.test_workbench import CLIP, Listening

BACKGROUND = """
[stages.slow]
use = "iir_lowpass"
[stages.moved]
use = "difference"
lag = 2
[stages.mask]
use = "threshold"
level = 9.0
"""


@given(
    values=st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=300), level=st.floats(-120, 120),
    bright=st.booleans(),
)  # fmt: skip
def test_a_histogram_counts_every_number_and_knows_to_a_bin_what_passes(
    values: list[float], level: float, bright: bool
) -> None:
    array = np.array(values)
    look = look_of(np.array([*values, np.nan, np.inf]), 3)
    assert look.counts.sum() == len(values)
    assert (look.low, look.high) == (array.min(), array.max())
    assert look.middle == pytest.approx(float(np.median(array)), abs=1e-9)
    width = (look.high - look.low) / len(look.counts)
    passes = [np.mean(array > at) if bright else np.mean(array <= at)
              for at in (level - 1.01 * width, level + 1.01 * width)]  # fmt: skip
    assert min(passes) - 1e-9 <= look.passing(level, bright) <= max(passes) + 1e-9


@settings(max_examples=30)
@given(seed=st.integers(0, 1000), share=st.floats(0.02, 0.98), gap=st.floats(3.0, 50.0))
def test_otsu_is_the_best_of_all_levels(seed: int, share: float, gap: float) -> None:
    rng = np.random.default_rng(seed)
    values = np.concatenate((rng.normal(0, 1, int(2000 * share)), rng.normal(gap, 1, 2000 - int(2000 * share))))

    def within(level: float) -> float:
        parts = (values[values <= level], values[values > level])
        return sum(len(part) * float(np.var(part)) for part in parts if len(part))

    found = otsu(values)
    assert found is not None
    best = min(within(level) for level in np.linspace(values.min(), values.max(), 400))
    assert within(found) <= best * 1.01


def test_nothing_is_suggested_for_noise_or_one_value() -> None:
    rng = np.random.default_rng(1)
    assert look_of(rng.normal(5, 1, (64, 64)), 0).above_noise is None
    flat = look_of(np.full((8, 8), 7, np.uint8), 0)
    assert (flat.above_noise, flat.otsu, flat.passing(6.9), flat.passing(7.0), flat.passing(7.0, False)) == (
        None, None, 1.0, 0.0, 1.0)  # fmt: skip
    noisy = rng.normal(5, 1, (64, 64))
    noisy[20:23, 20:23] += 30
    level = look_of(noisy, 0).above_noise
    assert level is not None
    assert 11 <= level < 30
    assert look_of(noisy, 0, bright=False).above_noise is None
    assert look_of(10 - noisy, 0, bright=False).above_noise == pytest.approx(10 - level, rel=0.02)


@pytest.mark.parametrize(("name", "frame"), [("blobs", 0), ("blobs", 30), ("facial-markers", 17), ("corners", 2)])
def test_a_frame_aside_is_what_the_run_divides(name: str, frame: int) -> None:
    """Against the CPU's programs, from the first frame on, with the stage's input as a result."""
    pipeline = load(name)
    ((node, _, ref),) = divided(pipeline)
    source = open_source(CLIP)
    bound = bound_for(pipeline, source.info)
    wanted = next(one.inputs[0] for one in bound.nodes if one.id == node.id)
    assert wanted is not None
    engine = Engine(bound, executor("reference"), (wanted,))
    for index in range(frame + 1):
        seen = engine.step(FrameBatch(np.array([index]), np.array([0.0]), np.asarray(source.read(index))[None]))
    source.close()
    right = look_of(np.asarray(seen[wanted][0]), frame, module.bright(node))
    found = looks(LevelAsk(str(CLIP), AS_STORED, None, dumps(without_levels(pipeline)), frame, (node.id,)))[node.id]
    np.testing.assert_array_equal(found.counts, right.counts)
    assert asdict(found) | {"counts": None} == asdict(right) | {"counts": None}
    assert str(ref)


def test_a_level_that_is_dragged_changes_no_histogram_but_of_what_is_behind_it() -> None:
    pipeline = load("blobs")
    assert without_levels(pipeline) == without_levels(pipeline.with_settings({"bright.level": 0.7}))
    assert without_levels(pipeline) != without_levels(pipeline.with_settings({"band.sigma": 2.0}))
    two = loads("""
[stages.first]
use = "threshold"
level = 20.0
[stages.soft]
use = "convert"
dtype = "f32"
[stages.second]
use = "threshold"
level = 0.5
""")
    assert without_levels(two) != without_levels(two.with_settings({"first.level": 30.0}))
    assert without_levels(two) == without_levels(two.with_settings({"second.level": 0.25}))


class Waiting:
    """A process beside that answers when a test says so."""

    def __init__(self) -> None:
        self.asked: list[LevelAsk] = []
        self.busy = False
        self.answers: list[Answer] = []

    def ask(self, function: str, *arguments: Any) -> int:
        assert function == module.WORK
        self.asked.append(arguments[0])
        self.busy = True
        return len(self.asked)

    def answer(self, look: LevelLook, number: int = 0) -> None:
        self.busy = False
        self.answers = [Answer(number or len(self.asked), {"bright": look}, done=True)]

    def poll(self) -> list[Answer]:
        found, self.answers = self.answers, []
        return found

    def cancel(self) -> None:
        self.busy = False


Rig = tuple[Workbench, Listening, Levels, Waiting]


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Rig:
    for name in ("QUIET", "PAUSE", "EVERY"):
        monkeypatch.setattr(module, name, 0.0)
    link, aside = Listening(), Waiting()
    bench = Workbench(link)
    levels = Levels(bench, aside)  # type: ignore[arg-type]
    levels.watched = lambda: True
    return bench, link, levels, aside


def opened(bench: Workbench, link: Listening, live: bool = False) -> None:
    bench.open("cam:0" if live else str(CLIP))
    order = link.orders[-1]
    assert isinstance(order, commands.Open)
    source = open_source(CLIP)
    link.reports.append(reports.Opened(source.info, live, order.pipeline, "cpu", (), (), ""))
    source.close()
    bench.tick()


def shown(bench: Workbench, link: Listening, frame: int, output: str = "", number: int = 0) -> None:
    pixels = np.arange(64, dtype=np.float32).reshape(8, 8) + frame
    link.pictures.append(Shown(number or frame + 1, frame, 0.0, output, pixels, 0, np.zeros(0, TRACK_DTYPE)))
    bench.tick()


def test_the_process_is_asked_for_the_frame_that_is_shown_and_only_while_somebody_looks(rig: Rig) -> None:
    bench, link, levels, aside = rig
    levels.poll()
    opened(bench, link)
    levels.poll()
    assert aside.asked == [], "nothing is shown yet"
    shown(bench, link, 4)
    levels.watched = lambda: False
    levels.poll()
    assert aside.asked == []
    levels.watched = lambda: True
    levels.poll()
    levels.poll()
    (asked,) = aside.asked
    assert (asked.what, asked.frame, asked.nodes) == (str(CLIP), 4, ("bright",))
    look = look_of(np.arange(10.0), 4)
    heard: list[int] = []
    levels.on(lambda: heard.append(1))
    aside.answer(look)
    levels.poll()
    assert levels.looks == {"bright": look}
    assert heard
    bench.editor.set_param("bright", "level", 0.5)  # changes nothing of what goes in
    time.sleep(0.001)
    levels.poll()
    assert len(aside.asked) == 1
    bench.editor.set_param("band", "sigma", 2.0)
    time.sleep(0.001)
    levels.poll()
    assert len(aside.asked) == 2
    aside.answer(look_of(np.arange(9.0), 4), number=1)  # of what was asked before
    levels.poll()
    assert levels.looks == {"bright": look}
    opened(bench, link)
    assert levels.looks == {}


def test_a_look_of_a_pipeline_before_is_stale_until_there_is_another_and_goes_where_none_can_be_had(rig: Rig) -> None:
    bench, link, levels, aside = rig
    opened(bench, link)
    shown(bench, link, 4)
    levels.poll()
    aside.answer(look_of(np.arange(10.0), 4))
    levels.poll()
    assert (set(levels.looks), levels.stale) == ({"bright"}, set())
    bench.editor.set_param("bright", "level", 0.5)
    assert levels.stale == set()
    bench.editor.set_param("band", "sigma", 2.0)
    assert levels.stale == {"bright"}, "at once, not when it is asked"
    time.sleep(0.001)
    levels.poll()
    assert levels.stale == {"bright"}
    bench.editor.set_param("band", "sigma", 3.0)  # while it is being asked
    aside.answer(look_of(np.arange(9.0), 4))
    levels.poll()
    assert levels.stale == {"bright"}, "the answer is of the pipeline before"
    aside.busy = False
    time.sleep(0.001)
    levels.poll()
    aside.answer(look_of(np.arange(8.0), 4))
    levels.poll()
    assert levels.stale == set()
    bench.editor.set_param("band", "sigma", 4.0)
    time.sleep(0.001)
    levels.poll()
    aside.busy, aside.answers = False, [Answer(len(aside.asked), None, done=True, error="no memory for that")]
    levels.poll()
    assert (levels.looks, levels.failed) == ({}, {"bright": "no memory for that"})
    bench.editor.set_param("band", "sigma", 2.0)
    time.sleep(0.001)
    levels.poll()
    aside.answer(look_of(np.arange(7.0), 4))
    levels.poll()
    assert (set(levels.looks), levels.failed) == ({"bright"}, {})


def test_the_picture_that_is_shown_is_taken_where_it_is_the_input(rig: Rig) -> None:
    bench, link, levels, aside = rig
    opened(bench, link)
    shown(bench, link, 4, "band")
    levels.poll()
    assert aside.asked == []
    assert levels.looks["bright"].frame == 4
    assert levels.looks["bright"].high == 67.0
    kept = levels.looks["bright"]
    levels.poll()
    assert levels.looks["bright"] is kept, "the same picture is looked at once"


def test_a_camera_has_to_show_the_input(rig: Rig) -> None:
    bench, link, levels, aside = rig
    opened(bench, link, live=True)
    shown(bench, link, 4)
    levels.poll()
    assert aside.asked == []
    assert levels.looks == {}
    assert levels.has_to_be_shown("bright") == "band"
    shown(bench, link, 5, "band")
    levels.poll()
    assert levels.looks["bright"].frame == 5
    assert levels.has_to_be_shown("bright") == ""


def test_a_stage_that_goes_takes_its_look_along(rig: Rig) -> None:
    bench, link, levels, _ = rig
    opened(bench, link)
    shown(bench, link, 4, "band")
    levels.poll()
    bench.files.choose("template")
    assert levels.looks == {}
    assert levels.has_to_be_shown("bright") == ""


def test_what_remembers_is_warmed_up(tmp_path: Path) -> None:
    frames = np.random.default_rng(3).integers(0, 255, (20, 16, 24), np.uint8)
    np.save(tmp_path / "noise.npy", frames)
    text = dumps(without_levels(loads(BACKGROUND)))
    found = looks(LevelAsk(str(tmp_path / "noise.npy"), Reading(fps=100.0), None, text, 19, ("mask",)))["mask"]
    source = open_source(tmp_path / "noise.npy", fps=100.0)
    bound = bound_for(loads(BACKGROUND), source.info)
    wanted = next(one.inputs[0] for one in bound.nodes if one.id == "mask")
    assert wanted is not None
    engine = Engine(bound, executor("reference"), (wanted,))
    for index in range(20):
        seen = engine.step(FrameBatch(np.array([index]), np.array([0.0]), frames[index][None]))
    source.close()
    right = look_of(np.asarray(seen[wanted][0]), 19)
    np.testing.assert_array_equal(found.counts, right.counts)
    assert found.high == right.high


def test_what_begins_with_the_still_picture_does_so_here_too(tmp_path: Path) -> None:
    frames = np.full((12, 16, 24), 60, np.uint8)
    frames[:3, 4:8, 4:8] = 200  # is gone for most of the clip
    np.save(tmp_path / "gone.npy", frames)
    text = '[stages.moving]\nuse = "background"\nbegin = "clip"\n[stages.mask]\nuse = "threshold"\n'
    text += 'inputs = "moving.change"\nlevel = 9.0\n'
    found = looks(LevelAsk(str(tmp_path / "gone.npy"), Reading(fps=100.0), None, text, 0, ("mask",)))["mask"]
    assert found.high == 140


def test_of_a_large_picture_a_part_tells_about_the_whole() -> None:
    random = np.random.default_rng(5)
    picture = random.normal(40, 4, (1536, 2048, 3)).astype(np.float32)
    picture[..., 1] += 30  # channels and columns are all among them
    picture[:, ::4] += 60
    picture[700, 801] = 250
    picture[3, 4, 0] = np.nan
    found = look_of(picture, 3)
    assert found.high == 250
    assert found.low == pytest.approx(float(np.nanmin(picture)))
    assert found.counts.sum() < 2 * MOST_PIXELS
    assert found.middle == pytest.approx(float(np.nanmedian(picture)), abs=0.6)
    assert found.passing(90.0) == pytest.approx(float((picture > 90).mean()), abs=0.05)
    small = picture[:200, :200, 0]
    assert look_of(small, 3).counts.sum() == small.size - 1  # of a small one every pixel counts
