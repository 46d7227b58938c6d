"""Clips in files that hold several arrays: HDF5 and npz."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.batch.finding import find
from app.batch.identity import identity
from app.cli import main
from app.commands.gui import check_there
from app.sources.formats import split, stands_for
from app.sources.opening import open_source
from kernels.errors import BadFrame, SourceError
from tests.app.sources.writers import picture

h5py = pytest.importorskip("h5py")

STACK = np.stack([picture(6, 9, 255, k) for k in range(12)])
Fields = Mapping[str, Any]


def write_h5(path: Path, arrays: Fields, attributes: Mapping[str, Fields] | None = None, **options: Any) -> Path:
    with h5py.File(path, "w") as file:
        for name, value in arrays.items():
            file.create_dataset(name, data=value, **(options if np.ndim(value) > 2 else {}))
        for name, fields in (attributes or {}).items():
            file[name].attrs.update(fields)
    return path


def write_npz(path: Path, arrays: Fields) -> Path:
    np.savez(path, **arrays)
    return path


def write_compressed_npz(path: Path, arrays: Fields) -> Path:
    np.savez_compressed(path, **arrays)
    return path


WRITERS: list[tuple[str, Callable[[Path, Fields], Path]]] = [
    ("a.h5", write_h5), ("a.npz", write_npz), ("a.npz", write_compressed_npz),
]  # fmt: skip


def refused(clip: Path | str) -> str:
    with pytest.raises(SourceError) as caught:
        open_source(clip)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(("name", "write"), WRITERS)
@pytest.mark.parametrize("kind", ["u1", "<u2", ">u2", "f4", "i2"])
@pytest.mark.parametrize("shape", [(12, 6, 9), (4, 6, 9, 3), (12, 6, 9, 1), (6, 9, 3)])
def test_the_only_stack_is_found(
    tmp_path: Path, name: str, write: Callable[[Path, Fields], Path], kind: str, shape: tuple[int, ...]
) -> None:
    stack = np.resize(STACK, shape).astype(kind)
    path = write(tmp_path / name, {"frames": stack, "fps": 250.0, "table": np.zeros((5, 2)), "note": np.arange(4)})
    with closing(open_source(path)) as source:
        info = source.info
        frames = stack.reshape(info.frames, *info.image.shape)
        assert (info.name, info.frames) == (name, 1 if len(shape) == 3 and shape[2] == 3 else shape[0])
        assert info.format.color == ("rgb" if shape[-1] == 3 else "mono")
        assert (info.time.fps, info.time.origin) == (250, "header")
        for k in (info.frames - 1, 0, *range(info.frames)):
            frame = source.read(k)
            assert frame.dtype == info.image.dtype.numpy
            assert np.array_equal(frame, frames[k])
            assert np.array_equal(source.read(k, np.empty(info.image.shape, info.image.dtype.numpy)), frames[k])


@pytest.mark.parametrize("name", ["fps", "frame_rate", "FrameRate", "sampling_rate", "Frame Rate (Hz)"])
@pytest.mark.parametrize("where", ["/run/clip", "/run", "/"])
def test_a_rate_is_found_near_the_pictures(tmp_path: Path, name: str, where: str) -> None:
    path = write_h5(tmp_path / "a.h5", {"run/clip": STACK}, {where: {name: "4000"}})
    with closing(open_source(path)) as source:
        assert (source.info.time.fps, source.info.time.origin) == (4000, "header")
        assert name in source.info.time.note


def test_steps_are_rates_and_several_rates_are_none(tmp_path: Path) -> None:
    path = write_h5(tmp_path / "a.h5", {"clip": STACK}, {"clip": {"dt": 0.002}, "/": {"fps": 30}})
    with closing(open_source(path)) as source:
        assert source.info.time.fps == 500  # the nearest
    path = write_h5(tmp_path / "b.h5", {"clip": STACK}, {"clip": {"dt": 0.002, "fps": 30}})
    with closing(open_source(path)) as source:
        assert not source.info.time.fps > 0
        assert "several rates (dt: 500 fps; fps: 30 fps)" in source.info.warnings[0]


EVEN, GAP = np.arange(12) / 500, np.arange(12) / 500 + 0.1 * (np.arange(12) > 5)


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_times_of_the_frames(tmp_path: Path, name: str, write: Callable[[Path, Fields], Path]) -> None:
    for times, fps, uneven in ((EVEN, 500, False), (GAP, 500, True), (np.arange(12) * 2000 + 7, None, False)):
        with closing(open_source(write(tmp_path / name, {"clip": STACK, "timestamps": times}))) as source:
            time = source.info.time
            assert (time.stamps is not None) == uneven
            if fps is None:  # whole numbers of nobody knows what
                assert time.origin == "unknown"
                assert "has no unit" in source.info.warnings[0]
                continue
            assert (time.origin, time.fps) == ("stamps", fps)
            assert np.allclose([time.time(k) for k in range(12)], times - times[0])
    arrays = {"clip": STACK, "t": np.arange(12, dtype=np.uint64) * 2000 + 7, "fps": 500.0}
    with closing(open_source(write(tmp_path / name, arrays))) as source:
        assert (source.info.time.fps, source.info.time.origin) == (500, "stamps")  # microseconds, as the rate tells


def test_units_of_times(tmp_path: Path) -> None:
    path = write_h5(tmp_path / "a.h5", {"clip": STACK, "time": np.arange(12) * 4.0}, {"time": {"units": "ms"}})
    with closing(open_source(path)) as source:
        assert source.info.time.fps == 250


@pytest.mark.parametrize(("name", "write"), WRITERS)
def test_one_of_several_is_named(tmp_path: Path, name: str, write: Callable[[Path, Fields], Path]) -> None:
    path = write(tmp_path / name, {"left": STACK, "right": 255 - STACK, "table": np.zeros((5, 2))})
    slash = "/" if name == "a.h5" else ""
    said = refused(path)
    assert f"2 stacks of pictures: {slash}left (12 x 6 x 9, uint8), {slash}right (12 x 6 x 9, uint8)" in said
    assert f"such as {path}:{slash}left" in said
    assert "it holds" in refused(f"{path}:middle")
    for given in (f"{path}:right", f"{path}:/right"):
        with closing(open_source(given)) as source:
            assert source.info.name == f"a-right{path.suffix}"
            assert np.array_equal(source.read(3), 255 - STACK[3])
            assert source.info.identity["path"] == given
            again = source.info.identity["path"]
        with closing(open_source(again)) as source:
            assert source.info.frames == 12


def test_datasets_in_groups_and_behind_links(tmp_path: Path) -> None:
    path = write_h5(tmp_path / "a.h5", {"one/clip": STACK, "two/clip": 255 - STACK})
    with h5py.File(path, "a") as file:
        file["last"] = h5py.SoftLink("/two/clip")
    for given in ("/two", "two/clip", "/last"):
        with closing(open_source(f"{path}:{given}")) as source:
            assert np.array_equal(source.read(11), 255 - STACK[11])


@pytest.mark.parametrize("chunks", [(1, 6, 9), (5, 3, 4), (12, 6, 9), True])
@pytest.mark.parametrize("compression", [None, "gzip", "lzf"])
def test_chunks(tmp_path: Path, chunks: Any, compression: str | None) -> None:
    path = write_h5(tmp_path / "a.h5", {"clip": STACK}, chunks=chunks, compression=compression)
    with closing(open_source(path)) as source:
        for k in (11, 0, 7, 3, 4, 5, 6, 10):
            assert np.array_equal(source.read(k), STACK[k])


def test_every_chunk_is_unpacked_once(tmp_path: Path) -> None:
    path = write_h5(tmp_path / "a.h5", {"clip": STACK}, chunks=(4, 6, 9), compression="gzip")
    with closing(open_source(path)) as source:
        inner, asked = source._data, []  # type: ignore[attr-defined]

        class Counting:
            def __getitem__(self, key: Any) -> Any:
                asked.append(key)
                return inner[key]

        source._data = Counting()  # type: ignore[attr-defined]
        for k in range(12):
            source.read(k)
        assert len(asked) == 2  # the first one at opening


def test_what_holds_no_pictures(tmp_path: Path) -> None:
    said = refused(write_h5(tmp_path / "a.h5", {"tracks/x": np.zeros(5), "tracks/y": np.zeros(5)}))
    assert "holds no stack of pictures (frames, height, width), but /tracks/x (5, float64), /tracks/y" in said
    assert "but x (5, float64)" in refused(write_npz(tmp_path / "a.npz", {"x": np.zeros(5)}))
    records = write_npz(tmp_path / "b.npz", {"a": np.zeros((3, 6, 9), "u1,f4")})
    assert "records, not pictures" in refused(f"{records}:a")
    assert "cut short or damaged" in refused(_cut(write_npz(tmp_path / "c.npz", {"clip": STACK})))
    assert "damaged or no HDF5 file" in refused(_cut(write_h5(tmp_path / "c.h5", {"clip": STACK})))


def _cut(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[:-300])
    return path


def test_damage_in_a_chunk_is_that_of_its_frames(tmp_path: Path) -> None:
    path = write_h5(tmp_path / "a.h5", {"clip": STACK}, chunks=(1, 6, 9), fletcher32=True)
    data = path.read_bytes()
    at = data.index(STACK[5].tobytes())
    path.write_bytes(data[: at + 7] + b"\xff\0" + data[at + 9 :])
    with closing(open_source(path)) as source:
        with pytest.raises(BadFrame, match="frame 5"):
            source.read(5)
        assert np.array_equal(source.read(6), STACK[6])


def test_a_wrong_check_sum_is_said(tmp_path: Path) -> None:
    path = write_npz(tmp_path / "a.npz", {"clip": STACK})
    data = path.read_bytes()
    at = data.index(STACK[5].tobytes())
    path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    with closing(open_source(path)) as source:
        assert source.info.warnings[0].startswith("its check sum is wrong")
        assert np.array_equal(source.read(6), STACK[6])


def test_parts_have_names_of_their_own() -> None:
    assert split("a:b/file.h5:/x") == ("a:b/file.h5", "/x")
    assert split("cam:0") == ("cam:0", "")
    assert split("sim:vortex?frames=9") == ("sim:vortex?frames=9", "")
    assert split(r"C:\clips\a.h5:/x") == (r"C:\clips\a.h5", "/x")
    assert str(stands_for("b/file.npz:left")) == "b/file-left.npz"
    assert str(stands_for("b/file.npz")) == "b/file.npz"


def test_other_files_have_no_parts(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", STACK)
    assert "is a NumPy array and has no parts; leave out :x" in refused(f"{tmp_path / 'a.npy'}:x")
    assert "does not exist" in refused(f"{tmp_path / 'none.h5'}:x")
    assert "does not exist" in refused(f"{tmp_path / 'none.npy'}:x")


def test_parts_are_run_told_and_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    write_h5(tmp_path / "a.h5", {"left": STACK, "right": 255 - STACK, "fps": 500})
    write_h5(tmp_path / "tracks.h5", {"tracks/x": np.zeros(5)})
    write_npz(tmp_path / "b.npz", {"clip": STACK})
    check_there("a.h5:/left")
    assert main(["info", "a.h5:/left", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["metadata"]["dataset"] == "/left"
    assert main(["info", "a.h5"]) == 2
    assert "name one, such as a.h5:/left" in capsys.readouterr().err
    found = find(["a.h5:/left", "a.h5:/right", "*.h5:/left", "gone.h5:/left"], Path("out"))
    assert [clip.name for clip in found.clips] == ["a-left.h5", "a-right.h5", "gone-left.h5"]
    assert "does not exist" in found.clips[2].missing
    assert found.twice == 1
    assert [clip.name for clip in find(["."], Path("out")).clips] == ["a.h5", "b.npz"]
    (tmp_path / "a-left.truth.csv").write_text("frame\n")
    assert (identity(found.clips[0].path)["files"], identity(found.clips[1].path)["files"]) == (2, 1)
    (tmp_path / "a-left.truth.csv").unlink()
    assert main(["run", "a.h5:/left", "-p", "blobs", "--frames", ":2", "--no-overlay", "--out", "results", "-q"]) == 0
    told = json.loads((tmp_path / "results" / "summary.json").read_text())["source"]
    assert (told["name"], told["identity"]["path"]) == ("a-left.h5", f"{tmp_path / 'a.h5'}:/left")


def test_labels_of_axes_are_followed(tmp_path: Path) -> None:
    for labels, at in (("yxt", 2), ("xty", 1), ("tyx", 0), ("", 0)):
        with h5py.File(tmp_path / "a.h5", "w") as file:
            data = file.create_dataset("clip", data=np.moveaxis(STACK, 0, at))
            for dim, label in zip(data.dims, labels, strict=False):
                dim.label = label.upper()
        if at:
            assert f"np.moveaxis(h5py.File('{tmp_path / 'a.h5'}')['/clip'][:], {at}, 0)" in refused(tmp_path / "a.h5")
        else:
            with closing(open_source(tmp_path / "a.h5")) as source:
                np.testing.assert_array_equal(source.read(3), STACK[3])
