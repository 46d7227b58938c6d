"""Trackers add in orders of their own: no linear algebra of the machine, whose bits are its own."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pipelines.trackers
from pipelines.trackers.base import make_tracker
from pipelines.trackers.registration.windows.plane_maps import applied, determinant, inverse, product, upright

TRACKERS = Path(pipelines.trackers.__file__).parent
FILES = sorted(TRACKERS.rglob("*.py"))
FOREIGN = {"dot", "vdot", "inner", "matmul", "tensordot", "linalg", "polyfit", "lstsq", "matvec", "vecmat", "vecdot"}
"""Names of NumPy's and SciPy's that lead to BLAS or LAPACK; `einsum` does where it may optimize."""


def foreign(text: str) -> list[str]:
    """What of a module's text is done by the machine's linear algebra, by line."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
            found.append(f"{node.lineno}: @")
        elif isinstance(node, ast.Attribute) and node.attr in FOREIGN:
            found.append(f"{node.lineno}: .{node.attr}")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("numpy", "scipy"):
            found += [f"{node.lineno}: {a.name}" for a in node.names if {a.name, *node.module.split(".")} & FOREIGN]
        elif isinstance(node, ast.keyword) and node.arg == "optimize":
            found.append(f"{node.lineno}: optimize")
    return found


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(TRACKERS)) for path in FILES])
def test_no_tracker_calls_the_linear_algebra_of_the_machine(path):
    assert foreign(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("text", [
    "a @ b", "a @= b", "np.dot(a, b)", "a.dot(b)", "np.linalg.inv(a)", "np.einsum(t, a, b, optimize=True)",
    "from numpy.linalg import inv", "from scipy import linalg",
])  # fmt: skip
def test_it_would_be_found(text):
    assert len(foreign(text)) == 1


matrices = st.lists(st.floats(-2, 2, width=16), min_size=4, max_size=4).map(lambda v: np.reshape(v, (2, 2)))


@given(matrices, matrices)
def test_maps_of_the_plane_are_those_of_linear_algebra(a, b):
    np.testing.assert_allclose(product(a, b), a @ b, atol=1e-12)
    np.testing.assert_allclose(applied(a, b[0], b[1]).T, a @ b, atol=1e-12)
    np.testing.assert_allclose(determinant(a), np.linalg.det(a), atol=1e-12)
    if abs(np.linalg.det(a)) > 0.05:
        np.testing.assert_allclose(product(inverse(a), a), np.eye(2), atol=1e-9)
    if np.linalg.det(a) > 0.05:
        left, _, right = np.linalg.svd(a)
        np.testing.assert_allclose(upright(a), left @ right, atol=1e-7)
    both = product(np.stack((a, b)), np.stack((b, a)))
    assert both[1].tobytes() == product(b, a).tobytes()  # one by one as together


KINDS = ("uint8", "uint16", "int16", "int32", "uint32", "int64", "float32", "float64")


@pytest.mark.parametrize(
    ("name", "params"),
    [("template", {}), ("template", {"model": "rigid"}), ("klt", {"max_points": 0}), ("vibration", {})],
)
def test_the_same_grey_values_give_the_same_rows_whatever_their_type(scene, name, params):
    plate, rng = scene.Speckle(seed=3), np.random.default_rng(2)
    clip = [
        np.rint(120 + 25 * plate.image(72, 72, 0.3 * i, -0.2 * i) + 2 * rng.normal(size=(72, 72))).clip(0, 255)
        for i in range(20)
    ]
    made = []
    for kind in KINDS:
        points = {"points": ((24.0, 30.0), (45.3, 40.0)), "window": 15, **params}
        rows = scene.run(make_tracker(name, points, (72, 72), 1000.0), [one.astype(kind) for one in clip], "image")
        made.append(rows.tobytes())
    assert len(rows) == 40
    assert len(set(made)) == 1
