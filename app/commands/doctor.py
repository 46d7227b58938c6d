"""`fusetrack doctor`: what this installation can do, and how fast this machine is."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from app.commands.doctor_gpu import Finding, calibrated_gpu, gpu_findings
from app.version import __version__
from kernels.errors import FusetrackError, InputError
from kernels.executors.base import executor
from kernels.executors.cache import LIMIT, ObjectCache
from kernels.executors.calibration import Calibration, calibrate, keep, kept, outdated
from kernels.executors.machine import Machine
from kernels.executors.placement import available, caches, first_cache, own_cache, shared_cache
from pipelines.planning.explain import size

EXAMPLES = """examples:
  fusetrack doctor                what is installed, what works, and what to do about the rest
  fusetrack doctor --calibrate    also measure this machine (some 15 s); the planner reckons with it from then on
  fusetrack doctor --calibrate --device cuda:0    the same for a GPU (a few seconds): copies, launches, the bus

exit codes: 0 nothing failed (warnings are allowed); 1 something that a run needs does not work
"""
LITTLE_DISK = 1 << 30
OK, WARN, FAIL = "ok", "warn", "fail"
STYLES = {OK: "green", WARN: "yellow", FAIL: "bold red"}
PACKAGES = ("numpy", "scipy", "av", "tifffile", "pyarrow", "rich")


@dataclass(frozen=True, slots=True)
class Row:
    """One finding: what was looked at, "ok", "warn" or "fail", what was found, and what to do about it."""

    name: str
    state: str
    found: str
    advice: str = ""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Says what this installation can do, and measures how fast this machine is."
    command.epilog = EXAMPLES
    command.add_argument("--calibrate", action="store_true", help="measure this machine for the planner (some 15 s)")
    command.add_argument("--device", metavar="cuda:N", default="", help="measure this GPU, not the processor")
    command.add_argument("--json", action="store_true", help="for machines")
    command.set_defaults(function=_doctor)


def _doctor(options: argparse.Namespace) -> int:
    if options.device and not options.calibrate:
        raise InputError("--device says what --calibrate measures; give both")
    measured: dict[str, object] | None = None
    finding: Finding | None = None
    if options.device:
        measured, finding = calibrated_gpu(options.device)
    rows = [row for check in CHECKS for row in _guarded(check)]
    if finding is not None:
        rows = [row for row in rows if row.name != finding[0]] + [Row(*finding)]
    calibration, row = _calibrated() if options.calibrate and measured is None else _known()
    rows.append(row)
    if options.json:
        facts = None if calibration is None else _facts(calibration)
        print(json.dumps({"rows": [asdict(row) for row in rows], "calibration": facts, "gpu": measured},
                         indent=1))  # fmt: skip
    else:
        _show(rows, calibration)
    return int(any(row.state == FAIL for row in rows))


def _guarded(check: Callable[[], list[Row]]) -> list[Row]:
    try:
        return check()
    except Exception as error:  # a doctor that dies of the disease is of no help
        return [Row(check.__name__.strip("_"), FAIL, f"{type(error).__name__}: {' '.join(str(error).split())}",
                    "install fusetrack again, in a new environment")]  # fmt: skip


def _versions() -> list[Row]:
    python = sys.version_info
    state = OK if python >= (3, 11) else FAIL
    where = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    rows = [Row("fusetrack", OK, __version__), Row("Python", state, where, "" if state == OK else "use 3.11 or newer")]
    missing, found = [], []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        rows.append(Row("packages", FAIL, f"missing: {', '.join(missing)}", f"pip install {' '.join(missing)}"))
    return [*rows, Row("packages", OK, ", ".join(found))] if found else rows


def _compiled() -> list[Row]:
    """The cpu back end: LLVM, instruction set, threads."""
    try:
        machine = Machine()
        executor("cpu")
    except FusetrackError as error:
        return [Row("cpu back end", WARN, str(error), "pip install llvmlite; until then the slow reference runs")]
    features = {name[1:] for name in machine.features.split(",") if name.startswith("+")}
    isa = next((f for f in ("avx512bw", "avx2", "sse4.2", "neon") if f in features), "baseline")
    rows = [Row("cpu back end", OK, f"llvmlite {machine.identity[0]}, {machine.cpu}, {isa}"), _caches()]
    threads, processors = available(), os.cpu_count() or 1
    text = f"{threads}" if threads == processors else f"{threads} of {processors} processors may be used"
    quota = _quota()
    if quota is not None and quota < threads:
        return [*rows, Row("threads", WARN, f"{text}, but a quota of {quota:.3g} processors is set",
                           "give the container more processors, or expect pauses")]  # fmt: skip
    return [*rows, Row("threads", OK, text)]


def _caches() -> Row:
    known = caches()
    sizes = f"{size(first_cache())} and {size(own_cache())} a core, {size(shared_cache())} shared"
    missing = [name for level, name in enumerate(("first", "second", "shared"), 1) if level not in known]
    return Row("caches", OK, sizes + (f" (the system does not say the {', '.join(missing)}; taken for granted)"
                                      if missing else ""))  # fmt: skip


def _quota() -> float | None:
    """Processors that a container's quota allows; None where there is none."""
    try:
        limit, period = Path("/sys/fs/cgroup/cpu.max").read_text("ascii").split()[:2]
        return None if limit == "max" else int(limit) / int(period)
    except (OSError, ValueError):
        return None


