"""The cpu executor against the reference, bit for bit: random bodies, threads, batches, snapshots, instruction sets."""

from __future__ import annotations

import itertools
import pickle
import threading
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors import machine
from kernels.executors.base import executor
from kernels.executors.cpu import CpuExecutor, CpuProgram
from kernels.executors.machine import ISAS, Machine
from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, apply, const, convert, recur, state
from kernels.ir.image import BOOL, F32, I16, I32, I64, U8, U16, ImageType
from kernels.ir.ops import OPS
from kernels.ir.planes import Border, input_plane, load, window
from kernels.stages.components import components
from tests.patience import PATIENCE
from tests.strategies import EDGES, bodies, clips, composed, same

FRAMES = 4
quick = settings(max_examples=36, deadline=None, suppress_health_check=list(HealthCheck))
BY_THREADS = {n: CpuExecutor(threads=n, cached=False) for n in (1, 2, 3)}
THREADS = st.sampled_from(sorted(BY_THREADS))
PARTS = st.sampled_from([[4], [1, 1, 1, 1], [1, 3], [2, 2], [3, 1]])


def agree(body: Body, clip, parts=(FRAMES,), made: CpuExecutor | None = None) -> CpuProgram:
    """Run batches on both and compare every output and, at the end, the whole state."""
    program, reference = (made or BY_THREADS[1]).compile(body), ReferenceProgram(body)
    assert isinstance(program, CpuProgram), program.reason
    edges = np.cumsum([0, *parts])
    for first, last in itertools.pairwise(edges):
        part = [c[first:last] for c in clip]
        result, wanted = program.run(part, {}), reference.run(part, {})
        assert result.keys() == wanted.keys()
        assert all(same(result[name], wanted[name]) for name in wanted), (first, last)
    same_state(program.snapshot(), reference.snapshot())
    return program


def same_state(a, b) -> None:
    assert a["frames"] == b["frames"]
    assert a["memory"].keys() == b["memory"].keys()
    assert all(same(a["memory"][name], b["memory"][name]) for name in b["memory"])
    for past, wanted in zip(a["history"], b["history"], strict=True):
        assert len(past) == len(wanted)
        assert all(same(p, w) for p, w in zip(past, wanted, strict=True))


@given(data=st.data())
@quick
def test_every_bit_of_random_bodies(data):
    body = data.draw(bodies())
    agree(body, data.draw(clips(body, FRAMES)), data.draw(PARTS), BY_THREADS[data.draw(THREADS)])


@given(data=st.data())
@quick
def test_every_bit_of_fused_bodies(data):
    first = data.draw(bodies())
    body = composed(first, data.draw(bodies(inputs=tuple(o.type for o in first.outputs))))
    agree(body, data.draw(clips(body, FRAMES)), data.draw(PARTS), BY_THREADS[data.draw(THREADS)])


@given(data=st.data())
@settings(quick, max_examples=20)
def test_every_bit_of_wide_images(data):
    """Several vectors a row, with and without a rest."""
    size = (data.draw(st.integers(1, 9)), data.draw(st.sampled_from([15, 16, 17, 31, 64, 65, 100, 128])))
    body = data.draw(bodies(sizes=st.just(size)))
    agree(body, data.draw(clips(body, FRAMES)), made=BY_THREADS[data.draw(THREADS)])


@given(data=st.data())
@settings(quick, max_examples=30)
def test_snapshots_go_from_one_back_end_to_the_other(data):
    body = data.draw(bodies())
    clip = data.draw(clips(body, FRAMES))
    cut = data.draw(st.integers(0, FRAMES))
    before, after = [c[:cut] for c in clip], [c[cut:] for c in clip]
    reference, program = ReferenceProgram(body), BY_THREADS[data.draw(THREADS)].compile(body)
    reference.run(before, {})
    program.run(before, {})
    there, back = pickle.loads(pickle.dumps(reference.snapshot())), pickle.loads(pickle.dumps(program.snapshot()))
    reference.restore(back)
    program.restore(there)
    if cut < FRAMES:
        wanted, result = reference.run(after, {}), program.run(after, {})
        assert all(same(result[name], wanted[name]) for name in wanted)
    same_state(program.snapshot(), reference.snapshot())
    program.reset()
    wanted = ReferenceProgram(body).run(clip, {})
    assert all(same(array, wanted[name]) for name, array in program.run(clip, {}).items())


