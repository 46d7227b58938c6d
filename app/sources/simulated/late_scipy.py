"""SciPy's functions that scenes are drawn with, loaded with the first picture: to load them takes a quarter of a second
of the processor, for which a window that only lists scenes must not stand still."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import numpy.typing as npt


def erf(x: npt.ArrayLike) -> npt.NDArray[Any]:
    """`scipy.special.erf`."""
    return np.asarray(importlib.import_module("scipy.special").erf(x))


def erfc(x: npt.ArrayLike) -> npt.NDArray[Any]:
    """`scipy.special.erfc`."""
    return np.asarray(importlib.import_module("scipy.special").erfc(x))


def gaussian_filter(values: npt.ArrayLike, sigma: Any, **options: Any) -> npt.NDArray[Any]:
    """`scipy.ndimage.gaussian_filter`."""
    return np.asarray(importlib.import_module("scipy.ndimage").gaussian_filter(values, sigma, **options))


def map_coordinates(values: npt.ArrayLike, places: npt.ArrayLike, **options: Any) -> npt.NDArray[Any]:
    """`scipy.ndimage.map_coordinates`."""
    return np.asarray(importlib.import_module("scipy.ndimage").map_coordinates(values, places, **options))
