"""What people read at the end of a run, and the listings: whole numbers, true units, something to try."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from app.analysis.frf_files import POLES, RESPONSES
from app.analysis.frf_uff import UFF
from app.analysis.msd_files import DIFFUSION, ENSEMBLE, TRACKS
from app.analysis.shapes_files import TABLE
from app.cautions import rate_warnings, track_hints
from app.cli import main
from app.commands.report import COLUMNS, SHOWN, track_line
from app.controller import Job, run_clip
from app.results import ANALYSES
from app.sources.opening import open_source
from pipelines.streaming.engine.engine import Engine
from tests.shipped import fixed

ROOT = Path(__file__).parents[2]
TRACK = {"track": 7, "seen_frames": 40, "first_frame": 0, "last_frame": 39, "mean_x_px": 1234.5, "mean_y_px": 8.25,
         "range_x_px": 0.5, "range_y_px": 12.0, "top_speed_px_per_s": 167504.0, "mean_sigma_px": 0.012}  # fmt: skip


def dark_spot(folder: Path, level: int = 200) -> Path:
    """A clip of one dark spot that moves on a bright ground."""
    y, x = np.mgrid[:48, :64]
    clip = [level - 120 * np.exp(-((x - 10 - t) ** 2 + (y - 20) ** 2) / 5.0) for t in range(20)]
    path = folder / "dark.npy"
    np.save(path, np.rint(clip).astype(np.uint8))
    return path


def test_numbers_stand_under_their_names_and_are_never_cut() -> None:
    head = "".join(f"{name:>{width}}" for name, width in COLUMNS)
    line = track_line(TRACK)
    assert len(head) == len(line) < 80
    assert line.split() == ["7", "40", "0", "39", "1234.50", "8.25", "0.50", "12.00", "167504", "0.012"]
    assert "123456789.00" in track_line({**TRACK, "mean_x_px": 123456789.0})
    assert " 0.588 " in track_line({**TRACK, "top_speed_px_per_s": 0.5881})


def test_many_short_tracks_bring_a_hint_with_the_pipelines_own_names() -> None:
    made = fixed("blobs")
    (hint,) = track_hints([TRACK] * 80, 1000, made)
    assert "80 tracks, half of them seen in 40 frames or fewer of 1000" in hint
    assert "spots.min_area" in hint
    assert not track_hints([TRACK] * 80, 40, made)
    assert not track_hints([TRACK] * 3, 1000, made)


def test_what_a_hint_says_finds_the_dark_spot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["run", str(dark_spot(tmp_path)), "--out", str(tmp_path / "o"), "--quiet", "--no-overlay"]
    for given in ("bright.level=0.03", "bright.polarity=bright", "spots.polarity=bright"):  # what "auto" would find
        arguments += ["--set", given]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    hint = next(line for line in said.splitlines() if "try --set" in line)
    tries = hint.partition("try ")[2].split()
    assert tries[::2] == ["--set"] * 3
    assert main([*arguments, *tries]) == 0
    said = capsys.readouterr().out
    assert "no tracks" not in said
    assert "px, px/frame" in said  # nobody knows the rate
    assert "px/s" not in said


def test_a_players_rate_is_warned_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for fps, warned in ((25, True), (1000, False)):
        clip = tmp_path / f"{fps}.mp4"
        assert main(["simulate", "vortex", str(clip), "--frames", "3", "--fps", str(fps), "-q"]) == 0
        source = open_source(str(clip))
        assert bool(rate_warnings(source.info)) == warned
        source.close()
        assert not rate_warnings(open_source(str(clip), fps=25).info)
        capsys.readouterr()
        assert main(["info", str(clip)]) == 0
        assert ("--fps\n" in capsys.readouterr().out.partition("warning")[2]) == warned


def test_no_match_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["run", "sim:vortex?frames=5", "--set", "bright.level=0.9", "--quiet", "--no-overlay"]
    assert main([*arguments, "--out", str(tmp_path / "o")]) == 0
    said = capsys.readouterr().out
    assert "no track comes near a true position" in said
    assert "nan" not in said.lower()


def test_what_a_gpu_has_no_room_for_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "sent_back", {"regions": 3})
    monkeypatch.setattr(Engine, "close", lambda self: self.abandon())
    arguments = ["run", "sim:vortex?frames=4", "--quiet", "--no-overlay", "--out", str(tmp_path / "o")]
    assert main(arguments) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "regions: 3 of 4 frames held larger things, or more of them, than the GPU has room for" in said
    assert json.loads((tmp_path / "o" / "summary.json").read_text())["sent_back"] == {"regions": 3}


def test_folders_may_be_texts_in_python(tmp_path: Path) -> None:
    outcome = run_clip("sim:vortex?frames=4", out=str(tmp_path / "o"), overlay=False)
    assert outcome.folder == tmp_path / "o"
    assert (tmp_path / "o" / "tracks.csv").is_file()


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "examples:" in capsys.readouterr().out


@pytest.mark.parametrize("width", ["60", "80"])
def test_listings_cut_no_word(width: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", width)
    for command in (["pipelines", "blobs"], ["pipelines"], ["trackers"], ["stages", "background"]):
        assert main(command) == 0
        said = capsys.readouterr().out
        assert "\N{HORIZONTAL ELLIPSIS}" not in said
    assert 'evaluate_clip(background, clip)["foreground"][:, 0]' in said  # an example's line stays whole
    assert main(["pipelines", "blobs"]) == 0
    assert "follow.measurement_sigma" in capsys.readouterr().out


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names of files that are no text")
def test_names_that_are_no_text_in_this_locale(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"Ger\xe4t 1")).mkdir()
    clip = dark_spot(tmp_path / os.fsdecode(b"Ger\xe4t 1"))
    clip = clip.rename(clip.with_name(os.fsdecode(b"f\xfcnf.npy")))
    command = [sys.executable, "-m", "app", "run", str(clip), "--out", str(tmp_path / "o"), "--quiet", "--no-overlay"]
    for locale in ({}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, **locale}, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert b"results  " in done.stdout
        assert json.loads((tmp_path / "o" / "summary.json").read_text())["source"]["name"] == "f\\udcfcnf.npy"


def _said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["run", *arguments, "--quiet", "--no-overlay"]) == 0
    return capsys.readouterr().out


def test_parts_of_a_clip_and_clips_of_one_name_have_folders_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    clips = []
    for name in "ab":
        (tmp_path / name).mkdir()
        clips.append(str(dark_spot(tmp_path / name)))
    cases: list[tuple[list[str], str]] = [
        ([clips[0]], "dark-blobs"), ([clips[1]], "b-dark-blobs"), ([clips[0]], "dark-blobs"),
        ([clips[0], "--frames", "0:5"], "dark-blobs-frames-0-5"), ([clips[0], "--frames", "0:20"], "dark-blobs"),
        ([clips[0], "--roi", "0,0,32,32"], "dark-blobs-roi-0-0-32-32"),
    ]  # fmt: skip
    for arguments, folder in cases:
        said = _said(capsys, *arguments)
        assert f"results  fusetrack-out/{folder}/" in said
        assert "replaced" not in said


def test_replacing_other_results_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip, out = str(dark_spot(tmp_path)), str(tmp_path / "o")
    assert "replaced" not in _said(capsys, clip, "-o", out)
    assert "replaced" not in _said(capsys, clip, "-o", out)
    said = _said(capsys, clip, "-o", out, "-s", "bright.level=0.2")
    assert "the earlier results there, of other settings, were replaced" in said
    said = _said(capsys, clip, "-o", out, "-s", "bright.level=0.2", "--frames", "3:9")
    assert "of other frames or another part of the picture, were replaced" in said
    (tmp_path / "o" / "summary.json").write_text("[1, 2")
    assert "replaced" not in _said(capsys, clip, "-o", out)
    (tmp_path / "o" / "overlay.mp4").touch()
    assert "overlay.mp4 there is that of an earlier run" in _said(capsys, clip, "-o", out)


def test_analyses_of_earlier_tracks_are_said_and_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip, out = str(dark_spot(tmp_path)), tmp_path / "o"
    out.mkdir()
    for name in ("shapes.csv", "frf.uff"):
        (out / name).write_text("worked out before")
    assert "shapes.csv, frf.uff there: of the tracks of an earlier run" in _said(capsys, clip, "-o", str(out))
    assert (out / "shapes.csv").read_text() == "worked out before"
    assert set(ANALYSES) == {ENSEMBLE, TRACKS, DIFFUSION, TABLE, RESPONSES, POLES, UFF}


def test_one_frame_alone_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = _said(capsys, str(dark_spot(tmp_path)), "-o", str(tmp_path / "o"), "--frames", "10")
    assert "(frame 10 alone; --frames :10 are the first 10)" in said
    said = _said(capsys, str(dark_spot(tmp_path)), "-o", str(tmp_path / "o"), "--frames", ":10")
    assert "10 of 10 processed" in said
    assert "(frame" not in said


def test_the_report_shows_the_longest_tracks_and_names_the_truth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = tmp_path / "v.mp4"
    assert main(["simulate", "vortex", str(clip), "--frames", "30", "-q"]) == 0
    capsys.readouterr()
    said = _said(capsys, str(clip), "-o", str(tmp_path / "o"))
    assert "compared with v.truth.csv, found beside the clip" in said
    rows = said.partition("top speed")[2].partition("px, px/s")[0].splitlines()[1:]
    assert len(rows) == SHOWN == 20
    seen = [int(row.split()[1]) for row in rows]
    assert seen == sorted(seen, reverse=True)
    assert "the 20 seen longest of" in said
    assert said.count("600 fps") == 1


def test_only_truth_within_the_region_is_asked_for(tmp_path: Path) -> None:
    outcome = run_clip("sim:vortex?frames=40", roi=(100, 80, 160, 120), out=tmp_path / "o", overlay=False)
    assert outcome.scores is not None
    assert outcome.scores.recall > 0.95
    assert outcome.compared == "the scene itself (what lies within --roi)"


def test_points_of_ones_own_are_compared_with_what_they_follow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = str(ROOT / "sample_videos" / "beam_1000fps.avi")
    common = [clip, "-p", "template", "--frames", "0:12"]
    assert "truth    not compared: none of the " in _said(capsys, *common, "-o", str(tmp_path / "o"))
    said = _said(capsys, *common, "-o", str(tmp_path / "o"), "-s", "track.points=[[121.4,95.5],[200.0,20.0]]")
    assert "truth    recall 1.0000  precision 1.0000" in said
    assert "(1 of the 2 points are there)" in said


def test_python_names_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="no option 'frame'; did you mean 'frames'"):
        run_clip("sim:vortex?frames=4", frame=(0, 2))
    records = {"look", "counting"}  # of figure and dark; of scale, origin and y_up
    assert {field.name for field in fields(Job)} - records <= set(inspect.signature(run_clip).parameters)
    outcome = run_clip("sim:vortex?frames=8", out=tmp_path / "o", overlay=False)
    assert repr(outcome).startswith("<Outcome: ")
    assert len(repr(outcome)) < 200
    table = outcome.table()
    header = (tmp_path / "o" / "tracks.csv").read_text().splitlines()[0]
    assert list(table) == header.split(",")
    assert set(table["state"].tolist()) <= {"tracked", "tentative", "predicted", "lost"}
    assert table["x_px"].tolist() == outcome.tracks["x"].tolist()


def test_small_slips_have_sentences(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["run", "sim:vortex", "-p", "template", "--set", "track.points=[[1,2]"]) == 2
    assert "a quote or a bracket is not closed" in capsys.readouterr().err
    for arguments in (["--help"], ["run", "--help"]):
        with pytest.raises(SystemExit):
            main(arguments)
        assert "1 " in capsys.readouterr().out.partition("exit codes:")[2].splitlines()[0]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_a_folder_that_takes_no_files_is_not_called_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "sim:vortex?frames=3", "-o", "/proc/x"]) == 2
    said = capsys.readouterr().err
    assert "/proc takes no files of yours" in said
    assert "does not exist" not in said
