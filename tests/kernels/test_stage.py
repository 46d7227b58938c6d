"""Declaring stages, building bodies, the registry and plug-in files."""

from __future__ import annotations

import os
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import kernels.plugins as finding
import kernels.stage as module
from kernels.errors import DefinitionError, ExprError
from kernels.executors.reference import evaluate, evaluate_clip
from kernels.ir.body import Host
from kernels.ir.expr import const, recur, state
from kernels.ir.image import BOOL, F32, I32, U8, U16, ImageType
from kernels.ir.planes import Border
from kernels.ir.reach import reach
from kernels.ir.table import Candidates, TableType
from kernels.param import Param
from kernels.plugins import find_stage, load_plugin, registry
from kernels.stage import Picture, Stage, stage

MONO, COLOR = ImageType(U8, 3, 4), ImageType(U8, 3, 4, 3)
GAIN = Param("gain", "float", 2.0, "factor", unit="1", low=0, high=10)


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """Stages declared here vanish after the test."""
    registry()
    own = dict(module.DECLARED)
    for one in (module, finding):
        monkeypatch.setattr(one, "DECLARED", own)


def gain_stage() -> Stage:
    @stage(params=(GAIN,), per_channel=True)
    def test_gain(image, gain):
        """Multiply.

        More.
        """
        return image() * gain

    return test_gain


def test_a_declaration():
    made = gain_stage()
    assert (made.name, made.summary) == ("test_gain", "Multiply.")
    assert registry()["test_gain"] is made is find_stage("test_gain")
    body = made.build([MONO])
    assert body.outputs[0].type == ImageType(F32, 3, 4)
    assert body.live == {"gain": F32}
    assert body.params == {"gain": 2.0}
    assert made.build([COLOR]).outputs[0].type == ImageType(F32, 3, 4, 3)
    assert made.build([MONO]).roots == made.build([MONO], {"gain": 3.0}).roots  # live: the same code


def test_border_parameters():
    @stage(border="replicate", per_channel=True)
    def test_shift(image):
        """Left neighbour."""
        return image(-1)

    assert [p.name for p in test_shift.params] == ["border", "border_value"]
    assert test_shift.build([MONO]).roots[0].arg.border == Border("replicate")
    body = test_shift.build([MONO], {"border": "constant", "border_value": 7})
    assert body.roots[0].arg.border == Border("constant", 7)
    assert reach(body.roots)[0].x0 == -1


def test_states_of_channels_are_apart():
    @stage(per_channel=True)
    def test_sum(image):
        """Running sum, and what it was."""
        before = state("sum", I32)
        return {"out": recur("sum", 0, before + image()), "before": before + image() * 0}

    clip = np.arange(24, dtype=np.uint8).reshape(2, 2, 2, 3)
    result = evaluate_clip(test_sum, clip)
    np.testing.assert_array_equal(result["out"], np.cumsum(clip, 0))
    np.testing.assert_array_equal(result["before"][1], clip[0])


def test_channels_of_several_inputs():
    @stage(inputs=("image", "weight"), optional=("weight",), per_channel=True)
    def test_weigh(image, weight):
        """Weigh."""
        return image() if weight is None else image() * weight()

    assert test_weigh.build([COLOR, MONO]).outputs[0].type.channels == 3
    assert test_weigh.build([COLOR, None]).outputs[0].type == COLOR
    assert test_weigh.build([COLOR]).inputs == (COLOR, None)
    with pytest.raises(DefinitionError, match="test_weigh: input 'weight' has 2 channels, another 3"):
        test_weigh.build([COLOR, ImageType(U8, 3, 4, 2)])
    with pytest.raises(ExprError, match="test_weigh: pixels of images of different sizes meet: 4x3 and 5x5"):
        test_weigh.build([MONO, ImageType(U8, 5, 5)])
    with pytest.raises(DefinitionError, match="test_weigh needs an input 'image'"):
        test_weigh.build([None, MONO])
    with pytest.raises(DefinitionError, match=r"test_weigh takes 2 inputs \(image, weight\), not 3"):
        test_weigh.build([MONO, MONO, MONO])
    with pytest.raises(DefinitionError, match="test_weigh takes an image as 'image', not a table of x"):
        test_weigh.build([TableType((("x", F32),), 4)])
    frame = np.full((3, 4), 3, np.uint8)
    assert (evaluate(test_weigh, frame, frame) == 9).all()


def test_only_optional_inputs():
    @stage(inputs=("a", "b"), optional=("a", "b"))
    def test_either(a, b):
        """Either."""
        return (a or b).mono()

    assert test_either.build([None, MONO]).outputs[0].type == MONO
    with pytest.raises(DefinitionError, match="test_either needs an input; it takes a, b"):
        test_either.build([None, None])


