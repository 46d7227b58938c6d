"""The bodies of ElementwiseKernels, run on the processor as CuPy would run them, against the reference."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from kernels.codegen import nvrtc
from kernels.codegen.cuda import ElementwiseText, elementwise
from kernels.codegen.ptx import Block, Memory, parse
from kernels.errors import DefinitionError, ExprError
from kernels.executors.cuda_elementwise import exact_elements
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body
from kernels.ir.image import BOOL, F32, I16, U8, U16, ImageType
from kernels.plugins import registry
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.emulator.elementwise import Elementwise
from tests.emulator.emulator import Emulator
from tests.kernels.codegen.floats import SIZE, arithmetic, subnormal
from tests.strategies import same

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

FRAMES = 2


def bodies() -> list[tuple[str, Body]]:
    """Every shipped stage of which an ElementwiseKernel can be made, for some types of image."""
    found = []
    for name, stage in sorted(registry().items()):
        for dtype in (U8, F32):
            for channels in (1, 3):
                type_ = ImageType(dtype, *SIZE, channels)
                with suppress(DefinitionError, ExprError, Unsupported):
                    body = stage.build([type_ if n not in stage.optional else None for n in stage.inputs])
                    elementwise(body)
                    found.append((f"{name} {type_}", body))
    return found


CASES = bodies()


def test_there_are_many() -> None:
    assert len({name.split()[0] for name, _ in CASES}) >= 8
    taken = [name for name, body in CASES if exact_elements(body) is not None]
    assert any(name.startswith("invert") for name in taken)
    assert sum("f32" in name for name in taken) >= 8
    assert len(taken) == len(CASES)


def cupys_text(text: ElementwiseText) -> str:
    """The kernel, nearly as CuPy writes it."""
    kernel = Elementwise(Emulator(), text.in_params, text.out_params, text.operation, "body", text.preamble)
    kinds = [np.dtype(part.split()[0]) for part in f"{text.in_params}, {text.out_params}".split(", ")]
    scalars = [i >= len(text.planes) and i < len(text.planes) + len(text.params) for i in range(len(kinds))]
    return kernel.text(kinds, scalars).replace("ptrdiff_t", "long long")


CUPYS = ("--std=c++17", "--fmad=false", "-ftz=true")
"""CuPy's options: the last one is its own."""


def ptx(body: Body) -> str:
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed")
    text = exact_elements(body)
    assert text is not None
    return nvrtc.compile_text(cupys_text(text), "compute_90", CUPYS).cubin.decode()


def test_no_instruction_makes_0_of_subnormal_numbers() -> None:
    bodies_ = [(name, body) for name, body in CASES if "f32" in name]
    for name, body in [("arithmetic", arithmetic()), *bodies_]:
        lines = ptx(body).splitlines()
        rounded = [line.strip() for line in lines if re.search(r"\b(add|sub|mul|div|sqrt)\.[\w.]*f32\b", line)]
        assert all(re.match(r"\w+\.rn\.(ftz\.)?f32\b", line) for line in rounded), (name, rounded)
        found = [line.strip() for line in lines if ".ftz" in line or "fma." in line]
        # A conversion to whole numbers rounds them to 0 in any case.
        assert all(line.startswith("cvt.rni.ftz") and ".f32" in line for line in found), (name, found)


def test_what_the_instructions_are_for() -> None:
    """Without them CuPy's options flush."""
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed")
    made = nvrtc.compile_text(cupys_text(elementwise(arithmetic())), "compute_90", CUPYS).cubin.decode()
    assert sum(".ftz" in line for line in made.splitlines()) >= 15


def run_elements(body: Body, text: ElementwiseText, clips: Sequence[np.ndarray]) -> list[np.ndarray]:
    scalars = {F32: np.float32, BOOL: np.bool_, U8: np.uint8, U16: np.uint16, I16: np.int16}
    given = [np.ascontiguousarray(clips[i] if clips[i].ndim == 3 else clips[i][..., c]) for i, c in text.planes]
    numbers = [scalars.get(body.live[p], np.int32)(body.params[p]) for p in text.params]  # type: ignore[arg-type, call-overload]
    made = [np.empty((FRAMES, *SIZE), body.outputs[o].type.dtype.numpy) for o, _ in text.outputs]  # type: ignore[union-attr]
    kernel = Elementwise(Emulator(), text.in_params, text.out_params, text.operation, "body", text.preamble)
    kernel(*given, *numbers, *made, check=True)
    return made


