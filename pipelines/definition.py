"""Pipelines as TOML files: read with exact complaints, written without loss.

    name = "blobs"
    summary = "bright particles on a dark ground"
    taps = ["smooth"]                     # outputs to keep besides what the trackers take

    [stages.gray]                         # the table's name is the node's name
    [stages.smooth]
    use = "gaussian"                      # the stage; left out, it is the node's name
    inputs = "gray"                       # left out, it is the stage before (the clip for the first)
    sigma = 1.2                           # everything else is a parameter of the stage
    [stages.regions]
    use = "components"
    inputs = { mask = "bright", weights = "gray" }

    [trackers.particles]
    use = "blob"
    inputs = { features = "regions" }

    [plan]                                # optional: which stages share a kernel, and which do not
    fuse = ["gray+smooth"]
    cut = ["smooth|regions"]

An input is "node", "node.output" where the node has several outputs, or "source" for the clip.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any

import tomlkit
import tomlkit.items

from kernels.errors import DefinitionError
from kernels.param import Param, Value
from kernels.stage import find_stage
from pipelines.graph import SOURCE, Node, Pipeline, Ref, TrackerNode, find_tracker, ordered

TOP_KEYS = ("name", "summary", "taps", "stages", "trackers", "plan")
_RESERVED = ("use", "inputs")
_JOINED_BY = {"fuse": "+", "cut": "|"}


@dataclass(frozen=True, slots=True)
class Pins:
    """What a file's table [plan] decides beforehand: pairs of stages that share a kernel, and that do not.

    Pins change how a pipeline runs, never its result, so they are no part of `Pipeline`; `dumps` keeps the table of
    the text that it rewrites.
    """

    fuse: tuple[tuple[str, str], ...] = ()
    cut: tuple[tuple[str, str], ...] = ()


def parse_pins(texts: Sequence[str], key: str) -> tuple[tuple[str, str], ...]:
    """The pairs of "a+b+c" (key "fuse") or "a|b" (key "cut").

    Raises:
        DefinitionError: a text names fewer than two stages.

    >>> parse_pins(["a+b+c"], "fuse")
    (('a', 'b'), ('b', 'c'))
    """
    pairs: list[tuple[str, str]] = []
    for text in texts:
        names = [name.strip() for name in text.split(_JOINED_BY[key])]
        if len(names) < 2 or not all(names):
            raise DefinitionError(f"{key} takes stages such as gray{_JOINED_BY[key]}smooth, not {text!r}")
        pairs += pairwise(names)
    return tuple(pairs)


def library() -> dict[str, Path]:
    """The shipped pipelines: name -> file."""
    return {file.stem: file for file in sorted((Path(__file__).parent / "library").glob("*.toml"))}


def load(name_or_path: str | Path) -> Pipeline:
    """A shipped pipeline by name, or a user's by path.

    Raises:
        DefinitionError: neither exists, or the file is wrong (file, line and a suggestion).
    """
    return loads(*_text(name_or_path))


def load_pins(name_or_path: str | Path) -> Pins:
    """The pins of a shipped pipeline by name, or of a user's by path; raises as `load`."""
    text, where = _text(name_or_path)
    return _Reader(text, where).pins(_document(text, where))


