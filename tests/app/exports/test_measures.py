"""Measures of rows, and which tracks merge and split, through every format that has a place for them, and back."""

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest
import scipy.io

from app.exports.axes import Axes
from app.exports.columns import chosen_measures, columns_of, csv_header, to_csv
from app.exports.formats.hdf5 import write_hdf5
from app.exports.formats.mat import write_mat
from app.exports.formats.nwb import write_nwb
from app.exports.formats.parquet import write_parquet
from app.exports.formats.text import write_csv
from app.exports.relations import read_relations
from app.exports.scale import Scale, Units
from app.exports.table import TrackTable, physical, placed
from app.exports.tables import read_tracks, write_tracks_parquet
from kernels.errors import InputError
from pipelines.features import RELATION_DTYPE
from pipelines.measures import (
    FIELDS,
    MEASURES,
    Unwrapping,
    carrying,
    fields_of,
    measures_dtype,
    no_measures,
    plain,
    with_measures,
)
from tests.app.exports.made import assert_same, random_tracks
from tests.tracks_csv import write_tracks_csv


def measured_tracks(frames=12, tracks=3):
    rows = random_tracks(frames, tracks, 3, mixed=False)
    rows["sigma"] = 0.1
    made = np.zeros(len(rows), measures_dtype(FIELDS))
    rng = np.random.default_rng(2)
    for name in FIELDS:
        made[name] = np.round(rng.uniform(1, 300, len(rows)), 3)
    made["mass"][4] = made["orientation"][4] = np.nan
    return carrying(rows, made)


def events(rows):
    made = np.zeros(2, RELATION_DTYPE)
    made["frame"], made["time"] = (2, 5), rows["time"][np.searchsorted(rows["frame"], (2, 5))]
    made["kind"], made["track"], made["other"] = (1, 2), (1, 2), (0, 0)
    made["x"], made["y"] = (10.0, 20.0), (30.0, 40.0)
    return made


def table_of(rows, **more):
    return TrackTable(rows, fps=30000.0, name="clip", size=(640, 480), events=events(rows), **more)


def test_csv_and_parquet_read_back(tmp_path):
    rows = measured_tracks()
    write_tracks_parquet(tmp_path / "t.parquet", rows, {})
    back = read_tracks(tmp_path / "t.parquet")
    assert back.dtype == rows.dtype
    assert_same(back, rows)
    write_tracks_csv(tmp_path / "t.csv", rows)
    back = read_tracks(tmp_path / "t.csv")
    for name in FIELDS:
        np.testing.assert_allclose(back[name], rows[name], rtol=1e-5)
    (tmp_path / "key.csv").write_bytes(csv_header(FIELDS, key=True) + to_csv(rows))
    assert_same(read_tracks(tmp_path / "key.csv"), back)
    frame = pd.read_csv(tmp_path / "key.csv", comment="#")
    assert [*frame.columns] == [column.name for column in columns_of(FIELDS)]
    assert np.isnan(frame.mass[4])
    assert fields_of(plain(rows)) == ()
    assert fields_of(with_measures(rows, ("mass",))) == ("mass",)


def test_every_column_is_explained_once():
    names = [column.name for column in columns_of(FIELDS)]
    assert len(set(names)) == len(names)
    assert {one.unit for one in MEASURES} == {"px", "px2", "deg", "1", ""}
    key = csv_header(FIELDS, key=True).decode().splitlines()
    assert [line.partition(":")[0].split()[1] for line in key[:-1]] == names
    with pytest.raises(InputError, match="--columns hue is no column; besides places it has area, mass"):
        chosen_measures("hue", ("area", "mass"))


def test_exported_csv_and_parquet_count_in_lengths(tmp_path):
    rows = measured_tracks()
    scaled = physical(rows, Scale(0.5, "mm"), fps=30000.0, was=30000.0, up=True, size=(640, 480))
    made = table_of(scaled, units=Units("mm"), scale=Scale(0.5, "mm"), up=True, key=True)
    write_csv(made, tmp_path / "t.csv")
    write_parquet(made, tmp_path / "t.parquet")
    for frame in (pd.read_csv(tmp_path / "t.csv", comment="#"), pd.read_parquet(tmp_path / "t.parquet")):
        np.testing.assert_allclose(frame.area_mm2, 0.25 * rows["area"], rtol=1e-5)
        np.testing.assert_allclose(frame.diameter_mm, 0.5 * rows["diameter"], rtol=1e-5)
        np.testing.assert_allclose(frame.orientation_deg, -rows["orientation"], rtol=1e-5)
        np.testing.assert_allclose(frame.rotation_deg, -rows["rotation"], rtol=1e-5)
        np.testing.assert_allclose(frame.scale, rows["scale"], rtol=1e-5)
        np.testing.assert_allclose(frame.mass, rows["mass"], rtol=1e-5)


