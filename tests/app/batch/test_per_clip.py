"""Points and scales that each clip of a batch has of its own."""

import numpy as np
import pandas as pd
import pytest

from app.batch.configuration import Configuration, digest
from app.batch.merging import merge
from app.batch.per_clip import points_of, scale_of
from app.cli import main
from kernels.errors import InputError
from kernels.opencv import cv2


@pytest.fixture
def clips(tmp_path):
    rng = np.random.default_rng(1)
    for name in ("a", "b"):
        texture = cv2.GaussianBlur(rng.normal(0, 1, (64, 64)), (0, 0), 1.5)
        frames = [np.roll(texture, k, 1) for k in range(6)]
        np.save(tmp_path / f"{name}.npy", np.clip(128 + 150 * np.array(frames), 0, 255).astype(np.uint8))
    return tmp_path


def test_points_of_one_table_of_a_column_clip_and_of_a_folder(tmp_path):
    (tmp_path / "all.csv").write_text("x_px,y_px\n3,4\n")
    (tmp_path / "each.csv").write_text("clip,x_px,y_px\na.npy,1,2\nb,5,6\nb,7,8\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "a.csv").write_text("x_px;y_px\n1,5;2,5\n")
    assert points_of(str(tmp_path / "all.csv"), "/data/a.npy", "a.npy") == ((3.0, 4.0),)
    assert points_of(str(tmp_path / "each.csv"), "/data/a.npy", "a.npy") == ((1.0, 2.0),)
    assert points_of(str(tmp_path / "each.csv"), "/data/b.npy", "b.npy") == ((5.0, 6.0), (7.0, 8.0))
    assert points_of(str(tmp_path / "own"), "/data/a.npy", "a.npy") == ((1.5, 2.5),)
    for given in ("each.csv", "own"):
        with pytest.raises(InputError, match="holds no points of c"):
            points_of(str(tmp_path / given), "/data/c.npy", "c.npy")


def test_scales(tmp_path):
    table = tmp_path / "scales.csv"
    table.write_text("clip,scale\na.npy,0.12 mm/px\nb,8 px/mm\n")
    assert scale_of("0.5 um/px", "/data/a.npy", "a.npy") == "0.5 um/px"
    assert scale_of(str(table), "/data/a.npy", "a.npy") == "0.12 mm/px"
    assert scale_of(str(table), "/data/b.npy", "b.npy") == "8 px/mm"
    with pytest.raises(InputError, match="holds no scale of c"):
        scale_of(str(table), "/data/c.npy", "c.npy")


def test_another_point_of_one_clip_is_no_other_batch_for_the_rest(tmp_path):
    table = tmp_path / "points.csv"
    hashes = []
    for x in (1, 9):
        table.write_text(f"clip,x_px,y_px\na,{x},2\nb,5,6\n")
        made = Configuration("template", points=str(table))
        hashes.append([digest(made.facts_of(made.facts(), f"/data/{name}.npy", f"{name}.npy")) for name in "ab"])
    assert hashes[0][0] != hashes[1][0]
    assert hashes[0][1] == hashes[1][1]
    plain = Configuration("template")
    assert digest(plain.facts_of(plain.facts(), "/data/a.npy", "a.npy")) == digest(plain.facts())


def test_a_batch_takes_them(clips, capsys):
    (clips / "points.csv").write_text("clip,x_px,y_px\na,30,31\nb,28,29\nb,34,40\n")
    (clips / "scales.csv").write_text("clip,scale\na,0.5 mm/px\nb,2 um/px\n")
    code = main([
        "batch", str(clips / "a.npy"), str(clips / "b.npy"), "--pipeline", "template", "--fps", "1000",
        "--points", str(clips / "points.csv"), "--scale", str(clips / "scales.csv"), "--set", "track.model=rigid",
        "--out", str(clips / "out"), "--no-overlay", "--quiet", "--jobs", "1", "--device", "cpu",
    ])  # fmt: skip
    assert code == 0, capsys.readouterr().out
    folder = {name: next((clips / "out").glob(f"{name}*/tracks.csv")) for name in "ab"}
    a, b = (pd.read_csv(folder[name]) for name in "ab")
    assert a.x_mm[0] == 15.0
    assert b.x_um.tolist()[:2] == [56.0, 68.0]
    merged = pd.read_parquet(clips / "out" / "tracks.parquet")
    assert merged.groupby("clip", observed=True).size().tolist() == [6, 12]
    assert "rotation_deg" in merged


def test_tables_with_other_measures_are_merged(tmp_path):
    from app.exports.tables import write_tracks_parquet
    from tests.app.exports.made import random_tracks
    from tests.app.exports.test_measures import measured_tracks

    write_tracks_parquet(tmp_path / "a.parquet", random_tracks(3, 2, mixed=False), {})
    write_tracks_parquet(tmp_path / "b.parquet", measured_tracks(), {})
    rows, lost = merge(tmp_path / "all.parquet", [(n, tmp_path / f"{n}.parquet") for n in "ab"], {})
    frame = pd.read_parquet(tmp_path / "all.parquet")
    assert (rows, lost) == (6 + 36, [])
    assert frame.area_px2.isna().sum() == 6
