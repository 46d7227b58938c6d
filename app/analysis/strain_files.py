"""Displacement and strain as tables, JSON and lines that are printed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.analysis.strain import StrainField
from app.exports.columns import key_lines
from app.files.atomic import replacing, write_bytes
from pipelines.analysis.strain import NAMES, Strains

Array = npt.NDArray[Any]
POINTS, FRAMES, EXTENSOMETERS = "strain", "strain-frames.csv", "extensometers.csv"
GROUP_ROWS = 1 << 17
"""Rows of a Parquet row group: some 20 MB in memory."""


def point_columns(found: StrainField) -> list[tuple[str, str, str]]:
    """Name, unit and meaning of the columns of the table with a row a frame and point."""
    length, measure = found.units.length, found.options.measure
    time = "time_s" if found.moved.timed else "time_frames"
    meanings = {"exx": "strain along x", "eyy": "strain along y", "exy": "shear strain, half of the engineering shear",
            "e1": "larger principal strain", "e2": "smaller principal strain",
            "von_mises": "equivalent strain of von Mises"}  # fmt: skip
    return [
        ("frame", "", "index of the frame in the clip"), (time, "s" if found.moved.timed else "", "time of the frame"),
        ("track", "", "id of the point"),
        (f"x0_{length}", length, "place in the reference frame, to the right"),
        (f"y0_{length}", length, "place in the reference frame, down"),
        (f"u_{length}", length, "displacement since then, to the right"),
        (f"v_{length}", length, "displacement since then, down"),
        (f"sigma_u_{length}", length, "standard uncertainty of u"),
        (f"sigma_v_{length}", length, "standard uncertainty of v"),
        *((name, "1", f"{words} ({measure})") for name, words in meanings.items()),
        ("angle_deg", "deg", "of e1 against x, towards y"),
        *((f"sigma_{name}", "1", f"standard uncertainty of {name}") for name in meanings),
        ("neighbours", "", "points of the window that were seen; 0 where there is no strain"),
    ]  # fmt: skip


def point_rows(found: StrainField, k: int, strains: Strains) -> list[Array]:
    """The columns of that table of frame number `k`: points that were seen."""
    moved, factor = found.moved, found.factor
    seen = np.isfinite(moved.moved[k, :, 0])
    count = int(seen.sum())
    return [
        np.full(count, moved.frames[k]), np.full(count, moved.times[k]), moved.tracks[seen].astype(np.int32),
        *(moved.points[seen].T * factor), *(moved.moved[k, seen].T * factor), *(moved.sigmas[k, seen].T * factor),
        *strains.values[:, seen], strains.angle[seen], *strains.sigmas[:, seen].astype(np.float32),
        strains.neighbours[seen].astype(np.int32),
    ]  # fmt: skip


def point_tables(found: StrainField) -> Iterator[list[Array]]:
    """The same of all frames, some at a time."""
    waiting: list[list[Array]] = []
    for k, strains in found.each():
        waiting.append(point_rows(found, k, strains))
        if sum(len(part[0]) for part in waiting) >= GROUP_ROWS:
            yield [np.concatenate(column) for column in zip(*waiting, strict=True)]
            waiting = []
    if waiting:
        yield [np.concatenate(column) for column in zip(*waiting, strict=True)]


def write_points(folder: Path, found: StrainField, csv: bool = False) -> list[str]:
    """Write a row a frame and point that was seen, as Parquet, with `csv` as CSV, too; the names of the files.

    Raises:
        InputError: a file cannot be written.
    """
    import pyarrow as pa  # these take half a second to load
    import pyarrow.csv
    import pyarrow.parquet

    columns = point_columns(found)
    names = [name for name, _, _ in columns]
    schema, written = None, [f"{POINTS}.parquet"]
    with ExitStack() as stack:
        parquet = stack.enter_context(replacing(folder / written[0]))
        text = None
        if csv:
            written.append(f"{POINTS}.csv")
            text = stack.enter_context(open(stack.enter_context(replacing(folder / written[1])), "wb"))
            text.write((",".join(names) + "\n").encode())
        writer = None
        for part in point_tables(found):
            if schema is None:
                schema = pa.schema([
                    pa.field(name, pa.from_numpy_dtype(one.dtype), metadata={"description": doc, "unit": unit})
                    for (name, unit, doc), one in zip(columns, part, strict=True)
                ], metadata={"key": "\n".join(key_lines(columns)), **about(found)})  # fmt: skip
                writer = stack.enter_context(pyarrow.parquet.ParquetWriter(parquet, schema, compression="zstd"))
            made = [pa.array(one, mask=np.isnan(one) if one.dtype.kind == "f" else None) for one in part]
            assert writer is not None
            writer.write_table(pa.Table.from_arrays(made, schema=schema))
            if text is not None:
                pyarrow.csv.write_csv(pa.Table.from_arrays(made, schema=schema), text,
                                      pyarrow.csv.WriteOptions(include_header=False))  # fmt: skip
    return written


def write_strain(folder: Path, found: StrainField, csv: bool = False) -> list[str]:
    """Write all tables; their names. That of extensometers is removed where there are none.

    Raises:
        InputError: a file cannot be written.
    """
    names = [*write_points(folder, found, csv), FRAMES]
    _write(folder / FRAMES, frame_columns(found), frame_rows(found))
    if found.extensions:
        _write(folder / EXTENSOMETERS, extension_columns(found), extension_rows(found))
        names.append(EXTENSOMETERS)
    else:
        (folder / EXTENSOMETERS).unlink(missing_ok=True)
    return names


def frame_columns(found: StrainField) -> tuple[str, ...]:
    """Of the table with a row a frame."""
    return ("frame", "time_s" if found.moved.timed else "time_frames", "points", "left_out", "with_strain", *(
        f"{what}_{name}" for name in NAMES for what in ("mean", "spread", "sigma", "lowest", "highest")))  # fmt: skip


def frame_rows(found: StrainField) -> Iterator[tuple[float | int | str, ...]]:
    """Mean, standard deviation, stated uncertainty of one point, least and largest of each strain, by frame."""
    for one in found.frames:
        numbers = np.stack((one.mean, one.spread, one.sigma, one.lowest, one.highest), axis=1)
        yield (one.frame, one.time, one.seen, one.lost, one.strained, *numbers.ravel().tolist())


def extension_columns(found: StrainField) -> tuple[str, ...]:
    """Of the table of extensometers."""
    time = "time_s" if found.moved.timed else "time_frames"
    return ("extensometer", "frame", time, f"length_{found.units.length}", "strain", "sigma_strain", "points")


def extension_rows(found: StrainField) -> Iterator[tuple[float | int | str, ...]]:
    """A row an extensometer and frame; what is not known is NaN."""
    for one in found.extensions:
        columns = (found.moved.frames, found.moved.times, one.length * found.factor, one.strain, one.sigma, one.points)
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield (one.name, *row)


def about(found: StrainField) -> dict[str, str]:
    """What holds for all rows, as texts."""
    gauge, length = found.gauge, found.units.length
    return {
        "measure": found.options.measure, "strain_window_points": str(gauge.window),
        "step": f"{gauge.step * found.factor:.6g} {length}", "gauge_length": f"{found.gauge_length:.6g} {length}",
        "reference_frame": str(found.moved.frames[0]),
    }  # fmt: skip


def as_json(found: StrainField) -> dict[str, Any]:
    """All but the rows of points."""
    gauge, moved, factor = found.gauge, found.moved, found.factor
    names = frame_columns(found)
    return {
        "units": {"length": found.units.length, "time": found.units.time, "strain": "1"},
        "coordinates": f"x to the right, y down, from the centre of the first pixel, in {found.units.length}",
        "measure": found.options.measure, "reference_frame": int(moved.frames[0]), "points": len(moved.tracks),
        "tracks_left_out": moved.late, "on_a_grid": gauge.lattice is not None, "step": gauge.step * factor,
        "strain_window_points": gauge.window, "subset_px": gauge.subset, "gauge_length": found.gauge_length,
        "frames": [dict(zip(names, row, strict=True)) for row in frame_rows(found)],
        "extensometers": [{
            "name": one.name, "length": (one.length * factor).tolist(), "strain": one.strain.tolist(),
            "sigma_strain": one.sigma.tolist(), "points": one.points.tolist(),
        } for one in found.extensions],
        "notes": list(found.notes),
    }  # fmt: skip


def report(found: StrainField) -> list[str]:
    """What is printed."""
    gauge, moved, length = found.gauge, found.moved, found.units.length
    grid = f", {gauge.step * found.factor:.4g} {length} apart" if gauge.lattice is not None else ""
    subset = f" and subsets of {gauge.subset:g} px" if gauge.subset else ""
    lines = [f"points   {len(moved.tracks)}{grid}, {len(moved.frames)} frames; reference: frame {moved.frames[0]}",
             f"gauge    {found.gauge_length:.4g} {length}: windows of {gauge.window} x {gauge.window} points{subset}; "
             f"{found.options.measure} strain"]  # fmt: skip
    at = found.hardest
    one = found.frames[at]
    lines.append(f"strained {one.strained} of {len(moved.tracks)} points in frame {one.frame}, where it is most; "
                 "mean, spread over the points, sigma of one point:")  # fmt: skip
    for name, mean, spread, sigma in zip(NAMES, one.mean, one.spread, one.sigma, strict=True):
        sure = f"{sigma:.1e}" if math.isfinite(sigma) else "unknown"
        lines.append(f"  {name:9s} {mean:+.6f}  spread {spread:.1e}  sigma {sure}")
    for length_of in found.extensions:
        known = np.flatnonzero(np.isfinite(length_of.strain))
        last = known[-1] if len(known) else 0
        lines.append(f"length   {length_of.name}: {length_of.length[0] * found.factor:.5g} {length} -> "
                     f"{length_of.length[last] * found.factor:.6g} {length} in frame {moved.frames[last]}, strain "
                     f"{length_of.strain[last]:+.6f} +- {length_of.sigma[last]:.1e}")  # fmt: skip
    return [*lines, *(f"note     {words}" for words in found.notes)]


def _write(path: Path, names: Sequence[str], rows: Iterator[tuple[float | int | str, ...]]) -> None:
    lines = [",".join(names), *(",".join(map(_cell, row)) for row in rows)]
    write_bytes(path, ("\n".join(lines) + "\n").encode())


def _cell(value: float | int | str) -> str:
    if isinstance(value, float):
        return f"{value:.9g}" if math.isfinite(value) else ""
    return f'"{value}"' if isinstance(value, str) and "," in value else str(value)
