"""An engine and its trackers, tried before frames come, so that the first are as fast as the rest: memory, threads and
whatever is loaded at its first use are there, and the speed is known: well on frames that the camera gave before,
roughly on made-up pictures."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import FusetrackError, InputError
from pipelines.frame import FrameBatch
from pipelines.streaming.engine.building import Built, Order, may_fall_back, on_processor
from pipelines.streaming.engine.tracking import Tracking

SPOTS = 64
"""Pixels from one bright spot to the next in the pictures of a trial."""
LEAST, MOST = 3, 12
"""Batches behind the black one that are tried."""
ENOUGH, LONGEST = 0.1, 1.0
"""Seconds after which a steady speed is believed, and after which any is."""
STEADY = 1.2
"""How far two batches in a row may be apart in a steady speed."""


def warm(built: Built, order: Order) -> Built:
    """The same after some batches of black frames and of the sample, or of frames with spots; back in its first-frame
    state.

    The rate that it knows then is that of the slower of the stages and the trackers, which work side by side: of their
    best batches, as other programs can only slow them down. Trackers are tried on ones of their own, which are thrown
    away.
    """
    # The first batch, black, loads what is loaded at a first use; it is not timed.
    black = np.zeros((max(1, min(order.batch, built.most)), *order.info.image.shape), order.info.image.dtype.numpy)
    rate = 0.0
    try:
        some = _spots(black, order)[:1] if order.sample is None or not len(order.sample) else order.sample
        rate = _try(built, order, black, some)
    except InputError as error:
        if may_fall_back(built.choice):
            return warm(on_processor(built.pipeline, order, built.choice, error), order)
    except FusetrackError:
        pass  # a user's stage that cannot do such frames: the real ones will show it
    engine = built.engine
    engine.reset()
    engine.overflow.clear()
    engine.seconds.update(dict.fromkeys(engine.seconds, 0.0))
    return replace(built, rate=rate)


def _spots(black: npt.NDArray[Any], order: Order) -> npt.NDArray[Any]:
    """Frames with bright spots of 3 x 3 px."""
    spots = black.copy()
    top = 1
    if spots.dtype.kind in "iu":  # no more than the camera can say, for tables are looked up with it
        form = order.info.format
        top = 255 if form.packing != "none" else ((1 << form.bits) - 1) << form.shift
    for dy, dx in np.ndindex(3, 3):
        spots[:, dy + SPOTS // 2 :: SPOTS, dx + SPOTS // 2 :: SPOTS] = top
    return spots


def _try(built: Built, order: Order, black: npt.NDArray[Any], some: npt.NDArray[Any]) -> float:
    """Frames a second, once two batches take the same time; `some` come again and again."""
    count = len(black)
    fps = order.info.time.fps
    tracking = None
    with suppress(FusetrackError):  # one that cannot be made here is named where the real one is made
        tracking = Tracking(built.bound, fps)
    best, before = np.full(2, np.inf), 0.0
    begin = time.perf_counter()
    for number in range(1 + MOST):
        indices = np.arange(number * count, (number + 1) * count)
        pictures = some[indices % len(some)] if number else black
        batch = FrameBatch(indices, indices / (fps if fps > 0 else 1.0), pictures)
        times = [time.perf_counter()]
        tapped = built.engine.step(batch)
        times.append(time.perf_counter())
        if tracking is not None:
            try:
                tracking.follow(batch, tapped)
            except FusetrackError:
                tracking = None
        times.append(time.perf_counter())
        if not number:
            continue
        # The best of each part by itself: disturbances only ever slow down.
        best = np.minimum(best, np.diff(times))
        whole, spent = times[2] - times[0], times[2] - begin
        steady = whole < STEADY * before and before < STEADY * whole
        if number >= LEAST and (spent > LONGEST or (steady and spent > ENOUGH)):
            break
        before = whole
    # Stages and trackers work side by side: the slower one sets the pace.
    return count / max(float(best.max()), 1e-6)
