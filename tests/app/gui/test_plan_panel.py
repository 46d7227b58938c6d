"""The plan and the generated code, through the real widgets and the real process beside the window."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.engine import reports
from app.desk.plan.planning import HERE, PlanAsk, PlanReport
from app.desk.plan.work import plan
from app.gui import theme
from app.gui.plan.highlight import Highlighter
from app.gui.plan.plan_panel import TABS, PlanPanel
from app.gui.plan.source_view import SourceView
from app.gui.plan.tables import COLUMNS, kept_words
from pipelines.definition import load
from pipelines.planning.explain import duration
from pipelines.streaming.common.meter import MeterReading, Rate
from pipelines.writing import dumps
from tests.app.gui.conftest import Desk
from tests.patience import PATIENCE

LEFT = QtCore.Qt.MouseButton.LeftButton


def panel(desk: Desk) -> PlanPanel:
    made = desk.window.panels["plan"]
    assert isinstance(made, PlanPanel)
    return made


def until(desk: Desk, enough: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not enough():
        assert time.monotonic() < end
        panel(desk).planning.poll()
        QtTest.QTest.qWait(10)


@pytest.fixture(scope="module")
def report() -> PlanReport:
    *_, full = plan(PlanAsk(dumps(load("blobs")), None, None, "h100"))
    return full


def texts(view: QtWidgets.QTableWidget, row: int) -> list[str]:
    return [view.item(row, k).text() for k in range(view.columnCount())]


def test_other_plans_are_plotted_once_their_page_is_turned_to(desk: Desk) -> None:
    made = panel(desk)
    desk.window.show_panel("plan")
    until(desk, lambda: made.planning.report is not None and made.planning.report.complete)
    made.themed()
    assert made._front.made is None, "a panel that opens costs what is seen of it"
    made.show_tab("Trade-offs")
    assert made._front.made is made.front
    assert made.planning.report is not None
    assert len(made.front.dots.points()) == len(made.planning.report.front) > 0


def test_the_plan_comes_by_itself_and_follows_the_device(desk: Desk) -> None:
    desk.open()
    made = panel(desk)
    desk.window.actions_.made["plan"].trigger()
    assert not made.visibleRegion().isEmpty()
    until(desk, lambda: made.planning.report is not None and made.planning.report.complete)
    first = made.planning.report
    assert first is not None
    assert first.device == "this-cpu"
    assert texts(made.groups.view, 0)[0] == "gray + sound + scale + band + bright"
    assert duration(first.seconds) in made.summary.text()
    made.device.setCurrentText("rtx4090")
    until(desk, lambda: made.planning.report is not None and made.planning.report.device == "rtx4090")
    made.show_tab("Source")
    until(desk, lambda: bool(made.source.sources) and "__global__" in made.source.text.toPlainText())
    made.device.setCurrentText(HERE)
    until(desk, lambda: bool(made.source.sources) and "define" in made.source.code)
    assert desk.window.pipeline.graph.hulls
    desk.window.close()
    assert not made.planning.busy or made.planning._due  # its processes are gone


def test_tables_say_what_the_report_says(desk: Desk, report: PlanReport) -> None:
    made = panel(desk)
    made.planning.report = report
    made.refresh()
    assert made.groups.view.rowCount() == len(report.groups)
    for k, row in enumerate(report.groups):
        said = texts(made.groups.view, k)
        assert said[1] == duration(row.seconds)
        assert row.limit in said
        assert f"{row.read:.2f}" in said
    assert made.edges.view.rowCount() == len(report.edges)
    for k, edge in enumerate(report.edges):
        assert texts(made.edges.view, k) == [f"{edge.producer} → {edge.consumer}", edge.decision, edge.why]
    assert len(made.front.dots.points()) == len(report.front)
    assert "The plan" in made.front.words.text()
    made.front.choice[0].setCurrentText("latency [ms]")
    chosen = next(p for p in report.front if p.chosen)
    at = [point.pos().x() for point in made.front.dots.points() if point.data().chosen]
    assert at == [pytest.approx(chosen.latency * 1e3)]
    other = next(point for point in made.front.dots.points() if not point.data().chosen)
    made.front._hovered(made.front.dots, [other])
    assert "Another plan" in made.front.words.text()


def test_measured_times_stand_beside_predicted_ones(desk: Desk, report: PlanReport) -> None:
    desk.open()
    made = panel(desk)
    made.planning.report = report
    name = report.groups[0].name
    begun, done = (MeterReading(rates={"engine": Rate(500, 500, frames)}) for frames in (0, 1000))
    desk.link.reports += [reports.Measured(begun, {name: 0.0}), reports.Measured(done, {name: 0.5})]
    desk.bench.tick()
    made.refresh()
    assert texts(made.groups.view, 0)[2] == "500 µs"
    assert texts(made.groups.view, 1)[2] == "-"
    bars = made.groups.view.item(0, 3).data(QtCore.Qt.ItemDataRole.UserRole)
    assert bars == (report.groups[0].seconds, 0.0005, max(0.0005, *(group.seconds for group in report.groups)))
    shares = [name for name, _ in COLUMNS].index("measured share")
    assert texts(made.groups.view, 0)[shares] == "-", "nothing of the kind runs"
    assert desk.bench.built is not None
    desk.bench.built = replace(desk.bench.built, groups=(name, "other"))
    desk.link.reports += [reports.Measured(begun, {name: 0.0, "other": 0.0, "track": 0.0}),
                          reports.Measured(done, {name: 0.5, "other": 0.125, "track": 7.0})]  # fmt: skip
    desk.bench.tick()
    made.refresh()
    assert [texts(made.groups.view, k)[shares] for k in (0, 1)] == ["80%", "-"]
    made.planning.device = "h100"  # elsewhere, what is measured here says nothing
    made.refresh()
    assert texts(made.groups.view, 0)[2] == "-"
    assert texts(made.groups.view, 0)[shares] == "-"


def test_the_code_has_a_window_of_its_own_that_is_searched_and_copied(desk: Desk) -> None:
    made = panel(desk)
    made.planning.sources = (("a+b", "define one\nadd\nadd"), ("c", "define two\n" + "mul\n" * 40))
    made.show_tab("Source")
    made.refresh()
    made.source.group.setCurrentIndex(1)
    made.source.enlarge.click()
    window, view = made.source_window, made.source_window.view
    assert window.isVisible()
    assert window.isWindow()
    assert view.code.startswith("define two"), "the group that was looked at"
    assert view.enlarge.isHidden()
    assert view.text.viewport().height() > 2 * made.source.text.viewport().height()
    view.find.setText("mul")
    assert view.count.text() == "40 found"
    QtTest.QTest.keyClick(view.find, QtCore.Qt.Key.Key_Return)
    assert view.text.textCursor().blockNumber() == 2
    assert window.isVisible()
    view.copy_button.click()
    assert QtWidgets.QApplication.clipboard().text() == view.code
    made.planning.sources = (("c", "define three"),)  # what is shown follows
    made.refresh()
    assert view.code == "define three"
    made.show_tab("Groups")
    assert made.planning._code_wanted, "the window still looks"
    QtWidgets.QApplication.setActiveWindow(window)
    QtTest.QTest.keyClick(view.text, QtCore.Qt.Key.Key_Escape)
    assert not window.isVisible()
    assert not made.planning._code_wanted
    desk.window.actions_.made["source"].trigger()
    assert window.isVisible()
    window.close()
    made.tabs.tabBarDoubleClicked.emit(list(TABS).index("Source"))
    assert window.isVisible()
    window.close()
    assert not made.planning._code_wanted


def test_trouble_takes_the_place_of_a_plan(desk: Desk, report: PlanReport) -> None:
    made = panel(desk)
    made.planning.report, made.planning.trouble = None, "node 'x' does not fit"
    made.refresh()
    assert "does not fit" in made.summary.text()
    assert made.groups.view.rowCount() == 0
    made.planning.report, made.planning.trouble = report, ""
    made.refresh()
    assert "does not fit" not in made.summary.text()


def test_a_plan_that_nobody_looks_at_is_shown_once_somebody_does(
    desk: Desk, app: QtWidgets.QApplication, report: PlanReport
) -> None:
    made = panel(desk)
    desk.window.show_panel("traces")
    app.processEvents()
    made.planning.report = report
    made.planning._notify()
    assert made.groups.view.rowCount() == 0
    desk.window.show_panel("plan")
    app.processEvents()
    assert made.groups.view.rowCount() == len(report.groups)
    assert made.edges.view.rowCount() == len(report.edges)


CODE = "; an outline\ndefine void @f(ptr %a) {\n  %1 = load float, ptr %a ; a word\n  ret void\n}\n"


def test_code_is_coloured_searched_and_copied(desk: Desk, app: QtWidgets.QApplication) -> None:
    made = panel(desk)
    desk.window.show_panel("plan")
    app.processEvents()
    made.show_tab("Source")
    view = made.source
    assert isinstance(view, SourceView)
    long = "\n".join(f"%{k} = add i32 %a, {k}" for k in range(3000))
    view.show_sources((("gray+sound+scale", CODE), ("spots", "; a host function\n" + long)))
    app.processEvents()
    assert view.group.count() == 2
    layout = view.text.document().findBlockByNumber(1).layout()
    inks = {r.format.foreground().color().name() for r in layout.formats()}
    assert len(inks) >= 3
    view.text.setFocus()
    QtTest.QTest.keyClick(view.text, QtCore.Qt.Key.Key_F, QtCore.Qt.KeyboardModifier.ControlModifier)
    assert view.find.hasFocus()
    QtTest.QTest.keyClicks(view.find, "void")
    assert view.count.text() == "2 found"
    first = view.text.textCursor().position()
    QtTest.QTest.keyClick(view.find, QtCore.Qt.Key.Key_Return)
    assert view.text.textCursor().position() > first
    QtTest.QTest.keyClick(view.find, QtCore.Qt.Key.Key_Return)
    assert view.text.textCursor().position() == first
    view.find.setText("nowhere")
    assert view.count.text() == "not found"
    view.find.clear()
    QtTest.QTest.mouseClick(view.copy_button, LEFT)
    assert QtWidgets.QApplication.clipboard().text() == CODE
    view.group.setCurrentIndex(1)
    view.find.setText("%2999 ")  # of what comes a piece at a time
    assert view.count.text() == "1 found"
    assert view.text.toPlainText() == view.code
    view.show_sources(None)
    assert view.text.toPlainText() == ""


def test_cuda_has_comments_of_its_own() -> None:
    document = QtGui.QTextDocument("// words\nint a = 3; // more")
    colours = Highlighter(document)
    colours.language = "cuda"
    colours.rehighlight()
    second = document.findBlockByNumber(1).layout().formats()
    assert {(r.start, r.length) for r in second} >= {(0, 3), (8, 1), (11, 7)}


def test_every_page_paints_in_both_themes(desk: Desk, report: PlanReport, monkeypatch: pytest.MonkeyPatch) -> None:
    made = panel(desk)
    desk.window.show_panel("plan")
    made.planning.report = report
    for colours in (theme.LIGHT, theme.DARK):
        monkeypatch.setattr(theme, "_current", colours)
        made.themed()
        for name in TABS:
            made.show_tab(name)
            assert made.pages.currentIndex() == list(TABS).index(name)
            assert not made.grab().isNull()


def test_the_groups_fit_and_details_are_words(desk: Desk, report: PlanReport) -> None:
    desk.open()
    made = panel(desk)
    desk.window.actions_.made["plan"].trigger()
    made.planning.report = report
    made.show_tab("Groups")
    made.refresh()
    QtWidgets.QApplication.processEvents()
    view = made.groups.view
    assert not view.horizontalScrollBar().isVisible()
    shown = [name for k, (name, _) in enumerate(COLUMNS) if not view.isColumnHidden(k)]
    assert shown[-1] == "limited by"
    made.groups.details.setChecked(True)
    assert not any(view.isColumnHidden(k) for k in range(view.columnCount()))
    assert "through memory" in made.summary.text()
    for part in ("B/px", "floor", "xyt"):
        assert part not in made.summary.text()


def test_what_becomes_of_a_border_is_said_in_words() -> None:
    assert kept_words("cr-") == "x cached, y computed again"
    assert kept_words("cck") == "x, y cached, time kept"
    assert kept_words("---") == "none needed"


def test_the_code_has_the_room_below_the_tabs(desk: Desk) -> None:
    made = panel(desk)
    desk.window.actions_.made["plan"].trigger()
    made.show_tab("Source")
    QtWidgets.QApplication.processEvents()
    assert made.source.tools.isVisible()
    assert made.source.tools.mapTo(made, QtCore.QPoint()).y() < made.tabs.geometry().bottom()
    assert made.source.text.height() > made.height() - made.tabs.height() - 25
    made.show_tab("Groups")
    assert not made.source.tools.isVisible()
