"""A dock whose tip is for its heading alone: what lies in it has tips of its own, or none."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

PANELS = {
    "pipeline": "The stages, which of them run as one program, and what they cost; all about them is edited here",
    "parameters": "The parameters of all stages and trackers; most work while it runs",
    "levels": "The histogram of the picture, and which values are drawn black and white",
    "tracks": "The tracks in a table, to find, rename, merge, split and delete them",
    "traces": "What the selected tracks do over time, and their spectra",
    "plan": "The plan: what runs together and why, what it costs, its code, and a proof that it is exact",
    "throughput": "Rates, latencies, queues, losses, and what limits them",
    "batch": "Many clips through this pipeline",
    "messages": "All that was said; can be copied into a report",
    "events": "Frames that you marked with a name (H): to find, rename and delete them",
    "analysis": "Mean squared displacements with D, and deflection shapes at the peaks, of the tracks that are known",
    "labels": "Key points labelled by hand: their names, the labelled frames, and a network that learns from them",
}
"""What each panel is for, in the order of the keys Ctrl+1 to Ctrl+9, Ctrl+0, and Ctrl+Alt+1 on."""


def key_of(panel: str) -> str:
    """The key that brings a panel to the front."""
    number = list(PANELS).index(panel) + 1
    return f"Ctrl+{'' if number <= 10 else 'Alt+'}{number % 10}"


class Dock(QtWidgets.QDockWidget):  # type: ignore[misc]
    """See the module."""

    def event(self, event: QtCore.QEvent) -> bool:
        """Show the tip over the heading only."""
        inside = self.widget()
        if event.type() == QtCore.QEvent.Type.ToolTip and inside is not None and event.pos().y() >= inside.y():
            event.ignore()
            return True
        return bool(super().event(event))


def name_tabs(window: QtWidgets.QMainWindow) -> None:
    """Give the tabs of docks that lie on one another their tips, too, and no line at their side."""
    direct = QtCore.Qt.FindChildOption.FindDirectChildrenOnly
    tips = {dock.windowTitle(): dock.toolTip() for dock in window.findChildren(Dock, options=direct)}
    for bar in window.findChildren(QtWidgets.QTabBar, options=direct):
        bar.setDrawBase(False)  # Qt sets it again with each tab
        for place in range(bar.count()):
            bar.setTabToolTip(place, tips.get(bar.tabText(place).replace("&", ""), bar.tabText(place)))
