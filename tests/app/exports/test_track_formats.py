"""Exported tracks are read back by the ecosystem's readers: the same numbers, with their units."""

from __future__ import annotations

import json
import warnings
import xml.etree.ElementTree as ET
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest
import scipy.io
from hypothesis import given, settings
from hypothesis import strategies as st

from app.exports.axes import Axes
from app.exports.formats import mat
from app.exports.formats.c3d import write_c3d
from app.exports.formats.catalogue import TRACKS
from app.exports.formats.deeplabcut import write_dlc
from app.exports.formats.hdf5 import write_hdf5
from app.exports.formats.mat import write_mat
from app.exports.formats.nwb import write_nwb
from app.exports.formats.parquet import write_parquet
from app.exports.formats.text import write_csv, write_wide
from app.exports.formats.trackmate import write_trackmate
from app.exports.formats.trc import write_trc
from app.exports.scale import METRES, Scale, Units, parse_scale
from app.exports.table import TrackTable, physical, wide
from app.exports.tables import read_meta, read_tracks
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State, Tracks, no_tracks, sigmas
from tests.app.exports.made import assert_same, lives, random_tracks
from tests.tracks_csv import write_tracks_csv

START = datetime(2026, 5, 1, 14, 30, tzinfo=timezone(timedelta(hours=2)))
MM = Scale(0.25, "mm")
SIZE = (200, 120)


def table(rows: Tracks | None = None, scale: Scale | None = None, **more: Any) -> TrackTable:
    rows = np.concatenate(lives(30, 5)) if rows is None else rows
    up, fps = bool(more.pop("up", False)), more.pop("fps", 1000.0)
    made = physical(rows, scale, fps=fps, was=1000.0 if fps > 0 else np.nan, up=up, size=SIZE)
    units = Units("px" if scale is None else scale.unit, "s" if fps > 0 else "frame")
    return TrackTable(made, units, fps, "shot.cine", SIZE, scale, up, **more)


def seen_by_track(rows: Tracks) -> dict[int, Tracks]:
    rows = rows[np.isin(rows["state"], (State.TENTATIVE, State.TRACKED))]
    return {int(k): np.sort(rows[rows["track"] == k], order="frame") for k in np.unique(rows["track"])}


def dense(of: TrackTable, name: str) -> np.ndarray[Any, Any]:
    """(frames, tracks), row by row."""
    tracks = seen_by_track(of.rows)
    first, last = int(of.rows["frame"].min()), int(of.rows["frame"].max())
    made = np.full((last - first + 1, len(tracks)), np.nan)
    for column, rows in enumerate(tracks.values()):
        for row in rows:
            made[int(row["frame"]) - first, column] = row[name]
    return made


