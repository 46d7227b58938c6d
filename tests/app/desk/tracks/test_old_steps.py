"""Rows in corrections that were saved by earlier versions."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

from app.desk.tracks.steps import packed, unpacked
from pipelines.features import TRACK_DTYPE
from pipelines.measures import measured_as
from tests.app.exports.made import random_tracks


@pytest.mark.parametrize(("begin", "lacks"), [("", ("anisotropy", "correlation")), ("a:", ("correlation",))])
def test_rows_of_before_there_was_an_anisotropy_or_a_correlation_are_read(begin: str, lacks: tuple[str, ...]) -> None:
    rows = random_tracks(9, 3)
    if not begin:
        rows["anisotropy"] = 0
    names = [name for name in TRACK_DTYPE.names or () if name not in lacks]
    old = np.zeros(len(rows), [(name, TRACK_DTYPE[name]) for name in names])
    for name in names:
        old[name] = rows[name]
    text = begin + base64.b64encode(zlib.compress(old.tobytes())).decode()
    assert unpacked(text).tobytes() == rows.tobytes()
    rows["anisotropy"], rows["correlation"] = 0.25, -0.5
    assert unpacked(packed(rows)).tobytes() == rows.tobytes()
    with pytest.raises(ValueError):
        unpacked(begin + base64.b64encode(zlib.compress(old.tobytes()[:-1])).decode())


def test_rows_keep_their_measures_and_unknown_ones_are_refused() -> None:
    rows = measured_as(random_tracks(5, 2), ("area", "rotation"))
    rows["area"] = np.arange(len(rows))
    made = unpacked(packed(rows))
    assert made.dtype == rows.dtype
    assert made.tobytes() == rows.tobytes()
    with pytest.raises(ValueError, match="there are not: area,tint"):
        unpacked(packed(rows).replace("rotation", "tint"))
