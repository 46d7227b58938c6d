"""Pools that residual blocks add: computed in the layer that adds them, every bit the same, and apart where that cannot
be."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from kernels.codegen.layers_moves import Move
from kernels.codegen.layers_record import BESIDE
from kernels.executors.cpu import CpuExecutor
from kernels.executors.machine import Machine
from kernels.executors.networks import NetworkProgram
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.layers_runs import SCHEDULES
from kernels.ir.expr import Expr, const, convert, maximum, postorder, rint
from kernels.ir.image import F32, I8, I32, U8, DType, ImageType
from kernels.ir.planes import Border, window
from kernels.ir.volumes import Contract, Weights, contract, input_volume, stack, vector
from kernels.networks import pooled_skips
from kernels.networks.pooled_skips import with_pooled_skips
from kernels.plugins import find_stage
from tests.layers import body_of, numbers, pool, pooled_blocks
from tests.onnx_files import model, node
from tests.strategies import same

LEVELS = ["auto", "avx2", "baseline"] if "+fma" in Machine().features else ["auto"]
KIND = ImageType(F32, 8, 10, 12)
RNG = np.random.default_rng(5)


@functools.cache
def executor(threads: int) -> CpuExecutor:
    return CpuExecutor(threads=threads)


def conv(volume: Expr, features: int, stride: int = 1, taps: int = 1, **how: object) -> Expr:
    assert volume.size is not None
    size = tuple(-(-n // stride) for n in volume.size)
    weights = Weights(RNG.standard_normal((features, taps, taps, volume.channels)).astype(np.float32))
    return contract(volume, const(0.25, F32), Contract(weights, (size[0], size[1]), stride=(stride, stride), **how))  # type: ignore[arg-type]


X = maximum(conv(input_volume(0, KIND), 12), 0.0)
HALF = (4, 5)


def moved(root: Expr) -> Expr:
    return with_pooled_skips([root]).new[root]


def counted(root: Expr, op: str) -> int:
    return sum(one.op == op for one in postorder([root]))


def ran(root: Expr, frames: np.ndarray, type_: ImageType, level: str = "auto", threads: int = 1,
        schedule: str = "chosen") -> NetworkProgram:  # fmt: skip
    """The program of a value, which has the bits of the reference of the value as it was."""
    wanted = ReferenceProgram(body_of(root, (type_,), root.dtype)).run([frames], {})["out"]
    body = body_of(moved(root), (type_,), root.dtype)
    assert same(np.asarray(ReferenceProgram(body).run([frames], {})["out"]), np.asarray(wanted))
    images = executor(threads)
    made = NetworkProgram(body, Machine(level), images.compile, None, images.workers, schedule)
    assert same(np.asarray(made.run([frames], {})["out"]), np.asarray(wanted))
    return made


def pools(made: NetworkProgram) -> int:
    layers = made.layers.network.layers
    return sum(isinstance(layer.kernels[0], Move) and layer.kernels[0].kind == "max" for layer in layers)


@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_block_keeps_its_bits(data):
    """Of any size, window, stride and number of channels; rows are made in any order, by any number of threads."""
    type_ = ImageType(F32, data.draw(st.integers(1, 11)), data.draw(st.integers(1, 40)), data.draw(st.integers(1, 30)))
    x = maximum(conv(input_volume(0, type_), type_.channels), 0.0)
    root = data.draw(pooled_blocks(x))
    if data.draw(st.booleans()):
        root = data.draw(pooled_blocks(root))
    frames = np.stack([numbers(data.draw, type_.shape) for _ in range(3)])
    frames[RNG.random(frames.shape) < 0.02] = np.nan
    made = ran(root, frames, type_, data.draw(st.sampled_from(LEVELS)), data.draw(st.integers(1, 3)),
               data.draw(st.sampled_from(SCHEDULES)))  # fmt: skip
    inside = len(with_pooled_skips([root]).skips)
    event(f"{inside} of {counted(root, 'window')} pools inside")
    assert pools(made) == counted(moved(root), "window") == counted(root, "window") - inside


def quantised_block(draw: st.DrawFn, x: Expr, dtype: DType) -> Expr:
    """A block of bytes between quantisers."""
    assert x.size is not None
    size = tuple(max(1, n // 2) for n in x.size)
    low = -128 if dtype == I8 else 0
    zero, more = draw(st.sampled_from((low, low, 0, 7))), draw(st.sampled_from((0, 4, 20)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    weights = rng.integers(-128, 128, (x.channels + more, 2, 2, x.channels)).astype(np.int8)
    sums = contract(x, const(0, I32), Contract(Weights(weights), (size[0], size[1]), stride=(2, 2), outside=zero))
    skip = pool(x, (2, 2), (2, 2), (size[0], size[1]))
    if more:
        skip = stack([skip, vector(np.full(more, zero, dtype.numpy))])
    total = convert(sums, F32) * 0.001 + convert(convert(skip, I32) - zero, F32) * 0.5
    return convert(rint(total) + float(zero), dtype)


@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_blocks_of_bytes_keep_their_bits(data):
    dtype = data.draw(st.sampled_from((U8, I8)))
    type_ = ImageType(dtype, data.draw(st.integers(1, 9)), data.draw(st.integers(1, 30)), data.draw(st.integers(1, 40)))
    taps = Contract(Weights(RNG.integers(-9, 9, (type_.channels, 1, 1, type_.channels)).astype(np.int8)),
                    (type_.height, type_.width))  # fmt: skip
    first = contract(input_volume(0, type_), const(0, I32), taps)
    x = convert(rint(convert(first, F32) * 0.1), dtype)
    root = quantised_block(data.draw, x, dtype)
    frames = RNG.integers(0, 256, (3, *type_.shape)).astype(np.uint8).view(dtype.numpy)
    made = ran(root, frames, type_, data.draw(st.sampled_from(LEVELS)), data.draw(st.integers(1, 3)))
    assert pools(made) == counted(moved(root), "window")
    if min(type_.height, type_.width) > 1:
        assert pools(made) == 0


@pytest.mark.parametrize(("features", "channels"), [(12, 12), (16, 12), (24, 12), (96, 48), (42, 36)])
def test_a_pooled_skip_is_no_layer(features, channels):
    """Nothing is copied or widened for it, whatever channels follow its own."""
    x = maximum(conv(input_volume(0, KIND), channels), 0.0)
    skip = pool(x, (2, 2), (2, 2), HALF)
    if features > channels:
        skip = stack([skip, vector(np.zeros(features - channels, np.float32))])
    root = maximum(conv(x, features, 2) + skip, 0.0)
    made = ran(root, RNG.standard_normal((2, *KIND.shape)).astype(np.float32), KIND)
    layers = made.layers.network.layers
    assert len(layers[-1].looks) == 5
    assert [layer.module for layer in layers].count("move") <= 1  # that of the frame
    (there,) = {look.map for look in layers[-1].looks[1:]}
    assert made.layers.network.maps[there].pitch == -(-channels // 8) * 8


@pytest.mark.parametrize("channels", [20, 36, 40])
def test_a_residual_of_fewer_channels_is_not_copied(channels):
    x = maximum(conv(input_volume(0, KIND), channels), 0.0)
    root = conv(x, 56) + stack([x, vector(np.zeros(56 - channels, np.float32))])
    made = ran(root, RNG.standard_normal((2, *KIND.shape)).astype(np.float32), KIND)
    assert [layer.module for layer in made.layers.network.layers].count("move") <= 1


APART: dict[str, Callable[[], Expr]] = {
    "beyond the edges": lambda: conv(X, 12, 2) + pool(X, (2, 2), (2, 2), HALF, -1),
    "behind the last row": lambda: conv(conv(X, 12), 12, 2) + pool(X, (2, 2), (2, 2), (4, 5), 1),
    "more pixels than rows": lambda: _large(),
    "looked at by others": lambda: stack([conv(X, 12, 2) + _skip(), _skip()]),
    "added to no sum": lambda: maximum(_skip(), 1.0) + vector(np.ones(12, np.float32)),
    "added to one of others": lambda: _shared(),
    "added to two": lambda: _skip() + (conv(X, 12, 2) + conv(X * 2.0, 12, 2)),
    "the smallest": lambda: conv(X, 12, 2) + replace_kind(_skip(), "min"),
    "of the picture": lambda: conv(X, 12, 2) + pool(input_volume(0, KIND), (2, 2), (2, 2), HALF),
}


def _skip() -> Expr:
    return pool(X, (2, 2), (2, 2), HALF)


def _large() -> Expr:
    size = (4, 4)
    weights = Weights(RNG.standard_normal((12, 1, 1, 12)).astype(np.float32))
    return contract(X, const(0.0, F32), Contract(weights, size, stride=(2, 2))) + pool(X, (2, 3), (2, 2), size)


def _shared() -> Expr:
    sums = conv(X, 12, 2)
    return stack([sums + _skip(), sums])


def replace_kind(skip: Expr, kind: str) -> Expr:
    widest = skip.src[0]
    least = window(kind, widest.src[0], Border("constant", np.inf), (0, 1), (0, 1))  # type: ignore[arg-type]
    return Expr("load", (least,), skip.arg, skip.dtype, skip.size)


@pytest.mark.parametrize("name", APART)
def test_what_an_epilogue_cannot_hold_stays_a_layer(name):
    root = APART[name]()
    found = with_pooled_skips([root])
    assert found.skips == ()
    assert found.new[root] is root
    ran(root, RNG.standard_normal((2, *KIND.shape)).astype(np.float32), KIND)


def test_what_leaves_stays_a_layer():
    skip = _skip()
    root = conv(X, 12, 2) + skip
    assert with_pooled_skips([root, skip]).skips == ()
    (one,) = with_pooled_skips([root]).skips
    assert one.pool is skip
    assert one.spared == 2 * 4 * 5 * 12 * 4


@pytest.mark.parametrize(("most", "inside"), [(BESIDE // 2, 0), (BESIDE, 1)])
def test_as_many_pixels_as_an_epilogue_has_rows(most, inside, monkeypatch):
    assert pooled_skips.MOST_PIXELS == BESIDE
    monkeypatch.setattr(pooled_skips, "MOST_PIXELS", most)
    assert len(with_pooled_skips([conv(X, 12, 2) + _skip()]).skips) == inside
    monkeypatch.setattr(pooled_skips, "MOST_PIXELS", 2 * BESIDE)
    assert len(with_pooled_skips([_large()]).skips) == 1  # which the lowering would have to cut in two


def block(tmp_path) -> str:
    """A file with a block of BlazeFace's kind."""
    weights = {"w0": RNG.standard_normal((8, 3, 3, 3)), "d": RNG.standard_normal((8, 1, 3, 3)),
               "p": RNG.standard_normal((12, 8, 1, 1))}  # fmt: skip
    nodes = [
        node("Conv", ["x", "w0"], ["a"], pads=[1, 1, 1, 1]), node("Relu", ["a"], ["b"]),
        node("Conv", ["b", "d"], ["c"], pads=[0, 0, 1, 1], strides=[2, 2], group=8), node("Conv", ["c", "p"], ["e"]),
        node("MaxPool", ["b"], ["m"], kernel_shape=[2, 2], strides=[2, 2]),
        node("Pad", ["m", "pads"], ["n"]), node("Add", ["e", "n"], ["s"]), node("Relu", ["s"], ["y"]),
    ]  # fmt: skip
    constants = {name: values.astype(np.float32) for name, values in weights.items()}
    constants["pads"] = np.array([0, 0, 0, 0, 0, 4, 0, 0], np.int64)
    file = tmp_path / "block.onnx"
    file.write_bytes(model(nodes, {"x": ("float32", (1, 3, 16, 20))}, ["y"], constants, 13))
    return str(file)


