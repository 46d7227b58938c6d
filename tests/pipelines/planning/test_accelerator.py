"""Accelerators that a file describes, and what plans take in energy."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from kernels.errors import DefinitionError
from pipelines.planning.accelerator import accelerator
from pipelines.planning.devices import find_device
from pipelines.planning.energy import HOROWITZ, Spent, sentence, spent
from pipelines.planning.pareto import front
from pipelines.planning.planner import Planner, Wishes
from tests.pipelines.planning.made import PAD, graph

TEXT = """
sram_bytes = 400_000
dram_bytes_per_s = 4e9
macs_per_s = 1e11
"""
ENERGY = "dram_pj_per_byte = 100\nsram_pj_per_byte = 2\nmac_pj = 4\n"


def test_a_file_is_a_device(tmp_path: Path) -> None:
    file = tmp_path / "npu.toml"
    file.write_text(TEXT)
    device, energy = accelerator(str(file))
    assert device == replace(PAD, name="npu", origin="npu.toml")
    assert energy == HOROWITZ
    file.write_text(TEXT + ENERGY + 'name = "mine"\nmacs_int8_per_s = 4e11\n')
    device, energy = accelerator(str(file))
    assert (device.name, device.macs, device.macs_int8) == ("mine", 1e11, 4e11)
    assert (energy.dram, energy.near, energy.mac, energy.mac_int8, energy.source) == (100, 2, 4, 4, "npu.toml")


@pytest.mark.parametrize(("text", "words"), [
    ("sram_bytes = ", "is no TOML"),
    ("sram_bytes = 1000", "dram_bytes_per_s is missing; an accelerator needs sram_bytes"),
    (TEXT + "sram_byte = 3", "there is no 'sram_byte'; did you mean 'sram_bytes'?"),
    (TEXT + "volts = 3", "there is no 'volts'; there are: name, sram_bytes"),
    (TEXT.replace("4e9", "-1"), "dram_bytes_per_s must be a positive number, not -1"),
    (TEXT.replace("4e9", "true"), "dram_bytes_per_s must be a positive number, not True"),
    (TEXT.replace("4e9", "inf"), "must be a positive number, not inf"),
    (TEXT + "mac_pj = 4", "dram_pj_per_byte is missing; energies are given all together"),
    (TEXT + "name = 3", "name must be a text, not 3"),
])  # fmt: skip
def test_what_is_wrong_with_a_file_is_a_sentence(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "npu.toml"
    file.write_text(text)
    with pytest.raises(DefinitionError) as error:
        accelerator(str(file))
    assert str(file) in str(error.value)
    assert words in str(error.value)
    with pytest.raises(DefinitionError, match="there is no such file"):
        accelerator(str(tmp_path / "missing.toml"))


def layers(count: int = 6, weights: float = 1e5):  # type: ignore[no-untyped-def]
    """Layers of 128 x 128 floats in a row, of which three rows are looked at: 2 kB a map's, and weights."""
    made = graph([(k - 1, k, 1) for k in range(count)], count, size=128, layers=frozenset(range(count)))
    tasks = tuple(replace(task, weights=weights, operations=0.0, lanes=0.0, macs=1e6, macs_int8=0.0)
                  for task in made.tasks)  # fmt: skip
    return replace(made, tasks=tasks)


def test_what_near_memory_holds_is_streamed_and_the_rest_goes_to_dram() -> None:
    frame = 4.0 * 128 * 128
    rows = 6 * 3 * 4 * 128
    roomy = Planner(layers(), replace(PAD, block_bytes=rows + 600_000)).plan(Wishes(batch=1))
    assert len(roomy.groups) == 1
    assert roomy.estimate.dram == 2 * frame + 600_000
    (_, second) = Planner(layers(), PAD).plan(Wishes(batch=1)).groups  # weights of three layers and their rows
    assert len(second.nodes) == 3
    assert second.estimate.dram == 2 * frame + 300_000
    alone = Planner(layers(1), replace(PAD, block_bytes=50_000)).plan(Wishes(batch=1))
    assert alone.estimate.dram == 2 * frame + 128 * 1e5  # weights come for every row
    with pytest.raises(DefinitionError, match="no plan fits"):
        Planner(layers(1), replace(PAD, block_bytes=1000)).plan(Wishes(batch=1))


def test_energy_counts_bytes_and_operations() -> None:
    work = layers()
    planner = Planner(work, PAD)
    plan, unfused = planner.plan(Wishes(batch=1)), planner.unfused(Wishes(batch=1))
    one, other = (spent(planner, p, HOROWITZ) for p in (plan, unfused))
    assert one.dram == pytest.approx(plan.estimate.dram * 162.5e-12)
    assert one.near == pytest.approx((plan.estimate.near + plan.estimate.traffic) * 2.5e-12)
    assert one.arithmetic == other.arithmetic == pytest.approx(6e6 * 4.6e-12)
    assert one.whole < other.whole
    halo = Planner(graph([(-1, 0, 9), (0, 1, 9)], 2, size=256), find_device("h100"))
    again = halo.plan(Wishes(batch=1, fuse=(("n0", "n1"),)))
    assert spent(halo, again, HOROWITZ).arithmetic > 10 * 256 * 256 * 0.9e-12  # a halo is computed again
    said = sentence(HOROWITZ, {"": Spent(2e-6, 1e-6, 1e-6), "without fusing": Spent(1e-3, 0, 0)})
    assert said.startswith("energy 4 µJ a frame (DRAM 50%, near memory 25%, arithmetic 25%); without fusing 1 mJ, at ")
    assert "Horowitz 2014" in said


def test_the_front_of_a_network_has_plans_that_hold_less() -> None:
    points = front(Planner(layers(), find_device("this-cpu")), Wishes(batch=1))
    held = sorted({p.on_chip for p in points})
    assert len(held) >= 3
    assert held[0] < held[-1] / 3
    by = sorted(points, key=lambda p: p.on_chip)
    assert all(a.bytes >= b.bytes for a, b in itertools.pairwise(by))
