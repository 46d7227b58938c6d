"""`fusetrack strain`: a stretched speckle beside what is known of it, tables, ParaView's files, figures, refusals."""

from __future__ import annotations

import base64
import csv
import json
import struct
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import app.launcher as fusetrack
from app.analysis.strain import StrainOptions, parse_extensometer, strain_of
from app.analysis.strain_files import as_json, report, write_strain
from app.analysis.strain_vtk import TYPES, write_vtk
from app.cli import main
from app.exports.scale import parse_scale
from app.exports.tables import write_tracks_parquet
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State

SIDE = 160
CLIP = f"sim:speckle?width={SIDE}&height={SIDE}&frames=12&ramp=2&strain=0.01&ratio=0.3"
EXX, EYY = 0.01 + 0.5 * 0.01**2, -0.003 + 0.5 * 0.003**2
"""Green-Lagrange strains of the clip at full load."""


@pytest.fixture(scope="module")
def pulled(tmp_path_factory) -> Path:
    """A grid that was followed over the clip, by the command."""
    folder = tmp_path_factory.mktemp("pulled") / "run"
    assert main(["run", CLIP, "-p", "template", "--grid", f"12 without circle:{SIDE // 2},{SIDE // 2},9", "-o",
                 str(folder), "--no-overlay", "--set", "track.window=21", "-q"]) == 0  # fmt: skip
    return folder


def rows_of(frames=4, step=10.0, lost=(), strain=0.02):
    """A grid of 9 x 7 points that is stretched along x, a quarter of it a frame."""
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(9) * step, np.arange(7) * step))
    rows = np.zeros(frames * len(x), TRACK_DTYPE)
    rows["frame"], rows["track"] = np.repeat(np.arange(frames), len(x)), np.tile(np.arange(len(x)), frames)
    rows["time"], rows["state"] = rows["frame"] / 50.0, State.TRACKED
    rows["x"] = np.tile(x, frames) * (1 + strain * rows["frame"] / max(frames - 1, 1))
    rows["y"], rows["sigma"] = np.tile(y, frames), np.where(rows["frame"] > 0, 0.01, 0.0)
    for frame, point in lost:
        rows["state"][(rows["frame"] == frame) & (rows["track"] == point)] = State.PREDICTED
    return rows


def test_a_stretched_speckle_is_measured_within_its_uncertainty(pulled):
    """Bias below 2e-5 (all points and frames together tell it to 4e-6), spread as stated; the gauge length is told."""
    found = fusetrack.strain(pulled)
    assert found.gauge_length == 4 * 12 + 21
    full = found.frames >= 2
    for name, true in (("exx", EXX), ("eyy", EYY), ("exy", 0.0)):
        errors = np.concatenate([found.field(name, frame) - true for frame in found.frames[full].tolist()])
        stated = np.concatenate([found.sigma(name, frame) for frame in found.frames[full].tolist()])
        known = np.isfinite(errors)
        assert known.mean() > 0.95
        assert abs(errors[known].mean()) < 2e-5
        assert errors[known].std() == pytest.approx(float(np.sqrt(np.square(stated[known]).mean())), rel=0.15)
    assert not found.field("von_mises", 0).any()
    assert found.notes == ()


