"""Drawings of a plan: Graphviz text, and an SVG of our own that needs nothing installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from pipelines.graph import SOURCE, Ref
from pipelines.planning.explain import duration
from pipelines.planning.plan import Buffer, Group, Plan

FONT = "Inter, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif"
INK, FAINT, LINE = "#1f2937", "#6b7280", "#94a3b8"
COLORS = {
    "DRAM": "#2563eb", "cache": "#0d9488", "near memory": "#7c3aed", "arithmetic": "#d97706", "launch": "#64748b",
    "host": "#9f5f4a",
}  # fmt: skip
"""Of each resource that can limit a group."""
FILLS = {"host": ("#faf6f3", "#e3d5cb"), "cpu": ("#f4f7fc", "#cfdcf0"), "cuda": ("#f4f7fc", "#cfdcf0")}
NODE_HEIGHT, COLUMN_GAP, ROW_GAP, PAD, HEAD, GUTTER, LANE = 30, 34, 14, 22, 46, 62, 22


def dot(plan: Plan) -> str:
    """The plan as Graphviz text: a cluster a group, labels in bytes a pixel of the source."""
    lines = ["digraph plan {", '  rankdir=LR; compound=true; fontname="sans-serif";',
             '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif"];',
             f'  "{SOURCE}" [shape=cds];']  # fmt: skip
    for g, group in enumerate(plan.groups):
        limit = COLORS[group.estimate.limit]
        label = f"{g + 1}: {group.executor} {group.tile}\\n{duration(group.estimate.seconds)}, {group.estimate.limit}"
        lines.append(f'  subgraph cluster_{g} {{ label="{label}"; color="{limit}"; style=rounded;')
        lines += [f'    "{g}/{node}" [label="{node}"];' for node in group.nodes]
        lines.append("  }")
    for a, b, ref, inside in _arrows(plan):
        label = "" if inside else f' [label="{ref} {_weight(plan, ref)}", penwidth=2]'
        lines.append(f'  "{a}" -> "{b}"{label};')
    for ref in _taps(plan):
        lines.append(f'  "out/{ref}" [label="{ref}", shape=cds];')
        lines.append(f'  "{_maker(plan, ref)}" -> "out/{ref}" [label="{_weight(plan, ref)}", penwidth=2];')
    return "\n".join([*lines, "}", ""])


def _arrows(plan: Plan) -> list[tuple[str, str, Ref, bool]]:
    """(producer, consumer, value, whether inside one group), with "group/node" names."""
    found = []
    for g, group in enumerate(plan.groups):
        readers = {edge.consumer for edge in plan.edges}
        for edge in plan.edges:
            if edge.consumer in group.nodes:
                inside = edge.ref.node in group.nodes
                found.append((f"{g}/{edge.ref.node}" if inside else _maker(plan, edge.ref), f"{g}/{edge.consumer}",
                              edge.ref, inside))  # fmt: skip
        found += [(SOURCE, f"{g}/{node}", Ref(SOURCE), False) for node in group.nodes
                  if Ref(SOURCE) in group.inputs and (node not in readers or node == group.nodes[0])]  # fmt: skip
    return list(dict.fromkeys(found))


def _maker(plan: Plan, ref: Ref) -> str:
    if ref.node == SOURCE:
        return SOURCE
    return next(f"{g}/{ref.node}" for g, group in enumerate(plan.groups) if ref in group.outputs)


def _taps(plan: Plan) -> list[Ref]:
    return [b.ref for b in plan.buffers if b.last == len(plan.groups)]


def _weight(plan: Plan, ref: Ref) -> str:
    buffer = next(b for b in plan.buffers if b.ref == ref)
    bytes_ = buffer.nbytes / buffer.frames
    per_pixel = bytes_ / plan.pixels
    return f"{per_pixel:.3g} B/px" if per_pixel >= 0.01 else f"{bytes_:.0f} B"


@dataclass
class _Card:
    """A group, the source or the taps, laid out: its nodes' boxes relative to it, and where values enter and leave."""

    group: Group | None
    boxes: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0
    y: float = 0.0
    tops: dict[Ref, float] = field(default_factory=dict)
    bottoms: dict[Ref, float] = field(default_factory=dict)


def _text_width(text: str, size: float = 13) -> float:
    return 0.58 * size * len(text)


