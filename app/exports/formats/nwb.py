"""Tracks as Neurodata Without Borders (.nwb, nwb.org), for neuroscience.

In the processing module "behavior": a Position with a SpatialSeries a track (places where it was seen, with a rate
where their times are even, else with the time of each; `control` holds the state of each), and BehavioralTimeSeries
with its score (confidence, 0 to 1) and the standard uncertainty of its places; of key points also a PoseEstimation an
animal with its Skeleton (ndx-pose). The clip is an ImageSeries that points
to the file. Places carry their unit: "pixels", or "meters" with the conversion from the unit in which they are stored.
"""

from __future__ import annotations

import os
import re
import uuid
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from app.exports.columns import COLUMNS, WORDS
from app.exports.formats.hdf5 import hdf5_image
from app.exports.poses import poses
from app.exports.relations import MEANINGS, RELATIONS
from app.exports.scale import METRES
from app.exports.table import TrackTable
from app.files.atomic import write_bytes
from app.files.optional import need
from app.files.summary import json_text
from app.version import __version__
from kernels.errors import InputError
from pipelines.features import Tracks, sigmas

EXTRA = "nwb"
MOST_TRACKS = 5000
"""Each is three objects of a few milliseconds."""
EVEN = 1e-9
"""Seconds by which steps of even times may differ."""
SUBJECT = ("subject_id", "age", "sex", "species", "genotype", "strain", "weight", "subject_description")
SESSION = (
    "session_description", "session_id", "identifier", "experimenter", "lab", "institution", "experiment_description",
    "keywords", "notes", "protocol", "related_publications",
)  # fmt: skip
"""What --meta knows about subject and session."""


def check_nwb(table: TrackTable) -> None:
    """See that it can be written.

    Raises:
        InputError: pynwb is missing, the capture rate or the start is not known, or unknown words in `about`.
    """
    need("pynwb", "NWB", EXTRA)
    if table.keypoints.tracks:
        need("ndx_pose", "NWB with key points", EXTRA)
    table.rate("NWB")
    unknown = sorted(set(table.about) - {*SUBJECT, *SESSION})
    if unknown:
        raise InputError(f"--meta {unknown[0]}= is nothing that NWB holds; it knows {', '.join((*SUBJECT, *SESSION))}")
    if table.start is None:
        raise InputError("NWB needs to know when the recording began; say it with --start 2026-05-01T14:30:00")


def write_nwb(table: TrackTable, path: Path) -> None:
    """An NWB file that `pynwb.validate` accepts.

    Raises:
        InputError: as in `check_nwb`, or too many tracks.
    """
    check_nwb(table)
    pynwb = need("pynwb", "NWB", EXTRA)
    tracks = table.each()
    if len(tracks) > MOST_TRACKS:
        raise InputError(
            f"NWB holds an object for each of the {len(tracks)} tracks, too many of them; take the long ones with "
            "--min-frames or write --to hdf5"
        )
    file = _file(pynwb, table)
    if table.clip is not None and table.clip_times is not None:
        file.add_acquisition(_clip(pynwb, table, path))
    behavior = file.create_processing_module("behavior", "tracked features")
    if tracks:
        _positions(pynwb, behavior, table, tracks)
    if tracks and table.keypoints.tracks:
        _poses(behavior, table)
    if table.events is not None and len(table.events):
        behavior.add(_events(table))

    def fill(store: Any, stack: ExitStack) -> None:
        # pynwb takes an open file in place of a name.
        stack.enter_context(pynwb.NWBHDF5IO(file=store, mode="w")).write(file)

    write_bytes(path, hdf5_image(fill, "NWB", EXTRA))


