from __future__ import annotations

import errno
import io
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exports.drawing import display_size, find_levels, quantiles, resized, to_bytes, to_display
from app.exports.markers import CROWD, MOST_WAITING
from app.exports.overlay import OverlayStyle, OverlayWriter, slow_motion
from app.keypoints import Keypoints
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, Reason, State, Tracks, no_tracks

Array = npt.NDArray[Any]


def _rows(frame: int, places: list[tuple[float, float]], state: State = State.TRACKED) -> Tracks:
    rows = np.zeros(len(places), TRACK_DTYPE)
    rows["frame"], rows["time"], rows["track"] = frame, frame / 1000, np.arange(len(places))
    rows["x"], rows["y"] = np.array(places).reshape(-1, 2).T
    rows["state"] = state
    return rows


def _decoded(path: Path) -> list[Array]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="bgr24").astype(int) for frame in container.decode(video=0)]


def _centre(window: Array) -> tuple[float, float]:
    """Middle of what is bright."""
    y, x = np.nonzero(window.max(axis=2) > 70)
    assert len(x) > 12
    return float((x.min() + x.max()) / 2), float((y.min() + y.max()) / 2)


@pytest.mark.parametrize("size", [(161, 97), (700, 500), (33, 251)])
def test_video_has_all_frames_and_markers_where_the_tracks_are(tmp_path: Path, size: tuple[int, int]) -> None:
    width, height = size
    path = tmp_path / "o.mp4"
    style = OverlayStyle(trail=0, levels=(0.0, 255.0))
    with OverlayWriter(path, width, height, 1000.0, style) as writer:
        for i in range(9):
            # The label lies above to the right of the marker; low ids of one digit stay small.
            writer.write(np.zeros((height, width), np.uint8), _rows(i, [(10.25 + i, 20.5 + i)]), i, i / 1000)
        s = writer.factor
    frames = _decoded(path)
    assert len(frames) == 9
    assert all(side % 2 == 0 for side in frames[0].shape[:2])
    assert frames[0].shape[1] >= min(640, 640 * width / height) or s * max(size) > 640
    for i, frame in enumerate(frames):
        x, y = s * (10.25 + i) + (s - 1) / 2, s * (20.5 + i) + (s - 1) / 2
        far = 6 if s == 1 else 7  # the label begins beyond
        top, left = round(y) - far, round(x) - far
        window = frame[top : top + 2 * far + 1, left : left + 2 * far + 1]
        found = _centre(window)
        b, g, r = window[window.max(axis=2) > 150].mean(axis=0)
        assert r > g > b + 50  # orange, the colour of track 0
        assert abs(found[0] + left - x) <= 1.0
        assert abs(found[1] + top - y) <= 1.0


def test_of_a_slow_motion_only_the_frames_that_it_shows_are_drawn(tmp_path: Path) -> None:
    """Each third one: its markers lie where its own rows are, and trails go through the frames between."""
    path = tmp_path / "o.mp4"
    black = np.zeros((300, 700), np.uint8)
    with OverlayWriter(path, 700, 300, 900.0, OverlayStyle(levels=(0.0, 255.0), every=3), 20) as writer:
        assert writer.facts == {"every": 3, "shown": "86x slower"}  # 7 frames in 2 s
        drawn = []
        for i in range(20):
            drawn.append(writer.draws_next)
            # Up and down: a straight line between the frames that are drawn would miss the corners.
            writer.write(black, _rows(i, [(100.0 + 20 * i, 150.0 if i % 3 == 0 else 110.0)]), i, i / 900)
    assert [i for i, now in enumerate(drawn) if now] == [0, 3, 6, 9, 12, 15, 18]
    frames = _decoded(path)
    assert len(frames) == 7
    last = frames[-1].max(axis=2)
    assert last[140:161, 450:471].max() > 150  # the ring of frame 18
    for i in range(4, 17):
        x, y = 100 + 20 * i, 150 if i % 3 == 0 else 110
        assert last[y - 2 : y + 3, x - 2 : x + 3].max() > 60, i