def test_every_operation_on_floats() -> None:
    body = arithmetic()
    text = exact_elements(body)
    assert text is not None
    rng = np.random.default_rng(7)
    clips = [subnormal(rng, (FRAMES, *SIZE)) for _ in range(2)]
    clips[1][rng.random(clips[1].shape) < 0.2] = clips[0][rng.random(clips[1].shape) < 0.2][:1]
    expected: Any = ReferenceProgram(body).run(clips, {})
    for array, (o, _) in zip(run_elements(body, text, clips), text.outputs, strict=True):
        assert same(array, np.asarray(expected[body.outputs[o].name])), body.outputs[o].name


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "exact"])
@pytest.mark.parametrize(("name", "body"), CASES, ids=[name for name, _ in CASES])
def test_elements_are_the_references_pixels(name: str, body: Body, plain: bool) -> None:
    text = elementwise(body) if plain else exact_elements(body)
    assert text is not None
    rng = np.random.default_rng(1)
    clips = [subnormal(rng, (FRAMES, *t.shape)) if t.dtype == F32 and not plain else
             np.ascontiguousarray(rng.integers(0, 256, (FRAMES, *t.shape)).astype(t.dtype.numpy)) for t in body.inputs
             if isinstance(t, ImageType)]  # fmt: skip
    expected: Any = ReferenceProgram(body).run([*clips, *[None] * (len(body.inputs) - len(clips))], {})
    made = run_elements(body, text, clips)
    for array, (o, c) in zip(made, text.outputs, strict=True):
        whole = np.asarray(expected[body.outputs[o].name])
        assert same(array, whole if whole.ndim == 3 else whole[..., c]), name


def test_the_instructions_do_what_they_say() -> None:
    """CuPy's own machine code for every operation, executed: the emulator runs what each instruction is said to do."""
    body = arithmetic()
    text = exact_elements(body)
    assert text is not None
    rng = np.random.default_rng(11)
    clips = [subnormal(rng, (FRAMES, *SIZE)) for _ in range(2)]
    clips[1][:, ::2] = clips[0][:, ::2]
    expected: Any = ReferenceProgram(body).run(clips, {})
    said, number = [], 0
    for line in ptx(body).splitlines():
        found = re.match(r"\s*set\.(\w+)\.u32\.f32 (%r\d+), (.*);", line)
        if found is not None:
            number += 1
            said.append(f"setp.{found[1]}.f32 %p{9000 + number}, {found[3]};")
            line = f"selp.u32 {found[2]}, 1, 0, %p{9000 + number};"
        said.append(line)
    assert number >= 6
    entries, constants = parse("\n".join(said))
    memory = Memory()
    for name, array in constants.items():
        memory.put(name, array)
    given: list[np.generic] = [np.uint64(memory.put(f"in {i}", clips[i])) for i, _ in text.planes]
    given += [np.float32(body.params[name]) for name in text.params]  # type: ignore[arg-type]
    made = [np.zeros((FRAMES, *SIZE), body.outputs[o].type.dtype.numpy) for o, _ in text.outputs]  # type: ignore[union-attr]
    given += [np.uint64(memory.put(f"out {o}", array)) for (o, _), array in zip(text.outputs, made, strict=True)]
    Block(entries["body"], memory, [*given, np.int64(made[0].size)], 128, (0, 0, 0), (1, 1, 1), 0).run()
    for (o, _), array in zip(text.outputs, made, strict=True):
        got = memory.get(f"out {o}")[: array.nbytes].view(array.dtype).reshape(array.shape)
        assert same(got, np.asarray(expected[body.outputs[o].name])), body.outputs[o].name
