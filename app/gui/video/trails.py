"""Trails of tracks as painter paths: what lies in the picture, and no more steps than a screen can show."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import numpy.typing as npt
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.joined import joined
from pipelines.features import State, Tracks

MOST_STEPS = 8000
"""Steps that are drawn in all; of more, every second to `COARSEST`th frame is taken, and then trails become shorter."""
COARSEST = 4
GAP = 3
"""Two points of a track are joined by a line if it is missing in fewer than `GAP` of the frames between them of which
something is known; over frames of which nothing is known `app.joined` decides."""


def thinned(frames: npt.NDArray[np.int64], most: int) -> npt.NDArray[np.bool_]:
    """Which of some rows are drawn, so that there are hardly more than `most`; the same frames from picture to picture.

    Args:
        frames: of the rows, rising.
    """
    kept = np.ones(len(frames), bool)
    if len(frames) <= most:
        return kept
    stride = min(COARSEST, -(-len(frames) // most))
    # By the frame's own number, so that the same frames are drawn from picture to picture.
    kept = np.asarray(frames % stride == 0, bool)
    many = int(kept.sum())
    if many > most:
        # The oldest frames go, each as a whole.
        kept &= frames > frames[np.flatnonzero(kept)[many - most - 1]]
    return kept


Drawn = list[tuple[int, QtGui.QPainterPath, bool]]
"""Paths, those of one colour in one: number of the colour, path, whether it is of selected tracks."""


def trail_paths(
    past: Tracks, selected: Collection[int], guesses: bool, bounds: QtCore.QRectF, colours: int,
    numbers: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.int64]] | None = None,
    shades: Callable[[Tracks], npt.NDArray[np.int64]] | None = None,
) -> Drawn:  # fmt: skip
    """The trails.

    Args:
        past: rows by rising frame.
        guesses: draw predicted points too.
        bounds: of the picture, px; steps outside of it are left out.
        colours: how many there are.
        numbers: which colour tracks have; without it, their number modulo the count of colours.
        shades: which colour the steps from rows on have, in place of one a track.
    """
    state = past["state"]
    use = state == State.TRACKED
    if guesses:
        use |= state == State.PREDICTED
    at = np.flatnonzero(use)
    frame = past["frame"][at].astype(np.int64)
    thin = thinned(frame, MOST_STEPS)
    at, frame = at[thin], frame[thin]
    if len(at) < 2:
        return []
    track = past["track"][at].astype(np.int64)
    # A key is the number of the colour, and as many more as there are colours for selected tracks.
    chosen = np.isin(track, list(selected)) if selected else np.zeros(len(track), bool)
    if shades is not None:
        key = chosen * colours + shades(past[at])
    else:
        key = chosen * colours + (track % colours if numbers is None else numbers(track))
    # Paths of one colour lie together, in them rows of one track by frame (`lexsort` sorts by its last key first, and
    # is stable); steps with colours of their own need the tracks together only.
    order = np.lexsort((track, key)) if shades is None else np.argsort(track, kind="stable")
    at, frame, track, key = at[order], frame[order], track[order], key[order]
    x, y = past["x"][at].astype(np.float64), past["y"][at].astype(np.float64)
    # A step is left out if both of its ends are outside; else the clip cuts it.
    out = ~((x >= bounds.left()) & (x <= bounds.right()) & (y >= bounds.top()) & (y <= bounds.bottom()))
    place = np.searchsorted(np.unique(frame), frame)  # among the frames of which something is known, and drawn
    # In which stretch of frames that are known each row lies.
    known = np.unique(past["frame"]).astype(np.int64)
    piece = np.append(0, np.cumsum(~joined(known)))[np.searchsorted(known, frame)]
    go_on = (np.diff(track) == 0) & (np.diff(place) <= GAP) & (np.diff(piece) == 0) & ~(out[1:] & out[:-1])
    if shades is not None:
        return step_paths(x, y, np.flatnonzero(go_on), key, colours)
    edges = np.flatnonzero(np.diff(key)) + 1
    # The last point of a colour has no next one.
    made = []
    for a, b in zip([0, *edges.tolist()], [*edges.tolist(), len(key)], strict=True):
        connect = np.append(go_on[a : b - 1], False)
        if connect.any():
            path = pyqtgraph.arrayToQPath(x[a:b], y[a:b], connect=connect.astype(np.int32))
            made.append((int(key[a]) % colours, path, bool(key[a] >= colours)))
    return made


def step_paths(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], steps: npt.NDArray[np.intp], key: npt.NDArray[np.int64],
    colours: int,
) -> Drawn:  # fmt: skip
    """Steps each with a colour of its own.

    Args:
        x, y: of points.
        steps: k is that from point k to the next.
        key: of each point; a step has that of its first one: the number of a colour, `colours` more if it is selected.
        colours: how many there are.
    """
    own = key[steps]
    made: Drawn = []
    for k in np.unique(own).tolist():
        mine = steps[own == k]
        ends = np.stack((mine, mine + 1), axis=1).ravel()
        made.append((k % colours, pyqtgraph.arrayToQPath(x[ends], y[ends], connect="pairs"), k >= colours))
    return made
