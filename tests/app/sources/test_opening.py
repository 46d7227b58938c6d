"""What `open_source` makes of names, endings and contents; the sentences it refuses with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tifffile

from app.commands.gui import check_there
from app.files.missing import missing_sentence
from app.sources.base import ClipSource
from app.sources.formats import FORMATS
from app.sources.opening import open_source
from kernels.errors import SourceError
from kernels.opencv import cv2
from tests.app.sources.writers import moving_square, picture, write_cine, write_mraw, write_video


def refused(path: Path | str) -> str:
    with pytest.raises(SourceError) as caught:
        open_source(path)
    text = str(caught.value)
    assert "\n" not in text
    assert Path(path).name in text
    return text


def test_content_goes_before_the_name(tmp_path: Path) -> None:
    stored = [picture(4, 8, 255, k) for k in range(2)]
    write_cine(tmp_path / "a.avi", stored)
    write_video(tmp_path / "b.mkv", moving_square(3), "ffv1", "bgr0").rename(tmp_path / "b.mp4x.cine")
    np.save(tmp_path / "c.npy", np.stack(stored))
    (tmp_path / "c.npy").rename(tmp_path / "c.tif")
    cv2.imwrite(str(tmp_path / "d.png"), stored[0])
    (tmp_path / "d.png").rename(tmp_path / "d.mp4")
    for name, kind in (("a.avi", "cine"), ("b.mp4x.cine", "video"), ("c.tif", "npy"), ("d.mp4", "images")):
        source = open_source(tmp_path / name)
        assert source.info.kind == kind
        assert "ending" in source.info.warnings[-1]
        assert name in source.info.warnings[-1]
        source.close()


def test_right_endings_need_no_warning(tmp_path: Path) -> None:
    stored = [picture(4, 8, 255, k) for k in range(2)]
    write_cine(tmp_path / "A.CINE", stored)
    tifffile.imwrite(tmp_path / "b.TIFF", np.stack(stored), metadata=None)
    np.save(tmp_path / "c.npy", np.stack(stored))
    write_mraw(tmp_path / "d.mraw", stored)
    for name in ("A.CINE", "b.TIFF", "c.npy", "d.mraw", "d.cih"):
        source = open_source(str(tmp_path / name))
        assert source.info.warnings == ()
        assert source.info.frames == 2
        assert set(source.info.identity) >= {"path", "bytes", "mtime_ns"}
        source.close()


def test_missing_file_suggests_near_names(tmp_path: Path) -> None:
    (tmp_path / "Impact_03.cine").write_bytes(b"x")
    assert "did you mean Impact_03.cine" in refused(tmp_path / "impact_3.cine")
    (tmp_path / "Impact_03.truth.csv").write_bytes(b"x")
    assert "truth" not in refused(tmp_path / "Impact_04.mp4"), "what lies beside a clip is none"
    assert "nor does the folder" in refused(tmp_path / "nowhere" / "a.cine")


def test_a_file_that_was_moved_is_found_nearby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = tmp_path / "runs" / "monday"
    runs.mkdir(parents=True)
    (runs / "run7.mcap").write_bytes(b"x")
    for moved in (tmp_path / "runs" / "run7.mcap", tmp_path / "run" / "monday" / "run7.mcap",
                  runs / "deeper" / "run7.mcap", runs / "deeper" / "still" / "run7.mcap"):  # fmt: skip
        assert refused(moved).endswith(f"; did you mean {runs / 'run7.mcap'}?")
    assert "did you mean" not in refused(tmp_path / "elsewhere" / "run7.mcap")
    monkeypatch.chdir(runs)
    assert refused(tmp_path / "elsewhere" / "run7.mcap").endswith(f"; did you mean {runs / 'run7.mcap'}?")
    assert "did you mean" not in refused(tmp_path / "elsewhere" / "run8.cine")


def test_a_folder_without_pictures_names_what_it_holds(tmp_path: Path) -> None:
    for name in ("a.mcap", "b.mp4", "c.txt", "d.txt", ".hidden.mp4"):
        (tmp_path / name).touch()
    assert refused(tmp_path).endswith("holds no images; it holds a.mcap, b.mp4, c.txt and 1 more: name one of them")


@pytest.mark.parametrize("ending", [".cine", ".mp4", ".tif", ".npy", ".png", ".xyz", ""])
def test_empty_pointer_and_noise(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    path.write_bytes(b"")
    assert "is empty" in refused(path)
    path.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    assert "git-LFS pointer" in refused(path)
    path.write_bytes(b"\x07 nothing of the kind " * 99)
    refused(path)


def test_text_is_not_opened_as_a_video(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello\n" * 100)  # FFmpeg would render it as a terminal
    assert "no clip that fusetrack knows" in refused(tmp_path / "a.txt")


def test_playlists_reach_no_other_file(tmp_path: Path) -> None:
    write_video(tmp_path / "other.ts", moving_square(30), "libx264", "yuv420p")
    (tmp_path / "a.mp4").write_text("#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:1,\nhttp://127.0.0.1:9/x.ts\n")
    refused(tmp_path / "a.mp4")


def test_folders(tmp_path: Path) -> None:
    assert "holds no images" in refused(tmp_path)
    write_cine(tmp_path / "a.cine", [picture(4, 8, 255, 0)])
    assert "it holds a.cine: name one of them" in refused(tmp_path)
    assert "matches" in refused(tmp_path / "x_*.png")
    assert "folder" in refused(str(tmp_path / "no" / "x_####.png"))


@pytest.mark.parametrize("fps", [0.0, -5.0, float("nan"), float("inf")])
def test_rates_that_cannot_be(tmp_path: Path, fps: float) -> None:
    write_cine(tmp_path / "a.cine", [picture(4, 8, 255, 0)])
    with pytest.raises(SourceError, match="positive number"):
        open_source(tmp_path / "a.cine", fps=fps)


def test_given_rate_says_what_it_replaces(tmp_path: Path) -> None:
    path = write_cine(tmp_path / "a.cine", [picture(4, 8, 255, k) for k in range(3)], rate=5000)
    source = open_source(path, fps=250.5)
    assert (source.info.time.fps, source.info.time.origin, source.info.time.stamps) == (250.5, "user", None)
    assert "5000 fps (header)" in source.info.time.note
    source.close()


def test_a_picture_among_other_files_is_no_sequence(tmp_path: Path) -> None:
    """Every folder with a screenshot or a figure in it opened as a clip of one frame."""
    cv2.imwrite(str(tmp_path / "Screenshot.png"), np.zeros((4, 6), np.uint8))
    check_there(str(tmp_path))
    assert open_source(tmp_path).info.frames == 1
    (tmp_path / ".hidden").touch()
    check_there(str(tmp_path))
    (tmp_path / "notes.txt").write_text("x")
    for use in (open_source, check_there):
        with pytest.raises(SourceError, match=r"Screenshot\.png lie without numbers among 1 other file; name"):
            use(str(tmp_path))
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), np.zeros((4, 6), np.uint8))
    assert open_source(tmp_path).info.frames == 3  # pictures are most of it
    (tmp_path / "more.txt").write_text("x")
    with pytest.raises(SourceError, match=r"Screenshot\.png, a\.png and 1 more lie without numbers among 2 other"):
        open_source(tmp_path)
    for k in range(4):
        cv2.imwrite(str(tmp_path / f"frame_{k}.png"), np.zeros((4, 6), np.uint8))
    assert open_source(tmp_path).info.frames == 4  # numbers say that they belong together


def test_simulated_scenes_open_by_name() -> None:
    source = open_source("sim:vortex", fps=2000)
    assert (source.info.kind, source.info.time.fps) == ("simulated", 2000)
    source.close()
    with pytest.raises(SourceError, match="no-such-scene"):
        open_source("sim:no-such-scene")


def test_odd_names(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        open_source("a\0b.cine")
    path = write_cine(tmp_path / "größe [1] %d #.cine", [picture(4, 8, 255, 0)])
    source = open_source(path)
    assert source.info.frames == 1
    source.close()


def test_endings_belong_to_one_format() -> None:
    endings = [e for f in FORMATS for e in f.extensions]
    assert len(endings) == len(set(endings))
    assert all(e == e.lower() and e.startswith(".") for e in endings)
    assert all(issubclass(f.reader(), ClipSource) for f in FORMATS)


def test_a_link_to_nothing_is_called_that(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").symlink_to("gone.mp4")
    with pytest.raises(SourceError, match=r"clip.mp4 is a link to gone.mp4, which does not exist$"):
        open_source(tmp_path / "clip.mp4")


def test_cameras_and_addresses_are_no_clips() -> None:
    assert "`fusetrack record cam:0 -o run.mcap` records it" in refused("cam:0")
    assert "download it first" in refused("https://example.org/a.mp4")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_no_numbers_are_told_once(tmp_path: Path, value: float) -> None:
    pixels = np.zeros((5, 8, 9), np.float32)
    pixels[:, 0, 0] = 1
    pixels[2:, 3, 4] = value
    np.save(tmp_path / "clip.npy", pixels)
    source = open_source(tmp_path / "clip.npy")
    source.read(1)
    assert source.info.warnings == ()
    for index in (2, 3, 4):
        source.read(index)
    source.close()
    (warning,) = source.info.warnings
    assert warning.startswith("frame 2 holds values that are no numbers")


def test_a_drive_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under Windows, where not even the root of a path need exist."""
    monkeypatch.setattr(Path, "is_dir", lambda _: False)
    said = "/no/such/clip.mp4 does not exist, nor does the folder /no/such"
    assert missing_sentence(Path("/no/such/clip.mp4")) == said


def test_a_home_of_nobody_is_a_folder_that_is_not_there() -> None:
    """A name that begins with "~" is an ordinary one where there is no such user."""
    assert "does not exist" in refused("~nobody-of-this-name/clip.mp4")
    with pytest.raises(SourceError, match="does not exist"):
        check_there("~nobody-of-this-name/clip.mp4")