def test_what_a_body_may_return():
    @stage()
    def test_many(image):
        """All kinds of output."""
        p = image.mono
        return {
            "same": p(),
            "pair": (p() + 1, p() + 2),
            "deep": Picture((p().to(U16),), 12),
            "spots": Candidates(p() > 3, (("value", p()),), 5),
            "flat": const(True),
        }

    outputs = {o.name: o for o in test_many.build([ImageType(U8, 3, 4, 1, 6)]).outputs}
    assert outputs["same"].type == ImageType(U8, 3, 4, 1, 6)  # significant bits follow
    assert outputs["pair"].type == ImageType(I32, 3, 4, 2)
    assert outputs["deep"].type == ImageType(U16, 3, 4, 1, 12)
    assert isinstance(outputs["spots"].type, TableType)
    assert outputs["flat"].type == ImageType(BOOL, 3, 4)
    assert outputs["flat"].planes[0].size == (3, 4)  # so that another stage may look around in it


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (lambda p: 3, "output 'out' must be an expression"),
        (lambda p: (), "output 'out' must be an expression"),
        (lambda p: {}, "it needs outputs of different names, not none"),
        (lambda p: (p(), p() + 1), "output 'out' is 4x3x2 u8, its plane i32"),
        (lambda p: state("s", F32), "state 's' has no recurrence"),
        (lambda p: p() / None, "an expression meets None, a NoneType; it takes expressions and numbers"),
        (lambda p: p.nothing, "its function fails with AttributeError: 'Plane' object has no attribute 'nothing'"),
        (lambda p: 1 // 0, "its function fails with ZeroDivisionError"),
        (lambda p: p() if p() > 0 else 0, "an expression has no truth value"),
    ],
)
def test_a_wrong_body_is_named(result, words):
    @stage()
    def test_wrong(image):
        """Wrong."""
        return result(image.mono)

    with pytest.raises(ExprError, match=f"^test_wrong: {re.escape(words)}"):
        test_wrong.build([MONO])


def test_refusals_name_the_stage():
    @stage(params=(Param("size", "int", 3, "taps", structural=True),))
    def test_odd(image, size):
        """Odd."""
        if size % 2 == 0:
            raise DefinitionError(f"size = {size} must be odd")
        return image.mono()

    for types, params, words in (
        ([MONO], {"size": 4}, "test_odd: size = 4 must be odd"),
        ([COLOR], {}, "test_odd: it takes one channel but gets 3; put a `gray` stage before it"),
        ([MONO], {"sise": 4}, "test_odd has no parameter 'sise'; did you mean 'size'?"),
        ([MONO], {"size": "big"}, "test_odd.size must be a whole number, not 'big'"),
    ):
        with pytest.raises(DefinitionError, match=re.escape(words)):
            test_odd.build(types, params)


def test_opaque_stages():
    @stage(opaque=True, params=(GAIN,))
    def test_host(image, gain):
        """Host."""
        return Host({"out": image}, lambda inputs, params: {"out": inputs[0] + np.uint8(params["gain"])})

    assert evaluate(test_host, np.zeros((3, 4), np.uint8)).tolist() == np.full((3, 4), 2).tolist()

    @stage(opaque=True)
    def test_liar(image):
        """Announces another type than it gives."""
        return Host({"out": image}, lambda inputs, params: {"out": inputs[0] * 1.0})

    with pytest.raises(DefinitionError, match=r"output 'out' of \(3, 4\) float64 came where 4x3 u8 was announced"):
        evaluate(test_liar, np.zeros((3, 4), np.uint8))

    @stage(opaque=True)
    def test_no_host(image):
        """No host."""
        return image

    with pytest.raises(ExprError, match="test_no_host: an opaque stage returns a Host, not a ImageType"):
        test_no_host.build([MONO])


def test_wrong_declarations():
    def body(image, gain):
        """Body."""
        return image()

    for options, words in (
        ({}, "declares image, but its function takes image, gain"),
        ({"params": (Param("gian", "float", 1.0, ""),)}, "declares image, gian, but its function takes image, gain"),
        ({"params": (GAIN,), "optional": ("mask",)}, "the optional input 'mask' is not among its inputs"),
        ({"params": (Param("gain", "choice", "a", "", choices=("a",)),)}, "'gain', a choice, changes code"),
        ({"params": (Param("gain", "vector", (1,), ""),)}, "'gain', a vector, changes code"),
    ):
        with pytest.raises(ExprError, match=f"stage 'body'.*{re.escape(words)}"):
            stage(**options)(body)


