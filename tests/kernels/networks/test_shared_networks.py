"""Networks as users' tools export them, against onnxruntime; skipped where the files or onnxruntime are not there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kernels.networks.onnx_reader import read
from tests.networks import judge, run

NETS = Path(__file__).parents[4] / "shared" / "nets"
FILES = sorted(NETS.glob("*.onnx"))


@pytest.mark.skipif(not FILES, reason="the networks in ../shared/nets are not here")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_network_gives_what_onnxruntime_gives(file):
    """Within 1e-4 of the largest value; of int8 networks one value in a hundred may be a unit off, where a sum of
    onnxruntime's, which has another order, lies on the other side of a half."""
    session = judge(file)
    if session is None:
        pytest.skip("onnxruntime is not installed")
    declared = read(file).inputs[0]
    known = {"batch": 1, "h": 64, "w": 96}
    shape = [n if isinstance(n, int) else known[n] for n in declared.shape or ()]
    rng = np.random.default_rng(5)
    values = rng.random(shape)
    frame = values.astype(np.float32) if declared.dtype == "float32" else (values * 255).astype(declared.dtype)
    found = run(file, {declared.name: frame})
    for one, wanted in zip(session.get_outputs(), session.run(None, {declared.name: frame}), strict=True):
        made = found[one.name]
        assert made.shape == wanted.shape
        assert np.array_equal(np.isnan(made), np.isnan(wanted))
        if "int8" in file.stem:
            off = np.abs(made - wanted)
            unit = np.unique(off[off > 0]).min(initial=np.inf)
            assert np.mean(off > 0) <= 0.01
            assert off.max() <= 1.001 * unit or not off.any()
            continue
        largest = float(np.nanmax(np.abs(wanted), initial=1e-9))
        assert np.nanmax(np.abs(made - wanted), initial=0) <= 1e-4 * largest
