"""The script that trains `quadrant-targets`: what it learns from, the file that it writes, that it learns."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from app.training.architecture import torch_module
from kernels.errors import InputError
from kernels.networks.onnx_reader import read
from kernels.stages.local_contrast import local_contrast
from tests.networks import judge, run
from tests.training import quadrant_targets as script
from tests.training.quadrant_targets import EVEN, REACH, STRIDE, Lessons, architecture, train
from tests.training.samples import SIDE, samples


@pytest.fixture(scope="module")
def lessons() -> Lessons:
    return Lessons.of(list(samples(3, 24)))


def test_layers_fit_together():
    made = {"image": 1}
    for layer in architecture().layers:
        assert layer.shape[1] * layer.groups == made[layer.takes]
        assert not layer.adds or made[layer.adds] == layer.shape[0]
        made[layer.name] = layer.shape[0]
    assert made["phases"] == STRIDE**2
    assert np.prod([layer.stride for layer in architecture().layers]) == STRIDE


def test_the_file_is_the_network(tmp_path):
    """As the importer and the reference read it, as onnxruntime does, and as torch trains it."""
    file, weights = tmp_path / "n.onnx", architecture().drawn(4)
    file.write_bytes(architecture().onnx(weights, "made by a test"))
    picture = np.random.default_rng(1).normal(size=(1, 1, 24, 32)).astype(np.float32)
    ours = run(file, {"image": picture})["heat"]
    assert ours.shape == picture.shape
    session = judge(file)
    if session is not None:
        np.testing.assert_allclose(ours, session.run(None, {"image": picture})[0], rtol=1e-4, atol=1e-6)
    torch = pytest.importorskip("torch")
    tensors = {name: torch.from_numpy(array) for name, array in weights.items()}
    logits = architecture().forward(torch, tensors, torch.from_numpy(picture[:, 0]))[:, 0]
    np.testing.assert_allclose(ours[:, 0], logits.sigmoid().numpy(), rtol=1e-4, atol=1e-6)


def test_any_size_of_picture_goes_through(tmp_path):
    file = tmp_path / "n.onnx"
    file.write_bytes(architecture().onnx(architecture().drawn(4), ""))
    for height, width in ((1, 1), (7, 10), (9, 4)):
        made = run(file, {"image": np.zeros((1, 1, height, width), np.float32)})["heat"]
        assert made.shape == (1, 1, -(-height // STRIDE) * STRIDE, -(-width // STRIDE) * STRIDE)
    assert [one.shape for one in read(file).inputs] == [(1, 1, "height", "width")]


def test_heat_is_one_at_a_target_and_unclear_ones_do_not_count(lessons):
    for k, sample in enumerate(samples(3, 24)):
        at = sample.points.round().astype(int)
        assert (lessons.heat[k, at[:, 1], at[:, 0]] > 0.85).all()
        assert len(at) > 0 or lessons.heat[k].max() == 0
        unclear = sample.unclear.round().astype(int).clip(0, SIDE - 1)
        assert not lessons.counts[k, unclear[:, 1], unclear[:, 0]].any()
    assert lessons.counts.mean() > 0.9
    from kernels.executors.reference import evaluate  # the same picture as the pipeline's stage makes it

    wanted = evaluate(local_contrast, next(iter(samples(3, 1))).pixels, **EVEN).astype(np.float16)
    np.testing.assert_array_equal(lessons.pictures[0], wanted)


def test_points_go_with_their_pictures_when_these_are_turned(lessons):
    rng, seen = np.random.default_rng(2), 0
    for _ in range(12):
        pictures, heat, counts, points = lessons.batch(rng)
        assert pictures.shape == heat.shape == counts.shape == (script.BATCH, SIDE, SIDE)
        which, x, y = points[:, 0].astype(int), points[:, 1].round().astype(int), points[:, 2].round().astype(int)
        assert (heat[which, y, x] > 0.85).all()
        assert ((points[:, 1:] > REACH) & (points[:, 1:] < SIDE - 1 - REACH)).all()
        seen += len(points)
    assert seen > 20


def test_without_torch_it_says_what_to_install(monkeypatch, capsys, tmp_path):
    def missing(name: str):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(InputError, match="pip install"):
        torch_module()
    assert script.main(["--samples", "1", "--steps", "1", "--out", str(tmp_path / "n.onnx")]) == 2
    assert "error: training needs torch" in capsys.readouterr().err


def test_it_learns_and_a_seed_says_all(lessons, monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(script, "WARM_UP", 5)
    first, again = train(lessons, 1, 60, print), train(lessons, 1, 60, print)
    assert architecture().onnx(first, "") == architecture().onnx(again, "")
    pictures, heat, counts, points = (torch.from_numpy(a) for a in lessons.batch(np.random.default_rng(9)))

    def loss(weights):
        tensors = {name: torch.from_numpy(array) for name, array in weights.items()}
        made = architecture().forward(torch, tensors, pictures)[:, 0]
        return float(script.loss_of(torch, made, heat, counts, points)[0])

    assert loss(first) < 0.8 * loss(architecture().drawn(1))
