"""Code of classes that is kept: the same classes, and no text compiled twice."""

from __future__ import annotations

import collections
import dataclasses
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from app import kept_code
from app.kept_code import KeptCode, keeping
from kernels.executors.cache import ObjectCache


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectCache]:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    yield ObjectCache(tmp_path / "classes")
    for module, name in ((dataclasses, "exec"), (collections, "eval")):
        vars(module).pop(name, None)


def made() -> tuple[type[Any], type[Any]]:
    @dataclasses.dataclass(frozen=True, slots=True, order=True)
    class Place:
        x: float
        y: float = 0.0
        names: tuple[str, ...] = dataclasses.field(default=(), compare=False)

    class Pair(NamedTuple):
        left: int
        right: int = 2

    return Place, Pair


def test_classes_are_those_of_python_whether_their_code_was_kept_or_not(here: ObjectCache) -> None:
    plain = made()
    for _ in range(2):
        kept = keeping()
        place, pair = made()
        kept.keep()
        assert here.get(kept._name) is not None
        for ours, theirs in zip((place, pair), plain, strict=True):
            for name in ("__init__", "__new__", "__repr__", "__eq__", "__hash__", "__lt__", "__setattr__"):
                one, other = (getattr(getattr(kind, name), "__code__", None) for kind in (ours, theirs))
                assert one == other, name
        assert repr(place(1.0, names=("a",))) == repr(plain[0](1.0, names=("a",)))
        assert place(1.0) < place(2.0)
        assert hash(place(1.0)) == hash(place(1.0, names=("b",)))
        assert pair(1) == (1, 2)
        with pytest.raises(dataclasses.FrozenInstanceError):
            place(1.0).x = 2.0  # type: ignore[misc]
        with pytest.raises(TypeError, match="missing 1 required"):
            place()


def test_what_was_kept_is_not_compiled_again(here: ObjectCache, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = keeping()
    made()
    kept.keep()
    assert kept._used
    keeping()
    monkeypatch.setattr(kept_code, "compile", None, raising=False)
    made()
    with pytest.raises(TypeError, match="not callable"):
        dataclasses.make_dataclass("Other", ["never_seen_before"])


def test_texts_of_earlier_versions_go(here: ObjectCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_code, "MOST", 3)
    for part, left in (("ab", 2), ("c", 3), ("d", 1)):
        kept = KeptCode(here)
        for name in part:
            kept.code(f"{name} = 1", "exec")
        kept.keep()
        assert len(KeptCode(here)._held) == left


def test_commands_keep_code_and_what_only_tells_of_itself_does_not_look_for_it(tmp_path: Path) -> None:
    for words, keeps in ((["--version"], False), (["stages", "gaussian"], True)):
        code = f"""
import sys, app.cli
sys.argv[1:] = {words}
try:
    app.cli.program()
except SystemExit:
    pass
print("app.kept_code" in sys.modules)
"""
        told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                              env={**os.environ, "FUSETRACK_CACHE": str(tmp_path)})  # fmt: skip
        assert told.stdout.splitlines()[-1] == str(keeps)
        assert (tmp_path / "classes").is_dir() == keeps
    assert len(list((tmp_path / "classes").iterdir())) == 1