def _cache() -> list[Row]:
    cache = ObjectCache()
    if cache.refusal:
        return [Row("cache", WARN, cache.refusal, f"chmod go-w {cache.folder}")]
    if not cache.folder.is_dir() or not os.access(cache.folder, os.W_OK):
        return [Row("cache", WARN, f"{cache.folder} cannot be written: every run compiles anew",
                    "set FUSETRACK_CACHE to a folder of your own")]  # fmt: skip
    files = [entry.stat().st_size for entry in os.scandir(cache.folder) if entry.is_file()]
    return [Row("cache", OK, f"{cache.folder}: {len(files)} files, {sum(files) / 2**20:.1f} of {LIMIT >> 20} MB")]


def _gpu() -> list[Row]:
    return [Row(*finding) for finding in gpu_findings()]


def _opencv() -> list[Row]:
    try:
        opencv = importlib.import_module("kernels.opencv")
    except Exception as error:
        return [Row("OpenCV", FAIL, f"does not load: {' '.join(str(error).split())}",
                    "pip install opencv-python; a bare Debian wants apt-get install libgl1 libglib2.0-0")]  # fmt: skip
    return [Row("OpenCV", OK, str(opencv.cv2.__version__))]


def _window() -> list[Row]:
    try:
        qt = importlib.import_module("PyQt5.QtCore")
    except Exception as error:
        return [Row("Qt", WARN, f"does not load: {' '.join(str(error).split())}",
                    "pip install PyQt5; commands work without it")]  # fmt: skip
    return [Row("Qt", OK, f"{qt.QT_VERSION_STR}")]


def _video() -> list[Row]:
    try:
        av = importlib.import_module("av")
        codec = ".".join(str(v) for v in av.library_versions["libavcodec"])
    except Exception as error:
        return [Row("video", FAIL, f"PyAV does not load: {' '.join(str(error).split())}", "pip install av")]
    return [Row("video", OK, f"PyAV {av.__version__}, libavcodec {codec}")]


def _disk() -> list[Row]:
    free = shutil.disk_usage(Path.cwd()).free
    text = f"{free / 2**30:.1f} GB free in {Path.cwd()}"
    if not os.access(Path.cwd(), os.W_OK):
        return [Row("disk", WARN, f"{Path.cwd()} cannot be written", "give --out a folder that can be")]
    if free < LITTLE_DISK:
        return [Row("disk", WARN, text, "results and overlays may not fit; give --out another disk")]
    return [Row("disk", OK, text)]


CHECKS = (_versions, _compiled, _opencv, _video, _window, _gpu, _cache, _disk)


def _known() -> tuple[Calibration | None, Row]:
    calibration, _ = kept()
    remark = outdated() if calibration is None else ""
    if calibration is not None:
        return calibration, Row("calibration", WARN if calibration.remark else OK, calibration.remark or _brief(
            calibration), "fusetrack doctor --calibrate" if calibration.remark else "")  # fmt: skip
    text = remark or "this machine was not measured: plans reckon with cautious defaults"
    return None, Row("calibration", WARN, text, "fusetrack doctor --calibrate")


def _calibrated() -> tuple[Calibration | None, Row]:
    columns = (TextColumn("measuring this machine"), BarColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
            task = bar.add_task("", total=1.0)
            made = keep(calibrate(progress=lambda share: bar.update(task, completed=share)))
    except FusetrackError as error:
        return None, Row("calibration", FAIL, str(error), "pip install llvmlite")
    return made, Row("calibration", WARN if made.remark else OK, made.remark or _brief(made))


def _brief(calibration: Calibration) -> str:
    d = calibration.device
    return f"{d.rate / 1e9:.0f} G operations/s, {d.dram / 1e9:.0f} GB/s of DRAM with {d.units} threads"


def _show(rows: list[Row], calibration: Calibration | None) -> None:
    console = Console(highlight=False)
    table = Table(box=None, show_header=False, pad_edge=False)
    for row in rows:
        advice = row.advice if row.state != OK else ""
        text = escape(row.found) + (f"\n[dim]{escape(advice)}[/]" if advice else "")
        table.add_row(f"[{STYLES[row.state]}]{row.state}[/]", escape(row.name), text)
    console.print(table)
    if calibration is None:
        return
    figures = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("threads", "near GB/s", "cache GB/s", "DRAM GB/s", "f32 G/s", "i32 G/s", "i16 G/s", "MAC G/s", "int8",
                 "call", "row"):  # fmt: skip
        figures.add_column(name, justify="right")
    for f in calibration.figures:
        speeds = f.near, f.cache, f.dram, f.f32, f.i32, f.i16, f.macs, f.macs_int8
        figures.add_row(str(f.threads), *(f"{speed / 1e9:.0f}" for speed in speeds),
                        f"{f.launch * 1e6:.1f} µs", f"{f.row * 1e9:.1f} ns")  # fmt: skip
    console.print()
    console.print(figures)
    console.print("[dim]near: looks at rows in a core's own caches; operations count 32 bits each, of vectors; MAC, "
                  "int8: multiply-adds of network layers of floats and of bytes; cache "
                  f"holds {calibration.device.cache_bytes >> 20} MB[/]")  # fmt: skip


def _facts(calibration: Calibration) -> dict[str, object]:
    device = {**asdict(calibration.device), "bus": None}  # infinity is no JSON
    return {"device": device, "figures": [asdict(f) for f in calibration.figures], "spread": calibration.spread,
            "remark": calibration.remark}  # fmt: skip
