"""Jobs about labels: files with their pictures, and a training that stops and goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.desk.jobs.child import outcome
from app.desk.jobs.orders import LabelsOrder, TrainOrder
from app.desk.jobs.stopping import Stop
from app.labels.formats import read_labels
from app.labels.labels import LabelledFrame, Labels
from app.training.recipe import Recipe, state_of


@pytest.fixture
def labels(tmp_path: Path) -> Labels:
    """A spot in six frames."""
    rng, clip, frames = np.random.default_rng(4), np.zeros((6, 64, 64), np.uint8), []
    for k, (x, y) in enumerate(rng.integers(12, 52, (6, 2)).tolist()):
        clip[k, y - 2 : y + 3, x - 2 : x + 3] = 220
        frames.append(LabelledFrame(str(tmp_path / "spot.npy"), k, np.array([[[float(x), float(y)]]])))
    np.save(tmp_path / "spot.npy", clip)
    return Labels(("spot",), (), tuple(frames))


def test_labels_are_written_with_their_pictures(labels: Labels, tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []
    out = tmp_path / "a.csv"
    made = outcome(LabelsOrder(labels, str(out), True), told.append, Stop())
    assert made == {"result": {"out": str(out), "frames": 6, "pictures": 6}}
    assert told[0] == {"label": "pictures", "total": 6}
    assert (tmp_path / "labeled-data/spot/img5.png").is_file()
    (tmp_path / "spot.npy").unlink()
    assert read_labels(out).labelled == 6
    failed = outcome(LabelsOrder(labels, str(out), True), told.append, Stop())
    assert "spot.npy" in failed["failed"]


def test_a_training_that_is_stopped_goes_on(labels: Labels, tmp_path: Path) -> None:
    out, recipe = tmp_path / "new" / "n.onnx", Recipe(size=64, steps=6)
    try:
        import torch
    except ImportError:
        made = outcome(TrainOrder(labels, str(out), recipe), lambda _: None, Stop())
        assert made["failed"] == 'training needs torch; install it with: pip install "fusetrack[train]"'
        return
    del torch
    stop, told = Stop(), list[dict[str, Any]]()

    def tell(event: dict[str, Any]) -> None:
        told.append(event)
        if str(event.get("note", "")).startswith("step 3 of 6"):
            assert stop._runner is not None
            stop._runner.stop()

    made = outcome(TrainOrder(labels, str(out), recipe), tell, stop)
    assert made == {"stopped": "stopped at step 3; it can go on from there"}
    assert state_of(out).exists()
    assert {"label": "pictures", "total": 48} in told
    made = outcome(TrainOrder(labels, str(out), recipe, resume=True), told.append, Stop())
    assert {"label": "pictures", "total": 24} in told
    assert (made["result"]["network"], made["result"]["pipeline"]) == (str(out), str(out.with_suffix(".toml")))
    assert "error on 1 frames held out" in made["result"]["words"]
    assert told[-1]["done"] == 24
    assert not state_of(out).exists()
    other = outcome(TrainOrder(labels, str(tmp_path / "n.pt"), recipe), tell, Stop())
    assert "ends in .onnx" in other["failed"]
