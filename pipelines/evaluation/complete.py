"""Everything about a run's tracks at once: what `fusetrack evaluate` says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from pipelines.evaluation.calibration import Calibration, calibration
from pipelines.evaluation.clear_mot import Only, Scores, match, scores
from pipelines.evaluation.displacement import Displacement, displacement
from pipelines.evaluation.errors import errors, frame_rate
from pipelines.evaluation.guesses import guesses
from pipelines.evaluation.hota import Hota, hota
from pipelines.evaluation.identity import Identity, identity
from pipelines.evaluation.matching import FAR, Pairs, near
from pipelines.evaluation.particle_challenge import ParticleChallenge, particle_challenge
from pipelines.evaluation.tables import Tables, tables
from pipelines.evaluation.things import things
from pipelines.features import Tracks

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What `evaluate_all` found.

    Args:
        gate: farthest match, px; also the distance at which HOTA's similarity is 0.
        clear, identity, hota, challenge, displacement, calibration: the families of measures.
        things: rows of THING_DTYPE.
        errors: rows of ERROR_DTYPE.
        guesses: the same of rows that claim to have seen nothing.
        false_tracks: ids of tracks that were never matched with anything.
        frames: how many frames either table has.
    """

    gate: float
    clear: Scores
    identity: Identity
    hota: Hota
    challenge: ParticleChallenge
    displacement: Displacement
    calibration: Calibration
    things: Array
    errors: Array
    guesses: Array
    false_tracks: Array
    frames: int


def evaluate_all(
    tracks: Tracks,
    truth: Array,
    *,
    gate: float = 3.0,
    epsilon: float = 5.0,
    fps: float | None = None,
    only: Only = "all",
) -> Evaluation:
    """Compare the rows of a run with the truth in every way that is known here.

    Rows that follow a hidden thing are left out everywhere: they are neither required nor false.

    Args:
        tracks: rows of TRACK_DTYPE, any order.
        truth: rows of TRUTH_DTYPE, any order.
        gate: farthest match, px, for CLEAR MOT, IDF1 and everything about positions; HOTA's similarity of two points
            is 1 - distance / gate.
        epsilon: the gate of the particle tracking challenge, px.
        fps: frames a second; None for what the times say.
        only: "matched truth ids" leaves out true things that no track ever came near.

    Raises:
        InputError: a position is not a number, or far too many pairs lie within the gate.
    """
    both = tables(tracks, truth)
    for side, words in ((both.real, "true positions"), (both.claimed, "tracks")):
        # Negated, so that NaN is bad, too.
        bad = ~((np.abs(side.x) <= FAR) & (np.abs(side.y) <= FAR))
        if bad.any():
            row = side.rows[np.flatnonzero(bad)[0]]
            raise InputError(
                f"{words} have no position for {row['track']} in frame {row['frame']} "
                f"(x is {row['x']:g}, y is {row['y']:g}); remove such rows"
            )
    # The wider of both gates once: each family takes the pairs that it needs of these.
    pairs = near(both.real, both.claimed, max(gate, epsilon))
    within = pairs.only(pairs.distance <= gate)
    matches = match(both, within, gate)
    table = errors(both, matches)
    rate = fps or frame_rate(both.real.rows) or frame_rate(both.claimed.rows)
    judged, rest = required(both, pairs, matches, only)
    return Evaluation(
        gate=gate,
        clear=scores(both, matches, only),
        identity=identity(judged, rest.only(rest.distance <= gate)),
        hota=hota(judged, rest.only(rest.distance <= gate), gate),
        challenge=particle_challenge(judged, rest.only(rest.distance < epsilon), epsilon),
        displacement=displacement(table, rate),
        calibration=calibration(table),
        things=things(both, matches, table, rate),
        errors=table,
        guesses=guesses(tracks, both, within, matches),
        false_tracks=np.setdiff1d(both.claimed.ids, both.claimed.ids[both.claimed.who[matches.claimed]]),
        frames=len(both.frames),
    )


def required(both: Tables, pairs: Pairs, matches: Pairs, only: Only = "all") -> tuple[Tables, Pairs]:
    """The tables without hidden things and without the rows that were matched to them, and the pairs among these.

    Args:
        both: the tables.
        pairs: of their rows.
        matches: of `clear_mot.match`.
        only: "matched truth ids": things that were never matched while visible go, too.
    """
    shown = both.real.rows["visible"].copy()
    # Rows that follow a hidden thing are neither required nor false.
    excused = matches.claimed[~shown[matches.real]]
    if only != "all":
        met = np.zeros(len(both.real.ids), bool)
        met[both.real.who[matches.real[shown[matches.real]]]] = True
        shown &= met[both.real.who]
    claims = np.ones(len(both.claimed), bool)
    claims[excused] = False
    keep = shown[pairs.real] & claims[pairs.claimed]
    # Numbers of the rows that stay, in the shorter tables.
    places = [np.cumsum(mask) - 1 for mask in (shown, claims)]
    left = Pairs(places[0][pairs.real[keep]], places[1][pairs.claimed[keep]], pairs.distance[keep])
    return Tables(both.frames, both.real.only(shown), both.claimed.only(claims)), left
