"""The stage `network` in a pipeline: its layers are nodes, planned, tapped and run as other stages are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.executors.reference import evaluate
from kernels.ir.image import F32, U8, U16, ImageType
from kernels.stages.gray import gray
from kernels.stages.network import network
from pipelines.definition import load, loads
from pipelines.frame import FrameBatch
from pipelines.fusing import fuse, largest_groups
from pipelines.graph import Bound, Ref, bind
from pipelines.planning.devices import this_cpu
from pipelines.planning.planner import planner_of
from pipelines.streaming.engine.engine import Engine
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.onnx_files import model, node
from tests.pipelines.emulated import ApartDevice, EmulatedExecutor
from tests.pipelines.streaming.engine.test_engine_device import settings_bytes

SOURCE = ImageType(U8, 12, 16, 3)
RNG = np.random.default_rng(4)
TAPS = ("face/conv_0", "face/maxpool_4", "face.heads", "face.map")


def weights(*shape: int) -> np.ndarray:
    return (RNG.standard_normal(shape) / 3).astype(np.float32)


CONSTANTS = {"a": weights(6, 3, 3, 3), "b": weights(6), "d": weights(6, 1, 3, 3), "p": weights(6, 6, 1, 1),
             "h": weights(4, 6, 1, 1), "s": np.array([1, -1, 2], np.int64)}  # fmt: skip
NODES = [
    node("Conv", ["x", "a", "b"], ["c0"], pads=[1, 1, 1, 1]), node("Relu", ["c0"], ["r0"]),
    node("Conv", ["r0", "d"], ["c1"], group=6, pads=[1, 1, 1, 1]), node("Conv", ["c1", "p"], ["c2"]),
    node("MaxPool", ["r0"], ["m"], kernel_shape=[2, 2], strides=[2, 2]), node("Add", ["c2", "r0"], ["sum"]),
    node("Relu", ["sum"], ["map"]), node("Conv", ["m", "h"], ["h0"]),
    node("Transpose", ["h0"], ["t"], perm=[0, 2, 3, 1]), node("Reshape", ["t", "s"], ["heads"]),
]  # fmt: skip


def write(file: Path, dtype: str = "float32", shape: tuple[int | str, ...] = (1, 3, "h", "w"), **changes) -> Path:
    file.write_bytes(model(NODES, {"x": (dtype, shape)}, ["heads", "map"], CONSTANTS | changes))
    return file


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    return write(tmp_path_factory.mktemp("net") / "face.onnx")


def definition(file: Path | str, more: str = "", taps: tuple[str, ...] = TAPS) -> str:
    return f"name = \"n\"\ntaps = {list(taps)}\n[stages.face]\nuse = \"network\"\nmodel = \"{file}\"\n{more}"


def bound_of(file: Path, more: str = "", source: ImageType = SOURCE) -> Bound:
    return bind(loads(definition(file, more)), source)


def run(engine: Engine, frames: np.ndarray) -> dict[str, np.ndarray]:
    made = engine.step(FrameBatch(np.arange(len(frames)), np.arange(len(frames)) / 1000, frames))
    return {str(k): np.asarray(v) for k, v in made.items()}


FRAMES = RNG.integers(0, 256, (3, *SOURCE.shape), np.uint8)


def test_layers_are_nodes(file):
    bound = bound_of(file)
    assert [n.id for n in bound.nodes] == ["face/input", "face/conv_0", "face/maxpool_4", "face/conv_7", "face/heads",
                                           "face/conv_2", "face/conv_3", "face/placement", "face"]  # fmt: skip
    assert bound.types[Ref("face", "heads")] == ImageType(F32, 96, 1, 2)
    assert bound.types[Ref("face/conv_0")] == ImageType(F32, 12, 16, 6)


@pytest.mark.parametrize("back_end", ["reference", "cpu"])
def test_any_grouping_gives_the_bits_of_the_stage(file, back_end):
    bound = bound_of(file)
    wanted = [evaluate(network, frame, model=str(file)) for frame in FRAMES]
    for groups in (None, largest_groups(bound, bound.taps)):
        found = run(Engine(bound, executor(back_end), groups=groups), FRAMES)
        for name in ("heads", "map"):
            assert np.array_equal(found[f"face.{name}"], np.stack([w[name] for w in wanted]))
        assert found["face/conv_0"].shape == (3, 12, 16, 6)
        assert (found["face/conv_0"] >= 0).all()


@settings(max_examples=15, deadline=None)
@given(cuts=st.lists(st.booleans(), min_size=9, max_size=9))
def test_any_partition_gives_the_same_bits(file, cuts):
    bound = bound_of(file)
    groups: list[list[str]] = [[]]
    for one, apart in zip(bound.nodes, cuts, strict=True):
        if apart and groups[-1]:
            groups.append([])
        groups[-1].append(one.id)
    whole = run(Engine(bound, executor("reference"), groups=largest_groups(bound, bound.taps)), FRAMES)
    found = run(Engine(bound, executor("reference"), groups=groups), FRAMES)
    assert all(np.array_equal(found[name], whole[name]) for name in whole)


def test_image_stages_around_layers_share_a_body(file):
    gray_model = write(file.parent / "gray.onnx", shape=(1, 1, 12, 16), a=CONSTANTS["a"][:, :1].copy())
    text = f"""
        name = "n"
        taps = ["spots"]
        [stages.gray]
        [stages.face]
        use = "network"
        model = "{gray_model}"
        output = "map"
        [stages.one]
        use = "gray"
        inputs = "face"
        [stages.spots]
        use = "gain"
        inputs = "face"
        """
    bound = bind(loads(text.replace("[stages.one]\n        use = \"gray\"\n        inputs = \"face\"\n", "")), SOURCE)
    (unit,) = fuse(bound, largest_groups(bound, bound.taps), bound.taps)
    assert len(unit.nodes) > 5
    found = run(Engine(bound, executor("cpu"), groups=largest_groups(bound, bound.taps)), FRAMES)["spots"]
    seen = [evaluate(network, evaluate(gray, f), model=str(gray_model), output="map") for f in FRAMES]
    assert np.array_equal(found, np.stack(seen))


def test_channels_may_be_last_where_height_and_width_are_open(tmp_path):
    """As Keras exports: (?, ?, ?, 3)."""
    nodes = [node("Transpose", ["x"], ["t"], perm=[0, 3, 1, 2]), node("Conv", ["t", "p"], ["y"])]
    last = tmp_path / "last.onnx"
    last.write_bytes(model(nodes, {"x": ("float32", ("n", "h", "w", 3))}, ["y"], {"p": CONSTANTS["a"]}))
    first = tmp_path / "first.onnx"
    first.write_bytes(model([node("Conv", ["x", "p"], ["y"])], {"x": ("float32", ("n", 3, "h", "w"))}, ["y"],
                            {"p": CONSTANTS["a"]}))  # fmt: skip
    assert np.array_equal(*(evaluate(network, FRAMES[0], model=str(one)) for one in (last, first)))


def test_it_is_planned(file):
    bound = bound_of(file)
    plan = planner_of(bound, this_cpu(2)).plan()
    assert {name for group in plan.groups for name in group.nodes} >= {"face/conv_0", "face/conv_3"}


def test_more_layers_than_a_mask_has_bits_are_planned(file):
    count = 70
    nodes = [node("Conv", [f"t{i}", "w"], [f"t{i + 1}"], pads=[1, 1, 1, 1]) for i in range(count)]
    long = file.parent / "long.onnx"
    constants = {"w": weights(2, 2, 3, 3)}
    long.write_bytes(model(nodes, {"t0": ("float32", (1, 2, 6, 7))}, [f"t{count}"], constants))
    bound = bind(loads(definition(long, taps=("face",))), ImageType(F32, 6, 7, 2))
    plan = planner_of(bound, this_cpu(2)).plan()
    assert sum(len(group.nodes) for group in plan.groups) >= count
    assert plan.groups[0].nodes[0] in ("face/input", "face/conv_0")


def test_what_only_another_output_needs_is_made_before(file):
    bound = bind(loads(definition(file, taps=("face.heads",))), SOURCE)
    plan = planner_of(bound, this_cpu(2)).plan()
    engine = Engine(bound, executor("cpu"), groups=[group.nodes for group in plan.groups])
    wanted = evaluate(network, FRAMES[0], model=str(file))["heads"]
    assert np.array_equal(run(engine, FRAMES)["face.heads"][0], wanted)


def test_a_picture_of_another_size_is_stretched_or_refused(file):
    fixed = write(file.parent / "fixed.onnx", shape=(1, 3, 12, 16))
    large = ImageType(U8, 24, 40, 3)
    assert bound_of(fixed, source=large).types[Ref("face", "map")] == ImageType(F32, 12, 16, 6)
    with pytest.raises(DefinitionError, match=r"node 'face': network: .* takes 16x12 pixels, but gets 40x24"):
        bound_of(fixed, 'resize = "none"', large)


def halved(file: Path) -> Path:
    """A network as UNets are: a map of half the size, and what it becomes beside the whole one."""
    nodes = [
        node("Conv", ["x", "a"], ["c"], pads=[1, 1, 1, 1]),
        node("MaxPool", ["c"], ["m"], kernel_shape=[4, 4], strides=[4, 4]),
        node("Resize", ["m", "", "s"], ["up"], mode="nearest"), node("Concat", ["c", "up"], ["y"], axis=1),
    ]  # fmt: skip
    file.write_bytes(model(nodes, {"x": ("float32", (1, 3, "h", "w"))}, ["y"],
                           {"a": CONSTANTS["a"], "s": np.array([1, 1, 4, 4], np.float32)}))  # fmt: skip
    return file


def test_a_picture_whose_lengths_do_not_go_is_brought_to_those_that_do(tmp_path):
    file, frame = halved(tmp_path / "unet.onnx"), RNG.integers(0, 256, (14, 20, 3), np.uint8)
    source = ImageType(U8, *frame.shape)
    for more in ("", "multiple = 3"):
        with pytest.raises(DefinitionError, match="takes no 20x14 pixels; set multiple = 4, and the picture is"):
            bound_of(file, more, source)
    with pytest.raises(DefinitionError, match="are joined along axis 1"):  # it is to be taken as it is
        bound_of(file, 'resize = "none"', source)
    larger = np.zeros((16, 20, 3), np.uint8)
    larger[1:-1] = frame
    made = evaluate(network, frame, model=str(file), multiple=4, resize="letterbox")
    assert np.array_equal(made, evaluate(network, larger, model=str(file)))
    bound = bind(loads(definition(file, 'multiple = 4\nresize = "letterbox"', ("face.placement",))), source)
    (placed,) = run(Engine(bound, executor("reference")), frame[None])["face/placement"]
    assert placed.ravel().tolist() == [1, 0, 0, 0, 1, -1, 20, 16]


@pytest.mark.parametrize(
    ("scale", "expected"),
    [("unit", lambda f: f / 255), ("signed", lambda f: f / 127.5 - 1), ("none", lambda f: f * 1.0),
     ("mean_std", lambda f: (f / 255 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225])],
)  # fmt: skip
def test_what_a_network_gets(file, scale, expected):
    seen = evaluate(network, FRAMES[0], normalize=scale)
    assert np.allclose(seen, expected(FRAMES[0].astype(np.float64)), atol=1e-6)
    bound = bind(loads(definition(file, f'normalize = "{scale}"', ("face/input",))), SOURCE)
    assert np.array_equal(run(Engine(bound, executor("reference")), FRAMES)["face/input"][0], seen)


def test_networks_of_bytes_and_of_channels_last(file):
    bytes_in = file.parent / "u8.onnx"
    nodes = [node("Cast", ["x"], ["f"], to=1), node("Conv", ["f", "a"], ["y"])]
    bytes_in.write_bytes(model(nodes, {"x": ("uint8", ("n", 3, "h", "w"))}, ["y"], CONSTANTS))
    found = evaluate(network, FRAMES[0], model=str(bytes_in))
    last = file.parent / "last.onnx"
    nodes = [node("Transpose", ["x"], ["t"], perm=[0, 3, 1, 2]), node("Conv", ["t", "a"], ["y"])]
    last.write_bytes(model(nodes, {"x": ("float32", (1, 12, 16, 3))}, ["y"], CONSTANTS))
    assert np.array_equal(evaluate(network, FRAMES[0], model=str(last), normalize="none"), found)
    with pytest.raises(DefinitionError, match="takes uint8, but gets u16; put a `convert` before it"):
        network.build([ImageType(U16, 12, 16, 3)], {"model": str(bytes_in)})


@pytest.mark.parametrize("resize", ["stretch", "letterbox"])
def test_a_network_of_one_channel_gets_the_luma_of_a_picture_in_colours(file, resize):
    taken = write(file.parent / f"one_{resize}.onnx", shape=(1, 1, 8, 8), a=CONSTANTS["a"][:, :1].copy())
    for frame in FRAMES[:2]:
        wanted = evaluate(network, evaluate(gray, frame), model=str(taken), output="map", resize=resize)
        made = evaluate(network, frame, model=str(taken), output="map", resize=resize)
        np.testing.assert_array_equal(made, wanted)


def test_a_gray_picture_goes_into_all_channels(file):
    frame = FRAMES[0, ..., 0]
    found = evaluate(network, frame, model=str(file))
    assert np.array_equal(found["map"], evaluate(network, np.stack([frame] * 3, -1), model=str(file))["map"])


def test_the_digest_is_of_the_content(file):
    other = file.parent / "moved.onnx"
    other.write_bytes(file.read_bytes())
    first, moved = loads(definition(file)), loads(definition(other))
    assert first.digest == moved.digest
    changed = loads(definition(write(file.parent / "changed.onnx", b=CONSTANTS["b"] + 1)))
    assert changed.digest != first.digest
    with pytest.raises(DefinitionError, match="there is no model"):
        _ = loads(definition(file.parent / "none.onnx")).digest


def test_a_model_lies_beside_the_pipeline(file):
    text = file.parent / "n.toml"
    text.write_text(definition("face.onnx"))
    assert bind(load(text), SOURCE).types[Ref("face", "map")].channels == 6
    text.write_text(definition("face.onnx", 'names = "boxes, heat"', ("face.heat",)))
    assert bind(load(text), SOURCE).types[Ref("face", "heat")].channels == 6


@pytest.mark.parametrize(
    ("more", "taps", "sentence"),
    [
        ('output = "nose"', TAPS, "has no output 'nose'; it has heads, map"),
        ('names = "heat"', TAPS, "names has 1 names for the outputs heads, map"),
        ('names = "a b, c"', TAPS, "'a b' cannot be an output's name"),
        ("", ("face/conv_99",), "there is no node 'face/conv_99'; did you mean 'face/conv_"),
        ("", ("face.nose",), "'face' has no output 'nose'; it has face.heads, face.map"),
        ('[plan]\nfuse = ["face/conv_99+face/conv_0"]', TAPS, "a pin names 'face/conv_99', which is no stage"),
    ],
)
def test_mistakes_are_named(file, more, taps, sentence):
    with pytest.raises(DefinitionError, match=sentence):
        bind(loads(definition(file, more, taps)), SOURCE)


def test_what_the_reference_computes_is_said(file):
    bound = bound_of(file)
    assert not Engine(bound, executor("cpu"), groups=largest_groups(bound, bound.taps)).slow
    whole = file.parent / "whole.onnx"
    flags = [*NODES, node("Cast", ["map"], ["numbers"], to=9)]  # true or false: apart, behind the layers
    best = [*NODES, node("TopK", ["map", "two"], ["best", "places"], axis=1),  # between layers: apart, too
            node("Conv", ["best", "weights"], ["numbers"])]  # fmt: skip
    many = [*NODES, node("Conv", ["map", "wide"], ["many"]), node("TopK", ["many", "two"], ["best", "places"], axis=1),
            node("Conv", ["best", "weights"], ["numbers"])]  # fmt: skip
    constants = {**CONSTANTS, "two": np.array([2]), "weights": np.ones((1, 2, 1, 1), np.float32),
                 "wide": np.ones((600, 6, 1, 1), np.float32)}  # fmt: skip
    for nodes in (flags, best, many):
        whole.write_bytes(model(nodes, {"x": ("float32", (1, 3, "h", "w"))}, ["heads", "numbers"], constants))
        bound = bind(loads(definition(whole, taps=("face.numbers",))), SOURCE)
        said = Engine(bound, executor("cpu"), groups=largest_groups(bound, bound.taps)).slow
        assert bool(said) == (nodes is many)
    assert said.startswith("face: computed by the reference, which is slow, for it has layers of a network")
    assert not Engine(bound, executor("reference")).slow
    plain = bind(loads('taps = ["gray"]\n[stages.gray]'), SOURCE)
    assert not Engine(plain, executor("cpu")).slow


def test_pins_between_layers_hold(file):
    bound = bound_of(file, '[plan]\ncut = ["face/conv_0|face/conv_2"]')
    groups = largest_groups(bound, bound.taps)
    assert not any({"face/conv_0", "face/conv_2"} <= set(group) for group in groups)


def test_a_model_with_two_inputs_is_refused(tmp_path):
    two = tmp_path / "two.onnx"
    inputs = dict.fromkeys(("x", "z"), ("float32", (1, 3, 4, 4)))
    two.write_bytes(model([node("Add", ["x", "z"], ["y"])], inputs, ["y"]))
    with pytest.raises(DefinitionError, match=r"it takes 2 inputs \('x', 'z'\); say by `feed` what goes into each"):
        network.build([SOURCE], {"model": str(two)})


def test_nothing_but_tables_leaves_a_device(file):
    """Maps, numbers and placements of a network are decoded where they are made."""
    try:
        default_compiler()
    except NoCompilerError as error:
        pytest.skip(str(error))
    behind = """
        [stages.peaks]
        use = "heatmap_peaks"
        inputs = { maps = "face.map", placement = "face.placement" }
        instances = 2
        [stages.marks]
        use = "coordinates"
        inputs = { values = "face.heads", placement = "face.placement" }
        """
    bound = bind(loads(definition(file, behind, ("peaks", "marks.points"))), SOURCE)
    groups = largest_groups(bound, bound.taps)
    device = ApartDevice(2)
    engine = Engine(bound, EmulatedExecutor(device=device), groups=groups)
    assert {str(ref) for ref in engine.resident} == {"face.map", "face.heads", "face/placement"}
    batch = FrameBatch(np.arange(3), np.arange(3) / 1000, FRAMES)
    found, wanted = engine.step(batch), Engine(bound, executor("reference"), groups=groups).step(batch)
    for ref, tables in wanted.items():
        assert all(len(table.rows) for table in tables)
        assert [t.rows.tobytes() for t in found[ref]] == [t.rows.tobytes() for t in tables]
    weights = sum(p.program.weights.nbytes for p in engine.programs.values())
    assert device.up == FRAMES.nbytes + weights + settings_bytes(engine)
    rows = [(12, 112), (12, 128), (96, 112), (96, 128)]  # FEATURE and KEYPOINT, of peaks and of coordinates
    assert device.down == 3 * sum(count * size + 8 for count, size in rows)
