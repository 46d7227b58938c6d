"""Paths over the picture: where the lines lie, what their colours tell, how long the bar is, and both formats."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from app.exports.drawing import PALETTE
from app.exports.export import export_results
from app.exports.path_picture import LEFT, LONG, TOP, PathStyle, path_drawing
from app.exports.scale import Scale
from app.exports.shapes import SCALE, Box, Drawing, Line, Raster, Words, png
from app.exports.tables import write_tracks_parquet
from app.exports.thinning import ThinnedRows
from app.exports.trajectory_lines import time_colours
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State, Tracks

SIZE = (160, 120)
ZOOM = LONG / SIZE[0]


def walk(track: int, y: float, step: float, frames: int = 40) -> Tracks:
    """To the right from x = 10, `step` px a frame at 100 frames/s."""
    rows = np.zeros(frames, TRACK_DTYPE)
    k = np.arange(frames)
    rows["frame"], rows["time"], rows["track"], rows["state"] = k, k / 100, track, State.TRACKED
    rows["x"], rows["y"], rows["vx"] = 10 + step * k, y, 100 * step
    return rows


def made(rows: Tracks, style: PathStyle) -> Drawing:
    held = ThinnedRows()
    held.add(rows[np.argsort(rows["frame"], kind="stable")])
    return path_drawing(held, np.full((*SIZE[::-1], 3), 80, np.uint8), (0, 0), style)


def at(x: float, y: float) -> tuple[float, float]:
    return LEFT + (x + 0.5) * ZOOM, TOP + (y + 0.5) * ZOOM


TWO = np.concatenate((walk(3, 20.0, 1.0), walk(7, 70.0, 2.0)))


def test_lines_go_where_the_tracks_went_and_nowhere_out_of_the_picture() -> None:
    rows = np.concatenate((TWO, walk(9, 100.0, 8.0)))
    lines = [part for part in made(rows, PathStyle()).parts if isinstance(part, Line)]
    assert [line.colour for line in lines] == list(PALETTE[:3])
    np.testing.assert_allclose(lines[0].points[0], at(10, 20))
    np.testing.assert_allclose(lines[0].points[-2], at(49, 20))
    assert np.isnan(lines[0].points[-1]).all()
    inside = lines[2].points[np.isfinite(lines[2].points).all(axis=1)]
    assert inside[:, 0].max() == pytest.approx(at(154, 100)[0]), "18 of its steps lie inside"


def test_colours_tell_speed_and_time() -> None:
    by_speed = made(TWO, PathStyle("speed"))
    shades = time_colours()
    slow, fast = (part.colour for part in by_speed.parts if isinstance(part, Line))
    assert (slow, fast) == (shades[16], shades[-1]), "of 0 to 200 px/s"
    assert [part.text for part in by_speed.parts if isinstance(part, Words)][-1] == "0 to 200 px/s"
    by_time = made(TWO, PathStyle("time"))
    lines = [part for part in by_time.parts if isinstance(part, Line)]
    assert [line.colour for line in lines] == shades
    first = [line.points[0, 0] for line in lines]
    assert first == sorted(first)
    assert [part.text for part in by_time.parts if isinstance(part, Words)][-1] == "0 to 390 ms"


@pytest.mark.parametrize(
    ("scale", "words", "px"),
    [(None, "20 px", 20.0), (Scale(0.12, "mm"), "2 mm", 2 / 0.12), (Scale(3.0, "um"), "100 um", 100 / 3)],
)
def test_the_bar_is_as_long_as_it_says(scale: Scale | None, words: str, px: float) -> None:
    drawing = made(TWO, PathStyle(scale=scale, names={3: "left brow"}))
    bar = [part for part in drawing.parts if isinstance(part, Box)][-1]
    assert bar.width == pytest.approx(px * ZOOM)
    said = [part.text for part in drawing.parts if isinstance(part, Words)]
    assert words in said
    assert {"left brow", "7"} <= set(said)


def test_the_picture_has_the_lines_over_the_ground() -> None:
    canvas = png(made(TWO, PathStyle()))
    x, y = (round(v * SCALE) for v in at(30, 20))
    assert tuple(canvas[y, x]) == PALETTE[0]
    assert tuple(canvas[y + 20, x]) == (60, 60, 60)


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
    kinds = [element.tag.rpartition("}")[2] for element in root]
    assert kinds.count("image") == 1
    texts = [element.text for element in root if element.tag.endswith("text")]
    assert "100 to 190 ms" in texts
    xs = [float(pair.split(",")[0]) for element in root if element.tag.endswith("polyline")
          for pair in str(element.get("points")).split()]  # fmt: skip
    assert min(xs) == pytest.approx(at(20, 0)[0], abs=0.06)
    assert max(xs) == pytest.approx(at(48, 0)[0], abs=0.06)
    export_results(table, "paths", tmp_path / "b.png", clip=str(clip))
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn_is_refused(run: tuple[Path, Path], tmp_path: Path) -> None:
    table, clip = run
    with pytest.raises(InputError, match="no tracks"):
        export_results(clip, out=tmp_path / "a.svg")
    with pytest.raises(InputError, match=r"\.png or \.svg"):
        export_results(table, "paths", tmp_path / "a.pdf", clip=str(clip))
    with pytest.raises(InputError, match="--clip"):
        export_results(table, out=tmp_path / "a.svg")
    assert not (tmp_path / "a.svg").exists()


def test_a_picture_within_a_drawing_is_stretched_over_its_place() -> None:
    drawing = Drawing(40, 30, (Raster(10, 5, 20, 10, np.full((4, 8, 3), 200, np.uint8)),))
    canvas = png(drawing)
    bright = np.argwhere(canvas[:, :, 0] == 200)
    assert bright.min(axis=0).tolist() == [10, 20]
    assert bright.max(axis=0).tolist() == [29, 59]
