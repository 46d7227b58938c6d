"""The cuda executor on a driver that fails, on several GPUs, and with arrays of others: by a strict CuPy of NumPy."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kernels.codegen import nvrtc
from kernels.codegen.cuda import cuda as cuda_text
from kernels.errors import DefinitionError, InputError
from kernels.executors import cuda_device
from kernels.executors.base import executor
from kernels.executors.cuda_errors import input_error
from kernels.executors.cuda_shapes import SHAPES
from kernels.executors.device import Lying
from kernels.ir.image import U8, ImageType
from kernels.plugins import find_stage
from tests.kernels.executors.strict_cupy import CALLS, StrictCupy, runtime_error

PICTURE = ImageType(U8, 24, 40)
CLIP = np.arange(3 * 24 * 40, dtype=np.uint8).reshape(3, 24, 40)


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[StrictCupy]:
    made = StrictCupy()
    monkeypatch.setattr(cuda_device, "cupy", made)
    monkeypatch.setattr(cuda_device, "compile_text", lambda *_: nvrtc.Compiled(b"code", {}, ""))
    monkeypatch.setattr(cuda_device, "nvrtc_version", lambda: (13, 0))
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    monkeypatch.delenv("FUSETRACK_GRAPHS", raising=False)
    yield made
    assert made.current == 0, "the current device was not given back"
    assert not made.streams


def program_on(name: str, stage: str = "gaussian") -> Any:
    return executor(name).compile(find_stage(stage).build([PICTURE]))


SAID = {
    "MemoryAllocation": (InputError, r"not enough memory.*shorter batches.*--roi.*--device cpu"),
    "IllegalAddress": (DefinitionError, "stopped working .*start again, or use --device cpu"),
    "LaunchFailure": (DefinitionError, "stopped working"),
    "ECCUncorrectable": (DefinitionError, "stopped working"),
    "Unknown": (DefinitionError, "stopped working"),
    "InsufficientDriver": (DefinitionError, "missing or too old .*install a newer driver"),
    "UnsupportedPtxVersion": (DefinitionError, "missing or too old"),
    "NoDevice": (DefinitionError, "does not find .*nvidia-smi"),
    "DevicesUnavailable": (DefinitionError, "taken by another program"),
    "InvalidValue": (DefinitionError, "refuses .*cudaErrorInvalidValue"),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", ["MemoryAllocation", "IllegalAddress", "InsufficientDriver"])
def test_whatever_call_fails_one_sentence_says_how(cupy: StrictCupy, call: str, name: str) -> None:
    kind, says = SAID[name]

    def go() -> None:
        program = program_on("cuda:0", "moments" if call in ("copy",) else "gaussian")
        program.run([CLIP], {})
        stream = program.device.stream()
        program.device.zero(program.device.memory(8), 8, stream)

    go()  # what comes before works
    cupy.fail[call] = runtime_error(name)
    with pytest.raises(kind, match=says) as caught:
        go()
    assert "\n" not in str(caught.value)
    cupy.fail.clear()
    go()


@pytest.mark.parametrize("name", SAID)
def test_what_a_driver_says_is_told(name: str) -> None:
    kind, says = SAID[name]
    spelled = (f"cudaError{name}", "CUDA_ERROR_" + "".join(f"_{c}" if c.isupper() else c for c in name)[1:].upper())
    for text in spelled[: 2 if name in ("IllegalAddress", "NoDevice", "UnsupportedPtxVersion") else 1]:
        error = input_error(RuntimeError(f"{text}: words\nof the driver"), "Imaginary GPU")
        assert isinstance(error, kind)
        assert str(error).startswith(("Imaginary GPU", "the driver"))
        assert "\n" not in str(error)
        assert "Imaginary GPU" in str(error)
        with pytest.raises(kind, match=says):
            raise error


def test_too_little_memory_says_how_much(cupy: StrictCupy) -> None:
    program = program_on("cuda:0")
    cupy.free = 2000
    with pytest.raises(InputError, match=r"0 MiB more are needed, 0 of 2048 MiB are free"):
        program.run([CLIP], {})


def test_memory_that_cannot_be_pinned_is_plain(cupy: StrictCupy) -> None:
    back_end: Any = executor("cuda:0")
    made = back_end.host_buffer((3, 24, 40), np.uint8)
    assert back_end.device.holds(made)
    cupy.fail["pinned"] = runtime_error("MemoryAllocation")
    plain = back_end.host_buffer((5, 240, 400), np.uint8)
    assert (plain.shape, back_end.device.holds(plain)) == ((5, 240, 400), False)


def test_a_broken_batch_does_not_spoil_the_next(cupy: StrictCupy) -> None:
    program = program_on("cuda:0")
    program.run([CLIP], {})
    for call in ("upload", "launch", "record", "wait", "download", "synchronize"):
        cupy.fail[call] = runtime_error("InvalidValue")
        with pytest.raises(DefinitionError, match="refuses"):
            program.run([CLIP], {})
        cupy.fail.clear()
        for _ in range(4):
            assert len(next(iter(program.run([CLIP], {}).values()))) == 3


def test_two_gpus_do_not_disturb_each_other(cupy: StrictCupy) -> None:
    programs = [program_on(f"cuda:{i}", stage) for i in (0, 1) for stage in ("gaussian", "iir_lowpass")]
    for current in (0, 1):
        with cupy.cuda.Device(current):  # whatever is current outside stays so
            pending = [p.submit([CLIP], {}) for _ in range(5) for p in programs]
            for p in pending:
                assert len(next(iter(p.result().values()))) == 3
                assert cupy.current == current
            for p in programs:
                p.restore(p.snapshot())
            assert cupy.current == current
    for call in ("alloc", "upload", "launch", "download", "record", "load"):
        assert {device for name, device in cupy.log if name == call} == {0, 1}


def test_two_threads_with_a_gpu_each(monkeypatch: pytest.MonkeyPatch, cupy: StrictCupy) -> None:
    """The current device is a thread's own, as in CUDA."""
    local = threading.local()
    own = property(lambda _: getattr(local, "n", 0), lambda _, n: setattr(local, "n", n))
    monkeypatch.setattr(StrictCupy, "current", own, raising=False)
    errors: list[BaseException] = []

    def work(index: int) -> None:
        try:
            program = program_on(f"cuda:{index}")
            for _ in range(20):
                program.run([CLIP], {})
            assert cupy.current == 0
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


