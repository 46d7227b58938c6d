"""Pipelines and their files: chosen, saved, and never written over what somebody else has written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from app.desk.bench.pipeline_editor import PipelineEditor
from app.desk.bench.state import BenchState
from app.desk.bench.topics import Level, Topic
from app.desk.pipeline.history import Edit, History, Origin
from app.desk.pipeline.pipeline_file import read_pipeline, write_pipeline
from app.desk.pipeline.unsaved_pipelines import Kept, read_kept
from kernels.errors import FusetrackError
from pipelines.graph import Pipeline


class PipelineFiles:
    """See the module.

    Args:
        bench: the state that it changes.
        editor: has the engine run what is chosen.
    """

    def __init__(self, bench: BenchState, editor: PipelineEditor) -> None:
        self._bench, self._editor = bench, editor

    @property
    def path(self) -> Path | None:
        """The file that the pipeline was read from or saved to."""
        return self._bench.history.path

    def begin_with(self, name_or_path: str | Path) -> None:
        """Take a shipped pipeline, or one of a file, as what the window begins with: the history begins anew.

        Raises:
            InputError: it cannot be read.
        """
        bench = self._bench
        before, (made, origin) = bench.pipeline, read_pipeline(name_or_path)
        bench.history = History(made, origin)
        self._editor.go_over(before)

    def choose(self, name_or_path: str | Path, settings: Mapping[str, str] | None = None) -> None:
        """Go over to a shipped pipeline, or one of a file: a step that can be undone.

        Args:
            settings: parameters ("node.param") that it has from the first: the files of its networks.

        Raises:
            InputError: it cannot be read.
        """
        bench = self._bench
        before, left = bench.pipeline, bench.history.now
        made, origin = read_pipeline(name_or_path)
        made = made.with_settings(settings) if settings else made
        known = left.origin
        same = made == before and (origin.path, origin.digest) == (known.path, known.digest) and not left.unsaved
        if same:  # it is computed anew, and there is nothing to undo
            self._editor.order()
            bench.tell(Topic.PIPELINE)
            return
        bench.history.choose(f"pipeline {made.name}", made, origin)
        self._editor.go_over(before)

    def go_back_to(self, left: Edit, words: str = "") -> None:
        """Take what was left for another pipeline, as a step more: nothing of what is there now is lost."""
        bench = self._bench
        if left is not bench.history.now:
            before = bench.pipeline
            saved = not left.unsaved
            bench.history.choose(words or f"back to {left.pipeline.name}", left.pipeline, left.origin, saved)
            self._editor.go_over(before)

    def take_up(self, kept: Sequence[Kept]) -> None:
        """Begin with pipelines of an earlier window; what was not saved in them are steps that can be undone.

        Args:
            kept: the one to begin with last, before it others that were left unsaved.
        """
        bench = self._bench
        before, found = bench.pipeline, False
        for one in kept:
            try:
                made, origin, saved, changed = read_kept(one)
            except FusetrackError as error:  # it is of another version, or needs a plug-in that is not there
                bench.speak(Level.WARNING, f"a pipeline of last time cannot be read any more: {error}", one.text)
                continue
            if found:
                bench.history.choose(f"pipeline {made.name}", made, origin, saved)
            else:
                bench.history = History(made, origin, saved)
            bench.history.do("the changes of last time", changed)
            found = True
        self._editor.go_over(before)

    def save(self, path: Path, *, over: bool = False, edit: Edit | None = None) -> None:
        """Write the pipeline, all or nothing; comments of the file that it came from stay.

        Args:
            path: the file; pipelines are called as their files.
            over: whether to write over what another program has put there since it was read.
            edit: a step of the history in place of the one that holds.

        Raises:
            PipelineFileChanged: its file holds something else than what was read from it or written to it last.
            InputError: the file cannot be written.
        """
        bench = self._bench
        step = bench.history.now if edit is None else edit
        digest = write_pipeline(step.pipeline, path, step.origin, over)
        bench.history.saved(path, digest, step)
        bench.tell(Topic.PIPELINE)

    def bring(self, made: Pipeline, whose: str, another: bool) -> None:
        """A session's own pipeline, or a run's, which runs already; where it was open before, that is a step."""
        bench = self._bench
        if another:
            bench.history = History(made)
        else:
            bench.history.choose(f"pipeline of {whose}", made, Origin())
