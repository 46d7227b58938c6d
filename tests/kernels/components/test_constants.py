"""Every constant of the loops of outlines and of errors that neighbours share by what it means: each test fails when
its constant is twice or half as large.

The loops run as Python here, where a constant that is set anew has effect at once.
"""

from __future__ import annotations

import numpy as np
import pytest

from kernels.components import outline_loops
from kernels.components.outline_loops import (
    ELLIPSE,
    Fit,
    Picture,
    Points,
    ellipse_of,
    hidden_area,
    levels_of,
    refine_points,
    shape_of,
)
from kernels.loops import language
from kernels.regions import noise_correlation_loops
from kernels.regions.noise_correlation_loops import bandwidth, factor_of, one_sided, sectors_of

NAMES = "SHAPE", "ELLIPSE", "NONE", "COLUMNS"  # not numbers that are chosen
CONSTANTS = {
    name: module for module in (outline_loops, noise_correlation_loops) for name in vars(module)
    if name.isupper() and type(getattr(module, name)) in (int, float) and name not in NAMES
}  # fmt: skip


@pytest.fixture(autouse=True)
def plain_python():
    language.provide(None)  # `machine_code` gives it back


def test_every_constant_has_a_test():
    assert len(CONSTANTS) > 10
    assert [name for name in CONSTANTS if f"test_{name.lower()}" not in globals()] == []


@pytest.mark.parametrize("factor", [2.0, 0.5])
@pytest.mark.parametrize("name", CONSTANTS)
def test_a_factor_of_two_is_noticed(monkeypatch, name, factor):
    value = getattr(CONSTANTS[name], name)
    monkeypatch.setattr(CONSTANTS[name], name, type(value)(factor * value))
    with pytest.raises(AssertionError):
        globals()[f"test_{name.lower()}"]()


def near(value, expected, factor=2**0.5):
    return expected / factor < value < expected * factor


# Outlines.


def rim(n, radius=20.0, off=(), part=1.0):
    """Points on a circle, or the first part of one, about (30, 30), moved outwards by `off`."""
    t, turn = Points(room=n), part * 2 * np.pi * np.arange(n) / n
    far = radius + (np.zeros(n) if len(off) == 0 else np.asarray(off))
    for k in range(n):
        t.x[k], t.y[k] = 30 + far[k] * np.cos(turn[k]), 30 + far[k] * np.sin(turn[k])
    return t


def polygon(t, n):
    fit = Fit()
    assert shape_of(t, n, 0, fit)
    return fit


def ellipse(t, n, widest=40.0):
    """The fit of an ellipse, and whether there is one."""
    fit = polygon(t, n)
    return fit, bool(ellipse_of(t, n, 0, fit, widest, np.empty(80)))


def noise(n, size, seed=0):
    return size * np.random.default_rng(seed).standard_normal(n)


def line(light, edge, ground=0.0):
    """A row of pixels and its point at the outer side of pixel `edge`, seen to the right, a dozen times; the levels are
    `light` and `ground`."""
    n, row = 12, np.asarray(light, float)
    t, p, fit = Points(room=n), Picture(), Fit()
    p.height, p.width, p.sign, p.light = n, len(row), 1.0, 1
    for k in range(n):
        t.x[k], t.y[k], t.along[k], t.step[k], t.edge[k] = edge + 0.5, float(k), 1.0, 1, k * len(row) + edge
        t.away_x[k], t.away_y[k], t.inward[k], t.outward[k] = 1.0, 0.0, edge, len(row) - 1 - edge
    fit.x, fit.y = float(edge), n / 2
    picture = np.tile(row, n) + ground
    return picture, p, t, fit, n


def crossed(light, edge):
    """Where the light passes its level, from the outer side of pixel `edge`, px; None where it does not."""
    picture, p, t, fit, n = line(light, edge)
    if not levels_of(picture, p, t, n, fit) or not refine_points(picture, p, t, n, fit, np.empty(2)):
        return None
    return t.x[0] - edge - 0.5


def test_reach():
    """Half of the height is found 2 px from a mask's outline; what begins 6 px beside it is not looked at."""
    step = [100.0] * 12 + [0.0] * 16
    for off in (-2, 2):
        assert crossed(step, 11 - off) == pytest.approx(off, abs=0.05)
    assert crossed([100.0] * 12 + [0.0] * 5 + [90.0] * 9, 11) == pytest.approx(0.0, abs=0.05)


