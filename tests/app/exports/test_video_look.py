"""Exported videos: words and a stopwatch burnt in, contrast, pace, crop, and a body that stays still."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest

from app.cli import main
from app.exports.drawing import to_bytes
from app.exports.export import export_results
from app.exports.still import Still
from app.exports.video_look import Burner, Note, VideoLook, clock_words, parse_note
from app.plots.lettering import lettering
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State, Tracks
from tests.tracks_csv import write_tracks_csv

Array = npt.NDArray[Any]
SIZE, FRAMES, FPS = (320, 240), 12, 1000.0


def places(frame: int, turn: float = 0.04) -> Array:
    """Three points of a body that goes 6 px right and 3 px down a frame, and turns about its middle."""
    angle = turn * frame
    shape = np.array([(0, 0), (40, 0), (0, 30)]) - np.array([13.0, 10.0])
    spin = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return np.asarray(shape @ spin.T + np.array([80.0, 70.0]) + frame * np.array([6.0, 3.0]))


def drawn(points: Array) -> Array:
    """Bright spots of 3 px on a dark ground."""
    y, x = np.mgrid[: SIZE[1], : SIZE[0]]
    total = sum(np.exp(-((x - px) ** 2 + (y - py) ** 2) / (2 * 2.0**2)) for px, py in points)
    return np.asarray(20 + 200 * np.clip(total, 0, 1)).astype(np.uint8)


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of tracks, with its clip beside it."""
    folder = tmp_path_factory.mktemp("body")
    np.save(folder / "clip.npy", np.stack([drawn(places(k)) for k in range(FRAMES)]))
    rows = np.concatenate([rows_of(k) for k in range(FRAMES)])
    write_tracks_csv(str(folder / "tracks.csv"), rows)
    return folder


def rows_of(frame: int, turn: float = 0.04) -> Tracks:
    rows = np.zeros(3, TRACK_DTYPE)
    rows["frame"], rows["time"], rows["track"] = frame, frame / FPS, np.arange(3)
    rows["x"], rows["y"] = places(frame, turn).T
    rows["sigma"], rows["state"], rows["score"] = 0.05, State.TRACKED, 1.0
    return rows


def video(tracked: Path, tmp_path: Path, look: VideoLook, **options: Any) -> tuple[list[Array], float]:
    """The frames of an export, gray, and its rate."""
    tmp_path.mkdir(exist_ok=True)
    target = tmp_path / "out.mp4"
    export_results(tracked / "tracks.csv", out=target, clip=str(tracked / "clip.npy"), fps=FPS, video=look, **options)
    with av.open(str(target)) as container:
        rate = float(container.streams.video[0].average_rate or 0)
        return [frame.to_ndarray(format="gray").astype(int) for frame in container.decode(video=0)], rate


def factor(frames: list[Array], width: int = SIZE[0]) -> float:
    return frames[0].shape[1] / width


def centre(picture: Array, x: float, y: float, scale: float) -> tuple[float, float]:
    """The bright spot near a place, in px of the clip."""
    reach = round(9 * scale)
    cx, cy = round(scale * (x + 0.5)), round(scale * (y + 0.5))
    part = np.clip(picture[max(0, cy - reach) : cy + reach, max(0, cx - reach) : cx + reach] - 90, 0, None)
    assert part.sum() > 0
    rows, columns = np.mgrid[: part.shape[0], : part.shape[1]]
    found = ((columns * part).sum() / part.sum() + max(0, cx - reach), (rows * part).sum() / part.sum()
             + max(0, cy - reach))  # fmt: skip
    return (found[0] + 0.5) / scale - 0.5, (found[1] + 0.5) / scale - 0.5


