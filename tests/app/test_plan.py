"""`fusetrack plan`: the table, the pins, machine output, pictures, and one sentence for whatever is wrong."""

from __future__ import annotations

import json
import re
import shlex
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from app.cli import main
from app.commands import schedules
from app.commands.plan_network import bound_network, frame_of, pipeline_of
from kernels.executors.layers_counted import Accesses
from kernels.executors.layers_timed import Comparison, Moved, TimedSchedule, TimedStretch
from kernels.fusion.layers_runs import Core
from kernels.ir.image import U8, ImageType
from pipelines.definition import library, load
from pipelines.graph import bind
from pipelines.planning.devices import devices, find_device
from pipelines.planning.planner import planner_of
from tests.onnx_files import model, node


def planned(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["plan", *arguments, "--json"]) == 0
    facts: dict[str, object] = json.loads(capsys.readouterr().out)
    return facts


@pytest.mark.parametrize("name", library())
@pytest.mark.parametrize("device", ["this-cpu", "rtx3060"])
def test_every_shipped_pipeline_has_a_plan(name: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    facts = planned(capsys, name, "--device", device, "--size", "640x480")
    assert facts["proven"] is True
    assert facts["device"] == device
    groups = facts["groups"]
    assert isinstance(groups, list)
    assert all(group["estimate"]["seconds"] > 0 for group in groups)
    others = facts["others"]
    assert isinstance(others, dict)
    assert "without fusing" in others
    for other in others.values():
        assert facts["estimate"]["seconds"] <= 1.02 * other["seconds"]  # type: ignore[index]
    assert facts["front"]


def test_the_table_says_what_and_why(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["plan", "facial-markers", "--device", "rtx3060", "--fps", "1000", "--latency", "20"]) == 0
    said = capsys.readouterr().out
    for words in ("rtx3060 (datasheet)", "without fusing", "floor", "latency", "DRAM", "smooth -> edges", "fused",
                  "gray + sound + scale + even + steady", "saves 8", "a halo wider by", "rim -> whole",
                  "whole runs by itself, a block a frame", "Pareto front", "buffers:"):  # fmt: skip
        assert words in said
    assert "the graph is too wide" not in said


@pytest.mark.parametrize("device", devices())
def test_devices_need_not_be_there(device: str, capsys: pytest.CaptureFixture[str]) -> None:
    for dtype, channels in (("u8", "1"), ("u16", "3"), ("f32", "4")):
        facts = planned(capsys, "template", "--device", device, "--dtype", dtype, "--channels", channels)
        assert facts["frame"] == f"1024x1024{'' if channels == '1' else 'x' + channels} {dtype}"


CARDS = ("gtx1660", "rtx3060", "rtx4090", "a100", "h100", "h200", "jetson-orin")


@pytest.mark.parametrize("device", CARDS)
@pytest.mark.parametrize("pipeline", library())
def test_every_shipped_pipeline_is_planned_for_every_card(pipeline: str, device: str) -> None:
    made = planner_of(bind(load(pipeline), ImageType(U8, 512, 512)), find_device(device)).plan()
    assert made.device == device
    assert find_device(device).origin == "datasheet"
    assert any(group.executor == "cuda" for group in made.groups)
    assert 0 < made.estimate.seconds < 1e-2


def test_pins(capsys: pytest.CaptureFixture[str]) -> None:
    free = planned(capsys, "facial-markers", "--device", "rtx3060")
    cut = planned(capsys, "facial-markers", "--device", "rtx3060", "--cut", "steady|smooth|edges")
    edges = {(e["from"], e["to"]): e for e in cut["edges"]}  # type: ignore[attr-defined]
    for pair in (("steady", "smooth"), ("smooth", "edges")):
        assert not edges[pair]["fused"]
        assert edges[pair]["pinned"]
    assert len(cut["groups"]) == len(free["groups"]) + 2  # type: ignore[arg-type]
    fused = planned(capsys, "facial-markers", "--fuse", "gray+rim", "--batch", "4")
    assert fused["batch"] == 4
    assert {"gray", "rim"} <= set(fused["groups"][0]["nodes"])  # type: ignore[index]


def test_a_forced_tile(capsys: pytest.CaptureFixture[str]) -> None:
    facts = planned(capsys, "template", "--device", "h100", "--tile", "32x16x4")
    assert facts["groups"][0]["tile"] == {"bx": 32, "by": 16, "bt": 4}  # type: ignore[index]
    assert facts["batch"] % 4 == 0  # type: ignore[operator]


def test_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg, dot = tmp_path / "plan.svg", tmp_path / "plan.dot"
    assert main(["plan", "background-motion", "--svg", str(svg), "--dot", str(dot)]) == 0
    capsys.readouterr()
    root = ElementTree.fromstring(svg.read_text("utf-8"))
    texts = [e.text or "" for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"gray", "scale", "moving", "clean", "bodies", "source"} <= set(texts)
    assert any("B/px" in text for text in texts)
    text = dot.read_text("utf-8")
    assert text.startswith("digraph plan {")
    assert '"0/gray" -> "0/sound"' in text
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["blob"], "did you mean 'blobs'"),
        (["blobs", "--device", "rtx306"], "there is no device 'rtx306'; did you mean 'rtx3060'?"),
        (["blobs", "--size", "0x4"], "--size takes width x height"),
        (["blobs", "--channels", "2"], "node 'gray'"),
        (["blobs", "--channels", "0"], "--channels takes 1 to 64, not 0"),
        (["blobs", "--fuse", "gray"], "fuse takes stages such as gray+smooth, not 'gray'"),
        (["blobs", "--fuse", "gray+skale"], "did you mean 'scale'?"),
        (["blobs", "--fuse", "bright+spots"], "bright + spots cannot be fused: spots runs on the host"),
        (["blobs", "--fuse", "gray+scale", "--cut", "gray|scale"], "pinned together and apart"),
        (["blobs", "--latency", "3"], "a latency limit needs the frame rate"),
        (["blobs", "--latency", "-3"], "--latency must be a positive number of ms"),
        (["blobs", "--latency", "1", "--fps", "100"], "filling a batch of 1 takes 0.01 s"),
        (["blobs", "--batch", "0"], "--batch takes 1 to 4096 frames, not 0"),
        (["blobs", "--tile", "32x32"], "--tile takes width x height x frames"),
        (["blobs", "--tile", "32x32x3", "--batch", "4"], "do not divide a batch of 4"),
        (["blobs", "--tile", "32x32x8"], "rows of full width; give a tile 1024 px wide, such as 1024x32x8"),
        (["blobs", "--source", "--measure"], "--source prints nothing else; give --measure in a call of its own"),
        (["blobs", "--device", "h100", "--tune"], "--tune runs the plan on this computer, not on h100"),
        (["blobs", "--svg", "/nowhere/at/all.svg"], "the folder /nowhere/at does not exist"),
    ],
)
def test_one_sentence_for_what_is_wrong(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("fusetrack: ")
    assert len(said.err.strip().splitlines()) == 1
    assert sentence in said.err


def test_the_source_is_an_outline_and_the_code_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "facial-markers", "--size", "64x48", "--source", "--set", "smooth.sigma=0.7"]) == 0
    said = capsys.readouterr().out
    assert "; state1 = " not in said.splitlines()[0]
    for words in ("; gray+sound+scale+even+steady+smooth+edges+rim", "steady.alpha: f32, an argument",
                  "pass 0, images of 64x48",
                  "was(steady/mean) is", "define void @pass0(", "; markers: a host function"):  # fmt: skip
        assert words in said
    facts = planned(capsys, "facial-markers", "--size", "64x48", "--source", "--cut", "smooth|edges")
    assert [name.count("+") for name in facts["source"]] == [5, 1, 0, 0]  # type: ignore[attr-defined]
    assert main(["plan", "facial-markers", "--size", "64x48", "--source", "--device", "h100"]) == 0
    said = capsys.readouterr().out
    for words in ("// gray+sound", "blocks of 256x1 threads", "__global__ void", "// markers: a host function"):
        assert words in said


