"""The stages and trackers that there are, as a user looks for one: by category, by kind, by words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from kernels.errors import FusetrackError
from kernels.ir import reach
from kernels.ir.body import Body
from kernels.ir.image import BOOL, DTYPES, ImageType
from kernels.ir.placement import PLACEMENT
from kernels.plugins import find_stage, registry
from kernels.stage import CATEGORIES, Stage
from pipelines.trackers.base import registry as trackers

OWN, TRACKERS = "Your own", "Trackers"
_MAIN = ("magnitude", "foreground")
"""Of several outputs, the one that people mean most often."""
_U8, _MASK = ImageType(DTYPES["u8"], 64, 64, 1), ImageType(BOOL, 64, 64, 1)


@dataclass(frozen=True)
class Entry:
    """A stage or a tracker.

    Args:
        name: as in a pipeline's file.
        category: one of CATEGORIES, OWN or TRACKERS.
        kind: what it looks at: "pointwise", "stencil" and so on, "tracker" for trackers.
        summary: one line; `doc` all of it.
    """

    name: str
    category: str
    kind: str
    summary: str
    doc: str

    @property
    def tracker(self) -> bool:
        """Whether it is a tracker."""
        return self.category == TRACKERS

    def matches(self, text: str) -> bool:
        """Whether a search finds it: every word somewhere in name, summary, kind or category."""
        place = f"{self.name} {self.summary} {self.kind} {self.category}".casefold().replace("_", " ")
        return all(word in place for word in text.casefold().replace("_", " ").split())


def entries() -> list[Entry]:
    """All, by category, then by name."""
    titles = (*CATEGORIES, OWN)
    made = [Entry(s.name, s.category or OWN, kind(s.name), s.summary, s.doc) for s in registry().values()]
    made.sort(key=lambda entry: (titles.index(entry.category), entry.name))
    made += [Entry(t.name, TRACKERS, "tracker", t.summary, t.__doc__ or t.summary) for t in trackers().values()]
    return made


def found(text: str) -> list[Entry]:
    """The entries that a search finds: those whose name begins with it first."""
    matching = [entry for entry in entries() if entry.matches(text)]
    wanted = text.strip().casefold().replace(" ", "_")
    if not wanted:
        return matching
    return sorted(matching, key=lambda e: (not e.name.startswith(wanted), wanted not in e.name))


def category(stage: str) -> str:
    """Where a stage is in the list."""
    known = registry().get(stage)
    return known.category or OWN if known is not None else OWN


@cache
def _body(stage: Stage) -> Body | None:
    """The body for an ordinary picture; None where the stage takes none such."""
    needed = [name for name in stage.inputs if name not in stage.optional]
    for type_ in (_U8, ImageType(_U8.dtype, 64, 64, 3), _MASK):
        try:
            return stage.build([PLACEMENT if name == "placement" else type_ for name in needed])
        except FusetrackError:
            continue
    return None


def kind(name: str) -> str:
    """What a stage looks at, derived from its body: "opaque" for host functions, "" if unknown."""
    stage = find_stage(name)
    body = _body(stage)
    if body is None or body.host is not None:
        return "opaque" if stage.opaque else ""
    return reach.kind(body)


def outputs(name: str) -> tuple[str, ...]:
    """The names of a stage's outputs; ("",) where it has one, or if that depends on its inputs."""
    body = _body(find_stage(name))
    if body is None or len(body.outputs) < 2:
        return ("",)
    return tuple(output.name for output in body.outputs)


def main_output(name: str) -> str:
    """The output of a stage that stands for it: "" where it has only one."""
    names = outputs(name)
    return next((wanted for wanted in _MAIN if wanted in names), names[0])