def test_words_are_seen_in_their_frames_and_the_stopwatch_in_all(tracked: Path, tmp_path: Path) -> None:
    look = VideoLook((Note("Größe µm"), Note("impact", 4, 8)), "ms", 2, levels=(0.0, 1.0), marks=False)
    burnt, _ = video(tracked, tmp_path / "a", look)
    plain, _ = video(tracked, tmp_path / "b", VideoLook(levels=(0.0, 1.0), marks=False))
    high = max(14, min(48, round(SIZE[1] * factor(burnt)) // 18, burnt[0].shape[1] // 28))
    first, second = slice(0, high + 8), slice(high + 12, 2 * high + 14)
    half = burnt[0].shape[1] // 2
    for frame in range(FRAMES):
        changed = np.abs(burnt[frame] - plain[frame]) > 60
        assert changed[first, :half].sum() > 100, "the first line is always there"
        assert (changed[second, :half].sum() > 60) == (4 <= frame < 8)
        assert changed[first, half:].sum() > 60, "the stopwatch"
        assert not changed[4 * high : -40].any(), "all else is as it was"


def test_the_stopwatch_shows_the_time_from_its_zero() -> None:
    shown = []
    for frame in range(3):
        luma, colours = np.full((100, 300), 80, np.uint8), [np.full((50, 150), 90, np.uint8) for _ in range(2)]
        Burner(VideoLook(stopwatch="ms", zero=2), (90, 300), 1000.0, 0.002).burn(luma, colours, frame, frame / 1000)
        words = clock_words((frame - 2) / 1000, "ms", 1000.0)
        assert words == ("-2.0 ms", "-1.0 ms", "0.0 ms")[frame]
        width = lettering(words, 14)[0].shape[1]
        columns = np.flatnonzero((luma != 80).any(axis=0))
        assert columns[-1] >= 300 - 12
        assert width <= columns[-1] - columns[0] + 1 <= width + 5, "as wide as these words with their rim"
        assert (luma[90:] == 80).all(), "what lies below the picture is left alone"
        assert all((plane != 90).any() and (plane[:, :60] == 90).all() for plane in colours)
        shown.append(luma)
    assert not np.array_equal(shown[0], shown[1])


def test_letters_are_as_large_as_a_picture_has_room_for() -> None:
    def high(size: tuple[int, int]) -> int:
        luma = np.zeros((size[0], size[1]), np.uint8)
        Burner(VideoLook((Note("H"),)), size, 0.0, 0.0).burn(luma, [], 0, 0.0)
        return int(np.flatnonzero((luma > 0).any(axis=1)).size)

    assert high((720, 1280)) == pytest.approx(0.73 * 40 + 4, abs=1.5), "18 lines"
    assert high((720, 560)) == pytest.approx(0.73 * 20 + 4, abs=1.5), "28 of them side by side"
    assert high((100, 100)) == pytest.approx(0.73 * 14 + 4, abs=1.5)
    assert high((2000, 3000)) == pytest.approx(0.73 * 48 + 4, abs=1.5)


@pytest.mark.parametrize(("fps", "unit", "words"), [(1000, "s", "0.0123 s"), (50000, "ms", "12.345 ms"),
                                                     (1e6, "us", "12345.0 µs"), (25, "s", "0.012 s")])  # fmt: skip
def test_digits_tell_two_frames_apart(fps: float, unit: str, words: str) -> None:
    assert clock_words(0.012345, unit, fps) == words
    assert clock_words(0.012345, unit, fps) != clock_words(0.012345 + 1 / fps, unit, fps)


def test_a_body_stays_still_with_its_turning_or_a_track_without(tracked: Path, tmp_path: Path) -> None:
    still, _ = video(tracked, tmp_path / "body", VideoLook(follow=(0, 1, 2), levels=(0.0, 1.0), marks=False))
    scale = factor(still)
    for frame in (0, 5, 11):
        for x, y in places(0):
            found = centre(still[frame], x, y, scale)
            assert math.hypot(found[0] - x, found[1] - y) < 0.5
    one, _ = video(tracked, tmp_path / "one", VideoLook(follow=(0,), levels=(0.0, 1.0), marks=False))
    for frame in (5, 11):
        x, y = places(0)[0]
        found = centre(one[frame], x, y, scale)
        assert math.hypot(found[0] - x, found[1] - y) < 0.5
        x, y = places(frame)[1] - places(frame)[0] + places(0)[0]
        found = centre(one[frame], x, y, scale)
        assert math.hypot(found[0] - x, found[1] - y) < 0.5, "the body goes on turning about it"


def test_a_region_is_a_part_of_the_still_picture(tracked: Path, tmp_path: Path) -> None:
    roi = (50, 40, 80, 64)
    still, _ = video(tracked, tmp_path, VideoLook(follow=(0, 1, 2), levels=(0.0, 1.0), marks=False), roi=roi)
    scale = max(1.0, round(640 / 80)) if still[0].shape[1] > 600 else still[0].shape[1] / 80
    scale = (still[0].shape[0] - 26) // 64
    for frame in (0, 11):
        for x, y in places(0) - np.array(roi[:2]):
            found = centre(still[frame], x, y, scale)
            assert math.hypot(found[0] - x, found[1] - y) < 0.5


def test_marks_go_along_with_the_still_picture(tracked: Path, tmp_path: Path) -> None:
    marked, _ = video(tracked, tmp_path / "a", VideoLook(follow=(0, 1, 2), levels=(0.0, 1.0)))
    plain, _ = video(tracked, tmp_path / "b", VideoLook(follow=(0, 1, 2), levels=(0.0, 1.0), marks=False))
    scale = factor(marked)
    changed = np.abs(marked[11] - plain[11]) > 40
    for x, y in places(0):
        cx, cy = round(scale * x), round(scale * y)
        assert changed[cy - 20 : cy + 20, cx - 20 : cx + 20].any()
    x, y = places(11)[0]
    cx, cy = round(scale * x), round(scale * y)
    assert not changed[cy - 12 : cy + 12, cx - 12 : cx + 12].any(), "not where it is in the clip"


def test_frames_in_which_the_body_was_not_seen_are_moved_evenly() -> None:
    rows = np.concatenate([rows_of(k, 0.1) for k in (0, 4, 8)])
    rows["state"][0] = State.TENTATIVE  # it was seen there
    still = Still(rows, (0, 1, 2), np.arange(-1, 10))
    assert still.guessed == 8
    for number, frame in enumerate(range(-1, 10)):
        wanted = places(min(max(frame, 0), 8), 0.1)  # as it is at the ends
        matrix = still.matrix(number)
        found = wanted @ matrix[:, :2].T + matrix[:, 2]
        assert np.abs(found - places(0, 0.1)).max() < 0.01, "it turns .3 px beside its middle"
    corner = still.matrix(3, (10, 20))
    assert np.allclose(corner[:, 2], still.matrix(3)[:, 2] - [10, 20])


def test_levels_gamma_and_pace(tracked: Path, tmp_path: Path) -> None:
    assert to_bytes(np.array([[0, 64, 128, 255]], np.uint8), (64.0, 192.0)).tolist() == [[0, 0, 128, 255]]
    gamma = to_bytes(np.array([[0, 64, 255]], np.uint8), (0.0, 255.0), gamma=2.0)
    assert gamma.tolist() == [[0, round(255 * (64 / 255) ** 0.5), 255]]
    deep = to_bytes(np.array([[0, 1024, 4095]], np.uint16), (0.0, 4095.0), gamma=2.0)
    assert deep.tolist() == [[0, 128, 255]]
    floats = to_bytes(np.array([[-1.0, 0.25, np.nan, 2.0]], np.float32), (0.0, 1.0), gamma=2.0)
    assert floats.tolist() == [[0, 128, 0, 255]]
    dark, rate = video(tracked, tmp_path / "a", VideoLook(levels=(0.0, 4.0), slower=50.0, marks=False))
    assert rate == 20.0
    assert dark[0][:200].max() < 110
    bright, _ = video(tracked, tmp_path / "b", VideoLook(levels=(0.0, 0.1), marks=False))
    assert np.median(bright[0][:200]) > 180, "the ground of 20 of 255"


@pytest.mark.parametrize("text", ["", "  ", "5:5 never", "8:5 never", "two\nlines"])
def test_words_that_are_none_are_said(text: str) -> None:
    with pytest.raises(InputError, match="--text"):
        parse_note(text)


def test_the_command_takes_all_of_it(tracked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "all.mp4"
    given = ["export", str(tracked / "tracks.csv"), "-o", str(target), "--clip", str(tracked / "clip.npy"), "-q"]
    assert main([*given, "--fps", "1000", "--text", "drop 3", "--text", "4:8 contact", "--stopwatch", "us", "--zero",
                 "3", "--levels", "0,0.9", "--gamma", "1.5", "--slower", "100", "--follow", "0,1", "--no-marks",
                 "--roi", "40,30,120,96"]) == 0  # fmt: skip
    with av.open(str(target)) as container:
        assert float(container.streams.video[0].average_rate or 0) == 10.0
    capsys.readouterr()
    for options, why in (
        (["--zero", "3"], "add --stopwatch"), (["--levels", "1"], "--levels takes two numbers"),
        (["--levels", "0.5,0.2"], "black and white"), (["--gamma", "0"], "gamma"),
        (["--follow", "a"], "--follow takes"),
        (["--follow", "77"], "track 77 was not seen"), (["--slower", "-3"], "slower than life"),
        (["--slower", "3", "--playback", "5"], "give one of them"), (["--stopwatch", "s", "--zero", "99"], "frame 99"),
        (["--text", ""], "--text takes"),
    ):  # fmt: skip
        assert main([*given, "--force", "--fps", "1000", *options]) == 2
        said = capsys.readouterr().err
        assert why in said
        assert said.count("\n") == 1
    assert main([*given, "--force", "--stopwatch", "s"]) == 2, "no rate"
    assert "capture rate" in capsys.readouterr().err
    assert main(["export", str(tracked / "tracks.csv"), "-o", str(tmp_path / "x.parquet"), "--text", "a"]) == 2
    assert "--to mp4" in capsys.readouterr().err
    assert main(["export", str(tracked / "clip.npy"), "-o", str(tmp_path / "c.mp4"), "--follow", "1"]) == 2
    assert "beside tracks alone" in capsys.readouterr().err
