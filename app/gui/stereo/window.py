"""A window about several cameras: a page to calibrate them, and one for places in space of what they followed."""

from __future__ import annotations

from collections.abc import Callable

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.jobs.jobs import Jobs
from app.desk.services.camera_setup import CameraSetup
from app.desk.services.second_clip import Second
from app.gui.settings import Settings
from app.gui.stereo.calibration_page import CalibrationPage
from app.gui.stereo.given import Given
from app.gui.stereo.places_page import PlacesPage
from app.project import SeveralCameras

CALIBRATION, PLACES = 0, 1
SIZE = QtCore.QSize(1240, 760)


class StereoWindow(QtWidgets.QDialog):  # type: ignore[misc]
    """See the module. It does not block the main window, keeps what it has while it is hidden, and ends with that.

    Args:
        parent: the main window.
        bench, second: what is open there.
        setup: what the project that is open keeps of this window.
        jobs: work things out.
        settings: remember the folder.
        say: told what was done.

    Attributes:
        tabs: the pages. calibration, places: these.
    """

    def __init__(
        self, parent: QtWidgets.QWidget, bench: Workbench, second: Second, setup: CameraSetup, jobs: Jobs,
        settings: Settings, say: Callable[[str], object],
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._bench, self._second, self._setup = bench, second, setup
        self._bringing = False
        self.setWindowTitle("Several cameras")
        self.setWindowFlags(QtCore.Qt.WindowType.Window)
        given = Given(bench, second, settings, lambda: self)
        self.calibration, self.places = CalibrationPage(given, jobs, say), PlacesPage(given, jobs, say)
        self.tabs = QtWidgets.QTabWidget()
        self.tabs.addTab(self.calibration, "Calibration")
        self.tabs.addTab(self.places, "Places in space")
        self.tabs.setTabToolTip(0, "How the cameras map space to their pictures: a chessboard, a wand, known places")
        self.tabs.setTabToolTip(1, "x, y, z of what the calibrated cameras followed")
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(4, 6, 4, 4)
        layout.addWidget(self.tabs)
        self.calibration.made.connect(self.places.form.put_rig)
        self.calibration.written.connect(setup.written)
        for changed in (self.calibration.changed, self.places.form.changed):
            changed.connect(self._keep)
        free = parent.screen().availableGeometry().size()
        self.resize(SIZE.boundedTo(free * 0.96))
        bench.on(Topic.OPENED, self._refresh)
        bench.on(Topic.PICTURE, self._pictured)
        second.on(self._refresh)
        setup.brought = self._bring
        if not setup.now.empty:
            self._bring()
        for button in self.findChildren(QtWidgets.QPushButton):
            button.setAutoDefault(False)  # Enter in a field would press one

    def show_page(self, page: int) -> None:
        """Bring a page to the front."""
        self.tabs.setCurrentIndex(page)
        self._refresh()
        self.show()
        self.raise_()
        self.activateWindow()
        self._pictured()

    def _refresh(self) -> None:
        self.calibration.refresh()
        self.places.refresh()

    def _keep(self) -> None:
        """What is chosen and found here is the project's, once that is saved."""
        if not self._bringing:
            self._setup.keep(SeveralCameras(
                self.calibration.form.chosen, self.places.form.chosen_with(self.calibration.file),
                self.calibration.table.without, self.calibration.rig_text))  # fmt: skip

    def _bring(self) -> None:
        """A project has brought what is chosen and found."""
        cameras = self._setup.now
        self._bringing = True
        try:
            self.calibration.bring(cameras.calibration, cameras.left_out, cameras.rig)
            self.places.bring(cameras.places, self.calibration.file if cameras.rig else "")
        finally:
            self._bringing = False
        self._refresh()

    def _pictured(self) -> None:
        if self.isVisible() and self._bench.shown is not None:
            self.places.show_frame(self._bench.shown.frame)

    def showEvent(self, event: QtGui.QShowEvent) -> None:  # noqa: N802
        """What is open may be another one."""
        super().showEvent(event)
        self._refresh()

    def shut(self) -> None:
        """The main window closes."""
        self._bench.off(Topic.OPENED, self._refresh)
        self._bench.off(Topic.PICTURE, self._pictured)
        self.calibration.shut()
        self.places.shut()
        self.close()

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.calibration.themed()
        self.places.themed()
