"""Work in a process of its own: parts, errors, cancelling, a process that dies."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.desk import subprocess_worker
from app.desk.subprocess_worker import Answer, SubprocessWorker
from kernels.errors import InputError
from kernels.plugins import load_plugin, registry
from tests.patience import PATIENCE

pytestmark = pytest.mark.starts


@pytest.fixture
def other() -> Iterator[SubprocessWorker]:
    made = SubprocessWorker()
    yield made
    made.cancel()


def until(other: SubprocessWorker, enough: Callable[[list[Answer]], bool]) -> list[Answer]:
    found: list[Answer] = []
    end = time.monotonic() + PATIENCE
    while not enough(found):
        assert time.monotonic() < end
        found += other.poll()
        time.sleep(0.005)
    return found


def done(found: list[Answer]) -> bool:
    return bool(found) and found[-1].done


def test_an_answer_comes_from_another_process_while_this_one_goes_on(other: SubprocessWorker) -> None:
    begin = time.perf_counter()
    number = other.ask("os:getpid")
    assert time.perf_counter() - begin < 5  # it does not wait for an interpreter to start
    assert other.busy
    found = until(other, done)
    assert [answer.number for answer in found] == [number, number]
    assert isinstance(found[0].value, int)
    assert found[0].value != os.getpid()
    assert not other.busy
    other.ask("os:getpid")
    assert until(other, done)[0].value == found[0].value  # the process is kept


def test_long_answers_and_long_questions_pass(other: SubprocessWorker) -> None:
    other.ask("builtins:len", b"x" * (3 << 20))
    assert until(other, done)[0].value == 3 << 20
    other.ask("builtins:bytes", 3 << 20)
    assert len(until(other, done)[0].value) == 3 << 20


@pytest.mark.skipif(os.name != "posix", reason="a named pipe")
def test_what_is_asked_meanwhile_comes_next_and_only_the_last(other: SubprocessWorker, tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    first = other.ask("os:open", str(pipe), os.O_RDONLY)  # waits for somebody who writes
    other.ask("builtins:abs", -1)
    last = other.ask("builtins:abs", -2)
    pipe.open("w").close()
    found = until(other, lambda f: any(a.number == last and a.done for a in f))
    assert [a.number for a in found if not a.done] == [first, last]
    assert found[-2].value == 2


def test_cancelling_ends_it_at_once_and_nothing_old_is_heard(other: SubprocessWorker) -> None:
    other.ask("time:sleep", 60)
    time.sleep(0.1)
    begin = time.perf_counter()
    other.cancel()
    assert time.perf_counter() - begin < 10
    assert not other.busy
    number = other.ask("builtins:abs", -3)
    assert {a.number for a in until(other, done)} == {number}


def test_errors_come_as_sentences(other: SubprocessWorker) -> None:
    other.ask("app.sources.opening:open_source", "/nowhere/clip.mp4")
    found = until(other, done)
    assert "clip.mp4" in found[-1].error
    assert not found[-1].details
    other.ask("builtins:int", "x")
    found = until(other, done)
    assert "ValueError" in found[-1].error
    assert found[-1].details.startswith("Traceback")


def test_a_process_that_dies_is_reported_and_replaced(other: SubprocessWorker) -> None:
    other.ask("os:getpid")
    pid = until(other, done)[0].value
    other.ask("time:sleep", 60)
    os.kill(pid, signal.SIGKILL)
    found = until(other, done)
    assert "unexpectedly" in found[-1].error
    other.ask("builtins:abs", -4)
    assert until(other, done)[0].value == 4


def test_stages_of_the_users_own_are_loaded_there_too(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        "from kernels.stage import stage\nfrom kernels.stage import Plane\nfrom kernels.ir.expr import Expr\n\n"
        "@stage(per_channel=True)\ndef my_own_stage(image: Plane) -> Expr:\n    '''The same.'''\n    return image()\n"
    )
    load_plugin(path)
    assert str(path) in subprocess_worker.plugins()
    known: set[str] = set()
    question = subprocess_worker._Question(1, "kernels.plugins:find_stage", ("my_own_stage",), (str(path),))
    answers = list(subprocess_worker.answers(question, known))
    assert not answers[-1].error
    assert known == {str(path)}
    assert "my_own_stage" in registry()
    question = subprocess_worker._Question(2, "kernels.plugins:find_stage", ("x",), (str(tmp_path / "gone.py"),))
    with pytest.raises(InputError):
        load_plugin(tmp_path / "gone.py")
    assert "gone.py" in list(subprocess_worker.answers(question, known))[-1].error
