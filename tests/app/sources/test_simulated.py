"""Simulated scenes: the truth is true, frames depend on (seed, index) alone, noise is the sensor's, files are whole."""

from __future__ import annotations

import csv
import math
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.sources.simulated import sensor
from app.sources.simulated.drawing import add_gaussians, discs
from app.sources.simulated.scenes.ball import Ball
from app.sources.simulated.scenes.beam import Beam, mode_shape
from app.sources.simulated.scenes.blobs import Blobs
from app.sources.simulated.scenes.disk import Disk
from app.sources.simulated.scenes.face import LIDS, Face
from app.sources.simulated.scenes.insects import Insects
from app.sources.simulated.scenes.plate import Plate
from app.sources.simulated.scenes.vortex import Vortex
from app.sources.simulated.source import make_scene, open_scene, scenes
from app.sources.simulated.writing import truth_path, write_scene
from kernels.errors import InputError, SourceError

NAMES = sorted(scenes())


def centroid(picture, x, y, half):
    """Plain centroid of a square window on a background of 0."""
    rows, columns = np.mgrid[round(y) - half : round(y) + half + 1, round(x) - half : round(x) + half + 1]
    weight = picture[rows, columns].astype(float)
    return (weight * columns).sum() / weight.sum(), (weight * rows).sum() / weight.sum()


def shift_of(reference, moved):
    """Displacement of a picture by least squares on the phases of its strong, low frequencies (Hann window)."""
    window = np.outer(np.hanning(reference.shape[0]), np.hanning(reference.shape[1]))
    a, b = (np.fft.fft2((p - p.mean()) * window) for p in (reference, moved))
    fy, fx = np.meshgrid(np.fft.fftfreq(a.shape[0]), np.fft.fftfreq(a.shape[1]), indexing="ij")
    cross = a * b.conj()
    use = (np.hypot(fx, fy) < 0.25) & (np.hypot(fx, fy) > 0)
    weight, phase = np.abs(cross[use]), np.angle(cross[use]) / (2 * np.pi)
    design = np.stack([fx[use], fy[use]], 1)
    return np.linalg.solve(design.T @ (weight[:, None] * design), design.T @ (weight * phase))


# -- the scenes as frames ---------------------------------------------------------------------------------------------


def test_there_are_the_scenes_of_the_readme():
    assert {"ball", "beam", "blobs", "disk", "face", "insects", "plate", "vortex"} <= set(NAMES)
    assert all(scene.summary and scene.name == name for name, scene in scenes().items())


@pytest.mark.parametrize("name", NAMES)
def test_random_access_equals_sequential(name):
    spec = f"sim:{name}?width=96&height=112&frames=40&seed=7"
    in_order = open_scene(spec)
    frames = [in_order.read(i) for i in range(12)]
    for index in (11, 3, 0, 7):
        fresh = open_scene(spec)
        np.testing.assert_array_equal(fresh.read(index), frames[index])
        np.testing.assert_array_equal(make_scene(spec).truth(index), in_order.scene.truth(index))
    assert any((frames[0] != frames[k]).any() for k in (1, 11))
    assert (open_scene(spec.replace("seed=7", "seed=8")).read(0) != frames[0]).any()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("bits", "dtype"), [(8, np.uint8), (12, np.uint16)])
def test_source_delivers_what_it_announces(name, bits, dtype):
    source = open_scene(f"sim:{name}?width=65&height=71&frames=5&bits={bits}", fps=500)
    info = source.info
    assert (info.kind, info.frames, info.width, info.height) == ("simulated", 5, 65, 71)
    assert (info.time.origin, info.time.fps, info.time.time(3)) == ("scene", 500, 3 / 500)
    assert info.format.bits == bits
    assert info.image.white == 2**bits - 1
    frame = source.read(4)
    assert frame.dtype == dtype == info.image.dtype.numpy
    assert frame.shape == info.image.shape
    assert frame.max() < 2**bits
    out = np.zeros_like(frame)
    assert source.read(4, out=out) is out
    np.testing.assert_array_equal(out, frame)
    for index in (-1, 5):
        with pytest.raises(IndexError):
            source.read(index)
    source.close()


