"""Simulated scenes: frames depend on (seed, index) alone, noise is the sensor's, wrong specs are refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.sources.simulated import sensor
from app.sources.simulated.scenes.blobs import Blobs
from app.sources.simulated.scenes.plate import Plate
from app.sources.simulated.source import make_scene, open_scene, scenes
from kernels.errors import SourceError
from tests.letters import LETTERS

NAMES = sorted(scenes())


# -- the scenes as frames ---------------------------------------------------------------------------------------------


def test_there_are_the_scenes_of_the_readme():
    assert {"ball", "bars", "beam", "blobs", "brownian", "disk", "face", "insects", "plate", "targets",
            "vortex"} <= set(NAMES)
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
    assert int(picture.max()) - int(picture.min()) > (8 if name in ("bars", "blobs", "brownian") else 90)
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
        ("sim:", "there are: ball, bars, beam"),
        ("sim:zzz?width=3", "there are: ball, bars, beam"),
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
@given(st.text(LETTERS, max_size=30))
def test_any_other_text_is_refused_and_nothing_else(text):
    try:
        make_scene("sim:" + text)
    except SourceError:
        return
    assert text.partition("?")[0] in NAMES
