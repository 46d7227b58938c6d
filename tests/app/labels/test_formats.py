"""Labels come back from every kind of file, and damaged ones are one sentence."""

from __future__ import annotations

import gzip
import json
import pickle
import struct
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pytest

from app.labels import coco
from app.labels.formats import FORMATS, read_labels, write_labels
from app.labels.labels import LabelledFrame, Labels, project_of
from app.labels.pictures import write_pictures
from app.sources.opening import open_source
from app.training.keypoints import _read
from kernels.errors import InputError
from tests.app.sources.writers import write_video

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
    assert read.edges == (wanted.edges if FORMATS[ending].edges else ())  # DeepLabCut keeps them elsewhere
    assert [(one.source, one.index) for one in read.frames] == [(CLIP, 0), (CLIP, 3), (CLIP, 120)]
    for a, b in zip(read.frames, wanted.frames, strict=True):
        np.testing.assert_allclose(a.points, b.points, atol=1e-4)
    assert (read.animals, read.labelled) == (animals, 3 * (3 * animals - 1))


@pytest.mark.parametrize("ending", [".json", ".slp", ".sleap.json"])
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


@pytest.mark.parametrize("name", ["labels_fixed", "labels_table", "results_table"])
def test_hdf5_that_pandas_wrote(tmp_path: Path, name: str) -> None:
    """`DataFrame.to_hdf` of pandas 3.1 with PyTables 3.11: fixed (paths in three parts) and table; results, whose first
    frame has a likelihood of 2 and 5, above SURE."""
    pytest.importorskip("h5py")
    path = tmp_path / "a.h5"
    path.write_bytes(gzip.decompress((Path(__file__).parent / f"{name}.h5.gz").read_bytes()))
    read = read_labels(path, CLIP)
    assert read.points == ("nose", "tail")
    if name == "results_table":
        wanted = {0: [[0, 1], [3, 4]], 1: [[6, 7], [9, 10]]}
        with pytest.raises(InputError, match="--clip"):
            read_labels(path)
    else:
        wanted = {3: [[1, 2], [np.nan, np.nan]], 10: [[3, 4], [5, 6]]}
    assert [one.index for one in read.frames] == list(wanted)
    for frame in read.frames:
        np.testing.assert_array_equal(frame.points, [wanted[frame.index]])


