"""Labelling in a window, without the window: what the next click sets, what is held, drafts, undo, the file.

The clip's labels are one immutable sheet (`sheet.py`); each change is another one, so that undo is to take the one
before. Every change is written into a file beside the clip (`labels_file.py`), which is read when the clip is opened.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.labelling.drafts import drafts
from app.desk.labelling.labels_file import LabelsFile
from app.desk.labelling.sheet import Marks, Places, Point, Sheet, parsed_skeleton
from app.desk.observable import Observable
from app.desk.steps import Stepped, Steps
from app.keypoints import keypoints_of
from app.labels.beside import labels_beside
from app.labels.coco import ENDING
from app.labels.formats import read_labels
from app.labels.labels import Labels
from app.safe_names import safe_file_name
from kernels.errors import InputError
from kernels.skeleton import skeleton

MERGE = 1.0
"""Seconds within which nudges of one point are one step."""
NUDGE = 0.1
"""px that an arrow key moves a point; with Shift ten times as many."""


@dataclass(eq=False)
class _Step:
    words: str
    before: Sheet
    after: Sheet
    frame: int
    nudged: tuple[int, int] | None = None
    at: float = 0.0


class Labeller(Stepped[_Step], Observable):
    """See the module; one of the kinds of `app.desk.services.undoing`. Listeners hear of changes, also of what is held.

    Args:
        bench: what is open, and its tracks.

    Attributes:
        sheet: what is labelled. path: its file; None while nothing can be labelled.
        animal, point: what the next click sets; `point` is -1 where all of the animal are decided.
        held: animal and point that were touched last in the frame that is shown, None for none.
        home: the folder for labels of simulated scenes, beside which no file can lie; None for none.
    """

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._file = LabelsFile()
        self._history = Steps[_Step]()
        self._clip, self._frame = "", -1
        self._drafts: tuple[object, Places] | None = None
        self.sheet = Sheet()
        self.path: Path | None = None
        self.home: Path | None = None
        self.animal, self.point = 0, -1
        self.held: tuple[int, int] | None = None
        self.owner: object = object()
        bench.on(Topic.OPENED, self._opened)
        bench.on(Topic.PICTURE, self._pictured)

    # ------------------------------------------------------------------------------------------------- what there is

    @property
    def clip(self) -> str:
        """Of which the labels are; "" for none."""
        return self._clip

    @property
    def why_not(self) -> str:
        """Why nothing can be labelled, "" where it can."""
        bench = self._bench
        if bench.opened is None or bench.asked is None:
            return "open a clip first; labels are of its frames"
        if bench.live:
            return "a camera's frames cannot be labelled; record them, and open the session"
        return ""

    @property
    def frame(self) -> int:
        """The one that is shown; -1 for none."""
        return -1 if self._bench.shown is None or self.path is None else self._bench.shown.frame

    @property
    def marks(self) -> Marks:
        """Of the frame that is shown."""
        return self.sheet.at(self.frame)

    @property
    def drafts(self) -> Places:
        """Where points of the frame that is shown probably are that are not decided on; NaN elsewhere."""
        bench = self._bench
        if self.frame < 0 or not self.sheet.points:
            return np.full((0, len(self.sheet.points), 2), np.nan)
        key = self.sheet, self.frame, bench.store.version
        if self._drafts is None or self._drafts[0] != key:
            self._drafts = key, drafts(self.sheet, self.frame, bench.store.at, keypoints_of(bench.tables))
        return self._drafts[1]

    @property
    def animals(self) -> int:
        """That can be chosen in the frame that is shown: one more than there are where the last one is new."""
        return max(self.marks.animals, len(self.drafts), self.animal + 1)

    # ------------------------------------------------------------------------------------------------------ changing

    def place(self, point: Point) -> None:
        """Set the next point there.

        Raises:
            InputError: nothing can be labelled, or no points have names, or all of the animal are set.
        """
        self._check()
        if self.point < 0:
            raise InputError("all points of this animal are set in this frame; drag them, choose one with Tab to set "
                             "it anew, or label another animal (Labels > Another animal)")  # fmt: skip
        self.move(self.animal, self.point, point)

    def move(self, animal: int, point: int, place: Point, words: str = "") -> None:
        """A point is there; if the next click was to set it, the one after it that is not decided is next."""
        self._check()
        x, y = place
        info = self._bench.info
        if info is not None:
            x, y = min(max(x, 0.0), info.width - 1.0), min(max(y, 0.0), info.height - 1.0)
        marks = self.marks.said(animal, point, (x, y))
        self._do(words or f"label {self.sheet.points[point]}", {self.frame: marks})
        if (animal, point) == (self.animal, self.point) or animal != self.animal:
            self.point = self._next(point, animal)
        self.animal, self.held = animal, (animal, point)
        self._notify()

    def nudge(self, dx: float, dy: float) -> bool:
        """Move the point that is held by so many px; whether one is."""
        if self.held is None or not self._is_placed(*self.held):
            return False
        animal, point = self.held
        x, y = (self.marks.places[animal, point] + (dx, dy)).tolist()
        done, now, chosen = self._history.done, time.monotonic(), (self.animal, self.point)
        last = done[-1] if done else None
        self.move(animal, point, (x, y), f"move {self.sheet.points[point]}")
        step = done[-1]
        step.nudged, step.at = (animal, point), now
        # Nudges of one point that follow one another soon are one step.
        if last is not None and last.nudged == step.nudged and last.frame == step.frame and now - last.at <= MERGE:
            done[-2:] = [replace(step, before=last.before)]
        self.animal, self.point = chosen
        self._notify()
        return True

    def hide(self, animal: int, point: int) -> None:
        """A point cannot be seen in this frame."""
        self._check()
        self._do(f"hide {self.sheet.points[point]}", {self.frame: self.marks.said(animal, point, None, True)})
        self.animal, self.held = animal, None
        self.point = self._next(point)
        self._notify()

    def remove(self, animal: int, point: int) -> None:
        """Nothing is said of a point any more; it is the next one to be set."""
        self._check()
        self._do(f"remove {self.sheet.points[point]}", {self.frame: self.marks.said(animal, point, None)})
        self.animal, self.point, self.held = animal, point, None
        self._notify()

    def put_away(self) -> bool:
        """The point that is held is removed; of none, the next one is hidden. Whether there was one."""
        if self.frame < 0:
            return False
        if self.held is not None and self._is_placed(*self.held):
            self.remove(*self.held)
        elif self.point >= 0:
            self.hide(self.animal, self.point)
        else:
            return False
        return True

    def accept(self) -> int:
        """The drafts of the animal in hand are labels, else those of the next animal that has some; how many were."""
        self._check()
        found = self.drafts
        some = np.flatnonzero(np.isfinite(found[..., 0]).any(axis=1)).tolist()
        if not some:
            return 0
        animal = self.animal if self.animal in some else some[0]
        marks = self.marks.grown(animal + 1)
        taken = np.isfinite(found[animal, :, 0])
        marks.places[animal, taken] = found[animal, taken]
        self._do("accept the drafts", {self.frame: marks})
        self.held = None
        rest = np.flatnonzero(np.isfinite(self.drafts[..., 0]).any(axis=1))
        self.animal = int(rest[0]) if len(rest) else animal
        self.point = self._next(-1)
        self._notify()
        return int(taken.sum())

    def remove_animal(self) -> None:
        """Nothing is said any more of the animal in hand; those behind it move up."""
        self._check()
        if self.animal < self.marks.animals:
            made = self.sheet.without_animal(self.frame, self.animal)
            self._step(f"remove animal {self.animal + 1}", made)
        self.choose_animal(max(self.animal - 1, 0))

    def clear_frame(self, frame: int) -> None:
        """Nothing is said of a frame any more."""
        self._do(f"clear frame {self._bench.number(frame)}", {frame: Marks.none(0, len(self.sheet.points))})
        self._begin_frame()

    def set_skeleton(self, names: str, edges: str) -> None:
        """Other points and edges, as they are typed; see `Sheet.with_skeleton`.

        Raises:
            InputError: nothing can be labelled, or they are none.
        """
        self._check(named=False)
        points, pairs = parsed_skeleton(names, edges)
        if (points, pairs) != (self.sheet.points, self.sheet.edges):
            before = self.sheet.count
            self._step("points", self.sheet.with_skeleton(points, pairs))
            self._begin_frame()
            if gone := before - self.sheet.count:
                self._bench.speak(Level.WARNING, f"{gone} labels went with the points that are gone; undo brings them "
                                                 "back")  # fmt: skip

    def skeleton_of_pipeline(self) -> None:
        """Points and edges of the pipeline's tracker of key points, behind those that there are.

        Raises:
            InputError: it has none.
        """
        self._check(named=False)
        for node in self._bench.pipeline.trackers:
            if node.tracker == "keypoints" and (names := str(node.params.get("names", ""))):
                made = skeleton(names, str(node.params.get("edges", "")))
                self._step("points", self.sheet.with_labels(Labels(made.names, made.edges, ())))
                self._begin_frame()
                return
        raise InputError(f"the pipeline {self._bench.pipeline.name} has no tracker of key points with names")

    def take_file(self, path: Path) -> None:
        """The labels of a file in place of those of the same frames: those that it has of this clip, or if it names
        others (pictures, a clip that has moved), all of them by the numbers of their frames.

        Raises:
            InputError: it cannot be read, or all its frames lie behind the clip's last one.
        """
        self._check(named=False)
        try:
            found = read_labels(path)
            own = tuple(one for one in found.frames if _same(one.source, self._clip))
            found = replace(found, frames=own) if own else read_labels(path, self._clip)
        except InputError:
            found = read_labels(path, self._clip)
        end = 0 if self._bench.info is None else self._bench.info.frames
        turn = self.sheet.turn
        kept = tuple(one.turned(turn, self._stored) for one in found.frames if one.index < end)
        if not kept:
            raise InputError(f"the labels of {path.name} are of frames that this clip has not")
        self._step(f"labels of {path.name}", self.sheet.with_labels(replace(found, frames=kept)))
        self._begin_frame()
        late = len(found.frames) - len(kept)
        more = f"; {late} frames lie behind the clip's last one" if late else ""
        self._bench.speak(Level.WARNING if late else Level.NOTE, f"{len(kept)} labelled frames of {path.name}{more}")

    # ------------------------------------------------------------------------------------------------------ choosing

    def choose(self, animal: int, point: int) -> None:
        """What the next click sets, and what is held if it is placed."""
        self.animal, self.point = animal, point
        self.held = (animal, point) if self._is_placed(animal, point) else None
        self._notify()

    def hold(self, animal: int, point: int) -> None:
        """A point was touched; what the next click sets stays."""
        self.held = animal, point
        self._notify()

    def turn(self, step: int) -> bool:
        """The next name, or the one before; whether there is one."""
        count = len(self.sheet.points)
        if not count or self.frame < 0:
            return False
        begin = self.held[1] if self.point < 0 and self.held is not None else self.point
        self.choose(self.animal, (begin + step) % count if begin >= 0 else (0 if step > 0 else count - 1))
        return True

    def choose_animal(self, animal: int) -> None:
        """The next click sets a point of it."""
        self.animal, self.held = max(0, animal), None
        self.point = self._next(-1)
        self._notify()

    def another_animal(self) -> None:
        """The next click sets a point of a new animal."""
        self._check()
        self.choose_animal(self.marks.animals)

    def let_go(self) -> bool:
        """Nothing is held; whether something was."""
        if self.held is None:
            return False
        self.held = None
        self._notify()
        return True

    def labelled_beside(self, back: bool) -> int | None:
        """The labelled frame before or behind the one that is shown."""
        if back:
            return max((one for one in self.sheet.labelled if one < self.frame), default=None)
        return min((one for one in self.sheet.labelled if one > self.frame), default=None)

    def go(self, frame: int) -> None:
        """Show a frame."""
        self._bench.player.pause()
        self._bench.player.seek(frame)

    def _is_placed(self, animal: int, point: int) -> bool:
        marks = self.marks
        return animal < marks.animals and bool(marks.placed[animal, point])

    def _next(self, point: int, animal: int | None = None) -> int:
        """The next point behind one that is not decided in the frame that is shown; -1 for none."""
        count, of = len(self.sheet.points), self.animal if animal is None else animal
        decided = self.marks.grown(of + 1).decided[of] if count else []
        return next((p for k in range(1, count + 1) if not decided[p := (point + k) % count]), -1)

    def _check(self, named: bool = True) -> None:
        if why := self.why_not:
            raise InputError(why)
        if self.path is None or self.frame < 0:
            raise InputError("wait until the clip's first frame is shown")
        if named and not self.sheet.points:
            raise InputError("say first what the points are called, in the panel Labels, such as: nose, left ear, tail")

    # --------------------------------------------------------------------------------------------- a kind of undo

    def _do(self, words: str, changed: dict[int, Marks]) -> None:
        self._step(words, self.sheet.with_marks(changed))

    def _step(self, words: str, made: Sheet) -> None:
        self._history.add(_Step(words, self.sheet, made, self.frame))
        self._take(made)

    def _take(self, made: Sheet) -> None:
        self.sheet = made
        if self.path is not None:
            self._file.keep(self.path, self._clip, made)

    @property
    def steps(self) -> Sequence[object]:
        """What was done and not undone."""
        return tuple(self._history.done)

    def undo(self) -> None:
        """One step back; the frame that it was in is shown."""
        if (step := self._history.undo()) is not None:
            self._take(step.before)
            self._show(step)

    def redo(self) -> None:
        """One step on again."""
        if (step := self._history.redo()) is not None:
            self._take(step.after)
            self._show(step)

    def _show(self, step: _Step) -> None:
        if step.frame not in (self.frame, -1):
            self.go(step.frame)
        self._begin_frame()

    # --------------------------------------------------------------------------------------------------- following

    def _begin_frame(self) -> None:
        """Another frame, or other marks in it."""
        self.held = None
        self.point = self._next(-1) if self.sheet.points else -1
        self._notify()

    def _pictured(self) -> None:
        if self.frame != self._frame:
            self._frame = self.frame
            if self.animal >= max(self.marks.animals, len(self.drafts)):
                self.animal = 0
            self._begin_frame()

    def _opened(self) -> None:
        bench = self._bench
        if self.why_not or bench.asked is None:
            self.path, self._frame = None, -1
            if bench.opened is None or bench.live:
                self._begin("", Sheet())
            return
        what = bench.asked.what
        clip = what if what.startswith("sim:") else str(Path(what).expanduser().absolute())
        self.path, self._frame = self._path(clip), -1
        turn = bench.asked.reading.turn
        if clip == self._clip and turn == self.sheet.turn:  # it was opened anew, with another region
            return
        sheet = Sheet(turn=turn)
        if self.path is not None:
            try:
                sheet = self._file.read(self.path, clip, turn, self._stored)
            except InputError as error:
                bench.speak(Level.WARNING, f"{error}; it is put aside when you label")
        self._begin(clip, sheet)
        if count := len(sheet.labelled):
            bench.speak(Level.NOTE, f"{count} labelled frame{'s' if count > 1 else ''} read from "
                                    f"{self.path.name if self.path is not None else ''}")  # fmt: skip

    def _begin(self, clip: str, sheet: Sheet) -> None:
        self._clip, self.sheet, self.animal = clip, sheet, 0
        self._history.clear()
        self.owner = object()
        self._begin_frame()

    @property
    def _stored(self) -> tuple[int, int]:
        """Width and height of the clip's pictures as they are stored."""
        info, asked = self._bench.info, self._bench.asked
        assert info is not None
        assert asked is not None
        return (info.height, info.width) if asked.reading.turn % 180 else (info.width, info.height)

    def _path(self, clip: str) -> Path | None:
        if not clip.startswith("sim:"):
            return labels_beside(clip)
        return None if self.home is None else self.home / f"{safe_file_name(clip)}.labels{ENDING}"

    def poll(self) -> None:
        """Say what could not be written."""
        for error, sentence in self._file.poll():
            self._bench.speak(Level.ERROR if error else Level.WARNING, sentence)

    def flush(self) -> None:
        """Wait until all is written."""
        self._file.flush()

    def close(self, seconds: float, rescue: Path) -> list[str]:
        """The program ends; see `SidecarFile.close`."""
        return self._file.close(seconds, rescue)


def _same(source: str, clip: str) -> bool:
    return source == clip or (not source.startswith("sim:") and Path(source).absolute() == Path(clip))
