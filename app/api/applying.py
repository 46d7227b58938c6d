"""`fusetrack.apply`: stages and pipelines on arrays; `fusetrack.stages`: each stage as a function."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from kernels.errors import ArgumentError, ArgumentTypeError, DefinitionError, NameOfNothing
from kernels.executors.base import compiled, executor
from kernels.ir.body import ValueType
from kernels.ir.image import ImageType
from kernels.ir.table import Table
from kernels.param import resolve
from kernels.plugins import find_stage, registry
from kernels.stage import Stage
from pipelines.automatic.settling import settle_on
from pipelines.definition import library, with_files
from pipelines.graph import Pipeline as Graph
from pipelines.graph import Ref
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.choice import on_cpu
from pipelines.trackers.base import registry as trackers

from .clip import Clip, as_clip, in_time
from .describing import help_of, signature_of
from .pipeline import Pipeline, Step, graph_of, kind_of
from .settings import plain, with_parameters
from .tracking import Frames, Taps
from .wording import worded


def apply(
    clip: Frames, stage: str | os.PathLike[str] | Pipeline | Graph | Iterable[Step], *,
    taps: str | Sequence[str] | None = None, settings: Mapping[str, object] | None = None, bits: int | None = None,
    color: str = "rgb", device: str = "cpu", **parameters: Any,
) -> Any:  # fmt: skip
    """Pictures through a stage or a pipeline, as arrays.

    >>> smooth = fusetrack.apply(frames, "gaussian", sigma=1)                        # doctest: +SKIP
    >>> both = fusetrack.apply(frames, "blobs", taps=["band", "bright"])             # doctest: +SKIP
    >>> both["band"].shape                                                           # doctest: +SKIP
    (100, 288, 384)
    >>> spots = fusetrack.apply(mask, "components", weights=frames, min_area=5)      # doctest: +SKIP

    Args:
        clip: as `fusetrack.track` takes it. The frames are one after the other in time: before the first stands the
            first itself, for stages that look back.
        stage: a stage by name (`fusetrack.stages` lists them); or a pipeline as `fusetrack.track` takes it, whose
            trackers do not run.
        taps: of a pipeline: the outputs that are wanted, "node" or "node.output"; None for its own taps, or where it
            has none the output of its last stage.
        settings: of a pipeline: parameters by "node.param".
        bits: significant bits of a value, such as 12 where they come in 16 (`normalize` divides by them).
        color: of arrays with three channels: "rgb" or "bgr" (as OpenCV reads them); results are RGB.
        device: as `fusetrack.track` takes it.
        parameters: of a stage: its parameters, and its other inputs, as pictures like `clip`. Of a pipeline:
            parameters by keyword, as in `fusetrack.track`.

    Returns:
        Of an output that is an image an array (frames, height, width) or (frames, height, width, channels), of one
        that is a table a list with a structured array a frame; of several outputs, or where `taps` is a list, a
        dictionary of these by name. Of a single picture that of this picture alone.

    Raises:
        InputError: one sentence that says what is wrong; of arguments a ValueError or a TypeError, too.
    """
    with worded():
        opened, alone = as_clip(clip, bits=bits, color=color)
        owned = not isinstance(clip, Clip) and not hasattr(clip, "info")
        with closing(opened) if owned else nullcontext():
            if isinstance(stage, str) and _is_stage(stage):
                if taps is not None or settings is not None:
                    raise ArgumentTypeError(f"{stage} is a stage, whose parameters are keywords; taps and settings are "
                                            "those of pipelines")  # fmt: skip
                made = _stage(opened, stage, parameters, device)
            elif isinstance(stage, str) and not os.path.exists(stage) and stage not in library() | with_files():
                raise _nothing(stage)
            else:
                graph = with_parameters(graph_of(stage), settings, parameters, "apply", apply.__kwdefaults__ or ())
                made = _pipeline(opened, graph, taps, device)
    if alone:
        made = {name: value[0] for name, value in made.items()}
    return made if isinstance(taps, list | tuple) or len(made) != 1 else next(iter(made.values()))


def _is_stage(name: str) -> bool:
    """Whether there is a stage of that name; of the shipped pipelines' names nothing is looked for among them."""
    # Before plug-ins are looked through: a file may have a stage's name.
    if name in library() | with_files() or os.path.exists(name):
        return False
    try:
        find_stage(name)
    except DefinitionError:
        return False
    return True


