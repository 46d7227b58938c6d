"""What the user says of a clip in place of its file: rate without gaps, bits of a value, turned pictures."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.controller import run_clip
from app.exports.export import export_results
from app.exports.material import open_material
from app.live.recording import record_clip
from app.live.wanted import Wanted
from app.sources.base import _turned_mosaic
from app.sources.opening import open_source
from app.sources.reading import AS_STORED, Reading
from kernels.errors import SourceError
from kernels.opencv import cv2
from tests.app.sources.writers import picture, write_cine

MOSAICS = ("rggb", "bggr", "grbg", "gbrg")


def clip(folder: Path, pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None = None) -> Path:
    made = np.random.default_rng(1).integers(0, 250, (6, 10, 14), np.uint8) if pixels is None else pixels
    np.save(folder / "clip.npy", made)
    return folder / "clip.npy"


@pytest.mark.parametrize("turn", [90, 180, 270])
@pytest.mark.parametrize("kind", ["gray", "colour", "packed10", "packed12", "unpacked"])
def test_pictures_are_turned_clockwise(tmp_path: Path, turn: int, kind: str) -> None:
    if kind in ("gray", "colour"):
        shape = (4, 10, 14) if kind == "gray" else (4, 10, 14, 3)
        stored = list(np.random.default_rng(1).integers(0, 250, shape, np.uint8))
        path = clip(tmp_path, np.stack(stored))
    else:
        bits = {"packed10": 10, "packed12": 12, "unpacked": 16}[kind]
        stored = [picture(10, 16, (1 << bits) - 1, k) for k in range(4)]
        path = tmp_path / "clip.cine"
        write_cine(path, stored, bits=bits)
    with closing(open_source(path)) as plain, closing(open_source(path, turn=turn)) as turned:
        info = turned.info
        sides = (plain.info.width, plain.info.height)
        assert (info.width, info.height) == (sides if turn == 180 else sides[::-1])
        assert info.metadata["turned_clockwise_deg"] == turn
        assert info.format.packing == "none"
        for k in (3, 0, 2):
            expected = np.rot90(stored[k], -turn // 90)
            got = turned.read(k)
            assert got.shape == info.image.shape
            out = np.empty(info.image.shape, info.image.dtype.numpy)
            assert turned.read(k, out) is out
            np.testing.assert_array_equal(got, out)
            if not info.format.lut:  # else values are looked up by the pipeline
                np.testing.assert_array_equal(got, expected)


@given(st.sampled_from(MOSAICS), st.integers(2, 7), st.integers(2, 7), st.integers(0, 3))
def test_a_turned_mosaic_has_the_colours_where_they_were(color: str, height: int, width: int, turns: int) -> None:
    def at(order: str, y: int, x: int) -> str:
        return order[2 * (y % 2) + x % 2]

    colours = np.array([[at(color, y, x) for x in range(width)] for y in range(height)])
    turned, order = np.rot90(colours, -turns), _turned_mosaic(color, height, width, turns)
    assert order in MOSAICS
    assert all(turned[y, x] == at(order, y, x) for y in range(turned.shape[0]) for x in range(turned.shape[1]))


def test_bits_tell_what_is_white(tmp_path: Path) -> None:
    stored = np.full((5, 8, 9), 100, np.uint16)
    stored[:, 2, 3] = 4000
    np.save(tmp_path / "clip.npy", stored)
    (hint,) = open_source(tmp_path / "clip.npy").info.warnings
    assert "no value of the 3 frames looked at is above 4000" in hint
    assert "--bits 12" in hint
    with closing(open_source(tmp_path / "clip.npy", bits=12)) as source:
        assert (source.info.image.bits, source.info.format.bits) == (12, 12)
        assert source.info.warnings == ()
        np.testing.assert_array_equal(source.read(2), stored[2])
    (beyond,) = open_source(tmp_path / "clip.npy", bits=10).info.warnings
    assert "values up to 4000, more than the 10 bits that you say can hold; it takes --bits 12" in beyond


@pytest.mark.parametrize("bits", [0, 17, -3])
def test_bits_that_cannot_be(tmp_path: Path, bits: int) -> None:
    with pytest.raises(SourceError, match="1 to 16"):
        open_source(clip(tmp_path), bits=bits)


def test_bits_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="--bits 12 does not fit"):
        open_source(clip(tmp_path), bits=12)
    np.save(tmp_path / "floats.npy", np.zeros((2, 4, 4), np.float32))
    with pytest.raises(SourceError, match="--bits 8 does not fit"):
        open_source(tmp_path / "floats.npy", bits=8)


@pytest.mark.parametrize("turn", [45, 360, -90])
def test_turns_that_cannot_be(tmp_path: Path, turn: int) -> None:
    with pytest.raises(SourceError, match="90, 180 or 270"):
        open_source(clip(tmp_path), turn=turn)


def test_a_rate_leaves_room_for_missing_frames_unless_told_otherwise(tmp_path: Path) -> None:
    for number in (0, 1, 2, 5, 6):
        cv2.imwrite(str(tmp_path / f"shot_{number:03d}.png"), picture(6, 8, 255, number))
    with closing(open_source(tmp_path, fps=100.0)) as source:
        assert [round(100 * source.info.time.time(k)) for k in range(5)] == [0, 1, 2, 5, 6]
        assert "room is left for 2 frames" in source.info.time.note
    with closing(open_source(tmp_path, fps=100.0, gaps=False)) as source:
        assert [round(100 * source.info.time.time(k)) for k in range(5)] == [0, 1, 2, 3, 4]
        assert "without gaps" in source.info.time.note


@pytest.mark.parametrize(("values", "said"), [
    ([0, 0, 0, 9, 9], "frame 3 is the first that does: leave out what is before it with --frames 3:"),
    ([7, 7], "(all of it is 7), nor does the one after it"),
    ([5, 5, 5], "nor do the 2 after it"), ([9, 0, 0], ""), ([0], ""),
])  # fmt: skip
def test_a_first_frame_without_a_picture_is_said(tmp_path: Path, values: list[int], said: str) -> None:
    pixels = np.zeros((len(values), 6, 7), np.uint8)
    for k, value in enumerate(values):
        pixels[k] = value
        pixels[k, 0, 0] = 0 if value == 9 else value
    warnings = open_source(clip(tmp_path, pixels)).info.warnings
    assert warnings == () if not said else said in warnings[0]


def test_results_know_how_their_clip_was_read(tmp_path: Path) -> None:
    """Pictures of a run's tracks are drawn on frames that are turned as they were."""
    pixels = np.zeros((12, 40, 60), np.uint16)
    for k in range(12):
        cv2.circle(pixels[k], (20 + k, 12), 3, 4000, -1)
    np.save(tmp_path / "clip.npy", pixels)
    made = run_clip(
        tmp_path / "clip.npy", "blobs", fps=100.0, bits=12, turn=90, out=tmp_path / "out", overlay=False
    )
    rows = made.tracks
    assert rows["x"][-1] == pytest.approx(27, abs=0.5)  # 39 - 12
    assert rows["y"][-1] == pytest.approx(31, abs=0.5)
    material = open_material(tmp_path / "out")
    assert material.given == Reading(100.0, 12, 90)
    with closing(material.open()) as source:
        np.testing.assert_array_equal(source.read(3), np.rot90(pixels[3], -1))


@pytest.mark.skipif(os.name != "posix", reason="recording needs POSIX")
def test_a_session_of_a_turned_clip_is_not_turned_again(tmp_path: Path) -> None:
    path = clip(tmp_path)
    record_clip(Wanted(str(path), tmp_path / "a.mcap", reading=Reading(fps=50.0, turn=90)))
    stored = np.load(path)
    with closing(open_source(tmp_path / "a.mcap")) as source:
        np.testing.assert_array_equal(source.read(2), np.rot90(stored[2], -1))
        assert Reading.of({"metadata": source.info.metadata}) == AS_STORED
    with closing(open_source(tmp_path / "a.mcap", turn=270)) as source:
        np.testing.assert_array_equal(source.read(2), stored[2])


def test_frames_are_exported_turned(tmp_path: Path) -> None:
    path = clip(tmp_path)
    export_results(path, "npy", tmp_path / "turned.npy", turn=180)
    np.testing.assert_array_equal(np.load(tmp_path / "turned.npy"), np.load(path)[:, ::-1, ::-1])
