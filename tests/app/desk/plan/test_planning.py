"""The plan behind a window: plain values, kept up to date."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from app.desk.bench.workbench import Workbench
from app.desk.engine import reports
from app.desk.pipeline import editing
from app.desk.plan import work as plan_work
from app.desk.plan.planning import HERE, PlanAsk, Planning, per_frame, structure
from kernels.errors import InputError
from kernels.ir.image import DTYPES, ImageType
from pipelines.definition import load
from pipelines.graph import bind
from pipelines.planning.devices import find_device
from pipelines.planning.launches import as_launched
from pipelines.planning.planner import planner_of
from pipelines.streaming.common.meter import MeterReading, Rate
from pipelines.writing import dumps
from tests.app.desk.bench.test_workbench import Listening
from tests.patience import PATIENCE


def ask(name: str = "blobs", device: str = "h100", running: tuple[str, ...] = ()) -> PlanAsk:
    return PlanAsk(dumps(load(name)), None, None, device, running, "this-cpu")


def test_a_report_says_what_the_planner_says() -> None:
    quick, full = plan_work.plan(ask())
    bound = bind(load("blobs"), ImageType(DTYPES["u8"], 1024, 1024, 1))
    planner = planner_of(bound, find_device("h100"))
    best = as_launched(planner, bound, planner.plan())
    assert quick.assumed
    assert not quick.complete
    assert full.complete
    assert [row.name for row in full.groups] == ["+".join(group) for group in best.partition]
    assert full.seconds == best.estimate.seconds  # of the kernels as they are launched
    assert full.groups[0].tile == str(best.groups[0].tile)
    assert full.share == pytest.approx(best.floor / best.estimate.seconds)
    assert sum(row.seconds for row in full.groups) == pytest.approx(full.seconds)
    assert full.groups[0].read == best.groups[0].input_bytes / 1024**2
    assert [(e.producer, e.consumer, e.fused) for e in full.edges] == [
        (e.ref.node, e.consumer, e.fused) for e in best.edges
    ]
    assert all(edge.why for edge in full.edges)
    assert any(point.chosen for point in full.front)
    assert full.others["without fusing"][1] > full.traffic


def test_pins_are_heeded_and_said() -> None:
    pinned = editing.pin(load("blobs"), ("band", "bright"), "cut")
    *_, full = plan_work.plan(PlanAsk(dumps(pinned), None, None, "h100"))
    edge = next(e for e in full.edges if e.consumer == "bright")
    assert (edge.fused, edge.pinned) == (False, True)


def test_the_groups_that_run_are_priced() -> None:
    first = next(plan_work.plan(ask(running=("gray+sound+scale", "band+bright", "spots"))))
    assert list(first.running) == ["gray+sound+scale", "band+bright", "spots"]
    assert all(seconds > 0 for seconds in first.running.values())
    assert next(plan_work.plan(ask(running=("of", "another")))).running == {}


def test_the_source_is_that_of_the_plan() -> None:
    (name, text), *_ = plan_work.source_text(ask(), [["gray", "sound", "scale", "band", "bright"], ["spots"]], "cuda")
    assert name == "gray+sound+scale+band+bright"
    assert "__global__" in text


def test_a_device_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(InputError, match="h1000"):
        next(plan_work.plan(ask(device="h1000")))


def reading(seconds: float, frames: int, **stages: float) -> reports.Measured:
    rates = {"engine": Rate(1000, 1000, frames), "track": Rate(1000, 1000, frames // 2)}
    return reports.Measured(MeterReading(seconds=seconds, rates=rates), stages)


def test_measured_seconds_a_frame() -> None:
    first = reading(1.0, 400, old=0.8, track=0.2)
    assert per_frame([]) == {}
    assert per_frame([first]) == {}
    assert per_frame([first, reading(1.1, 431, old=0.862, track=0.2155)]) == {}  # too few frames
    made = per_frame([first, reading(1.2, 500, old=1.0, track=0.25)])
    assert made == pytest.approx({"old": 0.002, "track": 0.0005})
    # Another pipeline: its program has been made just now, and the frames before were not its own.
    changed = [first, reading(1.2, 500, old=1.0, track=0.25), reading(1.4, 600, new=0.1, track=0.3)]
    assert per_frame(changed) == pytest.approx({"track": 0.0005})
    changed.append(reading(1.6, 700, new=0.6, track=0.35))
    assert per_frame(changed) == pytest.approx({"new": 0.005, "track": 0.0005})
    # Made anew under the same name.
    assert per_frame([*changed, reading(1.8, 800, new=0.3, track=0.4)]) == pytest.approx({"track": 0.0005})
    # Long ago it was slower; and nothing has run since the user paused.
    long = [reading(0.1 * k, 100 * k, new=0.01 * k + min(k, 5)) for k in range(20)]
    assert per_frame(long) == pytest.approx({"new": 0.0001})
    paused = [reading(2 + 0.1 * k, 1900, new=long[-1].stages["new"]) for k in range(9)]
    assert per_frame([*long, *paused]) == per_frame(long)
    # Another clip.
    assert per_frame([*long, reading(0.0, 100, new=9.0)]) == {}


def test_live_parameters_are_no_part_of_the_structure() -> None:
    blobs = load("blobs")
    assert structure(blobs) == structure(editing.set_param(blobs, "bright", "level", 0.2))
    assert structure(blobs) != structure(editing.add_stage(blobs, "median3"))
    assert structure(blobs) != structure(editing.pin(blobs, ("gray", "scale"), "cut"))


@pytest.fixture
def planning() -> Iterator[Planning]:
    made = Planning(Workbench(Listening()))
    yield made
    made.close()


def until(planning: Planning, enough: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not enough():
        assert time.monotonic() < end
        planning.poll()
        time.sleep(0.005)


def test_it_follows_the_pipeline_the_device_and_the_source(planning: Planning) -> None:
    told: list[int] = []
    planning.on(lambda: told.append(1))
    bench = planning._bench
    until(planning, lambda: planning.report is not None and planning.report.complete)
    assert planning.report is not None
    assert planning.report.device == "this-cpu"
    assert told
    planning.set_device("rtx4090")
    planning.want_source()
    until(planning, lambda: planning.report is not None and planning.report.device == "rtx4090")
    until(planning, lambda: planning.sources is not None and "__global__" in planning.sources[0][1])
    bench.editor.edit("add", editing.add_stage(bench.pipeline, "median3"))
    until(planning, lambda: planning.report is not None and any("median3" in g.name for g in planning.report.groups))
    until(planning, lambda: planning.sources is not None and "median3" in planning.sources[0][0])
    planning.set_device(HERE)
    bench.editor.edit("wrong", editing.add_stage(bench.pipeline, "components"))
    until(planning, lambda: planning.report is None and bool(planning.trouble))
    bench.editor.undo()
    until(planning, lambda: planning.report is not None and not planning.trouble)
