"""How a camera is written: "cam:KIND[:PLACE][?name=value&name=value]"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import unquote

from app.spelling import spelled, suggest
from kernels.errors import DefinitionError, SourceError
from kernels.param import Param, Value

PREFIX = "cam:"
KINDS = ("sim", "pylon", "genicam")
"""Kinds by name; whatever else there is (an index, an address, a device file) is OpenCV's."""
HOW = "write cam:sim, cam:0, cam:rtsp://ADDRESS, cam:pylon[:SERIAL] or cam:genicam:FILE.cti[:ID]"


@dataclass(frozen=True, slots=True)
class Address:
    """Which camera is meant and how it is to be set.

    Args:
        text: as the user wrote it.
        kind: one of KINDS or "opencv".
        place: what is behind the kind: a scene, a serial number, a producer, an index or address; "" for none.
        query: name -> value, as texts.
    """

    text: str
    kind: str
    place: str = ""
    query: Mapping[str, str] = field(default_factory=dict)


def parse_address(text: str) -> Address:
    """Read how a camera is written.

    The parameters follow a "?"; those of an address with "://", which may have a question mark of its own, a "#".

    Raises:
        SourceError: there is no such kind, or a parameter is not of the form name=value, or comes twice.

    >>> address = parse_address("cam:sim?scene=beam&fps=500")
    >>> address.kind, dict(address.query)
    ('sim', {'scene': 'beam', 'fps': '500'})
    >>> parse_address("cam:rtsp://host/live?channel=1#fps=30").place
    'rtsp://host/live?channel=1'
    """
    if not text.startswith(PREFIX):
        raise SourceError(f"{text!r} is no camera; {HOW}")
    rest = text.removeprefix(PREFIX)
    # Addresses of networks may hold a "?" themselves: there "#" begins the parameters.
    place, _, query = rest.partition("#" if "://" in rest.partition("?")[0] else "?")
    kind, _, behind = place.partition(":")
    if kind in KINDS:
        return Address(text, kind, behind, _pieces(query, text))
    if not (place.isdecimal() or "://" in place or place.startswith("/dev/") or Path(place).is_file()):
        near = get_close_matches(kind, KINDS, n=1, cutoff=0.5)
        raise SourceError(f"{text!r}: there is no camera {place!r}; {f'did you mean cam:{near[0]}?' if near else HOW}")
    return Address(text, "opencv", place, _pieces(query, text))


def _pieces(query: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for piece in filter(None, query.split("&")):
        name, equals, value = piece.partition("=")
        if not equals or not name:
            raise SourceError(f"{text!r}: {piece!r} is not of the form name=value")
        if name in found:
            raise SourceError(f"{text!r}: {name} is given twice")
        found[name] = unquote(value)
    return found


class Values(dict[str, Value]):
    """Parameters by name, asked for by the kind that they are declared with."""

    def number(self, name: str) -> float:
        """Of a "float" or "int"."""
        value = self[name]
        assert isinstance(value, int | float)
        return value

    def count(self, name: str) -> int:
        """Of an "int"."""
        return int(self.number(name))

    def text(self, name: str) -> str:
        """Of a "text" or "choice"."""
        return str(self[name])


def typed(params: Sequence[Param], address: Address) -> Values:
    """All `params` by name: what the address says, else the defaults.

    Raises:
        SourceError: an unknown name (with a suggestion) or a value that its Param refuses.
    """
    known = {param.name: param for param in params}
    for name in address.query:
        if name not in known:
            raise SourceError(f"{address.text!r}: this camera has no parameter {name!r}; {suggest(name, known)}")
    try:
        return Values({
            name: param.check(spelled(param, address.query[name], address.text), f"{address.text!r}: {name}")
            if name in address.query
            else param.default
            for name, param in known.items()
        })  # fmt: skip
    except DefinitionError as error:
        raise SourceError(str(error)) from None


def parse_size(text: str, where: str) -> tuple[int, int]:
    """(width, height) in pixels of a text such as "640x480".

    >>> parse_size("640x480", "cam:0")
    (640, 480)
    """
    found = re.fullmatch(r"(\d{1,6})x(\d{1,6})", text.strip().lower())
    if found is None or not (int(found[1]) and int(found[2])):
        raise SourceError(f"{where!r}: a size is written as WIDTHxHEIGHT in pixels, such as 512x512, not {text!r}")
    return int(found[1]), int(found[2])
