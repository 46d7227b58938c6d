"""Parameters of a pipeline as arguments of a function: by "node.param", by node__param, or by a name of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from kernels.errors import ArgumentTypeError
from kernels.plugins import find_stage
from pipelines.graph import Node, Pipeline, find_tracker


def plain(value: Any) -> Any:
    """What NumPy, pathlib and pandas hold, as a parameter takes it: numbers, texts, lists.

    >>> plain([np.array([1.5, 2.0]), (np.int64(3), 4)])
    [[1.5, 2.0], [3, 4]]
    """
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


def names_of(pipeline: Pipeline) -> dict[str, list[str]]:
    """The nodes that have a parameter of a name, by the name."""
    found: dict[str, list[str]] = {}
    for node in pipeline.members:
        kind = find_stage(node.stage) if isinstance(node, Node) else find_tracker(node.tracker)
        for param in kind.params:
            found.setdefault(param.name, []).append(node.id)
    return found


def with_parameters(
    pipeline: Pipeline, settings: Mapping[str, object] | None, parameters: Mapping[str, object], function: str,
    options: Iterable[str] = (),
) -> Pipeline:  # fmt: skip
    """The pipeline with the settings that a caller gives.

    Args:
        pipeline: any.
        settings: values by "node.param".
        parameters: values of keyword arguments: `node__param`, or the name of a parameter that one node alone has.
        function: what was called, and its other options, for the sentence of an error.
        options: see there.

    Raises:
        ArgumentTypeError: a keyword that names no parameter, or one of several nodes; says what was perhaps meant.
        DefinitionError: as `Pipeline.with_settings`.
    """
    if settings is not None and not isinstance(settings, Mapping):
        raise ArgumentTypeError("settings is a dictionary such as {'bright.level': 0.05}, not "
                                f"{type(settings).__name__}")  # fmt: skip
    wanted = {str(name): plain(value) for name, value in (settings or {}).items()}
    known = names_of(pipeline) if parameters else {}
    for word, value in parameters.items():
        path = _path(pipeline, word, known, function, list(options))
        if path in wanted:
            raise ArgumentTypeError(f"{function} is given {path} twice, in settings and as {word}")
        wanted[path] = plain(value)
    return pipeline.with_settings(wanted) if wanted else pipeline


def _path(pipeline: Pipeline, word: str, known: Mapping[str, Sequence[str]], function: str, options: list[str]) -> str:
    node, two, name = word.rpartition("__")
    ids = {one.id.replace("-", "_"): one.id for one in pipeline.members}
    if two and node in ids and ids[node] in known.get(name, ()):
        return f"{ids[node]}.{name}"
    nodes = known.get(word, ())
    if len(nodes) == 1:
        return f"{nodes[0]}.{word}"
    if nodes:
        ways = " or ".join(f"{one.replace('-', '_')}__{word}=" for one in nodes)
        raise ArgumentTypeError(f"{word} is a parameter of {' and of '.join(nodes)} in pipeline {pipeline.name!r}; "
                                f"say {ways}")  # fmt: skip
    spelt = [f"{one.replace('-', '_')}__{param}" for param, ids_ in known.items() for one in ids_]
    near = get_close_matches(word, [*options, *known], n=1, cutoff=0.6)
    near = near or get_close_matches(word, spelt, n=1, cutoff=0.8)
    hint = f"did you mean {near[0]}=?" if near else (
        f"`print(fusetrack.Pipeline({pipeline.name!r}).describe())` shows them")
    raise ArgumentTypeError(f"{function} has no option {word!r}, nor has pipeline {pipeline.name!r} such a parameter; "
                            f"{hint}")  # fmt: skip
