"""Where the boxes and wires of a pipeline stand: layers from the source down, wires at right angles between them.

A box's layer is one below the lowest of those that it takes from. A wire to the next layer goes down between the two;
one that passes layers, or leads back up (an input of the frame before), runs in a lane of its own beside all boxes, so
that no wire crosses a box.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from app.desk.pipeline import catalogue
from kernels.errors import FusetrackError
from kernels.plugins import find_stage
from pipelines.graph import SOURCE, Node, Pipeline, Ref, find_tracker

WIDTH, HEIGHT = 164.0, 36.0
ACROSS, GAP, HEAD = 18.0, 24.0, 20.0
"""Between boxes of a layer; between layers; and what the words of a group need above its first box."""
MIDDLE = 62.0
"""Of a box's edge, which ports are put on: to the left and the right of it stand the times of a group."""
LANE, FIRST_LANE = 9.0, 24.0
SOURCE_SIZE = (116.0, 22.0)

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A stage, a tracker, or the source: its upper left corner, its ports (name, x of the middle)."""

    id: str
    kind: str
    use: str
    x: float
    y: float
    width: float
    height: float
    layer: int
    inputs: tuple[tuple[str, float], ...]
    outputs: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Wire:
    """From an output to an input, as a line at right angles."""

    ref: Ref
    consumer: str
    port: str
    points: tuple[Point, ...]

    @property
    def key(self) -> tuple[str, str]:
        """The input that it feeds."""
        return self.consumer, self.port


@dataclass(frozen=True)
class Layout:
    """Boxes by name, wires, and the size of the whole."""

    boxes: Mapping[str, Box]
    wires: tuple[Wire, ...]
    width: float
    height: float


def ports(member: object, known: Sequence[str] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of what a stage or tracker takes and gives; ("",) is the only output.

    Args:
        known: outputs of a stage whose own depend on a file or on what it takes, such as those of a network.
    """
    if isinstance(member, Node):
        known = tuple(dict.fromkeys(known)) or ("",)
        try:
            gives = catalogue.outputs(member.stage)
            return tuple(find_stage(member.stage).inputs), known if gives == ("",) else gives
        except FusetrackError:
            return tuple(member.inputs), known
    tracker = getattr(member, "tracker", "")
    return tuple(i.name for i in find_tracker(tracker).inputs), ()


def layers(pipeline: Pipeline) -> dict[str, int]:
    """The layer of each member: 0 is the source's; trackers are below all stages."""
    found = {SOURCE: 0}
    waiting = list(pipeline.nodes)
    # Each round places those whose sources stand; a circle is never placed, so that the rounds are bounded.
    for _ in range(len(waiting) + 1):
        for node in waiting:
            needs = {ref.node for ref in node.needs}
            if needs <= found.keys():
                found[node.id] = 1 + max((found[name] for name in needs), default=0)
        waiting = [node for node in waiting if node.id not in found]
    found |= {node.id: 1 for node in waiting}  # a circle, which cannot be drawn better
    lowest = max(found.values())
    return found | {tracker.id: lowest + 1 for tracker in pipeline.trackers}


def layout(pipeline: Pipeline, groups: Sequence[Sequence[str]] = (), outputs: Sequence[str] = ()) -> Layout:
    """Place everything.

    Args:
        outputs: what runs has them, as "node" or "node.output"; those that something takes are known in any case.
        groups: names of stages that are drawn together; their boxes are side by side within a layer, and there is
            room for words above the first.
    """
    level = layers(pipeline)
    group_of = {name: k for k, names in enumerate(groups) for name in names}
    rows: list[list[str]] = [[] for _ in range(max(level.values()) + 1)]
    for name in (SOURCE, *(m.id for m in pipeline.members)):
        rows[level[name]].append(name)
    members = {m.id: m for m in pipeline.members}
    centre: dict[str, float] = {SOURCE: 0.0}
    # Barycentre method (Sugiyama 1981): a layer in the order of the mean places of what its boxes take from, with the
    # stages of a group side by side.
    for row in rows[1:]:
        wish = {}
        for name in row:
            above = _mean([centre[ref.node] for ref in members[name].inputs.values() if ref.node in centre])
            wish[name] = (group_of.get(name, -1), above)
        row.sort(key=wish.__getitem__)
        start = -(len(row) - 1) * (WIDTH + ACROSS) / 2
        centre |= {name: start + k * (WIDTH + ACROSS) for k, name in enumerate(row)}
    # The words of a group stand above the layer of its first box.
    heads = {min((level[n], n) for n in names if n in level)[0] for names in groups if any(n in level for n in names)}
    y, tops = 0.0, []
    for k in range(len(rows)):
        y += HEAD if k in heads else 0.0
        tops.append(y)
        y += (SOURCE_SIZE[1] if k == 0 else HEIGHT) + GAP
    # So that the leftmost box begins at 0.
    left = -min(centre[name] - WIDTH / 2 for name in centre)
    known = _outputs(pipeline, outputs)
    boxes = {name: _box(name, members.get(name), x + left, tops[level[name]], level[name], known.get(name, ()))
             for name, x in centre.items()}  # fmt: skip
    wires, lanes = _wires(pipeline, boxes, rows, heads)
    right = max(box.x + box.width for box in boxes.values())
    width = right + (FIRST_LANE + LANE * lanes if lanes else 0.0)
    return Layout(boxes, wires, width, y - GAP)


