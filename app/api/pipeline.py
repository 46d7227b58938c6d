"""`fusetrack.Pipeline`: a pipeline that is built in code, step by step, or read from a file, and written to one."""

from __future__ import annotations

import importlib.util
import inspect
import os
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from app.files.atomic import write_bytes
from kernels.errors import ArgumentTypeError, DefinitionError, NameOfNothing
from kernels.plugins import find_stage
from kernels.plugins import registry as stages
from kernels.stage import Stage
from pipelines.definition import from_document, load
from pipelines.graph import Pipeline as Graph
from pipelines.graph import find_tracker
from pipelines.trackers.base import Tracker
from pipelines.trackers.base import registry as trackers
from pipelines.writing import dumps

from .describing import help_of, signature_of, text_of
from .settings import plain, with_parameters
from .wording import worded

Step = str | tuple[str, Mapping[str, object]] | Mapping[str, object]
Inputs = str | Sequence[str] | Mapping[str, str]


class Pipeline:
    """Stages one behind the other, and trackers that follow what they find.

    >>> import fusetrack                                                              # doctest: +SKIP
    >>> p = fusetrack.Pipeline().gray().gaussian(sigma=1.2).threshold(level=40)       # doctest: +SKIP
    >>> p = p.components(inputs={"mask": "threshold", "weights": "gray"}).blob()      # doctest: +SKIP
    >>> tracks = fusetrack.track(frames, p, fps=1000)                                 # doctest: +SKIP
    >>> p.save("spots.toml")                                                          # doctest: +SKIP

    Every stage (`fusetrack.stages`) and every tracker (blob, klt, template, vibration, keypoints) is a method that
    gives a new pipeline with it at the end; the one before stays as it is. Its keywords are the stage's parameters,
    and two more: `name`, what it is called here (the stage's name, with _2 and so on where that is taken), and
    `inputs`, what it takes: a name, a list of names, or {input: name}; left out, what was added last. "source" is the
    clip; what a stage takes of the frame before (`follow`) may be added later.
    `help(fusetrack.Pipeline().gaussian)` explains one.

    Args:
        steps: a shipped pipeline's name ("blobs"), a .toml file, another pipeline, or a list of steps: "gaussian",
            ("gaussian", {"sigma": 1}), or {"use": "gaussian", "name": "smooth", "sigma": 1}.
        name: short name, one line.
        summary: one line for people.
        taps: outputs that `apply` gives back, by name.

    Raises:
        DefinitionError: what a file with these steps would be refused for, in the same words.
    """

    def __init__(
        self, steps: str | os.PathLike[str] | Pipeline | Graph | Iterable[Step] = (), *, name: str | None = None,
        summary: str | None = None, taps: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        self._graph: Graph | None = None
        self._document: dict[str, Any] = {"name": "pipeline"}
        rest: Iterable[Step] = ()
        if isinstance(steps, Pipeline):
            self._graph, self._document = steps._graph, steps._document
        elif isinstance(steps, Graph):
            self._take(steps)
        elif isinstance(steps, str) or (isinstance(steps, os.PathLike) and not isinstance(steps, Mapping)):
            with worded():
                self._take(load(Path(steps) if isinstance(steps, os.PathLike) else steps))
        elif isinstance(steps, Mapping) or not isinstance(steps, Iterable):
            raise ArgumentTypeError(f"a pipeline is a name, a file or a list of steps, not {type(steps).__name__}")
        else:
            rest = steps
        for step in rest:
            self._become(self._with_step(step))
        named = {"name": name, "summary": summary, "taps": None if taps is None else list(taps)}
        named = {key: value for key, value in named.items() if value is not None}
        if named:
            self._document = {**self._document, **named}
            self._graph = _checked(self._document) if self.steps else None

    def _take(self, graph: Graph) -> None:
        self._graph, self._document = graph, tomllib.loads(dumps(graph))

    def _become(self, other: Pipeline) -> None:
        self._graph, self._document = other._graph, other._document

    def _with_step(self, step: Step) -> Pipeline:
        if isinstance(step, str):
            return self.then(step)
        if isinstance(step, Mapping):
            rest = {**step}
            use = rest.pop("use", None)
            if isinstance(use, str):
                return self.then(use, **rest)  # type: ignore[arg-type]  # checked as what a file holds
        elif isinstance(step, tuple | list) and len(step) == 2 and isinstance(step[1], Mapping):
            return self.then(step[0], **step[1])  # type: ignore[arg-type]  # likewise
        raise ArgumentTypeError("a step of a pipeline is 'gaussian', ('gaussian', {'sigma': 1}) or "
                                f"{{'use': 'gaussian', 'sigma': 1}}, not {step!r}")  # fmt: skip

    def then(
        self, use: str, /, *, name: str | None = None, inputs: Inputs | None = None, **parameters: object
    ) -> Pipeline:
        """This pipeline with one more stage or tracker; `p.then("gaussian", sigma=1)` is `p.gaussian(sigma=1)`.

        Args:
            use: the stage or tracker.
            name: what it is called here.
            inputs: what it takes; see the class.
            parameters: of the stage.

        Raises:
            DefinitionError: there is none of that name, or it does not take that.
        """
        kind = "stages" if isinstance(kind_of(use), Stage) else "trackers"
        table: dict[str, Any] = {key: plain(value) for key, value in parameters.items()}
        before = [*self._document.get("stages", {})]
        if inputs is not None:
            table["inputs"] = dict(inputs) if isinstance(inputs, Mapping) else plain(inputs)
        elif kind == "trackers":
            table["inputs"] = {find_tracker(use).inputs[0].name: before[-1] if before else "source"}
        taken = {*before, *self._document.get("trackers", {})}
        called = name or next(word for word in (use, *(f"{use}_{k}" for k in range(2, 1 << 20))) if word not in taken)
        if called in taken:
            raise DefinitionError(f"two nodes are called {called!r}")
        # The pipeline before stays as it is: tables are copied, not changed.
        made = Pipeline()
        nodes = {**self._document.get(kind, {}), called: {"use": use, **table}}
        made._document = {**self._document, kind: nodes}
        made._graph = _checked(made._document)
        return made

    def __getattr__(self, name: str) -> Callable[..., Pipeline]:
        if name.startswith("_"):  # copy, pickle and the like ask for these
            raise AttributeError(name)
        kind = kind_of(name)

        def step(*, name: str | None = None, inputs: Inputs | None = None, **parameters: object) -> Pipeline:
            return self.then(use, name=name, inputs=inputs, **parameters)

        use = name
        step.__name__ = step.__qualname__ = name
        step.__doc__ = help_of(kind)
        keyword = inspect.Parameter.KEYWORD_ONLY
        step.__signature__ = signature_of(kind.params, [  # type: ignore[attr-defined]
            inspect.Parameter("name", keyword, default=None, annotation=str | None),
            inspect.Parameter("inputs", keyword, default=None, annotation=str | list[str] | dict[str, str] | None),
        ], Pipeline)  # fmt: skip
        return step

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *stages(), *trackers()})

    @property
    def graph(self) -> Graph:
        """The pipeline as the rest of the program takes it.

        Raises:
            DefinitionError: it has neither stages nor trackers.
        """
        return self._graph or from_document(self._document, self.name)

    @property
    def name(self) -> str:
        """Its short name."""
        return str(self._document["name"])

    @property
    def steps(self) -> tuple[str, ...]:
        """The names of its stages and trackers, in order."""
        return (*self._document.get("stages", {}), *self._document.get("trackers", {}))

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters that are set, by "node.param"; `describe` shows all."""
        members = self._graph.members if self._graph else ()
        return {f"{node.id}.{name}": value for node in members for name, value in node.params.items()}

    def with_settings(self, settings: Mapping[str, object] | None = None, **parameters: object) -> Pipeline:
        """A copy with some parameters changed: `p.with_settings({"bright.level": 0.05})`, or by keyword as in
        `p.with_settings(bright__level=0.05)`, or `level=0.05` where one stage alone has a `level`.

        Raises:
            DefinitionError: there is no such parameter, or it does not take the value.
            ArgumentTypeError: a keyword that names none, or one of several stages.
        """
        with worded():
            return Pipeline(with_parameters(self.graph, settings, parameters, "with_settings"))

    def with_taps(self, *names: str) -> Pipeline:
        """A copy whose taps are these outputs, "node" or "node.output": what `fusetrack.apply` gives back.

        Raises:
            DefinitionError: there is no such node.
        """
        return Pipeline(self, taps=names)

    def describe(self) -> str:
        """All stages with all parameters, their values, units, ranges and meanings, as text to be printed."""
        return text_of(self.graph)

    def to_toml(self) -> str:
        """The pipeline as the text of a file; `fusetrack run --pipeline FILE` and the window take it."""
        return dumps(self.graph)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as a .toml file; an existing one is replaced once the new one is whole.

        Raises:
            InputError: it cannot be written.
        """
        write_bytes(Path(path), self.to_toml().encode())

    def __call__(self, clip: Any, **options: Any) -> Any:
        """`fusetrack.apply(clip, pipeline, ...)`."""
        from .applying import apply  # here: it is built on this

        return apply(clip, self, **options)

    def __len__(self) -> int:
        return len(self.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pipeline) and self._document == other._document

    def __hash__(self) -> int:
        return hash(repr(self._document))

    def __str__(self) -> str:
        return self.to_toml() if self._graph else repr(self)

    def __repr__(self) -> str:
        return f"<Pipeline {self.name!r}: {' -> '.join(self.steps) or 'nothing yet'}>"


