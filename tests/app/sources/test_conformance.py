"""What every format promises, tried on small clips of each: a format without a maker fails here."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.batch.finding import find
from app.commands.info import ORIGINS
from app.gui.asking import CLIPS
from app.sources.formats import FORMATS, Format
from app.sources.opening import open_source
from kernels.errors import BadFrame, SourceError
from pipelines.frame import FrameSource
from tests.app.sources.makers import COUNT, MAKERS, Made
from tests.app.sources.writers import index_in

PATIENCE = 10.0
"""Seconds of the processor in which a damaged clip must have been read or refused; what goes round is far beyond."""
Maker = Callable[[Path], Made]


def module_of(form: Format) -> str:
    """The module of app.sources that reads a format."""
    return form.place.partition(":")[0]


CASES = [pytest.param(form, maker, id=maker.__name__) for form in FORMATS for maker in MAKERS.get(module_of(form), ())]


@pytest.fixture(autouse=True)
def packages(request: pytest.FixtureRequest) -> None:
    if "hdf5" in request.node.name:
        pytest.importorskip("h5py")


def test_every_format_has_a_maker() -> None:
    assert sorted(MAKERS) == sorted(module_of(form) for form in FORMATS)


@pytest.mark.parametrize(("form", "make"), CASES)
def test_frames_come_back_in_any_order_and_their_times_rise(tmp_path: Path, form: Format, make: Maker) -> None:
    made = make(tmp_path)
    with closing(open_source(made.path)) as source:
        info = source.info
        assert info.warnings == ()
        assert (info.frames, info.declared_frames) == (COUNT, COUNT)
        assert info.kind == form.kind
        assert (info.image.shape, info.image.dtype.numpy) == (made.frames[0].shape, made.frames[0].dtype)
        in_order = [source.read(k).copy() for k in range(COUNT)]
        for frame, stored in zip(in_order, made.frames, strict=True):
            assert is_as_made(frame, stored, made.off)
        for k in (*np.random.default_rng(1).permutation(3 * COUNT) % COUNT, COUNT - 1, 0):
            assert np.array_equal(source.read(int(k)), in_order[k])
            out = np.full(info.image.shape, 99, info.image.dtype.numpy)
            assert source.read(int(k), out) is out
            assert np.array_equal(out, in_order[k])
        for k in (-1, COUNT):
            with pytest.raises(IndexError):
                source.read(k)
        times = np.array([info.time.time(k) for k in range(COUNT)])
        assert (np.diff(times) > 0).all()
        assert info.time.origin in ORIGINS
        assert info.time.origin == "unknown" or info.time.fps > 0 or info.time.stamps is not None
        assert info.time.note
        assert {"path", "bytes", "mtime_ns"} <= set(info.identity)
    with closing(open_source(made.path, fps=250.0)) as source:
        assert (source.info.time.fps, source.info.time.origin) == (250.0, "user")


@pytest.mark.parametrize(("form", "make"), CASES)
def test_batches_and_the_open_dialog_know_it(tmp_path: Path, form: Format, make: Maker) -> None:
    made = make(tmp_path)
    (found,) = find([str(tmp_path)], tmp_path / "out").clips
    with closing(open_source(found.path)) as source:
        assert source.info.frames == COUNT
    assert all(f"*{ending}" in CLIPS for ending in form.extensions)
    assert made.data.suffix in {ending for one in FORMATS for ending in one.extensions}


def damages(data: bytes) -> Iterator[tuple[str, bytes]]:
    """A file that is damaged in ways that happen to files."""
    size = len(data)
    yield "empty", b""
    yield "one byte", data[:1]
    for share in (0.002, 0.05, 0.3, 0.6, 0.9):
        yield f"cut at {share}", data[: max(2, int(size * share))]
    yield "cut by a byte", data[:-1]
    rng = np.random.default_rng(size)
    for share in (0.0, 0.001, 0.01, 0.1, 0.5, 0.95):
        at = min(size - 1, int(size * share))
        yield f"flipped at {share}", data[:at] + bytes([data[at] ^ 1 << int(rng.integers(8))]) + data[at + 1 :]
        length = min(64, size - at)
        yield f"zeros at {share}", data[:at] + bytes(length) + data[at + length :]
        yield f"noise at {share}", data[:at] + rng.bytes(length) + data[at + length :]
    yield "bytes inserted", data[: size // 2] + b"\0\1\2" + data[size // 2 :]


@pytest.mark.parametrize(("form", "make"), CASES)
def test_damage_is_a_sentence_or_a_frame_that_is_named(tmp_path: Path, form: Format, make: Maker) -> None:
    made = make(tmp_path)
    data = made.data.read_bytes()
    for what, damaged in damages(data):
        made.data.write_bytes(damaged)
        begin = time.process_time()
        source = opened(made.path)
        if isinstance(source, str):
            assert "\n" not in source
            assert str(tmp_path) in source
        else:
            with closing(source):
                check_what_is_served(source, made, what)
        assert time.process_time() - begin < PATIENCE, what


def opened(path: Path) -> FrameSource | str:
    """The clip, or the sentence by which it is refused."""
    try:
        return open_source(path)
    except SourceError as error:
        return str(error)


def check_what_is_served(source: FrameSource, made: Made, what: str) -> None:
    """Of a damaged clip frames are whole or bad; of one that is cut they are as they were, and fewer are said."""
    info = source.info
    for k in (*range(info.frames), 0):
        try:
            frame = source.read(k)
        except BadFrame:
            continue
        assert (frame.shape, frame.dtype) == (info.image.shape, info.image.dtype.numpy)
        if what.startswith("cut"):
            assert is_as_made(frame, made.frames[k], made.off), (what, k)
    if what.startswith("cut") and info.frames < COUNT:
        assert info.warnings, what


def is_as_made(frame: Any, stored: Any, off: int) -> bool:
    if not off:
        return np.array_equal(frame, stored)
    return float(np.abs(frame.astype(int) - stored).mean()) <= off and index_in(frame) == index_in(stored)
