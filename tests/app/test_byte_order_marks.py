"""Files that an editor on Windows has saved, with a mark before the first letter, are read as without it."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.analysis.motion import clip_times_of
from app.batch.finding import read_list
from app.desk.pipeline.pipeline_file import read_pipeline, write_pipeline
from app.desk.sidecars import corrections_file, events_file
from app.desk.tracks.steps import Action, Rename
from app.exports.tables import load_table
from app.run_windows import COLUMNS, read_windows
from pipelines.definition import library, load


def a_pipeline(file: Path) -> object:
    return load(file)


def a_pipeline_that_is_saved_again(file: Path) -> object:
    made, origin = read_pipeline(file)
    write_pipeline(made, file, origin, over=True)
    return file.read_text("utf-8")


def a_summary(file: Path) -> object:
    return clip_times_of(file.parent)


def windows(file: Path) -> object:
    return {track: places.tolist() for track, places in read_windows(file.parent).items()}


def a_list(file: Path) -> object:
    return read_list(str(file))


def events(file: Path) -> object:
    return events_file.load(file).events


def corrections(file: Path) -> object:
    return corrections_file.load(file)


def a_table(file: Path) -> object:
    return load_table(file).to_pydict()


def corrected(file: Path) -> None:
    made_of = corrections_file.Provenance("clip", 3, 2, 2, "blobs", "0123")
    corrections_file.save(file, (Action("call it", (Rename(0, "left"),)),), made_of)


TEXTS: list[tuple[Callable[[Path], Any], str, str | Callable[[Path], object]]] = [
    (a_pipeline, "mine.toml", library()["blobs"].read_text("utf-8")),
    (a_pipeline_that_is_saved_again, "mine.toml", library()["blobs"].read_text("utf-8")),
    (a_summary, "summary.json", '{"source": {"time_base": {"fps": null}, "metadata": {"exposure_s": 0.001}}}'),
    (windows, "windows.csv", ",".join(COLUMNS) + "\n" + ",".join(map(str, range(len(COLUMNS)))) + "\n"),
    (a_list, "clips.txt", "a.mp4\nb.mp4\n"),
    (events, "clip.events.csv", "frame,time_s,name\n3,0.03,onset\n"),
    (corrections, "clip.corrections.json", corrected),
    (a_table, "tracks.csv", "frame,x\n0,1.5\n"),
]


@pytest.mark.parametrize(("read", "name", "text"), TEXTS, ids=[read.__name__ for read, _, _ in TEXTS])
def test_the_mark_changes_nothing(
    read: Callable[[Path], Any], name: str, text: str | Callable[[Path], object], tmp_path: Path
) -> None:
    file = tmp_path / name
    if isinstance(text, str):
        file.write_text(text, "utf-8")
    else:
        text(file)
    data = file.read_bytes()
    plain = read(file)
    file.write_bytes(codecs.BOM_UTF8 + data)
    assert read(file) == plain