def test_a_video_of_each_frame_or_of_some_draws_the_same_picture() -> None:
    black = np.zeros((300, 700), np.float32)
    rng = np.random.default_rng(0)
    paths = np.cumsum(rng.normal(0, 2, (31, 5, 2)), axis=0) + np.stack((80 + 130 * np.arange(5), [150] * 5), axis=1)
    every, some = (_painter(700, 300, OverlayStyle(levels=(0.0, 1.0), every=n)) for n in (1, 5))
    for i, places in enumerate(paths):
        rows = _rows(i, [(float(x), float(y)) for x, y in places])
        one = _drawn(every, black, rows, i, i / 1000)
        if i % 5:
            some._painter.add(rows)
        else:
            other = _drawn(some, black, rows, i, i / 1000)
            np.testing.assert_array_equal(one[:300], other[:300])
    assert np.count_nonzero(one[:300].max(axis=2) > 60) > 400


def test_a_picture_that_is_drawn_after_more_frames_than_a_trail_has_shows_the_last_of_them_alone() -> None:
    """Neither frames between two pictures nor the picture before leave what is older, where newer trails cross it."""
    trail, between = 20, 50
    black = np.zeros((300, 700), np.float32)
    style = OverlayStyle(trail=trail, levels=(0.0, 1.0), every=between)
    steps = np.random.default_rng(0).normal(0, 3, (3 * between, 8, 2))
    rows = [
        _rows(i, [(float(x), float(y)) for x, y in at]) for i, at in enumerate(np.cumsum(steps, axis=0) + (200, 150))
    ]
    long = _painter(700, 300, style)
    for last in range(between - 1, len(rows), between):
        fresh = _painter(700, 300, style)
        for painter, first in ((long, last + 1 - between), (fresh, last - trail)):
            for some in rows[first:last]:
                painter._painter.add(some)
        assert sum(len(seen.at) for seen in long._painter._seen) <= 8 * (trail + MOST_WAITING)
        one, other = (_drawn(painter, black, rows[last], last, 0.0) for painter in (long, fresh))
        np.testing.assert_array_equal(one[:300], other[:300])
    assert np.count_nonzero(one[:300].max(axis=2) > 60) > 400


def test_losses_stay_marked_for_as_many_pictures_of_a_slow_motion() -> None:
    painter = _painter(700, 300, OverlayStyle(trail=0, levels=(0.0, 1.0), every=4))
    black = np.zeros((300, 700), np.float32)
    painter._painter.add(_rows(0, [(300.0, 150.0)], State.LOST))
    shown = []
    for _ in range(24):
        for _between in range(3):
            painter._painter.add(no_tracks())
        shown.append(bool(_drawn(painter, black, no_tracks(), 0, 0.0)[140:161, 290:311].max()))
    assert shown == [True] * 19 + [False] * 5


@pytest.mark.parametrize(
    ("fps", "frames", "every"),
    [(1000.0, 179, 1), (1000.0, 180, 2), (600.0, 400, 4), (600.0, 100_000, 5), (59.0, 100_000, 1), (0.0, 480, 1)],
)
def test_slow_motion_lasts_three_seconds_and_stays_slow(fps: float, frames: int, every: int) -> None:
    assert slow_motion(fps, frames) == every
    if every > 1:
        assert frames / every / 30 >= 3
        assert fps / (30 * every) >= 4


def test_which_frames_are_shown_is_written_below_in_as_many_words_as_there_is_room_for() -> None:
    lengths = []
    for width in (520, 480):
        painter = _painter(width, 600, OverlayStyle(levels=(0.0, 1.0), every=2))
        canvas = _drawn(painter, np.zeros((600, width), np.float32), no_tracks(), 12345, 12.345)
        inked = np.flatnonzero(canvas[600:].max(axis=(0, 2)) > 60)
        gaps = np.flatnonzero(np.diff(inked) > 18)  # between the words on the left, and to those on the right
        lengths.append(int(inked[-1] - inked[gaps[-1] + 1]))
        assert inked[-1] < width - 4
    assert lengths[0] > 1.3 * lengths[1] > 130


