"""Between which values expressions lie: no stage leaves them; where it can be seen they are as narrow as values are."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kernels.executors.reference import ReferenceProgram
from kernels.fusion.extent import ANY, of_outputs, of_source
from kernels.fusion.extent import _held as held
from kernels.ir.image import BOOL, F32, I16, U8, U16, ImageType
from kernels.plugins import registry
from tests.kernels.test_conformance import STAGES, bodies_of, clip_of


@pytest.mark.parametrize("name", STAGES)
def test_no_value_lies_beyond(name):
    """Rounding aside. Frames from the darkest to the brightest, sharp ones too."""
    for body in bodies_of(name):
        seen = []
        for type_ in body.inputs:
            image = isinstance(type_, ImageType)
            seen.append((0.0, 1.0 if type_.dtype == BOOL else 255.0) if image else None)
        extents = of_outputs(body, seen)
        assert set(extents) == {one.name for one in body.outputs if isinstance(one.type, ImageType)}
        for seed in range(2):
            clip = [(np.where(one > 127, 255, 0).astype(one.dtype) if seed and isinstance(one, np.ndarray)
                     and one.dtype != bool else one) for one in clip_of(body, seed)]  # fmt: skip
            results = ReferenceProgram(body).run(clip, {})
            for output, (low, high) in extents.items():
                values = np.asarray(results[output], np.float64)
                values = values[~np.isnan(values)]
                slack = 1e-5 * max(1.0, *(abs(end) for end in (low, high) if math.isfinite(end)), 0.0)
                assert values.min(initial=low) >= low - slack, output
                assert values.max(initial=high) <= high + slack, output


@pytest.mark.parametrize(("name", "image", "given", "expected"), [
    ("dog", ImageType(F32, 9, 9), (0.0, 1.0), (-1.0, 1.0)),
    ("gaussian", ImageType(U8, 9, 9), (0.0, 255.0), (0.0, 255.0)),
    ("normalize", ImageType(U16, 4, 4, bits=12), (0.0, 4095.0), (0.0, 1.0)),
    ("invert", ImageType(U8, 4, 4), (10.0, 255.0), (0.0, 245.0)),
    ("box", ImageType(U8, 4, 4), (3.0, 7.0), (3.0, 7.0)),
    ("erode", ImageType(U8, 4, 4), (3.0, 7.0), (3.0, 7.0)),
    ("threshold", ImageType(U8, 4, 4), (3.0, 7.0), (0.0, 1.0)),
    ("gaussian", ImageType(F32, 9, 9), ANY, ANY),
])  # fmt: skip
def test_what_is_known_is_narrow(name, image, given, expected):
    (made,) = of_outputs(registry()[name].build([image]), [given]).values()
    assert made == pytest.approx(expected, abs=1e-3)


def test_what_lies_around_the_picture_is_known_too():
    given = ImageType(U8, 9, 9)
    for params, expected in (({}, (10.0, 20.0)), ({"border": "constant", "border_value": 200}, (10.0, 200.0))):
        (made,) = of_outputs(registry()["box"].build([given], params), [(10.0, 20.0)]).values()
        assert made == pytest.approx(expected, abs=1e-3)


def test_sizes_are_not_negative():
    body = registry()["difference"].build([ImageType(F32, 9, 9)], {"absolute": True})
    assert of_outputs(body, [(10.0, 20.0)])["out"] == (0.0, 10.0)


def test_what_may_have_wrapped_or_is_no_number_may_be_anything():
    body = registry()["gain"].build([ImageType(F32, 9, 9)], {"gain": 0.0})
    assert of_outputs(body, [ANY])["out"] == ANY  # 0 times infinity
    assert held(200.0, 300.0, (0.0, 255.0)) == (0.0, 255.0)
    assert held(200.0, 250.0, (0.0, 255.0)) == (200.0, 250.0)
    assert held(-1.0, 250.0, (0.0, 255.0)) == (0.0, 255.0)


def test_frames_are_up_to_white():
    assert of_source(ImageType(U16, 4, 4, bits=12)) == (0.0, 4095.0)
    assert of_source(ImageType(U8, 4, 4)) == (0.0, 255.0)
    assert of_source(ImageType(BOOL, 4, 4)) == (0.0, 1.0)
    assert of_source(ImageType(I16, 4, 4)) == (-32768.0, 32767.0)
    assert of_source(ImageType(F32, 4, 4)) == ANY
