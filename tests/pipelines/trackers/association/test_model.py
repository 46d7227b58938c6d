"""Every constant of `model.py` by what it means: each test fails when its constant is twice or half as large.

The loops run as Python here, where a constant that is set anew has effect at once.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from dataclasses import replace

import numpy as np
import pytest
from scipy import ndimage, special

from app.benchmark.trackers.ours import Tapped, run_of
from app.benchmark.trackers.scenes import Clip, Scene
from kernels.loops import language
from pipelines.definition import load
from pipelines.features import State
from pipelines.graph import Ref
from pipelines.trackers import association
from pipelines.trackers.association import frames, hidden, kalman, masses, merging, model
from pipelines.trackers.association.assignment import PLAIN, UNSEEN
from pipelines.trackers.association.records import Detections, Pairs, Population, Settings, Tracks, Work
from pipelines.trackers.association.relations import MERGE
from pipelines.trackers.base import make_tracker

SHAPE = (256, 256)
CONSTANTS = {name: value for name, value in vars(model).items() if name.isupper()}
MODULES = [importlib.import_module(f"{association.__name__}.{one.name}") for one in pkgutil.iter_modules(
    association.__path__)]  # fmt: skip


@pytest.fixture(autouse=True)
def plain_python():
    language.provide(None)  # `machine_code` gives it back


def test_every_constant_has_a_test():
    assert CONSTANTS
    assert [name for name in CONSTANTS if f"test_{name.lower()}" not in globals()] == []


@pytest.mark.parametrize("factor", [2.0, 0.5])
@pytest.mark.parametrize("name", CONSTANTS)
def test_a_factor_of_two_is_noticed(scene, monkeypatch, name, factor):
    for module in MODULES:
        if hasattr(module, name):
            monkeypatch.setattr(module, name, factor * CONSTANTS[name])
    with pytest.raises(AssertionError):
        globals()[f"test_{name.lower()}"](scene)


# What the tests are made of.


def seen(scene, points, mass=100.0, sigma=0.1, width=1.5):
    """The features of a frame; widths are the standard deviations of the spots, px."""
    table = scene.features(points, mass, sigma)
    table["xx"] = table["yy"] = np.square(width)
    return table


def follow(scene, tables, **settings):
    """The rows of a run, and its tracker."""
    tracker = make_tracker("blob", settings, SHAPE, 1000.0)
    return scene.run(tracker, tables), tracker


def ids(rows):
    return np.unique(rows["track"]).tolist()


def lattice(side, wide=256.0):
    """side x side places, `wide / side` px apart."""
    step = wide / side
    return np.stack(np.meshgrid(*(np.arange(side) * step + step / 2,) * 2), -1).reshape(-1, 2)


def riccati(q, r, frames, p):
    """Covariance of place and velocity after so many steps of a filter of constant velocity: acceleration noise q,
    measurement variance r."""
    f, noise = np.array([[1, 1], [0, 1.0]]), q * q * np.array([[1 / 3, 1 / 2], [1 / 2, 1]])
    for _ in range(frames):
        p = f @ p @ f.T + noise
        p = p - np.outer(p[:, 0], p[0]) / (p[0, 0] + r)
    return p, f @ p @ f.T + noise


def track(mass=100.0, width=1.0):
    """A record of one track with a mass and a width."""
    t = Tracks(room=16)
    t.mass[0], t.last_mass[0], t.width[0], t.hits[0] = mass, mass, width, 50.0
    return t


def by_mass(ratio, width=1.0):
    """Standard deviation, px, by which the centre of a detection may be off because of its mass."""
    d = Detections(room=16)
    d.mass[0] = 100.0 * ratio
    return np.sqrt(masses.shift2(track(width=width), 0, d, 0))


FINE = 6
"""Samples to a px."""


def spot(x, y=5.0):
    """A Gaussian spot of a standard deviation of 1 px in a picture of 10 x 10 px."""
    py, px = np.indices((10 * FINE, 10 * FINE)) / FINE
    return np.exp(-((px - x) ** 2 + (py - y) ** 2) / 2)


def measured(picture, level):
    """Mass, centre and width of what lies above a level, as detectors do it."""
    weight = np.where(picture > level, picture, 0.0)
    y, x = np.indices(picture.shape) / FINE
    mass = weight.sum()
    cx, cy = (weight * x).sum() / mass, (weight * y).sum() / mass
    moment = 0.5 * (weight * ((x - cx) ** 2 + (y - cy) ** 2)).sum() / mass
    return mass, cx, cy, np.sqrt(moment)


def moments(picture, level):
    """Second moments along x and y of what lies above a level."""
    weight = np.where(picture > level, picture, 0.0)
    y, x = np.indices(picture.shape) / FINE
    return tuple(float(np.cov(axis.ravel(), aweights=weight.ravel(), ddof=0)) for axis in (x, y))


def near(value, expected, factor=2**0.5):
    return expected / factor < value < expected * factor


# Motion.


def test_least_scale(scene):
    """What moves evenly has, in the end, the sigma of a filter of a third of the usual acceleration."""
    rows, _ = follow(scene, [seen(scene, [(20 + 0.7 * i, 90.0)]) for i in range(250)])
    p, _ = riccati(0.03 * 0.35, 0.01, 250, np.eye(2))
    assert near(rows["sigma"][-1], np.sqrt(p[0, 0]), 1.08)  # goes by the fourth root


def test_most_scale(scene):
    """What shakes far more than the model allows has 30 times the usual acceleration, and no more."""
    x = [*(100 + min(0.1 * 1.12**i, 1.0) * (-1) ** i for i in range(60)), 101.0, 103.0, 105.0, 107.0]
    rows, _ = follow(scene, [*(seen(scene, [(one, 90.0)], sigma=0.05) for one in x), seen(scene, [])])
    assert ids(rows) == [0]
    _, predicted = riccati(0.03 * 30, 0.0025, 30, np.eye(2))
    assert near(rows["sigma"][-1], np.sqrt(predicted[0, 0]))


def test_surprise(scene):
    """One innovation of a right filter in a hundred is a surprise."""
    t, raised = Tracks(room=16), 0
    for innovation in np.random.default_rng(0).chisquare(2, 3000):
        t.p00[0] = 1.0
        kalman.doubt(t, 0, innovation)
        raised += t.p00[0] > 1
    assert 0.004 < raised / 3000 < 0.03


def test_first_speed(scene):
    """Among things that hardly move, what comes with 3.5 px/frame is followed from its second sighting on, what comes
    with 7 is not, where many come."""
    rng, still, many = np.random.default_rng(0), lattice(3), lattice(10) + 3.0
    tables = [seen(scene, still + rng.normal(0, 0.1, still.shape)) for _ in range(6)]
    for speed, same in ((3.5, True), (7.0, False)):
        new = [seen(scene, np.vstack((still, many + (speed * i, 0.0)))) for i in range(2)]
        rows, _ = follow(scene, tables + new)
        assert (len(ids(rows)) == 9 + 100) == same


def test_first_step(scene):
    """In the first frames of a clip things that go a seventh of their spacing in a frame are followed, and those that
    go more than a quarter of it are not."""
    places = lattice(4)
    for step, same in ((9.5, True), (18.0, False)):
        rows, _ = follow(scene, [seen(scene, places), seen(scene, places + (step, 0.0))])
        assert (len(ids(rows)) == 16) == same


def test_rate(scene):
    """After 20 frames 1 - 1/e of a change is learnt."""
    _, before = follow(scene, [seen(scene, lattice(2))] * 3)
    _, after = follow(scene, [seen(scene, lattice(2))] * 3 + [seen(scene, lattice(8))] * 20)
    old, now = before.association.population.spacing, after.association.population.spacing
    assert old == pytest.approx(128)
    assert 0.5 < (old - now) / (old - 32) < 0.75


# Measurement.


def test_unknown_sigma(scene):
    """Who states no sigma counts as one who states 0.2 px, as the parameter's text says."""
    places = 90 + np.random.default_rng(0).normal(0, 0.2, (40, 2))
    none, stated = (follow(scene, [seen(scene, [p], sigma=sigma) for p in places])[0] for sigma in (0.0, 0.2))
    assert none.tobytes() == stated.tobytes()


