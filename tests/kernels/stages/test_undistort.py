import numpy as np
import pytest
from scipy import ndimage

from kernels.errors import DefinitionError
from kernels.executors.reference import evaluate
from kernels.opencv import cv2
from kernels.stages.undistort import undistort
from tests.kernels.stages.peers import ANYWHERE, BORDERS, SCIPY, SIZES, derived, picture

FOCAL, CENTRE = (21.0, 19.0), (9.2, 5.1)
LENSES = {
    "barrel": (-0.3, 0.1, 0.0, 0.0, 0.0),
    "pincushion": (0.25, 0.0, 0.0, 0.0, 0.05),
    "tangential": (0.0, 0.0, 0.02, -0.03, 0.0),
    "all": (-0.2, 0.05, 0.01, 0.02, -0.01),
}


def matrix(focal=FOCAL, centre=CENTRE):
    return np.array([[focal[0], 0, centre[0]], [0, focal[1], centre[1]], [0, 0, 1]])


def positions(size, lens, focal=FOCAL, centre=CENTRE):
    """Where OpenCV looks, x and y, f32 from float64 arithmetic."""
    k = matrix(focal, centre)
    return cv2.initUndistortRectifyMap(k, np.array(lens), None, k, size[::-1], cv2.CV_32FC1)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lens", LENSES.values(), ids=LENSES)
@pytest.mark.parametrize("border", BORDERS)
def test_equals_bilinear_sampling_at_opencvs_positions(size, lens, border):
    image = picture(size, np.float32)
    x, y = (p.reshape(size).astype(float) for p in positions(size, lens))
    got = evaluate(undistort, image, focal=FOCAL, centre=CENTRE, distortion=lens, border=border)
    margin = 40
    wide = np.pad(image, margin, mode="constant") if border == "constant" else None
    if wide is None:
        want = ndimage.map_coordinates(image.astype(float), [y, x], order=1, mode=SCIPY[border])
    else:  # SciPy's constant does not interpolate towards the outside
        want = ndimage.map_coordinates(wide.astype(float), [y + margin, x + margin], order=1)
    np.testing.assert_allclose(got, want, rtol=0, atol=2e-3)  # neighbours differ by up to 200, positions by 1e-5 px


@pytest.mark.parametrize("lens", LENSES.values(), ids=LENSES)
def test_equals_cv2_undistort_within_its_grid_of_positions(lens):
    y, x = np.mgrid[:48, :64]
    image = (40 + 2 * x + y).astype(np.float32)  # a slope of 1/32 px is at most 3/32 gray values
    centre = (31.0, 24.5)
    got = evaluate(undistort, image, focal=(90.0, 90.0), centre=centre, distortion=lens, border="replicate")
    want = cv2.undistort(image, matrix((90.0, 90.0), centre), np.array(lens))
    at_x, at_y = positions(image.shape, lens, (90.0, 90.0), centre)
    inside = (at_x >= 0) & (at_x <= 63) & (at_y >= 0) & (at_y <= 47)
    assert inside.mean() > 0.9
    np.testing.assert_allclose(got[inside], want[inside], rtol=0, atol=3 / 64 + 1e-3)


def test_positions_of_a_large_image_are_good_to_a_thousandth_of_a_pixel():
    size, focal, centre = (600, 2000), (1500.0, 1500.0), (1011.3, 290.7)
    lens = LENSES["all"]
    x = np.tile(np.arange(2000, dtype=np.float32), (600, 1))
    got = evaluate(undistort, x, focal=focal, centre=centre, distortion=lens, border="replicate")
    want = np.clip(positions(size, lens, focal, centre)[0], 0, 1999)
    np.testing.assert_allclose(got, want, rtol=0, atol=6e-4)


def test_an_empty_centre_is_the_middle():
    image = picture((12, 17))
    lens = LENSES["barrel"]
    got = evaluate(undistort, image, focal=FOCAL, distortion=lens)
    np.testing.assert_array_equal(got, evaluate(undistort, image, focal=FOCAL, centre=(8.0, 5.5), distortion=lens))


def test_without_distortion_nothing_changes():
    image = picture((12, 17))
    np.testing.assert_array_equal(evaluate(undistort, image, focal=FOCAL, centre=CENTRE), image)


def test_what_is_refused():
    with pytest.raises(DefinitionError, match="undistort: centre takes two members, cx and cy, not 3"):
        evaluate(undistort, picture((3, 3)), centre=(1.0, 2.0, 3.0))
    with pytest.raises(DefinitionError, match="distortion must have 5 members, not 4"):
        evaluate(undistort, picture((3, 3)), distortion=(1.0, 2.0, 3.0, 4.0))


def test_properties():
    assert derived(undistort, focal=FOCAL, distortion=LENSES["all"]) == ("resampling", ANYWHERE, True)
    assert derived(undistort, border_value=1.0)[2] is False