def points_of(mask):
    """How many points of its outline a region has."""
    height, width = mask.shape
    pitch = width + 2
    y, x = np.nonzero(mask)
    core, labels = (y + 1) * pitch + x + 1, np.zeros(len(y), np.int64)
    p, b = Picture(), outline_loops.Boxes(room=1)
    p.height, p.width, p.pitch = height, width, pitch
    total = outline_loops.boxes_loop(core, labels, len(core), p, b, 1)
    e, c, t = outline_loops.Extremes(room=total), outline_loops.Chain(room=total), Points(room=2 * total)
    outline_loops.extremes_loop(core, labels, len(core), p, b, e, total)
    return outline_loops.points_loop(np.zeros((height + 2) * pitch, np.int32), b, 0, p, e, c, t)


def test_beside():
    """All that a digitised disc's outline has are points of it, and none of a dent of 2 px."""
    y, x = np.mgrid[:40, :40]
    assert all(points_of((x - 19.3) ** 2 + (y - 20.1) ** 2 < r * r) >= 5.3 * r for r in (9.3, 12.4, 15.1))
    box = np.zeros((24, 24), bool)
    box[4:20, 4:20] = True
    dented = box.copy()
    dented[8:12, 18:20] = False
    assert points_of(box) - points_of(dented) == 4


def test_fewest():
    """A dozen points and no fewer are an outline."""
    assert ellipse(rim(12), 12)[1] is False  # none is left to tell the errors
    assert ellipse(rim(14), 14)[1]


def fits(size=1.0, n=24):
    """Outlines with errors of long tails: (inversions, centre, its standard error) of the ellipse of each."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for seed in range(10):
            count, inverse = [], outline_loops.inverse
            patch.setattr(outline_loops, "inverse", lambda a, many, c=count, one=inverse: c.append(1) or one(a, many))
            t = rim(n, off=size * np.random.default_rng(seed).standard_t(2, n))
            fit, there = ellipse(t, n)
            patch.undo()
            if there:
                found.append((len(count), fit.x, np.sqrt(12 * fit.vx) * np.median(np.abs(t.residual[:n]))))
    return found


def test_turns():
    """A fit that does not settle ends after a dozen inversions, and most settle before."""
    many = np.array([one[0] for one in fits()])
    assert many.max() == 12
    assert np.mean(many == 12) < 0.5


def test_near():
    """What a settled fit lacks to where it would end: some thousandths of its standard error."""
    settled = fits()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outline_loops, "NEAR", 0.0)
        patch.setattr(outline_loops, "TURNS", 40)
        ended = fits()
    left = [abs(a[1] - b[1]) / b[2] for a, b in zip(settled, ended, strict=True) if a[0] < 12]
    assert near(np.exp(np.mean(np.log(left))), 0.0037, 1.6)


def moved(by):
    """Where a centre is when a point is off by so many standard deviations of the others."""
    off = noise(60, 0.1)
    off[0] = by * 0.1
    return ellipse(rim(60, off=off), 60)[0].x


def test_biweight():
    """A point is none of the outline from five standard deviations on, and is at three."""
    assert abs(moved(6.5) - moved(60.0)) < 3e-4
    assert abs(moved(3.0) - moved(60.0)) > 1e-3


def with_light(errors):
    """The sigma of a shape whose light says nothing against it, in units of what points that err by 1 px make of it."""
    n, t, fit = len(errors), rim(len(errors), off=errors), Fit()
    t.fall[:n] = 1.0
    assert shape_of(t, n, 1, fit)
    return np.sqrt(fit.vx / np.sum(np.square(t.give_x[:n])))


def test_normal():
    """Points with normal errors say the standard deviation of these."""
    assert np.median([with_light(noise(100, 0.2, seed)) for seed in range(9)]) == pytest.approx(0.2, rel=0.2)


def test_least():
    """Where an outline has no errors that can be seen, its points have a thousandth of a pixel."""
    assert near(with_light(np.zeros(400)), 1e-3)


def test_far():
    """Ground counts up to three standard deviations: at two it does, and at five it does not."""
    n = 40
    ground = noise(n, 1.0)
    ground[:2] = 2.0, 5.0
    t, p, fit = Points(room=n), Picture(), Fit()
    p.sign = 1.0
    picture = np.repeat(ground, 9)
    for k in range(n):
        picture[9 * k : 9 * k + 4] = 100.0
        t.edge[k], t.step[k], t.inward[k], t.outward[k] = 9 * k + 3, 1, 3, 5
        t.x[k], t.y[k] = 20 * np.cos(k), 20 * np.sin(k)
        t.away_x[k], t.away_y[k] = np.cos(k), np.sin(k)
    assert levels_of(picture, p, t, n, fit)
    assert t.used[:2].tolist() == [1.0, 0.0]


def test_largest():
    """What is a fifth larger than its region is its ellipse, what is twice as large is none."""
    assert ellipse(rim(40), 40, 40 / 1.2)[1]
    assert not ellipse(rim(40), 40, 40 / 2.0)[1]


def hidden_beneath_a_step():
    """px^2 that a circle lacks whose light falls within three pixels, but for a millionth."""
    t, fit = rim(40), Fit()
    fit.contrast, fit.area = 100.0, 1e4
    for k in range(40):
        t.along[k], t.normal_x[k], t.fall[k] = 1.0, 1.0, (1 - 1e-6) * fit.contrast / 3
    return hidden_area(t, 40, ELLIPSE, fit)


def test_taken_along():
    step = 4.5 / np.pi / -np.log(1 - 0.9999**2)  # px^2, the narrowest blur that is told from none
    assert hidden_beneath_a_step() == pytest.approx(np.pi * (step + 0.12), rel=0.05)


def test_steepest():
    test_taken_along()


def test_uniform():
    """Of a mask alone points are anywhere within a pixel."""
    rng, n, x, stated = np.random.default_rng(0), 40, [], []
    for _ in range(100):
        t = rim(n, off=rng.uniform(-0.5, 0.5, n))
        fit = polygon(t, n)
        x.append(fit.x)
        stated.append(fit.vx)
    assert near(np.mean(stated), np.var(x))


# Errors that neighbours share.


def test_sectors():
    """The sums of a region's sectors take 2 KB."""
    sectors = sectors_of(10**9)
    assert 2 * 8 * sectors == 2048


