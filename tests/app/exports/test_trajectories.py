from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.exports.drawing import PALETTE
from app.exports.ranges import believed_order, usual
from app.exports.thinning import ThinnedRows, thin
from app.exports.track_colours import LIGHTEST, hex_of
from app.exports.trajectories import PictureStyle, TrajectoryPicture
from app.exports.trajectory_lines import GUESSED, TIME_COLOURS
from app.plots.figures import sheet
from app.plots.look import DARK, LIGHT, Look, look_of
from kernels.errors import InputError
from kernels.opencv import cv2
from pipelines.features import TRACK_DTYPE, State, Tracks, no_tracks
from tests.app.exports.made import lives

pytestmark = pytest.mark.sharp


def _circle(track: int = 0, frames: int = 200) -> Tracks:
    rows = np.zeros(frames, TRACK_DTYPE)
    angle = np.linspace(0, 5, frames)
    rows["frame"], rows["time"], rows["track"] = np.arange(frames), np.arange(frames) / 1000, track
    rows["x"], rows["y"] = 100 + 50 * np.cos(angle), 80 + 40 * np.sin(angle)
    rows["state"] = State.TRACKED
    return rows


def fill(rows: Tracks, size: tuple[int, int] = (200, 160), ground: Any = None, look: Look = LIGHT, **style: Any) -> Any:
    """The axes of the picture, of x and of y."""
    picture = TrajectoryPicture(*size)
    picture.add(rows)
    return picture.fill(sheet(look, 5.0), ground, PictureStyle(**style), look)


def curves(axes: Any) -> list[Any]:
    """Its lines that join places."""
    return [line for line in axes.lines if line.get_linestyle() == "-" and len(line.get_xdata())]


@pytest.mark.parametrize("size", [(200, 160), (160, 400), (400, 100)])
@pytest.mark.parametrize("look", [LIGHT, DARK, look_of("paper")], ids=["light", "dark", "paper"])
def test_lines_lie_where_the_tracks_were(size: tuple[int, int], look: Look) -> None:
    rows = _circle()
    rows["y"] = rows["y"] / 160 * size[1]
    rows["x"] = rows["x"] / 200 * size[0]
    picture, x, y = fill(rows, size, np.full(size[::-1], 40, np.uint8), look, title="clip")
    for axes, across, up in ((picture, rows["x"], rows["y"]), (x, 1e3 * rows["time"], rows["x"]),
                             (y, 1e3 * rows["time"], rows["y"])):  # fmt: skip
        (line,) = curves(axes)
        np.testing.assert_allclose(line.get_xydata()[:-1], np.stack((across, up), axis=1), rtol=1e-6)
    assert len({line.get_color() for axes in (picture, x, y) for line in curves(axes)}) == 1
    assert (picture.get_xlim(), picture.get_ylim()) == ((-0.5, size[0] - 0.5), (size[1] - 0.5, -0.5))
    assert picture.get_aspect() == 1.0
    assert y.yaxis.get_inverted()
    assert not x.yaxis.get_inverted()
    assert (x.get_ylabel(), y.get_ylabel(), y.get_xlabel()) == ("x (px)", "y (px, down)", "time (ms)")


@pytest.mark.parametrize("background", [None, np.zeros((160, 200, 3), np.uint16), np.full((160, 200), np.nan)])
@pytest.mark.parametrize("by", ["id", "time", ""])
def test_any_background_and_no_tracks(background: npt.NDArray[Any] | None, by: str) -> None:
    picture, x, _ = fill(no_tracks(), ground=background, colour_by=by)
    assert len(picture.images) == 1
    assert not curves(picture)
    assert [text.get_text() for text in x.texts] == ["no tracks"]
    picture, x, _ = fill(_circle(), ground=background, colour_by=by)
    assert len(curves(picture)) == (TIME_COLOURS if by == "time" else 1)
    # The same colours on both sides.
    assert [line.get_color() for line in curves(picture)] == [line.get_color() for line in curves(x)]


def test_colours_are_seen_on_white_and_are_those_of_the_overlay_on_dark() -> None:
    rows = np.concatenate([_circle(track) for track in range(20)])
    picture, _, _ = fill(rows, look=DARK)
    assert [line.get_color() for line in curves(picture)] == [hex_of(colour) for colour in PALETTE]
    _, x, _ = fill(rows, colour_by="time")
    for line in [*curves(x), *curves(fill(rows)[1])]:
        light = sum(w * (int(line.get_color()[k : k + 2], 16) / 255) ** 2.2
                    for w, k in ((0.2126, 1), (0.7152, 3), (0.0722, 5)))  # fmt: skip
        assert light < 1.02 * LIGHTEST


