"""Where a threshold lies in the values of what goes into it: a histogram, and levels that suggest themselves.

Of the picture that is shown, where that is the stage's input; else of the frame that is shown, which a process beside
takes through the pipeline up to that stage (`levels_work`), fused away or not. A camera's frames are nowhere else, so
there the input has to be shown.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.observable import Observable
from app.desk.subprocess_worker import SubprocessWorker
from app.response import STANDS_OUT, Response
from app.sources.reading import Reading
from pipelines.frontend import Roi
from pipelines.graph import Node, Pipeline, Ref
from pipelines.writing import dumps

LEVELS: Mapping[str, str] = {"threshold": "level", "peaks": "threshold"}
"""The stages that divide gray values, and the parameter that says where."""
BINS = 128
MOST_PIXELS = 1 << 17
EVERY = 0.25
"""Seconds between two looks at the picture that is shown."""
QUIET = 0.3
"""Seconds without a further change before the process is asked."""
PAUSE = 1.0
"""Seconds between two questions while a clip is played."""
WORK = "app.desk.services.levels_work:looks"

Values = npt.NDArray[Any]
Key = tuple[str, str]
"""A stage and its parameter."""


@dataclass(frozen=True)
class LevelAsk:
    """What is to be looked at: a clip's frame, through a pipeline (TOML), at the inputs of some stages."""

    what: str
    reading: Reading
    roi: Roi | None
    pipeline: str
    frame: int
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class LevelLook:
    """The values of one frame that go into a stage.

    Args:
        frame: which.
        counts: pixels, in bins of equal width from `low` to `high`.
        low, high: least and largest value.
        middle, noise: median, and standard deviation by the median of the absolute deviations.
        above_noise: a level between the noise and what stands out of it; None where nothing does.
        otsu: the level that divides the values into the two groups that are the most alike in themselves.
    """

    frame: int
    counts: npt.NDArray[np.int64]
    low: float
    high: float
    middle: float
    noise: float
    above_noise: float | None
    otsu: float | None

    def passing(self, level: float, bright: bool = True) -> float:
        """Which share of the pixels lies above a level (not above it, if objects are dark), to a bin."""
        total = int(self.counts.sum())
        if not total:
            return 0.0
        if self.high <= self.low:
            above = float(self.low > level)
        else:
            place = (level - self.low) / (self.high - self.low) * len(self.counts)
            edges = np.concatenate(([0.0], np.cumsum(self.counts)))
            above = 1.0 - float(np.interp(place, np.arange(len(edges)), edges)) / total
        return above if bright else 1.0 - above


def look_of(values: Values, frame: int, bright: bool = True) -> LevelLook:
    """Look at a picture, (height, width) or with channels; what is no number does not count. Least and largest value
    are those of all pixels; of more than `MOST_PIXELS` the rest is that of a part, evenly spread, so that the window,
    which looks at a camera's pictures itself, goes on."""
    flat = np.asarray(values).ravel()
    if flat.dtype.kind == "f" and not (there := np.isfinite(flat)).all():
        flat = flat[there]
    row = values.size // max(1, len(values))
    some = flat[:: spread(flat.size, max(1, row))].astype(np.float64)
    found = Response.of(some)
    if len(flat):
        found = replace(found, low=float(flat.min()), high=float(flat.max()))
    flat = some
    if not len(flat) or found.high <= found.low:
        counts = np.zeros(BINS, np.int64)
        counts[0] = len(flat)
        return LevelLook(frame, counts, found.low, found.high, found.middle, found.noise, None, None)
    counts, _ = np.histogram(flat, BINS, (found.low, found.high))
    alone = found.mere_noise() or found.peak(bright) < STANDS_OUT * found.noise
    return LevelLook(frame, counts, found.low, found.high, found.middle, found.noise,
                     None if alone else found.level(bright), otsu(flat))  # fmt: skip


