"""Running a cpu program: the caller's own output arrays, results that stay, strips in any number, what is refused."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors import cpu
from kernels.executors.base import Program
from kernels.executors.cpu import CpuExecutor, CpuProgram
from kernels.executors.manifest import PassPlan, Rows
from kernels.executors.memory import FrameBuffer, InputPast, Spares, address, delayed
from kernels.executors.reference import ReferenceProgram
from kernels.executors.strip_runner import PARTS, UNEVEN, frame_runs, strip_count
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, recur, state
from kernels.ir.image import F32, I32, U8, ImageType
from kernels.ir.planes import Border, input_plane, load
from kernels.ir.table import Candidates, table_type
from tests.kernels.test_conformance import agree
from tests.patience import PATIENCE
from tests.strategies import bodies, clips, same

SIZE = (6, 40)
MADE = CpuExecutor(threads=3, cached=False)


def body() -> Body:
    x = input_plane(0, 0, U8, SIZE)
    listed = Candidates(x > 100, (), 50)
    mean = recur("mean", x.to(F32), state("mean", F32) * 0.5 + x)
    images = (Output("twice", ImageType(I32, *SIZE), (x * 2,)), Output("mean", ImageType(F32, *SIZE), (mean,)))
    return Body((ImageType(U8, *SIZE),), (*images, Output("bright", table_type(listed, SIZE), table=listed)), {}, {})


def clip(frames: int) -> np.ndarray:
    return np.random.default_rng(frames).integers(0, 256, (frames, *SIZE)).astype(np.uint8)


@pytest.mark.parametrize("make", [MADE.compile, ReferenceProgram], ids=["cpu", "reference"])
def test_results_in_the_callers_arrays(make):
    program, reference = make(body()), ReferenceProgram(body())
    mean = np.full((3, *SIZE), np.nan, np.float32)
    for batch in (clip(3), clip(3)[::-1]):
        result, wanted = program.run([batch], {}, {"mean": mean}), reference.run([batch], {})
        assert result["mean"] is mean
        assert agree(result, wanted)


@pytest.mark.parametrize("make", [MADE.compile, ReferenceProgram], ids=["cpu", "reference"])
def test_arrays_that_cannot_take_a_result(make):
    program: Program = make(body())
    whole = np.zeros((2, *SIZE), np.int32)
    batch = clip(2)
    frozen = whole.copy()
    frozen.flags.writeable = False
    inside = np.zeros(4 * batch.size, np.uint8)
    over = inside[: batch.size].reshape(batch.shape)
    for out, said in (
        ({"thrice": whole}, "no image 'thrice' among the outputs"),
        ({"bright": whole}, "no image 'bright' among the outputs"),
        ({"twice": whole[:1]}, r"'twice' needs an array of \(2, 6, 40\) int32, not \(1, 6, 40\) int32"),
        ({"twice": whole.astype(np.float32)}, "not .* float32"),
        ({"twice": whole.tolist()}, "not list"),
        ({"twice": frozen}, "writable array in one block"),
        ({"twice": np.zeros((2, 6, 80), np.int32)[:, :, ::2]}, "writable array in one block"),
        ({"twice": whole, "mean": whole.view(np.float32)}, "shares memory"),
    ):
        with pytest.raises(DefinitionError, match=said):
            program.run([batch], {}, out)
    with pytest.raises(DefinitionError, match="'twice' shares memory with an input"):
        program.run([over], {}, {"twice": inside.view(np.int32).reshape(whole.shape)})
    assert program.snapshot()["frames"] == 0  # nothing was computed


@pytest.mark.parametrize("make", [MADE.compile, ReferenceProgram], ids=["cpu", "reference"])
def test_both_back_ends_ask_the_same_of_their_inputs(make):
    program = make(body())
    for inputs, said in (
        ([np.zeros((1, 40, 6), np.uint8)], r"a frame of \(40, 6\) uint8 came where 40x6 u8 was announced"),
        ([np.zeros((1, *SIZE), np.uint16)], "uint16 came where"),
        ([None], "one length in frames"),
        ([clip(1), clip(1)], "2 inputs came where 1 were announced"),
        ([clip(1), clip(2)], "one length in frames"),
        ([["a"]], "a frame came as str where 40x6 u8 was announced"),
    ):
        with pytest.raises(DefinitionError, match=said):
            program.run(inputs, {})
    with pytest.raises(DefinitionError, match="no parameter 'beta'"):
        program.run([clip(1)], {"beta": 1.0})
    assert program.snapshot()["frames"] == 0


def test_memory_is_used_again_only_when_nobody_holds_it():
    spares = Spares(SIZE, np.dtype(np.uint8))
    first, where = spares.take(2)
    view = first[1:, 2]
    second, elsewhere = spares.take(2)
    assert first is not second
    assert (address(first), address(second)) == (where, elsewhere)
    del first
    third, another = spares.take(2)
    assert another not in (where, elsewhere)  # the view holds it
    del view
    assert spares.take(2)[1] == where
    assert third.shape == (2, *SIZE)
    assert spares.take(3)[0].shape == (3, *SIZE)


def test_no_new_memory_from_call_to_call():
    """The same places are written, and the strips are told the same addresses, as long as nobody keeps a result."""
    program = MADE.compile(body())
    assert isinstance(program, CpuProgram)
    places = set()
    batch = clip(2)
    for _ in range(5):
        result = program.run([batch], {})
        places.add((address(result["twice"]), address(result["mean"])))
        del result
    assert len(places) == 1


@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_number_of_strips(data):
    """More strips than threads, of one row and more, a few frames at a time: every bit as in one piece."""
    made = data.draw(bodies())
    frames = data.draw(clips(made, 4))
    wanted = ReferenceProgram(made).run(frames, {})
    strips = data.draw(st.integers(1, 9))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cpu, "strip_count", lambda plan, threads, near, least: min(strips, plan.height))
        patch.setattr(cpu, "CHUNK", data.draw(st.integers(1, 4)))
        patch.setattr(cpu, "TABLES", data.draw(st.sampled_from([1, 1 << 20])))
        program = MADE.compile(made)
        result = program.run(frames, {})
    assert all(same(result[name], wanted[name]) for name in wanted)


def test_whole_frames_between_passes_stay_near():
    """As many frames at a time as lie near the processors; a single one of large images."""
    x = input_plane(0, 0, U8, SIZE)
    far = load(x * 3, Border("wrap"), 0, 5) + load(x * 3, Border("wrap"), 0, -5)
    made = Body((ImageType(U8, *SIZE),), (Output("out", ImageType(I32, *SIZE), (far,)),), {}, {})
    frames = clip(5)
    wanted = ReferenceProgram(made).run([frames], {})["out"]
    executor = CpuExecutor(threads=2, cached=False)
    for near in (1, 4 * 6 * 300, 1 << 30):
        executor.near = near
        program = executor.compile(made)
        assert isinstance(program, CpuProgram)
        assert program.manifest.frames
        assert same(program.run([frames], {})["out"], wanted)


def plan(height: int, width: int, states: int = 0) -> PassPlan:
    rows = {f"s{i}": Rows(height, width, width, 0, "f32") for i in range(states)}
    return PassPlan("pass0", height, width, 0, 0, (), (), 0, (), rows, (), ())


def test_how_many_strips():
    far = 1 << 60
    assert strip_count(plan(512, 512), 2, far, 8192) == 2
    assert strip_count(plan(64, 64), 2, far, 8192) == 1  # not worth a hand-over
    assert strip_count(plan(64, 64), 2, far, 1) == 2
    assert strip_count(plan(3, 1000), 8, far, 1) == 3
    assert strip_count(plan(1080, 1920, states=2), 2, 4 << 20, 8192) == 2  # 16 MB of states stay in a cache of 32
    assert strip_count(plan(2160, 3840, states=1), 2, 4 << 20, 8192) == 16  # of 32 MB, 4 MB at a time do
    assert strip_count(plan(100, 100_000, states=9), 2, 1 << 20, 1) == 2  # a strip has 32 rows at least
    assert strip_count(plan(100_000, 1000, states=1), 4, 1 << 10, 1) == 60  # and a job 62 strips at most


def test_a_past_longer_than_the_batches():
    past = InputPast(3, (1, 1), np.dtype(np.uint8))
    frames = np.arange(9, dtype=np.uint8).reshape(9, 1, 1)
    start = 0
    for count in (1, 1, 2, 1, 4):
        past.add(frames[start : start + count])
        start += count
        assert past.frames.ravel().tolist() == list(range(start))[-3:]
        assert len(past.addresses()) == len(past.frames)
    assert delayed([10, 11, 12], [8, 9], -3) == [8, 8, 9]
    assert delayed([10, 11], [], -1) == [10, 10]
    buffer = FrameBuffer(Rows(1, 1, 64, 0, "u8"), 2)
    for t in range(5):
        buffer.make_room(1)
        buffer.view()[2] = t
        buffer.keep(1)
    assert buffer.view()[:2].ravel().tolist() == [3, 4]
    buffer.make_room(7)
    assert buffer.view()[:2].ravel().tolist() == [3, 4]


def test_deep_delays_over_single_frames():
    x = input_plane(0, 0, U8, SIZE)
    y = x * 3
    late: Expr = load(x, Border(), dt=-3) + load(y, Border(), dt=-4) + load(load(y, Border(), 2, 1), Border(), dt=-2)
    made = Body((ImageType(U8, *SIZE),), (Output("out", ImageType(I32, *SIZE), (late,)),), {}, {})
    frames = clip(7)
    program, wanted = MADE.compile(made), ReferenceProgram(made).run([frames], {})["out"]
    for i in range(7):
        assert same(program.run([frames[i : i + 1]], {})["out"], wanted[i : i + 1])


BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "llvmlite":
            raise {error}
sys.meta_path.insert(0, Blocked())
from kernels.errors import DefinitionError
from kernels.executors.base import executor
from pipelines.streaming.engine.choice import on_cpu
try:
    executor("cpu")
except DefinitionError as said:
    print(said)
made = on_cpu("auto", "")
print(made.executor.name, made.note)
"""


