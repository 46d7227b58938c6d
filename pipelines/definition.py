"""Pipelines as TOML files, read with exact complaints (`pipelines.writing` writes them).

    name = "blobs"
    summary = "bright particles on a dark ground"
    notes = "..."                         # optional: what a user must know, in sentences
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

A file that a parameter names, such as the model of a `network`, is looked for beside the definition, then where the
program runs; "shipped:NAME" is a model that comes with the program. An input is "node", "node.output" where the node
has several outputs, or "source" for the clip.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from kernels.errors import DefinitionError
from kernels.param import NONE_RETIRED, Param, Value, renewed, unknown
from kernels.plugins import find_stage
from pipelines.graph import SOURCE, Node, Pipeline, Ref, TrackerNode, find_tracker, ordered
from pipelines.pins import JOINED_BY, Pins, parse_pins

TOP_KEYS = ("name", "summary", "notes", "taps", "stages", "trackers", "plan")
RESERVED = ("use", "inputs")
_CONTROL = re.compile(r"[\0-\x1f\x7f-\x9f\u2028\u2029]")


def library() -> dict[str, Path]:
    """The shipped pipelines that run as they are: name -> file."""
    return _files("library")


def with_files() -> dict[str, Path]:
    """The shipped pipelines that take networks which the user gives: name -> file; their `notes` say which."""
    return _files("library/with_files")


def _files(folder: str) -> dict[str, Path]:
    return {file.stem: file for file in sorted((Path(__file__).parent / folder).glob("*.toml"))}


def load(name_or_path: str | Path) -> Pipeline:
    """A shipped pipeline by name, or a user's by path.

    Raises:
        DefinitionError: neither exists, or the file is wrong (file, line and a suggestion).
    """
    return loads(*_text(name_or_path))


@cache
def summary_of(name: str) -> str:
    """What a shipped pipeline is for: every window says it of all of them, in menus and tips."""
    return load(name).summary


def load_pins(name_or_path: str | Path) -> Pins:
    """The pins of a shipped pipeline by name, or of a user's by path; raises as `load`."""
    return load(name_or_path).pins


def _text(name_or_path: str | Path) -> tuple[str, str]:
    """The text of a definition, and the file's name for complaints."""
    shipped = library() | with_files()
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


def loads(text: str, where: str = "pipeline", *, recorded: bool = False) -> Pipeline:
    """The pipeline that `text` defines; `where` names the file in complaints.

    Args:
        recorded: a session holds it: parameters that trackers had in earlier versions are left out.

    Raises:
        DefinitionError: says where (file:line), what, and what was perhaps meant.
    """
    text = text.removeprefix("\ufeff")  # the mark that editors on Windows put first
    return _Reader(text, where, recorded).pipeline(_document(text, where))


