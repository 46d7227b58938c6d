"""Several batches of an engine under way on a device: exact in any legal order, and really under way."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen.cuda import cuda
from kernels.codegen.cuda_launch import CudaProgram
from kernels.errors import DefinitionError, InputError
from kernels.executors import ring
from kernels.executors.base import executor
from kernels.executors.cuda_runner import CudaRunner
from kernels.ir.body import Body
from kernels.ir.image import U8, ImageType
from pipelines.definition import loads
from pipelines.frame import FrameBatch
from pipelines.graph import SOURCE, Bound, Node, Pipeline, Ref, bind
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.pending import Pending
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.pipelines import emulated
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.drawn import bounds, frames, groupings
from tests.pipelines.emulated import ApartDevice, EmulatedExecutor
from tests.pipelines.streaming.engine.test_engine_device import settings_bytes
from tests.pipelines.test_random_pipelines import equal, source_of
from tests.pipelines.test_random_pipelines import run as one_by_one
from tests.shipped import fixed

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

COUNT = 14
CLIP = moving_spots(COUNT, 40)[:, :27]
MARKERS = [["gray", "scale", "steady"], ["smooth", "edges", "rim"], ["whole"], ["markers"]]
HOST_BETWEEN = """
taps = ["soft", "marks"]
[stages.gray]
[stages.slow]
use = "iir_lowpass"
alpha = 0.4
[stages.bright]
use = "threshold"
level = 60
inputs = "slow"
[stages.marks]
use = "components"
inputs = { mask = "bright", weights = "gray" }
[stages.soft]
use = "gaussian"
sigma = 0.8
inputs = "slow"
"""

SMOOTHED = """
taps = ["steady"]
[stages.gray]
[stages.steady]
use = "iir_lowpass"
alpha = 0.4
"""


def batch_of(clip: np.ndarray, a: int, b: int) -> FrameBatch:
    return FrameBatch(np.arange(a, b), np.arange(a, b) / 1000, clip[a:b])


def split(out: Any, count: int) -> list[dict[Ref, Any]]:
    return [{tap: data[i] for tap, data in out.items()} for i in range(count)]


def said(rows: list[dict[Ref, Any]]) -> list[Any]:
    return [{tap: getattr(data, "rows", data).tobytes() for tap, data in row.items()} for row in rows]


def ahead(engine: Engine, clip: np.ndarray, ends: list[int], waits: list[bool]) -> list[dict[Ref, Any]]:
    """Every batch is begun before the results of those before are asked for, but where `waits` says so."""
    under_way: list[tuple[int, Pending]] = []
    for i, (a, b) in enumerate(pairwise(ends)):
        under_way.append((b - a, engine.submit(batch_of(clip, a, b))))
        if waits[i % len(waits)]:
            under_way[-1][1].result()
    return [row for count, pending in under_way for row in split(pending.result(), count)]


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_pipeline_in_any_groups_and_any_order(data: st.DataObject) -> None:
    bound = data.draw(bounds())
    clip = data.draw(frames(source_of(bound), 9))
    expected = one_by_one(Engine(bound, executor("reference")), clip, [])
    eager, checked = data.draw(st.sampled_from((0.0, 0.3, 0.9))), data.draw(st.booleans())
    device = ApartDevice(data.draw(st.integers(0, 999)), eager, checked=checked)
    graphs = data.draw(st.sampled_from((None, True)))
    engine = Engine(bound, EmulatedExecutor(device=device, graphs=graphs), groups=data.draw(groupings(bound)))
    ends = sorted({0, 9, *data.draw(st.sets(st.integers(1, 8)))})
    found = ahead(engine, clip, ends, data.draw(st.lists(st.booleans(), min_size=1, max_size=4)))
    assert all(equal(found[i], expected[i]) for i in range(9))


def markers(seed: int = 0, **options: Any) -> Engine:
    device = ApartDevice(seed, options.pop("eager", 0.3), options.pop("forget", ()))
    bound = prepare(fixed("facial-markers"), MemoryClip(CLIP))
    return Engine(bound, EmulatedExecutor(device=device), groups=MARKERS, **options)


@pytest.mark.parametrize("seed", range(4))
def test_a_parameter_changes_with_the_next_batch_that_is_begun(seed: int) -> None:
    engine, reference = markers(seed), Engine(markers().bound, executor("reference"))
    expected, pending = [], []
    for k, (a, b) in enumerate(pairwise((0, 3, 5, 6, 10, 14))):
        for one in (engine, reference):
            one.set_param("steady", "alpha", 0.1 + 0.2 * (k % 3))
        pending.append((b - a, engine.submit(batch_of(CLIP, a, b))))
        expected += split(reference.step(batch_of(CLIP, a, b)), b - a)
    engine.set_param("steady", "alpha", 0.9)  # none of them has it
    assert said([row for n, p in pending for row in split(p.result(), n)]) == said(expected)
    assert engine.settings == {("steady", "alpha"): 0.9}


def test_snapshots_are_of_all_that_was_begun() -> None:
    reference = Engine(markers().bound, executor("reference"))
    expected = said(split(reference.step(batch_of(CLIP, 0, COUNT)), COUNT))
    first, second = markers(3), markers(4)
    begun = [first.submit(batch_of(CLIP, a, a + 2)) for a in (0, 2, 4)]
    left = second.submit(batch_of(CLIP, 5, 9))  # of another past: it is finished before that is taken away
    second.restore(first.snapshot())
    assert said(split(second.step(batch_of(CLIP, 6, COUNT)), COUNT - 6)) == expected[6:]
    assert [row for p in begun for row in said(split(p.result(), 2))] == expected[:6]
    fresh = Engine(markers().bound, executor("reference"))
    assert said(split(left.result(), 4)) == said(split(fresh.step(batch_of(CLIP, 5, 9)), 4))


def test_host_stages_in_the_middle() -> None:
    bound = prepare(loads(HOST_BETWEEN), MemoryClip(CLIP))
    reference = Engine(bound, executor("reference"))
    expected = said(split(reference.step(batch_of(CLIP, 0, COUNT)), COUNT))
    for seed in range(6):
        groups = [["gray", "slow"], ["bright"], ["marks"], ["soft"]]
        engine = Engine(bound, EmulatedExecutor(seed), groups=groups)
        assert said(ahead(engine, CLIP, [0, 2, 4, 6, 8, 11, 14], [False])) == expected


def test_what_both_a_tap_and_the_device_take_goes_up_no_more() -> None:
    bound = prepare(loads(HOST_BETWEEN), MemoryClip(CLIP))
    device = ApartDevice(2)
    groups = [["gray", "slow"], ["bright"], ["marks"], ["soft"]]
    engine = Engine(bound, EmulatedExecutor(device=device), (Ref("slow"),), groups)
    reference = Engine(bound, executor("reference"), (Ref("slow"),))
    found = split(engine.step(batch_of(CLIP, 0, COUNT)), COUNT)
    assert said(found) == said(split(reference.step(batch_of(CLIP, 0, COUNT)), COUNT))
    assert device.up - settings_bytes(engine) == CLIP.nbytes
    assert not engine.resident & {Ref("slow")}


def test_what_several_programs_take_goes_up_once() -> None:
    bound = source_taken_often()
    wanted = Engine(bound, executor("reference"))
    expected = said(split(wanted.step(batch_of(CLIP, 0, COUNT)), COUNT))
    for seed in range(6):
        device = ApartDevice(seed, 0.4 * (seed % 3))
        engine = Engine(bound, EmulatedExecutor(device=device))
        ends = [0, 1, 2, 3, 4, 6, 8, 10, 12, 13, 14]
        assert said(ahead(engine, CLIP, ends, [False])) == expected
        assert device.up - settings_bytes(engine) == CLIP.nbytes


def source_taken_often() -> Bound:
    stages = {"a": "gaussian", "b": "iir_lowpass", "c": "binomial", "d": "median3"}
    nodes = tuple(Node(name, stage, {"image": Ref(SOURCE)}) for name, stage in stages.items())
    return bind(Pipeline("often", "", nodes, (), tuple(Ref(n.id) for n in nodes)), ImageType(U8, *CLIP.shape[1:]))


def test_three_batches_are_under_way_before_a_result_is_asked_for() -> None:
    engine = markers(1, eager=0.0)
    device: Any = engine.executor.device  # type: ignore[attr-defined]
    runners = [p for p in engine.programs.values() if isinstance(p, CudaRunner)]
    assert engine.ahead == 2
    pending = [engine.submit(batch_of(CLIP, a, a + 3)) for a in (0, 3, 6)]
    assert device.up - settings_bytes(engine) == 9 * CLIP[0].nbytes
    queued = sum(len(stream.queue) for stream in device.streams)
    assert device.launches >= 3 * len(runners)
    assert not any(p.done for p in pending)
    while any(device.only(runner.start.ring.up) for runner in runners):  # all three uploads, before any kernel
        pass
    assert sum(len(stream.queue) for stream in device.streams) < queued
    pending[0].result()
    assert not pending[1].done
    engine.submit(batch_of(CLIP, 9, 12))  # the fourth is begun: the first was finished
    engine.submit(batch_of(CLIP, 12, 14))
    assert pending[1].done
    assert not pending[2].done
    reference = Engine(engine.bound, executor("reference"))
    expected = said(split(reference.step(batch_of(CLIP, 0, 9)), 9))
    assert [row for p in pending for row in said(split(p.result(), 3))] == expected


@pytest.mark.parametrize("planted", ["wait", "ready"])
def test_a_missing_wait_between_programs_shows(planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ready`: a program does not wait for what another leaves for it."""
    if planted == "ready":
        real = ring.Ring.submit

        def hasty(self: Any, inputs: Any, *rest: Any) -> Any:
            return real(self, [i.memory if isinstance(i, ring.Left) else i for i in inputs], *rest)

        monkeypatch.setattr(ring.Ring, "submit", hasty)
    reference = Engine(markers().bound, executor("reference"))
    expected = said(split(reference.step(batch_of(CLIP, 0, COUNT)), COUNT))
    wrong = 0
    for seed in range(12):
        engine = markers(seed, eager=0.5, forget=("wait",) if planted == "wait" else ())
        if planted == "ready":  # programs that begin together need no such wait
            engine._joint.clear()
        wrong += said(ahead(engine, CLIP, list(range(COUNT + 1)), [False])) != expected
        if wrong == 3:
            break
    assert wrong >= 3


