"""Bugs planted into right kernels: each is found, by kind and by line."""

from __future__ import annotations

import signal

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.emulator.emulator import Argument, Emulator
from tests.emulator.memory import In, InOut, Out
from tests.emulator.report import KernelFaultError, Report
from tests.emulator.texts import COPY, TILE, TOTAL

IMAGE = np.random.default_rng(5).random((20, 70), np.float32)


def spoil(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def line_of(text: str, part: str) -> int:
    """Number of the only line that holds `part`."""
    (line,) = [number for number, each in enumerate(text.split("\n"), 1) if part in each]
    return line


def checked_box(emulator: Emulator, text: str, grid: tuple[int, int] = (3, 3)) -> Report:
    out = Out(np.empty_like(IMAGE))
    height, width = IMAGE.shape
    arguments = (In(IMAGE), out, np.int32(width), np.int32(height))
    return emulator.kernel(text, "box").check(grid, (32, 8), arguments, faults="report")


def one_block(emulator: Emulator, body: str, *arguments: Argument, parameters: str = "int* a", threads: int = 64,
              blocks: int = 1, checked: bool = True) -> tuple[str, Report]:  # fmt: skip
    text = f'extern "C" __global__ void k({parameters}) {{\n{body}\n}}\n'
    kernel = emulator.kernel(text, "k")
    launch = kernel.check if checked else kernel.run
    return text, launch((blocks,), (threads,), arguments, faults="report")


def ints(count: int) -> NDArray[np.int32]:
    return np.arange(count, dtype=np.int32)


def assert_found(report: Report, kind: str, line: int, other: int | None = None) -> None:
    found = [(each.kind, each.line, each.other_line) for each in report.findings]
    assert any(each[:2] == (kind, line) and other in (None, each[2]) for each in found), report.findings


def test_the_right_one_is_clean(emulator: Emulator) -> None:
    assert checked_box(emulator, TILE).findings == ()


def test_missing_barrier(emulator: Emulator) -> None:
    text = spoil(TILE, "__syncthreads();", ";")
    report = checked_box(emulator, text)
    load, store = line_of(text, "sum += tile"), line_of(text, "tile[ty][tx] =")
    assert report.kinds() & {"race in a block"}
    assert {(each.line, each.other_line) for each in report.findings if each.kind == "race in a block"} & {
        (load, store), (store, load)}  # fmt: skip
    assert any("tile" in each.what for each in report.findings)


def test_missing_barrier_in_a_loop(emulator: Emulator) -> None:
    body = """__shared__ int t[64];
    for (int i = 0; i < 3; i++) {
        t[threadIdx.x] = i;
        __syncthreads();
        a[threadIdx.x] += t[63 - threadIdx.x];
    }"""
    text, report = one_block(emulator, body, InOut(ints(64)))
    assert_found(report, "race in a block", line_of(text, "= i;"), line_of(text, "a[threadIdx.x] +="))
    assert report.kinds() == {"race in a block"}


def test_wrong_halo(emulator: Emulator) -> None:
    text = spoil(TILE, "ty < TY + 2 * R; ty += TY", "ty < TY + R; ty += TY")
    report = checked_box(emulator, text)
    assert report.kinds() == {"uninitialised shared read"}
    assert_found(report, "uninitialised shared read", line_of(text, "sum += tile"))


def test_write_by_two_blocks(emulator: Emulator) -> None:
    text = spoil(TILE, "const int x0 = blockIdx.x * TX", "const int x0 = blockIdx.x * (TX - 2)")
    report = checked_box(emulator, text)
    line = line_of(text, "dst[y * w + x] = sum")
    assert_found(report, "race between blocks", line, line)


def test_a_state_read_by_a_neighbouring_block(emulator: Emulator) -> None:
    body = """const int i = blockIdx.x * 64 + threadIdx.x;
    const int left = a[i > 0 ? i - 1 : 0];
    __syncthreads();
    a[i] = left;"""
    text, report = one_block(emulator, body, InOut(ints(256)), blocks=4)
    assert report.kinds() == {"race between blocks"}
    assert {each.line for each in report.findings} <= {line_of(text, "const int left"), line_of(text, "a[i] = left")}


def test_unwritten_pixel(emulator: Emulator) -> None:
    report = checked_box(emulator, spoil(TILE, "if (x < w && y < h)", "if (x < w - 1 && y < h)"))
    (found,) = report.findings
    assert found.kind == "unwritten output"
    assert found.what == f"unwritten output: {4 * 20} bytes at byte {69 * 4} of argument 1 'dst'"


def test_barrier_in_divergent_code(emulator: Emulator) -> None:
    text = spoil(TILE, "    __syncthreads();", "    if (y0 + threadIdx.y >= h) return;\n    __syncthreads();")
    report = checked_box(emulator, text)
    assert_found(report, "divergent barrier", line_of(text, "__syncthreads"))
    body = "if (threadIdx.x < 32) {\n__syncthreads(); // one\n} else {\n__syncthreads(); // two\n}"
    for checked in (True, False):
        text, report = one_block(emulator, body, InOut(ints(1)), checked=checked)
        (found,) = report.findings
        assert found.kind == "divergent barrier"
        assert {found.line, found.other_line} == {line_of(text, "// one"), line_of(text, "// two")}


def test_one_too_far(emulator: Emulator) -> None:
    text = spoil(COPY, "if (i < n) dst[i] = src[i]", "if (i < n) dst[i] = src[i + 1]")
    given = np.zeros(100, np.uint8)
    arguments = (In(given), Out(np.empty_like(given)), np.int32(100))
    report = emulator.kernel(text, "copy").check((1,), (128,), arguments, faults="report")
    (found,) = report.findings
    assert (found.kind, found.line, found.count) == ("out-of-bounds read", line_of(text, "src[i + 1]"), 1)
    assert found.thread == (99, 0, 0)
    assert "byte 100 of argument 0 'src'" in found.what


@pytest.mark.parametrize("checked", [True, False])
def test_write_too_far(emulator: Emulator, checked: bool) -> None:
    _, report = one_block(emulator, "a[threadIdx.x] = 1;", Out(ints(63)), checked=checked)
    (found,) = report.findings
    assert found.kind == "out-of-bounds write"
    assert found.line == (2 if checked else 0)
    assert "byte 252" in found.what


@pytest.mark.parametrize("place", ["threadIdx.x + 1", "-2048"])
def test_a_read_beyond_an_array_stops_a_fast_run(emulator: Emulator, place: str) -> None:
    given, made = ints(64), ints(64)
    body = f"b[threadIdx.x] = a[{place}];"
    _, report = one_block(emulator, body, In(given), Out(made), parameters="const int* a, int* b", checked=False)
    assert [(each.kind, each.line) for each in report.findings] == [("out-of-bounds read", 2), ("crash", 0)]


def test_far_away_access_stops_the_block_only(emulator: Emulator) -> None:
    text, report = one_block(emulator, "if (blockIdx.x == 1) a += 1 << 28;\na[blockIdx.x * 64 + threadIdx.x] = 1;",
                             Out(ints(128)), blocks=2)  # fmt: skip
    assert_found(report, "out-of-bounds write", line_of(text, "= 1;"))
    text, report = one_block(emulator, "int* p = a - (size_t)a / 4;\n*p = a[0];", InOut(ints(1)))
    assert_found(report, "out-of-bounds write", line_of(text, "*p ="))


def test_shared_overflow_into_its_neighbour(emulator: Emulator) -> None:
    body = """__shared__ int left[64];
    __shared__ int right[64];
    int* p = left;
    p[threadIdx.x + 1] = 1;
    right[threadIdx.x] = 2;
    __syncthreads();
    a[threadIdx.x] = right[threadIdx.x] + p[threadIdx.x ? threadIdx.x : 1];"""
    text, report = one_block(emulator, body, Out(ints(64)))
    (found,) = report.findings
    assert (found.kind, found.line) == ("out-of-bounds write", line_of(text, "p[threadIdx.x + 1]"))
    assert "byte 256 of shared 'left'" in found.what


def test_dynamic_shared_overflow(emulator: Emulator) -> None:
    body = "extern __shared__ int s[];\ns[threadIdx.x] = 1;\n__syncthreads();\na[threadIdx.x] = s[threadIdx.x];"
    text = f'extern "C" __global__ void k(int* a) {{\n{body}\n}}\n'
    report = emulator.kernel(text, "k").check((1,), (64,), (Out(ints(64)),), 252, faults="report")
    assert_found(report, "out-of-bounds write", 3)
    assert_found(report, "out-of-bounds read", 5)
    assert "dynamic shared memory" in report.findings[0].what


def test_index_beyond_a_row(emulator: Emulator) -> None:
    report = checked_box(emulator, text := spoil(TILE, "threadIdx.x + i]", "threadIdx.x + i + 1]"))
    assert_found(report, "index overflow", line_of(text, "sum += tile"))


def test_uninitialised_shared(emulator: Emulator) -> None:
    body = "__shared__ int t[64];\nconst int i = threadIdx.x;\nif (i) t[i] = 1;\n__syncthreads();\na[i] = t[i];"
    _, report = one_block(emulator, body, Out(ints(64)))
    (found,) = report.findings
    assert (found.kind, found.line, found.thread) == ("uninitialised shared read", 6, (0, 0, 0))


def test_uninitialised_output(emulator: Emulator) -> None:
    _, report = one_block(emulator, "a[threadIdx.x] += 1;", Out(ints(64)))
    assert {(each.kind, each.line) for each in report.findings} == {("uninitialised output read", 2)}


def test_write_to_an_input(emulator: Emulator) -> None:
    for checked in (True, False):
        _, report = one_block(emulator, "a[threadIdx.x] += 1;", In(ints(64)), checked=checked)
        assert report.kinds() == {"write to an input"}


def test_shuffle_from_an_inactive_lane(emulator: Emulator) -> None:
    text = spoil(TOTAL, "if (threadIdx.x < 32) {", "if (threadIdx.x < 8) {")
    given, total = np.zeros(1000, np.uint8), np.zeros(1, np.uint32)
    arguments = (In(given), np.int32(1000), InOut(total))
    report = emulator.kernel(text, "total").check((1,), (256,), arguments, 32, faults="report")
    assert_found(report, "inactive lane", line_of(text, "__shfl_xor_sync"))
    body = "a[threadIdx.x] = __shfl_down_sync(0xffffu, a[threadIdx.x], 1);"
    _, report = one_block(emulator, body, InOut(ints(32)), threads=32)
    assert report.kinds() == {"inactive lane"}


def test_lanes_in_different_collectives(emulator: Emulator) -> None:
    body = "if (threadIdx.x & 1)\na[threadIdx.x] = __shfl_sync(~0u, 1, 0); // one\nelse\n__syncwarp(); // two"
    text, report = one_block(emulator, body, InOut(ints(32)), threads=32)
    assert "divergent collective" in report.kinds()
    assert {each.line for each in report.findings} & {line_of(text, "// one"), line_of(text, "// two")}


def test_misaligned_vector(emulator: Emulator) -> None:
    body = "const int4 v = *(const int4*)(b + threadIdx.x);\na[threadIdx.x] = v.x + v.w;"
    _, report = one_block(emulator, body, Out(ints(4)), In(ints(8)), parameters="int* a, const int* b", threads=4)
    (found,) = report.findings
    assert (found.kind, found.line, found.count) == ("misaligned access", 2, 3)


def test_shared_memory_within_a_warp(emulator: Emulator) -> None:
    right = "__shared__ int t[32];\nt[threadIdx.x] = 1;\n__syncwarp();\na[threadIdx.x] = t[31 - threadIdx.x];"
    _, report = one_block(emulator, right, Out(ints(32)), threads=32)
    assert report.clean
    _, report = one_block(emulator, right.replace("__syncwarp();", ";"), Out(ints(32)), threads=32)
    assert "race in a block" in report.kinds()


def test_atomics_race_with_plain_accesses_only(emulator: Emulator) -> None:
    _, report = one_block(emulator, "atomicAdd(a, 1);\natomicMax(a + 1, (int)threadIdx.x);", InOut(ints(2)), blocks=3)
    assert report.clean
    _, report = one_block(emulator, "atomicAdd(a, 1);\nif (threadIdx.x == 3) a[0] = 7;", InOut(ints(2)))
    assert report.kinds() == {"race in a block"}


def test_the_last_block_sees_what_was_fenced(emulator: Emulator) -> None:
    body = """__shared__ int ticket;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = (int)blockIdx.x + 1;
        __threadfence();
        ticket = atomicAdd(a + 1, 1);
    }
    __syncthreads();
    if (ticket == gridDim.x - 1 && threadIdx.x == 0)
        for (int i = 0; i < gridDim.x; i++) a[0] += part[i];"""
    for text, clean in ((body, True), (body.replace("__threadfence();", ";"), False)):
        a, part = np.zeros(2, np.int32), np.zeros(5, np.int32)
        _, report = one_block(emulator, text, InOut(a), Out(part), parameters="int* a, int* part", blocks=5)
        assert report.clean is clean
        assert report.kinds() <= {"race between blocks"}
        assert a[0] == 15


def test_casts_and_shifts_that_the_device_does_otherwise(emulator: Emulator) -> None:
    body = "a[0] = (int)f;\na[1] = 1 << (int)threadIdx.x + 32;"
    _, report = one_block(emulator, body, InOut(ints(2)), np.float32(3e9), parameters="int* a, float f", threads=1)
    assert {(each.kind, each.line) for each in report.findings} == {("cast overflow", 2), ("shift overflow", 3)}


def test_assertion(emulator: Emulator) -> None:
    _, report = one_block(emulator, "assert(a[0] == 1);", InOut(ints(1)), checked=False)
    assert [(each.kind, each.line) for each in report.findings] == [("assertion", 2)]


def test_faults_are_raised(emulator: Emulator) -> None:
    kernel = emulator.kernel('extern "C" __global__ void k(int* a) { a[threadIdx.x] = 1; }', "k")
    sentence = r"kernel k \(order shuffled, seed 0\): out-of-bounds write at line 1: 4 bytes at byte 4"
    with pytest.raises(KernelFaultError, match=sentence) as caught:
        kernel.check((1,), (2,), (Out(ints(1)),))
    assert not caught.value.report.clean
    with pytest.raises(KernelFaultError, match="out-of-bounds write"):
        kernel.run((1,), (2,), (Out(ints(1)),))


@pytest.mark.parametrize("checked", [True, False])
def test_an_endless_kernel_is_stopped(emulator: Emulator, checked: bool) -> None:
    kernel = emulator.kernel('extern "C" __global__ void k(volatile int* a) {\nwhile (a[0] == 0) {}\na[1] = 1; }', "k")
    launch = kernel.check if checked else kernel.run
    (found,) = launch((2,), (32,), (InOut(ints(2)),), faults="report", limit_s=1).findings
    assert (found.kind, found.line) == ("endless", 2 if checked else 0)


def test_a_crash_is_a_finding(emulator: Emulator) -> None:
    before = signal.getsignal(signal.SIGSEGV)
    body = "int* p = a - (size_t)a / 4;\np[threadIdx.x] = 1;"
    _, report = one_block(emulator, body, InOut(ints(2)), checked=False)
    assert [(each.kind, each.line) for each in report.findings] == [("out-of-bounds write", 3), ("crash", 0)]
    assert signal.getsignal(signal.SIGSEGV) == before
    _, report = one_block(emulator, "__syncthreads();\na[threadIdx.x] = 1;", Out(ints(64)), checked=False)
    assert report.clean


def test_a_stack_that_overflows_stops_the_launch(emulator: Emulator) -> None:
    """In every launch of the process: the stacks are the same."""
    text = """__device__ __noinline__ int deep(volatile int* a, int n) {
    volatile int own[2000];
    own[n] = a[0];
    return n ? deep(a, n - 1) + own[n] : own[n]; }
    extern "C" __global__ void k(volatile int* a) { a[0] = deep(a, threadIdx.x == 31 ? a[1] : 1); }"""
    kernel = emulator.kernel(text, "k")
    for threads in (64, 32, 256):
        for levels, kinds in ((2, set()), (40, {"crash"})):
            report = kernel.run((1,), (threads,), (InOut(np.array([0, levels], np.int32)),), faults="report")
            assert {each.kind for each in report.findings if each.kind == "crash"} == kinds
