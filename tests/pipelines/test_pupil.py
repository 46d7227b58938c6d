"""`pupil` untouched: reflections inside and across the rim, lashes, a blink."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.automatic.settling import settle_on
from pipelines.definition import load
from pipelines.features import State
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from tests.kernels.components.scenes import Pupil
from tests.pipelines.clips import MemoryClip
from tests.pipelines.streaming.clip.test_runner import Keep

BLINK = range(20, 26)


@pytest.mark.parametrize(("glint", "lashes"), [("inside", False), ("rim", False), ("inside", True)])
def test_a_pupil_is_followed_by_its_outline(glint: str, lashes: bool) -> None:
    rng = np.random.default_rng(8)
    path = np.stack((50 + 6 * np.sin(np.arange(50) / 7), 48 + 4 * np.cos(np.arange(50) / 9)), axis=1)
    frames, truth = zip(*(Pupil(glint=glint, blur=0.6).frame(rng, at) for at in path), strict=True)
    clip = np.stack(frames)
    clip[BLINK.start : BLINK.stop] = np.clip(rng.normal(110, 2, (len(BLINK), *clip.shape[1:])), 0, 255)
    if lashes:  # dark lines that hang into it
        clip[:, :48, 44:47] = clip[:, :40, 60:62] = 30
    source, keep = MemoryClip(clip), Keep()
    bound = prepare(settle_on(load("pupil"), source).pipeline, source)
    Runner(source, bound, [keep], frames=(0, len(clip)), options=RunOptions(device="cpu")).run()
    rows = np.concatenate([result.tracks for result in keep.results])
    rows = rows[(rows["state"] == State.TRACKED) & (np.hypot(rows["x"] - 50, rows["y"] - 48) < 9)]
    assert len(np.unique(rows["track"])) == 1
    assert len(np.unique(rows["frame"])) >= 47 - len(BLINK)
    error = np.stack((rows["x"], rows["y"]), axis=1) - np.array(truth)[rows["frame"]]
    assert np.sqrt((error**2).mean()) < 0.02
    assert 0.5 < ((error / rows["sigma"][:, None]) ** 2).mean() < 1.8


@pytest.mark.parametrize("kind", ["iris", "dark iris", "small", "lamp", "dim", "12 bits", "bright"])
def test_a_pupil_in_an_eye(kind: str) -> None:
    """Skin, the white of an eye, an iris, and a pupil with two reflections: the iris stands out more in most."""
    rng, (y, x) = np.random.default_rng(11), np.mgrid[:120, :160]
    radius = 10 if kind == "small" else 16
    pupil, iris = {"dark iris": (38, 62), "bright": (215, 95)}.get(kind, (40, 105))
    frames, truth = [], []
    for k in range(40):
        cx, cy = 80 + 8 * np.sin(k / 5), 60 + 4 * np.cos(k / 4)
        truth.append((cx, cy))
        eye = np.full(x.shape, 150.0)
        for away, value in ((np.hypot(x - 80, 1.7 * (y - 60)) - 70, 185), (np.hypot(x - cx - 2, y - cy) - 30, iris),
                            (np.hypot(x - cx, y - cy) - radius, pupil),
                            (np.hypot(x - cx - 0.3 * radius, y - cy + 0.3 * radius) - 2, 250),
                            (np.hypot(x - cx + radius, y - cy - 2) - 2, 250)):
            eye += (value - eye) / (1 + np.exp(np.clip(away / 0.6, -50, 50)))
        light = 0.75 + 0.25 * np.cos(1.3 * k) if kind == "lamp" else 0.15 if kind == "dim" else 1.0
        frames.append(light * eye + rng.normal(0, 1.0 if kind == "dim" else 2.0, eye.shape))
    white, dtype = (4095, np.uint16) if kind == "12 bits" else (255, np.uint8)
    clip = np.clip(np.rint(np.stack(frames) * (white // 255)), 0, white).astype(dtype)
    bright = {"dark.polarity": "bright", "pupil.polarity": "bright"} if kind == "bright" else {}
    source, keep = MemoryClip(clip), Keep()
    bound = prepare(settle_on(load("pupil").with_settings(bright), source).pipeline, source)
    Runner(source, bound, [keep], frames=(0, len(clip)), options=RunOptions(device="cpu")).run()
    rows = np.concatenate([result.tracks for result in keep.results])
    rows = rows[rows["state"] == State.TRACKED]
    assert len(np.unique(rows["track"])) == 1
    assert len(rows) >= 37
    error = np.hypot(*(np.stack((rows["x"], rows["y"]), axis=1) - np.array(truth)[rows["frame"]]).T)
    assert np.sqrt((error**2).mean()) < 0.2
