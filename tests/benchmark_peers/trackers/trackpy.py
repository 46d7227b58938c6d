"""trackpy: Crocker-Grier centroids, linked with a constant-velocity predictor (its nearest-neighbour linker alone
loses things that cross).

8-bit frames are given as 16 bit, 64 times as bright: trackpy rounds its band pass to the type of the frames, and loses
dim features of 8 bits.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from app.benchmark.trackers.contender import MEMORY, Contender, Run, rows
from app.benchmark.trackers.scenes import Clip
from pipelines.features import Tracks

try:
    import trackpy
except ImportError:  # `found_peers` looks before it loads; others, such as doctest, may still read this module
    trackpy = None


def _run(clip: Clip, share: float) -> Run:
    """`share` of the brightest feature's mass is the least that counts."""
    trackpy.quiet()
    diameter = 2 * int(np.ceil(clip.scene.radius)) + 1
    factor = 64 if clip.bits <= 8 else 1
    frames = clip.pixels.astype(np.uint16) * factor

    def located(index: int, least: float) -> Any:
        return trackpy.locate(frames[index], diameter, minmass=least, invert=clip.scene.dark)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bright = located(0, 0.0)["mass"]
    minmass = share * float(np.max(bright)) if len(bright) else 0.0

    def run() -> Tracks:
        with warnings.catch_warnings():  # it warns of frames without features, and of what pandas will change
            warnings.simplefilter("ignore")
            seen = [located(index, minmass) for index in range(len(frames))]
            for index, table in enumerate(seen):
                table["frame"] = index
            predictor = trackpy.predict.NearestVelocityPredict()
            # Where too many features reach each other it would give up; so it looks less far there, as its manual says.
            linked = predictor.link_df_iter(iter(seen), clip.scene.reach, memory=MEMORY,
                                            adaptive_stop=clip.scene.reach / 8, adaptive_step=0.9)  # fmt: skip
            parts = [table for table in linked if len(table)]
        columns = {name: np.concatenate([np.asarray(table[name], float) for table in parts])
                   for name in ("frame", "particle", "x", "y")}  # fmt: skip
        return rows(clip, columns["frame"], columns["particle"], columns["x"], columns["y"])

    return run


CONTENDERS = (Contender("trackpy", "things", _run, (0.03, 0.06, 0.12, 0.25, 0.4), slow=True),)