def test_least_sigma(scene):
    """Nothing is measured better than to a 200th of a pixel, whatever it says."""
    rows, _ = follow(scene, [seen(scene, [(90.0, 90.0)], sigma=1e-9)])
    assert near(rows["sigma"][0], 0.005)


def test_most_sigma(scene):
    """Nothing is measured worse than the parameter may say of all."""
    rows, tracker = follow(scene, [seen(scene, [(90.0, 90.0)], sigma=1e9)])
    most = next(p.high for p in tracker.params if p.name == "measurement_sigma")
    assert near(rows["sigma"][0], most)


def test_no_light(scene):
    """Among bright things what is as dark as .7 of them is one, too; what lacks .3 of their light is the rim of a
    shade, and begins no track; alone it does."""
    x = 20 + 20.0 * np.arange(10)
    masses = np.where(np.arange(10) == 8, -70.0, np.where(np.arange(10) == 9, -30.0, 100.0))
    rows, _ = follow(scene, [seen(scene, [(a, 90.0) for a in x[: 8 if n < 5 else 10]], masses[: 8 if n < 5 else 10])
                             for n in range(15)])  # fmt: skip
    assert ids(rows) == list(range(9))
    alone, _ = follow(scene, [seen(scene, [(20.0, 90.0)], -30.0)] * 15)
    assert ids(alone) == [0]
    places, lights = [(200.0, 90.0), *((a, 90.0) for a in (20.0, 60.0, 100.0))], [-30.0, 100.0, 100.0, 100.0]
    first, _ = follow(scene, [seen(scene, places[: 1 if n < 15 else 4], lights[: 1 if n < 15 else 4])
                              for n in range(40)])  # fmt: skip
    dark = first[(first["track"] == 0) & (first["state"] == State.TRACKED)]
    np.testing.assert_array_equal(dark["frame"][-30:], np.arange(10, 40))