def test_the_source_of_a_network_lists_its_layers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights = {"w": np.ones((5, 3, 3, 3), np.float32)}
    nodes = [node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]), node("Relu", ["c"], ["y"])]
    (tmp_path / "a.onnx").write_bytes(model(nodes, {"x": ("float32", (1, 3, 12, 16))}, ["y"], weights))
    (tmp_path / "a.toml").write_text('taps = ["net"]\n[stages.net]\nuse = "network"\nmodel = "a.onnx"\n')
    assert main(["plan", str(tmp_path / "a.toml"), "--size", "16x12", "--channels", "3", "--source"]) == 0
    said = capsys.readouterr().out
    for words in (": images before layers", ": layers, row by row", "define void @run_steps("):
        assert words in said
    assert re.search(": 16x12 px, 8 channels, (across_5|dense_8)_", said)  # whichever is faster here


def test_what_the_reference_computes_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nodes = [node("Conv", ["x", "w"], ["a"], pads=[1, 1, 1, 1]), node("Cast", ["a"], ["y"], to=9)]  # true or false
    weights = {"w": np.ones((2, 1, 3, 3), np.float32)}
    (tmp_path / "a.onnx").write_bytes(model(nodes, {"x": ("float32", (1, 1, 40, 30))}, ["y"], weights))
    facts = planned(capsys, str(tmp_path / "a.onnx"))
    assert "computed by the reference, which is slow, for a network gives bool" in str(facts["slow"])
    assert main(["plan", str(tmp_path / "a.onnx")]) == 0
    assert "computed by the reference" in capsys.readouterr().out


