"""The generated code of the shipped pipelines, word for word: a change of the generator shows what it changes.

After a change that is meant, `FUSETRACK_REWRITE_GOLDEN=1 python -m pytest tests/app/test_golden_code.py` writes the
files anew; read the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.commands.source import sources
from kernels.ir.image import U8, ImageType
from pipelines.definition import load
from pipelines.fusing import largest_groups
from pipelines.graph import bind
from tests.shipped import WITHOUT_LAYERS

FOLDER = Path(__file__).with_name("golden")
FRAME = ImageType(U8, 48, 64)
"""Wide enough for every kind of vector, and a size that fills them."""


@pytest.mark.parametrize("name", WITHOUT_LAYERS)
def test_the_code_is_as_it_was(name: str) -> None:
    bound = bind(load(name), FRAME)
    text = "\n".join(text for _, text in sources(bound, largest_groups(bound, bound.taps)))
    file = FOLDER / f"{name}.ll"
    if os.environ.get("FUSETRACK_REWRITE_GOLDEN"):
        file.write_text(text, "utf-8", newline="\n")
    lines, golden = text.splitlines(), file.read_text("utf-8").splitlines()
    changed = [i for i, (new, old) in enumerate(zip(lines, golden, strict=False), 1) if new != old]
    assert not changed, f"{file.name} line {changed[0]}: {lines[changed[0] - 1]!r} was {golden[changed[0] - 1]!r}"
    assert len(lines) == len(golden)


def test_no_golden_file_is_left_over() -> None:
    assert sorted(file.stem for file in FOLDER.iterdir()) == WITHOUT_LAYERS
