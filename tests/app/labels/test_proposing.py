"""Which frames are proposed, by the command and in the window alike."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.labels import coco
from app.labels.beside import labels_beside
from app.labels.labels import LabelledFrame, Labels
from app.labels.proposing import SIDE, farthest, least_sure, propose, spread, thumbnail


def test_thumbnails_are_means_without_the_brightness() -> None:
    rng = np.random.default_rng(2)
    picture = rng.random((70, 100)).astype(np.float32)
    made = thumbnail(picture).reshape(-1, 25)  # squares of 4 px
    assert max(made.shape) <= SIDE
    assert made[0, 0] == pytest.approx(picture[:4, :4].mean() - picture.mean(), abs=0.01)
    assert made[-1, 3] == pytest.approx(picture[68:, 12:16].mean() - picture.mean(), abs=0.01)
    np.testing.assert_allclose(thumbnail(picture + 0.5), made.ravel(), atol=1e-6)


def test_the_farthest_comes_first() -> None:
    known = {k: np.array([x, 0.0], np.float32) for k, x in ((0, 0.0), (5, 1.0), (7, 10.0), (9, 10.5), (12, 4.0))}
    assert farthest(known, [0], 3) == [9, 12, 5]
    assert farthest(known, [0, 9], 1) == [12]
    assert farthest(known, [], 1) == [12], "the most usual one, if nothing is labelled"
    assert farthest(known, list(known), 2) == []
    assert farthest({1: known[0], 2: known[0]}, [1], 2) == [], "equal frames teach nothing"
    assert spread(3) == (0, 1, 2)
    assert len(spread(10_000)) == 300


def test_the_least_sure_frame() -> None:
    frames, scores = np.array([3, 3, 4, 4, 6, 6]), np.array([0.9, 0.8, 0.9, 0.0, 0.5, 0.5])
    assert least_sure(frames, scores, []) == 4
    assert least_sure(frames, scores, [4]) == 6
    assert least_sure(frames, scores, [3, 4, 6]) is None


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A spot that rests but for two visits elsewhere: these are proposed, then nothing beside what is labelled."""
    clip = np.zeros((30, 40, 60), np.uint8)
    clip[:, 4:8, 4:8] = 200
    for frame, at in ((11, 30), (22, 50)):
        clip[frame, 4:8, 4:8], clip[frame, 20:24, at : at + 4] = 0, 200
    path = tmp_path / "clip.npy"
    np.save(path, clip)
    assert main(["labels", str(path), "--frames", "next", "3"]) == 0
    assert set(capsys.readouterr().out.split()) > {"11", "22"}
    point = np.full((1, 1, 2), 5.0)
    made = Labels(("spot",), (), tuple(LabelledFrame(str(path), k, point) for k in (2, 11)))
    coco.write(made, labels_beside(path))
    assert propose(str(path), [2, 11], 5) == [22]
    assert main(["labels", str(path), "--frames", "next", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"clip": str(path), "labelled": [2, 11], "frames": [22]}
    out = tmp_path / "CollectedData_x.csv"
    assert main(["labels", str(labels_beside(path)), "-o", str(out), "--pictures"]) == 0
    assert "2 frames with 2 labels of 1 points, 2 pictures in" in capsys.readouterr().out
    assert (tmp_path / "labeled-data/clip/img11.png").is_file()
    for words, said in (
        ([str(labels_beside(path)), "-o", str(out)], "--force"),
        ([str(out)], "say with -o"),
        ([str(path), "--frames", "next", "0"], "1 to 10000"),
        ([str(path), "--frames", "next", "two"], "not 'two'"),
        ([str(out), "-o", "x.slp", "--frames", "3"], "no labels in frames 3"),
        ([str(out), "-o", "x.txt"], "does not end like"),
    ):
        assert main(["labels", *words]) == 2
        assert said in capsys.readouterr().err