def from_document(document: Mapping[str, Any], where: str = "pipeline") -> Pipeline:
    """The pipeline that a document defines which is no text: what `tomllib.loads` would make of one.

    Args:
        document: the entries `name`, `stages` and so on, tables as dictionaries in their order.
        where: begins each complaint.

    Raises:
        DefinitionError: as `loads`, without a line.
    """
    return _Reader(None, where, recorded=False).pipeline(document)


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
    """Reads one document; knows the text where there is one, so that it can say on which line something is."""

    def __init__(self, text: str | None, where: str, recorded: bool) -> None:
        self.lines = None if text is None else text.splitlines()
        self.where, self.recorded = where, recorded

    def pipeline(self, document: Mapping[str, Any]) -> Pipeline:
        for key in document:
            if key not in TOP_KEYS:
                near = get_close_matches(key, TOP_KEYS, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]!r}?" if near else f"a pipeline has {', '.join(TOP_KEYS)}"
                raise self.wrong("", key, f"there is no entry {key!r}; {hint}")
        name = self.text("", document, "name", Path(self.where).stem)
        if _CONTROL.search(name):
            raise self.wrong("", "name", f"a name is one line without control characters, not {name!r}")
        summary = self.text("", document, "summary", "")
        notes = self.text("", document, "notes", "").strip()
        stages, trackers = self.tables(document, "stages"), self.tables(document, "trackers")
        if not stages and not trackers:
            raise self.wrong("", "", "the pipeline has no stages and no trackers")
        nodes = []
        before = SOURCE
        for node, table in stages.items():
            nodes.append(self.node(node, table, before))
            before = node
        followers = tuple(self.tracker(node, table) for node, table in trackers.items())
        taps = document.get("taps", [])
        if not isinstance(taps, list) or not all(isinstance(t, str) for t in taps):
            raise self.wrong("", "taps", "taps must be a list of texts, such as [\"smooth\", \"mask\"]")
        pins = self.pins(document, nodes)
        made = Pipeline(name, summary, tuple(nodes), followers, tuple(Ref.parse(t) for t in taps), pins, notes)
        self.wiring(made)
        return made

    def pins(self, document: Mapping[str, Any], nodes: Sequence[Node]) -> Pins:
        table = document.get("plan", {})
        if not isinstance(table, dict):
            raise self.wrong("", "plan", "plan must be a table: [plan]")
        made = Pins()
        for key, texts in table.items():
            if key not in JOINED_BY:
                raise self.wrong("plan", key, f"[plan] has no entry {key!r}; it takes fuse and cut")
            if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
                raise self.wrong("plan", key, f'{key} must be a list of texts, such as ["gray{JOINED_BY[key]}smooth"]')
            try:
                made = replace(made, **{key: parse_pins(texts, key)})
                made.check([n.id for n in nodes], [n.id for n in nodes if find_stage(n.stage).expands])
            except DefinitionError as error:
                raise self.wrong("plan", key, str(error)) from None
        return made

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
        return TrackerNode(node, kind.name, inputs, self.params(where, table, kind.params, kind.retired))

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

    def params(
        self, where: str, table: Mapping[str, Any], declared: Sequence[Param],
        retired: Mapping[str, str] = NONE_RETIRED,
    ) -> dict[str, Value]:  # fmt: skip
        by_name = {p.name: p for p in declared}
        values: dict[str, Value] = {}
        for key, value in renewed(declared, table).items():
            if key in RESERVED or (self.recorded and key in retired):
                continue
            if key not in by_name:
                raise self.wrong(where, key, str(unknown(key, [*by_name, *RESERVED], where, retired)))
            try:
                values[key] = self.beside(by_name[key], by_name[key].check(value, f"{where}.{key}"))
            except DefinitionError as error:
                raise self.wrong(where, key, str(error)) from None
        return values

    def beside(self, param: Param, value: Value) -> Value:
        """The name of a file counted from the definition's folder, where there is such a file."""
        if param.content is None or not isinstance(value, str) or not value:
            return value
        try:
            there = Path(self.where).parent / value
            return str(there) if there.is_file() else value
        except (OSError, ValueError):  # no name that a file can have
            return value

    def wiring(self, made: Pipeline) -> None:
        """Every reference leads somewhere and nothing goes in a circle."""
        names = [SOURCE, *(n.id for n in made.nodes)]
        expanding = {n.id for n in made.nodes if find_stage(n.stage).expands}  # whose pieces are known once it is bound
        tables = {n.id: "stages" if isinstance(n, Node) else "trackers" for n in made.members}
        references = [(f"{tables[n.id]}.{n.id}", "inputs", r) for n in made.members
                      for r in n.inputs.values()]  # fmt: skip
        for where, key, ref in [*references, *(("", "taps", tap) for tap in made.taps)]:
            if ref.node not in names and ref.node.partition("/")[0] not in expanding:
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
        if self.lines is None:
            place = f", {table}" if table and not message.startswith(table) else ""
            return DefinitionError(f"{self.where}{place}: {message}")
        return DefinitionError(f"{self.where}:{self.line(self.lines, table, key)}: {message}")

    @staticmethod
    def line(lines: Sequence[str], table: str, key: str) -> int:
        """The line of `key` in [table], else the table's header, else 1; counted from 1."""
        header = re.compile(r"\s*\[+\s*([^\]]*?)\s*\]+")
        here, at = "", 1
        for number, text in enumerate(lines, 1):
            found = header.match(text) if text.lstrip().startswith("[") else None
            if found:
                here = re.sub(r"[\s\"']", "", found.group(1))
                if here == table or (not table and here.split(".")[0] == key):
                    at = number
            elif here == table and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", text):
                return number
        return at
