"""A clip or a camera opens though the pipeline does not fit it, and the pipeline runs as soon as it does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from app.desk.engine import commands, reports
from app.desk.engine.desk import Desk
from pipelines.definition import load, loads
from pipelines.writing import dumps
from tests.patience import PATIENCE

OUTSIDE = load("template").with_settings({"track.points": ((380.0, 20.0), (20.0, 20.0))})


class Told:
    """An engine in this thread, and what it reported."""

    def __init__(self) -> None:
        self.reports: list[reports.Report] = []
        self.desk = Desk(self.reports.append)

    def until(self, done: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end, self.reports[-5:]
            self.desk.look()
            time.sleep(0.002)

    def of(self, kind: type[reports.Report]) -> list[reports.Report]:
        return [one for one in self.reports if isinstance(one, kind)]


@pytest.fixture
def engine() -> Iterator[Told]:
    made = Told()
    yield made
    made.desk.close()


@pytest.mark.parametrize("what", ["sim:insects?width=128&height=96&frames=20", "cam:sim?size=128x96&fps=200"])
def test_points_outside_the_picture_do_not_refuse_it(engine: Told, what: str) -> None:
    engine.desk.obey(commands.Open(what, dumps(OUTSIDE), number=3))
    (opened,) = engine.of(reports.Opened)
    assert isinstance(opened, reports.Opened)
    assert "outside the picture" in opened.misfit
    assert loads(opened.pipeline) == OUTSIDE, "that of the user stays as it is"
    engine.until(lambda: engine.of(reports.Stood) and engine.desk._box.count)
    engine.desk.obey(commands.SetPipeline(dumps(OUTSIDE.with_settings({"track.points": ((20.0, 20.0),)}))))
    engine.until(lambda: engine.of(reports.Built))
    assert not engine.of(reports.Refused)


def test_what_is_no_clip_is_refused(engine: Told) -> None:
    engine.desk.obey(commands.Open("sim:nowhere", dumps(OUTSIDE), number=3))
    (refused,) = engine.of(reports.Refused)
    assert isinstance(refused, reports.Refused)
    assert "no scene" in refused.sentence
