"""Why a run followed nothing, and what to try: the first cause that is found, from the tracker back to the picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.blank import blank_words, picture_of
from app.response import STANDS_OUT, Response
from kernels.executors.base import executor
from kernels.host.blobs import most_area, region_areas
from kernels.ir.image import ImageType
from kernels.ir.table import Table
from kernels.param import Value
from pipelines.features import State
from pipelines.frame import FrameBatch, FrameSource
from pipelines.graph import Bound, BoundNode, BoundTracker, Ref
from pipelines.streaming.engine import Engine

Array = npt.NDArray[Any]

FRAMES = 8
"""Consecutive frames that are looked at, at most."""
PIXELS = 8_000_000
"""Of them together, about: the reference is slow, and a hint must not take longer than the run."""
SPECK = 3
"""Pixels from which on a region counts as a thing."""
MANY = 60
"""Tracks of which most may be noise."""
FEW = 0.5
"""Rows of tracks a frame below which most things may have gone unseen."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a few consecutive frames hold: the values of some outputs, one a frame."""

    frames: list[int]
    times: list[float]
    values: dict[Ref, list[Any]]


def run_hints(
    source: FrameSource, bound: Bound, first: int, processed: int, tracks: int = 0, rows: int | None = None
) -> list[str]:
    """Sentences for people about a run.

    Args:
        source: the clip.
        bound: the pipeline that ran.
        first: the run's first frame.
        processed: how many frames it did.
        tracks: how many tracks were believed.
        rows: how many rows they have; None for enough.

    Returns:
        With no tracks: why, and what to try. With tracks: whether regions were left out because they are too large;
        with many, whether a threshold lies within the noise; with few rows, whether most things do not reach it.

    Raises:
        BadFrame: a frame that is looked at cannot be read.
    """
    if not processed:
        return []
    if tracks:
        within = _within_noise(source, bound, first + processed // 2) if tracks >= MANY else []
        few = rows is not None and rows < FEW * processed
        faint = _too_faint(source, bound, first + processed // 2) if few else []
        return _too_large(source, bound, first, processed) + within + faint
    if not bound.trackers:
        return ['the pipeline has no tracker, so nothing is followed: add a table such as [trackers.follow] with '
                'use = "blob" to its file']  # fmt: skip
    hints = [hint for tracker in bound.trackers for hint in _settings(bound, tracker, processed)]
    if hints:
        return hints
    refs = _inputs(bound) + [ref for tracker in bound.trackers for ref in tracker.inputs.values()]
    refs.append(picture_of(bound))
    look = look_at(source, bound, first, processed, refs)
    hints = [hint for tracker in bound.trackers for hint in _linking(bound, tracker, look)]
    if hints:
        return hints
    sizes = [hint for node in _nodes(bound, "components") for hint in _sizes(node, look)]
    if any("larger" in hint for hint in sizes):
        return sizes
    # Specks that are too small come with any threshold; it may still be to blame.
    hints = sizes + _thresholds(bound, look, doubted=bool(sizes))
    return hints or blank_words(look.frames, look.values[picture_of(bound)])


def _within_noise(source: FrameSource, bound: Bound, frame: int) -> list[str]:
    """A sentence for each threshold that noise passes: half as far from the median as what stands out."""
    look = look_at(source, bound, frame, 1, _inputs(bound))
    hints = []
    for node in _nodes(bound, "threshold"):
        response, bright = Response.of(_middle(look, node)), node.body.params["polarity"] == "bright"
        level = _number(node.body.params, "level")
        off = level - response.middle if bright else response.middle - level
        if off >= 0.5 * STANDS_OUT * response.noise:
            continue
        text = f"{node.id}.level = {level:g} lies within the noise ({response.noise:.2g} about {response.middle:.2g})"
        if response.mere_noise():
            hints.append(f"{text}, and nothing stands out from it")
        elif response.peak(bright) > STANDS_OUT * response.noise:
            hints.append(f"{text}: try --set {node.id}.level={response.level(bright):.3g}")
    return hints


def _too_faint(source: FrameSource, bound: Bound, frame: int) -> list[str]:
    """A sentence for each threshold that lets through less than a third of the regions that stand out of the noise."""
    look = look_at(source, bound, frame, 1, _inputs(bound))
    hints = []
    for node in _nodes(bound, "threshold"):
        values, bright = _middle(look, node), node.body.params["polarity"] == "bright"
        response, level = Response.of(values), _number(node.body.params, "level")
        lower = response.level(bright)
        if response.mere_noise() or (level <= lower if bright else level >= lower):
            continue
        there, passing = (
            int(np.sum(region_areas(values > at if bright else values <= at, 8) >= SPECK)) for at in (lower, level)
        )
        if there >= 3 and 3 * passing < there:
            hints.append(f"hardly anything was followed: in frame {look.frames[-1]} {there} regions stand out from the "
                         f"noise, and {passing} pass {node.id}.level = {level:g}: "
                         f"try --set {node.id}.level={lower:.3g}")  # fmt: skip
    return hints


def _nodes(bound: Bound, stage: str) -> Iterator[BoundNode]:
    return (node for node in bound.nodes if node.stage.name == stage and node.inputs[0] is not None)


def _number(params: Mapping[str, Value], name: str) -> float:
    value = params[name]
    assert isinstance(value, int | float)
    return value


def _inputs(bound: Bound) -> list[Ref]:
    """What goes into thresholds and (as a mask) into components."""
    nodes = (*_nodes(bound, "threshold"), *_nodes(bound, "components"))
    return [node.inputs[0] for node in nodes if node.inputs[0] is not None]


def look_at(
    source: FrameSource, bound: Bound, first: int, processed: int, refs: Sequence[Ref], most: int = FRAMES
) -> Look:
    """Frames about the middle of a run, at most `most`; what remembers starts as many before them."""
    info = source.info
    count = min(processed, min(most, max(3, PIXELS // max(1, info.width * info.height))))
    start = first + (processed - count) // 2
    wanted = tuple(dict.fromkeys(refs))
    look = Look([], [], {ref: [] for ref in wanted})
    if not wanted:
        return look
    engine = Engine(bound, executor("reference"), wanted)
    pixels = np.empty((1, *info.image.shape), info.image.dtype.numpy)
    for frame in range(max(first, start - count), start + count):
        source.read(frame, out=pixels[0])
        time = info.time.time(frame)
        seen = engine.step(FrameBatch(np.array([frame]), np.array([time]), pixels))
        if frame >= start:
            look.frames.append(frame)
            look.times.append(time)
            for ref in wanted:
                value = seen[ref][0]
                look.values[ref].append(value.rows if isinstance(value, Table) else np.array(value))
    return look


def _settings(bound: Bound, tracker: BoundTracker, processed: int) -> list[str]:
    """Settings that let nothing through whatever the clip holds."""
    hits = int(_number(tracker.params, "min_hits")) if "min_hits" in tracker.params else 1
    if processed < hits:
        frames = f"only {processed} frame{'s were' if processed != 1 else ' was'} processed"
        return [f"{frames}, and {tracker.id} believes a track after {hits} sightings: process more frames, or try "
                f"--set {tracker.id}.min_hits={processed}"]  # fmt: skip
    hints = []
    for node in _nodes(bound, "components"):
        least, most = _number(node.body.params, "min_area"), _number(node.body.params, "max_area")
        if 0 < most < least:
            hints.append(f"{node.id} keeps no region at all: {node.id}.min_area = {least:g} is larger than "
                         f"{node.id}.max_area = {most:g}")  # fmt: skip
    return hints


def _linking(bound: Bound, tracker: BoundTracker, look: Look) -> list[str]:
    """Which setting of a blob tracker keeps the features from becoming tracks; nothing if there are no features."""
    ref = tracker.inputs.get("features")
    if tracker.type.name != "blob" or ref is None:
        return []
    tables, name, params = look.values[ref], tracker.id, dict(tracker.params)
    number = sum(map(len, tables)) / max(1, len(tables))
    if number == 0 or sum(map(len, tables)) < 2:
        return []
    found = f"about {number:.3g} features a frame were found"
    hits = int(_number(params, "min_hits"))
    params["min_hits"] = min(hits, len(tables))
    if _believed(bound, tracker, params, look).size:
        return [f"{found}, but none in {hits} frames of one track: try --set {name}.min_hits={min(hits - 1, 3)}"]
    for setting, column in (("min_mass", "mass"), ("min_area", "area")):
        if _number(params, setting) > 0 and _believed(bound, tracker, params | {setting: 0.0}, look).size:
            usual = float(np.median(np.concatenate([table[column] for table in tables])))
            return [f"{found}, but {name} ignores them: {name}.{setting} = {params[setting]:g}, while they have about "
                    f"{usual:.3g}"]  # fmt: skip
    speed = _number(params, "max_speed")
    wider = [{"max_speed": min(speed * factor, 1e4)} for factor in (2, 4, 8, 16, 64, 256)]
    faster = [_believed(bound, tracker, params | one, look) for one in wider]
    most = max(len(steps) for steps in faster)
    if most:
        # Of those that link nearly all that any links the slowest: wider gates only confuse.
        usual, fast = np.quantile(next(steps for steps in faster if len(steps) >= 0.9 * most), (0.5, 0.95))
        enough = max(1.5 * fast, 1.2 * speed)
        return [f"{found}, but they move about {usual:.3g} px from frame to frame and {name} allows "
                f"{name}.max_speed = {speed:g}: try --set {name}.max_speed={enough:.2g}"]  # fmt: skip
    if _believed(bound, tracker, params | {"gate": 20.0}, look).size:
        return [f"{found}, but farther from where {name} expects them than {name}.gate = {params['gate']:g} standard "
                f"deviations: try --set {name}.gate=10"]  # fmt: skip
    return [f"{found}, but none of them is where one was in the frame before, so {name} follows none: they may be "
            "noise, for which a stricter threshold is the cure"]  # fmt: skip


def _believed(bound: Bound, tracker: BoundTracker, params: dict[str, Any], look: Look) -> Array:
    """Steps in px from frame to frame of what is followed with these settings; empty if nothing is."""
    made = tracker.type(params, (bound.source.height, bound.source.width), None)
    tables = look.values[tracker.inputs["features"]]
    rows = np.concatenate([made.update(i, float(i), {"features": table}) for i, table in enumerate(tables)])
    steps = []
    for track in np.unique(rows["track"][rows["state"] == State.TRACKED]):
        seen = rows[(rows["track"] == track) & (rows["state"] <= State.TRACKED)]
        steps.append(np.hypot(np.diff(seen["x"]), np.diff(seen["y"])) if len(seen) > 1 else np.zeros(1))
    return np.concatenate(steps) if steps else np.zeros(0)


def _sizes(node: BoundNode, look: Look) -> list[str]:
    """A sentence if regions are there and their size is what excludes all of them."""
    areas, small, large = _left_out(node, look)
    if not len(areas) or small + large < len(areas):
        return []
    frames, least = len(look.frames), _number(node.body.params, "min_area")
    parts = [_large(node, areas, large, frames)] if large else []
    if small:
        biggest = areas[areas < least].max()
        parts.append(f"{_a_frame(small, frames)} left out: smaller than {node.id}.min_area = {least:g} (the largest "
                     f"of them has {biggest:g} px)")  # fmt: skip
    return parts


def _too_large(source: FrameSource, bound: Bound, first: int, processed: int) -> list[str]:
    """A sentence for each components stage that leaves out regions because they are larger than its limit."""
    nodes = [node for node in _nodes(bound, "components") if _limit(node) < np.inf]
    if not nodes:
        return []
    masks = [node.inputs[0] for node in nodes if node.inputs[0] is not None]
    look = look_at(source, bound, first, processed, masks, most=2)
    hints = []
    for node in nodes:
        areas, _, large = _left_out(node, look)
        if large >= len(look.frames):  # in every frame, about: no chance merger of two
            hints.append(_large(node, areas, large, len(look.frames)))
    return hints


def _limit(node: BoundNode) -> float:
    """Pixels of the largest region that a components stage keeps."""
    picture = node.body.inputs[0]
    assert isinstance(picture, ImageType)
    return most_area(node.body.params, picture.height * picture.width)


def _large(node: BoundNode, areas: Array, large: int, frames: int) -> str:
    """That so many of the regions in some frames are too large, and for which of the two limits."""
    by_area = _limit(node) == _number(node.body.params, "max_area")
    name, none = ("max_area", 0) if by_area else ("max_share", 1)
    return (f"{_a_frame(large, frames)} left out: larger than {node.id}.{name} = {node.body.params[name]:g} allows "
            f"({_limit(node):.0f} px; the largest has {areas.max():g}); --set {node.id}.{name}={none} for no limit")


def _left_out(node: BoundNode, look: Look) -> tuple[Array, int, int]:
    """Areas of all regions, and how many of them a components stage finds too small and too large."""
    params, mask = node.body.params, node.inputs[0]
    assert mask is not None
    areas = [region_areas(np.asarray(one), int(str(params["connectivity"]))) for one in look.values[mask]]
    every = np.concatenate(areas) if areas else np.zeros(0, np.int64)
    return every, int(np.sum(every < _number(params, "min_area"))), int(np.sum(every > _limit(node)))


def _a_frame(count: int, frames: int) -> str:
    """How many regions a frame, with the verb."""
    each = count / frames
    if each == 1:
        return "1 region a frame was"
    return f"{each:.3g} regions a frame were"


def _thresholds(bound: Bound, look: Look, doubted: bool = False) -> list[str]:
    """A sentence for each threshold; where something else is `doubted`, only for those that cannot be right."""
    hints, noise_only = [], True
    for node in _nodes(bound, "threshold"):
        response = Response.of(_middle(look, node))
        level, bright = _number(node.body.params, "level"), node.body.params["polarity"] == "bright"
        asked = f"keeps what is {'above' if bright else 'at or below'} {level:g}"
        frame = look.frames[len(look.frames) // 2]
        text = (f"{node.id} {asked}; in frame {frame} its input runs from {response.low:.3g} to {response.high:.3g}, "
                f"median {response.middle:.3g}")  # fmt: skip
        darker = bright and response.peak(False) > 1.5 * response.peak(True)
        if doubted and not response.mere_noise() and not darker:
            continue
        noise_only &= response.mere_noise()
        if response.mere_noise():
            noise = f", as noise of {response.noise:.2g} does: nothing stands out from the noise"
            text += (noise if response.noise else ": there is nothing in it") + ", so no level helps; try another part"
            text += " of the clip, another pipeline, or more light"
        elif darker:
            text += "; dark things stand out more than bright ones: try "
            text += f"--set {node.id}.polarity=dark --set {node.id}.level={response.level(False):.3g} "
            text += " ".join(f"--set {after}.polarity=dark" for after in _measuring(bound, node.id))
        elif response.peak(bright) > 0:
            text += f"; try --set {node.id}.level={response.level(bright):.3g}"
        hints.append(text.rstrip())
    for node in _nodes(bound, "components") if not doubted and not noise_only else ():
        least, most = _number(node.body.params, "min_area"), _number(node.body.params, "max_area")
        kept = f"regions of {least:g} to {most:g} px" if most else f"regions of {least:g} px and more"
        hints.append(f"{node.id} keeps {kept} ({node.id}.min_area, {node.id}.max_area; 0 for no upper limit)")
    return hints


def _middle(look: Look, node: BoundNode) -> Array:
    """What goes into a stage in the middle one of the frames."""
    ref = node.inputs[0]
    assert ref is not None
    return np.asarray(look.values[ref][len(look.frames) // 2])


def _measuring(bound: Bound, mask: str) -> list[str]:
    """The components stages that a mask reaches, directly or through others."""
    reached, found = {mask}, []
    for node in bound.nodes:
        if any(ref is not None and ref.node in reached for ref in node.inputs):
            if node.stage.name == "components":
                found.append(node.id)
            else:
                reached.add(node.id)
    return found
