"""Accelerators that a file describes, and what plans take in energy."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from app.benchmark.networks.made import Graph
from app.cli import main
from kernels.errors import DefinitionError
from kernels.fusion.models.layer import Layer
from kernels.ir.image import F32, ImageType
from pipelines.graph import Ref
from pipelines.planning.accelerator import accelerator
from pipelines.planning.devices import find_device
from pipelines.planning.energy import HOROWITZ, Spent, sentence, spent
from pipelines.planning.pareto import front
from pipelines.planning.planner import Planner, Wishes
from pipelines.planning.scratchpad import Held, held, small
from pipelines.planning.workload import Value
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
    whole = Planner(layers(), PAD).plan(Wishes(batch=1))  # all maps have room: weights pass by once
    assert len(whole.groups) == 1
    assert whole.estimate.dram == 2 * frame + 600_000
    tight = Planner(layers(), replace(PAD, block_bytes=150_000)).plan(Wishes(batch=1))  # two whole maps have room
    assert [len(group.nodes) for group in tight.groups] == [2, 2, 2]
    assert tight.estimate.dram == 6 * frame + 600_000
    alone = Planner(layers(1), replace(PAD, block_bytes=50_000)).plan(Wishes(batch=1))
    assert alone.estimate.dram == 2 * frame + 2 * 1e5  # 97 rows have room: weights come for each half of the frame
    assert alone.estimate.on_chip == 4 * 128 * 66
    with pytest.raises(DefinitionError, match="no plan fits"):
        Planner(layers(1), replace(PAD, block_bytes=1000)).plan(Wishes(batch=1))


def convolution(room: int, channels: int = 64, side: int = 28) -> Held:
    """What a memory makes of a 3x3 layer of floats by itself."""
    one = Layer("", "conv", (), (side, side), channels, (side, side), channels, (3, 3), (1, 1), 9 * channels**2)
    (task,) = graph([(-1, 0, 1)], 1, size=side, layers=frozenset((0,))).tasks
    task = replace(task, convolution=one, weights=4.0 * one.weights)
    values = [Value(Ref(name), ImageType(F32, side, side, channels), side, side, 4.0 * channels) for name in "ab"]
    return held(replace(PAD, block_bytes=room), [task], [[(read, read.value) for read in task.reads]], values)


def test_a_layer_goes_in_tiles_over_channels_where_that_moves_less() -> None:
    weights, frame = 4.0 * 9 * 64 * 64, 4 * 28 * 28 * 64
    everything = convolution(10**6)
    assert (everything.resident, everything.tiles, everything.weights) == (True, None, weights)
    strips = convolution(frame)  # the map has room
    assert (strips.strips, strips.tiles, strips.weights, strips.again) == (1, None, weights, 0)
    found = convolution(40_000)
    assert found.fits
    assert found.tiles is not None
    rows = 4 * 28 * 64 * 3
    assert rows < 40_000 < rows + weights
    by_rows = -(-28 // (40_000 // (4 * 28 * 64) - 2)) * weights
    assert found.weights + found.again < by_rows / 2
    assert found.tiles.moved == pytest.approx(found.weights + found.again + 2 * frame)
    few = convolution(9_000)  # not even the rows of a layer have room
    assert few.fits
    assert few.tiles is not None
    assert few.bytes <= 9_000 < rows
    assert not convolution(20).fits
    processor = replace(PAD, block_bytes=9_000, cache=1e11)  # has no such code
    (task,) = graph([(-1, 0, 1)], 1, size=28, layers=frozenset((0,))).tasks
    assert not small(processor, replace(task, convolution=Layer("", "conv", (), (28, 28), 64, (28, 28), 64, (3, 3),
                                                                 (1, 1), 9 * 64 * 64)))  # fmt: skip


def test_the_plan_says_what_is_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    g = Graph(3, 28, 28)
    file, npu = tmp_path / "net.onnx", tmp_path / "npu.toml"
    file.write_bytes(g.written(g.conv(g.conv("input", 32, 3), 64, 3)))
    for room, words in ((1_000_000, "rows stay inside with all weights"), (70_000, "weights pass by for each of"),
                        (16_000, "channels from")):  # fmt: skip
        npu.write_text(f"sram_bytes = {room}\ndram_bytes_per_s = 1e8\nmacs_per_s = 1e12\n")
        assert main(["plan", str(file), "--device", str(npu)]) == 0
        assert words in " ".join(capsys.readouterr().out.split())


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