def _text(name_or_path: str | Path) -> tuple[str, str]:
    """The text of a definition, and the file's name for complaints."""
    shipped = library()
    if str(name_or_path) in shipped:
        file = shipped[str(name_or_path)]
        return file.read_text("utf-8"), file.name
    file = Path(name_or_path)
    if file.is_dir():
        raise DefinitionError(f"{file} is a folder, not a pipeline file")
    if not file.is_file():
        near = get_close_matches(str(name_or_path), shipped, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"shipped are: {', '.join(shipped)}"
        raise DefinitionError(f"there is no pipeline {str(name_or_path)!r} and no such file; {hint}")
    try:
        text = file.read_text("utf-8")
    except UnicodeDecodeError:
        raise DefinitionError(f"{file} is not a text file in UTF-8") from None
    except OSError as error:
        raise DefinitionError(f"{file} cannot be read: {error.strerror}") from None
    return text, str(file)


def loads(text: str, where: str = "pipeline") -> Pipeline:
    """The pipeline that `text` defines; `where` names the file in complaints.

    Raises:
        DefinitionError: says where (file:line), what, and what was perhaps meant.
    """
    return _Reader(text, where).pipeline(_document(text, where))


def _document(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        reason = re.sub(r" \(at .*\)$", "", str(error))
        raise DefinitionError(f"{where}:{line.group(1) if line else text.count(chr(10)) + 1}: {reason}") from None
    except RecursionError:
        raise DefinitionError(f"{where}: tables are nested too deeply") from None


class _Reader:
    """Reads one document; knows the text, so that it can say on which line something stands."""

    def __init__(self, text: str, where: str) -> None:
        self.lines = text.splitlines()
        self.where = where

    def pipeline(self, document: Mapping[str, Any]) -> Pipeline:
        for key in document:
            if key not in TOP_KEYS:
                near = get_close_matches(key, TOP_KEYS, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]!r}?" if near else f"a pipeline has {', '.join(TOP_KEYS)}"
                raise self.wrong("", key, f"there is no entry {key!r}; {hint}")
        name = self.text("", document, "name", Path(self.where).stem)
        summary = self.text("", document, "summary", "")
        stages, trackers = self.tables(document, "stages"), self.tables(document, "trackers")
        if not stages and not trackers:
            raise DefinitionError(f"{self.where}:1: the pipeline has no stages and no trackers")
        nodes = []
        before = SOURCE
        for node, table in stages.items():
            nodes.append(self.node(node, table, before))
            before = node
        followers = tuple(self.tracker(node, table) for node, table in trackers.items())
        taps = document.get("taps", [])
        if not isinstance(taps, list) or not all(isinstance(t, str) for t in taps):
            raise self.wrong("", "taps", "taps must be a list of texts, such as [\"smooth\", \"mask\"]")
        made = Pipeline(name, summary, tuple(nodes), followers, tuple(Ref.parse(t) for t in taps))
        self.wiring(made)
        self.pins(document)
        return made

    def pins(self, document: Mapping[str, Any]) -> Pins:
        table = document.get("plan", {})
        if not isinstance(table, dict):
            raise self.wrong("", "plan", "plan must be a table: [plan]")
        found = {}
        for key, texts in table.items():
            if key not in _JOINED_BY:
                raise self.wrong("plan", key, f"[plan] has no entry {key!r}; it takes fuse and cut")
            if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
                raise self.wrong("plan", key, f'{key} must be a list of texts, such as ["gray{_JOINED_BY[key]}smooth"]')
            try:
                found[key] = parse_pins(texts, key)
            except DefinitionError as error:
                raise self.wrong("plan", key, str(error)) from None
            stages = document.get("stages", {})
            for name in (name for pair in found[key] for name in pair):
                if name not in stages:
                    near = get_close_matches(name, stages, n=1, cutoff=0.5)
                    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(stages)}"
                    raise self.wrong("plan", key, f"there is no stage {name!r}; {hint}")
        return Pins(**found)

    def node(self, node: str, table: Mapping[str, Any], before: str) -> Node:
        stage = self.known(f"stages.{node}", "use", lambda: find_stage(self.text(f"stages.{node}", table, "use", node)))
        inputs = self.inputs(f"stages.{node}", table, stage.inputs)
        if "inputs" not in table:
            inputs = {stage.inputs[0]: Ref(before)}
        return Node(node, stage.name, inputs, self.params(f"stages.{node}", table, stage.params))

    def tracker(self, node: str, table: Mapping[str, Any]) -> TrackerNode:
        where = f"trackers.{node}"
        kind = self.known(where, "use", lambda: find_tracker(self.text(where, table, "use", node)))
        inputs = self.inputs(where, table, tuple(entry.name for entry in kind.inputs))
        return TrackerNode(node, kind.name, inputs, self.params(where, table, kind.params))

    def known(self, where: str, key: str, find: Any) -> Any:
        try:
            return find()
        except DefinitionError as error:
            raise self.wrong(where, key, str(error)) from None

    def inputs(self, where: str, table: Mapping[str, Any], names: Sequence[str]) -> dict[str, Ref]:
        given = table.get("inputs", {})
        if isinstance(given, str):
            given = [given]
        if isinstance(given, list):
            if len(given) > len(names):
                raise self.wrong(where, "inputs", f"{len(given)} inputs are given; it takes {', '.join(names)}")
            given = dict(zip(names, given, strict=False))
        if not isinstance(given, dict) or not all(isinstance(v, str) and v for v in given.values()):
            raise self.wrong(where, "inputs", "inputs must be a node's name, a list of names, or { input = \"node\" }")
        for name in given:
            if name not in names:
                near = get_close_matches(name, names, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(names)}"
                raise self.wrong(where, "inputs", f"there is no input {name!r}; {hint}")
        return {name: Ref.parse(ref) for name, ref in given.items()}

    def params(self, where: str, table: Mapping[str, Any], declared: Sequence[Param]) -> dict[str, Value]:
        by_name = {p.name: p for p in declared}
        values: dict[str, Value] = {}
        for key, value in table.items():
            if key in _RESERVED:
                continue
            if key not in by_name:
                names = [*by_name, *_RESERVED]
                near = get_close_matches(key, names, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]!r}?" if near else f"it has: {', '.join(names)}"
                raise self.wrong(where, key, f"{where} has no parameter {key!r}; {hint}")
            try:
                values[key] = by_name[key].check(value, f"{where}.{key}")
            except DefinitionError as error:
                raise self.wrong(where, key, str(error)) from None
        return values

    def wiring(self, made: Pipeline) -> None:
        """Every reference leads somewhere and nothing goes in a circle."""
        names = [SOURCE, *(n.id for n in made.nodes)]
        tables = {n.id: "stages" if isinstance(n, Node) else "trackers" for n in made.members}
        references = [(f"{tables[n.id]}.{n.id}", "inputs", r) for n in made.members
                      for r in n.inputs.values()]  # fmt: skip
        for where, key, ref in [*references, *(("", "taps", tap) for tap in made.taps)]:
            if ref.node not in names:
                near = get_close_matches(ref.node, names, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names)}"
                raise self.wrong(where, key, f"there is no node {ref.node!r}; {hint}")
        try:
            ordered(made)
        except DefinitionError as error:
            raise DefinitionError(f"{self.where}: {error}") from None

    def tables(self, document: Mapping[str, Any], kind: str) -> Mapping[str, Mapping[str, Any]]:
        tables = document.get(kind, {})
        if not isinstance(tables, dict):
            raise self.wrong("", kind, f"{kind} must be tables, such as [{kind}.smooth]")
        for name, table in tables.items():
            if not isinstance(table, dict):
                raise self.wrong(kind, name, f"{kind}.{name} must be a table: [{kind}.{name}]")
            if not re.fullmatch(r"[A-Za-z][\w-]*", name) or name == SOURCE:
                raise self.wrong(f"{kind}.{name}", "", f"{name!r} cannot be a node's name; use letters, digits, _ and -"
                                 if name != SOURCE else "'source' is the clip itself; choose another name")  # fmt: skip
        return tables

    def text(self, where: str, table: Mapping[str, Any], key: str, default: str) -> str:
        value = table.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(where, key, f"{key} must be a text, not {value!r}")
        return value

    def wrong(self, table: str, key: str, message: str) -> DefinitionError:
        return DefinitionError(f"{self.where}:{self.line(table, key)}: {message}")

    def line(self, table: str, key: str) -> int:
        """The line on which `key` of [table] stands, else the table's header, else 1; counted from 1."""
        header = re.compile(r"\s*\[+\s*([^\]]*?)\s*\]+")
        here, at = "", 1
        for number, text in enumerate(self.lines, 1):
            found = header.match(text) if text.lstrip().startswith("[") else None
            if found:
                here = re.sub(r"[\s\"']", "", found.group(1))
                if here == table or (not table and here.split(".")[0] == key):
                    at = number
            elif here == table and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", text):
                return number
        return at


def dumps(pipeline: Pipeline, original: str = "") -> str:
    """The definition of `pipeline` as TOML; loads(dumps(p)) == p.

    Args:
        original: the text it was read from; comments and layout of what did not change are kept.
    """
    document = tomlkit.parse(original) if original else tomlkit.document()
    _set(document, "name", pipeline.name)
    _set(document, "summary", pipeline.summary)
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
    return tomlkit.dumps(document)


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
    for gone in [key for key in table if key not in _RESERVED and key not in node.params]:
        del table[gone]
    for name, value in node.params.items():
        _set(table, name, _plain(value))


def _plain(value: Value) -> Any:
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


def _set(table: Any, key: str, value: Any) -> None:
    """Assign only what changed, so that an unchanged entry keeps its spelling and its comment."""
    old = table.get(key)
    plain = old.unwrap() if isinstance(old, tomlkit.items.Item) else old
    same_type = isinstance(plain, bool) == isinstance(value, bool)
    if plain is None or plain != value or not same_type:
        table[key] = value