def test_usual_width(scene):
    """Who states no second moments is followed like a spot of 1.4 px, also while it is half hidden."""
    x, mass = 60 + 0.8 * np.arange(30), np.where(np.arange(30) % 10 > 7, 50.0, 100.0)
    none, stated = (
        follow(scene, [seen(scene, [(a + (m < 60), 90.0)], m, width=w) for a, m in zip(x, mass, strict=True)])[0]
        for w in (0.0, 1.4)
    )
    np.testing.assert_allclose(none["x"], stated["x"], atol=1e-3)


@functools.cache
def half_hidden():
    """Of Gaussian spots of which an edge covers a part, sharp or blurred: the share of the mass that is missing, the
    shift of the centre in widths, and by how much one moment is smaller than the other, in units of what it was."""
    whole, rows = spot(5), []
    mass, x, _, width = measured(whole, 0.2)
    for blur in (0.01, 0.35, 0.7):
        for edge in np.arange(3.5, 5.9, 0.2):  # what lies left of it is covered
            seen_part = whole * special.ndtr((np.arange(10 * FINE)[None] / FINE - edge) / blur)
            part, off, _, _ = measured(seen_part, 0.2)
            xx, yy = moments(seen_part, 0.2)
            if 0.05 < part / mass < 0.95:
                rows.append((1 - part / mass, (off - x) / width, (yy - xx) / width**2))
    return np.array(rows).T


def judge(missing, off=(0.0, 0.0), narrows=0.0, sigma=0.02, place=0.3, hits=50.0):
    """The detection of a track of a width of 1 px and a mass of 100, after `hidden.uncover`: `missing` of its mass,
    `off` the prediction, whose standard deviation is `place`; its second moment along x is smaller by `narrows`."""
    t, d, w, q = track(), Detections(room=16), Work(room=hidden.WEIGHTS), Pairs(room=16)
    t.hits[0], t.p00[0] = hits, place * place
    d.mass[0], d.variance[0], d.longer[0] = 100.0 * (1 - missing), sigma * sigma, -0.5 * narrows
    d.x[0], d.y[0] = off
    hidden.uncover(t, d, Population(), q, 1, w)
    return d


def test_hidden_shift(scene):
    """A spot behind the edge of a bar: its centre is put back by as much as its mass says."""
    missing, shift, narrows = half_hidden()
    taken = [judge(m, (s, 0.0), n).off_x[0] for m, s, n in zip(missing, shift, narrows, strict=True)]
    assert near(np.mean(taken), np.mean(shift))


