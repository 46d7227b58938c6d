"""Identity on scenes that nobody chose, untouched: `python -m tests.measure_association [--first SEED] [SCENE ...]`.

The shipped pipeline finds its level by itself and links with its defaults. OC-SORT and ByteTrack (the extra `peers`)
follow the same detections, each with the better of two memories; so does a perfect assignment, by the truth: what no
linker of these detections can exceed but by better places; and our linker once more, with the true places and whole
masses of the same detections: what no better places save it. A line a seed, then the means: HOTA, switches, and of
every ten things that were not detected for 6 to 15, 16 to 30 and 31 to 60 frames how many kept their track.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.benchmark.trackers.contender import rows
from app.benchmark.trackers.ours import Tapped, run_of
from app.benchmark.trackers.scenes import Clip, Scene, seeded
from pipelines.definition import load
from pipelines.evaluation.clear_mot import match
from pipelines.evaluation.complete import evaluate_all
from pipelines.evaluation.matching import near
from pipelines.evaluation.tables import tables
from pipelines.features import Features, Tracks
from pipelines.frame import TimeBase
from pipelines.graph import Ref
from pipelines.trackers.base import confirmed, make_tracker

GATE = 3.0
"""Farthest match, px."""
LENGTHS = ((6, 15), (16, 30), (31, 60))
"""Of gaps, frames."""
MEMORIES = (14, 60)
"""Frames for which the peers wait for what is not seen; the better one counts."""
KNOWN = 0.03
"""Standard deviation of places that are known, px."""


@dataclass(frozen=True)
class Case:
    """A scene, the pipeline for it, the least HOTA that is wanted, and whether time stamps tell of dropped frames."""

    scene: Scene
    least: float
    most_switches: float = 6.0
    pipeline: str = "blobs"
    stamps: bool = True


def _bars(spec: str, dropped: float = 0.0) -> Scene:
    return Scene(f"bars?{spec}", "things", 300, 3.0, 12.0 if dropped else 4.0, dropped=dropped)


WIDE = "count=60&bars=5&widest=20"
CASES = {
    "bars-4": Case(_bars("snr=4"), 0.90, 12.0),
    "bars-10": Case(_bars("snr=10"), 0.965),
    "bars-40": Case(_bars("snr=40"), 0.955),
    "bars-12-bit": Case(_bars("snr=10&bits=12"), 0.965),
    "bars-dropped": Case(_bars("snr=10", 0.15), 0.965),
    "bars-dropped-unsaid": Case(_bars("snr=10", 0.15), 0.965, stamps=False),
    "wide-4": Case(_bars(f"{WIDE}&snr=4"), 0.87, 12.0),
    "wide-10": Case(_bars(f"{WIDE}&snr=10"), 0.94),
    "wide-40": Case(_bars(f"{WIDE}&snr=40"), 0.94),
    "vortex": Case(Scene("vortex?particles=700&width=512&height=512", "things", 100, 3.5, 5.0), 0.935),
    "insects": Case(Scene("insects", "things", 200, 4.0, 8.0), 0.92),
    "insects-clutter": Case(Scene("insects?clutter=0.1", "things", 200, 4.0, 8.0), 0.92, pipeline="insects"),
}


@dataclass(frozen=True)
class Seen:
    """A clip, what our pipeline detects in each frame of it, and how it links that."""

    clip: Clip
    spots: Sequence[Features]
    tracks: Tracks


Linker = Callable[[Seen], Tracks]


def seen(case: Case, seed: int) -> Seen:
    clip = Clip(seeded(case.scene, seed))
    if not case.stamps:
        even = TimeBase(clip.fps, "scene", "simulated", np.arange(len(clip)) / clip.fps)
        clip._info = replace(clip.info, time=even)
    sink = Tapped()
    tracks = run_of(replace(load(case.pipeline), taps=(Ref.parse("spots"),)), clip, sink)()
    return Seen(clip, [taps["spots"] for taps in sink.taps], tracks)


def ours(one: Seen) -> Tracks:
    return confirmed(one.tracks)


def recognised(one: Seen) -> tuple[Tracks, Any]:
    """Detections that are a true thing, as rows whose tracks are their numbers, and its rows."""
    spots = np.concatenate(one.spots)
    frame = np.repeat(np.arange(len(one.spots)), [len(table) for table in one.spots])
    each = rows(one.clip, frame, np.arange(len(spots)), spots["x"], spots["y"])
    both = tables(each, one.clip.truth)
    pairs = match(both, near(both.real, both.claimed, GATE), GATE)
    return both.claimed.rows[pairs.claimed], both.real.rows[pairs.real]


def perfect(one: Seen) -> Tracks:
    """Each detection with the identity of the true thing that it is, if it is one."""
    found, real = recognised(one)
    found["track"] = real["track"]
    return found


def known(one: Seen) -> Tracks:
    """Our linker, had each of the detections its true place and the mass of a whole thing."""
    found, real = recognised(one)
    spots, at = np.concatenate(one.spots), found["track"]
    spots["mass"][at], spots["sigma"][at] = np.median(spots["mass"]), KNOWN
    spots["x"][at], spots["y"][at] = real["x"], real["y"]
    info, start = one.clip.info, 0
    tracker = make_tracker("blob", {}, (info.height, info.width), one.clip.fps)
    parts = []
    for frame, table in enumerate(one.spots):
        features = spots[start : start + len(table)]
        parts.append(tracker.update(frame, info.time.time(frame), {"features": features}))
        start += len(table)
    return confirmed(np.concatenate(parts))


def peer(name: str, memory: int) -> Linker:
    """One of roboflow's trackers on boxes around the detections (`tests/benchmark_peers/trackers/boxes.py`)."""
    import trackers

    from tests.benchmark_peers.trackers.boxes import followed

    def link(one: Seen) -> Tracks:
        made = getattr(trackers, name)(lost_track_buffer=memory, frame_rate=30.0, minimum_consecutive_frames=2)
        return followed(made, one.clip, one.spots)

    return link


