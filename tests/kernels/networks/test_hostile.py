"""Damaged and hostile files, from the reader to the rows of layers: read, or refused in a sentence, soon and small."""

from __future__ import annotations

import random
import sys
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kernels.errors import DefinitionError, ExprError
from kernels.networks.onnx_reader import read
from tests.kernels.networks import hostile

try:
    import resource
except ImportError:  # Windows
    resource = None

NETS = Path(__file__).parents[4] / "shared" / "nets"
COUNT = 160
MOST_SECONDS = 20.0
"""Of processor time: ten times what is promised, for machines under load."""
MOST_BYTES = 300 << 20
TRACED = 10 if sys.platform.startswith("linux") else 1
"""Of so many cases one is traced, which takes three times as long; under Linux the system holds all to their bytes."""


@contextmanager
def within(most: int) -> Iterator[None]:
    """More bytes than `most` beside those that the process has are a MemoryError."""
    if not sys.platform.startswith("linux"):
        yield
        return
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def test_the_system_holds_to_its_bytes_whoever_takes_more():
    if not sys.platform.startswith("linux"):
        pytest.skip("there each case is traced")
    with within(MOST_BYTES):
        bytearray(MOST_BYTES // 2)
        with pytest.raises(MemoryError):
            bytearray(2 * MOST_BYTES)
    bytearray(2 * MOST_BYTES)


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    found = hostile.models(tmp_path_factory.mktemp("models"))
    for name in ("sleapnn_single_u8", "mp_face_detection_short_range_int8_qdq"):
        if (file := NETS / f"{name}.onnx").exists():
            found[name] = file.read_bytes(), read(file)
    return found


@pytest.mark.parametrize("name", hostile.generated())
def test_the_models_are_good_before_they_are_changed(tmp_path, models, name):
    data, model = models[name]
    for again in (data, hostile.written(model)):
        (tmp_path / "m.onnx").write_bytes(again)
        hostile.whole(tmp_path / "m.onnx", lower=name != "quantised")


def test_changed_files_are_read_or_refused(tmp_path, models):
    file = tmp_path / "m.onnx"
    names = list(models)
    refused = 0
    for i in range(COUNT):
        rng = random.Random(i)
        data, model = models[names[i % len(names)]]
        file.write_bytes(hostile.bytes_changed(data, rng) if i % 3 == 0 else hostile.values_changed(model, rng))
        most = 0
        if i % TRACED == 0:
            tracemalloc.start()
        start = time.process_time()
        said = ""
        try:
            with within(MOST_BYTES):
                hostile.whole(file)
        except (DefinitionError, ExprError) as error:
            said = str(error)
        spent = time.process_time() - start
        if tracemalloc.is_tracing():
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        refused += bool(said)
        assert "\n" not in said, f"case {i}"
        assert "its function fails" not in said, f"case {i}: {said}"
        assert len(said) < 1500, f"case {i}"
        assert most < MOST_BYTES, f"case {i} takes {most >> 20} MB"
        assert spent < MOST_SECONDS, f"case {i}"
    assert COUNT // 3 < refused < COUNT


@pytest.mark.parametrize("shape", [(1, 3, 2**31, 16), (1, 3, 16, 2**62), (1, 3, 2**14, 2**14), (1, 2**20, 16, 16)])
def test_pictures_that_no_memory_holds_are_refused(tmp_path, models, shape):
    _, model = models["unet"]
    changed = hostile.written(hostile.replace(model, inputs=(hostile.replace(model.inputs[0], shape=shape),)))
    (tmp_path / "m.onnx").write_bytes(changed)
    with pytest.raises(DefinitionError, match=r"no memory holds|channels"):
        hostile.whole(tmp_path / "m.onnx")