def test_hidden_spread(scene):
    """By how much shifts scatter about what masses say that are known to 6 %, where a tenth and more is hidden."""
    missing, shift, _ = half_hidden()
    told = missing + np.random.default_rng(0).normal(0, 0.06, (40, len(missing)))
    scatter = (shift / (shift.sum() / missing.sum()) / told - 1)[told > 0.1].std()
    stated = judge(0.5, (0.5 * model.HIDDEN_SHIFT, 0.0), 0.5, place=0.01)
    assert near(np.sqrt(stated.off2[0]) / (0.5 * model.HIDDEN_SHIFT), scatter)


def test_hidden_narrows(scene):
    assert near(model.HIDDEN_NARROWS, half_hidden()[2].mean())


def test_hidden_share(scene):
    """Where the place tells nothing, of a round spot whose mass is 4 standard deviations too low a part is hidden as
    likely as not."""
    noise = model.MASS_NOISE * 0.05
    assert 0.4 < judge(4.0 * noise, sigma=0.05, place=50.0, hits=1e6).hidden[0] < 0.6


def test_faint(scene):
    """After twelve sightings it is as likely as not that the mass is wrong, where nine tenths of a round spot's are
    missing."""
    assert 0.4 < judge(0.9, sigma=0.1, place=50.0, hits=12.0).hidden[0] < 0.6


@functools.cache
def noisy_spots():
    """Of spots of SNR 40 as the pipeline `blobs` detects them: relative scatter of their masses, and the variance of
    the difference of their second moments, px^4; their sigma and width, px."""
    before = language._LOADER[:]
    language._LOADER.clear()
    language._native.cache_clear()
    try:
        sink, scene = Tapped(), Scene("blobs?count=20&snr=40&hidden=0&width=256&height=256&speed=200", "things", 16)
        clip = Clip(scene)
        run_of(replace(load("blobs"), taps=(Ref.parse("spots"),)), clip, sink)()
    finally:
        language._LOADER[:] = before
        language._native.cache_clear()
    rows = []
    for frame, taps in enumerate(sink.taps):
        real, spots = clip.truth[clip.truth["frame"] == frame], taps["spots"]
        apart = np.hypot(real["x"][:, None] - real["x"], real["y"][:, None] - real["y"]) + 99 * np.eye(len(real))
        rows += [spots[np.hypot(spots["x"] - one["x"], spots["y"] - one["y"]).argmin()]
                 for one in real[real["visible"] & (apart.min(axis=0) > 12)]]  # fmt: skip
    alone = np.array(rows)
    sigma, width = np.sqrt(np.mean(alone["sigma"] ** 2)), np.sqrt(np.median(alone["xx"]))
    return alone["mass"].std() / alone["mass"].mean(), np.var(2 * alone["stretch"]), sigma, width


def test_mass_noise(scene):
    masses, _, sigma, width = noisy_spots()
    assert near(model.MASS_NOISE * sigma / width, masses)


def test_lacks2(scene):
    """What lacks 1.2 standard deviations of its mass is whole, what lacks 1.7 may be hidden."""
    for missing, looked in ((1.2, False), (1.7, True)):
        t, d, q = track(), Detections(room=16), Pairs(room=16)
        t.hits[0] = 1e6
        d.mass[0], d.variance[0] = 100.0 * (1 - missing * model.MASS_NOISE * 0.05), 0.05**2
        assert hidden.lacking(t, d, Population(), q, 1) == looked


def test_moment_noise(scene):
    _, moment, sigma, width = noisy_spots()
    assert near(model.MOMENT_NOISE * sigma**2 * width**2, moment)


def test_doubled(scene):
    """One thing is taken for two as seldom as two are for one, when masses scatter by a fifth."""
    scatter = np.exp(np.random.default_rng(0).normal(0, 0.2, 4000))
    one, two = (np.mean([by_mass(factor * s) > 0 and factor * s > 1 for s in scatter]) for factor in (1.0, 2.0))
    assert one < 0.06
    assert 1 - two < 0.06


def test_doubled_shift(scene):
    """Two equal spots of any distance at which they are one detection: its centre is off each as its mass says."""
    mass, _, _, width = measured(spot(5), 0.2)
    real, stated = [], []
    for apart in np.arange(0.1, 6, 0.2):
        both = spot(5 - apart / 2) + spot(5 + apart / 2)
        if ndimage.label(both > 0.2)[1] == 1:
            real.append(apart / 2 / width)
            stated.append(by_mass(measured(both, 0.2)[0] / mass))
    assert near(np.sqrt(np.mean(np.square(stated))), np.sqrt(np.mean(np.square(real))))