def test_markers_are_exact_to_a_part_of_a_pixel() -> None:
    writer_style = OverlayStyle(trail=0, levels=(0.0, 1.0))
    for x, y in ((50.0, 40.0), (50.5, 40.25), (50.3, 39.8)):
        painter = _painter(700, 300, writer_style)
        canvas = _drawn(painter, np.zeros((300, 700), np.float32), _rows(0, [(x, y)]), 0, 0.0).astype(float)
        window = canvas[30:51, 40:56].max(axis=2)  # without the label
        ring = np.where(window > 60, window, 0.0)
        yy, xx = np.mgrid[30:51, 40:56]
        assert abs((ring * yy).sum() / ring.sum() - y) < 0.35
        full = canvas[38:43, 40:61].max(axis=2)
        xx = np.arange(40, 61)
        assert abs((full * xx).sum() / full.sum() - x) < 0.35


def _painter(width: int, height: int, style: OverlayStyle) -> OverlayWriter:
    """A writer whose frames are looked at, not encoded."""
    writer = OverlayWriter(Path(tempfile.gettempdir()) / "unused.mp4", width, height, 1000.0, style)
    writer.discard()
    return writer


def _drawn(painter: OverlayWriter, picture: Array, rows: Tracks, index: int, time: float) -> Array:
    """The next frame as blue, green, red."""
    return painter.draw(picture, rows, index, time).bgr()


def test_trails_fade_and_predictions_and_losses_differ() -> None:
    painter = _painter(700, 300, OverlayStyle(trail=40, levels=(0.0, 1.0)))
    black = np.zeros((300, 700), np.float32)
    for i in range(40):
        canvas = _drawn(painter, black, _rows(i, [(100.0 + 10 * i, 150.0)]), i, i / 1000).astype(int)
    trail = canvas[150, 110:480].max(axis=1)
    assert trail[-60:].mean() > 1.8 * trail[:60].mean() > 20
    assert canvas[150, 100:480].max() > 150
    assert canvas[100, 100:480].max() == 0
    seen = _drawn(painter, black, _rows(40, [(500.0, 150.0)]), 40, 0.04)[140:161, 490:511].astype(int)
    predicted = _rows(41, [(500.0, 150.0)], State.PREDICTED)
    guess = _drawn(painter, black, predicted, 41, 0.041)[140:161, 490:511].astype(int)
    assert 0 < (guess.max(axis=2) > 120).sum() < 0.9 * (seen.max(axis=2) > 120).sum()
    lost = _rows(42, [(300.0, 60.0)], State.LOST)
    lost["reason"] = Reason.LEFT_IMAGE
    marked = _drawn(painter, black, lost, 42, 0.042)
    assert marked[60, 300].min() > 200  # the middle of the cross
    assert marked[40:60, 308:380].max() > 150  # the reason
    for i in range(43, 70):
        marked = _drawn(painter, black, no_tracks(), i, i / 1000)
    assert marked[40:75, 290:380].max() == 0


def test_the_line_of_text_does_not_cover_the_picture() -> None:
    painter = _painter(700, 300, OverlayStyle(levels=(0.0, 1.0)))
    canvas = _drawn(painter, np.full((300, 700), 0.5, np.float32), no_tracks(), 12345, 12.345)
    assert (canvas[:300, :700] == 128).all()
    assert canvas[300:].max() > 200