def gaps(tracks: Tracks, one: Seen) -> np.ndarray[Any, Any]:
    """(2, len(LENGTHS)): gaps in the detections of a thing through which it kept its track, and all."""
    real = perfect(one)
    both = tables(tracks, one.clip.truth)
    pairs = match(both, near(both.real, both.claimed, GATE), GATE)
    thing, frame = (both.real.rows[name][pairs.real] for name in ("track", "frame"))
    track = both.claimed.rows["track"][pairs.claimed]
    out = np.zeros((2, len(LENGTHS)), int)
    for who in np.unique(real["track"]):
        detected = np.sort(real["frame"][real["track"] == who])
        own = thing == who
        when, which = frame[own], track[own]
        for before, after in itertools.pairwise(detected):
            for k, (low, high) in enumerate(LENGTHS):
                if low <= after - before - 1 <= high:
                    old, new = which[when <= before], which[when >= after]
                    out[1, k] += 1
                    out[0, k] += bool(len(old) and len(new) and old[-1] == new[0])
    return out


@dataclass(frozen=True)
class Figures:
    """Of a linker on a clip, or of several clips: means, and sums of gaps."""

    hota: float
    switches: float
    rmse: float
    kept: np.ndarray[Any, Any]

    def __str__(self) -> str:
        shares = " ".join(f"{a}/{b}" for a, b in self.kept.T)
        return f"HOTA {self.hota:.3f} switches {self.switches:4.1f} RMSE {self.rmse:.3f} px, gaps kept {shares}"


def judged(linkers: Sequence[Linker], one: Seen) -> Figures:
    """The figures of the linker with the best HOTA."""
    found = []
    for link in linkers:
        tracks = link(one)
        score = evaluate_all(tracks, one.clip.truth, gate=GATE, fps=one.clip.fps)
        found.append((score.hota.hota, float(score.clear.id_switches), score.clear.rmse, tracks))
    best = max(found, key=lambda line: line[0])
    return Figures(*best[:3], gaps(best[3], one))


def mean(found: Sequence[Figures]) -> Figures:
    hota, switches, rmse = (float(np.mean([getattr(one, name) for one in found])) for name in
                            ("hota", "switches", "rmse"))  # fmt: skip
    return Figures(hota, switches, rmse, np.sum([one.kept for one in found], axis=0))


def linkers(peers: bool) -> dict[str, list[Linker]]:
    made: dict[str, list[Linker]] = {"fusetrack": [ours]}
    if peers:
        made |= {label: [peer(name, memory) for memory in MEMORIES]
                 for label, name in (("OC-SORT", "OCSORTTracker"), ("ByteTrack", "ByteTrackTracker"))}  # fmt: skip
    return made | {"perfect": [perfect], "known": [known]}


def measure(names: Sequence[str], seeds: Sequence[int], made: dict[str, list[Linker]]) -> Iterator[str]:
    """Lines, as they come."""
    for name in names:
        found: dict[str, list[Figures]] = {who: [] for who in made}
        for seed in seeds:
            one = seen(CASES[name], seed)
            for who, link in made.items():
                found[who].append(judged(link, one))
                yield f"{name:20} {seed:>8} {who:10} {found[who][-1]}"
        case = CASES[name]
        for who, figures in found.items():
            goal = f"; wanted: {case.least}, {case.most_switches:.0f} switches" if who == "fusetrack" else ""
            yield f"{name:20} mean {len(figures):>3} {who:10} {mean(figures)}{goal}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", help=f"of {', '.join(CASES)}; without any, all")
    parser.add_argument("--seeds", type=int, default=6, help="clips of each scene")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--alone", action="store_true", help="without the peers")
    given = parser.parse_args()
    unknown = [name for name in given.scenes if name not in CASES]
    if unknown:
        parser.error(f"there is no scene {unknown[0]}; there are {', '.join(CASES)}")
    for line in measure(given.scenes or list(CASES), range(given.first, given.first + given.seeds),
                        linkers(not given.alone)):  # fmt: skip
        print(line, flush=True)


if __name__ == "__main__":
    main()
