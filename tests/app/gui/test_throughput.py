"""The throughput panel: what it shows is what the readings hold."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from pyqtgraph.Qt import QtWidgets

from app.desk.engine import reports
from app.gui import theme
from app.gui.seen import is_seen
from app.gui.throughput import ThroughputPanel
from pipelines.frame import TimeBase
from tests.app.desk.readings import clip_readings, live_readings
from tests.app.gui.conftest import Desk
from tests.patience import PATIENCE


def bring(desk: Desk, name: str) -> None:
    """Bring a panel to the front, which Qt animates."""
    desk.window.show_panel(name)
    end = time.monotonic() + PATIENCE
    while not is_seen(desk.window.panels[name]):
        assert time.monotonic() < end
        QtWidgets.QApplication.processEvents()


def shown(desk: Desk, readings: list[reports.Measured], live: bool = True) -> ThroughputPanel:
    desk.open(live)
    if live:
        assert desk.bench.opened is not None
        info = replace(desk.bench.opened.info, time=TimeBase(1000.0, "scene", ""))
        desk.bench.opened = replace(desk.bench.opened, info=info)
    made = desk.window.panels["throughput"]
    assert isinstance(made, ThroughputPanel)
    bring(desk, "throughput")
    desk.link.reports += readings
    desk.bench.tick()
    made.redraw()
    return made


def test_every_hop_has_its_rates_its_latencies_and_its_queue(desk: Desk) -> None:
    made = shown(desk, live_readings(recording=True))
    assert [row[0] for row in made.speeds.rows] == ["captured", "stages", "processed", "recorded", "shown"]
    assert made.speeds.rows[0][1:] == ("1000", "1010")
    by_name = {row[0]: row[1:] for row in made.waits.rows}
    newest = live_readings()[-1].reading.latencies["total"]
    assert by_name["in all"] == tuple(f"{1e3 * s:.1f}" for s in (newest.p50, newest.p99, newest.max))
    assert [bar[0] for bar in made.queues.bars] == ["pipeline", "tracking", "disk"]
    assert made.queues.bars[2] == ("disk", 3, 3, 256)
    assert "250.0 MB/s" in made.disk.text() or "262" in made.disk.text()
    assert made.losses.text() == f'of 10000 frames: <span style="color:{theme.current().good}">0 lost</span>'
    assert sum(share for _, share, _, _ in made.costs.shares) == pytest.approx(1)
    assert [name for name, *_ in made.costs.shares] == ["gray + smooth + dog", "label", "tracking", "writing"]


def test_losses_are_named_by_reason_and_what_limits_stands_first(desk: Desk) -> None:
    made = shown(desk, live_readings(missing=2, behind=70, costs={"gray": 0.0003, "track": 0.0014}))
    colours = theme.current()
    assert made.losses.text() == (
        f'of 10080 frames: <span style="color:{colours.bad}">80 lost (never came from the camera)</span>, '
        f'<span style="color:{colours.warn}">2800 left out (the engine was behind)</span>'
    )
    assert "left out: captured frames that were not processed" in made.losses.toolTip()
    assert theme.current().bad in made.verdict.text()
    assert "tracking takes 1.4 ms a frame" in made.verdict.toolTip()
    assert "(and 1 more)" in made.verdict.text()


def test_the_plots_roll_over_the_last_minute(desk: Desk) -> None:
    made = shown(desk, live_readings(400))
    times, values = made.curves["captured"].getData()
    assert times[-1] == 0
    assert -60 <= times[0] < -59
    assert values[-1] == pytest.approx(1000)
    assert made.curves["latency p99"].getData()[1][-1] == pytest.approx(
        1e3 * live_readings(400)[-1].reading.latencies["total"].p99
    )
    shown(desk, clip_readings())
    assert "latency p99" not in made.curves
    assert not made.plots[1].isVisible()


def test_a_clip_shows_its_own_hops(desk: Desk) -> None:
    made = shown(desk, clip_readings(fps=600), live=False)
    assert [row[0] for row in made.speeds.rows] == ["processed", "shown"]
    assert "the chosen speed sets the pace, real time: 600 frames/s" in made.verdict.text()
    assert made.losses.text() == made.disk.text() == ""
    assert not made.queues.isVisible()


def test_nothing_is_drawn_while_nobody_looks_and_both_themes_work(desk: Desk) -> None:
    made = shown(desk, live_readings())
    before = made.grab().toImage()
    desk.window.set_theme("light")
    desk.window.turns.finish()
    assert made.grab().toImage() != before
    desk.window.set_theme("dark")
    desk.window.turns.finish()
    QtWidgets.QApplication.processEvents()
    bring(desk, "traces")
    assert not is_seen(made)
    rows = list(made.speeds.rows)
    desk.link.reports += live_readings(50, fps=500)
    desk.bench.tick()
    made.redraw()
    assert made.speeds.rows == rows
    bring(desk, "throughput")
    QtWidgets.QApplication.processEvents()
    assert made.speeds.rows != rows


def test_the_lines_of_the_latency_are_named_and_no_number_is_cut_for_them(desk: Desk) -> None:
    made = shown(desk, live_readings(missing=2, behind=70, dropped=5, recording=True))
    title = made.plots[1].titleLabel.text
    assert "half" in title
    assert "99 %" in title
    assert theme.current().warn in title
    scroll = made.findChild(QtWidgets.QScrollArea)
    for width in (1280, 1600, 2000, 2800):
        desk.window.resize(width, 900)
        QtWidgets.QApplication.processEvents()
        made.redraw()
        QtWidgets.QApplication.processEvents()
        room = scroll.viewport().height()
        if scroll.verticalScrollBar().maximum():  # not all has room: rows are there whole or not at all
            assert (room - made.speeds.y()) % made.speeds.line == 0
        if not made.graphics.isHidden():
            assert scroll.viewport().width() >= made._numbers.minimumSizeHint().width()
    assert not made.graphics.isHidden()
    desk.window.resize(1280, 800)
    made.setFixedHeight(170)
    made.redraw()
    QtWidgets.QApplication.processEvents()
    assert scroll.verticalScrollBar().maximum()
    assert (scroll.viewport().height() - made.speeds.y()) % made.speeds.line == 0
