"""`fusetrack stages`, `fusetrack trackers`, `fusetrack pipelines`: what there is, with parameters and ranges."""

from __future__ import annotations

import argparse
import inspect
import json
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.commands.arguments import add_plugins, load_plugins
from kernels.errors import DefinitionError
from kernels.ir import reach
from kernels.ir.image import U8, ImageType
from kernels.param import Param
from kernels.stage import Stage, find_stage, registry
from pipelines.definition import library, load
from pipelines.graph import Node, find_tracker
from pipelines.trackers.base import registry as trackers


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
    return _list(rows, ("stage", "kind", "what it does", "parameters"), options.json)


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
    return _list(rows, ("tracker", "takes", "what it does", "parameters"), options.json)


def _pipelines(options: argparse.Namespace) -> int:
    load_plugins(options)
    if options.name:
        return _explain_pipeline(options.name, options.json)
    if options.json:
        print(json.dumps([{"name": name, "summary": load(name).summary} for name in library()], indent=1))
        return 0
    table = Table("pipeline", "stages", "what it does", box=None, header_style="bold")
    for name in library():
        made = load(name)
        chain = " -> ".join([n.id for n in made.nodes] + [f"[bold]{t.id}[/]" for t in made.trackers])
        table.add_row(f"[bold]{name}[/]", chain, escape(made.summary))
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
        print(json.dumps({"name": made.name, "summary": made.summary, "hash": made.digest, "nodes": nodes}, indent=1))
        return 0
    console = Console()
    console.print(f"[bold]{made.name}[/]  {escape(made.summary)}   [dim]hash {made.digest}[/]\n")
    for node in made.members:
        use = node.stage if isinstance(node, Node) else node.tracker
        declared = find_stage(use).params if isinstance(node, Node) else find_tracker(use).params
        takes = ", ".join(str(r) for r in node.inputs.values())
        console.print(f"[bold]{node.id}[/] = {use}({takes})")
        if declared:
            values = {p.name: node.params.get(p.name, p.default) for p in declared}
            console.print(_parameters(declared, values, node.id))
    return 0


def _list(rows: Sequence[tuple[str, str, str, Sequence[Param]]], head: Sequence[str], as_json: bool) -> int:
    if as_json:
        facts = [{"name": n, "kind": k, "summary": s, "params": [_facts(p) for p in ps]} for n, k, s, ps in rows]
        print(json.dumps(facts, indent=1))
        return 0
    table = Table(box=None, header_style="bold")
    for column, ratio in zip(head, (None, None, 3, 2), strict=True):
        table.add_column(column, ratio=ratio, no_wrap=ratio is None)
    for name, kind, summary, params in rows:
        table.add_row(f"[bold]{name}[/]", kind, escape(summary), ", ".join(p.name for p in params))
    Console().print(table)
    print(f"\n`fusetrack {head[0]}s NAME` explains one: formula, parameters with ranges, an example.")
    return 0


def _explain(name: str, doc: str, lines: Sequence[str], params: Sequence[Param], as_json: bool) -> int:
    if as_json:
        print(json.dumps({"name": name, "doc": inspect.cleandoc(doc), "params": [_facts(p) for p in params]}, indent=1))
        return 0
    console = Console(highlight=False)
    console.print(f"[bold]{name}[/]\n")
    console.print(escape(inspect.cleandoc(doc)))
    for line in ("", *lines):
        console.print(escape(line))
    if params:
        console.print()
        console.print(_parameters(params, {p.name: p.default for p in params}))
    return 0


def _parameters(params: Sequence[Param], values: dict[str, Any], node: str = "") -> Table:
    table = Table("parameter", "value" if node else "default", "unit", "range", "", "meaning", box=None,
                  header_style="dim")  # fmt: skip
    for p in params:
        value = values[p.name]
        shown = str(value).lower() if isinstance(value, bool) else f"{value}"
        table.add_row(f"{node}.{p.name}" if node else p.name, escape(shown), escape(p.unit), p.range_text(),
                      "structural" if p.structural else "live", escape(p.doc))  # fmt: skip
    return table


def _facts(p: Param) -> dict[str, object]:
    limits = {k: v for k, v in (("low", p.low), ("high", p.high)) if abs(v) != float("inf")}
    return {"name": p.name, "kind": p.kind, "default": p.default, "unit": p.unit, "doc": p.doc,
            "structural": p.structural, **limits, **({"choices": p.choices} if p.choices else {})}  # fmt: skip