@pytest.mark.sharp
def test_what_is_printed_and_written(pulled, tmp_path, capsys):
    middle = SIDE // 2
    ends = f"circle:40,{middle},20 to circle:{SIDE - 40},{middle},20"
    assert main(["strain", str(pulled), "-o", str(tmp_path), "--csv", "--vtk", "--scale", "0.1 mm/px", "--figure",
                 "svg", "--extensometer", f"gauge={ends}"]) == 0  # fmt: skip
    said = capsys.readouterr().out
    assert "gauge    6.9 mm: windows of 5 x 5 points and subsets of 21 px; green-lagrange strain" in said
    assert "  exx       +0.010" in said
    assert "length   gauge: 8" in said
    assert {path.name for path in tmp_path.iterdir()} == {
        "strain.parquet", "strain.csv", "strain-frames.csv", "extensometers.csv", "strain-vtk",
        "strain.svg"}  # fmt: skip
    table = pyarrow.parquet.read_table(tmp_path / "strain.parquet")
    with (tmp_path / "strain.csv").open(newline="") as file:
        rows = [*csv.DictReader(file)]
    assert [*rows[0]] == table.column_names
    assert len(rows) == table.num_rows
    assert table.schema.metadata[b"gauge_length"] == b"6.9 mm"
    last = [row for row in rows if row["frame"] == "11"]
    assert float(last[0]["u_mm"]) == pytest.approx(0.1 * 0.01 * (float(last[0]["x0_mm"]) * 10 - 79.5), abs=2e-3)
    assert float(np.mean([float(row["exx"]) for row in last if row["exx"]])) == pytest.approx(EXX, abs=4e-5)
    with (tmp_path / "extensometers.csv").open(newline="") as file:
        lengths = [*csv.DictReader(file)]
    assert float(lengths[-1]["strain"]) == pytest.approx(0.01, abs=1e-4)
    assert 0 < float(lengths[-1]["sigma_strain"]) < 1e-4
    write_strain(tmp_path, strain_of(rows_of()))
    assert not (tmp_path / "extensometers.csv").exists()


def test_json_and_the_numbers_of_a_grid():
    found = strain_of(rows_of(lost=[(2, 0), (2, 30)]), StrainOptions(3), subset=21.0)
    told = as_json(found)
    assert (told["points"], told["step"], told["gauge_length"], told["on_a_grid"]) == (63, 10.0, 41.0, True)
    assert [frame["left_out"] for frame in told["frames"]] == [0, 0, 2, 0]
    assert told["frames"][3]["mean_exx"] == pytest.approx(0.02 + 0.0002)
    assert told["frames"][3]["lowest_exx"] == pytest.approx(told["frames"][3]["highest_exx"])
    assert any("2 of 252 places were not seen and are left out, most in frame 2: 2 of 63" in note
               for note in told["notes"])  # fmt: skip
    assert report(found)[0] == "points   63, 10 px apart, 4 frames; reference: frame 0"