def _card(plan: Plan, group: Group) -> _Card:
    """Columns by depth inside the group, rows where several stages are at one depth."""
    inside = [(e.ref.node, e.consumer) for e in plan.edges if e.consumer in group.nodes and e.ref.node in group.nodes]
    depth = dict.fromkeys(group.nodes, 0)
    for _ in group.nodes:
        for a, b in inside:
            depth[b] = max(depth[b], depth[a] + 1)
    columns: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
    for node in group.nodes:
        columns[depth[node]].append(node)
    card = _Card(group)
    rows = max(len(column) for column in columns)
    x = float(PAD)
    for column in columns:
        width = max(64.0, *(_text_width(node) + 24 for node in column))
        top = HEAD + (rows - len(column)) * (NODE_HEIGHT + ROW_GAP) / 2
        for k, node in enumerate(column):
            card.boxes[node] = (x, top + k * (NODE_HEIGHT + ROW_GAP), width)
        x += width + COLUMN_GAP
    card.width = max(x - COLUMN_GAP + PAD, 430.0)
    card.height = HEAD + rows * (NODE_HEIGHT + ROW_GAP) - ROW_GAP + PAD
    return card


def _ends(names: Sequence[Ref]) -> _Card:
    """A row of values: the source, or what leaves."""
    card = _Card(None)
    x = 0.0
    for ref in names:
        width = max(84.0, _text_width(str(ref)) + 34)
        card.boxes[str(ref)] = (x, 0.0, width)
        x += width + 26
    card.width, card.height = x - 26, NODE_HEIGHT
    return card


def _ports(plan: Plan, cards: Sequence[_Card]) -> None:
    """Where each value crosses a card's edge: beside the node that makes or takes it, apart from each other."""
    for card in cards:
        if card.group is None:
            for name, (x, _, width) in card.boxes.items():
                card.tops[Ref.parse(name)] = card.bottoms[Ref.parse(name)] = x + width / 2
            continue
        group = card.group
        readers = {ref: [e.consumer for e in plan.edges if e.ref == ref and e.consumer in group.nodes]
                   for ref in group.inputs}  # fmt: skip
        wanted = {ref: min((card.boxes[n][0] for n in nodes), default=PAD) + 18 for ref, nodes in readers.items()}
        card.tops = _apart(wanted, lambda _: 26)
        wanted = {ref: card.boxes[ref.node][0] + card.boxes[ref.node][2] - 18 for ref in group.outputs}
        card.bottoms = _apart(wanted, lambda ref: _text_width(f"{ref} {_weight(plan, ref)}", 11) + 26)
        card.width = max(card.width, max(card.bottoms.values(), default=0.0) + PAD)


def _apart(wanted: dict[Ref, float], space: Callable[[Ref], float]) -> dict[Ref, float]:
    placed: dict[Ref, float] = {}
    least = -1e9
    for ref, x in sorted(wanted.items(), key=lambda item: item[1]):
        placed[ref] = max(x, least)
        least = placed[ref] + space(ref)
    return placed


def svg(plan: Plan, title: str = "") -> str:
    """The plan as an SVG picture: a card a group from top to bottom, the stages of each from left to right, and on the
    lines between them what crosses, in bytes a pixel of the source."""
    last = plan.groups[-1].outputs  # what comes round the side is at the side
    leaving = sorted(_taps(plan), key=lambda ref: ref not in last)
    cards = [_ends([Ref(SOURCE)]), *(_card(plan, g) for g in plan.groups), _ends(leaving)]
    _ports(plan, cards)
    routes = _routes(plan, cards)
    lanes = sum(1 for start, end, _ in routes if end > start + 1)
    inner = max(card.width for card in cards)
    needed = max((max(c.bottoms.values(), default=0.0) + 100 for c in cards), default=0.0)
    width = max(inner, needed, _text_width(title, 17) + 20) + 2 * PAD + lanes * LANE
    y = 84.0
    for card in cards:
        card.x, card.y = float(PAD), y
        y += card.height + GUTTER
    height = y - GUTTER + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="{FONT}">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        _text(PAD, 34, title or "plan", 17, INK, "600"),
        _text(PAD, 56, f"{plan.device}, batches of {plan.batch}: {duration(plan.estimate.seconds)} a frame, "
              f"{plan.estimate.traffic / plan.pixels:.3g} B/px, floor {duration(plan.floor)}",
              12.5, FAINT),
    ]  # fmt: skip
    for k, card in enumerate(cards):
        parts += _drawn(plan, card, k)
    parts += _lines(plan, cards, routes, float(PAD) + max(inner, needed))
    return "\n".join([*parts, "</svg>", ""])


