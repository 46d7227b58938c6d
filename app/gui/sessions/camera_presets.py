"""Settings of cameras that were kept under a name: with the project that is open, else with the window's settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Protocol

from app.gui.settings import Settings
from app.project import Presets, presets_of

KEPT = "camera_presets"
"""Name of the presets among the window's settings."""


class Project(Protocol):
    """What is needed of the project that is open."""

    presets: Presets

    @property
    def name(self) -> str: ...
    def keep_preset(self, name: str, values: Mapping[str, str]) -> None: ...


class CameraPresets:
    """See the module.

    Args:
        settings: of the window.
        project: that is open, if one is; None without projects.
    """

    def __init__(self, settings: Settings, project: Project | None = None) -> None:
        self._settings, self._project = settings, project

    @property
    def _of_window(self) -> Presets:
        try:
            return presets_of(json.loads(self._settings.text(KEPT, "{}")))
        except ValueError:  # somebody edited the file
            return {}

    @property
    def whose(self) -> str:
        """The name of the project that takes the next one; "" for the window's settings."""
        return "" if self._project is None else self._project.name

    def all(self) -> Presets:
        """By name: those of the project before the window's, of which it hides those of the same name."""
        own = self._project.presets if self._project is not None and self._project.name else {}
        return {**own, **{name: values for name, values in self._of_window.items() if name not in own}}

    def keep(self, name: str, values: Mapping[str, str]) -> None:
        """Keep one, in the place of one that had its name."""
        if self._project is not None and self._project.name:
            self._project.keep_preset(name, values)
        else:
            kept = {**self._of_window, name: dict(values)}
            self._settings.set_text(KEPT, json.dumps(kept, ensure_ascii=False))
