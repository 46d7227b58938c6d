"""Clips whose compression no tracker can see are named, others are not."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pyarrow.parquet
import pytest

from app.cautions import compression_hints
from app.cli import main
from app.controller import run_clip
from app.exports.tables import read_meta
from app.sources.opening import open_source


def written(path: Path, codec: str, options: dict[str, str]) -> str:
    """A clip of a few frames."""
    texture = np.random.default_rng(1).integers(0, 255, (12, 12), np.uint8).repeat(8, 0).repeat(8, 1)
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=100, options=options)
        stream.width = stream.height = 96
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "gray" if codec == "ffv1" else "yuv420p"
        for k in range(6):
            picture = np.roll(texture, k, 1)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="gray").reformat(format=stream.pix_fmt)))
        out.mux(stream.encode(None))
    return str(path)


@pytest.mark.parametrize(
    ("codec", "options", "told"),
    [("libx264", {}, True), ("mpeg4", {}, True), ("libx264", {"g": "1"}, False), ("mjpeg", {}, False),
     ("ffv1", {}, False)],
)  # fmt: skip
def test_codecs_that_predict_frames_are_named(tmp_path: Path, codec: str, options: dict[str, str], told: bool) -> None:
    source = open_source(written(tmp_path / "clip.mkv", codec, options))
    hints = compression_hints(source.info)
    source.close()
    assert len(hints) == told
    assert all("sigma is a lower bound" in hint for hint in hints)


def test_a_run_says_so_first_and_keeps_it(tmp_path: Path) -> None:
    told: list[str] = []
    clip = written(tmp_path / "clip.mkv", "libx264", {})
    outcome = run_clip(clip, "template", settings={"track.max_points": 2}, out=tmp_path / "out", overlay=False,
                       device="cpu", notify=told.append)  # fmt: skip
    assert told[0].startswith("h264 predicts frames from others")
    assert told[0] in outcome.summary["hints"]


def test_simulated_clips_are_as_they_are() -> None:
    source = open_source("sim:plate?frames=2")
    assert compression_hints(source.info) == []
    source.close()


def test_the_command_says_it_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = written(tmp_path / "clip.mkv", "libx264", {})
    words = ["run", clip, "-p", "template", "--set", "track.max_points=2", "--no-overlay", "--quiet", "--device", "cpu"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.count("sigma is a lower bound") == 1


def test_exports_carry_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = written(tmp_path / "clip.mkv", "libx264", {})
    run_clip(clip, "template", settings={"track.max_points": 2}, out=tmp_path / "run", overlay=False, device="cpu")
    assert main(["export", str(tmp_path / "run"), "--to", "parquet", "-o", str(tmp_path / "tracks.parquet")]) == 0
    assert capsys.readouterr().out.count("sigma is a lower bound") == 1
    table = pyarrow.parquet.read_table(tmp_path / "tracks.parquet")
    assert b"sigma is a lower bound" in table.schema.field("sigma_px").metadata[b"description"]
    assert "sigma is a lower bound" in read_meta(tmp_path / "tracks.parquet")["source"]["cautions"][0]
    h5py = pytest.importorskip("h5py")
    assert main(["export", str(tmp_path / "run"), "--to", "hdf5", "-o", str(tmp_path / "tracks.h5")]) == 0
    with h5py.File(tmp_path / "tracks.h5") as file:
        assert "sigma is a lower bound" in file["tracks/sigma"].attrs["description"]
