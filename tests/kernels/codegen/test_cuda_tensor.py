"""Convolutions by tensor cores (only where roundings may change): within the stated bound on the emulator, those of
bytes exactly; on devices without them as ever."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kernels.codegen import cuda_modules, nvrtc
from kernels.codegen.cuda import cuda, print_network
from kernels.codegen.cuda_modules import fragments
from kernels.executors.reference import ReferenceProgram
from kernels.fusion import algebra_layers
from kernels.fusion.algebra import simplified
from kernels.fusion.modules import lower_modules
from kernels.ir.body import Body
from kernels.ir.expr import Expr, maximum, minimum, postorder
from kernels.ir.image import F32, I8, I32, U8, ImageType
from kernels.ir.rewriting import at_outputs
from kernels.ir.volumes import Contract, Weights, contract, input_volume, part, vector
from tests.kernels.codegen.cuda_driver import Driver
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.kernels.codegen.test_cuda_modules import chains
from tests.kernels.fusion.test_modules import body_of
from tests.layers import body_of as integer_body

KINDS = ("tf32", "f16")


def layer(x: Expr, features: int, taps: int, stride: int = 1, scale: float = 0.2, channels: int = 0) -> Expr:
    """A convolution of floats; some channels of a value where told."""
    rng = np.random.default_rng(features + taps)
    x = part(x, 3, channels) if channels else x
    weights = Weights((rng.standard_normal((features, taps, taps, x.channels)) * scale).astype(np.float32))
    size = tuple(-(-n // stride) for n in x.size or ())
    how = Contract(weights, size, -(taps // 2), -(taps // 2), (stride, stride))  # type: ignore[arg-type]
    return contract(x, vector(rng.standard_normal(features).astype(np.float32)), how)


def body(kind: str, features: int, taps: int, stride: int, channels: int) -> Body:
    """One that may be computed from numbers of a kind: f16 has none as large as some of the other's weights."""
    type_ = ImageType(F32, 9, 13, 24)
    x = input_volume(0, type_) if kind == "f16" else input_volume(0, type_) * 70000.0
    return body_of(type_, out=maximum(layer(x, features, taps, stride, channels=channels), -0.5))


def sizes_of(plain: Body) -> Body:
    """Of a body as above: the sum of its terms' sizes."""
    (bare,) = (n for n in postorder(plain.roots) if n.op == "contract")
    x, start = bare.src
    how, line = bare.arg, np.abs(start.arg.array)
    positive = replace(how, weights=Weights(np.abs(how.weights.array)))
    return replace(plain, outputs=(replace(plain.outputs[0], planes=(contract(x, vector(line), positive),)),))


def found(emulator: Any, program: Any, frames: np.ndarray, checked: bool) -> np.ndarray:
    return np.asarray(Driver(program, Launcher(emulator, checked=checked)).run([frames])["out"])


@pytest.mark.parametrize(
    ("kind", "features", "taps", "stride", "channels", "tile"),
    [("tf32", 16, 1, 1, 0, None), ("tf32", 43, 3, 2, 21, (4, 4)), ("f16", 24, 3, 1, 0, None),
     ("f16", 40, 1, 2, 19, (3, 5))],
)  # fmt: skip
def test_floats_stay_within_the_stated_bound(emulator, kind, features, taps, stride, channels, tile):
    plain = body(kind, features, taps, stride, channels)
    loose, done = simplified(plain, exact=False)
    (told,) = (r for r in done if r.kind == "tensor")
    assert (told.exact, f"of {kind}" in told.words) == (False, True)
    frames = np.random.default_rng(5).uniform(-1, 1, (2, 9, 13, 24)).astype(np.float32)
    wanted = np.asarray(ReferenceProgram(plain).run([frames], {})["out"])
    assert np.array_equal(np.asarray(ReferenceProgram(loose).run([frames], {})["out"]), wanted)  # who has none
    program = print_network(lower_modules(loose, (), tile))
    made = found(emulator, program, frames, checked=channels == 21)
    apart = np.abs(made.astype(np.float64) - wanted)
    sizes = np.asarray(ReferenceProgram(sizes_of(plain)).run([np.abs(frames)], {})["out"], np.float64)
    assert (apart <= told.bound * sizes + (1e-5 if kind == "f16" else 0.0)).all()
    assert (apart / sizes).max() > told.bound / 20  # it is not what the plain sum gives
    assert apart.max() <= at_outputs((told,), "cuda")["out"]
    assert not at_outputs((told,), "cpu")
    # a device that has none
    older = re.sub(r"#if __CUDA_ARCH__ >= (800|750)", "#if __CUDA_ARCH__ < 0", program.text)
    assert_equal(replace(program, text=older), Launcher(emulator), [frames], ((0, 2),))


