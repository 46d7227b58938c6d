"""Rows in corrections that were saved by earlier versions."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

from app.desk.tracks.steps import packed, unpacked
from pipelines.features import TRACK_DTYPE
from tests.app.exports.made import random_tracks


def test_rows_of_before_there_was_an_anisotropy_are_read() -> None:
    rows = random_tracks(9, 3)
    names = [name for name in TRACK_DTYPE.names or () if name != "anisotropy"]
    old = np.zeros(len(rows), [(name, TRACK_DTYPE[name]) for name in names])
    for name in names:
        old[name] = rows[name]
    text = base64.b64encode(zlib.compress(old.tobytes())).decode()
    assert unpacked(text).tobytes() == rows.tobytes()
    rows["anisotropy"] = 0.25
    assert unpacked(packed(rows)).tobytes() == rows.tobytes()
    with pytest.raises(ValueError):
        unpacked(base64.b64encode(zlib.compress(old.tobytes()[:-1])).decode())
