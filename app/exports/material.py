"""What can be exported: the results of a run, a recorded session, a table of tracks, or any clip."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.frame_stack import rate_of
from app.exports.physical_csv import Counting, counting_told
from app.exports.relations import read_relations
from app.exports.tables import read_tracks
from app.files.summary import versions
from app.keypoints import Keypoints, read_keypoints, recorded_keypoints
from app.path_kinds import Kind, run_facts, what_is
from app.provenance import source_facts
from app.results import SUMMARY, TABLES, table_in
from app.runs import read_run
from app.safe_names import clip_stem
from app.sessions.events import KEYPOINTS
from app.sources.base import check_file, read_head
from app.sources.formats import SESSION, split
from app.sources.opening import open_source
from app.sources.reading import AS_STORED, Reading
from app.sources.session import SessionSource
from kernels.errors import InputError
from pipelines.features import RELATION_DTYPE, Tracks
from pipelines.frame import FrameSource


@dataclass
class Material:
    """What an input holds.

    Args:
        path: the input as it was given.
        stem: what its exports are called.
        home: the folder where they go unless the user says otherwise.
        clip: what `open_source` takes for its pictures; "" if unknown.
        rows: its tracks in px, None if it has none.
        was: the rate by which the rows' times were counted, NaN if they count frames.
        fps: the capture rate that holds, NaN if unknown.
        given: how the user has it read.
        size: of the picture in px, None if unknown.
        span: first frame of the results and one past the last; None for all.
        numbers: by which number the rows know each frame of the clip; None for its index.
        times: seconds of each frame of the clip, None if unknown.
        start, start_note: when the recording began, and whence that is known.
        meta: source, pipeline, versions; JSON-able.
        notes: sentences for the user.
        keypoints: which of its tracks are points of a skeleton.
        relations: which of its tracks merge and split, rows of RELATION_DTYPE in px.
        counting: the unit and axes of the run's own tables.
    """

    path: str
    stem: str
    home: Path
    clip: str = ""
    rows: Tracks | None = None
    was: float = math.nan
    fps: float = math.nan
    given: Reading = AS_STORED
    size: tuple[int, int] | None = None
    span: tuple[int, int] | None = None
    numbers: npt.NDArray[np.int64] | None = None
    times: npt.NDArray[np.float64] | None = None
    start: datetime | None = None
    start_note: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    keypoints: Keypoints = field(default_factory=Keypoints)
    relations: npt.NDArray[Any] = field(default_factory=lambda: np.zeros(0, RELATION_DTYPE))
    counting: Counting = field(default_factory=Counting)

    @property
    def clip_file(self) -> Path | None:
        """The file of the clip, None where it is none (any more)."""
        return Path(self.clip) if self.clip and Path(self.clip).is_file() else None

    @property
    def is_recorded_keypoints(self) -> bool:
        """Whether its tracks are key points, but nothing tells which each is."""
        pipeline = self.meta.get("pipeline")
        nodes = pipeline.get("nodes", ()) if isinstance(pipeline, dict) else ()
        return not self.keypoints.tracks and any(isinstance(n, dict) and n.get("use") == "keypoints" for n in nodes)

    def open(self) -> FrameSource:
        """The frames.

        Raises:
            InputError: they are not there.
        """
        if not self.clip:
            raise InputError(
                f"{self.path} holds no frames and does not tell of which clip it is; say it with --clip FILE"
            )
        missing = not self.clip.startswith("sim:") and not os.path.exists(split(self.clip)[0])
        if missing and self.clip != self.path and not any(mark in self.clip for mark in "*?%#["):
            raise InputError(f"the clip of {self.path} is no longer at {self.clip}; say where it is with --clip FILE")
        return open_source(self.clip, self.given)

    def tracks(self) -> Tracks:
        """The rows.

        Raises:
            InputError: there are none.
        """
        if self.rows is None:
            raise InputError(
                f"{self.path} holds frames and no tracks; `fusetrack run` finds tracks in it, and then its folder of "
                "results can be exported"
            )
        return self.rows


def open_material(
    path: str | os.PathLike[str], clip: str | None = None, fps: float | None = None, turn: int = 0
) -> Material:
    """Look at an input.

    Args:
        path: a folder of results, a session, a table of tracks (CSV or Parquet), or what `open_source` takes.
        clip: the clip of the tracks, where that cannot be known or has moved.
        fps: the capture rate in place of what the input says.
        turn: degrees by which the frames are turned clockwise.

    Raises:
        InputError: it is none of these, or damaged.
    """
    text = os.fspath(path)
    place = Path(os.path.expanduser(text))
    what = what_is(text)
    if what.kind is Kind.BATCH and not place.is_file():
        # A file of a run's folder stands for the run, so that what lies beside it is known.
        raise InputError(what.wrong("a run's folder, a session, a table of tracks or a clip"))
    if place.is_dir() and ((place / SUMMARY).is_file() or table_in(place) is not None):
        made = _results(text, place, table_in(place))
    elif place.is_file() and (what.kind is Kind.RUN or (place.name in TABLES and (place.parent / SUMMARY).is_file())):
        made = _results(text, place.parent, place if place.name in TABLES else table_in(place.parent))
    elif place.is_file() and _is_table(place):
        made = Material(text, place.stem, place.parent, rows=read_tracks(place), meta={"versions": versions()})
        times = made.rows["time"] if made.rows is not None else np.zeros(0)
        if not np.isfinite(times).all():
            made.rows = made.tracks().copy()
            made.rows["time"] = made.rows["frame"]  # a table without times counts frames
        else:
            made.was = made.fps = _rate_of(made.tracks())
    else:
        made = _clip(text, place, turn)
    if clip is not None:
        made.clip = clip
    if turn:
        made.given = replace(made.given, turn=turn)
    if fps is not None:
        made.given, made.fps = replace(made.given, fps=fps), fps
        # The rate of the user replaces the times of the clip.
        made.times = None if made.times is None else np.arange(len(made.times)) / fps
    return made


def _results(text: str, folder: Path, table: Path | None) -> Material:
    facts = _summary(folder / SUMMARY)
    source = facts.get("source") or {}
    identity = source.get("identity") or {}
    known = read_run(folder) if run_facts(folder) else None
    base = source.get("time_base") or {}
    fps = float(base.get("fps") or math.nan)
    width, height = source.get("width_px"), source.get("height_px")
    made = Material(
        text, clip_stem(str(source.get("name", folder.name))), folder, clip=known.clip if known else "", was=fps,
        fps=fps, given=Reading.of(source),
        size=(int(width), int(height)) if width and height else None,
        meta={key: facts[key] for key in ("source", "pipeline", "versions", "range", "roi") if key in facts},
        counting=counting_told(facts.get("units")),
    )  # fmt: skip
    if table is None:
        raise InputError(f"{folder} holds no table of tracks; run the clip again")
    made.rows, made.keypoints, made.relations = read_tracks(table), read_keypoints(folder), read_relations(folder)
    if isinstance(facts.get("range"), list) and len(facts["range"]) == 2:
        made.span = (int(facts["range"][0]), int(facts["range"][1]))
    if fps > 0 and isinstance(source.get("frames"), int):
        made.times = float(base.get("begin_s") or 0.0) + np.arange(source["frames"]) / fps
    if known and known.there and known.note:
        made.notes.append(known.note)
    if facts.get("interrupted"):
        made.notes.append("the run was stopped before its end; these are the tracks up to there")
    made.notes += [str(caution) for caution in source.get("cautions") or ()]
    stamp = identity.get("mtime_ns")
    if isinstance(stamp, int):
        made.start, made.start_note = _at(stamp), "when the file of the clip was last changed"
    return made


def _summary(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        made = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        # Missing clips are told before they are opened, but for patterns, which name no file.
        raise InputError(f"{path} cannot be read: {' '.join(str(error).split())[:120]}; run the clip again") from None
    return made if isinstance(made, dict) else {}


def _clip(text: str, place: Path, turn: int) -> Material:
    with closing(open_source(text, turn=turn)) as source:
        info = source.info
        rate = rate_of(info.time)
        made = Material(
            text, clip_stem(info.name, plain=True), Path(), clip=text, was=rate, fps=rate,
            size=(info.width, info.height), times=np.array([info.time.time(k) for k in range(info.frames)]),
            meta={"source": source_facts(info), "versions": versions()}, notes=list(info.warnings),
        )  # fmt: skip
        if isinstance(source, SessionSource):
            _session(made, source)
        elif place.is_file():
            made.start = _at(place.stat().st_mtime_ns)
            made.start_note = "when the file of the clip was last changed"
        if not rate > 0:
            made.times = None
    return made


def _session(made: Material, source: SessionSource) -> None:
    session = source.session
    rows = source.tracks()
    made.rows = rows if len(rows) else None
    made.keypoints = recorded_keypoints(event for event in session.events() if event["kind"] == KEYPOINTS)
    made.numbers = session.rows["sequence"].astype(np.int64)
    manifest = session.manifest
    made.meta = {**made.meta, **{key: manifest[key] for key in ("pipeline", "uuid", "created") if key in manifest}}
    clip_facts = manifest.get("source")
    clip: dict[str, Any] = clip_facts if isinstance(clip_facts, dict) and clip_facts.get("kind") != "camera" else {}
    first = source.info.time.time(0) if source.info.time.fps > 0 else 0.0
    # Times count from there, be it a trigger.
    made.start = _at(int(session.rows["host_time"][0]) - round(1e9 * first))
    # The host had the first frame at this time; times may count from a trigger before or behind it.
    made.start_note = "when the host had what times count from"
    if clip:
        known = "trigger_utc" in (clip.get("metadata") or {})
        made.start_note = "by the camera's clock at the trigger" if known else "when the clip was made into a session"
    made.notes += [problem for problem in session.problems if problem not in made.notes]


def _is_table(place: Path) -> bool:
    check_file(place)
    head = read_head(place, 4096)
    return head.startswith(b"PAR1") or (place.suffix.lower() in (".csv", ".tsv") and not SESSION.sniff(head))


def _rate_of(rows: Tracks) -> float:
    """The rate that a table's times tell: NaN if they count frames or say nothing."""
    span = int(np.ptp(rows["frame"])) if len(rows) else 0
    elapsed = float(np.ptp(rows["time"])) if span else 0.0
    # Times that are the frames' numbers are none.
    if not elapsed > 0 or np.array_equal(rows["time"], rows["frame"]):
        return math.nan
    return round(span / elapsed, 6)


def _at(stamp: int) -> datetime:
    return datetime.fromtimestamp(stamp / 1e9, UTC)
