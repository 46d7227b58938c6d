"""Fused modules of network layers on the emulator: the reference's bits for any cuts and tiles, no races, and what is
counted there is what was planned."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.codegen import cuda_modules, nvrtc
from kernels.codegen.cuda import cuda, print_network
from kernels.codegen.cuda_prelude import PRELUDE, WORD_PRELUDE
from kernels.fusion.compose import compose
from kernels.fusion.modules import lower_modules
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body, Output, Part
from kernels.ir.expr import Expr, convert, maximum, minimum, rint
from kernels.ir.image import F32, I8, I32, U8, ImageType
from kernels.ir.planes import Border, load, window
from kernels.ir.volumes import Contract, Weights, contract, input_volume, part, stack, vector
from kernels.plugins import find_stage
from tests.kernels.codegen.cuda_driver import Driver
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.kernels.fusion.test_modules import body_of, conv
from tests.layers import body_of as integer_body
from tests.layers import layer_graphs, numbers
from tests.layers_int8 import int8_networks
from tests.networks import body_of_model

NETS = Path(__file__).parents[4] / "shared" / "nets"
WHOLE = ("b_invres_28x32", "b_dwpw_128x32_64_int8_qdq", "b_sib_sep", "mp_face_detection_short_range",
         "n_unet_sleap_96_f8")  # fmt: skip


@st.composite
def bodies(draw: st.DrawFn) -> Body:
    """Layers of floats, or of bytes between quantisers."""
    if draw(st.integers(0, 4)):
        graph = draw(layer_graphs())
        last = len(graph.parts) - 1
        wanted = sorted({last, *draw(st.sets(st.integers(0, last), max_size=2))})
        return compose(graph.parts, [(f"l{i}", "out") for i in wanted])
    shape = draw(st.sampled_from(((1, 7), (5, 9), (8, 8)))), draw(st.sampled_from((3, 8, 20)))
    type_ = ImageType(draw(st.sampled_from((F32, U8, I8))), *shape[0], shape[1])
    root = draw(int8_networks(input_volume(0, type_)))
    return integer_body(root, (type_,), root.dtype)


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_any_graph_cuts_and_tiles_give_the_references_bits(emulator, data):
    body = data.draw(bodies())
    cuts = data.draw(st.none() | st.lists(st.integers(1, 9), max_size=4))
    tile = data.draw(st.none() | st.sampled_from(((1, 1), (2, 3), (4, 4), (3, 8), (16, 16))))
    try:
        program = print_network(lower_modules(body, cuts, tile))
    except Unsupported:  # such cuts or tiles do not go
        program = cuda(body)
    type_ = body.inputs[0]
    frames = np.stack([numbers(data.draw, type_.shape) for _ in range(2)])
    frames = frames if type_.dtype == F32 else np.rint(frames * 40).astype(np.int8).view(type_.dtype.numpy)
    assert_equal(program, Launcher(emulator, checked=data.draw(st.booleans())), [frames], ((0, 1), (1, 2)))


@pytest.mark.parametrize("mode", ["reflect101", "replicate", "wrap", "constant"])
def test_a_picture_that_grows_beyond_its_edges(emulator, mode):
    """By a look with a size of its own, which moves no pixel: those beyond may be any of the picture's."""
    type_ = ImageType(F32, 2, 5, 8)
    root = load(conv(input_volume(0, type_), 8), Border(mode, 2.0), size=(9, 12)) * 2.0
    program = print_network(lower_modules(body_of(type_, out=root), tile=(2, 3)))
    frames = np.random.default_rng(4).standard_normal((2, *type_.shape)).astype(np.float32)
    assert_equal(program, Launcher(emulator, checked=True), [frames], ((0, 1), (1, 2)))


