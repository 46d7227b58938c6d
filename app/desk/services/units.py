"""Pixels or lengths, to be switched at any time once there is a scale."""

from __future__ import annotations

from dataclasses import replace

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.tracks.calibration import Calibration
from app.exports.scale import round_length
from kernels.errors import InputError


class Units:
    """Remembers the scale while people look at pixels.

    Args:
        bench: the state behind the window.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._scale: tuple[float, str] | None = None
        bench.on(Topic.VIEW, self._look)

    def _look(self) -> None:
        now = self._bench.calibration
        if now.physical:
            self._scale = (now.per_px, now.unit)

    def begin(self, calibration: Calibration) -> None:
        """Another clip, with this scale or none."""
        self._scale = (calibration.per_px, calibration.unit) if calibration.physical else None

    @property
    def whole(self) -> Calibration:
        """What is set, with the scale that there is though pixels may be looked at."""
        now = self._bench.calibration
        if now.physical or self._scale is None:
            return now
        return replace(now, per_px=self._scale[0], unit=self._scale[1])

    @property
    def other(self) -> str:
        """The unit that a switch leads to, "" where there is no scale."""
        if self._bench.calibration.physical:
            return "px"
        return self._scale[1] if self._scale is not None else ""

    def switch(self) -> None:
        """Pixels if lengths are shown, else lengths.

        Raises:
            InputError: there is no scale yet.
        """
        now = self._bench.calibration
        if now.physical:
            self._bench.tracks.set_calibration(replace(now, per_px=1.0, unit="px"))
        elif self._scale is not None:
            self._bench.tracks.set_calibration(replace(now, per_px=self._scale[0], unit=self._scale[1]))
        else:
            raise InputError("there is no scale yet; set one by two points of known distance (K)")


def nice_length(calibration: Calibration, most_px: float) -> tuple[float, str]:
    """The longest of 1, 2, 5, 10 ... units that is at most `most_px` px long: its px, and its words.

    >>> nice_length(Calibration(0.25, "mm"), 100.0)
    (80.0, '20 mm')
    """
    length = round_length(max(most_px, 1e-9) * calibration.per_px)
    return length / calibration.per_px, f"{length:.10g} {calibration.unit}"
