"""`fusetrack bench`: fused against unfused against the best that a user could otherwise write."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Sequence
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from app.benchmark.chains import CHAINS
from app.benchmark.measure import Result, measure
from app.benchmark.timing import copy_bandwidth
from app.exports.summary import versions, write_summary
from kernels.errors import InputError
from kernels.executors.base import EXECUTORS

EXAMPLES = """examples:
  fusetrack bench                                  all chains at 512x512, two threads
  fusetrack bench seed harris --size 256 --size 1024 --threads 1
  fusetrack bench seed --batch 1 --seconds 10 --json bench.json

All contenders run in one process, in turns and random order, on the same frames; medians and quartiles are of whole
calls of --batch frames; outputs are compared before the clock runs. A ratio is opencv's time by the fused one's.
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Times chains of kernels, fused and unfused, against OpenCV and SciPy, side by side."
    command.epilog = EXAMPLES
    command.add_argument("chains", nargs="*", metavar="CHAIN", help=f"of {', '.join(CHAINS)}; all without it")
    command.add_argument("--size", type=int, action="append", metavar="N", help="frames of N x N pixels (512)")
    command.add_argument("--batch", type=int, default=8, metavar="B", help="frames a call (8)")
    command.add_argument("--threads", type=int, action="append", metavar="T", help="threads (2)")
    command.add_argument("--seconds", type=float, default=3.0, metavar="S", help="measuring time of each (3 s)")
    command.add_argument("--back-end", choices=EXECUTORS, default=EXECUTORS[-1], help="what runs the chains")
    command.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    command.set_defaults(function=_bench)


def _bench(options: argparse.Namespace) -> int:
    names = options.chains or list(CHAINS)
    for name in names:
        if name not in CHAINS:
            near = get_close_matches(name, CHAINS, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(CHAINS)}"
            raise InputError(f"there is no chain {name!r}; {hint}")
    sizes, threads = options.size or [512], options.threads or [2]
    if min(*sizes, 16) < 16 or min(*threads, options.batch) < 1 or not 0 < options.seconds <= 3600:
        raise InputError("--size takes 16 or more, --threads and --batch 1 or more, --seconds up to 3600")
    bandwidth = copy_bandwidth()
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[dim]{platform.processor() or platform.machine()}, copy {bandwidth / 1e9:.1f} GB/s one thread, "
                  f"back end {options.back_end}[/]\n")  # fmt: skip
    results = []
    for name in names:
        for size in sizes:
            for count in threads:
                result = measure(CHAINS[name], size, batch=options.batch, threads=count, seconds=options.seconds,
                                 back_end=options.back_end)  # fmt: skip
                results.append(result)
                _print(console, result, bandwidth)
    if options.json is not None:
        write_summary(options.json, {"versions": versions(), "copy_bytes_per_s": bandwidth, "results": facts(results)})
    return 0


def floor_bytes(result: Result) -> int:
    """Bytes a pixel that must cross the memory bus whatever is computed: the input and the output.

    State is not in it: it stays in the caches as long as it fits.
    """
    return result.chain.channels + 1


def _print(console: Console, result: Result, bandwidth: float) -> None:
    chain, peer, fused = result.chain, result.of("opencv"), result.of("fused")
    assert peer is not None
    assert fused is not None
    console.print(f"[bold]{chain.name}[/]  {chain.summary}")
    size = f"{result.width} x {result.height} px"
    console.print(f"[dim]{size}, {result.batch} frames a call, {result.threads} threads[/]")
    table = Table("", "frames/s", "ns/px", "quartiles", "against opencv", "differs", box=None, header_style="dim")
    for c in result.contenders:
        t = c.timing
        spread = f"-{100 * (1 - t.low / t.median):.0f} +{100 * (t.high / t.median - 1):.0f} %"
        table.add_row(c.name, f"{result.fps(c):.0f}", f"{result.ns_per_pixel(c):.2f}", spread,
                      f"{peer.timing.median / t.median:.2f}x", f"{c.differs:.1e}" if c.differs else "0")  # fmt: skip
    console.print(table)
    floor = floor_bytes(result) / bandwidth / result.threads
    share = floor / (1e-9 * result.ns_per_pixel(fused))
    note = "" if peer.differs <= chain.tolerance else "  [bold red]the outputs differ by more than they should[/]"
    console.print(
        f"[dim]floor {1e9 * floor:.2f} ns/px ({floor_bytes(result)} bytes a pixel in and out, at the copy bandwidth); "
        f"fused is at {100 * share:.0f} % of it, {result.fps(fused) / 1000:.2f} x 1000 frames/s{note}[/]\n"
    )


def facts(results: Sequence[Result]) -> list[dict[str, Any]]:
    """All figures, JSON-able."""
    return [
        {
            "chain": r.chain.name, "width_px": r.width, "height_px": r.height, "batch": r.batch, "threads": r.threads,
            "back_end": r.back_end,
            "contenders": [{**asdict(c), "frames_per_s": r.fps(c), "ns_per_px": r.ns_per_pixel(c)}
                           for c in r.contenders],
        }
        for r in results
    ]  # fmt: skip