def test_rewritings_are_said_with_their_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    facts = planned(capsys, "template", "--size", "64x48")
    assert facts["rewritings"] == facts["slow"] == []
    facts = planned(capsys, "template", "--size", "64x48", "--fast")
    assert facts["rewritings"]
    assert all(r["bound"] > 0 for r in facts["rewritings"])  # type: ignore[attr-defined]
    off = facts["off"]
    assert isinstance(off, dict)
    assert 0 < off["smooth"] < 1e-3
    assert main(["plan", "template", "--size", "64x48", "--fast"]) == 0
    shown = capsys.readouterr().out
    assert "rewritten: " in shown
    assert f"off: smooth by at most {off['smooth']:.2g}" in shown
    assert planned(capsys, "objects", "--size", "64x48", "--fast")["off"] == {"mask": None}  # behind a threshold


def test_what_is_made_of_tiles_is_told_with_what_it_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    weights = {"w": rng.normal(size=(16, 3, 3, 3)), "v": rng.normal(size=(24, 16, 3, 3)),
               "u": rng.normal(size=(16, 24, 3, 3))}  # fmt: skip
    nodes = [node("Conv", ["x", "w"], ["a"], pads=[1, 1, 1, 1]), node("Conv", ["a", "v"], ["b"], pads=[1, 1, 1, 1]),
             node("MaxPool", ["b"], ["c"], kernel_shape=[40, 40], strides=[40, 40]),
             node("Conv", ["c", "u"], ["y"], pads=[1, 1, 1, 1])]  # fmt: skip
    file = tmp_path / "net.onnx"
    weights = {name: array.astype(np.float32) for name, array in weights.items()}
    file.write_bytes(model(nodes, {"x": ("float32", (1, 3, 40, 40))}, ["y"], weights))
    assert planned(capsys, str(file))["tiles"] == []
    facts = planned(capsys, str(file), "--fast")
    many, few = facts["tiles"]  # type: ignore[misc]
    assert (many["size"], many["channels"], many["outputs"], many["node"]) == ([40, 40], [16, 24], 4, "net/conv_1")
    assert 0 < many["after"] < many["before"]
    assert (few["size"], few["outputs"]) == ([1, 1], 0)  # a pixel is no tile
    assert [r["bound"] for r in facts["rewritings"] if r["kind"] == "tiles"] == [pytest.approx(3e-4, rel=0.5)]  # type: ignore[attr-defined]
    assert main(["plan", str(file), "--fast"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "net/conv_1 tiles 4x4 40x40 16 to 24" in said
    assert "1 of 2 of tiles, which is predicted to save" in said
    assert "2 convolutions 3x3 of tiles of 4x4 pixels (Winograd) where a CPU is predicted to take less time so" in said


def test_a_network_alone_is_planned_as_it_is_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "open.onnx"
    nodes = [node("MaxPool", ["x"], ["m"], kernel_shape=[2, 2], strides=[2, 2]),
             node("Resize", ["m", "", "s"], ["up"], mode="nearest"), node("Add", ["x", "up"], ["y"])]  # fmt: skip
    scales = {"s": np.array([1, 1, 2, 2], np.float32)}
    file.write_bytes(model(nodes, {"x": ("float32", (1, 1, "h", "w"))}, ["y", "m"], scales))
    assert main(["plan", str(file), "--size", "9x7", "--channels", "1"]) == 2
    assert "takes no 9x7 pixels; set multiple = 2" in " ".join(capsys.readouterr().err.split())
    facts = planned(capsys, str(file), "--size", "9x7", "--channels", "1", "--set", "net.multiple=2")
    assert {one["type"] for one in facts["buffers"]} >= {"10x8 f32", "5x4 f32"}  # type: ignore[attr-defined]
    facts = planned(capsys, str(file), "--channels", "1", "--set", "net.output=m")
    assert "512x512 f32" in {one["type"] for one in facts["buffers"]}  # type: ignore[attr-defined]


def blocks(file: Path, count: int = 2, side: int = 16) -> Path:
    """A network of a convolution, depthwise and pointwise pairs with sums over them, and two heads."""
    rng = np.random.default_rng(0)
    weights = {"w": rng.normal(size=(8, 3, 3, 3)).astype(np.float32)}
    nodes, now = [node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1])], "c"
    for k in range(count):
        weights |= {f"d{k}": rng.normal(size=(8, 1, 3, 3)).astype(np.float32),
                    f"p{k}": rng.normal(size=(8, 8, 1, 1)).astype(np.float32)}  # fmt: skip
        nodes += [node("Conv", [now, f"d{k}"], [f"a{k}"], pads=[1, 1, 1, 1], group=8),
                  node("Conv", [f"a{k}", f"p{k}"], [f"b{k}"]), node("Add", [f"b{k}", now], [f"s{k}"]),
                  node("Relu", [f"s{k}"], [f"r{k}"])]  # fmt: skip
        now = f"r{k}"
    weights |= {name: rng.normal(size=(4, 8, 1, 1)).astype(np.float32) for name in ("h0", "h1")}
    nodes += [node("Conv", [now, h], [f"{h}y"]) for h in ("h0", "h1")]
    file.write_bytes(model(nodes, {"x": ("float32", (1, 3, side, 2 * side))}, ["h0y", "h1y"], weights))
    return file


