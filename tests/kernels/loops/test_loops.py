"""Compiled loops against Python, and the compiled ways of `components` and `refine` against those without a compiler,
bit for bit."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.centroids.centroid import centres_in
from kernels.errors import DefinitionError
from kernels.executors import natives
from kernels.executors.reference import evaluate_clip
from kernels.loops import language
from kernels.loops.exponential import exponentials
from kernels.loops.language import (
    F32,
    F64,
    I32,
    I64,
    PIXELS,
    U8,
    address,
    at,
    bit_edges,
    clear_lowest_bit,
    ctz,
    load,
    loop,
    nonzero_bytes,
    popcount,
    power_of_two,
    prefetch,
    rint,
    splat,
    sqrt,
    store,
    where,
)
from kernels.loops.logarithm import log, logs
from kernels.loops.robust_mean import ordered
from kernels.opencv import cv2
from kernels.plugins import find_stage

Array = npt.NDArray[Any]


@loop
def inner(a: F64, n: int, out: F64) -> int:
    s = 0.0
    for i in range(n):
        if (a[i] < 0 and a[i] > -5.0) or i == 3:
            continue
        s += a[i]
        if s > 1e6:
            break
    out[0] = s
    return n if s > 2 else -n


@loop
def outer(a: F64, p: PIXELS, whole: I32, n: int, share: float, out: F64) -> int:
    k = inner(at(a, 1), n - 1, out)
    v = load(a, 0)
    store(out, 1, where(v > 0, sqrt(abs(v)), power_of_two(rint(v))) * 2 + float(p[1]) * share + splat(0.5))
    x, y = 1, 2
    x, y = y, x
    while k > 4 and not (k % 7 == 0 or k == 999):
        k -= x
        whole[k & 3] = (k * 3 - (k << 2) + k // 2) ^ -x
    return int(max(k, min(y, 3)))


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    language.provide(natives.load)
    yield
    language.provide(natives.load)


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.float32])
def test_a_loop_is_its_python(kind: Any) -> None:
    for seed in range(20):
        a = np.random.default_rng(seed).normal(size=20) * 3
        p = np.array([3, 25, 1], kind)
        made = []
        for call in (outer.native(kind), outer):
            out, whole = np.zeros(9), np.zeros(4, np.int32)
            assert call is not None
            given = (a, p, whole, 20, 0.3, out)
            native = call is not outer
            result = call(*((address(v) if native and isinstance(v, np.ndarray) else v) for v in given))
            made.append((int(result), out.tobytes(), whole.tobytes()))
        assert made[0] == made[1]


@loop
def farthest(a: F64, k: int) -> float:
    return max(a[0], a[1], a[2]) - min(a[1], a[2], float(k), a[0])


@pytest.mark.parametrize("order", list(permutations((1.5, -2.0, np.nan))))
def test_the_largest_and_the_smallest_of_several_are_those_of_python(order: tuple[float, ...]) -> None:
    native = farthest.native()
    assert native is not None
    a = np.array(order)
    for k in (-7, 3):
        np.testing.assert_equal(native(address(a), k), farthest(a, k))


@loop
def widened(p: PIXELS, out: F64) -> int:
    store(out, 0, load(p, 1) * 0.5)
    return 0


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int16, np.int32, np.uint32, np.int64, np.float32, np.float64])
def test_vectors_of_any_type_become_doubles(kind: Any) -> None:
    top = np.iinfo(kind).max if np.dtype(kind).kind in "ui" else 1e30
    p = np.array([9, 0, 1, 200, 5, 6, 7, 8, top], kind) if np.dtype(kind).kind == "u" else np.array(
        [9, -3, 1, 100, 5, -6, 7, 8, top], kind)  # fmt: skip
    out, call = np.zeros(8), widened.native(kind)
    assert call is not None
    call(address(p), address(out))
    assert out.tolist() == (p[1:].astype(np.float64) * 0.5).tolist()


@loop
def taken_apart(p: U8, start: int, before: int, out: I64) -> int:
    out[0] = nonzero_bytes(p, start)
    out[1] = bit_edges(out[0], before)
    out[2], out[3] = ctz(out[0]), clear_lowest_bit(out[0])
    out[4], out[5] = ctz(out[1]), clear_lowest_bit(out[1])
    out[6] = popcount(out[0])
    return 0


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from((0, 0, 1, 255)), min_size=67, max_size=67), st.integers(0, 3), st.booleans())
def test_words_of_flags_are_taken_apart_from_their_lowest_bit_on(some: list[int], start: int, before: bool) -> None:
    p, out, again = np.array(some, np.uint8), np.zeros(7, np.int64), np.zeros(7, np.int64)
    call = taken_apart.native()
    assert call is not None
    call(address(p), start, before, address(out))
    taken_apart(p, start, int(before), again)
    assert out.tobytes() == again.tobytes()
    set_ = [k for k in range(64) if some[start + k]]
    assert out[0] & -1 == sum(1 << k for k in set_) - (1 << 64 if 63 in set_ else 0)
    assert out[6] == len(set_)
    changed = [k for k in range(64) if (some[start + k] != 0) != (some[start + k - 1] != 0 if k else before)]
    for word, rest, places in ((out[2], out[3], set_), (out[4], out[5], changed)):
        assert word == (places[0] if places else 64)
        assert [k for k in range(64) if int(rest) >> k & 1] == places[1:]


def test_without_a_compiler_there_is_no_machine_code() -> None:
    language.provide(lambda _key, _text, _name: None)
    assert exponentials.native() is None
    language.provide(None)
    assert exponentials.native() is None


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.floats(-1e300, 0.0), min_size=8, max_size=40))
def test_the_exponential_is_e_to_the_power(values: list[float]) -> None:
    t = np.array(values[: len(values) // 8 * 8]).reshape(-1, 8)
    made = t.copy()
    exponentials(made, len(made))
    np.testing.assert_allclose(made, np.exp(np.maximum(t, -700.0)), rtol=4.5e-16)
    native = exponentials.native()
    assert native is not None
    native(address(t), len(t))
    assert t.tobytes() == made.tobytes()


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.floats(-1e6, 1e6), max_size=70))
def test_sorting(values: list[float]) -> None:
    buffer = np.zeros(2 * len(values) + 1)
    buffer[: len(values)] = values
    native = ordered.native()
    assert native is not None
    start = native(address(buffer), len(values))
    assert buffer[start : start + len(values)].tolist() == sorted(values)


def drawn(seed: int, rows: int = 30) -> tuple[Array, Array]:
    """Masks and pictures with many touching blobs, some at edges, some pixels dead; of fewer than `rows` rows."""
    random = np.random.default_rng(seed)
    frames, height, width = (int(random.integers(1, n)) for n in (4, rows, 30))
    noise = random.integers(0, 255, (frames, height, width)).astype(np.uint8)
    images = np.stack([cv2.GaussianBlur(i, (0, 0), 1.5).reshape(height, width) for i in noise])
    masks = images > np.quantile(images, random.choice([0.5, 0.9]))
    kind = random.integers(4)
    if kind == 1:
        images = images.astype(np.float32) * np.float32(1.1)
        images[:, ::7, ::5] = np.nan
    elif kind == 2:
        images = images.astype(np.uint16) * 200
    elif kind == 3:
        images = images.astype(np.int32)
    return masks, images


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 9999), st.sampled_from((0.0, 2.5)), st.sampled_from((0.0, 0.8, 1.4, 3.0)), st.integers(0, 4),
       st.sampled_from(("bright", "dark")), st.sampled_from(("slope", "ring", "level")),
       st.sampled_from((3, 4096)))  # fmt: skip
def test_components_compiled_are_those_without(
    seed: int, split: float, sigma: float, grow: int, polarity: str, ground: str, capacity: int
) -> None:
    masks, images = drawn(seed, 15)  # without a compiler a blob takes milliseconds
    params: dict[str, Any] = {"split": split, "refine_sigma": sigma, "grow": grow, "polarity": polarity,
                              "background": ground, "capacity": capacity}  # fmt: skip
    made = []
    for loader in (natives.load, None):
        language.provide(loader)
        tables = evaluate_clip(find_stage("components"), masks, images, **params)
        made.append([(table.rows.tobytes(), table.overflow) for table in tables])
    assert made[0] == made[1]


@pytest.mark.parametrize("width", [62, 63, 64, 65, 129])
def test_pictures_of_several_words_a_row_are_measured_without_a_compiler_too(width: int) -> None:
    masks = np.zeros((1, 5, width), np.bool_)
    for x in range(0, width, 3):
        masks[0, 2, x : x + 2] = masks[0, x % 5, x] = True
    masks[0, :, -2:] = True
    images = (40 + 100 * masks + np.arange(width) % 7).astype(np.uint8)
    made = []
    for loader in (natives.load, None):
        language.provide(loader)
        tables = evaluate_clip(find_stage("components"), masks, images)
        made.append([(table.rows.tobytes(), table.overflow) for table in tables])
    assert made[0] == made[1]


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 9999), st.integers(1, 20), st.sampled_from((0.6, 1.5, 2.7)), st.booleans(),
       st.sampled_from(("gaussian", "radial", "auto")), st.booleans())  # fmt: skip
def test_centres_compiled_are_those_without_in_any_batch(
    seed: int, count: int, sigma: float, dark: bool, method: str, together: bool
) -> None:
    language.provide(natives.load)  # the case before has taken it away
    _, images = drawn(seed)
    random = np.random.default_rng(seed)
    frame = np.sort(random.integers(0, len(images), count))
    x, y = random.uniform(-0.5, images.shape[2] - 0.5, count), random.uniform(-0.5, images.shape[1] - 0.5, count)
    whole = centres_in(images, frame, x, y, sigma, 0.1, dark=dark, method=method, together=together)
    own = [frame == i for i in range(len(images))]
    parts = [centres_in(images[i : i + 1], frame[own[i]] * 0, x[own[i]], y[own[i]], sigma, 0.1, dark=dark,
                        method=method, together=together) for i in range(len(images))]  # fmt: skip
    assert whole.tobytes() == np.concatenate(parts).tobytes()
    language.provide(None)
    assert whole.tobytes() == centres_in(
        images, frame, x, y, sigma, 0.1, dark=dark, method=method, together=together).tobytes()  # fmt: skip


OWN = '''from __future__ import annotations

from kernels.loops.language import loop

{between}
@loop
def doubled(n: int) -> int:
    return 2 * n
'''


def test_a_file_that_is_changed_while_the_program_runs_changes_no_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "loops_of_a_test.py"
    path.write_text(OWN.format(between=""), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("loops_of_a_test")
    path.write_text(OWN.format(between="LINES = 1\n" * 5).replace("2 * n", "3 * n"), "utf-8")
    native = module.doubled.native()
    assert native is not None
    assert native(21) == 42
    del sys.modules["loops_of_a_test"]


@pytest.mark.parametrize(
    "seen",
    [OWN.format(between="").replace("2 * n", "OWN * n"),  # a number that the module as it was imported does not have
     OWN.format(between="").replace("2 * n", "3 * n"), OWN.format(between="").replace("2 * n", "n + n"),
     OWN.format(between="LINES = 1\n" * 3), OWN.format(between="").replace("int:", "int:\n    assert n"),
     OWN.format(between="").replace("return", "return ("), "", OWN.format(between="")[:90]],
)  # fmt: skip
def test_a_file_that_is_changed_while_it_is_imported_is_not_compiled(
    seen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))  # where nothing is kept of the same function
    path = tmp_path / "another_of_a_test.py"
    path.write_text(OWN.format(between=""), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("linecache.getlines", lambda *_: seen.splitlines(keepends=True))
        module = importlib.import_module("another_of_a_test")
    del sys.modules["another_of_a_test"]
    assert module.doubled.native() is None
    assert module.doubled(21) == 42
    with pytest.raises(DefinitionError, match=r"doubled was written anew.*start the program again"):
        module.doubled.text()


@loop
def brought(p: PIXELS, n: int, out: F64) -> int:
    for k in range(-1000000, 1000000, 9999):
        prefetch(p, k)
    out[0] = float(p[n])
    return n


def test_what_is_brought_near_need_not_exist_and_changes_nothing() -> None:
    pixels, out = np.array([1, 2, 3], np.uint8), np.zeros(1)
    native = brought.native(np.uint8)
    assert native is not None
    assert native(address(pixels), 2, address(out)) == 2
    assert out[0] == 3.0
    assert brought(pixels, 1, out) == 1
    assert out[0] == 2.0


def crowd(seed: int) -> tuple[Array, Array, Array]:
    """A picture of blobs, alone, touching and at the edges, and where to begin."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0, 99, 30), rng.uniform(0, 79, 30)
    rows, columns = np.mgrid[:80, :100]
    light = sum(40 * np.exp(-((columns - a) ** 2 + (rows - b) ** 2) / 4.0) for a, b in zip(x, y, strict=True))
    return np.clip(rng.normal(20 + light, 1), 0, 255), np.rint(x), np.rint(y)


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 99), min_size=2, max_size=5), st.sampled_from(("uint8", "float32", "float64")),
       st.sampled_from(("gaussian", "radial", "auto")), st.booleans())  # fmt: skip