@pytest.mark.parametrize("name", NAMES)
def test_scenes_have_contrast_and_do_not_saturate(name):
    scene = scenes()[name]()
    picture = scene.render(0)
    assert int(picture.max()) - int(picture.min()) > (8 if name == "blobs" else 90)
    assert (picture >= 255).mean() < 1e-3
    assert (picture == 0).mean() < 0.02  # the noise is not cut off at black


@pytest.mark.parametrize("name", NAMES)
def test_truth_rows_are_in_order_and_in_reach(name):
    scene = scenes()[name](seed=3)
    for index in (0, 17, 400):
        rows = scene.truth(index)
        assert (rows["frame"] == index).all()
        assert rows["time"] == pytest.approx(index / scene.fps)
        assert (np.diff(rows["track"]) > 0).all()
        seen = rows[rows["visible"]]
        assert scene.within(seen["x"], seen["y"], 0).all()


def test_a_very_long_clip_costs_no_memory():
    source = open_scene("sim:vortex?frames=1000000000&width=64&height=64")
    assert source.read(999_999_999).shape == (64, 64)


# -- the truth --------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(x=st.floats(20, 30), y=st.floats(20, 30), sigma=st.floats(0.6, 2.5))
def test_gaussian_is_unbiased_and_has_its_volume(x, y, sigma):
    picture = np.zeros((51, 51), np.float32)
    add_gaussians(picture, np.array([x]), np.array([y]), 0.5, sigma)
    assert centroid(picture, x, y, 18) == pytest.approx((x, y), abs=5e-4)
    assert picture.sum() == pytest.approx(0.5 * 2 * math.pi * sigma**2, rel=1e-4)


@settings(max_examples=40, deadline=None)
@given(x=st.floats(20, 30), y=st.floats(20, 30), radius=st.floats(2, 6))
def test_disc_is_unbiased_and_has_its_area(x, y, radius):
    cover = discs((51, 51), np.array([x]), np.array([y]), radius, 0.75, 1.0)
    assert centroid(cover, x, y, 16) == pytest.approx((x, y), abs=1e-3)
    assert cover.sum() == pytest.approx(math.pi * (radius**2 + 0.75**2), rel=1e-3)


def test_shapes_cut_by_the_border_do_not_wrap_round():
    picture = np.zeros((20, 30), np.float32)
    add_gaussians(picture, np.array([-1.0, 100.0]), np.array([10.0, 10.0]), 1.0, 1.5)
    assert picture[10, 0] > 0.5
    assert picture[:, 12:].max() == 0


def test_blob_truth_is_the_centroid_even_when_it_moves_fast():
    scene = Blobs(count=1, hidden=0, speed=4000, exposure=1.0, snr=200, noise=False, seed=5, width=128, height=128)
    errors = []
    for index in range(0, 400, 3):
        rows = scene.truth(index)
        if len(rows) and scene.within(rows["x"], rows["y"], 14).all():
            (row,) = rows
            light = scene.light(index) - 0.05
            errors.append(np.subtract(centroid(light, row["x"], row["y"], 12), (row["x"], row["y"])))
    assert len(errors) > 15
    assert np.abs(errors).max() < 0.005


def test_vortex_particles_lie_where_the_truth_says():
    scene = Vortex(noise=False, particles=12, seed=2)
    still = scene._still
    errors = []
    for index in range(0, 60, 4):
        rows = scene.truth(index)
        light = scene.light(index) - still
        for row in rows[rows["visible"]]:
            others = np.hypot(rows["x"] - row["x"], rows["y"] - row["y"])
            if np.sort(others)[1] > 40 and scene.within(row["x"], row["y"], 20):
                errors.append(np.subtract(centroid(light, row["x"], row["y"], 17), (row["x"], row["y"])))
    assert len(errors) > 20
    assert np.abs(errors).max() < 0.005