def test_the_stage_says_what_it_saves_and_can_leave_it(tmp_path):
    network, given, file = find_stage("network"), [ImageType(F32, 16, 20, 3)], block(tmp_path)
    made = network.expand(given, {"model": file})
    (said,) = [one for one in made.rewritings if one.kind == "pooled"]
    assert said.words == ("pools are computed in the layers that add them (skips = false: apart): maxpool_4 in conv_3")
    assert said.exact
    assert said.moved == 2 * 8 * 10 * 8 * 4 / (16 * 20)
    assert [part.id for part in made.pieces.parts if "pool" in part.id] == []
    apart = network.expand(given, {"model": file, "skips": False})
    assert not [one for one in apart.rewritings if one.kind == "pooled"]
    assert [part.id for part in apart.pieces.parts if "pool" in part.id] == ["maxpool_4"]
    frame = RNG.random((1, 16, 20, 3)).astype(np.float32)
    before, after = (ReferenceProgram(one.body).run([frame, None, None, None], {})["out"] for one in (apart, made))
    assert same(np.asarray(before), np.asarray(after))
    assert {part.id: len(part.inputs) for part in made.pieces.parts}["conv_3"] == 2
    pads = [one for one in made.rewritings if one.kind == "epilogue"]
    assert "1 channel pad" in pads[0].words
