"""`fusetrack.live`: a function hears of each batch of a camera's frames, with tracks, pictures and taps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app import launcher as fusetrack
from kernels.errors import InputError

CAMERA = "cam:sim?fps=300&size=96x80"


def test_every_frame_is_heard_of_in_order() -> None:
    heard: list[Any] = []
    report = fusetrack.live(f"{CAMERA}&frames=60", "blobs", on_batch=heard.append, latency=5.0, bright__level=0.1)
    frames = np.concatenate([batch.frames for batch in heard])
    assert frames.tolist() == [*range(60)]
    assert report.ledger.announced == report.ledger.processed == 60
    assert repr(report).startswith("<LiveReport: stopped, 60 of 60 frames processed in ")
    assert heard[0].pictures.shape == (len(heard[0]), 80, 96)
    assert len(heard[0].taps["spots"]) == len(heard[0])
    tracks = heard[-1].tracks
    assert len(tracks) > 0
    assert {*tracks["frame"]} <= {*heard[-1].frames}
    assert (tracks.fps, tracks.size, tracks.pipeline) == (300, (96, 80), "blobs")
    assert "LiveBatch: frames 0 to" in repr(heard[0])
    seen = tracks.tracked
    assert len(seen)
    known = np.isfinite(seen["area"])  # nothing is measured of spots that are one
    assert known.mean() > 0.5
    assert (seen["area"][known] > 0).all()
    assert seen["diameter"][known] == pytest.approx(np.sqrt(4.0 * seen["area"][known] / np.pi), rel=1e-5)


def test_false_ends_it_and_what_is_raised_comes_out() -> None:
    heard: list[Any] = []

    def enough(batch: Any) -> bool:
        heard.append(batch)
        return len(heard) < 2

    fusetrack.live(CAMERA, ["gray", "box"], on_batch=enough)
    assert len(heard) == 2

    def wrong(batch: Any) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        fusetrack.live(CAMERA, ["gray"], on_batch=wrong)


def test_it_ends_after_so_many_seconds() -> None:
    report = fusetrack.live(CAMERA, ["gray"], on_batch=lambda batch: None, seconds=0.2)
    assert 0 < report.ledger.announced < 3000


@pytest.mark.parametrize(
    ("camera", "options", "words"),
    [("clip.mp4", {}, "fusetrack.track takes clips"), ("cam:nix", {}, "there is no camera 'nix'"),
     (CAMERA, {"on_batch": 3}, "on_batch is a function of a batch, not int"),
     (CAMERA, {"seconds": 0}, "seconds must be positive"), (CAMERA, {"levle": 3}, "did you mean level=?"),
     (CAMERA, {"points": [[1, 2]]}, "pipeline='template'")],
)  # fmt: skip
def test_mistakes_are_said_in_a_sentence(camera: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        fusetrack.live(camera, "blobs", **{"on_batch": print, **options})
    assert words in str(caught.value)