def test_insects_lie_where_the_truth_says_also_while_they_turn():
    scene = Insects(noise=False, count=1, seed=4)
    courses = []
    for index in range(120):
        (row,) = scene.truth(index)
        absorbed = 1 - scene.light(index) / scene._still
        found = centroid(absorbed, row["x"], row["y"], 9)
        assert found == pytest.approx((row["x"], row["y"]), abs=0.005)
        courses.append((row["x"], row["y"]))
    steps = np.diff(np.array(courses), axis=0)
    turns = np.abs(np.angle(np.exp(1j * np.diff(np.arctan2(steps[:, 1], steps[:, 0])))))
    assert (turns > 1).sum() >= 2  # sharp ones
    assert np.median(turns) < 1e-6  # between them it flies straight


@pytest.mark.parametrize("amplitude", [0.05, 0.5, 1.7])
def test_plate_moves_by_exactly_the_truth(amplitude):
    scene = Plate(noise=False, amplitude=amplitude, width=160, height=160)
    first, truth0 = scene.light(0), scene.truth(0)
    for index in (3, 9, 14):
        rows = scene.truth(index)
        moved = rows["x"] - truth0["x"], rows["y"] - truth0["y"]
        assert np.ptp(moved[0]) < 1e-9
        dx, dy = shift_of(first, scene.light(index))
        assert (dx, dy) == pytest.approx((moved[0][0], moved[1][0]), abs=0.003)


def test_beam_moves_by_exactly_the_truth():
    scene = Beam(noise=False, points=9)
    first, truth0 = scene.light(0), scene.truth(0)
    worst = 0.0
    for index in (5, 11, 30):
        light = scene.light(index)
        for start, now in zip(truth0[1:-1], scene.truth(index)[1:-1], strict=True):
            x, y = round(start["x"]), round(start["y"])
            window = np.s_[y - 20 : y + 21, x - 8 : x + 9]
            found = shift_of(first[window], light[window])[1]
            worst = max(worst, abs(found - (now["y"] - start["y"])))
            assert now["x"] == start["x"]
    assert abs(scene.truth(11)["y"][-1] - truth0["y"][-1]) > 0.3  # it does move
    assert worst < 0.01  # the window averages over the bending; a rigid speckle is held to 0.003 above


def test_beam_modes_are_those_of_a_cantilever():
    s = np.linspace(0, 1, 20_001)
    first, second = mode_shape(s, 0), mode_shape(s, 1)
    assert (first[-1], abs(second[-1])) == pytest.approx((1, 1), abs=1e-6)
    for mode in (first, second):
        assert mode[0] == 0
        assert abs(np.gradient(mode, s)[0]) < 1e-3
    assert abs(np.trapezoid(first * second, s)) < 1e-6  # orthogonal
    assert s[np.flatnonzero(np.diff(np.sign(second[1:])))[0]] == pytest.approx(0.7834, abs=1e-3)  # its node
    tones = Beam().tones
    assert tones[2][1] / tones[0][1] == pytest.approx(6.267, abs=1e-3)


def test_disk_points_turn_rigidly():
    scene = Disk(rate=10, noise=False)
    first, later = scene.truth(0), scene.truth(25)  # a quarter of a turn
    cx, cy = scene.middle
    np.testing.assert_allclose(later["x"] - cx, -(first["y"] - cy), atol=1e-9)
    np.testing.assert_allclose(later["y"] - cy, first["x"] - cx, atol=1e-9)


def test_ball_falls_with_g_and_its_picture_too():
    scene = Ball(noise=False)
    # a sloping backdrop under the ball would shift the plain centroid of the difference by some 0.01 px
    vars(scene)["_still"] = np.full(scene.shape, 0.1)
    times, heights = [], []
    for index in range(0, 330, 10):
        (row,) = scene.truth(index)
        light = scene.light(index) - scene._still
        x, y = centroid(light, row["x"], row["y"], 14)
        assert (x, y) == pytest.approx((row["x"], row["y"]), abs=0.002)
        if index:
            times.append(row["time"])
            heights.append(y)
    g = 2 * np.polyfit(times, heights, 2)[0] / scene.scale / 1000
    assert g == pytest.approx(9.81, rel=1e-3)
    assert scene.describe()["px_per_mm"] == 0.5


