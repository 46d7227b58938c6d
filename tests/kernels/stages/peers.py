"""What the tests of the spatial stages share: test images, borders by the peers' names, derived properties."""

import math

import numpy as np

from kernels.ir.image import ImageType, dtype_of
from kernels.ir.reach import Reach, kind, reach
from kernels.opencv import cv2
from tests.kernels.linearity import is_linear

CV = {
    "reflect101": cv2.BORDER_REFLECT_101,
    "replicate": cv2.BORDER_REPLICATE,
    "constant": cv2.BORDER_CONSTANT,
    "wrap": cv2.BORDER_WRAP,
}
SCIPY = {"reflect101": "mirror", "replicate": "nearest", "constant": "constant", "wrap": "grid-wrap"}
BORDERS = tuple(CV)
SIZES = ((1, 1), (1, 7), (6, 1), (2, 3), (3, 2), (12, 17))  # (height, width)
ANYWHERE = Reach(-math.inf, math.inf, -math.inf, math.inf)


def picture(size, dtype=np.uint8, seed=0):
    """Noise over the type's whole range (floats: -100..100), an extreme at a corner."""
    random = np.random.default_rng([seed, *size])
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return random.uniform(-100, 100, size).astype(dtype)
    if dtype.kind == "b":
        return random.random(size) < 0.5
    limits = np.iinfo(dtype)
    image = random.integers(limits.min, limits.max, size, dtype, endpoint=True)
    image[0, -1] = limits.max
    return image


def extended(image, border, margin, value=0.0):
    """`image` with a margin on every side, by OpenCV's border rule."""
    sides = (margin,) * 4
    return cv2.copyMakeBorder(image, *sides, CV[border], value=value).reshape([n + 2 * margin for n in image.shape])


def beyond(image, border, margin, function, value=0.0):
    """`function` of the extended image, where the margin has not spoilt it: what a border rule means."""
    result = function(extended(image, border, margin, value)).reshape([n + 2 * margin for n in image.shape])
    return result[margin:-margin, margin:-margin]


def derived(stage, pixels=np.uint8, **params):
    """(kind, reach of the first input, linear) of a stage on a 17x12 image."""
    body = stage.build([ImageType(dtype_of(np.dtype(pixels)), 12, 17)], params)
    return kind(body), reach(body.roots)[0], is_linear(body)


def square(radius):
    return Reach(-radius, radius, -radius, radius)