def _nothing(name: str) -> ArgumentError:
    """The complaint that nothing of that name can be applied."""
    if name in trackers():
        return ArgumentError(f"{name} is a tracker; fusetrack.track(clip, fusetrack.Pipeline() ... .{name}()) follows "
                             "with it")  # fmt: skip
    near = get_close_matches(name, [*registry(), *library(), *with_files()], n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else "`fusetrack.stages` and `fusetrack.library()` list them"
    return NameOfNothing(f"there is no stage, pipeline or file {name!r}; {hint}")


def _stage(clip: Clip, name: str, parameters: Mapping[str, Any], device: str) -> dict[str, Any]:
    stage = find_stage(name)
    known = {param.name for param in stage.params}
    # A name that is both, an input and a parameter, means the parameter.
    others = {word: value for word, value in parameters.items() if word in stage.inputs and word not in known}
    given = {word: plain(value) for word, value in parameters.items() if word not in others}
    resolve(stage.params, given, name)  # its sentences name the stage alone
    if not others:
        made = _pipeline(clip, Pipeline().then(name, name=name, **given).graph, None, device)
        # Outputs of a stage alone by their own names.
        return {key.partition(".")[2] or key: value for key, value in made.items()} if len(made) > 1 else made
    return _several(clip, name, others, given, device)


def _several(
    clip: Clip, name: str, others: Mapping[str, Any], parameters: Mapping[str, object], device: str
) -> dict[str, Any]:
    """A stage of several inputs, alone."""
    stage = find_stage(name)
    if stage.inputs[0] in others:
        raise ArgumentTypeError(f"{name} takes {stage.inputs[0]} as the first argument")
    inputs: list[Any] = [np.asarray(clip)]
    for word in stage.inputs[1:]:
        if others.get(word) is None:
            inputs.append(None)
            continue
        pictures = np.asarray(as_clip(others[word])[0])
        if len(pictures) != len(clip):
            raise ArgumentError(f"{name} takes as many frames as {word} as before it: {len(clip)}, not {len(pictures)}")
        inputs.append(pictures)
    types: list[ValueType | None] = [None if one is None else as_clip(one)[0].info.image for one in inputs]
    types[0] = _with_bits(clip)
    body = stage.build(types, parameters)
    chosen = executor("reference") if device == "reference" else on_cpu("auto", "").executor
    made = compiled(chosen, body).run([None if one is None else np.ascontiguousarray(one) for one in inputs], {})
    return {key: [one.rows if isinstance(one, Table) else one for one in value] if isinstance(value, list) else value
            for key, value in made.items()}  # fmt: skip


def _with_bits(clip: Clip) -> ImageType:
    """The type of a clip's plain pictures, with their significant bits."""
    form = clip.info.format
    made = clip.picture_type
    return replace(made, bits=min(form.bits, made.dtype.bits)) if made.dtype.kind == "u" else made


def _pipeline(clip: Clip, graph: Graph, taps: str | Sequence[str] | None, device: str) -> dict[str, Any]:
    source, span, _ = in_time(clip)
    # Without trackers: nobody follows anything here.
    graph = settle_on(replace(graph, trackers=()), source).pipeline
    if taps is None and graph.taps:
        wanted = list(graph.taps)
    elif taps is None:
        bound = prepare(graph, source)
        # The output of the last stage; of several all of them.
        last = graph.nodes[-1].id if graph.nodes else ""
        wanted = [ref for ref in bound.types if ref.node == last]
    else:
        wanted = [Ref.parse(name) for name in ([taps] if isinstance(taps, str) else taps)]
    if not wanted:
        raise ArgumentError(f"pipeline {graph.name!r} has no stage whose output could be given back")
    graph = Pipeline(graph).with_taps(*map(str, wanted)).graph
    bound = prepare(graph, source)
    kept = Taps(bound, wanted, span[1] - span[0])
    report = Runner(source, bound, [kept], frames=span, options=RunOptions(device=device)).run()
    if report.ledger.bad:
        raise ArgumentError(f"{clip.info.name}: {next(iter(report.ledger.reasons))}")
    return kept.values


class Stages:
    """All stages, each a function of pictures: `fusetrack.stages.gaussian(frames, sigma=1)` is
    `fusetrack.apply(frames, "gaussian", sigma=1)`; `help(fusetrack.stages.gaussian)` explains it, and iteration gives
    their names."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        stage = kind_of(name)
        if not isinstance(stage, Stage):
            raise NameOfNothing(f"{name} is a tracker; fusetrack.track follows with it")

        def call(clip: Frames, **parameters: Any) -> Any:
            return apply(clip, name, **parameters)

        call.__name__ = call.__qualname__ = name
        call.__doc__ = help_of(stage)
        first = inspect.Parameter(stage.inputs[0], inspect.Parameter.POSITIONAL_ONLY)
        own = {param.name for param in stage.params}
        more = [inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY, default=None) for word in stage.inputs[1:]
                if word not in own]  # fmt: skip
        call.__signature__ = signature_of(stage.params, [first, *more], inspect.Signature.empty)  # type: ignore[attr-defined]
        return call

    def __getitem__(self, name: str) -> Callable[..., Any]:
        return getattr(self, name)  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(registry())

    def __len__(self) -> int:
        return len(registry())

    def __contains__(self, name: object) -> bool:
        return name in registry()

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *registry()]

    def __repr__(self) -> str:
        return f"<Stages: {', '.join(registry())}>"


stages = Stages()