def test_ball_is_followed_by_the_next_one_as_a_new_track():
    scene = Ball(frames=2000)
    tracks = [set(scene.truth(i)["track"].tolist()) for i in range(0, 1200, 3)]
    seen = set().union(*tracks)
    assert seen >= {0, 1, 2}
    assert any(not t for t in tracks)  # between two drops the picture is empty


# -- what happens in the scenes ---------------------------------------------------------------------------------------


def test_blink_hides_the_lid_markers_and_only_those():
    scene = Face(noise=False)
    hidden = np.array([~scene.truth(i)["visible"] for i in range(0, 640, 4)])
    assert set(np.flatnonzero(hidden.any(0))) == set(LIDS)
    spell = hidden[:, LIDS[0]]
    assert not spell[0]
    assert not spell[-1]
    assert np.abs(np.diff(spell.astype(int))).sum() == 2  # one blink
    for index, gone in ((0, False), (195, True)):
        rows = scene.truth(index)
        light = scene.light(index)
        for lid in LIDS:
            brightness = light[round(rows["y"][lid]), round(rows["x"][lid])]
            assert (brightness < 0.4) == gone
            assert rows["visible"][lid] == (not gone)


def test_face_markers_twitch_and_lie_where_the_truth_says():
    scene = Face(noise=False, flicker=0.0)
    bare = Face(noise=False, flicker=0.0, marker=0.5)
    places = np.array([[r["x"], r["y"]] for i in range(0, 640, 8) for r in scene.truth(i)]).reshape(80, 14, 2)
    assert np.ptp(places, axis=0).max() > 4
    for index in (0, 60, 100):
        # the difference of two marker sizes is a ring round each true centre, whatever the skin looks like
        ring = scene.light(index) - bare.light(index)
        for row in scene.truth(index):
            assert centroid(ring, row["x"], row["y"], 7) == pytest.approx((row["x"], row["y"]), abs=0.05)


def test_vortex_particles_cross_leave_and_enter():
    scene = Vortex(seed=286)
    close: set[tuple[int, int]] = set()
    ids: list[set[int]] = []
    for index in range(0, 480, 2):
        rows = scene.truth(index)
        ids.append(set(rows["track"].tolist()))
        apart = np.hypot(np.subtract.outer(rows["x"], rows["x"]), np.subtract.outer(rows["y"], rows["y"]))
        for a, b in zip(*np.nonzero(np.triu(apart < 3, 1)), strict=True):
            close.add((int(rows["track"][a]), int(rows["track"][b])))
    assert len(close) >= 8
    assert ids[0] - ids[-1]
    assert ids[-1] - ids[0]
    gone: set[int] = set()
    for before, after in pairwise(ids):
        gone |= before - after
        assert not gone & after  # who left comes back under another number
    steps = [scene.truth(i) for i in (100, 101)]
    for row in steps[0]:
        now = steps[1][steps[1]["track"] == row["track"]]
        if len(now):
            assert math.hypot(now["x"][0] - row["x"], now["y"][0] - row["y"]) < 3


# -- the sensor -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [8, 12])
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_noise_is_the_sensors(bits, share):
    light = np.full((300, 300), share, np.float32)
    picture = sensor.expose(light, bits, np.random.default_rng(1)).astype(float)
    electrons = share * 10_000
    expected = math.hypot(math.sqrt(electrons + 64) / 10_000 * (2**bits - 1), 1 / math.sqrt(12))
    assert picture.std() == pytest.approx(expected, rel=0.02)
    assert sensor.noise_of(share * (2**bits - 1), bits) == pytest.approx(expected)
    assert picture.mean() == pytest.approx(share * (2**bits - 1), abs=5 * expected / 300)


def test_saturation_and_no_noise():
    light = np.array([[0.0, 0.5, 1.0, 3.0]], np.float32)
    assert sensor.expose(light, 8, None).tolist() == [[0, 128, 255, 255]]
    assert sensor.expose(light, 12, None).tolist() == [[0, 2048, 4095, 4095]]


def test_blobs_have_the_signal_to_noise_ratio_asked_for():
    scene = Blobs(snr=10, count=1, hidden=0, bits=12)
    noise = scene.render(0)[:100, :100].astype(float).std()
    assert scene.peak * 4095 / noise == pytest.approx(10, rel=0.03)


