"""Which blocks a body is cut into, by what the compiler says of registers."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kernels.codegen.cuda import cuda
from kernels.codegen.nvrtc import Usage
from kernels.executors.cuda_shapes import SHAPES, leanest
from kernels.ir.image import U8, ImageType
from kernels.plugins import registry

BODY = registry()["gaussian"].build([ImageType(U8, 64, 96)], {})


@pytest.mark.parametrize("clean", range(len(SHAPES)))
def test_the_first_that_spills_nothing_is_taken(clean: int) -> None:
    texts: list[str] = []

    def compiled(text: str) -> tuple[bytes, Mapping[str, Usage]]:
        texts.append(text)
        spills = 0 if len(texts) > clean else 100 - len(texts)
        return b"", {"fused": Usage(128, spills, spills, 0)}

    assert leanest(BODY, compiled).text == cuda(BODY, **SHAPES[clean]).text
    assert len(texts) == clean + 1


def test_else_the_one_that_spills_least() -> None:
    said = iter((9, 8, 7, 3, 5, 6, 4))

    def compiled(_: str) -> tuple[bytes, Mapping[str, Usage]]:
        spills = next(said)
        return b"", {"fused": Usage(255, spills, spills, 0)}

    assert leanest(BODY, compiled).text == cuda(BODY, **SHAPES[3]).text
