"""All loops can be machine code, for every type that they may be called with. Where one cannot, Python takes over in
silence: the numbers are the same, and what takes them waits a thousand times as long."""

from __future__ import annotations

import dis
import importlib
import pkgutil
import subprocess
import sys
from functools import cache
from types import ModuleType

import llvmlite.binding as llvm
import pytest

import kernels.centroids
import kernels.components
import kernels.decoders
import kernels.loops
import kernels.regions
import kernels.stages
import pipelines.trackers
from kernels.executors import natives
from kernels.executors.machine import Machine
from kernels.loops import language
from kernels.loops.emitter import ARRAYS
from kernels.loops.language import Loop

PACKAGES: tuple[ModuleType, ...] = (
    kernels.loops, kernels.regions, kernels.centroids, kernels.components, kernels.decoders, kernels.stages,
    pipelines.trackers)  # fmt: skip


@cache
def every_loop() -> tuple[Loop, ...]:
    found: dict[int, Loop] = {}
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for one in vars(importlib.import_module(module.name)).values():
                if isinstance(one, Loop):
                    found[id(one)] = one
    return tuple(found.values())


def called_by_none() -> list[Loop]:
    """The others are compiled with those that call them, for the types that they give them."""
    called = set()
    for one in every_loop():
        for name in one.function.__code__.co_names:
            other = one.function.__globals__.get(name)
            called.add(id(other) if other is not one else None)
    return sorted((one for one in every_loop() if id(one) not in called), key=lambda one: one.name)


def test_all_are_looked_at() -> None:
    names = {one.name for one in called_by_none()}
    assert len(every_loop()) > 200
    assert {"measure_loop", "refined_loop", "regions_loop", "batch", "suppress", "frames"} <= names


@pytest.mark.parametrize("one", called_by_none(), ids=lambda one: one.name)
def test_a_name_means_one_thing_in_all_that_is_compiled_together(one: Loop) -> None:
    """Be it a loop or a form: whoever names the other would call this one."""
    together: dict[str, Loop] = {}
    language._collect(one, together)
    for each in together.values():
        meant = each.function.__globals__
        called = {i.argval for i in dis.get_instructions(each.function.__code__) if i.opname == "LOAD_GLOBAL"}
        assert [n for n in called if n in together and meant.get(n) is not together[n]] == []


@pytest.mark.parametrize("one", called_by_none(), ids=lambda one: one.name)
def test_llvm_takes_what_is_written_of_a_loop_for_every_type(one: Loop) -> None:
    Machine()  # makes LLVM ready
    for pixels in sorted(ARRAYS.values()) if "PIXELS" in one.signature.kinds else ["float64"]:
        for lanes in ("float32", "float64") if "LANES" in one.signature.kinds else ("float64",):
            module = llvm.parse_assembly(one.text(pixels, lanes))
            module.verify()
            assert not module.get_function(one.name).is_declaration


@pytest.mark.parametrize("one", called_by_none(), ids=lambda one: one.name)
def test_it_is_machine_code_here(one: Loop) -> None:
    language.provide(natives.load)
    assert one.native() is not None


ALONE = """
import numpy as np
from kernels.executors.base import executor
from kernels.loops.language import Loop
from kernels.ir.image import BOOL, U8, ImageType
from kernels.stages.components import components

native = Loop.native

def checked(one, *types):
    made = native(one, *types)
    assert made is not None, f"{one.name} is not machine code"
    asked.append(one.name)
    return made

asked, Loop.native = [], checked
body = components.build([ImageType(BOOL, 30, 40), ImageType(U8, 30, 40)], {})
frames = np.random.default_rng(1).integers(0, 255, (3, 30, 40)).astype(np.uint8)
table = executor("%s").compile(body).run([frames > 200, frames], {**body.params})["out"][0]
assert len(table.rows) > 3 and asked
"""


@pytest.mark.parametrize("name", ["cpu", "reference"])
def test_an_executor_alone_runs_loops_as_machine_code(name: str) -> None:
    """In a process where nothing of a run is imported: else loops ran as Python without a word."""
    done = subprocess.run([sys.executable, "-c", ALONE % name], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