def test_an_error_is_that_of_its_batch() -> None:
    engine = markers(2)
    (joint,) = engine._joint.values()
    inner, calls = joint.start.submit, []

    def failing(*given: Any) -> Any:
        calls.append(0)
        if len(calls) == 2:
            raise InputError("the memory is full")
        return inner(*given)

    joint.start.submit = failing
    good, bad = (engine.submit(batch_of(CLIP, a, a + 2)) for a in (0, 2))
    reference = Engine(engine.bound, executor("reference"))
    assert said(split(good.result(), 2)) == said(split(reference.step(batch_of(CLIP, 0, 2)), 2))
    for _ in range(2):
        with pytest.raises(InputError, match="memory is full"):
            bad.result()


def test_a_kernel_that_leaves_its_arrays_is_an_error_of_its_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Emulated kernels that are not watched stop at the fences around their arrays; then they are watched."""

    def spoiled(body: Body) -> CudaProgram:
        made = cuda(body)
        return replace(made, text=made.text.replace("(size_t)t * ", "(size_t)(t + 200) * "))

    monkeypatch.setattr(emulated, "cuda", spoiled)
    bound = prepare(loads(SMOOTHED, "smoothed"), MemoryClip(CLIP))  # little text, which is compiled twice
    engine = Engine(bound, EmulatedExecutor(device=ApartDevice(2, 0.3)))
    with pytest.raises(DefinitionError, match=r"fails on the GPU with KernelFaultError.* out-of-bounds read at line"):
        engine.submit(batch_of(CLIP, 0, 2)).result()
    engine.abandon()


def test_a_device_that_is_lost_on_the_way_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = markers(2)
    pending = engine.submit(batch_of(CLIP, 0, 2))

    def lost(*_: Any) -> None:
        raise RuntimeError("cudaErrorLaunchFailure:\nunspecified launch failure")

    monkeypatch.setattr(engine.executor.device, "synchronize", lost)  # type: ignore[attr-defined]
    with pytest.raises(DefinitionError, match="fails on the GPU with RuntimeError: cudaErrorLaunchFailure") as caught:
        pending.result()
    assert "\n" not in str(caught.value)
    engine.abandon()


def test_without_a_device_a_batch_is_computed_when_it_is_begun() -> None:
    engine = Engine(markers().bound, executor("reference"))
    assert engine.ahead == 0
    pending = engine.submit(batch_of(CLIP, 0, 3))
    assert pending.done
    assert engine.seconds["gray"] == 0.0  # counted with what is asked for
    pending.result()
    assert engine.seconds["gray"] > 0.0


def test_batches_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = markers(5)
    begun: deque[Pending] = deque(engine.submit(batch_of(CLIP, a, a + 2)) for a in (0, 2, 4))
    engine.abandon()
    with pytest.raises(RuntimeError, match="abandoned"):
        begun[0].result()
    device: Any = engine.executor.device  # type: ignore[attr-defined]
    assert not any(stream.queue for stream in device.streams)
    del monkeypatch