def test_a_category_is_one_of_the_list():
    with pytest.raises(ExprError, match="stage 'test_far': there is no category 'Elsewhere'; there are Grey values, "):

        @stage(category="Elsewhere")
        def test_far(image):
            return image()


def test_two_stages_of_one_name():
    gain_stage()
    gain_stage()  # the same module again: a reload

    def test_gain(image):
        """Other."""
        return image()

    test_gain.__module__ = "math"
    with pytest.raises(ExprError, match=r"there are two stages 'test_gain': in .*test_stage and math"):
        stage()(test_gain)


def test_unknown_stages():
    with pytest.raises(DefinitionError, match="there is no stage 'gausian'; did you mean 'gaussian'"):
        find_stage("gausian")
    with pytest.raises(DefinitionError, match="there is no stage 'xyzzy'; `fusetrack stages` lists them"):
        find_stage("xyzzy")


PLUGIN = '''
"""Mine."""
from kernels.stage import stage

@stage()
def {name}(image):
    """Add {add}."""
    return image.mono() + {add}
'''


def test_a_plugin_file(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(PLUGIN.format(name="plus", add=1))
    loaded = load_plugin(file)
    assert find_stage("plus") is loaded.plus
    assert (evaluate(loaded.plus, np.zeros((2, 2), np.uint8)) == 1).all()
    file.write_text(PLUGIN.format(name="plus", add=22))
    load_plugin(str(file))  # again, changed
    assert (evaluate(find_stage("plus"), np.zeros((2, 2), np.uint8)) == 22).all()
    other = tmp_path / "other" / "mine.py"
    other.parent.mkdir()
    other.write_text(PLUGIN.format(name="plus", add=3))
    with pytest.raises(DefinitionError, match="does not load: ExprError: there are two stages 'plus'"):
        load_plugin(other)
    other.write_text(PLUGIN.format(name="more", add=3))
    load_plugin(other)  # two files of one name are two plug-ins
    assert {"plus", "more"} <= registry().keys()


def test_a_plugin_changed_within_a_second_is_the_new_one(tmp_path, monkeypatch):
    """Python's bytecode is of a text with the same second and size; a plug-in's is not kept."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "bytecode"))
    file = tmp_path / "quick.py"
    for add in (1, 2):
        file.write_text(PLUGIN.format(name="quick", add=add))
        os.utime(file, (1_700_000_000, 1_700_000_000))
        load_plugin(file)
        assert (evaluate(find_stage("quick"), np.zeros((2, 2), np.uint8)) == add).all()
    assert not (tmp_path / "bytecode").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def (:", "SyntaxError: invalid syntax"),
        ("import nothing_of_the_kind", "ModuleNotFoundError: No module named 'nothing_of_the_kind'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise ValueError('two\\nlines')", "ValueError: two lines"),
        (PLUGIN.format(name="gaussian", add=1), "ExprError: there are two stages 'gaussian'"),
        (PLUGIN.format(name="half", add=1) + "\n1 / 0", "ZeroDivisionError: division by zero"),
        ("\0", "Error: source code string cannot contain null bytes"),
    ],
)
def test_broken_plugins_leave_nothing_behind(tmp_path, text, words):
    file = tmp_path / "broken.py"
    file.write_text(text)
    before = registry()
    modules = set(sys.modules)
    with pytest.raises(DefinitionError, match=re.escape(words)) as caught:
        load_plugin(file)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert registry() == before
    assert not [m for m in set(sys.modules) - modules if m.startswith("fusetrack_plugin")]


def test_missing_plugins(tmp_path):
    with pytest.raises(DefinitionError, match="there is no plug-in file"):
        load_plugin(tmp_path / "absent.py")
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(DefinitionError, match=r"notes.txt is not a Python file"):
        load_plugin(tmp_path / "notes.txt")


def test_installed_packages_offer_stages(monkeypatch):
    def load():
        @stage()
        def test_offered(image):
            """Offered."""
            return image.mono()

    entry = SimpleNamespace(name="extra", value="extra_package", dist=SimpleNamespace(name="extra-package"), load=load)
    monkeypatch.setattr(finding, "_discovered", False)
    monkeypatch.setattr(finding, "entry_points", lambda group: [entry] if group == "fusetrack.stages" else [])
    assert "test_offered" in registry()

    def fail():
        raise ImportError("no such thing")

    broken = SimpleNamespace(name="extra", value="extra_package", dist=SimpleNamespace(name="extra-package"), load=fail)
    monkeypatch.setattr(finding, "_discovered", False)
    monkeypatch.setattr(finding, "entry_points", lambda group: [broken])
    words = "the stages 'extra' of the installed package extra-package do not load: ImportError: no such thing; mend"
    with pytest.raises(DefinitionError, match=words):
        registry()
