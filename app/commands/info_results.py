"""What `fusetrack info` tells of what is no clip: a run's results, a batch, a table of tracks, a file of labels.

What reads each of them is loaded when it is needed: of clips `info` is to say at once what they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from app.path_kinds import Kind, What, batch_report

SHOWN = 20
"""Clips of a batch that are listed; --json has all."""


def facts_of(what: What) -> dict[str, Any] | None:
    """Its facts, JSON-able; None of what is a clip, or may be one.

    Raises:
        InputError: it cannot be read.
    """
    match what.kind:
        case Kind.RUN:
            return _run(what)
        case Kind.BATCH:
            return _batch(what)
        case Kind.OWN_PROJECT:
            return _project(what)
        case Kind.TABLE:
            from app.exports.tables import read_tracks

            rows = read_tracks(what.path)
            return {"kind": what.kind.value, "path": str(what.path), **_counts(rows)}
        case Kind.LABELS:
            from app.labels.formats import read_labels

            labels = read_labels(what.path, "sim:")
            return {"kind": what.kind.value, "path": str(what.path), "frames": len(labels.frames),
                    "points": list(labels.points)}  # fmt: skip
        case _:
            return None


def lines_of(facts: Mapping[str, Any]) -> list[str]:
    """The same for people."""
    lines = [f"{facts['path']}  ({facts['kind']})"]
    for key in ("clip", "moved", "pipeline", "found", "frames", "part", "tracks", "rows", "points", "results"):
        value = facts.get(key)
        if value in (None, "", [], {}):
            continue
        if isinstance(value, Mapping):
            value = ", ".join(f"{name} = {one}" for name, one in value.items())
        elif isinstance(value, list):
            value = ", ".join(map(str, value))
        lines.append(f"  {key:<9} {value}")
    for clip in facts.get("clips", ()):
        parts = [clip["path"], "" if clip["clip_is_there"] else "no longer there", clip["pipeline"], *clip["settings"],
                *clip["part"], clip["scale"], *clip["holds"]]  # fmt: skip
        lines.append(f"  clip      {'; '.join(filter(None, parts))}")
    if cameras := facts.get("cameras"):
        calibrated = ["calibrated together"] if cameras["calibrated"] else []
        lines.append(f"  cameras   {'; '.join([*cameras['clips'], *calibrated])}")
    lines += [f"  note      {note}" for note in facts.get("notes", ())]
    runs = facts.get("runs", [])
    for run in runs[:SHOWN]:
        count = f"{run['tracks']} tracks in {run['frames']} frames" if run["status"] in ("done", "skipped") else ""
        words = "  ".join(filter(None, (run["name"], count, run["folder"], run["reason"])))
        lines.append(f"  {run['status']:<9} {words}")
    if len(runs) > SHOWN:
        lines.append(f"  and {len(runs) - SHOWN} more")
    return lines


def _run(what: What) -> dict[str, Any]:
    from app.runs import read_run

    record = read_run(what.given)
    facts, pipeline = record.facts, record.facts.get("pipeline") or {}
    made = facts.get("frames") or {}
    part = [f"frames {record.frames[0]} to {record.frames[1] - 1}"] if record.frames else []
    part += [f"x, y, width, height = {', '.join(map(str, record.roi))} px"] if record.roi else []
    found = (facts.get("found") or {}).get("values") or {}
    return {
        "kind": what.kind.value,
        "path": str(record.folder),
        "clip": record.clip,
        "clip_is_there": record.there,
        "moved": record.note,
        "pipeline": f"{pipeline.get('name', '?')}, {pipeline.get('summary', '')}".removesuffix(", "),
        "found": found,
        "frames": f"{made.get('processed', '?')} of {made.get('announced', '?')} processed"
        + (", stopped before the end" if facts.get("interrupted") else ""),
        "part": part,
        **_counts(record.tracks()),
        "results": sorted(one.name for one in record.folder.iterdir() if not one.name.startswith(".")),
        "versions": facts.get("versions") or {},
    }


def _project(what: What) -> dict[str, Any]:
    from app.project import read_project
    from pipelines.definition import library, load

    project = read_project(what.path)
    clips = []
    for number, clip in enumerate(project.clips):
        made, scale = clip.graph(what.given), clip.scale
        # Settings are told against what the pipeline was before it was changed, where that is a shipped one.
        source = clip.pipeline_from
        begun = load(source) if clip.changed and source in library() else made
        nodes = {member.id: member for member in begun.members}
        settings = [f"{member.id}.{name} = {_value(value)}" for member in made.members for name, value in
                    member.params.items() if member.id in nodes and nodes[member.id].params.get(name) != value]
        part = [f"frames {clip.frames[0]} to {clip.frames[1] - 1}"] if clip.frames else []
        part += [f"x, y, width, height = {', '.join(map(str, clip.roi))} px"] if clip.roi else []
        steps = len((clip.corrections or {}).get("actions", ()))
        holds = [f"{count} {word}{'' if count == 1 else 's'}"
                 for count, word in ((len(clip.events), "event"), (steps, "correction")) if count]
        clips.append({
            "path": clip.path, "clip_is_there": clip.there, "run": clip.run, "shown": number == project.shown,
            "pipeline": f"{made.name}, changed" if clip.changed else made.name, "settings": settings, "part": part,
            "scale": "" if scale is None or scale.unit == "px" else f"{scale.per_px:.6g} {scale.unit}/px",
            "holds": holds, "events": [{"frame": frame, "name": name} for frame, name in clip.events],
        })  # fmt: skip
    several = project.cameras
    shown = [one.path for one in several.calibration.cameras.get("clips", ()) if one.path]
    cameras = {} if several.empty else {"clips": shown, "calibrated": bool(several.rig)}
    return {"kind": what.kind.value, "path": str(what.path), "clips": clips, "cameras": cameras,
            "notes": list(project.notes)}  # fmt: skip


def _value(value: object) -> str:
    text = str(value)
    return text if len(text) <= SHOWN * 3 else f"{text[: SHOWN * 3 - 1]}…"


def _counts(rows: Any) -> dict[str, Any]:
    from pipelines.trackers.base import confirmed

    believed = confirmed(rows)
    return {"tracks": len(np.unique(believed["track"])), "rows": len(rows)}


def _batch(what: What) -> dict[str, Any]:
    report = batch_report(what.home)
    clips = [row for row in report["clips"] if isinstance(row, dict)]
    counts = Counter(str(row.get("status")) for row in clips)
    runs = []
    for row in clips:
        frames = row.get("frames")
        runs.append({
            "name": row.get("name", ""), "clip": row.get("clip", ""), "status": row.get("status", ""),
            "folder": str(what.home / row["folder"]) if row.get("folder") else "", "tracks": row.get("tracks", 0),
            "frames": frames.get("processed", 0) if isinstance(frames, dict) else 0, "reason": row.get("reason") or "",
        })  # fmt: skip
    return {"kind": what.kind.value, "path": str(what.home), "frames": report["totals"].get("processed"),
            "tracks": report["totals"].get("tracks"), "rows": report["totals"].get("rows"),
            "results": [f"{count} {status}" for status, count in sorted(counts.items())], "runs": runs}  # fmt: skip
