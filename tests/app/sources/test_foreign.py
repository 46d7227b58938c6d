"""Files that are not read say what they are and how they come in; the lines that are named do what they say."""

from __future__ import annotations

import shlex
import struct
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import scipy.io

from app.sources.foreign import KINDS, Foreign
from app.sources.formats import ENDINGS
from app.sources.opening import open_source
from kernels.errors import SourceError
from tests.app.sources.writers import picture
from tests.patience import PATIENCE

STACK = np.stack([picture(6, 9, 4095, k) for k in range(4)])


def refused(path: Path) -> str:
    with pytest.raises(SourceError) as caught:
        open_source(path)
    said = str(caught.value)
    assert "\n" not in said
    assert said.startswith(f"{path} is a")
    return said


def follow(said: str, folder: Path, **given: str) -> Path:
    """Run the line that a sentence names."""
    line = said[said.index("python -c ") : said.index(" makes an .npy")]
    for word, value in given.items():
        line = line.replace(word, value)
    _, *arguments = shlex.split(line)
    subprocess.run([sys.executable, *arguments], cwd=folder, check=True, timeout=PATIENCE)
    (made,) = folder.glob("*.npy")
    return made


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.title)
def test_known_by_name_or_first_bytes_and_told_in_a_sentence(tmp_path: Path, kind: Foreign) -> None:
    for ending in kind.endings:
        path = tmp_path / f"a{ending.upper()}"
        path.write_bytes(b"\x07 nothing of the kind " * 99)
        assert f"is {kind.title}, which fusetrack does not read: " in refused(path)
    for at, mark in kind.marks:
        for name in ("a.seq", "a.dv", "a"):
            (tmp_path / name).write_bytes(b"\x07" * at + mark + b"\x07" * 4000)
            assert f"is {kind.title}, which" in refused(tmp_path / name)


def test_endings_are_those_of_one_kind() -> None:
    endings = [ending for kind in KINDS for ending in kind.endings]
    assert len(endings) == len(set(endings))
    assert not set(endings) & set(ENDINGS)


def test_a_folder_that_is_a_store(tmp_path: Path) -> None:
    (tmp_path / "a.zarr").mkdir()
    assert "pip install zarr; python -c" in refused(tmp_path / "a.zarr")


def test_a_pile_of_pixels_comes_in(tmp_path: Path) -> None:
    STACK.tofile(tmp_path / "a.raw")
    made = follow(refused(tmp_path / "a.raw"), tmp_path, FRAMES="4", HEIGHT="6", WIDTH="9")
    with closing(open_source(made)) as source:
        assert np.array_equal(source.read(3), STACK[3])


@pytest.mark.parametrize("little", [0, 1])
def test_a_ser_comes_in(tmp_path: Path, little: int) -> None:
    head = b"LUCAM-RECORDER" + struct.pack("<7i", 0, 0, little, 9, 6, 12, 4)
    pixels = STACK.astype("<u2" if little else ">u2").tobytes()
    (tmp_path / "a.ser").write_bytes(head.ljust(178, b"\0") + pixels)
    with closing(open_source(follow(refused(tmp_path / "a.ser"), tmp_path))) as source:
        assert np.array_equal(source.read(3), STACK[3])


@pytest.mark.parametrize("version", ["5", "7.3"])
def test_a_mat_comes_in(tmp_path: Path, version: str) -> None:
    if version == "5":
        scipy.io.savemat(tmp_path / "a.mat", {"clip": STACK.transpose(1, 2, 0)})
    else:
        h5py = pytest.importorskip("h5py")
        with h5py.File(tmp_path / "a.mat", "w", userblock_size=512) as file:
            file["clip"] = STACK.transpose(0, 2, 1)  # height x width x frames, as MATLAB stores it
        with (tmp_path / "a.mat").open("r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64")
    with closing(open_source(follow(refused(tmp_path / "a.mat"), tmp_path, NAME="clip"))) as source:
        assert np.array_equal(source.read(3), STACK[3])