def test_sector():
    """A sector of a ring of 2 px is 1.5 px wide."""
    radius = 12.0
    assert near(2 * np.pi * radius / sectors_of(int(2 * np.pi * radius * 2)), 1.5, 1.2)


def test_surprise():
    """One moment in a hundred is one by chance."""
    moments = np.random.default_rng(0).standard_normal(4000)
    assert 0.004 < np.mean([one_sided(m, 1.0, 1) > 0 for m in moments]) < 0.02


def test_chance():
    """Of what errs by itself one correlation in a dozen is believed, of which Bartlett's kernel leaves little."""
    rng, out, found = np.random.default_rng(0), np.empty(2), []
    for _ in range(1000):
        factor_of(rng.standard_normal(20), rng.standard_normal(20), 20, 1.0, out)
        found.append(out[1] > 0)
    assert 0.05 < np.mean(found) < 0.11  # beyond 1.4 standard deviations of both lists together


def test_room():
    """Neighbours are an eighth of a ring at most."""
    assert (bandwidth(0.99, 64), bandwidth(1.0, 100)) == (8, 12)


# Ellipses of which something covers a part.


def covered(n, most=1.0, seed=0):
    """How far a centre is off where a straight lid covers a circle of 20 px from `most` radians to either side on."""
    turn = 2 * np.pi * np.arange(n) / n
    away = np.abs((turn - 2.0 + np.pi) % (2 * np.pi) - np.pi)
    lid = 20.0 * (np.cos(most) / np.maximum(np.cos(away), 1e-9) - 1.0)
    fit, there = ellipse(rim(n, off=np.where(away < most, lid, 0.0) + noise(n, 0.03, seed)), n)
    return np.hypot(fit.x - 30, fit.y - 30) if there else np.inf


def fits_tried(size):
    """How many fits begin where points have errors of such a size, px."""
    count, conic = [], outline_loops.conic_of
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outline_loops, "conic_of", lambda *given: count.append(1) or conic(*given))
        ellipse(rim(90, off=noise(90, size)), 90)
    return len(count)


@pytest.mark.parametrize("seed", range(4))
def test_a_lid_has_no_say(seed):
    """It covers a seventh and a quarter of the rim; without the second look the centre is 1 to 2 px off."""
    for most in (0.5, 0.8, 1.0):
        assert covered(120, most, seed) < 0.1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outline_loops, "DOUBTED", 100.0)
        assert covered(120, 1.0, seed) > 0.5


def test_enough():
    """A third can be left out of 40 points, of 20 none."""
    assert covered(40) < 0.3
    assert covered(20) > 0.5


def test_doubted():
    """Errors of .15 px are noise, with .3 px an outline is looked at again."""
    assert fits_tried(0.15) == 1
    assert fits_tried(0.3) > 1


def test_starts():
    """A dozen, besides the first one and the one that is taken."""
    assert near(fits_tried(0.3) - 2, 12)


def test_held():
    """Four turns without a look at the errors."""
    count = {"inverse": 0, "median_loop": 0}
    t = rim(60)
    fit = polygon(t, 60)
    loops = {name: getattr(outline_loops, name) for name in count}

    def counting(name):
        def counted(*given):
            count[name] += 1
            return loops[name](*given)

        return counted

    with pytest.MonkeyPatch.context() as patch:
        for name in count:
            patch.setattr(outline_loops, name, counting(name))
        outline_loops.conic_of(t, 60, fit, np.empty(80), 0, 20)
    assert near(count["inverse"] - count["median_loop"], 4)
