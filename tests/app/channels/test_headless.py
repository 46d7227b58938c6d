"""`fusetrack channel` and `fusetrack.channel`: a data channel beside a clip, a run or as a project has it."""

from __future__ import annotations

import csv
import shutil
import tomllib
from pathlib import Path

import numpy as np
import pytest

from app.api.channel import channel
from app.channels.channel import Channel, ChannelColumn
from app.cli import main
from app.controller import run_clip
from app.project import Project, ProjectClip, write_project
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.writing import dumps

CLIP = Path(__file__).parents[3] / "sample_videos" / "vortex_600fps.avi"


@pytest.fixture
def hammer(tmp_path: Path) -> Path:
    """A ramp of 10 N/s and a step of 5 V at .5 s, 1000 samples a second, 2 s."""
    path = tmp_path / "hammer.csv"
    rows = "".join(f"{k / 1000:.3f},{k / 100},{5 * (k >= 500)}\n" for k in range(2000))
    path.write_text(f"time_s,force (N),U (V)\n{rows}")
    return path


def table(path: Path) -> tuple[str, list[list[str]]]:
    head, *rows = path.read_text().splitlines()
    return head, list(csv.reader(rows))


def test_what_is_in_a_file_is_told(hammer: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["channel", str(hammer)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "column   time_s  times", "column   force (N)  [N]", "column   U (V)  [V]",
        "samples  2000, 1000 a second, from 0 to 1.999 s",
    ]  # fmt: skip


def test_its_values_at_the_frames_of_a_clip(hammer: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = hammer.parent / "out.csv"
    assert main(["channel", str(hammer), str(CLIP), "--column", "force (N)=2 lbf", "--offset", "-0.5", "--frames",
                 "0:10", "-o", str(out)]) == 0  # fmt: skip
    assert "interpolated linearly" in capsys.readouterr().out
    head, rows = table(out)
    assert head.startswith("# hammer.csv at the frames' times: -0.5 s were added to its times; interpolated linearly")
    assert rows[0] == ["frame", "time_s", "force [lbf]"]
    assert [int(row[0]) for row in rows[1:]] == list(range(10))
    assert [float(row[2]) for row in rows[1:]] == pytest.approx([2 * 10 * (0.5 + k / 600) for k in range(10)], rel=1e-6)


def test_a_trigger_says_which_sample_is_which_frame(hammer: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = hammer.parent / "out.csv"
    assert main(["channel", str(hammer), str(CLIP), "--column", "U (V)", "--trigger", "U (V)>2", "--frame", "60",
                 "--mean", "-o", str(out)]) == 0  # fmt: skip
    assert "sample 500 is frame 60: -0.4 s are added" in capsys.readouterr().out
    head, rows = table(out)
    assert "mean of the samples within half a frame" in head
    assert [float(rows[1 + k][2]) for k in (58, 59, 61, 62)] == [0.0, 0.0, 5.0, 5.0]
    assert 0 < float(rows[1 + 60][2]) <= 5.0


def test_beside_a_run_it_lies_in_its_folder_and_in_a_project_as_the_window_left_it(hammer: Path) -> None:
    home = hammer.parent
    shutil.copy(CLIP, home / "vortex.avi")
    run_clip(home / "vortex.avi", out=home / "run", frames=(0, 8), overlay=False)
    assert main(["channel", str(hammer), str(home / "run"), "--frames", "0:8"]) == 0
    _, rows = table(home / "run" / "channel.csv")
    assert [row[0] for row in rows[1:]] == [str(k) for k in range(8)]
    (home / "vortex.avi").unlink()
    assert main(["channel", str(hammer), str(home / "run")]) == 0
    assert [row[0] for row in table(home / "run" / "channel.csv")[1][1:]] == [str(k) for k in range(8)], "by its tracks"
    shutil.copy(CLIP, home / "vortex.avi")
    made = Channel(str(hammer), (ChannelColumn("U (V)", "V"),), offset=-0.45)
    pipeline = {"stages": {"a": {"stage": "gray"}}}
    clip = ProjectClip(str(home / "vortex.avi"), pipeline=pipeline, channels=(made,))
    write_project(Project((clip,)), home / "x.ftproj")
    out = home / "out.csv"
    assert main(["channel", str(home / "x.ftproj"), "-o", str(out)]) == 0
    head, rows = table(out)
    assert "-0.45 s" in head
    assert [float(rows[1 + k][2]) for k in (29, 31)] == [0.0, 5.0]


def test_a_run_of_a_project_leaves_its_channel_beside_the_tracks(
    hammer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = hammer.parent
    shutil.copy(CLIP, home / "vortex.avi")
    definition = tomllib.loads(dumps(load("blobs")))
    made = ProjectClip(str(home / "vortex.avi"), frames=(5, 12), pipeline=definition, channels=(Channel(str(hammer)),))
    write_project(Project((made,)), home / "x.ftproj")
    words = ["run", str(home / "x.ftproj"), "-o", str(home / "out"), "-q", "--no-overlay"]
    assert main(words) == 0
    assert "the data channel at these frames is in channel.csv" in capsys.readouterr().out
    rows = table(home / "out" / "channel.csv")[1]
    assert [row[0] for row in rows[1:]] == [str(k) for k in range(5, 12)]
    assert float(rows[1][2]) == pytest.approx(10 * 5 / 600, rel=1e-6)
    hammer.unlink()
    assert main(words) == 0
    assert "the data channel was left out" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "match"), [
    (["--trigger", "U (V)>2"], "--trigger and --frame belong together"),
    (["--trigger", "U (V)>2", "--frame", "6", "--offset", "1"], "leave --offset out"),
    (["--trigger", "5", "--frame", "6"], "a trigger is a column, > or <, and a number"),
    (["--trigger", "force>5", "--frame", "6"], "no column 'force' among those that are read"),
    (["--trigger", ">1e9", "--frame", "6"], "no sample of force (N) is above 1e+09; it reaches 19.99"),
    (["--trigger", ">1", "--frame", "100000"], "has no frame 100000; it has 0 to 479"),
    (["--offset", "1000"], "no time in common"), (["--column", "nothing"], "no column 'nothing'"),
    (["--rate", "-1"], "positive number"),
])  # fmt: skip
def test_what_is_wrong_is_said(
    words: list[str], match: str, hammer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["channel", str(hammer), str(CLIP), *words]) == 2
    assert match in capsys.readouterr().err


def test_from_python(hammer: Path) -> None:
    found = channel(hammer, ["force (N)", "U (V)=1000 mV"], offset=0.25)
    assert list(found) == ["force (N)", "U (V)"]
    assert found["U (V)"].max() == 5000.0
    assert (found.times[0], found.rate) == (0.25, pytest.approx(1000.0))
    assert found.at([1.25, 0.75, 0.0]) == pytest.approx([10.0, 5.0, np.nan], nan_ok=True)
    assert found.at(np.array([[0.3, 1.25], [1.25, 0.3]]), "U (V)").tolist() == [[0.0, 5000.0], [5000.0, 0.0]]
    found.offset = 0.0
    assert found.at(1.0) == pytest.approx(10.0)
    with pytest.raises(ValueError, match="no column 'x'"):
        found.at([0.0], "x")
    with pytest.raises(InputError, match="does not exist"):
        channel("no.csv")
