"""The shipped clips: small, whole, at their capture rate, and where their truth says."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from app.sources.simulated.source import make_scene

FOLDER = Path(__file__).parents[2] / "sample_videos"
CLIPS = {
    "face_markers_800fps": ("face", 520, 800, 90),
    "beam_1000fps": ("beam", 400, 1000, 88),
    "vortex_600fps": ("vortex?seed=286", 480, 600, 92),
    "falling_ball_1000fps": ("ball", 360, 1000, 92),
}
"""Scene, frames, frames a second, quality of JPEG."""


def load(name, count=None):
    """The first `count` pictures of a clip, its frame rate, and its truth as a structured array."""
    pictures = []
    with av.open(str(FOLDER / f"{name}.avi")) as container:
        stream = container.streams.video[0]
        rate, declared = float(stream.average_rate), stream.frames
        for frame in container.decode(stream):
            assert float(frame.pts * stream.time_base) == pytest.approx(len(pictures) / rate, abs=1e-9)
            pictures.append(frame.to_ndarray(format="gray"))
            if len(pictures) == count:
                break
    truth = np.genfromtxt(FOLDER / f"{name}.truth.csv", delimiter=",", names=True)
    return np.stack(pictures), rate, declared, truth


def weighted_centroid(picture, x, y, sigma, half=6):
    """Gaussian-weighted, iterated centroid on the median of the window's rim, started at (x, y)."""
    left, top = round(x) - half, round(y) - half
    window = picture[top : top + 2 * half + 1, left : left + 2 * half + 1].astype(float)
    rows, columns = np.mgrid[top : top + 2 * half + 1, left : left + 2 * half + 1]
    rim = np.hypot(columns - x, rows - y) >= half - 1.5
    window = window - np.median(window[rim])
    for _ in range(8):
        weight = window * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * sigma**2))
        x += 2 * ((weight * columns).sum() / weight.sum() - x)
        y += 2 * ((weight * rows).sum() / weight.sum() - y)
    return x, y


def test_the_folder_holds_the_clips_and_nothing_else():
    files = {path.name for path in FOLDER.iterdir() if path.is_file()}
    clips = {f"{name}{ending}" for name in CLIPS for ending in (".avi", ".truth.csv")}
    assert files == clips | {"README.md", "__init__.py"}
    assert all(path.stat().st_size < 4_000_000 for path in FOLDER.iterdir())


@pytest.mark.parametrize("name", CLIPS)
def test_clip_is_the_scene_of_the_documented_command(name):
    spec, frames, fps, quality = CLIPS[name]
    quoted = spec if "?" not in spec else f'"{spec}"'
    command = f"fusetrack simulate {quoted} {name}.avi --frames {frames} --jpeg {quality}`"
    assert command in (FOLDER / "README.md").read_text(encoding="utf-8")
    scene = make_scene(spec)
    pictures, rate, declared, truth = load(name, 40)
    assert (rate, declared, scene.fps) == (fps, frames, fps)
    assert sorted(set(truth["frame"])) == list(range(frames))
    for index in (0, 39):
        error = pictures[index].astype(float) - scene.render(index)
        assert abs(error.mean()) < 0.3
        assert error.std() < 2.5
    for index in (0, frames // 2, frames - 1):
        rows, expected = truth[truth["frame"] == index], scene.truth(index)
        np.testing.assert_array_equal(rows["track"], expected["track"])
        np.testing.assert_array_equal(rows["visible"], expected["visible"])
        np.testing.assert_allclose(rows["x_px"], expected["x"], atol=1e-4)
        np.testing.assert_allclose(rows["y_px"], expected["y"], atol=1e-4)
        np.testing.assert_allclose(rows["time_s"], index / fps, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "sigma", "allowed"), [("face_markers_800fps", 1.9, 0.06), ("vortex_600fps", 1.4, 0.04)]
)
def test_spots_lie_where_the_truth_says(name, sigma, allowed):
    pictures, _, declared, truth = load(name)
    assert len(pictures) == declared
    errors = []
    for index in range(0, len(pictures), 16):
        rows = truth[truth["frame"] == index]
        for row in rows[rows["visible"] == 1]:
            apart = np.sort(np.hypot(rows["x_px"] - row["x_px"], rows["y_px"] - row["y_px"]))
            inside = 7 < row["x_px"] < pictures.shape[2] - 8 and 7 < row["y_px"] < pictures.shape[1] - 8
            if inside and apart[1] > 12:
                x, y = weighted_centroid(pictures[index], row["x_px"], row["y_px"], sigma)
                errors.append((x - row["x_px"], y - row["y_px"]))
    assert len(errors) > 400
    rms = np.sqrt(np.mean(np.square(errors), axis=0))
    assert (rms < allowed).all(), rms
    assert np.abs(errors).max() < 0.3


def test_beam_points_move_as_the_truth_says():
    pictures, _, declared, truth = load("beam_1000fps")
    assert len(pictures) == declared
    truth = truth.reshape(len(pictures), -1)
    half, errors = 12, []
    reference = pictures[:16].astype(float)
    for k in range(truth.shape[1]):
        x, y = round(truth["x_px"][0, k]), round(truth["y_px"][0, k])
        cut = np.s_[:, y - half : y + half + 1, x - half : x + half + 1]
        # one linear step against the mean of 16 frames, with gain and offset; motions here are below a pixel
        template = reference[cut].mean(0)
        origin = truth["y_px"][:16, k].mean()
        gy, gx = np.gradient(template)
        design = np.stack([gx.ravel(), gy.ravel(), template.ravel(), np.ones(template.size)], 1)
        moved = -np.linalg.lstsq(design, pictures[cut].reshape(len(pictures), -1).T.astype(float), rcond=None)[0][1]
        small = np.abs(truth["y_px"][:, k] - origin) < 0.35
        errors.extend((moved - (truth["y_px"][:, k] - origin))[small])
    assert len(errors) > 2000
    assert np.sqrt(np.mean(np.square(errors))) < 0.05
    assert np.ptp(truth["y_px"][:, -1]) > 1


def test_the_balls_parabola_gives_g():
    pictures, _, declared, truth = load("falling_ball_1000fps")
    assert len(pictures) == declared
    times, heights = [], []
    for row in truth[(truth["visible"] == 1) & (truth["frame"] > 0)]:
        x, y = round(row["x_px"]), round(row["y_px"])
        top = max(y - 16, 0)
        weight = np.clip(pictures[int(row["frame"])][top : y + 17, x - 16 : x + 17].astype(float) - 60, 0, None)
        times.append(row["time_s"])
        heights.append((weight.sum(1) * (top + np.arange(len(weight)))).sum() / weight.sum())
    assert len(times) > 330
    assert 2 * np.polyfit(times, heights, 2)[0] / 0.5 / 1000 == pytest.approx(9.81, rel=0.01)
