"""Readings of a run as an engine reports them, a quarter of a second apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.desk.engine.reports import Measured
from app.sessions.account import Account
from app.sessions.shared import RecorderState
from pipelines.streaming.common.meter import Depth, Latency, MeterReading, Rate

STEP = 0.25


def account(recorded: int, dropped: int = 0, waiting: int = 3, left: float = 4000.0) -> Account:
    size = 262_144 * recorded
    return Account(RecorderState.RECORDING, recorded + dropped + waiting, recorded, 0, dropped, waiting, 256, size,
                   size, 10**12, left, 0.004, 0.02, 1.0, 0, 0, "")  # fmt: skip


def live_readings(
    count: int = 40, fps: float = 1000.0, costs: Mapping[str, float] | None = None, behind: int = 0, missing: int = 0,
    recording: bool = False, dropped: int = 0, waiting: int = 3,
) -> list[Measured]:  # fmt: skip
    """A camera.

    Args:
        costs: seconds a frame of each program, "track" and "write".
        behind, missing, dropped: frames that are left out, that never came, that the recorder drops, a reading.
    """
    costs = {"gray+smooth+dog": 0.0003, "label": 0.0002, "track": 0.0004, "write": 0.00005} if costs is None else costs
    made = []
    for k in range(1, count + 1):
        frames = int(k * STEP * fps)
        done = frames - behind * k
        rates = {hop: Rate(n / (k * STEP), n / (k * STEP) * 1.01, n)
                 for hop, n in (("capture", frames), ("engine", done), ("track", done))}  # fmt: skip
        slow = 1.0 + 0.2 * (k % 7)
        hops = (("camera", 0.0002), ("ring", 0.001), ("engine", 0.004), ("track", 0.002), ("total", 0.007))
        waits = {hop: Latency(s * slow, 2 * s * slow, 3 * s * slow, 4 * s * slow, done) for hop, s in hops}
        depths = {"ring": Depth(20 + 6 * (k % 9), 90, 512), "track": Depth(k % 3, 3, 4)}
        ledger: dict[str, Any] = {"announced": frames, "processed": done, "missing": missing * k}
        if behind:
            ledger |= {"unprocessed": behind * k, "unprocessed_reasons": {"the engine was behind": behind * k}}
        made.append(Measured(
            MeterReading(k * STEP, waits, rates, depths, 16), {name: s * done for name, s in costs.items()}, ledger,
            account(frames - (dropped * k), dropped * k, waiting) if recording else None, 8 * k,
        ))  # fmt: skip
    return made


def clip_readings(count: int = 40, fps: float = 300.0, costs: Mapping[str, float] | None = None) -> list[Measured]:
    """A clip that is played."""
    costs = {"gray+smooth": 0.001, "track": 0.0012, "read": 0.0005} if costs is None else costs
    return [
        Measured(MeterReading(k * STEP, {}, {"play": Rate(fps, fps * 1.1, int(k * STEP * fps))}, {}, 16),
                 {name: s * int(k * STEP * fps) for name, s in costs.items()}, {}, None, 8 * k)
        for k in range(1, count + 1)
    ]  # fmt: skip
