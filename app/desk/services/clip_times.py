"""Which frame of a clip lies at a time."""

from __future__ import annotations

import numpy as np

from pipelines.frame import SourceInfo


def nearest_frame(info: SourceInfo, time: float) -> int:
    """The frame that was exposed nearest to a time (s; of clips whose rate is unknown frames), the first or the last
    one outside."""
    base, last = info.time, max(0, info.frames - 1)
    if base.stamps is not None and len(base.stamps) >= info.frames > 0:
        stamps = base.stamps[: info.frames]
        place = int(np.searchsorted(stamps, time))
        if place and (place > last or time - stamps[place - 1] <= stamps[place] - time):
            place -= 1
        return place
    place = round((time - base.begin) * base.fps) if base.fps > 0 else round(time)
    return min(max(place, 0), last)
