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
