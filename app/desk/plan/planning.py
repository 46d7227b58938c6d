"""The plan of the user's pipeline as a window shows it; made in a process of its own (`plan_work`), see `Planning`."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.engine.reports import Measured
from app.desk.engine.throughput import same_run
from app.desk.observable import Observable
from app.desk.subprocess_worker import SubprocessWorker
from pipelines.frame import SourceInfo
from pipelines.frontend import Roi
from pipelines.graph import Node, Pipeline
from pipelines.planning.devices import THIS_CPU
from pipelines.writing import dumps

HERE = "this machine"
"""What the device is called on which the pipeline runs, or would."""
QUIET = 0.2
"""Seconds without a further change before a plan is made: a slider that is dragged changes all the time."""
MEASURED_OVER, MEASURED_FROM = 256, 32
"""Frames that a measured time is the mean of, about, and at least."""
PLAN, SOURCE_TEXT = "app.desk.plan.work:plan", "app.desk.plan.work:source_text"


@dataclass(frozen=True)
class PlanAsk:
    """What is to be planned.

    Args:
        pipeline: TOML.
        info: of the source; None for an ordinary picture, 1024x1024 u8.
        roi: the region that is cropped to.
        device: as `fusetrack plan --device`.
        running, running_device: groups that run now (ids joined by +) and on what, to be priced too.
    """

    pipeline: str
    info: SourceInfo | None
    roi: Roi | None
    device: str
    running: tuple[str, ...] = ()
    running_device: str = ""


@dataclass(frozen=True)
class GroupRow:
    """A group: bytes and operations a pixel of the source, seconds a frame; see `fusetrack plan`."""

    name: str
    duplicated: tuple[str, ...]
    executor: str
    tile: str
    halo: str
    kept: str
    read: float
    written: float
    dram: float
    operations: float
    on_chip: int
    seconds: float
    limit: str

    @property
    def host(self) -> bool:
        """Whether it is a function on the host, of which only the way of the data is counted."""
        return self.executor == "host"


@dataclass(frozen=True)
class EdgeRow:
    """An edge: fused or cut, and why."""

    producer: str
    consumer: str
    fused: bool
    pinned: bool
    decision: str
    why: str


@dataclass(frozen=True)
class FrontRow:
    """A plan on the Pareto front; seconds, bytes and operations a pixel; `best` in what it is the least."""

    groups: str
    batch: int
    latency: float
    seconds: float
    bytes: float
    on_chip: int
    operations: float
    best: tuple[str, ...]
    chosen: bool


@dataclass(frozen=True)
class PlanReport:
    """A plan in plain values.

    Args:
        digest: of the pipeline that was planned.
        frame: words for the picture; `assumed` where none is open.
        device, origin: its name and where its figures are from.
        kind: "cpu" or "cuda".
        seconds, traffic: a frame; bytes a pixel of the source.
        floor: seconds a frame by DRAM alone.
        gap: within which share of the best possible plan; 0 for proven.
        others: other ways to run it, seconds and bytes a pixel.
        running: predicted seconds a frame of the groups that run now, by name.
        complete: whether the reasons and the front are in.
    """

    digest: str
    frame: str
    assumed: bool
    device: str
    origin: str
    kind: str
    batch: int
    seconds: float
    traffic: float
    limit: str
    floor: float
    latency: float
    gap: float
    groups: tuple[GroupRow, ...]
    edges: tuple[EdgeRow, ...]
    front: tuple[FrontRow, ...] = ()
    others: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    running: Mapping[str, float] = field(default_factory=dict)
    complete: bool = False

    @property
    def share(self) -> float:
        """The floor by the time: 1 where nothing could be faster."""
        return self.floor / self.seconds if self.seconds > 0 else 0.0


def structure(pipeline: Pipeline) -> object:
    """What decides which groups there are: all but the values of live parameters."""
    nodes = [(m.id, m.stage if isinstance(m, Node) else m.tracker, sorted((k, str(r)) for k, r in m.inputs.items()))
             for m in pipeline.members]  # fmt: skip
    return nodes, [str(tap) for tap in pipeline.taps], pipeline.pins


def per_frame(readings: Sequence[Measured]) -> dict[str, float]:
    """Measured seconds a frame of each program, from the last `MEASURED_OVER` frames that it ran on; a program that
    has had fewer than `MEASURED_FROM` is not there yet.

    Args:
        readings: the newest last. What a program has spent counts from when it was made, frames from when the source
            was opened; so only what both have grown by says anything.
    """
    run = same_run(readings)
    if not run:
        return {}
    now, found = run[-1], {}
    for name, seconds in now.stages.items():
        before, spent = now, seconds
        # Back until there are frames enough, or to where this program was not there yet; one of its name that was there
        # before may have spent more.
        for earlier in reversed(run[:-1]):
            then = earlier.stages.get(name, math.inf)
            if then > spent or _frames(now) - _frames(before) >= MEASURED_OVER:
                break
            before, spent = earlier, then
        frames = _frames(now) - _frames(before)
        if frames >= MEASURED_FROM:
            found[name] = (seconds - spent) / frames
    return found


def _frames(measured: Measured) -> int:
    rates = measured.reading.rates
    return rates["engine"].frames if "engine" in rates else max((rate.frames for rate in rates.values()), default=0)


def engine_device(device: str) -> str:
    """What the planner calls the device of a run."""
    return device if device.startswith("cuda") else THIS_CPU


class Planning(Observable):
    """Keeps a plan of the user's pipeline up to date; whoever owns a clock calls `poll` a few times a second.

    Args:
        bench: whose pipeline.

    Attributes:
        report: the newest plan; None before the first, or where there is none.
        trouble: why there is none, "".
        device: for which it is made: HERE, or a name as `fusetrack plan --device`.
        sources: (group, text) of the generated code, once it was asked for and until the plan changes.
    """

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._worker, self._text_aside = SubprocessWorker(), SubprocessWorker()
        self._asked: PlanAsk | None = None
        self._wanted = -1
        self._code_wanted = False
        self._code_number = -1
        self._due, self._since = True, -QUIET
        self.report: PlanReport | None = None
        self.trouble = ""
        self.device = HERE
        self.sources: tuple[tuple[str, str], ...] | None = None
        for topic in (Topic.PIPELINE, Topic.OPENED, Topic.BUILT):
            bench.on(topic, self._changed)

    @property
    def busy(self) -> bool:
        """Whether a plan or code is being made."""
        return self._due or self._worker.busy or self._text_aside.busy

    def set_device(self, device: str) -> None:
        """Plan for another device."""
        if device != self.device:
            self.device = device
            self._changed()

    def want_source(self, wanted: bool = True) -> None:
        """Whether the generated code is of interest: it is made anew after each change then."""
        self._code_wanted = wanted
        if wanted and self.sources is None and self._code_number < 0:
            self._ask_source()

    def close(self) -> None:
        """End the processes."""
        self._worker.cancel()
        self._text_aside.cancel()

    def _changed(self) -> None:
        self._due, self._since = True, time.monotonic()

    def question(self) -> PlanAsk:
        """What would be planned now."""
        bench = self._bench
        built = bench.built
        info, roi = bench.info, bench.asked.roi if bench.asked is not None else None
        if info is not None and info.time.stamps is not None:
            info = replace(info, time=replace(info.time, stamps=None))  # long, and no part of a plan
        here = engine_device(built.device) if built is not None else THIS_CPU
        return PlanAsk(dumps(bench.pipeline), info, roi, here if self.device == HERE else self.device,
                       built.groups if built is not None else (), here)  # fmt: skip

    def poll(self) -> None:
        """Ask if something changed, and take what has come."""
        if self._due and time.monotonic() - self._since > QUIET:
            self._due = False
            asked = self.question()
            if asked != self._asked:
                self._asked = asked
                self._wanted = self._worker.ask(PLAN, asked)
                self.sources, self._code_number = None, -1
                self._notify()
        changed = False
        for answer in self._worker.poll():
            if answer.number != self._wanted:
                continue
            if answer.value is not None:
                self.report, self.trouble, changed = answer.value, "", True
            if answer.error:
                self.report, self.trouble, changed = None, answer.error, True
            if answer.done and self._code_wanted and not answer.error:
                self._ask_source()
        for answer in self._text_aside.poll():
            if answer.number != self._code_number:
                continue
            if answer.value is not None:
                self.sources, changed = answer.value, True
            if answer.error:
                self.sources, changed = (("", f"; {answer.error}"),), True
        if changed:
            self._notify()

    def _ask_source(self) -> None:
        if self._asked is not None and self.report is not None:
            groups = tuple(tuple(row.name.split("+")) for row in self.report.groups)
            self._code_number = self._text_aside.ask(SOURCE_TEXT, self._asked, groups, self.report.kind)
