"""Options of a test, given by name, into the record that holds some of them."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

T = TypeVar("T")


def taken(kind: type[T], options: dict[str, Any]) -> T:
    """A record of what `options` has for it, which is taken out there."""
    names = [field.name for field in dataclasses.fields(kind) if field.name in options]  # type: ignore[arg-type]
    return kind(**{name: options.pop(name) for name in names})
