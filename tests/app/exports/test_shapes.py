"""The same drawing as pixels and as SVG."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from app.exports.shapes import Box, Dots, Drawing, Line, Upright, Words, check_ending, png, svg, write_drawing
from kernels.errors import InputError
from kernels.host.opencv import cv2

RED, GREEN, BLUE = (0, 0, 255), (0, 255, 0), (255, 0, 0)
NAN = (math.nan, math.nan)
DRAWING = Drawing(200, 100, (
    Box(10, 10, 20, 5, RED),
    Line(np.array([(50, 20), (90, 20), NAN, (110, 20), (150, 20)]), GREEN, 2.0),
    Dots(np.array([(30.0, 60.0), NAN, (60.0, 60.0)]), BLUE, 3.0),
    Words("a < b & c", 100, 80, 12, RED, 0.5),
    Upright("up", 180, 50, 12, GREEN),
))  # fmt: skip


def test_pixels() -> None:
    canvas = png(DRAWING)
    assert canvas.shape == (200, 400, 3)
    assert tuple(canvas[24, 40]) == RED
    assert tuple(canvas[24, 64]) != RED
    assert tuple(canvas[40, 140]) == GREEN
    assert tuple(canvas[40, 200]) != GREEN  # the line is broken there
    assert tuple(canvas[120, 60]) == tuple(canvas[120, 120]) == BLUE
    up = np.argwhere(canvas[:, 320:, 1] > 60)
    assert np.ptp(up[:, 0]) > np.ptp(up[:, 1])  # it reads upwards


def test_svg() -> None:
    root = ElementTree.fromstring(svg(DRAWING))
    kinds = [element.tag.rpartition("}")[2] for element in root]
    assert kinds == ["rect", "rect", "polyline", "polyline", "circle", "circle", "text", "text"]
    assert root[6].text == "a < b & c"
    assert root[1].get("fill") == "#ff0000"
    assert root[2].get("points") == "50.0,20.0 90.0,20.0"
    assert "rotate(-90)" in str(root[7].get("transform"))


def test_files(tmp_path) -> None:
    write_drawing(tmp_path / "a.PNG", DRAWING)
    assert np.array_equal(cv2.imread(str(tmp_path / "a.PNG")), png(DRAWING))
    write_drawing(tmp_path / "a.svg", DRAWING)
    assert (tmp_path / "a.svg").read_text() == svg(DRAWING)
    with pytest.raises(InputError, match=r"--plot writes .png, .svg or .html, not 'a.pdf'"):
        check_ending(tmp_path / "a.pdf", (".png", ".svg", ".html"))
