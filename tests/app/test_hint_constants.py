"""Every constant of hints by what it means: each test fails when its constant is twice or half as large."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import app.hinting
from app.hinting import look, networks, others, pace, points, regions, thresholds, trying, widths
from app.hinting.look import Look
from app.hinting.others import Followed
from kernels.errors import FusetrackError
from kernels.ir.image import U8, ImageType
from pipelines.features import FEATURE_DTYPE, TRACK_DTYPE, State
from pipelines.graph import BoundTracker, Ref, bind
from tests.shipped import fixed

Array = npt.NDArray[Any]
Patch = pytest.MonkeyPatch
MODULES = {one.name: importlib.import_module(f"{app.hinting.__name__}.{one.name}")
           for one in pkgutil.iter_modules(app.hinting.__path__)}  # fmt: skip
CONSTANTS = [
    (room, name) for room, module in MODULES.items() for name, value in vars(module).items()
    if name.isupper() and type(value) in (int, float) and f"\n{name} = " in inspect.getsource(module)
]  # fmt: skip


def test_every_constant_has_a_test() -> None:
    assert len(CONSTANTS) > 20
    assert [one for one in CONSTANTS if f"test_{'_'.join(one).lower()}" not in globals()] == []


@pytest.mark.parametrize("factor", [2.0, 0.5])
@pytest.mark.parametrize(("room", "name"), CONSTANTS)
def test_a_factor_of_two_is_noticed(monkeypatch: Patch, room: str, name: str, factor: float) -> None:
    value = getattr(MODULES[room], name)
    monkeypatch.setattr(MODULES[room], name, type(value)(factor * value))
    with pytest.raises(AssertionError):
        globals()[f"test_{room}_{name.lower()}"](monkeypatch)


class Stop(FusetrackError):
    """Nothing more of a run is asked for."""


def clip(width: int = 64, height: int = 48) -> Any:
    return SimpleNamespace(info=SimpleNamespace(width=width, height=height))


def stopping(into: list[Any]) -> Callable[..., None]:
    """A function that keeps what it is given and ends there."""

    def stop(*given: Any, **named: Any) -> None:
        into.append((given, named))
        raise Stop("enough")

    return stop


# Frames that are looked at.


def looked_at(monkeypatch: Patch, width: int, height: int) -> tuple[int, object]:
    """How many of a thousand frames, and who makes what is in them."""
    asked: list[Any] = []
    counts: list[int] = []
    real = look.frames_of
    monkeypatch.setattr(look, "frames_of", lambda *given: counts.append(real(*given)) or counts[-1])
    monkeypatch.setattr(look, "Engine", stopping(asked))
    monkeypatch.setattr(look, "executor", lambda _name: "reference")
    monkeypatch.setattr(look, "_fast", lambda: "compiled")
    with pytest.raises(Stop):
        look.look_at(clip(width, height), bind(fixed("blobs"), ImageType(U8, 48, 64)), 0, 1000, [Ref("band")])
    return counts[-1], asked[0][0][1]


def test_look_frames(monkeypatch: Patch) -> None:
    """Eight frames tell what a run is about."""
    assert looked_at(monkeypatch, 64, 48)[0] == 8


def test_look_pixels(monkeypatch: Patch) -> None:
    """Eight megapixels in all: four frames of two."""
    assert looked_at(monkeypatch, 2000, 1000)[0] == 4


def test_look_large(monkeypatch: Patch) -> None:
    """The reference is given pictures of 1.5 megapixels, and not of 2.5."""
    assert [looked_at(monkeypatch, width, 1000)[1] for width in (1500, 2500)] == ["reference", "compiled"]


def test_look_part(monkeypatch: Patch) -> None:
    """All of 3 megapixels is looked at, and 4 of 6."""
    asked: list[Any] = []
    monkeypatch.setattr(look, "prepare", stopping(asked))
    for size in ((2000, 1500), (3000, 2000)):
        with pytest.raises(Stop):
            look.part_of(fixed("blobs"), clip(*size), None)
    (_, _, whole), (_, _, part) = (given for given, _ in asked)
    assert whole is None
    assert part is not None
    assert part[2] * part[3] == pytest.approx(4e6, rel=0.01)


# Points that are lost.


def tracker(**changes: Any) -> BoundTracker:
    (made,) = bind(fixed("template").with_settings({f"track.{k}": v for k, v in changes.items()}),
                   ImageType(U8, 48, 64)).trackers  # fmt: skip
    return made


def asked_about(monkeypatch: Patch, seen: float = 0.5, many: int = 10, held: Mapping[str, int] | None = None) -> tuple[
    list[str], list[int]
]:  # fmt: skip
    """The hints of a run of 100 frames whose points are seen in a share of them and lost in the middle, and how many
    points each trial had.

    Args:
        held: how many points each change holds, by its words.
    """
    trials: list[int] = []

    def follow(_tracker: object, _look: object, places: Array, changes: Mapping[str, object]) -> int:
        trials.append(len(places))
        return (held or {}).get(" ".join(f"{k}={v}" for k, v in changes.items()), 0)

    monkeypatch.setattr(points, "held_by", follow)
    monkeypatch.setattr(points, "seen_in_frames", lambda _: (np.arange(100), np.where(np.arange(100) < 50, many, 0)))
    rows = np.zeros(many, TRACK_DTYPE)
    rows["state"] = State.TRACKED
    monkeypatch.setattr(points, "rows_of_frame", lambda *_: rows)
    monkeypatch.setattr(points, "look_at", lambda *_: Look(list(range(12)), [], {}))
    facts = [{"seen_frames": 100 * seen}] * many
    bound: Any = SimpleNamespace(trackers=[tracker()])
    return points.lost_at_once(clip(), bound, (0, 100), facts, Path("none")), trials


def test_points_together(monkeypatch: Patch) -> None:
    """Half of the points within three frames are lost at once; a tenth a frame are not."""
    for seen, at in (([20, 20, 16, 12, 8, 8, 8, 8, 8, 8], 1), ([100, 88, 77, 68, 60, 53, 46, 41] + [41] * 9, -1)):
        assert points._fall(np.arange(len(seen)), np.array(seen), len(seen))[0] == at


def ebbing(last: int, many: int) -> tuple[Array, Array]:
    """Ten tracks of 100 frames, of which so many end at a frame."""
    spans = [(k, np.arange(last if k < many else 100)) for k in range(10)]
    frames, tracks = np.concatenate([span for _, span in spans]), np.repeat(range(10), [len(span) for _, span in spans])
    order = np.argsort(frames, kind="stable")
    return frames[order], tracks[order]


def test_points_more(monkeypatch: Patch) -> None:
    """Four of ten points that end within 24 frames are asked about, two are not."""
    assert points._ebb(*ebbing(60, 4), 100)[1:] == (10, 6)
    assert points._ebb(*ebbing(60, 2), 100)[0] == -1
    assert points._ebb(np.zeros(0, np.int64), np.zeros(0, np.int64), 10) == (-1, 0, 0)


def test_points_awhile(monkeypatch: Patch) -> None:
    """Points that end after ten frames are asked about in a run of 30, not in one of 20; and those that were there 40
    frames before they end are there at the start of what is tried."""
    frames, tracks = ebbing(10, 5)
    for end, asked in ((20, False), (30, True)):
        assert (points._ebb(frames[frames < end], tracks[frames < end], end)[0] >= 0) == asked
    assert points._ebb(*ebbing(80, 5), 100)[0] > 50


def test_points_starts(monkeypatch: Patch) -> None:
    """Of a long run 64 frames are looked at, more or less, of a short one each twelfth."""
    for length, least, most in ((100_000, 50, 80), (100, 5, 8)):
        asked: list[int] = []

        def search(_frames: Array, at: tuple[int, int], asked: list[int] = asked) -> tuple[int, int]:
            asked.append(at[0])
            return 0, 0

        with monkeypatch.context() as patch:
            patch.setattr(np, "searchsorted", search)
            points._ebb(np.arange(3), np.arange(3), length)
        assert least <= len(asked) / 2 <= most


def test_points_kept(monkeypatch: Patch) -> None:
    """Who has 70 % of the rows is asked about, who has 90 % is not."""
    assert asked_about(monkeypatch, 0.7)[1]
    assert not asked_about(monkeypatch, 0.9)[1]


def test_points_tried(monkeypatch: Patch) -> None:
    """A trial is a dozen frames, as many as its hint speaks of."""
    told: list[Any] = []
    monkeypatch.setattr(points, "frames_of", lambda *given: told.append(given[2]) or 0)
    asked_about(monkeypatch)
    assert told == [12]


def test_points_most(monkeypatch: Patch) -> None:
    """Of a thousand points two dozen are tried."""
    assert set(asked_about(monkeypatch, many=1000)[1]) == {24}


def test_points_nearly(monkeypatch: Patch) -> None:
    """A setting that holds 95 % is taken at once, and after one that holds 70 % others are tried."""
    wider = f"search={2 * int(str(tracker().params['search']))}"
    for first, taken in ((19, wider), (14, "model=rigid")):
        hints, _ = asked_about(monkeypatch, many=20, held={wider: first, "model=rigid": 20})
        assert taken in hints[0]


def test_points_back(monkeypatch: Patch) -> None:
    """A point that comes back 1.5 px beside where it began was held, one that does 3 px beside was not."""
    there = np.array([(20.0, 20.0), (30.0, 20.0)])
    back = there + [(1.5, 0.0), (3.0, 0.0)]
    monkeypatch.setattr(points, "_followed", lambda *given: there if given[4].step > 0 else back)
    assert points.held_by(tracker(), Look([0, 1], [], {}), there, {}) == 1


def poor(monkeypatch: Patch, share: float) -> str:
    """What is said of a reference frame that has so much of the texture of those behind it."""
    ref = Ref("source")
    monkeypatch.setattr(points, "look_at", lambda *_: Look([0, 1, 2], [], {ref: [share, 1.0, 1.0]}))
    monkeypatch.setattr(points, "texture", lambda picture, *_: picture)
    monkeypatch.setattr(points, "_pictures", lambda _: {"image": ref})
    bound: Any = SimpleNamespace(trackers=[tracker(points=((20.0, 20.0),))])
    return " ".join(points.poor_references(clip(), bound, (0, 9)))


def test_points_black(monkeypatch: Patch) -> None:
    """A 70th of the texture is none, and a 30th is some."""
    assert "black" in poor(monkeypatch, 0.014)
    assert "black" not in poor(monkeypatch, 0.033)


def test_points_blurred(monkeypatch: Patch) -> None:
    """A quarter of the texture is too little, and half is not."""
    assert "blurred" in poor(monkeypatch, 0.25)
    assert not poor(monkeypatch, 0.5)


def test_points_least_window(monkeypatch: Patch) -> None:
    """Windows of 9 px are tried, and none of 7."""
    sides = {int(one["window"]) for window in (13, 21) for one in points._candidates(tracker(window=window), 64)
             if "window" in one}  # fmt: skip
    assert 9 in sides
    assert 7 not in sides


# Thresholds.


def test_thresholds_speck(monkeypatch: Patch) -> None:
    """Four pixels are a thing that a threshold has lost, and two are none."""
    bound = bind(fixed("blobs").with_settings({"bright.level": 50.0, "spots.min_area": 1}), ImageType(U8, 48, 64))
    (node,) = look.nodes_of(bound, "threshold")
    for many, told in ((4, True), (2, False)):
        image = np.random.default_rng(0).normal(0, 0.1, (48, 64))
        for k in range(6):
            image[8 * k + 2, 10 : 10 + many] = 10.0
        values = Look([0], [], {ref: [image] for ref in look.looked_at(bound)})
        monkeypatch.setattr(thresholds, "look_at", lambda *_, values=values: values)
        assert bool(thresholds.too_faint(clip(), bound, 0)) == told, node


# Trials.


def tried(monkeypatch: Patch, width: int, height: int) -> int:
    """Frames of a trial."""
    asked: list[Any] = []
    monkeypatch.setattr(trying, "prepare", lambda *_: None)
    monkeypatch.setattr(trying, "Runner", stopping(asked))
    trying.worth(clip(width, height), fixed("blobs"), {}, None, 0, 10_000)
    first, end = asked[0][1]["frames"]
    return end - first  # type: ignore[no-any-return]


def test_trying_frames(monkeypatch: Patch) -> None:
    """Sixty."""
    assert tried(monkeypatch, 640, 480) == 60


def test_trying_pixels(monkeypatch: Patch) -> None:
    """A hundred megapixels in all: 25 frames of four."""
    assert tried(monkeypatch, 2000, 2000) == 25


def seen(x: Array) -> Array:
    rows = np.zeros(len(x), TRACK_DTYPE)
    rows["frame"], rows["x"] = np.arange(len(x)), x
    return rows


def test_trying_lasting(monkeypatch: Patch) -> None:
    """What is seen in two fifths of the frames is a thing, what is in a fifth is noise."""
    for many, good in ((24, True), (12, False)):
        assert trying.things(seen(np.arange(many)), 60, 200.0).all() == good  # type: ignore[arg-type]


def test_trying_crosses(monkeypatch: Patch) -> None:
    """What is seen in a sixth of the frames is a thing where it crosses two thirds of the picture, not a third."""
    for way, good in ((70.0, True), (35.0, False)):
        assert trying.things(seen(np.linspace(0.0, way, 10)), 60, 100.0).all() == good  # type: ignore[arg-type]


def test_trying_crossing(monkeypatch: Patch) -> None:
    """Twelve sightings on the way across are a thing, six may be noise."""
    for many, good in ((12, True), (6, False)):
        assert trying.things(seen(np.linspace(0.0, 90.0, many)), 60, 100.0).all() == good  # type: ignore[arg-type]


def test_trying_steady(monkeypatch: Patch) -> None:
    """Who bends by a seventh of the mean distance is a thing, who bends by two is none."""
    for bend, good in ((14.0, True), (28.0, False)):
        x = 0.25 * bend * (-1.0) ** np.arange(60)
        assert trying.things(seen(x), 60, 100.0).all() == good  # type: ignore[arg-type]


def test_trying_fewer(monkeypatch: Patch) -> None:
    """A hint that follows nine tenths of what the best one does is told, one that follows half of it is not."""
    worths = {None: 0.0, 1: 1000.0, 2: 900.0, 3: 500.0}
    monkeypatch.setattr(trying, "worth", lambda _source, _pipeline, settings, *_: worths[settings.get("a.b")])
    hints = [f"--set a.b={k}" for k in (1, 2, 3)]
    assert trying.without_worse(hints, clip(), fixed("blobs"), None, 0, 60) == hints[:2]


def test_regions_alike(monkeypatch: Patch) -> None:
    """Squares of 10 px are left out: those of 5 px are let in, too."""
    bound = bind(fixed("blobs").with_settings({"spots.min_area": 300}), ImageType(U8, 64, 64))
    (node,) = look.nodes_of(bound, "components")
    mask = np.zeros((64, 64), np.uint8)
    mask[5:15, 5:15] = mask[30:40, 30:40] = 1
    assert node.inputs[0] is not None
    (hint,) = regions.wrong_sizes(node, Look([0], [], {node.inputs[0]: [mask]}))
    assert trying.proposed(hint) == {"spots.min_area": 25}


def test_regions_wider(monkeypatch: Patch) -> None:
    """Beside markers of 6 px the run is told of a region of 21 px that is left out, not of a limb of 29 px."""
    bound = bind(fixed("facial-markers").with_settings({"markers.max_area": 300}), ImageType(U8, 64, 64))
    for side, told in ((21, 1), (29, 0)):
        mask = np.zeros((64, 64), np.uint8)
        mask[5:11, 5:11], mask[20 : 20 + side, 20 : 20 + side] = 1, 1
        monkeypatch.setattr(regions, "look_at", lambda _s, _b, _f, _p, refs, most, mask=mask: Look(
            [0], [], {ref: [mask] for ref in refs}))  # fmt: skip
        assert len(regions.too_large(clip(), bound, 0, 1)) == told


# Widths.


def width_of(shape: Callable[[Array], Array], size: tuple[int, int] = (97, 97)) -> float:
    """How wide a thing in the middle of a picture is said to be, by its light at each distance; weights of 1.4 px."""
    y, x = np.mgrid[: size[0], : size[1]]
    middle = size[0] // 2, size[1] // 2
    row = np.zeros(1, FEATURE_DTYPE)
    row["x"], row["y"], row["mass"] = middle[1], middle[0], 1.0
    bound = bind(fixed("blobs"), ImageType(U8, *size))
    (node,) = look.nodes_of(bound, "components")
    light = 100 * shape(np.hypot(x - middle[1], y - middle[0]))
    assert node.inputs[1] is not None
    return widths._width(node, Look([0], [], {node.inputs[1]: [light], Ref(node.id): [row]}))


def bell(sd: float) -> Callable[[Array], Array]:
    return lambda away: np.exp(-(away**2) / (2 * sd * sd))


def test_widths_reach(monkeypatch: Patch) -> None:
    """A dozen widths of the weights, 17 px, hold a bell of 4 px, and fit into a picture of 41 px."""
    assert width_of(bell(4.0), (41, 41)) == pytest.approx(4.0, rel=0.05)


def test_widths_wide(monkeypatch: Patch) -> None:
    """1.8 widths of the weights are not too wide, and 2.4 are."""
    bound = bind(fixed("blobs"), ImageType(U8, 48, 64))
    monkeypatch.setattr(widths, "look_at", lambda *_, **_more: None)
    for times, told in ((1.8, False), (2.4, True)):
        monkeypatch.setattr(widths, "_width", lambda *_, times=times: 1.4 * times)
        assert bool(widths.too_wide(clip(), bound, 0, 9)) == told


def test_widths_rounded(monkeypatch: Patch) -> None:
    """A bell has a width here, and a disc with a flat top has none."""
    assert width_of(bell(4.0)) > 0
    assert width_of(lambda away: 1 / (1 + np.exp(np.clip((away - 6.0) / 0.5, -50, 50)))) == 0


def test_widths_aside(monkeypatch: Patch) -> None:
    """A disc of 10 px that lies 2.6 px beside where it was found stands in the middle, one that lies 5 px does not."""
    y, x = np.mgrid[-17:18, -17:18]
    for off, amid in ((2.6, True), (5.0, False)):
        assert widths._amid((np.hypot(x - off, y) < 10).astype(float)) == amid


def test_widths_spots(monkeypatch: Patch) -> None:
    """Two hundred stamps are enough of which the first hundred count."""
    grid = np.stack(np.meshgrid(np.arange(8, 400, 8), np.arange(8, 400, 8)), -1).reshape(-1, 2)
    rows = np.zeros(len(grid), FEATURE_DTYPE)
    rows["x"], rows["y"] = grid.T
    rows["mass"] = 1.0
    y, x = np.mgrid[:401, :401]
    light = np.cos(np.pi * x / 4) * np.cos(np.pi * y / 4) + 1.0
    assert len(widths._stamps(light, rows, 3)) == 200


# Other pipelines.


def other(
    monkeypatch: Patch, now: Followed, *seen: Followed, frames: int = 30, lives: Sequence[int] = (), far: float = 9.0
) -> str:
    """What is proposed of a run whose tracks have such lives, where so much is followed by it and by the others, in
    their order."""
    left = [now, *seen, *[Followed()] * 20]
    monkeypatch.setattr(others, "_tried", lambda *_: left.pop(0))
    facts = [{"seen_frames": float(life), "range_x_px": far, "range_y_px": 0.0} for life in lives]
    (hint,) = others.another(clip(), fixed("objects"), None, (0, frames), facts) or [""]
    return hint.partition("try -p ")[2].partition(",")[0] or hint


GOOD = Followed(4.0, 1.0, 0.1)
HALF = Followed(2.0, 0.5, 0.1)


def test_others_fewest(monkeypatch: Patch) -> None:
    """Sixteen frames tell what lasts, eight do not."""
    assert [other(monkeypatch, HALF, GOOD, frames=frames) for frames in (8, 16)] == ["", "blobs"]


def test_others_doubted(monkeypatch: Patch) -> None:
    """Of one sighting in six that is of what hardly lasts something else is tried, of one in eleven not."""
    assert other(monkeypatch, HALF, GOOD, lives=[30] * 2 + [3] * 4) == "blobs"
    assert other(monkeypatch, HALF, GOOD, lives=[30] * 2 + [3] * 2) == ""
    assert other(monkeypatch, HALF, GOOD, lives=[30], far=1.0) == "blobs"


def test_others_clean(monkeypatch: Patch) -> None:
    """Four fifths of things are enough, two thirds are not."""
    assert other(monkeypatch, HALF, Followed(4.0, 0.8, 0.1)) == "blobs"
    assert other(monkeypatch, HALF, Followed(4.0, 0.66, 0.1)) == ""


def test_others_better(monkeypatch: Patch) -> None:
    """A run that is hardly worse needs no other one."""
    assert other(monkeypatch, Followed(4.0, 0.75, 0.1), Followed(4.0, 0.95, 0.1)) == "blobs"
    assert other(monkeypatch, Followed(4.0, 0.75, 0.1), Followed(4.0, 0.85, 0.1)) == ""


def stricter(monkeypatch: Patch, now: Followed, seen: Followed) -> bool:
    """Whether the stricter one of two levels is proposed."""
    monkeypatch.setattr(others, "_candidates", lambda *_: iter([(fixed("blobs"), {"bright.level": 0.1}, "it")]))
    return bool(other(monkeypatch, now, seen))


def test_others_halved(monkeypatch: Patch) -> None:
    """Of a fifth that is no thing a stricter level leaves a tenth at most, and it loses no more things than that."""
    assert stricter(monkeypatch, Followed(30.0, 0.8, 0.1), Followed(29.0, 0.92, 0.1))
    assert not stricter(monkeypatch, Followed(30.0, 0.8, 0.1), Followed(29.0, 0.88, 0.1))
    assert not stricter(monkeypatch, Followed(30.0, 0.8, 0.1), Followed(26.0, 0.92, 0.1))


def test_others_mostly(monkeypatch: Patch) -> None:
    """Of a run that is of things to two thirds few of them are a loss, of one that is to a half are none."""
    assert other(monkeypatch, Followed(4.0, 0.66, 0.1), Followed(2.0, 1.0, 0.1)) == ""
    assert other(monkeypatch, Followed(4.0, 0.5, 0.1), Followed(2.0, 1.0, 0.1)) == "blobs"


def test_others_rests(monkeypatch: Patch) -> None:
    """Of what is tried in place of a run two things that rest beside five that go are no ground, five are."""
    for resting, clean in ((2, True), (5, False)):
        rows = np.zeros((30, 5 + resting), TRACK_DTYPE)
        rows["track"], rows["frame"] = np.arange(5 + resting), np.arange(30)[:, None]
        rows["x"] = np.where(np.arange(5 + resting) < 5, 0.5 * np.arange(30)[:, None], 0.0)
        monkeypatch.setattr(others, "trial", lambda *_, rows=rows: (rows.ravel(), 30))
        seen = others._tried(clip(), fixed("blobs"), {}, None, 0, 30, others.RESTS)
        assert seen.things == 5.0
        assert (seen.share == 1.0) == clean
        assert (seen.share > 0.8) == clean
        assert others._tried(clip(), fixed("blobs"), {}, None, 0, 30).share == pytest.approx(5 / (5 + resting))


def test_others_equal(monkeypatch: Patch) -> None:
    """What has one and a half hundredths less of things is worse, what has three quarters less may be steadier."""
    assert other(monkeypatch, HALF, Followed(4.0, 0.985, 0.01), GOOD) == "facial-markers"
    assert other(monkeypatch, HALF, Followed(4.0, 0.9925, 0.01), GOOD) == "blobs"


def test_others_fewer(monkeypatch: Patch) -> None:
    """Of seven things in ten the ways may be chosen for their steadiness, of two in five not."""
    assert other(monkeypatch, HALF, Followed(2.8, 1.0, 0.01), GOOD) == "blobs"
    assert other(monkeypatch, HALF, Followed(1.6, 1.0, 0.01), GOOD) == "facial-markers"
    assert other(monkeypatch, Followed(4.0, 0.8, 0.1), Followed(2.8, 1.0, 0.1)) == "blobs"
    assert other(monkeypatch, Followed(4.0, 0.8, 0.1), Followed(1.6, 1.0, 0.1)) == ""


def test_others_there(monkeypatch: Patch) -> None:
    """What is there in two thirds of the frames is a thing, what is in a third is none."""
    assert other(monkeypatch, HALF, Followed(0.66, 1.0, 0.1)) == "blobs"
    assert other(monkeypatch, HALF, Followed(0.33, 1.0, 0.1)) == ""


def test_others_many(monkeypatch: Patch) -> None:
    """Fifty things are things, a hundred are texture."""
    assert other(monkeypatch, HALF, Followed(50.0, 1.0, 0.1)) == "blobs"
    assert other(monkeypatch, HALF, Followed(100.0, 1.0, 0.1)) == ""
    assert other(monkeypatch, HALF, GOOD, lives=[30] * 100) == "blobs"


def followed(monkeypatch: Patch, x: Array) -> Followed:
    """What is made of one track that goes so."""
    rows = np.zeros(len(x), TRACK_DTYPE)
    rows["x"], rows["frame"] = x, np.arange(len(x))
    monkeypatch.setattr(others, "trial", lambda *_: (rows, len(x)))
    return others._tried(clip(), fixed("blobs"), {}, None, 0, len(x))


def test_others_moves(monkeypatch: Patch) -> None:
    """What goes by 4 px is a thing, what stays within 2 px may be a part of the ground."""
    assert followed(monkeypatch, np.linspace(0, 4, 30)) == Followed(1.0, 1.0, pytest.approx(0.0, abs=1e-5))
    assert followed(monkeypatch, np.linspace(0, 2, 30)) == Followed()


def test_others_rough(monkeypatch: Patch) -> None:
    """A slow thing may jump by a seventh of a px, not by a quarter; what jumps farther is none."""
    slow, to_and_fro = np.linspace(0, 4, 30), np.arange(30) % 2
    assert followed(monkeypatch, slow + 0.15 * to_and_fro).share == 1.0
    assert followed(monkeypatch, slow + 0.25 * to_and_fro).share == 0.0
    assert followed(monkeypatch, slow + 3.0 * to_and_fro).share == 0.0


# Networks.


def test_networks_part(monkeypatch: Patch) -> None:
    """Where a frame's surest point has 0.24, 0.12 is asked for: others are less sure, and noise is below a third."""
    points, maps = Ref("found", "points"), Ref("heat")
    tracker = BoundTracker("follow", SimpleNamespace(name="keypoints"), {"points": points}, {"min_score": 0.3})  # type: ignore[arg-type]
    node = SimpleNamespace(id="found", stage=SimpleNamespace(name="heatmap_peaks"), inputs=(maps,),
                           body=SimpleNamespace(params={"threshold": 0.25}))  # fmt: skip
    bound: Any = SimpleNamespace(nodes=[node])
    rows = np.float32([0.24, 0.02]).view([("score", "f4")])
    (hint,) = networks.unsure(bound, tracker, Look([0], [0.0], {points: [rows]}))
    assert hint.endswith("--set follow.min_score=0.12")
    none, image = np.zeros(0, [("score", "f4")]), np.float32([[0.24, 0.0]])
    (hint,) = networks.unsure(bound, tracker, Look([0], [0.0], {points: [none], maps: [image]}))
    assert hint.endswith("--set found.threshold=0.12 --set follow.min_score=0.12")


