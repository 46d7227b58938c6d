"""The command line: the main job, and one sentence with exit code 2 for whatever is wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.exports.tables import read_tracks

ROOT = Path(__file__).parents[2]
PLUGIN = '''
"""Stages of my own."""
from kernels.ir.expr import Expr
from kernels.param import Param
from kernels.stage import Plane, stage

@stage(params=(Param("amount", "float", 2.0, "how much", unit="1", low=0, high=10),), per_channel=True, border=True)
def edges(image: Plane, amount: Expr) -> Expr:
    """Raise vertical edges."""
    return image() + amount * (image(1, 0) - image(-1, 0))
'''


@pytest.fixture
def spots(tmp_path: Path) -> Path:
    """A clip of two moving spots, 64x48, 30 frames."""
    y, x = np.mgrid[:48, :64]
    clip = np.zeros((30, 48, 64))
    for t in range(30):
        for x0, y0, vx, vy in ((10, 12, 1.0, 0.5), (50, 36, -0.7, -0.2)):
            clip[t] += 180 * np.exp(-((x - x0 - vx * t) ** 2 + (y - y0 - vy * t) ** 2) / (2 * 1.6**2))
    clip += np.random.default_rng(1).normal(20, 2, clip.shape)
    path = tmp_path / "spots.npy"
    np.save(path, np.clip(clip, 0, 255).astype(np.uint8))
    return path


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run, expect exit code 2 and one sentence; return the sentence."""
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    lines = said.err.strip().splitlines()
    assert len(lines) == 1, said.err
    assert lines[0].startswith("fusetrack: ")
    assert "Traceback" not in said.err
    return lines[0]


def test_run_writes_what_it_promises(spots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["run", str(spots), "--fps", "1000", "--out", str(out), "--quiet"]) == 0
    said = capsys.readouterr().out
    assert "30 of 30 processed" in said
    assert "time     1000 fps given by the user in place of" in said
    names = {file.name for file in out.iterdir()}
    assert names == {"tracks.csv", "tracks.parquet", "trajectories.png", "overlay.mp4", "summary.json"}
    tracks = read_tracks(out / "tracks.csv")
    assert len(np.unique(tracks["track"])) == 2
    last = tracks[tracks["frame"] == 29]
    np.testing.assert_allclose(sorted(last["x"]), [50 - 0.7 * 29, 10 + 29], atol=0.1)
    np.testing.assert_allclose(sorted(last["vx"]), [-700, 1000], rtol=0.05)
    np.testing.assert_allclose(last["time"], 0.029)
    header = (out / "tracks.csv").read_text().splitlines()[0]
    assert header.startswith("frame,time_s,track,x_px,y_px,vx_px_per_s")
    summary = json.loads((out / "summary.json").read_text())
    assert summary["frames"]["announced"] == summary["frames"]["processed"] == 30
    assert summary["source"]["time_base"]["fps"] == 1000.0
    assert summary["source"]["time_base"]["origin"] == "user"
    assert len(summary["pipeline"]["hash"]) == 16
    assert {"fusetrack", "numpy", "python"} <= set(summary["versions"])


def test_the_same_run_gives_the_same_bytes(spots: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert main(["run", str(spots), "--fps", "1000", "--out", str(tmp_path / name), "--quiet", "--no-overlay"]) == 0
    assert (tmp_path / "a" / "tracks.csv").read_bytes() == (tmp_path / "b" / "tracks.csv").read_bytes()


def test_an_unknown_rate_is_said(spots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(spots), "--out", str(tmp_path / "o"), "--quiet", "--no-overlay"]) == 0
    assert "unknown rate" in capsys.readouterr().out