def test_a_network_alone_has_a_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                    monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv("COLUMNS", "120")
    file = str(blocks(tmp_path / "my net.onnx"))
    facts = planned(capsys, file)
    assert facts["frame"] == "32x16x3 u8"
    (run,) = facts["layers"]  # type: ignore[misc]
    assert run["kind"] == "chain"
    assert run["modules"] == {"conv": 1, "DWPW": 2, "siblings": 1}  # the two heads are one
    assert run["macs"] == 32 * 16 * 8 * (27 + 2 * (9 + 8) + 8)
    assert run["weights"] == 4 * (8 * 27 + 2 * (72 + 64) + 2 * 32)
    values = 32 * 16 * 4
    assert run["after"] == 32 * 16 * 3 + 2 * 4 * values
    assert run["before"] > 4 * run["after"]
    assert run["why"].startswith("all maps and weights fit")
    assert len(facts["groups"]) == 1  # type: ignore[arg-type]
    assert facts["edges"] == []
    assert main(["plan", file]) == 0
    said = capsys.readouterr().out
    for words in ("my net", "net/conv_0", "chain: 1 conv, 2 DWPW, 1", "siblings", "saves accesses, but hardly time",
                  "x less", "one by one", "a frame on one core; DW: depthwise", "before net/"):  # fmt: skip
        assert words in said
    assert max(map(len, said.splitlines())) <= 120
    frames = "--size", "64x64", "--channels", "1", "--dtype", "u16"
    facts = planned(capsys, file, *frames, "--cut", "net/conv_0|net/conv_1")
    assert facts["frame"] == "64x64 u16"
    assert [group["executor"] for group in facts["groups"]] == ["cpu", "cpu"]  # type: ignore[attr-defined]
    assert planned(capsys, file, "--device", "rtx3060")["layers"] == []


