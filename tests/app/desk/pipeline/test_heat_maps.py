"""What networks give is a heat map, or no picture at all, and lies where the stage says."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from app.desk.engine import commands
from app.desk.engine.desk import Desk
from app.desk.engine.picture_box import PictureBox, Shown
from app.desk.pipeline.heat_maps import HeatMap, heat_map, is_picture, lies_over, placement_of
from kernels.ir.expr import const
from kernels.ir.image import F32
from kernels.ir.placement import PARTS
from kernels.ir.planes import spread
from kernels.networks.fitting import RESIZES, fitted
from pipelines.definition import library, loads
from tests.onnx_files import model, node
from tests.patience import PATIENCE
from tests.pipelines.test_follow import ONE, film, spots, straight

PIPELINE = """
[stages.gray]
[stages.half]
use = "pyramid_down"
[stages.net]
use = "network"
model = "shipped:quadrant_targets.onnx"
resize = "letterbox"
[stages.where]
use = "place"
inputs = { boxes = "net.boxes" }
[stages.cut]
use = "warp"
inputs = { image = "source", placement = "where" }
[stages.lost]
use = "network"
model = "shipped:quadrant_targets.onnx"
[stages.placed]
use = "network"
inputs = { image = "cut", placement = "where" }
model = "shipped:quadrant_targets.onnx"
"""
FOLLOWED = ONE.replace('[stages.maps]\nuse = "convert"\ndtype = "f32"\n', """
[stages.net]
use = "network"
inputs = { image = "crop", placement = "where" }
model = "MODEL"
normalize = "none"
""").replace('maps = "maps", placement = "where"', 'maps = "net", placement = "net.placement"')  # fmt: skip
HALF = np.zeros((3, 3, 2, 2), np.float32)
HALF[np.arange(3), np.arange(3)] = 0.25


def test_lists_are_no_pictures_and_maps_of_crops_lie_over_the_clip_where_their_placement_is_given() -> None:
    pipeline = loads(PIPELINE)
    for output, words, picture, over in (
        ("gray", "64x48 u8", True, False), ("gray", "64x1 u8", True, False), ("net", "16x12x17 f32", True, True),
        ("net.boxes", "16x12x17 f32", True, True), ("net.scores", "1x896x16 f32", False, False),
        ("net.vector", "1x1x1404 f32", False, False), ("lost", "16x16 f32", True, False),
        ("placed", "16x16 f32", True, True), ("placed.placement", "1x1x8 f64", False, False),
        ("gray", "table", False, False),
    ):  # fmt: skip
        assert (is_picture(pipeline, output, words), lies_over(pipeline, output, words)) == (picture, over), output
    assert placement_of("net") == placement_of("net.boxes") == "net/placement"


@pytest.mark.parametrize("resize", RESIZES)
def test_a_map_lies_where_the_placement_says(resize: str) -> None:
    taken = (36, 48) if resize == "none" else (32, 40)  # height, width of what the network gets of a frame of 48 x 36
    placement = np.array(fitted([spread(const(0.0, F32), (36, 48))], taken, resize, 0.0)[1])
    maps = np.zeros((taken[0] // 4, taken[1] // 4, 2), np.float32)
    maps[3, 5] = -1, 2
    made = heat_map(maps, placement)
    assert made is not None
    assert made.values[3, 5] == 2
    # the corners of the map are those of what the network gets
    for column, row in ((-0.5, -0.5), (taken[1] / 4 - 0.5, taken[0] / 4 - 0.5)):
        wanted = (4 * column + 1.5) * placement[0] + placement[2], (4 * row + 1.5) * placement[4] + placement[5]
        np.testing.assert_allclose(at(made, column, row), wanted, atol=1e-9)
    assert heat_map(maps, np.full(PARTS, np.nan)) is None


def at(made: HeatMap, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = made.place
    return a * x + b * y + c, d * x + e * y + f


@pytest.mark.parametrize("step", [1, 2])
def test_a_map_of_a_crop_that_follows_and_turns_lies_over_what_it_shows(tmp_path: Path, step: int) -> None:
    """A network that makes its crop half as large: the spots in its map lie over those of the frame; where it rests
    there is none."""
    given = {"image": ("float32", (1, 3, 24, 24))}
    halved = [node("Conv", ["image", "half"], ["maps"], kernel_shape=[2, 2], strides=[2, 2])]
    (tmp_path / "half.onnx").write_bytes(model(halved, given, ["maps"], {"half": HALF}))
    path = straight(20, 24, 2.0, 0.7)
    np.save(tmp_path / "clip.npy", film(path))
    text = FOLLOWED.replace("MODEL", str(tmp_path / "half.onnx"))
    text = text.replace("own_level = [0, 1]", f"own_level = [0, 1]\nstep = {step}")
    seen = {}
    with shown_by(tmp_path / "clip.npy", text) as show:
        show(commands.Show("net", True))
        for frame in (4, 7, 12):
            seen[frame] = show(commands.Seek(frame)).heat
    assert [frame for frame, made in seen.items() if made is None] == ([] if step == 1 else [7])
    for frame, made in seen.items():
        if made is None:
            continue
        assert made.values.shape == (12, 12)
        tops = [(at(made, float(x), float(y)), made.values[y, x]) for y in range(12) for x in range(12)]
        for place in spots(*path[frame]):
            away, high = min((np.hypot(*np.subtract(top, place)), high) for top, high in tops)
            assert away < 1.5
            assert high > 120  # the ground has 0, the disc 60
        a, b, _, d, e, _ = made.place
        assert abs(np.arctan2(d, a)) > 0.15  # it is turned
        assert 1.2 < np.hypot(a, d) < 2.5  # a pixel of the map is two of the crop, which is enlarged
        assert abs(a * b + d * e) < 1e-9


def test_a_map_of_the_whole_frame_lies_over_it_though_nobody_asks_where(tmp_path: Path) -> None:
    """Of `quadrant-targets`, whose peaks are already px of the frame."""
    with shown_by("sim:targets?width=72&height=60&count=2&seed=5", library()["quadrant-targets"].read_text()) as show:
        made = show(commands.Show("heat", True)).heat
    assert made is not None
    assert made.place == (1, 0, 0, 0, 1, 0)
    assert made.values.max() > 0.5


@contextmanager
def shown_by(clip: Path | str, text: str) -> Iterator[Callable[[commands.Order], Shown]]:
    """A clip in the engine of the window; gives what carries out an order and returns the next picture."""
    desk = Desk(lambda report: None)
    try:
        desk.obey(commands.Open(str(clip), text, play=False))
        assert desk._box is not None
        box = PictureBox(name=desk._box.name)

        def show(order: commands.Order) -> Shown:
            desk.obey(order)
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                desk.look()
                found = box.take()
                wanted = order.frame if isinstance(order, commands.Seek) else 0
                if found is not None and found.frame == wanted and shows(found, order):
                    return found
                time.sleep(0.005)
            raise AssertionError(f"nothing came of {order}")

        def shows(found: Shown, order: commands.Order) -> bool:
            return not isinstance(order, commands.Show) or found.heat is not None

        yield show
        box.close()
    finally:
        desk.close()
