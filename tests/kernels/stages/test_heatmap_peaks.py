"""Peaks of heat maps: sub-pixel places, covariances, several a channel, offsets, the way back to the frame."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.decoders import heatmap_loops, heatmaps
from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate, evaluate_clip
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.placement import PLACEMENT
from kernels.ir.table import FEATURE, TableType
from kernels.loops.language import provide
from kernels.stages.heatmap_peaks import heatmap_peaks
from pipelines.features import FEATURE_DTYPE

RNG = np.random.default_rng(3)


def bell(size, x, y, xx=2.25, xy=0.0, yy=2.25):
    """A Gaussian of height 1 with the covariance xx, xy, yy."""
    v, u = np.mgrid[0 : size[0], 0 : size[1]]
    du, dv, det = u - x, v - y, xx * yy - xy * xy
    return np.exp(-0.5 * (yy * du * du - 2 * xy * du * dv + xx * dv * dv) / det).astype(np.float32)


def placed(a=1.0, b=0.0, c=0.0, d=0.0, e=1.0, f=0.0, width=0.0, height=0.0):
    return np.array([a, b, c, d, e, f, width, height]).reshape(1, 1, 8)


@pytest.mark.parametrize(
    ("method", "most"), [("dark", 2e-6), ("parabola", 0.03), ("integral", 0.35), ("pixel", 0.5)]
)
def test_each_method_finds_gaussians_as_well_as_it_can(method, most):
    worst = 0.0
    for _ in range(40):
        x, y = RNG.uniform(5, 9, 2)
        row = evaluate(heatmap_peaks, bell((15, 15), x, y), method=method)["points"].rows[0]
        worst = max(worst, abs(row["x"] - x), abs(row["y"] - y))
    assert worst < most


def test_dark_gives_the_covariance_of_any_gaussian_in_px_of_the_frame():
    row = evaluate(heatmap_peaks, bell((15, 15), 7.2, 6.9, 3.0, 1.0, 2.0))["out"].rows[0]
    assert [row[n] for n in ("xx", "xy", "yy")] == pytest.approx([3.0, 1.0, 2.0], abs=1e-4)
    assert row["sigma"] == pytest.approx(0.085 * np.sqrt(2.5) / row["peak"], abs=1e-5)
    assert row["anisotropy"] == pytest.approx(0.2, abs=1e-5)
    turn = np.array([[0.0, -2.0], [3.0, 0.5]])
    where = placed(*turn[0], 100.0, *turn[1], 50.0, 15.0, 15.0)
    row = evaluate(heatmap_peaks, bell((15, 15), 7.2, 6.9, 3.0, 1.0, 2.0), None, where)["out"].rows[0]
    assert np.array([row["x"], row["y"]]) == pytest.approx(turn @ [7.2, 6.9] + [100, 50], abs=1e-4)
    wanted = turn @ [[3.0, 1.0], [1.0, 2.0]] @ turn.T
    assert [row[n] for n in ("xx", "xy", "yy")] == pytest.approx([wanted[0, 0], wanted[0, 1], wanted[1, 1]], rel=1e-4)


def test_an_integral_has_the_moments_of_its_window():
    row = evaluate(heatmap_peaks, bell((31, 31), 15.3, 14.8), method="integral", window=12)["out"].rows[0]
    assert [row[n] for n in ("x", "y", "xx", "yy")] == pytest.approx([15.3, 14.8, 2.25, 2.25], abs=1e-4)


def test_what_is_at_the_edge_stays_in_the_map():
    maps = np.stack([bell((9, 12), 0.2, 4.3), bell((9, 12), 11.0, 8.4)], -1)
    rows = evaluate(heatmap_peaks, maps)["points"].rows
    assert rows["x"].tolist() == [0.0, 11.0]
    assert rows["y"] == pytest.approx([4.3, 8.0], abs=0.05)
    assert np.isnan(rows["sigma"]).all()
    assert (rows["anisotropy"] == 0).all()


@pytest.mark.parametrize(
    ("pixels", "expected"), [("half", 4 * 7.2 + 1.5), ("corner", 4 * 7.2), ("middle", 4 * 7.2 + 2.0)]
)
def test_where_a_pixel_of_a_map_lies(pixels, expected):
    maps = bell((15, 20), 7.2, 6.0)
    for where, stride in ((None, 4.0), (placed(width=80, height=60), 0.0)):
        row = evaluate(heatmap_peaks, maps, None, where, pixels=pixels, stride=stride)["out"].rows[0]
        assert row["x"] == pytest.approx(expected, abs=1e-4)


def test_offsets_are_those_of_deeplabcut():
    maps, offsets = np.zeros((6, 8, 2), np.float32), RNG.standard_normal((6, 8, 4)).astype(np.float32)
    maps[2, 5, 0], maps[4, 1, 1] = 0.9, 0.8
    rows = evaluate(heatmap_peaks, maps, offsets, method="pixel", pixels="middle", stride=8.0)["points"].rows
    for k, (x, y) in enumerate(((5, 2), (1, 4))):
        assert rows["x"][k] == pytest.approx(8 * x + 4 + 7.2801 * offsets[y, x, 2 * k], abs=1e-5)
        assert rows["y"][k] == pytest.approx(8 * y + 4 + 7.2801 * offsets[y, x, 2 * k + 1], abs=1e-5)


def test_several_peaks_of_a_channel_by_height_and_apart():
    maps = np.stack([0.5 * bell((40, 50), 10.25, 10) + 0.9 * bell((40, 50), 30, 20.5) + 0.7 * bell((40, 50), 40, 8.0),
                     0.8 * bell((40, 50), 5, 30)], -1)  # fmt: skip
    table = evaluate(heatmap_peaks, maps, instances=4)["points"]
    assert table.rows["point"].tolist() == [0, 0, 0, 1]
    assert table.rows["instance"].tolist() == [0, 1, 2, 0]
    assert table.rows["x"] == pytest.approx([30, 40, 10.25, 5], abs=1e-3)
    assert table.overflow == 0
    table = evaluate(heatmap_peaks, maps, instances=2)["points"]
    assert (table.rows["point"].tolist(), table.overflow) == ([0, 0, 1], 1)
    table = evaluate(heatmap_peaks, maps, instances=4, separation=17.0)["points"]
    assert table.rows["x"] == pytest.approx([30, 10.25, 5], abs=1e-3)


def test_what_is_low_or_no_number_or_nowhere_is_no_peak():
    maps = np.stack([bell((9, 9), 4, 4), 0.1 * bell((9, 9), 4, 4), np.full((9, 9), np.nan, np.float32)], -1)
    assert evaluate(heatmap_peaks, maps)["points"].rows["point"].tolist() == [0]
    assert evaluate(heatmap_peaks, maps, threshold=0.05)["points"].rows["point"].tolist() == [0, 1]
    assert not len(evaluate(heatmap_peaks, maps, None, np.full((1, 1, 8), np.nan))["points"].rows)
    flat = np.zeros((5, 6, 2), np.float32)
    assert evaluate(heatmap_peaks, flat, threshold=-1.0)["points"].rows["x"].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("method", ["integral", "parabola", "pixel"])
def test_what_is_infinite_lies_at_its_pixel(method):
    maps = bell((9, 9), 4, 4)
    maps[4, 3] = np.inf
    (row,) = evaluate(heatmap_peaks, maps, method=method)["points"].rows
    assert (row["x"], row["y"], row["score"]) == (3.0, 4.0, np.inf)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 20), st.integers(1, 9), st.integers(1, 9), st.integers(0, 1 << 30), st.booleans())
def test_maxima_are_the_first_of_the_largest(channels, height, width, seed, coarse):
    maps = np.random.default_rng(seed).standard_normal((2, height, width, channels)).astype(np.float32)
    if coarse:  # many are equal
        maps = np.rint(maps)
    given_maps = maps if channels > 1 else maps[..., 0]
    tables = evaluate_clip(heatmap_peaks, given_maps, method="pixel", threshold=-100.0)["points"]
    for table, one in zip(tables, maps, strict=True):
        flat = one.reshape(-1, channels)
        assert table.rows["point"].tolist() == list(range(channels))
        assert (table.rows["y"] * width + table.rows["x"]).astype(int).tolist() == flat.argmax(0).tolist()
        assert np.array_equal(table.rows["score"], flat.max(0).astype(np.float64))


@pytest.mark.parametrize("method", heatmaps.METHODS)
@pytest.mark.parametrize("instances", [1, 3])
def test_compiled_and_python_give_the_same_bits(method, instances):
    maps = RNG.random((3, 7, 9, 5), np.float32) - np.float32(0.1)
    maps[0, 2, 3] = np.nan
    offsets = RNG.standard_normal((3, 7, 9, 10)).astype(np.float32)
    where = RNG.standard_normal((3, 1, 1, 8))
    ask = {"method": method, "instances": instances, "threshold": 0.3}
    compiled = evaluate_clip(heatmap_peaks, maps, offsets, where, **ask)
    provide(None)
    try:
        plain = evaluate_clip(heatmap_peaks, maps, offsets, where, **ask)
    finally:
        from kernels.executors import natives

        provide(natives.load)
    for name in ("out", "points"):
        for a, b in zip(compiled[name], plain[name], strict=True):
            assert a.rows.tobytes() == b.rows.tobytes()
            assert a.overflow == b.overflow


def test_rows_are_of_the_type_that_trackers_take():
    rows = evaluate(heatmap_peaks, bell((9, 9), 4, 4))["out"].rows
    assert rows.dtype is FEATURE_DTYPE


def test_what_has_no_room_among_the_maxima_is_counted():
    maps = np.zeros((200, 200), np.float32)
    maps[::2, ::2] = 1.0
    found = evaluate(heatmap_peaks, maps, instances=8, separation=0.0)["out"]
    assert len(found.rows) == 8
    assert found.overflow == 100 * 100 - 8


def test_the_loops_know_the_columns_by_their_order():
    names = [name for name, _ in FEATURE]
    assert [names[k] for k in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)] == [
        "x", "y", "mass", "peak", "area", "xx", "xy", "yy", "sigma", "anisotropy", "stretch", "lean",
    ]  # fmt: skip
    assert len(heatmaps.METHODS) == heatmap_loops.INTEGRAL + 1


@pytest.mark.parametrize(
    ("types", "sentence"),
    [
        ([ImageType(U8, 4, 4)], "its maps are an image of floats, not 4x4 u8"),
        ([TableType(FEATURE, 4)], "its maps are an image of floats, not table"),
        ([ImageType(F32, 4, 4, 2), ImageType(F32, 4, 4, 2)], "a channel of the maps, 4x4x4 f32, not 4x4x2"),
        ([ImageType(F32, 4, 4), None, ImageType(F32, 4, 4)], "its placement is an image of one pixel with 8 channels"),
    ],
)
def test_mistakes_are_named(types, sentence):
    with pytest.raises(DefinitionError, match="1000 peaks for each of 100 channels are more than 65536"):
        heatmap_peaks.build([ImageType(F32, 4, 4, 100)], {"instances": 1000})
    with pytest.raises(DefinitionError, match=sentence):
        heatmap_peaks.build(types)
    assert heatmap_peaks.build([ImageType(F32, 4, 4), None, PLACEMENT]).outputs[1].type.capacity == 1
