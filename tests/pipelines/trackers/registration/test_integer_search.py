"""Windows that are looked for to whole pixels: near where they were, in all of the picture, and where else."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors import natives
from kernels.loops import language
from pipelines.features import State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.registration.search import integer_search_zncc
from pipelines.trackers.registration.search.integer_search_zncc import elsewhere, in_range, whole_picture
from pipelines.trackers.registration.warp.fit import Layout, References, prepare
from pipelines.trackers.registration.windows.taps import EDGE
from pipelines.trackers.registration.windows.windows import sampled
from tests.oracles.integer_search import best_places

WINDOW, HALF, HEIGHT, WIDTH = 9, 4, 60, 80
SLOT = np.array([0])


@pytest.fixture(autouse=True)
def compiled():
    language.provide(natives.load)
    yield
    language.provide(natives.load)


def looked(*places: tuple[int, int, float]) -> tuple[np.ndarray, References]:
    """A noisy picture with one texture at `places` (x, y, px), and a reference of it; the last number: how much noise
    it has there, in its own standard deviation."""
    rng = np.random.default_rng(4)
    layout = Layout.of(WINDOW, 2)
    size = WINDOW + 2 * EDGE
    texture = rng.normal(0, 20, (size, size))
    picture = 100 + rng.normal(0, 20, (HEIGHT, WIDTH))
    reference = References(layout, 1)
    prepare(reference, sampled(100 + texture, np.array([size // 2]), np.array([size // 2]), size, layout.across), SLOT)
    patch = texture[EDGE:-EDGE, EDGE:-EDGE]
    for x, y, noise in places:
        seen = 100 + patch + rng.normal(0, 20 * noise, patch.shape)
        picture[y - HALF : y + HALF + 1, x - HALF : x + HALF + 1] = seen
    return picture, reference


def at(value: float) -> np.ndarray:
    return np.array([float(value)])


def place(found) -> list[float]:
    return [float(one[0]) for one in found]


@pytest.mark.parametrize(("x", "y"), [(HALF, HALF), (WIDTH - 1 - HALF, HEIGHT - 1 - HALF), (40, 30)])
def test_a_window_is_found_as_far_as_is_searched_and_to_the_very_edge(x: int, y: int) -> None:
    picture, reference = looked((x, y, 0.2))
    for dx, dy in ((6, 6), (-6, 6), (6, -6), (-6, -6), (0, 0)):
        start = x + dx, y + dy
        if HALF <= start[0] <= WIDTH - 1 - HALF and HALF <= start[1] <= HEIGHT - 1 - HALF:
            assert place(in_range(picture, reference, SLOT, at(start[0]), at(start[1]), 6)) == [x, y]
            beyond = place(in_range(picture, reference, SLOT, at(start[0]), at(start[1]), 5))
            assert (beyond == [x, y]) == (dx == dy == 0)
            assert max(abs(beyond[0] - start[0]), abs(beyond[1] - start[1])) <= 5


@pytest.mark.parametrize(("x", "y"), [(HALF, HALF), (WIDTH - 1 - HALF, HEIGHT - 1 - HALF), (40, 30)])
def test_in_the_whole_picture_it_must_stand_alone(x: int, y: int) -> None:
    picture, reference = looked((x, y, 0.2))
    found = place(whole_picture(picture, reference, SLOT))
    assert found[:2] == [x, y]
    assert found[2] == pytest.approx(1 / np.sqrt(1 + 0.2**2), abs=0.03)  # that of what is seen with such noise
    for dx, dy in ((5, 0), (-5, 0), (0, 5), (0, -5)):  # windows that overlap by half are another place
        other = x + 9 * np.sign(dx), y + 9 * np.sign(dy)
        if HALF <= other[0] < WIDTH - HALF and HALF <= other[1] < HEIGHT - HALF:
            picture, reference = looked((x, y, 0.2), (*other, 0.21))
            assert whole_picture(picture, reference, SLOT)[2][0] == 0.0
            picture, reference = looked((x, y, 0.2), (*other, 1.0))
            assert whole_picture(picture, reference, SLOT)[2][0] > 0.9


def test_what_is_beside_the_best_place_is_that_place() -> None:
    """A smooth texture looks like itself some pixels on; half a window on it is something else."""
    _, reference = looked((40, 30, 0.0))
    template = reference.pixels[0, :, :WINDOW]
    # Between two of its own places, so that both look alike: 4 px apart they are one, 5 px apart they are two.
    for apart, alone in ((HALF, True), (HALF + 1, False)):
        for across in (True, False):
            scene = np.random.default_rng(1).normal(0, 1, (HEIGHT, WIDTH))
            shift = (0, apart) if across else (apart, 0)
            wide = np.zeros((WINDOW + apart, WINDOW + apart))
            wide[:WINDOW, :WINDOW] += template
            wide[shift[0] : shift[0] + WINDOW, shift[1] : shift[1] + WINDOW] += 0.97 * template
            scene[26 : 26 + wide.shape[0], 36 : 36 + wide.shape[1]] = 20 * wide + 100
            assert (whole_picture(scene, reference, SLOT)[2][0] > 0) == alone


def test_elsewhere_leaves_out_what_overlaps_the_place() -> None:
    picture, reference = looked((40, 30, 0.1))
    own = elsewhere(picture, reference, SLOT, at(40), at(30))[0]
    assert own < 0.7  # noise alone
    for dx, dy in ((WINDOW - 1, 0), (1 - WINDOW, 0), (0, WINDOW - 1), (0, 1 - WINDOW), (8, -8)):
        assert elsewhere(picture, reference, SLOT, at(40 + dx), at(30 + dy))[0] < 0.7
    for dx, dy in ((WINDOW, 0), (-WINDOW, 0), (0, WINDOW), (0, -WINDOW)):
        assert elsewhere(picture, reference, SLOT, at(40 + dx), at(30 + dy))[0] > 0.95
    # Far outside there is nothing to leave out; at the edge no row or column of the other side.
    for x, y in ((-30, 30), (40, -30), (200, 30), (40, 200)):
        assert elsewhere(picture, reference, SLOT, at(x), at(y))[0] > 0.95
    for x, y, seen in ((HALF, HALF, (0, 0)), (WIDTH - 1 - HALF, HEIGHT - 1 - HALF, (WIDTH - 1, HEIGHT - 1))):
        picture, reference = looked((x, y, 0.1), (WIDTH - 1 - x, HEIGHT - 1 - y, 0.1))
        assert elsewhere(picture, reference, SLOT, at(seen[0]), at(seen[1]))[0] > 0.95
        assert elsewhere(picture, reference, SLOT, at(x), at(y))[0] > 0.95


def test_what_is_constant_is_nothing_and_a_small_picture_has_no_place() -> None:
    _, reference = looked((40, 30, 0.1))
    flat = np.full((HEIGHT, WIDTH), 7.0)
    assert whole_picture(flat, reference, SLOT)[2][0] == 0.0
    assert elsewhere(flat, reference, SLOT, at(40), at(30))[0] == 0.0
    assert elsewhere(flat[: WINDOW - 1], reference, SLOT, at(40), at(4))[0] == -1.0
    assert place(whole_picture(flat[: WINDOW - 1], reference, SLOT)) == [0, 0, 0]


def references(window: int, count: int, rng: np.random.Generator) -> References:
    layout = Layout.of(window, 2)
    size = window + 2 * EDGE
    made = References(layout, count)
    tiles = sampled(rng.normal(100, 20, (60, 60)), *rng.uniform(20, 40, (2, count)), size, layout.across)
    prepare(made, tiles, np.arange(count))
    return made


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64"])
@pytest.mark.parametrize(("window", "search"), [(5, 1), (9, 8), (21, 8), (13, 20)])
def test_near_places_are_those_of_the_formula_and_of_numpy(window, search, dtype):
    rng = np.random.default_rng(window)
    ref = references(window, 3, rng)
    picture = rng.normal(120, 30, (47, 61)).clip(0, 255)
    if dtype != "uint8":
        picture[20:24, 30:33] = 60000.0 if dtype == "uint16" else np.nan
    picture[:16, :16] = 7  # nothing correlates there
    picture, h = picture.astype(dtype), window // 2
    slots = np.array([0, 1, 2, 0, 1])
    x, y = np.array([h, 60 - h, 30.4, 11.5, 25]), np.array([h, 46 - h, 22.6, 30, 46 - h])
    made = in_range(picture, ref, slots, x, y, search)
    for one, two in zip(made, best_places(picture, ref, slots, x, y, search), strict=True):
        assert one.tobytes() == two.tobytes()
    if search == 1:  # as Python, too
        language.provide(None)
        assert [one.tolist() for one in in_range(picture, ref, slots, x, y, search)] == [one.tolist() for one in made]
    for k, slot in enumerate(slots):
        cx, cy, best = int(np.rint(x[k])), int(np.rint(y[k])), -2.0
        wanted = float(cx), float(cy)
        f = ref.pixels[slot, :, :window]
        for v in range(max(cy - search, h), min(cy + search, 46 - h) + 1):
            for u in range(max(cx - search, h), min(cx + search, 60 - h) + 1):
                g = picture[v - h : v + h + 1, u - h : u + h + 1].astype(float)
                g = g - g.mean()
                size = np.sqrt((g * g).sum())
                score = (f * g).sum() / (ref.norm[slot] * size) if size > 1e-6 else 0.0 * size
                if score > best + 1e-9:
                    best, wanted = score, (float(u), float(v))
        assert (made[0][k], made[1][k]) == wanted


def test_where_nothing_is_a_number_a_window_stays():
    ref = references(9, 1, np.random.default_rng(1))
    for loader in (natives.load, None):
        language.provide(loader)
        found = in_range(np.full((40, 40), np.nan), ref, SLOT, at(17.0), at(21.0), 6)
        assert place(found) == [17.0, 21.0]


def test_far_places_are_sought_by_fourier_transforms(monkeypatch):
    picture, reference = looked((40, 30, 0.2))
    monkeypatch.setattr(integer_search_zncc, "FEW", 9)
    assert place(in_range(picture, reference, SLOT, at(37), at(34), 6)) == [40, 30]


@pytest.mark.parametrize(("side", "every"), [(128, 1), (256, 2)])
def test_no_frame_waits_for_more_than_one_search_of_the_whole_picture(scene, monkeypatch, side, every):
    """However many windows are hidden; and each has its turn."""
    plate = scene.Speckle(seed=3, waves=60)
    shown = np.rint(120 + 40 * plate.image(side, side)).clip(0, 255).astype(np.uint8)
    points = [(30.0 + 22 * i, 30.0 + 22 * j) for i in range(3) for j in range(3)]
    made, searched = make_tracker("template", {"points": points, "max_missed": 999}, (side, side), 1000.0), []
    for name in ("whole_picture", "elsewhere"):
        real = getattr(integer_search_zncc, name)

        def counted(picture, ref, slots, *given, real=real):
            searched.append((frame, len(slots), real is not integer_search_zncc.elsewhere, slots.tolist()))
            return real(picture, ref, slots, *given)

        monkeypatch.setattr(f"pipelines.trackers.registration.batch.template_search.{name}", counted)
    dark = np.full((side, side), 90, np.uint8)
    for frame in range(120):
        rows = made.update(frame, frame / 1000, {"image": shown if frame < 10 else dark})
    assert (rows["state"] == State.PREDICTED).all()
    frames, counts, whole, slots = zip(*searched, strict=True)
    assert set(counts) == {1}
    assert len(set(frames)) == len(frames)
    assert len(frames) <= 110 / every + 9  # nine more ask whether something else looks alike
    assert {one[0] for one, far in zip(slots, whole, strict=True) if far} == set(range(9))