def test_axes_turn_directions():
    rows = measured_tracks()
    turned = Axes(3.0, 4.0, 30.0).turned(rows, up=True)
    np.testing.assert_allclose(turned["orientation"], -(rows["orientation"] + 30.0))
    np.testing.assert_allclose(turned["rotation"], -rows["rotation"])
    x, y = np.cos(np.radians(rows["orientation"])), np.sin(np.radians(rows["orientation"]))
    ends = rows.copy()
    ends["x"], ends["y"] = rows["x"] + x, rows["y"] + y
    way = Axes(3.0, 4.0, 30.0).turned(ends, up=True)
    angle = np.degrees(np.arctan2(way["y"] - turned["y"], way["x"] - turned["x"]))
    wrong = (angle - turned["orientation"] + 90.0) % 180.0 - 90.0
    assert np.nanmax(np.abs(wrong)) < 1e-6


def test_hdf5(tmp_path):
    h5py = pytest.importorskip("h5py")
    rows = measured_tracks()
    write_hdf5(table_of(rows), tmp_path / "t.h5")
    with h5py.File(tmp_path / "t.h5") as file:
        for name in FIELDS:
            np.testing.assert_array_equal(file["tracks"][name][:], rows[name])
        assert file["tracks/area"].attrs["units"] == "px2"
        assert "ellipse" in file["tracks/major"].attrs["description"]
        told = {name: data[:].tolist() for name, data in file["events"].items()}
        words = file["events/event"].attrs["words"]
    assert told["other_track"] == [0, 0]
    assert told["track"] == [1, 2]
    assert [words[k] for k in told["event"]] == ["merge", "split"]


def test_mat(tmp_path):
    rows = measured_tracks()
    write_mat(table_of(rows), tmp_path / "t.mat")
    back = scipy.io.loadmat(tmp_path / "t.mat", simplify_cells=True)
    first = rows[rows["track"] == 0]
    for name in FIELDS:
        np.testing.assert_array_equal(back["tracks"][0][name], first[name])
    assert back["info"]["units"]["area"] == "px2"
    assert [*back["events"]["event"]] == ["merge", "split"]
    assert back["events"]["other_track"].tolist() == [0, 0]


def test_nwb(tmp_path):
    pynwb = pytest.importorskip("pynwb")
    rows = measured_tracks()
    path = tmp_path / "t.nwb"
    write_nwb(table_of(rows, start=datetime(2026, 5, 1, tzinfo=UTC)), path)
    assert not pynwb.validate(path=str(path))
    with pynwb.NWBHDF5IO(str(path), "r") as store:
        behavior = store.read().processing["behavior"]
        series = behavior["Quality"].time_series["track_1_area"]
        np.testing.assert_array_equal(series.data[:], rows["area"][rows["track"] == 1])
        assert series.unit == "px2"
        frame = behavior["events"].to_dataframe()
    assert frame.event.tolist() == ["merge", "split"]
    assert frame.other_track.tolist() == [0, 0]


def test_events_follow_their_tracks_and_units(tmp_path):
    rows = measured_tracks()
    kept = placed(events(rows), rows[rows["track"] != 2], lambda given: physical(
        given, Scale(2.0, "mm"), fps=30000.0, was=30000.0, up=True, size=(640, 480)))  # fmt: skip
    assert kept["track"].tolist() == [1]
    assert (kept["x"][0], kept["y"][0]) == (20.0, 2.0 * (479 - 30))
    assert kept["frame"].tolist() == [2]
    assert len(read_relations(tmp_path)) == 0
    (tmp_path / "merges_and_splits.csv").write_text("frame,time_s\n1,2\n")
    with pytest.raises(InputError, match="is damaged"):
        read_relations(tmp_path)


def test_angles_go_on_along_their_tracks():
    angles = np.cumsum(np.random.default_rng(1).uniform(-80, 80, (50, 2)), axis=0)
    rows = random_tracks(50, 2, mixed=False)
    made = no_measures(100, ("orientation", "rotation"))
    made["orientation"] = (angles.ravel() + 90.0) % 180.0 - 90.0
    made["rotation"] = (2.0 * angles.ravel() + 180.0) % 360.0 - 180.0
    made["orientation"][20:24] = np.nan
    whole, cut = carrying(rows, made), carrying(rows, made)
    Unwrapping().unwrap(whole)
    bit = Unwrapping()
    for part in np.split(cut, [0, 1, 20, 21, 23, 64]):
        bit.unwrap(part)
    assert whole.tobytes() == cut.tobytes()
    known = np.isfinite(whole["rotation"])
    for track in (0, 1):
        own = known & (rows["track"] == track)
        np.testing.assert_allclose(np.diff(whole["rotation"][own]), 2.0 * np.diff(angles[:, track]), atol=1e-9)
