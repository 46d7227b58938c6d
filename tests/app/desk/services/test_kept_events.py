"""Events: marked, named, undone, kept beside their clip, put together with another window's."""

from __future__ import annotations

import csv
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.bench.workbench import Workbench
from app.desk.engine import reports
from app.desk.events import Event, Events, between, merged, next_event
from app.desk.jobs.events_export import write_events
from app.desk.jobs.orders import EventsOrder
from app.desk.services.corrector import Corrector
from app.desk.services.exporting import What, Wish, order_for, possible
from app.desk.services.kept_events import KeptEvents
from app.desk.services.regions import Reopener
from app.desk.services.undoing import Undoing
from app.desk.services.units import Units
from app.desk.sidecars import events_file
from app.desk.sidecars.events_file import Known
from app.sources.opening import open_source
from kernels.errors import InputError
from pipelines.frame import TimeBase
from tests.app.desk.bench.test_workbench import CLIP, Listening
from tests.app.desk.services.test_undoing import Remembering

TIME = TimeBase(600.0, "user", "")
UNTIMED = TimeBase(float("nan"), "unknown", "")


class Rig:
    """A bench with events, over the sample clip under another name."""

    def __init__(self, clip: str, kept: Remembering | None = None) -> None:
        self.link = Listening()
        self.bench = Workbench(self.link)
        self.names = Remembering() if kept is None else kept
        self.kept = KeptEvents(self.bench, self.names)
        self.undoing = Undoing(self.bench, Corrector(self.bench), Units(self.bench), Reopener(self.bench),
                               {"events": self.kept})  # fmt: skip
        self.open(clip)

    def open(self, clip: str, live: bool = False) -> None:
        source = open_source(CLIP)
        info = source.info
        source.close()
        self.bench.open(clip)
        order = self.link.orders[-1]
        self.link.reports.append(reports.Opened(info, live, order.pipeline, "cpu", (), (), ""))
        self.bench.tick()

    @property
    def said(self) -> str:
        return self.bench.messages[-1].sentence


@pytest.fixture
def clip(tmp_path: Path) -> str:
    path = tmp_path / "wing.mp4"
    path.write_bytes(b"")
    return str(path)


def table(path: str | Path) -> list[list[str]]:
    with open(path, newline="") as file:
        return list(csv.reader(file))


names = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12)
events = st.builds(Event, st.integers(0, 1000), names.map(lambda n: " ".join(n.split()) or "x"))


@given(st.lists(st.tuples(st.lists(events, max_size=3), st.lists(events, max_size=3)), max_size=8))
def test_undo_goes_back_through_all_and_redo_comes_again(changes: list[tuple[list[Event], list[Event]]]) -> None:
    made = Events()
    seen = [made.made]
    for gone, new in changes:
        if made.do("", gone, new):
            seen.append(made.made)
    for before in reversed(seen[:-1]):
        made.undo()
        assert made.made == before
    for after in seen[1:]:
        made.redo()
        assert made.made == after


@given(st.sets(events, max_size=6), st.sets(events, max_size=6), st.sets(events, max_size=6))
def test_what_two_windows_did_is_put_together(base: set[Event], ours: set[Event], theirs: set[Event]) -> None:
    both = set(merged(base, ours, theirs))
    assert both == set(merged(base, theirs, ours))
    assert (ours | theirs) - base <= both
    assert not both & ((base - ours) | (base - theirs))
    assert merged(base, base, theirs) == tuple(sorted(theirs))


@given(st.lists(events, max_size=9))
def test_the_file_gives_back_what_was_written(tmp_path_factory: pytest.TempPathFactory, made: list[Event]) -> None:
    path = tmp_path_factory.getbasetemp() / "a.events.csv"
    path.unlink(missing_ok=True)
    wanted = tuple(sorted(set(made)))
    known, aside = events_file.save(path, wanted, Known(), TIME)
    assert aside is None
    assert events_file.load(path) == known == Known(wanted, known.digest)
    assert path.exists() == bool(wanted)


def test_the_next_and_the_last_one() -> None:
    made = (Event(3, "a"), Event(7, "a"), Event(7, "b"), Event(9, "a"))
    assert next_event(made, 3) == Event(7, "a")
    assert next_event(made, 7) == Event(9, "a")
    assert next_event(made, 9) is None
    assert next_event(made, 7, back=True) == Event(3, "a")
    assert next_event(made, 3, back=True) is None
    assert between(made, 4, 7) == made[1:3]


