"""What is measured of tracks (areas, axes, angles) is in sessions, their replays and exports as in a run's tables."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.given_tracks import given_tracks
from app.live.replay import Wish, replay
from app.sessions.protobuf import parse
from app.sessions.reader import SessionReader, open_session
from app.sessions.row_messages import row_messages, rows_of_message
from app.sessions.schemas import _MEASURES, pack_tracks, unpack_tracks
from pipelines.features import TRACK_DTYPE, Tracks
from pipelines.measures import FIELDS, fields_of, measured_as, plain
from tests.app.sessions.made import tracks

CLIP = "sim:vortex?width=96&height=72&particles=10&frames=30"
posix = pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")


def measured(fields: tuple[str, ...], frames: int = 9) -> Tracks:
    rows = measured_as(tracks(3, frames), fields)
    rng = np.random.default_rng(1)
    for name in fields:
        rows[name] = rng.normal(size=len(rows))
        rows[name][::5] = np.nan
    return rows


@pytest.mark.parametrize("fields", [(), ("area",), ("mass", "orientation", "rotation"), FIELDS])
def test_rows_come_back_with_their_measures_bit_for_bit(fields: tuple[str, ...]) -> None:
    rows = measured(fields)
    back = unpack_tracks(pack_tracks(rows))
    assert back.dtype == rows.dtype
    assert back.tobytes() == rows.tobytes()
    assert pack_tracks(rows).startswith(pack_tracks(plain(rows))), "earlier versions find what they know"
    parts = [*row_messages(rows, 700)]
    assert max(map(len, parts)) <= 700
    assert len(parts) > 1
    assert b"".join(rows_of_message(part).tobytes() for part in parts) == rows.tobytes()
    assert {rows_of_message(part).dtype for part in parts} == {rows.dtype}


def test_every_measure_has_a_number_of_its_own_that_no_other_version_gives_to_another() -> None:
    assert {*_MEASURES} == {*FIELDS}
    assert len({*_MEASURES.values()}) == len(FIELDS)
    known = {"area": 101, "mass": 105, "orientation": 113, "scale": 116}
    assert {name: _MEASURES[name] for name in known} == known
    assert 113 in parse(pack_tracks(measured(("orientation",))))


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@posix
def test_a_recorded_clip_exports_replays_and_is_analysed_with_what_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Angles, which a session has as they were measured, go on past 180 degrees as in a table."""
    path, run = tmp_path / "a.mcap", tmp_path / "run"
    assert main(["record", CLIP, "-o", str(path), "-p", "objects", "-q"]) == 0
    assert main(["run", CLIP, "-p", "objects", "-o", str(run), "-q", "--no-overlay"]) == 0
    assert main(["export", str(path), "-o", str(tmp_path / "a.csv")]) == 0
    rows, wanted = table(tmp_path / "a.csv"), table(run / "tracks.csv")
    assert {"area_px2", "mass", "major_px", "minor_px", "orientation_deg"} <= rows[0].keys()
    assert sum(row["area_px2"] != "" for row in rows) > len(rows) // 2
    for name in wanted[0]:
        if name in ("state", "reason"):
            assert [row[name] for row in rows] == [row[name] for row in wanted]
        else:
            ours, theirs = (np.array([float(row[name] or "nan") for row in some]) for some in (rows, wanted))
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)
    assert main(["replay", str(path), "-o", str(tmp_path / "again"), "-q", "--no-overlay"]) == 0
    assert (tmp_path / "again" / "tracks.csv").read_bytes() == (run / "tracks.csv").read_bytes()
    assert main(["replay", str(path), "-o", str(tmp_path / "few"), "-q", "--no-overlay", "--columns", "area"]) == 0
    assert "major_px" not in table(tmp_path / "few" / "tracks.csv")[0]
    assert fields_of(given_tracks(str(path)).rows) == fields_of(measured_of(path))
    whole = SessionReader.tracks

    def spoilt(session: SessionReader) -> Tracks:
        rows = whole(session).copy()
        rows["area"][np.flatnonzero(np.isfinite(rows["area"]))[7]] += 1
        return rows

    monkeypatch.setattr(SessionReader, "tracks", spoilt)
    made = replay(Wish(path, check=True))
    assert not made.identical
    assert made.likeness is not None
    assert made.likeness.difference is not None
    assert made.likeness.difference.column == "area"


def measured_of(path: Path) -> Tracks:
    with open_session(path) as session:
        return session.tracks()


@posix
def test_a_camera_is_recorded_with_what_is_measured(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    camera = "cam:sim?scene=vortex&size=96x72&fps=200&frames=60"
    assert main(["record", camera, "-o", str(path), "-p", "blobs", "--no-rehearsal", "-q"]) == 0
    rows = measured_of(path)
    assert "area" in fields_of(rows)
    assert np.isfinite(rows["area"]).mean() > 0.3
    made = replay(Wish(path, check=True))
    assert made.likeness is not None
    assert made.likeness.rows > 20
    assert made.identical, made.likeness.describe()


def test_a_session_of_a_version_that_kept_none_is_compared_in_its_columns() -> None:
    from app.sessions.likeness import Likeness

    rows = measured(("area", "orientation"), 30)
    made = Likeness(plain(rows), np.arange(1000), True)
    made.add(rows[:20])
    made.add(rows[20:])
    made.finish()
    assert made.identical
    assert made.compared == len(rows)
    assert plain(rows).dtype == TRACK_DTYPE
