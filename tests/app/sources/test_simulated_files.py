"""Files of simulated scenes: every bit, count, time and truth is there, and none is left half written."""

from __future__ import annotations

import csv
from pathlib import Path
from types import SimpleNamespace

import av
import numpy as np
import pytest

from app.cautions import compression_hints
from app.sources.opening import open_source
from app.sources.simulated.scenes.blobs import Blobs
from app.sources.simulated.scenes.plate import Plate
from app.sources.simulated.scenes.vortex import Vortex
from app.sources.simulated.source import make_scene
from app.sources.simulated.writing import truth_path, write_scene
from kernels.errors import InputError

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


def test_motion_jpeg_is_gray_and_each_frame_stands_by_itself(tmp_path):
    scene = Plate(width=95, height=63, frames=12, fps=997.0)
    errors = {}
    for quality in (50, 95):
        path = tmp_path / f"p{quality}.avi"
        write_scene(scene, path, jpeg=quality)
        form, _, frames = decode(path)
        assert (form, len(frames)) == ("gray", 12)
        assert [time for time, _ in frames] == pytest.approx([i / 997 for i in range(12)], abs=1e-9)
        errors[quality] = np.std([picture.astype(float) - scene.render(i) for i, (_, picture) in enumerate(frames)])
        info = open_source(path).info
        assert info.time.fps == 997
        assert info.metadata["key_frames"] == info.frames == 12
        assert compression_hints(info) == []
    assert errors[95] < 2 < 4 < errors[50], errors
    assert (tmp_path / "p95.avi").stat().st_size > 2 * (tmp_path / "p50.avi").stat().st_size


@pytest.mark.parametrize(
    ("name", "jpeg", "lossless", "bits", "words"),
    [
        ("a.avi", 0, False, 8, "1 to 100"),
        ("a.avi", 101, False, 8, "1 to 100"),
        ("a.mp4", 90, False, 8, "as .avi"),
        ("a.avi", 90, True, 8, "loses a little"),
        ("a.avi", 90, False, 12, "8 bits"),
    ],
)
def test_motion_jpeg_that_cannot_be_written_is_refused(tmp_path, name, jpeg, lossless, bits, words):
    with pytest.raises(InputError, match=words):
        write_scene(Plate(width=64, height=64, frames=2, bits=bits), tmp_path / name, lossless=lossless, jpeg=jpeg)
    assert list(tmp_path.iterdir()) == []


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
        ("a.avi", {"fps": 1001.0}, False, "up to 1000 frames a second"),
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
