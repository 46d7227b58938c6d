"""CUDA text compiles by NVRTC for every architecture, within golden budgets of registers and shared memory.

The budgets hold for one version of NVRTC. After a change of the generator write them anew with

    FUSETRACK_WRITE_BUDGETS=1 python -m pytest tests/kernels/codegen/test_cuda_compile.py

and look at what changed.
"""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from kernels.codegen import nvrtc
from kernels.codegen.cuda import cuda, elementwise
from kernels.ir.image import F32, U8, ImageType
from kernels.stages.threshold import threshold
from tests.kernels.codegen.shipped import NAMES, units
from tests.kernels.test_conformance import STAGES
from tests.strategies import bodies

pytestmark = pytest.mark.skipif(not nvrtc.available(), reason="NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
BUDGETS = Path(__file__).with_name("cuda_budget.json")
FRAME = ImageType(U8, 512, 512)


WRITES = bool(os.environ.get("FUSETRACK_WRITE_BUDGETS"))


def architectures_of(name):
    """The oldest and the newest, between which registers change by a few, and of the others one in turn; all of them
    when budgets are written, as after each change of the generator."""
    first, *between, last = nvrtc.ARCHITECTURES
    return nvrtc.ARCHITECTURES if WRITES else (first, between[NAMES.index(name) % len(between)], last)


def test_every_architecture_is_some_pipelines():
    assert {one for name in NAMES for one in architectures_of(name)} == set(nvrtc.ARCHITECTURES)


@cache
def usage_of(text, architecture):
    """As two pipelines have the same kernel."""
    return nvrtc.compile_text(text, architecture).usage


@pytest.mark.parametrize("name", NAMES)
def test_shipped_pipelines_compile_and_keep_their_budgets(name):
    """No spills anywhere; registers and shared memory within a tenth of the table's."""
    found = {}
    for unit in units(name, FRAME):
        program = cuda(unit.body)
        for architecture in architectures_of(name):
            usage = usage_of(program.text, architecture)
            for kernel in program.kernels:
                used = usage[kernel.name]
                assert not used.spills + used.stack, f"{unit.name} spills on {architecture}: {used}"
                found[f"{unit.name} {kernel.name} {architecture}"] = [used.registers, used.shared + kernel.shared]
    table = json.loads(BUDGETS.read_text()) if BUDGETS.exists() else {}
    if WRITES:
        table["nvrtc"] = list(nvrtc.version())
        table[name] = found
        BUDGETS.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n")
    if table["nvrtc"] != list(nvrtc.version()):
        pytest.skip(f"the budgets are NVRTC {table['nvrtc']}'s")
    assert found.keys() == {key for key in table[name] if key.endswith(architectures_of(name))}
    grown = {
        key: (used, table[name][key])
        for key, used in found.items()
        if any(now > 1.1 * before + 2 for now, before in zip(used, table[name][key], strict=True))
    }
    assert not grown


@pytest.mark.parametrize("name", NAMES)
def test_the_larger_tiles_of_large_frames_do_not_spill(name):
    for unit in units(name, ImageType(U8, 1080, 1920)):
        program = cuda(unit.body)
        usage = usage_of(program.text, "sm_86")
        assert not any(usage[kernel.name].spills + usage[kernel.name].stack for kernel in program.kernels)


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(bodies())
def test_random_bodies_compile(body):
    program = cuda(body, tile=(8, 4))
    for architecture in (nvrtc.ARCHITECTURES[0], nvrtc.ARCHITECTURES[-1]):
        used = nvrtc.compile_text(program.text, architecture).usage
        assert set(used) == {kernel.name for kernel in program.kernels}


def test_nothing_is_contracted_flushed_or_approximated():
    """What the emulator computes is what the device computes: the PTX rounds every operation by itself."""
    text = cuda(STAGES["shi_tomasi"].build([ImageType(F32, 64, 64)])).text
    ptx = nvrtc.compile_text(text, "compute_90").cubin.decode(errors="replace")
    assert "sqrt.rn.f32" in ptx
    assert not re.findall(r"fma\.rn|\.ftz|\.approx", ptx)


def test_elementwise_operations_compile():
    made = elementwise(threshold.build([FRAME]))
    spelled = {"bool": "bool", "uint8": "unsigned char", "float32": "float"}
    arguments = [*(f"const {spelled[p.split()[0]]} {p.split()[1]}" for p in made.in_params.split(", ")),
                 *(f"{spelled[p.split()[0]]} *to_{p.split()[1]}" for p in made.out_params.split(", "))]  # fmt: skip
    text = (f'{made.preamble}extern "C" __global__ void k({", ".join(arguments)}) {{ bool out0_0;\n{made.operation}\n'
            "*to_out0_0 = out0_0; }")  # fmt: skip
    assert nvrtc.compile_text(text).usage["k"].spills == 0


def test_errors_name_the_line():
    with pytest.raises(nvrtc.NvrtcError, match=r"fused.cu\(2\)"):
        nvrtc.compile_text("int a;\nnonsense;")


def test_texts_of_functions_that_call_each_other_are_compiled_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of pixels get all that the compiler can do; an NVRTC that does not know the option goes without."""
    text = ('__device__ __noinline__ double f(double a) { return a * a + 1.0; }\n'
            'extern "C" __global__ void k(double *a) { a[0] = f(a[0]) + f(a[1]); }')  # fmt: skip
    assert nvrtc.FAST in nvrtc.options_of(text)
    assert nvrtc.options_of(cuda(threshold.build([FRAME])).text) == nvrtc.OPTIONS
    monkeypatch.setattr(nvrtc, "FAST", "--option-of-a-later-version")
    assert nvrtc.options_of(text)[-1] == "--option-of-a-later-version"
    assert nvrtc.compile_text(text).usage["k"].registers
