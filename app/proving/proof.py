"""A proof on the user's own frames: what runs fused, against one stage a program and against the reference.

Outputs that leave the fused programs are compared: pictures pixel by pixel, tables row by row. Where roundings may
differ (`--fast`), each program is compared with the reference of the same inputs, and judged by what is stated of it;
and all outputs with the reference from the pictures on, of which nothing is stated. Times are of the compiled programs;
host functions (the same in both) are left out. Made in a process of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.proving.comparing import ALONE, GIVEN, GIVEN_ALONE, REFERENCE, Compared, compare
from app.proving.judged import judged
from app.sources.opening import open_source
from app.sources.reading import AS_STORED, Reading
from kernels.errors import DefinitionError
from kernels.executors.base import Batch, Executor, executor
from kernels.ir.image import DTYPES, ImageType
from kernels.ir.rewriting import at_outputs
from pipelines.automatic.settling import settle_on
from pipelines.definition import loads
from pipelines.frame import FrameBatch, Pixels
from pipelines.frontend import Roi
from pipelines.fusing import fuse, largest_groups, needed_nodes
from pipelines.graph import Bound, Ref, bind, output_refs
from pipelines.planning.devices import measured_cpu
from pipelines.planning.tuning import planned_groups
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.engine import Engine

PROVE = "app.proving.proof:prove"
FRAMES = 16
"""Frames that are computed at most."""
BYTES = 256 << 20
"""Bytes of all pictures of the pipeline together, at most; large pictures are fewer."""
UNSTEADY = 0.3
"""Half of the turns that lie farther apart, by their median, are said to be unsteady."""
SECONDS, LEAST_ROUNDS, MOST_ROUNDS = 1.5, 5, 200
"""How long times are measured, in how many turns."""
TELL = 0.3
"""Seconds between two words about how far it is."""
PATIENCE = 20.0
"""Seconds that the reference may take; of what it has not reached nothing is said."""


@dataclass(frozen=True)
class ProofAsk:
    """What is to be proven.

    Args:
        pipeline: TOML.
        groups: ids joined by +, as they run; () for those that would.
        device: what runs: "cpu", "cuda:0".
        clip: path or scene to read frames from; "" where `frames` are given.
        reading, roi: as it was opened.
        first, end: the frames to take from; as many as are worth it are, beginning at `first`.
        frames: pictures of a camera, (frames, height, width[, channels]), in place of a clip's.
        bits: significant bits of their samples.
        exact: False for what runs with `--fast`.
        most: frames that are computed at most.
    """

    pipeline: str
    groups: tuple[str, ...]
    device: str
    clip: str
    reading: Reading = AS_STORED
    roi: Roi | None = None
    first: int = 0
    end: int = FRAMES
    frames: Pixels | None = None
    bits: int = 0
    exact: bool = True
    most: int = FRAMES


@dataclass(frozen=True)
class Proof:
    """How far it is, and what was found.

    Args:
        stage: words for what is being done; "" when all is done.
        share: of the work that is done.
        groups: as they ran.
        first, end: the frames.
        fused, alone: seconds a frame in the compiled programs, medians; 0 while unknown.
        rounds: turns that were timed.
        compared: the outputs.
        remark: a sentence where there is a but.
    """

    stage: str
    share: float
    groups: tuple[str, ...] = ()
    first: int = 0
    end: int = 0
    fused: float = 0.0
    alone: float = 0.0
    rounds: int = 0
    compared: tuple[Compared, ...] = ()
    remark: str = ""

    @property
    def done(self) -> bool:
        """Whether nothing more comes."""
        return not self.stage

    @property
    def same(self) -> bool:
        """Whether every output is the same in every way that it was computed."""
        return bool(self.compared) and all(c.same for c in self.compared)

    @property
    def allowed(self) -> bool:
        """Whether every output differs by no more than it may."""
        return bool(self.compared) and all(c.allowed for c in self.compared)

    @property
    def ratio(self) -> float:
        """How many times as fast the fused programs are; 0 while unknown."""
        return self.alone / self.fused if self.fused > 0 else 0.0

    def verdict(self) -> str:
        """One sentence."""
        if not self.compared:
            return "nothing was compared"
        frames = self.end - self.first
        if self.same:
            ways = " and ".join(dict.fromkeys(c.against for c in self.compared))
            return f"every bit of {frames} frames is the same as with {ways}"
        wrong = [c for c in self.compared if not c.allowed]
        if not wrong:
            return f"{frames} frames: {self._within()}"
        worst = max(wrong, key=lambda c: c.largest)
        return (f"{len(wrong)} of {len(self.compared)} comparisons differ, most {worst.output} against "
                f"{worst.against}: {worst.differing} of {worst.total}, up to {worst.largest:g}")  # fmt: skip

    def _within(self) -> str:
        """How much of what is allowed is used."""
        judged = [c for c in self.compared if not c.same and c.against != REFERENCE]
        bounded = [c for c in judged if c.bound < np.inf]
        free = dict.fromkeys(c.output for c in judged if c.bound == np.inf)
        words = [f"of {', '.join(free)} no bound can be told"] if free else []
        if bounded:
            worst = max(bounded, key=lambda c: c.largest / c.bound)
            words.insert(0, f"all that can be bounded is within its bound, most {worst.output}: off by "
                            f"{worst.largest:.2g}, at most {worst.bound:.2g} is allowed")  # fmt: skip
        return "; ".join(words) or "nothing that can be bounded differs"


def prove(ask: ProofAsk, make: Callable[[str], Executor] = executor) -> Iterator[Proof]:
    """The proof in parts: what is known so far.

    Args:
        make: gives the back ends; replaced in tests.

    Raises:
        InputError: the clip cannot be read, or the pipeline does not fit it.
    """
    yield Proof("reading frames", 0.0)
    bound, batch, remark = _material(ask)
    first, end = int(batch.indices[0]), int(batch.indices[-1]) + 1
    groups, note = _groups(ask, bound)
    remark = "; ".join(text for text in (remark, note) if text)
    yield Proof("compiling", 0.1, first=first, end=end)
    runs = make(ask.device if ask.device.startswith("cuda") else "cpu")
    # All that leaves a fused program is compared: it costs nothing more, since it is written anyway.
    units = fuse(bound, groups, bound.taps, ask.exact)
    keep = tuple(dict.fromkeys(ref for unit in units for ref in (*unit.outputs.values(), *unit.same)))
    fused = Engine(bound, runs, keep, groups, ask.exact)
    names = tuple(unit.name for unit in fused.units)
    alone = Engine(bound, runs, keep)
    mine = _result(fused, batch, keep)
    found = Proof("comparing", 0.3, names, first, end, remark=remark)
    yield found
    if ask.exact:
        found = replace(found, compared=compare(bound, keep, mine, _result(alone, batch, keep), ALONE, first))
    yield replace(found, stage="timing", share=0.4)
    found = _timed(found, fused, alone, batch)
    yield replace(found, stage="reference", share=0.6)
    if not ask.exact:
        until = time.perf_counter() + PATIENCE
        found = _judged(found, fused, batch, mine, make, GIVEN, until)
        yield replace(found, stage="reference, stage by stage", share=0.6)
        if any(len(unit.nodes) > 1 and at_outputs(unit.rewritings, runs.name) for unit in fused.units):
            every = (ref for node in needed_nodes(bound, bound.taps) for ref in output_refs(node).values())
            stages = Engine(bound, runs, tuple(every), exact=False)
            found = _judged(found, stages, batch, _result(stages, batch, stages.taps), make, GIVEN_ALONE, until)
            yield replace(found, stage="reference", share=0.6)
    reference = Engine(bound, make("reference"), keep)
    parts: list[Mapping[Ref, Batch]] = []
    begin = last_said = time.perf_counter()
    count = len(batch.indices)
    for k in range(count):
        parts.append(_step(reference, batch, k))
        now = time.perf_counter()
        if now - begin > PATIENCE:
            break
        if now - last_said < TELL:
            continue
        last_said = now
        yield replace(found, stage=f"reference, frame {k + 1} of {count}", share=0.6 + 0.4 * (k + 1) / count)
    whole = {ref: _joined([part[ref] for part in parts]) for ref in keep}
    some = {ref: data[: len(parts)] for ref, data in mine.items()}
    if len(parts) < count:
        found = _remarked(found, f"the reference had time for {len(parts)} of the {count} frames")
    compared = compare(bound, keep, some, whole, REFERENCE, first)
    if not ask.exact:  # what one program may be off by, others do something with
        compared = tuple(replace(c, bound=np.inf) for c in compared)
    yield replace(found, stage="", share=1.0, compared=(*found.compared, *compared))


def _judged(
    found: Proof, engine: Engine, batch: FrameBatch, mine: Mapping[Ref, Batch], make: Callable[[str], Executor],
    against: str, until: float,
) -> Proof:  # fmt: skip
    """Each program against the reference of the same inputs; stage by stage only what may differ, or does."""
    compared, remark = judged(engine, np.asarray(batch.pixels), mine, make("reference"), found.first, against,
                              lambda: time.perf_counter() > until)  # fmt: skip
    kept = [c for c in compared if against == GIVEN or c.bound > 0 or not c.same]
    found = replace(found, compared=(*found.compared, *kept))
    return _remarked(found, remark) if remark else found


def _remarked(found: Proof, remark: str) -> Proof:
    return replace(found, remark="; ".join(text for text in (found.remark, remark) if text))


def _material(ask: ProofAsk) -> tuple[Bound, FrameBatch, str]:
    """The pipeline bound to the frames, and the frames."""
    pipeline = loads(ask.pipeline)
    if ask.frames is not None:
        pixels = np.ascontiguousarray(ask.frames)
        kind = _type_of(pixels, ask.bits)
        bound = bind(pipeline, kind)
        indices = np.arange(ask.first, ask.first + len(pixels))
        return bound, FrameBatch(indices, indices.astype(np.float64), pixels), "on the pictures as they were shown"
    source = open_source(ask.clip, ask.reading)
    try:
        info = source.info
        bound = prepare(settle_on(pipeline, source, ask.roi).pipeline, source, ask.roi)
        if not ask.exact:  # each program is judged by itself, from the first frame on
            bound = replace(bound, still=None)
        each = sum(t.nbytes for t in bound.types.values() if isinstance(t, ImageType))
        count = max(1, min(ask.most, BYTES // max(each, 1), info.frames))
        first = max(0, min(ask.first, ask.end - count, info.frames - count))
        pixels = np.stack([np.asarray(source.read(k)) for k in range(first, first + count)])
        indices = np.arange(first, first + count)
        times = np.array([info.time.time(k) for k in range(first, first + count)])
        return bound, FrameBatch(indices, times, pixels), ""
    finally:
        source.close()


def _type_of(pixels: Pixels, bits: int) -> ImageType:
    name = {"uint8": "u8", "uint16": "u16", "float32": "f32"}.get(str(pixels.dtype))
    if name is None:
        raise DefinitionError(f"pictures of {pixels.dtype} cannot go into a pipeline; show the camera's own picture")
    channels = pixels.shape[3] if pixels.ndim == 4 else 1
    whole = ImageType(DTYPES[name], pixels.shape[1], pixels.shape[2], channels)
    return replace(whole, bits=bits) if bits else whole


def _groups(ask: ProofAsk, bound: Bound) -> tuple[Sequence[Sequence[str]], str]:
    """The groups that run, as far as they are of this pipeline; else those that would."""
    known = {node.id for node in bound.nodes}
    groups = [[name for name in group.split("+") if name in known] for group in ask.groups]
    groups = [group for group in groups if group]
    held = {name for group in groups for name in group}
    if groups and held >= {node.id for node in needed_nodes(bound, bound.taps)}:
        return groups, ""
    note = "" if not ask.groups else "the groups that run are of another pipeline; those that would run were taken"
    try:
        return planned_groups(bound, bound.taps, measured_cpu()), note
    except DefinitionError:
        return largest_groups(bound, bound.taps), note


def _result(engine: Engine, batch: FrameBatch, keep: Sequence[Ref]) -> dict[Ref, Batch]:
    """All frames from the first-frame state on; copies, since programs may use their memory again."""
    engine.reset()
    made = engine.step(batch)
    return {ref: data.copy() if isinstance(data := made[ref], np.ndarray) else list(data) for ref in keep}


def _step(engine: Engine, batch: FrameBatch, k: int) -> Mapping[Ref, Batch]:
    made = engine.step(FrameBatch(batch.indices[k : k + 1], batch.times[k : k + 1], batch.pixels[k : k + 1]))
    return {ref: data.copy() if isinstance(data, np.ndarray) else list(data) for ref, data in made.items()}


def _joined(parts: Sequence[Batch]) -> Batch:
    if isinstance(parts[0], np.ndarray):
        return np.concatenate([np.asarray(part) for part in parts])
    return [table for part in parts for table in part]


def _timed(found: Proof, fused: Engine, alone: Engine, batch: FrameBatch) -> Proof:
    """Both in turns, medians: what other programs take from the machine, they take from both."""
    begin = time.perf_counter()
    ours: dict[int, list[float]] = {0: [], 1: []}
    rounds = 0
    while rounds < LEAST_ROUNDS or (time.perf_counter() - begin < SECONDS and rounds < MOST_ROUNDS):
        for which in (0, 1) if rounds % 2 else (1, 0):
            engine = (fused, alone)[which]
            hosts = {unit.name for unit in engine.units if unit.body.host is not None}
            engine.reset()
            before = dict(engine.seconds)
            engine.step(batch)
            spent = {name: engine.seconds[name] - before[name] for name in before}
            ours[which].append(sum(s for name, s in spent.items() if name not in hosts))
        rounds += 1
    count = len(batch.indices)
    spread = max(_spread(times) for times in ours.values())
    if spread > UNSTEADY:
        busy = f"the machine was busy, times vary by {spread:.0%}: prove it again when nothing else runs"
        found = _remarked(found, busy)
    a, b = (float(np.median(ours[which])) / count for which in (0, 1))
    return replace(found, fused=a, alone=b, rounds=rounds)


def _spread(times: Sequence[float]) -> float:
    """Distance between the quartiles, by the median."""
    low, median, high = (float(v) for v in np.percentile(times, (25, 50, 75)))
    return (high - low) / median if median > 0 else 0.0