def _draw(path: Path, tracks: Tracks, width: int, height: int) -> None:
    picture = TrajectoryPicture(width, height)
    picture.add(tracks)
    picture.save(path, None)


def test_odd_tracks_do_not_break_the_picture(tmp_path: Path) -> None:
    rows = _circle(frames=3)
    rows["x"] = (np.nan, 1e30, -1e30)
    rows["time"] = np.nan
    single = _circle(1, 1)
    still = _circle(2, 9)
    still["x"] = still["y"] = 4.0
    _draw(tmp_path / "odd.png", np.concatenate((rows, single, still)), 50, 50)
    picture, _, _ = fill(np.concatenate((single, still)))
    assert [line.get_xydata().tolist() for line in picture.lines if line.get_marker() == "."] == [
        [[pytest.approx(single["x"][0]), pytest.approx(single["y"][0])]]
    ]
    lost = _circle(3, 5)
    lost["state"] = State.LOST
    _draw(tmp_path / "lost.png", lost, 50, 50)


def test_starts_ends_and_losses_are_marked() -> None:
    lost = _circle(1, 50)
    lost["state"][-1] = State.LOST
    picture, _, _ = fill(np.concatenate((_circle(0, 50), lost)))
    marks = {line.get_marker(): line.get_xydata() for line in picture.lines
             if line.get_marker() in "ox" and len(line.get_xdata())}  # fmt: skip
    np.testing.assert_allclose(marks["o"], [(lost["x"][49], lost["y"][49])])
    np.testing.assert_allclose(marks["x"], [(lost["x"][48], lost["y"][48])])
    (starts,) = picture.collections
    np.testing.assert_allclose(starts.get_offsets(), [(lost["x"][0], lost["y"][0])] * 2)
    key = {text.get_text() for text in picture.figure.legends[0].get_texts()}
    assert key == {"start", "end", "lost", "predicted"}


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), stretch=st.integers(1, 60))
def test_thinning_keeps_the_extremes_of_every_track(seed: int, stretch: int) -> None:
    rows = np.concatenate(lives(80, seed))
    less = thin(rows, stretch)
    assert set(less["track"].tolist()) == set(rows["track"].tolist())
    for track in np.unique(rows["track"]):
        a, b = rows[rows["track"] == track], less[less["track"] == track]
        for name in ("x", "y", "frame"):
            assert (a[name].min(), a[name].max()) == (b[name].min(), b[name].max())
        assert (a["state"] == State.TRACKED).any() == (b["state"] == State.TRACKED).any()
        assert (a["state"] == State.LOST).any() == (b["state"] == State.LOST).any()


def test_memory_stays_flat_and_an_oscillation_keeps_its_envelope() -> None:
    kept = ThinnedRows(most=3000)
    rows = np.zeros(4000, TRACK_DTYPE)
    rows["state"] = State.TRACKED
    for start in range(0, 200_000, 4000):
        rows["frame"] = np.arange(start, start + 4000)
        rows["y"] = np.sin(rows["frame"] * 1.7) * (1 + rows["frame"] / 100_000)
        kept.add(rows)
    held = kept.rows
    assert 500 < len(held) <= 3000
    assert kept.left_out == 0
    for start in range(0, 200_000, 20_000):
        part = held[(held["frame"] >= start) & (held["frame"] < start + 20_000)]["y"]
        size = 1 + (start + 10_000) / 100_000
        assert part.max() == pytest.approx(size, rel=0.12)
        assert part.min() == pytest.approx(-size, rel=0.12)


def test_too_many_tracks_keep_the_longest_and_count_the_others() -> None:
    kept = ThinnedRows(most=2000)
    rows = np.zeros(20_000, TRACK_DTYPE)
    rows["track"] = np.arange(20_000)
    rows["state"] = State.TRACKED
    for frame in range(3):
        rows["frame"] = frame
        kept.add(rows[: 20_000 if frame == 0 else 100])
    held = kept.rows
    assert len(held) <= 2000
    assert kept.left_out > 0


