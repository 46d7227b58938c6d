"""Damaged and hostile files, from the reader to the rows of layers: read, or refused in a sentence, soon and small."""

from __future__ import annotations

import random
import time
import tracemalloc
from pathlib import Path

import pytest

from kernels.errors import DefinitionError, ExprError
from kernels.networks.onnx_reader import read
from tests.kernels.networks import hostile

NETS = Path(__file__).parents[4] / "shared" / "nets"
COUNT = 300
MOST_SECONDS = 20.0
"""Of processor time: ten times what is promised, for machines under load."""
MOST_BYTES = 300 << 20


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


def test_300_changed_files_are_read_or_refused(tmp_path, models):
    file = tmp_path / "m.onnx"
    names = list(models)
    refused = 0
    for i in range(COUNT):
        rng = random.Random(i)
        data, model = models[names[i % len(names)]]
        file.write_bytes(hostile.bytes_changed(data, rng) if i % 3 == 0 else hostile.values_changed(model, rng))
        tracemalloc.start()
        start = time.process_time()
        said = ""
        try:
            hostile.whole(file)
        except (DefinitionError, ExprError) as error:
            said = str(error)
        spent = time.process_time() - start
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
