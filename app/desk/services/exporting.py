"""What a window can export, or ask of its tracks, and the orders for it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

import numpy as np

from app.desk.bench.workbench import Workbench
from app.desk.jobs.naming import following
from app.desk.jobs.orders import (
    FRF,
    MOTION,
    MSD,
    SHAPES,
    STRAIN,
    AnalyseOrder,
    EventsOrder,
    ExportOrder,
    Question,
    RunOrder,
    SpectraOrder,
)
from app.desk.pipeline.detecting import taker
from app.desk.tracks.evicted_tracks import evicted_words
from app.desk.tracks.spectra import SPECTRA as TABLE
from app.exports.axes import Axes
from app.exports.formats.catalogue import FRAMES, TRACKS, Format
from app.exports.path_picture import By
from app.exports.video_look import PLAIN, VideoLook
from app.plots.look import LIGHT, Look
from app.provenance import pipeline_facts, source_facts
from app.safe_names import clip_stem
from app.sources.reading import AS_STORED
from kernels.errors import InputError
from pipelines.frontend import Roi
from pipelines.writing import dumps


class What(Enum):
    """What is exported."""

    SEEN = "seen"  # the tracks that the window has seen
    RUN = "run"  # the tracks of a whole run, made first
    VIDEO = "video"  # the clip with the tracks that the window has seen drawn in
    PATHS = "paths"  # a picture of where they went
    FRAMES = "frames"  # the pictures of the clip
    SPECTRA = "spectra"  # what a tracker measured of motion and its own noise
    EVENTS = "events"  # the frames that the user has marked with names


@dataclass(frozen=True, slots=True)
class OwnFormat:
    """A format of spectra or events; as `TrackFormat`."""

    name: str
    suffix: str
    extensions: tuple[str, ...]
    summary: str
    extra: str = ""


SPECTRA = (
    OwnFormat("table", ".spectra.csv", (".csv",), "motion and noise at every frequency, a row a point and line"),
    OwnFormat("figure", ".spectra.png", (".png",), "the points that move most, with the noise floor"),
    OwnFormat("vector figure", ".spectra.svg", (".svg",), "the same, to be scaled and edited"),
)
EVENTS = (OwnFormat("table", ".events.csv", (".csv",), "frame, time and name, a row an event"),)
WITH_TRACKS = (What.SEEN, What.VIDEO, What.PATHS, What.SPECTRA)
"""What can be exported of chosen tracks: their numbers are those of the window."""
DRAWN = {What.VIDEO: "mp4", What.PATHS: "paths"}
"""What is drawn over pictures of the clip, and the format of it."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user chose.

    Args:
        what: see `What`.
        to: name of the format.
        out: the file.
        frames: only these, the first and one past the last; None for all.
        lengths: in the unit of the calibration, not in px.
        y_up: y points up.
        every, guesses, force: as in `ExportOrder`.
        axes: from the user's origin, along the user's axes.
        tracks: only these; () for all.
        colour: what the colours of paths tell.
        roi: the part of the pictures that is written, in px; None for all.
        video: how a video looks besides its tracks.
    """

    what: What
    to: str
    out: str
    frames: tuple[int, int] | None = None
    lengths: bool = False
    y_up: bool = False
    every: bool = False
    guesses: bool = False
    force: bool = False
    axes: bool = False
    tracks: tuple[int, ...] = ()
    colour: By = "track"
    roi: Roi | None = None
    video: VideoLook = PLAIN


def own_axes(bench: Workbench) -> bool:
    """Whether the user has set an origin or turned the axes."""
    made = bench.calibration
    return made.origin != (0.0, 0.0) or made.angle != 0.0


def formats(what: What) -> tuple[Format | OwnFormat, ...]:
    """The formats for it."""
    if what is What.SPECTRA:
        return SPECTRA
    if what is What.EVENTS:
        return EVENTS
    if what in DRAWN:
        return tuple(form for form in FRAMES if form.name == DRAWN[what])
    if what is What.FRAMES:
        return tuple(form for form in FRAMES if form.name not in DRAWN.values())
    return TRACKS


def possible(bench: Workbench) -> dict[What, str]:
    """What can be exported now, in words."""
    info, found = bench.info, {}
    if len(bench.store):
        first, last = bench.store.ranges[0][0], bench.store.ranges[-1][1]
        known = sum(b - a + 1 for a, b in bench.store.ranges)
        of = "" if info is None or bench.live else f" of {info.frames}"
        found[What.SEEN] = f"the tracks that were seen here: {known}{of} frames, from {first} to {last}"
        gone = evicted_words(bench.store, bench.number)
        found[What.SEEN] += f" ({gone} were given up for want of memory)" if gone else ""
    if info is not None and not bench.live and bench.asked is not None:
        if bench.pipeline.trackers:
            found[What.RUN] = f"the tracks of the whole clip: runs it through {bench.pipeline.name!r} first"
        found[What.VIDEO] = "a video (MP4) with these tracks drawn in"
        if len(bench.store):
            found[What.PATHS] = "a picture (PNG, SVG) of the paths of these tracks, with a scale bar"
        found[What.FRAMES] = f"the pictures of the clip: {info.frames} frames of {info.width} x {info.height}"
    spectra = bench.tables.get(TABLE)
    if spectra is not None and len(spectra):
        count = len(np.unique(spectra["track"]))
        found[What.SPECTRA] = f"the spectra that the tracker measured, with its noise: {count} points"
    if info is not None and bench.events:
        count = len(bench.events)
        found[What.EVENTS] = f"the {count} events that are marked" if count > 1 else "the event that is marked"
    return found


def suggested(bench: Workbench, what: What, to: str, folder: Path) -> Path:
    """A new file for it."""
    form = next(f for f in formats(what) if f.name == to)
    info = bench.info
    stem = clip_stem(info.name if info is not None else "tracks")
    return following(folder / f"{stem}{'-png' if to == 'png' else form.suffix}")


def order_for(bench: Workbench, wish: Wish) -> ExportOrder | SpectraOrder | EventsOrder:
    """The order for a wish.

    Raises:
        InputError: it cannot be exported now.
    """
    info, asked = bench.info, bench.asked
    if wish.what not in possible(bench) or info is None:
        raise InputError("there is nothing to export; open a clip and let it run")
    if not wish.out.strip():
        raise InputError("say which file to write")
    calibration = bench.calibration
    scale = f"{calibration.per_px!r} {calibration.unit}/px" if wish.lengths and calibration.physical else ""
    frames = wish.frames
    if frames is not None and frames[0] >= frames[1]:
        raise InputError("the first frame of an export must not come after the last one")
    out = str(Path(os.path.expanduser(wish.out)).absolute())
    if wish.what is What.EVENTS:
        return EventsOrder(bench.events, out, info.time, frames, wish.force)
    if wish.what is What.SPECTRA:
        rows = bench.tables[TABLE]
        if wish.tracks:
            rows = rows[np.isin(rows["track"], wish.tracks)]
            if not len(rows):
                raise InputError("the tracker has left no spectra of the selected tracks; select others, or take all")
        return SpectraOrder(rows, out, f"{info.name}: motion and noise", scale, wish.force, dict(bench.names),
                            calibration.angle != 0)  # fmt: skip
    made = ExportOrder("", wish.to, out, frames, AS_STORED, scale, wish.y_up, wish.every, wish.guesses, wish.force)
    if wish.axes and wish.what is not What.FRAMES and wish.what not in DRAWN:
        made = replace(made, axes=Axes(*calibration.origin, calibration.angle))
    if wish.what is What.SEEN or wish.what in DRAWN:
        about = {"source": source_facts(info), "pipeline": pipeline_facts(bench.pipeline)}
        made = replace(made, store=bench.store.snapshot(), about=about, names=dict(bench.names), tracks=wish.tracks)
        if wish.what is What.SEEN:
            return made
    assert asked is not None
    if wish.what in DRAWN:
        made = replace(made, clip=asked.what, colour=wish.colour)
        return made if wish.what is What.PATHS else replace(made, roi=wish.roi, video=wish.video)
    if wish.what is What.RUN:
        run = RunOrder(asked.what, dumps(bench.pipeline), frames, asked.reading, asked.roi, overlay=False,
                       device=asked.device, events=bench.own_events)  # fmt: skip
        return replace(made, run=run)
    return replace(made, source=asked.what, reading=asked.reading, roi=wish.roi)


def question_order(bench: Workbench, asked: Question, out: Path, look: Look = LIGHT) -> AnalyseOrder:
    """The order for a question about the tracks that a window has; `look` is that of its figure.

    Raises:
        InputError: there are none.
    """
    info = bench.info
    if info is None or not len(bench.store):
        raise InputError("there are no tracks yet; open a clip and let it run" if info is None else
                         "there are no tracks of this pipeline yet; let the clip run")  # fmt: skip
    exposure = info.metadata.get("exposure_s")
    now = bench.calibration
    what = {MSD: "mean squared displacement", SHAPES: "operating deflection shapes",
            FRF: "responses", MOTION: "motion", STRAIN: "strain"}[asked.question]  # fmt: skip
    return AnalyseOrder(
        asked, str(out), f"{info.name}: {what}", tuple(bench.selected) if asked.chosen else (),
        info.time.fps > 0 or bench.live, float(exposure) if isinstance(exposure, int | float) else None,
        f"{now.per_px!r} {now.unit}/px" if now.physical else "", bench.tables.get("windows"),
        float(found.window) if (found := taker(bench.pipeline)) is not None and found.window > 1 else None,
        bench.store.snapshot(), look=look,
    )  # fmt: skip
