"""What `fusetrack msd`, `shapes`, `frf`, `motion` and `strain` say of the tracks of a window: the same tables, figures
and sentences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.analysis.frf_figure import strongest
from app.analysis.frf_files import POLE_COLUMNS, POLES, RESPONSES, factor_of, pole_rows
from app.analysis.frf_uff import check_uff
from app.analysis.kinematics import kinematics_of
from app.analysis.kinematics_figure import FIGURE as MOTION_FIGURE
from app.analysis.kinematics_figure import MOST, draw_kinematics
from app.analysis.kinematics_files import as_json as motion_json
from app.analysis.kinematics_files import report as motion_report
from app.analysis.kinematics_files import write_kinematics
from app.analysis.motion import motion_of
from app.analysis.msd_figure import FIGURE as MSD_FIGURE
from app.analysis.msd_figure import draw_msd
from app.analysis.msd_files import as_json as msd_json
from app.analysis.msd_files import write_msd
from app.analysis.shapes_figure import FIGURE as SHAPES_FIGURE
from app.analysis.shapes_figure import draw_shapes
from app.analysis.shapes_files import TABLE, write_shapes
from app.analysis.shapes_files import as_json as shapes_json
from app.analysis.strain import End, Extensometer, StrainOptions, strain_of
from app.analysis.strain_figure import FIGURE as STRAIN_FIGURE
from app.analysis.strain_figure import draw_strain
from app.analysis.strain_files import FRAMES, write_strain
from app.analysis.strain_files import as_json as strain_json
from app.analysis.strain_files import report as strain_report
from app.analysis.strain_vtk import write_vtk
from app.commands.frf import lines_of, responses_of, unit_of, write_responses
from app.commands.msd import report as msd_report
from app.commands.shapes import bent_of
from app.commands.shapes import report as shapes_report
from app.desk.jobs.handover import taken_over
from app.desk.jobs.orders import FRF, MOTION, MSD, SHAPES, STRAIN, AnalyseOrder
from app.exports.scale import parse_scale
from app.files.atomic import make_folder
from app.run_windows import FIELDS, measured_at
from kernels.errors import InputError
from pipelines.analysis.msd import Noise
from pipelines.features import Tracks
from pipelines.trackers.base import confirmed


def analysed(order: AnalyseOrder) -> dict[str, Any]:
    """Answer: JSON of the command's `--json` ("found"), the lines that it prints ("report"), and the names of what was
    written ("files"; the first is the table to be copied).

    Raises:
        InputError: the tracks do not tell, or nothing can be written.
    """
    rows = taken_over(order)
    if order.tracks and order.asked.question != MOTION:  # which may need others beside them
        rows = rows[np.isin(rows["track"], order.tracks)]
    if not order.timed:
        rows = rows.copy()
        rows["time"] = np.nan
    rows = confirmed(rows)
    if not len(rows):
        raise InputError("no track was seen for long enough to be believed")
    folder = make_folder(Path(order.out))
    answers = {MSD: _msd, SHAPES: _shapes, FRF: _frf, MOTION: _motion, STRAIN: _strain}
    return answers[order.asked.question](order, rows, folder)


def _msd(order: AnalyseOrder, rows: Tracks, folder: Path) -> dict[str, Any]:
    scale, asked = parse_scale(order.scale) if order.scale else None, order.asked
    floors: dict[str, Noise] = {"stated": "stated", "seen": "seen", "none": "none"}
    found = motion_of(rows, exposure=order.exposure, least=asked.least, lags=asked.lags,
                      noise=floors.get(asked.noise), drift=asked.drift, scale=scale)  # fmt: skip
    figure = order.look.name(MSD_FIGURE)
    files = [*write_msd(folder, found), figure]
    draw_msd(folder / figure, found, order.title, order.look)
    return {"found": msd_json(found), "report": msd_report(found), "files": files}


def _motion(order: AnalyseOrder, rows: Tracks, folder: Path) -> dict[str, Any]:
    """ "found" has all but the rows, and of these the speeds that are drawn."""
    asked = order.asked
    wanted = replace(asked.motion, tracks=order.tracks)
    found = kinematics_of(rows, wanted, timed=order.timed, scale=parse_scale(order.scale) if order.scale else None)
    figure = order.look.name(MOTION_FIGURE)
    files = [*write_kinematics(folder, found), figure]
    draw_kinematics(folder / figure, found, order.title, order.look)
    drawn = [{"track": int(one.trail.name), "time_s": one.trail.times.tolist(), "speed": one.speed.tolist()}
             for one in found.tracks[:MOST]]  # fmt: skip
    return {"found": {**motion_json(found), "drawn": drawn}, "report": motion_report(found), "files": files}


def _strain(order: AnalyseOrder, rows: Tracks, folder: Path) -> dict[str, Any]:
    asked = order.asked
    ends = tuple(End(track) for track in asked.between)
    lengths = (Extensometer(" to ".join(map(str, ends)), (ends[0], ends[1])),) if len(ends) == 2 else ()
    found = strain_of(
        rows, StrainOptions(asked.window, asked.measure, extensometers=lengths), timed=order.timed, subset=order.subset,
        scale=parse_scale(order.scale) if order.scale else None,
    )  # fmt: skip
    figure = order.look.name(STRAIN_FIGURE)
    files = [FRAMES, figure, *(name for name in write_strain(folder, found) if name != FRAMES)]
    if asked.vtk:
        files += write_vtk(folder, found)
    draw_strain(folder / figure, found, order.title, order.look)
    return {"found": strain_json(found), "report": strain_report(found), "files": files}


def _shapes(order: AnalyseOrder, rows: Tracks, folder: Path) -> dict[str, Any]:
    scale, asked = parse_scale(order.scale) if order.scale else None, order.asked
    bent = bent_of(
        rows, name="the tracks", timed=order.timed, at=asked.at or None,
        reference=asked.reference if asked.reference >= 0 else None, resolution=asked.resolution or None,
    )  # fmt: skip
    where = measured_at(bent.found.tracks, bent.found.places, _windows(order))
    write_shapes(folder / TABLE, bent.found, bent.shapes, scale, where)
    unit, factor = ("px", 1.0) if scale is None else (scale.unit, scale.factor)
    figure = order.look.name(SHAPES_FIGURE)
    draw_shapes(folder / figure, bent.found, bent.shapes, order.title, where, unit, factor, order.look)
    lines = [*shapes_report(bent.found, bent.shapes, scale), *(f"note     {words}" for words in bent.notes)]
    return {"found": shapes_json(bent.found, bent.shapes, scale, bent.notes, where), "report": lines,
            "files": [TABLE, figure]}  # fmt: skip


def _frf(order: AnalyseOrder, rows: Tracks, folder: Path) -> dict[str, Any]:
    """ "found" has the modes, and of the responses, which may be millions of numbers, those that are drawn."""
    asked = order.asked
    if asked.uff:
        check_uff()
    scale = parse_scale(order.scale) if order.scale else None
    made = responses_of(
        rows, asked.signal or f"{asked.reference}{asked.axis and f':{asked.axis}'}", name="the tracks",
        timed=order.timed, exposure=order.exposure, resolution=asked.resolution or None, estimator=asked.estimator,
    )  # fmt: skip
    series, frf, factor = made.series, made.frf, factor_of(made.reference, scale)
    where = measured_at(series.tracks, series.places.mean(axis=2), _windows(order))
    title = f"{order.title} to {made.reference.name}"
    written = write_responses(folder, made, scale, title, where, asked.uff, order.look)
    size, error, turn_error = np.abs(frf.response) * factor, frf.error * factor, frf.phase_error
    drawn = [{
        "track": int(series.tracks[p]), "axis": "xy"[a], "magnitude": size[p, a].tolist(),
        "sigma": error[p, a].tolist(), "phase_deg": frf.phase[p, a].tolist(),
        "phase_sigma_deg": turn_error[p, a].tolist(), "coherence": frf.coherence[p, a].tolist(),
    } for p, a in strongest(frf)]  # fmt: skip
    modes = []
    for row, pole in zip(pole_rows(series, made.poles), made.poles, strict=True):
        near = int(np.argmin(np.abs(frf.frequencies - pole.frequency)))
        modes.append({**dict(zip(POLE_COLUMNS, row, strict=True)), "magnitude": float(size[(*pole.point, near)]),
                      "coherence": float(frf.coherence[(*pole.point, near)])})  # fmt: skip
    found = {
        "reference": made.reference.name, "unit": unit_of(made.reference, scale), "tracks": series.tracks.tolist(),
        "frequency_hz": frf.frequencies.tolist(), "coherence_of_chance_95": frf.chance, "modes": modes, "drawn": drawn,
    }  # fmt: skip
    return {"found": found, "report": lines_of(made, scale),
            "files": [POLES, RESPONSES, *(name for name in written if name not in (POLES, RESPONSES))]}  # fmt: skip


def _windows(order: AnalyseOrder) -> dict[int, npt.NDArray[Any]]:
    """By track where x is measured and where y is, from the point, (2, 2) px."""
    if order.windows is None:
        return {}
    return {int(row["track"]): np.array([row[name] for name in FIELDS], float).reshape(2, 2) for row in order.windows}
