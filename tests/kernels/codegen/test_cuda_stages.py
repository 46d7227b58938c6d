"""CUDA text of every shipped stage on the emulator equals the reference, to the last bit."""

from __future__ import annotations

import pytest

from kernels.codegen.cuda import cuda
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.kernels.test_conformance import STAGES, bodies_of, clip_of

TILES = ((8, 4), None, (16, 8))
THREADS = (32, 96, 64)  # an emulated kernel keeps its threads' stacks mapped, of which a process may have 65530


@pytest.mark.parametrize("name", STAGES)
def test_stages(name, emulator):
    """One of the stage's bodies over sizes, types and channels: another one for every stage."""
    compiled = [body for body in bodies_of(name) if body.host is None]
    if not compiled:
        pytest.skip("computed on the host")
    i = sorted(STAGES).index(name)
    body = compiled[(7 * i + len(compiled) // 2) % len(compiled)]
    assert_equal(cuda(body, tile=TILES[i % 3], threads=THREADS[i % 3]), Launcher(emulator, seed=i), clip_of(body, i))
