"""`fusetrack.library`: the shipped pipelines."""

from __future__ import annotations

from pipelines.definition import library as plain_ones
from pipelines.definition import summary_of, with_files


def library() -> dict[str, str]:
    """The shipped pipelines: what each is for, by name; `print(fusetrack.Pipeline(NAME).describe())` shows one."""
    return {name: summary_of(name) for name in (*plain_ones(), *with_files())}
