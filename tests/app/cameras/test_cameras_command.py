"""`fusetrack cameras`, and what it counts."""

from __future__ import annotations

import json

import numpy as np
import pytest

from app.cameras.measure import account
from app.cli import main
from pipelines.frame import ARRIVAL, UNKNOWN


def test_the_list_names_the_simulated_camera(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cameras"]) == 0
    assert capsys.readouterr().out.startswith("cam:sim ")
    assert main(["cameras", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cameras"][0]["kind"] == "sim"


def test_a_camera_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    text = "cam:sim?size=64x48&fps=1000&frames=300&drop=@10,20-22&duplicate=@30&jitter=0.2"
    assert main(["cameras", text, "--seconds", "50", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["gaps"] == [[10, 10], [20, 22]]
    assert found["missing"] == 4
    assert found["duplicates"] == [30]
    assert found["frames"] == 297
    assert found["ended"]
    assert found["interval_ms"][1] == pytest.approx(1, abs=0.2)
    assert 0.01 < found["jitter_ms"] < 0.2
    assert main(["cameras", text, "--seconds", "50"]) == 0
    out = capsys.readouterr().out
    assert "missing     4: 10, 20-22" in out
    assert "duplicates  1: 30" in out


def test_a_camera_that_is_lost_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cameras", "cam:sim?size=64x48&disconnect=@5", "--seconds", "50"]) == 1
    assert "disconnected" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cameras", "cam:simm"], "did you mean cam:sim"),
        (["cameras", "video.avi"], "write cam:sim"),
        (["cameras", "cam:sim", "--seconds", "0"], "positive number of seconds"),
        (["cameras", "cam:sim", "--fps", "-1"], "positive number of frames"),
    ],
)
def test_mistakes_are_exit_code_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_cameras_without_numbers_or_clock_are_counted_by_the_host() -> None:
    rows = np.zeros(5, ARRIVAL)
    rows["camera_id"] = rows["camera_time"] = UNKNOWN
    rows["host_time"] = [0, 10_000_000, 20_000_000, 30_000_000, 40_000_000]
    found = account(rows, 0.05, ended=False, lost="", processor=0.0)
    assert found.host_fps == pytest.approx(100)
    assert found.interval_ms == pytest.approx((10, 10, 10))
    assert found.facts()["fps"] is None
    assert found.gaps == found.duplicates == ()


def test_late_numbers_are_neither_missing_nor_repeated() -> None:
    rows = np.zeros(7, ARRIVAL)
    rows["camera_id"] = [1, 2, 4, 3, 4, 7, 8]
    rows["host_time"] = np.arange(7) * 1_000_000
    found = account(rows, 0.01, ended=False, lost="", processor=0.0)
    assert (found.late, found.duplicates, found.gaps) == ((3,), (4,), ((5, 6),))


def test_nothing_came() -> None:
    found = account(np.zeros(0, ARRIVAL), 1.0, ended=False, lost="", processor=0.0)
    assert found.frames == found.missing == 0
    assert found.facts()["interval_ms"] == [None, None, None]
