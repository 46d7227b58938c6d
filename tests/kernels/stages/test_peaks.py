import numpy as np
import pytest

from kernels.executors.reference import evaluate
from kernels.ir.image import F32, I32, U8, ImageType
from kernels.stages.nms import nms
from kernels.stages.peaks import peaks
from tests.kernels.stages.peers import SIZES, derived, picture, square


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_lists_what_nms_keeps_in_raster_order(size, dtype):
    image = picture(size, dtype)
    table = evaluate(peaks, image, threshold=40.0)
    kept = evaluate(nms, image)
    y, x = np.nonzero(kept > 40)
    np.testing.assert_array_equal(table.rows["x"], x)
    np.testing.assert_array_equal(table.rows["y"], y)
    np.testing.assert_array_equal(table.rows["value"], image[y, x])
    assert table.overflow == 0


def test_the_offsets_are_the_parabolas_vertices():
    image = picture((30, 40), np.float32)
    rows = evaluate(peaks, image).rows
    assert len(rows) > 50
    for row in rows:
        x, y = int(row["x"]), int(row["y"])
        for name, at, n, line in (("dx", x, 40, image[y]), ("dy", y, 30, image[:, x])):
            if 0 < at < n - 1:
                a, b, _ = np.polyfit((-1, 0, 1), line[at - 1 : at + 2].astype(float), 2)
                assert row[name] == pytest.approx(-b / (2 * a), abs=2e-5)
            else:
                assert row[name] == 0.0
            assert abs(row[name]) <= 0.5


def test_a_parabolic_spot_is_found_where_it_is():
    y, x = np.mgrid[:15, :15]
    spot = (100 - (x - 7.3) ** 2 - 2 * (y - 6.1) ** 2).astype(np.float32)
    (row,) = evaluate(peaks, spot).rows
    assert row["x"] + row["dx"] == pytest.approx(7.3, abs=1e-4)
    assert row["y"] + row["dy"] == pytest.approx(6.1, abs=1e-4)


def test_a_plateau_has_one_peak_without_offset():
    flat = np.full((4, 5), 9, np.uint8)
    (row,) = evaluate(peaks, flat).rows
    assert tuple(row) == (0, 0, 9, 0.0, 0.0)


def test_what_does_not_fit_is_counted():
    image = np.zeros((9, 9), np.uint8)
    image[::2, ::2] = 200
    table = evaluate(peaks, image, capacity=7)
    assert len(table.rows) == 7
    assert table.overflow == 18
    np.testing.assert_array_equal(table.rows["x"], [0, 2, 4, 6, 8, 0, 2])


def test_the_threshold_itself_is_no_peak():
    image = np.array([[0, 50, 0, 51]], np.uint8)
    assert evaluate(peaks, image, threshold=50.0).rows["value"].tolist() == [51]


def test_properties():
    assert derived(peaks) == ("reduction", square(1), False)
    (out,) = peaks.build([ImageType(U8, 4, 5)]).outputs
    assert out.type.columns == (("x", I32), ("y", I32), ("value", U8), ("dx", F32), ("dy", F32))
    assert out.type.capacity == 2 * 3  # no two in a square of 2x2


@pytest.mark.parametrize("size", [(5, 9), (4, 8), (1, 7)])
def test_there_is_room_for_as_many_as_a_picture_can_hold(size):
    image = np.zeros(size, np.uint8)
    image[::2, ::2] = 1
    table = evaluate(peaks, image)
    assert (len(table.rows), table.overflow) == (int(image.sum()), 0)
    (out,) = peaks.build([ImageType(U8, 9000, 9000)]).outputs
    assert out.type.capacity == 1 << 18
