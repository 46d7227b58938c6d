"""Parameters: what they take, what they refuse and how they say it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.param import Param, resolve

SIGMA = Param("sigma", "float", 1.0, "width", unit="px", low=0.1, high=50)
COUNT = Param("count", "int", 3, "how many", low=1)
MODE = Param("mode", "choice", "fast", "how", choices=("fast", "exact"))
FLAG = Param("flag", "bool", False, "whether")
NOTE = Param("note", "text", "", "what")
AXIS = Param("axis", "vector", (1, 0), "where", length=2, low=-5, high=5)
ROI = Param("roi", "points", (), "boxes", length=4)


@pytest.mark.parametrize(
    ("param", "given", "wanted"),
    [
        (SIGMA, 2, 2.0),
        (SIGMA, np.float32(0.5), 0.5),
        (COUNT, 4.0, 4),
        (COUNT, np.int64(4), 4),
        (MODE, "exact", "exact"),
        (FLAG, True, True),
        (FLAG, np.bool_(True), True),
        (NOTE, "x", "x"),
        (AXIS, [1, 2], (1.0, 2.0)),
        (AXIS, np.array([1, 2]), (1.0, 2.0)),
        (ROI, [[1, 2, 3, 4]], ((1.0, 2.0, 3.0, 4.0),)),
        (ROI, np.zeros((0, 4)), ()),
    ],
)
def test_values_take_the_parameters_type(param, given, wanted):
    value = param.check(given, "node.p")
    assert value == wanted
    assert type(value) is type(wanted)


@pytest.mark.parametrize(
    ("param", "given", "words"),
    [
        (SIGMA, 0.05, r"node.p = 0.05 is outside its range 0.1..50 px"),
        (SIGMA, 50.000001, r"node.p = 50.000001 is outside its range 0.1..50 px"),
        (SIGMA, True, "must be a number, not True"),
        (SIGMA, "1", "must be a number, not '1'"),
        (SIGMA, math.nan, "must be a finite number, not nan"),
        (SIGMA, math.inf, "must be a finite number, not inf"),
        (Param("f", "float", 0.0, "any"), 1e39, "too large a number"),
        (Param("f", "float", 0.0, "any"), 10**400, "too large a number"),
        (COUNT, 0, "= 0 is outside its range >= 1"),
        (COUNT, 2.5, "must be a whole number, not 2.5"),
        (COUNT, math.nan, "must be a whole number, not nan"),
        (COUNT, math.inf, "must be a whole number, not inf"),
        (COUNT, 2**31, "too large a number"),
        (COUNT, None, "must be a whole number, not None"),
        (MODE, "exakt", "must be one of fast, exact, not 'exakt'; did you mean 'exact'?"),
        (MODE, 3, "must be one of fast, exact, not 3"),
        (FLAG, 1, "must be true or false, not 1"),
        (NOTE, 1, "must be a text, not 1"),
        (AXIS, [1, 2, 3], "must have 2 members, not 3"),
        (AXIS, "12", "must be a list of numbers, not '12'"),
        (AXIS, 5, "must be a list of numbers, not 5"),
        (AXIS, [1, 9], "= 9 is outside its range -5..5"),
        (ROI, 5, r"must be a list of points \[\[x, y\], ...\], not 5"),
        (ROI, [[1, 2]], "must have 4 members, not 2"),
    ],
)
def test_refusals_are_one_sentence(param, given, words):
    with pytest.raises(DefinitionError, match=words) as caught:
        param.check(given, "node.p")
    assert str(caught.value).startswith("node.p")
    assert "\n" not in str(caught.value)


def test_a_declaration_checks_its_default():
    with pytest.raises(DefinitionError, match="p = 0 is outside its range >= 1"):
        Param("p", "int", 0, "", low=1)
    with pytest.raises(ValueError, match="unknown kind 'complex'"):
        Param("p", "complex", 0, "")
    assert Param("p", "vector", [1, 2], "").default == (1.0, 2.0)  # type: ignore[arg-type]


def test_ranges_as_text():
    texts = [p.range_text() for p in (SIGMA, COUNT, MODE, FLAG, Param("h", "float", 0.0, "", high=1))]
    assert texts == ["0.1..50", ">= 1", "fast | exact", "", "<= 1"]


def test_resolve():
    assert resolve((SIGMA, COUNT), {"count": 5}, "blur") == {"sigma": 1.0, "count": 5}
    with pytest.raises(DefinitionError, match="blur has no parameter 'sgima'; did you mean 'sigma'"):
        resolve((SIGMA, COUNT), {"sgima": 1}, "blur")
    with pytest.raises(DefinitionError, match="blur has no parameter 'q'; it has: sigma, count"):
        resolve((SIGMA, COUNT), {"q": 1}, "blur")
    with pytest.raises(DefinitionError, match="invert has no parameter 'q'; it has: none"):
        resolve((), {"q": 1}, "invert")
    with pytest.raises(DefinitionError, match=r"blur\.count must be a whole number"):
        resolve((COUNT,), {"count": "two"}, "blur")