def test_no_tracks_and_bad_folder(tmp_path: Path) -> None:
    _draw(tmp_path / "t.png", no_tracks(), 30, 40)
    assert cv2.imread(str(tmp_path / "t.png")) is not None
    with pytest.raises(InputError, match="does not exist"):
        _draw(tmp_path / "no" / "t.png", no_tracks(), 30, 40)


def test_motion_that_is_none_does_not_fill_the_panel_with_noise() -> None:
    rows = _circle()
    rows["x"], rows["y"] = 5.0, 5.0 + 1e-3 * np.sin(np.arange(200))
    _, x, y = fill(rows)
    assert x.get_ylim() == (4.5, 5.5)
    assert np.ptp(y.get_ylim()) == pytest.approx(1.0)


def test_guesses_are_faint_and_leave_the_axes_alone() -> None:
    rows = _circle()
    seen = fill(rows)
    rows = rows.copy()
    rows["state"][100:110] = State.PREDICTED
    rows["x"][100:110] = 10_000.0
    flown = fill(rows)
    for one, two in zip(seen[1:], flown[1:], strict=True):
        assert one.get_ylim() == pytest.approx(two.get_ylim(), rel=0.02)
    guessed, sure = curves(flown[0])
    # The way to a guess and back is no place where the track was seen.
    assert len(guessed.get_xdata()) == 10 + 2 + 1
    assert (guessed.get_alpha(), sure.get_alpha()) == (GUESSED, 1.0)
    assert guessed.get_color() == sure.get_color()


def test_an_unknown_rate_counts_frames() -> None:
    rows = _circle()
    _, _, y = fill(rows, timed=False)
    assert y.get_xlabel() == "frame"
    rows["time"] = np.nan
    _, _, other = fill(rows)
    assert other.get_xlabel() == "frame"
    np.testing.assert_array_equal(curves(y)[0].get_xdata(), curves(other)[0].get_xdata())


def test_one_track_that_jumps_does_not_flatten_the_others() -> None:
    tracks = np.repeat(np.arange(6), 50)
    values = np.sin(np.arange(300) / 7.0)
    seen = np.ones(300, np.bool_)
    assert usual(values, tracks, seen).all()
    values[100:150] += 500.0
    fits = usual(values, tracks, seen)
    assert fits.tolist() == (tracks != 2).tolist()
    seen[:3] = False
    assert not usual(values, tracks, seen)[:3].any()


def test_a_few_rows_far_off_are_cut_and_even_motion_is_not() -> None:
    one, seen = np.zeros(1000, np.int64), np.ones(1000, np.bool_)
    fall = np.linspace(0, 300, 1000) ** 2
    assert usual(fall, one, seen).all()
    fall[500:505] = 1e7
    assert np.flatnonzero(~usual(fall, one, seen)).tolist() == list(range(500, 505))


def test_what_is_cut_off_is_said_in_the_picture() -> None:
    rows = np.concatenate([_circle(track) for track in range(5)])
    rows["x"][150:200] += 5000
    _, x, y = fill(rows)
    said = [text.get_text() for text in x.texts if "beyond" in text.get_text()]
    assert said[0].startswith("beyond the axis: track 0 (")
    assert not any("beyond" in text.get_text() for text in y.texts)


@pytest.mark.parametrize(("count", "labelled"), [(2, True), (20, True), (21, False)])
def test_curves_have_their_numbers_beside_the_panel(count: int, labelled: bool) -> None:
    _, x, _ = fill(np.concatenate([_circle(track) for track in range(count)]))
    numbers = [text for text in x.texts if text.get_text().isdigit()]
    assert len(numbers) == (count if labelled else 0)
    if labelled:
        assert {text.get_color() for text in numbers} == {line.get_color() for line in curves(x)}
        heights = np.sort([text.xy[1] for text in numbers])
        assert heights[0] >= 0
        assert heights[-1] <= 1
        assert np.diff(heights).min() > 0.025


def test_twenty_tracks_have_twenty_colours_in_the_order_in_which_they_were_believed() -> None:
    assert len(set(PALETTE)) == len(PALETTE) == 20
    rows = np.concatenate([_circle(track) for track in (40, 7, 60)])
    rows["frame"][rows["track"] == 7] += 10
    rows["state"][(rows["track"] == 40) & (rows["frame"] < 5)] = State.TENTATIVE
    assert believed_order(rows) == {60: 0, 40: 1, 7: 2}