def _file(pynwb: Any, table: TrackTable) -> Any:
    about, start = dict(table.about), table.start
    assert start is not None
    start = start if start.tzinfo else start.astimezone()
    subject = {name: about.pop(name) for name in SUBJECT if name in about}
    if "subject_description" in subject:
        subject["description"] = subject.pop("subject_description")
    # NWB holds lists here; on the command line they are separated by semicolons.
    for name in ("experimenter", "keywords", "related_publications"):
        if name in about:
            about[name] = [word.strip() for word in about[name].split(";")]  # type: ignore[assignment]
    description = about.pop("session_description", f"features tracked in {_text(table.name)} by fusetrack")
    identifier = about.pop("identifier", "") or str(uuid.uuid4())
    return pynwb.NWBFile(
        session_description=description, identifier=identifier, session_start_time=start,
        file_create_date=datetime.now(UTC), source_script=json_text({**table.facts, "start": table.start_note}),
        source_script_file_name=f"fusetrack {__version__}",
        subject=pynwb.file.Subject(**subject) if subject else None, **about,
    )  # fmt: skip


def _clip(pynwb: Any, table: TrackTable, path: Path) -> Any:
    assert table.clip is not None
    assert table.clip_times is not None
    try:  # relative, so that the folder can move as a whole
        link = os.path.relpath(table.clip.resolve(), path.absolute().parent)
    except ValueError:  # another drive
        link = str(table.clip.resolve())
    size = {} if table.size is None else {"dimension": list(table.size)}
    facts = {
        "name": "clip", "description": f"the clip {_text(table.name)}, as the camera or the recorder wrote it",
        "external_file": [Path(link).as_posix()], "format": "external", "starting_frame": [0], "unit": "n.a.",
        **_times(table.clip_times, table.fps), **size,
    }  # fmt: skip
    if "rate" in facts:
        with suppress(TypeError):  # pynwb before 4 does not ask for it
            return pynwb.image.ImageSeries(**facts, num_samples=len(table.clip_times))
    return pynwb.image.ImageSeries(**facts)


def _events(table: TrackTable) -> Any:
    """Which tracks merge and split."""
    events = table.events
    assert events is not None
    core = need("hdmf", "NWB", EXTRA).common
    words = [RELATIONS[kind] for kind in events["kind"].tolist()]
    columns: list[tuple[str, str, Any]] = [
        ("timestamp", "time, s", events["time"]), ("frame", "index of the frame", events["frame"]),
        ("event", MEANINGS["event"], words), ("track", "id of the track", events["track"]),
        ("other_track", MEANINGS["other_track"], events["other"]),
        ("x", f"where, {table.units.length}", events["x"]), ("y", f"where, {table.units.length}", events["y"]),
    ]  # fmt: skip
    return core.DynamicTable(
        name="events", description="which tracks merge and split",
        columns=[core.VectorData(name=name, description=doc, data=data if isinstance(data, list) else data.copy())
                 for name, doc, data in columns],
    )  # fmt: skip


def _unit(table: TrackTable) -> dict[str, Any]:
    """How places are counted, as arguments of a series."""
    unit = table.units.length
    return {"unit": "pixels"} if unit == "px" else {"unit": "meters", "conversion": METRES[unit]}


def _poses(behavior: Any, table: TrackTable) -> None:
    """Each animal's points (ndx-pose). All have the frames of the table, NaN where a point was not seen."""
    ndx_pose = need("ndx_pose", "NWB with key points", EXTRA)
    made = poses(table)
    times = _times(made.times, table.fps)
    skeletons = [ndx_pose.Skeleton(name=f"{name}_skeleton", nodes=list(made.points), edges=made.edges.astype(np.uint16))
                 for name in made.names]  # fmt: skip
    behavior.add(ndx_pose.Skeletons(skeletons=skeletons))
    for a, (name, skeleton) in enumerate(zip(made.names, skeletons, strict=True)):
        series = [
            ndx_pose.PoseEstimationSeries(
                name=re.sub("[/:]", "_", point), description=f"x, y of {point}",
                data=np.stack((made.x[:, a, p], made.y[:, a, p]), axis=1),
                confidence=made.score[:, a, p], confidence_definition="score of the network, 0 where it was not seen",
                reference_frame=table.coordinates, **times, **_unit(table),
            ) for p, point in enumerate(made.points)
        ]  # fmt: skip
        behavior.add(ndx_pose.PoseEstimation(
            name=f"PoseEstimation_{name}", pose_estimation_series=series, description=f"key points of {name}",
            skeleton=skeleton, source_software="fusetrack", source_software_version=__version__,
        ))  # fmt: skip


