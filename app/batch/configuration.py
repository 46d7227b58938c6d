"""All that decides the results of a batch besides the clips, its hash, and what differs between two of them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.batch.per_clip import is_table, points_of, scale_of
from app.files.summary import json_text
from app.provenance import pipeline_facts
from app.sources.reading import AS_STORED, Reading
from app.version import __version__
from kernels.errors import InputError
from pipelines.definition import library, load
from pipelines.frontend import Roi


@dataclass(frozen=True, slots=True)
class Configuration:
    """How every clip is run; the fields are those of `app.controller.Job`.

    The device is not hashed, because every one gives the same bits, unless `exact` is False. `scale` is one for all
    clips or the path of a table, `points` a path (`app.batch.per_clip`): of these each clip's own are hashed.
    """

    pipeline: str
    settings: Mapping[str, object] = field(default_factory=dict)
    roi: Roi | None = None
    frames: tuple[int | None, int | None] | None = None
    reading: Reading = AS_STORED
    device: str = "auto"
    overlay: bool = True
    exact: bool = True
    plugins: tuple[str, ...] = ()
    columns: str | None = None
    key: bool = False
    scale: str | None = None
    origin: tuple[float, float] | None = None
    y_up: bool = False
    points: str | None = None
    grid: str | None = None

    @staticmethod
    def of(plain: Mapping[str, Any]) -> Configuration:
        """One that was JSON on the way here (`dataclasses.asdict`)."""
        return Configuration(**{**plain, "reading": Reading(**plain.get("reading", {}))})

    def anywhere(self) -> Configuration:
        """The same with absolute paths, for processes that work in another folder."""
        name = self.pipeline
        if name not in library() and os.path.exists(name):
            name = os.path.abspath(name)
        plugins = tuple(os.path.abspath(file) for file in self.plugins)
        return Configuration(name, self.settings, self.roi, self.frames, self.reading, self.device, self.overlay,
                             self.exact, plugins, self.columns, self.key, _anywhere(self.scale), self.origin,
                             self.y_up, None if self.points is None else os.path.abspath(self.points),
                             self.grid)  # fmt: skip

    def facts(self) -> dict[str, Any]:
        """What is hashed, JSON-able: every parameter by "node.param", the wiring, the plug-ins' content, the version.

        Plug-ins must have been loaded.

        Raises:
            InputError: the pipeline does not load, or a setting is wrong.
        """
        pipeline = pipeline_facts(load(self.pipeline).with_settings(self.settings))
        flat: dict[str, Any] = {"pipeline": pipeline["name"], "fusetrack": __version__}
        for node in pipeline["nodes"]:
            flat[node["id"]] = {"use": node["use"], "inputs": node["inputs"]}
            flat |= {f"{node['id']}.{name}": value for name, value in node["params"].items()}
        flat |= {"--roi": self.roi, "--frames": self.frames, "--fps": self.reading.fps, "--fast": not self.exact}
        read = self.reading
        given: dict[str, Any] = {"--bits": read.bits, "--turn": read.turn, "--no-gaps": not read.gaps}
        given |= {"--columns": self.columns, "--key": self.key, "--origin": self.origin, "--y-up": self.y_up,
                  "--grid": self.grid}  # fmt: skip
        flat |= {name: value for name, value in given.items() if value}  # results of older versions have none of them
        for file in self.plugins:
            flat[f"plug-in {Path(file).name}"] = _content(file)
        if not self.exact:
            flat["--device"] = self.device
        plain: dict[str, Any] = json.loads(json_text(flat))
        return plain


    def facts_of(self, facts: Mapping[str, Any], clip: str, name: str) -> dict[str, Any]:
        """`facts` with what this clip alone has.

        Raises:
            InputError: a table has nothing of it, or cannot be read.
        """
        own: dict[str, Any] = {}
        if self.scale is not None:
            own["--scale"] = scale_of(self.scale, clip, name)
        if self.points is not None:
            own["--points"] = [list(point) for point in points_of(self.points, clip, name)]
        return {**facts, **own}


def _anywhere(scale: str | None) -> str | None:
    return os.path.abspath(scale) if scale is not None and is_table(scale) else scale


def digest(facts: Mapping[str, Any]) -> str:
    """The hash over `Configuration.facts`."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """What changed between two configurations, in words.

    >>> differences({"bright.level": 0.1, "--fps": None}, {"bright.level": 0.2, "--fps": 1000.0})
    '--fps none -> 1000.0, bright.level 0.1 -> 0.2'
    >>> differences({"--frames": [None, 50], "--roi": None}, {"--frames": None, "--roi": [1, 2, 3, 4]})
    '--frames :50 -> all, --roi all -> 1,2,3,4'
    """
    changed = []
    for key in sorted({*old, *new}):
        before, after = old.get(key), new.get(key)
        if before != after:
            if isinstance(before or after, dict):
                changed.append(key)
            else:
                changed.append(f"{key} {_word(before, key)} -> {_word(after, key)}")
    more = f" and {len(changed) - 4} more" if len(changed) > 4 else ""
    return ", ".join(changed[:4]) + more


def _word(value: object, key: str) -> str:
    text = "none" if value is None else str(value)
    if key == "--frames" and (value is None or isinstance(value, list)):
        text = "all" if value is None else ":".join("" if end is None else str(end) for end in value)
    elif key == "--roi":
        text = "all" if value is None else ",".join(map(str, value)) if isinstance(value, list) else text
    return text if len(text) <= 40 else f"{text[:37]}..."


def _content(file: str) -> str:
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise InputError(f"the plug-in {file} cannot be read: {error.strerror}") from None
