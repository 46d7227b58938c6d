"""A camera's first frames, taken before a run to try things on; the run begins with later ones."""

from __future__ import annotations

import time
from contextlib import closing

import numpy as np

from app.cameras.opening import open_camera
from kernels.errors import CameraLost, EndOfStream, InputError
from pipelines.automatic.sample import Sample, sample_from
from pipelines.automatic.settling import open_settings, settle
from pipelines.frame import ARRIVAL, Camera, Pixels
from pipelines.frontend import Roi
from pipelines.graph import Pipeline
from pipelines.streaming.common.still import check_unforeseen

FRAMES = 48
"""Frames that are taken, at most: at 500 frames a second some ten periods of a lamp's ripple."""
PATIENCE = 2.0
"""Seconds to wait for them."""


def taken(camera: Camera, most: int) -> Pixels:
    """The next frames of a camera, which is started.

    Raises:
        InputError: it is not there.
    """
    info = camera.info
    pixels, arrivals = np.empty((most, *info.image.shape), info.image.dtype.numpy), np.zeros(most, ARRIVAL)
    done = 0
    try:
        if most:
            camera.start()
        end = time.perf_counter() + PATIENCE  # from here on: starting may take long
        while done < most and time.perf_counter() < end:
            done += camera.take(pixels[done:], arrivals[done:], 0.1)
    except EndOfStream:
        pass
    except CameraLost as error:
        raise InputError(str(error)) from error
    return pixels[:done]


def camera_sample(source: str, fps: float | None) -> Sample:
    """Frames of the camera of this address, which is opened for them and closed again.

    Raises:
        InputError: it is not there.
    """
    with closing(open_camera(source, fps=fps)) as camera:
        most = max(1, min(FRAMES, (1 << 28) // camera.info.image.nbytes))
        pixels = taken(camera, most)
        return sample_from(camera.info, pixels)


def settled_on_camera(
    pipeline: Pipeline | None, source: str, fps: float | None, roi: Roi | None, sample: Sample | None = None
) -> tuple[Pipeline | None, tuple[str, ...], Pixels | None]:
    """The pipeline with numbers in place of "auto", sentences about them, and the frames that they are from; None where
    nothing is "auto".

    Args:
        pipeline: None for none.
        source, fps: the camera's address, and the rate in place of its own.
        roi: the region that is processed.
        sample: frames that it gave before; None takes some now.

    Raises:
        InputError: the camera is not there, or the pipeline does not fit it.
    """
    if pipeline is not None:
        check_unforeseen(pipeline)
    if pipeline is None or not open_settings(pipeline):
        return pipeline, (), None
    sample = sample or camera_sample(source, fps)
    found = settle(pipeline, sample, roi)
    return found.pipeline, found.words, sample.pixels
