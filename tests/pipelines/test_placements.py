"""Where what a network gets lies in the frame: resizing, crops, and points found behind them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.ir.image import U8, ImageType
from kernels.ir.placement import PLACEMENT
from pipelines.definition import loads
from pipelines.features import State
from pipelines.frame import FrameBatch
from pipelines.fusing import largest_groups, needed_nodes
from pipelines.graph import Bound, Ref, bind
from pipelines.planning.devices import this_cpu
from pipelines.planning.planner import planner_of
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.engine import Engine
from tests.onnx_files import model, node
from tests.pipelines.clips import MemoryClip
from tests.pipelines.streaming.clip.test_runner import Keep

HEIGHT, WIDTH = 60, 96
SOURCE = ImageType(U8, HEIGHT, WIDTH)
LOCREF = Path(__file__).parents[3] / "shared" / "nets" / "n_mnv2_035_224_s16_dlc.onnx"


def spots(places, sigma=3.0) -> np.ndarray:
    """A frame for each place (x, y) of a round spot."""
    v, u = np.mgrid[0:HEIGHT, 0:WIDTH]
    made = [240 * np.exp(-((u - x) ** 2 + (v - y) ** 2) / (2 * sigma**2)) for x, y in places]
    return np.rint(made).astype(np.uint8)


@pytest.fixture(scope="module")
def seen(tmp_path_factory) -> Path:
    """A network whose heat map is what it gets."""
    file = tmp_path_factory.mktemp("net") / "seen.onnx"
    nodes = [node("Conv", ["x", "w"], ["map"])]
    file.write_bytes(model(nodes, {"x": ("float32", (1, 1, 30, 30))}, ["map"], {"w": np.ones((1, 1, 1, 1), "f4")}))
    return file


def run(bound: Bound, frames: np.ndarray, groups=None, name="cpu"):
    engine = Engine(bound, executor(name, 2), groups=groups)
    assert name == "reference" or not engine.slow
    made = engine.step(FrameBatch(np.arange(len(frames)), np.arange(len(frames)) / 1000, frames))
    return {str(k): v for k, v in made.items()}


def peaks_of(seen: Path, resize: str, more: str = "") -> Bound:
    return bind(loads(f"""
        taps = ["found.points", "net.placement"]
        [stages.net]
        use = "network"
        model = "{seen}"
        resize = "{resize}"
        {more}
        [stages.found]
        use = "heatmap_peaks"
        inputs = {{ maps = "net", placement = "net.placement" }}
        """), SOURCE)  # fmt: skip


@pytest.mark.parametrize(
    ("resize", "placement"),
    [("stretch", (3.2, 0, 1.1, 0, 2.0, 0.5)), ("letterbox", (3.2, 0, 1.1, 0, 3.2, -18 + 1.1)),
     ("crop", (2.0, 0, 18.5, 0, 2.0, 0.5))],
)  # fmt: skip
def test_points_come_back_from_every_resize(seen, resize, placement):
    places = [(48.2, 30.7), (40.0, 25.5), (61.25, 33.0)]
    bound = peaks_of(seen, resize)
    made = run(bound, spots(places))
    assert made["net/placement"].shape == (3, 1, 1, 8)
    assert made["net/placement"][0].ravel() == pytest.approx([*placement, 30, 30])
    for table, (x, y) in zip(made["found.points"], places, strict=True):
        (row,) = table.rows
        assert (row["x"], row["y"]) == pytest.approx((x, y), abs=0.05)
        assert row["sigma"] * row["score"] == pytest.approx(0.085 * 3.0, abs=0.01)


def test_beside_a_letterbox_stands_the_padding(seen):
    bound = bind(loads(f'taps = ["net"]\n[stages.net]\nuse = "network"\nmodel = "{seen}"\nresize = "letterbox"\n'
                       "padding = 0.5"), SOURCE)  # fmt: skip
    (image,) = run(bound, np.full((1, HEIGHT, WIDTH), 255, np.uint8))["net"]
    rows = np.arange(30) * 3.2 - 18 + 1.1
    inside = (rows >= -0.5) & (rows <= HEIGHT - 0.5)
    assert np.array_equal(image[:, 0], np.where(inside, 1.0, 0.5).astype(np.float32))
    assert (image == image[:, :1]).all()


@pytest.mark.parametrize("resize", ["stretch", "letterbox", "crop"])
def test_any_grouping_and_back_end_gives_the_same_bits(seen, resize):
    bound = peaks_of(seen, resize)
    frames = np.random.default_rng(0).integers(0, 256, (3, HEIGHT, WIDTH), np.uint8)
    wanted = run(bound, frames, name="reference")
    plan = planner_of(bound, this_cpu(2)).plan()
    for groups in (largest_groups(bound, bound.taps), [group.nodes for group in plan.groups], None):
        made = run(bound, frames, groups)
        assert np.array_equal(made["net/placement"], wanted["net/placement"])
        assert [t.rows.tobytes() for t in made["found.points"]] == [t.rows.tobytes() for t in wanted["found.points"]]


def test_a_stage_before_the_network_comes_before_where_it_lies(seen):
    """A placement looks at no pixel of the picture whose size it tells, so a plan might put it before that picture."""
    bound = bind(loads(f"""
        taps = ["found.points", "net.placement"]
        [stages.before]
        use = "resize"
        width = 30
        height = 30
        [stages.net]
        use = "network"
        inputs = "before"
        model = "{seen}"
        [stages.found]
        use = "heatmap_peaks"
        inputs = {{ maps = "net", placement = "net.placement" }}
        """), SOURCE)  # fmt: skip
    frames = np.random.default_rng(0).integers(0, 256, (2, HEIGHT, WIDTH), np.uint8)
    wanted = run(bound, frames, name="reference")
    plan = planner_of(bound, this_cpu(2)).plan()
    made = run(bound, frames, [group.nodes for group in plan.groups])
    assert [t.rows.tobytes() for t in made["found.points"]] == [t.rows.tobytes() for t in wanted["found.points"]]


def test_who_does_not_ask_pays_nothing(seen):
    bound = bind(loads(f'taps = ["net"]\n[stages.net]\nuse = "network"\nmodel = "{seen}"'), SOURCE)
    assert "net/placement" not in [n.id for n in needed_nodes(bound, bound.taps)]
    assert bound.taps == (Ref("net"),)
    asked = peaks_of(seen, "stretch")
    assert asked.types[Ref("net/placement")] == PLACEMENT


def test_an_output_that_is_not_there_is_named_with_those_that_are(seen):
    with pytest.raises(DefinitionError, match=r"'net' has no output 'place'; it has net, net.placement"):
        bind(loads(f'taps = ["net.place"]\n[stages.net]\nuse = "network"\nmodel = "{seen}"'), SOURCE)


def test_peaks_that_the_graph_finds_itself_come_back_to_the_frame(tmp_path):
    """As sleap-nn's exporter writes them: the place of the maximum by arithmetic on its number."""
    file = tmp_path / "peaks.onnx"
    nodes = [
        node("Cast", ["x"], ["f"], to=1), node("Reshape", ["f", "s"], ["line"]),
        node("ReduceMax", ["line"], ["vals"], axes=[2], keepdims=0),
        node("ArgMax", ["line"], ["a"], axis=2, keepdims=0),
        node("Mod", ["a", "w"], ["u"]), node("Div", ["a", "w"], ["v"]), node("Unsqueeze", ["u", "e"], ["uu"]),
        node("Unsqueeze", ["v", "e"], ["vv"]), node("Concat", ["uu", "vv"], ["p"], axis=2),
        node("Cast", ["p"], ["peaks"], to=1),
    ]  # fmt: skip
    constants = {"s": np.array([1, 1, 900], "i8"), "w": np.array([30], "i8"), "e": np.array([2], "i8")}
    file.write_bytes(model(nodes, {"x": ("uint8", (1, 1, 30, 30))}, ["peaks", "vals"], constants))
    bound = bind(loads(f"""
        taps = ["found.points"]
        [stages.net]
        use = "network"
        model = "{file}"
        resize = "crop"
        [stages.found]
        use = "coordinates"
        inputs = {{ values = "net.peaks", scores = "net.vals", placement = "net.placement" }}
        activation = "none"
        origin = "centre"
        """), SOURCE)  # fmt: skip
    made = run(bound, spots([(48.5, 30.5), (40.5, 24.5)]), name="reference")["found.points"]
    assert [(t.rows["x"][0], t.rows["y"][0]) for t in made] == [(48.5, 30.5), (40.5, 24.5)]
    assert made[0].rows["score"][0] > 200


