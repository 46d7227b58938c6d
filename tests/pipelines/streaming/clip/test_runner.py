"""The runner: every frame accounted for, results independent of batches, regions and bad frames handled."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.errors import InputError
from pipelines.definition import loads
from pipelines.features import Reason, State
from pipelines.frame import FrameBatch, PixelFormat, Result
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import frame_range, prepare
from pipelines.streaming.engine.tracking import PICTURE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.records import taken

SPOTS = """
taps = ["smooth"]
[stages.gray]
[stages.smooth]
use = "gaussian"
sigma = 1.0
[stages.slow]
use = "iir_lowpass"
alpha = 0.9
[stages.bright]
use = "threshold"
level = 60
[stages.spots]
use = "components"
inputs = { mask = "bright", weights = "gray" }
[trackers.follow]
use = "blob"
inputs = "spots"
"""


class Keep:
    """A sink that keeps everything, or fails on demand."""

    def __init__(self, runner_stop_at: int | None = None) -> None:
        self.results: list[Result] = []
        self.stop_at = runner_stop_at
        self.runner: Runner | None = None

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        self.results += results
        if self.runner is not None and self.stop_at is not None and len(self.results) >= self.stop_at:
            self.runner.stop()

    def close(self) -> None:
        pass

    @property
    def tracks(self) -> Any:
        return np.concatenate([r.tracks for r in self.results])


def run(clip: MemoryClip, **options: Any) -> tuple[Keep, Any]:
    keep = Keep(options.pop("stop_at", None))
    roi = options.get("roi")
    bound = prepare(loads(SPOTS), clip, roi)
    options.setdefault("frames", (0, clip.info.frames))
    runner = Runner(clip, bound, [keep], options=taken(RunOptions, options), **options)
    keep.runner = runner
    return keep, runner.run()


@pytest.fixture(scope="module")
def spots() -> np.ndarray[Any, Any]:
    return moving_spots()


def test_tracks_come_out_and_every_frame_is_counted(spots: Any) -> None:
    keep, report = run(MemoryClip(spots))
    assert report.ledger.processed == 40 == report.ledger.announced
    assert report.ledger.bad == report.ledger.not_reached == 0
    assert not report.interrupted
    last = keep.results[-1].tracks
    assert (last["state"] == State.TRACKED).sum() == 3
    truth = sorted([(12 + 0.5 * 39, 12 + 0.1 * 39), (50 - 0.3 * 39, 20 + 0.4 * 39), (10 + 0.2 * 39, 56 - 0.1 * 39)])
    np.testing.assert_allclose(sorted(zip(last["x"], last["y"], strict=True)), truth, atol=0.15)
    np.testing.assert_allclose(last["time"], 39 / 1000)


@pytest.mark.parametrize("batch", [1, 3, 40, 1000])
def test_results_do_not_depend_on_batches(spots: Any, batch: int) -> None:
    one, _ = run(MemoryClip(spots), batch=7)
    other, _ = run(MemoryClip(spots), batch=batch)
    assert [r.index for r in one.results] == [r.index for r in other.results]
    assert one.tracks.tobytes() == other.tracks.tobytes()
    for a, b in zip(one.results, other.results, strict=True):
        assert a.taps["smooth"].tobytes() == b.taps["smooth"].tobytes()


def test_bad_frames_are_counted_named_and_predicted_through(spots: Any) -> None:
    keep, report = run(MemoryClip(spots, bad=(0, 20, 21, 39)), batch=8)
    assert report.ledger.bad_frames == [(0, "scratched"), (20, "scratched"), (21, "scratched"), (39, "scratched")]
    assert report.ledger.processed == 36
    assert [r.index for r in keep.results] == list(range(40))
    at20 = next(r for r in keep.results if r.index == 20)
    assert set(at20.tracks["state"]) == {State.PREDICTED}
    assert set(at20.tracks["reason"]) == {Reason.BAD_FRAME}
    after = next(r for r in keep.results if r.index == 22).tracks
    assert set(after["track"]) == set(at20.tracks["track"])
    assert (after["state"] == State.TRACKED).all()


def test_a_clip_of_bad_frames_only(spots: Any) -> None:
    _, report = run(MemoryClip(spots[:3], bad=(0, 1, 2)))
    assert (report.ledger.processed, report.ledger.bad) == (0, 3)


def test_stopping_keeps_what_was_done(spots: Any) -> None:
    keep, report = run(MemoryClip(spots), batch=5, stop_at=12)
    assert report.interrupted
    assert report.ledger.processed == len(keep.results) == 15
    assert report.ledger.not_reached == 25


def test_a_region_gives_the_same_coordinates(spots: Any) -> None:
    whole, _ = run(MemoryClip(spots))
    part, _ = run(MemoryClip(spots), roi=(20, 5, 44, 45))
    a = whole.results[10].tracks
    b = part.results[10].tracks
    assert len(b) == 1  # the spot that starts at (50, 20)
    near = a[np.argmin(np.hypot(a["x"] - b["x"], a["y"] - b["y"]))]
    assert abs(near["x"] - b["x"][0]) < 0.02
    assert abs(near["y"] - b["y"][0]) < 0.02


@pytest.mark.parametrize("roi", [(0, 0, 0, 5), (-1, 0, 5, 5), (60, 0, 5, 5), (0, 60, 5, 5), (0, 0, 65, 64)])
def test_regions_outside_are_refused(spots: Any, roi: tuple[int, int, int, int]) -> None:
    with pytest.raises(InputError, match="region of interest"):
        prepare(loads(SPOTS), MemoryClip(spots), roi)


def test_the_picture_is_whole_even_when_cropped(spots: Any) -> None:
    keep, _ = run(MemoryClip(spots), roi=(20, 5, 44, 45), pictures=True)
    np.testing.assert_array_equal(keep.results[7].taps[PICTURE], spots[7])


def test_packed_frames_are_unpacked_first() -> None:
    values = (moving_spots(6).astype(np.uint16) * 16).reshape(6, 64, 32, 2)
    packed = np.stack([values[..., 0] >> 4, (values[..., 0] & 15) << 4 | values[..., 1] >> 8, values[..., 1] & 255], -1)
    clip = MemoryClip(packed.reshape(6, 64, 96).astype(np.uint8), form=PixelFormat("mono", 12, "msb12"))
    clip.info = type(clip.info)(**{f: getattr(clip.info, f) for f in clip.info.__slots__} | {"width": 64})
    keep, _ = run(clip, pictures=True)
    np.testing.assert_array_equal(keep.results[3].taps[PICTURE], values.reshape(6, 64, 64)[3])


def test_frame_ranges() -> None:
    assert frame_range(100, None) == (0, 100)
    assert frame_range(100, (10, None)) == (10, 100)
    assert frame_range(100, (-10, -5)) == (90, 95)
    assert frame_range(100, (None, 1)) == (0, 1)
    assert frame_range(100, (90, 101)) == (90, 100)
    for wanted in ((50, 50), (60, 50)):
        with pytest.raises(InputError, match="empty"):
            frame_range(100, wanted)
    for wanted in ((100, 101), (100, None), (-101, None)):
        with pytest.raises(InputError, match="outside"):
            frame_range(100, wanted)


def test_an_error_in_reading_reaches_the_caller(spots: Any) -> None:
    class Broken(MemoryClip):
        def read(self, index: int, out: Any = None) -> Any:
            if index == 5:
                raise InputError("the disk went away")
            return super().read(index, out)

    with pytest.raises(InputError, match="disk went away"):
        run(Broken(spots))


def test_an_error_in_a_sink_ends_the_run(spots: Any) -> None:
    class Full(Keep):
        def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
            raise InputError("the disk is full")

    clip = MemoryClip(spots)
    runner = Runner(clip, prepare(loads(SPOTS), clip), [Full()], frames=(0, 40))
    with pytest.raises(InputError, match="disk is full"):
        runner.run()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[stages.gray]\n[stages.p]\nuse="peaks"\n[trackers.t]\nuse="blob"\ninputs="p"\n', "needs columns mass"),
        ('[stages.gray]\n[trackers.t]\nuse="blob"\ninputs="gray"\n', "takes features, but gray is a 64x64 u8"),
        ('[stages.gray]\n[stages.p]\nuse="peaks"\n[trackers.t]\nuse="template"\ninputs="p"\n', "takes image"),
        ('[stages.gray]\n[stages.r]\nuse="components"\ninputs="gray"\n[trackers.t]\nuse="blob"\n',
         r'needs an input \'features\'; write inputs = \{ features = "r" \}'),
        ('[stages.gray]\n[trackers.t]\nuse="template"\n', r'\{ image = "gray" \}'),
        ('[stages.gray]\n[stages.s]\nuse="gaussian"\ninputs="gray.out2"\n', "gray"),
        ('[stages.s]\nuse="gradient"\n[stages.t]\nuse="gaussian"\ninputs="s.hue"\n', "has no output 'hue'"),
        ('[stages.m]\nuse="moments"\n[stages.s]\nuse="gaussian"\n', "takes an image as 'image', not a table"),
    ],
)
def test_wiring_that_does_not_fit_is_refused(spots: Any, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as error:
        prepare(loads(text), MemoryClip(spots))
    assert "\n" not in str(error.value)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_a_cache_that_is_not_used_is_named(spots: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_to_all = tmp_path / "cpu"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    bound = prepare(loads(SPOTS), MemoryClip(spots))
    runner = Runner(MemoryClip(spots), bound, (), frames=(0, 2), options=RunOptions(device="cpu"))
    assert "compiled programs are not kept" in runner.note
