"""Digital image correlation with a known answer: strain of a stretched speckle, shifts by parts of a pixel, waves of
rising frequency (spatial resolution against noise), and how many points a processor follows.

    python tests/measure_dic.py                                  # all of it, some minutes
    python tests/measure_dic.py strain waves --seeds 5
    python tests/measure_dic.py --python /path/to/python         # beside pyIDI and muDIC, which that Python has

The clips are those of `sim:speckle`. Peers get the same pixels, the same points and the same size of windows (muDIC:
the size of its elements); their strains are made of their displacements by the same fit as ours.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PEERS = ("pyidi", "mudic")
SUBSETS = (15, 21, 31)
AMPLITUDE = 0.5
"""px of the waves, as in the DIC Challenge 2.0."""
Array = Any


# ----------------------------------------------------------------------------------------------- peers, in their Python


def peer(name: str, given: str, left: str) -> None:
    """Follow points with a library: displacements (F, P, 2) px since the first frame, at the places it measures at."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    data = np.load(given)
    frames, points, window = data["frames"], data["points"], int(data["window"])
    if name == "pyidi":
        import pyidi  # type: ignore[import-not-found]

        begun = time.process_time()
        method = pyidi.LucasKanade(pyidi.VideoReader(frames, root=tempfile.mkdtemp()))
        method.set_points(np.round(points[:, ::-1]).astype(int))
        method.configure(roi_size=(window, window), verbose=0, show_pbar=False, processes=1)
        places = np.round(points)
        moved = np.moveaxis(np.asarray(method.get_displacements(autosave=False))[:, :, ::-1], 1, 0)
    else:
        import muDIC  # type: ignore[import-not-found]

        begun = time.process_time()
        stack = muDIC.image_stack_from_list([frame.astype(np.float64) for frame in frames])
        low, high = points.min(axis=0), points.max(axis=0)
        low, high = low - (high - low < 1) * 2 * window, high + (high - low < 1) * 2 * window  # a line of points
        count = np.maximum(1, np.rint((high - low) / window).astype(int))
        box = dict(zip(("Xc1", "Yc1", "Xc2", "Yc2"), (*low, *high), strict=True))
        mesh = muDIC.Mesher(deg_e=1, deg_n=1, type="q4").mesh(
            stack, n_elx=int(count[0]), n_ely=int(count[1]), GUI=False, **box)
        found = muDIC.DICAnalysis(muDIC.DICInput(mesh, stack, ref_update_frames=[], maxit=60)).run()
        x, y = (a if a.shape[-1] == len(frames) else a.T for a in map(np.asarray, (found.xnodesT, found.ynodesT)))
        places = np.stack((x[:, 0], y[:, 0]), axis=-1)
        moved = np.stack((x - x[:, :1], y - y[:, :1]), axis=-1).transpose(1, 0, 2)
    np.savez(left, places=places, moved=moved, seconds=time.process_time() - begun)


def by_peer(python: str, name: str, frames: Array, points: Array, window: int) -> tuple[Array, Array, float]:
    """Places, displacements and seconds of the processor of a library in another Python."""
    with tempfile.TemporaryDirectory() as folder:
        given, left = Path(folder) / "in.npz", Path(folder) / "out.npz"
        np.savez(given, frames=frames, points=points, window=window)
        subprocess.run([python, __file__, "--peer", name, str(given), str(left)], check=True, capture_output=True)
        found = np.load(left)
        return found["places"], found["moved"], float(found["seconds"])


# --------------------------------------------------------------------------------------------------------------- ours


def by_us(frames: Array, points: Array, window: int) -> tuple[Array, Array, Array, float]:
    """Places, displacements, their stated sigmas (F, P, 2), and seconds of the processor."""
    from app import launcher as fusetrack
    from pipelines.analysis.displacement import displacements_of

    begun = time.process_time()
    settings = {"track.points": points.tolist(), "track.window": window}
    tracks = fusetrack.track(frames, "template", settings=settings, fps=1000.0)
    found = displacements_of(tracks.rows)
    return found.points, found.moved, found.sigmas, time.process_time() - begun


