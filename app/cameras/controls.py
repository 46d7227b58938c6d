"""What can be set of a camera: each setting by the name that its address has, with what it is and may be.

A camera says it in `SourceInfo.metadata["controls"]`, so that it is in every session that was recorded of it, too. To
set something is to open the camera by an address that says so (`with_settings`): there is one place where settings are.
What is `live` can also be set while the camera delivers (`Adjustable`), and its info and address say so then.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol, runtime_checkable
from urllib.parse import quote

from app.cameras.query import parse_address
from kernels.errors import InputError
from kernels.param import Param
from pipelines.frame import SourceInfo

LIVE = frozenset((
    "ExposureTime", "ExposureTimeAbs", "ExposureAuto", "Gain", "GainRaw", "GainAuto", "BlackLevel", "BlackLevelRaw",
    "exposure", "auto_exposure", "gain", "brightness",
))  # fmt: skip
"""What can be set while a camera delivers, as far as it has it: of GenICam's nodes what the standard does not lock, and
ours. Neither the size of pictures nor their rate."""
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
    live: whether it can be set while the camera delivers.
    """

    name: str
    value: str
    words: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[str, ...] = ()
    live: bool = False

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


@runtime_checkable
class Adjustable(Protocol):
    """A camera of which something can be set while it delivers."""

    def adjust(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Set what is `live`, in the order given; at most some tens of milliseconds later frames show it.

        Args:
            values: by name, in the address's words.

        Returns:
            What the camera says that it has now; its `info` has it, too.

        Raises:
            SourceError: it refuses, or is not there; what came before in the order is set.
        """
        ...


def adjust(camera: object, values: Mapping[str, str]) -> Mapping[str, str]:
    """As `Adjustable.adjust`.

    Raises:
        InputError: nothing of this camera, or not this, can be set while it delivers.
        SourceError: it refuses.
    """
    info: SourceInfo = camera.info  # type: ignore[attr-defined]
    live = [one.name for one in controls_of(info.metadata) if one.live]
    for name in values:
        if not isinstance(camera, Adjustable) or name not in live:
            able = f"only {', '.join(live)} can" if live else "nothing can"
            raise InputError(f"{name} of {info.name} cannot be set while it delivers, {able}; open the camera with it")
    return camera.adjust(values) if isinstance(camera, Adjustable) else {}


def adjusted(info: SourceInfo, values: Mapping[str, str]) -> SourceInfo:
    """What a camera says about itself once it is set so."""
    controls = [{**one, "value": values.get(one["name"], one["value"])} for one in info.metadata["controls"]]
    address = with_settings(str(info.identity["address"]), values)
    return replace(info, metadata={**info.metadata, "controls": controls},
                   identity={**info.identity, "address": address})  # fmt: skip


def of_params(params: Iterable[Param], values: Mapping[str, Any], live: bool = True) -> list[dict[str, Any]]:
    """Our own parameters as controls; those of `LIVE` can be set while it delivers, if any can."""
    made = []
    for param in params:
        value = values[param.name]
        choices = ("true", "false") if param.kind == "bool" else tuple(param.choices or ())
        words = str(value).lower() if param.kind == "bool" else str(value)
        low, high = (limit if math.isfinite(limit) and param.kind in ("int", "float") else None
                     for limit in (param.low, param.high))  # fmt: skip
        step = 1.0 if param.kind == "int" else None
        made.append(Control(param.name, words, param.doc, param.unit, low, high, step, choices,
                            live and param.name in LIVE).facts())  # fmt: skip
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
    return _spelled(text, query)


def untuned(text: str) -> str:
    """The address without what can be set while the camera delivers: it names the same camera whatever that is.

    >>> untuned("cam:sim?exposure=0.5&fps=200")
    'cam:sim?fps=200'

    Raises:
        SourceError: the text is no camera.
    """
    query = parse_address(text).query
    kept = {name: value for name, value in query.items() if name not in LIVE}
    return text if len(kept) == len(query) else _spelled(text, kept)


def _spelled(text: str, query: Mapping[str, str]) -> str:
    rest = text.removeprefix("cam:")
    mark = "#" if "://" in rest.partition("?")[0] else "?"
    spelled = (f"{name}={quote(value, safe=SAFE)}" for name, value in query.items())
    return text.partition(mark)[0] + (mark if query else "") + "&".join(spelled)
