"""`fusetrack stages`, `fusetrack trackers`, `fusetrack pipelines`: what there is, with parameters and ranges."""

from __future__ import annotations

import argparse
import inspect
import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.commands.arguments import add_plugins, load_plugins
from app.exports.columns import told_columns
from kernels.errors import DefinitionError, FusetrackError
from kernels.ir import reach
from kernels.ir.image import U8, ImageType
from kernels.param import Param
from kernels.plugins import find_stage, registry
from kernels.stage import Stage
from pipelines.definition import library, load, with_files
from pipelines.graph import Node, Pipeline, bind, find_tracker
from pipelines.streaming.engine.measuring import measures_of
from pipelines.trackers.base import registry as trackers

WRAPPED = 90
"""A line of a docstring from this length on was broken by the limit of the source's lines, not by its author."""
TYPICAL = 480, 640
"""Height and width of a picture that says which columns a pipeline has; any other says the same."""
STRUCTURAL = "structural: fixed while a pipeline runs; the others are live and may change between two frames"


def add_stages(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of `fusetrack stages`."""
    _add(command, _stages, "image kernels")


def add_trackers(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of `fusetrack trackers`."""
    _add(command, _trackers, "trackers")


def add_pipelines(command: argparse.ArgumentParser) -> None:
    """Declare the arguments of `fusetrack pipelines`."""
    _add(command, _pipelines, "shipped pipelines")


def _add(command: argparse.ArgumentParser, function: Callable[[argparse.Namespace], int], what: str) -> None:
    command.description = f"Without NAME lists the {what}; with NAME shows what it does and its parameters."
    command.add_argument("name", nargs="?", metavar="NAME", help="explain this one")
    command.add_argument("--json", action="store_true", help="for machines")
    add_plugins(command)
    command.set_defaults(function=function)


def _stages(options: argparse.Namespace) -> int:
    load_plugins(options)
    if options.name:
        found = find_stage(options.name)
        return _explain(found.name, found.doc, ("inputs: " + ", ".join(found.inputs),), found.params, options.json)
    rows = [(s.name, stage_kind(s), s.summary, s.params) for s in registry().values()]
    return _list(rows, ("stage", "kind", "what it does"), options.json)


def stage_kind(stage: Stage) -> str:
    """The kind derived from the stage's body for an ordinary picture ("-" where it takes none)."""
    for channels in (1, 3):
        try:
            body = stage.build([ImageType(U8, 64, 64, channels)] * (len(stage.inputs) - len(stage.optional)))
        except DefinitionError:
            continue
        return reach.kind(body)
    return "opaque" if stage.opaque else "-"


def _trackers(options: argparse.Namespace) -> int:
    load_plugins(options)
    if options.name:
        kind = find_tracker(options.name)
        inputs = tuple(f"input {i.name}: {i.kind}{' (optional)' if i.optional else ''}  {i.doc}" for i in kind.inputs)
        return _explain(kind.name, kind.__doc__ or kind.summary, inputs, kind.params, options.json)
    rows = [(t.name, "/".join(i.kind for i in t.inputs), t.summary, t.params) for t in trackers().values()]
    return _list(rows, ("tracker", "takes", "what it does"), options.json)


def _pipelines(options: argparse.Namespace) -> int:
    load_plugins(options)
    if options.name:
        return _explain_pipeline(options.name, options.json)
    if options.json:
        named = [{"name": name, "summary": load(name).summary} for name in (*library(), *with_files())]
        print(json.dumps(named, indent=1))
        return 0
    table = Table("pipeline", "what it does", box=None, header_style="bold")
    for name in (*library(), *with_files()):
        made = load(name)
        chain = " -> ".join(node.id for node in made.members)
        table.add_row(f"[bold]{name}[/]", f"{escape(made.summary)}\n[dim]{chain}[/]")
    Console().print(table)
    print("\n`fusetrack pipelines NAME` shows one whole; `fusetrack run CLIP --pipeline NAME` uses it.")
    return 0


def _explain_pipeline(name: str, as_json: bool) -> int:
    made = load(name)
    if as_json:
        nodes = [
            {"id": n.id, "use": n.stage if isinstance(n, Node) else n.tracker,
             "inputs": {k: str(r) for k, r in n.inputs.items()}, "params": dict(n.params)}
            for n in made.members
        ]  # fmt: skip
        columns = [{"name": name, "unit": unit, "meaning": doc} for name, unit, doc in _columns(made)]
        print(json.dumps({"name": made.name, "summary": made.summary, "notes": made.notes, "nodes": nodes,
                          "columns": columns}
                         | ({} if name in with_files() else {"hash": made.digest}), indent=1))  # fmt: skip
        return 0
    console = Console()
    console.print(f"[bold]{made.name}[/]  {escape(made.summary)}{_hash(made)}\n")
    if made.notes:
        console.print(escape(" ".join(made.notes.split())) + "\n")
    for node in made.members:
        use = node.stage if isinstance(node, Node) else node.tracker
        declared = find_stage(use).params if isinstance(node, Node) else find_tracker(use).params
        takes = ", ".join(str(r) for r in node.inputs.values())
        console.print(f"[bold]{node.id}[/] = {use}({takes})")
        if declared:
            values = {p.name: node.params.get(p.name, p.default) for p in declared}
            console.print(_parameters(declared, values, node.id))
    shown = Table("column", "unit", "what it says of a row (the last ones can be chosen with --columns)", box=None,
                    header_style="bold")  # fmt: skip
    for name, unit, doc in _columns(made):
        shown.add_row(f"[bold]{name}[/]", unit, escape(doc))
    console.print()
    console.print(shown)
    console.print(f"\n[dim]{STRUCTURAL}; `--set node.param=value` changes any of them for one run[/]")
    return 0


def _columns(made: Pipeline) -> list[tuple[str, str, str]]:
    """The columns of a run's table of tracks; of a pipeline whose files are not here those that all have."""
    try:
        return told_columns(measures_of(bind(made, ImageType(U8, *TYPICAL))))
    except FusetrackError:
        return told_columns()


def _hash(made: Pipeline) -> str:
    """As the heading has it; of a pipeline whose files are not here nothing is known."""
    try:
        return f"   [dim]hash {made.digest}[/]"
    except DefinitionError:
        return ""


def _list(rows: Sequence[tuple[str, str, str, Sequence[Param]]], head: Sequence[str], as_json: bool) -> int:
    if as_json:
        facts = [{"name": n, "kind": k, "summary": s, "params": [_facts(p) for p in ps]} for n, k, s, ps in rows]
        print(json.dumps(facts, indent=1))
        return 0
    table = Table(box=None, header_style="bold")
    for column in head:
        table.add_column(column, no_wrap=column != head[-1])
    for name, kind, summary, _ in rows:
        table.add_row(f"[bold]{name}[/]", kind, escape(summary))
    Console().print(table)
    print(f"\n`fusetrack {head[0]}s NAME` explains one: formula, parameters with ranges, an example.")
    return 0


def _explain(name: str, doc: str, lines: Sequence[str], params: Sequence[Param], as_json: bool) -> int:
    if as_json:
        print(json.dumps({"name": name, "doc": inspect.cleandoc(doc), "params": [_facts(p) for p in params]}, indent=1))
        return 0
    console = Console(highlight=False)
    console.print(f"[bold]{name}[/]\n")
    for block in flowed(doc):
        # Lines of an example stay whole: they are there to be copied.
        console.print(escape(block), soft_wrap=">>>" in block)
    for line in ("", *lines):
        console.print(escape(line))
    if params:
        console.print()
        console.print(_parameters(params, {p.name: p.default for p in params}))
        if any(p.structural for p in params):
            console.print(f"\n[dim]{STRUCTURAL}[/]")
    return 0


def flowed(doc: str) -> list[str]:
    """The paragraphs of a docstring, lines that were broken only because the source's are short joined again.

    >>> long = "a" * 99
    >>> flowed(f"{long}\\nb\\nc\\n\\n>>> 1\\n1") == [f"{long} b\\nc", "", ">>> 1\\n1"]
    True
    """
    blocks: list[str] = []
    for paragraph in inspect.cleandoc(doc).split("\n\n"):
        lines = paragraph.splitlines()
        made = lines[:1]
        for before, line in pairwise(lines):
            joins = ">>>" not in paragraph and len(before) >= WRAPPED and before[-1] not in ".;:" and line[0] != " "
            made[-1:] = [f"{made[-1]} {line}"] if joins else [made[-1], line]
        blocks += ["", "\n".join(made)]
    return blocks[1:]


def _parameters(params: Sequence[Param], values: dict[str, Any], node: str = "") -> Table:
    """Parameters in a table that 80 columns hold; what is fixed while a pipeline runs says so."""
    table = Table(box=None, header_style="dim")
    table.add_column("parameter", no_wrap=True)
    table.add_column("value" if node else "default", max_width=14, overflow="fold")
    table.add_column("range", max_width=16, overflow="fold")
    table.add_column("meaning", overflow="fold")
    for p in params:
        value = values[p.name]
        shown = str(value).lower() if isinstance(value, bool) else f"{value}"
        unit = "" if p.unit in ("", "1") else f" {p.unit}"
        fixed = " [dim](structural)[/]" if p.structural else ""
        table.add_row(f"{node}.{p.name}" if node else p.name, escape(shown + unit), escape(p.range_text()),
                      escape(p.doc) + fixed)  # fmt: skip
    return table


def _facts(p: Param) -> dict[str, object]:
    limits = {k: v for k, v in (("low", p.low), ("high", p.high)) if abs(v) != float("inf")}
    return {"name": p.name, "kind": p.kind, "default": p.default, "unit": p.unit, "doc": p.doc,
            "structural": p.structural, **limits, **({"choices": p.choices} if p.choices else {})}  # fmt: skip
