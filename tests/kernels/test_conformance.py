"""What every stage of the registry must keep, the shipped ones and those to come."""

from __future__ import annotations

import doctest
import itertools
import pickle
from functools import cache

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body
from kernels.ir.image import BOOL, F32, F64, U8, U16, ImageType
from kernels.ir.listing import fingerprint
from kernels.ir.placement import PLACEMENT
from kernels.ir.reach import KINDS, kind, reach
from kernels.ir.table import BOX, FEATURE, KEYPOINT, Table, TableType
from kernels.ir.verify import verify
from kernels.plugins import registry
from kernels.stage import Stage
from tests.kernels.linearity import is_linear
from tests.strategies import same

STAGES = registry()
FRAMES = 3
SIZES = ((1, 1), (1, 7), (5, 3))
FEATURES = TableType(FEATURE, 4)
OWN = {
    "anchors": ((ImageType(F32, 896, 1, 16), ImageType(F32, 896, 1), None, None, PLACEMENT),),
    "follow": ((TableType(BOX, 4), TableType(KEYPOINT, 9), TableType(KEYPOINT, 9), TableType(KEYPOINT, 9), None,
                ImageType(F64, 1, 1, 22)), (TableType(BOX, 4),)),
    "part_affinities": ((TableType(KEYPOINT, 9), ImageType(F32, 4, 6, 4), None),
                        (TableType(KEYPOINT, 9), ImageType(F32, 4, 6, 6), PLACEMENT)),
    "network": ((ImageType(U8, 5, 3),), (ImageType(F32, 1, 7, 3), None, ImageType(F32, 4, 4))),
    "place": ((TableType(BOX, 4), TableType(KEYPOINT, 9)), (FEATURES,), (None, TableType(KEYPOINT, 9))),
    "warp": ((ImageType(U8, 5, 3, 3), PLACEMENT), (ImageType(F32, 1, 1), PLACEMENT)),
}
"""Inputs of stages that take none of those which `bodies_of` tries."""


@cache
def bodies_of(name: str) -> tuple[Body, ...]:
    """The stage's bodies for all kinds of input that it takes; the others it must refuse in a sentence."""
    made = STAGES[name]
    built, refusals = [], []
    for size, dtype, channels in itertools.product(SIZES, (U8, U16, F32, BOOL), (1, 3)):
        image = ImageType(dtype, *size, channels)
        for types in _inputs(made, image):
            try:
                built.append(made.build(types))
            except DefinitionError as error:
                refusals.append(str(error))
    assert all(text.startswith(name) and "\n" not in text for text in refusals)
    built += [made.build(types) for types in OWN.get(name, ())]
    return tuple(built)


def _inputs(made: Stage, image: ImageType):
    """The image for every input; then with the first one alone, with a mask or a table in the others' place."""
    others = made.inputs[1:]
    choices = [[image, None, ImageType(BOOL, image.height, image.width), FEATURES]] * len(others)
    for rest in itertools.islice(itertools.product(*choices), 16):
        if all(t is not None or n in made.optional for n, t in zip(others, rest, strict=True)):
            yield (image, *rest)
            if others:
                yield (FEATURES, *rest)


def clip_of(body: Body, seed: int = 0, frames: int = FRAMES):
    rng = np.random.default_rng(seed)
    clip = []
    for type_ in body.inputs:
        if isinstance(type_, ImageType):
            values = rng.integers(0, 2 if type_.dtype == BOOL else 256, (frames, *type_.shape))
            clip.append(values.astype(type_.dtype.numpy))
        elif isinstance(type_, TableType):
            clip.append([_table(type_, rng) for _ in range(frames)])
        else:
            clip.append(None)
    return clip


def _table(type_: TableType, rng) -> Table:
    rows = np.zeros(rng.integers(0, 3), type_.numpy)
    for name, _ in type_.columns:
        rows[name] = rng.uniform(0, 3, len(rows))
    return Table(rows)