def byte_conv(x: Expr, features: int, taps: int = 1, groups: int = 1) -> Expr:
    """Bytes of bytes."""
    rng = np.random.default_rng(features)
    weights = Weights(rng.integers(-128, 128, (features, taps, taps, x.channels // groups)).astype(np.int8))
    bias = vector(rng.integers(-999, 999, features).astype(np.int32))
    sums = contract(x, bias, Contract(weights, x.size, -(taps // 2), -(taps // 2), groups=groups, outside=128.0))
    return convert(rint(convert(sums, F32) * 0.01) + 128.0, U8)


def chains() -> dict[str, Body]:
    """Bodies of each kind of module."""

    def given(size: int, channels: int) -> tuple[ImageType, Expr]:
        type_ = ImageType(F32, size, size, channels)
        return type_, input_volume(0, type_)

    t, x = given(40, 16)
    w, y = given(24, 8)
    u = ImageType(U8, 40, 40, 16)
    return {
        "DW": body_of(t, out=maximum(conv(x, 16, 3, 16), 0.0)),
        "PW": body_of(t, out=maximum(conv(x, 24), 0.0)),
        "DWPW": body_of(t, out=conv(maximum(conv(x, 16, 3, 16), 0.0), 24)),
        "PWDW": body_of(t, out=conv(maximum(conv(x, 32), 0.0), 32, 3, 32)),
        "PWPW": body_of(t, out=conv(maximum(conv(x, 32), 0.0), 16)),
        "inverted residual": body_of(w, out=conv(maximum(conv(maximum(conv(y, 48), 0.0), 48, 3, 48), 0.0), 8) + y),
        "strides": body_of(t, out=conv(maximum(conv(x, 16, 3, 16, stride=2), 0.0), 24, 3, stride=2)),
        "bytes": integer_body(byte_conv(byte_conv(input_volume(0, u), 16, 3, 16), 24), (u,), U8),
        "siblings": body_of(t, a=conv(x, 8), b=conv(x, 12), c=conv(x, 4, 3)),
    }


@pytest.mark.parametrize("name", chains())
def test_what_moves_is_what_was_planned(emulator, name):
    """Distinct sectors of each block, within a tenth; a frame that is even in sectors."""
    body = chains()[name]
    planned = lower_modules(body)
    program, launcher = print_network(planned), Launcher(emulator, checked=True)
    type_ = body.inputs[0]
    Driver(program, launcher).run([np.ones((1, *type_.shape), type_.dtype.numpy)])
    for (_, report), module in zip(launcher.reports, planned.modules, strict=True):
        counted = 32 * sum(report.sectors_of_blocks.values())
        bias = sum(4 * one.node.channels for one in module.kept)
        expected = module.moved + (module.weights + bias) * math.prod(module.blocks)
        assert counted == pytest.approx(expected, rel=0.1)


def test_the_best_module_moves_a_sixth_of_what_its_layers_move(emulator):
    """An inverted residual, activations and weights, counted in both programs (Qararyah et al. 2024: 83 % at best)."""
    type_ = ImageType(F32, 32, 32, 8)
    x = input_volume(0, type_)
    body = body_of(type_, out=conv(maximum(conv(maximum(conv(x, 64), 0.0), 64, 3, 64), 0.0), 8) + x)
    counted = {}
    for cuts in (None, range(1, 9)):
        planned, launcher = lower_modules(body, cuts), Launcher(emulator, checked=True)
        Driver(print_network(planned), launcher).run([np.ones((1, *type_.shape), np.float32)])
        counted[len(planned.modules)] = sum(sum(r.sectors_of_blocks.values()) for _, r in launcher.reports)
    assert list(counted) == [1, 3]
    assert counted[1] <= 0.17 * counted[3]


@pytest.mark.parametrize("name", chains())
def test_modules_compile_without_spills(name):
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
    program = cuda(chains()[name])
    for architecture in (nvrtc.ARCHITECTURES[0], nvrtc.ARCHITECTURES[-1]):
        usage = nvrtc.compile_text(program.text, architecture).usage
        assert not any(used.spills or used.stack for used in usage.values())
    if name == "bytes":
        assert b"dp4a.u32.s32" in nvrtc.compile_text(program.text, "compute_90").cubin


@pytest.mark.parametrize("dtype", [U8, I8])
def test_whole_numbers_are_exact(emulator, dtype):
    """Words of four channels, parts of words, channels that begin within one, one alone; by dp4a and without."""
    rng = np.random.default_rng(3)
    six, eight = ImageType(dtype, 9, 11, 6), ImageType(dtype, 9, 11, 8)
    inner = maximum(input_volume(1, eight), 3)
    ways = {"bytes": (input_volume(0, six), 1), "alone": (input_volume(0, six), 6), "words": (inner, 2),
            "within": (part(inner, 1, 6), 1), "up": (part(inner, 4, 4), 1)}  # fmt: skip
    outputs = []
    for name, (x, groups) in ways.items():
        weights = Weights(rng.integers(-128, 128, (12, 3, 3, x.channels // groups), np.int8))
        step = (2, 2) if name == "up" else (1, 1)
        how = Contract(weights, (9, 11), -1, -1, step, (1, 1), groups, step, 7.0)
        bias = vector(rng.integers(-(2**31), 2**31, 12).astype(np.int32))  # sums wrap
        outputs.append(Output(name, ImageType(I32, 9, 11, 12), (contract(x, bias, how),)))
    info = np.iinfo(dtype.numpy)
    frames = [rng.integers(info.min, info.max + 1, (2, *t.shape)).astype(dtype.numpy) for t in (six, eight)]
    program = print_network(lower_modules(Body((six, eight), tuple(outputs), {}, {}), cuts=()))
    assert_equal(program, Launcher(emulator, checked=True), frames, ((0, 2),))
    older = replace(program, text=program.text.replace("__CUDA_ARCH__ >= 610", "__CUDA_ARCH__ < 610"))
    assert "dp4a" in older.text
    assert_equal(older, Launcher(emulator), frames, ((0, 2),))


@pytest.mark.parametrize("tile", [None, (4, 4), (8, 8)])
def test_a_copy_that_siblings_share_holds_what_lies_between_them_looks_at(emulator, tile):
    """Branches of 1x1 layers, one behind a pool of 7x7: an inception module (Szegedy et al. 2015)."""
    type_ = ImageType(F32, 24, 24, 16)
    x = input_volume(0, type_)
    pooled = window("max", x, Border("constant", -np.inf), (-3, 3), (-3, 3))
    body = body_of(type_, out=stack([conv(x, 8), conv(pooled, 8), conv(x, 12)]))
    program = print_network(lower_modules(body, None if tile is None else (), tile))
    frames = np.random.default_rng(0).standard_normal((1, *type_.shape)).astype(np.float32)
    assert_equal(program, Launcher(emulator, checked=True), [frames], ((0, 1),))


def test_tables_look_at_what_layers_leave_on_the_device(emulator):
    """Peaks of one channel and moments of three mixed; one image for each, and none where it leaves in any case."""
    type_ = ImageType(F32, 20, 28, 4)
    x = maximum(conv(input_volume(0, type_), 8, 3), 0.0)
    net = body_of(type_, map=conv(x, 1) * 0.1, all=minimum(conv(x, 3), 1.0))
    one, three = (output.type for output in net.outputs)
    gray = find_stage("gray").build([three])
    sums = find_stage("moments").build([gray.outputs[0].type], {"regions": "boxes", "boxes": ((3, 2, 9, 20),)})
    tops = find_stage("peaks").build([one], {"threshold": 0.1, "capacity": 20})
    parts = [Part("net", net, (0,)), Part("tops", tops, (("net", "map"),)), Part("gray", gray, (("net", "all"),)),
             Part("sums", sums, (("gray", gray.outputs[0].name), None))]  # fmt: skip
    tables = [("tops", tops.outputs[0].name), ("sums", sums.outputs[0].name)]
    for leaves in ((), ("map", "all"), ("map",)):
        program = cuda(compose(parts, [*tables, *(("net", name) for name in leaves)]))
        between = [key for _, key, _ in program.arguments("frame") if str(key).startswith("layers")]
        assert len(between) == 2 - len(leaves)
        assert not any(key for _, key, _ in program.arguments("input"))  # nothing but input 0 goes up
    frames = np.random.default_rng(0).standard_normal((2, *type_.shape)).astype(np.float32)
    made = assert_equal(program, Launcher(emulator, checked=True), [frames], ((0, 2),))
    assert all(len(table.rows) for name, _ in tables for table in made[f"{name}.out"])


def test_indices_have_64_bits_where_32_are_too_few():
    """No test has memory for such pictures; the emulator's text is all there is to look at."""
    for size, wide in ((8192, True), (8184, False)):
        x = input_volume(0, ImageType(F32, size, size, 32))
        body = body_of(ImageType(F32, size, size, 32), out=maximum(conv(maximum(conv(x, 33), 0.0), 32), 0.0))
        program = print_network(lower_modules(body, cuts=[1], tile=(8, 8)))
        for first in ("in0", "value0", "to_out"):
            looks = re.findall(rf"\b{first} \+ .*|\b{first}\[.*", program.text)
            assert looks
            assert all(("(size_t)" in look) == (wide or "value0" in look) for look in looks), looks


@pytest.mark.parametrize("name", WHOLE)
def test_whole_networks_give_the_references_bits(emulator, name):
    if not (NETS / f"{name}.onnx").exists():
        pytest.skip("the networks in ../shared/nets are not here")
    body = body_of_model(NETS / f"{name}.onnx", {})
    type_ = body.inputs[0]
    frames = np.random.default_rng(1).standard_normal((1, *type_.shape)).astype(np.float32)
    assert_equal(cuda(body), Launcher(emulator), [frames], ((0, 1),))


def test_a_network_of_bytes_has_registers_enough():
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
    if not (NETS / "mp_face_detection_short_range_int8_qdq.onnx").exists():
        pytest.skip("the networks in ../shared/nets are not here")
    program = lower_modules(body_of_model(NETS / "mp_face_detection_short_range_int8_qdq.onnx", {}))
    text, _ = cuda_modules.ModulePrinter(program, 0, "longest", {}, cuda_modules.Pool()).kernel()
    usage = nvrtc.compile_text(PRELUDE + WORD_PRELUDE + text).usage
    assert not any(used.spills or used.stack for used in usage.values())


def test_shapes_of_blocks_are_the_planners_own():
    with pytest.raises(Unsupported, match="planner"):
        cuda(chains()["DW"], vector=8)


def told() -> list[bool]:
    """What the compiler is told: a thread has registers for four times the sums of the largest piece (of 64 K), and
    windows and sums of up to 7x7 are written out."""
    there = []
    for side in (7, 8):
        type_ = ImageType(F32, 16, 16, 1)
        x, reach = input_volume(0, type_), (-(side // 2), side - side // 2 - 1)
        for value in (conv(x, 8, side), window("max", x, Border("constant", -np.inf), reach, reach)):
            text = print_network(lower_modules(body_of(type_, out=value))).text
            there.append(bool(re.search(r"#pragma unroll\s+for \(int j", text)) == (side == 7))
            (bounds,) = re.findall(r"__launch_bounds__\((\d+), (\d+)\)", text)
            there.append(65536 // (int(bounds[0]) * int(bounds[1])) == 4 * 32)
    return there


@pytest.mark.parametrize("factor", [1.0, 2.0, 0.5])
@pytest.mark.parametrize("name", ["RESIDENT", "UNROLLED"])
def test_each_constant_is_noticed(name: str, factor: float, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cuda_modules, name, int(factor * getattr(cuda_modules, name)))
    assert all(told()) == (factor == 1)


@pytest.mark.parametrize(("dtype", "taps", "stride", "kept"), [
    (U8, 3, 1, False), (I8, 3, 2, True), (I8, 4, 1, True),
])  # fmt: skip
def test_depthwise_bytes_take_rows_of_taps_at_once(emulator, monkeypatch, dtype, taps, stride, kept):
    """The same bits with less than half of the looks at shared memory: a row of taps is one dp4a, of words that serve
    neighbouring pixels."""
    rng = np.random.default_rng(taps)
    type_, size = ImageType(dtype, 11, 13, 12), (-(-11 // stride), -(-13 // stride))
    weights = Weights(rng.integers(-128, 128, (12, taps, taps, 1), np.int8))
    how = Contract(weights, size, -1, -1, (stride, stride), (2, 1) if stride == 1 else (1, 1), 12, outside=5.0)
    start = vector(rng.integers(-(2**31), 2**31, 12).astype(np.int32))
    sums = contract(maximum(input_volume(0, type_), 3), start, how)
    root = convert(minimum(maximum(sums >> 8, 0), 255), U8) if kept else sums
    body = integer_body(root, (type_,), root.dtype)
    info = np.iinfo(dtype.numpy)
    frames = rng.integers(info.min, info.max + 1, (2, *type_.shape)).astype(dtype.numpy)
    looks = []
    for plain in (False, True):
        if plain:
            monkeypatch.setattr(cuda_modules, "outputs_by_taps", lambda _: 0)
        program, launcher = print_network(lower_modules(body, (), (4, 8))), Launcher(emulator, checked=True)
        assert ("turn(seen)" in program.text) == (not plain)
        assert_equal(program, launcher, [frames], ((0, 2),))
        looks.append(sum(report.traffic("shared", "load").accesses for _, report in launcher.reports))
    assert 2 * looks[0] < looks[1]
