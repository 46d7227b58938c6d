"""Numbers in place of "auto", node by node, from the clip's side to the tracker's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError, InputError
from kernels.executors.base import Batch, Executor, executor
from kernels.ir.image import BOOL, ImageType
from kernels.param import AUTO, Value, resolve
from kernels.plugins import find_stage
from kernels.stages import repair
from pipelines.automatic import defects, lamp, oblong
from pipelines.automatic.noise import DEVIATIONS, brighter, noise_between, noise_level
from pipelines.automatic.outlines import Masks, Sizes, outline_level
from pipelines.automatic.sample import LOOKED, Sample, sample_of
from pipelines.automatic.sides import brighter_inside
from pipelines.automatic.touching import splitting
from pipelines.frame import FrameBatch, FrameSource
from pipelines.frontend import Roi, corner_of
from pipelines.graph import SOURCE, Bound, Node, Pipeline, Ref, bind, ordered
from pipelines.streaming.common.preparing import bound_for
from pipelines.streaming.common.still import check_unforeseen
from pipelines.streaming.engine.engine import Engine

Array = npt.NDArray[Any]
Bursts = Sequence[Sequence[Array]]
"""Pictures, burst by burst."""
Finding = tuple[Mapping[str, Value], str]
"""Values of parameters, and a sentence or ""."""

NAMED = 4
"""Broken pixels that a sentence names."""
BEGINNINGS = {
    "clip": "the picture of its frames in which nothing moves",
    "majority": "for no such picture can be made beforehand: what is there at first leaves a ghost for as long",
}
"""Why a ground begins with what."""
SHAPED = frozenset({"split", "refine_sigma"})
"""Parameters of `components` that the shape of regions tells."""
EDGES = frozenset({"gradient", "harris", "shi_tomasi"})
"""Stages that say how much light changes, whichever side is the brighter one."""
RIVAL = 0.5
"""Share of what speaks for the one side of a level from which on the other one is named, too: of a pupil with a
reflection .76, of things of one side nothing."""
PART = 1 << 22
"""Pixels of a picture of which more is not looked at, but its middle."""
LEVELS = 8
"""Masks of a picture that the stages behind a threshold make at once: all levels would take some hundred MB, and a step
of the engine takes little beside so many."""


@dataclass(frozen=True)
class Settled:
    """A pipeline without "auto".

    Args:
        pipeline: with numbers.
        found: what is in the place of "auto", by "node.param".
        words: a sentence for each that is worth one.
    """

    pipeline: Pipeline
    found: dict[str, Value]
    words: tuple[str, ...] = ()


def open_settings(pipeline: Pipeline) -> list[tuple[Node, str]]:
    """The stages, in an order in which they can run, and their parameters that are "auto"."""
    return [(node, name) for node in ordered(pipeline) for name, value in node.params.items() if value == AUTO
            and any(param.auto for param in find_stage(node.stage).params if param.name == name)]  # fmt: skip


def as_asked(pipeline: Pipeline, found: Mapping[str, Value]) -> Pipeline:
    """With "auto" again in place of what was found ("node.param": value), as far as it is there still."""
    values = {f"{n.id}.{name}": value for n in pipeline.members for name, value in n.params.items()}
    return pipeline.with_settings({path: AUTO for path, value in found.items() if values.get(path) == value})


def with_found(pipeline: Pipeline, found: Mapping[str, Value]) -> Pipeline:
    """With what was found ("node.param": value) in place of "auto"."""
    asked = {f"{node.id}.{name}" for node, name in open_settings(pipeline)}
    return pipeline.with_settings({path: value for path, value in found.items() if path in asked})


def settle_on(pipeline: Pipeline, source: FrameSource, roi: Roi | None = None, whole: bool = True) -> Settled:
    """As `settle`, on frames from all over a clip; nothing is read where nothing is "auto".

    Args:
        whole: whether all frames will be at hand beforehand whenever the pipeline runs; else nothing may ask for them.

    Raises:
        InputError: as `settle`, and of `check_unforeseen`.
    """
    if not whole:
        check_unforeseen(pipeline)
    if not open_settings(pipeline):
        return Settled(pipeline, {})
    return settle(pipeline, sample_of(source) if whole else replace(sample_of(source), ground=None), roi)


def settle(pipeline: Pipeline, sample: Sample, roi: Roi | None = None) -> Settled:
    """The pipeline with numbers in place of "auto".

    Args:
        pipeline: any.
        sample: frames of what it will run on; where there are none, defaults of the stages are taken.
        roi: the region that will be processed, x, y, width, height in px.

    Raises:
        InputError: the pipeline does not fit the frames.
    """
    found: dict[str, Value] = {}
    words: list[str] = []
    look = _Looking(sample, roi)
    while waiting := open_settings(pipeline):
        ready = _ready(pipeline, waiting)
        for node, values, text in look.find(pipeline, ready):
            given = {f"{node.id}.{name}": values[name] for name in ready[node.id]}
            found |= given
            words += [text] if text else []
            pipeline = pipeline.with_settings(given)
    return Settled(pipeline, found, tuple(words))


def _ready(pipeline: Pipeline, waiting: Sequence[tuple[Node, str]]) -> dict[str, list[str]]:
    """Those whose inputs depend on no other that is waiting: names of parameters by node."""
    nodes = {node.id: node for node in pipeline.nodes}
    names = {node.id for node, _ in waiting}

    def before(name: str) -> set[str]:
        seen: set[str] = set()
        refs = [ref.node for ref in nodes[name].inputs.values()]
        while refs:
            one = refs.pop()
            if one in nodes and one not in seen:
                seen.add(one)
                refs += [ref.node for ref in nodes[one].inputs.values()]
        return seen

    ready: dict[str, list[str]] = {}
    for node, name in waiting:
        if not before(node.id) & names:
            ready.setdefault(node.id, []).append(name)
    return ready


class _Looking:
    """Looks at the frames for what parameters ask.

    Args:
        sample: the frames.
        roi: the region that will be processed.

    Attributes:
        part: the region that is looked at: the same, or the middle of a large one.
        share: pixels of the region by those of the part.
        further: what a stage looks at in frames between those of the sample; of `find`, while it looks.
    """

    further: Callable[[Node], list[list[Array]]]

    def __init__(self, sample: Sample, roi: Roi | None) -> None:
        self.sample = sample
        x, y, width, height = whole = roi or (0, 0, sample.info.width, sample.info.height)
        self.part, self.share = roi, 1.0
        if width * height > PART:
            by = (PART / (width * height)) ** 0.5
            wide, high = max(1, round(width * by)), max(1, round(height * by))
            self.part = x + (width - wide) // 2, y + (height - high) // 2, wide, high
            self.share = whole[2] * whole[3] / (wide * high)

    def find(
        self, pipeline: Pipeline, ready: Mapping[str, Sequence[str]]
    ) -> Iterator[tuple[Node, Mapping[str, Value], str]]:
        """Some stages with values of their parameters and a sentence or ""."""
        nodes = [node for node in pipeline.nodes if node.id in ready]
        unsided = [node for node in nodes if node.stage == "components" and self.sample.count
                   and "weights" in node.inputs and _polarity_before(pipeline, node) is None]  # fmt: skip
        shaped = [node for node in nodes if node.stage == "components" and self.sample.count
                  and "weights" in node.inputs and SHAPED.intersection(ready[node.id])]  # fmt: skip
        looking = [node for node in nodes if node.stage in LOOKS and self.sample.count]
        seeing = _seeing_at_once(pipeline) if unsided or shaped else pipeline
        bound = bound_for(seeing, self.sample.info, self.part) if looking or unsided or shaped else None
        refs = {node.id: _looked_at(bound, node) for node in looking} if bound is not None else {}
        both = {node.id: _both(bound, node) for node in unsided} if bound is not None else {}
        pairs = {node.id: _both(bound, node) for node in shaped} if bound is not None else {}
        wanted = dict.fromkeys(ref for some in (*refs.values(), *both.values(), *pairs.values()) for ref in some)
        seen = {} if bound is None else _look(bound, self.sample, [*wanted])

        def further(node: Node) -> list[list[Array]]:
            assert bound is not None
            ref = refs[node.id][0]
            more = self.sample.further() if self.sample.further is not None else None
            return _look(bound, more, [ref])[ref] if more is not None and more.count else []

        self.further = further
        for node in nodes:
            declared = {param.name: param.default for param in find_stage(node.stage).params}
            if node.id in refs:
                values, text = LOOKS[node.stage](self, pipeline, node, *(seen[ref] for ref in refs[node.id]))
                yield node, {**declared, **values}, text
            elif node.stage == "components":
                values, text = {"polarity": _polarity_before(pipeline, node) or "bright"}, ""
                if node.id in both:
                    mask, weights = (seen[ref] for ref in both[node.id])
                    values, text = self.components(node, mask, weights)
                shape, why = self.shape(node, values, *(seen[ref] for ref in pairs.get(node.id, ())))
                yield node, {**declared, **shape, **values}, "; ".join(filter(None, (text, why)))
            elif self.sample.count:
                raise DefinitionError(f"{node.id}: nothing tells what auto is for {node.stage}; give {node.id}."
                                      f"{ready[node.id][0]} a value")  # fmt: skip
            else:
                yield node, declared, ""

    def repair(self, _: Pipeline, node: Node, bursts: Bursts) -> Finding:
        """Pixels that are broken; places count in the whole picture."""
        x0, y0 = corner_of(self.part)
        points = tuple((x + x0, y + y0) for x, y in defects.broken(_all(bursts), repair.MOST))
        if not points:
            return {"points": ()}, ""
        shown = ", ".join(f"({x:g}, {y:g})" for x, y in points[:NAMED])
        more = f" and {len(points) - NAMED} more" if len(points) > NAMED else ""
        are, them = ("one pixel is", "it") if len(points) == 1 else (f"{len(points)} pixels are", "them")
        return {"points": points}, (f"{node.id}: {are} broken (far off all around {them} in every frame), and what "
                                    f"stands beside is taken: {shown}{more}")  # fmt: skip

    def relight(self, _: Pipeline, node: Node, bursts: Bursts, pictures: Bursts = ()) -> Finding:
        """The most light of the frames, where it is uneven; `pictures`: of which it is the light."""
        lights = [float(one.ravel()[0]) for one in _all(bursts)]
        most = lamp.reference(lights, _all(pictures))
        text = (f"{node.id}.reference = {most:.4g}: the light of the clip varies by {1 - min(lights) / most:.0%}, and "
                "is made even for thresholds" if most else "")  # fmt: skip
        return {"reference": most}, text

    def background(self, _: Pipeline, node: Node, bursts: Bursts) -> Finding:
        """The noise from frame to frame, on which side of the still ground things that move are, and what the ground
        begins with."""
        asked = {name for name, value in node.params.items() if value == AUTO}  # each is dear
        found: dict[str, Value] = {}
        words = []
        if "min_sigma" in asked:
            found["min_sigma"] = noise = noise_between(bursts)
            words.append(f"{node.id}.min_sigma = {noise:.4g}, the noise from frame to frame")
        if "change" in asked:
            ground = np.median(_all(bursts), axis=0)
            found["change"] = change = "brighter" if brighter([one - ground for one in _all(bursts)]) else "darker"
            words.append(f"{node.id}.change = {change}, for {change} things stand out more from what stays")
        if "begin" in asked:
            known = self.sample.ground is not None and self.sample.ground() is not None
            found["begin"] = begin = "clip" if known else "majority"
            words.append(f"{node.id}.begin = {begin}, {BEGINNINGS[begin]}")
        return found, "; ".join(words)

    def threshold(self, pipeline: Pipeline, node: Node, bursts: Bursts) -> Finding:
        """The level, and on which side of it things are."""
        params = resolve(find_stage(node.stage).params, node.params, node.id)
        pictures = [picture for burst in bursts for picture in burst[-LOOKED:]]
        asked, rival = params["polarity"], False
        if params["rule"] == "noise":
            bright = brighter(pictures) if asked == AUTO else asked == "bright"
            level = noise_level(pictures, bright)
            why = f"{DEVIATIONS:g} deviations of the noise {'above' if bright else 'below'} the ground"
        else:
            sizes, masks = self._sizes(pipeline, node, pictures[0]), _Downstream(pipeline, node, pictures[0])
            sides = (True, False) if asked == AUTO else (asked == "bright",)

            def outlines(of: Sequence[Array]) -> list[tuple[float, float, bool]]:
                return [(*outline_level(of, side, sizes, masks.of(side)), side) for side in sides]

            found = outlines(pictures)
            if not any(score for _, score, _ in found) and (more := self.further(node)):
                again = outlines([*pictures, *(picture for burst in more for picture in burst[-LOOKED:])])
                found = again if any(score for _, score, _ in again) else found
            # Where no outline tells, the side on which something is farther from the ground.
            likelier = brighter(pictures)
            level, score, bright = max(found, key=lambda one: (one[1], one[2] == likelier))
            rival = bool(score) and min(one[1] for one in found) >= RIVAL * score
            why = ("between the levels at which outlines stay the same" if score
                   else "above the noise, for no region stands out whose outline would tell")  # fmt: skip
        text = f"{node.id}.level = {level:.4g}, {why}"
        if asked == AUTO and not bright:
            text += f"; {node.id}.polarity = dark, for dark things stand out more than bright ones"
        if asked == AUTO and rival:
            one, other = ("bright", "dark") if bright else ("dark", "bright")
            text += (f"; {other} things keep their outlines nearly as long as {one} ones: --set "
                     f"{node.id}.polarity={other} follows these, and -p pupil a dark disc with a "
                     "reflection in it")  # fmt: skip
        return {"level": level, "polarity": "bright" if bright else "dark"}, text

    def components(self, node: Node, mask: Bursts, weights: Bursts) -> Finding:
        """On which side of their ground regions are whose mask does not tell."""
        masks, pictures = ([picture for burst in bursts for picture in burst[-LOOKED:]] for bursts in (mask, weights))
        if any(picture.ndim != 2 for picture in pictures):
            return {"polarity": "bright"}, ""
        sizes = self._sizes_of(node, masks[0])
        bright = brighter_inside(masks, pictures, sizes.least, sizes.most)
        text = "" if bright else f"{node.id}.polarity = dark, for what is found is darker than what is around it"
        return {"polarity": "bright" if bright else "dark"}, text

    def shape(self, node: Node, sided: Mapping[str, Value], mask: Bursts = (), weights: Bursts = ()) -> Finding:
        """How centres of regions are refined, and where regions are split: by whether they are oblong, or, of those
        that are centred by all of their light, whether they touch."""
        masks, pictures = ([picture for burst in bursts for picture in burst[-LOOKED:]] for bursts in (mask, weights))
        plain = bool(masks) and all(picture.ndim == 2 for picture in (*masks, *pictures))
        given = node.params.get("refine_sigma")
        if given != AUTO and not float(str(given or 0.0)):
            numbers = {name: value for name, value in node.params.items() if value != AUTO}
            params = resolve(find_stage("components").params, {**numbers, **sided}, node.id)
            split = splitting(masks, pictures, params) if plain else 0.0
            text = (f"{node.id}.split = {split:g}, for things touch: some regions are several of the others' size"
                    if split else "")  # fmt: skip
            return {"refine_sigma": 0.0, "split": split}, text
        length = 0.0
        if plain:
            sizes = self._sizes_of(node, masks[0])
            length = oblong.usual_length(masks, sizes.least, sizes.most)
        sigma, split = oblong.windows(length, None if given == AUTO else float(str(given or 0.0)))
        found: dict[str, Value] = {"refine_sigma": sigma, "split": split}
        said = ", ".join(f"{node.id}.{name} = {found[name]:g}" for name in found if node.params.get(name) == AUTO)
        return found, f"{said}, for most of what is found is oblong, some {split:g} px long" if length and said else ""

    def _sizes(self, pipeline: Pipeline, node: Node, picture: Array) -> Sizes:
        """The sizes of regions that the stage behind a mask keeps."""
        _, regions = _taker(pipeline, node)
        if regions is None:
            return Sizes(1.0, np.inf)
        return self._sizes_of(regions, picture)

    def _sizes_of(self, regions: Node, picture: Array) -> Sizes:
        params = resolve(find_stage("components").params, regions.params, regions.id)
        least, most, share = (float(str(params[name])) for name in ("min_area", "max_area", "max_share"))
        most = min(most or np.inf, share * self.share * picture.shape[0] * picture.shape[1])
        return Sizes(least, most, inner=params["centre"] == "ellipse")


LOOKS: Mapping[str, Callable[..., Finding]] = {
    "repair": _Looking.repair, "relight": _Looking.relight, "background": _Looking.background,
    "threshold": _Looking.threshold,
}  # fmt: skip
"""What finds the parameters of a stage on what it takes (`_looked_at`)."""


def _all(bursts: Bursts) -> list[Array]:
    return [picture for burst in bursts for picture in burst]


def _polarity_before(pipeline: Pipeline, node: Node) -> str | None:
    """That of the threshold from which a mask comes; None where none does, or one of edges."""
    nodes = {one.id: one for one in pipeline.nodes}
    here, polarity = nodes.get(node.inputs["mask"].node), None
    while here is not None:
        if here.stage in EDGES:
            return None
        if polarity is None and any(param.name == "polarity" for param in find_stage(here.stage).params):
            polarity = str(here.params.get("polarity", "bright"))
        here = nodes.get(next(iter(here.inputs.values())).node)
    return polarity


def _looked_at(bound: Bound, node: Node) -> tuple[Ref, ...]:
    """The outputs that tell a node's parameters: of `relight` the light and the picture whose light it is, else what a
    node takes first."""
    light = node.inputs.get("light")
    if light is None:
        ref = next(iter(node.inputs.values()))
        return (ref,) if ref in bound.types and ref.node != SOURCE else (_first(bound, node.id),)
    made_by = next((n for n in bound.nodes if n.id == light.node), None)
    known = made_by is not None and made_by.stage is find_stage("light")
    return (light, _first(bound, light.node)) if known else (light,)


def _first(bound: Bound, name: str) -> Ref:
    """What a node takes first, where it comes from in the end (of packed frames, from what unpacks them)."""
    ref = next(n for n in bound.nodes if n.id == name).inputs[0]
    assert ref is not None
    return ref


def _seeing_at_once(pipeline: Pipeline) -> Pipeline:
    """With grounds that begin with their first picture: a majority is found in more frames than are looked at, and
    until then nothing stands out."""
    voting = [n.id for n in pipeline.nodes if n.stage == "background" and n.params.get("begin") == "majority"]
    return pipeline.with_settings({f"{name}.begin": "first" for name in voting})


def _both(bound: Bound, node: Node) -> tuple[Ref, Ref]:
    """What makes the mask and the weights of a node that has both."""
    mask, weights = next(n for n in bound.nodes if n.id == node.id).inputs
    assert mask is not None
    assert weights is not None
    return mask, weights


def _look(bound: Bound, sample: Sample, refs: Sequence[Ref]) -> dict[Ref, list[list[Array]]]:
    """The values of some outputs in each burst.

    Before each the stages see the median of all frames: what moves is not in it, so that a slow memory begins as it
    will be later on.
    """
    made: dict[Ref, list[list[Array]]] = {ref: [] for ref in refs}
    inside = tuple(ref for ref in refs if ref.node != SOURCE)
    alone = replace(bound, trackers=(), taps=inside)
    engine = Engine(alone, _back_end(), inside) if inside else None
    still = sample.still
    for pixels, numbers in zip(sample.bursts, sample.frames, strict=True):
        shown = pixels if still is None else np.concatenate((still[None], pixels))
        indices = np.array([numbers[0]] * (len(shown) - len(pixels)) + list(numbers))
        values: Mapping[Ref, Batch] = {}
        if engine is not None:
            engine.reset()
            values = engine.step(FrameBatch(indices, np.array([sample.info.time.time(n) for n in indices]), shown))
        for ref in refs:
            made[ref].append([np.array(value) for value in values.get(ref, shown)][-len(pixels) :])
    return made


def _back_end() -> Executor:
    """The compiled one, or the reference where there is no compiler; both give the same bits."""
    try:
        return executor("cpu")
    except (InputError, ImportError, OSError):
        return executor("reference")


def _taker(pipeline: Pipeline, node: Node) -> tuple[list[Node], Node | None]:
    """The stages between a mask and the regions that are made of it, and what makes them; none where they branch or
    take anything else."""
    between: list[Node] = []
    here = node
    while True:
        takers = [n for n in pipeline.nodes if any(ref.node == here.id for ref in n.inputs.values())]
        regions = [n for n in takers if n.stage == "components" and n.inputs.get("mask", Ref("")).node == here.id]
        if regions:
            return between, regions[0]
        if len(takers) != 1 or len(takers[0].inputs) != 1:
            return [], None
        here = takers[0]
        between.append(here)


class _Downstream:
    """The masks that a threshold and the stages behind it make of a picture at some levels."""

    def __init__(self, pipeline: Pipeline, node: Node, picture: Array) -> None:
        between, _ = _taker(pipeline, node)
        self._node, self._between, self._type = node, between, ImageType(BOOL, *picture.shape[:2])

    def of(self, bright: bool) -> Masks:
        """With what is brighter, or darker, than the levels."""

        def divided(picture: Array, levels: Sequence[float]) -> Iterator[Array]:  # as the stage `threshold` does
            values = np.asarray(picture, np.float32)
            return (values > level if bright else values <= level for level in np.asarray(levels, np.float32))

        if not self._between:
            return divided
        nodes = [replace(node, inputs={name: Ref(SOURCE) if ref.node == self._node.id else ref
                                       for name, ref in node.inputs.items()}) for node in self._between]  # fmt: skip
        last = Ref(nodes[-1].id)
        engine = Engine(bind(Pipeline("masks", "", (*nodes,), (), (last,)), self._type), executor("reference"))

        def masks(picture: Array, levels: Sequence[float]) -> Iterator[Array]:
            made, count = 0, 1
            while made < len(levels):
                some = np.stack(list(divided(picture, levels[made : made + count])))
                engine.reset()
                values = engine.step(FrameBatch(np.arange(len(some)), np.zeros(len(some)), some))
                yield from map(np.asarray, values[last])
                made, count = made + len(some), 1 if remembers() else LEVELS

        def remembers() -> bool:  # so that a level must not see the others
            states = (program.snapshot() for program in engine.programs.values())
            return any(state["memory"] or state["history"] for state in states)

        return masks