def equal(a, b) -> bool:
    if isinstance(a, np.ndarray):
        return same(a, b)
    return len(a) == len(b) and all(
        s.overflow == t.overflow and s.rows.dtype == t.rows.dtype
        and all(same(s.rows[name], t.rows[name]) for name in s.rows.dtype.names)
        for s, t in zip(a, b, strict=True)
    )  # fmt: skip


def agree(a, b) -> bool:
    return a.keys() == b.keys() and all(equal(a[name], b[name]) for name in a)


def cut(clip, first, last):
    return [None if c is None else c[first:last] for c in clip]


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_is_documented(name):
    made = STAGES[name]
    assert 5 < len(made.summary) <= 120
    examples = doctest.DocTestParser().get_examples(made.doc)
    assert examples, "its docstring has no example"
    assert any(name in example.source for example in examples)
    assert len({p.name for p in made.params}) == len(made.params)
    for param in made.params:
        assert param.doc, f"{param.name} has no doc"
        assert "\n" not in param.doc
        assert param.check(param.default, param.name) == param.default


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_takes_some_input(name):
    assert bodies_of(name), "it refuses 1x1, 1x7 and 5x3 images of every type"


@pytest.mark.parametrize("name", STAGES)
def test_bodies_are_sound_and_the_same_each_time(name):
    for body in bodies_of(name):
        verify(body, name)
        assert kind(body) in KINDS
        assert isinstance(is_linear(body), bool)
        if body.host is None:
            assert set(reach(body.roots)) <= set(range(len(body.inputs)))
            again = STAGES[name].build(body.inputs)
            assert fingerprint(body.roots) == fingerprint(again.roots)
            assert again.roots == body.roots


@pytest.mark.parametrize("name", STAGES)
def test_outputs_are_of_the_announced_types(name):
    for body in bodies_of(name):
        results = ReferenceProgram(body).run(clip_of(body), {})
        assert list(results) == [output.name for output in body.outputs]
        for output in body.outputs:
            data = results[output.name]
            assert len(data) == FRAMES
            if isinstance(output.type, ImageType):
                assert data.shape == (FRAMES, *output.type.shape)
                assert data.dtype == output.type.dtype.numpy
            else:
                for table in data:
                    assert isinstance(table, Table)
                    assert table.rows.dtype == output.type.numpy
                    assert len(table.rows) <= output.type.capacity
                    assert table.overflow >= 0


@pytest.mark.parametrize("name", STAGES)
def test_frames_come_out_the_same_however_they_are_fed(name):
    for body in bodies_of(name):
        clip = clip_of(body, 1)
        before = pickle.dumps(clip)
        program = ReferenceProgram(body)
        whole = program.run(clip, {})
        assert pickle.dumps(clip) == before, "it writes into its input"
        program.reset()
        assert agree(program.run(clip, {}), whole)
        program.reset()
        parts = []
        for i in range(FRAMES):
            if i == 1:  # go on from a snapshot in a fresh program
                kept = pickle.loads(pickle.dumps(program.snapshot()))
                program = ReferenceProgram(body)
                program.restore(kept)
            parts.append(program.run(cut(clip, i, i + 1), {}))
        for output, data in whole.items():
            one_by_one = [part[output][0] for part in parts]
            assert equal(np.stack(one_by_one) if isinstance(data, np.ndarray) else one_by_one, data)


@pytest.mark.parametrize("name", STAGES)
def test_live_parameters_do_not_change_the_code(name):
    made = STAGES[name]
    for body in bodies_of(name)[:4]:
        for param in made.params:
            if param.structural or body.host is not None or param.kind not in ("int", "float", "bool"):
                continue
            other = not param.default if param.kind == "bool" else max(param.low, min(param.high, 3))
            changed = made.build(body.inputs, {param.name: other})
            assert changed.roots == body.roots
            ReferenceProgram(body).run(clip_of(body), {param.name: changed.params[param.name]})
