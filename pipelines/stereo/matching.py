"""Which tracks of several cameras are of the same thing: those whose lines of sight meet in every frame.

Two tracks differ in a frame by the distance of Sampson (1982): how far, to first order, both would have to be moved in
their pictures for their lines of sight to meet. A pair of tracks gains 1 - (distance / limit)^2 in each frame that both
are seen in; groups grow from the pair that gains most, and never hold two tracks of one camera at one time. So a thing
that a camera lost and found again has several tracks of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.stereo.camera_model import Array, CameraModel, essential_matrix


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What a camera saw.

    Args:
        frame: (N,), of the common count, whole numbers.
        track: (N,).
        pixels: (N, 2).
        sigma: (N, 2), standard uncertainties, px.
    """

    frame: np.ndarray
    track: np.ndarray
    pixels: Array
    sigma: Array


@dataclass(frozen=True, slots=True)
class Matched:
    """Args:
    groups: things, each as (camera, track) of those that see it, two cameras at least.
    ambiguous: of them those for which another track would have gained more than half as much.
    alone: tracks of each camera that belong to no thing.
    """

    groups: tuple[tuple[tuple[int, int], ...], ...]
    ambiguous: int
    alone: tuple[int, ...]


def match_tracks(cameras: Sequence[CameraModel], seen: Sequence[Seen], limit: float, least: int) -> Matched:
    """Group tracks.

    Args:
        cameras: C of them.
        seen: what each saw.
        limit: px by which lines of sight may miss each other, on average.
        least: frames in which two tracks have to be seen at once.
    """
    pairs: list[tuple[float, tuple[int, int], tuple[int, int]]] = []
    rivals: dict[tuple[int, int], list[tuple[float, tuple[int, int]]]] = {}
    for a in range(len(cameras)):
        for b in range(a + 1, len(cameras)):
            for gain, track, its in _gains(cameras[a], cameras[b], seen[a], seen[b], limit, least):
                pairs.append((gain, (a, track), (b, its)))
                rivals.setdefault((a, track), []).append((gain, (b, its)))
                rivals.setdefault((b, its), []).append((gain, (a, track)))
    spans = [{int(track): frozenset(its.frame[its.track == track].tolist()) for track in np.unique(its.track)}
             for its in seen]  # fmt: skip
    group: dict[tuple[int, int], list[tuple[int, int]]] = {}
    ambiguous = set()
    for gain, one, other in sorted(pairs, key=lambda pair: (-pair[0], pair[1:])):
        left, right = group.get(one, [one]), group.get(other, [other])
        if left is right or _at_once(left, right, spans):
            continue
        for here, there in ((one, other), (other, one)):
            if any(rival >= 0.5 * gain and who != there and who[0] == there[0] and _at_once([who], [there], spans)
                   for rival, who in rivals[here]):  # fmt: skip
                ambiguous.add(here)
        left = sorted(left + right)
        for member in left:
            group[member] = left
    groups = sorted({tuple(members) for members in group.values()})
    taken = {member for members in groups for member in members}
    alone = tuple(sum((at, track) not in taken for track in its) for at, its in enumerate(spans))
    return Matched(tuple(groups), sum(any(one in ambiguous for one in members) for members in groups), alone)


def _at_once(
    left: Sequence[tuple[int, int]], right: Sequence[tuple[int, int]], spans: Sequence[dict[int, frozenset[int]]]
) -> bool:
    """Whether two groups hold tracks of one camera that are seen at one time."""
    return any(a == b and spans[a][one] & spans[b][other] for a, one in left for b, other in right)


def _gains(
    one: CameraModel, other: CameraModel, left: Seen, right: Seen, limit: float, least: int
) -> list[tuple[float, int, int]]:
    """Pairs of tracks with a gain above nothing."""
    matrix = essential_matrix(one, other)
    focal = 0.5 * (one.matrix[0, 0] + other.matrix[0, 0])
    lines = [np.column_stack((camera.rays(seen.pixels), np.ones(len(seen.frame))))
             for camera, seen in ((one, left), (other, right))]  # fmt: skip
    tracks = [np.unique(seen.track, return_inverse=True) for seen in (left, right)]
    gain = np.zeros((len(tracks[0][0]), len(tracks[1][0])))
    together = np.zeros(gain.shape, int)
    starts = [_by_frame(seen.frame) for seen in (left, right)]
    for frame in sorted(starts[0].keys() & starts[1].keys()):
        rows, columns = starts[0][frame], starts[1][frame]
        a, b = lines[0][rows] @ matrix.T, lines[1][columns] @ matrix  # the other picture's lines
        apart = a @ lines[1][columns].T
        wide = (a[:, :2] ** 2).sum(axis=1)[:, None] + (b[:, :2] ** 2).sum(axis=1)[None]
        with np.errstate(all="ignore"):
            distance = focal**2 * apart**2 / wide
        at = np.ix_(tracks[0][1][rows], tracks[1][1][columns])
        gain[at] += np.nan_to_num(1.0 - distance / limit**2, nan=-1e9)
        together[at] += 1
    good = (gain > 0) & (together >= least)
    (names, _), (others, _) = tracks
    return [(float(gain[a, b]), int(names[a]), int(others[b])) for a, b in zip(*np.nonzero(good), strict=True)]


def _by_frame(frames: np.ndarray) -> dict[int, np.ndarray]:
    order = np.argsort(frames, kind="stable")
    values, starts = np.unique(frames[order], return_index=True)
    return dict(zip(values.tolist(), np.split(order, starts[1:]), strict=True))