def test_frames_roi_settings_and_plugin(spots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(PLUGIN)
    (tmp_path / "mine.toml").write_text(
        '[stages.gray]\n[stages.edges]\namount = 0.0\n[stages.bright]\nuse = "threshold"\nlevel = 80\n'
        '[stages.spots]\nuse = "components"\ninputs = { mask = "bright", weights = "gray" }\n'
        '[trackers.follow]\nuse = "blob"\ninputs = "spots"\n'
    )
    arguments = ["run", str(spots), "--fps", "500", "-p", str(tmp_path / "mine.toml"),
                 "--plugin", str(tmp_path / "mine.py"), "--set", "edges.amount=0.01",
                 "--set", "bright.level=70", "--frames", "5:20", "--roi", "0,0,40,30",
                 "--out", str(tmp_path / "o"), "--quiet", "--no-overlay"]  # fmt: skip
    assert main(arguments) == 0
    tracks = read_tracks(tmp_path / "o" / "tracks.parquet")
    assert (tracks["frame"].min(), tracks["frame"].max()) == (5, 19)
    np.testing.assert_allclose(tracks["x"][tracks["frame"] == 10], 20, atol=0.15)
    summary = json.loads((tmp_path / "o" / "summary.json").read_text())
    assert {"id": "edges", "use": "edges"}.items() <= summary["pipeline"]["nodes"][1].items()
    assert summary["pipeline"]["nodes"][1]["params"]["amount"] == 0.01
    capsys.readouterr()
    assert main(["stages", "edges", "--plugin", str(tmp_path / "mine.py")]) == 0
    assert "Raise vertical edges" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--pipeline", "blobz"], "did you mean 'blobs'"),
        (["--pipeline", "missing.toml"], "no pipeline 'missing.toml'"),
        (["--set", "nonsense"], "node.param=value"),
        (["--set", "nope.level=3"], "has no node 'nope'"),
        (["--roi", "0,0,65,10"], "reaches outside the picture of 64x48 px"),
        (["--roi", "0,0,0,10"], "is empty"),
        (["--roi", "a,b"], "four whole numbers"),
        (["--frames", "30:99"], "which has frames 0:30"),
        (["--frames", "9:3"], "is empty"),
        (["--frames", "x"], "a:b"),
        (["--fps", "-3"], "positive"),
        (["--fps", "nan"], "positive"),
        (["--points", "no.csv"], "no.csv"),
        (["--truth", "no.csv"], "no.csv"),
        (["--plugin", "no.py"], "no plug-in file"),
        (["--out", "/proc/nowhere/x"], "/proc/nowhere"),
    ],
)
def test_wrong_arguments(spots: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    assert says in fails(capsys, "run", str(spots), "--quiet", *arguments)


def test_out_of_range_names_the_range(spots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = fails(capsys, "run", str(spots), "--set", "follow.max_missed=-1")
    assert "no node" in said or "outside its range" in said


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("gone.cine", None, "gone.cine"),
        ("empty.cine", b"", "empty"),
        ("lfs.mraw", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "git-LFS"),
        ("text.cine", b"this is no cine file at all, it is a text\n" * 50, "text.cine"),
        ("broken.npy", b"\x93NUMPY\x01\x00\x10\x00garbage", "broken.npy"),
        ("broken.mp4", b"\x00\x00\x00\x20ftypisom" + bytes(200), "broken.mp4"),
        ("sim", None, "sim"),
    ],
)
def test_bad_clips(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None, says: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert says in fails(capsys, "run", str(path), "--out", str(tmp_path / "o"))
    assert not (tmp_path / "o").exists()


def test_bad_scenes(capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean 'vortex'" in fails(capsys, "run", "sim:vortx")


def test_a_circle(spots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "circle.toml"
    path.write_text("[stages.a]\nuse='gaussian'\ninputs='b'\n[stages.b]\nuse='gaussian'\n")
    assert "circle: a -> b -> a" in fails(capsys, "run", str(spots), "-p", str(path))


def test_a_full_disk(spots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not Path("/dev/full").exists() or os.name != "posix":
        pytest.skip("no /dev/full here")
    said = fails(capsys, "simulate", "vortex?frames=3", "/dev/full/clip.mp4")
    assert "/dev/full" in said


def test_listings(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("stages", "trackers", "pipelines"):
        assert main([command]) == 0
        assert len(capsys.readouterr().out.splitlines()) > 3
        assert main([command, "--json"]) == 0
        assert all(entry["summary"] for entry in json.loads(capsys.readouterr().out))
    assert main(["pipelines", "blobs"]) == 0
    assert "hash" in capsys.readouterr().out
    assert main(["pipelines", "face-points"]) == 0
    assert "Apache License 2.0" in capsys.readouterr().out
    assert "did you mean 'gaussian'" in fails(capsys, "stages", "gausian")


def test_simulate_then_run_then_evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = tmp_path / "v.mkv"
    assert main(["simulate", "vortex", str(clip), "--frames", "25", "--quiet", "--lossless"]) == 0
    capsys.readouterr()
    assert main(["run", str(clip), "--out", str(tmp_path / "o"), "--quiet", "--no-overlay"]) == 0
    assert "RMSE" in capsys.readouterr().out
    assert main(["evaluate", str(tmp_path / "o" / "tracks.csv"), str(tmp_path / "v.truth.csv"), "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)
    assert scores["recall"] > 0.9
    assert scores["rmse"] < 0.2


def test_usage_mistakes_are_one_sentence_too(spots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "run has no option '--outt'; did you mean '--out'?" in fails(capsys, "run", str(spots), "--outt", "x")
    assert "run has no option '--xyzzy'; `fusetrack run --help`" in fails(capsys, "run", str(spots), "--xyzzy=3")
    assert "cannot take 'b.mp4', too; `fusetrack batch`" in fails(capsys, "run", str(spots), "b.mp4")
    assert "plan cannot take 'b', too; `fusetrack plan --help`" in fails(capsys, "plan", "blobs", "b")
    assert "--fps takes a number, not 'x'; `fusetrack" in fails(capsys, "run", str(spots), "--fps", "x")
    assert "--lags takes a whole number, not '1.5'" in fails(capsys, "msd", "run", "--lags", "1.5")
    assert "fusetrack run --help" in fails(capsys, "run")
    assert "there is no command 'runn'; did you mean 'run'?" in fails(capsys, "runn")
    assert "invalid choice: 'qqqq'" in fails(capsys, "qqqq")
    assert "need a name" in fails(capsys, "run", "")
    assert "which has frames 0:30" in fails(capsys, "run", str(spots), "--frames", "-99:")
    assert "reaches outside" in fails(capsys, "run", str(spots), "--roi", "-1,0,5,5")


def test_help_is_a_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean 'run'" in fails(capsys, "help", "rn")
    for words in (["help"], ["help", "run"]):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 0
        assert f"usage: {' '.join(['fusetrack', *words[1:]])} " in capsys.readouterr().out


def test_more_frames_than_there_are(spots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(spots), "--frames", "20:200", "-o", str(tmp_path / "o"), "-q", "--no-overlay"]) == 0
    assert "ends before frame 200: all from frame 20 on" in " ".join(capsys.readouterr().out.split())
    assert json.loads((tmp_path / "o" / "summary.json").read_text())["frames"]["processed"] == 10


def test_the_last_frames(spots: Path, tmp_path: Path) -> None:
    assert main(["run", str(spots), "--frames", "-4:", "-o", str(tmp_path / "o"), "-q", "--no-overlay"]) == 0
    assert json.loads((tmp_path / "o" / "summary.json").read_text())["frames"]["processed"] == 4


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no points"),
        ("x_px,y_px\n", "holds no points"),
        ("a,b\n1,2\n", "has no columns"),
        ("x_px,y_px\n1,two\n", "is not a table of points"),
    ],
)
def test_bad_points(spots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str) -> None:
    (tmp_path / "points.csv").write_text(text)
    assert says in fails(capsys, "run", str(spots), "-p", "template", "--points", str(tmp_path / "points.csv"))


def test_points_are_for_those_who_take_them(spots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "points.csv").write_text("x_px,y_px\n20,20\n")
    said = fails(capsys, "run", str(spots), "--points", str(tmp_path / "points.csv"))
    assert "--pipeline template follows given ones" in said


def test_a_simulated_scene_is_compared_with_its_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "sim:vortex?frames=30", "-o", str(tmp_path / "o"), "-q", "--no-overlay"]) == 0
    assert "truth    recall" in capsys.readouterr().out


def test_both_back_ends_give_the_same_tables(spots: Path, tmp_path: Path) -> None:
    for name, spelled in (("cpu", "--device"), ("reference", "--back-end")):
        assert main(["run", str(spots), spelled, name, "-o", str(tmp_path / name), "-q", "--no-overlay"]) == 0
        facts = json.loads((tmp_path / name / "summary.json").read_text())["back_end"]
        assert facts["name"] == name
    assert (tmp_path / "cpu" / "tracks.csv").read_bytes() == (tmp_path / "reference" / "tracks.csv").read_bytes()


def test_no_tracks_come_with_a_hint_that_helps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    y, x = np.mgrid[:48, :64]
    clip = [130 - 20 * np.exp(-((x - 10 - t) ** 2 + (y - 20) ** 2) / (2 * 1.6**2)) for t in range(20)]
    np.save(tmp_path / "dim.npy", np.round(clip).astype(np.uint8))
    command = ["run", str(tmp_path / "dim.npy"), "-o", str(tmp_path / "o"), "-q", "--no-overlay"]
    assert main([*command, "--set", "bright.polarity=bright", "--set", "bright.level=0.03"]) == 0
    said = capsys.readouterr().out
    assert "no tracks" in said
    tries = [word for word in said.split() if word.startswith("bright.")]
    assert tries[0] == "bright.polarity=dark"
    for setting in (*tries[:2], "spots.polarity=dark"):
        command += ["--set", setting]
    assert main(command) == 0
    assert len(np.unique(read_tracks(tmp_path / "o" / "tracks.csv")["track"])) == 1