def clip(spec: str) -> tuple[Any, Array]:
    """The scene and its frames."""
    from app.sources.simulated.source import make_scene

    scene = make_scene(f"sim:speckle?{spec}")
    return scene, np.stack([scene.render(k) for k in range(scene.frames)])


def square(size: int, step: int, margin: int) -> Array:
    """A grid of points in a square picture."""
    at = np.arange(margin, size - margin + 1, step, dtype=float)
    return np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2)


def strain(seeds: int, python: str) -> None:
    """Bias, spread and stated sigma of the strain of a speckle that is stretched by 1 %."""
    from pipelines.analysis.strain import Gauge

    print("strain of 1 % along x, -0.3 % along y (512x512, 8 bits, noise; Green-Lagrange; subset 21 px, step 12 px)")
    print(f"  {'':28s} {'gauge px':>8s} {'bias exx':>10s} {'bias eyy':>10s} {'sd exx':>9s} {'stated':>9s}")
    true = 0.01 + 0.01**2 / 2, -0.003 + 0.003**2 / 2
    rows: dict[tuple[str, float], list[tuple[float, ...]]] = {}
    for seed in range(1, seeds + 1):
        _, frames = clip(f"frames=12&ramp=1&seed={seed}")
        points = square(512, 12, 28)
        places, moved, sigmas, _ = by_us(frames, points, 21)
        told = [("fusetrack", places, moved, sigmas)]
        for name in PEERS if python else ():
            at, way, _ = by_peer(python, name, frames, points, 21)
            told.append((name, at, way, np.full(way.shape, np.nan)))
        for name, at, way, spread in told:
            for window in (3, 5, 9):
                gauge = Gauge(at, window, 21.0)
                found = [gauge.strains(way[k], spread[k].astype(float)) for k in range(1, len(way))]
                values = np.stack([one.values[:2] for one in found])
                stated = np.stack([one.sigmas[0] for one in found])
                errors = values - np.array(true)[:, None]
                stated = stated[np.isfinite(stated)]
                row = (np.nanmean(errors[:, 0]), np.nanmean(errors[:, 1]), np.nanstd(errors[:, 0]),
                       np.sqrt(np.square(stated).mean()) if len(stated) else np.nan)  # fmt: skip
                rows.setdefault((name, gauge.length), []).append(tuple(map(float, row)))
    for (name, length), found in rows.items():
        bias_x, bias_y, spread, stated = np.mean(found, axis=0)
        print(f"  {name:28s} {length:8.0f} {bias_x:+10.1e} {bias_y:+10.1e} {spread:9.1e} {stated:9.1e}", flush=True)


def shifts(seeds: int, python: str) -> None:
    """Bias of displacements by parts of a pixel."""
    print("shifts of 0 to 1 px in steps of .1 (256x256; subset 21 px): worst mean error, and spread of single points")
    points = square(256, 12, 24)
    for words, how in (("8 bits, noise", "bits=8"), ("16 bits, no noise", "bits=16&noise=false")):
        worst: dict[str, list[tuple[float, float]]] = {}
        for k in range(11):
            for seed in range(1, seeds + 1):
                spec = f"width=256&height=256&frames=8&ramp=1&strain=0&shift={0.1 * k:.1f}&seed={seed}&{how}"
                _, frames = clip(spec)
                told = [("fusetrack", by_us(frames, points, 21)[1])]
                told += [(name, by_peer(python, name, frames, points, 21)[1]) for name in (PEERS if python else ())]
                for name, moved in told:
                    errors = moved[1:, :, 0] - 0.1 * k
                    worst.setdefault(f"{name} {k}", []).append((float(np.nanmean(errors)), float(np.nanstd(errors))))
        for name in ("fusetrack", *(PEERS if python else ())):
            found = np.array([np.mean(worst[f"{name} {k}"], axis=0) for k in range(11)])
            print(f"  {words:18s} {name:12s} worst bias {np.abs(found[:, 0]).max():.1e} px, spread "
                  f"{found[:, 1].mean():.1e} px", flush=True)  # fmt: skip


