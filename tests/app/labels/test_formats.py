"""Labels come back from every kind of file, and damaged ones are one sentence."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from app.labels.formats import FORMATS, read_labels, write_labels
from app.labels.labels import LabelledFrame, Labels
from kernels.errors import InputError

CLIP = "sim:face?width=64&height=48"


def made(animals: int = 2, source: str = CLIP) -> Labels:
    rng = np.random.default_rng(7)
    frames = []
    for index in (0, 3, 120):
        points = rng.uniform(0, 40, (animals, 3, 2)).round(3)
        points[0, 1] = np.nan
        frames.append(LabelledFrame(source, index, points))
    return Labels(("nose", "left ear", "tail"), ((0, 1), (2, 0)), tuple(frames))


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("animals", [1, 2])
def test_what_was_written_comes_back(tmp_path: Path, ending: str, animals: int) -> None:
    wanted = made(animals)
    write_labels(wanted, tmp_path / f"a{ending}")
    read = read_labels(tmp_path / f"a{ending}", CLIP)
    assert read.points == wanted.points
    assert read.edges == (() if ending == ".csv" else wanted.edges)  # DeepLabCut keeps them elsewhere
    assert [(one.source, one.index) for one in read.frames] == [(CLIP, 0), (CLIP, 3), (CLIP, 120)]
    for a, b in zip(read.frames, wanted.frames, strict=True):
        np.testing.assert_allclose(a.points, b.points, atol=1e-4)
    assert (read.animals, read.labelled) == (animals, 3 * (3 * animals - 1))


@pytest.mark.parametrize("ending", [".json", ".slp"])
def test_a_clip_is_found_beside_its_labels_wherever_both_have_moved(tmp_path: Path, ending: str) -> None:
    (tmp_path / "a").mkdir()
    clip = tmp_path / "a" / "shot.npy"
    np.save(clip, np.zeros((4, 8, 8), np.uint8))
    write_labels(made(source=str(clip)), tmp_path / "a" / f"x{ending}")
    (tmp_path / "a").rename(tmp_path / "b")
    moved = tmp_path / "b" / "shot.npy"
    assert {one.source for one in read_labels(tmp_path / "b" / f"x{ending}").frames} == {str(moved)}
    moved.unlink()
    with pytest.raises(InputError, match="--clip"):
        read_labels(tmp_path / "b" / f"x{ending}")


@pytest.mark.parametrize("index", ["labeled-data/clip/img007.png", "labeled-data,clip,img007.png"])
def test_tables_of_deeplabcut(tmp_path: Path, index: str) -> None:
    """Paths in one field or in three; pictures lie beside the table."""
    blank = "," * index.count(",")
    (tmp_path / "CollectedData_x.csv").write_text(
        f"scorer{blank},x,x,x,x\nbodyparts{blank},nose,nose,tail,tail\ncoords{blank},x,y,x,y\n{index},1.5,2,,\n"
    )
    (tmp_path / "img007.png").write_bytes(b"")
    (frame,) = read_labels(tmp_path / "CollectedData_x.csv").frames
    assert (frame.source, frame.index) == (str(tmp_path / "img007.png"), 0)
    np.testing.assert_array_equal(frame.points, [[[1.5, 2], [np.nan, np.nan]]])
    assert read_labels(tmp_path / "CollectedData_x.csv", "clip.mp4").frames[0].index == 7


def test_files_of_other_programs_have_their_own_ways(tmp_path: Path) -> None:
    """COCO: points of images, v = 0 not labelled, a category's skeleton from 1; SLEAP's predictions are no labels, and
    its older files count from the corner of a pixel."""
    (tmp_path / "a.json").write_text(
        '{"categories": [{"keypoints": ["a", "b"], "skeleton": [[1, 2]]}],'
        '"images": [{"id": 9, "file_name": "f12.png"}], "annotations": ['
        '{"image_id": 9, "keypoints": [3,4,2,0,0,0]}, {"image_id": 9, "keypoints": [0,0,0,5,6,1]}]}'
    )
    (frame,) = read_labels(tmp_path / "a.json", CLIP).frames
    assert frame.index == 12
    np.testing.assert_array_equal(frame.points, [[[3, 4], [np.nan] * 2], [[np.nan] * 2, [5, 6]]])
    h5py = pytest.importorskip("h5py")
    write_labels(made(), tmp_path / "b.slp")
    with h5py.File(tmp_path / "b.slp", "r+") as file:
        file["metadata"].attrs["format_id"] = 1.0
        rows = file["instances"][()]
        rows["instance_type"][0] = 1
        file["instances"][...] = rows
    read = read_labels(tmp_path / "b.slp", CLIP)
    assert [len(one.points) for one in read.frames] == [1, 2, 2]
    np.testing.assert_allclose(read.frames[0].points[0], made().frames[0].points[1] - 0.5)


@pytest.mark.parametrize("ending", FORMATS)
def test_damaged_files_are_one_sentence(tmp_path: Path, ending: str) -> None:
    write_labels(made(), tmp_path / f"a{ending}")
    whole = (tmp_path / f"a{ending}").read_bytes()
    rng = np.random.default_rng(3)
    for case in range(60):
        data = bytearray(whole)
        if case % 3 == 0:
            data = data[: int(rng.integers(len(data)))]
        for place in rng.integers(0, max(len(data), 1), 12 if case % 3 else 0):
            data[place] = int(rng.integers(256))
        (tmp_path / f"b{ending}").write_bytes(bytes(data))
        with suppress(InputError):
            read_labels(tmp_path / f"b{ending}", CLIP)
    for name in ("none.json", "a.txt"):
        (tmp_path / "a.txt").write_text("")
        with pytest.raises(InputError, match=r"there is no file|does not end"):
            read_labels(tmp_path / name)
