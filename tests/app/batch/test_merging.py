"""The table of all clips' tracks: what is in it, whatever the tables that it is made of."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from app.batch.merging import merge
from app.exports.columns import META_KEY, to_arrow
from app.exports.tables import write_tracks_parquet
from pipelines.features import sigmas
from tests.app.exports.made import random_tracks


def test_rows_of_all_tables_follow_each_other_under_the_names_of_their_clips(tmp_path: Path) -> None:
    tables, rows = [], []
    for k, name in enumerate(("a.cine", "sub/b.cine", "caf\udce9.cine")):
        rows.append(random_tracks(10 + k, 3))
        write_tracks_parquet(tmp_path / f"{k}.parquet", rows[-1], {})
        tables.append((name, tmp_path / f"{k}.parquet"))
    count, lost = merge(tmp_path / "all.parquet", tables, {"pipeline": "blobs"})
    made = pyarrow.parquet.read_table(tmp_path / "all.parquet")
    assert (count, lost) == (sum(map(len, rows)), [])
    names = [name for name, part in zip(("a.cine", "sub/b.cine", "caf\\udce9.cine"), rows, strict=True) for _ in part]
    assert made["clip"].to_pylist() == names
    for name, wanted in (("frame", "frame"), ("track", "track"), ("x_px", "x"), ("vy_px_per_s", "vy")):
        np.testing.assert_array_equal(made[name].to_numpy(), np.concatenate([part[wanted] for part in rows]))
    meta = pyarrow.parquet.read_metadata(tmp_path / "all.parquet").metadata
    assert json.loads(meta[META_KEY]) == {"pipeline": "blobs"}


def test_a_table_from_before_there_were_sigmas_of_x_and_of_y_is_merged_with_new_ones(tmp_path: Path) -> None:
    old, new = random_tracks(12, 3), random_tracks(9, 2)
    new["anisotropy"] = 0.6
    pyarrow.parquet.write_table(
        to_arrow(old).drop_columns(["sigma_x_px", "sigma_y_px"]), tmp_path / "old.parquet"
    )  # fmt: skip
    write_tracks_parquet(tmp_path / "new.parquet", new, {})
    tables = [("new", tmp_path / "new.parquet"), ("old", tmp_path / "old.parquet")]
    assert merge(tmp_path / "all.parquet", tables, {}) == (len(new) + len(old), [])
    made = pyarrow.parquet.read_table(tmp_path / "all.parquet")
    for name, of_new in zip(("sigma_x_px", "sigma_y_px"), sigmas(new), strict=True):
        wanted = np.concatenate((of_new.astype(np.float32), old["sigma"]))
        np.testing.assert_array_equal(made[name].to_numpy(), wanted)
    assert made["clip"].to_pylist() == ["new"] * len(new) + ["old"] * len(old)


@pytest.mark.parametrize("damaged", [0, 1])
def test_of_a_damaged_table_it_is_said_which_rows_are_there(tmp_path: Path, damaged: int) -> None:
    rows, good = random_tracks(300, 2), random_tracks(5, 1)
    file = tmp_path / "torn.parquet"
    with pyarrow.parquet.ParquetWriter(file, to_arrow(rows).schema, compression="zstd") as writer:
        for part in (rows[:250], rows[250:]):
            writer.write_table(to_arrow(part))
    column = pyarrow.parquet.read_metadata(file).row_group(damaged).column(3)
    data = bytearray(file.read_bytes())
    start = min(p for p in (column.dictionary_page_offset, column.data_page_offset) if p)
    data[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    file.write_bytes(data)
    write_tracks_parquet(tmp_path / "good.parquet", good, {})
    (tmp_path / "none.parquet").write_bytes(b"no table")
    tables = [("torn", file), ("none", tmp_path / "none.parquet"), ("good", tmp_path / "good.parquet")]
    count, lost = merge(tmp_path / "all.parquet", tables, {})
    there = 250 if damaged else 0
    assert count == there + len(good)
    made = pyarrow.parquet.read_table(tmp_path / "all.parquet")
    assert made["clip"].to_pylist() == ["torn"] * there + ["good"] * len(good)
    part = " behind its first 250 rows, which are merged" if damaged else ""
    assert lost[0].startswith(f"{file} cannot be read{part}: ")
    assert lost[1].startswith(f"{tmp_path / 'none.parquet'} cannot be read: ")
    assert all("\n" not in one for one in lost)


def test_a_table_of_other_columns_is_left_out(tmp_path: Path) -> None:
    pyarrow.parquet.write_table(pa.table({"frame": [1, 2]}), tmp_path / "other.parquet")
    count, lost = merge(tmp_path / "all.parquet", [("other", tmp_path / "other.parquet")], {})
    assert count == 0
    assert len(lost) == 1
    assert pyarrow.parquet.read_table(tmp_path / "all.parquet").num_rows == 0
