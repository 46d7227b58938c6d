"""The engine: one batch of frames through all stages of a bound pipeline.

What only programs on one device take stays there (`pipelines.streaming.engine.liveness`); host stages and taps get
NumPy arrays.

Nobody writes to an array that he was given: programs, host functions, trackers and sinks read their inputs. So a value
that is another unchanged (`pipelines.fusing`) is the same array, be it the caller's own pixels. A tap that is one is a
view that cannot be written to, and whoever uses the memory of pixels again looks whether somebody still holds them
(the reader of a clip), or hands out copies (a live run, whose ring is written by the camera).
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from kernels.compiling import part_of
from kernels.errors import DefinitionError, ExprError, FusetrackError, InputError
from kernels.executors.base import Batch, Executor, Idle, PartError, Program, State, compiled
from kernels.param import Value
from pipelines.frame import FrameBatch
from pipelines.fusing import Unit, fuse
from pipelines.graph import SOURCE, Bound, Ref
from pipelines.streaming.engine.joint_starts import JointStart, joint_starts
from pipelines.streaming.engine.liveness import in_words, last_uses, looked_at_nearby, stay
from pipelines.streaming.engine.peek import Peek
from pipelines.streaming.engine.pending import Pending
from pipelines.streaming.engine.stepwise import Stepwise
from pipelines.trackers.lying_images import Here, LyingImages

BEFORE = "the frame before"
"""The program that remembers what loops take of it."""
_LATER = object()
"""In place of a value that is still being made."""


class Engine:
    """Runs batches of consecutive frames; results depend neither on where a batch ends nor on the groups, nor on how
    many batches are under way.

    Programs on a device begin a batch and go on by themselves; so `submit` begins as much of a batch as does not have
    to wait, and `Pending.result` does the rest. Without such programs everything is computed by `submit`.

    Args:
        bound: the pipeline.
        executor: the back end that compiles its bodies.
        keep: outputs to return besides the pipeline's own taps.
        groups: node ids of what runs as one program each; None for one stage a program. A node may be in several.
        exact: as `fuse` takes it; without it values depend on the groups, within the bounds of `Unit.rewritings`.
        resting: outputs that may stay on a device: their results are `pipelines.trackers.lying_images.LyingImages`
            then, which hold until as many more batches have been begun as can be under way.

    Attributes:
        resident: the images that never leave the device that made them.
        settings: what `set_param` has changed, by node and name.
        ahead: batches that are worth beginning before the result of the first is asked for.
        seconds: that the host has spent with each program, waiting for a device included.
        peek: what looks at values inside programs, None for nothing.
        sent_back_before: what `sent_back` counts of programs that are gone, those of engines before included.
    """

    def __init__(
        self,
        bound: Bound,
        executor: Executor,
        keep: tuple[Ref, ...] = (),
        groups: Sequence[Sequence[str]] | None = None,
        exact: bool = True,
        resting: Collection[Ref] = (),
    ) -> None:
        self.bound, self.executor = bound, executor
        self.taps = tuple(dict.fromkeys((*bound.taps, *keep)))
        alone = [(node.id,) for node in bound.nodes]
        share = executor.name != "reference"  # which is the meaning of all stages
        self.units = fuse(bound, alone if groups is None else groups, self.taps, exact, share)
        self._passed_by = frozenset(unit.name for unit in self.units if unit.passed_by)
        self.params: dict[str, dict[str, Value]] = {unit.name: {} for unit in self.units}
        self.settings: dict[tuple[str, str], Value] = {}
        # A tap may be an unchanged value under another name (`pipelines.fusing`): what is computed is the origin, and
        # the tap becomes a view of it in `_tapped`.
        same = self.units[-1].same if self.units else {}
        self._origins = {tap: same.get(tap, tap) for tap in self.taps}
        wanted = tuple(self._origins.values())
        self._steps = Stepwise(self.units, bound.types, wanted)
        at_hand = (*wanted, *self._steps.touched)
        if share:
            self.units = in_words(self.units, at_hand, getattr(executor, "words", False))
        self.programs: dict[str, Program] = {}
        for number, unit in enumerate(self.units, 1):
            with part_of(unit.name, number, len(self.units)):
                self.programs[unit.name] = _compiled(executor, unit)
        # Outputs may rest on a device only if nobody asks for them here under any name.
        rests = {self._origins[tap] for tap in self.taps if tap in resting} if not self._steps else set()
        rests -= {origin for tap, origin in self._origins.items() if tap not in resting}
        self.resident = stay(self.units, self.programs, [ref for ref in at_hand if ref not in rests], rests)
        self._resting = frozenset(tap for tap in self.taps if self._origins[tap] in rests)
        self._nearby = looked_at_nearby(self.units, self.programs, at_hand)
        # What sees a batch in parts (`Stepwise`: feedback loops frame by frame, programs that are asked for) needs the
        # values of the part before, so that nothing can be begun ahead. Else a device program has `slots` sets of
        # buffers: one for the batch whose result is being read, the rest ahead.
        self.ahead = 0 if self._steps else min((program.slots - 1 for program in self._on_devices()), default=0)
        self._done = last_uses(self.units, wanted, self._steps.ends)
        self._joint = joint_starts(self.units, self.programs, self._steps.handles)
        if self._steps.before.values:
            self.programs[BEFORE] = self._steps.before
        self._queue: deque[Pending] = deque()
        self.overflow: dict[str, int] = {}
        self.seconds: dict[str, float] = {unit.name: 0.0 for unit in self.units}
        self.peek: Peek | None = None
        self.sent_back_before: Counter[str] = Counter()
        self._begin_still()

    def _on_devices(self) -> list[Any]:
        return [program for program in self.programs.values() if hasattr(program, "submit")]

    @property
    def pins(self) -> bool:
        """Whether `host_buffer` makes memory that is better for this engine than any other."""
        return hasattr(self.executor, "host_buffer")

    @property
    def slow(self) -> str:
        """A sentence that names the stages which the reference computes in place of the back end; "" for none."""
        found: dict[str, dict[str, None]] = {}
        for unit in self.units if self.executor.name != "reference" else ():
            program: Any = self.programs[unit.name]
            if unit.body.host is None and getattr(program, "back_end", "") == "reference":
                names = found.setdefault(program.reason, {})
                names |= dict.fromkeys(node.id.partition("/")[0] for node in unit.nodes)
        return "; ".join(f"{' + '.join(names)}: computed by the reference, which is slow, for {reason}"
                         for reason, names in found.items())  # fmt: skip

    def host_buffer(self, shape: Sequence[int], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """An array of any content for frames: one that goes to the device of this engine without another copy, if it
        has one. It must stay as it is until the result of the batch that has it is there. Safe from any thread."""
        make = getattr(self.executor, "host_buffer", np.empty)
        made: npt.NDArray[Any] = make(shape, dtype)
        return made

    def step(self, batch: FrameBatch) -> Mapping[Ref, Batch]:
        """The tapped outputs of one batch: arrays (frames, *shape), or a list of tables.

        Raises:
            InputError: there is not enough memory.
            ExprError: the function of an opaque stage fails.
        """
        return self.submit(batch).result()

    def submit(self, batch: FrameBatch) -> Pending:
        """Begin a batch, with the parameters as they are now; what goes wrong is raised by the result.

        The pixels must stay as they are until the result is there, and as long as somebody holds a result that is they
        (`numpy.may_share_memory`). Batches are worked on in order; when more are begun
        than `ahead` and one, the first is finished here.
        """
        # Back pressure: memory for batches is bounded by the slots of the programs, so that the oldest is finished
        # before one more is begun.
        while len(self._queue) > self.ahead:
            self.finish(self._queue[0])
        # Copies: parameters that change while the batch is under way hold from the next one on.
        params = {unit.name: dict(self.params[unit.name]) for unit in self.units}
        pending = Pending(self, batch, params, {Ref(SOURCE): batch.pixels})
        self._queue.append(pending)
        if self.ahead:
            self._advance(pending, wait=False)
        else:
            self.finish(pending)
        return pending

    def drain(self) -> None:
        """Finish every batch that was begun; the results wait until they are asked for."""
        while self._queue:
            self.finish(self._queue[0])

    def abandon(self) -> None:
        """Let go of every batch that is under way, as far as it was begun, without results. The state is then
        that of no particular frame. Waits until devices are done with the memory of these batches."""
        while self._queue:
            pending = self._queue.popleft()
            pending.error = RuntimeError("the batch was abandoned")
            pending.close()
        for program in self._on_devices():
            with contextlib.suppress(Exception):  # a device that is lost has no work left
                program.drain()

    def finish(self, pending: Pending) -> None:
        """Finish the batches up to this one."""
        while not pending.done:
            first = self._queue[0]
            self._advance(first, wait=True)
            if first.error is None:
                try:
                    # Programs that were begun and whose results nobody has asked for yet.
                    for number in list(first.begun):
                        self._collect(first, number)
                    first.made = {tap: self._tapped(first, tap) for tap in self.taps}
                except Exception as error:
                    first.error = error
            first.close()
            self._queue.popleft()

    def _tapped(self, pending: Pending, tap: Ref) -> Batch:
        """A value as it leaves; as a read-only view."""
        origin = self._origins[tap]
        data: Any = pending.values[origin]
        if hasattr(data, "fetched"):
            return cast(Batch, LyingImages(data))
        there = pending.lying.get(origin) if tap in self._resting else None
        if there is not None and isinstance(data, np.ndarray):  # frames of the clip, which went up
            return cast(Batch, LyingImages(there, here=Here(data)))
        if origin != tap and isinstance(data, np.ndarray):
            data = data.view()
            data.flags.writeable = False
        return cast(Batch, data)

    def _advance(self, pending: Pending, wait: bool) -> None:
        """Take a batch through the programs that come next: all of them if `wait`, else as far as nothing has to be
        waited for. An error ends it."""
        # A program has state from frame to frame, so that it must see batches in order: this batch waits at a program
        # until the one before it has passed it.
        behind = None
        for other in self._queue:
            if other is pending:
                break
            behind = other
        try:
            while pending.at < len(self.units) and (behind is None or behind.at > pending.at):
                # What looks at values inside programs sees one after the other.
                joint = self._joint.get(pending.at) if self.peek is None else None
                if not (self._begin(pending, pending.at, wait) if joint is None else
                        self._begin_together(pending, joint, wait)):  # fmt: skip
                    return
                pending.at += 1 if joint is None else len(joint.units)
        except Exception as error:
            pending.error, pending.at = error, len(self.units)

    def _begin(self, pending: Pending, number: int, wait: bool) -> bool:
        """Begin a program's part of a batch; False if it would have to wait and must not."""
        # Those that see a batch in parts: all units of a loop run at the first one's turn.
        if self._steps.handles(number):
            for begun in list(pending.begun):
                self._collect(pending, begun)
            self._steps.advance(pending, number, self._run_part)
            self._let_go(pending, number)
            return True
        unit = self.units[number]
        program: Any = self.programs[unit.name]
        inputs: list[Any] = []
        for ref in unit.inputs:
            found = None if ref is None else self._input(pending, ref, program, wait)
            if found is _LATER:
                return False
            inputs.append(found)
        start = time.perf_counter()
        params = pending.params[unit.name]
        look = None
        if self.peek is not None and not (unit.idle and any(taken is None for taken in inputs)):
            ask = partial(self.peek.look, int(pending.batch.indices[0]), unit.name, program, inputs, params)
            look = self._called(unit, pending.batch, ask)
        call = partial(getattr(program, "submit", program.run), inputs, params)
        # The image is needed near the mask's pixels only: a device may send these alone.
        if unit.name in self._nearby:
            mask, image, taker, near = self._nearby[unit.name]
            reach = near.reach({**taker.body.params, **pending.params[taker.name]})
            call = partial(call, near=(mask, image, reach))
        made = self._called(unit, pending.batch, call)
        if look is not None:
            pending.peeked |= self._called(unit, pending.batch, look)
        if hasattr(program, "submit"):
            self._left(pending, unit, number, made)
        else:
            self._found(pending, unit, made)
        pending.seconds[unit.name] = pending.seconds.get(unit.name, 0.0) + time.perf_counter() - start
        # Values are released as soon as their last reader has begun (`last_uses`), which bounds memory and lets buffers
        # be used again; a local list would keep them alive.
        del inputs
        self._let_go(pending, number)
        return True

    def _begin_together(self, pending: Pending, joint: JointStart, wait: bool) -> bool:
        """Begin the parts of programs that begin together; False if they would have to wait and must not."""
        inputs: list[list[Any]] = []
        for unit, wires in zip(joint.units, joint.wires, strict=True):
            program = self.programs[unit.name]
            taken = [None if ref is None or i in wires else self._input(pending, ref, program, wait)
                     for i, ref in enumerate(unit.inputs)]  # fmt: skip
            # Nothing has begun yet, so that the whole group can be tried again later.
            if any(one is _LATER for one in taken):
                return False
            inputs.append(taken)
        start = time.perf_counter()
        try:
            submit = partial(joint.start.submit, inputs, [pending.params[unit.name] for unit in joint.units])
            begun = self._called(joint.units[0], pending.batch, submit)
        except PartError as error:
            failed = error.error
            if not isinstance(failed, FusetrackError):
                self._explain(joint.units[error.number], pending.batch, failed)
            raise failed from failed.__cause__
        # They began together: each counts an equal share.
        spent = (time.perf_counter() - start) / len(joint.units)
        inputs.clear()
        for number, (unit, made) in enumerate(zip(joint.units, begun, strict=True), joint.first):
            self._left(pending, unit, number, made)
            pending.seconds[unit.name] = pending.seconds.get(unit.name, 0.0) + spent
        for number in range(joint.first, joint.first + len(joint.units)):
            self._let_go(pending, number)
        return True

    def _left(self, pending: Pending, unit: Unit, number: int, made: Any) -> None:
        """What a program on a device has begun, and what lies there."""
        pending.begun[number] = made
        pending.lying |= {unit.outputs[name]: there for name, there in made.lying.items()}
        for i, there in made.uploads.items():  # what is up need not go up again for the next program
            ref = unit.inputs[i]
            if ref is not None:
                pending.lying[ref] = there

    def _let_go(self, pending: Pending, number: int) -> None:
        for done in self._done[number]:
            pending.values.pop(done, None)
            pending.lying.pop(done, None)

    def _run_part(self, pending: Pending, unit: Unit, inputs: Sequence[Any], last: bool) -> Mapping[str, Batch]:
        """Run a program on a part of a batch, its last frames if `last`."""
        program, params = self.programs[unit.name], pending.params[unit.name]
        start = time.perf_counter()
        look = None
        if self.peek is not None and last:
            ask = partial(self.peek.look, int(pending.batch.indices[0]), unit.name, program, inputs, params)
            look = self._called(unit, pending.batch, ask)
        made: Mapping[str, Batch] = self._called(unit, pending.batch, partial(program.run, inputs, params))
        if look is not None:
            pending.peeked |= self._called(unit, pending.batch, look)
        pending.seconds[unit.name] = pending.seconds.get(unit.name, 0.0) + time.perf_counter() - start
        return made

    def _input(self, pending: Pending, ref: Ref, program: Any, wait: bool) -> Any:
        """A value as a program takes it: where it lies, if that is the program's own device. One that takes nothing
        gets it where it is on the host already, for readers there."""
        if isinstance(program, Idle):
            return pending.values.get(ref)
        there = pending.lying.get(ref)
        if there is not None and there.device is getattr(program, "device", None):
            return there
        if ref not in pending.values:
            # Its maker is at work on a device: to fetch it would wait.
            if not wait:
                return _LATER
            maker = next(n for n in pending.begun if ref in self.units[n].outputs.values())
            self._collect(pending, maker)
        return pending.values[ref]

    def _collect(self, pending: Pending, number: int) -> None:
        """Wait for a program's part of a batch."""
        unit = self.units[number]
        begun = pending.begun.pop(number)
        start = time.perf_counter()
        self._found(pending, unit, self._called(unit, pending.batch, begun.result))
        pending.seconds[unit.name] += time.perf_counter() - start

    def _found(self, pending: Pending, unit: Unit, made: Mapping[str, Batch]) -> None:
        for name, data in made.items():
            pending.values[unit.outputs[name]] = data
            pending.count_overflow(unit.outputs[name].node, data)

    def _called(self, unit: Unit, batch: FrameBatch, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except (FusetrackError, PartError):
            raise
        except Exception as error:
            self._explain(unit, batch, error)
            raise

    def _explain(self, unit: Unit, batch: FrameBatch, error: Exception) -> None:
        """Raise what says where a program failed and why; returns where the error speaks for itself."""
        where = f"{unit.name} (frames {batch.indices[0]} to {batch.indices[-1]})"
        if isinstance(error, MemoryError):
            sizes = ", ".join(str(ref_type) for ref_type in dict.fromkeys(o.type for o in unit.body.outputs))
            raise InputError(f"there is not enough memory for {where}, which makes {sizes}; take a part of the picture "
                             "(--roi) or smaller pictures") from error  # fmt: skip
        _on_a_device(self.programs[unit.name], where, error)  # first: a device may run what has a host function, too
        if unit.body.host is not None:
            raise ExprError(f"{where} fails with {type(error).__name__}: {' '.join(str(error).split())}") from error

    def set_param(self, node: str, name: str, value: object) -> None:
        """Change a live parameter from the next batch on that is begun.

        Raises:
            DefinitionError: no such node or parameter, a bad value, or a structural parameter.
        """
        units = [u for u in self.units if any(n.id == node for n in u.nodes)]
        if not units:
            raise DefinitionError(f"there is no node {node!r} in the running pipeline")
        declared = units[0].param(node, name)
        if declared is None:
            raise DefinitionError(f"node {node!r} has no parameter {name!r}")
        if declared.structural:
            raise DefinitionError(f"{node}.{name} changes the code of the pipeline and cannot change while it runs")
        checked = declared.check(value, f"{node}.{name}")
        self.settings[node, name] = checked
        for unit in units:  # every copy
            self.params[unit.name][unit.params[node, name]] = checked

    def snapshot(self) -> Mapping[str, State]:
        """The state of every program after all batches that were begun; `restore` goes on from it bit for bit.

        Raises:
            InputError: a device says no.
        """
        self.drain()
        return {name: _asked(program, name, program.snapshot) for name, program in self.programs.items()}

    def takes(self, state: Mapping[str, Any]) -> bool:
        """Whether a snapshot is of the same programs, each with a memory of as many frames."""
        fresh = self.snapshot()
        nodes = {node.id for unit in self.units for node in unit.nodes}
        # What another back end has computed that is passed by here has names of nodes that no unit here has.
        beyond = {name for name in state.keys() - fresh.keys() if name == BEFORE or nodes & {*name.split("+")}}
        lacking = fresh.keys() - state.keys() - self._passed_by
        return not beyond and not lacking and all(
            len(fresh[name]["history"]) == len(state[name]["history"]) for name in fresh.keys() & state.keys()
        )  # fmt: skip

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a snapshot of an engine with the same pipeline and groups; batches begun before are finished.

        What one of both does not compute, since nothing reads it there (`Unit.passed_by`), begins anew.

        Raises:
            InputError: a device says no.
        """
        self.drain()
        for name, program in self.programs.items():
            begins = name not in state and name in self._passed_by
            _asked(program, name, program.reset if begins else partial(program.restore, state[name]))

    def reset(self) -> None:
        """Go back to the first-frame state, behind the still picture if there is one; batches begun before are
        finished, live parameters stay.

        Raises:
            InputError: a device says no.
        """
        self.drain()
        for name, program in self.programs.items():
            _asked(program, name, program.reset)
        self._begin_still()

    def _begin_still(self) -> None:
        """Show what remembers the still picture of the clip, which counts as no frame."""
        if self.bound.still is None:
            return
        # It is no frame of the clip: what it costs and counts is taken back.
        counted, spent, peek = dict(self.overflow), dict(self.seconds), self.peek
        self.peek = None
        self.step(FrameBatch(np.array([-1]), np.zeros(1), self.bound.still[None]))
        self.overflow, self.seconds, self.peek = counted, spent, peek

    @property
    def sent_back(self) -> Mapping[str, int]:
        """Frames, by the name of the program, whose tables the host made since there was more in them than a device's
        kernels have room for."""
        now = {name: getattr(program, "sent_back", 0) for name, program in self.programs.items()}
        return dict(self.sent_back_before + Counter(now))  # only those that have any

    def close(self) -> None:
        """Let go of all programs, also if this engine is kept; it computes no more. Its counts and live parameters
        stay."""
        self.abandon()
        self.sent_back_before = Counter(self.sent_back)
        self.programs, self.peek, self._joint = {}, None, {}


def _compiled(executor: Executor, unit: Unit) -> Program:
    try:
        return compiled(executor, unit.body)
    except FusetrackError:
        raise
    except Exception as error:  # a driver says no in many ways
        _on_a_device(executor, unit.name, error)
        raise


def _asked(program: Program, name: str, call: Callable[[], Any]) -> Any:
    """What a program says of its state."""
    try:
        return call()
    except FusetrackError:
        raise
    except Exception as error:
        _on_a_device(program, f"the state of {name}", error)
        raise


def _on_a_device(made: object, where: str, error: Exception) -> None:
    """Say in a sentence what a driver's error ended, if `made` is on a device."""
    if getattr(made, "device", None) is not None:
        raise DefinitionError(f"{where} fails on the GPU with {type(error).__name__}: {' '.join(str(error).split())}; "
                              "start again, or use --device cpu") from error  # fmt: skip
