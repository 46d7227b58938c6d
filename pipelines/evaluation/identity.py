"""IDF1: how much of everything one track a thing explains.

Ristani, Solera, Zou, Cucchiara, Tomasi: Performance Measures and a Data Set for Multi-Target, Multi-Camera Tracking,
ECCV workshops 2016: things and tracks are paired one to one for the whole clip, such that as many rows as possible
are within the gate of their partner's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipelines.evaluation.clear_mot import ratio
from pipelines.evaluation.matching import Pairs, best
from pipelines.evaluation.tables import Tables


@dataclass(frozen=True, slots=True)
class Identity:
    """What `identity` found; NaN where there is nothing.

    Args:
        idf1: 2 idtp / (2 idtp + idfp + idfn).
        idp: idtp / (idtp + idfp), the share of the tracks' rows.
        idr: idtp / (idtp + idfn), the share of the truth's rows.
        idtp, idfp, idfn: rows that their partner explains; the tracks' other rows; the truth's other rows.
    """

    idf1: float
    idp: float
    idr: float
    idtp: int
    idfp: int
    idfn: int


def identity(both: Tables, pairs: Pairs) -> Identity:
    """Pair things with tracks.

    Args:
        both: what is required and what is claimed.
        pairs: all pairs of rows within the gate.
    """
    real, claimed = both.real, both.claimed
    # Rows within the gate, counted for each pair of identities; the assignment maximises their sum.
    key, count = np.unique(real.who[pairs.real] * len(claimed.ids) + claimed.who[pairs.claimed], return_counts=True)
    thing, track = np.divmod(key, max(1, len(claimed.ids)))
    hits = int(count[best(thing, track, count)].sum())
    return Identity(
        idf1=ratio(2 * hits, len(real) + len(claimed)),
        idp=ratio(hits, len(claimed)),
        idr=ratio(hits, len(real)),
        idtp=hits,
        idfp=len(claimed) - hits,
        idfn=len(real) - hits,
    )
