"""Blobs: a Kalman filter a track (constant velocity or acceleration), and exact, gated assignment of what is detected.

The pieces are those of multi-target tracking's textbook (Blackman, Popoli: Design and Analysis of Modern Tracking
Systems, 1999): predict, gate, assign, correct, birth, confirmation, death. Four things are added for small, fast
things that look alike:

- the cost is the negative log likelihood of position *and* of mass, with the log determinant of the innovation's
  covariance, so that an uncertain track cannot buy a certain one's detection at a crossing;
- while two tracks share one detection (a merger), the winner trusts it less and the loser coasts (reason MERGED)
  for as long as the merger lasts;
- what the prediction missed after a sharp turn is looked for once more around the place where it was last seen, and
  the velocity is then taken from these two places (after OC-SORT: Cao et al., CVPR 2023); what left the picture is
  looked for where it would come back had it turned round, for as long as anything that is missed;
- what is out of sight is held where it was unless its past was a steady motion, and takes back a detection only
  within what its own steps allow and of about its mass (`linking/unseen.py`).

The reported x and y are the filter's posterior. For a measurement noise well below the acceleration noise it is the
measurement (gain near 1, no lag); for a large noise it averages. Where the motion surprises the filter, the
prediction's covariance is raised until the surprise is plausible, which again takes the measurement's side. Where the
mass departs from its usual value, part of the thing may be hidden, and sigma says by how much its centre may be off.

A batch is one call of machine code (`linking/loops.py`); the methods below are its meaning, and take over where nothing
is compiled or a frame asks for more than the compiled way has room for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kernels.errors import DefinitionError
from kernels.host.logarithm import logs
from kernels.param import Param, Value
from pipelines.features import FEATURE_DTYPE, Features, Reason, State, Tracks
from pipelines.trackers.base import Array, Columns, Snapshot, Tracker, TrackerInput, coasting, tracker
from pipelines.trackers.kalman import COVARIANCE, correct, predict, restless
from pipelines.trackers.linking.assignment import assign, gate_pairs
from pipelines.trackers.linking.batch import Batch, Compiled
from pipelines.trackers.linking.columns import BLOB_COLUMNS, CURVED_COLUMNS
from pipelines.trackers.linking.gating import pairs
from pipelines.trackers.linking.link_loops import BRIDGE, LOST_GAP, MASS_CAP
from pipelines.trackers.linking.loops import DISORDER, SURPRISE, UNDECIDED
from pipelines.trackers.linking.mergers import mergers
from pipelines.trackers.linking.second_loops import BACK
from pipelines.trackers.linking.unseen import forget, hidden, hold, length, reach, remember


@tracker
class BlobTracker(Tracker):
    """Links detected features; see the module's text for the method and what is reported.

    The score of a TRACKED row is the ratio (0..1) of the smaller to the larger of the feature's mass and the
    track's running mass (1 where masses are not given).
    """

    name = "blob"
    summary = "links detected blobs: Kalman prediction, gated exact assignment, ids that survive crossings"
    inputs = (TrackerInput("features", "features", "detected blobs of this frame", columns=FEATURE_DTYPE.names or ()),)
    params = (
        Param("max_speed", "float", 12.0, "fastest motion; the widest gate of a frame", "px/frame", low=0.1, high=1e4),
        Param("acceleration", "float", 0.5, "typical change of velocity in a frame", "px/frame^2", low=1e-4, high=1e3),
        Param(
            "motion",
            "choice",
            "velocity",
            "what the filter takes for constant: the velocity, or the acceleration (smooth curves, noisy places)",
            choices=("velocity", "acceleration"),
            structural=True,
        ),
        Param(
            "jerk",
            "float",
            0.1,
            "typical change of acceleration in a frame, for motion = acceleration",
            "px/frame^3",
            low=1e-6,
            high=1e3,
        ),
        Param(
            "measurement_sigma",
            "float",
            0.0,
            "noise of x and y; 0 takes each feature's own (0.2 if unknown)",
            "px",
            low=0.0,
            high=100.0,
        ),
        Param("gate", "float", 4.0, "farthest detection from the prediction, in standard deviations", "1", 1.0, 20.0),
        Param("min_hits", "int", 3, "detections before a track is believed", "frames", low=1, high=1000),
        Param("max_missed", "int", 10, "frames without a detection before a track ends", "frames", low=0, high=100000),
        Param("leave", "float", 32.0, "how far outside the picture a track is still waited for", "px", 0.5, 1e4),
        Param("turn_memory", "int", 3, "frames for which a sharp turn is looked for; 0: never", "frames", 0, 1000),
        Param("mass_spread", "float", 0.35, "relative scatter of a blob's mass; large ignores it", "1", 0.01, 1e6),
        Param("min_mass", "float", 0.0, "lighter features are ignored", "", low=0.0),
        Param("min_area", "float", 0.0, "smaller features are ignored", "px", low=0.0),
    )

    def __init__(self, params: Mapping[str, Value], shape: tuple[int, int], fps: float | None) -> None:
        super().__init__(params, shape, fps)
        self.curved = self.settings["motion"] == "acceleration"
        self.t = Columns(CURVED_COLUMNS if self.curved else BLOB_COLUMNS)
        self._compiled = Compiled(self._parameters())

    def update(self, index: int, time: float, inputs: Mapping[str, Array]) -> Tracks:
        return self.update_batch((index,), (time,), (inputs,))[0]

    def update_batch(
        self, indices: Sequence[int], times: Sequence[float], inputs: Sequence[Mapping[str, Array]]
    ) -> list[Tracks]:
        tables: list[Features] = []
        wrong: DefinitionError | None = None
        for one in inputs:
            try:
                tables.append(self._features(one))
            except DefinitionError as error:  # after the frames before it
                wrong = error
                break
        made = self._tracked(Batch(tables, indices[: len(tables)], times[: len(tables)]), tables) if tables else []
        if wrong is not None:
            raise wrong
        return made

    def _tracked(self, batch: Batch, tables: Sequence[Features]) -> list[Tracks]:
        """The rows of each frame: compiled, or one frame after the other in NumPy, which has the same bits."""
        made: list[Tracks] = []
        while batch.done < len(batch):
            k, why = batch.done, UNDECIDED
            step = self._compiled.run(batch, self.t, self.clock, self.next_track)
            if step is None:
                self._predict(self.clock.advance(int(batch.indices[k]), float(batch.times[k])))
            else:
                why, self.next_track, rows = step
                made += rows
                k = batch.done
            if why == DISORDER:
                self.clock.advance(int(batch.indices[k]), float(batch.times[k]))
            if why == UNDECIDED:
                made.append(self._observe(self._accept(tables[k])))
                batch.done = k + 1
        return made

    def _observe(self, found: Features) -> Tracks:
        """The rows of a frame for which everything is predicted."""
        t, n = self.t, len(self.t)
        noise = self._variance(found)
        choice, distance = self._link(found, noise)
        apart, shift = mergers(t, found, noise, choice, self.inside(t["x"], t["y"]), self.number("min_hits"),
                               self.number("max_speed"), self.number("gate") ** 2)  # fmt: skip
        merged = apart > 0
        turned = self._turns(found, choice, merged)

        seen = np.flatnonzero((choice >= 0) & ~turned)
        which = choice[seen]
        # The place of a merger minus where its two things were expected to merge, as far as that can be known.
        variance = noise[which] + (0.25 * apart[seen]) ** 2
        doubt = np.where(merged[seen], 1.0, np.maximum(distance[seen] / SURPRISE, 1.0))
        for name in COVARIANCE[: 6 if self.curved else 3]:
            t[name][seen] *= doubt
        correct(t, seen, found["x"][which] + shift[0, seen], found["y"][which] + shift[1, seen], variance)
        self._restart(np.flatnonzero(turned), found, choice, noise)

        hit = choice >= 0
        every = np.flatnonzero(hit)
        t["bias"][:] = 0.0  # of those that are held it is in the place's own variance
        t["bias"][every] = hidden(t, every, found[choice[every]], ~merged[every])
        # The loser of a merger goes on as before: they part where they would have without it.
        self._hold(np.flatnonzero(~hit & ~merged))
        score = self._account(hit, choice, merged, found)
        dead = ~hit & ((t["missed"] > self.settings["max_missed"]) | (t["hits"] < self.settings["min_hits"]))
        outside = ~hit & ~self.inside(t["x"], t["y"])
        # One that grazes the edge comes back; it is waited for until it must have gone.
        out = ~hit & ~self.inside(t["x"], t["y"], -self.number("leave"))
        believed = t["hits"] >= self.settings["min_hits"]
        state = np.where(
            dead | out,
            int(State.LOST),
            np.where(~hit, int(State.PREDICTED), np.where(believed, int(State.TRACKED), int(State.TENTATIVE))),
        )
        reason = np.where(merged, int(Reason.MERGED), int(Reason.NOT_DETECTED))
        reason = np.where(outside, int(Reason.LEFT_IMAGE), np.where(hit, int(Reason.NONE), reason))

        free = np.ones(len(found), bool)
        free[choice[hit]] = False
        born = self._birth(found[free], noise[free])
        state = np.concatenate((state, born))
        rows = self.rows(
            t, state, np.concatenate((reason, np.zeros(len(born)))), np.concatenate((score, np.ones(len(born))))
        )
        rows["sigma"] = np.sqrt(np.maximum(t["p00"] + t["bias"], 0.0))
        t.keep(np.concatenate((~(dead | out), np.ones(len(t) - n, bool))))
        return rows

    def skip(self, index: int, time: float) -> Tracks:
        self._predict(self.clock.advance(index, time))
        self._hold(np.arange(len(self.t)))
        return coasting(self, self.t)

    def snapshot(self) -> Snapshot:
        return self.clock.snapshot() | self.t.snapshot() | {"next_track": np.array(self.next_track)}

    def restore(self, state: Mapping[str, Array]) -> None:
        self.clock.restore(state)
        self.t.restore(state)
        self.next_track = int(state["next_track"])

    def _parameters(self) -> Array:
        """What compiled code wants to know, in the order of `link_loops`."""
        n, speed, acceleration = self.number, self.number("max_speed"), self.number("acceleration")
        return np.array((
            speed, n("gate") ** 2, 2.0 * float(logs(speed * speed)), acceleration * acceleration,
            n("jerk") * n("jerk"), n("mass_spread"), n("min_mass"), n("min_area"), n("measurement_sigma"),
            n("gate") * acceleration, self.width - 1.0, self.height - 1.0, n("leave"), n("max_missed"), n("min_hits"),
            n("turn_memory"), self.clock.fps, float(self.curved),
        ))  # fmt: skip

    def _features(self, inputs: Mapping[str, Array]) -> Features:
        """The input, as it is."""
        if "features" not in inputs:
            raise DefinitionError("tracker blob needs the input 'features'")
        found = np.asarray(inputs["features"])
        if found.dtype != FEATURE_DTYPE or found.ndim != 1:
            raise DefinitionError(
                f"tracker blob wants rows of features (x, y, mass ...) as 'features', not an array of shape "
                f"{found.shape} and type {found.dtype}; wire it to a stage that gives features, such as 'components'"
            )
        return found

    def _accept(self, found: Features) -> Features:
        """The usable features, in an order that does not depend on the order in which they came."""
        # A feature without a place in the picture cannot be followed (comparisons with NaN are False).
        good = self.inside(found["x"], found["y"], -1.0)
        for name, least in (("mass", "min_mass"), ("area", "min_area")):
            if self.number(least) > 0:
                good &= found[name] >= self.number(least)
        found = found[good]
        found["mass"][~np.isfinite(found["mass"])] = 0.0
        ordered: Features = found[np.lexsort((found["area"], found["peak"], found["mass"], found["x"], found["y"]))]
        return ordered

    def _predict(self, step: float) -> None:
        predict(self.t, step, self.number("acceleration"), self.number("jerk"))
        self.t["gap"] += step
        self.t["age"] += step
        self._hold(np.flatnonzero(self.t["held"]))

    def _hold(self, which: Array) -> None:
        hold(self.t, which, self.number("acceleration"), self.number("max_speed"))

    def _reach(self, which: Array) -> Array:
        """How far from where it was last seen each track may be by now, px."""
        change = self.number("gate") * self.number("acceleration")
        return reach(self.t, which, change, self.number("max_speed"))

    def _variance(self, found: Features) -> Array:
        given = self.number("measurement_sigma")
        if given > 0:
            return np.full(len(found), given * given)
        sigma = found["sigma"]
        return np.where(np.isfinite(sigma) & (sigma > 0), np.clip(sigma, 0.005, 100.0), 0.2) ** 2

    def _mass_cost(self, tracks: Array, found: Array) -> Array:
        """Squared difference of the log masses in standard deviations, capped; 0 where a mass is unknown."""
        known = (tracks > 0) & (found > 0)
        ratio = logs(np.where(known, found, 1.0) / np.where(known, tracks, 1.0))
        return np.minimum(np.square(ratio / self.number("mass_spread")), MASS_CAP)

    def _link(self, found: Features, noise: Array) -> tuple[Array, Array]:
        """First stage: the detection (or -1) within the gate around each prediction, and its squared distance in
        standard deviations."""
        t, n, speed = self.t, len(self.t), self.number("max_speed")
        gate, widest = self.number("gate") ** 2, 2.0 * float(logs(speed * speed))
        who, what, total, distance = pairs(t, found, noise, speed, gate)
        if (t["gap"] > LOST_GAP).any():
            ok = self._plausible(who, found[what])
            who, what, total, distance = who[ok], what[ok], total[ok], distance[ok]
        nis = np.zeros(n)
        if not (np.bincount(who, minlength=1) > 1).any() and not (np.bincount(what, minlength=1) > 1).any():
            # Nobody has a choice, and no cost within the gate is above that of a miss: its terms are capped there.
            choice = np.full(n, -1, np.int64)
            choice[who], nis[who] = what, distance
            return choice, nis
        cost = distance + np.minimum(2.0 * logs(total), widest)
        cost += self._mass_cost(t["mass"][who], found["mass"][what])
        choice = assign(who, what, cost, gate + widest + MASS_CAP, n, len(found))
        taken = choice[who] == what
        nis[who[taken]] = distance[taken]
        return choice, nis

    def _plausible(self, who: Array, found: Features) -> Array:
        """Whether a feature may be the track that was out of sight: not too far from its last place, and alike in
        mass unless it lies there."""
        t, ok = self.t, np.ones(len(who), bool)
        lost = np.flatnonzero(t["gap"][who] > LOST_GAP)
        if len(lost):
            rows, back = np.unique(who[lost], return_inverse=True)
            who, found = who[lost], found[lost]
            away = length(found["x"] - t["px"][who], found["y"] - t["py"][who])
            ok[lost] = (away <= self._reach(rows)[back]) & self._alike(who, found, away)
        return ok

    def _alike(self, who: Array, found: Features, away: Array) -> Array:
        """Whether a feature looks like the track, or lies so near its last place that looks do not matter."""
        unlike = self._mass_cost(self.t["mass"][who], found["mass"])
        same: Array = (unlike < BRIDGE) | (away <= np.maximum(np.sqrt(found["area"]), 2.0))
        return same

    def _turns(self, found: Features, choice: Array, merged: Array) -> Array:
        """Second stage, in place in `choice`: around where a believed track was last seen, or, where it left the
        picture, around where it would come back; True where it helped.

        A thing that turned round out of sight goes on along the border.
        """
        t = self.t
        away = ~self.inside(t["x"], t["y"])
        lost = np.flatnonzero(
            (choice < 0)
            & ~merged
            & (t["hits"] >= self.settings["min_hits"])
            & ((t["missed"] < self.settings["turn_memory"]) | away)
        )
        turned = np.zeros(len(t), bool)
        free = np.ones(len(found), bool)
        free[choice[choice >= 0]] = False
        spare = np.flatnonzero(free)
        if not len(lost) or not len(spare):
            return turned
        left, near = away[lost], found[spare]
        radius = np.where(left, BACK, 1.0) * self._reach(lost)
        x = np.where(left, np.clip(t["x"][lost], 0.0, self.width - 1.0), t["px"][lost])
        y = np.where(left, np.clip(t["y"][lost], 0.0, self.height - 1.0), t["py"][lost])
        who, what = gate_pairs(x, y, radius, near["x"], near["y"])
        unlike = self._mass_cost(t["mass"][lost][who], near["mass"][what])
        far2 = (near["x"][what] - x[who]) ** 2 + (near["y"][what] - y[who]) ** 2
        same = self._alike(lost[who], near[what], np.sqrt(far2))
        cost = (far2 / radius[who] ** 2 + unlike)[same]
        pick = assign(who[same], what[same], cost, 1.0 + MASS_CAP, len(lost), len(spare))
        got = pick >= 0
        choice[lost[got]] = spare[pick[got]]
        turned[lost[got]] = True
        return turned

    def _restart(self, which: Array, found: Features, choice: Array, noise: Array) -> None:
        """Start the filter of tracks that turned anew from the last two places."""
        t, what = self.t, choice[which]
        gap = np.maximum(t["gap"][which], 1e-3)
        for axis, last, speed in (("x", "px", "vx"), ("y", "py", "vy")):
            t[speed][which] = (found[axis][what] - t[last][which]) / gap
            t[axis][which] = found[axis][what]
        q = self.number("acceleration") * self.number("acceleration")
        t["p00"][which] = noise[what]
        t["p01"][which] = noise[what] / gap
        t["p11"][which] = 2.0 * noise[what] / (gap * gap) + q * gap
        restless(t, which, q)
        forget(t, which)

    def _account(self, hit: Array, choice: Array, merged: Array, found: Features) -> Array:
        """Book hits and misses; return the scores."""
        t = self.t
        seen = np.flatnonzero(hit)
        t["hits"][seen] += 1
        t["missed"][:] = np.where(hit, 0, t["missed"] + np.where(merged, 0, 1))
        remember(t, seen)
        score = np.zeros(len(t))
        old, new = t["mass"][seen], found["mass"][choice[seen]]
        known = (old > 0) & (new > 0)
        low, high = np.minimum(old, new), np.maximum(old, new)
        score[seen] = np.where(known, low / np.where(known, high, 1.0), 1.0)
        learn = np.where(merged[seen] | ~(new > 0), 0.0, np.where(old > 0, 0.2, 1.0))
        t["mass"][seen] = old + learn * (np.where(new > 0, new, 0.0) - old)
        return score

    def _birth(self, found: Features, noise: Array) -> Array:
        """Start a track at each leftover feature; return their states."""
        count = len(found)
        if count:
            # The velocity is unknown up to max_speed: half of it is one standard deviation.
            mass = np.where(found["mass"] > 0, found["mass"], 0.0)
            self.t.append(
                count,
                track=self.new_ids(count),
                hits=1,
                x=found["x"],
                y=found["y"],
                p00=noise,
                p11=(0.5 * self.number("max_speed")) * (0.5 * self.number("max_speed")),
                mass=mass,
                whole=mass,
                flicker=0.1,
            )
            born = np.arange(len(self.t) - count, len(self.t))
            restless(self.t, born, self.number("acceleration") * self.number("acceleration"))
            remember(self.t, born)
        believed = self.settings["min_hits"] == 1
        return np.full(count, int(State.TRACKED if believed else State.TENTATIVE))
