"""The shipped network finds quadrant targets where no threshold does: small, exact, on clips that it has not seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.benchmark.trackers.ours import run_of
from app.benchmark.trackers.scenes import Clip, Scene
from app.sources.simulated.source import make_scene
from kernels.executors.base import executor
from kernels.executors.cuda_runner import CudaRunner
from kernels.ir.image import U8, ImageType
from kernels.networks.onnx_reader import read
from pipelines.definition import library, load, loads
from pipelines.evaluation.complete import Evaluation, evaluate_all
from pipelines.frame import FrameBatch
from pipelines.fusing import largest_groups
from pipelines.graph import Ref, bind
from pipelines.streaming.engine.engine import Engine
from tests.emulator.compiler import compilers
from tests.pipelines.emulated import EmulatedExecutor

LIBRARY = library()["quadrant-targets"].parent
UNSEEN = 9001
"""A clip on which nothing was chosen."""


def judged(pipeline: str, spec: str, seed: int = UNSEEN) -> Evaluation:
    clip = Clip(Scene(f"{spec}{'&' if '?' in spec else '?'}seed={seed}", "things", 80))
    return evaluate_all(run_of(load(pipeline), clip)(), clip.truth)


def test_the_file_is_small_and_read_by_the_importer() -> None:
    found = read("shipped:quadrant_targets.onnx")
    assert (LIBRARY / "quadrant_targets.onnx").stat().st_size < 1_000_000
    assert [one.shape for one in found.inputs] == [(1, 1, "height", "width")]
    assert {node.op for node in found.nodes} == {"Conv", "Relu", "Add", "DepthToSpace", "Sigmoid"}
    assert sum(array.size for array in found.constants.values()) < 50_000


def test_it_has_the_bits_of_the_reference() -> None:
    scene = make_scene("targets?width=72&height=60&count=3&seed=5")
    frames = np.stack([scene.render(i) for i in (0, 40)])
    batch = FrameBatch(np.arange(2), np.arange(2) / 1000, frames)
    pipeline = replace(load("quadrant-targets"), taps=(Ref("heat"), Ref("targets")))
    bound = bind(pipeline, ImageType(U8, *scene.shape))
    wanted = Engine(bound, executor("reference")).step(batch)
    assert len(wanted[Ref("targets")][0].rows) >= 2
    for groups in (largest_groups(bound, bound.taps), [[node.id] for node in bound.nodes]):
        found = Engine(bound, executor("cpu"), groups=groups).step(batch)
        np.testing.assert_array_equal(np.asarray(found[Ref("heat")]), np.asarray(wanted[Ref("heat")]))
        for ours, theirs in zip(found[Ref("targets")], wanted[Ref("targets")], strict=True):
            assert ours.rows.tobytes() == theirs.rows.tobytes()


def test_on_a_gpu_its_map_becomes_peaks_there_and_goes_to_stages_of_the_host() -> None:
    if not compilers():
        pytest.skip("no C++ compiler")
    scene = make_scene("targets?width=72&height=60&count=3&seed=5")
    batch = FrameBatch(np.arange(1), np.zeros(1), scene.render(0)[np.newaxis])
    more = '\n[stages.tops]\nuse = "peaks"\ninputs = "heat"\nthreshold = 0.6\n'
    text = library()["quadrant-targets"].read_text(encoding="utf-8").partition("[trackers")[0] + more
    bound = bind(replace(loads(text), taps=(Ref("tops"), Ref("targets"))), ImageType(U8, *scene.shape))
    gpu = Engine(bound, EmulatedExecutor(), groups=largest_groups(bound, bound.taps))
    (name, layers), *others = gpu.programs.items()
    assert name.endswith("+heat+tops")
    assert isinstance(layers, CudaRunner)
    assert [other for other, _ in others] == ["candidates", "targets"]
    found, wanted = gpu.step(batch), Engine(bound, executor("reference")).step(batch)
    for tap in bound.taps:
        assert len(wanted[tap][0].rows) >= 2
        assert found[tap][0].rows.tobytes() == wanted[tap][0].rows.tobytes()


def test_the_sigma_of_peaks_is_that_of_their_places() -> None:
    """Of the maxima between pixels, over clips on which nothing was chosen: each has about eight things."""
    ratios = []
    for seed in (UNSEEN, UNSEEN + 1):
        scene = make_scene(f"targets?width=200&height=160&count=6&seed={seed}")
        frames = np.stack([scene.render(i) for i in range(0, 30, 3)])
        pipeline = load("quadrant-targets").with_settings({"candidates.method": "dark"})
        bound = bind(replace(pipeline, taps=(Ref("candidates", "points"),)), ImageType(U8, *scene.shape))
        engine = Engine(bound, executor("cpu"), groups=largest_groups(bound, bound.taps))
        made = engine.step(FrameBatch(np.arange(len(frames)), np.arange(len(frames)) / 1000, frames))
        for i, table in enumerate(made[Ref("candidates", "points")]):
            truth = scene.truth(3 * i)
            for row in table.rows[np.isfinite(table.rows["sigma"])]:
                off = (truth["x"] - row["x"]) ** 2 + (truth["y"] - row["y"]) ** 2
                if off.min() < 9:
                    ratios.append(0.5 * off.min() / row["sigma"] ** 2)
    assert len(ratios) > 80
    assert 0.5 < np.mean(ratios) < 2.0


@pytest.mark.parametrize("light", ["", "?shadow=0&flicker=0", "?brightness=0.25", "?bits=12&brightness=0.25"])
def test_an_unseen_clip_in_any_light(light: str) -> None:
    found = judged("quadrant-targets", f"targets{light}")
    assert found.clear.recall > 0.75
    assert found.clear.precision > 0.85
    assert found.clear.rmse < 0.23
    assert found.clear.id_switches == 0


def test_thresholds_do_not_find_them() -> None:
    """What is found of them are sectors, far off the points where these meet, among the clutter."""
    found = judged("facial-markers", "targets")
    assert found.clear.recall < 0.6
    assert found.clear.precision < 0.3
