"""The bodies of ElementwiseKernels, run on the processor as CuPy would run them, against the reference."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from kernels.codegen.cuda import elementwise
from kernels.errors import DefinitionError, ExprError
from kernels.executors.cuda_elementwise import exact_elements
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body
from kernels.ir.image import BOOL, F32, I16, U8, U16, ImageType
from kernels.stage import registry
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.emulator.elementwise import Elementwise
from tests.emulator.emulator import Emulator
from tests.strategies import same

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

SIZE = 7, 9
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
    whole = [name for name, body in CASES if exact_elements(body) is not None]
    assert any(name.startswith("invert") for name in whole)
    assert not any("f32" in name for name in whole)


@pytest.mark.parametrize(("name", "body"), CASES, ids=[name for name, _ in CASES])
def test_elements_are_the_references_pixels(name: str, body: Body) -> None:
    text = elementwise(body)
    rng = np.random.default_rng(1)
    clips = [np.ascontiguousarray(rng.integers(0, 256, (FRAMES, *t.shape)).astype(t.dtype.numpy)) for t in body.inputs
             if isinstance(t, ImageType)]  # fmt: skip
    expected: Any = ReferenceProgram(body).run([*clips, *[None] * (len(body.inputs) - len(clips))], {})
    scalars = {F32: np.float32, BOOL: np.bool_, U8: np.uint8, U16: np.uint16, I16: np.int16}
    given = [np.ascontiguousarray(clips[i] if clips[i].ndim == 3 else clips[i][..., c]) for i, c in text.planes]
    numbers = [scalars.get(body.live[p], np.int32)(body.params[p]) for p in text.params]  # type: ignore[arg-type, call-overload]
    made = [np.empty((FRAMES, *SIZE), body.outputs[o].type.dtype.numpy) for o, _ in text.outputs]  # type: ignore[union-attr]
    kernel = Elementwise(Emulator(), text.in_params, text.out_params, text.operation, "body", text.preamble)
    kernel(*given, *numbers, *made, check=True)
    for array, (o, c) in zip(made, text.outputs, strict=True):
        whole = np.asarray(expected[body.outputs[o].name])
        assert same(array, whole if whole.ndim == 3 else whole[..., c]), name
