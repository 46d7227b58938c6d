"""Parts of networks that are not understood: in onnxruntime as a host stage, or refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.executors.reference import evaluate
from kernels.ir.image import F32, ImageType
from kernels.ir.rewriting import rewriting_lines
from kernels.networks import onnx_host
from kernels.stages.network import network
from pipelines.definition import loads
from pipelines.frame import FrameBatch
from pipelines.fusing import fuse, largest_groups
from pipelines.graph import Bound, Ref, bind
from pipelines.streaming.engine.engine import Engine
from tests.networks import judge
from tests.onnx_files import model, node

RNG = np.random.default_rng(1)
SOURCE = ImageType(F32, 6, 8, 2)
WEIGHTS = {"w": RNG.standard_normal((3, 2, 3, 3)).astype(np.float32), "two": np.array(2, np.int64)}
NODES = [
    node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]), node("Relu", ["c"], ["map"]),
    node("CumSum", ["map", "two"], ["sums"]), node("ArgMax", ["map"], ["best"], axis=1),
    node("Mul", ["sums", "map"], ["product"]), node("Cast", ["best"], ["number"], to=1),
    node("Add", ["product", "number"], ["mixed"]),
]  # fmt: skip
OUTPUTS = ["map", "sums", "mixed"]


def written(folder: Path, nodes=NODES, outputs=OUTPUTS) -> Path:
    file = folder / "m.onnx"
    file.write_bytes(model(nodes, {"x": ("float32", (1, 2, 6, 8))}, outputs, WEIGHTS))
    return file


def bound_of(file: Path, taps: tuple[str, ...], more: str = "") -> Bound:
    stage = f'[stages.net]\nuse = "network"\nmodel = "{file}"\nnormalize = "none"\n'
    return bind(loads(f'name = "n"\ntaps = {list(taps)}\n{stage}{more}'), SOURCE)


needs = pytest.mark.skipif(not onnx_host.THERE, reason="the extra onnx-host is not installed")


@needs
def test_the_rest_runs_in_onnxruntime(tmp_path):
    file = written(tmp_path)
    taps = ("net.map", "net.sums", "net.mixed")
    bound = bound_of(file, taps)
    hosts = [n for n in bound.nodes if n.body.host is not None]
    assert [n.id for n in hosts] == ["net/host"]
    assert bound.types[Ref("net", "mixed")] == ImageType(F32, 6, 8, 3)
    frames = RNG.standard_normal((2, *SOURCE.shape)).astype(np.float32)
    engine = Engine(bound, executor("cpu"))
    found = engine.step(FrameBatch(np.arange(2), np.arange(2) / 100, frames))
    session = judge(file)
    for k, frame in enumerate(frames):
        wanted = session.run(OUTPUTS, {"x": frame.transpose(2, 0, 1)[np.newaxis]})
        for tap, array in zip(taps, wanted, strict=True):
            made = np.asarray(found[Ref.parse(tap)][k]).transpose(2, 0, 1)
            assert np.allclose(made, array[0], rtol=1e-5, atol=1e-5)
    units = fuse(bound, largest_groups(bound, bound.taps), bound.taps)
    said = " ".join(rewriting_lines([r for u in units for r in u.rewritings]))
    assert "net/host runs in onnxruntime, to its bits" in said
    assert "node the_CumSum_sums (CumSum): its input 0 must be a constant" in said


@needs
def test_one_output_of_the_rest_alone_and_the_rest_of_the_picture(tmp_path):
    file = written(tmp_path, [node("CumSum", ["x", "two"], ["y"])], ["y"])
    bound = bound_of(file, ("net",))
    frames = RNG.standard_normal((1, *SOURCE.shape)).astype(np.float32)
    engine = Engine(bound, executor("cpu"))
    found = engine.step(FrameBatch(np.arange(1), np.arange(1) / 100, frames))
    assert np.allclose(found[Ref("net")][0], np.cumsum(frames[0], 0), atol=1e-5)


@needs
def test_what_onnxruntime_does_not_take_either_is_said(tmp_path):
    file = written(tmp_path, [node("Nonsense", ["x"], ["y"])], ["y"])
    with pytest.raises(DefinitionError, match=r"Nonsense\) is an operator that is not .* does not take it either"):
        bound_of(file, ("net",))
    file = written(tmp_path, [node("NonZero", ["x"], ["y"])], ["y"])
    with pytest.raises(DefinitionError, match="is no image"):
        bound_of(file, ("net",))


@needs
def test_lists_of_no_fixed_length_can_be_left_out(tmp_path):
    """As NonMaxSuppression makes them: a value inside the model takes their place."""
    file = written(tmp_path, [*NODES[:2], node("NonZero", ["map"], ["places"])], ["places"])
    with pytest.raises(DefinitionError, match="'places', which is no image; name other outputs, or values inside"):
        bound_of(file, ("net",))
    assert bound_of(file, ("net",), 'output = "map"').types[Ref("net")] == ImageType(F32, 6, 8, 3)


def test_an_output_that_is_a_constant_can_be_left_out(tmp_path):
    file = written(tmp_path, [*NODES[:2], node("Identity", ["two"], ["anchors"])], ["anchors", "map"])
    with pytest.raises(DefinitionError, match=r"'anchors' is a constant, .*name those to keep in `output`: map$"):
        bound_of(file, ("net",))
    assert bound_of(file, ("net",), 'output = "map"').types[Ref("net")] == ImageType(F32, 6, 8, 3)


@needs
def test_a_stage_alone_has_no_host(tmp_path):
    with pytest.raises(DefinitionError, match="needs a pipeline"):
        evaluate(network, np.zeros(SOURCE.shape, np.float32), model=str(written(tmp_path)))


@needs
def test_the_plan_names_it(tmp_path, capsys):
    text = f'taps = ["net.sums"]\n[stages.net]\nuse = "network"\nmodel = "{written(tmp_path)}"\n'
    (tmp_path / "a.toml").write_text(text)
    assert main(["plan", str(tmp_path / "a.toml"), "--size", "8x6", "--channels", "2", "--dtype", "f32"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "net/host" in said
    assert "(CumSum): its input 0 must be a constant" in said


@needs
def test_it_can_be_refused(tmp_path):
    with pytest.raises(DefinitionError, match=r"CumSum\): its input 0 must be a constant, but is computed for each"):
        bound_of(written(tmp_path), ("net.sums",), "host = false\n")
    bound_of(written(tmp_path), ("net",), 'host = false\noutput = "map"\n')


def test_without_the_extra_the_sentence_names_it(tmp_path, monkeypatch):
    monkeypatch.setattr(onnx_host, "THERE", False)
    with pytest.raises(DefinitionError, match=r"the_CumSum_sums \(CumSum\): .* the extra onnx-host \(pip"):
        bound_of(written(tmp_path), ("net.sums",))
