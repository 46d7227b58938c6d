"""`fusetrack.Tracks`: columns as NumPy and pandas users expect them, and round trips through other libraries."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app import launcher as fusetrack
from app.controller import run_clip
from kernels.errors import InputError
from pipelines.features import State
from tests.app.api.moving import FPS, spots


@pytest.fixture(scope="module")
def tracks() -> Any:
    return fusetrack.track(spots(), "blobs", fps=FPS)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    np.save(folder / "clip.npy", spots())
    run_clip(folder / "clip.npy", "blobs", fps=FPS, out=folder / "out", overlay=False)
    return folder / "out"


def test_columns_rows_and_parts(tracks: Any) -> None:
    assert len(tracks) == len([*tracks]) == tracks.shape[0] == len(tracks.rows)
    assert tracks.columns[:5] == ("frame", "time", "track", "x", "y")
    np.testing.assert_array_equal(tracks["x"], tracks.rows["x"])
    np.testing.assert_array_equal(tracks["x_px"], tracks["x"])
    np.testing.assert_array_equal(tracks["time_s"], tracks["time"])
    np.testing.assert_array_equal(np.asarray(tracks), tracks.rows)
    assert [*tracks[["x", "y"]]] == ["x", "y"]
    assert set(tracks["state"]) == {"tentative", "tracked"}
    assert {*tracks.tracked["state"]} == {"tracked"}
    np.testing.assert_array_equal(tracks.tracked.rows, tracks.rows[tracks.rows["state"] == State.TRACKED])
    assert tracks[3]["x"] == tracks["x"][3]
    assert tracks[-1]["frame"] == 23
    sure = tracks[tracks["sigma"] < np.median(tracks["sigma"])]
    assert 0 < len(sure) < len(tracks)
    np.testing.assert_array_equal(tracks[5:9]["y"], tracks["y"][5:9])
    np.testing.assert_array_equal(tracks[[4, 2]]["track"], tracks["track"][[2, 4]])  # sorted by frame and track
    assert "x" in tracks
    assert "x_px" in tracks
    assert "nix" not in tracks
    assert tracks.units == {"time": "s", "x": "px", "y": "px", "vx": "px/s", "vy": "px/s", "sigma": "px",
                            "sigma_x": "px", "sigma_y": "px", "correlation": "1", "score": "1"} | tracks.units
    assert tracks["x"].base is None  # a copy: what is written there changes no row


def test_a_column_asked_for_as_an_attribute_is_said_how(tracks: Any) -> None:
    with pytest.raises(AttributeError, match=r'a column is tracks\["x"\], not tracks.x'):
        _ = tracks.x
    with pytest.raises(AttributeError, match="no attribute 'nix'"):
        _ = tracks.nix
    assert len(pickle.loads(pickle.dumps(tracks))) == len(tracks)


def test_saving_gives_the_file(tracks: Any, tmp_path: Path) -> None:
    assert tracks.save(tmp_path / "a.csv") == tmp_path / "a.csv"


def test_by_track_and_by_frame(tracks: Any) -> None:
    each = tracks.by_track()
    assert [*each] == tracks.ids.tolist()
    assert sum(map(len, each.values())) == len(tracks)
    for number, one in each.items():
        assert set(one["track"]) == {number}
        assert (np.diff(one["frame"]) > 0).all()
    frames = tracks.by_frame()
    assert [*frames] == sorted(set(tracks["frame"].tolist()))
    assert len(frames[5]) == 3
    none = tracks[:0]
    assert none.by_track() == {}
    assert none.by_frame() == {}
    assert len(none.to_pandas()) == 0
    assert "0 rows" in repr(none)


@pytest.mark.parametrize(
    ("key", "words"),
    [("xx", "tracks have no column 'xx'; did you mean"), ("speed", "there are frame, time"), (1.5, "not by 1.5"),
     ((1, 2), "not by (1, 2)")],
)  # fmt: skip
def test_wrong_keys_are_said_in_a_sentence(tracks: Any, key: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        tracks[key]
    assert words in str(caught.value)
    if isinstance(key, str):
        assert isinstance(caught.value, KeyError)


def test_runs_and_tables_are_read_again(tracks: Any, run: Path) -> None:
    for given in (run, str(run), run / "tracks.parquet"):
        read = fusetrack.Tracks(given)
        for name in tracks.columns:
            np.testing.assert_array_equal(read[name], tracks[name], name)
        assert (read.fps, read.size, read.name, read.pipeline) == (FPS, (80, 64), "clip.npy", "blobs")
    table = fusetrack.Tracks(run / "tracks.csv")
    np.testing.assert_allclose(table["x"], tracks["x"], atol=5e-7)
    with pytest.raises(InputError, match="nowhere does not exist"):
        fusetrack.Tracks("nowhere")
    with pytest.raises(TypeError, match="tracks are a run's folder, a table"):
        fusetrack.Tracks(3)


def test_pandas_round_trip(tracks: Any, run: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = tracks.to_pandas()
    pandas.testing.assert_frame_equal(frame, pandas.read_parquet(run / "tracks.parquet"))
    assert (frame["state"] == "tracked").sum() == len(tracks.tracked)
    again = fusetrack.Tracks(frame, fps=FPS)
    for name in tracks.columns:
        np.testing.assert_array_equal(again[name], tracks[name], name)
    foreign = frame.rename(columns={"track": "particle", "x_px": "x", "y_px": "y"})[["y", "x", "frame", "particle"]]
    read = fusetrack.Tracks(foreign.sample(frac=1, random_state=1))
    np.testing.assert_array_equal(read["x"], tracks["x"])
    assert not read.timed
    with pytest.raises(InputError, match="has no column for track"):
        fusetrack.Tracks(foreign.drop(columns="particle"))


def test_dictionaries_and_arrays_of_columns(tracks: Any) -> None:
    again = fusetrack.Tracks(tracks.to_dict())
    np.testing.assert_array_equal(again["vx"], tracks["vx"])
    plain = np.zeros(3, [("frame", int), ("track", int), ("x", float), ("y", float)])
    plain["frame"] = [2, 0, 1]
    assert fusetrack.Tracks(plain)["frame"].tolist() == [0, 1, 2]
    assert fusetrack.Tracks(tracks) is not tracks


def test_xarray(tracks: Any) -> None:
    pytest.importorskip("xarray")
    made = tracks.to_xarray()
    assert dict(made.sizes) == {"frame": 24, "track": 3}
    for track, one in tracks.by_track().items():
        lane = made.sel(track=track)
        seen = np.isfinite(lane["x"].values)
        np.testing.assert_array_equal(lane["x"].values[seen], one["x"])
        np.testing.assert_array_equal(lane["state"].values[seen], one["state"])
        np.testing.assert_array_equal(made["time"].values[seen], one["time"])
    assert made["x"].attrs["units"] == "px"
    assert made.attrs["fps"] == FPS


def test_xarray_is_asked_for_where_it_is_missing(tracks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "xarray", None)
    with pytest.raises(InputError, match="package xarray, which is not installed; pip install xarray"):
        tracks.to_xarray()


def test_scipy_and_h5py_read_what_is_saved(tracks: Any, tmp_path: Path) -> None:
    from scipy.io import loadmat

    tracks.save(tmp_path / "t.mat")
    mat = loadmat(tmp_path / "t.mat", squeeze_me=True)
    for theirs, (number, one) in zip(mat["tracks"], tracks.by_track().items(), strict=True):
        assert theirs["id"] == number
        for name in ("frame", "time", "x", "y", "vx", "sigma_x"):
            np.testing.assert_array_equal(theirs[name], one[name])
    h5py = pytest.importorskip("h5py")
    tracks.save(tmp_path / "t.h5", scale="0.5 mm/px", y_up=True)
    with h5py.File(tmp_path / "t.h5") as file:
        np.testing.assert_array_equal(file["tracks/x"][:], tracks["x"] * 0.5)
        np.testing.assert_array_equal(file["tracks/y"][:], (63 - tracks["y"]) * 0.5)
        assert file["tracks/x"].attrs["units"] == "mm"
    tracks.save(tmp_path / "t.csv")
    np.testing.assert_allclose(fusetrack.Tracks(tmp_path / "t.csv")["x"], tracks["x"], atol=5e-7)
    tracks.save(tmp_path / "t.parquet")
    np.testing.assert_array_equal(fusetrack.Tracks(tmp_path / "t.parquet")["x"], tracks["x"])
    with pytest.raises(InputError, match="does not tell its format"):
        tracks.save(tmp_path / "t.nix")
    with pytest.raises(InputError, match="a file of frames"):
        tracks.save(tmp_path / "t.mp4")


def test_nwb_holds_the_same_places(tracks: Any, tmp_path: Path) -> None:
    pynwb = pytest.importorskip("pynwb")
    with pytest.raises(InputError, match="say it with start="):
        tracks.save(tmp_path / "t.nwb")
    tracks.save(tmp_path / "t.nwb", start=datetime(2026, 5, 1, tzinfo=UTC))
    with pynwb.NWBHDF5IO(tmp_path / "t.nwb", "r", load_namespaces=True) as io:
        places = io.read().processing["behavior"]["Position"].spatial_series
        for number, one in tracks.by_track().items():
            np.testing.assert_array_equal(places[f"track_{number}"].data[:], np.stack([one["x"], one["y"]], axis=1))
