"""Cameras are calibrated by jobs of a window in all ways that the command has."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
import pytest

from app.desk.jobs.orders import CalibrateOrder, GivenRows, ReconstructOrder, Wand
from app.desk.jobs.stereo import calibrated, reconstructed
from app.stereo.reconstruction import Wanted
from app.stereo.rig import rig_of, write_rig
from kernels.errors import InputError
from pipelines.stereo.bundle import Lens
from tests.app.stereo.seen import SIZE, pair, table, tracks_of, ways

LENGTH = 90.0


def _told(_: object) -> None:
    """Nobody listens."""


def _wand(folder: Path, frames: int = 90) -> tuple[GivenRows, ...]:
    """Tables of tracks of a wand's ends."""
    random = np.random.default_rng(5)
    middles = random.uniform(-90, 90, (frames, 3)) + [0, 0, 500]
    along = random.normal(size=(frames, 3))
    along *= 0.5 * LENGTH / np.linalg.norm(along, axis=1, keepdims=True)
    ends = np.stack((middles - along, middles + along))
    return tuple(GivenRows(source=table(folder / f"wand{at}.parquet", tracks_of(one, ends, 0.05, seed=at)))
                 for at, one in enumerate(pair()))  # fmt: skip


def test_a_wand_calibrates_by_tables_that_say_no_size(tmp_path: Path) -> None:
    tracks = _wand(tmp_path)
    order = CalibrateOrder(Wand(LENGTH, "mm"), Lens.NONE, tracks=tracks, offsets=(0, 0))
    with pytest.raises(InputError, match="--size"):
        calibrated(order, _told)
    order = CalibrateOrder(Wand(LENGTH, "mm", size=SIZE), Lens.NONE, tracks=tracks, offsets=(0, 0))
    made = calibrated(order, _told)
    numbers = [view["number"] for view in made["views"]]
    assert numbers == sorted(numbers)
    assert 12 <= len(numbers) <= 90
    rig, truth = rig_of(made["rig"]), pair()
    apart = np.linalg.norm(rig.cameras[1].centre)
    assert apart == pytest.approx(float(np.linalg.norm(truth[1].centre)), rel=0.1)
    dropped = tuple(numbers[1:3])
    without = CalibrateOrder(order.by, Lens.NONE, tracks=tracks, offsets=(0, 0), without=dropped)
    assert set(dropped).isdisjoint(view["number"] for view in calibrated(without, _told)["views"])


def test_known_places_calibrate_and_one_that_is_wrong_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(6)
    places = random.uniform(-60, 60, (20, 3)) + [0, 0, 500]
    pixels = [one.project(places) for one in pair()]
    pixels[1][4] += 9.0
    with (tmp_path / "frame.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["x_mm", "y_mm", "z_mm", "u1_px", "v1_px", "u2_px", "v2_px"])
        writer.writerows(np.column_stack((places, *pixels)).tolist())
    clips = []
    for at in range(2):
        clips.append(str(tmp_path / f"clip{at}.npy"))
        np.save(clips[-1], np.zeros((2, SIZE[1], SIZE[0]), np.uint8))
    made = calibrated(CalibrateOrder(str(tmp_path / "frame.csv"), clips=tuple(clips)), _told)
    errors = [float(np.linalg.norm(view["wrong"][1])) for view in made["views"]]
    assert int(np.argmax(errors)) == 4
    order = CalibrateOrder(str(tmp_path / "frame.csv"), clips=tuple(clips), without=(4,))
    made = calibrated(order, _told)
    assert [view["number"] for view in made["views"]] == [number for number in range(20) if number != 4]
    assert made["rig"]["rms_px"] < 1e-3
    write_rig(tmp_path / "rig.json", rig_of(made["rig"]))
    tracks = tuple(GivenRows(source=table(tmp_path / f"t{at}.parquet", tracks_of(one, ways(), 0.01, seed=at)))
                   for at, one in enumerate(pair()))  # fmt: skip
    out = tmp_path / "out"
    found = reconstructed(ReconstructOrder(str(tmp_path / "rig.json"), tracks, Wanted((0, 0)), True, str(out)))
    assert found["files"] == ["places.csv", "things.csv", "places.c3d"]
    monkeypatch.setitem(sys.modules, "ezc3d", None)
    without = reconstructed(ReconstructOrder(str(tmp_path / "rig.json"), tracks, Wanted((0, 0)), True, str(out)))
    assert without["files"] == ["places.csv", "things.csv"]
    assert any("places.c3d" in note and "ezc3d" in note for note in without["notes"])
    with np.load(out / "places.npz") as stored:
        wrong = stored["places"] - ways().reshape(-1, 3)
        assert np.abs(wrong).max() < 1.0
        assert len(stored["sigma"]) == len(wrong)
