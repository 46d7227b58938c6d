"""The summary of a run as JSON, and what made it (versions)."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
import os
import platform
import sys
from collections.abc import Mapping, Set
from datetime import UTC, date, datetime
from pathlib import PurePath
from typing import Any

import numpy as np

from app.files.atomic import write_bytes
from app.version import __version__


def write_summary(path: str | os.PathLike[str], mapping: Mapping[str, object]) -> None:
    """Write `mapping` as JSON, atomically, with sorted keys (see `json_text`).

    Raises:
        InputError: the file cannot be written.
        TypeError: a value has no meaning in JSON.
    """
    write_bytes(path, (json_text(mapping) + "\n").encode())


def json_text(value: object, indent: int | None = 2) -> str:
    """`value` as strict JSON: sorted keys, NaN and infinity as null, dates in ISO 8601 (UTC unless they say
    otherwise), NumPy scalars and arrays as numbers and lists, enums by their lower-case names, paths as texts.

    >>> json_text({"b": float("nan"), "a": [np.float32(0.5), 2]}, indent=None)
    '{"a": [0.5, 2], "b": null}'
    """
    return json.dumps(_plain(value), sort_keys=True, indent=indent, allow_nan=False, ensure_ascii=False)


def _plain(value: Any) -> Any:
    match value:
        case enum.Enum():
            return value.name.lower()
        case None | bool():
            return value
        case str():
            # A file's name may hold bytes that are no text; Python keeps them as lone surrogates.
            return value.encode("utf-8", "backslashreplace").decode()
        case int():
            return int(value)
        case float():
            return float(value) if math.isfinite(value) else None
        case np.generic():
            return _plain(value.item())
        case np.ndarray():
            return _plain(value.tolist())
        case datetime():
            return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
        case date() | PurePath():
            return str(value)
        case bytes():
            return value.decode("utf-8", "replace")
        case Mapping():
            return {str(_plain(key)): _plain(member) for key, member in value.items()}
        case Set():
            return sorted((_plain(member) for member in value), key=str)
        case list() | tuple():
            return [_plain(member) for member in value]
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        case _:
            raise TypeError(f"a {type(value).__name__} cannot be written as JSON: {value!r:.80}")


def versions() -> dict[str, object]:
    """What the run was made with: fusetrack, Python, NumPy, OpenCV, the platform and its processors."""
    from kernels.opencv import cv2  # here: what only writes JSON does not wait for it

    return {
        "fusetrack": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "opencv": cv2.__version__,
        "platform": _platform(),
        "processor": _processor(),
        "processors": os.cpu_count(),
    }


def _platform() -> str:
    """The system and its release. Python would start a program (`uname -p`) to name a processor in it, too."""
    if sys.platform == "linux":
        vars(platform.uname())["processor"] = ""
    return platform.platform()


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("model name"):
                    return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.processor() or platform.machine()
