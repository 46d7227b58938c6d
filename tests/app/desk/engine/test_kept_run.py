"""The engine shows the tracks of a run as they were written, until they are asked for anew; over a blank ground where
the clip is gone."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from app.controller import run_clip
from app.desk.engine import commands, kept_run, reports
from app.desk.engine.desk import Desk
from app.desk.engine.picture_box import PictureBox, Shown
from app.results import SUMMARY
from app.run_pipeline import pipeline_of
from app.runs import read_run
from app.sources.blank import GROUND, BlankSource
from kernels.errors import SourceError
from pipelines.definition import loads
from pipelines.measures import fields_of, plain
from pipelines.writing import dumps
from tests.patience import PATIENCE

N, FIRST = 24, 4


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a clip with two spots that go to the right; frames FIRST to N - 1, a part of the picture."""
    top = tmp_path_factory.mktemp("kept")
    y, x = np.mgrid[:48, :80]
    frames = [sum(180 * np.exp(-((x - 16 - k) ** 2 + (y - cy) ** 2) / 8) for cy in (14, 34)) + 20 for k in range(N)]
    np.save(top / "spots.npy", np.array(frames).astype(np.uint8))
    run_clip(top / "spots.npy", "blobs", settings={"follow.gate": 4.0}, fps=500.0, frames=(FIRST, None),
             roi=(2, 4, 76, 42), out=top / "out", overlay=False, device="cpu")  # fmt: skip
    return top


class Played:
    """A desk, and what it has reported."""

    def __init__(self) -> None:
        self.reports: list[reports.Report] = []
        self.desk = Desk(self.reports.append)

    def open(self, folder: Path, clip: str | None = None) -> None:
        record = read_run(folder, clip)
        self.desk.obey(commands.Open(record.clip, dumps(pipeline_of(record)), record.reading, record.roi, record.frames,
                                     device="cpu", play=False, run=str(folder)))  # fmt: skip

    def of(self, kind: type) -> list:
        return [report for report in self.reports if isinstance(report, kind)]

    def until(self, done: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end, self.reports[-5:]
            self.desk.look()
            time.sleep(0.005)

    def shown(self, frame: int) -> Shown:
        """What the window would see of a frame."""
        box = PictureBox(name=self.of(reports.Opened)[-1].box)
        found: list[Shown] = []

        def look() -> bool:
            picture = box.take()
            if picture is not None and picture.frame == frame:
                found.append(picture)
            return bool(found)

        self.desk.obey(commands.Seek(frame))
        self.until(look)
        return found[0]


@pytest.fixture
def played() -> Iterator[Played]:
    made = Played()
    yield made
    made.desk.close()


def test_the_tracks_of_a_run_are_shown_as_they_were_written(made: Path, played: Played, monkeypatch) -> None:
    monkeypatch.setattr(kept_run, "PIECE", 7)  # whole frames at a time all the same
    played.open(made / "out")
    rows = read_run(made / "out").tracks()
    (opened,) = played.of(reports.Opened)
    assert loads(opened.pipeline) == pipeline_of(read_run(made / "out"))
    assert (opened.groups, opened.outputs) == ((), ())
    assert opened.found["bright.polarity"] == "bright"
    parts = played.of(reports.Rows)
    assert len(parts) > 3
    assert (parts[0].first, parts[-1].last) == (FIRST, N - 1)
    assert all(a.last + 1 == b.first for a, b in pairwise(parts))
    assert np.concatenate([part.rows for part in parts]).tobytes() == rows.tobytes()
    shown = played.shown(15)
    assert shown.rows.tobytes() == plain(rows[rows["frame"] == 15]).tobytes()
    assert len(shown.rows) == 2
    assert shown.pixels.tobytes() == np.load(made / "spots.npy")[15].tobytes()
    assert len(played.of(reports.Rows)) == len(parts)  # nothing was computed


@pytest.mark.parametrize("how", ["anew", "changed"])
def test_a_change_or_a_wish_computes_them_anew(made: Path, played: Played, how: str) -> None:
    played.open(made / "out")
    text = dumps(pipeline_of(read_run(made / "out")))
    played.reports[1:] = []
    order = commands.SetPipeline(text) if how == "anew" else commands.SetParam("follow", "gate", 3.5)
    played.shown(15)
    played.desk.obey(order)
    played.desk.obey(commands.Seek(FIRST))
    played.until(lambda: played.of(reports.Built))
    assert played.of(reports.Outdated)
    gate = loads(played.of(reports.Built)[-1].pipeline).trackers[0].params["gate"]
    assert gate == (4.0 if how == "anew" else 3.5)
    played.desk.obey(commands.SetLoop(False))
    played.desk.obey(commands.SetSpeed(None))
    played.desk.obey(commands.Play())
    played.until(lambda: any(part.last == N - 1 for part in played.of(reports.Rows)))
    found = {(int(row["frame"]), int(row["track"])): row for part in played.of(reports.Rows) for row in part.rows}
    wanted = {(int(row["frame"]), int(row["track"])): row for row in read_run(made / "out").tracks()}
    measured = ("area", "diameter", "mass", "peak", "min", "max", "major", "minor", "orientation")
    assert {fields_of(part.rows) for part in played.of(reports.Rows)} == {measured}, "computed anew, they have measures"
    assert fields_of(read_run(made / "out").tracks()) == measured
    if how == "anew":  # the bits of the run
        both = found.keys() & wanted.keys()
        assert len(both) > 30
        assert all(found[k].tolist()[3:5] == wanted[k].tolist()[3:5] for k in both)


def test_without_the_clip_they_stand_on_a_blank_ground_and_nothing_is_computed(
    made: Path, played: Played, tmp_path: Path
) -> None:
    folder = shutil.copytree(made / "out", tmp_path / "out")
    summary = folder / SUMMARY
    summary.write_text(summary.read_text().replace("spots.npy", "gone.npy"))
    played.open(folder)
    (opened,) = played.of(reports.Opened)
    assert (opened.info.kind, opened.info.width, opened.info.frames, opened.info.time.fps) == ("blank", 80, N, 500.0)
    shown = played.shown(10)
    assert (shown.pixels == GROUND).all()
    assert len(shown.rows) == 2
    played.desk.obey(commands.SetPipeline(dumps(pipeline_of(read_run(folder)))))
    (refused,) = played.of(reports.Refused)
    assert refused.sentence.endswith("gone.npy, so that nothing can be computed of it")
    played.open(folder, str(made / "spots.npy"))  # it was found
    assert played.of(reports.Opened)[-1].info.kind == "npy"


def test_a_blank_ground_needs_a_size() -> None:
    with pytest.raises(SourceError, match="does not tell how large"):
        BlankSource({"width_px": 3})
    with pytest.raises(SourceError, match="does not tell how large"):
        BlankSource({"width_px": 3, "height_px": 0, "frames": 2})
