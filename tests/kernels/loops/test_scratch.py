"""Memory that is used again."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

FAULTS = """
import resource, sys
import numpy as np
from kernels.loops.scratch import keep_freed

if sys.argv[1] == "keep":
    keep_freed()
before = 0
for _ in range(4):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    held = [np.ones(3 << 17) for _ in range(4)]
    del held
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def _faults(how: str) -> int:
    """Of the last of four rounds in which 12 MiB are written and let go."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("MALLOC_", "GLIBC_"))}
    done = subprocess.run([sys.executable, "-c", FAULTS, how], env=plain, capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others decide for themselves")
def test_that_freed_memory_has_its_pages_when_it_is_asked_for_again() -> None:
    assert _faults("keep") < 100 < 1000 < _faults("")
