"""Networks that learn from labels: what they are taught, what is left, that a training goes on where it was stopped."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from app.commands.train import _train
from app.controller import run_clip
from app.labels.formats import write_labels
from app.labels.labels import LabelledFrame, Labels
from app.training import keypoints as module
from app.training.keypoints import STRIDE, Error, Lesson, Trained, Training, architecture, judge, lessons
from app.training.product import write_product
from app.training.recipe import Recipe
from kernels.errors import InputError
from kernels.executors.base import executor
from kernels.ir.image import U8, ImageType
from pipelines.definition import load
from pipelines.frame import FrameBatch
from pipelines.graph import bind
from pipelines.streaming.engine.engine import Engine
from tests.networks import judge as onnxruntime_of
from tests.networks import run

RECIPE = Recipe(size=64, steps=4, seed=3)


def found_by(pipeline: Path, clip: np.ndarray) -> list[np.ndarray]:
    """The rows of key points of each frame, by point."""
    pipeline.write_text(f'taps = ["found.points"]\n{pipeline.read_text()}')
    bound = bind(load(str(pipeline)), ImageType(U8, *clip.shape[1:]))
    frames = FrameBatch(np.arange(len(clip)), np.arange(len(clip)) / 500, clip)
    made = {str(ref): data for ref, data in Engine(bound, executor("reference")).step(frames).items()}["found.points"]
    return [np.sort(table.rows, order="point") for table in made]


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Labels:
    """Ten frames with a bright and a dark spot, and the second one hidden in the first frame."""
    rng = np.random.default_rng(1)
    places = rng.uniform(12, (44, 84), (10, 2, 2))[..., ::-1]  # x, y
    rows, columns = np.mgrid[0:56, 0:96]
    clip = np.full((10, 56, 96), 110.0)
    for t in range(10):
        for (x, y), height in zip(places[t], (100, -100), strict=True):
            if (t, height) != (0, -100):
                clip[t] += height * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 2.5**2))
    path = tmp_path_factory.mktemp("clip") / "spots.npy"
    np.save(path, clip.clip(0, 255).round().astype(np.uint8))
    places[0, 1] = np.nan
    frames = tuple(LabelledFrame(str(path), t, places[t][None]) for t in range(10))
    return Labels(("bright", "dark"), ((0, 1),), frames)


def test_frames_are_read_and_some_are_held_out(labels: Labels) -> None:
    taught = lessons(labels, RECIPE)
    assert (taught.height, taught.width) == (48, 64)
    assert (len(taught.shown), len(taught.held), taught.animals) == (8, 2, 1)
    assert {one.fit for one in taught.shown} == {1.5}
    assert 0.3 < taught.mean < 0.6
    whole = lessons(labels, Recipe(size=500))
    assert (whole.height, whole.width) == (64, 96)  # never made larger but to whole steps
    one = labels.frames[0]
    for frames, words in (
        (labels.frames[:3], "too few"),
        ((*labels.frames[:4], LabelledFrame(one.source, 99, one.points)), "frame 99 .* which has 10"),
        ((*labels.frames[:4], LabelledFrame(one.source, 1, one.points + 90)), "beside the picture"),
    ):
        with pytest.raises(InputError, match=words):
            lessons(Labels(labels.points, (), frames), RECIPE)


def test_peaks_are_found_as_the_pipeline_finds_them() -> None:
    """Also where torch is not there, which the trainings below need: the stage may get a parameter more."""
    rows, columns = np.mgrid[0:24, 0:32]
    maps = np.exp(-((rows - 9.25) ** 2 + (columns - 14.5) ** 2) / (2 * 1.5**2))[None, :, :, None].astype(np.float32)
    (found,) = module.peaks_of(maps, 1)
    # place k of a map of STRIDE 2 is (k + 1/2) 2 - 1/2 of the picture
    assert (found["x"], found["y"]) == pytest.approx((29.5, 19.0), abs=0.05)  # the window cuts a little off


def test_the_file_is_the_network(tmp_path: Path) -> None:
    """As the importer and the reference read it, as onnxruntime does, and as torch trains it."""
    network = architecture(3)
    file, weights = tmp_path / "n.onnx", network.drawn(4)
    file.write_bytes(network.onnx(weights, "made by a test", (32, 48)))
    picture = np.random.default_rng(1).normal(size=(1, 1, 32, 48)).astype(np.float32)
    ours = run(file, {"image": picture})["heat"]
    assert ours.shape == (1, 3, 32 // STRIDE, 48 // STRIDE)
    session = onnxruntime_of(file)
    if session is not None:
        np.testing.assert_allclose(ours, session.run(None, {"image": picture})[0], rtol=1e-4, atol=1e-6)
    torch = pytest.importorskip("torch")
    tensors = {name: torch.from_numpy(array) for name, array in weights.items()}
    made = network.forward(torch, tensors, torch.from_numpy(picture[:, 0])).sigmoid().numpy()
    np.testing.assert_allclose(ours, made, rtol=1e-4, atol=1e-6)


def test_what_is_left_runs(labels: Labels, tmp_path: Path) -> None:
    """The pipeline beside the network, on the clip: names, edges, sigma."""
    taught = lessons(labels, RECIPE)
    made = Trained(architecture(2).drawn(1), Error(np.array([0.5, 1.0, 3.0]), 1), 4, ((4, 1.0, 0.1, 2.0),))
    files = write_product(made, labels, taught, RECIPE, tmp_path / "spots.onnx")
    assert [file.name for file in files] == ["spots.onnx", "spots.toml", "spots.csv"]
    text = files[1].read_text()
    assert f"measurement_sigma = {1.0 / 1.1774:.3g} " in text
    text = text.replace("threshold = 0.2", "threshold = 0").replace("min_score = 0.4", "min_score = 0")
    files[1].write_text(text.replace("measurement_sigma = ", "measurement_sigma = 100 #"))  # it has learnt nothing
    run_clip(labels.frames[0].source, str(files[1]), out=tmp_path / "out", overlay=False, fps=500)
    with (tmp_path / "out/keypoints.csv").open() as file:
        assert {row["name"] for row in csv.DictReader(file)} == {"bright", "dark"}
    assert (tmp_path / "out/skeleton.csv").read_text() == "animal,point,joined\n0,0,1\n"
    with files[2].open() as file:
        assert next(csv.DictReader(file))["held_out_error_px"] == "2"
    assert math.isinf(Error().cost)


def test_it_learns_stops_and_goes_on_and_the_pipeline_finds_what_it_found(
    labels: Labels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(module, "JUDGED", 10)
    monkeypatch.setattr(module, "KEPT", 0.0)
    taught, recipe = lessons(labels, Recipe(64, 120, 2)), Recipe(64, 120, 2)
    whole = Training(taught, 2, recipe).run(lambda *_: None)
    assert whole.error.cost < 3.0
    assert whole.curve[-1][0] == 120
    assert np.array([1e-39], np.float32)[0] * np.float32(0.5) > 0  # this thread rounds as before

    class Stopped(Exception):
        pass

    def stop(step: int, _: object) -> None:
        if step == 61:
            raise Stopped

    state = tmp_path / "state.npz"
    with pytest.raises(Stopped):
        Training(taught, 2, recipe, state).run(stop)
    again = Training(taught, 2, recipe, state)
    assert again.step == 60
    made = again.run(lambda *_: None)
    for name, array in whole.weights.items():
        np.testing.assert_array_equal(made.weights[name], array)
    with pytest.raises(InputError, match="other labels or settings"):
        Training(taught, 2, Recipe(64, 200, 2), state)
    state.write_bytes(b"PK damaged")
    with pytest.raises(InputError, match="no state of a training"):
        Training(taught, 2, recipe, state)
    # what the pipeline finds in a frame is what was judged: the same picture went into the network
    weights = {name: torch.from_numpy(array) for name, array in whole.weights.items()}
    assert judge(architecture(2), weights, taught, taught.held).cost == pytest.approx(whole.error.cost, abs=1e-3)
    files = write_product(whole, labels, taught, recipe, tmp_path / "spots.onnx")
    clip = np.load(labels.frames[0].source)
    found = found_by(files[1], clip)
    for k, frame in enumerate(labels.frames[1:], 1):
        x, y = frame.points[0].T
        apart = np.hypot(found[k]["x"] - x[found[k]["point"]], found[k]["y"] - y[found[k]["point"]])
        wanted = judge(architecture(2), weights, taught, [Lesson(clip[k] / np.float32(255), frame.points, 1.5)])
        np.testing.assert_allclose(apart, wanted.distances, atol=0.02)


def test_errors_of_labels_are_averaged_over_frames_and_steps(labels: Labels, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the squared distance counts, up to a pixel of the map; what is judged is the mean over the last tenth of
    the steps, at most JUDGED."""
    torch = pytest.importorskip("torch")
    rows, columns = np.mgrid[0:24, 0:32]
    bell = np.exp(-((rows - 9) ** 2 + (columns - 14) ** 2) / (2 * module.WIDTH**2)).clip(1e-6, 1 - 1e-6)
    logits = torch.from_numpy(np.log(bell / (1 - bell)).astype(np.float32))[None, None]
    for off, wanted in ((0.4, 0.08), (1.4, 0.9)):
        points = torch.tensor([[0, 0, 14 + off, 9.0]])
        made = float(module._loss(torch, logits, torch.from_numpy(bell.astype(np.float32))[None, None], points)[1])
        assert 2 * made == pytest.approx(wanted, rel=0.15)  # the mean of both axes, one of which is right
    monkeypatch.setattr(module, "JUDGED", 3)
    training = Training(lessons(labels, RECIPE), 2, Recipe(64, 1000, 3))
    name, wanted = "phases.bias", None
    for share in (1.0, 10 / 11, 10 / 12):
        training._learn()
        training.step += 1
        now = training.weights[name].detach().numpy()
        wanted = now.copy() if wanted is None else wanted + share * (now - wanted)
    training.step = 90
    training._learn()
    wanted = wanted + (training.weights[name].detach().numpy() - wanted) / 3
    np.testing.assert_allclose(training.means[name].numpy(), wanted, rtol=1e-5)
    assert not np.allclose(training.weights[name].detach().numpy(), wanted, rtol=1e-5)


def test_the_command(labels: Labels, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import argparse

    pytest.importorskip("torch")
    write_labels(labels, tmp_path / "a.json")
    options = argparse.Namespace(labels=tmp_path / "a.json", clip=None, out=tmp_path / "n.onnx", size=64, steps=3,
                                 turn=15.0, zoom=0.15, seed=1, resume=False)  # fmt: skip
    assert _train(options) == 0
    assert "10 frames with 19 labels of 2 points; the network sees 64x48 px" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "n.csv", "n.onnx", "n.toml"]
    for wrong, words in (({"out": tmp_path / "n.pt"}, "ends in .onnx"), ({"size": 20}, "--size must be")):
        with pytest.raises(InputError, match=words):
            _train(argparse.Namespace(**{**vars(options), **wrong}))
