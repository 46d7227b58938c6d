"""Whole gray values that are meant as fractions: rows have the bits of those of an image of f32."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.components.blobs import measure
from kernels.executors.machine import Machine
from kernels.loops.fractions import Fractions, pixels_of
from kernels.plugins import find_stage

WAYS = (
    {},
    {"refine_sigma": 1.4},
    {"refine_sigma": 1.4, "refine": "radial", "background": "ring", "polarity": "dark"},
    {"split": 2.5, "refine_sigma": 1.4},
    {"centre": "ellipse"},
    {"background": "level", "level": 0.1},
)


def _frames(dtype: type, white: int) -> np.ndarray:
    rng = np.random.default_rng(4)
    y, x = np.mgrid[:96, :130]
    light = rng.normal(30, 3, (2, 96, 130))
    for frame in light:
        for _ in range(9):
            cx, cy, s = rng.uniform(0, 130), rng.uniform(0, 96), rng.uniform(0.9, 3)
            frame += 150 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * s * s))
    light[1, 10:85, 20:95] += 60  # more than a tile holds
    return (np.clip(light, 0, 255) * white / 255).astype(dtype)


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize(("dtype", "white"), [(np.uint8, 255), (np.uint16, 1023), (np.uint16, 65535)])
def test_rows_are_those_of_the_divided_image(dtype: type, white: int, way: dict[str, object]) -> None:
    whole = _frames(dtype, white)
    params = {p.name: p.default for p in find_stage("components").params} | way
    masks = whole > 0.35 * white
    divided = whole.astype(np.float32) / np.float32(white)
    wanted, got = measure(masks, divided, params), measure(masks, Fractions(whole, white), params)
    assert sum(len(rows) for rows, _ in wanted) > 10
    for (rows, more), (own, also) in zip(wanted, got, strict=True):
        assert own.tobytes() == rows.tobytes()
        assert also == more


def test_numpy_sees_what_is_meant() -> None:
    given = Fractions(np.array([[[0, 51, 255]]], np.uint8), 255)
    assert np.asarray(given).dtype == np.float32
    assert np.array_equal(given, np.array([[[0, 0.2, 1]]], np.float32))
    assert [frame.tolist() for frame in given[:1]] == [[[0.0, np.float32(0.2), 1.0]]]
    assert pixels_of(given).name == "uint8/255"


def test_one_machine_code_serves_every_full_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled anew for a camera of other bits; copies that are in use at once keep their own."""
    whole = _frames(np.uint16, 1023)
    params = {p.name: p.default for p in find_stage("components").params} | {"refine_sigma": 1.4}
    found = measure(whole > 358, Fractions(whole, 1023), params)
    monkeypatch.setattr(Machine, "compile", lambda *_: pytest.fail("compiled"))
    other = measure(whole > 358, Fractions(whole, 1021), params)  # a full scale that nobody has
    again = measure(whole > 358, Fractions(whole, 1023), params)
    for (rows, _), (same, _), (brighter, _) in zip(found, again, other, strict=True):
        assert same.tobytes() == rows.tobytes()
        assert brighter["mass"] == pytest.approx(rows["mass"] * (1023 / 1021), rel=1e-5)
