"""What keeps a run within bounds: sizes that no memory holds, batches of large pictures, stages that fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kernels import plugins as stages
from kernels.errors import DefinitionError, ExprError, InputError
from kernels.executors.base import executor
from kernels.ir.body import Host
from kernels.stage import stage
from pipelines.definition import loads
from pipelines.frame import FrameBatch
from pipelines.graph import Ref
from pipelines.streaming.clip.ledger import MOST_NAMED, OTHER, Ledger
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.engine import Engine
from tests.pipelines.clips import MemoryClip

SMALL = np.zeros((4, 6, 8), np.uint8)


def bound(text: str, clip: Any = SMALL) -> Any:
    return prepare(loads(text), MemoryClip(clip))


@pytest.mark.parametrize("size", ["width = 65536", "height = 65536", "width = 65536\nheight = 1025"])
def test_a_picture_that_no_memory_holds_is_refused(size: str) -> None:
    with pytest.raises(DefinitionError, match=r"node 'big': resize would make a picture of \d+x\d+, which no memory"):
        bound(f'[stages.big]\nuse = "resize"\n{size}')


def test_a_large_clip_may_stay_as_large_as_it_is() -> None:
    wide = np.broadcast_to(np.zeros(1, np.uint8), (1, 1, (1 << 26) + 2))
    assert bound("[stages.gray]", wide).types[Ref("gray")].width == (1 << 26) + 2


def test_batches_shrink_with_what_the_stages_make() -> None:
    grown = bound('taps = ["big"]\n[stages.big]\nuse = "resize"\nwidth = 2800\nheight = 2400')
    runner = Runner(MemoryClip(SMALL), grown, (), frames=(0, 4))
    assert runner.batch == (256 << 20) // (2800 * 2400 * 4 + 48)
    assert Runner(MemoryClip(SMALL), bound("[stages.gray]"), (), frames=(0, 4)).batch == 16


@pytest.fixture
def failing() -> Iterator[None]:
    """A stage of the user's whose function fails as its parameter says."""
    before = dict(stages.registry())

    @stage(opaque=True)
    def stumbles(image: Any) -> Host:
        def run(inputs: Any, params: Any) -> Any:
            if inputs[0].max() > 1:
                raise MemoryError
            raise ValueError("three\nwheels")

        return Host({"out": image}, run)

    yield
    stages._put_back(before)


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        (0, ExprError, r"^odd \(frames 3 to 6\) fails with ValueError: three wheels$"),
        (9, InputError, r"^there is not enough memory for odd \(frames 3 to 6\), which makes 8x6 u8; take a part"),
    ],
)
def test_a_stage_that_fails_is_named(failing: None, value: int, error: type[Exception], words: str) -> None:
    made = bound('taps = ["odd"]\n[stages.odd]\nuse = "stumbles"')
    frames = FrameBatch(np.arange(3, 7), np.arange(4) / 10, SMALL + np.uint8(value))
    with pytest.raises(error, match=words):
        Engine(made, executor("reference")).step(frames)


def test_a_ledger_stays_small_and_counts_every_bad_frame() -> None:
    ledger = Ledger(0, 1000)
    for i in range(1000):
        ledger.add_bad(i, f"file_{i}.png is damaged")
    ledger.check()
    facts = ledger.facts()
    assert (facts["bad"], facts["not_reached"]) == (1000, 0)
    assert len(ledger.bad_frames) == MOST_NAMED
    assert sum(ledger.reasons.values()) == 1000
    assert ledger.reasons[OTHER] == 1000 - MOST_NAMED
