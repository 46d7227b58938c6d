"""What plans say of the modules of layers on a GPU."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from kernels.codegen.nvrtc import Usage
from kernels.fusion.modules import THREADS
from kernels.fusion.occupancy import occupancy
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, maximum
from kernels.ir.image import F32, ImageType
from kernels.ir.volumes import input_volume
from kernels.plugins import registry
from pipelines.planning.devices import architecture_of, find_device
from pipelines.planning.modules import module_rows
from tests.kernels.fusion.test_modules import body_of, conv

TYPE = ImageType(F32, 40, 40, 16)
X = input_volume(0, TYPE)
CARD = find_device("rtx3060")
WIDE = maximum(conv(X, 96), 0.0)


@pytest.mark.parametrize(("kind", "root"), [
    ("DW", conv(X, 16, 3, 16)),
    ("PW", conv(X, 8)),
    ("conv", conv(X, 8, 3)),
    ("DWPW", conv(maximum(conv(X, 16, 3, 16), 0.0), 24)),
    ("PWDW_R", conv(maximum(conv(X, 48), 0.0), 48, 3, 48)),
    ("PWPW", conv(maximum(conv(X, 48), 0.0), 16)),
    ("chain", conv(maximum(conv(WIDE, 96, 3, 96), 0.0), 16) + X),
    ("moves", X * 2.0),
])  # fmt: skip
def test_modules_have_the_names_of_the_literature(kind, root):
    (row,) = module_rows(body_of(TYPE, out=root), CARD)
    assert row.kind == kind
    assert row.moved <= row.alone
    assert row.shared <= 48 * 1024
    assert row.blocks == math.ceil(40 / row.tile[0]) * math.ceil(40 / row.tile[1])


def test_the_halo_is_what_is_made_again():
    (row,) = module_rows(body_of(TYPE, out=conv(maximum(conv(X, 48), 0.0), 48, 3, 48)), CARD)
    needed = 40 * 40 * 48 * (16 + 9)
    assert row.macs * (1 - row.again) == pytest.approx(needed)
    assert 0 < row.again < 0.5
    assert row.schedule.startswith("halo made again")
    assert row.why.startswith("fused: ")
    assert row.weights == 4 * 48 * (16 + 9)


def test_blocks_are_held_by_shared_memory_and_registers():
    body = body_of(TYPE, out=conv(maximum(conv(maximum(conv(X, 96), 0.0), 96, 3, 96), 0.0), 16) + X)
    for name, most in (("gtx1660", 64), ("rtx3060", 100), ("h100", 228)):
        (row,) = module_rows(body, find_device(name))
        fits = int(most * 1024 / (row.shared + (most > 64) * 1024))
        assert 0 < row.resident <= min(fits, 2)  # of 256 threads, each with the registers that two such blocks leave
        assert row.held == ("registers" if fits >= 2 else "shared memory")


def test_where_a_module_ends_it_is_said_why():
    x = X
    for _ in range(8):
        x = maximum(conv(x, 16, 5), 0.0)
    first, *_, last = module_rows(body_of(TYPE, out=x), CARD)
    assert "with the next" in first.why
    assert "time" in first.why or "no tile fits" in first.why
    assert "with the next" not in last.why


def test_modules_that_have_nothing_in_common_are_not_weighed_together():
    """One launch for both would take less, but no kernel is made of two that do not hold together."""
    one, other = (Output(name, ImageType(F32, 40, 40, 8), (conv(input_volume(k, TYPE), 8),))
                  for k, name in enumerate("ab"))  # fmt: skip
    first, second = module_rows(Body((TYPE, TYPE), (one, other), {}, {}), CARD)
    assert first.why == "has nothing in common with the next"
    assert second.why == ""


def test_siblings_and_bodies_without_layers():
    (row,) = module_rows(body_of(TYPE, a=conv(X, 8), b=conv(X, 12)), CARD)
    assert (row.kind, row.layers) == ("siblings", ("PW", "PW"))
    whole = conv(X, 20)
    as_one = replace(whole.arg, siblings=3)
    (row,) = module_rows(body_of(TYPE, out=Expr("contract", whole.src, as_one, F32, whole.size, 20)), CARD)
    assert (row.kind, row.layers) == ("siblings", ("PW", "PW", "PW"))
    assert module_rows(registry()["gaussian"].build([ImageType(F32, 8, 8)]), CARD) == ()


def test_registers_are_the_compilers_where_there_is_one():
    body = body_of(TYPE, out=conv(maximum(conv(maximum(conv(X, 96), 0.0), 96, 3, 96), 0.0), 16) + X)
    (plain,), (row,) = module_rows(body, CARD), module_rows(body, CARD, lambda _: (b"", {"fused": Usage(40, 0, 0, 0)}))
    assert (plain.registers, row.registers) == (128, 40)
    found = occupancy(CARD, THREADS, 40, row.shared)
    assert (row.resident, row.held, row.share) == (found.blocks, found.limit, found.share)
    assert found.share > 0


def test_a_device_has_the_architecture_of_its_multiprocessors():
    names = {"gtx1660": "sm_75", "a100": "sm_80", "rtx3060": "sm_86", "h200": "sm_90", "jetson-orin": "sm_87"}
    assert {name: architecture_of(find_device(name)) for name in names} == names


def test_a_module_that_may_grow_no_longer_says_so():
    x = X
    for _ in range(7):
        x = maximum(conv(maximum(conv(x, 16, 3, 16), 0.0), 16), 0.0)
    first, *_ = module_rows(body_of(TYPE, out=x), CARD)
    assert first.why.endswith("with the next it has more than 12 values")
