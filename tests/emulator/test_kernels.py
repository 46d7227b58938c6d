"""Right kernels, written by hand: the result of NumPy, whatever the order of threads, warps and blocks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.emulator.emulator import Emulator
from tests.emulator.memory import In, InOut, Out
from tests.emulator.texts import COPY, MARCH, TILE, TOTAL, VECTORS

ORDERS = [("shuffled", 0), ("shuffled", 7), ("forward", 1), ("reverse", 2)]
RNG = np.random.default_rng(11)


def box(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """The sum of 3x3 pixels, edges repeated, in the order of the kernel."""
    height, width = image.shape
    padded = np.pad(image, 1, mode="edge")
    total = np.zeros_like(image)
    for j in range(3):
        for i in range(3):
            total += padded[j : j + height, i : i + width]
    return total


@pytest.mark.parametrize(("order", "seed"), ORDERS)
@pytest.mark.parametrize("mode", ["run", "check"])
def test_copy(emulator: Emulator, mode: str, order: str, seed: int) -> None:
    given = RNG.integers(0, 256, 1000, dtype=np.uint8)
    made = np.zeros_like(given)
    launch = getattr(emulator.kernel(COPY, "copy"), mode)
    report = launch((5,), (256,), (In(given), Out(made), np.int32(given.size)), order=order, seed=seed)
    assert report.clean
    assert np.array_equal(made, given)
    assert (report.blocks, report.threads) == (5, 1280)


@pytest.mark.parametrize(("order", "seed"), ORDERS)
@pytest.mark.parametrize("mode", ["run", "check"])
@pytest.mark.parametrize("shape", [(1, 1), (9, 35), (40, 96)])
def test_tile(emulator: Emulator, mode: str, order: str, seed: int, shape: tuple[int, int]) -> None:
    image = RNG.random(shape, np.float32)
    made = np.empty_like(image)
    height, width = shape
    grid = (-(-width // 32), -(-height // 8))
    launch = getattr(emulator.kernel(TILE, "box"), mode)
    report = launch(grid, (32, 8), (In(image), Out(made), np.int32(width), np.int32(height)), order=order, seed=seed)
    assert np.array_equal(made, box(image))
    assert report.barriers == grid[0] * grid[1]


@pytest.mark.parametrize(("order", "seed"), ORDERS)
@pytest.mark.parametrize("mode", ["run", "check"])
def test_total(emulator: Emulator, mode: str, order: str, seed: int) -> None:
    given = RNG.integers(0, 256, 5000, dtype=np.uint8)
    total = np.zeros(1, np.uint32)
    launch = getattr(emulator.kernel(TOTAL, "total"), mode)
    report = launch((7,), (256,), (In(given), np.int32(given.size), InOut(total)), 32, order=order, seed=seed)
    assert total[0] == given.sum()
    assert report.atomics == 7
    assert report.collectives == 7 * 5 * 9


@pytest.mark.parametrize(("order", "seed"), ORDERS)
@pytest.mark.parametrize("mode", ["run", "check"])
def test_march(emulator: Emulator, mode: str, order: str, seed: int) -> None:
    frames = RNG.random((6, 20, 50), np.float32)
    state = RNG.random((20, 50), np.float32)
    before, made = state.copy(), np.empty_like(frames)
    launch = getattr(emulator.kernel(MARCH, "march"), mode)
    sizes = (np.int32(50), np.int32(20), np.int32(6))
    arguments = (In(frames), Out(made), InOut(state), *sizes, np.float32(0.25))
    launch((2, 3), (32, 8), arguments, order=order, seed=seed)
    for frame, result in zip(frames, made, strict=True):
        before += np.float32(0.25) * (frame - before)
        assert np.array_equal(result, before)
    assert np.array_equal(state, before)


@pytest.mark.parametrize(("order", "seed"), ORDERS)
@pytest.mark.parametrize("mode", ["run", "check"])
def test_vectors(emulator: Emulator, mode: str, order: str, seed: int) -> None:
    rgba = RNG.integers(0, 256, (32, 4), dtype=np.uint8)
    words = RNG.integers(0, 2**32, (32, 4), dtype=np.uint32)
    floats = RNG.random((32, 4), np.float32)
    gray, summed, swapped = np.empty(32, np.uint8), np.empty((32, 4), np.uint32), np.empty((32, 4), np.float32)
    launch = getattr(emulator.kernel(VECTORS, "vectors"), mode)
    launch((1,), (32,), (In(rgba), In(words), In(floats), Out(gray), Out(summed), Out(swapped)), order=order, seed=seed)
    weighted = rgba[:, 0].astype(int) * 77 + rgba[:, 1].astype(int) * 150 + rgba[:, 2].astype(int) * 29 + 128
    assert np.array_equal(gray, weighted >> 8)
    assert np.array_equal(summed, words + words[:, :1])
    assert np.array_equal(swapped, floats[:, ::-1])


def test_values_that_do_not_fit_are_refused(emulator: Emulator) -> None:
    kernel = emulator.kernel(COPY, "copy")
    given, made = np.zeros(8, np.uint8), np.zeros(8, np.uint8)
    for number in (np.int64(8), np.float32(8), np.uint32(8), 8):
        with pytest.raises(TypeError, match="argument 2"):
            kernel.run((1,), (32,), (In(given), Out(made), number))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes 3"):
        kernel.run((1,), (32,), (In(given), Out(made)))
    with pytest.raises(ValueError, match="1024"):
        kernel.run((1,), (1025,), (In(given), Out(made), np.int32(8)))
    with pytest.raises(ValueError, match="contiguous"):
        kernel.run((1,), (32,), (In(np.zeros(16, np.uint8)[::2]), Out(made), np.int32(8)))


def test_denormals_are_flushed_on_request(emulator: Emulator) -> None:
    text = 'extern "C" __global__ void half(const float* a, float* b) { b[threadIdx.x] = a[threadIdx.x] * 0.5f; }'
    tiny = np.array([np.finfo(np.float32).tiny, 1.0], np.float32)
    for ftz, expected in ((False, tiny[0] / 2), (True, np.float32(0.0))):
        made = np.empty(2, np.float32)
        emulator.kernel(text, "half").run((1,), (2,), (In(tiny), Out(made)), ftz=ftz)
        assert made[0] == expected
    assert tiny[0] * np.float32(0.5) != 0.0  # the processor is as it was


def test_an_order_dependent_kernel_differs_between_seeds(emulator: Emulator) -> None:
    text = 'extern "C" __global__ void last(int* a) { atomicExch(a, (int)(blockIdx.x * blockDim.x + threadIdx.x)); }'
    results = set()
    for seed in range(6):
        value = np.zeros(1, np.int32)
        emulator.kernel(text, "last").run((4,), (64,), (InOut(value),), seed=seed)
        results.add(int(value[0]))
    assert len(results) > 1
