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
    """Within 1e-4 of the largest value; int8 networks exactly, without onnxruntime's own rewriting."""
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
            assert np.array_equal(made, wanted)
        largest = float(np.nanmax(np.abs(wanted), initial=1e-9))
        assert np.nanmax(np.abs(made - wanted), initial=0) <= 1e-4 * largest