def test_lamp_ripples_at_its_frequency_and_long_exposures_blur_it_out():
    levels = [sensor.lamp(i / 1000, 100.0, 0.25, 0.0) for i in range(100)]
    assert (max(levels), min(levels)) == pytest.approx((1.0, 0.75))
    assert np.argmax(np.abs(np.fft.rfft(np.array(levels) - np.mean(levels)))) == 10
    exact = np.mean([sensor.lamp(0.003 + t, 100.0, 0.25, 0.0) for t in (np.arange(2000) + 0.5) / 2000 * 0.004 - 0.002])
    assert sensor.lamp(0.003, 100.0, 0.25, 0.004) == pytest.approx(exact, abs=1e-6)
    assert sensor.lamp(0.003, 100.0, 0.25, 0.01) == pytest.approx(0.875)


def test_flicker_and_brightness_reach_the_picture():
    steady, rippling = Plate(noise=False, amplitude=0.0), Plate(noise=False, amplitude=0.0, flicker=0.4)
    means = [rippling.render(i).mean() / steady.render(i).mean() for i in range(10)]
    assert max(means) - min(means) == pytest.approx(0.4, abs=0.03)
    dim = Plate(noise=False, brightness=0.25)
    assert dim.irradiance(0).mean() == pytest.approx(Plate(noise=False).irradiance(0).mean() / 4, rel=1e-5)


# -- specs ------------------------------------------------------------------------------------------------------------


def test_spec_sets_every_kind_of_parameter():
    scene = make_scene("sim:blobs?width=100&snr=4.5&noise=off&seed=9&frames=1e3")
    assert (scene.width, scene.snr, scene.noise, scene.seed, scene.frames) == (100, 4.5, False, 9, 1000)
    assert make_scene("blobs", fps=250).fps == 250


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("sim:vortx", "did you mean 'vortex'"),
        ("sim:", "there are: ball, beam"),
        ("sim:zzz?width=3", "there are: ball, beam"),
        ("sim:beam?witdh=100", "did you mean 'width'"),
        ("sim:beam?qqqq=100", "there are: width, height"),
        ("sim:beam?width", "not of the form name=value"),
        ("sim:beam?width=wide", "width must be a number"),
        ("sim:beam?width=100.5", "width must be a whole number"),
        ("sim:beam?width=5", "outside its range"),
        ("sim:beam?frames=0", "outside its range"),
        ("sim:beam?fps=nan", "finite"),
        ("sim:beam?noise=maybe", "true or false"),
        ("sim:beam?seed=1&seed=2", "given twice"),
        ("sim:beam?bits=7", "outside its range"),
    ],
)
def test_wrong_specs_are_refused_in_one_sentence(spec, words):
    with pytest.raises(SourceError, match=r"^'sim:") as caught:
        open_scene(spec)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30))
def test_any_other_text_is_refused_and_nothing_else(text):
    try:
        make_scene("sim:" + text)
    except SourceError:
        return
    assert text.partition("?")[0] in NAMES


# -- files ------------------------------------------------------------------------------------------------------------


def decode(path):
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = [(float(frame.pts * stream.time_base), frame.to_ndarray()) for frame in container.decode(stream)]
        return stream.codec_context.pix_fmt, float(stream.average_rate), frames


@pytest.mark.parametrize(("name", "lossless", "bits"), [("a.mkv", True, 8), ("a.avi", False, 8), ("a.mkv", True, 12)])
def test_lossless_files_hold_every_bit(tmp_path, name, lossless, bits):
    scene = Blobs(width=65, height=47, frames=5, count=5, bits=bits)
    path = tmp_path / name
    calls = []
    table = write_scene(scene, path, lossless=lossless, progress=lambda done, total: calls.append((done, total)))
    _, rate, frames = decode(path)
    assert rate == 1000
    assert [time for time, _ in frames] == pytest.approx([i / 1000 for i in range(5)], abs=6e-4)  # .mkv counts in ms
    for index, (_, picture) in enumerate(frames):
        np.testing.assert_array_equal(picture, scene.render(index))
    assert calls == [(i + 1, 5) for i in range(5)]
    assert table == truth_path(path) == tmp_path / "a.truth.csv"
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([name, "a.truth.csv"])