def at_the_border(inward, width=2.0):
    """Shifts, px, that are expected of centres so many px inside the picture's left edge."""
    d, s, p = Detections(room=len(inward) + 8), Settings(), Population()
    s.right = s.bottom = 255.0
    for j, x in enumerate(inward):
        d.x[j], d.y[j], d.width[j] = x - 0.5, 120.0, width
    p.moment = width * width
    frames.cut_by_border(p, d, len(inward), s)
    return np.sqrt(d.cut[: len(inward)])


def test_cut(scene):
    """A Gaussian that the border cuts, from one that it halves to one that lies three widths inside."""
    x = np.linspace(0, 3, 61)
    real = np.exp(-x * x / 2) / np.sqrt(2 * np.pi) / special.ndtr(x)
    assert near(at_the_border(2.0 * x).mean() / 2.0, real.mean())


def test_cut_shift(scene):
    """A Gaussian whose centre lies on the border."""
    half = abs(np.random.default_rng(0).normal(0, 2.0, 100_000)).mean()
    assert at_the_border([0.0])[0] == pytest.approx(half, rel=0.03)


def test_crowd(scene):
    """Seven things do not say what is usual, fourteen do."""
    for many, known in ((7, False), (14, True)):
        _, tracker = follow(scene, [seen(scene, lattice(4)[:many])] * 2)
        assert (tracker.association.population.moment > 0) == known


def sigma_of_a_long_one(scene, ratio, frames):
    """Sigma of a thing that stands in a crowd whose second moments are `ratio` times as small, after so many frames."""
    places = lattice(5)
    width = np.full(len(places), 1.5)
    width[7] = 1.5 * np.sqrt(ratio)
    rows, _ = follow(scene, [seen(scene, places, sigma=0.02, width=width)] * frames)
    return rows["sigma"][rows["track"] == 7][-1]


def test_near(scene):
    """What is believed one and a half mean distances away tells the velocity of a newcomer, three away it does not."""
    for away, told in ((1.5, True), (3.0, False)):
        places = lattice(6, 100.0)
        tables = [seen(scene, places + 2.0 * k) for k in range(8)]
        apart = 256.0 / np.sqrt(len(places) + 1)
        corner = tables[-1][-1]
        new = (corner["x"] + away * apart / np.sqrt(2.0), corner["y"] + away * apart / np.sqrt(2.0))
        tables[-1] = np.concatenate((tables[-1], seen(scene, [new])))
        _, tracker = follow(scene, tables)
        assert (tracker.association.tracks["vx"][len(places)] > 1.0) == told


def test_long(scene):
    """A few long ones are two things each; of things of which every seventh is as long, none is."""
    places, many = lattice(10), 100
    for share, two in ((0.07, True), (0.15, False)):
        width = np.where(np.arange(many) < share * many, 1.5 * np.sqrt(1.4), 1.5)
        rows, _ = follow(scene, [seen(scene, places, sigma=0.02, width=width)] * 10)
        assert (rows["sigma"][rows["track"] == 0][-1] > 0.1) == two


def test_longer(scene):
    assert sigma_of_a_long_one(scene, 1.4, 10) > 0.1
    assert sigma_of_a_long_one(scene, 1.1, 10) < 0.02


def test_young(scene):
    assert sigma_of_a_long_one(scene, 1.5, 40) > 0.05
    assert sigma_of_a_long_one(scene, 1.5, 75) < 0.02


def test_mass_wander(scene):
    """A mass that is lower by a twelfth says nothing of the place, one that is by a fifth does."""
    assert by_mass(1 - 1 / 12) == 0
    assert by_mass(0.8) > 0


def light(scene, *factors):
    """The light, in units of what it was, after a frame in which the masses of things are multiplied by these."""
    places = lattice(3)[: len(factors)]
    tables = [seen(scene, places, 100.0)] * 20 + [seen(scene, places, 100.0 * np.array(factors))]
    return follow(scene, tables)[1].association.population.light


def test_light_step(scene):
    """A lamp that falls by a third is followed at once, and one of five things that is hidden hardly counts."""
    assert light(scene, 0.66, 0.66, 0.66) == pytest.approx(0.66, rel=0.03)
    assert light(scene, 0.05, 0.8, 0.8, 0.8, 0.8) == pytest.approx(0.8, rel=0.06)


