"""What a project says of its clip, for commands that take one in place of a clip."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands.arguments import reading_of
from app.controller import DEFAULT_PIPELINE
from app.exports.axes import Axes
from app.exports.scale import Scale
from app.files.missing import missing_sentence
from app.path_kinds import what_is
from app.sources.formats import split
from app.sources.reading import AS_STORED, Reading
from kernels.errors import InputError
from pipelines.frontend import Roi
from pipelines.graph import Pipeline

if TYPE_CHECKING:
    from app.channels.channel import Channel
    from app.project import ProjectClip


@dataclass(frozen=True, slots=True)
class Given:
    """What holds where the command line says nothing else.

    Args:
        clip, pipeline, reading, roi, frames: what is run.
        scale, axes, y_up: how positions count in tables.
        events: (frame, name), where none lie beside the clip.
        channels: the data channels beside it.
        notes: what is worth saying.
    """

    clip: str
    pipeline: str | Pipeline = DEFAULT_PIPELINE
    reading: Reading = AS_STORED
    roi: Roi | None = None
    frames: tuple[int, int] | None = None
    scale: Scale | None = None
    axes: Axes | None = None
    y_up: bool = False
    events: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()
    channels: tuple[Channel, ...] = ()


def of_project(options: argparse.Namespace) -> Given:
    """What the project in `options.clip` says of its clip, or of the one that is named behind a colon.

    Raises:
        InputError: it is no project, its clip is not there, or is none that has frames.
    """
    from app.project import read_project  # here: most runs are of clips

    what = what_is(options.clip)
    project = read_project(what.path)
    name = split(options.clip)[1]
    clip = _named(project.clips, name, what.path) if name else project.clip
    others = [one.name for one in project.clips if one is not clip]
    notes = [*project.notes]
    if others:
        notes.append(f"{what.path.name} holds {len(others)} more clip{'s' if len(others) > 1 else ''}: "
                     f"{', '.join(others)}; `fusetrack run {what.path}:{others[0]}` runs that one")  # fmt: skip
    if clip.path.startswith("cam:"):
        raise InputError(f"{what.path} is of a camera; `fusetrack record {clip.path} -o run.mcap` records it")
    if not clip.there:
        raise InputError(f"the clip of {what.path} is not there: {missing_sentence(Path(split(clip.path)[0]))}; "
                         "`fusetrack gui` asks where it is")  # fmt: skip
    steps = len((clip.corrections or {}).get("actions", ()))
    if steps:
        notes.append(f"{steps} correction{'s' if steps > 1 else ''} of tracks are of the window, which exports them; "
                     "these results are as the pipeline finds them")  # fmt: skip
    said, scale, known = reading_of(options), clip.scale, clip.reading
    reading = Reading(said.fps or known.fps, said.bits or known.bits, said.turn or known.turn,
                      known.gaps if said.fps is None else said.gaps)  # fmt: skip
    axes = None if scale is None or (scale.origin == (0.0, 0.0) and not scale.angle) else Axes(
        *scale.origin, scale.angle)  # fmt: skip
    return Given(
        clip.path, clip.graph(str(what.path)), reading, clip.roi, clip.frames,
        None if scale is None or scale.unit == "px" else Scale(scale.per_px, scale.unit), axes,
        scale is not None and scale.y_up, clip.events, tuple(notes),
        clip.channels,
    )  # fmt: skip


def _named(clips: tuple[ProjectClip, ...], name: str, path: Path) -> ProjectClip:
    found = [clip for clip in clips if name in (clip.name, Path(clip.path).stem, clip.path)]
    if len(found) != 1:
        raise InputError(f"{path} holds {'several clips' if found else 'no clip'} called {name!r}; it holds "
                         f"{', '.join(clip.name for clip in clips)}")  # fmt: skip
    return found[0]