def _outputs(pipeline: Pipeline, outputs: Sequence[str]) -> dict[str, list[str]]:
    """The outputs of each stage: those that it is said to have, then others that are taken."""
    found: dict[str, list[str]] = {}
    for name in outputs:
        node, _, output = name.partition(".")
        found.setdefault(node, []).append(output)
    for ref in (*(ref for member in pipeline.members for ref in member.inputs.values()), *pipeline.taps):
        found.setdefault(ref.node, []).append(ref.output)
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _box(name: str, member: object, middle: float, top: float, layer: int, outputs: Sequence[str]) -> Box:
    if member is None:
        width, height = SOURCE_SIZE
        return Box(name, "source", "", middle - width / 2, top, width, height, layer, (), (("", middle),))
    takes, gives = ports(member, outputs)
    left = middle - WIDTH / 2
    kind = "stage" if isinstance(member, Node) else "tracker"
    use = member.stage if isinstance(member, Node) else str(getattr(member, "tracker", ""))
    return Box(name, kind, use, left, top, WIDTH, HEIGHT, layer, _spread(takes, left), _spread(gives, left))


def _spread(names: Sequence[str], left: float) -> tuple[tuple[str, float], ...]:
    """Ports along an edge: evenly, but all within its middle, so that wires leave the words of groups alone."""
    step = min(WIDTH / (len(names) + 1), MIDDLE / max(1, len(names) - 1))
    first = left + (WIDTH - step * (len(names) - 1)) / 2
    return tuple((name, first + step * k) for k, name in enumerate(names))


def port_x(ports_: Sequence[tuple[str, float]], name: str, box: Box) -> float:
    """Where a port is; the middle for one that is unknown."""
    return next((x for port, x in ports_ if port == name), box.x + box.width / 2)


def _wires(
    pipeline: Pipeline, boxes: Mapping[str, Box], rows: Sequence[Sequence[str]], heads: Collection[int]
) -> tuple[tuple[Wire, ...], int]:
    right = max(box.x + box.width for box in boxes.values())
    made: list[Wire] = []
    lanes: dict[Ref, int] = {}
    for member in pipeline.members:
        for port, ref in member.inputs.items():
            box, source = boxes[member.id], boxes.get(ref.node)
            if source is None:
                continue
            x0, y0 = port_x(source.outputs, ref.output, source), source.y + source.height
            x1, y1 = port_x(box.inputs, port, box), box.y
            above = y1 - (HEAD if box.layer in heads else 0.0) - 9  # clear of a group's words
            points: tuple[Point, ...]
            # Between two neighbouring layers there is no box that a wire could cross.
            clear = box.layer == source.layer + 1 or (
                box.layer > source.layer and _clear(source, box, (x0, x1), boxes, rows)
            )
            if clear:
                straight = abs(x0 - x1) < 0.5
                points = ((x0, y0), (x1, y1)) if straight else ((x0, y0), (x0, above), (x1, above), (x1, y1))
            else:
                lane = lanes.setdefault(ref, len(lanes))  # takers of one output share a lane
                lane_x = right + FIRST_LANE + LANE * lane
                # Lanes are a pixel apart in the gaps, so that wires side by side can be told from each other.
                out, into = y0 + GAP / 2 - 1 + lane % 3, above - 5 + lane % 3
                points = ((x0, y0), (x0, out), (lane_x, out), (lane_x, into), (x1, into), (x1, y1))
            made.append(Wire(ref, member.id, port, points))
    return tuple(made), len(lanes)


def _clear(
    source: Box, box: Box, ends: tuple[float, float], boxes: Mapping[str, Box], rows: Sequence[Sequence[str]]
) -> bool:
    """Whether a wire that passes layers can go straight down from its output."""
    # A wire goes down at the x of its output and turns above the box that takes it: only there a box can be in its way.
    between = [boxes[name] for row in rows[source.layer + 1 : box.layer] for name in row]
    return all(not other.x - 6 < ends[0] < other.x + other.width + 6 for other in between)