# Things that go too far in a frame.


def paced(
    monkeypatch: Patch, step: float, fast: float = 1.0, life: int = 2, frames: int = 100, slow: float = 12.0
) -> tuple[str, int]:
    """What is said of five things 50 px apart, of whose steps a share is so long, the others `slow`; each track is seen
    for `life` of the frames. And how many frames were looked at."""
    asked: list[int] = []

    def rows(_table: object, frame: int) -> Array:
        made = np.zeros(5, TRACK_DTYPE)
        pair = len(asked) // 2
        long = (pair * 0.6180339887) % 1.0 < fast
        made["track"], made["x"], made["y"] = 5 * pair + np.arange(5), (step if long else slow) * (len(asked) % 2), 0
        made["y"] += 50.0 * np.arange(5)
        made["frame"] = frame
        asked.append(frame)
        return made

    monkeypatch.setattr(pace, "rows_of_frame", rows)
    hints = pace.pace_hints(Path("rows"), [{"seen_frames": life}] * 5, (0, frames), 1000.0)
    return " ".join(hints), len(asked)


def test_pace_far(monkeypatch: Patch) -> None:
    """Six tenths of the way to the next thing are too far in a frame, four tenths are not."""
    assert [bool(paced(monkeypatch, step)[0]) for step in (30.0, 20.0)] == [True, False]


