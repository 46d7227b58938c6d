"""Our own trackers, through whole pipelines: from the camera's pixels to tracks."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from app.benchmark.trackers.contender import Contender, Frames, Run
from app.benchmark.trackers.scenes import SMALL_MOTIONS, Clip, Kind
from pipelines.automatic.settling import settle_on
from pipelines.definition import load, loads
from pipelines.features import Tracks, join_tracks
from pipelines.frame import FrameBatch, Pixels, Result
from pipelines.graph import Pipeline, Ref
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.trackers.base import confirmed

Made = Callable[[Clip, float], Pipeline]


@dataclass
class Collected:
    """A sink that keeps the rows. Not the pictures: as in any run their memory is written again once all have looked
    at them, where fresh memory in every frame would take longer than a smoothed picture."""

    parts: list[Tracks] = field(default_factory=list)

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:  # noqa: ARG002 - a sink takes both
        self.parts += [result.tracks for result in results]

    def close(self) -> None:
        """Nothing is held."""

    @property
    def tracks(self) -> Tracks:
        return join_tracks(self.parts)


@dataclass
class Tapped(Collected):
    """A sink that keeps tapped tables, too."""

    taps: list[Mapping[str, Pixels]] = field(default_factory=list)

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        super().write(frames, results)
        self.taps += [result.taps for result in results]


@dataclass
class Clocked(Collected):
    """A sink that notes when each frame is through."""

    marks: list[float] = field(default_factory=list)

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        super().write(frames, results)
        self.marks.append(time.perf_counter())


def run_of(pipeline: Pipeline, clip: Clip, sink: Collected | None = None, batch: int = 16) -> Run:
    """A run of the pipeline on the processor; a `Runner` runs once, so that each run is made anew."""
    kept = sink or Collected()
    settled = settle_on(pipeline, clip).pipeline
    runner = Runner(
        clip, prepare(settled, clip), [kept], frames=(0, len(clip)), options=RunOptions(device="cpu", batch=batch)
    )

    def run() -> Tracks:
        runner.run()
        return confirmed(kept.tracks)

    return run


def _ours(
    name: str, kind: Kind, made: Made, choices: Sequence[float] = (0.0,), scenes: Sequence[str] = ()
) -> Contender:
    """A contender by its pipeline: whole clips in batches, and frame by frame as a camera delivers them."""

    def whole(clip: Clip, choice: float) -> Run:
        return run_of(made(clip, choice), clip)

    def single(clip: Clip, choice: float) -> Frames:
        sink = Clocked()
        run = run_of(made(clip, choice), clip, sink, batch=1)

        def frames() -> Sequence[float]:
            run()
            return np.diff(sink.marks).tolist()

        return frames

    return Contender(name, kind, whole, choices, scenes, single=single)


def blob_pipeline(clip: Clip, level: float) -> Pipeline:
    """The pipeline `blobs` with a threshold; its tracker as it comes."""
    settings: dict[str, object] = {"bright.level": level}
    if clip.scene.dark:
        settings |= {"bright.level": -level, "bright.polarity": "dark", "spots.polarity": "dark"}
    return load("blobs").with_settings(settings)


def _markers(_: Clip, level: float) -> Pipeline:
    return load("facial-markers").with_settings({"rim.level": level})


def _template(clip: Clip, frames: float) -> Pipeline:
    """`frames` are averaged in the reference of each window."""
    return _pointed(load("template"), clip, {"reference_frames": int(frames), "max_missed": clip.scene.hidden + 2})


def _corners(clip: Clip, _: float) -> Pipeline:
    """The points alone: no corners are looked for."""
    corners = load("corners")
    (follow,) = corners.trackers
    alone = replace(follow, inputs={"image": follow.inputs["image"]})
    nodes = tuple(node for node in corners.nodes if node.id == follow.inputs["image"].node)
    settings = {"max_points": 0, "model": "affine" if clip.scene.turns else "translation"}
    return _pointed(replace(corners, nodes=nodes, trackers=(alone,)), clip, settings)


def _vibration(clip: Clip, _: float) -> Pipeline:
    return _pointed(load("vibration"), clip, {})


def _pointed(pipeline: Pipeline, clip: Clip, settings: Mapping[str, object]) -> Pipeline:
    taker = pipeline.trackers[0].id
    points = tuple((float(x), float(y)) for x, y in clip.points)
    given: dict[str, object] = {"points": points, "window": clip.scene.window, **settings}
    return pipeline.with_settings({f"{taker}.{key}": value for key, value in given.items()})


THRESHOLD = """
name = "threshold"
[stages.gray]
[stages.bright]
use = "threshold"
level = 18
[stages.spots]
use = "components"
inputs = { mask = "bright", weights = "gray" }
min_area = 3
refine_sigma = 1.4
[trackers.follow]
use = "blob"
inputs = "spots"
max_speed = 12
"""


def _threshold(_: Clip, level: float) -> Pipeline:
    """Spots far brighter than a level ground: the least that finds, centres and links them."""
    return loads(THRESHOLD).with_settings({"bright.level": level})


def _parts(name: str, made: Made, level: float, last: str) -> tuple[Contender, ...]:
    """The pipeline up to the pixels that the host takes, up to components, up to their centres: what each part of the
    whole takes is the difference. `last`: the output with which the pixels end, beside the mask."""

    def cut(*taps: str, **settings: object) -> Made:
        def made_of(clip: Clip, choice: float) -> Pipeline:
            whole = made(clip, choice)
            kept = whole.nodes if "spots" in taps else tuple(node for node in whole.nodes if node.id != "spots")
            short = replace(whole, nodes=kept, trackers=(), taps=tuple(Ref(tap) for tap in taps))
            return short.with_settings({f"spots.{key}": value for key, value in settings.items()})

        return made_of

    parts = {"pixels": cut("bright", last), "pixels, components": cut("spots", refine="moments"),
             "pixels, components, centres": cut("spots")}  # fmt: skip
    return tuple(_ours(f"fusetrack {name}: {words}", "things", part, (level,), ("speed",))
                 for words, part in parts.items())  # fmt: skip


LEVELS = (0.0015, 0.0025, 0.004, 0.007, 0.012, 0.02, 0.035, 0.06, 0.1)
OURS = (
    _ours("fusetrack blobs", "things", blob_pipeline, LEVELS),
    *_parts("blobs", blob_pipeline, 0.012, "scale"),
    _ours("fusetrack threshold", "things", _threshold, (18.0,), ("speed",)),
    *_parts("threshold", _threshold, 18.0, "gray"),
    _ours("fusetrack facial-markers", "things", _markers, (0.5, 0.8, 1.2), ("face",)),
    _ours("fusetrack template", "points", _template, (1, 16)),
    _ours("fusetrack corners", "points", _corners),
    _ours("fusetrack vibration", "points", _vibration, scenes=SMALL_MOTIONS),
)
