"""A GenICam camera's parameters by name, whichever library has them in its hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from app.spelling import suggest
from kernels.errors import SourceError

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
        for name, value in given.items():
            self.write(name, value)
        if fps is None:
            return
        if self.text("AcquisitionFrameRateEnable") is not None:
            self.write("AcquisitionFrameRateEnable", "1")
        there = [name for name in _RATES if self.text(name) is not None]
        if not there:
            raise SourceError(f"{self._where!r}: this camera's rate cannot be set")
        self.write(there[0], f"{fps:.10g}")

    @property
    def rate(self) -> float:
        """Frames a second that the camera says it will deliver; NaN if it does not say."""
        found = self.number(*_RESULTING)
        return found if found else float("nan")


def reason(error: BaseException) -> str:
    """What a GenICam exception says, without where in the library it was thrown."""
    text = re.split(r"\s*:?\s*\w+Exception thrown", " ".join(str(error).split()))[0]
    return text.rstrip(".") or type(error).__name__