@pytest.mark.parametrize("error", ["ImportError('no llvmlite here')", "OSError('cannot load libllvmlite.so')"])
def test_the_reference_takes_over_without_llvm(error):
    done = subprocess.run([sys.executable, "-c", BLOCKED.format(error=error)], capture_output=True, text=True,
                          timeout=PATIENCE)  # fmt: skip
    assert done.returncode == 0, done.stderr
    asked, auto = done.stdout.splitlines()
    assert "needs the package llvmlite, which does not load" in asked
    assert error.split("'")[1] in asked
    assert auto.startswith("reference the slow reference back end runs, because the compiled one cannot: the cpu")


def test_a_machine_that_runs_no_code_of_its_own_is_said(monkeypatch):
    def refuse(self, made, names):
        raise RuntimeError("memory cannot be made executable")

    monkeypatch.setattr(cpu.Machine, "load", refuse)
    with pytest.raises(DefinitionError, match=r"cannot run code that it makes \(memory cannot be made executable\)"):
        CpuExecutor(cached=False)


@given(st.integers(1, 200), st.integers(1, 8), st.integers(1, 62))
def test_runs_of_frames_hold_each_frame_once_and_share_out_evenly(frames: int, threads: int, most: int) -> None:
    runs = frame_runs(frames, threads, most)
    if not runs:
        assert threads == 1 or threads > min(frames, most) or (frames % threads and frames < UNEVEN * threads)
        return
    assert len(runs) <= min(most, PARTS * threads)
    assert sorted(t for first, last in runs for t in range(first, last)) == list(range(frames))
    own = [sum(last - first for first, last in runs[k::threads]) for k in range(threads)]
    assert max(own) - min(own) <= max(1, len(runs) // threads if frames % threads else 0)
    for k in range(threads):  # one after the other, so that a thread goes through memory in order
        assert all(a[1] == b[0] for a, b in zip(runs[k::threads], runs[k + threads :: threads], strict=False))


def without_a_past() -> Body:
    x = input_plane(0, 0, U8, SIZE)
    sharp = x * 2 - load(x, Border("reflect101"), 1, 1) + load(x, Border("reflect101"), dt=-1)
    return Body((ImageType(U8, *SIZE),), (Output("sharp", ImageType(I32, *SIZE), (sharp,)),), {}, {})


def with_a_past() -> Body:
    x = input_plane(0, 0, U8, SIZE)
    sharp = x * 2 - load(x, Border("reflect101"), 1, 1)
    made = load(sharp, Border("reflect101"), dt=-1) * 3 + sharp
    return Body((ImageType(U8, *SIZE),), (Output("sharp", ImageType(I32, *SIZE), (made,)),), {}, {})


@pytest.mark.parametrize(("body_of", "parts"), [(without_a_past, 2 * PARTS), (with_a_past, 2), (body, 2)])
def test_frames_are_parts_where_none_waits_for_another(body_of, parts):
    made = CpuExecutor(threads=2, cached=False)
    program, reference = made.compile(body_of()), ReferenceProgram(body_of())
    assert isinstance(program, CpuProgram)
    for frames in (2 * PARTS, 3, 1, 2 * PARTS + 1, 2 * PARTS):  # between them it goes back to strips
        assert agree(program.run([clip(frames)], {}), reference.run([clip(frames)], {}))
    assert program._passes[-1].parts == parts
