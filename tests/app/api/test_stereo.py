"""`fusetrack.calibrate` and `reconstruct` say what the commands of these names say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.api.stereo import calibrate, reconstruct
from app.stereo.rig import Rig, read_rig
from kernels.errors import ArgumentError, InputError
from tests.app.stereo.seen import board_clips, pair, tracks_of, ways


def test_from_clips_to_places(tmp_path: Path) -> None:
    clips = board_clips(tmp_path, pair())
    rig = calibrate(clips, (7, 5), "12 mm", out=tmp_path / "rig.json")
    np.testing.assert_array_equal(read_rig(tmp_path / "rig.json").cameras[1].rotation, rig.cameras[1].rotation)
    way = ways()
    rows = [tracks_of(one, way, 0.02, seed=at) for at, one in enumerate(pair())]
    found = reconstruct(rows, tmp_path / "rig.json", out=tmp_path / "out")
    assert found.groups == (((0, 0), (1, 0)), ((0, 1), (1, 1)), ((0, 2), (1, 2)))
    assert "things   3 in 120 places" in repr(found)
    step = found.table["x_mm"].reshape(3, 40)
    np.testing.assert_allclose(step[:, -1] - step[:, 0], way[:, -1, 0] - way[:, 0, 0], rtol=0.03, atol=0.5)
    assert found.plot().get_xlabel() == "x (mm)"
    assert (tmp_path / "out" / "places.csv").is_file()


def test_arguments_that_are_wrong_are_said() -> None:
    rig = Rig(tuple(pair()), ("left", "right"), "mm", 0.05, "board")
    rows = [tracks_of(one, ways(), 0.02) for one in pair()]
    with pytest.raises(ArgumentError, match="offsets"):
        reconstruct(rows, rig, offsets=(1, 0))
    with pytest.raises(ArgumentError, match="within"):
        reconstruct(rows, rig, within=-1.0)
    with pytest.raises(ArgumentError, match="board"):
        calibrate(["a.avi"], (7,), "5 mm")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="lens"):
        calibrate(["a.avi"], (7, 5), "5 mm", lens="fish")
    with pytest.raises(InputError, match="square= takes a length"):
        calibrate(["a.avi"], (7, 5), "5")
    with pytest.raises(InputError, match="2 cameras, and there are 1"):
        reconstruct(rows[:1], rig)