def spread(count: int, row: int) -> int:
    """Steps between pixels of which about `MOST_PIXELS` are left, in all columns and channels.

    >>> spread(MOST_PIXELS, 1000), spread(31 * MOST_PIXELS, 31 * 33)
    (1, 35)
    """
    step = -(-count // MOST_PIXELS)
    if step > 1:
        step |= 1
        while math.gcd(step, row) > 1:
            step += 2
    return max(1, step)


def otsu(flat: npt.NDArray[np.float64]) -> float | None:
    """Otsu's level (IEEE Trans. SMC 9 (1979) 62): between the two classes of the largest variance between them; in the
    middle of all levels that do so equally well. None where all values are the same."""
    counts, edges = np.histogram(flat, 1024)
    if edges[0] == edges[-1] or np.count_nonzero(counts) < 2:
        return None
    centres = 0.5 * (edges[1:] + edges[:-1])
    below, light = np.cumsum(counts)[:-1], np.cumsum(counts * centres)[:-1]
    whole, mean = int(counts.sum()), float((counts * centres).sum()) / int(counts.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (mean * below - light) ** 2 / (below * (whole - below))
    between[~np.isfinite(between)] = 0.0
    best = np.flatnonzero(between >= between.max() * (1 - 1e-12))
    return float(edges[1:-1][best].mean())


def divided(pipeline: Pipeline) -> Iterator[tuple[Node, str, Ref]]:
    """The stages with a level, the parameter, and where what they divide comes from."""
    for node in pipeline.nodes:
        name = LEVELS.get(node.stage)
        ref = next(iter(node.inputs.values()), None)
        if name is not None and ref is not None:
            yield node, name, ref


def bright(node: Node) -> bool:
    """Whether a stage keeps what is above its level."""
    return node.params.get("polarity", "bright") == "bright"


def without_levels(pipeline: Pipeline) -> Pipeline:
    """The pipeline with levels that nothing depends on that is looked at: a level that is dragged changes no
    histogram but of what comes behind it."""
    nodes = {node.id: node for node in pipeline.nodes}
    waiting, before = [ref.node for _, _, ref in divided(pipeline)], set()
    while waiting:
        name = waiting.pop()
        if name in nodes and name not in before:
            before.add(name)
            waiting += [ref.node for ref in nodes[name].inputs.values()]
    free = {node.id: name for node, name, _ in divided(pipeline) if node.id not in before}
    return replace(pipeline, trackers=(), nodes=tuple(
        replace(node, params={k: v for k, v in node.params.items() if k != free.get(node.id)})
        for node in pipeline.nodes))  # fmt: skip


class Levels(Observable):
    """Keeps the looks of a pipeline's levels up to date while somebody watches; whoever owns a clock calls `poll`.
    Listeners hear when `looks` has changed.

    Args:
        bench: whose pipeline and frames.
        aside: the process, one of its own without.

    Attributes:
        looks: the newest, by stage. stale: stages whose look is of a pipeline that is no longer there, until there is
            another. failed: why there is none.
        watched: whether levels are shown; nothing is computed while they are not.
    """

    def __init__(self, bench: Workbench, aside: SubprocessWorker | None = None) -> None:
        super().__init__()
        self._bench, self._worker = bench, SubprocessWorker() if aside is None else aside
        self.looks: dict[str, LevelLook] = {}
        self.stale: set[str] = set()
        self.failed: dict[str, str] = {}
        self._text = dumps(without_levels(bench.settled))
        self.watched: Callable[[], bool] = lambda: False
        self._asked: LevelAsk | None = None
        self._number = -1
        self._due = self._seen = 0.0
        self._picture = -1
        bench.on(Topic.OPENED, self._forget)
        bench.on(Topic.PIPELINE, self._changed)
        bench.on(Topic.BUILT, self._changed)

    def close(self) -> None:
        """End the process."""
        self._worker.cancel()

    def _forget(self) -> None:
        self.looks, self.stale, self.failed, self._asked, self._number = {}, set(), {}, None, -1
        self._notify()

    def _changed(self) -> None:
        self._due = max(self._due, time.monotonic() + QUIET)
        stages = {node.id for node, _, _ in divided(self._bench.settled)}
        if not stages >= self.looks.keys():
            self.looks = {name: look for name, look in self.looks.items() if name in stages}
            self._notify()
        text = dumps(without_levels(self._bench.settled))
        if text != self._text:
            self._text, self.stale = text, set(self.looks)
            self._notify()

    def has_to_be_shown(self, node: str) -> str:
        """The output that has to be shown before there is a look at a stage's level; "" where there is no need to."""
        bench = self._bench
        found = {one.id: ref for one, _, ref in divided(bench.settled)}
        ref = found.get(node)
        return "" if ref is None or not bench.live or node in self.looks else self._output(ref)

    def _output(self, ref: Ref) -> str:
        """What a picture of it is called."""
        return "" if ref.node not in {node.id for node in self._bench.pipeline.nodes} else str(ref)

    def poll(self) -> None:
        """Look at what is shown, ask if something changed, and take what has come."""
        for answer in self._worker.poll():
            if answer.number == self._number:
                if answer.value is not None:
                    self.looks = {**self.looks, **answer.value}
                    self.failed = {name: why for name, why in self.failed.items() if name not in answer.value}
                    if self._asked is not None and self._asked.pipeline == self._text:
                        self.stale -= answer.value.keys()
                elif answer.error:  # what was seen before is of another frame or pipeline
                    failed = () if self._asked is None else self._asked.nodes
                    self.looks = {name: look for name, look in self.looks.items() if name not in failed}
                    self.failed |= dict.fromkeys(failed, answer.error)
                self._notify()
        bench, now = self._bench, time.monotonic()
        if bench.opened is None or bench.shown is None or bench.trouble or not self.watched():
            return
        rest = self._of_picture(now)
        if not rest or bench.live or bench.asked is None or now < self._due or self._worker.busy:
            return
        asked = LevelAsk(bench.asked.what, bench.asked.reading, bench.asked.roi, self._text, bench.shown.frame, rest)
        if asked != self._asked:
            self._asked, self._due = asked, now + PAUSE
            self._number = self._worker.ask(WORK, asked)

    def _of_picture(self, now: float) -> tuple[str, ...]:
        """Take what the picture that is shown tells; the stages that it tells nothing about."""
        shown = self._bench.shown
        assert shown is not None
        rest, changed = [], False
        for node, _, ref in divided(self._bench.settled):
            output = self._output(ref)
            if shown.output != output or not output:
                rest.append(node.id)
            elif shown.number != self._picture and now >= self._seen + EVERY:
                self.looks = {**self.looks, node.id: look_of(shown.pixels, shown.frame, bright(node))}
                self.failed.pop(node.id, None)
                self.stale.discard(node.id)
                changed = True
        if changed:
            self._picture, self._seen = shown.number, now
            self._notify()
        return tuple(rest)