def waves(seeds: int, python: str) -> None:
    """The period at which a wave is flattened by 10 %, and the noise, for several sizes of windows."""
    print("waves of .5 px, periods 10 to 300 px (1024x257): period at 90 % of the amplitude, noise of v; their product")
    x = np.arange(40.0, 985.0, 4.0)
    points = np.stack((x, np.full_like(x, 128.0)), axis=-1)
    for window in SUBSETS:
        told: dict[str, list[tuple[Array, Array, float]]] = {}
        for seed in range(1, seeds + 1):
            base = f"width=1024&height=257&frames=6&ramp=1&strain=0&seed={seed}"
            scene, frames = clip(f"{base}&wave={AMPLITUDE}")
            _, still = clip(base)
            for name in ("fusetrack", *(PEERS if python else ())):
                if name == "fusetrack":
                    (at, moved), rest = by_us(frames, points, window)[:2], by_us(still, points, window)[1]
                else:
                    at, moved, _ = by_peer(python, name, frames, points, window)
                    rest = by_peer(python, name, still, points, window)[1]
                line = np.abs(at[:, 1] - 128.0) <= 0.51 * window if name == "mudic" else np.ones(len(at), bool)
                line &= np.abs(at[:, 1] - 128.0) == np.abs(at[line, 1] - 128.0).min()
                told.setdefault(name, []).append((scene.period(at[line, 0]),
                                                  np.nanmean(moved[1:, line, 1], axis=0) / AMPLITUDE,
                                                  float(np.nanstd(rest[1:, :, 1]))))  # fmt: skip
        for name, found in told.items():
            period = found[0][0]
            order = np.argsort(period)
            share = np.mean([one[1] for one in found], axis=0)[order]
            low = np.flatnonzero(~(share >= 0.9))  # the longest period that is flattened by more
            resolved = float(period[order][min(low[-1] + 1, len(order) - 1)]) if len(low) else float(period.min())
            noise = float(np.mean([one[2] for one in found]))
            print(f"  subset {window:2d} px  {name:12s} 90 % at {resolved:5.0f} px, noise {noise:.1e} px, product "
                  f"{resolved * noise:.2f} px^2", flush=True)  # fmt: skip


def speed(seeds: int, python: str) -> None:
    """Frames a second that one processor follows, from pictures in memory."""
    del seeds
    print("speed, by processor time (pictures in memory, 8 bits, subset 21 px; less what the first frames take)")
    for size, step in ((512, 14), (512, 7), (1024, 20), (1024, 14)):
        _, frames = clip(f"width={size}&height={size}&frames=6&ramp=3")
        points = square(size, step, 24)

        def spent(count: int, frames: Array = frames, points: Array = points) -> float:
            order = np.abs(np.arange(count) % 10 - 5)  # to and fro
            return by_us(frames[order], points, 21)[3]

        spent(20)
        each = min((spent(140) - spent(40)) / 100 for _ in range(3))
        words = f"  {size}x{size}, {len(points)} points: {1e3 * each:.1f} ms, {1 / each:.0f} frames/s a processor"
        if python and size == 512 and step == 14:
            order = np.abs(np.arange(20) % 10 - 5)
            for name in PEERS:
                seconds = by_peer(python, name, frames[order], points, 21)[2]
                words += f"; {name} {1e3 * seconds / 20:.0f} ms"
        print(words, flush=True)


PARTS = {"strain": strain, "shifts": shifts, "waves": waves, "speed": speed}


def main(words: Sequence[str]) -> int:
    """Measure."""
    if words[:1] == ["--peer"]:
        peer(*words[1:4])
        return 0
    sys.path.insert(0, str(ROOT))
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=", ".join(PARTS))
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--python", default="", help="a Python that has pyidi and muDIC")
    wanted = options.parse_args(words)
    with contextlib.suppress(KeyboardInterrupt):
        for name in wanted.parts or PARTS:
            PARTS[name](wanted.seeds, wanted.python)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
