"""Blobs: a Kalman filter a track (constant velocity or acceleration), and exact, gated assignment of what is detected.

The pieces are those of multi-target tracking's textbook (Blackman, Popoli: Design and Analysis of Modern Tracking
Systems, 1999): predict, gate, assign, correct, birth, confirmation, death. Five things are added for small, fast
things that look alike:

- the cost is the negative log likelihood of position *and* of mass, with the log determinant of the innovation's
  covariance, so that an uncertain track cannot buy a certain one's detection at a crossing;
- while two tracks share one detection (a merger), it is what both are corrected by (reason MERGED for the one that
  goes without): how long it is, and in which direction, says where in it they are (`linking/mergers.py`). That it holds
  both must be likelier than one of them with the other out of sight;
- what the prediction missed after a sharp turn is looked for once more around the place where it was last seen, and
  the velocity is then taken from these two places (after OC-SORT: Cao et al., CVPR 2023); what left the picture is
  looked for where it would come back had it turned round, for as long as anything that is missed;
- where a track has a choice, a detection in the direction of its last sightings is the cheaper one (`momentum`:
  `linking/momentum.py`), and what is seen again after a gap has its filter run once more along the straight path from
  the last sighting (`kalman.update_again`), so that its velocity is not the one with which it was lost; both after
  OC-SORT, too;
- what is out of sight is held where it was unless its past was a steady motion, and takes back a detection only
  within what its own steps allow and of about its mass (`linking/unseen.py`).

The reported x and y are the filter's posterior. For a measurement noise well below the acceleration noise it is the
measurement (gain near 1, no lag); for a large noise it averages. Where the motion surprises the filter, the
prediction's covariance is raised until the surprise is plausible, which again takes the measurement's side. Where the
mass departs from its usual value, part of the thing may be hidden, and sigma says by how much its centre may be off; so
it does of what is longer than usual, which may be two things (`linking/unresolved.py`).

A batch is one call of machine code (`linking/loops.py`); the methods below are its meaning, and take over where nothing
is compiled or a frame asks for more than the compiled way has room for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from kernels.errors import DefinitionError
from kernels.host.logarithm import logs
from kernels.param import Param, Value
from pipelines.features import FEATURE_DTYPE, Features, Reason, State, Tracks
from pipelines.trackers.base import Array, Snapshot, Tracker, TrackerInput, coasting, tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.kalman import COVARIANCE, correct, predict, update_again
from pipelines.trackers.linking.batch import Batch, Compiled
from pipelines.trackers.linking.booking import account, birth, restart, surprised
from pipelines.trackers.linking.border import beyond, extent
from pipelines.trackers.linking.columns import BLOB_COLUMNS, CURVED_COLUMNS
from pipelines.trackers.linking.link_loops import OUTSIDE
from pipelines.trackers.linking.loops import DISORDER, UNDECIDED
from pipelines.trackers.linking.mergers import mergers, shared, unsure
from pipelines.trackers.linking.newcomers import LEAVES, Newcomers, rarity
from pipelines.trackers.linking.seen_loops import SURPRISE
from pipelines.trackers.linking.stages import Rules, doubtful, first_stage, second_stage, unlike
from pipelines.trackers.linking.uneven import anisotropy, weigh
from pipelines.trackers.linking.unresolved import BREADTH, KEPT, Shapes, bent, lengthen, shapes_of, unresolved
from pipelines.trackers.linking.unseen import hidden, hold


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
        Param("measurement_sigma", "float", 0.0, "noise of x and y; 0 takes each feature's own (0.2 if unknown)", "px",
              0.0, 100.0),
        Param("gate", "float", 4.0, "farthest detection from the prediction, in standard deviations", "1", 1.0, 20.0),
        Param("min_hits", "int", 3, "detections before a track is believed", "frames", low=1, high=1000),
        Param("max_missed", "int", 10, "frames without a detection before a track ends", "frames", low=0, high=100000),
        Param("leave", "float", 32.0, "how far outside the picture a track is still waited for", "px", 0.5, 1e4),
        Param("turn_memory", "int", 3, "frames for which a sharp turn is looked for; 0: never", "frames", 0, 1000),
        Param(
            "momentum",
            "float",
            1.0,
            "what a turn back costs where several detections are possible, in squared standard deviations; 0: nothing",
            "1",
            0.0,
            100.0,
        ),
        Param(
            "centres",
            "choice",
            "moments",
            "how features are centred, as components' refine_sigma does or 0 does not: where two seen as one are",
            choices=("moments", "gaussian"),
        ),
        Param("mass_spread", "float", 0.35, "relative scatter of a blob's mass; large ignores it", "1", 0.01, 1e6),
        Param("min_mass", "float", 0.0, "lighter features are ignored", "", low=0.0),
        Param("min_area", "float", 0.0, "smaller features are ignored", "px^2", low=0.0),
    )

    def __init__(self, params: Mapping[str, Value], shape: tuple[int, int], fps: float | None) -> None:
        super().__init__(params, shape, fps)
        self.curved = self.settings["motion"] == "acceleration"
        self.t = Columns(CURVED_COLUMNS if self.curved else BLOB_COLUMNS)
        self.newcomers, self.shapes = Newcomers(), Shapes()
        self._rarity = rarity(self.width, self.height)
        self._rules = self._made_rules()
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
            step = self._compiled.run(batch, self.t, self.clock, self.newcomers, self.shapes, self.next_track)
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
        noise, uneven = self._variance(found)
        usual = self.shapes.look(found, noise, float(self.width * self.height))
        rules = replace(self._rules, strange=self._rarity * self.newcomers.mean)
        inside = self.inside(t["x"], t["y"])
        choice, distance = first_stage(t, found, noise, rules)
        blur, shift, told, stated = mergers(t, found, noise, choice, inside, rules)
        merged = blur > 0
        turned = second_stage(t, found, choice, merged, ~inside, rules)

        doubtful(t, found, noise, choice, rules)
        seen = np.flatnonzero((choice != -1) & ~turned)  # and those that share a detection
        which = np.where(choice[seen] >= 0, choice[seen], shared(choice[seen]))
        variance = noise[which] + blur[seen] * blur[seen]
        doubt = np.where(merged[seen], 1.0, np.maximum(distance[seen] / SURPRISE, 1.0))
        for name in ("d00", *COVARIANCE[: 6 if self.curved else 3]):
            t[name][seen] *= doubt
        x, y = found["x"][which] + shift[0, seen], found["y"][which] + shift[1, seen]
        plain = (choice[seen] >= 0) & ~t["held"][seen] & ~merged[seen]
        squares = (x - t["x"][seen]) ** 2 + (y - t["y"][seen]) ** 2
        surprised(t, seen[plain], np.where(distance[seen] > SURPRISE, squares, 0.0)[plain])
        weigh(t, seen, variance, uneven[which])
        correct(t, seen, x, y, variance)
        t["mixed"][~merged] = 0.0
        several = merged[seen]
        more = unsure(t, seen[several], told[seen[several]], variance[several])
        again = t["held"][seen] & (choice[seen] >= 0)
        update_again(t, seen[again], x[again], y[again], variance[again], rules.acceleration, rules.jerk)
        restart(t, np.flatnonzero(turned), found, choice, noise, uneven, rules)

        hit = choice >= 0
        every = np.flatnonzero(hit)
        t["bias"][:] = 0.0  # of those that are held `hold` says it
        those, what, alone = found[choice[every]], choice[every], ~merged[every]
        own = usual.known[what] & alone
        half, xy, unit = shapes_of(t, every, those, noise[what], usual.smear)
        wide = 0.5 * (those["xx"] + those["yy"])
        known = alone & ~turned[every] & ~t["held"][every]
        flat = np.where(known, bent(t, every, wide, unit, half, xy, usual), 0.0)
        t["bias"][every] = hidden(t, every, those, alone, own, self._edge(those), flat)
        lengthen(t, every, those, own & known)
        likely, off = unresolved(t, every, wide, unit, half, xy, alone, own, usual)
        t["bias"][every] += self.shapes.book(likely[known], usual.expected) * off
        self.shapes.move(t, every, half, xy, unit, own & known, usual)
        t["bias"][seen[several]] = more
        # One that shares a detection was corrected by it.
        unseen = np.flatnonzero(~hit & ~merged)
        self._hold(unseen)
        self._beyond(unseen, LEAVES)
        score = account(t, hit, choice, merged, found)
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
        new = np.flatnonzero(free)
        self.newcomers.book(len(new))
        born = birth(t, self.new_ids(len(new)), found, noise, uneven, new, self.shapes, usual, not known.any(), rules)
        state = np.concatenate((state, born))
        rows = self.rows(
            t, state, np.concatenate((reason, np.zeros(len(born)))), np.concatenate((score, np.ones(len(born))))
        )
        rows["sigma"], rows["anisotropy"] = self._sigma()
        shares = np.flatnonzero(merged)
        rows["sigma"][shares], rows["anisotropy"][shares] = stated[:, shares]
        t.keep(np.concatenate((~(dead | out), np.ones(len(t) - n, bool))))
        return rows

    def skip(self, index: int, time: float) -> Tracks:
        self._predict(self.clock.advance(index, time))
        t, every = self.t, np.arange(len(self.t))
        self._hold(every)
        self._beyond(every, 1.0)
        sigma, share = self._sigma()
        rows = coasting(self, t)
        rows["sigma"], rows["anisotropy"] = sigma, share
        return rows

    def snapshot(self) -> Snapshot:
        kept = {"next_track": np.array(self.next_track), "newcomers": np.array(self.newcomers.kept),
                "shapes": np.array(self.shapes.kept)}  # fmt: skip
        return self.clock.snapshot() | self.t.snapshot() | kept

    def restore(self, state: Mapping[str, Array]) -> None:
        self.clock.restore(state)
        self.t.restore(state)
        self.next_track = int(state["next_track"])
        self.newcomers.kept = state.get("newcomers", np.zeros(2)).tolist()  # one from before they were counted
        self.shapes.kept = [*state.get("shapes", np.zeros(0)).tolist(), *[0.0] * KEPT][:KEPT]  # older ones have fewer

    def _made_rules(self) -> Rules:
        n, speed = self.number, self.number("max_speed")
        return Rules(
            speed, n("gate") ** 2, 2.0 * float(logs(speed * speed)), n("acceleration"), n("jerk"),
            n("gate") * n("acceleration"), n("mass_spread"), n("momentum"), n("min_hits"), n("turn_memory"),
            self.width - 1.0, self.height - 1.0, float(self.settings["centres"] == "gaussian"),
        )  # fmt: skip

    def _parameters(self) -> Array:
        """What compiled code wants to know, in the order of `link_loops`."""
        n, rules = self.number, self._rules
        return np.array((
            rules.speed, rules.gate, rules.widest, rules.acceleration * rules.acceleration, rules.jerk * rules.jerk,
            rules.spread, n("min_mass"), n("min_area"), n("measurement_sigma"), rules.change, rules.right, rules.bottom,
            n("leave"), n("max_missed"), rules.min_hits, rules.turn_memory, self.clock.fps, float(self.curved),
            rules.momentum, rules.drawn, unlike(rules.spread), self._rarity,
        ))  # fmt: skip

    def _features(self, inputs: Mapping[str, Array]) -> Features:
        """The input, as it is."""
        found = inputs.get("features")
        if type(found) is np.ndarray and found.dtype is FEATURE_DTYPE and found.ndim == 1:
            return found  # as always; to ask further takes longer than to link ten of them
        if found is None:
            raise DefinitionError("tracker blob needs the input 'features'")
        found = np.asarray(found)
        if found.dtype != FEATURE_DTYPE or found.ndim != 1:
            raise DefinitionError(
                f"tracker blob wants rows of features (x, y, mass ...) as 'features', not an array of shape "
                f"{found.shape} and type {found.dtype}; wire it to a stage that gives features, such as 'components'"
            )
        return found

    def _accept(self, found: Features) -> Features:
        """The usable features, in an order that does not depend on the order in which they came."""
        # A feature without a place in the picture cannot be followed (comparisons with NaN are False).
        good = self.inside(found["x"], found["y"], -OUTSIDE)
        for name, least in (("mass", "min_mass"), ("area", "min_area")):
            if self.number(least) > 0:
                good &= found[name] >= self.number(least)
        found = found[good]
        found["mass"][~np.isfinite(found["mass"])] = 0.0
        ordered: Features = found[np.lexsort((found["area"], found["peak"], found["mass"], found["x"], found["y"]))]
        return ordered

    def _predict(self, step: float) -> None:
        predict(self.t, step, self._rules.acceleration, self._rules.jerk)
        self.t["gap"] += step
        self.t["age"] += step
        self._hold(np.flatnonzero(self.t["held"]))

    def _hold(self, which: Array) -> None:
        hold(self.t, which, self._rules.acceleration, self._rules.speed)

    def _beyond(self, which: Array, missed: float) -> None:
        leave, right, bottom = self.number("leave"), self._rules.right, self._rules.bottom
        beyond(self.t, which, right, bottom, leave, extent(self.shapes.kept[BREADTH], leave), missed)

    def _sigma(self) -> tuple[Array, Array]:
        """Of the rows of this frame, and its anisotropy."""
        t = self.t
        return np.sqrt(np.maximum(t["p00"] + t["bias"], 0.0)), anisotropy(t, np.arange(len(t)))

    def _edge(self, found: Features) -> Array:
        """How far features are from the picture's edge, px, if their centres take it into account; else infinite."""
        x, y, rules = found["x"], found["y"], self._rules
        near = np.minimum(np.minimum(x, rules.right - x), np.minimum(y, rules.bottom - y))
        return near if rules.drawn > 0 else np.full(len(found), np.inf)

    def _variance(self, found: Features) -> tuple[Array, Array]:
        """Of features, px^2: the mean of x and y, and half their difference."""
        given = self.number("measurement_sigma")
        if given > 0:
            return np.full(len(found), given * given), np.zeros(len(found))
        sigma, share = found["sigma"], found["anisotropy"]
        known = np.isfinite(sigma) & (sigma > 0)
        noise = np.where(known, np.clip(sigma, 0.005, 100.0), 0.2) ** 2
        return noise, np.where(known & (share >= -1.0) & (share <= 1.0), share, 0.0) * noise
