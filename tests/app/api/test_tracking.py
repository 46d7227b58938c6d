"""`fusetrack.track`: frames of all kinds in, the rows of the command out, nothing written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app import launcher as fusetrack
from app.controller import run_clip
from kernels.errors import InputError
from tests.app.api.moving import FPS, spots

COMMON = {"fps": FPS}


@pytest.fixture(scope="module")
def clip() -> np.ndarray:
    return spots()


@pytest.fixture(scope="module")
def tracks(clip: np.ndarray) -> Any:
    return fusetrack.track(clip, "blobs", fps=FPS)


def rows(tracks: Any) -> bytes:
    return bytes(tracks.rows.tobytes())


def test_the_rows_are_those_of_the_command_bit_for_bit(
    clip: np.ndarray, tracks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.save(tmp_path / "clip.npy", clip)
    monkeypatch.chdir(tmp_path)
    outcome = run_clip(tmp_path / "clip.npy", "blobs", fps=FPS, out="out", overlay=False)
    ours, theirs = tracks.to_dict(), outcome.table()
    assert len(tracks) > 60
    assert len(tracks.ids) == 3
    assert [*ours] == [*theirs]
    for name, values in ours.items():
        np.testing.assert_array_equal(values, theirs[name], name)
    before = sorted(tmp_path.rglob("*"))
    from_file = fusetrack.track(tmp_path / "clip.npy", "blobs", fps=FPS)
    assert rows(from_file) == rows(tracks)
    assert sorted(tmp_path.rglob("*")) == before


def test_arrays_of_all_kinds_give_the_same_rows(clip: np.ndarray, tracks: Any) -> None:
    wide = np.zeros((24, 64, 160), np.uint8)
    wide[:, :, ::2] = clip
    of_colour = np.repeat(clip[..., None], 3, axis=3)
    kinds: dict[str, Any] = {
        "not contiguous": wide[:, :, ::2], "Fortran order": np.asfortranarray(clip), "reversed twice": clip[::-1][::-1],
        "list": list(clip), "generator": (picture for picture in clip), "tuple": tuple(clip),
        "one channel": clip[..., None], "read-only": np.frombuffer(clip.tobytes(), np.uint8).reshape(clip.shape),
        "a clip": fusetrack.open(clip, fps=FPS),
    }  # fmt: skip
    for name, kind in kinds.items():
        made = fusetrack.track(kind, "blobs", **({} if name == "a clip" else COMMON))
        assert rows(made) == rows(tracks), name
    gray = fusetrack.track(of_colour, "blobs", fps=FPS)
    assert rows(gray) == rows(fusetrack.track(of_colour[..., ::-1], "blobs", fps=FPS, color="bgr"))
    assert len(gray.ids) == 3


def test_other_types_of_pixels(clip: np.ndarray) -> None:
    big = fusetrack.track(clip.astype(">u2"), "blobs", fps=FPS, bits=8)
    assert rows(big) == rows(fusetrack.track(clip.astype(np.uint16), "blobs", fps=FPS, bits=8))
    assert len(big.ids) == 3
    for dtype in (np.float32, np.float64, np.int32):
        made = fusetrack.track(clip.astype(dtype), "blobs", fps=FPS)
        assert len(made.tracked.ids) == 3, dtype


@pytest.mark.parametrize("pipeline", ["objects", "background-motion", "insects"])
def test_masks_are_pictures_of_one_bit(pipeline: str) -> None:
    """Such as a segmentation makes: followed as well as if they were black and white in bytes."""
    y, x = np.mgrid[:72, :96]
    masks = np.stack([((x - 20 - 0.8 * k) ** 2 + (y - 24) ** 2 < 60) | ((x - 60) ** 2 + (y - 60 + 0.7 * k) ** 2 < 50)
                      for k in range(40)])  # fmt: skip
    made = fusetrack.track(masks, pipeline, fps=FPS).tracked
    bytes_ = fusetrack.track(np.where(masks, 255, 0).astype(np.uint8), pipeline, fps=FPS).tracked
    assert made["frame"].tolist() == bytes_["frame"].tolist()
    np.testing.assert_allclose(made["x"], bytes_["x"], atol=0.01)
    assert len(made.ids) >= 2


@pytest.mark.parametrize("pipeline", ["background-motion", "insects"])
def test_what_moves_in_masks_stands_out_more_than_their_step(pipeline: str) -> None:
    """Of as much light in each frame: the step from black to white was taken for rounding, beyond which nothing is."""
    y, x = np.mgrid[:96, :128]
    masks = np.stack([((x - 20 - 1.5 * k) ** 2 + (y - 24) ** 2 < 50) | ((x - 100 + 1.5 * k) ** 2 + (y - 70) ** 2 < 50)
                      for k in range(40)])  # fmt: skip
    made = fusetrack.track(masks, pipeline, fps=FPS).tracked
    assert len(made.ids) == 2
    assert len(made) > 70


def test_a_single_picture_is_a_clip_of_one_frame(clip: np.ndarray) -> None:
    one = fusetrack.track(clip[0], "blobs", fps=FPS, min_hits=1)
    assert set(one["frame"]) == {0}
    assert len(one) == 3


def test_parts_of_a_clip_keep_their_numbers_and_times(clip: np.ndarray) -> None:
    whole = fusetrack.open(clip, fps=FPS)
    part = fusetrack.track(whole[6:20], "blobs")
    assert rows(part) == rows(fusetrack.track(clip, "blobs", fps=FPS, frames=(6, 20)))
    assert rows(part) == rows(fusetrack.track(clip, "blobs", fps=FPS, frames=slice(6, -4)))
    assert (part["frame"].min(), part["frame"].max()) == (6, 19)
    second = fusetrack.track(whole[1::2], "blobs")
    assert sorted(set(second["frame"].tolist())) == [*range(1, 24, 2)]
    np.testing.assert_allclose(second["time"], second["frame"] / FPS, rtol=1e-12)
    late = second.tracked
    speed = np.hypot(late["vx"], late["vy"])[late["frame"] > 12]
    assert 800 < np.median(speed) < 1300  # px/s, whatever the step


def test_without_a_rate_times_count_frames_and_a_note_says_so(clip: np.ndarray) -> None:
    made = fusetrack.track(clip, "blobs")
    np.testing.assert_array_equal(made["time"], made["frame"])
    assert made.units["time"] == "frame"
    assert made.units["vx"] == "px/frame"
    assert any("give it with fps=" in note for note in made.notes)
    assert "fps=" in repr(made)


def test_times_of_frames_may_be_uneven(clip: np.ndarray) -> None:
    times = np.arange(24) / FPS
    times[12:] += 3 / FPS
    made = fusetrack.track(clip, "blobs", times=times)
    np.testing.assert_array_equal(np.unique(made["time"]), times)
    assert made.fps == pytest.approx(FPS)


def test_settings_by_mapping_and_by_keyword(clip: np.ndarray) -> None:
    asked = fusetrack.track(clip, "blobs", fps=FPS, settings={"bright.level": 0.1, "follow.min_hits": 5})
    assert rows(asked) == rows(fusetrack.track(clip, "blobs", fps=FPS, bright__level=0.1, min_hits=np.int64(5)))
    assert asked.found.keys() == {"sound.points", "bright.polarity", *(f"spots.{name}" for name in (
        "polarity", "split", "refine_sigma"))}  # fmt: skip


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"bright__levle": 1}, TypeError, "did you mean bright__level=?"),
        ({"fsp": 3}, TypeError, "did you mean fps=?"),
        ({"polarity": "dark"}, TypeError, "say bright__polarity= or spots__polarity="),
        ({"settings": {"bright.levle": 1}}, ValueError, "bright has no parameter 'levle'; did you mean 'level'?"),
        ({"settings": {"bright.level": 1}, "bright__level": 2}, TypeError, "given bright.level twice"),
        ({"settings": ["bright.level=1"]}, TypeError, "settings is a dictionary"),
        ({"bright__level": "much"}, ValueError, "bright.level must be a number, not 'much'"),
        ({"pipeline": "blbs"}, ValueError, "did you mean 'blobs'?"),
        ({"points": [[1, 2]]}, ValueError, "pipeline='template' follows given ones"),
        ({"points": "nix.csv"}, ValueError, "nix.csv cannot be read"),
        ({"points": 3}, TypeError, "points are x and y in px"),
        ({"frames": (30, 40)}, ValueError, "the frame range 30:40 reaches outside"),
        ({"frames": slice(5, 5)}, ValueError, "no frame of array is chosen"),
        ({"frames": slice(None, None, -1)}, ValueError, "run backwards in time"),
        ({"pipeline": ["gray"]}, ValueError, "has no tracker to follow anything with"),
        ({"brightness": 3}, TypeError, "describe())` shows them"),
        ({"roi": (1, 2, 3)}, TypeError, "roi is x, y, width, height in whole px"),
        ({"roi": (0, 0, 500, 5)}, ValueError, "reaches outside the picture"),
        ({"fps": -1}, ValueError, "fps must be a positive number"),
        ({"fps": "fast"}, TypeError, "fps is a number"),
        ({"times": [0, 1]}, ValueError, "24 of them, not of shape (2,)"),
        ({"times": [*range(12), *range(12)]}, ValueError, "that of frame 12 is 0 s"),
        ({"bits": 12}, ValueError, "bits=12 does not fit"),
        ({"color": "RGB"}, ValueError, "color is one of rgb, bgr"),
        ({"taps": "nix"}, ValueError, "there is no node 'nix'"),
        ({"device": "gpuu"}, ValueError, "there is no back end 'gpuu'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    clip: np.ndarray, options: dict[str, Any], kind: type[Exception], words: str
) -> None:
    with pytest.raises(InputError) as caught:
        fusetrack.track(clip, **{"fps": FPS, **options})
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    if kind is TypeError:
        assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(
    ("frames", "kind", "words"),
    [
        (None, TypeError, "not None"),
        (7, TypeError, "not int '7'"),
        ({"a": 1}, TypeError, "not dict"),
        (object(), TypeError, "not object"),
        (np.zeros((0, 8, 8), np.uint8), ValueError, "there is no picture in an array of shape (0, 8, 8)"),
        (np.zeros(5, np.uint8), TypeError, "not of shape (5,)"),
        (np.zeros((2, 8, 8, 2), np.uint8), TypeError, "3 or 4 channels at the end"),
        (np.zeros((2, 3, 40, 50), np.uint8), TypeError, "numpy.moveaxis(frames, 1, -1)"),
        (np.zeros((2, 8, 8), complex), TypeError, "is of complex128"),
        (np.array([["a", "b"]]), TypeError, "numbers such as uint8"),
        (np.array([[[None]]]), TypeError, "is of object"),
        ([], ValueError, "the list or generator of pictures is empty"),
        (iter(()), ValueError, "the list or generator of pictures is empty"),
        ([np.zeros((4, 4)), np.zeros((4, 5))], ValueError, "picture 1 is float64 of shape (4, 5), and picture 0"),
        ([np.zeros((4, 4), "u1"), np.zeros((4, 4), "u2")], ValueError, "picture 1 is uint16"),
        ([1, 2], TypeError, "picture 0 has the shape ()"),
        (np.ma.masked_less(np.zeros((2, 4, 4)), 1), TypeError, "is masked"),
        ("nix.cine", ValueError, "nix.cine does not exist"),
    ],
)
def test_what_are_no_pictures_is_said_in_a_sentence(frames: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(InputError) as caught:
        fusetrack.track(frames, "blobs")
    assert words in str(caught.value)
    if kind is TypeError:
        assert isinstance(caught.value, TypeError)


def test_an_argument_that_is_wrong_is_a_value_error_too(clip: np.ndarray) -> None:
    with pytest.raises(ValueError, match="fps must be"):
        fusetrack.track(clip, fps=0)
    with pytest.raises(ValueError, match="empty"):
        fusetrack.track([])


def test_points_of_all_kinds(clip: np.ndarray, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    places = [[12.0, 14.0], [60.0, 20.0]]
    (tmp_path / "p.csv").write_text("x_px,y_px\n12,14\n60,20\n")
    first = fusetrack.track(clip, "template", fps=FPS, points=places)
    assert first.ids.tolist() == [0, 1]
    for points in (np.array(places), tuple(map(tuple, places)), pandas.DataFrame(places, columns=["x", "y"]),
                   tmp_path / "p.csv", str(tmp_path / "p.csv")):  # fmt: skip
        assert rows(fusetrack.track(clip, "template", fps=FPS, points=points)) == rows(first)
    assert "windows" in first.tables


def test_taps_come_back_with_the_tracks(clip: np.ndarray, tracks: Any) -> None:
    made = fusetrack.track(clip, "blobs", fps=FPS, taps=["band", "spots"])
    assert rows(made) == rows(tracks)
    applied = fusetrack.apply(clip, "blobs", taps=["band"])
    np.testing.assert_array_equal(made.taps["band"], applied["band"])
    assert len(made.taps["spots"]) == 24
    assert {"x", "y", "mass"} <= set(made.taps["spots"][0].dtype.names)


def test_nothing_found_comes_with_what_to_try(clip: np.ndarray) -> None:
    made = fusetrack.track(clip, "blobs", fps=FPS, bright__level=0.9)
    assert len(made) == 0
    assert "0 tracks" in repr(made)
    assert any("settings={'bright.level'" in note for note in made.notes)


def test_progress_is_told(clip: np.ndarray) -> None:
    from contextlib import contextmanager

    seen: list[Any] = []

    class Bar:
        def advance(self, frames: int, bad: int = 0) -> None:
            seen.append((frames, bad))

    @contextmanager
    def showing(label: str, total: int) -> Any:
        seen.append((label, total))
        yield Bar()

    fusetrack.track(clip, "blobs", fps=FPS, progress=showing)
    assert seen[0] == ("array through blobs", 24)
    assert sum(frames for frames, _ in seen[1:]) == 24


def test_a_single_picture_says_why_nothing_is_followed_and_what_finds_its_spots() -> None:
    picture = spots()[3]
    none = fusetrack.track(picture, "blobs", fps=FPS)
    assert len(none) == 0
    (hint,) = (note for note in none.notes if "only 1 frame was processed" in note)
    assert "settings={'follow.min_hits': 1}" in hint
    assert len(fusetrack.track(picture, "blobs", fps=FPS, follow__min_hits=1)) > 1
