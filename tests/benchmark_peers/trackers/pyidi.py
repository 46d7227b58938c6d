"""pyIDI: Lucas-Kanade of image windows against the first frame, with its compiled kernel."""

from __future__ import annotations

import contextlib
import io
import tempfile
import warnings

import numpy as np

from app.benchmark.trackers.contender import Contender, Run, rows_of_points
from app.benchmark.trackers.scenes import SMALL_MOTIONS, Clip
from pipelines.features import Tracks

try:
    import pyidi
except ImportError:  # `found_peers` looks before it loads; others, such as doctest, may still read this module
    pyidi = None


def _run(clip: Clip, _: float) -> Run:
    """Windows lie on whole pixels: its points are rounded, and their motion is taken for that of the true points."""

    window = (clip.scene.window, clip.scene.window)

    def run() -> Tracks:
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.redirect_stdout(io.StringIO()),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")  # of points that it loses: those have no place, which the table shows
            video = pyidi.VideoReader(clip.pixels, root=folder)
            method = pyidi.LucasKanade(video)
            method.set_points(np.round(clip.points[:, ::-1]).astype(int))
            method.configure(roi_size=window, verbose=0, show_pbar=False, processes=1)
            moved = np.asarray(method.get_displacements(autosave=False))
        return rows_of_points(clip, clip.points + np.moveaxis(moved[:, :, ::-1], 1, 0))

    return run


# On a disk that turns, a point half a pixel beside the true one takes another way.
CONTENDERS = (Contender("pyIDI Lucas-Kanade", "points", _run, scenes=(*SMALL_MOTIONS, "face-points"), slow=True),)
