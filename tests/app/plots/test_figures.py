"""The base of all figures: the same bytes whenever they are written, the look that was asked for, no pyplot."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.plots.figures import check_figure, draw, load_early, on, save, sheet, styled
from app.plots.look import DARK, DOUBLE, LIGHT, SINGLE, look_of
from app.plots.png import png
from kernels.errors import InputError
from kernels.opencv import cv2

pytestmark = pytest.mark.sharp


def example(figure):
    axes = figure.add_subplot()
    axes.plot([1, 2, 3], [1e-3, 2e-3, 1.5e-3], label="a")
    axes.set_xlabel("x")
    axes.set_ylabel("px/√Hz")
    axes.legend()


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_same_figure_is_the_same_file(tmp_path, suffix):
    for name in ("one", "two"):
        draw(tmp_path / (name + suffix), LIGHT, 2.0, example)
    one, two = ((tmp_path / (name + suffix)).read_bytes() for name in ("one", "two"))
    assert one == two
    assert b"matplotlib" not in one[:400].lower()


def test_looks(tmp_path):
    draw(tmp_path / "light.png", LIGHT, 3.0, example)
    draw(tmp_path / "dark.png", DARK, 3.0, example)
    draw(tmp_path / "paper.png", look_of("paper"), 2.0, example)
    light, dark, paper = (cv2.imread(str(tmp_path / f"{name}.png"), cv2.IMREAD_UNCHANGED)
                          for name in ("light", "dark", "paper"))  # fmt: skip
    assert light.shape == (600, 1800, 3)  # without opacity, where all is opaque
    assert light[0, 0].tolist() == [255, 255, 255]
    assert dark[0, 0].tolist() == [24, 24, 24]
    assert paper.shape[:2] == (1200, int(SINGLE * 600))
    assert paper[0, 0, 3] == 0


@pytest.mark.parametrize("look", [LIGHT, look_of("paper")])
def test_a_png_has_the_pixels_and_the_size_in_print_of_matplotlibs_own(tmp_path, look):
    with styled(look):
        figure = sheet(look, 2.0)
        example(figure)
        save(figure, tmp_path / "ours.png", look)
        figure.savefig(tmp_path / "theirs.png", dpi=look.dpi, facecolor=look.ground)
    ours, theirs = (Image.open(tmp_path / f"{name}.png") for name in ("ours", "theirs"))
    assert np.array_equal(np.asarray(ours.convert("RGBA")), np.asarray(theirs))
    assert ours.info["dpi"] == theirs.info["dpi"]


@pytest.mark.parametrize("opaque", [True, False])
def test_any_pixels_are_read_back_by_two_readers(opaque):
    pixels = np.random.default_rng(3).integers(0, 256, (37, 53, 4), np.uint8)
    pixels[10:20] = pixels[9]
    pixels[:, :, 3] = 255 if opaque else pixels[:, :, 3]
    data = png(pixels, 100.0)
    read = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert np.array_equal(read[:, :, :3], pixels[:, :, 2::-1])
    assert read.shape[2] == (3 if opaque else 4)
    with Image.open(io.BytesIO(data)) as picture:
        picture.verify()  # its check sums
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")), pixels)


def test_letters_stay_letters(tmp_path):
    draw(tmp_path / "a.svg", LIGHT, 2.0, example)
    assert re.search(r"<text[^>]*>px/√Hz</text>", (tmp_path / "a.svg").read_text("utf-8"))


def test_a_paper_is_narrow_and_small():
    assert look_of("paper").narrow
    assert not look_of("double").narrow
    assert (look_of("double,svg").width, look_of("double,svg").name("a")) == (DOUBLE, "a.svg")
    assert look_of("paper", dark=True).ink == DARK.ink
    assert look_of("paper", dark=True).ground == "none"
    with on(None, look_of("paper")) as axes:
        axes.plot([1, 2])
    assert axes.xaxis.label.get_fontsize() == 8.0
    assert axes.xaxis.get_major_ticks()[0].label1.get_fontsize() == 7.0


def test_what_a_reader_has_set_does_not_count_and_stays(tmp_path):
    import matplotlib as mpl

    draw(tmp_path / "plain.svg", LIGHT, 2.0, example)
    with mpl.rc_context({"lines.linewidth": 9.0, "axes.facecolor": "red", "svg.fonttype": "path"}):
        draw(tmp_path / "theirs.svg", LIGHT, 2.0, example)
        assert mpl.rcParams["lines.linewidth"] == 9.0
    assert (tmp_path / "plain.svg").read_bytes() == (tmp_path / "theirs.svg").read_bytes()


def test_letters_that_the_font_lacks_and_other_endings(tmp_path):
    axes = sheet(LIGHT, 2.0).add_subplot()
    axes.set_title("視頻")
    save(axes.figure, tmp_path / "a.png")
    with pytest.raises(InputError, match=r"--plot writes \.png, \.svg, \.pdf or \.html, not 'a\.jpg'"):
        check_figure(Path("a.jpg"), more=(".html",))
    with pytest.raises(InputError, match="the folder"):
        save(axes.figure, tmp_path / "none" / "a.png")


def test_nothing_is_loaded_before_it_is_needed():
    code = ("import sys, app.plots.figures as f, app.analysis.msd_figure\n"
            "assert 'matplotlib' not in sys.modules\n"
            "f.load_early().join()\n"
            "assert 'matplotlib.figure' in sys.modules and 'matplotlib.pyplot' not in sys.modules\n"
            "from matplotlib.axes import Axes\n"
            "assert 'Properties:' in Axes.plot.__doc__\n")  # fmt: skip
    subprocess.run([sys.executable, "-c", code], check=True)
    load_early().join()


def test_commands_load_it_without_the_lists_in_its_documentation():
    code = ("from app.plots.loading import load, undocumented\n"
            "undocumented(); load(); load()\n"
            "from matplotlib.artist import kwdoc\n"
            "from matplotlib.axes import Axes\n"
            "assert 'Plot y versus x' in Axes.plot.__doc__\n"
            "print('Properties:' in Axes.plot.__doc__, 'Properties:' in kwdoc(Axes))\n")  # fmt: skip
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert told.stdout.split() == ["False", "True"]
