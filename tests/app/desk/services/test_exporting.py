"""What a window exports: its tracks as the user corrected and named them, in the user's units and axes."""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.desk.jobs.child import outcome
from app.desk.jobs.handover import hand_over, taken_over
from app.desk.jobs.jobs import Jobs, JobState
from app.desk.jobs.orders import ExportOrder
from app.desk.jobs.stopping import Stop
from app.desk.services.exporting import What, Wish, order_for, own_axes
from app.desk.tracks.calibration import Calibration
from app.exports.axes import Axes
from app.exports.formats.catalogue import TRACKS
from app.sources.opening import open_source
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, sigmas
from pipelines.frame import SourceInfo
from pipelines.measures import measured_as
from tests.app.desk.bench.test_workbench import CLIP
from tests.app.desk.jobs.test_jobs import until
from tests.app.desk.services.test_corrector import Bench


@pytest.fixture(scope="module")
def info() -> Iterator[SourceInfo]:
    source = open_source(CLIP)
    yield source.info
    source.close()


@pytest.fixture
def desk(tmp_path: Path, info: SourceInfo) -> Bench:
    made = Bench(tmp_path, info)
    made.rows(0, 9, (0, 1, 2))
    made.corrector.rename(0, "left knee")
    made.corrector.rename(1, "left_knee")
    made.corrector.delete([2])
    made.corrector.move(0, 4, 70.0, 50.0)
    return made


def exported(bench: Bench, to: str, out: Path, **wish: bool) -> dict[str, object]:
    """Without a process."""
    order = hand_over(order_for(bench.bench, Wish(What.SEEN, to, str(out), **wish)), str(out.parent))
    final = outcome(order, lambda _: None, Stop())
    assert "result" in final, final
    return final["result"]  # type: ignore[no-any-return]


def test_a_window_gives_nothing_away_but_what_is_there_now(desk: Bench, tmp_path: Path) -> None:
    order = order_for(desk.bench, Wish(What.SEEN, "csv", str(tmp_path / "x.csv")))
    expected = desk.bench.store.all()
    desk.rows(0, 9, (0, 1, 2), x=5.0)  # the clip is computed anew while the export begins
    desk.corrector.undo()
    found = hand_over(order, str(tmp_path))
    assert isinstance(found, ExportOrder)
    assert found.store is None
    np.testing.assert_array_equal(taken_over(found), expected)
    Path(found.rows_file).unlink()
    with pytest.raises(InputError, match="no longer"):
        taken_over(found)