def test_schedules_of_a_network_are_predicted_measured_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    file = str(blocks(tmp_path / "net.onnx"))
    kind = frame_of(file, None, None, None)
    bound = bind(pipeline_of(file, kind), kind)
    plan = planner_of(bound, find_device("this-cpu")).plan()
    monkeypatch.setattr(schedules, "SECONDS", 0.0)
    found = schedules.schedules(bound, plan)
    schedules.show_schedules(Console(), found)
    said = capsys.readouterr().out
    for words in ("schedules of group 1 here", "layer by layer", "pairs: DW+PW", "chosen", "all streamed",
                  "activations", "counted in the running program", "near", "late", "bytes that they move"):  # fmt: skip
        assert words in said
    rows = [line for line in said.splitlines() if line.startswith("layer by layer")]
    assert len(rows) == 2  # of times, of bytes
    (facts,) = schedules.schedule_facts(found)
    made = facts["schedules"]
    assert [one["name"] for one in made] == ["layers", "pairs", "chosen", "streamed"]  # type: ignore[attr-defined]
    number, comparison = found[0]
    assert (number, facts["group"]) == (1, 1)
    names = list(comparison.layers)
    assert [name for name in names if name.startswith("net/conv")] == [
        "net/conv_0 3x3 16x32x8", "net/conv_1 3x3 16x32x8", "net/conv_2 1x1 16x32x8", "net/conv_5 3x3 16x32x8",
        "net/conv_6 1x1 16x32x8", "net/conv_9_10 1x1 16x32x8"]  # fmt: skip
    apart = replace(comparison.schedules[2], stretches=comparison.schedules[0].stretches)
    schedules.show_schedules(Console(), [(1, replace(comparison, schedules=(*comparison.schedules[:2], apart)))])
    said = capsys.readouterr().out
    assert all(name in said for name in names)
    assert max(map(len, said.splitlines())) <= 120
    one, *_, last = comparison.schedules
    turned = replace(comparison, schedules=(replace(one, predicted=2.0, measured=1.0),
                                            replace(last, predicted=1.0, measured=2.0)))  # fmt: skip
    assert schedules.against(turned) == ["layer by layer and all streamed"]
    assert schedules.against(replace(turned, schedules=turned.schedules[::-1])) == ["all streamed and layer by layer"]
    even = (replace(one, predicted=2.0, measured=1.0), replace(last, predicted=1.0, measured=1.04))
    assert schedules.against(replace(turned, schedules=even)) == []


def test_a_network_alone_is_bound_as_its_pipeline_is(tmp_path: Path) -> None:
    file = tmp_path / "two.onnx"
    nodes = [node("Relu", ["x"], ["a"]), node("Sigmoid", ["x"], ["b"])]
    for outputs in (["a"], ["a", "b"]):
        file.write_bytes(model(nodes, {"x": ("float32", (1, 3, 8, 8))}, outputs))
        kind = frame_of(str(file), None, None, None)
        pipeline, bound = bound_network(str(file), kind, {"net.fold": False})
        again = bind(pipeline, kind)
        assert (bound.taps, bound.asked, bound.types) == (again.taps, again.asked, again.types)
        assert [one.id for one in bound.nodes] == [one.id for one in again.nodes]
        assert [str(ref) for ref in bound.taps] == (["net"] if len(outputs) == 1 else ["net.a", "net.b"])