@pytest.mark.parametrize("isa", ISAS[1:])
@pytest.mark.parametrize("dtype", [BOOL, U8, I16, U16, I32, I64, F32], ids=str)
def test_every_operation_on_every_corner_case(dtype, isa):
    """All operations and conversions of a type in one body, on all pairs of corner cases."""
    try:
        made = CpuExecutor(isa, threads=1, cached=False)
    except DefinitionError:
        pytest.skip("another processor")
    if isa == "avx512" and "+avx512bw" not in Machine().features:
        pytest.skip("no AVX-512 here")
    with np.errstate(all="ignore"):
        corners = np.unique(np.array([v for v in EDGES["f"] if np.isfinite(v)] + [2, 3, 7, 31, 32, 63, 64, -7]))
        corners = np.clip(corners, *limits(dtype)).astype(dtype.numpy)
    if dtype == F32:
        corners = np.append(corners, np.array([np.nan, np.inf, -np.inf, -0.0], np.float32))
    a, b = (np.ascontiguousarray(m) for m in np.meshgrid(corners, corners))
    types = (ImageType(dtype, *a.shape),) * 2
    x, y = (input_plane(i, 0, dtype, a.shape) for i in (0, 1))
    planes = [p for op in OPS.values() for p in applied(op.name, x, y)]
    planes += [x.to(t) for t in (BOOL, U8, I16, U16, I32, I64, F32)]
    body = Body(types, outputs_of(planes), {}, {})
    agree(body, [a[np.newaxis], b[np.newaxis]], (1,), made)


def limits(dtype):
    if dtype == BOOL:
        return 0, 1
    if dtype.is_float:
        return -np.inf, np.inf
    info = np.iinfo(dtype.numpy)
    return (info.min, info.max) if dtype.bits < 64 else (-(2.0**62), 2.0**62)


def applied(name: str, x: Expr, y: Expr):
    from_whole = {"bits": F32, "from_bits": I32}
    try:
        operands = {1: (x,), 2: (x, y), 3: (x.to(BOOL), x, y)}[OPS[name].arity]
        operands = tuple(o.to(from_whole[name]) for o in operands) if name in from_whole else operands
        rule = OPS[name].rule(*(o.dtype for o in operands))
    except Exception:  # an operation for other types
        return ()
    return (Expr(name, tuple(o.to(t) for o, t in zip(operands, rule[0], strict=True)), None, rule[1], x.size),)


def outputs_of(planes) -> tuple[Output, ...]:
    return tuple(Output(f"out{i}", ImageType(p.dtype, *p.size), (p,)) for i, p in enumerate(planes))


def test_wide_reaches_and_many_borders_of_one_plane():
    size = (7, 40)
    x = input_plane(0, 0, U8, size)
    tall = x * 3
    planes = [load(tall, Border(mode, 7.0), dx, dy) for mode in ("reflect101", "replicate", "constant", "wrap")
              for dx, dy in ((50, 0), (-3, 20), (0, -9), (41, -41))]  # fmt: skip
    planes.append(window("sum", tall, Border("wrap"), (-30, 30), (-5, 5)))
    body = Body((ImageType(U8, *size),), outputs_of(planes), {}, {})
    clip = [np.random.default_rng(0).integers(0, 256, (2, *size)).astype(np.uint8)]
    for made in BY_THREADS.values():
        agree(body, clip, (1, 1), made)


def test_a_state_seen_from_afar_and_before_its_update():
    """The state of a recurrence is seen by a plane that another image of it is made from: it needs a copy."""
    size = (6, 20)
    x = input_plane(0, 0, F32, size)
    mean = recur("mean", x, state("mean", F32) * 0.5 + x)
    around = load(mean, Border(), 1, 1) + load(mean, Border("replicate"), -2, -1)
    plane = around + state("mean", F32)
    body = Body((ImageType(F32, *size),), outputs_of([plane, load(plane, Border(), 2, 2)]), {}, {}, updates=(mean,))
    clip = [np.random.default_rng(1).normal(size=(FRAMES, *size)).astype(np.float32)]
    for made in BY_THREADS.values():
        agree(body, clip, (1, 3), made)


