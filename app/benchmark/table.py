"""A result as people read it."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.benchmark.chains import BOXES, CHAINS
from app.benchmark.results import THOUSAND, Measured, Result
from app.benchmark.timing import WIDE


def show(console: Console, result: Result) -> None:
    """Print a result."""
    console.print(f"[bold]{escape(result.chain)}[/]  {escape(result.summary)}")
    console.print(f"[dim]{result.size} x {result.size} px, {result.conditions}[/]")
    against = f"against {result.baseline}"
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 1))
    for header in ("", "frames/s", "ns/px", "spread %", against, "shortest", "differs"):
        table.add_column(header, justify="right" if header else "left", no_wrap=True)
    for contender in result.contenders:
        table.add_row(*_row(result, contender))
    console.print(table)
    for line in notes(result):
        console.print(line)
    console.print()


def _row(result: Result, c: Measured) -> list[str]:
    t, r = c.timing, c.ratio
    doubt = "[yellow]?[/]" if t.wide else ""
    spread = f"-{100 * (1 - t.low / t.median):.0f}+{100 * (t.high / t.median - 1):.0f}{doubt}"
    differs = "-" if c.differs is None else f"{c.differs:.0e}" if c.differs else "0"
    ratios = ["-"] * 2 if r is None else [f"[bold]{r.median:.2f}x[/] ({r.low:.2f}-{r.high:.2f})", f"{r.least:.2f}x"]
    return [c.name, f"{result.fps(c):.0f}", f"{result.ns_per_pixel(c):.3f}", spread, *ratios,
            f"[bold red]{differs}[/]" if c.wrong else differs]  # fmt: skip


def notes(result: Result) -> list[str]:
    """What is to be said below the table."""
    fused, lines = result.of("fused"), []
    need = result.need
    if fused is not None:
        lines.append(f"fused: [bold]{result.fps(fused) / THOUSAND:.2f}[/] x 1000 frames/s")
        best = result.best_peer
        if best is not None:
            lines[0] += f", {best.timing.median / fused.timing.median:.2f}x the best peer ({best.name})"
        spent = result.ns_per_pixel(fused)
        shares = [f"{name} {floor:.3f} ns/px ({100 * floor / spent:.0f} % of the fused time)"
                  for name, floor in result.floors.items()]  # fmt: skip
        if shares:
            lines.append(f"[dim]floors: {', '.join(shares)}[/]")
            lines.append(
                f"[dim]  {need.image:.3g} bytes a pixel in and out and {need.state:.3g} of states at "
                f"{result.stream / 1e9:.1f} GB/s, the copy of as many bytes;\n"
                f"  {need.lanes:.3g} operations as the stages spell them (32-bit lanes; the compiler narrows and "
                f"shares them) at {result.rate / 1e9:.0f} G/s[/]"
            )
        if result.floors.get("bytes", 0.0) > spent:
            lines.append("[dim]  faster than its bytes' floor: states stay in a nearer cache than what is copied[/]")
    lines += _rests(result)
    wrong = [c.name for c in result.contenders if c.wrong]
    if wrong:
        why = f" (expected: {CHAINS[result.chain].why})" if result.chain in CHAINS else ""
        lines.append(f"[bold red]the outputs of {', '.join(wrong)} differ by more than they should[/]{why}")
    dropped = sum(c.timing.dropped for c in result.contenders)
    if dropped:
        lines.append(f"[dim]{dropped} calls during which another process had the processor do not count[/]")
    if any(c.timing.wide for c in result.contenders):
        lines.append(f"[yellow]?: the quartiles lie more than {WIDE:g} times apart, or the calls are few: look at the "
                     "ratios of the shortest, try --pin, or measure when the machine is idle[/]")  # fmt: skip
    return lines


def _rests(result: Result) -> list[str]:
    lines = []
    for name, (seconds, share) in result.rests.items():
        each = 1e6 * seconds / result.batch
        lines.append(
            f"{name}: moments of {BOXES} regions cost {each:.1f} µs a frame, {100 * share:.1f} % of the chain "
            "before it (shortest calls)"
        )
    return lines