def test_events_are_kept_beside_their_clip_with_their_times(clip: str) -> None:
    rig = Rig(clip)
    rig.kept.mark(60, "onset")
    rig.kept.mark(12, " contact,\n left ")
    assert table(f"{clip}.events.csv") == [["frame", "time_s", "name"], ["12", "0.02", "contact, left"],
                                           ["60", "0.1", "onset"]]  # fmt: skip
    again = Rig(clip, rig.names)
    assert again.bench.events == (Event(12, "contact, left"), Event(60, "onset"))
    assert any("2 events read from wing.mp4.events.csv" in m.sentence for m in again.bench.messages)
    assert again.kept.names == ["contact, left", "onset"]
    assert again.kept.proposed == "contact, left"
    again.kept.delete(again.bench.events)
    assert not Path(f"{clip}.events.csv").exists()


def test_frames_of_a_clip_without_a_rate_have_no_seconds() -> None:
    assert events_file.text_of((Event(3, "a"),), UNTIMED) == "frame,time_frames,name\r\n3,3,a\r\n"


def test_clips_have_their_own_events_and_a_region_loses_none(clip: str, tmp_path: Path) -> None:
    rig = Rig(clip)
    rig.kept.mark(5, "onset")
    other = tmp_path / "leg.mp4"
    other.write_bytes(b"")
    rig.open(clip)  # with another region
    assert rig.bench.events == (Event(5, "onset"),)
    assert rig.undoing.undo_words == "mark onset"
    rig.open(str(other))
    assert rig.bench.events == ()
    assert rig.undoing.undo_words == ""
    rig.kept.mark(1, "contact")
    rig.open(clip)
    assert rig.bench.events == (Event(5, "onset"),)
    rig.open("cam:sim", live=True)
    assert rig.bench.events == ()
    with pytest.raises(InputError, match="open a clip"):
        rig.kept.mark(1, "contact")


def test_marking_renaming_and_deleting_are_undone_in_turn(clip: str) -> None:
    rig = Rig(clip)
    made = rig.kept.mark(5, "onset")
    rig.bench.editor.edit("soften", rig.bench.pipeline)
    made = rig.kept.rename(made, "contact")
    rig.kept.delete([made])
    assert rig.undoing.undo_words == "delete event contact"
    rig.undoing.undo()
    assert rig.bench.events == (Event(5, "contact"),)
    rig.undoing.undo()
    assert rig.bench.events == (Event(5, "onset"),)
    assert table(f"{clip}.events.csv")[1:] == [["5", f"{5 / 600:.9g}", "onset"]]
    rig.undoing.redo()
    assert rig.bench.events == (Event(5, "contact"),)
    while rig.undoing.undo_words:
        rig.undoing.undo()
    assert rig.bench.events == ()


def test_a_frame_has_a_name_once_and_no_empty_one(clip: str) -> None:
    rig = Rig(clip)
    made = rig.kept.mark(5, "onset")
    other = rig.kept.mark(5, "contact")
    for work in (lambda: rig.kept.mark(5, "onset"), lambda: rig.kept.rename(other, "onset")):
        with pytest.raises(InputError, match="marked as onset already"):
            work()
    with pytest.raises(InputError, match="needs a name"):
        rig.kept.rename(made, " \n")
    assert rig.bench.events == (other, made)


def test_two_windows_lose_nothing(clip: str) -> None:
    one = Rig(clip)
    one.kept.mark(5, "onset")
    two = Rig(clip)
    two.kept.mark(7, "contact")
    two.kept.delete([Event(5, "onset")])
    one.kept.mark(9, "saccade")
    assert one.bench.events == (Event(7, "contact"), Event(9, "saccade"))
    assert "put together" in one.said
    assert events_file.load(Path(f"{clip}.events.csv")).events == one.bench.events
    one.undoing.undo()
    assert one.bench.events == (Event(7, "contact"),)


def test_a_table_of_a_spreadsheet_is_read_and_a_spoiled_one_put_aside(clip: str) -> None:
    path = Path(f"{clip}.events.csv")
    path.write_bytes("\ufeffName;Frame;note\r\nonset;5;x\r\n\r\n;;\r\n".encode())
    rig = Rig(clip)
    assert rig.bench.events == (Event(5, "onset"),)
    path.write_text("frame,name\n5,onset\nsix,contact\n")
    rig = Rig(clip)
    assert rig.bench.events == ()
    assert "line 3" in rig.said
    rig.kept.mark(9, "saccade")
    assert path.with_name("wing.mp4.events.csv.old").read_text() == "frame,name\n5,onset\nsix,contact\n"
    assert events_file.load(path).events == (Event(9, "saccade"),)


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "frame,name\n-1,a\n", "frame,name\n1\n", "frame,name\n1,  \n"])
def test_what_holds_no_events_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(InputError, match="holds no events"):
        events_file.load(path)


