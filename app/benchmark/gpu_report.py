"""Results of a GPU as one block of plain text, to be read and to be pasted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.benchmark.gpu_measure import CHECKED
from app.benchmark.gpu_results import GpuMeasured, GpuResult, Latency, goals

WIDTH = 100
GOOD, BAD = "reached", "missed"


def report(facts: Mapping[str, object], results: Sequence[GpuResult], date: str, version: str) -> str:
    """The whole block.

    Args:
        facts: of the GPU (`kernels.executors.cuda_clock.gpu_facts`).
        date: of the measurement.
        version: of fusetrack.
    """
    lines = [f"fusetrack {version}, bench --device cuda, {date}", _line(facts), ""]
    for result in results:
        lines += [*case_lines(result), ""]
    lines += _legend()
    return "\n".join(lines) + "\n"


def _line(facts: Mapping[str, object]) -> str:
    return (f"{facts['gpu']} ({facts['architecture']}), driver {facts['driver']}, CUDA {facts['cuda_of_driver']} "
            f"(runtime {facts['cuda_runtime']}, NVRTC {facts['nvrtc']}), CuPy {facts['cupy']}")  # fmt: skip


def case_lines(result: GpuResult) -> list[str]:
    """One result."""
    lines = [f"{result.chain}: {result.case}", f"  {result.summary}", _header()]
    lines += [_row(result, c) for c in result.contenders]
    lines += [f"  left out: {text}" for text in result.left_out]
    mega = result.floor / 2**20
    lines.append(f"  floor {mega:.1f} MiB a batch; copy inside the device {result.copy / 1e9:.0f} GB/s, pinned "
                 f"{result.up / 1e9:.1f} GB/s up, {result.down / 1e9:.1f} GB/s down")  # fmt: skip
    s = result.stream
    lines.append(f"  end to end {s.median:.0f} frames/s ({s.low:.0f}-{s.high:.0f}), {100 * result.of_bus:.0f} % of the "
                 f"{result.bus_limit:.0f} that pinned memory lets through")  # fmt: skip
    lines.append(f"  latency {'; '.join(_latency(each) for each in result.latencies)}")
    if result.chain == "seed":
        for goal in goals(result):
            verdict = "not measured" if goal.met is None else f"{goal.reached:.2f}, {GOOD if goal.met else BAD}"
            lines.append(f"  goal {goal.name} >= {goal.wanted:g}: {verdict}")
    wrong = [c.name for c in result.contenders if c.wrong]
    if wrong:
        lines.append(f"  THE OUTPUTS OF {', '.join(wrong)} DIFFER BY MORE THAN THEY SHOULD")
    return lines


def _header() -> str:
    return (f"  {'':<22}{'µs/frame':>10}{'quartiles':>19}{'GB/s':>8}{'of copy':>9}{'fused is':>10}{'kernels':>9}"
            f"{'regs':>6}{'spills':>8}{'differs':>9}")  # fmt: skip


def _row(result: GpuResult, c: GpuMeasured) -> str:
    scale = 1e6 / result.case.batch
    quartiles = f"{c.seconds.low * scale:.2f}-{c.seconds.high * scale:.2f}"
    times = result.times(c.name, "fused")
    against = "" if times is None else f"{times:.2f}x"
    kernels, registers, spills = (str(n) if c.kernels else "-" for n in (c.kernels, c.registers or "?", c.spills))
    differs = f"{c.differs:.0e}" if c.differs else "0"
    speed = f"{result.bandwidth(c) / 1e9:>8.0f}{100 * result.of_copy(c):>7.0f} %"
    return (f"  {c.name:<22}{result.us_per_frame(c):>10.2f}{quartiles:>19}{speed}{against:>10}{kernels:>9}"
            f"{registers:>6}{spills:>8}{differs:>9}")  # fmt: skip


def _latency(each: Latency) -> str:
    frames = f"{each.batch} frame{'s' if each.batch != 1 else ''}"
    return f"{frames}: p50 {1e3 * each.p50:.2f} ms, p99 {1e3 * each.p99:.2f} ms of {each.count}"


def _legend() -> list[str]:
    return [
        "µs/frame: on the device, by CUDA events, median over rounds in turns and random order, frames already there;",
        "inputs rotate, so that the L2 cache does not keep them. GB/s: of the floor's bytes (frames in, results out,",
        "states once a batch each way). fused is: how many times as fast as the line's. differs: share of the pixels",
        f"that differ from the compiled program on the processor, after {CHECKED} batches. regs: most of a thread. End",
        "to end: from NumPy frames to NumPy results, by the ring of three pinned slots. Latency: one batch alone.",
    ]
