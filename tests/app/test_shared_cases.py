"""The inputs of ../shared/cases, which once failed, each with what is right; skipped where they are not.

Tests elsewhere are of the kinds that they stand for; these are the very files.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.cli import main
from app.sources.opening import open_source
from kernels.errors import BadFrame
from pipelines.frame import FrameSource

CASES = Path(__file__).parents[3] / "shared" / "cases"
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="../shared/cases is not here")
FILES, TRACKING, FAULTS, FUZZ = (CASES / name for name in ("files", "tracking", "faults", "fuzz"))
Capture = pytest.CaptureFixture[str]


# Tracking: with untouched defaults, or what the run's own hint names.


def followed(name: str, pipeline: str, out: Path, settings: str = "") -> dict[str, Any]:
    """The summary of a run beside whose clip the truth lies."""
    points = TRACKING / f"{name}.points.csv"
    given = ["--points", str(points)] if points.exists() else []
    words = ["run", str(TRACKING / f"{name}.tif"), "-p", pipeline, *given, *settings.split()]
    assert main([*words, "-o", str(out), "--no-overlay", "-q"]) == 0
    summary: dict[str, Any] = json.loads((out / "summary.json").read_text())
    return summary


@pytest.mark.parametrize(
    ("name", "pipeline", "recall", "off"),
    [("back", "template", 0.99, 0.02), ("border", "template", 1.0, 0.02), ("strobe", "blobs", 1.0, 0.03),
     ("hot", "blobs", 0.97, 0.06), ("dart", "blobs", 1.0, 0.03), ("fast", "blobs", 1.0, 0.02),
     ("glint", "pupil", 1.0, 0.1)],
)  # fmt: skip
def test_untouched(name: str, pipeline: str, recall: float, off: float, tmp_path: Path) -> None:
    """Nearly every sighting, nothing else, no id changed, as exact as the noise allows (px)."""
    scores = followed(name, pipeline, tmp_path)["scores"]
    assert (scores["id_switches"], scores["false"]) <= (0, 2)
    assert scores["recall"] >= recall
    assert scores["rmse"] <= off


@pytest.mark.parametrize(
    ("name", "pipeline", "off"), [("wire", "template", 0.02), ("flicker", "blobs", 0.03)]
)
def test_with_what_the_hint_names(name: str, pipeline: str, off: float, tmp_path: Path) -> None:
    (hint,) = followed(name, pipeline, tmp_path / "before")["hints"]
    advice = re.findall(r"-p [\w-]+|--set [\w.]+=[\w.]*\w", hint)
    other = [words[3:] for words in advice if words.startswith("-p")]
    settings = " ".join(words for words in advice if not words.startswith("-p"))
    after = followed(name, (other or [pipeline])[0], tmp_path / "after", settings)
    assert (after["scores"]["recall"], after["scores"]["precision"], after["scores"]["id_switches"]) == (1.0, 1.0, 0)
    assert after["scores"]["rmse"] <= off
    assert not any("try -" in word for word in after["hints"])


# Files.


def pictures(source: FrameSource, first: int, end: int) -> list[Any]:
    """The frames of a range; None for those that are refused."""
    found: list[Any] = []
    for frame in range(first, end):
        try:
            found.append(np.array(source.read(frame)))
        except BadFrame:
            found.append(None)
    return found


@pytest.mark.parametrize("name", ["mkv_700fps.mkv", "mkv_240fps.mkv", "flv_600fps.flv", "mp4_700fps.mp4"])
def test_stamps_that_a_container_rounds_are_an_even_grid(name: str) -> None:
    fps = int(name[4:7])
    info = open_source(FILES / name).info
    assert [info.time.time(k) for k in range(info.frames)] == pytest.approx([k / fps for k in range(60)], abs=1e-9)


def test_a_damaged_frame_is_refused_however_it_is_reached_and_the_others_are_whole() -> None:
    whole = pictures(open_source(FILES / "mjpeg.avi"), 0, 60)
    damaged = pictures(open_source(FILES / "mjpeg_damaged.avi"), 0, 60)
    assert [k for k, picture in enumerate(damaged) if picture is None] == [28]
    assert pictures(open_source(FILES / "mjpeg_damaged.avi"), 28, 29) == [None]
    assert all(a is None or np.array_equal(a, b) for a, b in zip(damaged, whole, strict=True))


def test_random_access_is_sequential_access_or_refused() -> None:
    whole = pictures(open_source(FILES / "h264_intra_refresh.mp4"), 0, 120)
    later = pictures(open_source(FILES / "h264_intra_refresh.mp4"), 100, 108)
    assert any(picture is not None for picture in later)
    for frame, picture in enumerate(later, 100):
        assert picture is None or np.array_equal(picture, whole[frame])


@pytest.mark.parametrize(
    ("name", "frames"),
    [("h264_no_vui_late_b.mkv", 96), ("mjpeg_422_then_420.avi", 24), ("raw.mjpeg", 40), ("annexb.h264", 96)],
)
def test_all_frames_are_there(name: str, frames: int) -> None:
    source = open_source(FILES / name)
    assert source.info.frames == frames
    assert all(picture is not None for picture in pictures(source, 0, frames))
    assert (source.info.time.origin == "unknown") == (name in ("raw.mjpeg", "annexb.h264"))


def test_frames_that_are_missing_are_named_and_keep_their_time() -> None:
    for fps in (None, 1000.0):
        info = open_source(FILES / "dropped_frames_1000.mp4", fps=fps).info
        assert any("4 frames are missing: 3 after frame 29, 1 after frame 69" in word for word in info.warnings)
        assert info.time.time(30) == pytest.approx(0.033)


def test_a_cameras_header_beside_its_clip_is_read() -> None:
    for ending in ("avi", "cih"):
        info = open_source(FILES / "photron_avi" / f"ball_C001H001S0001.{ending}").info
        assert (info.frames, info.time.fps) == (40, 20000.0)


@pytest.mark.parametrize(
    ("name", "words"),
    [("interlaced_tff.mp4", "interlaced"), ("sar_4_3.mp4", "not square"), ("ffv1_cut.mkv", "41 are there")],
)
def test_what_is_odd_is_said_once(name: str, words: str) -> None:
    assert sum(words in warning for warning in open_source(FILES / name).info.warnings) == 1


def test_a_colour_mosaic_is_named_and_opened(tmp_path: Path, capsys: Capture) -> None:
    assert main(["info", str(FILES / "t_cfa.dng")]) == 0
    assert "rggb" in capsys.readouterr().out
    for k in range(3):
        (tmp_path / f"t{k}.dng").write_bytes((FILES / "t_cfa.dng").read_bytes())
    assert open_source(tmp_path).info.frames == 3


# Faults: nothing is written outside of what was named, and bad input is a sentence.


def test_a_name_leads_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The evil pipeline by run, batch, record, replay and export: whole commands."""
    home = tmp_path / "a" / "b" / "c" / "d"
    home.mkdir(parents=True)
    monkeypatch.chdir(home)
    clip, evil = str(FILES / "mkv_700fps.mkv"), str(tmp_path / "evil.toml")
    lines = (FAULTS / "evil.toml").read_text().splitlines()
    assert main(["run", clip, "-p", str(FAULTS / "evil.toml")]) == 2  # for a parameter that is no more
    Path(evil).write_text("\n".join(line for line in lines if not line.startswith("centres")))
    assert main(["run", clip, "-p", evil, "--no-overlay", "-q"]) == 0
    assert main(["batch", clip, "-p", evil, "--out", "many", "--no-overlay", "-q"]) == 0
    assert main(["record", clip, "-p", evil, "-o", "evil.mcap", "-q"]) == 0
    assert main(["replay", "evil.mcap", "-q", "--no-overlay"]) == 0
    assert main(["export", "evil.mcap", "--to", "csv"]) == 0
    outside = [path for path in tmp_path.rglob("*") if path.is_file() and not path.is_relative_to(home)]
    assert outside == [Path(evil)]
    assert {path.name for path in home.iterdir()} == {"fusetrack-out", "many", "evil.mcap", "evil.tracks.csv"}


@pytest.mark.parametrize(
    ("words", "said"),
    [(["-p", str(FAULTS / "nul.toml")], "nul.toml"),
     (["-p", "template", "--points", str(FAULTS / "points_nan_frame.csv")], "line 2 has 'nan' as frame")],
)  # fmt: skip
def test_a_fault_is_one_sentence(words: list[str], said: str, tmp_path: Path, capsys: Capture) -> None:
    assert main(["run", str(FILES / "mkv_700fps.mkv"), *words, "-o", str(tmp_path / "out")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("fusetrack: ")
    assert said in line


# What once took longer than the patience of people; a hang ends the process (pytest's faulthandler_timeout).


def test_a_wide_filter_of_a_converted_image_is_planned(capsys: Capture) -> None:
    assert main(["plan", str(FUZZ / "fast-hang7x3.toml"), "--fast"]) == 0
    assert "sharp" in capsys.readouterr().out


def test_the_text_of_a_large_body_is_written(capsys: Capture) -> None:
    assert main(["plan", str(FUZZ / "text34.toml"), "--device", "h100", "--source"]) == 0
    assert capsys.readouterr().out.count("__global__") >= 1
