from __future__ import annotations

import pytest

from kernels.errors import InputError
from pipelines.streaming.engine.device_names import check_device


def test_devices_go_by_these_names() -> None:
    for name in ("gpu", "cuda:", "cuda:x", "cpu:1", ""):
        with pytest.raises(InputError, match="--device takes"):
            check_device(name)
    assert [check_device(n) for n in ("auto", "cuda", "cuda:3")] == ["auto", "cuda", "cuda:3"]
