"""Fused modules of network layers on the emulator: the reference's bits for any cuts and tiles, no races, what moves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.codegen.cuda import cuda, print_network
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.compose import compose
from kernels.fusion.modules import lower_modules
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body
from tests.emulator.emulator import Emulator
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.layers import layer_graphs, numbers


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_graph_cuts_and_tiles_give_the_references_bits(emulator, data):
    graph = data.draw(layer_graphs())
    last = len(graph.parts) - 1
    wanted = sorted({last, *data.draw(st.sets(st.integers(0, last), max_size=2))})
    body = compose(graph.parts, [(f"l{i}", "out") for i in wanted])
    cuts = data.draw(st.none() | st.lists(st.integers(1, 9), max_size=4))
    tile = data.draw(st.none() | st.sampled_from(((1, 1), (2, 3), (4, 4), (3, 8), (16, 16))))
    try:
        program = print_network(lower_modules(body, cuts, tile))
    except Unsupported:  # such cuts or tiles do not go
        program = cuda(body)
    frames = np.stack([numbers(data.draw, graph.source.shape) for _ in range(2)])
    assert_equal(program, Launcher(emulator, checked=data.draw(st.booleans())), [frames], ((0, 1), (1, 2)))
