"""What the blob tracker keeps of a track, and where compiled code finds it."""

from __future__ import annotations

import numpy.typing as npt

from pipelines.trackers.columns import places
from pipelines.trackers.kalman import (
    ACCELERATION_COLUMNS,
    KALMAN_COLUMNS,
    SEEN_ACCELERATION_COLUMNS,
    SEEN_COLUMNS,
)
from pipelines.trackers.linking.uneven import UNEVEN_COLUMNS
from pipelines.trackers.linking.unseen import MASS_COLUMNS, UNSEEN_COLUMNS

BLOB_COLUMNS: dict[str, npt.DTypeLike] = {
    **KALMAN_COLUMNS, **UNSEEN_COLUMNS, **MASS_COLUMNS,
    "track": "i4",
    "hits": "i4",  # sightings
    "missed": "i4",  # frames without one since the last
    "mass": "f8",  # running mean, 0 when unknown
    **SEEN_COLUMNS, **UNEVEN_COLUMNS,
}  # fmt: skip
CURVED_COLUMNS = BLOB_COLUMNS | ACCELERATION_COLUMNS | SEEN_ACCELERATION_COLUMNS
"""With the acceleration, behind all others."""

_FIRST = places(CURVED_COLUMNS)
X, Y, VX, VY, P00, P01, P11 = (_FIRST[name] for name in KALMAN_COLUMNS)
AX, AY, P02, P12, P22 = (_FIRST[name] for name in ACCELERATION_COLUMNS)
AGE, PX, PY, GAP, PVAR, BIAS = (_FIRST[name] for name in ("age", "px", "py", "gap", "pvar", "bias"))
DOUBT, JUMPING, HX, HY, HT = (_FIRST[name] for name in ("doubt", "jumps", "hx", "hy", "ht"))
WHOLE, FLICKER, OVAL, MASS = (_FIRST[name] for name in ("whole", "flicker", "oval", "mass"))
STRETCH, LEAN, SMEARS, SLANT, SHAPED = (_FIRST[name] for name in ("stretch", "lean", "smear", "slant", "shapes"))
MIXED = _FIRST["mixed"]
SEEN, TRACK, HITS, MISSED = (_FIRST[name] for name in ("places", "track", "hits", "missed"))
SVX, SVY, S01, S11 = (_FIRST[name] for name in SEEN_COLUMNS)
SAX, SAY, S02, S12, S22 = (_FIRST[name] for name in SEEN_ACCELERATION_COLUMNS)
D00, PDIF = (_FIRST[name] for name in UNEVEN_COLUMNS)
STRAIGHT, CURVED = 1 + PDIF, 1 + S22  # entries of a row, without and with the acceleration
"""Entries of a row before each column in the block of its type (see `Columns`); `held` is the only flag."""
