"""A measurement with stubs as contenders."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from app.benchmark.networks import measure
from app.benchmark.networks.comparison import difference
from app.benchmark.networks.measure import Arena, How, arena, measure_network
from app.benchmark.networks.plot import fill, panels_of, write_plot
from app.benchmark.networks.results import COLUMNS, NetworkResult, facts, table_text
from app.benchmark.networks.subject import Subject, subject
from app.benchmark.networks.table import show, show_all
from app.files.summary import json_text
from app.plots.figures import sheet
from app.plots.look import LIGHT
from tests.app.benchmark.networks.rig import stub, write_doubling

OURS = (stub("fusetrack", seconds=0.002), stub("frame", seconds=0.004), stub("peak", seconds=0.0001))
PEERS = (stub("quick", seconds=0.001), stub("slow", seconds=0.008), stub("wrong", seconds=0.0005, scale=1.01),
         stub("refuses", fails="open"), stub("falls", dies="turn"),
         stub("missing", "no_such_package_anywhere"))  # fmt: skip


@pytest.fixture
def network(tmp_path: Path) -> Subject:
    return twice(tmp_path)


def twice(folder: Path) -> Subject:
    return subject(write_doubling(folder / "twice.onnx"), "twice", 16)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> NetworkResult:
    """For all who only look at it: it takes eight processes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "OURS", OURS)
        with arena(PEERS) as contenders:
            found, stopped = measure_network(twice(tmp_path_factory.mktemp("network")), How(1), contenders, lambda: 0.0)
    assert not stopped
    return found


def test_the_best_peer_is_one_whose_outputs_agree(result):
    assert [c.name for c in result.contenders] == ["fusetrack", "frame", "quick", "slow", "wrong"]
    assert [c.wrong for c in result.contenders] == [False, False, False, False, True]
    wrong, best = result.of("wrong"), result.best_peer
    assert wrong.difference == pytest.approx(0.01, rel=1e-3)
    assert wrong.ratio.median == pytest.approx(0.25)
    assert best.name == "quick"
    assert result.against(best) == pytest.approx(0.5)
    assert result.judge == "fusetrack"
    assert result.left_out == ("refuses: it does not like networks",
                               "falls: its process ended with code 3: out of ideas")  # fmt: skip


def test_figures_are_those_of_all_turns(result):
    ours, frame = result.of("fusetrack"), result.of("frame")
    assert (ours.wall.median, ours.wall.least, ours.processor) == pytest.approx((0.0025, 0.002, 0.001))
    assert (ours.ratio, ours.difference, frame.ratio, frame.difference) == (None,) * 4
    assert result.macs == 6 * 8 * 3 * 3
    assert result.rate(ours) == pytest.approx(432 / 0.0025)
    assert result.peak == pytest.approx(1000 / 0.00005)  # of the stub's 1000 multiply-adds
    assert result.of_peak(ours) == pytest.approx(432 / 0.001 / result.peak)


def test_several_threads_are_judged_by_the_clock(network, monkeypatch):
    monkeypatch.setattr(measure, "OURS", OURS)
    with arena(PEERS[:1]) as contenders:
        result, _ = measure_network(network, How(2, load=1), contenders, lambda: 0.0)
    ours = result.of("fusetrack")
    assert result.times(ours) == ours.wall.median
    assert result.of_peak(ours) == pytest.approx(432 / 0.0025 / (2 * 1000 / 0.00005))
    assert ours.note == "2 at work"
    assert result.conditions == "2 threads, 1 busy process beside"


def test_without_ours_the_first_peer_is_the_judge(network, monkeypatch):
    monkeypatch.setattr(measure, "OURS", (stub("fusetrack", fails="open"), *OURS[1:]))
    with arena(PEERS[:3]) as contenders:
        result, _ = measure_network(network, How(1), contenders, lambda: 0.0)
    assert [c.name for c in result.contenders] == ["quick", "slow", "wrong"]  # no frame without the network alone
    assert result.judge == "quick"
    assert result.of("wrong").wrong
    assert result.left_out == ("fusetrack: it does not like networks",)
    assert math.isnan(result.against(result.best_peer))
    assert facts([result])[0]["best_peer_ratio"] is None
    assert printed(result)


def test_without_peers_ours_is_measured(network, monkeypatch):
    monkeypatch.setattr(measure, "OURS", OURS)
    with arena(()) as contenders:
        result, _ = measure_network(network, How(1), contenders, lambda: 0.0)
    assert result.best_peer is None
    assert "as fast as" not in printed(result)
    assert facts([result])[0]["best_peer"] is None


def test_ctrl_c_keeps_what_is_there(network, monkeypatch):
    monkeypatch.setattr(measure, "OURS", OURS)
    ticks = []

    def tick() -> None:
        ticks.append(1)
        if len(ticks) == 5:  # three to make ready, two turns
            raise KeyboardInterrupt

    with arena(()) as contenders:
        result, stopped = measure_network(network, How(1), contenders, lambda: 60.0, tick)
    assert stopped
    assert result.of("fusetrack").wall.rounds == 4


