"""HOTA: detection and association in one number.

Luiten, Osep, Dendorfer, Torr, Geiger, Leal-Taixe, Leibe: HOTA: A Higher Order Metric for Evaluating Multi-Object
Tracking, International Journal of Computer Vision 129, 2021. Points have no overlap: the similarity of two is
1 - distance / limit, and 0 beyond the limit. All measures are means over the thresholds ALPHAS of the similarity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.evaluation.matching import Pairs, best
from pipelines.evaluation.tables import Tables

Array = npt.NDArray[Any]
ALPHAS = tuple(round(0.05 * k, 2) for k in range(1, 20))
EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class Hota:
    """What `hota` found: means over ALPHAS, each also at every threshold. NaN if both tables are empty.

    Args:
        hota: mean of sqrt(det_a * ass_a) at each threshold.
        det_a, det_re, det_pr: detection: true positives / all; recall; precision.
        ass_a, ass_re, ass_pr: association, averaged over the true positives.
        loc_a: mean similarity of the true positives; 1 without any.
        limit: distance at which the similarity is 0, px.
        by_alpha: the measures at each threshold, by name.
    """

    hota: float
    det_a: float
    ass_a: float
    loc_a: float
    det_re: float
    det_pr: float
    ass_re: float
    ass_pr: float
    limit: float
    by_alpha: dict[str, tuple[float, ...]]


def hota(both: Tables, pairs: Pairs, limit: float) -> Hota:
    """Match by similarity and global alignment, and count at every threshold.

    Args:
        both: what is required and what is claimed.
        pairs: all pairs of rows within `limit`.
        limit: px.
    """
    real, claimed = both.real, both.claimed
    similarity = 1.0 - pairs.distance / limit
    pairs, similarity = pairs.only(similarity > 0), similarity[similarity > 0]
    # One number a pair of identities (thing, track); `cell` says which of them each pair of rows is.
    key, cell = np.unique(real.who[pairs.real] * len(claimed.ids) + claimed.who[pairs.claimed], return_inverse=True)
    thing, track = np.divmod(key, max(1, len(claimed.ids)))
    together = real.counts()[thing] + claimed.counts()[track]
    # How well a thing and a track agree over the whole clip, before anything is matched.
    # Similarity of a pair over that of all pairs that share one of its rows: a soft intersection over union, as
    # TrackEval.
    around = np.bincount(pairs.real, similarity, len(real))[pairs.real]
    around += np.bincount(pairs.claimed, similarity, len(claimed))[pairs.claimed]
    overlap = np.bincount(cell, similarity / (around - similarity), len(key))
    alignment = overlap / (together - overlap)
    # The alignment over the clip decides first, the similarity of the rows then.
    chosen = best(pairs.real, pairs.claimed, alignment[cell] * similarity)
    similarity, cell = similarity[chosen], cell[chosen]
    found: dict[str, list[float]] = {name: [] for name in _NAMES}
    for alpha in ALPHAS:
        # EPS, so that a similarity equal to the threshold counts in spite of rounding.
        hit = similarity >= alpha - EPS
        matched = np.bincount(cell[hit], minlength=len(key))
        hits = int(hit.sum())
        # True positives + false negatives + false positives.
        union = len(real) + len(claimed) - hits
        det_a = hits / max(1, union)
        ass_a = _share(matched, together - matched, hits)
        values = (
            math.sqrt(det_a * ass_a), det_a, ass_a, float(similarity[hit].sum()) / hits if hits else 1.0,
            hits / max(1, len(real)), hits / max(1, len(claimed)),
            _share(matched, real.counts()[thing], hits), _share(matched, claimed.counts()[track], hits),
        )  # fmt: skip
        for name, value in zip(_NAMES, values, strict=True):
            found[name].append(value if len(real) + len(claimed) else math.nan)
    means = {name: float(np.mean(values)) for name, values in found.items()}
    return Hota(**means, limit=limit, by_alpha={name: tuple(values) for name, values in found.items()})


_NAMES = ("hota", "det_a", "ass_a", "loc_a", "det_re", "det_pr", "ass_re", "ass_pr")


def _share(matched: Array, whole: Array, hits: int) -> float:
    # Each true positive counts with the Jaccard index of its pair of identities: sum over TP of A(c), over TP.
    return float((matched * (matched / np.maximum(1, whole))).sum()) / max(1, hits)