def _checked(document: Mapping[str, Any]) -> Graph | None:
    """The pipeline of a document; None where a stage takes of the frame before what is yet to be added, and all else is
    right."""
    known, rest = {"source", *document.get("stages", {})}, {}
    waiting = False
    for node, table in document.get("stages", {}).items():
        later, given = find_stage(table.get("use", node)).previous, table.get("inputs")
        rest[node] = table
        if later and isinstance(given, Mapping):
            kept = {name: ref for name, ref in given.items()
                    if name not in later or str(ref).partition(".")[0] in known}  # fmt: skip
            waiting |= len(kept) < len(given)
            rest[node] = {**table, "inputs": kept}
    if not waiting:
        return from_document(document, str(document["name"]))
    from_document({**document, "stages": rest}, str(document["name"]))
    return None


def kind_of(name: object) -> Stage | type[Tracker]:
    """The stage or the tracker of a name; not all of them are loaded for it.

    Raises:
        NameOfNothing: there is none; says what was perhaps meant.
    """
    if not isinstance(name, str):
        raise NameOfNothing(f"a stage or tracker is called by its name, not by {name!r}")
    file = f"pipelines.trackers.{name}" if name.isidentifier() else ""
    finders: tuple[Callable[[str], Stage | type[Tracker]], ...] = (find_stage, find_tracker)
    for find in reversed(finders) if file and importlib.util.find_spec(file) is not None else finders:
        try:
            return find(name)
        except DefinitionError:
            continue
    known = [*stages(), *trackers()]
    near = get_close_matches(str(name), known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else "`fusetrack.stages` lists them"
    raise NameOfNothing(f"there is no stage or tracker {name!r}; {hint}")


def graph_of(pipeline: str | os.PathLike[str] | Pipeline | Graph | Iterable[Step]) -> Graph:
    """The pipeline that a caller means: by name, file, list of steps, or as it was built.

    Raises:
        DefinitionError: there is none, or it is wrong.
    """
    return pipeline if isinstance(pipeline, Graph) else Pipeline(pipeline).graph
