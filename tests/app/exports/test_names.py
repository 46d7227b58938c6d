"""What the user calls tracks, in tables with a row a place; read by other people's readers and by ours."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import h5py
import numpy as np
import pandas as pd  # type: ignore[import-untyped,unused-ignore]
import pytest
import scipy.io

from app.exports.formats.hdf5 import write_hdf5
from app.exports.formats.mat import write_mat
from app.exports.formats.parquet import write_parquet
from app.exports.formats.text import write_csv
from app.exports.table import TrackTable
from app.exports.tables import read_tracks
from pipelines.features import no_tracks
from tests.app.exports.made import random_tracks

NAMES = {0: "left knee", 2: 'Grüße, "the\nother"'}
WORDS = ["left knee", "", 'Grüße, "the other"']


def table(names: Mapping[int, str], mixed: bool = False) -> TrackTable:
    return TrackTable(random_tracks(5, 3, mixed=mixed), fps=30000.0, name="shot", names=names)


def test_csv_and_parquet_have_a_column_of_names(tmp_path: Path) -> None:
    write_csv(table(NAMES), tmp_path / "a.csv")
    write_parquet(table(NAMES), tmp_path / "a.parquet")
    for found in (pd.read_csv(tmp_path / "a.csv", keep_default_na=False), pd.read_parquet(tmp_path / "a.parquet")):
        assert list(found["name"]) == [WORDS[track] for track in found["track"]]
        assert set(found["state"]) == {"tracked"}
    for path in (tmp_path / "a.csv", tmp_path / "a.parquet"):
        assert read_tracks(path)["track"].tolist() == [0, 1, 2] * 5


def test_plain_names_need_no_quotes(tmp_path: Path) -> None:
    write_csv(table({1: "hip"}), tmp_path / "a.csv")
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[0].endswith(",name")
    assert '"' not in "".join(lines)
    assert [line.rpartition(",")[2] for line in lines[1:4]] == ["", "hip", ""]


def test_hdf5_and_mat_have_names(tmp_path: Path) -> None:
    write_hdf5(table(NAMES), tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["tracks/name"].asstr()[:].tolist() == [WORDS[k] for k in file["tracks/track"][:].tolist()]
    write_mat(table(NAMES), tmp_path / "a.mat")
    found = scipy.io.loadmat(tmp_path / "a.mat", squeeze_me=True)["tracks"]
    assert [str(one["name"]) if np.size(one["name"]) else "" for one in found] == WORDS
    assert [int(one["id"]) for one in found] == [0, 1, 2]


@pytest.mark.parametrize("names", [{}, NAMES])
def test_empty_tables_and_tables_without_names(tmp_path: Path, names: dict[int, str]) -> None:
    for rows in (no_tracks(), random_tracks(2, 2)):
        made = TrackTable(rows, fps=100.0, name="shot", names=names)
        write_csv(made, tmp_path / "a.csv")
        write_parquet(made, tmp_path / "a.parquet")
        write_hdf5(made, tmp_path / "a.h5")
        write_mat(made, tmp_path / "a.mat")
        assert ("name" in pd.read_csv(tmp_path / "a.csv").columns) == bool(names)
        assert ("name" in pd.read_parquet(tmp_path / "a.parquet").columns) == bool(names)
        with h5py.File(tmp_path / "a.h5") as file:
            assert ("name" in file["tracks"]) == bool(names)
