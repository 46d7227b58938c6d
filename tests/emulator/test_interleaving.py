"""Threads and blocks that come between each other: what only shows then is found within a hundred seeds.

The kernel labels the regions of a mask (8 neighbours) by union-find in shared memory (Komura, Comput. Phys. Commun.
194, 2015): a block a strip of rows, strips joined in global memory by a second kernel whose blocks meet at seams.
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage as ndimage

from tests.emulator.emulator import Emulator
from tests.emulator.memory import In, InOut, Out

UNITE = r"""
__device__ __forceinline__ int seen(const int *p) { return *(const volatile int *)p; }
__device__ __forceinline__ int find(const int *p, int n) { for (int q; (q = seen(p + n)) != n;) n = q; return n; }
__device__ void unite(int *p, int a, int b) {
    for (;;) {
        a = find(p, a), b = find(p, b);
        if (a == b) return;
        if (a > b) { const int c = a; a = b; b = c; }
        const int old = atomicMin(p + b, a);
        if (old == b) return;  // it was a root, and is joined
        b = old;               // somebody was faster: join what it was joined with
    }
}
"""
LABEL = (
    UNITE
    + r"""
extern "C" __global__ void label(const unsigned char *mask, int *out, const int w, const int h)
{
    __shared__ int parent[1024];
    const int n = threadIdx.x, x = n % w, y = n / w, first = blockIdx.x * w * h;
    parent[n] = n;
    __syncthreads();
    if (mask[first + n])
        for (int k = 0; k < 4; ++k) {
            const int u = x + (k == 0 ? -1 : k - 2), v = y - (k != 0);
            if (u >= 0 && u < w && v >= 0 && mask[first + v * w + u]) unite(parent, n, v * w + u);
        }
    __syncthreads();
    const int root = find(parent, n);
    __syncthreads();
    parent[n] = root;  // flat
    __syncthreads();
    const int m = w * h - 1 - n;  // another's
    out[first + m] = mask[first + m] ? first + parent[m] : -1;
}
extern "C" __global__ void seam(const unsigned char *mask, int *out, const int w, const int h)
{
    const int x = threadIdx.x, y = (blockIdx.x + 1) * h;  // the first row of a strip
    if (!mask[y * w + x]) return;
    for (int d = -1; d < 2; ++d)
        if (x + d >= 0 && x + d < w && mask[(y - 1) * w + x + d]) unite(out, y * w + x, (y - 1) * w + x + d);
}
extern "C" __global__ void flatten(const unsigned char *mask, int *out)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (mask[n]) atomicExch(out + n, find(out, n));
}
"""
)
LOST = LABEL.replace("if (old == b) return;  // it was a root, and is joined", "return;")
NO_BARRIER = LABEL.replace("parent[n] = root;  // flat\n    __syncthreads();", "parent[n] = root;").replace(
    "const int root = find(parent, n);\n    __syncthreads();", "const int root = find(parent, n);"
)
WRONG_SEAM = LABEL.replace(
    "unite(out, y * w + x, (y - 1) * w + x + d);",
    r"""{
            const int a = find(out, y * w + x), b = find(out, (y - 1) * w + x + d);
            if (a < b) atomicMin(out + b, a);
            if (b < a) atomicMin(out + a, b);  // others may have joined it meanwhile
        }""",
)
W, H, STRIPS = 16, 8, 4


def _mask(seed: int) -> np.ndarray:
    return (np.random.default_rng(seed).random((STRIPS * H, W)) < 0.5).astype(np.uint8)


def _first_pixels(mask: np.ndarray) -> np.ndarray:
    """The first pixel of each pixel's region, -1 outside."""
    labels, count = ndimage.label(mask, np.ones((3, 3)))
    first = np.array([-1, *(np.flatnonzero(labels == k)[0] for k in range(1, count + 1))])
    return first[labels].astype(np.int32)


