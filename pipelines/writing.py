"""Pipelines written as TOML without loss: what did not change keeps its spelling, its comments and its place."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import tomlkit
import tomlkit.items

from kernels.param import Value
from kernels.plugins import find_stage
from pipelines.definition import RESERVED
from pipelines.graph import SOURCE, Node, Pipeline, Ref, TrackerNode, find_tracker
from pipelines.pins import JOINED_BY, Pins, parse_pins

LONG = 64
"""Members of a list from which on it is spelt at once."""


def dumps(pipeline: Pipeline, original: str = "") -> str:
    """The definition of `pipeline` as TOML; loads(dumps(p)) == p.

    Args:
        original: the text it was read from; comments and layout of what did not change are kept.
    """
    return _written(pipeline, original) if original else _written_anew(_Whole(pipeline))


class _Whole:
    """A pipeline as a key: equal where all of it is, the order of parameters included; == of pipelines knows none."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline, self._words = pipeline, repr(pipeline)

    def __hash__(self) -> int:
        return hash(self._words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Whole) and other._words == self._words


@lru_cache(maxsize=8)
def _written_anew(whole: _Whole) -> str:
    """Written once for all that ask for it: the plan, the histograms and what is kept for the next start of a window
    want the same one after each change."""
    return _written(whole.pipeline, "")


def _written(pipeline: Pipeline, original: str) -> str:
    document = tomlkit.parse(original) if original else tomlkit.document()
    _set(document, "name", pipeline.name)
    _set(document, "summary", pipeline.summary)
    if pipeline.notes != str(document.get("notes", "")).strip():
        _set(document, "notes", pipeline.notes)
    if pipeline.taps or "taps" in document:
        _set(document, "taps", [str(tap) for tap in pipeline.taps])
    kinds: tuple[tuple[str, Sequence[Node | TrackerNode]], ...] = (
        ("stages", pipeline.nodes), ("trackers", pipeline.trackers),
    )  # fmt: skip
    for kind, nodes in kinds:
        order = [n.id for n in nodes]
        tables = document.get(kind)
        if tables is None or [k for k in tables if k in order] != order:  # new, or in another order: written anew
            tables = tomlkit.table(is_super_table=True)
            if order:
                document[kind] = tables
            elif kind in document:
                del document[kind]
        for gone in [key for key in tables if key not in order]:
            del tables[gone]
        before = SOURCE
        for node in nodes:
            if node.id not in tables:
                tables[node.id] = tomlkit.table()
            _fill(tables[node.id], node, before)
            before = node.id
    _pin(document, pipeline.pins)
    return tomlkit.dumps(document)


def _pin(document: Any, pins: Pins) -> None:
    """The table [plan]; an entry that says the same keeps its spelling."""
    table = document.get("plan")
    if not pins and table is not None:
        del document["plan"]
    if not pins:
        return
    if table is None:
        table = document["plan"] = tomlkit.table()
        table = document["plan"]
    for key, pairs in (("fuse", pins.fuse), ("cut", pins.cut)):
        if key in table and parse_pins(table[key].unwrap(), key) == pairs:
            continue
        if pairs:
            table[key] = [JOINED_BY[key].join(pair) for pair in pairs]
        elif key in table:
            del table[key]


def _fill(table: Any, node: Node | TrackerNode, before: str) -> None:
    use = node.stage if isinstance(node, Node) else node.tracker
    if use != node.id or "use" in table:
        _set(table, "use", use)
    names = [*find_stage(use).inputs] if isinstance(node, Node) else [entry.name for entry in find_tracker(use).inputs]
    implied = isinstance(node, Node) and dict(node.inputs) == {names[0]: Ref(before)}
    written = {name: str(ref) for name, ref in node.inputs.items()}
    if implied and "inputs" not in table:
        pass
    elif list(written) == names[:1]:
        if table.get("inputs") not in (written, list(written.values())):
            _set(table, "inputs", written[names[0]])
    elif not isinstance(table.get("inputs"), list) or dict(zip(names, table["inputs"], strict=False)) != written:
        inline = tomlkit.inline_table()
        inline.update(written)
        _set(table, "inputs", inline)
    for gone in [key for key in table if key not in RESERVED and key not in node.params]:
        del table[gone]
    for name, value in node.params.items():
        _set(table, name, _plain(value))


class _Long(tomlkit.items.Array):
    """A list of numbers, or of lists of them, that is spelt at once: tomlkit takes a time that grows with the square of
    the number of members, seconds for some thousand points. Its members cannot be looked at."""

    def __init__(self, value: Sequence[Any]) -> None:
        super().__init__([], tomlkit.items.Trivia())
        self._spelt = _spelt(value)

    def as_string(self) -> str:
        """As it is in the file."""
        return self._spelt


def _spelt(value: Any) -> str:
    return f"[{', '.join(map(_spelt, value))}]" if isinstance(value, list) else repr(value)


def _plain(value: Value) -> Any:
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


def _set(table: Any, key: str, value: Any) -> None:
    """Assign only what changed, so that an unchanged entry keeps its spelling and its comment."""
    old = table.get(key)
    plain = old.unwrap() if isinstance(old, tomlkit.items.Item) else old
    same_type = isinstance(plain, bool) == isinstance(value, bool)
    if plain is None or plain != value or not same_type:
        long = isinstance(value, list) and len(value) >= LONG and not any(isinstance(one, str) for one in value)
        table[key] = _Long(value) if long else value
