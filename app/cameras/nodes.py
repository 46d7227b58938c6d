"""A GenICam camera's parameters by name, whichever library has them in its hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from app.cameras.controls import LIVE, Control
from app.spelling import suggest
from kernels.errors import SourceError

STANDARD = {
    "ExposureTime": ("time of exposure", "us"), "ExposureAuto": ("whether the camera chooses the exposure", ""),
    "Gain": ("gain", "dB"), "GainAuto": ("whether the camera chooses the gain", ""),
    "BlackLevel": ("level of black", ""),
    "AcquisitionFrameRateEnable": ("whether the rate is as set, else the highest", ""),
    "AcquisitionFrameRate": ("rate", "frames/s"),
    "TriggerMode": ("whether a signal begins each frame", ""), "TriggerSource": ("where that signal comes in", ""),
    "TriggerActivation": ("which edge of it counts", ""),
    "Width": ("width of the region on the sensor", "px"), "Height": ("height of the region on the sensor", "px"),
    "OffsetX": ("where the region begins", "px"), "OffsetY": ("where the region begins", "px"),
    "BinningHorizontal": ("pixels side by side that are joined to one", ""),
    "BinningVertical": ("pixels one below the other that are joined to one", ""),
    "PixelFormat": ("bits and colours", ""),
}  # fmt: skip
"""What is set most: names of GenICam's Standard Features Naming Convention, what they are, their units. Others can be
set by name, too."""
_BEFORE = {"ExposureTime": ("ExposureTimeAbs", "us"), "Gain": ("GainRaw", ""), "BlackLevel": ("BlackLevelRaw", ""),
           "AcquisitionFrameRate": ("AcquisitionFrameRateAbs", "frames/s")}  # fmt: skip
"""Names and units of cameras from before it."""
_RATES = ("AcquisitionFrameRateAbs", "AcquisitionFrameRate")
_RESULTING = ("BslResultingAcquisitionFrameRate", "ResultingFrameRateAbs", "ResultingFrameRate", *_RATES)


class Nodes:
    """Parameters as texts.

    Args:
        where: how the user knows the camera.
        find: the node of a name; None or an exception if there is none.
        names: of all nodes.
    """

    def __init__(self, where: str, find: Callable[[str], Any], names: Callable[[], Iterable[str]]) -> None:
        self._where, self._find, self._names = where, find, names

    def text(self, name: str) -> str | None:
        """What a node holds; None if there is none or it cannot be read."""
        try:
            node = self._find(name)
            return None if node is None else str((node.ToString if hasattr(node, "ToString") else node.to_string)())
        except Exception:  # each library, and each producer, has its own
            return None

    def number(self, *names: str) -> float | None:
        """What the first of the nodes that there is holds, as a number."""
        for name in names:
            try:
                return float(self.text(name) or "")
            except ValueError:
                continue
        return None

    def write(self, name: str, value: str) -> None:
        """Set a node.

        Raises:
            SourceError: there is no such node, or it refuses.
        """
        if self.text(name) is None and name not in set(self._names()):
            known = [other for other in self._names() if not other.startswith(("EnumEntry", "_"))]
            raise SourceError(f"{self._where!r}: the camera has no parameter {name!r}; {suggest(name, known)}")
        try:
            node = self._find(name)
            (node.FromString if hasattr(node, "FromString") else node.from_string)(value)
        except Exception as error:
            raise SourceError(f"{self._where!r}: the camera refuses {name}={value}: {reason(error)}") from None

    def configure(self, given: Mapping[str, str], fps: float | None) -> None:
        """Set nodes in the order given, then the rate.

        Raises:
            SourceError: see `write`; or the camera has no rate that can be set.
        """
        if given.keys() & {"Width", "Height"}:  # the region may be at the right, where it could not grow
            for name in ("OffsetX", "OffsetY"):
                if self.text(name) not in (None, "0"):
                    self.write(name, "0")
        late = [name for name in given if name in ("OffsetX", "OffsetY")]  # how far they go depends on the size
        for name in [*(name for name in given if name not in late), *late]:
            self.write(name, given[name])
        if fps is None:
            return
        if self.text("AcquisitionFrameRateEnable") is not None:
            self.write("AcquisitionFrameRateEnable", "1")
        there = [name for name in _RATES if self.text(name) is not None]
        if not there:
            raise SourceError(f"{self._where!r}: this camera's rate cannot be set")
        self.write(there[0], f"{fps:.10g}")

    def adjust(self, values: Mapping[str, str]) -> dict[str, str]:
        """Set nodes while the camera delivers; what they hold then, of choices their names.

        Raises:
            SourceError: see `write`.
        """
        for name, value in values.items():
            self.write(name, value)
        return {name: self.text(name) or value for name, value in values.items()}

    def controls(self) -> list[dict[str, Any]]:
        """Of the `STANDARD` ones those that the camera has (see `app.cameras.controls`)."""
        made = []
        for name, (words, unit) in STANDARD.items():
            if self.text(name) is not None:
                made.append(self._control(name, words, unit).facts())
            elif name in _BEFORE and self.text(_BEFORE[name][0]) is not None:
                made.append(self._control(_BEFORE[name][0], words, _BEFORE[name][1]).facts())
        return made

    def _control(self, name: str, words: str, unit: str) -> Control:
        node = self._find(name)
        choices: tuple[str, ...] = ()
        for ask in ("GetSymbolics", "symbolics"):
            found = getattr(node, ask, None)
            if found is not None:
                choices = tuple(map(str, found() if callable(found) else found))
                break
        low, high, step = (None if choices else _limit(node, *ask)
                           for ask in (("GetMin", "min"), ("GetMax", "max"), ("GetInc", "inc")))  # fmt: skip
        value = str(self.text(name))
        # A node without choices or limits that holds one of these is a switch.
        if not choices and low is None and value.lower() in ("0", "1", "true", "false"):
            choices, value = ("1", "0"), "1" if value.lower() in ("1", "true") else "0"
        return Control(name, value, words, unit, low, high, step, choices, name in LIVE)

    @property
    def rate(self) -> float:
        """Frames a second that the camera says it will deliver; NaN if it does not say."""
        found = self.number(*_RESULTING)
        return found if found else float("nan")


def _limit(node: Any, *names: str) -> float | None:
    """A number that a node has under one of the libraries' names; None where it has none."""
    for name in names:
        found = getattr(node, name, None)
        if found is None:
            continue
        try:
            return float(found() if callable(found) else found)
        except Exception:  # each library, and each producer, has its own
            return None
    return None


def reason(error: BaseException) -> str:
    """What a GenICam exception says, without where in the library it was thrown."""
    text = re.split(r"\s*:?\s*\w+Exception thrown", " ".join(str(error).split()))[0]
    return text.rstrip(".") or type(error).__name__
