"""Proofs in the window: fused against unfused, on the user's own frames, in the real process beside the window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from pyqtgraph.Qt import QtTest

from app.desk.engine import reports
from app.gui import theme
from app.proving.comparing import ALONE, REFERENCE, Compared, Pictures
from app.proving.proof import Proof
from pipelines.writing import dumps
from tests.app.gui.conftest import Desk
from tests.app.gui.test_plan_panel import LEFT, panel, until


def test_one_click_proves_it_on_the_frames_of_the_clip(desk: Desk) -> None:
    desk.open()
    desk.frame(40)
    built = reports.Built(dumps(desk.bench.pipeline), "cpu", ("gray+sound+scale+band+bright", "spots"), (), 0)
    desk.link.reports.append(built)
    desk.bench.tick()
    proof = panel(desk).proof
    desk.window.actions_.made["prove"].trigger()
    assert proof.running
    assert proof.button.text() == "Cancel"
    assert proof.question().first == 40
    until(desk, lambda: not proof.running)
    assert proof.proof is not None
    assert proof.proof.same
    assert "every bit of 16 frames" in proof.words.text().lower()
    assert proof.view.rowCount() == 4
    assert [proof.view.item(k, 2).text() for k in range(4)] == ["0"] * 4
    assert proof.pictures[0].image is not None
    assert proof.button.text() == "Prove it"


def test_a_proof_is_cancelled_at_once(desk: Desk) -> None:
    desk.open()
    proof = panel(desk).proof
    QtTest.QTest.mouseClick(proof.button, LEFT)
    assert proof.running
    QtTest.QTest.mouseClick(proof.button, LEFT)
    assert not proof.running
    assert proof.words.text() == "stopped"
    assert not proof.bar.isVisible()


def test_what_differs_is_red_and_its_picture_is_shown(desk: Desk) -> None:
    desk.open()
    view = panel(desk).proof
    difference = np.zeros((20, 30), np.uint8)
    difference[3, 4] = 255
    same = Compared("scale", "30x20 f32", ALONE, 4, 0, 2400, 0.0, Pictures(7, difference, difference, difference))
    wrong = replace(same, against=REFERENCE, differing=1, largest=0.25)
    table = Compared("spots", "table of 9 columns", REFERENCE, 4, 1, 30, float("inf"))
    view.proof = Proof("", 1.0, ("scale",), 7, 11, 1e-3, 2e-3, 9, (same, wrong, table), "a remark")
    view.refresh()
    ink = [view.view.item(k, 2).foreground().color().name() for k in range(3)]
    assert ink == [theme.current().good, theme.current().bad, theme.current().bad]
    assert [view.view.item(k, 2).text() for k in range(3)] == ["0", "0.25", "missing"]
    assert view.words.text().endswith("inf. A remark.")
    assert "2 of 3" in view.words.text()
    view.view.setCurrentCell(1, 0)
    assert "white is 0.25" in view.pictures[2].words
    assert view.pictures[2].image is not None
    assert view.pictures[2].image.pixelColor(4, 3).lightness() == 255
    view.view.setCurrentCell(2, 0)
    assert view.pictures[0].image is None


def test_a_camera_gives_the_frames_that_come_by(desk: Desk) -> None:
    desk.open(live=True)
    proof = panel(desk).proof
    proof.start()
    assert "0 of 16" in proof.words.text()
    for index in range(16):
        desk.frame(index)
    until(desk, lambda: not proof.running)
    assert proof.proof is not None
    assert proof.proof.same
    assert (proof.proof.first, proof.proof.end) == (0, 16)