def test_strange_rate(scene):
    """Half of a thing is hidden for long: after 70 frames half of that is learnt."""
    _, tracker = follow(scene, [seen(scene, [(90.0, 90.0)], 100.0 if i < 40 else 50.0) for i in range(110)])
    assert 69 < tracker.association.tracks["mass"][0] < 81


def test_mass_spread(scene):
    """Masses that scatter by a fifth cost, on average, what one degree of freedom does: half a unit."""
    scatter = np.exp(np.random.default_rng(0).normal(0, 0.2, 2000))
    assert 0.35 < np.mean([masses.mass_cost(track(), 0, 100 * s) for s in scatter]) < 0.7


def test_mass_cap(scene):
    """One detection in twenty has a mass that says nothing of whose it is."""
    for ratio in (0.05, 20.0):
        assert near(np.exp(-masses.mass_cost(track(), 0, 100 * ratio)), 0.05, 2.5)


# Assignment.


def test_most_skipped(scene):
    """Things go on as they did where the camera left four frames out without a stamp, not where it left out six: there
    each seems to have turned."""
    rng = np.random.default_rng(0)
    places, speed = lattice(6), rng.uniform(0.5, 1.0, (36, 2)) * rng.choice([-1, 1], (36, 2))
    for skipped, same in ((4, True), (6, False)):
        when = [*range(20), *range(20 + skipped, 24 + skipped)]
        tables = [seen(scene, places + (frame - 15) * speed + rng.normal(0, 0.1, places.shape)) for frame in when]
        rows, _ = follow(scene, tables)
        row = rows[rows["frame"] == 21]
        x, y = (places + (21 + skipped - 15) * speed).T
        thing = np.hypot(x[:, None] - row["x"], y[:, None] - row["y"]).argmin(axis=0)
        wrong = np.hypot(row["vx"] / 1000 - speed[thing, 0], row["vy"] / 1000 - speed[thing, 1])
        assert (np.median(wrong) < 0.2) == same


def test_new_density(scene):
    """A second sighting goes with the first when its likelihood is above 3e-5 / px^2, that of something new."""
    # Both sightings', and the first step of what is alone in the picture; farther than a newcomer is unlikely.
    variance = 100.0 + 100.0 + (0.05 * 256) ** 2
    for density, same in ((4.2e-5, True), (2.1e-5, False)):
        away = np.sqrt(-2 * variance * np.log(density * 2 * np.pi * variance))
        rows, _ = follow(scene, [seen(scene, [(90.0, 90.0)], sigma=10.0), seen(scene, [(90 + away, 90.0)], sigma=10.0)])
        assert (ids(rows) == [0]) == same


def still(scene, jump, missed=0, ratio=1.0, frames=30):
    """Ids of one thing that rests, is missed for some frames, and is found `jump` px beside."""
    tables = [seen(scene, [(90.0, 90.0)])] * frames + [seen(scene, [])] * missed
    return ids(follow(scene, [*tables, seen(scene, [(90.0 + jump, 90.0)], 100.0 * ratio)])[0])


def test_reach(scene):
    """What rested and was missed once is found again 4 px beside, and not 8."""
    assert still(scene, 4.0, missed=1) == [0]
    assert still(scene, 8.0, missed=1) == [0, 1]


def test_start(scene):
    """What rests starts: within 40 px there is a twentieth of a newcomer where none were seen, so 33 px are it, and 48
    are another."""
    assert still(scene, 33.0) == [0]
    assert still(scene, 48.0) == [0, 1]


def test_fewest(scene):
    """The same of what is alone in a picture: 40 px are those in which a twentieth of 1e-5 / px^2 is."""
    assert near(np.sqrt(model.START / (np.pi * model.FEWEST)), 40.0, 1.15)
    assert still(scene, 36.0) == [0]
    assert still(scene, 45.0) == [0, 1]


def test_turn_memory(scene):
    """A turn is looked for after two frames without a sighting, and not after five."""
    assert still(scene, 4.0, missed=2) == [0]
    assert still(scene, 4.0, missed=5) == [0, 1]


def test_alike(scene):
    """What starts may weigh 1.6 times what it did before, and not 2.6 times."""
    for ratio, same in ((1.6, True), (1 / 1.6, True), (2.6, False), (1 / 2.6, False)):
        assert (still(scene, 20.0, ratio=ratio) == [0]) == same


