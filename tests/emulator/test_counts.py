"""Counts against numbers worked out by hand."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.emulator.emulator import Emulator
from tests.emulator.memory import In, InOut, Out
from tests.emulator.report import Report, Traffic
from tests.emulator.texts import COPY, MARCH, TILE, TOTAL, VECTORS


def run_one(emulator: Emulator, body: str, size: int, threads: int = 32) -> Report:
    text = f'extern "C" __global__ void k(const float* a, float* b) {{ const int i = threadIdx.x;\n{body}\n}}\n'
    given, made = np.arange(size, dtype=np.float32), np.zeros(size, np.float32)
    return emulator.kernel(text, "k").check((1,), (threads,), (In(given), Out(made, whole=False)))


def test_bytes_of_a_copy(emulator: Emulator) -> None:
    given = np.zeros(1000, np.uint8)
    report = emulator.kernel(COPY, "copy").check((5,), (256,), (In(given), Out(np.empty_like(given)), np.int32(1000)))
    sectors = -(-1000 // 32)
    for operation in ("load", "store"):
        traffic = Traffic(accesses=1000, bytes=1000, requests=32, transactions=sectors, ideal=sectors)
        assert report.traffic("global", operation) == traffic
        assert report.traffic("global", operation, line=4) == traffic
        assert report.sectors_of_blocks[operation] == report.sectors_of_launch[operation] == sectors


@pytest.mark.parametrize(
    ("index", "sectors", "least"),
    [("i", 4, 4), ("i + 1", 5, 4), ("2 * i", 8, 4), ("8 * i", 32, 4), ("31 - i", 4, 4), ("5", 1, 1), ("i & ~7", 4, 1)],
)
def test_sectors_of_a_request(emulator: Emulator, index: str, sectors: int, least: int) -> None:
    traffic = run_one(emulator, f"b[i] = a[{index}];", 256).traffic("global", "load")
    assert traffic == Traffic(accesses=32, bytes=128, requests=1, transactions=sectors, ideal=least)


def test_lanes_that_do_not_take_part(emulator: Emulator) -> None:
    report = run_one(emulator, "if (i % 2) b[i] = a[i];\nelse b[i] = a[i + 32] + 1.0f;", 72, threads=40)
    for line in (2, 3):
        # 16 lanes of the first warp, four of the second.
        traffic = report.traffic("global", "load", line)
        assert traffic == Traffic(accesses=20, bytes=80, requests=2, transactions=4 + 1, ideal=2 + 1)


def test_a_loop_that_lanes_leave_at_different_times(emulator: Emulator) -> None:
    body = "for (int j = 0; j < 3; j++)\nfor (int x = i; x < 34; x += 32)\nb[j * 34 + x] = a[j * 34 + x];"
    report = run_one(emulator, body, 102)
    for operation in ("load", "store"):
        traffic = report.traffic("global", operation)
        assert (traffic.requests, traffic.accesses) == (6, 102)
        # Rows start at bytes 0, 136, 272: the 128 bytes of all lanes, then 8 bytes of two lanes.
        assert traffic.transactions == (4 + 5 + 5) + (1 + 1 + 1)


def test_calls_that_are_not_inlined(emulator: Emulator) -> None:
    text = """__device__ __noinline__ float far(const float* a, int i) {
    float sum = 0.0f;
    for (int j = 0; j <= i % 3; j++) sum += a[32 * j + i];
    return sum;
}
extern "C" __global__ void k(const float* a, float* b) {
    const int i = threadIdx.x;
    b[i] = i < 16 ? far(a, i) : a[i];
}"""
    a, b = np.ones(96, np.float32), np.zeros(32, np.float32)
    report = emulator.kernel(text, "k").check((1,), (32,), (In(a), Out(b)))
    assert np.array_equal(b, [i % 3 + 1 if i < 16 else 1 for i in range(32)])
    assert report.traffic("global", "load", 3).requests == 3
    assert report.traffic("global", "load", 8).requests == 1
    assert report.traffic("global", "store", 8) == Traffic(accesses=32, bytes=128, requests=1, transactions=4, ideal=4)


def test_vector_accesses_are_whole(emulator: Emulator) -> None:
    rgba, words, floats = (np.zeros((32, 4), dtype) for dtype in (np.uint8, np.uint32, np.float32))
    gray = np.zeros(32, np.uint8)
    arrays = (In(rgba), In(words), In(floats), Out(gray), Out(words.copy()), Out(floats.copy()))
    report = emulator.kernel(VECTORS, "vectors").check((1,), (32,), arrays)
    loads = {4: 4, 16: 16}  # bytes of a lane: sectors of a warp
    for part, size in (("gray_of(rgba", 4), ("__ldg(words", 16), ("float4 f =", 16)):
        (line,) = [number for number, text in enumerate(VECTORS.split("\n"), 1) if part in text]
        traffic = report.traffic("global", "load", line)
        assert traffic == Traffic(32, 32 * size, 1, loads[size], loads[size])
    assert report.traffic("global", "store").requests == 3
    assert report.traffic("global", "store").bytes == 32 * (1 + 16 + 16)


def test_what_is_inlined_belongs_to_its_caller_too(emulator: Emulator) -> None:
    text = """__device__ __forceinline__ float load(const float* p) {
    return *p;
}
extern "C" __global__ void k(const float* a, float* b) {
    const float one = load(a + threadIdx.x);
    const float two = threadIdx.x < 8 ? load(a + 32 + threadIdx.x) : 0.0f;
    b[threadIdx.x] = one + two;
}"""
    a, b = np.ones(40, np.float32), np.zeros(32, np.float32)
    report = emulator.kernel(text, "k").check((1,), (32,), (In(a), Out(b)))
    assert report.traffic("global", "load", 2).bytes == 160
    if shutil.which("addr2line"):
        assert [report.traffic("global", "load", line).bytes for line in (5, 6)] == [128, 32]
        loads = {(each.line, each.callers) for each in report.lines if each.operation == "load"}
        assert loads == {(2, (5,)), (2, (6,))}


@pytest.mark.parametrize(("pitch", "ways"), [(32, 32), (33, 1), (34, 2), (16, 16)])
def test_bank_conflicts(emulator: Emulator, pitch: int, ways: int) -> None:
    body = f"__shared__ float t[32 * {pitch}];\nt[i * {pitch}] = a[i];\n__syncthreads();\nb[i] = t[i * {pitch}];"
    report = run_one(emulator, body, 32)
    for operation, line in (("store", 3), ("load", 5)):
        traffic = report.traffic("shared", operation, line)
        assert (traffic.requests, traffic.transactions, traffic.ideal, traffic.conflicts) == (1, ways, 1, ways - 1)


def test_wide_shared_accesses_go_in_parts(emulator: Emulator) -> None:
    body = """__shared__ float4 t[64];
    t[i] = make_float4(a[i], 0.0f, 0.0f, 0.0f);
    __syncthreads();
    const float2 v = ((const float2*)t)[2 * i];
    b[i] = v.x;"""
    report = run_one(emulator, body, 32)
    assert report.traffic("shared", "store") == Traffic(32, 512, 1, 4, 4)
    assert report.traffic("shared", "load") == Traffic(32, 256, 1, 4, 2)  # every other pair of banks lies idle


def test_a_broadcast_is_no_conflict(emulator: Emulator) -> None:
    body = "__shared__ float t[32];\nt[i] = a[i];\n__syncthreads();\nb[i] = t[i / 16 * 16];"
    assert run_one(emulator, body, 32).traffic("shared", "load").conflicts == 0


def test_traffic_of_a_tile(emulator: Emulator) -> None:
    image = np.zeros((64, 1024), np.float32)
    arguments = (In(image), Out(np.empty_like(image)), np.int32(1024), np.int32(64))
    report = emulator.kernel(TILE, "box").check((32, 8), (32, 8), arguments)
    rows = 8 * 10  # of all tiles in a column
    # A row of a tile: 32 lanes from one pixel left of an aligned start, then two lanes across the next boundary.
    load = report.traffic("global", "load")
    assert load.transactions == rows * ((31 * 5 + 4) + (31 * 2 + 1))
    assert load.requests == rows * 32 * 2
    assert load.bytes == rows * 32 * 34 * 4
    assert report.traffic("shared", "store").conflicts == report.traffic("shared", "load").conflicts == 0
    # A block touches whole sectors: 34 pixels reach over 6 of them (5 at the image's sides); edge rows are repeated.
    assert report.sectors_of_blocks["load"] == (6 * 10 + 2 * 9) * (30 * 6 + 2 * 5)
    assert report.sectors_of_launch == {"load": image.nbytes // 32, "store": image.nbytes // 32, "atomic": 0}


def test_a_march_reads_state_once(emulator: Emulator) -> None:
    frames, state = np.zeros((6, 16, 64), np.float32), np.zeros((16, 64), np.float32)
    sizes = (np.int32(64), np.int32(16), np.int32(6), np.float32(0.5))
    arguments = (In(frames), Out(np.empty_like(frames)), InOut(state), *sizes)
    report = emulator.kernel(MARCH, "march").check((2, 2), (32, 8), arguments)
    for operation in ("load", "store"):
        traffic = report.traffic("global", operation)
        assert traffic.bytes == frames.nbytes + state.nbytes
        assert traffic.conflicts == 0


def test_collectives_and_atomics(emulator: Emulator) -> None:
    given, total = np.ones(512, np.uint8), np.zeros(1, np.uint32)
    report = emulator.kernel(TOTAL, "total").check((2,), (256,), (In(given), np.int32(512), InOut(total)), 32)
    assert (report.barriers, report.collectives, report.atomics) == (2, 2 * 9 * 5, 2)
    assert report.traffic("global", "atomic") == Traffic(accesses=2, bytes=8, requests=2, transactions=2, ideal=2)


GATHER = r"""
extern "C" __global__ void gather(const unsigned char* a, const int* index, unsigned char* b, int width) {
    extern __shared__ unsigned char t[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, at = index[i];
    for (int j = threadIdx.x; j < 4096; j += blockDim.x) t[j] = a[j];
    __syncthreads();
    if (at < 0) b[i] = 0;
    else if (width == 1) b[i] = a[at] + t[at];
    else if (width == 4) b[i] = ((const unsigned*)a)[at] + ((const unsigned*)t)[at];
    else {
        const uint4 u = ((const uint4*)a)[at], v = ((const uint4*)t)[at]; // a member alone would be read alone
        b[i] = u.x + v.w;
    }
}
"""


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([1, 4, 16]), st.integers(0, 2**32 - 1), st.sampled_from([3, 40, 256]), st.floats(0, 1))
def test_any_gather(emulator: Emulator, width: int, seed: int, reach: int, active: float) -> None:
    rng = np.random.default_rng(seed)
    index = rng.integers(0, reach, (2, 64)).astype(np.int32)
    index[rng.random(index.shape) > active] = -1
    given_bytes, made = np.zeros(4096, np.uint8), np.zeros(128, np.uint8)
    arguments = (In(given_bytes), In(index), Out(made), np.int32(width))
    report = emulator.kernel(GATHER, "gather").check((2,), (64,), arguments, 4096, seed=seed)
    line = {1: 8, 4: 9, 16: 11}[width]
    sectors = least = wavefronts = parts = 0
    for warp in index.reshape(-1, 32):
        starts = warp[warp >= 0].astype(int) * width
        touched = (starts[:, None] + np.arange(width)).reshape(-1)
        sectors += len(set(touched // 32))
        least += -(-len(set(touched)) // 32)
        for part in warp.reshape(-1, 8 if width == 16 else 32):
            starts = part[part >= 0].astype(int) * width
            words = set(((starts[:, None] + np.arange(width)) // 4).reshape(-1).tolist())
            wavefronts += max((sum(word % 32 == bank for word in words) for bank in range(32)), default=0)
            parts += bool(words)
    loads, shared = report.traffic("global", "load", line), report.traffic("shared", "load", line)
    assert (loads.transactions, loads.ideal) == (sectors, least)
    assert (shared.transactions, shared.ideal) == (wavefronts, parts)
    assert loads.bytes == shared.bytes == width * np.count_nonzero(index >= 0)
    spread = sum(len({*range(128)} | set((block[block >= 0] * width // 32).tolist())) for block in index)
    assert report.sectors_of_blocks["load"] == spread + 2 * 64 * 4 // 32
