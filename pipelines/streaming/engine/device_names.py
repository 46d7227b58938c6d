"""What users call devices, apart from what chooses among them: a command line is read before a planner is there."""

from __future__ import annotations

from kernels.errors import InputError


def check_device(name: str) -> str:
    """The name of a device as a user gives it.

    Raises:
        InputError: it is none.
    """
    kind, colon, number = name.partition(":")
    if name in ("auto", "cpu", "reference", "cuda") or (kind == "cuda" and colon and number.isdecimal()):
        return name
    raise InputError(f"--device takes auto, cpu, cuda, cuda:1 ... or reference, not {name!r}")
