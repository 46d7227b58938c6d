"""An engine for a pipeline: which back end, which groups; as a run chooses them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from kernels.errors import DefinitionError, InputError
from kernels.ir.image import ImageType
from pipelines.frame import Pixels, SourceInfo
from pipelines.frontend import Roi
from pipelines.fusing import largest_groups, tensor_kinds
from pipelines.graph import Bound, Pipeline, Ref
from pipelines.planning.tuning import kept_groups, planned_groups
from pipelines.streaming.common.changes import Change
from pipelines.streaming.common.options import Computation
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.common.still import asking
from pipelines.streaming.engine.choice import Choice, choose, on_cpu, without_advice
from pipelines.streaming.engine.engine import Engine

BATCH_BYTES = 16 << 20
"""Batches hold at most this many bytes of delivered frames, so that memory does not depend on the frame size."""
WORK_BYTES = 256 << 20
"""And as many frames that the pictures that all stages make of them take at most this (or one frame)."""


@dataclass(frozen=True)
class Order:
    """How pipelines are to be built for one source.

    Args:
        info: the source.
        device: as `choose` takes it; where it is "auto" and a GPU refuses, the processor takes over.
        roi: the region to crop to.
        batch: frames a batch that the planner reckons with.
        pictures: whether the plain picture is kept.
        exact: as `Engine` takes it.
        sample: frames of the source, (n, *shape), to try an engine on (`warming.py`); None for made-up ones.
        still: makes the still picture of the source, where a pipeline asks for it; None where there is none.
    """

    info: SourceInfo
    device: str = "auto"
    roi: Roi | None = None
    batch: int = 16
    pictures: bool = False
    exact: bool = True
    sample: Pixels | None = field(default=None, compare=False)
    still: Callable[[], Pixels | None] | None = field(default=None, compare=False)

    @classmethod
    def of(cls, info: SourceInfo, options: Computation, batch: int, sample: Pixels | None = None) -> Order:
        """The order for a source by the options of a run."""
        return cls(info, options.device, options.roi, batch, options.pictures, options.exact, sample)


@dataclass(frozen=True)
class Built:
    """An engine, ready to run.

    Args:
        pipeline: what it computes.
        bound: the same for the frames of the source.
        engine: in its first-frame state.
        choice: what runs and why.
        most: frames a batch, at most, so that the memory suffices.
        note: a sentence to warn with, or "".
        rate: frames a second that it took in a trial (`warming.warm`); 0 if that was not tried.
    """

    pipeline: Pipeline
    bound: Bound
    engine: Engine
    choice: Choice
    most: int
    note: str = ""
    rate: float = 0.0


def build(pipeline: Pipeline, order: Order) -> Built:
    """Choose a back end, plan and compile.

    Raises:
        InputError: the pipeline does not fit the source, or nothing can run it.
    """
    bound = _bound(pipeline, order)
    wanted = _wanted(bound, order)
    most = _most(bound, order)
    # Where the processor may take over, trackers get pixels (`_compiled`).
    choice = choose(order.device, replace(bound, asked=bound.taps), wanted, min(order.batch, most))
    try:
        return _compiled(pipeline, bound, choice, most, order)
    except InputError as error:
        if not may_fall_back(choice):
            raise
        return on_processor(pipeline, order, choice, error)


def _bound(pipeline: Pipeline, order: Order) -> Bound:
    bound = bound_for(pipeline, order.info, order.roi)
    return replace(bound, still=order.still()) if order.still is not None and asking(pipeline) else bound


def may_fall_back(choice: Choice) -> bool:
    """Whether the processor may take over: a GPU runs, and the user left the choice."""
    return choice.asked == "auto" and choice.machine is not None


def on_processor(pipeline: Pipeline, order: Order, failed: Choice, error: Exception, at: int | None = None) -> Built:
    """The same on the processor, after a GPU failed with `error`.

    Args:
        at: the frame at which it failed, None for before the first.
    """
    bound = _bound(pipeline, order)
    choice = _after(failed, error, at)
    built = _compiled(pipeline, bound, choice, _most(bound, order), order)
    return replace(built, note="; ".join(text for text in (choice.why, built.note) if text))


def in_place_of(built: Built, order: Order, error: Exception, at: int) -> Built:
    """The same on the processor with the same groups, so that a state of the engine that failed at frame `at` is one of
    this one, too."""
    engine = built.engine
    keep = tuple(ref for ref in engine.taps if ref not in built.bound.taps)
    groups = [tuple(node.id for node in unit.nodes) for unit in engine.units]
    choice = _after(built.choice, error, at)
    made = Engine(built.bound, choice.executor, keep, groups, order.exact)
    note = "; ".join(text for text in (choice.why, choice.note) if text)
    return replace(built, engine=made, choice=choice, note=note, rate=0.0)


def _after(failed: Choice, error: Exception, at: int | None) -> Choice:
    where = "" if at is None else f" at frame {at}"
    return on_cpu("auto", f"{failed.device} failed{where}: {without_advice(error)}")


def _most(bound: Bound, order: Order) -> int:
    """Frames a batch, at most, so that the memory suffices."""
    made = sum(type_.nbytes for type_ in bound.types.values() if isinstance(type_, ImageType))
    return max(1, min(BATCH_BYTES // order.info.image.nbytes, WORK_BYTES // made))


def _wanted(bound: Bound, order: Order) -> tuple[Ref, ...]:
    return tuple(dict.fromkeys((*bound.taps, *((bound.picture,) if order.pictures else ()))))


def _compiled(pipeline: Pipeline, bound: Bound, choice: Choice, most: int, order: Order) -> Built:
    keep = (bound.picture,) if order.pictures else ()
    groups, remark = _groups(bound, _wanted(bound, order), choice, min(order.batch, most), order.exact)
    # A GPU that fails under a tracker ends the run, whose frames are gone by then: so where the user names one.
    resting = frozenset() if may_fall_back(choice) else bound.resting - {*keep}
    engine = Engine(bound, choice.executor, keep, groups, order.exact, resting)
    remarks: Sequence[str] = getattr(choice.executor, "remarks", ())
    note = "; ".join(text for text in (choice.note, *remarks, remark, engine.slow) if text)
    return Built(pipeline, bound, engine, choice, most, note)


def _groups(
    bound: Bound, wanted: Sequence[Ref], choice: Choice, batch: int, exact: bool
) -> tuple[Sequence[Sequence[str]] | None, str]:
    """The groups and a remark, as `Runner` takes them: those found fastest here before, else the planner's."""
    if choice.model is None:
        return None, ""
    groups, remark = kept_groups(bound, wanted, machine=choice.machine)
    if groups is not None:
        return groups, ""
    try:
        tensor = None if exact or choice.model.kind != "cuda" else tensor_kinds(bound, wanted)
        return planned_groups(bound, wanted, choice.model, batch, tensor), remark
    except DefinitionError:
        return largest_groups(bound, wanted), remark


def set_live(engine: Engine, change: Change) -> None:
    """Change a live parameter of a stage; that of a stage whose outputs are not wanted changes nothing."""
    if any(node.id == change.node for unit in engine.units for node in unit.nodes):
        engine.set_param(change.node, change.param, change.value)
