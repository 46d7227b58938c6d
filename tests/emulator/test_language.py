"""CUDA's words one by one, against NumPy and Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.emulator import compiler
from tests.emulator.compiler import CompileError
from tests.emulator.elementwise import Elementwise
from tests.emulator.emulator import Emulator
from tests.emulator.memory import In, InOut, Out

RNG = np.random.default_rng(17)
WORDS = np.array([0, 1, 2**31, 2**32 - 1, 0x80, *RNG.integers(0, 2**32, 200)], np.uint32)
OTHERS = RNG.permutation(WORDS)
FLOATS = np.concatenate([
    np.array([0.0, -0.0, 0.5, 1.5, -2.5, 3e9, -3e9, 1e30, np.nan, np.inf, -np.inf, 2147483520.0], np.float32),
    RNG.normal(0, 1000, 200).astype(np.float32),
])  # fmt: skip


def each_of(emulator: Emulator, in_params: str, out: np.dtype[Any], body: str, *given: NDArray[Any]) -> NDArray[Any]:
    result = np.empty(given[0].shape, out)
    Elementwise(emulator, in_params, f"{out.name} y", body)(*given, result)
    return result


def bits(word: np.uint32) -> str:
    return f"{int(word):032b}"


def clipped(value: float, low: int, high: int, rounded: Callable[[float], float]) -> int:
    if np.isnan(value):
        return 0
    return low if value == -np.inf else high if value == np.inf else min(max(int(rounded(value)), low), high)


def lanes(word: np.uint32, size: int, signed: bool = False) -> list[int]:
    dtype = {(8, False): "u1", (16, False): "<u2", (8, True): "i1", (16, True): "<i2"}[size, signed]
    return [int(each) for each in np.frombuffer(int(word).to_bytes(4, "little"), dtype)]


def joined(values: list[int], size: int) -> int:
    return sum((value % 2**size) << (size * i) for i, value in enumerate(values))


@pytest.mark.parametrize(
    ("body", "meaning"),
    [
        ("y = __popc(x)", lambda w: bits(w).count("1")),
        ("y = __clz((int)x)", lambda w: 32 - int(w).bit_length()),
        ("y = __ffs((int)x)", lambda w: bits(w)[::-1].find("1") + 1),
        ("y = (int)__brev(x)", lambda w: int(np.uint32(int(bits(w)[::-1], 2)).view(np.int32))),
        ("y = (int)__byte_perm(x, 0u, 0x0123)", lambda w: int(w.byteswap().view(np.int32))),
    ],
)
def test_bits(emulator: Emulator, body: str, meaning: Callable[[np.uint32], int]) -> None:
    made = each_of(emulator, "uint32 x", np.dtype(np.int32), body, WORDS)
    assert made.tolist() == [meaning(word) for word in WORDS]


@pytest.mark.parametrize(
    ("name", "rounded"), [("rn", round), ("rd", np.floor), ("ru", np.ceil), ("rz", np.trunc)]
)  # fmt: skip
def test_conversions_saturate(emulator: Emulator, name: str, rounded: Callable[[float], float]) -> None:
    made = each_of(emulator, "float32 x", np.dtype(np.int32), f"y = __float2int_{name}(x)", FLOATS)
    assert made.tolist() == [clipped(float(x), -(2**31), 2**31 - 1, rounded) for x in FLOATS]
    unsigned = each_of(emulator, "float32 x", np.dtype(np.uint32), f"y = __float2uint_{name}(x)", FLOATS)
    assert unsigned.tolist() == [clipped(float(x), 0, 2**32 - 1, rounded) for x in FLOATS]


@pytest.mark.parametrize(
    ("body", "meaning"),
    [
        ("y = __fadd_rn(x, 0.1f) * 3.0f", lambda x: (x + np.float32(0.1)) * np.float32(3)),
        ("y = x * 0.7f + 0.3f", lambda x: x * np.float32(0.7) + np.float32(0.3)),  # never one rounding
        ("y = __fdiv_rn(x, 3.0f)", lambda x: x / np.float32(3)),
        ("y = sqrtf(fabsf(x))", lambda x: np.sqrt(np.abs(x))),
        ("y = rintf(x)", np.rint),
        ("y = floorf(x) - ceilf(x)", lambda x: np.floor(x) - np.ceil(x)),
        ("y = fminf(x, 2.0f)", lambda x: np.fmin(x, np.float32(2))),
        ("y = max(x, -1.0f)", lambda x: np.fmax(x, np.float32(-1))),
        ("y = __int_as_float(__float_as_int(x) ^ 0x80000000)", lambda x: -x),
        ("y = __saturatef(x)", lambda x: np.clip(np.nan_to_num(x, nan=0.0), np.float32(0), np.float32(1))),
    ],
)
def test_floats(emulator: Emulator, body: str, meaning: Callable[[NDArray[np.float32]], NDArray[np.float32]]) -> None:
    made = each_of(emulator, "float32 x", np.dtype(np.float32), body, FLOATS)
    with np.errstate(all="ignore"):
        expected = meaning(FLOATS).astype(np.float32)
    assert np.array_equal(made, expected, equal_nan=True)


@pytest.mark.parametrize(
    ("name", "signed", "meaning"),
    [
        ("__vadd{}", False, lambda a, b, top: a + b),
        ("__vsub{}", False, lambda a, b, top: a - b),
        ("__vaddus{}", False, lambda a, b, top: min(a + b, top)),
        ("__vsubus{}", False, lambda a, b, top: max(a - b, 0)),
        ("__vaddss{}", True, lambda a, b, top: min(max(a + b, -(top + 1) // 2), top // 2)),
        ("__vabsdiffu{}", False, lambda a, b, top: abs(a - b)),
        ("__vavgu{}", False, lambda a, b, top: (a + b + 1) // 2),
        ("__vmins{}", True, lambda a, b, top: min(a, b)),
        ("__vmaxu{}", False, lambda a, b, top: max(a, b)),
        ("__vcmpgtu{}", False, lambda a, b, top: top if a > b else 0),
    ],
)
@pytest.mark.parametrize(("count", "size"), [(4, 8), (2, 16)])
def test_video(emulator: Emulator, name: str, signed: bool, meaning: Callable[[int, int, int], int], count: int,
               size: int) -> None:  # fmt: skip
    body = f"y = {name.format(count)}(a, b)"
    made = each_of(emulator, "uint32 a, uint32 b", np.dtype(np.uint32), body, WORDS, OTHERS)
    for word, other, result in zip(WORDS, OTHERS, made, strict=True):
        pairs = zip(lanes(word, size, signed), lanes(other, size, signed), strict=True)
        assert int(result) == joined([meaning(a, b, 2**size - 1) for a, b in pairs], size)


def test_dot_product_of_bytes(emulator: Emulator) -> None:
    made = each_of(emulator, "uint32 a, uint32 b", np.dtype(np.uint32), "y = __dp4a(a, b, 7u)", WORDS, OTHERS)
    expected = [7 + sum(x * y for x, y in zip(lanes(a, 8), lanes(b, 8), strict=True))
                for a, b in zip(WORDS, OTHERS, strict=True)]  # fmt: skip
    assert made.tolist() == expected


@pytest.mark.parametrize(("name", "first"), [("lo", 0), ("hi", 2)])
def test_dot_product_of_halves_and_bytes(emulator: Emulator, name: str, first: int) -> None:
    text = f"y = __dp2a_{name}(a, b, 7u)"
    made = each_of(emulator, "uint32 a, uint32 b", np.dtype(np.uint32), text, WORDS, OTHERS)
    expected = [(7 + sum(x * y for x, y in zip(lanes(a, 16), lanes(b, 8)[first : first + 2], strict=True))) % 2**32
                for a, b in zip(WORDS, OTHERS, strict=True)]  # fmt: skip
    assert made.tolist() == expected


WARP = r"""
extern "C" __global__ void warp(const int* a, int* out, int mode) {
    const int i = threadIdx.x, v = a[i];
    const unsigned all = 0xffffffffu;
    int r = 0;
    if (mode == 0) r = __shfl_sync(all, v, 5, 16);
    if (mode == 1) r = __shfl_up_sync(all, v, 3);
    if (mode == 2) r = __shfl_down_sync(all, v, 3, 8);
    if (mode == 3) r = __shfl_xor_sync(all, v, 1);
    if (mode == 4) r = (int)__ballot_sync(all, v > 50);
    if (mode == 5) r = __any_sync(all, v == a[7]) + 2 * __all_sync(all, v > 50);
    if (mode == 6) r = __reduce_min_sync(all, v);
    if (mode == 7) r = __syncthreads_count(v > 50) + 100 * __syncthreads_and(v >= 0) + 1000 * __syncthreads_or(v < 0);
    if (mode == 8) r = (int)__match_any_sync(all, v / 50);
    out[i] = r;
}
"""


@pytest.mark.parametrize("mode", range(9))
def test_warps(emulator: Emulator, mode: int) -> None:
    a = RNG.integers(0, 100, 64).astype(np.int32)
    out = np.empty(64, np.int32)
    emulator.kernel(WARP, "warp").check((1,), (64,), (In(a), Out(out), np.int32(mode)), seed=mode)
    i, warps = np.arange(64), a.reshape(2, 32)
    ballot = [int(np.packbits(w > 50, bitorder="little").view("<i4")[0]) for w in warps]
    groups = [sum(1 << k for k in range(32) if w[k] // 50 == v // 50) for w in warps for v in w]
    expected = [
        a[i // 16 * 16 + 5], a[np.where(i % 32 < 3, i, i - 3)], a[np.where(i % 8 + 3 < 8, i + 3, i)], a[i ^ 1],
        np.repeat(ballot, 32), np.repeat([(w == a[7]).any() + 2 * (w > 50).all() for w in warps], 32),
        np.repeat(warps.min(1), 32), np.full(64, np.count_nonzero(a > 50) + 100), groups,
    ][mode]  # fmt: skip
    assert np.array_equal(out, np.asarray(expected).astype(np.uint32).view(np.int32))


def test_atomics(emulator: Emulator) -> None:
    text = r"""