def test_corrections_names_units_and_axes_reach_the_file(desk: Bench, tmp_path: Path) -> None:
    bench = desk.bench
    assert not own_axes(bench)
    bench.tracks.set_calibration(Calibration(0.5, "mm", (50.0, 60.0), 90.0, True))
    assert own_axes(bench)
    jobs = Jobs()
    wish = Wish(What.SEEN, "csv", str(tmp_path / "x.csv"), lengths=True, y_up=True, axes=True)
    job = jobs.start("export", order_for(bench, wish))
    until(jobs, lambda: not job.running)
    assert job.state is JobState.DONE, job.sentence
    with (tmp_path / "x.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["track"] for row in rows} == {"0", "1"}
    at = {(int(row["frame"]), int(row["track"])): (float(row["x_mm"]), float(row["y_mm"])) for row in rows}
    for (frame, track), found in at.items():
        (x,), (y,) = (bench.store.track(track)[name][[frame]].astype(float) for name in "xy")
        ours = bench.calibration.points(np.array([x]), np.array([y]))
        assert found == pytest.approx((ours[0][0], ours[1][0]), abs=1e-6)
    assert at[4, 0] == pytest.approx((5.0, -10.0))  # 20 px to the right and 10 up, turned by 90 degrees


def test_measures_reach_the_file_in_its_units_and_angles_go_on(desk: Bench, tmp_path: Path) -> None:
    bench = desk.bench
    rows = measured_as(bench.store.raw_between(0, 9), ("area", "orientation"))
    rows["area"], rows["orientation"] = 8.0, 50.0 * rows["frame"] % 180.0
    bench.store.add(0, 9, rows)
    bench.tracks.set_calibration(Calibration(0.5, "mm"))
    exported(desk, "csv", tmp_path / "x.csv", lengths=True)
    with (tmp_path / "x.csv").open() as file:
        found = [row for row in csv.DictReader(file) if row["track"] == "1"]
    assert {row["area_mm2"] for row in found} == {"2"}
    assert [float(row["orientation_deg"]) for row in found] == [50.0 * frame for frame in range(10)]


@pytest.mark.parametrize("to", [form.name for form in TRACKS])
def test_every_format_takes_the_windows_tracks(desk: Bench, tmp_path: Path, to: str) -> None:
    form = next(f for f in TRACKS if f.name == to)
    needs = {"c3d": "ezc3d", "hdf5": "h5py", "nwb": "pynwb"}.get(to)
    if needs is not None and importlib.util.find_spec(needs) is None:
        pytest.skip(f"{needs} is not there")
    desk.bench.tracks.set_calibration(Calibration(0.5, "mm", (50.0, 60.0), 10.0))
    out = tmp_path / f"x{form.suffix}"
    made = exported(desk, to, out, axes=True, lengths=True)
    assert made["tracks"] == 2
    assert out.stat().st_size
    if to in ("wide", "dlc", "trc"):
        head = out.read_text("utf-8")[:2000]
        assert "left_knee" in head
        assert "left_knee_1" in head  # two tracks of one name stay two


def test_axes_are_those_of_the_window() -> None:
    rng = np.random.default_rng(1)
    desk_rows = np.zeros(50, [(n, "f8") for n in ("x", "y", "vx", "vy", "anisotropy", "correlation")])
    for name in desk_rows.dtype.names or ():
        desk_rows[name] = rng.normal(50, 40, 50) if name not in ("anisotropy", "correlation") else 0.0
    for up in (False, True):
        made = Calibration(1.0, "px", (12.5, 33.0), 27.0, up)
        turned = Axes(12.5, 33.0, 27.0).turned(desk_rows, up)
        x, y = made.points(desk_rows["x"], desk_rows["y"])
        vx, vy = made.vectors(desk_rows["vx"], desk_rows["vy"])
        for name, values in (("x", x), ("y", y), ("vx", vx), ("vy", vy)):
            np.testing.assert_allclose(turned[name], values, atol=1e-9)
    with pytest.raises(InputError, match="finite"):
        Axes(float("nan"), 0.0)


@pytest.mark.parametrize("up", [False, True])
def test_uncertainties_turn_with_the_axes_in_files_and_in_the_window(up: bool) -> None:
    rng = np.random.default_rng(2)
    rows = np.zeros(40, TRACK_DTYPE)
    rows["sigma"], rows["anisotropy"] = rng.uniform(0.1, 2, 40), rng.uniform(-1, 1, 40)
    rows["correlation"] = rng.uniform(-1, 1, 40)
    sx, sy = sigmas(rows)
    for angle, along in ((0.0, (sx, sy)), (90.0, (sy, sx)), (-180.0, (sx, sy)), (27.0, None)):
        found = Calibration(2.0, "mm", (3.0, 4.0), angle, up).spreads(
            sx, sy, rows["correlation"].astype(float))  # fmt: skip
        turned = Axes(3.0, 4.0, angle).turned(rows, up)
        if along is None:  # noise along the picture's axes, seen along these
            one, other = rng.normal(size=(2, 100_000))
            c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
            drawn = []
            for a, b, r in zip(sx, sy, rows["correlation"].tolist(), strict=True):
                x, y = a * one, b * (r * one + np.sqrt(1 - r * r) * other)
                drawn.append((x * c - y * s, -(x * s + y * c) if up else x * s + y * c))
            along = tuple(np.array([np.std(each[k]) for each in drawn]) for k in (0, 1))
            alike = [np.corrcoef(*each)[0, 1] for each in drawn]
            np.testing.assert_allclose(turned["correlation"], alike, atol=0.02)
        in_file = sigmas(turned)
        for one, other, true in zip(found, in_file, along, strict=True):
            np.testing.assert_allclose(one, 2.0 * true, rtol=0.02, atol=1e-3)
            np.testing.assert_allclose(other, true, rtol=0.02, atol=1e-3)


def test_what_cannot_be_exported_is_said(desk: Bench) -> None:
    with pytest.raises(InputError, match="which file"):
        order_for(desk.bench, Wish(What.SEEN, "csv", " "))
    order = order_for(desk.bench, Wish(What.RUN, "csv", "x.csv", axes=True))
    assert order.axes == Axes(0.0, 0.0)
    assert order.run is not None
    assert order_for(desk.bench, Wish(What.FRAMES, "npy", "x.npy", axes=True)).axes is None
    assert replace(order, axes=None).names == {}
