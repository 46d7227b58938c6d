"""Machine code of loops that is kept is found without writing their text, and only where it is of that very text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.executors import manifest, natives
from kernels.loops import language
from kernels.loops.language import F64, PIXELS, Loop, address, loop

FACTOR = 3


@loop
def part(a: F64) -> int:
    return int(a[0]) * FACTOR


@loop
def whole(a: F64, p: PIXELS) -> int:
    return part(a) + int(p[0])


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The loops whose text is written; nothing is kept on disk before."""
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path / "kept"))
    made: list[str] = []
    text = language._text.__wrapped__

    def told(one: Loop, pixels: np.dtype[Any], lanes: np.dtype[Any]) -> str:
        made.append(one.name)
        return text(one, pixels, lanes)

    monkeypatch.setattr(language, "_text", told)
    language.provide(natives.load)
    yield made
    language.provide(natives.load)


def value(one: Loop = whole) -> Any:
    """Of a process that knows nothing yet."""
    language.provide(natives.load)
    language._identity.cache_clear()
    language.without_structs_of.cache_clear()
    language._function_text.cache_clear()
    native = one.native(np.uint8)
    assert native is not None
    given, pixels = np.array([5.0]), np.array([7], np.uint8)
    return native(*(address(each) for each in (given, pixels)[: len(one.signature.names)]))


def test_what_is_kept_needs_no_text(written: list[str]) -> None:
    assert value() == 22
    assert value() == 22
    assert written == ["whole"]


def test_another_number_another_loop_and_another_type_are_written(
    written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert value() == 22
    with monkeypatch.context() as meanwhile:
        meanwhile.setitem(globals(), "FACTOR", 4)
        assert value() == 27

    def part(a: F64) -> int:
        return int(a[0]) - FACTOR

    with monkeypatch.context() as meanwhile:
        meanwhile.setitem(globals(), "part", loop(part))
        assert value() == 9
    language.provide(natives.load)
    assert whole.native(np.int16) is not None
    assert written == ["whole"] * 4
    assert value() == 22
    assert len(written) == 4


def variants() -> list[Loop]:
    @loop
    def same(a: F64) -> int:
        return 1 if a[0] > 0.0 else 2

    first = same

    @loop
    def same(a: F64) -> int:
        if a[0] > 0.0:
            return 1
        return 2

    second = same

    @loop
    def same(a: F64) -> int:
        return (1 if a[0] > 0.0 else 2)  # fmt: skip

    between = same

    @loop
    def same(a: PIXELS) -> int:
        return 1 if a[0] > 0.0 else 2

    third = same

    @loop
    def same(a: F64) -> float:
        return 1 if a[0] > 0.0 else 2

    return [first, second, between, third, same]


def test_what_python_takes_for_the_same_code_is_not_the_same() -> None:
    """Compiled, `a if c else b` evaluates both and `if` does not; only their places in the file may tell them apart."""
    keys = {language._key(each, np.dtype(np.uint8), np.dtype(np.float64)) for each in variants()}
    assert len(keys) == 5
    assert keys == {language._key(each, np.dtype(np.uint8), np.dtype(np.float64)) for each in variants()}


def test_another_writer_writes_all_again(written: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    value()
    monkeypatch.setattr(natives, "writer", lambda: "another")
    assert value() == 22
    assert written == ["whole"] * 2


def test_a_writer_that_cannot_be_read_leaves_the_text_as_the_key(
    written: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(natives, "writer", lambda: "")
    assert value() == 22
    assert set(written) == {"whole"}
    written.clear()
    assert value() == 22
    assert written == ["whole"]
    assert len(list((tmp_path / "kept" / "cpu").iterdir())) == 1


def test_a_writer_that_was_updated_while_the_process_ran_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    before = natives.writer.__wrapped__()
    assert len(before) == 64
    assert before == natives.writer.__wrapped__()
    monkeypatch.setattr(manifest, "BEGAN", 0.0)
    own = natives.writer.__wrapped__()
    monkeypatch.setattr(manifest.os, "getpid", lambda: 1)
    assert len({before, own, natives.writer.__wrapped__()}) == 3


@pytest.mark.parametrize("spoiled", ["file", "bytes"])
def test_a_cache_that_is_none_costs_time_alone(spoiled: str, written: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    if spoiled == "file":
        folder.write_text("in the way")
    else:
        value()
        (kept,) = (folder / "cpu").glob("*.o")
        kept.write_bytes(kept.read_bytes()[:-9])
        written.clear()
    assert value() == 22
    assert written == ["whole"]
