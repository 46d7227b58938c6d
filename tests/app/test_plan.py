"""`fusetrack plan`: the table, the pins, machine output, pictures, and one sentence for whatever is wrong."""

from __future__ import annotations

import json
import re
import shlex
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
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
                  "markers runs on the host", "Pareto front", "buffers:"):  # fmt: skip
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
    for words in (": images before layers", ": layers, row by row", ": 16x12 px, 8 channels, dense_8_",
                  "define void @run_steps("):  # fmt: skip
        assert words in said


def test_rewritings_are_said_with_their_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    facts = planned(capsys, "objects", "--size", "64x48")
    assert facts["rewritings"] == []
    facts = planned(capsys, "objects", "--size", "64x48", "--fast")
    assert facts["rewritings"]
    assert all(r["bound"] > 0 for r in facts["rewritings"])  # type: ignore[attr-defined]
    assert main(["plan", "objects", "--size", "64x48", "--fast"]) == 0
    assert "rewritten: " in capsys.readouterr().out


def test_help_has_examples_that_work(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
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
        assert main(words) == 0, line
    assert list(tmp_path.iterdir()) == [tmp_path / "plan.svg"]
