"""Programs of one device begin together: the same bits, one start, one way up and one down a batch."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.ir.image import U8, ImageType
from pipelines.frame import FrameBatch
from pipelines.graph import SOURCE, Bound, Node, Pipeline, Ref, bind
from pipelines.streaming.engine.engine import Engine
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.pipelines.emulated import ApartDevice, EmulatedExecutor

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

CLIP = np.random.default_rng(1).integers(0, 256, (24, 12, 20), np.uint8)
ALONE = [["a"], ["b"], ["c"], ["e"], ["d"]]


def chain() -> Bound:
    """Two programs behind one that remembers, one of the second, one of the source alone."""
    nodes = (Node("a", "iir_lowpass", {"image": Ref(SOURCE)}), Node("b", "binomial", {"image": Ref("a")}),
             Node("c", "invert", {"image": Ref("b")}), Node("e", "erode", {"image": Ref("a")}),
             Node("d", "dilate", {"image": Ref(SOURCE)}))  # fmt: skip
    return bind(Pipeline("chain", "", nodes, (), (Ref("c"), Ref("e"), Ref("d"))), ImageType(U8, *CLIP.shape[1:]))


def steps(engine: Engine, ends: list[int], change: Any = lambda k: None) -> list[bytes]:
    """All taps of each frame; two batches are begun before the first result is asked for. `change`: before each."""
    pending = []
    for k, (a, b) in enumerate(pairwise(ends)):
        change(k)
        pending.append((b - a, engine.submit(FrameBatch(np.arange(a, b), np.arange(a, b) / 1000, CLIP[a:b]))))
    made = [(count, each.result()) for count, each in pending]
    return [data[i].tobytes() for count, out in made for i in range(count) for data in out.values()]


def wanted(change: Any = lambda engine, k: None) -> list[bytes]:
    engine = Engine(chain(), executor("reference"))
    return steps(engine, list(range(0, 25, 2)), lambda k: change(engine, k))


@pytest.mark.parametrize("seed", range(4))
def test_bits_are_those_of_programs_that_begin_one_after_another(seed: int) -> None:
    def change(engine: Engine, k: int) -> None:
        engine.set_param("a", "alpha", 0.1 + 0.05 * (k // 3))

    engine = Engine(chain(), EmulatedExecutor(device=ApartDevice(seed, 0.3 * seed), graphs=seed != 1), groups=ALONE)
    assert [len(joint.units) for joint in engine._joint.values()] == [5]
    assert steps(engine, list(range(0, 25, 2)), lambda k: change(engine, k)) == wanted(change)


def noted(calls: list[str], name: str, inner: Any) -> Any:
    def call(*given: Any) -> Any:
        calls.append(name)
        return inner(*given)

    return call


def test_a_batch_is_one_start_one_way_up_and_one_down() -> None:
    device = ApartDevice(1)
    engine = Engine(chain(), EmulatedExecutor(device=device, graphs=True), groups=ALONE)
    calls: list[str] = []
    for name in ("upload", "download", "record", "wait", "synchronize", "replay", "launch"):
        setattr(device, name, noted(calls, name, getattr(device, name)))
    steps(engine, list(range(21)))
    calls.clear()
    steps(engine, [21, 22])
    assert sorted(calls) == [*["download"] * 3, *["record"] * 3, "replay", "synchronize", "upload", "wait", "wait"]


def test_who_begins_together_may_begin_alone_in_between() -> None:
    """As where something looks at values inside programs."""
    engine = Engine(chain(), EmulatedExecutor(device=ApartDevice(3, 0.1)), groups=ALONE)
    joint = dict(engine._joint)

    def change(k: int) -> None:
        engine._joint = {} if k % 3 == 2 else joint

    assert steps(engine, list(range(0, 25, 2)), change) == wanted()


@pytest.mark.parametrize("where", ["put", "results"])
def test_who_fails_is_named(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    engine = Engine(chain(), EmulatedExecutor(device=ApartDevice(2)), groups=ALONE)
    program: Any = engine.programs["b" if where == "put" else "c"]

    def broken(*_: Any) -> Any:
        raise RuntimeError("cudaErrorIllegalAddress")

    monkeypatch.setattr(program.launches if where == "put" else program, where, broken)
    name = "b" if where == "put" else "c"
    with pytest.raises(DefinitionError, match=rf"{name} \(frames 0 to 1\) fails on the GPU with RuntimeError: cudaErr"):
        steps(engine, [0, 2])
    engine.abandon()


def test_frames_that_the_host_made_are_counted_by_program() -> None:
    engine = Engine(chain(), EmulatedExecutor(device=ApartDevice(6)), groups=ALONE)
    assert engine.sent_back == {}
    program: Any = engine.programs["c"]
    program.sent_back = 2
    assert engine.sent_back == {"c": 2}
    engine.close()
    assert engine.sent_back == {"c": 2}


def test_snapshots_are_of_all_programs() -> None:
    first, second = (Engine(chain(), EmulatedExecutor(device=ApartDevice(seed)), groups=ALONE) for seed in (4, 5))
    made = steps(first, [0, 2, 4, 6])
    second.restore(first.snapshot())
    assert made + steps(second, list(range(6, 25, 2))) == wanted()


@pytest.mark.parametrize("closed", [True, False])
def test_memory_of_an_engine_that_is_over_is_given_back_at_once(closed: bool) -> None:
    """Not when Python looks for cycles, until when a GPU would hold that of both the old engine and the new one."""
    engine = Engine(chain(), EmulatedExecutor(device=ApartDevice(7)), groups=ALONE)
    steps(engine, [0, 2, 4, 6])
    held = [weakref.ref(one) for one in (*engine.programs.values(), engine._joint[0].start)]
    gc.disable()
    try:
        if closed:
            engine.close()
        else:
            del engine
        assert not any(one() for one in held)
    finally:
        gc.enable()