def test_hdf5_is_read_by_pandas(tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("tables")
    write_labels(made(), tmp_path / "CollectedData_me.h5")
    frame = pandas.read_hdf(tmp_path / "CollectedData_me.h5", "df_with_missing")
    assert frame.columns.names == ["scorer", "individuals", "bodyparts", "coords"]
    assert frame[("me", "individual2", "nose", "x")].iloc[2] == pytest.approx(made().frames[2].points[1, 0, 0])
    assert frame.index[1] == ("labeled-data", "sim_face_width_64_height_48", "img003.png")


def test_hdf5_brings_no_code(tmp_path: Path) -> None:
    """Columns of a table are pickled; what names a function is refused, with the way around."""
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "a.h5"
    path.write_bytes(gzip.decompress((Path(__file__).parent / "labels_table.h5.gz").read_bytes()))
    with h5py.File(path, "r+") as file:
        group = file["df_with_missing"]
        group.attrs["non_index_axes"] = np.bytes_(pickle.dumps([(1, [print])], 0))
    with pytest.raises(InputError, match=r"print is not read.*to_csv"):
        read_labels(path, CLIP)


def test_results_of_deeplabcut_count_where_it_is_sure(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("scorer,net,net,net\nbodyparts,nose,nose,nose\ncoords,x,y,likelihood\n"
                                    "4,1,2,.61\n5,3,4,.59\n")  # fmt: skip
    read = read_labels(tmp_path / "a.csv", CLIP)
    assert [(one.index, one.points.tolist()) for one in read.frames] == [(4, [[[1, 2]]])]


@pytest.mark.parametrize("ending", FORMATS)
def test_pictures_go_along(tmp_path: Path, ending: str) -> None:
    """As another program gets them: without the clip, each label is in its picture again; with it, in its frame."""
    clip = tmp_path / "my clip.npy"
    np.save(clip, np.arange(20, dtype=np.uint8)[:, None, None] + np.zeros((1, 8, 12), np.uint8))
    frames = tuple(LabelledFrame(str(clip), k, np.full((1, 2, 2), float(k % 8))) for k in (3, 14))
    wanted = Labels(("a", "b"), (), frames)
    folder = tmp_path / "project" / "labeled-data" / "my_clip"
    folder.mkdir(parents=True)
    path = folder / f"CollectedData_me{ending}"
    names = write_pictures(wanted, project_of(path))
    assert names == ["labeled-data/my_clip/img03.png", "labeled-data/my_clip/img14.png"]
    write_labels(wanted, path, names)
    clip.rename(tmp_path / "gone.npy")
    assert [one.index for one in read_labels(path, CLIP).frames] == [3, 14]
    if ending == ".sleap.csv":  # which names neither
        with pytest.raises(InputError, match="--clip"):
            read_labels(path)
        return
    read = read_labels(path)
    assert [(Path(one.source).name, one.index) for one in read.frames] == [("img03.png", 0), ("img14.png", 0)]
    for frame, k in zip(read.frames, (3, 14), strict=True):
        with closing(open_source(frame.source)) as source:
            assert (np.asarray(source.read(0)) == k).all()


@pytest.mark.parametrize("ending", FORMATS)
def test_labels_of_a_clip_that_asks_to_be_shown_turned_count_in_what_others_show(tmp_path: Path, ending: str) -> None:
    """An MP4 of 48x32 with a dot, stored on its side: others show 32x48. Here its frames come as stored, in which the
    window counts unless it shows them turned."""
    clip = write_turned(tmp_path / "phone.mp4", 90)
    stored = Labels(("dot",), (), (LabelledFrame(str(clip), 1, np.array([[[40.0, 7.0]]])),))
    write_labels(stored, tmp_path / f"a{ending}")
    (read,) = read_labels(tmp_path / f"a{ending}", str(clip)).frames
    if ending == ".json":  # ours says in which picture it counts
        assert (read.turn, read.points.tolist()) == (0, [[[40, 7]]])
        others = json.loads((tmp_path / "a.json").read_text())
        del others["images"][0]["fusetrack"]
        others["images"][0]["file_name"] = "img1.png"
        (tmp_path / "a.json").write_text(json.dumps(others))
        assert read_labels(tmp_path / "a.json", str(clip)).frames[0].turn == 90
        return
    assert (read.turn, read.points.tolist()) == (90, [[[24, 40]]])
    for turn in (0, 90, 180, 270):
        labels = Labels(("dot",), (), (read.turned(turn, (48, 32)),))
        for pixels in (pictures_of(labels, tmp_path / str(turn)), lessons_of(labels)):
            x, y = labels.frames[0].points[0, 0].astype(int)
            assert pixels[y, x] > 0.8 * pixels.max()
            assert pixels[y, x] > 3 * pixels.mean()
    write_labels(Labels(("dot",), (), (read.turned(180, (48, 32)),)), tmp_path / f"b{ending}")
    (again,) = read_labels(tmp_path / f"b{ending}", str(clip)).frames
    assert (again.turn, again.points.tolist()) == (90, [[[24, 40]]])


def write_turned(path: Path, degrees: int) -> Path:
    """A clip whose header asks players to turn it, with a bright dot at (40, 7)."""
    rows, columns = np.mgrid[0:32, 0:48]
    dot = (20 + 220 * np.exp(-((columns - 40) ** 2 + (rows - 7) ** 2) / 8)).astype(np.uint8)
    frames = np.repeat(np.stack([dot] * 3)[..., None], 3, axis=3)
    data = write_video(path, frames, "mpeg4", "yuv420p").read_bytes()
    at = data.index(b"tkhd") + 44
    a, b, c, d = (value << 16 for value in {90: (0, 1, -1, 0)}[degrees])
    path.write_bytes(data[:at] + struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 1 << 30) + data[at + 36 :])
    return path


def pictures_of(labels: Labels, folder: Path) -> np.ndarray:
    (name,) = write_pictures(labels, folder)
    with closing(open_source(folder / name)) as source:
        return np.asarray(source.read(0), float).reshape(*source.info.image.shape[:2], -1).mean(axis=2)


def lessons_of(labels: Labels) -> np.ndarray:
    """As a training sees it."""
    return _read(labels.frames)[0]


def test_what_cannot_be_seen_is_kept_while_labels_are_made(tmp_path: Path) -> None:
    """Animals of which nothing is placed, too; for training and other programs they are no labels."""
    points, hidden = np.full((2, 3, 2), np.nan), np.zeros((2, 3), bool)
    points[0, 0], hidden[0, 2], hidden[1, 1] = (4, 5), True, True
    begun = Labels(("nose", "ear", "tail"), (), (LabelledFrame(CLIP, 2, points, hidden),))
    coco.write(begun, tmp_path / "a.json")
    (frame,) = coco.read(tmp_path / "a.json", None, begun=True).frames
    np.testing.assert_array_equal(frame.points, points)
    np.testing.assert_array_equal(frame.hidden, hidden)
    (frame,) = read_labels(tmp_path / "a.json").frames
    assert len(frame.points) == 1
    coco.write(Labels(("nose",), (), ()), tmp_path / "b.json")
    assert coco.read(tmp_path / "b.json", None, begun=True).points == ("nose",)
    with pytest.raises(InputError, match="no labelled points"):
        read_labels(tmp_path / "b.json")


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


def test_json_and_tables_of_sleap_are_known_by_what_is_in_them(tmp_path: Path) -> None:
    """As SLEAP writes them: a skeleton of the second and the first node of all, a point that is not visible, an
    instance that was predicted; of a table points with a low score."""
    kind = {"py/reduce": [{"py/type": "sleap.skeleton.EdgeType"}, {"py/tuple": [1]}, None, None, None]}
    skeleton = {"directed": True, "graph": {"name": "S", "num_edges_inserted": 1}, "multigraph": True,
                "links": [{"edge_insert_idx": 0, "key": 0, "source": 1, "target": 0, "type": kind}],
                "nodes": [{"id": 1}, {"id": 0}]}  # fmt: skip
    seen = {"x": 92.5, "y": 202, "visible": True, "complete": True}
    set_by_hand = {"skeleton": "0", "track": None, "_points": {"0": seen, "1": {**seen, "visible": False}}}
    predicted = {"skeleton": "0", "score": 0.9, "_points": {"1": {**seen, "score": 0.8}}}
    (tmp_path / "labels.v001.json").write_text(json.dumps({
        "version": "2.0.0", "skeletons": [skeleton], "nodes": [{"name": name, "weight": 1.0} for name in "AB"],
        "videos": [{"backend": {"filename": "/home/them/pair.mp4", "grayscale": True, "bgr": True}}], "tracks": [],
        "labels": [{"video": "0", "frame_idx": 7, "_instances": [set_by_hand, predicted]}],
    }))  # fmt: skip
    read = read_labels(tmp_path / "labels.v001.json", CLIP)
    assert (read.points, read.edges) == (("B", "A"), ((0, 1),))
    assert [one.index for one in read.frames] == [7]
    np.testing.assert_array_equal(read.frames[0].points, [[[np.nan, np.nan], [92.5, 202]]])
    (tmp_path / "pair.analysis.csv").write_text(
        "track,frame_idx,instance.score,head.x,head.y,head.score,tail.x,tail.y,tail.score\n"
        "track_0,0,0.93,101.5,55.25,0.97,140.0,60.0,0.28\ntrack_1,0,,1,2,,,,\ntrack_0,3,0.1,103.0,57.0,0.2,9,8,0.3\n"
    )
    read = read_labels(tmp_path / "pair.analysis.csv", CLIP)
    assert (read.points, [one.index for one in read.frames]) == (("head", "tail"), [0])
    none = [np.nan, np.nan]
    np.testing.assert_array_equal(read.frames[0].points, [[[101.5, 55.25], none], [[1, 2], none]])
    two = Labels(("a",), (), tuple(LabelledFrame(name, 0, np.ones((1, 1, 2))) for name in (CLIP, "other.npy")))
    with pytest.raises(InputError, match="of one clip"):
        write_labels(two, tmp_path / "x.sleap.csv")


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
