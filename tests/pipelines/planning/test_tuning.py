"""The tuner, with a back end whose times are made up; what it keeps, and that runs use it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.executors.measurement_cache import MeasurementCache
from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body
from kernels.ir.image import F32, U8, U16, ImageType
from pipelines.definition import load
from pipelines.fusing import fuse, largest_groups
from pipelines.graph import Bound, Ref, bind
from pipelines.pins import Pins
from pipelines.planning import tuning
from pipelines.planning.devices import this_cpu
from pipelines.planning.tuning import (
    Patience,
    Trial,
    kept_groups,
    planned_groups,
    structure,
    synthetic,
    time_partitions,
    tune,
)
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.shipped import fixed

SIZE = 24


class FakeBackEnd:
    """Runs on the reference; a batch takes 1 s, or `cheap` s where at most `liked` of its stages have parameters."""

    name = "fake"

    def __init__(self, liked: int, cheap: float = 0.1) -> None:
        self.now, self.liked, self.cheap = 0.0, liked, cheap

    def clock(self) -> float:
        return self.now

    def compile(self, body: Body) -> Any:
        return FakeProgram(self, body)


class FakeProgram:
    def __init__(self, owner: FakeBackEnd, body: Body) -> None:
        self.owner, self.host, self.program = owner, body.host is not None, ReferenceProgram(body)
        self.stages = len({name.partition(".")[0] for name in body.params}) if not self.host else 0

    def run(self, inputs: Sequence[Any], params: Mapping[str, Any]) -> Mapping[str, Any]:
        self.owner.now += 100.0 if self.host else self.owner.cheap if self.stages <= self.owner.liked else 1.0
        return self.program.run(inputs, params)


@pytest.fixture
def bound() -> Bound:
    return bind(fixed("facial-markers"), ImageType(U8, SIZE, SIZE))


@pytest.fixture
def wanted(bound: Bound) -> tuple[Ref, ...]:
    return tuple(dict.fromkeys((*bound.taps, bound.picture)))


def tuned(bound: Bound, wanted: tuple[Ref, ...], back_end: FakeBackEnd, store: MeasurementCache) -> tuning.Tuned:
    alone = [[node.id] for node in bound.nodes]
    trial = Trial(bound, wanted, back_end, synthetic(bound.source, 4))
    return tune(trial, this_cpu(2), also=[alone], store=store, threads=2,
                patience=Patience(0.0, compiling=math.inf, clock=back_end.clock))  # fmt: skip


def test_the_fastest_is_taken_and_kept(bound: Bound, wanted: tuple[Ref, ...], tmp_path: Path) -> None:
    store = MeasurementCache(tmp_path)
    assert kept_groups(bound, wanted, 2, store) == (None, "")
    # One stage a program is what this machine likes: 6 x 0.1 s against 1 s and more.
    found = tuned(bound, wanted, FakeBackEnd(1), store)
    assert max(len(group) for group in found.groups) == 1
    assert found.measured[0].groups == found.groups
    assert [m.whole.median for m in found.measured] == sorted(m.whole.median for m in found.measured)
    assert found.measured[0].whole.median < found.measured[1].whole.median
    assert kept_groups(bound, wanted, 2, store) == (found.groups, "")
    # Another machine likes large programs; the file is replaced.
    found = tuned(bound, wanted, FakeBackEnd(-1), store)
    assert len(found.groups) == len(largest_groups(bound, wanted))
    assert kept_groups(bound, wanted, 2, store) == (found.groups, "")
    assert len(list(tmp_path.iterdir())) == 1


def test_where_patience_ends_the_plans_that_are_left_are_not_timed(
    bound: Bound, wanted: tuple[Ref, ...], tmp_path: Path
) -> None:
    back_end, said = FakeBackEnd(-1), list[str]()
    frames, alone = synthetic(bound.source, 4), [[node.id] for node in bound.nodes]
    trial = Trial(bound, wanted, back_end, frames)
    time_partitions(trial, [alone], Patience(0.0, clock=back_end.clock))
    one, back_end.now = back_end.now, 0.0  # what a plan takes, rounds included
    store = MeasurementCache(tmp_path)
    found = tune(trial, this_cpu(2), also=[alone], store=store, threads=2,
                 patience=Patience(0.0, 1.2 * one, said.append, back_end.clock))  # fmt: skip
    count = len(found.measured)
    assert 1 < count < 6
    looked, first, *others, last = said
    assert looked.startswith("plans are being looked for")
    of = first.partition(" of ")[2].partition(" ")[0]
    assert first == f"plan 1 of {of} is being compiled (0 s so far)"
    assert len(others) == count - 1
    assert last == f"{count} plans are being timed, for 0 s or 5 rounds"
    assert found.remark.startswith(f"{int(of) - count} of {of} plans were not timed")


def test_host_stages_are_not_in_the_times(bound: Bound) -> None:
    back_end = FakeBackEnd(-1)
    alone = [[node.id] for node in bound.nodes]
    trial = Trial(bound, bound.taps, back_end, synthetic(bound.source, 4))
    (made,) = time_partitions(trial, [alone], Patience(0.0, clock=back_end.clock))
    assert [unit.name for unit in made.units] == [n.id for n in bound.nodes if n.body.host is None]
    first, *others = made.units
    assert (first.name, first.median) == ("gray", 0.0)  # of mono frames it hands on what it takes
    assert made.whole.median == pytest.approx(len(others) * 1.0 / 4)  # a frame, of a batch of 4
    assert all(unit.median == pytest.approx(0.25) for unit in others)


def test_what_is_kept_is_for_this_pipeline_frame_and_number_of_threads(
    bound: Bound, wanted: tuple[Ref, ...], tmp_path: Path
) -> None:
    store = MeasurementCache(tmp_path)
    tuned(bound, wanted, FakeBackEnd(1), store)
    assert kept_groups(bound, wanted, 3, store) == (None, "")
    assert kept_groups(bound, bound.taps, 2, store) == (None, "")
    for other in (
        bind(fixed("facial-markers"), ImageType(F32, SIZE, SIZE)),
        bind(fixed("facial-markers").with_settings({"smooth.sigma": 2.0}), bound.source),
        replace(bound, pins=Pins(cut=(("smooth", "edges"),))),
    ):
        assert structure(other, wanted) != structure(bound, wanted)
        assert kept_groups(other, wanted, 2, store) == (None, "")
    live = bind(fixed("facial-markers").with_settings({"rim.level": 0.5}), bound.source)
    assert kept_groups(live, wanted, 2, store)[0] is not None


def test_kept_groups_that_do_not_fit_are_ignored(bound: Bound, wanted: tuple[Ref, ...], tmp_path: Path) -> None:
    store = MeasurementCache(tmp_path)
    tuned(bound, wanted, FakeBackEnd(1), store)
    (file,) = tmp_path.iterdir()
    entry = json.loads(file.read_text("utf-8"))
    for groups in ([["gray", "nobody"]], [["gray"]], 7, [[1]]):
        file.write_text(json.dumps({**entry, "facts": {"groups": groups}}), "utf-8")
        found, remark = kept_groups(bound, wanted, 2, store)
        assert found is None
        assert "do not fit the pipeline" in remark


def test_groups_that_another_version_has_timed_are_not_used_and_named(
    bound: Bound, wanted: tuple[Ref, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MeasurementCache(tmp_path)
    tuned(bound, wanted, FakeBackEnd(1), store)
    monkeypatch.setattr("pipelines.planning.tuning.generator", lambda: "another")
    found, remark = kept_groups(bound, wanted, 2, store)
    assert found is None
    assert re.search(r"plan-\w+\.json is not used, since it was measured with other generator; measure again", remark)
    assert kept_groups(bound, bound.taps, 2, store) == (None, "")  # of another pipeline there is nothing


def test_the_reference_is_not_tuned(bound: Bound) -> None:
    with pytest.raises(DefinitionError, match="nothing to tune for the reference"):
        tune(Trial(bound, bound.taps, executor("reference"), synthetic(bound.source, 1)), this_cpu(1))


def test_pins_are_kept_by_the_planner(bound: Bound, wanted: tuple[Ref, ...]) -> None:
    pinned = replace(bound, pins=Pins(cut=(("smooth", "edges"),)))
    groups = planned_groups(pinned, wanted, this_cpu(2))
    assert not any({"smooth", "edges"} <= set(group) for group in groups)
    assert {name for group in groups for name in group} == {node.id for node in bound.nodes}


@pytest.mark.parametrize("image", [ImageType(U8, 9, 7), ImageType(U16, 9, 7, bits=12), ImageType(F32, 5, 6, 3),
                                   ImageType(U8, 1, 1, 4)])  # fmt: skip
def test_synthetic_frames_fit_the_source(image: ImageType) -> None:
    frames = np.asarray(synthetic(image, 3))
    assert frames.shape == (3, *image.shape)
    assert frames.dtype == image.dtype.numpy
    assert np.isfinite(frames).all()
    if image.height > 1:
        assert 0.2 * image.white < frames.min() < frames.max() < 0.8 * image.white


def test_frames_that_use_all_their_bits_are_one_type_whether_they_say_so_or_not(wanted: tuple[Ref, ...]) -> None:
    silent, said, less = (bind(fixed("facial-markers"), ImageType(U16, SIZE, SIZE, bits=n)) for n in (0, 16, 12))
    assert structure(silent, wanted) == structure(said, wanted) != structure(less, wanted)


class Keep:
    def __init__(self) -> None:
        self.rows: list[Any] = []

    def write(self, _frames: Any, results: Sequence[Any]) -> None:
        self.rows += [result.tracks for result in results]

    def close(self) -> None:
        pass


def test_runs_use_what_is_kept_and_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    clip = MemoryClip(moving_spots(20))
    bound = prepare(fixed("blobs"), clip)
    wanted = tuple(dict.fromkeys(bound.taps))

    def run(**options: Any) -> tuple[Any, Runner]:
        keep = Keep()
        runner = Runner(clip, bound, [keep], frames=(0, 20), options=RunOptions(**options))
        runner.run()
        return np.concatenate(keep.rows), runner

    expected, plain = run(device="cpu")
    assert plain.tuned is None
    alone = tuple((node.id,) for node in bound.nodes)
    MeasurementCache().put(tuning.KIND, tuning._about(bound, wanted, 0), {"groups": alone})
    tracks, runner = run(device="cpu")
    assert [unit.name for unit in runner.engine.units] == [node.id for node in bound.nodes]
    np.testing.assert_array_equal(tracks, expected)
    monkeypatch.setattr(tuning, "SECONDS", 0.0)
    tracks, runner = run(device="cpu", tune_first=True)
    assert runner.tuned is not None
    np.testing.assert_array_equal(tracks, expected)
    assert kept_groups(bound, wanted)[0] == runner.tuned.groups
    np.testing.assert_array_equal(run(device="reference")[0], expected)


def test_groups_come_behind_those_whose_results_they_name() -> None:
    """A planner may leave the order open where no pixels are read, as of the placement of a network's picture."""
    bound = bind(load("corners"), ImageType(U8, 48, 64))
    names = [node.id for node in bound.nodes]
    made = tuning._complete(bound, [(name,) for name in reversed(names)])
    assert sorted(made) == sorted((name,) for name in names)
    place = {name: made.index((name,)) for name in names}
    assert all(place[ref.node] < place[node.id]
               for node in bound.nodes for ref in node.inputs if ref is not None and ref.node in place)  # fmt: skip
    fuse(bound, made, bound.taps)
    with pytest.raises(DefinitionError, match="comes before what it needs"):
        fuse(bound, [(name,) for name in reversed(names)], bound.taps)
