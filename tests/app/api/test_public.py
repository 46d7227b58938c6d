"""What `import fusetrack` offers: one table, lazily loaded, shown whole by help, known to type checkers."""

from __future__ import annotations

import ast
import importlib
import inspect
import pydoc
from pathlib import Path

import pytest

from app import launcher as fusetrack
from app.api.public import MORE, PUBLIC
from kernels import errors

TEXT = (Path(__file__).parents[3] / "app/launcher.py").read_text("utf-8")


def told_to_type_checkers() -> dict[str, str]:
    """Public names and their modules, of the imports that only a type checker sees."""
    (block,) = [node for node in ast.parse(TEXT).body if isinstance(node, ast.If) and not node.orelse
                and isinstance(node.test, ast.Name)]  # fmt: skip
    return {name.asname or "": f"{found.module}".removeprefix("fusetrack.")
            for found in block.body if isinstance(found, ast.ImportFrom) for name in found.names}  # fmt: skip


def test_type_checkers_know_every_public_name() -> None:
    told, known = told_to_type_checkers(), {**PUBLIC, **MORE}
    assert {*PUBLIC} <= {*told}
    for name, module in told.items():
        assert known[name].partition(":")[0] == module, name
        assert hasattr(importlib.import_module(module), name)


def test_every_name_is_there_and_says_what_it_is() -> None:
    for name in (*PUBLIC, *MORE):
        found = getattr(fusetrack, name)
        if name != "__version__":
            assert inspect.getdoc(found), name
    assert {*PUBLIC} <= {*dir(fusetrack)}
    assert fusetrack.__all__ == [*PUBLIC]
    with pytest.raises(AttributeError, match="did you mean 'track'"):
        fusetrack.trakc  # noqa: B018


def test_help_shows_all() -> None:
    shown = pydoc.render_doc(fusetrack, renderer=pydoc.plaintext)
    for name in PUBLIC.keys() - {"__version__"}:
        assert name in shown, name
    for words in ("Follow what moves in a clip", "shape", "px/s", "Mean squared displacements.", "to_pandas",
                  "by_track", "A clip, or some of its frames", "Raises:", "Operating deflection shapes."):  # fmt: skip
        assert words in shown, words
    assert len(shown.splitlines()) < 1000
    for name in ("track", "apply", "open", "live", "msd", "shapes", "frf", "motion", "strain", "grid"):
        function = getattr(fusetrack, name)
        assert all(f"{one}" in function.__doc__ for one in inspect.signature(function).parameters), name


def test_errors_of_arguments_are_what_python_expects() -> None:
    kinds = {errors.ArgumentError: ValueError, errors.ArgumentTypeError: TypeError, errors.NameOfNothing: KeyError}
    for ours, theirs in kinds.items():
        made = ours("one clear sentence")
        assert isinstance(made, errors.InputError)
        assert isinstance(made, theirs)
        assert str(made) == "one clear sentence"
    assert issubclass(errors.NameOfNothing, AttributeError)