@pytest.mark.parametrize("bits", [8, 12])
def test_npy_holds_every_bit(tmp_path, bits):
    scene = Blobs(width=65, height=47, frames=4, count=5, bits=bits)
    write_scene(scene, tmp_path / "a.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npy"), [scene.render(i) for i in range(4)])


@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
@pytest.mark.parametrize("fps", [1000.0, 62_500.0, 29.97])
def test_h264_keeps_count_time_and_levels(tmp_path, ending, fps):
    scene = Plate(width=96, height=64, frames=70, fps=fps, noise=False)
    path = tmp_path / ("p" + ending)
    write_scene(scene, path)
    form, rate, frames = decode(path)
    assert form == "yuvj420p"
    assert len(frames) == 70
    if ending == ".mp4":  # Matroska counts in milliseconds
        assert rate == pytest.approx(fps, rel=1e-6)
        assert [time for time, _ in frames] == pytest.approx([i / fps for i in range(70)], rel=1e-6, abs=1e-9)
    for index in (0, 33, 69):
        error = frames[index][1][:64].astype(float) - scene.render(index)
        assert abs(error.mean()) < 0.3
        assert error.std() < 2


def test_truth_table_tells_what_the_scene_tells(tmp_path):
    scene = Vortex(frames=6, width=128, height=128)
    table = write_scene(scene, tmp_path / "v.npy")
    assert b"\r" not in table.read_bytes()
    with open(table, encoding="ascii", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["frame", "time_s", "track", "x_px", "y_px", "visible"]
    expected = np.concatenate([scene.truth(i) for i in range(6)])
    assert len(rows) == len(expected)
    read = np.array(rows, float)
    for column, name in enumerate(expected.dtype.names):
        np.testing.assert_allclose(read[:, column], expected[name].astype(float), atol=6e-5)


@pytest.mark.parametrize(
    ("name", "changes", "lossless", "words"),
    [
        ("a.gif", {}, False, "not as .gif"),
        ("a", {}, False, "bare name"),
        ("a.mp4", {}, True, "lossless"),
        ("a.mp4", {"bits": 12}, False, "8 bits"),
        ("a.mp4", {"width": 65}, False, "even width"),
        ("nowhere/a.mp4", {}, False, "cannot be written"),
        ("nowhere/a.npy", {}, False, "cannot be written"),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path, name, changes, lossless, words):
    scene = Plate(**({"width": 64, "height": 64, "frames": 2} | changes))
    with pytest.raises(InputError, match=words):
        write_scene(scene, tmp_path / name, lossless=lossless)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.npy", "a.avi", "a.mkv"])
def test_what_does_not_fit_is_said_before_it_is_rendered(tmp_path, name, monkeypatch):
    """The least that it takes; what nobody can know is tried."""
    scene = make_scene("blobs?width=64&height=48&frames=10&count=3")
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=64 * 48 * 10 // 8 - 1))
    with pytest.raises(InputError, match=r"needs .*, and 3.8 kB are free there; take fewer frames"):
        write_scene(scene, tmp_path / name, lossless=name == "a.mkv")
    assert not list(tmp_path.iterdir())
    if name != "a.npy":
        write_scene(make_scene("blobs?width=64&height=48&frames=10&count=3&noise=false"), tmp_path / name,
                    lossless=name == "a.mkv")  # fmt: skip
        assert (tmp_path / name).exists()
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=64 * 48 * 10))
    write_scene(scene, tmp_path / name, lossless=name == "a.mkv")
    assert (tmp_path / name).exists()


def test_a_stopped_run_leaves_no_half_a_file_and_keeps_the_old_one(tmp_path):
    path = tmp_path / "a.mkv"
    path.write_bytes(b"old")

    def stop(done, total):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_scene(Plate(width=64, height=64, frames=9), path, progress=stop)
    assert [p.name for p in tmp_path.iterdir()] == ["a.mkv"]
    assert Path(path).read_bytes() == b"old"