extern "C" __global__ void k(const int* a, int* i, unsigned* u, unsigned long long* l, float* f) {
    const int v = a[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(&i[0], v); atomicMin(&i[1], v); atomicMax(&i[2], v); atomicSub(&i[3], v);
    atomicOr(&u[0], 1u << (v & 31)); atomicAnd(&u[1], ~(1u << (v & 31))); atomicXor(&u[2], (unsigned)v);
    atomicInc(&u[3], 9u);
    atomicAdd(&l[0], (unsigned long long)(long long)v); atomicMax(&l[1], (unsigned long long)(unsigned)v);
    atomicAdd(f, 0.5f);
    int seen = i[4], old;
    do { old = seen; seen = atomicCAS(&i[5], old, old + 1); } while (seen != old);
}
"""
    a = RNG.integers(-1000, 1000, 300).astype(np.int32)
    i = np.array([0, 10**6, -(10**6), 0, 0, 0], np.int32)
    u = np.array([0, 2**32 - 1, 0, 0], np.uint32)
    long, f = np.zeros(2, np.uint64), np.zeros(1, np.float32)
    emulator.kernel(text, "k").check((3,), (100,), (In(a), InOut(i), InOut(u), InOut(long), InOut(f)), seed=2)
    assert i.tolist() == [a.sum(), a.min(), a.max(), -a.sum(), 0, 300]
    masks = np.uint32(1) << (a & 31).astype(np.uint32)
    assert u.tolist() == [np.bitwise_or.reduce(masks), np.bitwise_and.reduce(~masks),
                          np.bitwise_xor.reduce(a.view(np.uint32)), 300 % 10]  # fmt: skip
    assert long.view(np.int64)[0] == a.sum()
    assert long[1] == a.view(np.uint32).max()
    assert f[0] == 150.0


def test_templates_structures_and_two_kernels_in_a_text(emulator: Emulator) -> None:
    text = r"""
struct Scale { float by; int shift; };
template <int N> __global__ void grow(const float* a, float* b, Scale s) {
    float local[N];
    for (int j = 0; j < N; j++) local[(j + s.shift) % N] = a[threadIdx.x] * s.by * (float)j;
    float sum = 0.0f;
    for (int j = 0; j < N; j++) sum += local[j];
    b[threadIdx.x + blockIdx.y * blockDim.x] = sum;
}
__global__ void three(float* b) { b[threadIdx.z * 6 + threadIdx.y * 3 + threadIdx.x] = 3.0f; }
"""
    a, b = RNG.random(16, np.float32), np.empty((2, 16), np.float32)
    scale = np.array([(2.0, 1)], dtype=[("by", "<f4"), ("shift", "<i4")])[0]
    emulator.kernel(text, "grow<4>").check((1, 2), (16,), (In(a), Out(b), scale))
    assert np.array_equal(b[0], b[1])
    assert np.allclose(b[0], a * 12)
    threes = np.zeros(12, np.float32)
    emulator.kernel(text, "three").check((1,), (3, 2, 2), (Out(threes),))
    assert np.array_equal(threes, np.full(12, 3.0))


def test_what_the_compiler_refuses_is_said(emulator: Emulator) -> None:
    with pytest.raises(CompileError, match=r"kernel\.cu:2"):
        emulator.kernel('extern "C" __global__ void k(int* a) {\n  a[0] = unknown; }', "k").load(False)
    with pytest.raises(CompileError):  # NVRTC has no such header; neither has the emulator
        emulator.kernel('extern "C" __global__ void k(int* a) { a[0] = (uint8_t)300; }', "k").load(False)


TENSOR = """
extern "C" __global__ void product(const float *a, const float *b, float *c, const float *given, unsigned short *halves)
{
    const int row = threadIdx.x / 4, part = threadIdx.x % 4;
    unsigned r[6];
    for (int k = 0; k < 6; ++k) {
        const float v = k < 4 ? a[(row + 8 * (k % 2)) * 8 + part + 4 * (k / 2)] : b[(part + 4 * (k - 4)) * 8 + row];
        unsigned to;
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(to) : "f"(v));
        r[k] = to;
    }
    float d[4] = {};
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]));
    for (int k = 0; k < 4; ++k) c[(row + 8 * (k / 2)) * 8 + 2 * part + k % 2] = d[k];
    const float v = given[threadIdx.x];
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v));
    halves[threadIdx.x] = h;
}
"""


def test_tensor_cores_multiply_numbers_of_eleven_bits(emulator):
    """Fragments as the PTX ISA has them; operands rounded, halves away from 0; f16 by NumPy's own conversion."""
    rng = np.random.default_rng(2)
    a, b = (rng.standard_normal(size).astype(np.float32) for size in ((16, 8), (8, 8)))
    a[0, 0], a[1, 1] = 1 + 2.0**-11, 1 + 3 * 2.0**-11  # halves
    edge = [0.0, -0.0, 65504, 65519.99, 65520, 1e9, np.inf, np.nan, 2.0**-14, 2.0**-24, 2.0**-25, 3 * 2.0**-26, 1.5]
    given = np.array([*edge, *(rng.standard_normal(32 - len(edge)) * 1e-4)], np.float32)
    c, halves = np.empty((16, 8), np.float32), np.empty(32, np.uint16)
    kernel = emulator.kernel(TENSOR, "product")
    kernel.check((1,), (32,), (In(a), In(b), Out(c), In(given), Out(halves)))
    with np.errstate(over="ignore"):
        wanted = given.astype(np.float16)
    assert np.array_equal(halves.view(np.float16), wanted, equal_nan=True)
    rounded = [((m.view(np.uint32) + 0x1000) & 0xFFFFE000).view(np.float32).astype(np.float64) for m in (a, b)]
    assert rounded[0][0, 0] == 1 + 2.0**-10
    exact, sizes = rounded[0] @ rounded[1], np.abs(rounded[0]) @ np.abs(rounded[1])
    assert (np.abs(c - exact) <= 8 * 2.0**-23 * sizes).all()
    assert np.abs(c - a.astype(np.float64) @ b).max() > 1e-4