def test_the_table_of_schedules_counts_what_is_near_and_ranks_both_ways(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    none, moved = Accesses(0, 0, 0, 0, 0), Moved(900.0, 10.0, 5.0)

    def run(predicted: float, measured: float) -> TimedStretch:
        return TimedStretch((0,), ("PW",), predicted, measured, 1.5 * measured, moved, none)

    def schedule(name: str, *parts: TimedStretch) -> TimedSchedule:
        return TimedSchedule(name, parts, sum(p.predicted for p in parts), sum(p.measured for p in parts),
                             sum(p.usual for p in parts), moved, Accesses(600, 200, 200, 9, 4))  # fmt: skip

    three = run(3e-3, 4e-3), run(5e-3, 4e-3), run(3.1e-3, 4.3e-3)  # a quarter too little, too much; and more than that
    assert schedules.near(three) == 2
    assert schedules.places([100.0, 90.0, 91.0, 50.0]) == [4, 2, 2, 1]
    made = Comparison((schedule("layers", *three), schedule("pairs", run(9e-3, 9e-3)), schedule("chosen", *three[:2]),
                       schedule("streamed", run(8.1e-3, 7e-3))), Core(1e6), ("a", "b", "c"))  # fmt: skip
    assert schedules.faster(made) == ["streamed"]
    assert schedules.faster(replace(made, schedules=made.schedules[:3])) == []
    (facts,) = schedules.schedule_facts([(2, made)])
    assert facts["near"] == {"layers": 2, "pairs": 1, "chosen": 2, "streamed": 1}
    assert facts["places"] == {"predicted": {"layers": 4, "pairs": 3, "chosen": 1, "streamed": 1},
                               "measured": {"layers": 4, "pairs": 3, "chosen": 2, "streamed": 1}}  # fmt: skip
    assert facts["faster_than_chosen"] == ["streamed"]
    schedules.show_schedules(Console(), [(2, made)])
    lines = capsys.readouterr().out.splitlines()
    first = next(line for line in lines if line.startswith("layer by layer"))
    assert first.split()[3:] == ["3", "2", "11.1", "ms", "4", "12.3", "ms", "4", "50%", "1.11"]
    assert any("less than the chosen one takes: all streamed" in line for line in lines)
    assert any(line.startswith("runs of the chosen one, 2 of 2 near") for line in lines)
    assert any(line.split()[1:] == ["900", "B", "800", "B", "1", "x", "10", "B", "9", "B", "5", "B", "4", "B"]
               for line in lines if line.startswith("chosen"))  # fmt: skip
    assert max(map(len, lines)) <= 80


def test_a_network_on_a_gpu_is_a_table_of_modules(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                                  monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv("COLUMNS", "120")
    file = str(blocks(tmp_path / "net.onnx"))
    facts = planned(capsys, file, "--device", "rtx3060")
    assert [group["executor"] for group in facts["groups"]] == ["cuda"]  # type: ignore[attr-defined]
    assert facts["layers"] == []
    modules: list[dict[str, float]] = facts["modules"]  # type: ignore[assignment]
    assert sum(row["moved"] for row in modules) < sum(row["alone"] for row in modules)
    assert sum(row["weights"] for row in modules) == 4 * (8 * 27 + 2 * (72 + 64) + 2 * 32)
    assert main(["plan", file, "--device", "rtx3060"]) == 0
    said = capsys.readouterr().out
    for words in ("kernel", "blocks", "fewer", "of the multiply-adds", "chain", "1.1  ", "DW: depthwise"):
        assert words in said
    assert max(map(len, said.splitlines())) <= 120


def test_what_is_no_network_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.onnx").write_bytes(b"no model")
    for file in (tmp_path / "a.onnx", tmp_path / "missing.onnx"):
        assert main(["plan", str(file)]) != 0
        said = capsys.readouterr().err
        assert file.name in said
        assert "Traceback" not in said


def test_help_has_examples_that_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    network = blocks(tmp_path_factory.mktemp("net") / "face.onnx")
    with pytest.raises(SystemExit):
        main(["plan", "--help"])
    lines = [line.strip() for line in capsys.readouterr().out.split("examples:\n")[1].splitlines()]
    assert len(lines) >= 5
    for line in lines:
        words = shlex.split(re.split(r"\s{3,}", line)[0])
        assert words.pop(0) == "fusetrack"
        if "my.toml" in words:  # a file of the reader's, and minutes of measuring
            continue
        words = [str(tmp_path / word) if word.endswith(".svg") else word for word in words]
        words = [str(network) if word == network.name else word for word in words]
        assert main(words) == 0, line
    assert list(tmp_path.iterdir()) == [tmp_path / "plan.svg"]
