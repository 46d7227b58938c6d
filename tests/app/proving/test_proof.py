"""Proofs: the same where it is the same, and the place and size of a difference where there is one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.cli import main
from app.proving import proof
from app.proving.comparing import ALONE, GIVEN, GIVEN_ALONE, REFERENCE, compare
from app.proving.proof import Proof, ProofAsk, prove
from app.sources.reading import Reading
from kernels.errors import InputError
from kernels.executors.base import Executor, executor
from kernels.ir.body import Body
from kernels.ir.image import DTYPES, ImageType
from kernels.ir.table import Table
from pipelines.definition import load
from pipelines.graph import Ref, bind
from pipelines.writing import dumps
from tests.emulator.compiler import compilers
from tests.onnx_files import model, node
from tests.pipelines.emulated import EmulatedExecutor

BLOBS = dumps(replace(load("blobs"), taps=(Ref("scale"),)))
"""Fractions leave a program only where they are asked for."""
CLIP = str(Path(__file__).parents[3] / "sample_videos" / "vortex_600fps.avi")


def last(ask: ProofAsk, make: Any = executor) -> Proof:
    *_, found = prove(ask, make)
    return found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are taken in five turns."""
    monkeypatch.setattr(proof, "SECONDS", 0.0)


class Wrong:
    """A back end that makes one mistake in fused programs, of one pixel in the third frame of a batch."""

    name = "wrong"

    def __init__(self, true: Executor) -> None:
        self._true = true

    def compile(self, body: Body) -> Any:
        program = self._true.compile(body)
        return Mistaken(program) if len(body.outputs) > 1 else program


class Mistaken:
    def __init__(self, program: Any) -> None:
        self._program = program

    def run(self, inputs: Sequence[Any], params: Mapping[str, Any], out: Any = None) -> dict[str, Any]:
        made = dict(self._program.run(inputs, params, out))
        name = next(n for n, data in made.items() if isinstance(data, np.ndarray) and data.dtype == np.float32)
        made[name] = made[name].copy()
        made[name][2, 7, 5] += 0.25
        return made

    def __getattr__(self, name: str) -> Any:
        return getattr(self._program, name)


def test_what_runs_fused_is_the_same_as_apart_and_as_the_reference() -> None:
    parts = list(prove(ProofAsk(BLOBS, ("gray+sound+scale+band+bright", "spots"), "cpu", CLIP, first=30,
                                end=480)))  # fmt: skip
    found = parts[-1]
    assert found.done
    assert not any(part.done for part in parts[:-1])
    assert [part.share for part in parts] == sorted(part.share for part in parts)
    assert found.groups == ("gray+sound+scale+band+bright", "spots")
    assert (found.first, found.end) == (30, 46)
    assert {(c.output, c.against) for c in found.compared} == {
        (name, way) for name in ("scale", "bright", "spots") for way in (ALONE, REFERENCE)
    }
    assert found.same
    assert "every bit of 16 frames" in found.verdict()
    assert found.fused > 0
    assert found.ratio == pytest.approx(found.alone / found.fused)
    assert found.rounds >= 5
    spots = next(c for c in found.compared if c.output == "spots")
    assert spots.total > 0
    assert spots.pictures is None


def test_a_state_over_time_begins_anew_for_each() -> None:
    assert last(ProofAsk(dumps(load("background-motion")), (), "cpu", CLIP)).same