def test_a_file_that_went_is_written_again_whole(clip: str) -> None:
    rig = Rig(clip)
    rig.kept.mark(5, "onset")
    Path(f"{clip}.events.csv").unlink()
    rig.kept.mark(7, "contact")
    assert len(events_file.load(Path(f"{clip}.events.csv")).events) == 2


def test_events_behind_the_last_frame_are_told(clip: str) -> None:
    Path(f"{clip}.events.csv").write_text("frame,name\n5,onset\n4800,contact\n")
    assert "1 of the events" in Rig(clip).said


def test_what_cannot_be_written_is_kept_and_tried_again(
    clip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = Rig(clip)

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patched:
        patched.setattr(events_file, "text_of", full)
        rig.kept.mark(5, "onset")
        assert "the disk is full" in rig.said
        assert rig.bench.events == (Event(5, "onset"),)
        rig.open(str(tmp_path / "other.mp4"))
        rig.open(clip)
        assert rig.bench.events == (Event(5, "onset"),)
    assert rig.kept.close(tmp_path / "rescue") == []
    assert events_file.load(Path(f"{clip}.events.csv")).events == (Event(5, "onset"),)
    save = events_file.save
    monkeypatch.setattr(events_file, "save", lambda *_: (_ for _ in ()).throw(InputError("the disk is full")))
    rig.kept.mark(6, "contact")
    said = rig.kept.close(tmp_path / "rescue")
    assert len(said) == 1
    assert "put it there as wing.mp4.events.csv" in said[0]
    monkeypatch.setattr(events_file, "save", save)
    assert len(events_file.load(next((tmp_path / "rescue").iterdir())).events) == 2


def test_a_scene_has_events_that_are_remembered_and_lie_beside_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rig = Rig("sim:points")
    rig.kept.mark(5, "onset")
    rig.kept.mark(9, "contact")
    assert rig.kept.path is None
    assert list(tmp_path.iterdir()) == []
    assert [event.name for event in rig.bench.own_events] == ["onset", "contact"]
    again = Rig("sim:points", rig.names)
    assert again.bench.events == (Event(5, "onset"), Event(9, "contact"))
    again.open("sim:vortex")
    assert again.bench.events == ()
    again.open("sim:points")
    again.kept.delete(again.bench.events)
    assert Rig("sim:points", rig.names).bench.events == ()
    for spoiled in ("{", '{"sim:points": 3}', '{"sim:points": [["x", ""]]}'):
        assert Rig("sim:points", Remembering({"events of scenes": spoiled})).bench.events == ()


def test_events_of_a_run_are_shown_over_its_video(tmp_path: Path) -> None:
    video = tmp_path / "overlay.mp4"
    shutil.copy(CLIP, video)
    (tmp_path / "events.csv").write_text("frame,time_s,name\n12,0.02,onset\n99,0.1,beyond\n")
    assert Rig(str(video)).bench.events == ()
    (tmp_path / "summary.json").write_text('{"range": [10, 60]}')
    rig = Rig(str(video))
    assert rig.bench.events == (Event(2, "onset"),)
    assert "from the folder of the run" in rig.said
    rig.kept.delete(rig.bench.events)
    rig.kept.mark(3, "own")
    assert Rig(str(video)).bench.events == (Event(3, "own"),)


def test_they_are_exported_as_a_table(clip: str, tmp_path: Path) -> None:
    rig = Rig(clip)
    assert What.EVENTS not in possible(rig.bench)
    rig.kept.mark(5, "onset")
    rig.kept.mark(50, "contact")
    assert possible(rig.bench)[What.EVENTS] == "the 2 events that are marked"
    out = tmp_path / "out.csv"
    order = order_for(rig.bench, Wish(What.EVENTS, "table", str(out), frames=(10, 60)))
    assert isinstance(order, EventsOrder)
    assert write_events(order)["events"] == 1
    assert [row[::2] for row in table(out)] == [["frame", "name"], ["50", "contact"]]
    with pytest.raises(InputError, match="exists already"):
        write_events(order)
    with pytest.raises(InputError, match="no event"):
        write_events(EventsOrder(rig.bench.events, str(out), TIME, (10, 20), force=True))


def test_spoiled_names_are_forgotten(clip: str) -> None:
    for text in ("{", "3", '[""]', '["  "]'):
        assert Rig(clip, Remembering({"event names": text})).kept.names == []