@pytest.mark.skipif(not LOCREF.exists(), reason="the networks in ../shared/nets are not here")
def test_scores_and_offsets_of_a_network_as_deeplabcut_makes_them():
    source = ImageType(U8, 300, 400, 3)
    bound = bind(loads(f"""
        taps = ["net.sigmoid207", "net.convtranspose210", "found.points"]
        [stages.net]
        use = "network"
        model = "{LOCREF}"
        normalize = "mean_std"
        [stages.found]
        use = "heatmap_peaks"
        inputs = {{ maps = "net.sigmoid207", offsets = "net.convtranspose210", placement = "net.placement" }}
        method = "pixel"
        pixels = "middle"
        threshold = 0.0
        """), source)  # fmt: skip
    frames = np.random.default_rng(1).integers(0, 256, (2, 300, 400, 3), np.uint8)
    made = run(bound, frames, [g.nodes for g in planner_of(bound, this_cpu(2)).plan().groups])
    for n in range(2):
        scores, offsets = made["net.sigmoid207"][n], made["net.convtranspose210"][n].reshape(28, 28, 8, 2)
        rows = made["found.points"][n].rows
        assert rows["point"].tolist() == list(range(8))
        for k in range(8):
            y, x = np.unravel_index(scores[..., k].argmax(), (28, 28))
            place = np.array([x, y]) * 8 + 4 + 7.2801 * offsets[y, x, k].astype(float)
            wanted = (place + 0.5) * np.array([400, 300]) / 224 - 0.5
            assert (rows["x"][k], rows["y"][k]) == pytest.approx(tuple(wanted), abs=1e-6)


def test_points_of_a_heat_map_are_tracks(seen):
    places = [(30.0 + 0.8 * t, 22.0 + 0.35 * t) for t in range(30)]
    clip = MemoryClip(spots(places))
    text = f"""
        [stages.net]
        use = "network"
        model = "{seen}"
        [stages.found]
        use = "heatmap_peaks"
        inputs = {{ maps = "net", placement = "net.placement" }}
        [trackers.follow]
        use = "blob"
        inputs = "found"
        """
    keep = Keep()
    Runner(clip, prepare(loads(text), clip, None), [keep], frames=(0, 30)).run()
    assert set(keep.tracks["track"]) == {0}
    last = keep.results[-1].tracks[0]
    assert last["state"] == State.TRACKED
    assert (last["x"], last["y"]) == pytest.approx(places[-1], abs=0.1)
