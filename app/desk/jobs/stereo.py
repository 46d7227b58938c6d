"""Jobs about several cameras: what `fusetrack calibrate` and `reconstruct` do, with what a window draws of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from app.analysis.motion import ClipTimes
from app.commands.calibrate import size_of
from app.desk.jobs.handover import taken_over
from app.desk.jobs.orders import CalibrateOrder, GivenRows, ReconstructOrder, SeeBoardOrder, Wand
from app.desk.jobs.telling import Tell, telling
from app.given_tracks import GivenTracks, given_tracks
from app.stereo.calibrating import (
    BoardSeen,
    Calibrated,
    WandSeen,
    by_board,
    by_control,
    by_wand,
    see_board,
    see_control,
)
from app.stereo.reconstruction import called_alike, reconstruct, report, thing_table
from app.stereo.results import C3D, why_no_c3d, write_tables
from app.stereo.rig import describe, read_rig
from kernels.errors import InputError
from pipelines.features import Tracks
from pipelines.trackers.base import confirmed

PLACES = "places.npz"
"""What a window draws of a reconstruction."""


def seen(order: SeeBoardOrder, tell: Tell) -> dict[str, Any]:
    """Of each camera its corners by frame, px; how many frames were looked at; sizes and names of the clips.

    Raises:
        InputError: a clip cannot be read.
    """
    wanted = slice(*order.frames) if order.frames is not None else slice(None)
    found = see_board(order.clips, order.board, order.unit, order.offsets, wanted, telling(tell))
    return {"seen": [[[frame, corners.tolist()] for frame, corners in one.items()] for one in found.seen],
            "looked": found.looked, "sizes": found.sizes, "names": found.names}  # fmt: skip


def calibrated(order: CalibrateOrder, tell: Tell) -> dict[str, Any]:
    """The cameras as their file has them ("rig"), what the command prints ("report"), and of each camera ("rms") and
    each picture ("views") what is left wrong.

    Raises:
        InputError: tracks or clips cannot be read, or what was seen does not tell.
    """
    tell({"label": "calibrating", "total": 0})
    made = _calibrated(order)
    rig = made.rig
    lines = [*describe(rig, made.focal_errors), f"residual {rig.rms:.3g} px, {made.words}",
             *(f"note     {note}" for note in rig.notes)]  # fmt: skip
    views = [{"number": view.number, "seen": [one.tolist() for one in view.seen],
              "wrong": [one.tolist() for one in view.wrong], "left_out": view.left_out}
             for view in made.views]  # fmt: skip
    return {"rig": rig.facts(), "report": lines, "rms": made.each,
            "views": views}  # fmt: skip


def _calibrated(order: CalibrateOrder) -> Calibrated:
    by = order.by
    if isinstance(by, BoardSeen):
        return by_board(by, order.lens, order.origin, order.without)
    if isinstance(by, Wand):
        given = [_given(one) for one in order.tracks]
        sizes = tuple(one.size or by.size or size_of(its.home, one.source)
                      for one, its in zip(order.tracks, given, strict=True))  # fmt: skip
        tables = tuple(_believed(its) for its in given)
        return by_wand(WandSeen(by.length, by.unit, tables, sizes, tuple(its.title for its in given), by.ends,
                                offsets=order.offsets, focal=by.focal), order.lens, order.without)  # fmt: skip
    return by_control(see_control(Path(by), order.clips), order.without)


def reconstructed(order: ReconstructOrder) -> dict[str, Any]:
    """What the command prints ("report", "notes"), the names of the tables that it writes ("files"), the title of the
    figure, which is drawn when it is saved, and a row a thing.

    Raises:
        InputError: tracks or the calibration cannot be read, nothing is seen by two cameras, or nothing can be
            written.
    """
    rig = read_rig(Path(order.rig))
    given = [_given(one) for one in order.tracks]
    rows = [_believed(its) for its in given]
    wanted = order.wanted
    if order.alike:
        wanted = replace(wanted, groups=called_alike(rows, [one.names for one in order.tracks]))
    found = reconstruct(rig, rows, wanted, all(one.times.timed for one in given))
    folder = Path(order.out)
    why = why_no_c3d(found)
    files = write_tables(folder, found, c3d=not why)
    np.savez(folder / PLACES, thing=found.thing, frame=found.frame, time=found.time, places=found.places,
             sigma=found.sigma, residual=found.residual)  # fmt: skip
    columns, things = thing_table(found)
    notes = (*found.notes, *((f"no {C3D}: {why}",) if why else ()))
    return {"report": report(found), "notes": notes, "files": files, "title": given[0].title,
            "unit": found.unit, "timed": found.timed, "down": found.down, "columns": columns,
            "things": things}  # fmt: skip


def _given(order: GivenRows) -> GivenTracks:
    if order.source:
        return given_tracks(order.source)
    home = Path(order.title)
    return GivenTracks(taken_over(order), home, home, order.title, ClipTimes(None, order.timed))


def _believed(given: GivenTracks) -> Tracks:
    rows = confirmed(given.rows)
    if not len(rows):
        raise InputError(f"{given.title} has no tracks")
    return rows
