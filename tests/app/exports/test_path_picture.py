"""Paths over the picture: where the lines lie, what their colours tell, how long the bar is, and both formats."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.exports.drawing import PALETTE
from app.exports.export import export_results
from app.exports.path_picture import PathStyle, plot_paths
from app.exports.scale import Scale
from app.exports.tables import write_tracks_parquet
from app.exports.thinning import ThinnedRows
from app.exports.track_colours import hex_of
from app.exports.trajectory_lines import time_colours
from app.plots.look import look_of
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State, Tracks

pytestmark = pytest.mark.sharp

SIZE = (160, 120)


def walk(track: int, y: float, step: float, frames: int = 40) -> Tracks:
    """To the right from x = 10, `step` px a frame at 100 frames/s."""
    rows = np.zeros(frames, TRACK_DTYPE)
    k = np.arange(frames)
    rows["frame"], rows["time"], rows["track"], rows["state"] = k, k / 100, track, State.TRACKED
    rows["x"], rows["y"], rows["vx"] = 10 + step * k, y, 100 * step
    return rows


def made(rows: Tracks, style: PathStyle) -> Any:
    held = ThinnedRows()
    held.add(rows[np.argsort(rows["frame"], kind="stable")])
    return plot_paths(held, np.full((*SIZE[::-1], 3), 80, np.uint8), (0, 0), style)


def paths_of(axes: Any) -> list[Any]:
    return [line for line in axes.lines if line.get_label() != "scale bar"]


TWO = np.concatenate((walk(3, 20.0, 1.0), walk(7, 70.0, 2.0)))


def test_lines_go_where_the_tracks_went_and_nowhere_out_of_the_picture() -> None:
    rows = np.concatenate((TWO, walk(9, 100.0, 8.0)))
    axes = made(rows, PathStyle())
    lines = paths_of(axes)
    assert [line.get_color() for line in lines] == [hex_of(colour) for colour in PALETTE[:3]]
    points = lines[0].get_xydata()
    np.testing.assert_allclose(points[0], (10, 20))
    np.testing.assert_allclose(points[-2], (49, 20))
    assert np.isnan(points[-1]).all()
    assert (axes.get_xlim(), axes.get_ylim()) == ((-0.5, 159.5), (119.5, -0.5))
    assert all(line.get_clip_on() for line in lines)


def test_colours_tell_speed_and_time() -> None:
    by_speed = made(TWO, PathStyle("speed"))
    shades = [hex_of(colour) for colour in time_colours()]
    slow, fast = (line.get_color() for line in paths_of(by_speed))
    assert (slow, fast) == (shades[16], shades[-1]), "of 0 to 200 px/s"
    ramp = by_speed.figure.axes[1]
    assert (ramp.get_xlabel(), ramp.get_xlim()) == ("speed (px/s)", (0.0, 200.0))
    by_time = made(TWO, PathStyle("time"))
    lines = paths_of(by_time)
    assert [line.get_color() for line in lines] == shades
    first = [line.get_xdata()[0] for line in lines]
    assert first == sorted(first)
    ramp = by_time.figure.axes[1]
    assert ramp.get_xlabel() == "time (ms)"
    assert ramp.get_xlim() == pytest.approx((0.0, 390.0))


@pytest.mark.parametrize(
    ("scale", "words", "px"),
    [(None, "20 px", 20.0), (Scale(0.12, "mm"), "2 mm", 2 / 0.12), (Scale(3.0, "um"), "100 µm", 100 / 3)],
)
def test_the_bar_is_as_long_as_it_says(scale: Scale | None, words: str, px: float) -> None:
    axes = made(TWO, PathStyle(scale=scale, names={3: "left brow"}))
    (bar,) = (line for line in axes.lines if line.get_label() == "scale bar")
    assert np.ptp(bar.get_xdata()) == pytest.approx(px)
    assert {words, "left brow", "7"} == {text.get_text() for text in axes.texts}


def test_the_picture_has_the_lines_over_the_ground() -> None:
    axes = made(TWO, PathStyle())
    (image,) = axes.images
    assert (np.asarray(image.get_array()) == 60).all()
    assert image.get_extent() == [-0.5, 159.5, 119.5, -0.5]
    assert all(line.get_zorder() > image.get_zorder() for line in axes.lines)


@pytest.fixture
def run(tmp_path: Path) -> tuple[Path, Path]:
    clip = np.full((30, *SIZE[::-1]), 100, np.uint8)
    np.save(tmp_path / "clip.npy", clip)
    write_tracks_parquet(tmp_path / "tracks.parquet", TWO, {})
    return tmp_path / "tracks.parquet", tmp_path / "clip.npy"


def test_both_formats_are_written_of_the_frames_that_are_wanted(run: tuple[Path, Path], tmp_path: Path) -> None:
    table, clip = run
    done = export_results(table, out=tmp_path / "a.svg", clip=str(clip), frames=(10, 20), colour="time", fps=100.0)
    assert done.files == (tmp_path / "a.svg",)
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert [element.tag.rpartition("}")[2] for element in root.iter()].count("image") >= 1
    assert "time (ms)" in [element.text for element in root.iter() if element.tag.endswith("text")]
    assert "clip.npy: 2 tracks" in [element.text for element in root.iter() if element.tag.endswith("text")]
    export_results(table, "paths", tmp_path / "b.png", clip=str(clip))
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")
    export_results(table, "paths", tmp_path / "c.pdf", clip=str(clip), look=look_of("paper"))
    assert (tmp_path / "c.pdf").read_bytes().startswith(b"%PDF")


def test_what_cannot_be_drawn_is_refused(run: tuple[Path, Path], tmp_path: Path) -> None:
    table, clip = run
    with pytest.raises(InputError, match="no tracks"):
        export_results(clip, out=tmp_path / "a.svg")
    with pytest.raises(InputError, match=r"\.png, \.svg or \.pdf"):
        export_results(table, "paths", tmp_path / "a.jpg", clip=str(clip))
    with pytest.raises(InputError, match="--clip"):
        export_results(table, out=tmp_path / "a.svg")
    assert not (tmp_path / "a.svg").exists()
