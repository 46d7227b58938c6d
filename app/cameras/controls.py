"""What can be set of a camera: each setting by the name that its address has, with what it is and may be.

A camera says it in `SourceInfo.metadata["controls"]`, so that it is in every session that was recorded of it, too. To
set something is to open the camera by an address that says so (`with_settings`): there is one place where settings are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import quote

from app.cameras.query import parse_address
from kernels.param import Param

SAFE = "/:@,.-"
"""Characters of a value that an address may have as they are."""


@dataclass(frozen=True, slots=True)
class Control:
    """Args:
    name: as the address has it.
    value: as the camera says it is, in the address's words.
    words: what it is.
    unit: of numbers.
    low, high, step: of numbers; None where nobody says.
    choices: of words; empty where it is a number or free text.
    """

    name: str
    value: str
    words: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        return not self.choices and (self.low is not None or self.high is not None)

    def facts(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def controls_of(metadata: Mapping[str, Any]) -> tuple[Control, ...]:
    """Those that a camera's metadata hold; none of what is no camera."""
    found = metadata.get("controls") or ()
    return tuple(Control(**{**one, "choices": tuple(one.get("choices", ()))}) for one in found)


def of_params(params: Iterable[Param], values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Our own parameters as controls."""
    made = []
    for param in params:
        value = values[param.name]
        choices = ("true", "false") if param.kind == "bool" else tuple(param.choices or ())
        words = str(value).lower() if param.kind == "bool" else str(value)
        low, high = (limit if math.isfinite(limit) and param.kind in ("int", "float") else None
                     for limit in (param.low, param.high))  # fmt: skip
        step = 1.0 if param.kind == "int" else None
        made.append(Control(param.name, words, param.doc, param.unit, low, high, step, choices).facts())
    return made


def with_settings(text: str, settings: Mapping[str, str]) -> str:
    """The address of a camera that is set otherwise; what is not named stays.

    >>> with_settings("cam:pylon:123?Gain=2&fps=800", {"ExposureTime": "250.0", "Gain": "3"})
    'cam:pylon:123?Gain=3&fps=800&ExposureTime=250.0'
    >>> with_settings("cam:rtsp://host/live?channel=1", {"gray": "true"})
    'cam:rtsp://host/live?channel=1#gray=true'

    Raises:
        SourceError: the text is no camera.
    """
    query = {**parse_address(text).query, **settings}
    rest = text.removeprefix("cam:")
    mark = "#" if "://" in rest.partition("?")[0] else "?"
    spelled = (f"{name}={quote(value, safe=SAFE)}" for name, value in query.items())
    return text.partition(mark)[0] + mark + "&".join(spelled)
