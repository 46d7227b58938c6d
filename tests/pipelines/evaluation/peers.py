"""What TrackEval and py-motmetrics say about a case; `python -m tests.pipelines.evaluation.peers` writes golden.json.

TrackEval maximises the sum of similarities, CLEAR MOT the number of matches and then the least distance: with the
similarity 1 - distance / (100 gate) the two are the same. py-motmetrics keeps a match over gaps, TrackEval from the
frame before only (as we do), so that its CLEAR MOT figures are taken where no row has a choice.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from pipelines.evaluation.matching import alone, near
from pipelines.evaluation.tables import tables as in_order
from tests.pipelines.evaluation.cases import Crowd, tracks, truth

GOLDEN = Path(__file__).with_name("golden.json")
GATE = 3.0
CROWDS = {
    "sparse": (Crowd(frames=21, things=4, side=300.0, false=0.05), 0),
    "crowd": (Crowd(frames=21, things=7, side=14.0, noise=0.7), 1),
    "swaps": (Crowd(frames=21, things=5, side=25.0, swap=0.3, renew=0.1), 2),
    "noisy": (Crowd(frames=21, things=5, side=20.0, noise=2.0, miss=0.3, false=0.5), 3),
}


def rounded(crowd, seed):
    """The case with three digits, as lists of rows (frame, id, x, y)."""
    return [
        [[int(r["frame"]), int(r["track"]), round(float(r["x"]), 3), round(float(r["y"]), 3)] for r in table]
        for table in crowd.draw(seed)
    ]


def unambiguous(mine, real):
    """Whether no row of the case has a choice."""
    both = in_order(tracks(mine), truth(real))
    pairs = near(both.real, both.claimed, GATE)
    return bool(alone(pairs.real, pairs.claimed).all())


def _frames(mine, real):
    """(true ids, track ids, distances) of every frame."""
    for frame in sorted({row[0] for row in (*mine, *real)}):
        a, b = ([row for row in rows if row[0] == frame] for rows in (real, mine))
        place = [np.array([row[2:] for row in rows]).reshape(-1, 2) for rows in (a, b)]
        apart = np.hypot(*np.moveaxis(place[0][:, None] - place[1][None], -1, 0))
        yield np.array([row[1] for row in a], int), np.array([row[1] for row in b], int), apart


def trackeval_says(mine, real):
    from trackeval.metrics import CLEAR, HOTA, Identity

    ids = [sorted({row[1] for row in rows}) for rows in (real, mine)]
    data = {
        "num_gt_dets": len(real), "num_tracker_dets": len(mine), "num_gt_ids": len(ids[0]),
        "num_tracker_ids": len(ids[1]), "gt_ids": [], "tracker_ids": [],
    }  # fmt: skip
    apart = []
    for a, b, distance in _frames(mine, real):
        data["gt_ids"].append(np.searchsorted(ids[0], a))
        data["tracker_ids"].append(np.searchsorted(ids[1], b))
        apart.append(distance)
    data["num_timesteps"] = len(apart)
    quiet = {"PRINT_CONFIG": False}
    near_one = [np.where(d <= GATE, 1 - d / (100 * GATE), 0.0) for d in apart]
    clear = CLEAR(quiet).eval_sequence({**data, "similarity_scores": near_one})
    identity = Identity(quiet).eval_sequence({**data, "similarity_scores": near_one})
    hota = HOTA().eval_sequence({**data, "similarity_scores": [np.maximum(1 - d / GATE, 0.0) for d in apart]})
    found = {
        "mota": clear["MOTA"], "motp": (1 - clear["MOTP"]) * 100 * GATE, "recall": clear["CLR_Re"],
        "precision": clear["CLR_Pr"], "matches": clear["CLR_TP"], "misses": clear["CLR_FN"], "false": clear["CLR_FP"],
        "id_switches": clear["IDSW"], "fragmentation": clear["Frag"], "mostly_tracked": clear["MT"],
        "partially_tracked": clear["PT"], "mostly_lost": clear["ML"],
        "idf1": identity["IDF1"], "idp": identity["IDP"], "idr": identity["IDR"], "idtp": identity["IDTP"],
        "idfp": identity["IDFP"], "idfn": identity["IDFN"],
    }  # fmt: skip
    names = {"hota": "HOTA", "det_a": "DetA", "ass_a": "AssA", "loc_a": "LocA", "det_re": "DetRe", "det_pr": "DetPr",
             "ass_re": "AssRe", "ass_pr": "AssPr"}  # fmt: skip
    for ours, theirs in names.items():
        found[ours] = float(np.mean(hota[theirs]))
        found[f"{ours} by alpha"] = [float(v) for v in hota[theirs]]
    return {name: value if isinstance(value, list) else float(value) for name, value in found.items()}


def motmetrics_says(mine, real):
    import motmetrics

    accumulator = motmetrics.MOTAccumulator(auto_id=True)
    for a, b, distance in _frames(mine, real):
        accumulator.update(a, b, np.where(distance <= GATE, distance, np.nan))
    names = {"idf1": "idf1", "idp": "idp", "idr": "idr", "idtp": "idtp", "idfp": "idfp", "idfn": "idfn"}
    if unambiguous(mine, real):
        names |= {
            "mota": "mota", "motp": "motp", "recall": "recall", "precision": "precision", "misses": "num_misses",
            "false": "num_false_positives", "id_switches": "num_switches", "fragmentation": "num_fragmentations",
            "mostly_tracked": "mostly_tracked", "partially_tracked": "partially_tracked", "mostly_lost": "mostly_lost",
        }  # fmt: skip
    table = motmetrics.metrics.create().compute(accumulator, metrics=list(names.values()), name="case")
    return {ours: float(table[theirs].iloc[0]) for ours, theirs in names.items()}


def main():
    cases = []
    for name, drawn in CROWDS.items():
        mine, real = rounded(*drawn)
        cases.append({"name": name, "tracks": mine, "truth": real, "trackeval": trackeval_says(mine, real),
                      "motmetrics": motmetrics_says(mine, real)})  # fmt: skip
    from importlib.metadata import version

    versions = {name: version(name) for name in ("trackeval", "motmetrics")}
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    GOLDEN.write_text(f'{{"gate":{GATE},"versions":{json.dumps(versions)},"cases":[\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
