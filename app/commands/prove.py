"""`fusetrack prove CLIP`: what runs fused against the stages one by one and the reference, on the clip's own frames."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from app.commands.arguments import (
    add_clip,
    add_device,
    add_exact,
    add_plugins,
    load_plugins,
    parse_frames,
    parse_roi,
    reading_of,
)
from app.controller import DEFAULT_PIPELINE
from app.proving.comparing import GIVEN, REFERENCE, Compared
from app.proving.proof import FRAMES, Proof, ProofAsk, prove
from app.spelling import parse_settings
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.writing import dumps

EXAMPLES = """examples:
  fusetrack prove clip.cine                          blobs, fused as it runs here, against NumPy: every bit
  fusetrack prove clip.cine -p facial-markers --frames 100:116
  fusetrack prove clip.mp4 -p mine.toml --fast       by how much --fast may differ, and by how much it does

exit codes: 0 every bit is the same (with --fast: nothing differs by more than it may); 1 not so; 2 the input is wrong
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = (
        f"Runs up to {FRAMES} frames fused, one stage a program, and by the NumPy reference, and compares all that "
        "leaves the programs. With --fast, each program is compared with the reference of the same inputs, and judged "
        "by the bound that is stated of it; what the differences become further on is said, too."
    )
    command.epilog = EXAMPLES
    add_clip(command)
    command.add_argument("--pipeline", "-p", default=DEFAULT_PIPELINE, metavar="NAME|FILE",
                         help=f"a shipped pipeline or a .toml file; default {DEFAULT_PIPELINE}")  # fmt: skip
    command.add_argument("--set", "-s", action="append", default=[], metavar="NODE.PARAM=VALUE", dest="settings",
                         help="change a parameter")  # fmt: skip
    command.add_argument("--roi", metavar="X,Y,W,H", help="this part of the picture only, in px")
    command.add_argument("--frames", metavar="A:B", help=f"frames to take up to {FRAMES} from; default the first")
    add_device(command, "cpu", "what runs: cpu (compiled, fused), cuda or cuda:1 (a GPU)")
    add_exact(command)
    command.add_argument("--json", action="store_true", help="for machines")
    add_plugins(command)
    command.set_defaults(function=_prove)


def _prove(options: argparse.Namespace) -> int:
    load_plugins(options)
    if options.device not in ("cpu", "auto") and not options.device.startswith("cuda"):
        raise InputError(f"what runs is compared with the reference: --device takes cpu or cuda, not {options.device}")
    pipeline = load(options.pipeline).with_settings(parse_settings(options.settings))
    begin, stop = parse_frames(options.frames) or (0, None)
    first, end = begin or 0, stop if stop is not None else (begin or 0) + FRAMES
    if first < 0 or end <= first:
        raise InputError(f"--frames of a proof takes a:b from 0 on, such as 100:116, not {options.frames}")
    ask = ProofAsk(dumps(pipeline), (), options.device, options.clip, reading_of(options), parse_roi(options.roi),
                   first, end, exact=options.exact, most=min(FRAMES, end - first))  # fmt: skip
    console = Console(highlight=False)
    with console.status("reading frames") as status:
        for found in prove(ask):
            status.update(found.stage)
    if options.json:
        print(json.dumps(_facts(found), indent=1))
    else:
        _show(console, found)
    return 0 if found.allowed else 1


def _show(console: Console, found: Proof) -> None:
    fast = any(c.against == GIVEN for c in found.compared)
    table = Table(box=None, pad_edge=False)
    for name in ("output", "against"):
        table.add_column(name)
    for name in ("differ", "of", "largest", *(["may be"] if fast else [])):
        table.add_column(name, justify="right")
    for c in found.compared:
        last = [] if not fast else ["-" if c.against == REFERENCE else _allowed(c)]
        table.add_row(c.output, c.against, f"{c.differing}", f"{c.total}", f"{c.largest:.2g}", *last)
    console.print(table)
    console.print(f"programs {' | '.join(found.groups)}", soft_wrap=True)
    if found.fused > 0:
        console.print(f"time     {found.fused * 1e6:.0f} us a frame fused, {found.alone * 1e6:.0f} us one stage a "
                      "program")  # fmt: skip
    console.print(f"proof    {found.verdict()}", soft_wrap=True)
    if found.remark:
        console.print(f"note     {found.remark}", soft_wrap=True)


def _allowed(c: Compared) -> str:
    return "no bound" if c.bound == float("inf") else f"{c.bound:.2g}" if c.bound else "0"


def _facts(found: Proof) -> dict[str, Any]:
    facts = asdict(found) | {"verdict": found.verdict(), "same": found.same, "allowed": found.allowed}
    facts["compared"] = [
        {key: value for key, value in asdict(c).items() if key != "pictures"}
        | {"allowed": c.allowed, "bound": None if c.bound == float("inf") else c.bound,
           "largest": None if c.largest == float("inf") else c.largest}
        for c in found.compared
    ]  # fmt: skip
    return facts
