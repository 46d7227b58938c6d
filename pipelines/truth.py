"""The table of true positions, that scenes make and tracks are compared with (`pipelines.evaluation`)."""

from __future__ import annotations

import numpy as np

TRUTH_DTYPE = np.dtype(
    [
        ("frame", "i8"),
        ("time", "f8"),  # s
        ("track", "i4"),  # id of the true thing
        ("x", "f8"),  # px
        ("y", "f8"),
        ("visible", "?"),  # False while it is hidden: then it is neither required nor is a match of it false
    ]
)
"""One true thing in one frame a row."""