@pytest.mark.parametrize(
    "picture",
    [
        np.linspace(0, 4095, 64 * 48).reshape(48, 64).astype(np.uint16),
        np.linspace(-3, 9, 64 * 48).reshape(48, 64),
        np.linspace(0, 255, 64 * 48 * 3).reshape(48, 64, 3).astype(np.uint8),
        np.linspace(0, 65535, 64 * 48 * 4).reshape(48, 64, 4).astype(np.uint16),
        (np.arange(64 * 48) % 2 == 0).reshape(48, 64, 1),
        np.full((48, 64), 7, np.uint8),
        np.full((48, 64), np.nan, np.float32),
        np.linspace(-2000, 2000, 64 * 48).reshape(48, 64).astype(np.int16),
    ],
)
def test_any_picture_can_be_shown(tmp_path: Path, picture: Array) -> None:
    shown = to_display(picture, find_levels([picture]))
    assert (shown.shape, shown.dtype) == ((48, 64, 3), np.uint8)
    if np.isfinite(picture).all() and picture.astype(float).std() > 0:
        assert shown.min() < 10
        assert shown.max() > 245
    with OverlayWriter(tmp_path / "o.mp4", 64, 48, float("nan")) as writer:
        for i in range(6):
            writer.write(picture, no_tracks(), i, float("nan"))
    assert len(_decoded(tmp_path / "o.mp4")) == 6


def test_colours_of_the_clip_stay() -> None:
    red = np.zeros((4, 4, 3), np.uint8)
    red[:, :, 0] = 255
    assert to_display(red, (0.0, 255.0)).tolist()[0][0] == [0, 0, 255]
    assert to_display(red, (0.0, 255.0), rgb=False).tolist()[0][0] == [255, 0, 0]


def test_pictures_without_colour_are_known_by_all_of_their_pixels() -> None:
    picture = np.random.default_rng(0).integers(0, 256, (40, 50, 1), np.uint8).repeat(3, axis=2)
    np.testing.assert_array_equal(to_bytes(picture, (0.0, 255.0)), picture[:, :, 0])
    np.testing.assert_array_equal(to_bytes(picture[::-1, ::2], (0.0, 255.0)), picture[::-1, ::2, 0])
    for channel in range(3):
        one = picture.copy()
        one[17, 23, channel] ^= 1
        np.testing.assert_array_equal(to_bytes(one, (0.0, 255.0)), one[:, :, ::-1])


def test_noise_of_a_flat_picture_is_not_blown_up() -> None:
    noise = (100 + np.random.default_rng(0).integers(0, 2, (50, 50))).astype(np.uint8)
    shown = to_display(noise, find_levels([noise]))
    assert int(shown.max()) - int(shown.min()) < 40


@given(st.data(), st.sampled_from([np.uint8, np.uint16, np.float32]))
def test_quantiles_have_the_bits_of_numpy_s(data: st.DataObject, kind: type) -> None:
    values = data.draw(st.lists(st.integers(0, data.draw(st.integers(1, 255))), min_size=1, max_size=60))
    shares = data.draw(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=3))
    sample = np.array(values, kind)
    assert quantiles(sample, shares) == np.quantile(sample.astype(np.float64), shares).tolist()


@pytest.mark.parametrize(
    ("size", "factor"),
    [((64, 48), 9), ((224, 384), 2), ((288, 320), 2), ((640, 480), 1), ((8, 1024), 1), ((5000, 100), 0.5)],
)
def test_display_size(size: tuple[int, int], factor: float) -> None:
    assert display_size(*size) == factor


@pytest.mark.parametrize("factor", [3.0, 0.5])
def test_pixel_centres_move_as_stated(factor: float) -> None:
    picture = np.zeros((80, 80, 3), np.uint8)
    picture[40:42, 20:22] = 255  # its middle is (20.5, 40.5)
    big = resized(picture, factor)[:, :, 0].astype(float)
    yy, xx = np.mgrid[: big.shape[0], : big.shape[1]]
    assert (big * xx).sum() / big.sum() == pytest.approx(factor * 20.5 + (factor - 1) / 2, abs=0.05)
    assert (big * yy).sum() / big.sum() == pytest.approx(factor * 40.5 + (factor - 1) / 2, abs=0.05)