def test_processes_are_kept_for_a_number_of_threads(network, monkeypatch):
    contenders = Arena(OURS)
    one = contenders.workers(1)
    assert [a is b for a, b in zip(contenders.workers(1), one, strict=True)] == [True] * 3
    assert contenders.workers(2)[0] is not one[0]
    contenders.close()


def printed(*results: NetworkResult) -> str:
    console = Console(width=160, color_system=None)
    with console.capture() as said:
        for result in results:
            show(console, result)
        show_all(console, results)
    return said.get()


def test_the_table_says_who_and_how_much(result):
    said = printed(result)
    assert "twice  f32, 0.0 MMAC, 1x3x6x8; 1 thread" in said
    assert "fusetrack: 1000 µs, 2 % of the peak of 0.0 GMAC/s a thread, 0.50x as fast as the best peer (quick)" in said
    assert "the outputs of wrong are not those of fusetrack; left out of the ratio" in said
    assert "left out: refuses: it does not like networks" in said
    rows = {line.split()[0]: line.split() for line in said.splitlines() if line and line[0] != " "}
    assert rows["slow"][1:8] == ["7.1", "1", "at", "work", "4000", "10000", "-20+20?"]
    assert rows["slow"][-2:] == ["4.00x", "0e+00"]
    summary = said[said.index("ours and the best peer"):]
    assert summary.splitlines()[2].split() == ["twice", "f32", "0.0", "1", "1000", "2", "%", "-", "2000", "quick",
                                               "500", "0.50x"]  # fmt: skip


def test_what_is_rewritten_is_timed_beside_what_is_exact(network, monkeypatch):
    fast = stub("fast", seconds=0.0002, scale=1.0001)
    monkeypatch.setattr(measure, "OURS", (OURS[0], fast, *OURS[1:]))
    with arena(PEERS[:1]) as contenders:
        result, _ = measure_network(network, How(1), contenders, lambda: 0.0)
    assert [c.name for c in result.contenders] == ["fusetrack", "fast", "frame", "quick"]
    one = result.of("fast")
    assert one.difference == pytest.approx(1e-4, rel=0.01)
    assert (one.ratio, one.wrong, one.own, result.best_peer.name) == (None, False, True, "quick")
    said = printed(result)
    assert "0.50x as fast as the best peer (quick); with --fast 100 µs, 5.00x" in said
    assert any(line.startswith("fusetrack --fast") for line in said.splitlines())
    summary = said[said.index("ours and the best peer"):]
    assert summary.splitlines()[2].split()[7:9] == ["100", "2000"]
    figure = sheet(LIGHT, 4.0)
    fill(figure, panels_of([result]), LIGHT)
    assert "fast" not in [bars.get_label() for bars in figure.axes[0].containers]


def test_files_hold_every_figure(result):
    header, *rows = table_text([result]).splitlines()
    assert header.split(",") == list(COLUMNS)
    assert len(rows) == 5
    first = dict(zip(COLUMNS, rows[0].split(","), strict=True))
    assert (first["contender"], first["kind"], first["ratio"], first["runs"]) == ("fusetrack", "f32", "", "6")
    (written,) = json.loads(json_text(facts([result])))
    assert written["best_peer"] == "quick"
    assert written["best_peer_ratio"] == pytest.approx(0.5)
    assert written["peak_macs_per_s"] == pytest.approx(2e7)
    assert [c["differs"] for c in written["contenders"]] == [False, False, False, False, True]
    assert written["contenders"][0]["wall_median_s"] == pytest.approx(0.0025)


def test_the_picture_has_a_bar_for_each_that_agrees(result, tmp_path):
    write_plot(tmp_path / "networks.svg", [result])
    root = ElementTree.fromstring((tmp_path / "networks.svg").read_text())
    texts = [e.text for e in root.iter() if e.tag.endswith("text")]
    assert {"fusetrack", "quick", "slow", "twice", "1 thread", "% of the f32 peak"} <= set(texts)
    assert not {"wrong", "frame"} & set(texts)
    figure = sheet(LIGHT, 4.0)
    fill(figure, panels_of([result]), LIGHT)
    assert figure.axes[0].lines[0].get_ydata() == [100.0, 100.0]
    for bars in figure.axes[0].containers:
        (bar,) = bars.patches
        assert bar.get_height() == pytest.approx(100 * result.of_peak(result.of(bars.get_label())))
    write_plot(tmp_path / "none.png", [])


def test_outputs_are_compared_by_value_not_by_layout():
    a = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)
    assert difference([a], [a]) == 0
    assert difference([a.transpose(0, 2, 3, 1)], [a]) == 0
    assert difference([a.reshape(1, 24)], [a]) == 0
    assert difference([a + 0.23], [a]) == pytest.approx(0.01, rel=1e-5)
    assert difference([a, a], [a]) == np.inf
    assert difference([a[:, :1]], [a]) == np.inf
    hole = np.where(a == 3, np.nan, a)
    assert difference([hole], [hole]) == 0
    assert difference([hole], [a]) == np.inf
    assert difference([a * 0 + 1], [a * 0]) == np.inf
