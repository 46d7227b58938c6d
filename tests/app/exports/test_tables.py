from __future__ import annotations

import csv
import errno
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.exports import tables
from app.exports.columns import to_csv, with_axes
from app.exports.tables import read_meta, read_tracks, read_truth, write_tracks_parquet
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State, no_tracks, sigmas
from pipelines.truth import TRUTH_DTYPE
from tests.app.exports.made import assert_same, random_tracks
from tests.tracks_csv import write_tracks_csv

META = {"source": "clip.cine", "time_base": "stamps", "pipeline_hash": "abc", "versions": {"fusetrack": "0.1"}}
HEADER = ("frame,time_s,track,x_px,y_px,vx_px_per_s,vy_px_per_s,sigma_px,sigma_x_px,sigma_y_px,correlation,score,"
          "state,reason")  # fmt: skip


def test_csv_round_trip_and_header(tmp_path: Path) -> None:
    rows = random_tracks(50, 6)
    write_tracks_csv(tmp_path / "t.csv", rows[::-1])
    lines = (tmp_path / "t.csv").read_text().splitlines()
    assert lines[0] == HEADER
    assert len(lines) == len(rows) + 1
    back = read_tracks(tmp_path / "t.csv")
    assert back.dtype == TRACK_DTYPE
    for name in ("frame", "track", "state", "reason", "time"):
        np.testing.assert_array_equal(back[name], rows[name])
    for name in ("x", "y", "vx", "vy", "sigma", "score"):
        np.testing.assert_allclose(back[name], rows[name], rtol=0, atol=6e-7, equal_nan=True)


def test_csv_by_an_independent_reader(tmp_path: Path) -> None:
    rows = random_tracks(3, 4)
    write_tracks_csv(tmp_path / "t.csv", rows)
    with (tmp_path / "t.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    for row, line in zip(rows, read, strict=True):
        assert float(line["time_s"]) == row["time"]
        assert abs(float(line["x_px"]) - row["x"]) <= 5.1e-7
        assert line["state"] == State(row["state"]).name.lower()
        assert (line["sigma_px"] == "") == bool(np.isnan(row["sigma"]))
        assert "-0" not in (line["x_px"], line["y_px"])


def test_parquet_round_trip_is_exact_and_tells_units(tmp_path: Path) -> None:
    rows = random_tracks(40, 5)
    path = tmp_path / "t.parquet"
    write_tracks_parquet(path, rows, META)
    assert_same(read_tracks(path), rows)
    schema = pyarrow.parquet.read_schema(path)
    assert ",".join(schema.names) == HEADER
    units = {f.name: f.metadata.get(b"unit", b"").decode() for f in schema}
    assert (units["x_px"], units["vx_px_per_s"], units["time_s"], units["frame"]) == ("px", "px/s", "s", "")
    assert str(schema.field("state").type).startswith("dictionary<values=string")
    meta = read_meta(path)
    assert {k: meta[k] for k in META} == META
    assert "pixel centres at integers" in meta["coordinates"]
    assert meta["units"]["x_px"] == "px"
    assert json.loads(pyarrow.parquet.read_metadata(path).metadata[b"fusetrack"]) == meta


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_sigmas_of_x_and_of_y_come_back(tmp_path: Path, name: str) -> None:
    rows = random_tracks(30, 5)
    rows["anisotropy"] = np.random.default_rng(1).uniform(-1, 1, len(rows))
    rows["anisotropy"][:3], rows["sigma"][1] = (1, -1, 0.5), 0.0
    if name.endswith("csv"):
        write_tracks_csv(tmp_path / name, rows)
    else:
        write_tracks_parquet(tmp_path / name, rows, META)
    back = read_tracks(tmp_path / name)
    for one, other in zip(sigmas(back), sigmas(rows), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=2e-6)


def test_infinite_sigmas_are_no_shape(tmp_path: Path) -> None:
    lines = ("frame,track,x,y,sigma_x_px,sigma_y_px", "0,0,1,2,inf,1", "1,0,1,2,inf,inf", "2,0,1,2,3,3")
    (tmp_path / "t.csv").write_text("\n".join(lines))
    back = read_tracks(tmp_path / "t.csv")
    assert back["sigma"].tolist() == [np.inf, np.inf, 3.0]
    assert back["anisotropy"].tolist() == [0.0, 0.0, 0.0]


def test_tables_from_before_sigmas_of_x_and_of_y_are_read(tmp_path: Path) -> None:
    rows = random_tracks(20, 3)
    write_tracks_parquet(tmp_path / "t.parquet", rows, META)
    table = pyarrow.parquet.read_table(tmp_path / "t.parquet")
    old = table.drop_columns(["sigma_x_px", "sigma_y_px"])
    pyarrow.parquet.write_table(old, tmp_path / "old.parquet")
    assert_same(read_tracks(tmp_path / "old.parquet"), rows)
    made = with_axes(old)  # what was of both is of each
    assert made.schema.names == table.schema.names
    np.testing.assert_array_equal(made["sigma_y_px"].to_numpy(), rows["sigma"])
    pyarrow.parquet.write_table(table.drop_columns(["sigma_px"]), tmp_path / "other.parquet")
    np.testing.assert_allclose(read_tracks(tmp_path / "other.parquet")["sigma"], rows["sigma"], rtol=1e-6)


def test_empty_tables(tmp_path: Path) -> None:
    write_tracks_csv(tmp_path / "t.csv", no_tracks())
    write_tracks_parquet(tmp_path / "t.parquet", no_tracks(), META)
    for name in ("t.csv", "t.parquet"):
        back = read_tracks(tmp_path / name)
        assert back.dtype == TRACK_DTYPE
        assert len(back) == 0


finite = st.floats(-1e5, 1e5)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(finite, finite, st.floats(0, 1e5)), min_size=1, max_size=8))
def test_any_numbers_come_back(tmp_path_factory: pytest.TempPathFactory, values: list[tuple[float, ...]]) -> None:
    rows = np.zeros(len(values), TRACK_DTYPE)
    rows["track"] = np.arange(len(values))
    rows["x"], rows["vy"], rows["time"] = np.array(values).T
    path = tmp_path_factory.mktemp("any") / "t.csv"
    write_tracks_csv(path, rows)
    back = read_tracks(path)
    np.testing.assert_array_equal(back["time"], rows["time"])
    np.testing.assert_allclose(back["x"], rows["x"], rtol=0, atol=5.1e-7)
    np.testing.assert_allclose(back["vy"], rows["vy"], rtol=0, atol=5.1e-7)


