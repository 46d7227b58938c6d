"""`fusetrack calibrate` and `reconstruct`: from clips of a board and tracks to places, what is printed and refused."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.stereo.reconstruction import Wanted, reconstruct
from app.stereo.rig import Rig, read_rig, write_rig
from kernels.errors import InputError
from pipelines.stereo.camera_model import rodrigues
from tests.app.stereo.seen import FPS, SIZE, board_clips, known_places, pair, table, tracks_of, wand_tables, ways


def rig(unit: str = "mm") -> Rig:
    return Rig(tuple(pair()), ("left", "right"), unit, 0.05, "board")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_from_a_board_to_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clips = board_clips(tmp_path, pair())
    made = str(tmp_path / "rig.json")
    assert main(["calibrate", *clips, "--board", "7x5", "--square", "12 mm", "-o", made, "-q"]) == 0
    said = capsys.readouterr().out
    assert "6 poses of the board" in said
    found = read_rig(Path(made))
    apart = np.linalg.norm(found.cameras[1].centre - found.cameras[0].centre)
    assert apart == pytest.approx(np.hypot(250, 60), rel=0.02)
    assert found.rms < 0.2  # rendered with two by two rays a pixel
    way = ways()
    runs = [table(tmp_path / f"{at}.parquet", tracks_of(one, way, 0.02, seed=at)) for at, one in enumerate(pair())]
    assert main(["reconstruct", *runs, "--rig", made, "-o", str(tmp_path / "out"), "--c3d"]) == 0
    said = capsys.readouterr().out
    assert "things   3 in 120 places" in said
    rows = rows_of(tmp_path / "out" / "places.csv")
    assert [row["time_s"] for row in rows[:2]] == ["0.0", str(1 / FPS)]
    places = np.array([[float(row[f"{axis}_mm"]) for axis in "xyz"] for row in rows]).reshape(3, 40, 3)
    whole, own, common = (np.array([[float(row[f"sigma_{part}{axis}_mm"]) for axis in "xyz"] for row in rows])
                          for part in ("", "tracks_", "calibration_"))  # fmt: skip
    np.testing.assert_allclose(whole**2, own**2 + common**2)
    assert (common > 3 * own).all(), "six poses of a board are few"
    assert "calibration (alike for places that are near each other)" in said
    off = np.sort(places[:, 0], axis=0) - np.sort(way[:, 0], axis=0)
    assert np.abs(off).max() < 5 * whole.max()
    steps = np.linalg.norm(places[:, -1] - places[:, 0], axis=1)
    true = np.linalg.norm(way[:, -1] - way[:, 0], axis=1)
    np.testing.assert_allclose(np.sort(steps), np.sort(true), rtol=0.02)
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"places.csv", "things.csv", "places.c3d", "places.png"}
    things = rows_of(tmp_path / "out" / "things.csv")
    assert all(row["tracks_of_camera_1"] == row["tracks_of_camera_2"] for row in things)


def test_errors_are_as_large_as_their_sigma() -> None:
    way = ways(20, 60)
    found = reconstruct(rig(), [tracks_of(one, way, 0.05, seed=at) for at, one in enumerate(pair())], Wanted((0, 0)))
    assert len(found.groups) == 20
    order = [dict(group)[0] for group in found.groups]
    error = found.places.reshape(20, 60, 3) - way[order]
    ratio = np.sqrt((error**2).mean(axis=(0, 1)) / (found.sigma**2).mean(axis=0))
    assert ((ratio > 0.8) & (ratio < 1.2)).all()
    assert found.chi_square == pytest.approx(1.0, abs=0.15)
    assert not any("miss each other" in note for note in found.notes)
    assert any("does not state its own uncertainty" in note for note in found.notes)
    assert np.isnan(found.sigma_calibration).all()
    known = reconstruct(replace(rig(), covariance=np.zeros((28, 28))), [
        tracks_of(one, way, 0.05, seed=at) for at, one in enumerate(pair())], Wanted((0, 0)))  # fmt: skip
    assert not any("uncertainty" in note for note in known.notes)
    np.testing.assert_array_equal(known.sigma, found.sigma)


def test_what_does_not_meet_is_said() -> None:
    """A rig that was touched after its calibration: residuals grow, and with them what is said."""
    way, cameras = ways(), pair()
    rows = [tracks_of(one, way, 0.02, seed=at) for at, one in enumerate(cameras)]
    rows[1]["y"] += 0.3
    found = reconstruct(rig(), rows, Wanted((0, 0)))
    assert "lines of sight miss each other by" in found.notes[0]
    rows[0]["sigma"] = np.nan
    assert "no sigma" in reconstruct(rig(), rows, Wanted((0, 0))).notes[0]


def test_offsets_and_given_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    way, cameras = ways(), pair()
    write_rig(tmp_path / "rig.json", rig())
    runs = [table(tmp_path / "a.parquet", tracks_of(cameras[0], way, 0.02)),
            table(tmp_path / "b.parquet", tracks_of(cameras[1], way[[2, 0, 1]], 0.02, first=7))]  # fmt: skip
    base = ["reconstruct", *runs, "--rig", str(tmp_path / "rig.json"), "--offset", "7", "--json"]
    assert main(base) == 0
    found = json.loads(capsys.readouterr().out)
    pairs = {(thing["tracks_of_camera_1"], thing["tracks_of_camera_2"]) for thing in found["things"]}
    assert pairs == {("0", "1"), ("1", "2"), ("2", "0")}
    np.testing.assert_allclose(sorted(found["places"]["x_mm"]), np.sort(way[..., 0].ravel()), atol=0.5)
    assert main([*base, "--match", "0:1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["things"]) == 1
    assert found["tracks_left_alone"] == [2, 2]


def test_a_wand_and_known_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = wand_tables(tmp_path)
    made = tmp_path / "wand.json"
    size = ["--size", f"{SIZE[0]}x{SIZE[1]}"]
    assert main(["calibrate", *runs, "--wand", "40 mm", *size, "-o", str(made), "--lens", "none"]) == 0
    found = read_rig(made)
    assert np.linalg.norm(found.cameras[1].centre) == pytest.approx(np.hypot(250, 60), rel=0.03)
    assert "left out" not in capsys.readouterr().out
    assert found.notes == ()
    bad = wand_tables(tmp_path, spoilt=True)
    assert main(["calibrate", *bad, "--wand", "40 mm", *size, "-o", str(made), "--lens", "none"]) == 0
    found = read_rig(made)
    assert np.linalg.norm(found.cameras[1].centre) == pytest.approx(np.hypot(250, 60), rel=0.03)
    notes = [line.split("  ")[-1].strip() for line in capsys.readouterr().out.splitlines() if line.startswith("note")]
    why = "as their ends lie too near or too far for the length of the wand (frames 9)"
    nowhere = ("4 of 158 sights that fit nowhere, by more than 7.5 times the median error, or tell nothing without "
               "those (frames 5, 20)")  # fmt: skip
    assert notes == [f"left out of camera {at}: 1 of 80 frames, {why}; {nowhere}" for at in (1, 2)]
    assert main(["calibrate", *runs, "--wand", "40 mm", "-o", str(made)]) == 2
    assert "--size" in capsys.readouterr().err
    clips, known = known_places(tmp_path)
    assert main(["calibrate", *clips, "--control", known, "-o", str(made)]) == 0
    found = read_rig(made)
    assert found.unit == "cm"
    np.testing.assert_allclose(found.cameras[1].centre, [25, 0, 6], atol=0.01)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("calibrate CLIP --board 7 --square 5mm", "--board takes two whole numbers"),
        ("calibrate CLIP --board 2x5 --square 5mm", "3 x 3 or more"),
        ("calibrate CLIP --board 7x5", "--square"),
        ("calibrate CLIP --board 7x5 --square five", "--square takes a length"),
        ("calibrate CLIP CLIP --board 7x5 --square 5mm --offset 1,2", "--offset takes a whole number"),
        ("calibrate CLIP --board 7x5 --square 5mm --focal 900", "--focal goes with --wand"),
        ("calibrate CLIP --board 7x5 --square 5mm", "no board of 7 x 5 inner corners"),
        ("calibrate CLIP --control RUN", "needs columns x_mm"),
        ("reconstruct RUN --rig RIG", "two cameras or more"),
        ("reconstruct RUN RUN RUN --rig RIG", "the calibration has 2 cameras, and there are 3"),
        ("reconstruct RUN RUN --rig NONE", "does not exist"),
        ("reconstruct RUN RUN --rig RUN", "is no calibration"),
        ("reconstruct RUN RUN --rig RIG --match 0", "--match takes a track of each of the 2 cameras"),
        ("reconstruct RUN RUN --rig RIG --match 0:9", "camera 2 has no track 9"),
        ("reconstruct RUN RUN --rig RIG --within 0", "--within"),
        ("reconstruct RUN RUN --rig RIG --offset 500", "no thing is seen by two cameras"),
    ],
)
def test_what_is_wrong_is_said(words: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "clip.npy", np.zeros((3, 64, 64), np.uint8))
    write_rig(tmp_path / "rig.json", rig())
    run = table(tmp_path / "run.parquet", tracks_of(pair()[0], ways(), 0.02))
    where = {"CLIP": str(tmp_path / "clip.npy"), "RIG": str(tmp_path / "rig.json"), "RUN": run,
             "NONE": str(tmp_path / "none.json")}  # fmt: skip
    assert main([where.get(word, word) for word in words.split()]) == 2
    heard = capsys.readouterr().err
    assert said in heard
    assert "Traceback" not in heard


def test_a_rig_is_read_as_it_was_written_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rig.json"
    write_rig(path, rig())
    again = read_rig(path)
    for one, other in zip(again.cameras, pair(), strict=True):
        for name in ("matrix", "distortion", "rotation", "translation"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert again.covariance is None
    covariance = np.random.default_rng(0).normal(size=(28, 28))
    covariance = covariance @ covariance.T
    write_rig(path, replace(rig(), covariance=covariance))
    np.testing.assert_array_equal(read_rig(path).covariance, covariance)
    facts = json.loads(path.read_text())
    assert facts["covariance_of"][13:16] == ["move_z_1", "fx_2", "fy_2"]
    for change in ({"covariance": [[1.0]]}, {"covariance": (-covariance).tolist()}):
        path.write_text(json.dumps(facts | change))
        with pytest.raises(InputError, match="damaged"):
            read_rig(path)
    for change in ({"unit": "parsec"}, {"rms_px": -1}, {"cameras": []}, {"cameras": [3]}, {"fusetrack_rig": 9}):
        path.write_text(json.dumps(facts | change))
        with pytest.raises(InputError):
            read_rig(path)
    facts["cameras"][0]["rotation"][0][0] = 2.0
    path.write_text(json.dumps(facts))
    with pytest.raises(InputError, match="damaged"):
        read_rig(path)


def test_space_may_be_that_of_a_board() -> None:
    one = rig()
    rotation, translation = rodrigues(np.array([0.3, -0.2, 0.1])), np.array([5.0, -3.0, 480.0])
    moved = one.moved(rotation, translation)
    places = np.random.default_rng(0).uniform(-20, 20, (10, 3))
    for before, after in zip(one.cameras, moved.cameras, strict=True):
        np.testing.assert_allclose(after.project(places), before.project(places @ rotation.T + translation), atol=1e-9)
