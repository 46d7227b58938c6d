"""Pixels of a sensor's colour mosaic as red, green and blue, for the eye."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.opencv import cv2

_BAYER = {
    "rggb": cv2.COLOR_BayerRGGB2RGB, "bggr": cv2.COLOR_BayerBGGR2RGB, "grbg": cv2.COLOR_BayerGRBG2RGB,
    "gbrg": cv2.COLOR_BayerGBRG2RGB,
}  # fmt: skip


def plain(pixels: npt.NDArray[Any], mosaic: str) -> npt.NDArray[Any]:
    """A picture (height, width) of a mosaic in the order that is named as (height, width, 3); others as they are."""
    return np.asarray(cv2.cvtColor(pixels, _BAYER[mosaic])) if mosaic else pixels