@pytest.mark.parametrize("width", range(1, 10))
def test_a_division_beyond_the_end_of_a_row(width):
    """The last vector of a row has lanes behind it, whose divisors must be guarded like the others; else it traps."""
    size = (1, width)
    x = input_plane(0, 0, I64, size)
    updates = []
    for op in ("floordiv", "mod"):
        was = state(op, BOOL)
        new = -was.to(I32) + apply(op, was.to(I64), x)
        updates.append(recur(op, const(0, BOOL), convert(new, BOOL)))
    for update in updates:
        body = Body((ImageType(I64, *size),), outputs_of([x]), {}, {}, updates=(update,))
        agree(body, [np.zeros((FRAMES, *size), np.int64)])


def test_live_parameters_are_arguments():
    size = (2, 3)
    x = input_plane(0, 0, F32, size)
    gain = Expr("param", (), "gain", F32, None)
    body = Body((ImageType(F32, *size),), outputs_of([x * gain]), {"gain": F32}, {"gain": 2.0})
    program = BY_THREADS[1].compile(body)
    clip = [np.ones((1, *size), np.float32)]
    assert program.run(clip, {})["out0"][0, 0, 0] == 2
    assert program.run(clip, {"gain": 0.1})["out0"][0, 0, 0] == np.float32(0.1)
    assert program.run(clip, {})["out0"][0, 0, 0] == 2


def test_images_that_are_no_block_of_memory():
    size = (3, 5)
    body = Body((ImageType(U8, *size),), outputs_of([input_plane(0, 0, U8, size) + 1]), {}, {})
    clip = np.arange(120, dtype=np.uint8).reshape(2, 6, 10)[:, ::2, ::-2]
    assert same(BY_THREADS[2].compile(body).run([clip], {})["out0"], clip.astype(np.int32) + 1)


def test_host_bodies_run_on_the_reference_and_say_so():
    made = CpuExecutor(threads=1, cached=False)
    program = made.compile(components.build([ImageType(BOOL, 4, 4)]))
    assert (program.back_end, program.reason) == ("reference", "it is a host function")
    assert made.fallbacks == ["it is a host function"]


def test_clear_refusals(monkeypatch):
    size = (2, 3)
    body = Body((ImageType(U8, *size),), outputs_of([input_plane(0, 0, U8, size) + 1]), {}, {})
    program = BY_THREADS[1].compile(body)
    with pytest.raises(DefinitionError, match=r"a frame of \(3, 2\) uint8 came where 3x2 u8 was announced"):
        program.run([np.zeros((1, 3, 2), np.uint8)], {})
    with pytest.raises(DefinitionError, match="one length in frames"):
        program.run([], {})
    with pytest.raises(DefinitionError, match="no parameter 'beta'"):
        program.run([np.zeros((1, *size), np.uint8)], {"beta": 1.0})
    assert program.run([np.zeros((0, *size), np.uint8)], {})["out0"].shape == (0, *size)
    with pytest.raises(DefinitionError, match="no instruction set 'mmx'"):
        CpuExecutor("mmx")
    monkeypatch.setattr(machine, "llvm", None)
    monkeypatch.setattr(machine, "_MISSING", "No module named 'llvmlite'", raising=False)
    with pytest.raises(DefinitionError, match="needs the package llvmlite"):
        executor("cpu")


def test_threads_hand_over_sleep_and_share():
    """Many short batches with pauses (the threads fall asleep and wake), from two callers at once."""
    size = (9, 33)
    x = input_plane(0, 0, U8, size)
    body = Body((ImageType(U8, *size),), outputs_of([window("sum", x, Border(), (-1, 1), (-1, 1))]), {}, {})
    made = CpuExecutor(threads=3, cached=False)
    clip = [np.random.default_rng(0).integers(0, 256, (1, *size)).astype(np.uint8)]
    wanted = ReferenceProgram(body).run(clip, {})["out0"]
    wrong = []

    def work(pause):
        program = made.compile(body)
        for i in range(200):
            if not same(program.run(clip, {})["out0"], wanted):
                wrong.append(i)
            if i % 20 == 0:
                time.sleep(pause)

    callers = [threading.Thread(target=work, args=(pause,)) for pause in (0.0, 0.002)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(PATIENCE)
        assert not caller.is_alive()
    assert not wrong
