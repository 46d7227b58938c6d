"""The speed of a spot is the same whatever container holds the clip, also where it rounds the stamps to 1 ms."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from app.controller import run_clip

FRAMES, HEIGHT, WIDTH = 12, 48, 80
SPEED = 560.0
"""Of the spot, px/s."""
CODECS = {"mkv": ("libx264", "yuv420p"), "webm": ("libvpx", "yuv420p"), "flv": ("flv", "yuv420p"),
          "wmv": ("wmv2", "yuv420p"), "mov": ("libx264", "yuv420p"), "mp4": ("libx264", "yuv420p")}  # fmt: skip

QUALITY = {"flv": {"qmin": "1", "qmax": "1"}, "wmv2": {"qmin": "1", "qmax": "1"}}


def _spot(x: float) -> Any:
    """A spot of 3 px (standard deviation) in the middle row."""
    columns, rows = np.arange(WIDTH) - x, np.arange(HEIGHT) - HEIGHT / 2
    light = 30 + 180 * np.exp(-(columns[None, :] ** 2 + rows[:, None] ** 2) / 18)
    return light.round().astype(np.uint8)


def _write(path: Path, rate: int) -> Path:
    codec, pixel_format = CODECS[path.suffix[1:]]
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream(codec, rate=rate, options=QUALITY.get(codec, {}))
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = WIDTH, HEIGHT, pixel_format, 20_000_000
        stream.time_base = stream.codec_context.time_base = Fraction(1, rate)
        for k in range(FRAMES):
            image = _spot(12 + SPEED * k / rate)
            frame = av.VideoFrame.from_ndarray(np.stack([image] * 3, -1), format="rgb24").reformat(format=pixel_format)
            frame.pts, frame.time_base = k, Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.mark.parametrize("rate", [240, 600, 700, 800])
@pytest.mark.parametrize("ending", CODECS)
def test_speed(tmp_path: Path, ending: str, rate: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.controller.without_worse", lambda hints, *rest: hints)  # tries further runs
    monkeypatch.setattr("app.controller.TrajectoryPicture.save", lambda *given, **more: None)
    outcome = run_clip(_write(tmp_path / f"a.{ending}", rate), out=tmp_path / "out", overlay=False, device="cpu")
    table = outcome.table()
    spot = table["track"] == np.bincount(table["track"]).argmax()  # beside it may be what compression leaves
    frames, x, times, vx = (table[name][spot] for name in ("frame", "x_px", "time_s", "vx_px_per_s"))
    assert frames.tolist() == list(range(FRAMES))
    np.testing.assert_allclose(np.diff(x) / np.diff(times), SPEED, rtol=0.15)
    np.testing.assert_allclose(vx[1:], SPEED, rtol=0.15)