@settings(max_examples=60)
@given(st.floats(1e-6, 1e3), st.sampled_from(sorted(METRES)), st.booleans(), st.sampled_from([500.0, 1000.0, 24_000.0]))
def test_units(factor: float, unit: str, up: bool, fps: float) -> None:
    rows = random_tracks(20, 3)
    for text in (f"{factor!r} {unit}/px", f"{1 / factor!r}px/{unit}"):
        scale = parse_scale(text)
        assert scale.unit == unit
        assert scale.factor == pytest.approx(factor, rel=1e-12)
    made = physical(rows[::-1], scale, fps=fps, was=1000.0, up=up, size=SIZE)
    sign, offset = (-1, 119) if up else (1, 0)
    np.testing.assert_allclose(made["x"], rows["x"] * factor, rtol=1e-9)
    np.testing.assert_allclose(made["y"], (offset + sign * rows["y"]) * factor, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(made["time"], rows["frame"] / 30000 * 1000 / fps, rtol=1e-12)
    np.testing.assert_allclose(made["vy"], sign * rows["vy"] * factor * fps / 1000, rtol=1e-9)
    np.testing.assert_allclose(made["sigma"], rows["sigma"] * factor, rtol=1e-6)
    for name in ("frame", "track", "state", "reason", "score"):
        np.testing.assert_array_equal(made[name], rows[name])


@pytest.mark.parametrize(
    "text", ["0.12", "mm/px", "0 mm/px", "-1 mm/px", "nan mm/px", "1 mm/cm", "1 px/px", "1e mm/px", "1e300 m/px",
             "1e-300 m/px", "1e-310 px/mm", "inf m/px"]
)
def test_bad_scales(text: str) -> None:
    with pytest.raises(InputError, match="--scale takes"):
        parse_scale(text)


def test_csv_is_the_run_s_own(tmp_path: Path) -> None:
    made = table(random_tracks(50, 6))
    write_csv(made, tmp_path / "a.csv")
    write_tracks_csv(tmp_path / "b.csv", made.rows)
    ours, run = pd.read_csv(tmp_path / "a.csv"), pd.read_csv(tmp_path / "b.csv")
    pd.testing.assert_frame_equal(ours, run, rtol=0, atol=1.1e-6)
    assert_same(read_tracks(tmp_path / "a.csv")[["frame", "time", "track", "state", "reason"]],
                made.rows[["frame", "time", "track", "state", "reason"]])  # fmt: skip


@pytest.mark.parametrize("write", [write_csv, write_parquet])
def test_long_tables_in_millimetres(tmp_path: Path, write: Any) -> None:
    made = table(random_tracks(40, 4), MM, up=True)
    path = tmp_path / ("t.csv" if write is write_csv else "t.parquet")
    write(made, path)
    read = pd.read_csv(path, na_values=[""], keep_default_na=False) if write is write_csv else pd.read_parquet(path)
    assert list(read.columns) == ["frame", "time_s", "track", "x_mm", "y_mm", "vx_mm_per_s", "vy_mm_per_s", "sigma_mm",
                                  "sigma_x_mm", "sigma_y_mm", "correlation", "score", "state", "reason"]  # fmt: skip
    for column, name in (("x_mm", "x"), ("vy_mm_per_s", "vy"), ("time_s", "time"), ("sigma_mm", "sigma")):
        tolerance = 1e-7 if write is write_csv else 0
        np.testing.assert_allclose(read[column], made.rows[name], rtol=0, atol=tolerance, equal_nan=True)
    assert read["state"].tolist() == [State(s).name.lower() for s in made.rows["state"]]
    if write is write_parquet:
        told = read_meta(path)
        assert told["scale"] == "0.25 mm/px"
        assert "y up" in told["coordinates"]
        assert told["units"]["vx_mm_per_s"] == "mm/s"
        assert pyarrow.parquet.read_schema(path).field("x_mm").metadata[b"unit"] == b"mm"


def test_parquet_in_pixels_is_the_run_s_own(tmp_path: Path) -> None:
    made = table(random_tracks(40, 4))
    write_parquet(made, tmp_path / "t.parquet")
    assert_same(read_tracks(tmp_path / "t.parquet"), made.rows)


def test_wide_and_dlc(tmp_path: Path) -> None:
    made = table()
    write_wide(made, tmp_path / "w.csv")
    read = pd.read_csv(tmp_path / "w.csv", index_col="frame")
    x, y = dense(made, "x"), dense(made, "y")
    ids = list(seen_by_track(made.rows))
    assert list(read.columns[:3]) == ["time_s", f"track_{ids[0]}_x_px", f"track_{ids[0]}_y_px"]
    np.testing.assert_array_equal(read["time_s"], np.arange(30) / 1000)
    np.testing.assert_allclose(read.iloc[:, 1::2], x, atol=1e-6)
    np.testing.assert_allclose(read.iloc[:, 2::2], y, atol=1e-6)
    assert np.isnan(x).any()
    write_dlc(made, tmp_path / "d.csv")
    dlc = pd.read_csv(tmp_path / "d.csv", header=[0, 1, 2], index_col=0)  # as DeepLabCut's own code does
    assert dlc.columns.names == ["scorer", "bodyparts", "coords"]
    np.testing.assert_allclose(dlc["fusetrack"].xs("y", axis=1, level="coords"), y, atol=1e-6)
    likelihood = dlc["fusetrack"].xs("likelihood", axis=1, level="coords").to_numpy()
    np.testing.assert_allclose(likelihood, np.nan_to_num(dense(made, "score")), atol=1e-6)


def test_guesses_are_asked_for() -> None:
    rows = np.concatenate(lives(30, 5))
    rows["state"][rows["state"] == State.TENTATIVE] = State.PREDICTED
    assert np.isfinite(wide(table(rows, guesses=True)).x).sum() == len(rows)
    assert np.isfinite(wide(table(rows)).x).sum() == (rows["state"] == State.TRACKED).sum()


def test_a_table_too_wide_is_refused() -> None:
    rows = np.zeros(20_000, TRACK_DTYPE)
    rows["frame"] = rows["track"] = np.arange(20_000)
    rows["state"] = State.TRACKED
    with pytest.raises(InputError, match="20000 rows and 20000 tracks"):
        wide(table(rows))


def test_hdf5(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    made = table(random_tracks(40, 4), MM)
    write_hdf5(made, tmp_path / "t.h5")
    with h5py.File(tmp_path / "t.h5") as file:
        frame = pd.DataFrame({name: data[:] for name, data in file["tracks"].items()})
        for name in TRACK_DTYPE.names or ():
            if name != "anisotropy":
                np.testing.assert_array_equal(frame[name], made.rows[name])
        for name, wanted in zip(("sigma_x", "sigma_y"), sigmas(made.rows), strict=True):
            np.testing.assert_allclose(frame[name], wanted, rtol=1e-6)
        assert file["tracks/vx"].attrs["units"] == "mm/s"
        assert file["tracks/x"].attrs["description"] == "position, to the right"
        assert list(file["tracks/state"].attrs["words"]) == ["tentative", "tracked", "predicted", "lost"]
        assert (file.attrs["fps"], file.attrs["scale"]) == (1000.0, "0.25 mm/px")
        assert json.loads(file["metadata"][()])["clip"] == "shot.cine"


def test_mat(tmp_path: Path) -> None:
    made = table(None, MM)
    write_mat(made, tmp_path / "t.mat")
    read = scipy.io.loadmat(tmp_path / "t.mat")
    wanted = seen_by_track(made.rows)
    assert read["tracks"].shape == (1, len(wanted))
    for struct, (track, rows) in zip(read["tracks"][0], wanted.items(), strict=True):
        assert struct["id"].item() == track
        assert struct["x"].shape == (len(rows), 1)
        for name in ("frame", "time", "x", "y", "vx", "score"):
            np.testing.assert_array_equal(struct[name].ravel(), rows[name])
        np.testing.assert_array_equal(struct["state"].ravel(), rows["state"] + 1)  # info.states{state}
        np.testing.assert_allclose(struct["sigma_y"].ravel(), sigmas(rows)[1], rtol=1e-6)
    info = read["info"][0, 0]
    assert info["fps"].item() == 1000
    assert info["units"][0, 0]["vy"].item() == "mm/s"
    assert [word.item() for word in info["states"].ravel()] == ["tentative", "tracked", "predicted", "lost"]


def test_mat_says_when_it_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mat, "LARGEST", 10_000)
    with pytest.raises(InputError, match="--to hdf5"):
        write_mat(table(), tmp_path / "t.mat")
    assert not list(tmp_path.iterdir())


def times_of(series: Any) -> Any:
    """Of a series of NWB, whichever way it tells them."""
    if series.timestamps is not None:
        return series.timestamps[:]
    return series.starting_time + np.arange(len(series.data)) / series.rate


def test_nwb(tmp_path: Path) -> None:
    pynwb = pytest.importorskip("pynwb")
    clip = tmp_path / "clips" / "shot.cine"
    clip.parent.mkdir()
    clip.write_bytes(b"CI")
    made = table(None, MM, clip=clip, clip_times=np.arange(30) / 1000, start=START, up=True,
                 about={"subject_id": "m1", "species": "Mus musculus", "age": "P90D", "sex": "F", "lab": "Gait",
                        "experimenter": "Doe, Jane; Roe, Rick"})  # fmt: skip
    path = tmp_path / "out" / "t.nwb"
    path.parent.mkdir()
    write_nwb(made, path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        assert not pynwb.validate(path=str(path))
    with pynwb.NWBHDF5IO(str(path), "r") as io:
        file = io.read()
        assert file.session_start_time == START
        assert (file.subject.subject_id, file.subject.species, file.lab) == ("m1", "Mus musculus", "Gait")
        assert list(file.experimenter) == ["Doe, Jane", "Roe, Rick"]
        video = file.acquisition["clip"]
        assert [str(name) for name in video.external_file[:]] == ["../clips/shot.cine"]
        assert (video.starting_time, video.rate) == (0.0, 1000.0)
        behavior = file.processing["behavior"]
        wanted = seen_by_track(made.rows)
        assert len(behavior["Position"].spatial_series) == len(wanted)
        for track, rows in wanted.items():
            series = behavior["Position"][f"track_{track}"]
            np.testing.assert_array_equal(series.data[:], np.stack((rows["x"], rows["y"]), 1))
            np.testing.assert_allclose(times_of(series), rows["time"], rtol=0, atol=1e-9)
            np.testing.assert_array_equal(series.control[:], rows["state"])
            assert (series.unit, series.conversion) == ("meters", 1e-3)
            assert "y up" in series.reference_frame
            score = behavior["Quality"][f"track_{track}_score"]
            np.testing.assert_array_equal(score.data[:], rows["score"])
            np.testing.assert_allclose(times_of(score), rows["time"], rtol=0, atol=1e-9)


def test_nwb_is_what_its_inspector_wants(tmp_path: Path) -> None:
    """With all that best practices ask of whoever recorded it, nothing is left to be said of what fusetrack writes."""
    pytest.importorskip("pynwb")
    inspector = pytest.importorskip("nwbinspector")
    about = {"subject_id": "m1", "species": "Mus musculus", "age": "P90D", "sex": "F", "institution": "Gait",
             "experimenter": "Doe, Jane", "experiment_description": "gait", "keywords": "gait; whisking",
             "subject_description": "a mouse"}  # fmt: skip
    clip = tmp_path / "shot.avi"
    clip.write_bytes(b"RIFF")
    rows = np.concatenate(lives(30, 5))
    long = [track for track, seen in seen_by_track(rows).items() if len(seen) > 2]
    rows = rows[np.isin(rows["track"], long)]  # it takes fewer rows than columns for transposed
    write_nwb(table(rows, MM, clip=clip, clip_times=np.arange(30) / 1000, start=START, about=about), tmp_path / "t.nwb")
    assert [m.message for m in inspector.inspect_nwbfile(nwbfile_path=str(tmp_path / "t.nwb"))] == []


def test_nwb_keeps_times_that_are_uneven(tmp_path: Path) -> None:
    pynwb = pytest.importorskip("pynwb")
    rows = np.zeros(6, TRACK_DTYPE)
    rows["frame"], rows["track"], rows["state"] = np.arange(6), 1, State.TRACKED
    for name, times in (("even", np.arange(6) / 1000), ("uneven", np.array([0, 1, 2, 5, 6, 7]) / 1000)):
        rows["time"] = times
        write_nwb(table(rows, start=START), tmp_path / f"{name}.nwb")
        with pynwb.NWBHDF5IO(str(tmp_path / f"{name}.nwb"), "r") as io:
            behavior = io.read().processing["behavior"]
            for series in (behavior["Position"]["track_1"], behavior["Quality"]["track_1_score"]):
                if name == "even":
                    assert (series.starting_time, series.rate, series.timestamps) == (0.0, 1000.0, None)
                else:
                    assert series.rate is None
                    np.testing.assert_array_equal(series.timestamps[:], times)


@pytest.mark.parametrize("up", [False, True])
@pytest.mark.parametrize("axes", [None, Axes(3.0, 4.0, 30.0)])
def test_columns_are_told_as_they_are(tmp_path: Path, up: bool, axes: Axes | None) -> None:
    h5py = pytest.importorskip("h5py")
    write_hdf5(table(None, up=up, axes=axes), tmp_path / "t.h5")
    write_parquet(table(None, up=up, axes=axes), tmp_path / "t.parquet")
    words = {"y": "position", "vy": "velocity"}
    direction = "along y of the axes" if axes else "up" if up else "down"
    with h5py.File(tmp_path / "t.h5") as file:
        schema = pyarrow.parquet.read_schema(tmp_path / "t.parquet")
        for name, word in words.items():
            column = "y_px" if name == "y" else "vy_px_per_s"
            assert file["tracks"][name].attrs["description"] == f"{word}, {direction}"
            assert schema.field(column).metadata[b"description"].decode() == f"{word}, {direction}"


def test_nwb_says_what_it_lacks(tmp_path: Path) -> None:
    pytest.importorskip("pynwb")
    for made, words in (
        (table(fps=np.nan, start=START), "--fps"),
        (table(), "--start"),
        (table(start=START, about={"subjekt": "m1"}), "subject_id"),
    ):
        with pytest.raises(InputError, match=words):
            write_nwb(made, tmp_path / "t.nwb")
    assert not list(tmp_path.iterdir())


def test_c3d_by_another_reader(tmp_path: Path) -> None:
    pytest.importorskip("ezc3d")
    c3d = pytest.importorskip("c3d")
    made = table(None, MM)
    write_c3d(made, tmp_path / "t.c3d")
    with open(tmp_path / "t.c3d", "rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "No analog data found"
        reader = c3d.Reader(file)
        points = np.stack([points for _, points, _ in reader.read_frames()])
        assert reader.point_rate == 1000
        assert reader.get("POINT:UNITS").string_value.strip() == "mm"
        labels = [label.strip() for label in reader.point_labels]
    x, y = dense(made, "x"), dense(made, "y")
    assert labels == [f"track_{track}" for track in seen_by_track(made.rows)]
    np.testing.assert_array_equal(points[..., 3] < 0, np.isnan(x))  # the residual of what is not seen
    np.testing.assert_allclose(points[..., 0][~np.isnan(x)], x[~np.isnan(x)], rtol=1e-6)
    np.testing.assert_allclose(points[..., 1][~np.isnan(x)], y[~np.isnan(x)], rtol=1e-6)


def test_trc(tmp_path: Path) -> None:
    made = table(None, MM)
    write_trc(made, tmp_path / "t.trc")
    lines = (tmp_path / "t.trc").read_text().split("\n")
    ids = list(seen_by_track(made.rows))
    assert lines[0].split("\t") == ["PathFileType", "4", "(X/Y/Z)", "t.trc"]
    facts = dict(zip(lines[1].split("\t"), lines[2].split("\t"), strict=True))
    assert (facts["DataRate"], facts["NumFrames"], facts["NumMarkers"], facts["Units"]) == (
        "1000.0",
        "30",
        str(len(ids)),
        "mm",
    )
    assert lines[3].split("\t")[2::3] == [f"track_{k}" for k in ids]
    assert lines[4].split("\t")[:5] == ["", "", "X1", "Y1", "Z1"]
    assert lines[5] == ""
    rows = [line.split("\t") for line in lines[6:-1]]
    values = np.array([[float(field or "nan") for field in row] for row in rows])
    np.testing.assert_array_equal(values[:, 0], np.arange(1, 31))
    np.testing.assert_array_equal(values[:, 1], np.arange(30) / 1000)
    np.testing.assert_allclose(values[:, 2::3], dense(made, "x"), rtol=1e-8)
    np.testing.assert_allclose(values[:, 3::3], dense(made, "y"), rtol=1e-8)


def test_trackmate(tmp_path: Path) -> None:
    made = table(None, Scale(4.5, "um"))
    write_trackmate(made, tmp_path / "t.xml")
    root = ET.parse(tmp_path / "t.xml").getroot()
    wanted = seen_by_track(made.rows)
    assert root.tag == "Tracks"
    assert (root.get("nTracks"), root.get("spaceUnits"), root.get("frameInterval")) == (str(len(wanted)), "µm", "0.001")
    for particle, rows in zip(root, wanted.values(), strict=True):
        assert particle.get("nSpots") == str(len(particle)) == str(len(rows))
        for spot, row in zip(particle, rows, strict=True):
            assert int(spot.get("t", "")) == row["frame"]
            assert float(spot.get("x", "")) == pytest.approx(row["x"], rel=1e-8)


def test_an_unknown_rate_counts_frames(tmp_path: Path) -> None:
    rows = random_tracks(5, 2, mixed=False)
    rows["time"] = rows["frame"]
    made = table(rows, fps=np.nan)
    write_csv(made, tmp_path / "t.csv")
    assert "time_frames" in (tmp_path / "t.csv").read_text().splitlines()[0]
    assert "vx_px_per_frame" in (tmp_path / "t.csv").read_text().splitlines()[0]
    for write, name in ((write_trc, "t.trc"),):
        with pytest.raises(InputError, match="--fps"):
            write(made, tmp_path / name)


@pytest.mark.parametrize("one", TRACKS, ids=lambda one: one.name)
def test_no_tracks_and_full_disks(tmp_path: Path, small_disk: Path, one: Any) -> None:
    for extra, module in (("hdf5", "h5py"), ("nwb", "pynwb"), ("c3d", "ezc3d")):
        if one.extra == extra:
            pytest.importorskip(module)
    if one.name in ("c3d", "dlc-h5"):
        with pytest.raises(InputError, match="no marker" if one.name == "c3d" else "there are no tracks"):
            one.write(table(no_tracks(), start=START), tmp_path / f"none{one.suffix}")
    else:
        one.write(table(no_tracks(), start=START), tmp_path / f"none{one.suffix}")
        assert (tmp_path / f"none{one.suffix}").exists()
        if one.name == "dlc":
            assert (tmp_path / "none.dlc.csv").read_text(encoding="utf-8").split() == ["scorer", "bodyparts", "coords"]
    rows = random_tracks(3000, 8, mixed=False)
    rows["sigma"] = 1.0
    with pytest.raises(InputError, match="the disk is full") as caught:
        one.write(table(rows, start=START), small_disk / f"t{one.suffix}")
    assert "\n" not in str(caught.value)
    assert not list(small_disk.iterdir())


def test_a_start_without_a_zone_is_local(tmp_path: Path) -> None:
    pynwb = pytest.importorskip("pynwb")
    start = datetime(2026, 1, 1, 12)
    write_nwb(table(start=start), tmp_path / "t.nwb")
    with pynwb.NWBHDF5IO(str(tmp_path / "t.nwb"), "r") as io:
        assert io.read().session_start_time == start.astimezone()