def test_a_centre_does_not_depend_on_the_other_frames(
    seeds: list[int], kind: str, method: str, shared: bool
) -> None:
    made = [crowd(seed) for seed in seeds]
    images = np.stack([image for image, _, _ in made]).astype(kind)
    frame = np.repeat(np.arange(len(made)), 30)
    x, y = (np.concatenate([each[k] for each in made]) for k in (1, 2))
    together = centres_in(images, frame, x, y, 1.4, method=method, together=shared)
    for k, (_, own_x, own_y) in enumerate(made):
        alone = centres_in(images[k : k + 1], np.zeros(30, int), own_x, own_y, 1.4, method=method, together=shared)
        assert together[30 * k : 30 * k + 30].tobytes() == alone.tobytes()


@loop
def logarithms(values: F32, count: int, out: F64) -> int:
    for k in range(count):
        out[k] = log(max(float(values[k]), 1e-10))
    return 0


def test_a_loop_that_is_called_as_a_function_of_c_is_not_that_one() -> None:
    values = np.random.default_rng(0).random(4000, np.float32)
    compiled, plain = np.empty((2, 4000))
    native = logarithms.native()
    assert native is not None
    native(address(values), len(values), address(compiled))
    logarithms(values, len(values), plain)
    assert compiled.tobytes() == plain.tobytes() == logs(values).tobytes()