def _drawn(plan: Plan, card: _Card, number: int) -> list[str]:
    group = card.group
    if group is None:
        return [part for name, box in card.boxes.items() for part in _pill(card, name, box, "#eef2f7", "#cbd5e1")]
    fill, edge = FILLS[group.executor]
    estimate, color = group.estimate, COLORS[group.estimate.limit]
    share = estimate.seconds / plan.estimate.seconds
    call = "host function" if group.executor == "host" else f"kernel {number}"
    detail = "" if group.executor == "host" else f"tile {group.tile} \u00b7 halo {group.halo}"
    x, y = card.x, card.y
    result = f"{duration(estimate.seconds)} \u00b7 {estimate.limit}"
    parts = [
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{card.width:.1f}" height="{card.height:.1f}" rx="10" fill="{fill}" '
        f'stroke="{edge}" stroke-width="1.2"/>',
        _text(x + PAD, y + 23, call, 13, INK, "600"),
        _text(x + PAD + _text_width(call) + 16, y + 23, detail, 11.5, FAINT),
        _text(x + card.width - PAD, y + 23, result, 12, color, "600", "end"),
        f'<rect x="{x + PAD:.1f}" y="{y + 31:.1f}" width="{card.width - 2 * PAD:.1f}" height="3" rx="1.5" '
        f'fill="{edge}"/>',
        f'<rect x="{x + PAD:.1f}" y="{y + 31:.1f}" width="{max(3.0, share * (card.width - 2 * PAD)):.1f}" height="3" '
        f'rx="1.5" fill="{color}"/>',
    ]
    parts += [_link(card, e.ref.node, e.consumer) for e in plan.edges
              if e.consumer in group.nodes and e.ref.node in group.nodes]  # fmt: skip
    for name, box in card.boxes.items():
        parts += _pill(card, name, box, "#ffffff", "#b8c7dd", name in group.duplicated)
    return parts


def _pill(
    card: _Card, name: str, box: tuple[float, float, float], fill: str, edge: str, copy: bool = False
) -> list[str]:
    x, y, width = card.x + box[0], card.y + box[1], box[2]
    dashes = ' stroke-dasharray="4 3"' if copy else ""
    return [f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{NODE_HEIGHT}" rx="8" fill="{fill}" '
            f'stroke="{edge}" stroke-width="1.2"{dashes}/>',
            _text(x + width / 2, y + NODE_HEIGHT / 2 + 4.5, name, 13, INK, "400", "middle")]  # fmt: skip


def _link(card: _Card, a: str, b: str) -> str:
    """From node to node inside a card: over the nodes between them where there are any."""
    xa, ya, wa = card.boxes[a]
    xb, yb, _ = card.boxes[b]
    x0, y0, x1, y1 = card.x + xa + wa, card.y + ya + NODE_HEIGHT / 2, card.x + xb, card.y + yb + NODE_HEIGHT / 2
    between = [1 for n, (x, y, w) in card.boxes.items() if n not in (a, b) and xa + wa <= x and x + w <= xb
               and abs(y - ya) < NODE_HEIGHT]  # fmt: skip
    if between:
        over = min(y for _, y, _ in card.boxes.values()) + card.y - 4
        path = f"M{x0 - 8:.1f},{y0 - NODE_HEIGHT / 2:.1f} C{x0 + 20:.1f},{over - 9:.1f} {x1 - 20:.1f},{over - 9:.1f} " \
               f"{x1 + 10:.1f},{y1 - NODE_HEIGHT / 2:.1f}"  # fmt: skip
    else:
        middle = (x0 + x1) / 2
        path = f"M{x0:.1f},{y0:.1f} C{middle:.1f},{y0:.1f} {middle:.1f},{y1:.1f} {x1:.1f},{y1:.1f}"
    tip = (x1 + 10, y1 - NODE_HEIGHT / 2) if between else (x1, y1)
    return f'<path d="{path}" fill="none" stroke="{LINE}" stroke-width="1.6"/>' + _tip(*tip, down=bool(between))