class Labelling:
    """The three kernels of a text."""

    def __init__(self, emulator: Emulator, text: str) -> None:
        self.kernels = [emulator.kernel(text, name) for name in ("label", "seam", "flatten")]

    def strips(self, mask: np.ndarray, seed: int) -> np.ndarray:
        """What the first kernel leaves: labels of each strip alone."""
        out = np.full(mask.size, -7, np.int32)
        self.kernels[0].run(
            (STRIPS,), (W * H,), (In(mask.ravel()), Out(out), np.int32(W), np.int32(H)), seed=seed
        )  # fmt: skip
        return out.reshape(mask.shape)

    def of(self, mask: np.ndarray, seed: int, blocks: int = 2, order: str = "shuffled") -> np.ndarray:
        out, flat = np.full(mask.size, -7, np.int32), np.ascontiguousarray(mask.ravel())
        label, seam, flatten = self.kernels
        size = np.int32(W), np.int32(H)
        launch = {"seed": seed, "blocks": blocks, "order": order}
        label.run((STRIPS,), (W * H,), (In(flat), Out(out), *size), **launch)
        seam.run((STRIPS - 1,), (W,), (In(flat), InOut(out), *size), **launch)
        flatten.run((STRIPS,), (W * H,), (In(flat), InOut(out)), **launch)
        return out.reshape(mask.shape)


def _wrong(made: Labelling, seeds: range, blocks: int = 2) -> int | None:
    """The first seed at which a region is wrong."""
    mask = _mask(3)
    wanted = _first_pixels(mask)
    return next((seed for seed in seeds if not np.array_equal(made.of(mask, seed, blocks), wanted)), None)


@pytest.mark.parametrize("order", ["shuffled", "lockstep", "forward", "reverse"])
def test_a_union_that_tries_again_is_right_in_every_order(emulator: Emulator, order: str) -> None:
    made = Labelling(emulator, LABEL)
    for seed in range(6):
        mask = _mask(seed)
        assert np.array_equal(made.of(mask, seed, order=order), _first_pixels(mask))


def test_relaxed_loads_are_no_races_with_atomics(emulator: Emulator) -> None:
    mask, out = _mask(1), np.zeros(STRIPS * H * W, np.int32)
    label = emulator.kernel(LABEL, "label")
    label.check((STRIPS,), (W * H,), (In(mask.ravel()), Out(out), np.int32(W), np.int32(H)), seed=2)
    plain = LABEL.replace("*(const volatile int *)p", "*p")
    report = emulator.kernel(plain, "label").check(
        (STRIPS,), (W * H,), (In(mask.ravel()), Out(out), np.int32(W), np.int32(H)), seed=2, faults="report"
    )
    assert "race in a block" in {found.kind for found in report.findings}


@pytest.mark.parametrize("text", [LOST, WRONG_SEAM], ids=("lost union", "wrong seam"))
def test_what_others_come_between_is_found(emulator: Emulator, text: str) -> None:
    assert text != LABEL
    assert _wrong(Labelling(emulator, text), range(100)) is not None


@pytest.mark.parametrize(("text", "found"), [(LABEL, False), (NO_BARRIER, True)], ids=("flat", "missing barrier"))
def test_a_missing_barrier_after_flattening_is_found(emulator: Emulator, text: str, found: bool) -> None:
    """By what comes out, not only as a race: others' parents are read before they are flat."""
    made, mask = Labelling(emulator, text), _mask(3)
    parts = [_first_pixels(part) for part in mask.reshape(STRIPS, H, W)]
    wanted = np.concatenate([np.where(part < 0, -1, part + k * W * H) for k, part in enumerate(parts)])
    wrong = any(not np.array_equal(made.strips(mask, seed), wanted) for seed in range(100 if found else 10))
    assert wrong == found


def test_a_wrong_seam_shows_where_blocks_are_alive_at_once(emulator: Emulator) -> None:
    """Of a block a thread: nothing inside a block can come between."""
    text = r"""
extern "C" __global__ void count(int *total) {
    const int before = atomicAdd(total, 0);
    atomicExch(total, before + 1);  // planted: not at once
}
"""
    kernel = emulator.kernel(text, "count")

    def lost(blocks: int) -> bool:
        totals = np.zeros((100, 1), np.int32)
        for seed, total in enumerate(totals):
            kernel.run((20,), (1,), (InOut(total),), seed=seed, blocks=blocks)
        return bool((totals != 20).any())

    assert lost(2)
    assert not lost(1)


def test_in_lockstep_all_threads_meet_at_an_atomic(emulator: Emulator) -> None:
    """So all see the number before anybody changes it."""
    text = r"""
extern "C" __global__ void met(int *total, int *before) {
    before[threadIdx.x] = atomicAdd(total, 0);
    atomicAdd(total, 1);
}
"""
    for order, most in (("lockstep", 0), ("forward", 63)):
        total, before = np.zeros(1, np.int32), np.zeros(64, np.int32)
        emulator.kernel(text, "met").run((1,), (64,), (InOut(total), Out(before)), order=order)
        assert before.max() == most
