"""The cpu executor: bodies as machine code, vectorised, fused row by row, in strips of rows that threads share.

Bit for bit the reference, whatever the number of threads. Every strip keeps the states of its own rows and of the few
beyond that it looks at, and brings all of them forward itself: strips never wait for one another inside a pass.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.codegen.pool import EXPORTS, pool_text
from kernels.codegen.vector import generate
from kernels.errors import DefinitionError
from kernels.executors.base import Batch, InputCheck, Out, OutputCheck, Program, State
from kernels.executors.cache import ObjectCache
from kernels.executors.machine import Library, Machine
from kernels.executors.manifest import History, Manifest, generator, key_of, name_of, pack, unpack
from kernels.executors.memory import SPARE_BYTES, FrameBuffer, InputPast, Spares, address, delayed
from kernels.executors.placement import available, first_cache, shared_cache
from kernels.executors.reference import ReferenceProgram
from kernels.executors.sparing import Sparing
from kernels.executors.strip_runner import PassRunner, strip_count
from kernels.executors.workers import Workers, kernel_sleep
from kernels.fusion.lower import lower
from kernels.fusion.normal import Unsupported, normalise
from kernels.fusion.rows import Access
from kernels.ir.body import Body
from kernels.ir.expr import Expr
from kernels.ir.image import ImageType
from kernels.ir.volumes import has_volumes
from kernels.loops.scratch import keep_freed
from kernels.param import Value

CHUNK = 16
"""Frames for which whole-frame temporaries are kept at a time, at most."""
MOST_UNFIT = 16
"""Values that layers turn out not to hold, of a body that falls apart at these: each is found by lowering all again,
which takes .1 s of a hundred layers."""
NEAR = 8
"""The part of the shared cache for what is kept from frame to frame and from pass to pass: the rest is for the frames
that come and go. Measured with 8-MP frames: an eighth beats a half by 1.2 (seed chain); less gains no more."""
LEAST = 8192
"""Pixels of the smallest strip that is handed to another thread unless the number of threads is given."""
_Place = tuple[int, int]  # where the frames of an image lie: the first, and bytes from one to the next
EARLY = 1 << 17
"""Pixels of a frame from which a thread that sleeps is woken before a batch is made ready: 4 to 10 % of a frame of
512x512 a millisecond after another; of 256x256, which are done when it arrives, it would cost 3 %."""
TABLES = 64 << 20
"""Bytes that all strips' parts of a batch's tables may take."""


class CpuExecutor:
    """Compiles bodies for this machine.

    Args:
        isa: "auto", or an x86 level for tests; see `kernels.executors.machine`.
        threads: that share the strips, exactly so many where there are rows enough (62 at most); 0 for as many as this
            process has processors, fewer for small images.
        cached: whether compiled programs are kept on disk.
        columns: of the blocks in which strips are worked on wherever that is possible, for tests; 0 for what the
            processor's first cache calls for (see `kernels.fusion.columns`).

    Attributes:
        fallbacks: why bodies run on the reference, a sentence each.
        remarks: what else the user should know, a sentence each.
    """

    name = "cpu"

    def __init__(self, isa: str = "auto", threads: int = 0, cached: bool = True, columns: int = 0) -> None:
        keep_freed()
        self.machine = Machine(isa)
        self.cache = ObjectCache() if cached else None
        self.fallbacks: list[str] = []
        self.remarks = [self.cache.refusal] if self.cache and self.cache.refusal else []
        self.least = 1 if threads else LEAST
        self.near = shared_cache() // NEAR
        self.blocks = (first_cache(), columns)
        try:
            self.workers = Workers(threads or available(), self._pool(), kernel_sleep(self.machine.triple))
        except (RuntimeError, OSError) as error:
            raise DefinitionError(f"the cpu back end cannot run code that it makes ({error}); use the reference back "
                                  "end") from error  # fmt: skip

    def compile(self, body: Body) -> Program:
        """A program for `body`; one that the back end cannot express runs on the reference (see `back_end`)."""
        if body.host is not None:
            return self._fallback(body, "it is a host function")
        if has_volumes(body.roots):
            return self._network(body)
        # The machine's features are a part of it: code of another one may not run here.
        key = key_of(body, (*self.machine.identity, repr(self.blocks))) if self.cache else ""
        made = unpack(self.cache.get(key)) if self.cache and key else None
        if made is None:
            try:
                rows = lower(body, *self.blocks)
                code = generate(body, rows)
            except Unsupported as reason:
                return self._fallback(body, str(reason))
            made = Manifest.of(normalise(body), rows, code), self.machine.compile(code.text)
            if self.cache and key:
                self.cache.put(key, pack(*made))
        manifest, obj = made
        library = self.machine.load(obj, [plan.name for plan in manifest.passes])
        counts = [strip_count(plan, self.workers.threads, self.near, self.least) for plan in manifest.passes]
        return CpuProgram(body, manifest, counts, self.least, library, self.workers, self.near, self.blocks)

    def _network(self, body: Body) -> Program:
        """A program for a body with layers of a network."""
        from kernels.executors.networks import NetworkProgram  # here: most pipelines have none, and start sooner

        try:
            return NetworkProgram(body, self.machine, self.compile, self.cache, self.workers)
        except Unsupported as reason:
            return self._apart(body, reason) or self._fallback(
                body, f"it has layers of a network for which there is no code: {reason}"
            )

    def _apart(self, body: Body, reason: Unsupported) -> Program | None:
        """Programs for the layers of a body and for what they cannot hold, before, between and behind them; None where
        that is not what is wrong.

        Args:
            reason: why layers cannot hold all of it.
        """
        from kernels.executors.layers_apart import ApartProgram  # here: see `_network`
        from kernels.executors.networks import NetworkProgram
        from kernels.fusion.layers_apart import Piece, apart

        unfit: set[Expr] = set() if reason.node is None else {reason.node}
        while len(unfit) <= MOST_UNFIT:
            at: Piece | None = None
            layers: list[Program] = []
            try:
                pieces = apart(body, unfit)
                for at in (piece for piece in pieces if piece.layers):
                    layers.append(NetworkProgram(at.body, self.machine, self.compile, self.cache, self.workers))
            except Unsupported as wrong:
                node = None if wrong.node is None or at is None else at.in_whole(wrong.node)
                if node is None or node in unfit:
                    return None
                unfit.add(node)
                continue
            if len(pieces) == len(layers) <= 1:  # nothing is apart
                return None
            made = iter(layers)
            return ApartProgram(body, pieces, [next(made) if p.layers else self.compile(p.body) for p in pieces])
        return None

    def _fallback(self, body: Body, reason: str) -> FallbackProgram:
        self.fallbacks.append(reason)
        return FallbackProgram(body, reason)

    def _pool(self) -> Library:
        """The code of the threads."""
        key = name_of("pool", generator(), *self.machine.identity) if generator() else ""
        made = self.cache.get(key) if self.cache and key else None
        if made is None:
            made = self.machine.compile(pool_text(self.machine.triple))
            if self.cache and key:
                self.cache.put(key, made)
        return self.machine.load(made, EXPORTS)


class FallbackProgram(ReferenceProgram):
    """A body that the reference runs, and why."""

    back_end = "reference"

    def __init__(self, body: Body, reason: str) -> None:
        super().__init__(body)
        self.reason = reason


class CpuProgram:
    """A compiled body with its state.

    Attributes:
        back_end: "cpu".
        reason: empty.
        keeps_near: that `run` takes `near`.
    """

    back_end = "cpu"
    reason = ""
    keeps_near = True

    def __init__(
        self, body: Body, manifest: Manifest, counts: Sequence[int], least: int, library: Library, workers: Workers,
        near: int, blocks: tuple[int, int],
    ) -> None:  # fmt: skip
        self.body, self.manifest, self._blocks = body, manifest, blocks
        self._workers = workers
        self._early = any(plan.height * plan.width >= EARLY for plan in manifest.passes)
        self._check, self._check_out = InputCheck(body), OutputCheck(body)
        self._passes = [PassRunner(body, plan, count, least, workers, library)
                        for plan, count in zip(manifest.passes, counts, strict=True)]  # fmt: skip
        self._owner = {name: runner for runner in self._passes for name in runner.plan.states}
        self._spares = {i: Spares(o.type.shape, o.type.dtype.numpy)
                        for i, o in enumerate(body.outputs) if isinstance(o.type, ImageType)}  # fmt: skip
        self._buffers = [FrameBuffer(rows, depth) for rows, depth in zip(manifest.frames, manifest.depth, strict=True)]
        self._limit = _chunk(manifest, sum(runner.table_bytes for runner in self._passes), near)
        self.reset()

    @property
    def text(self) -> str:
        """The LLVM IR, printed anew."""
        return generate(self.body, lower(self.body, *self._blocks)).text

    def reset(self) -> None:
        self.frames = 0
        self._kept = 0  # frames of the past that the buffers hold
        self._past = {}
        for index, depth in self.manifest.inputs_back:
            type_ = self.body.inputs[index]
            assert isinstance(type_, ImageType)
            self._past[index] = InputPast(depth, type_.shape, type_.dtype.numpy)

    def run(
        self, inputs: Sequence[Batch | None], params: Mapping[str, Value], out: Out | None = None,
        near: tuple[str, str, int] | None = None,
    ) -> Mapping[str, Batch]:  # fmt: skip
        """See `Program.run`.

        Args:
            near: names of a mask and of an image among the outputs, and how far (px) from true pixels of the mask
                anybody looks at the image: very large ones keep only that.
        """
        # A thread takes some 20 us to arrive, as long as the checks below.
        if self._early:
            self._workers.rouse()
        frames = self._check(inputs, params)
        if out:
            self._check_out(out, frames, inputs)
        values = {**self.body.params, **params}
        given = [None if batch is None else np.ascontiguousarray(batch) for batch in inputs]
        results: dict[str, Any] = {}
        places: dict[int, _Place] = {}
        for i, output in enumerate(self.body.outputs):
            spares = self._spares.get(i)
            if spares is None:
                results[output.name] = []
                continue
            # The caller's array has been checked: machine code writes there without asking.
            if out and output.name in out:
                array = out[output.name]
                where = address(array)
            else:
                # Spare arrays are used again once nobody holds them: fresh pages cost more than some passes.
                array, where = spares.take(frames)
            results[output.name] = array
            places[i] = where, array.strides[0]
        made = None
        # Only where one pass makes both the mask and the image, row after row.
        if near is not None and frames == 1 and len(self._passes) == 1 and results[near[1]].nbytes > SPARE_BYTES:
            made = Sparing(results[near[0]][0], results[near[1]][0], near[2]).upto
        done = 0
        if self.frames == 0 and frames and not self.manifest.plain_start:
            self._start_by_reference([None if g is None else g[:1] for g in given], values, results)
            done = 1
        sources = [None if g is None else (address(g), g.strides[0]) for g in given]
        # Whole-frame temporaries of a chunk stay in the shared cache.
        while done < frames:
            count = min(frames - done, self._limit)
            self._chunk(given, sources, places, values, results, done, count, made)
            done += count
        return results

    def _start_by_reference(self, inputs: Sequence[Any], params: Mapping[str, Value], results: dict[str, Any]) -> None:
        """The first frame, where states start from values that need more than their pixel."""
        # Parameters that are no live ones are in the body.
        first = ReferenceProgram(self.body)
        made = first.run(inputs, {name: params[name] for name in self.body.live})
        for name, data in made.items():
            if isinstance(data, np.ndarray):
                results[name][:1] = data
            else:
                results[name] += data
        self.restore(first.snapshot())

    def _chunk(
        self,
        given: Sequence[np.ndarray | None],
        sources: Sequence[_Place | None],
        places: Mapping[int, _Place],
        params: Mapping[str, Value],
        results: dict[str, Any],
        start: int,
        count: int,
        made: Callable[[int], None] | None,
    ) -> None:
        """Frames [start, start + count) of a batch."""
        for buffer in self._buffers:
            buffer.make_room(count)
        # Passes one after another: each reads whole frames of those before.
        for runner in self._passes:
            runner.begin(count)
            for row, access in enumerate(runner.plan.accesses):
                if access.kind == "frame":
                    self._frame(runner, row, access, count)
                    continue
                # Addresses and distances of frames, which machine code takes instead of arrays.
                place = places[access.index] if access.kind == "output" else sources[access.index]
                assert place is not None
                first, step = place[0] + start * place[1], place[1]
                if access.dt == 0:
                    runner.even(row, first, step)
                else:
                    # Frames of the past lie in another array: an address each.
                    here = [first + i * step for i in range(count)]
                    runner.anywhere(row, delayed(here, self._past[access.index].addresses(), access.dt))
            for index, rows in runner.run(self.frames == 0, params, made).items():
                results[self.body.outputs[index].name] += rows
        # After all passes, which look at the past before this chunk.
        for index, past in self._past.items():
            images = given[index]
            assert images is not None
            past.add(images[start : start + count])
        for buffer in self._buffers:
            buffer.keep(count)
        self._kept += count
        self.frames += count

    def _frame(self, runner: PassRunner, row: int, access: Access, count: int) -> None:
        """The addresses of a whole-frame store."""
        buffer = self._buffers[access.index]
        if access.dt == 0:
            runner.even(row, buffer.address(0), buffer.rows.size)
            return
        before = min(buffer.depth, self._kept)
        every = [buffer.address(i) for i in range(-before, count)]
        runner.anywhere(row, delayed(every[before:], every[:before], access.dt))

    def snapshot(self) -> State:
        memory = {name: self._owner[name].state(name) for name in self.manifest.recurrences} if self.frames else {}
        past = [[a.copy() for a in self._history(history)] for history in self.manifest.histories]
        return {"frames": self.frames, "memory": memory, "history": past}

    def _history(self, history: History) -> list[np.ndarray]:
        """The last frames of a plane, as far as they are known."""
        if history.input >= 0:
            frames = [f if f.ndim == 2 else f[:, :, history.channel] for f in self._past[history.input].frames]
            return frames[-history.depth :]
        buffer = self._buffers[history.frames[0]]
        view = buffer.view()
        return [view[k] for k in range(buffer.depth - min(self._kept, history.depth), buffer.depth)]

    def restore(self, state: State) -> None:
        self.reset()
        self.frames = self._kept = state["frames"]
        for name, array in state["memory"].items():
            self._owner[name].set_state(name, array)
        for history, past in zip(self.manifest.histories, state["history"], strict=True):
            if history.input >= 0:
                self._past[history.input].restore(past, history.channel)
            # From the youngest back: buffers hold the past before their first frame.
            for number in history.frames if past else ():
                buffer = self._buffers[number]
                view = buffer.view()
                for k, image in enumerate(reversed(past), start=1):
                    view[buffer.depth - k] = image


def _chunk(manifest: Manifest, table_bytes: int, near: int) -> int:
    """Frames that are worked on at a time: as many as come, where nothing has to be kept for a whole chunk."""
    limit = max(1, TABLES // table_bytes) if table_bytes else sys.maxsize
    if manifest.frames:
        limit = min(limit, CHUNK, max(1, near // sum(rows.size for rows in manifest.frames)))
    return limit


def create(threads: int = 0) -> CpuExecutor:
    """For `kernels.executors.base.executor`.

    Raises:
        DefinitionError: llvmlite is missing.
    """
    return CpuExecutor(threads=threads)