def _routes(plan: Plan, cards: Sequence[_Card]) -> list[tuple[int, int, Ref]]:
    """(card that makes a value, card that takes it, the value)."""
    made = {Ref(SOURCE): 0}
    for k, card in enumerate(cards):
        made |= {ref: k for ref in (card.group.outputs if card.group else ()) if ref not in made}
    found = [(made[ref], k, ref) for k, card in enumerate(cards) if card.group for ref in card.group.inputs]
    return found + [(made[ref], len(cards) - 1, ref) for ref in _taps(plan)]


def _lines(plan: Plan, cards: Sequence[_Card], routes: Iterable[tuple[int, int, Ref]], right: float) -> list[str]:
    parts, labels, lane, said = [], [], 0, set()
    tracks: dict[int, int] = {}

    def track(gutter: int) -> float:
        """A height of its own in the space above card `gutter`."""
        tracks[gutter] = tracks.get(gutter, -1) + 1
        return cards[gutter].y - 22 - 7 * (tracks[gutter] % 4)

    for start, end, ref in routes:
        a, b = cards[start], cards[end]
        x0, y0 = a.x + a.bottoms[ref], a.y + a.height
        x1, y1 = b.x + b.tops[ref], b.y - 1
        if end == start + 1 and abs(x0 - x1) < 12:
            points, x1 = [(x0, y0), (x0, y1)], x0
        elif end == start + 1:
            points = [(x0, y0), (x0, y := track(end)), (x1, y), (x1, y1)]
        else:
            # Past other cards: out of the gutter below, down a lane of its own at the side, into the gutter above the
            # card that takes it.
            x = right + LANE * (lane := lane + 1) - LANE / 2
            points = [(x0, y0), (x0, y := track(start + 1)), (x, y), (x, y := track(end)), (x1, y), (x1, y1)]
        parts.append(f'<path d="{_rounded(points)}" fill="none" stroke="{LINE}" stroke-width="1.8"/>')
        parts.append(_tip(x1, y1 + 1, down=True))
        parts.append(f'<circle cx="{x0:.1f}" cy="{y0:.1f}" r="3" fill="{LINE}"/>')
        if (start, ref) not in said:
            said.add((start, ref))
            name = f"{ref} \u00b7 " if start else ""
            labels.append(_label(x0 + 8, y0 + 16, name + _weight(plan, ref)))
    return parts + labels


def _tip(x: float, y: float, down: bool) -> str:
    """An arrow's head, drawn rather than a marker, which not every viewer shows."""
    shape = "l-4.2,-8 h8.4 z" if down else "l-8,-4.2 v8.4 z"
    return f'<path d="M{x:.1f},{y:.1f} {shape}" fill="{LINE}"/>'


def _label(x: float, y: float, text: str) -> str:
    return (f'<rect x="{x - 2:.1f}" y="{y - 11:.1f}" width="{_text_width(text, 11) + 4:.1f}" height="15" '
            f'fill="#ffffff" fill-opacity="0.9"/>{_text(x, y, text, 11, FAINT)}')  # fmt: skip


def _rounded(points: Sequence[tuple[float, float]], radius: float = 7.0) -> str:
    """A path along horizontal and vertical pieces with rounded corners."""
    path = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        first, second = _length(before, corner), _length(corner, after)
        r = min(radius, first / 2, second / 2)
        if r < 0.5:
            path += f" L{corner[0]:.1f},{corner[1]:.1f}"
            continue
        inx, iny = (corner[k] + (before[k] - corner[k]) * r / first for k in (0, 1))
        outx, outy = (corner[k] + (after[k] - corner[k]) * r / second for k in (0, 1))
        path += f" L{inx:.1f},{iny:.1f} Q{corner[0]:.1f},{corner[1]:.1f} {outx:.1f},{outy:.1f}"
    return f"{path} L{points[-1][0]:.1f},{points[-1][1]:.1f}"


def _length(a: tuple[float, float], b: tuple[float, float]) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _text(
    x: float, y: float, text: str, size: float, color: str, weight: str = "400", anchor: str = "start"
) -> str:
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" font-weight="{weight}" fill="{color}" '
            f'text-anchor="{anchor}">{escape(text)}</text>')  # fmt: skip


def slots(buffers: Iterable[Buffer]) -> dict[int, int]:
    """Bytes of each slot: of the largest buffer that uses it."""
    sizes: dict[int, int] = {}
    for buffer in buffers:
        sizes[buffer.slot] = max(sizes.get(buffer.slot, 0), buffer.nbytes)
    return sizes