@pytest.mark.parametrize("exact", [True, False])
def test_what_begins_with_the_still_picture_does_so_every_time(
    exact: bool, quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = np.full((12, 16, 24), 60, np.uint8)
    frames[:3, 4:8, 4:8] = 200  # is gone for most of the clip
    np.save(tmp_path / "gone.npy", frames)
    text = 'taps = ["moving.change"]\n[stages.moving]\nuse = "background"\nbegin = "clip"\n'
    ask = ProofAsk(text, (), "cpu", str(tmp_path / "gone.npy"), Reading(fps=100.0), end=2, most=2, exact=exact)
    largest: list[float] = []

    def seen(bound: Any, keep: Any, mine: Any, other: Any, against: str, first: int) -> Any:
        largest.extend(float(np.abs(one[Ref("moving", "change")][0]).max()) for one in (mine, other))
        return compare(bound, keep, mine, other, against, first)

    monkeypatch.setattr(proof, "compare", seen)
    assert last(ask).same
    assert largest == ([140.0] * 4 if exact else [0.0] * 2)


def test_a_mistake_of_one_pixel_is_found_with_place_and_size() -> None:
    def make(name: str) -> Executor:
        return Wrong(executor(name)) if name == "cpu" else executor(name)

    found = last(ProofAsk(BLOBS, ("gray+sound+scale+band+bright", "spots"), "cpu", CLIP), make)
    assert not found.same
    wrong = next(c for c in found.compared if c.output == "scale" and c.against == REFERENCE)
    assert wrong.differing == 1
    assert wrong.largest == pytest.approx(0.25)
    assert wrong.pictures is not None
    assert wrong.pictures.frame == 2
    assert wrong.pictures.difference[7, 5] == 255
    assert np.count_nonzero(wrong.pictures.difference) == 1
    assert "differ" in found.verdict()
    assert "0.25" in found.verdict()


def test_what_is_computed_fast_is_judged_by_the_bound_of_each_program(quick: None) -> None:
    frames = np.random.default_rng(3).integers(0, 256, (2, 40, 60), np.uint8)
    groups = ("gray+sound+scale+band+bright", "spots")
    ask = ProofAsk(BLOBS, groups, "cpu", "", frames=frames, exact=False)
    found = last(ask)
    assert found.allowed
    assert not found.same
    scale, bright = (next(c for c in found.compared if (c.output, c.against) == (name, GIVEN))
                     for name in ("scale", "bright"))  # fmt: skip
    assert 0 < scale.largest <= scale.bound < 20 * scale.largest
    assert bright.bound == np.inf  # behind a threshold
    assert f"at most {scale.bound:.2g} is allowed" in found.verdict()
    assert {c.bound for c in found.compared if c.against == REFERENCE} == {np.inf}

    def make(name: str) -> Executor:
        return Wrong(executor(name)) if name == "cpu" else executor(name)

    wrong = last(replace(ask, frames=np.concatenate([frames, frames])), make)
    assert not wrong.allowed
    assert "scale against NumPy reference, of the same inputs" in wrong.verdict()


@pytest.mark.skipif(not compilers(), reason="the emulator needs a compiler")
def test_tensor_cores_are_judged_layer_by_layer(quick: None, tmp_path: Path) -> None:
    """Three layers in one program: as far off as it may be, and each for itself, much closer to its bound."""
    rng = np.random.default_rng(2)
    sizes = {"a": (16, 16, 1, 1), "b": (32, 16, 3, 3), "c": (16, 32, 1, 1)}
    weights = {name: (rng.standard_normal(size) * 0.1).astype(np.float32) for name, size in sizes.items()}
    nodes = [node("Conv", ["x", "a"], ["ay"]), node("Relu", ["ay"], ["az"]),
             node("Conv", ["az", "b"], ["by"], pads=[1, 1, 1, 1]), node("Conv", ["by", "c"], ["y"])]  # fmt: skip
    file = tmp_path / "net.onnx"
    file.write_bytes(model(nodes, {"x": ("float32", (1, 16, 6, 8))}, ["y"], weights))
    pixels = rng.uniform(-1, 1, (1, 6, 8, 16)).astype(np.float32)
    text = f'taps = ["net"]\n[stages.net]\nuse = "network"\nmodel = "{file.as_posix()}"\n'
    ask = ProofAsk(text, (), "cuda", "", frames=pixels, exact=False)
    found = last(ask, lambda name: EmulatedExecutor() if name == "cuda" else executor(name))
    assert found.allowed
    (whole,) = (c for c in found.compared if c.against == GIVEN)
    each = [c for c in found.compared if c.against == GIVEN_ALONE and not c.same]
    assert 0 < whole.largest <= whole.bound
    assert len(each) >= 3
    assert all(0 < c.largest <= c.bound < 100 * c.largest for c in each)
    assert whole.bound / whole.largest > max(c.bound / c.largest for c in each)


def test_a_program_that_nothing_changes_must_keep_every_bit_with_fast_too(quick: None) -> None:
    turned = 'taps = ["turned"]\n[stages.turned]\nuse = "flip"\n'
    frames = np.random.default_rng(3).integers(0, 256, (2, 40, 60), np.uint8)
    found = last(ProofAsk(turned, (), "cpu", "", frames=frames, exact=False))
    assert found.same
    assert [c.bound for c in found.compared if c.against == GIVEN] == [0.0]


def test_the_command_says_it_and_exits_by_it(quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    clip = "sim:vortex?width=64&height=48&frames=4"
    assert main(["prove", clip, "--frames", "1:3", "--fast"]) == 0
    assert "may be" in (shown := capsys.readouterr().out)
    assert "2 frames: all that can be bounded is within its bound" in shown
    assert main(["prove", clip, "--frames", "1:2", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["first"], facts["end"], facts["same"]) == (1, 2, True)
    assert main(["prove", clip, "--frames=-3:", "--fast"]) == 2
    assert "takes a:b from 0 on" in capsys.readouterr().err


def test_what_is_handed_on_is_compared_with_what_the_stage_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Body, "unchanged", lambda body, output: 0 if output.type == body.inputs[0] else None)
    turned = 'taps = ["turned"]\n[stages.turned]\nuse = "flip"\n'
    frames = np.random.default_rng(3).integers(0, 256, (3, 40, 60), np.uint8)
    found = last(ProofAsk(turned, (), "cpu", "", frames=frames))
    assert [(c.output, c.against) for c in found.compared if not c.same] == [("turned", REFERENCE)]


def test_groups_of_another_pipeline_are_replaced_and_that_is_said() -> None:
    found = last(ProofAsk(dumps(load("objects")), ("gray+sound+scale+band+bright", "spots"), "cpu", CLIP))
    assert found.same
    assert "another pipeline" in found.remark


def test_pictures_of_a_camera_in_place_of_a_clip() -> None:
    frames = np.random.default_rng(3).integers(0, 4096, (3, 40, 60), np.uint16)
    found = last(ProofAsk(BLOBS, (), "cpu", "", first=900, frames=frames, bits=12))
    assert found.same
    assert (found.first, found.end) == (900, 903)
    with pytest.raises(InputError, match="bool"):
        last(ProofAsk(BLOBS, (), "cpu", "", frames=np.zeros((3, 40, 60), bool)))


def test_a_clip_that_is_gone_is_a_sentence() -> None:
    with pytest.raises(InputError, match=r"gone\.mp4"):
        last(ProofAsk(BLOBS, (), "cpu", "/nowhere/gone.mp4"))


def test_tables_and_missing_values() -> None:
    bound = bind(load("blobs"), ImageType(DTYPES["u8"], 64, 64, 1))
    type_ = bound.types[Ref("spots")]
    rows = np.zeros(3, type_.numpy)  # type: ignore[union-attr]
    other = rows.copy()
    other["x"][1] = 0.5
    ref, image = Ref("spots"), Ref("scale")
    (same,) = compare(bound, [ref], {ref: [Table(rows)]}, {ref: [Table(rows.copy())]}, ALONE, 0)
    assert same.same
    (found,) = compare(bound, [ref], {ref: [Table(rows)]}, {ref: [Table(other)]}, ALONE, 0)
    assert (found.differing, found.total, found.largest) == (1, 3, 0.5)
    (found,) = compare(bound, [ref], {ref: [Table(rows)]}, {ref: [Table(rows[:2])]}, ALONE, 0)
    assert (found.differing, found.total, found.largest) == (1, 3, np.inf)
    a = np.zeros((2, 64, 64), np.float32)
    a[0, 3, 3] = np.nan
    b = a.copy()
    (found,) = compare(bound, [image], {image: a}, {image: b}, ALONE, 10)
    assert found.same  # no number on both sides
    b[1, 0, 0] = np.nan
    (found,) = compare(bound, [image], {image: a}, {image: b}, ALONE, 10)
    assert (found.differing, found.largest) == (1, np.inf)
    assert found.pictures is not None
    assert found.pictures.frame == 11
    assert found.pictures.difference[0, 0] == 255