CALLED = """__device__ __forceinline__ int twice(int a) { return 2 * a; }
__device__ __noinline__ int put(int *to, int at, int value)
{
    to[at] = twice(value);
    return value;
}
"""


def test_functions_of_their_own_are_compiled_once_for_all_kernels_and_keep_their_lines(
    emulator: Emulator, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(compiler, "folder", lambda: tmp_path)
    compiled: list[str] = []
    run = compiler.Compiler.run

    def counted(self: compiler.Compiler, *arguments: str) -> None:
        compiled.extend(Path(name).read_text() for name in arguments if name.endswith("kernel.cpp"))
        run(self, *arguments)

    monkeypatch.setattr(compiler.Compiler, "run", counted)
    for add in (0, 5):
        text = f'{CALLED}extern "C" __global__ void k(int *a) {{ a[1] = {add} + put(a, 0, 4); }}\n'
        out = np.empty(2, np.int32)
        emulator.kernel(text, "k").run((1,), (1,), [Out(out)])
        assert out.tolist() == [8, 4 + add]
    assert [("twice(value)" in source, "a[1]" in source) for source in compiled] == [
        (True, False), (False, True), (False, True)]  # fmt: skip
    report = emulator.kernel(text.replace("put(a, 0,", "put(a, 2,"), "k").check((1,), (1,), [Out(out)], faults="report")
    assert ("out-of-bounds write", 4) in [(found.kind, found.line) for found in report.findings]
