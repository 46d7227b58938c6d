"""`fusetrack bench` prints, writes and draws what it measured."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from app.benchmark import measure
from app.benchmark.chains import CHAINS
from app.benchmark.clips import frames
from app.benchmark.load import busy
from app.benchmark.ours import comparable, own, same
from app.benchmark.plot import fill, panels_of
from app.benchmark.results import facts
from app.cli import main
from app.plots.figures import sheet
from app.plots.look import LIGHT
from kernels.ir.table import Table
from kernels.opencv import cv2
from pipelines.graph import Ref
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def without_the_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling them takes longer than a test may."""
    monkeypatch.setattr(measure, "LIBRARIES", ("opencv", "scipy"))


@pytest.mark.parametrize("name", sorted(CHAINS))
def test_fused_and_unfused_are_the_same(name: str) -> None:
    chain = CHAINS[name]
    clip = frames(chain.channels, 4, 72, 100)
    fused = own(chain.pipeline(72), clip, "reference", 1, fused=True)
    alone = own(chain.pipeline(72), clip, "reference", 1, fused=False)
    assert len(fused.programs) == 1
    assert len(alone.programs) == len(chain.pipeline(72).nodes)
    made, wanted = (comparable(72, runner.run()[chain.ref]) for runner in (alone, fused))
    np.testing.assert_array_equal(made, wanted)


def test_bench_prints_writes_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, plot = tmp_path / "bench.json", tmp_path / "bench.svg"
    arguments = ["bench", "background", "features", "--size", "64", "--seconds", "2", "--threads", "1"]
    arguments += ["--batch", "2"]
    assert main([*arguments, "--json", str(out), "--plot", str(plot), "--back-end", "reference"]) == 0
    said = capsys.readouterr().out
    assert "against opencv" in said
    assert "differ by more" not in said
    assert "x 1000 frames/s" in said
    assert "floors: bytes" in said
    results = json.loads(out.read_text())["results"]
    assert [c["name"] for c in results[0]["contenders"]] == ["fused", "unfused", "opencv", "scipy"]
    first = results[0]["contenders"][0]
    assert first["frames_per_s"] == pytest.approx(2 / first["timing"]["median"])
    assert first["of_1000_fps"] == pytest.approx(first["frames_per_s"] / 1000)
    assert results[0]["bytes_per_px"] == {"image": 2.0, "state": 16.0}
    assert results[0]["floor_ns_per_px"]["bytes"] > 0
    texts = [e.text for e in ElementTree.fromstring(plot.read_text()).iter() if e.tag.endswith("text")]
    assert {"fused", "unfused", "times as fast as opencv", "background", "64"} <= set(texts)


def test_the_rest_of_a_chain_is_priced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "bench.json"
    assert main(["bench", "features", "--size", "64", "--seconds", "2", "--threads", "1", "--batch", "1",
                 "--back-end", "reference", "--json", str(out)]) == 0  # fmt: skip
    assert "fused: moments of 16 regions cost" in capsys.readouterr().out
    assert set(json.loads(out.read_text())["results"][0]["rest"]) == {"fused", "opencv"}


def test_a_pipeline_of_the_users(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('taps = ["bright"]\n[stages.smooth]\nuse = "binomial"\n[stages.bright]\nuse = "threshold"\n')
    plot = tmp_path / "mine.png"
    assert main(["bench", "--pipeline", str(file), "--set", "bright.level=90", "--size", "32", "--seconds", "2",
                 "--threads", "1", "--back-end", "reference", "--plot", str(plot)]) == 0  # fmt: skip
    said = capsys.readouterr().out
    assert "against unfused" in said
    assert "reference" in said
    assert np.ptp(cv2.imread(str(plot))) > 100


def test_busy_processes_compute_beside_and_end() -> None:
    with busy(2) as processes:
        assert all(process.poll() is None for process in processes)
    assert all(process.poll() is not None for process in processes)
    how = measure.How(32, 1, 1, "reference", load=1)
    result, _ = measure.measure_chain(CHAINS["unsharp"], how, lambda: 0.01)
    assert result.conditions == "1 frame a call, 1 thread, 1 busy process beside"
    (written,) = facts([result])
    assert written["load"] == 1
    assert {c["name"] for c in written["contenders"] if c["peer"]} == {"opencv", "scipy"}  # not: opencv bytes


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_busy_processes_do_not_outlive_who_started_them() -> None:
    code = "import time; from app.benchmark.load import busy\n"
    code += "with busy(1) as (one,): print(one.pid, flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        busy_one = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + PATIENCE
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < deadline:
            os.kill(busy_one, 0)
            time.sleep(0.01)
        pytest.fail("it goes on")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--load", "-1"], "--load takes 0 to 256"),
        (["--trackers", "--load", "1"], "--load is not for --trackers"),
        (["sead"], "did you mean 'seed'"),
        (["--size", "4"], "--size takes 16 to 8192"),
        (["--seconds", "0"], "--seconds takes a positive number"),
        (["--plot", "x.jpg"], "--plot writes .png, .svg or .pdf"),
        (["--json", "no-such-folder/x.json"], "the folder no-such-folder does not exist"),
        (["--plot", "no-such-folder/x.png"], "the folder no-such-folder does not exist"),
        (["seed", "--pipeline", "blobs"], "either chains"),
        (["seed", "--channels", "3"], "--channels belongs to --pipeline"),
        (["--pipeline", "nothing-of-that-name"], "nothing-of-that-name"),
    ],
)
def test_what_is_wrong_is_said(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *words]) == 2
    assert said in capsys.readouterr().err


def test_outputs_that_are_not_the_same_are_told() -> None:
    rows = np.array([(1.0, 2)], [("x", "f8"), ("n", "i4")])
    other = rows.copy()
    other["n"] = 3
    ref = Ref("t")
    assert same({ref: [Table(rows)]}, {ref: [Table(rows.copy())]}) == 0
    assert same({ref: [Table(rows), Table(rows)]}, {ref: [Table(other), Table(rows)]}) == 0.5
    assert same({ref: np.zeros((2, 3))}, {ref: np.ones((2, 3))}) == 1


def test_the_picture_holds_a_bar_per_contender() -> None:
    result, _ = measure.measure_chain(CHAINS["unsharp"], measure.How(32, 1, 1, "reference"), lambda: 0.01)
    figure = sheet(LIGHT, 4.0)
    fill(figure, panels_of([result]), LIGHT)
    (axes,) = figure.axes
    ratios = {c.name: c.ratio.median for c in result.contenders if c.ratio and c.name != result.baseline}
    ratios = {name: value for name, value in ratios.items() if not result.part or not name.endswith(result.part)}
    bars = {one.get_label(): one.patches for one in axes.containers}
    assert bars.keys() == ratios.keys()
    for name, value in ratios.items():
        (bar,) = bars[name]
        low, high = sorted((bar.get_y(), bar.get_y() + bar.get_height()))
        np.testing.assert_allclose((low, high), sorted((1.0, value)))
    assert axes.get_yscale() == "log"
    assert axes.get_ylabel() == f"times as fast as {result.baseline}"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["32"]
    assert {text.get_text() for text in figure.legends[0].get_texts()} == ratios.keys()