def test_an_interrupted_overlay_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "o.mp4"
    with pytest.raises(KeyboardInterrupt), OverlayWriter(path, 64, 48, 1000.0) as writer:  # noqa: PT012
        for i in range(20):
            writer.write(np.zeros((48, 64), np.uint8), no_tracks(), i, i / 1000)
            if i == 12:
                raise KeyboardInterrupt
    assert len(_decoded(path)) == 13
    assert os.listdir(tmp_path) == ["o.mp4"]


def test_without_a_frame_there_is_no_file(tmp_path: Path) -> None:
    with OverlayWriter(tmp_path / "o.mp4", 64, 48, 1000.0) as writer:
        pass
    assert writer.close() == 0
    assert os.listdir(tmp_path) == []


class _FullFile(io.FileIO):
    def write(self, data: Any) -> int:
        if self.tell() > 20000:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)


def _noise(writer: OverlayWriter, frames: int) -> None:
    rng = np.random.default_rng(0)
    for i in range(frames):
        writer.write(rng.integers(0, 256, (256, 320), np.uint8), no_tracks(), i, i / 1000)


def test_a_disk_that_fills_up_while_the_video_is_written(tmp_path: Path) -> None:
    with (  # noqa: PT012
        pytest.raises(InputError, match=r"the disk is full: o\.mp4"),
        OverlayWriter(tmp_path / "o.mp4", 320, 256, 1000.0) as writer,
    ):
        assert writer._file is not None
        writer._file.close()
        assert writer._disk is not None
        writer._file = writer._disk._file = _FullFile(writer._pending.temporary, "w+b")  # type: ignore[assignment]
        _noise(writer, 60)
    assert os.listdir(tmp_path) == []