def test_frames_begin_with_the_reference(tmp_path, capsys):
    write_tracks_parquet(tmp_path / "tracks.parquet", rows_of(frames=5, strain=0.04), {})
    assert main(["strain", str(tmp_path / "tracks.parquet"), "--frames", "2:", "--json", "--subset", "21"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["reference_frame"] == 2
    assert told["frames"][-1]["mean_exx"] == pytest.approx(0.5 * ((1.04 / 1.02) ** 2 - 1), rel=1e-6)
    assert told["frames"][-1]["sigma_exx"] > 0


def arrays_of(text: bytes) -> dict[str, np.ndarray]:
    """The arrays of a .vtu file, read as VTK's documentation says: a header of block sizes, then compressed blocks."""
    tree = ET.fromstring(text)
    found = {}
    for one in tree.iter("DataArray"):
        packed = one.text or ""
        (blocks,) = struct.unpack("<Q", base64.b64decode(packed[:12])[:8])
        length = 4 * -(-8 * (3 + blocks) // 3)
        header = struct.unpack(f"<{3 + blocks}Q", base64.b64decode(packed[:length]))
        data, whole = base64.b64decode(packed[length:]), b""
        for size in header[3:]:
            whole, data = whole + zlib.decompress(data[:size]), data[size:]
        assert not data
        assert len(whole) == (blocks - (header[2] > 0)) * header[1] + header[2]
        kind = next(dtype for dtype, name in TYPES.items() if name == one.get("type"))
        values = np.frombuffer(whole, kind)
        width = int(one.get("NumberOfComponents", "1"))
        found[one.get("Name", "")] = values.reshape(-1, width) if width > 1 else values
    return found


def test_files_for_paraview(tmp_path):
    found = strain_of(rows_of(lost=[(2, 30)]), scale=parse_scale("0.5 mm/px"))
    (tmp_path / "strain-vtk").mkdir()
    (tmp_path / "strain-vtk" / "frame-000099.vtu").write_bytes(b"of an earlier call")
    assert write_vtk(tmp_path, found) == ["strain-vtk/"]
    series = ET.parse(tmp_path / "strain-vtk" / "strain.pvd").getroot()
    parts = [(one.get("timestep"), one.get("file")) for one in series.iter("DataSet")]
    assert parts == [(f"{k / 50:g}", f"frame-{k:06d}.vtu") for k in range(4)]
    assert len([*(tmp_path / "strain-vtk").iterdir()]) == 5
    whole = arrays_of((tmp_path / "strain-vtk" / "frame-000003.vtu").read_bytes())
    assert np.allclose(whole["Points"][1], (5.0, 0.0, 0.0))
    assert np.allclose(whole["displacement"][8], (0.8, 0.0, 0.0))
    assert np.allclose(whole["exx"], 0.0202)
    assert whole["TimeValue"].tolist() == [0.06]
    assert len(whole["types"]) == 8 * 6
    assert set(whole["types"].tolist()) == {9}
    assert whole["connectivity"].reshape(-1, 4)[0].tolist() == [0, 1, 10, 9]
    assert whole["offsets"][-1] == len(whole["connectivity"])
    holed = arrays_of((tmp_path / "strain-vtk" / "frame-000002.vtu").read_bytes())
    assert len(holed["types"]) == 8 * 6 - 4
    assert holed["seen"].tolist().count(0) == 1
    assert np.isnan(holed["exx"][30])


def test_vtk_itself_reads_them(tmp_path):
    vtk = pytest.importorskip("vtk")
    write_vtk(tmp_path, strain_of(rows_of(step=0.37, frames=3)))
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(tmp_path / "strain-vtk" / "frame-000002.vtu"))
    reader.Update()
    assert (reader.GetOutput().GetNumberOfPoints(), reader.GetOutput().GetNumberOfCells()) == (63, 48)
    assert reader.GetOutput().GetPointData().GetArray("exx").GetValue(0) == pytest.approx(0.0202)


def test_large_arrays_are_compressed_in_blocks(tmp_path):
    rows = rows_of(frames=1)
    grid = np.zeros(80 * 80, TRACK_DTYPE)
    grid["track"], grid["state"] = np.arange(len(grid)), rows["state"][0]
    grid["x"], grid["y"] = np.divmod(np.arange(len(grid)), 80)
    write_vtk(tmp_path, strain_of(grid))
    whole = arrays_of((tmp_path / "strain-vtk" / "frame-000000.vtu").read_bytes())
    assert np.array_equal(whole["Points"][:, 0], grid["x"])
    assert len(whole["types"]) == 79 * 79


def test_points_off_a_grid_and_tracks_without_errors(tmp_path):
    rng = np.random.default_rng(1)
    rows = rows_of()
    count = 63
    for axis in "xy":
        rows[axis] += np.tile(rng.uniform(-3, 3, count), 4)
    rows["sigma"] = np.nan
    found = strain_of(rows)
    assert any("on no square grid" in note for note in found.notes)
    assert any("(--subset)" in note for note in found.notes)
    assert any("errors of strains are not known" in note for note in found.notes)
    assert np.isnan(found.strains(3).sigmas[0, :20]).all()
    names = write_strain(tmp_path, found)
    assert names == ["strain.parquet", "strain-frames.csv"]
    write_vtk(tmp_path, found)
    assert set(arrays_of((tmp_path / "strain-vtk" / "frame-000001.vtu").read_bytes())["types"].tolist()) == {5}


def test_from_python(tmp_path):
    found = fusetrack.strain(rows_of(lost=[(1, 5)]), window=3, subset=21, extensometers="0,8", scale="0.1 mm/px",
                             out=tmp_path)  # fmt: skip
    assert found.table["left_out"].tolist() == [0, 1, 0, 0]
    length, strain, sigma = found.extensometers["0 to 8"]
    assert length[-1] == pytest.approx(8.16)
    assert strain[-1] == pytest.approx(0.02)
    assert sigma[-1] == pytest.approx(0.01 * 2**0.5 / 80, rel=1e-3)
    assert found.field("u", 3)[8] == pytest.approx(0.16)
    assert found.field("magnitude", 3)[0] == 0
    assert len(found.per_point()["exx"]) == 4 * 63 - 1
    assert {"strain-vtk", "strain.png", "extensometers.csv"} <= {path.name for path in tmp_path.iterdir()}
    axes = found.plot("exx", frame=3)
    assert axes.get_xlabel() == "x (mm)"
    assert found.plot("time").get_ylabel() == "mean strain, its spread"
    assert found.plot().yaxis_inverted()
    for work, words in ((lambda: found.field("ezz", 3), "a field is u, v"), (lambda: found.field("u", 9), "no frame 9"),
                        (lambda: found.sigma("u", 1), "sigma is of exx"),
                        (lambda: fusetrack.strain(rows_of(), measure="log"), "measure takes"),
                        (lambda: fusetrack.strain(rows_of(), subset=0), "subset is the side"),
                        (lambda: fusetrack.grid(0), "1 to 10000"),
                        (lambda: fusetrack.grid(5, "disc:1"), "an area is")):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            work()


def test_a_grid_in_python_is_that_of_the_command(pulled):
    hole = f"circle:{SIDE // 2},{SIDE // 2},9"
    tracks = fusetrack.track(CLIP, "template", points=fusetrack.grid(12, without=hole), settings={"track.window": 21},
                             frames=(0, 2))  # fmt: skip
    ran = fusetrack.Tracks(pulled)
    assert tracks.subset == ran.subset == 21
    assert np.array_equal(tracks.rows["x"][: len(np.unique(ran.rows["track"]))],
                          ran.rows["x"][ran.rows["frame"] == 0])  # fmt: skip


@pytest.mark.parametrize(("given", "words"), [
    (["--window", "4"], "odd number of points along its side"), (["--subset", "0"], "--subset is the side"),
    (["--show", "exx,ezz"], "--show takes u, v"), (["--at", "99"], "--at 99: there are tracks of frames 0 to 3"),
    (["--extensometer", "1"], "--extensometer takes"), (["--extensometer", "1,1"], "both ends of '1,1' are the same"),
    (["--extensometer", "1,999"], "extensometer 1 to 999: track 999 was not seen in the reference frame 0"),
    (["--extensometer", "circle:0,0,5 to circle:900,0,5"], "no point lies in circle:900,0,5"),
    (["--extensometer", "a=1,2", "--extensometer", "a=1,3"], "two called 'a'"),
    (["--frames", "50:"], "in these frames"), (["--measure", "log"], "invalid choice"),
])  # fmt: skip
def test_refused_in_a_sentence(given, words, tmp_path, capsys):
    write_tracks_parquet(tmp_path / "tracks.parquet", rows_of(), {})
    assert main(["strain", str(tmp_path / "tracks.parquet"), *given]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert len(said.strip().splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["tracks.parquet"]


@pytest.mark.parametrize(("given", "words"), [
    (["-p", "blobs", "--grid", "12"], "finds its points itself"),
    (["-p", "template", "--grid", "12 in disc:1"], "an area is"),
    (["-p", "template", "--grid", "12", "--points", "a.csv"], "--points and --grid both say"),
    (["-p", "template", "--grid", "12 in circle:2,2,3"], "holds no point whose window of 25 px"),
])  # fmt: skip
def test_grids_that_are_none(given, words, tmp_path, capsys):
    assert main(["run", CLIP, *given, "-o", str(tmp_path / "run"), "-q"]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_what_an_extensometer_is_called():
    one = parse_extensometer("rect:0,0,5,5 to polygon:10,0,20,0,15,9")
    assert one.name == "rect:0,0,5,5 to polygon:10,0,20,0,15,9"
    with pytest.raises(InputError, match="takes"):
        parse_extensometer("circle:0,0,5")