def test_pace_fastest(monkeypatch: Patch) -> None:
    """A twelfth of the steps counts, a fortieth is of tracks that jump."""
    assert [bool(paced(monkeypatch, 40.0, fast, frames=10_000)[0]) for fast in (0.08, 0.02)] == [True, False]
    monkeypatch.setattr(pace, "PLACES", 1000)
    assert [bool(paced(monkeypatch, 40.0, fast, frames=10_000)[0]) for fast in (0.08, 0.035)] == [True, False]


def test_pace_least(monkeypatch: Patch) -> None:
    """Things that mostly go 10 px in a frame, and 40 px now and then, are fast; such that mostly go 6 px are not."""
    assert [bool(paced(monkeypatch, 40.0, 0.3, slow=slow)[0]) for slow in (10.0, 6.0)] == [True, False]


def test_pace_brief(monkeypatch: Patch) -> None:
    """Tracks of four tenths of a run break, those of seven tenths do not."""
    assert [bool(paced(monkeypatch, 40.0, life=life)[0]) for life in (40, 70)] == [True, False]


def test_pace_enough(monkeypatch: Patch) -> None:
    """40 px where things are 50 px apart: at four times the frame rate they are a fifth of that."""
    assert "4000 frames/s" in paced(monkeypatch, 40.0)[0]


def test_pace_places(monkeypatch: Patch) -> None:
    """Forty pairs of frames."""
    assert 70 <= paced(monkeypatch, 40.0, frames=10_000)[1] <= 90


def test_pace_most(monkeypatch: Patch) -> None:
    """Of 400 things the distances of 200 are enough."""
    rows = np.zeros(400, TRACK_DTYPE)
    rows["x"] = np.arange(400)
    assert 150 < len(pace._apart(rows)) < 300