def test_full_disk_on_a_real_disk(small_disk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with (
        pytest.raises(InputError, match="the disk is full"),
        OverlayWriter(small_disk / "o.mp4", 320, 256, 1000.0) as writer,
    ):
        _noise(writer, 60)
    assert os.listdir(small_disk) == []
    assert capfd.readouterr() == ("", "")  # libav would print the trace of what it drops


def test_the_first_failure_is_the_one_that_is_told(small_disk: Path) -> None:
    with (  # noqa: PT012
        pytest.raises(InputError, match=r"^first$"),
        OverlayWriter(small_disk / "o.mp4", 320, 256, 1000.0) as writer,
    ):
        for i in range(5):
            writer.write(np.zeros((256, 320), np.uint8), no_tracks(), i, i / 1000)
        (small_disk / "fill").write_bytes(bytes(shutil.disk_usage(small_disk).free))
        raise InputError("first")


def test_misuse(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        OverlayWriter(tmp_path / "no" / "o.mp4", 64, 48, 1000.0)
    writer = OverlayWriter(tmp_path / "o.mp4", 64, 48, 1000.0)
    with pytest.raises(ValueError, match=r"\(48, 64\), not \(64, 48\)"):
        writer.write(np.zeros((64, 48), np.uint8), no_tracks(), 0, 0.0)
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.write(np.zeros((48, 64), np.uint8), no_tracks(), 0, 0.0)


@pytest.mark.parametrize(("fps", "frames", "seconds"), [(1000.0, 3, 2.0), (float("nan"), 20, 2.0), (10.0, 40, 4.0)])
def test_few_frames_play_slowly_and_never_faster_than_life(
    tmp_path: Path, fps: float, frames: int, seconds: float
) -> None:
    with OverlayWriter(tmp_path / "o.mp4", 64, 48, fps, frames=frames) as writer:
        for i in range(frames):
            writer.write(np.zeros((48, 64), np.uint8), no_tracks(), i, i / 1000)
    with av.open(str(tmp_path / "o.mp4")) as container:
        assert float(container.duration or 0) / 1e6 == pytest.approx(seconds, rel=0.02)


@pytest.mark.parametrize("ground", [0.0, 0.5, 0.9, 1.0])
def test_numbers_are_white_with_a_dark_rim_on_any_ground(ground: float) -> None:
    painter = _painter(700, 300, OverlayStyle(levels=(0.0, 1.0)))
    canvas = _drawn(painter, np.full((300, 700), ground, np.float32), _rows(0, [(300.0, 150.0)]), 0, 0.0)
    number = canvas[130:150, 306:330].max(axis=2)
    assert (number > 225).sum() > 15
    if ground > 0.2:
        assert (number < 60).sum() > 25


def test_a_crowd_has_small_rings_and_no_numbers_and_losses_do_not_pile_up() -> None:
    painter = _painter(700, 300, OverlayStyle(trail=0, levels=(0.0, 1.0)))
    places = [(20.0 + 30 * (i % 22), 20.0 + 30 * (i // 22)) for i in range(150)]
    black = np.zeros((300, 700), np.float32)
    crowd = _drawn(painter, black, _rows(0, places), 0, 0.0).astype(int)
    few = _drawn(painter, black, _rows(1, places[:50]), 1, 0.0).astype(int)
    around = slice(12, 32), slice(12, 36)
    assert 0 < (crowd[around].max(axis=2) > 60).sum() < 0.5 * (few[around].max(axis=2) > 60).sum()
    painter = _painter(700, 300, OverlayStyle(trail=0, levels=(0.0, 1.0)))
    for i in range(15):
        canvas = _drawn(painter, black, _rows(i, [(100.0 + 0.2 * i, 150.0)] * 3, State.LOST), i, 0.0)
    one = _drawn(_painter(700, 300, OverlayStyle(trail=0, levels=(0.0, 1.0))), black,
                 _rows(0, [(102.8, 150.0)], State.LOST), 0, 0.0)  # fmt: skip
    np.testing.assert_array_equal(canvas[:300], one[:300])


def test_to_look_at_a_frame_needs_as_much_memory_after_any_number_of_frames() -> None:
    painter = _painter(700, 300, OverlayStyle(levels=(0.0, 1.0)))._painter
    painter._frame = 10**15
    for many in [CROWD + 1] * (MOST_WAITING - 1) + [round(0.8 * CROWD) + 1]:
        painter.add(_rows(0, [(20.0, 20.0)] * many))
    assert painter.crowded
    for _ in range(MOST_WAITING):
        painter.add(_rows(0, [(20.0, 20.0)] * round(0.8 * CROWD)))
    assert not painter.crowded


def test_colours_come_in_the_order_in_which_tracks_are_believed() -> None:
    painter = _painter(700, 300, OverlayStyle(trail=0, levels=(0.0, 1.0)))
    rows = _rows(0, [(100.0, 100.0), (200.0, 100.0)])
    rows["track"] = 40, 60  # the same place in a palette of 20
    canvas = _drawn(painter, np.zeros((300, 700), np.float32), rows, 0, 0.0).astype(int)
    rings = [canvas[90:111, x - 10 : x].reshape(-1, 3).max(axis=0) for x in (100, 200)]
    assert np.abs(rings[0] - rings[1]).max() > 50


def test_joined_points_have_a_line_and_their_names() -> None:
    painter = _painter(700, 300, OverlayStyle(trail=0, levels=(0.0, 1.0)))
    painter.know(Keypoints({0: (0, 0), 1: (0, 1), 2: (1, 0), 3: (1, 1)}, {0: "nose"}, ((0, 0, 1), (1, 0, 1))))
    rows = _rows(0, [(100.0, 100.0), (300.0, 100.0), (100.0, 200.0), (300.0, 200.0)])
    rows["state"][3] = State.LOST
    canvas = _drawn(painter, np.zeros((300, 700), np.float32), rows, 0, 0.0).astype(int)
    assert (canvas[100, 150:260].max(axis=1) > 150).all()
    assert (canvas[97, 150:260].max(axis=1) < 60).all()
    b, g, r = canvas[100, 150:260].mean(axis=0)
    assert r > g > b + 50  # the colour of animal 0
    assert (canvas[200, 150:260].max(axis=1) < 60).all()  # its other end is nowhere
