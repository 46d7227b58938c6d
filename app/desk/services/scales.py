"""Scales and axes of clips: each clip has its own, found again when it is opened again, and offered to pictures of the
same size, which may come from the same camera at the same place."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.observable import Observable
from app.desk.services.units import Units
from app.desk.tracks.calibration import Calibration
from kernels.errors import InputError

MOST = 500
"""Clips that are remembered."""
_NAME = "scales"
FRESH = 1.0
"""Seconds for which it is not looked what other windows have written."""


class Kept(Protocol):
    """Where they are remembered from one start to the next."""

    def text(self, name: str, default: str = "") -> str: ...
    def set_text(self, name: str, value: str) -> None: ...
    def sync(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Scaled:
    """What is known of a clip.

    Args:
        name: of the clip, for people.
        width, height: of its pictures.
        calibration: with its scale, though pixels may be looked at; `pixels` says so.
    """

    name: str
    width: int
    height: int
    calibration: Calibration
    pixels: bool = False

    @property
    def words(self) -> str:
        """What it says."""
        made = self.calibration
        scale = f"a pixel is {made.per_px:.5g} {made.unit}" if made.physical else ""
        axes = "with its origin and axes" if replace(made, per_px=1.0, unit="px") != Calibration() else ""
        return ", ".join(filter(None, (scale, axes)))


class Scales(Observable):
    """See the module.

    Args:
        bench: the state behind the window.
        units: remembers the scale while people look at pixels.
        kept: remembers for longer.

    Attributes:
        offered: what another clip of the same size has, for the one that is open; None for nothing.
            Listeners hear when that has changed.
    """

    def __init__(self, bench: Workbench, units: Units, kept: Kept) -> None:
        super().__init__()
        self._bench, self._units, self._kept = bench, units, kept
        self._known = _read(kept.text(_NAME, "{}"))
        self._key = ""
        self._read_at = float("-inf")
        self._of: object = None
        self._given: dict[str, tuple[Calibration, bool]] = {}
        self.offered: Scaled | None = None
        bench.on(Topic.OPENED, self._opened)
        bench.on(Topic.VIEW, self._look)

    @property
    def whole(self) -> Calibration:
        """What is set, with the scale that there is though pixels may be looked at."""
        return self._units.whole

    def give(self, what: str, calibration: Calibration, pixels: bool) -> None:
        """A clip has this when it is opened next, whatever it had: a project says so.

        Args:
            what: the clip.
            calibration: with its scale. pixels: whether pixels are looked at all the same.
        """
        self._given[_key(what, live=False)] = calibration, pixels

    def take_back(self) -> None:
        """What was given and does not hold yet is forgotten."""
        self._given.clear()

    def take(self) -> None:
        """The scale and the axes that are offered hold here, too."""
        offered, self.offered = self.offered, None
        if offered is not None:
            self._set(offered)
            self._bench.speak(Level.NOTE, f"as in {offered.name}: {offered.words}")
        self._notify()

    def leave(self) -> None:
        """They do not; nothing is offered any more."""
        self.offered = None
        self._notify()

    def _opened(self) -> None:
        bench, info = self._bench, self._bench.info
        before, self._key, self._of = self._key, "", bench.opened
        self.offered = None
        if info is None or bench.asked is None:
            self._set(None)
            self._notify()
            return
        key = _key(bench.asked.what, bench.live)
        self._kept.sync()
        self._known = _read(self._kept.text(_NAME, "{}"))  # with what other windows have calibrated meanwhile
        found = self._known.get(key)
        size = (info.width, info.height)
        theirs = None
        if key in self._given:
            calibration, pixels = self._given.pop(key)
            theirs, found = found, None
            if calibration != Calibration():
                found = Scaled(info.name, *size, calibration, pixels)
            self._known.pop(key, None)
            if found is not None:
                self._known[key] = found
            self._write()
            before = key  # nothing is to be said of it
        if found is not None and (found.width, found.height) != size:
            bench.speak(Level.NOTE, f"the scale of {found.name} was set for pictures of {found.width} x {found.height} "
                                    "px; lengths are in pixels")  # fmt: skip
            found = None
        self._set(found)
        self._key = key
        if found is not None:
            if key != before:
                bench.speak(Level.NOTE, f"{found.name} as it was calibrated: {found.words}")
        elif key != before:
            # The newest one of this size.
            alike = (one for one in reversed(self._known.values()) if (one.width, one.height) == size)
            self.offered = next(alike, None)
        if theirs is not None and theirs != found and (theirs.width, theirs.height) == size:
            self.offered = theirs
        self._notify()

    def _set(self, found: Scaled | None) -> None:
        made = found.calibration if found is not None else Calibration()
        self._units.begin(made)
        if found is not None and found.pixels:
            made = replace(made, per_px=1.0, unit="px")
        if made != self._bench.calibration:
            self._bench.tracks.set_calibration(made)

    def _look(self) -> None:
        """Remember what the user sets."""
        info, key = self._bench.info, self._key
        if info is None or not key or self._bench.opened is not self._of:  # of the clip before, which is gone
            return
        now, whole = self._bench.calibration, self._units.whole
        known = self._known.get(key)
        made = None if whole == Calibration() else Scaled(info.name, info.width, info.height, whole, now != whole)
        if made == known:
            return
        theirs = self._meet(key, known, made)
        self._known.pop(key, None)
        if made is not None:
            self._known[key] = made  # the newest last
        self._write()
        if theirs is not None:
            self._bench.speak(Level.WARNING, f"another window has calibrated {info.name} meanwhile: {theirs.words}; "
                                             "what was set here holds now")  # fmt: skip
            self.offered = theirs
            self._notify()
        elif made is not None and self.offered is not None:
            self.leave()

    def _meet(self, key: str, known: Scaled | None, made: Scaled | None) -> Scaled | None:
        """Take what other windows have kept meanwhile; what they have for this clip, if that is news."""
        if time.monotonic() > self._read_at + FRESH:  # not for every pixel of an origin that is dragged
            self._kept.sync()
            self._read_at = time.monotonic()
        self._known = _read(self._kept.text(_NAME, "{}"))
        theirs = self._known.get(key)
        return None if theirs in (None, known, made) else theirs

    def _write(self) -> None:
        # The oldest go: the newest was put in last.
        while len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        self._kept.set_text(_NAME, json.dumps({key: _plain(one) for key, one in self._known.items()}))


def _key(what: str, live: bool) -> str:
    if live or what.startswith("cam:"):
        return what.partition("?")[0]  # rate and exposure do not move a camera
    return what if what.startswith("sim:") else str(Path(what).absolute())


def _plain(one: Scaled) -> list[object]:
    made = one.calibration
    return [one.name, one.width, one.height, made.per_px, made.unit, *made.origin, made.angle, made.y_up, one.pixels]


def _read(text: str) -> dict[str, Scaled]:
    """What was kept; what somebody spoiled is left out."""
    found: dict[str, Scaled] = {}
    try:
        listed = json.loads(text).items()
    except (ValueError, AttributeError):
        return found
    for key, value in listed:
        try:
            name, width, height, per_px, unit, x, y, angle, up, pixels = value
            numbers = [float(per_px), float(x), float(y), float(angle)]
            if not all(map(math.isfinite, numbers)):
                continue
            made = Calibration(numbers[0], str(unit), (numbers[1], numbers[2]), numbers[3], bool(up))
            found[key] = Scaled(str(name), int(width), int(height), made, bool(pixels))
        except (ValueError, TypeError, InputError):
            continue
    return found