@pytest.mark.parametrize(("dtype", "taps", "channels", "pieces"), [(U8, 1, 16, False), (I8, 3, 36, True)])
def test_bytes_are_exact(emulator, dtype, taps, channels, pieces):
    """By sixteen pixels an instruction, and by eight as devices of compute capability 7.5 have it; sums wrap."""
    rng = np.random.default_rng(channels)
    type_ = ImageType(dtype, 7, 10, channels)
    how = Contract(Weights(rng.integers(-128, 128, (21, taps, taps, channels), np.int8)), (7, 10), -(taps // 2),
                   -(taps // 2), outside=3.0)  # fmt: skip
    start = vector(rng.integers(-(2**31), 2**31, 21).astype(np.int32))
    x = input_volume(0, type_)
    plain = integer_body(contract(minimum(x, 100) if pieces else x, start, how), (type_,), I32)
    loose, (told,) = simplified(plain, exact=False)
    assert (told.kind, told.exact, told.bound) == ("tensor", True, 0.0)
    info = np.iinfo(dtype.numpy)
    frames = rng.integers(info.min, info.max + 1, (2, *type_.shape)).astype(dtype.numpy)
    program = cuda(loose)
    assert "mma_u8(sum" in program.text or "mma_s8(sum" in program.text
    if pieces:
        program = replace(program, text=program.text.replace("__CUDA_ARCH__ >= 800", "__CUDA_ARCH__ < 0"))
    assert_equal(program, Launcher(emulator, checked=not pieces), [frames], ((0, 2),))


def test_few_channels_and_groups_stay_as_they_are():
    type_ = ImageType(F32, 8, 8, 16)
    x = input_volume(0, type_)
    rng = np.random.default_rng(0)
    groups = Contract(Weights(rng.standard_normal((32, 1, 1, 8)).astype(np.float32)), (8, 8), groups=2)
    few, apart = layer(x, 15, 1), contract(x, vector(np.zeros(32, np.float32)), groups)
    for root in (few, apart):
        made, told = simplified(body_of(type_, out=root), exact=False)
        assert not told
        assert "mma" not in cuda(made).text
    _, (known,) = simplified(body_of(type_, out=layer(1.0 / x, 16, 1)), exact=False)
    assert "of tf32" in known.words  # of a size that nobody knows
    exact, nothing = simplified(body_of(type_, out=layer(x, 16, 1)))
    assert not nothing
    assert "mma" not in cuda(exact).text


@pytest.mark.parametrize("architecture", [nvrtc.ARCHITECTURES[0], nvrtc.ARCHITECTURES[-1]])
def test_kernels_compile_without_spills(architecture):
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
    type_ = ImageType(F32, 40, 40, 32)
    x = layer(input_volume(0, type_), 64, 3)
    loose, told = simplified(body_of(type_, out=layer(maximum(x, 0.0) * 3000.0, 48, 1)), exact=False)
    assert {kind for one in told for kind in KINDS if f"of {kind}," in one.words} == set(KINDS)
    usage = nvrtc.compile_text(cuda(loose).text, architecture).usage
    assert not any(used.spills or used.stack for used in usage.values())


def test_weights_lie_as_lanes_take_them():
    """Each weight is where the PTX ISA's figures of fragments say; beyond the last stand zeros."""
    rng = np.random.default_rng(1)
    weights = rng.integers(-100, 100, (11, 1, 2, 9))
    for kind, deep in (("tf32", 8), ("f16", 8), ("int8", 16)):
        packed = fragments(weights.astype(np.int8 if kind == "int8" else np.float32), kind, 2)
        seen = packed.view({"tf32": np.float32, "f16": np.float16, "int8": np.int8}[kind])
        seen = seen.reshape(1, 2, -(-9 // deep), 2, 8, 4, -1)  # bundle, tap, step, eight, feature, part, channels
        assert np.count_nonzero(seen) == np.count_nonzero(weights)
        for feature, tap, channel in ((0, 0, 0), (10, 1, 8), (7, 1, 5), (9, 0, 6)):
            step, c = divmod(channel, deep)
            per = deep // 4
            lane, k = (c % 4, c // 4) if kind == "tf32" else (c // per, c % per)
            assert seen[0, tap, step, feature // 8, feature % 8, lane, k] == weights[feature, 0, tap, channel]


@pytest.mark.parametrize("name", ["PW", "PWPW", "bytes"])
def test_what_moves_is_what_was_planned(emulator, name):
    """Distinct sectors of each block, within a tenth, as of other modules."""
    loose, told = simplified(chains()[name], exact=False)
    assert told
    planned = lower_modules(loose)
    program, launcher = print_network(planned), Launcher(emulator, checked=True)
    type_ = loose.inputs[0]
    Driver(program, launcher).run([np.ones((1, *type_.shape), type_.dtype.numpy)])
    for (_, report), module in zip(launcher.reports, planned.modules, strict=True):
        bias = sum(4 * one.node.channels for one in module.kept)
        expected = module.moved + (module.weights + bias) * math.prod(module.blocks)
        assert 32 * sum(report.sectors_of_blocks.values()) == pytest.approx(expected, rel=0.1)


def told_constants() -> list[bool]:
    """Contractions of sixteen channels go by tensor cores, four eights of theirs with one look at the pixels."""
    type_ = ImageType(F32, 8, 8, 16)
    texts = [cuda(simplified(body_of(type_, out=layer(input_volume(0, type_), n, 1)), exact=False)[0]).text
             for n in (16, 15, 64)]  # fmt: skip
    return ["mma_f16(sum" in texts[0], "mma_f16(sum" not in texts[1], "float sum[4][4];" in texts[2]]


@pytest.mark.parametrize("factor", [1.0, 2.0, 0.5])
@pytest.mark.parametrize(("module", "name"), [(algebra_layers, "TENSOR"), (cuda_modules, "TENSOR_WIDE")])
def test_each_constant_is_noticed(module: Any, name: str, factor: float, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, name, int(factor * getattr(module, name)))
    assert all(told_constants()) == (factor == 1)


def test_the_best_module_looks_at_memory_at_least_83_percent_less(emulator):
    """An inverted residual against its layers one by one: distinct sectors of each launch, counted as it runs."""
    type_ = ImageType(F32, 12, 12, 16)
    x = input_volume(0, type_)
    wide = maximum(layer(x, 64, 1), 0.0)
    depth = Contract(Weights(np.full((64, 3, 3, 1), 0.1, np.float32)), (12, 12), -1, -1, groups=64)
    between = maximum(contract(wide, vector(np.zeros(64, np.float32)), depth), 0.0)
    plain = body_of(type_, out=layer(between, 16, 1) + x)
    body, told = simplified(plain, exact=False)
    assert told
    moved = []
    for cuts in ((), (1, 2)):
        program, launcher = print_network(lower_modules(body, cuts)), Launcher(emulator, checked=True)
        assert "mma_" in program.text
        Driver(program, launcher).run([np.ones((1, *type_.shape), np.float32)])
        moved.append(sum(sum(report.sectors_of_launch.values()) for _, report in launcher.reports))
    assert moved[0] <= (1 - 0.83) * moved[1]
