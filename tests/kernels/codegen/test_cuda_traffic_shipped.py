"""Global transactions of the shipped pipelines: counted by the emulator, within a tenth of the cost model."""

from __future__ import annotations

import pytest

from kernels.fusion.blocks import lower_blocks
from kernels.ir.image import U8, ImageType
from tests.kernels.codegen.shipped import NAMES, units
from tests.kernels.codegen.test_cuda_traffic import close


@pytest.mark.parametrize("name", NAMES)
def test_shipped_pipelines_move_what_the_model_says(name, emulator):
    for unit in units(name, ImageType(U8, 64, 256)):
        close(lower_blocks(unit.body), emulator)