class Given:
    """Somebody's array."""

    def __init__(self, array: Any, protocol: str, device: tuple[int, int] = (2, 0)) -> None:
        self.array = array
        if protocol == "interface":
            self.__cuda_array_interface__ = {"version": 3}
        if protocol == "dlpack":
            self.__dlpack_device__ = lambda: device
            self.__dlpack__ = lambda **_: None


@pytest.mark.parametrize("protocol", ["cupy", "interface", "dlpack"])
@pytest.mark.parametrize("dense", [True, False])
def test_an_array_is_taken_where_it_lies_after_whoever_made_it(cupy: StrictCupy, protocol: str, dense: bool) -> None:
    device: Any = executor("cuda:0").device  # type: ignore[attr-defined]
    stream = device.stream()
    array: Any = cupy.ndarray(CLIP if dense else CLIP[:, :, ::2])  # type: ignore[call-arg, arg-type]
    given = array if protocol == "cupy" else Given(array, protocol)
    theirs = cupy.cuda.Stream(non_blocking=True)
    with theirs:
        found = device.adopt(given, stream)
    assert isinstance(found, Lying)
    assert found.shape == array.shape
    assert found.dtype == np.uint8
    assert (found.memory.ptr == CLIP.ctypes.data) == dense
    assert found.memory.array is not None  # holds it
    calls = [(name, where) for name, where, _ in cupy.order]
    assert calls[:2] == [("record", theirs), ("wait", stream)]
    assert cupy.order[0][2] is cupy.order[1][2]
    assert all(where is stream for _, where in calls[1:])  # asked for, and made dense, in the stream that uses it
    assert {"cupy": 0, "interface": 1, "dlpack": 1}[protocol] == sum(n in ("asarray", "from_dlpack") for n, _ in calls)
    assert not cupy.copied