@pytest.mark.parametrize(
    "text",
    [
        "frame,particle,x,y\n1,7,3.5,4\n0,7,3,4.25\n",  # trackpy
        "t,track,x,y\n1,7,3.5,4\n0,7,3,4.25\n",  # napari
        "Frame;Track ID;X (px);Y (px)\n1;7;3.5;4\n0;7;3;4.25\n",
        "Frame;Track ID;X (px);Y (px)\n1;7;3,5;4\n0;7;3;4,25\n",
        "frame\ttrack\tx_px\ty_px\tstate\n1\t7\t3,5\t4\ttracked\n0\t7\t3,0\t4,25\ttracked\n",
        "\ufeffframe\tid\tx\ty\n1\t7\t3.5\t4\n0\t7\t3\t4.25\n",
        "frame,t,particle,x,y\n1.0,0.001,7.0,3.5,4\n0,0.0,7,3,4.25\n",
    ],
)
def test_foreign_tables(tmp_path: Path, text: str) -> None:
    path = tmp_path / "f.csv"
    path.write_text(text, encoding="utf-8")
    rows = read_tracks(path)
    assert rows["frame"].tolist() == [0, 1]
    assert rows["track"].tolist() == [7, 7]
    assert rows["x"].tolist() == [3.0, 3.5]
    assert rows["y"].tolist() == [4.25, 4.0]
    assert np.isnan(rows["vx"]).all()
    assert (rows["state"] == State.TRACKED).all()
    assert rows["time"].tolist() == [0.0, 0.001] if "frame,t," in text else np.isnan(rows["time"]).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("frame,x,y\n0,1,2\n", "no column for track; its columns are frame, x, y"),
        ("frame,track,x,y\n0,1,two,3\n", "not a number"),
        ("frame,track,x,y\n0.5,1,2,3\n", "whole numbers"),
        ("frame,track,x,y\n,1,2,3\n", "whole numbers"),
        ("frame,track,x,y\n0,5000000000,2,3\n", "whole numbers"),
        ("frame,track,x,y\n0,1,2\n", "cannot be read as a table"),
        ("frame,track,x,y\n4,1,2,3\n4,1,2,3\n", "track 1 twice in frame 4"),
        ("frame,track,x,y,state\n0,1,2,3,happy\n", "state 'happy'; it must be one of tentative"),
        ("frame,track,x,y,sigma_px\n0,1,2,3,0\n1,1,2,3,\n2,1,2,3,-0.2\n", "sigma_px = -0.2 in row 3; a standard"),
        ("frame,track,x,y,sigma_x_px,sigma_y_px\n0,1,2,3,.1,.1\n1,1,2,3,.1,-1e9\n", "sigma_y_px = -1e+09 in row 2"),
        ("\0\1\2", "neither CSV nor Parquet"),
        ("PAR1 but not really", "cannot be read as a table"),
    ],
)
def test_bad_tables_are_refused_in_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_tracks(path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_column_names_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(b"frame,tr\xa9ck,x,y\n0,1,2,3\n")
    with pytest.raises(InputError, match=r"bad\.csv has a column whose name is not UTF-8"):
        read_tracks(path)


def test_missing_table(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_tracks(tmp_path / "none.csv")
    with pytest.raises(InputError, match="cannot be read"):
        read_meta(tmp_path / "none.parquet")


def test_truth(tmp_path: Path) -> None:
    path = tmp_path / "c.truth.csv"
    path.write_text("frame,time_s,track,x_px,y_px,visible\n1,0.001,0,5.5,6,0\n0,0.0,0,5,6,1\n")
    rows = read_truth(path)
    assert rows.dtype == TRUTH_DTYPE
    assert rows["visible"].tolist() == [True, False]
    assert rows["time"].tolist() == [0.0, 0.001]
    path.write_text("frame,track,x,y,visible\n0,0,5,6,true\n0,1,5,6,false\n")
    assert read_truth(path)["visible"].tolist() == [True, False]
    path.write_text("frame,track,x,y\n0,0,5,6\n")
    assert read_truth(path)["visible"].tolist() == [True]


def test_full_disk_while_parquet_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(pyarrow.parquet.ParquetWriter):
        def write_table(self, *_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tables.pyarrow.parquet, "ParquetWriter", Full)
    with pytest.raises(InputError, match="the disk is full"):
        write_tracks_parquet(tmp_path / "t.parquet", random_tracks(3, 3), {})
    assert list(tmp_path.iterdir()) == []


def test_full_disk_on_a_real_disk(small_disk: Path) -> None:
    with pytest.raises(InputError, match="the disk is full"):
        write_tracks_parquet(small_disk / "t.parquet", random_tracks(2000, 20), {})
    assert list(small_disk.iterdir()) == []


def test_what_no_single_number_holds_is_infinite(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("frame,track,x,y,score,sigma_px\n0,1,2,3,-1e300,1e200\n")
    (row,) = read_tracks(tmp_path / "t.csv")
    assert (row["score"], row["sigma"]) == (-np.inf, np.inf)
    (tmp_path / "t.csv").write_text("frame,track,x,y,sigma_x_px,sigma_y_px\n0,1,2,3,1e200,1\n")
    (row,) = read_tracks(tmp_path / "t.csv")
    assert (row["sigma"], row["anisotropy"]) == (np.inf, 0)


def test_unknown_codes_are_not_written_as_something_else() -> None:
    rows = random_tracks(1, 1)
    rows["state"] = 9
    with pytest.raises(ValueError, match="state 9"):
        to_csv(rows)


def test_words_in_dictionaries_and_numbers_in_single_precision_by_parts_and_with_holes(tmp_path: Path) -> None:
    """As other programs may write them; pyarrow's own conversions are the meaning."""
    words = pa.chunked_array([pa.array(["lost", None, "tracked"]).dictionary_encode(), pa.array(["tentative"])
                              .dictionary_encode(), pa.array([], pa.string()).dictionary_encode()])  # fmt: skip
    assert tables._words(tmp_path, words).tolist() == [word or "" for word in words.cast(pa.string()).to_pylist()]
    assert tables._words(tmp_path, words.slice(2)).tolist() == ["tracked", "tentative"]
    numbers = pa.chunked_array([pa.array([0.1, None, 3e38], pa.float32()), pa.array([np.inf], pa.float32())])
    meant = [np.nan if one is None else one for one in numbers.cast(pa.float64()).to_pylist()]
    np.testing.assert_array_equal(tables.numbers_of(tmp_path, numbers), meant)
    with pytest.raises(InputError, match="words as state"):
        tables._words(tmp_path, pa.chunked_array([pa.array([1, 2])]))
