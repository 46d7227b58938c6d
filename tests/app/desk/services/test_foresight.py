"""Warnings about precision before anything is measured: when they are asked for, and what they say."""

from __future__ import annotations

from typing import Any

import pytest

from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.services import foresight as module
from app.desk.services.foresight import Foresight, ForesightAsk, Hint
from app.desk.services.foresight_work import hints
from app.desk.subprocess_worker import Answer, SubprocessWorker
from app.sources.opening import open_source
from app.sources.reading import AS_STORED
from pipelines.definition import load
from pipelines.graph import Pipeline
from pipelines.writing import dumps
from tests.app.desk.bench.test_workbench import Listening

PLATE = "sim:plate?points=16&frames=40&brightness=0.25"


class Waiting(SubprocessWorker):
    """A process beside that answers when a test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.asks: list[ForesightAsk] = []
        self.answers: list[Answer] = []

    def ask(self, function: str, *arguments: Any) -> int:
        assert function == module.WORK
        self.asks.append(arguments[0])
        return len(self.asks)

    def poll(self) -> list[Answer]:
        found, self.answers = self.answers, []
        return found


def asked(precision: float = 0.001, points: tuple[tuple[float, ...], ...] = ((60.0, 60.0),)) -> Pipeline:
    return load("template").with_settings({"track.points": points, "track.precision": precision})


def opened(pipeline: Pipeline, live: bool = False) -> tuple[Workbench, Listening, Waiting, Foresight]:
    link, aside = Listening(), Waiting()
    bench = Workbench(link)
    foresight = Foresight(bench, aside)
    bench.editor.edit("all", pipeline)
    bench.open("cam:0" if live else PLATE)
    order = link.orders[-1]
    assert isinstance(order, commands.Open)
    source = open_source(PLATE)
    link.reports.append(reports.Opened(source.info, live, order.pipeline, "cpu", (), (), ""))
    source.close()
    bench.tick()
    return bench, link, aside, foresight


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "QUIET", 0.0)


def test_the_sentence_of_the_command_line_becomes_a_hint_with_its_cure() -> None:
    (sentence,) = hints(ForesightAsk(PLATE, AS_STORED, None, dumps(asked()), (0, 40)))
    hint = Hint.of(sentence)
    assert "--set" in sentence
    assert "--set" not in hint.text
    assert (hint.node, hint.param) == ("track", "window")
    assert hint.value > 25
    assert hint.text.endswith(f"track.window = {hint.value:g}")
    assert Hint.of("nothing helps").node == ""
    assert hints(ForesightAsk(PLATE, AS_STORED, None, dumps(asked(0.5)), (0, 40))) == []


def test_it_is_asked_once_for_each_change_that_matters_and_said_once() -> None:
    bench, _, aside, foresight = opened(asked())
    heard: list[int] = []
    foresight.on(lambda: heard.append(len(foresight.hints)))
    foresight.poll()
    foresight.poll()
    assert [one.frames for one in aside.asks] == [(0, 40)]
    aside.answers = [Answer(1, ["too coarse --set track.window=31"], done=True)]
    foresight.poll()
    assert foresight.hints == (Hint("too coarse track.window = 31", "track", "window", 31.0),)
    said = [message.sentence for message in bench.messages if message.level is Level.WARNING]
    assert said == ["too coarse track.window = 31"]
    bench.editor.set_param("track", "window", 31)
    assert foresight.hints == (), "not known any more"
    foresight.poll()
    assert len(aside.asks) == 2
    aside.answers = [Answer(1, ["of before"], done=True)]
    foresight.poll()
    assert foresight.hints == ()
    aside.answers = [Answer(2, ["too coarse --set track.window=31"], done=True)]
    foresight.poll()
    assert len([m for m in bench.messages if m.level is Level.WARNING]) == 1, "it was said before"
    assert heard == [1, 0, 1]


def test_a_window_that_the_picture_has_no_room_for_is_no_cure() -> None:
    _, _, aside, foresight = opened(asked())
    foresight.poll()
    aside.answers = [Answer(1, ["too coarse. A larger one helps: --set track.window=129"], done=True)]
    foresight.poll()
    assert foresight.hints == (Hint("too coarse. A larger one helps, if there is room for one"),)


def test_nothing_is_asked_of_cameras_or_where_no_precision_is_wanted() -> None:
    for bench_parts in (opened(asked(0.0)), opened(asked(), live=True), opened(load("blobs"))):
        bench_parts[3].poll()
        assert bench_parts[2].asks == []