def turned(scene, aside):
    """Whether what rests, is not seen for ten frames and then goes along a line that passes so many px beside its
    place keeps its track."""
    tables = [seen(scene, [(90.0, 90.0)], sigma=0.02)] * 30 + [seen(scene, [])] * 10
    tables += [seen(scene, [(98.0 + i, 90.0 + aside)], sigma=0.02) for i in range(5)]
    rows, _ = follow(scene, tables)
    return ids(rows[rows["state"] == State.TRACKED]) == [0]


def test_turn_gate(scene):
    """A path that bends once may leave 4.5 standard deviations."""
    assert turned(scene, 7.0)
    assert not turned(scene, 10.0)


def test_turn_spread(scene):
    """Of which the two sightings that give the new direction make most."""
    assert turned(scene, 7.0)
    assert not turned(scene, 10.0)


# Merged measurements.


def mergers(tracker):
    return [one for one in tracker.tables()["relations"] if one["kind"] == MERGE]


def test_together(scene):
    """The lighter one of two is lost while the other weighs like both and is where both are centred: 3 widths away it
    is in it, 5.5 widths away it is not."""
    for widths, merged in ((3.0, 1), (5.5, 0)):
        two = [seen(scene, [(90.0, 90.0), (90.0 + 1.5 * widths, 90.0)], (100.0, 25.0))] * 20
        _, tracker = follow(scene, two + [seen(scene, [(90.0 + 0.1 * widths, 90.0)], 125.0)] * 3)
        assert len(mergers(tracker)) == merged


def test_lasting(scene):
    """Two that meet go on through each other for 10 frames, and are held together from then on."""
    i = np.arange(60.0)
    gap = 18 - 1.05 * i
    tables = [seen(scene, [(90 - g / 2, 90.0), (90 + g / 2, 90.0)]) if g > 3 else seen(scene, [(90.0, 90.0)], 200.0)
              for g in gap]  # fmt: skip
    rows, tracker = follow(scene, tables)
    (merger,) = mergers(tracker)
    away = [abs(rows[(rows["frame"] == merger["frame"] + k)]["x"] - 90).max() for k in range(18)]
    assert away[9] > 3.2  # half of 4 widths are 3 px
    assert away[13] < 3.2


def test_twin(scene):
    """Two tracks that share one thing for six frames are one; the younger ends, also where it has the detection."""
    for without, other in ((1, 0), (0, 1)):
        t, d, s, w = Tracks(room=16), Detections(room=16), Settings(), Work(room=16)
        t.track[:2], t.p00[:2], s.max_missed = (0.0, 1.0), 0.1, 120.0
        t.host[0] = 2.0  # as of a merger
        frames = 0
        while t.missed[1] <= s.max_missed and frames < 20:
            kalman.predict(t, 2, 1.0, s)
            merging.twins(t, without, other, d, 0, s, w)
            frames += 1
        assert 5 <= frames <= 8
        assert t.missed[0] == 0.0
        assert (w.how[0], w.how[1]) == ((0, 0) if without == 1 else (PLAIN, UNSEEN))
        assert t.host[0] == (2.0 if without == 1 else 0.0)  # nothing comes apart


# Life of a track.


def test_young_misses(scene):
    """A track that is not believed yet may be missed in as many frames as it was seen in, and not in one more."""
    for hits, missed, same in ((1, 1, True), (1, 2, False), (2, 2, True), (2, 3, False)):
        tables = [seen(scene, [(90.0, 90.0)])] * hits + [seen(scene, [])] * missed + [seen(scene, [(90.0, 90.0)])]
        assert (ids(follow(scene, tables)[0]) == [0]) == same


def test_wait(scene):
    """A track is waited for until something else lies within a standard deviation of it in one case of four."""
    places, rng = lattice(6), np.random.default_rng(0)
    tables = [seen(scene, (places + rng.normal(0, 0.1, places.shape))[int(i >= 10) :]) for i in range(70)]
    rows, _ = follow(scene, tables, acceleration=0.3)
    (one,) = np.unique(rows["track"][rows["state"] == State.LOST])
    gone = rows[rows["track"] == one]
    chance = 1 - np.exp(-np.pi * gone["sigma"][-2] ** 2 * 36 / 256**2)
    assert near(chance, 0.25, 1.8)
