"""For every test of the program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from app import controller
from app.plots import figures
from app.sessions import recording
from tests.coarse import COARSE, CoarsePicture, encoded
from tests.medium import ASKED, sync
from tests.patience import OF_THE_PROGRAM, PATIENCE


@pytest.fixture(autouse=True)
def _recorders(monkeypatch: pytest.MonkeyPatch) -> None:
    """A queue of 32 MB where a test names no other: half a gigabyte costs a second of the kernel's time every time.

    And other processes may take their time, however busy the machine is.
    """
    monkeypatch.setattr(recording, "QUEUE_BYTES", 32 << 20)
    for module, name in OF_THE_PROGRAM:
        monkeypatch.setattr(import_module(module), name, PATIENCE)


@pytest.fixture(autouse=True, scope="session")
def _medium() -> Iterator[None]:
    """Nothing waits for the disk."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ASKED:
            patch.setattr(os, name, sync)
        yield


@pytest.fixture(autouse=True)
def _coarse_figures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are drawn coarsely, but in files that are marked `sharp` or `starts`."""
    if not any(request.node.get_closest_marker(name) for name in ("sharp", "starts")):
        monkeypatch.setattr(controller, "TrajectoryPicture", CoarsePicture)
        monkeypatch.setattr(figures, "encoded", encoded)
        monkeypatch.setenv(COARSE, "1")


@pytest.fixture(scope="session")
def nursery() -> Iterator[Any]:
    """What has loaded the program once, for all processes that the tests start; None where there can be none."""
    if sys.platform != "linux":
        yield None
        return
    from tests.nursery import POSSIBLE, Nursery

    made = Nursery()
    yield made if POSSIBLE else None
    made.close()


@pytest.fixture(autouse=True, scope="module")
def _born(request: pytest.FixtureRequest, nursery: Any) -> Iterator[None]:
    """Processes of ours come from the nursery, but in files that are marked `starts`."""
    if nursery is None or request.node.get_closest_marker("starts") is not None:
        yield
        return
    from tests.nursery import born_in

    with born_in(nursery):
        yield


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real disk of 256 kB; skips where it may not be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    if mount is None:
        pytest.skip("no mount command")
    done = subprocess.run([mount, "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)], capture_output=True)
    if done.returncode:
        pytest.skip("a small disk may not be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, capture_output=True)
