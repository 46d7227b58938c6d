"""Cameras that are calibrated together: what the window about them has, for the project that keeps it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.desk.observable import Observable
from app.project import NO_CAMERAS, SeveralCameras


class CameraSetup(Observable):
    """See the module. Listeners hear of each change that a user makes.

    Attributes:
        now: what there is. brought: called when a project has brought it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.now = NO_CAMERAS
        self.brought: Callable[[], object] = lambda: None
        self._of_project = False
        self._written = ""

    def keep(self, cameras: SeveralCameras) -> None:
        """The window has this now; what it does not know of a project's file stays."""
        cameras = replace(cameras, rest=self.now.rest)
        cameras = NO_CAMERAS if cameras.empty else cameras
        if cameras != self.now:
            self.now = cameras
            self._notify()

    def bring(self, cameras: SeveralCameras) -> None:
        """A project that is opened has these. Where it has none, those of another project go, and those of none
        belong to it from now on."""
        if not cameras.empty or self._of_project:
            self.now = cameras
            self.brought()
            self._written = cameras.rig
        self._of_project = not cameras.empty

    @property
    def unwritten(self) -> bool:
        """Whether there is a calibration that is in no file."""
        return self.now.rig not in ("", self._written)

    def loses(self, cameras: SeveralCameras) -> bool:
        """Whether `bring` would take away a calibration that is in no file."""
        return self.unwritten and (not cameras.empty or self._of_project)

    def written(self) -> None:
        """The calibration is in a file of the user's now."""
        self._written = self.now.rig

    def saved(self) -> None:
        """A project has them now."""
        self._of_project = True
        self.written()
