"""The benchmark compares what it times: every chain's output equals its OpenCV peer's."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from app.benchmark.chains import CHAINS, frames
from app.benchmark.measure import as_bytes, engine
from app.benchmark.peers import PEERS
from app.benchmark.timing import interleaved
from app.cli import main


@pytest.mark.parametrize("name", sorted(CHAINS))
def test_the_peer_computes_the_same(name: str) -> None:
    chain = CHAINS[name]
    clip = frames(chain, 6, 72, 100)
    run, programs = engine(chain, clip, "reference", 1, fused=True)
    assert len(programs) == 1
    alone, several = engine(chain, clip, "reference", 1, fused=False)
    assert len(several) == len(chain.pipeline.nodes)
    ours = as_bytes(run())
    np.testing.assert_array_equal(as_bytes(alone()), ours)
    share = np.mean(PEERS[name]["opencv"](72, 100)(clip) != ours)
    assert share <= chain.tolerance
    assert np.mean(ours != ours.flat[0]) > 0  # there is something to see


def test_contenders_take_turns() -> None:
    calls: list[str] = []
    timings = interleaved({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, seconds=0.0, least=5)
    assert timings["a"].rounds == timings["b"].rounds == 5
    rounds = [set(calls[i : i + 2]) for i in range(0, len(calls), 2)]
    assert rounds == [{"a", "b"}] * 6
    assert timings["a"].low <= timings["a"].median <= timings["a"].high


def test_bench_prints_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "bench.json"
    assert main(["bench", "background", "--size", "32", "--seconds", "0.01", "--threads", "1", "--json", str(out),
                 "--back-end", "reference"]) == 0  # fmt: skip
    said = capsys.readouterr().out
    assert "against opencv" in said
    assert "outputs differ by more" not in said
    contenders = json.loads(out.read_text())["results"][0]["contenders"]
    assert [c["name"] for c in contenders] == ["fused", "unfused", "opencv"]
    assert main(["bench", "sead"]) == 2
    assert "did you mean 'seed'" in capsys.readouterr().err
