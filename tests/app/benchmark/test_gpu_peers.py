"""The peers of GPUs on NumPy and SciPy: they compute what the chains do, from batch to batch."""

from __future__ import annotations

import importlib
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import ndimage

from app.benchmark.chains import CHAINS
from app.benchmark.clips import frames
from app.benchmark.gpu_peers import REAL, Libraries, gpu_peers
from app.benchmark.gpu_results import FUSE, NDIMAGE, TORCH
from app.benchmark.ours import comparable, difference, own

PLAIN = Libraries(np, ndimage, lambda function: function, lambda _: nullcontext())


class Tensor(np.ndarray):
    """An array with the methods of a tensor."""

    def to(self, dtype: Any) -> Tensor:
        return self.astype(dtype)

    def narrow(self, axis: int, start: int, size: int) -> Tensor:
        return self[tuple(slice(start, start + size) if a == axis else slice(None) for a in range(self.ndim))]


def pad(image: Tensor, sides: tuple[int, int, int, int], mode: str) -> Tensor:
    left, right, up, down = sides
    assert mode == "reflect"
    return np.pad(image, [(0, 0)] * (image.ndim - 2) + [(up, down), (left, right)], mode).view(Tensor)


LIKE_TORCH = SimpleNamespace(
    float32=np.float32, int32=np.int32, uint8=np.uint8, stack=lambda parts: np.stack(parts).view(Tensor),
    clamp=np.clip, round=np.rint, floor=np.floor, abs=np.abs, sqrt=np.sqrt,
    nn=SimpleNamespace(functional=SimpleNamespace(pad=pad)),
)  # fmt: skip
"""As much of PyTorch as the peer uses, with PyTorch's meaning."""


def with_torch() -> Libraries:
    """PyTorch itself where it is installed."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return Libraries(np, ndimage, lambda f: f, lambda _: nullcontext(), LIKE_TORCH, lambda a: a.view(Tensor),
                         np.asarray)  # fmt: skip
    return Libraries(np, ndimage, lambda f: f, lambda _: nullcontext(), torch, torch.from_numpy,
                     lambda tensor: tensor.numpy())  # fmt: skip


@pytest.mark.parametrize("chain", sorted(REAL))
@pytest.mark.parametrize("channels", [1, 4])
@pytest.mark.parametrize("name", [NDIMAGE, FUSE, TORCH])
def test_peers_compute_the_chain(chain: str, channels: int, name: str) -> None:
    made = gpu_peers(with_torch() if name == TORCH else PLAIN, chain)
    clip = frames(channels, 5, 60, 70)
    ours = own(CHAINS[chain].pipeline(60), clip, "reference", 1, fused=True)
    for _ in range(3):
        wanted = comparable(60, ours.run()[CHAINS[chain].ref])
        found: Any = made[name](clip)
    assert found.dtype == np.uint8
    assert difference(np.asarray(found), wanted) <= CHAINS[chain].tolerance
    assert 0.001 < (wanted > 0).mean() < 0.6


def test_what_is_not_there_is_left_out() -> None:
    assert list(gpu_peers(PLAIN, "seed")) == [NDIMAGE, FUSE]
    assert gpu_peers(PLAIN, "harris") == {}


@pytest.mark.parametrize("chain", sorted(REAL))
@pytest.mark.parametrize("name", [NDIMAGE, FUSE])
def test_filters_compute_in_f32(chain: str, name: str) -> None:
    """CuPy computes in f64 where weights are whole numbers: a peer that is slower than it has to be proves nothing."""
    seen: list[np.dtype] = []

    def correlate1d(image: Any, weights: Any, *arguments: Any, **named: Any) -> Any:
        seen.extend((image.dtype, weights.dtype))
        return ndimage.correlate1d(image, weights, *arguments, **named)

    def gaussian_filter(image: Any, *arguments: Any, **named: Any) -> Any:
        seen.append(image.dtype)
        return ndimage.gaussian_filter(image, *arguments, **named)

    watched = SimpleNamespace(correlate1d=correlate1d, gaussian_filter=gaussian_filter)
    plain = Libraries(np, watched, lambda function: function, lambda _: nullcontext())
    for channels in (1, 4):
        gpu_peers(plain, chain)[name](frames(channels, 2, 40, 50))
    assert len(seen) >= 10
    assert set(seen) == {np.dtype(np.float32)}
