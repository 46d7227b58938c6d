"""Crops that follow things: a detector on the whole frame, points in the crop, whose places the next crop follows.

A thing is a grey disc with a red, a green and a blue spot, which turns; each colour is a heat map of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.ir.image import F64, U8, ImageType
from kernels.ir.table import BOX, KEYPOINT, Table, TableType
from kernels.plugins import find_stage
from pipelines.definition import loads
from pipelines.frame import FrameBatch
from pipelines.fusing import largest_groups, turns
from pipelines.graph import Bound, bind
from pipelines.streaming.engine.engine import BEFORE, Engine

HEIGHT, WIDTH, RADIUS = 60, 80, 9.0
ONE = """
[stages.gray]
[stages.mask]
use = "threshold"
level = 20
[stages.found]
use = "components"
inputs = { mask = "mask", weights = "gray" }
min_area = 30
[stages.where]
use = "follow"
inputs = { boxes = "found", before = "marks.points" }
width = 24
margin = 0.2
own_margin = 0.5
own_level = [0, 1]
[stages.crop]
use = "warp"
inputs = { image = "source", placement = "where" }
width = 24
[stages.maps]
use = "convert"
dtype = "f32"
[stages.marks]
use = "heatmap_peaks"
inputs = { maps = "maps", placement = "where" }
threshold = 150
[trackers.track]
use = "keypoints"
inputs = "marks.points"
"""
SECOND = """
[stages.crop2]
use = "warp"
inputs = { image = "source", placement = "where.second" }
width = 24
[stages.maps2]
use = "convert"
dtype = "f32"
[stages.marks2]
use = "heatmap_peaks"
inputs = { maps = "maps2", placement = "where.second" }
threshold = 150
"""
TWO = ONE.replace('before = "marks.points"', 'before = "marks.points", second = "marks2.points"').replace(
    "[trackers", SECOND + "[trackers")  # fmt: skip
Path = Sequence[tuple[float, float, float] | None]
"""x, y of a thing and how far it is turned, frame by frame; None where it is not there."""


def film(*paths: Path) -> np.ndarray:
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(float)
    frames = np.zeros((len(paths[0]), HEIGHT, WIDTH, 3))
    for path in paths:
        for frame, place in zip(frames, path, strict=True):
            if place is None:
                continue
            u, v, turn = place
            frame[np.hypot(x - u, y - v) < RADIUS] += 60
            for channel, (a, b) in enumerate(spots(u, v, turn)):
                frame[..., channel] += 190 * np.exp(-((x - a) ** 2 + (y - b) ** 2) / 3.0)
    return np.clip(frames, 0, 255).astype(np.uint8)


def spots(x: float, y: float, turn: float) -> list[tuple[float, float]]:
    return [(x + 5 * np.cos(turn + k * 2.1), y + 5 * np.sin(turn + k * 2.1)) for k in range(3)]


def straight(x: float, y: float, vx: float, vy: float, count: int = 16) -> list[tuple[float, float, float]]:
    return [(x + vx * n, y + vy * n, 0.1 * n) for n in range(count)]


def bound_of(text: str, taps: Sequence[str] = ()) -> Bound:
    return bind(loads(f"taps = {list(taps)}\n{text}"), ImageType(U8, HEIGHT, WIDTH, 3))


def engine_of(bound: Bound, name: str = "cpu", whole: bool = True) -> Engine:
    return Engine(bound, executor(name, 2), groups=largest_groups(bound, bound.taps) if whole else None)


def run(engine: Engine, frames: np.ndarray, lengths: Sequence[int] = (), begin: int = 0) -> dict[str, list]:
    """Values by name, frame by frame."""
    made: dict[str, list] = {}
    edges = [begin, *(begin + np.cumsum(lengths)), len(frames)] if len(lengths) else [begin, len(frames)]
    for first, end in itertools.pairwise(edges):
        if end > first:
            at = np.arange(first, end)
            for ref, data in engine.step(FrameBatch(at, at / 1000, frames[first:end])).items():
                made.setdefault(str(ref), []).extend(data)
    return made


def places(tables: Sequence) -> list[list[tuple[float, float]]]:
    return [[(row["x"], row["y"]) for row in table.rows] for table in tables]


def follows(tables: Sequence, path: Path, near: float = 0.6) -> bool:
    """Whether the points are those of the thing wherever it is there, and none where it is not."""
    for found, place in zip(places(tables), path, strict=True):
        wanted = [] if place is None else spots(*place)
        if np.shape(found) != np.shape(wanted) or (wanted and np.abs(np.subtract(found, wanted)).max() > near):
            return False
    return True


def looked(engine: Engine, frames: np.ndarray, lengths: Sequence[int] = ()) -> list[int]:
    """The frames on which the detector was computed: their numbers stand in their first pixel."""
    seen: list[int] = []
    program = engine.programs["found"]
    run_it = program.run

    def watched(inputs, params, out=None):
        seen.extend(int(given[0, 0]) for given in inputs[1])
        return run_it(inputs, params, out)

    program.run = watched
    frames = frames.copy()
    frames[:, 0, 0] = np.arange(len(frames))[:, np.newaxis]
    run(engine, frames, lengths)
    return seen


WALK = straight(20, 20, 2.3, 1.1)
AWAY = [place if n < 6 or n > 9 else None for n, place in enumerate(WALK)]


def test_points_are_followed_and_the_detector_rests():
    frames = film(WALK)
    engine = engine_of(bound_of(ONE))
    assert follows(run(engine, frames)["marks.points"], WALK)
    assert looked(engine_of(bound_of(ONE)), frames, [5, 1, 7]) == [0]
    assert turns(engine.units) == [
        "where, crop, maps, marks: frame by frame, as where takes what they make of the frame before",
        "gray, mask, found: only in frames in which where looks at what they make; the plan reckons with all",
        "crop, maps: only in frames in which marks looks at what they make; the plan reckons with all",
    ]
    every = bound_of(ONE.replace("own_margin", "every = 5\nown_margin"))
    assert looked(engine_of(every), frames, [5, 1, 7]) == [0, 5, 10, 15]


def test_networks_rest_between_crops():
    """Every third frame has points, where the thing is by then; the detector is looked at only in such frames."""
    slow = straight(20, 20, 1.0, 0.5)
    frames = film([place if n < 7 or n > 10 else None for n, place in enumerate(slow)])
    bound = bound_of(ONE.replace("own_margin", "step = 3\nown_margin"), ["where.out"])
    engine = engine_of(bound)
    made = run(engine, frames, [4, 5])
    there = [len(table.rows) > 0 for table in made["marks.points"]]
    assert [n for n, one in enumerate(there) if one] == [0, 3, 6, 12, 15]
    assert [n for n, one in enumerate(made["where.out"]) if not np.isnan(one[..., 0])] == [0, 3, 6, 9, 12, 15]
    assert looked(engine_of(bound), frames, [4, 5]) == [0, 12]
    assert all(np.hypot(*(np.subtract(places([made["marks.points"][n]])[0], spots(*slow[n])).T)).max() < 0.6
               for n in (0, 3, 6, 12, 15))  # fmt: skip


def test_what_is_lost_is_looked_for_and_found_again():
    frames = film(AWAY)
    assert follows(run(engine_of(bound_of(ONE)), frames)["marks.points"], AWAY)
    assert looked(engine_of(bound_of(ONE)), frames) == [0, 7, 8, 9, 10]
    seldom = bound_of(ONE.replace("own_margin", "search = 3\nown_margin"))
    assert looked(engine_of(seldom), frames) == [0, 7, 10]


def test_a_crop_may_leave_the_image():
    """The thing goes out through the right edge and comes back; points are found as long as they are seen."""
    path = [(60 + 15 * np.sin(0.16 * n), 30.0, 0.05 * n) for n in range(20)]
    frames = film(path)
    made = run(engine_of(bound_of(ONE)), frames)["marks.points"]
    for found, place in zip(made, path, strict=True):
        seen = {k: s for k, s in enumerate(spots(*place)) if s[0] < WIDTH - 3}
        rows = {int(row["point"]): (row["x"], row["y"]) for row in found.rows}
        assert all(np.hypot(rows[k][0] - s[0], rows[k][1] - s[1]) < 0.6 for k, s in seen.items())


def test_two_things_keep_their_crops():
    """The second is there from the fourth frame on; then the first goes and comes back elsewhere."""
    first = [None if 8 <= n < 11 else (70 - 2.0 * n, 14.0, 0.1 * n) for n in range(16)]
    second = [None if n < 4 else (12 + 2.0 * n, 44.0, -0.1 * n) for n in range(16)]
    bound = bound_of(TWO, ["marks2.points"])
    made = run(engine_of(bound), film(first, second), [3, 8])
    assert follows(made["marks.points"], first)
    assert follows(made["marks2.points"], second)


def test_two_crops_around_one_thing_become_one():
    """The first keeps it; the second is missing, so the detector is looked at, and takes what nobody has."""
    types = [TableType(BOX, 4), None, TableType(KEYPOINT, 2), TableType(KEYPOINT, 2), None, ImageType(F64, 1, 1, 22)]
    body = find_stage("follow").build(types, {"width": 20})
    seen = Table(np.zeros(2, types[2].numpy))
    seen.rows["x"], seen.rows["y"] = [30, 40], [30, 40]
    boxes = Table(np.array([(36, 35, 9, 9, 0.9), (60, 20, 9, 9, 0.8)], types[0].numpy))
    given = [boxes, None, seen, seen, None, np.array([3, 0, *np.ones(20)]).reshape(1, 1, 22)]
    assert body.host.lazy.wanted([[one] for one in given[2:]], body.params)
    made = body.host.run(given, body.params)
    middles = [made[name][0, 0, :6] @ np.kron(np.eye(2), [[9.5], [9.5], [1]]) for name in ("out", "second")]
    assert np.allclose(middles, [[35, 35], [60, 20]])
    assert made["memory"].ravel()[:2].tolist() == [1, 0]
    made = body.host.run([Table(boxes.rows[:1]), *given[1:]], body.params)
    assert np.isnan(made["second"][0, 0, :6]).all()


def test_things_that_were_lost_together_come_back_to_their_own_crops():
    """By where each was last, not by which box is the surest."""
    types = [TableType(BOX, 4), None, TableType(KEYPOINT, 2), TableType(KEYPOINT, 2), None, ImageType(F64, 1, 1, 22)]
    body = find_stage("follow").build(types, {"width": 20})
    nobody, none = Table(np.zeros(0, types[2].numpy)), Table(np.zeros(0, types[0].numpy))

    def middles(boxes, memory):
        made = body.host.run([boxes, None, nobody, nobody, None, memory], body.params)
        return [made[name][0, 0, :6] @ np.kron(np.eye(2), [[9.5], [9.5], [1]]) for name in ("out", "second")], made

    first = Table(np.array([(20, 30, 9, 9, 0.9), (60, 30, 9, 9, 0.8)], types[0].numpy))
    found, made = middles(first, np.full((1, 1, 22), np.nan))
    assert np.allclose(found, [[20, 30], [60, 30]])
    found, made = middles(none, made["memory"])  # both are gone
    assert np.isnan(found).all()
    alone = Table(np.array([(57, 33, 9, 9, 0.9)], types[0].numpy))
    assert np.allclose(middles(alone, made["memory"])[0], [[np.nan] * 2, [57, 33]], equal_nan=True)
    both = Table(np.array([(55, 33, 9, 9, 0.9), (27, 28, 9, 9, 0.8), (90, 90, 9, 9, 0.7)], types[0].numpy))
    assert np.allclose(middles(both, made["memory"])[0], [[27, 28], [55, 33]])


@settings(max_examples=6, deadline=None)
@given(st.lists(st.integers(1, 6), max_size=5), st.booleans(), st.sampled_from(["cpu", "reference"]),
       st.sampled_from([(), ("found", "where.memory"), ("maps", "crop")]), st.integers(1, 15))  # fmt: skip
def test_bits_depend_on_nothing(lengths, whole, name, taps, seam):
    """Batches, groups, back ends, what is tapped (the detector, too, which then runs on every frame), and going on from
    a snapshot."""
    frames = film(AWAY)
    wanted = [table.rows.tobytes() for table in run(engine_of(bound_of(ONE)), frames)["marks.points"]]
    bound = bound_of(ONE, taps)
    engine = engine_of(bound, name, whole)
    kept = [n for n in lengths if n]
    while sum(kept) > len(frames):
        kept.pop()
    assert [table.rows.tobytes() for table in run(engine, frames, kept)["marks.points"]] == wanted
    engine.reset()
    before = run(engine, frames[:seam])
    state = engine.snapshot()
    assert all(isinstance(v, np.ndarray) and v.dtype.names is None for v in state[BEFORE]["memory"].values())
    other = engine_of(bound, name, whole)
    other.restore(state)
    after = run(other, frames, begin=seam)
    assert [t.rows.tobytes() for t in before["marks.points"] + after["marks.points"]] == wanted


def test_a_detector_that_remembers_sees_every_frame():
    text = ONE.replace("[stages.mask]", '[stages.slow]\nuse = "iir_lowpass"\nalpha = 0.5\n[stages.mask]')
    engine = engine_of(bound_of(text))
    assert [unit.asker for unit in engine.units if unit.nodes[0].id == "gray"] == [""]
    assert [unit.asker for unit in engine.units if unit.nodes[-1].id == "found"] == ["where"]
    frames = film(AWAY)
    alone = run(engine_of(bound_of(text), "reference", False), frames, [4, 4])
    made = run(engine, frames)
    assert [t.rows.tobytes() for t in made["marks.points"]] == [t.rows.tobytes() for t in alone["marks.points"]]


@pytest.mark.parametrize(("old", "new", "words"), [
    ('before = "marks.points"', 'before = "marks"', "its before are a table of key points"),
    ('before = "marks.points"', 'before = "marks.point"', "has no output 'point'"),
    ('boxes = "found"', 'boxes = "marks.points"', "circle"),
    ('before = "marks.points"', 'before = "marks.points", memory = "crop"', "its memory is its own"),
])  # fmt: skip
def test_what_does_not_go_is_said(old, new, words):
    with pytest.raises(DefinitionError, match=words):
        bound_of(ONE.replace(old, new))
