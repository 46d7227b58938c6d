"""What windows leave behind comes back at the next start, whoever ended first and however."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.pipeline.pipeline_file import PipelineFileChanged
from app.desk.pipeline.unsaved_pipelines import MOST, Kept, Left, UnsavedPipelines, chain
from pipelines.definition import load
from pipelines.writing import dumps
from tests.app.desk.bench.test_workbench import Listening


class Store(dict[str, str]):
    """Where all windows keep things."""

    def text(self, name: str, default: str = "") -> str:
        return self.get(name, default)

    def set_text(self, name: str, value: str) -> None:
        self[name] = value

    def names(self, begin: str) -> list[str]:
        return [name for name in self if name.startswith(begin)]

    def remove(self, name: str) -> None:
        del self[name]

    def sync(self) -> None:
        pass


def bench_with(level: float) -> Workbench:
    bench = Workbench(Listening())
    bench.editor.set_param("bright", "level", level)
    return bench


def shelf(store: Store, alive: bool = False) -> UnsavedPipelines:
    return UnsavedPipelines(store, lambda _process, _boot: alive)


def taken(store: Store, alive: bool = False) -> Workbench:
    """A window that starts."""
    made = Workbench(Listening())
    made.files.take_up(shelf(store, alive).take().pipelines)
    return made


def test_the_pipeline_of_last_time_comes_back_with_what_was_not_saved() -> None:
    store, bench = Store(), bench_with(0.25)
    shelf(store).put(Left(chain(bench.history)), ended=True)
    again = taken(store)
    assert again.pipeline == bench.pipeline
    assert again.history.dirty
    assert again.history.undo_words == "the changes of last time"
    again.editor.undo()
    assert (again.pipeline, again.history.dirty, again.history.undo_words) == (load("blobs"), False, "")
    bench.files.choose("template")
    store.clear()
    shelf(store).put(Left(chain(bench.history)[-1:]), ended=True)
    assert taken(store).history.undo_words == "", "nothing was changed in it"


def test_what_was_left_unsaved_for_another_pipeline_is_still_there_after_a_start() -> None:
    store, bench = Store(), bench_with(0.25)
    bench.files.choose("template")
    shelf(store).put(Left(chain(bench.history)), ended=True)
    again = taken(store)
    assert (again.pipeline.name, again.history.dirty) == ("template", False)
    again.editor.undo()
    assert again.pipeline == load("blobs").with_settings({"bright.level": 0.25})


@pytest.mark.parametrize("ended", [True, False], ids=["closed", "killed"])
def test_of_two_windows_that_ended_both_are_there(ended: bool) -> None:
    store = Store()
    for level in (0.1, 0.2):
        shelf(store).put(Left(chain(bench_with(level).history), well=False), ended)
    left = shelf(store).take()
    assert left.well == ended
    assert len(store.names("windows/")) == 1, "they are the new window's now"
    again = Workbench(Listening())
    again.files.take_up(left.pipelines)
    found = [again.pipeline.nodes]
    while again.history.undo_words:
        again.editor.undo()
        found.append(again.pipeline.nodes)
    for level in (0.1, 0.2):
        assert load("blobs").with_settings({"bright.level": level}).nodes in found


def test_what_a_living_window_has_stays_its_own() -> None:
    store, bench = Store(), bench_with(0.25)
    shelf(store).put(Left(chain(bench.history), "clip.mp4", (1, 2, 30, 40)), ended=False)
    again = taken(store, alive=True)
    assert again.pipeline == bench.pipeline
    assert len(store.names("windows/")) == 1
    assert taken(store).pipeline == bench.pipeline, "it has died meanwhile"


def test_files_are_found_again_and_what_others_wrote_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    path, store = tmp_path / "mine.toml", Store()
    bench = bench_with(0.25)
    bench.files.save(path)
    shelf(store).put(Left(chain(bench.history)), ended=True)
    again = taken(store)
    assert (again.files.path, again.history.dirty) == (path, False)
    again.editor.set_param("bright", "level", 0.5)
    shelf(store).put(Left(chain(again.history)), ended=True)
    path.write_text(dumps(replace(load("blobs"), name="mine")), "utf-8")
    later = taken(store)
    assert later.pipeline == again.pipeline
    with pytest.raises(PipelineFileChanged):
        later.files.save(path)
    shelf(store).put(Left(chain(later.history)), ended=True)
    path.unlink()
    last = taken(store)
    assert last.pipeline == again.pipeline
    assert last.history.dirty, "it stands nowhere else"


def test_what_cannot_be_read_is_said_and_the_rest_is_taken() -> None:
    good = chain(bench_with(0.25).history)
    bench = Workbench(Listening())
    bench.files.take_up((Kept("blobs", "no pipeline", True), *good))
    assert bench.messages[-1].level is Level.WARNING
    assert bench.messages[-1].details == "no pipeline"
    assert bench.pipeline.nodes == load("blobs").with_settings({"bright.level": 0.25}).nodes
    store = Store({"windows/a": "{", "windows/b": '{"pid": 1}', "windows/c": "[]"})
    assert shelf(store).take() == Left()
    assert not store


def test_the_newest_are_kept_and_each_once() -> None:
    bench = bench_with(0.5)
    for k in range(3 * MOST):
        bench.files.choose("template")
        bench.files.choose("blobs")
        bench.editor.set_param("bright", "level", 0.01 * (k % 12 + 1))
    kept = chain(bench.history)
    assert len(kept) == MOST
    assert len({one.text for one in kept}) == MOST
    assert kept[-1].text == dumps(bench.pipeline)


def test_a_region_is_that_of_its_clip(tmp_path: Path) -> None:
    left = Left((), str(tmp_path / "a.mp4"), (1, 2, 30, 40))
    assert left.region_of(str(tmp_path / "a.mp4")) == (1, 2, 30, 40)
    assert left.region_of(str(tmp_path / "b.mp4")) is None
    assert Left((), "sim:points").region_of("sim:points") is None


def test_every_run_of_a_clip_stays_in_the_list_of_the_batch() -> None:
    """One that waits in the batch, and two of its own: each is a line."""
    store = Store()
    lines: list[dict[str, object]] = [{"path": "/a.mp4", "name": "a.mp4", "status": "waiting", "own": 0}]
    lines += [{**lines[0], "status": "done", "own": k, "folder": f"/results-{k}"} for k in (3, 4)]
    shelf(store).put(Left(lines=tuple(lines)), ended=True)
    newer = {**lines[0], "status": "done"}
    shelf(store).put(Left(lines=(newer,)), ended=True)
    assert list(shelf(store).take().lines) == [*lines[1:], newer]