def test_arrays_of_other_places_come_by_the_host(cupy: StrictCupy) -> None:
    device: Any = executor("cuda:0").device  # type: ignore[attr-defined]
    stream = device.stream()
    elsewhere: Any = cupy.ndarray(CLIP, 1)  # type: ignore[call-arg, arg-type]
    for given in (elsewhere, Given(elsewhere, "interface"), Given(elsewhere, "dlpack", (2, 1))):
        np.testing.assert_array_equal(device.adopt(given, stream), CLIP)
    assert cupy.copied == ["down"] * 3

    class Tensor:
        """On the host, by DLPack alone."""

        def __dlpack__(self, **options: Any) -> Any:
            return CLIP.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return CLIP.__dlpack_device__()

    np.testing.assert_array_equal(device.adopt(Tensor(), stream), CLIP)
    np.testing.assert_array_equal(device.adopt(CLIP[0].tolist(), stream), CLIP[0])


def test_a_whole_batch_from_a_cupy_array(cupy: StrictCupy) -> None:
    program = program_on("cuda:0")
    before = len(cupy.log)
    made = program.run([cupy.ndarray(CLIP)], {})  # type: ignore[call-arg, arg-type]
    assert len(next(iter(made.values()))) == 3
    assert "upload" not in [name for name, _ in cupy.log[before:]]
    with pytest.raises(DefinitionError, match="came where"):
        program.run([cupy.ndarray(CLIP[:, 1:].copy())], {})  # type: ignore[call-arg, arg-type]


@pytest.mark.parametrize(("said", "graphs"), [("0", False), ("1", True), ("", None), ("yes", None)])
def test_graphs_can_be_switched(
    cupy: StrictCupy, monkeypatch: pytest.MonkeyPatch, said: str, graphs: bool | None
) -> None:
    monkeypatch.setenv("FUSETRACK_GRAPHS", said)
    back_end: Any = executor("cuda:1")
    assert back_end.graphs is graphs
    program = back_end.compile(find_stage("iir_lowpass").build([PICTURE]))
    assert program.graphs.wanted == bool(graphs)
    for _ in range(20):
        program.run([CLIP], {})
    assert (("replay", 1) in cupy.log) == bool(graphs)
    assert cupy.current == 0


@pytest.mark.parametrize(("spills", "taken"), [((0, 0, 0, 0), 0), ((8, 0, 0, 0), 1), ((8, 24, 0, 4), 2),
                                               ((16, 8, 12, 8), 1)])  # fmt: skip
def test_the_shape_that_spills_least_is_taken(
    cupy: StrictCupy, monkeypatch: pytest.MonkeyPatch, spills: tuple[int, ...], taken: int
) -> None:
    body = find_stage("gaussian").build([PICTURE])
    texts = [cuda_text(body, **shape).text for shape in SHAPES]
    assert len(set(texts)) == len(texts)
    spills = (*spills, *[99] * (len(SHAPES) - len(spills)))
    compiled: list[str] = []

    def compile_text(text: str, architecture: str) -> nvrtc.Compiled:
        compiled.append(text)
        assert architecture == "sm_90"
        return nvrtc.Compiled(b"code", {"k": nvrtc.Usage(40, spills[texts.index(text)], 0, 0)}, "")

    monkeypatch.setattr(cuda_device, "compile_text", compile_text)
    for _ in range(2):  # the second time from disk, with what is known of the registers
        program: Any = executor("cuda:0").compile(body)
        assert program.text == texts[taken]
    assert compiled == texts[: 1 + spills.index(0) if 0 in spills else len(texts)]
