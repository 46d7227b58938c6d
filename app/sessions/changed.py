"""Changes of the pipeline as events: written so that a replay reads exactly the value that was set."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable
from typing import Any

from app.sessions import events
from app.sessions.absence import number_in
from kernels.errors import InputError
from pipelines.definition import loads
from pipelines.streaming.common.changes import AnyChange, Change, Structure

MOST_TEXT = 12_000
"""Characters of a definition or a value that are in an event as they are; longer ones are compressed."""


def change_facts(value: Any) -> dict[str, Any]:
    """The value of a parameter for an event: JSON has no infinity, and an event is not long.

    >>> change_facts(0.5), change_facts(float("-inf"))
    ({'value': 0.5}, {'value': None, 'number': '-inf'})
    """
    if isinstance(value, float) and not abs(value) < float("inf"):
        return {"value": None, "number": repr(value)}
    return {"value": value}


def structure_facts(text: str) -> dict[str, Any]:
    """The definition of a pipeline for an event, compressed if it is long.

    >>> structure_facts("[stages.gray]")
    {'pipeline': '[stages.gray]'}
    """
    if len(text) <= MOST_TEXT:
        return {"pipeline": text}
    return {"pipeline": "", "compressed": base64.b85encode(zlib.compress(text.encode(), 9)).decode()}


def read_changes(happened: Iterable[dict[str, Any]]) -> list[AnyChange]:
    """The changes that a session's events tell of, in the order in which they were made.

    Raises:
        InputError: one of them cannot be read, so that no replay could follow.
    """
    made: list[AnyChange] = []
    for event in happened:
        frame = number_in(event, "frame")
        if event["kind"] == events.PARAMETER:
            value = event.get("value")
            if isinstance(event.get("number"), str):
                value = float(event["number"])
            made.append(Change(frame, str(event.get("node", "")), str(event.get("param", "")), _tuples(value)))
        elif event["kind"] == events.PIPELINE:
            where = f"the pipeline from frame {frame} on"
            made.append(Structure(frame, loads(_definition(event), where, recorded=True)))
    return made


def _definition(event: dict[str, Any]) -> str:
    packed = event.get("compressed")
    if not isinstance(packed, str):
        return str(event.get("pipeline", ""))
    try:
        return zlib.decompress(base64.b85decode(packed)).decode()
    except (ValueError, zlib.error, binascii.Error) as error:
        raise InputError(f"the pipeline that was set at frame {event.get('frame')} is damaged: {error}") from None


def _tuples(value: Any) -> Any:
    """Lists as the tuples that parameters are."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
