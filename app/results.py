"""The folder of a run's results: its name, and what it held before."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from app.files.atomic import write_bytes
from app.safe_names import clip_stem, safe_file_name
from app.sources.formats import stands_for
from kernels.errors import InputError
from pipelines.frame import SourceInfo, TimeBase

HOME = Path("fusetrack-out")
SUMMARY, EVENTS = "summary.json", "events.csv"
TRACKS_CSV, TRACKS_PARQUET = "tracks.csv", "tracks.parquet"
TABLES = (TRACKS_PARQUET, TRACKS_CSV)
"""The tables of tracks that a run writes, the exact one first."""
RUN_STEMS = ("tracks", "summary", "events", "trajectories", "overlay", "spectra", "windows", "merges_and_splits",
             "keypoints", "skeleton", "frames", "done")  # fmt: skip
"""Names, without their endings, that a run's own files have."""
ANALYSES = ("msd.csv", "msd-tracks.csv", "diffusion.csv", "shapes.csv", "frf.csv", "modes.csv", "frf.uff")
"""What `msd`, `shapes` and `frf` leave beside them."""


def default_folder(
    info: SourceInfo, pipeline: str, frames: tuple[int, int], roi: tuple[int, int, int, int] | None
) -> Path:
    """fusetrack-out/<clip>-<pipeline>, with the frames and the region if they are parts of the clip.

    A clip of the same name from another folder, whose results are there already, keeps them: then the name of this
    clip's folder comes first.
    """
    part = "" if frames == (0, info.frames) else f"-frames-{frames[0]}-{frames[1]}"
    part += "" if roi is None else "-roi-" + "-".join(map(str, roi))
    name = safe_file_name(f"{clip_stem(info.name, plain=True)}-{pipeline}{part}")
    here, there = _path(info.identity), _path(_facts(HOME / name, "source", "identity"))
    if here and there and here != there:
        above = safe_file_name(Path(here).parent.name, "", plain=True)
        name = safe_file_name(f"{above}-{name}") if above else name
    return HOME / name


def absolute_clip(clip: str) -> str:
    """What names a clip, wherever it is asked for.

    >>> absolute_clip("sim:vortex?fps=500"), absolute_clip("/clips/shot_####.png")
    ('sim:vortex?fps=500', '/clips/shot_####.png')
    """
    return clip if clip.startswith("sim:") else os.path.abspath(os.path.expanduser(clip))


def events_beside(clip: str | Path) -> Path:
    """Where the events that the user marked in a clip or session lie: frame, time, name."""
    return Path(f"{stands_for(clip)}.events.csv")


def events_text(events: Iterable[tuple[int, str]], time: TimeBase) -> str:
    """The table of events (frame, name): frame, time_s (time_frames if the rate is unknown), name."""
    made = io.StringIO(newline="")
    rows = csv.writer(made)
    rows.writerow(["frame", "time_s" if time.fps > 0 else "time_frames", "name"])
    rows.writerows([frame, f"{time.time(frame):.9g}", name] for frame, name in events)
    return made.getvalue()


def take_events(
    clip: str, target: Path, frames: tuple[int, int], problems: list[str], known: bytes = b""
) -> bool:  # fmt: skip
    """Copy the events of a clip to its results, as they are now; without any, those of an earlier run go.

    Args:
        clip: path, pattern or "sim:SCENE", beside which no events lie.
        frames: the first that the results are of, and one past the last; events of others stay with the clip.
        problems: gets a sentence where they cannot be read or written.
        known: a table of those that a project has, which count where none lie beside the clip.

    Returns:
        Whether there are some.
    """
    beside = events_beside(os.path.expanduser(clip))
    try:
        found = beside.read_bytes() if beside.is_file() else known
        data = _within(found, frames) if found else b""
        if data:
            write_bytes(target, data)
        else:
            target.unlink(missing_ok=True)
    except (OSError, InputError) as error:
        problems.append(f"the events in {beside} could not be copied to {target}: {error}")
        return False
    return bool(data)


def _within(data: bytes, frames: tuple[int, int]) -> bytes:
    """The lines of a table of events that are of these frames; b"" if none is, all of what is no such table."""
    try:
        lines = data.decode("utf-8-sig").splitlines(keepends=True)
        mark = max(",;\t", key=lines[0].count)
        rows = csv.reader(lines, delimiter=mark)
        place = [title.strip().lower() for title in next(rows)].index("frame")
        kept, last = lines[: rows.line_num], rows.line_num
        head = len(kept)
        for row in rows:
            if any(cell.strip() for cell in row) and frames[0] <= int(row[place]) < frames[1]:
                kept += lines[last : rows.line_num]
            last = rows.line_num
    except (ValueError, IndexError, StopIteration, csv.Error):
        return data
    return "".join(kept).encode() if len(kept) > head else b""


def table_in(folder: Path) -> Path | None:
    """The table of tracks in a folder of results, the exact one where there are both; None where there is none."""
    return next((folder / name for name in TABLES if (folder / name).is_file()), None)


def replaced(folder: Path, facts: Mapping[str, Any]) -> str:
    """A sentence if the folder holds results of another clip, of other settings or of another part; else "".

    Args:
        facts: what the summary of the new run will say.
    """
    old = _facts(folder)
    if not old:
        return ""
    here, there = _path(facts["source"]["identity"]), _path(_facts(folder, "source", "identity"))
    of = []
    if here and there and here != there:
        of = [f"another clip ({there})"]
    elif _facts(folder, "pipeline").get("hash") != facts["pipeline"]["hash"]:
        of = ["other settings"]
    part = list(facts["range"]), facts["roi"] and list(facts["roi"])
    if here == there and "range" in old and (old["range"], old.get("roi")) != part:
        of.append("other frames or another part of the picture")
    return f"the earlier results there, of {' and '.join(of)}, were replaced" if of else ""


def outdated(folder: Path) -> str:
    """A sentence if the folder holds analyses, which will be of earlier tracks than its own; else ""."""
    old = [name for name in ANALYSES if (folder / name).exists()]
    return f"{', '.join(old)} there: of the tracks of an earlier run" if old else ""


def spared(folder: Path, facts: Mapping[str, Any]) -> Path:
    """The folder, or where it holds results that `replaced` tells of, the first of folder-2, folder-3 ... that does
    not."""
    made, number = folder, 2
    while replaced(made, facts):
        made, number = folder.with_name(f"{folder.name}-{number}"), number + 1
    return made


def _facts(folder: Path, *names: str) -> Mapping[str, Any]:
    """A part of the summary in a folder; {} where there is none."""
    try:
        found: Any = json.loads((folder / SUMMARY).read_text("utf-8-sig"))
        for name in names:
            found = found[name]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _path(identity: Mapping[str, Any]) -> str:
    return str(identity.get("path", "")).encode("utf-8", "backslashreplace").decode()
