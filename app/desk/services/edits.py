"""Edits of the user's pipeline by name: each a step that can be undone; what makes no sense becomes a message."""

from __future__ import annotations

from collections.abc import Callable

from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.pipeline import editing
from app.desk.pipeline.catalogue import category, main_output
from kernels.errors import FusetrackError
from kernels.plugins import registry
from pipelines.graph import SOURCE, Node, Pipeline, Ref
from pipelines.trackers.base import registry as trackers

TAKE_TABLES = ("refine",)
"""Stages whose first input is a table."""
Input = tuple[str, str]
"""A stage or tracker, and the name of its input."""


class Edits:
    """What can be done to a pipeline; each method says whether it was done.

    Args:
        bench: whose pipeline.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    def _do(self, words: str, make: Callable[[Pipeline], Pipeline]) -> bool:
        try:
            made = make(self._bench.pipeline)
        except FusetrackError as error:
            self._bench.speak(Level.ERROR, str(error))
            return False
        if made != self._bench.pipeline:
            self._bench.editor.edit(words, made)
        return True

    def add(self, name: str, after: str = "") -> str:
        """A stage behind a stage (or behind the last one that makes a picture), or a tracker at the end.

        Returns: the name that it got, "" if it was refused.
        """
        before = {member.id for member in self._bench.pipeline.members}

        def make(pipeline: Pipeline) -> Pipeline:
            if name not in registry() and name in trackers():
                return editing.add_tracker(pipeline, name, editing.tracker_inputs(pipeline, name, after))
            return editing.add_stage(pipeline, name, self.place(after, pictures=name not in TAKE_TABLES))

        return self._new(before) if self._do(f"add {name}", make) else ""

    def add_into(self, name: str, wire: Input) -> str:
        """A stage put into one wire; returns its name, "" if it was refused."""
        before = {member.id for member in self._bench.pipeline.members}
        if name not in registry() and name in trackers():
            return self.add(name)
        done = self._do(f"add {name}", lambda p: editing.insert(p, name, *wire))
        return self._new(before) if done else ""

    def place(self, after: str, pictures: bool = False) -> Ref:
        """The output behind which something new comes.

        Args:
            after: what is picked: trackers stand for what they take, "" for the end.
            pictures: whether it has to be a picture: stages that make tables stand for what they take.
        """
        pipeline = self._bench.pipeline
        members = {member.id: member for member in pipeline.members}
        if after == SOURCE or not pipeline.nodes:
            return editing.SOURCE_REF
        last = pipeline.trackers[0] if pipeline.trackers else pipeline.nodes[-1]
        found = members.get(after, last)
        ref = self._main(found) if isinstance(found, Node) else None
        while ref is None or (pictures and isinstance(found, Node) and category(found.stage) == "Features"):
            ref = next(iter(found.inputs.values()), editing.SOURCE_REF)
            if ref.node not in members:
                break
            found = members[ref.node]
        return ref

    def _main(self, node: Node) -> Ref:
        """The output that stands for a stage; where only what runs can tell its outputs, the first of them."""
        built = self._bench.built
        made = [] if built is None else [name for name, _ in built.outputs if name.partition(".")[0] == node.id]
        main = str(Ref(node.id, main_output(node.stage)))
        return Ref.parse(made[0]) if made and main == node.id and main not in made else Ref.parse(main)

    def _new(self, before: set[str]) -> str:
        return next((m.id for m in self._bench.pipeline.members if m.id not in before), "")

    def remove(self, name: str) -> bool:
        """Without a stage or tracker."""
        return self._do(f"remove {name}", lambda p: editing.remove(p, name))

    def rename(self, name: str, new: str) -> bool:
        """A stage or tracker called otherwise."""
        return self._do(f"rename {name}", lambda p: editing.rename(p, name, new.strip()))

    def rewire(self, wire: Input, source: Ref | None) -> bool:
        """An input taken from elsewhere; None leaves it open."""
        return self._do(f"rewire {wire[0]}", lambda p: editing.rewire(p, *wire, source))

    def move_into(self, name: str, wire: Input) -> bool:
        """A stage taken out and put into a wire."""
        return self._do(f"move {name}", lambda p: editing.move_into(p, name, *wire))

    def shift(self, name: str, down: bool) -> bool:
        """A stage exchanged with its neighbour."""
        return self._do(f"move {name}", lambda p: editing.shift(p, name, down))

    def pin(self, pair: tuple[str, str], how: str | None) -> bool:
        """Two stages together ("fuse"), apart ("cut"), or as the planner likes (None)."""
        words = {"fuse": "pin together", "cut": "pin apart", None: "take a pin off"}[how]
        return self._do(f"{words}: {' and '.join(pair)}", lambda p: editing.pin(p, pair, how))

    def tap(self, ref: Ref, wanted: bool) -> bool:
        """Whether an output leaves the pipeline besides what trackers take."""
        return self._do(f"{'tap' if wanted else 'no tap of'} {ref}", lambda p: editing.set_tap(p, ref, wanted))
