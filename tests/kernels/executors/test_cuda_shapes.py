"""Which blocks a body is cut into, by what the compiler says of registers."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from kernels.codegen.cuda import cuda
from kernels.codegen.cuda_launch import CudaProgram
from kernels.codegen.nvrtc import Usage
from kernels.executors.cuda_shapes import SHAPES, leanest, occupied
from kernels.fusion.modules import THREADS, ModuleProgram
from kernels.fusion.occupancy import occupancy
from kernels.ir.expr import maximum
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.volumes import input_volume
from kernels.plugins import registry
from pipelines.planning.devices import find_device
from tests.kernels.fusion.test_modules import body_of, conv

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


@pytest.mark.parametrize(("registers", "spilling", "resident"), [
    ({2: 83, 3: 72, 4: 64}, 4, 3), ({2: 109, 3: 80, 4: 64}, 9, 4), ({2: 116}, 3, 2), ({2: 60}, 9, 2)])  # fmt: skip
def test_registers_are_given_away_for_blocks_as_long_as_nothing_spills(
    registers: dict[int, int], spilling: int, resident: int
) -> None:
    """Blocks of 256 threads: two by 83 registers each, three by 72, four, which is all that every device holds."""

    def compiled(text: str) -> tuple[bytes, Mapping[str, Usage]]:
        asked = int(re.findall(r"__launch_bounds__\(256, (\d)\)", text)[0])
        return b"", {"fused": Usage(registers.get(asked, 40), 4 * (asked >= spilling), 0, 0)}

    made = leanest(BODY, compiled, unit=find_device("h100"))
    assert f"__launch_bounds__(256, {resident})" in made.text
    assert "__launch_bounds__(256, 2)" in leanest(BODY, compiled).text


WIDE = ImageType(F32, 56, 56, 64)
CARD = find_device("gtx1660")
"""Of 64 KB of shared memory a multiprocessor."""


def wide() -> CudaProgram:
    x = input_volume(0, WIDE)
    return cuda(body_of(WIDE, out=conv(maximum(conv(maximum(conv(x, 64, 3, 64), 0.0), 96), 0.0), 96, 3, 96)))


@pytest.mark.parametrize("registers", [40, 64, 255])
def test_tiles_of_modules_are_those_of_which_enough_blocks_fit(registers: int) -> None:
    """By registers, as the compiler counts them, and by shared memory; none takes longer than before."""
    program = wide()

    def compiled(_: str) -> tuple[bytes, Mapping[str, Usage]]:
        return b"", {kernel.name: Usage(registers, 0, 0, 0) for kernel in program.kernels}

    def held(shared: int) -> int:
        return occupancy(CARD, THREADS, registers, shared).blocks

    before, after = program.lowered, occupied(program, compiled, CARD).lowered
    assert isinstance(before, ModuleProgram)
    assert isinstance(after, ModuleProgram)
    pairs = list(zip(before.modules, after.modules, strict=True))
    assert [m.kept for m in after.modules] == [m.kept for m in before.modules]
    assert all(new.taking(held(new.shared)) <= old.taking(held(old.shared)) for old, new in pairs)
    changed = [(old, new) for old, new in pairs if new is not old]
    assert all(held(new.shared) > held(old.shared) for old, new in changed)
    assert bool(changed) == (registers < 255)  # of which one block alone has enough
    assert all(new.taking(1) == pytest.approx(new.cost) for _, new in pairs)  # a block alone: one after the other


def test_tiles_stay_where_others_need_more_registers() -> None:
    program = wide()
    seen: list[str] = []

    def compiled(text: str) -> tuple[bytes, Mapping[str, Usage]]:
        seen.append(text)
        spills = int(text != program.text)
        return b"", {k.name: Usage(40, spills, 0, 0) for k in program.kernels}

    assert occupied(program, compiled, CARD).text == program.text
    assert len(seen) == 2
