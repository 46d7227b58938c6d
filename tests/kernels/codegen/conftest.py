"""The emulator, where there is a compiler."""

from __future__ import annotations

import pytest

from tests.emulator.compiler import compilers
from tests.emulator.emulator import Emulator


@pytest.fixture(scope="session")
def emulator() -> Emulator:
    if not compilers():
        pytest.skip("no C++ compiler: g++, clang++ or the package ziglang (Linux)")
    return Emulator()