def _positions(pynwb: Any, behavior: Any, table: TrackTable, tracks: list[tuple[int, Tracks]]) -> None:
    unit = table.units.length
    places = _unit(table)
    # Places are stored in the table's unit, with the factor to metres beside them.
    stored = "" if unit == "px" else f", stored in {unit} ({table.scale.text if table.scale else ''})"
    position, quality = pynwb.behavior.Position(name="Position"), pynwb.behavior.BehavioralTimeSeries(name="Quality")
    for name, (track, rows) in zip(table.labels(track for track, _ in tracks), tracks, strict=True):
        times = _times(rows["time"], table.fps)
        # Series of one track that are not even share the times of its places.
        series = pynwb.behavior.SpatialSeries(
            name=name, description=f"x, y of track {track}{stored}; control: its state in each frame",
            data=np.stack((rows["x"], rows["y"]), axis=1), **times,
            reference_frame=table.coordinates, control=rows["state"].copy(),
            control_description=list(WORDS["state"]), **places,
        )  # fmt: skip
        position.add_spatial_series(series)
        shared = {"timestamps": series} if "timestamps" in times else times
        quality.add_timeseries(
            pynwb.TimeSeries(
                name=f"{name}_score", description="confidence: how well it was seen, 0 to 1",
                data=rows["score"].copy(), unit="1", **shared,
            )
        )  # fmt: skip
        quality.add_timeseries(
            pynwb.TimeSeries(
                name=f"{name}_sigma", description=f"{table.sigma}{stored}",
                data=rows["sigma"].copy(), **shared, **places,
            )
        )  # fmt: skip
        quality.add_timeseries(
            pynwb.TimeSeries(
                name=f"{name}_sigma_xy", description=f"{table.sigma}: those of x and of y{stored}",
                data=np.stack(sigmas(rows), axis=1).astype(np.float32), **shared, **places,
            )
        )  # fmt: skip
        quality.add_timeseries(
            pynwb.TimeSeries(
                name=f"{name}_correlation", description="correlation of the errors of x and of y, -1 to 1",
                data=rows["correlation"].copy(), unit="1", **shared,
            )
        )  # fmt: skip
        for column in table.columns[len(COLUMNS) :]:
            quality.add_timeseries(
                pynwb.TimeSeries(
                    name=f"{name}_{column.field}", description=table.describe(column), data=rows[column.field].copy(),
                    unit=table.units.of(column.field) or "n.a.", **shared,
                )
            )  # fmt: skip
    behavior.add(position)
    behavior.add(quality)


def _times(times: Any, fps: float) -> dict[str, Any]:
    """Arguments of a series: begin and rate where its times are even, else the times themselves.

    >>> _times(np.array([0.25, 0.5, 0.75]), 4.0)
    {'starting_time': 0.25, 'rate': 4.0}
    """
    times = np.array(times, np.float64)
    steps = np.diff(times)
    # Even times are stored as begin and rate, which readers like; others one by one.
    if len(times) < 2 or np.ptp(steps) > EVEN:
        return {"timestamps": times}
    # The rate that is named is stored if the times fit it, not one that rounding made of them.
    named = np.abs(times - times[0] - np.arange(len(times)) / fps).max() <= EVEN
    return {"starting_time": float(times[0]), "rate": fps if named else (len(times) - 1) / float(times[-1] - times[0])}


def _text(value: str) -> str:
    return value.encode("utf-8", "backslashreplace").decode()
