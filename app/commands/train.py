"""`fusetrack train LABELS`: a small network that finds key points, from frames labelled by hand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from app.labels.formats import FORMATS, read_labels
from app.progress import showing
from app.training.keypoints import JUDGED, Recipe, Training, lessons
from app.training.product import write_product
from kernels.errors import InputError

EXAMPLES = """examples:
  fusetrack train mouse.labels.json --out mouse.onnx && fusetrack run trial7.mp4 -p mouse.toml
  fusetrack train labels.slp --clip session2.avi --out fly.onnx --size 384 --steps 3000
  fusetrack train CollectedData_me.csv --out paw.onnx --turn 180

LABELS are frames whose points somebody has set: labels of the window (.json, COCO), SLEAP's projects (.slp),
DeepLabCut's CollectedData (.csv). 20 to 50 frames that look different are a good beginning; one of five is held out,
and the error there, in px, is what to expect of other frames of such clips. It has the error of the labels in it.

From 30 frames of a simulated face whose 14 points were set with an error of 1 px, five and a half minutes of one core
made a network that is off by .61 px (median) in 500 other frames; `template`, given the points once, by .06 px.

Honest limits: the network is small (some 60,000 weights), sees what lies within some 65 px of a point in its picture
(--size), and knows only what the labelled frames show. Several animals become tracks a point, not sorted by animal.
Frames larger than --size are brought to it without smoothing.

results:
  OUT.onnx   the network
  OUT.toml   a pipeline with it: fusetrack run CLIP -p OUT.toml
  OUT.csv    losses, and the error of what was held out, while it learnt
needs torch: pip install "fusetrack[train]"
exit codes: 0 done; 2 the input is wrong; 130 Ctrl-C (the same command goes on with --resume)
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    defaults = Recipe()
    command.description = "Train a small network that finds key points, from labelled frames."
    command.epilog = EXAMPLES
    command.add_argument("labels", metavar="LABELS", type=Path, help=f"a file of labels: {', '.join(FORMATS)}")
    command.add_argument("--out", "-o", type=Path, required=True, metavar="OUT.onnx", help="the network to write")
    command.add_argument("--clip", metavar="CLIP", help="of which the labels are, where their file does not say")
    command.add_argument("--size", type=int, default=defaults.size, metavar="PX",
                         help=f"longest side of the network's picture ({defaults.size})")  # fmt: skip
    command.add_argument("--steps", type=int, default=defaults.steps, metavar="N",
                         help=f"of 8 pictures each ({defaults.steps})")  # fmt: skip
    command.add_argument("--turn", type=float, default=defaults.turn, metavar="DEG",
                         help=f"by how much they are turned, typically ({defaults.turn:g}; 180: any way)")  # fmt: skip
    command.add_argument("--zoom", type=float, default=defaults.zoom, metavar="SHARE",
                         help=f"by how much they are scaled, typically ({defaults.zoom:g})")  # fmt: skip
    command.add_argument("--seed", type=int, default=defaults.seed, help=f"of all chance ({defaults.seed})")
    command.add_argument("--resume", action="store_true", help="go on with a training that was stopped")
    command.set_defaults(function=_train)


def _train(options: argparse.Namespace) -> int:
    out: Path = options.out
    if out.suffix.lower() != ".onnx":
        raise InputError(f"--out names the network, so it ends in .onnx: {out.name}")
    bounds = ("size", 64, 1024), ("steps", 1, 1_000_000), ("turn", 0, 360), ("zoom", 0, 1), ("seed", 0, 1 << 31)
    for name, low, high in bounds:
        if not low <= getattr(options, name) <= high:
            raise InputError(f"--{name} must be {low} to {high}, not {getattr(options, name):g}")
    recipe = Recipe(options.size, options.steps, options.seed, options.turn, options.zoom)
    labels = read_labels(options.labels, options.clip)
    taught = lessons(labels, recipe)
    state = out.with_suffix(".training.npz")
    if not options.resume:
        state.unlink(missing_ok=True)
    training = Training(taught, len(labels.points), recipe, state)
    said = f" on {len(taught.held)} frames held out" if taught.held else ""
    print(f"{len(labels.frames)} frames with {labels.labelled} labels of {len(labels.points)} points; the network sees "
          f"{taught.width}x{taught.height} px" + (f", from step {training.step}" if training.step else ""))  # fmt: skip
    with showing("pictures", 8 * (recipe.steps - training.step)) as progress:

        def told(step: int, curve: Sequence[tuple[int, float, float, float]]) -> None:
            progress.advance(8)
            if step % (5 * JUDGED) == 0 and curve and said:
                print(f"step {step}: mean error {curve[-1][3]:.2f} px{said}", file=sys.stderr, flush=True)

        try:
            made = training.run(told)
        except KeyboardInterrupt:
            training.keep(state)
            print(f"stopped at step {training.step}; the same command with --resume goes on", file=sys.stderr)
            return 130
    files = write_product(made, labels, taught, recipe, out)
    state.unlink(missing_ok=True)
    if said:
        error = made.error
        print(f"error{said}: median {error.median:.2f} px, {len(error.distances)} points, {error.missed} not found "
              f"(the labels' own error is in it)")  # fmt: skip
    else:
        print("nothing was held out of so few frames, so its error is not known; label 5 or more")
    print(f"results  {', '.join(map(str, files))}; try: fusetrack run CLIP -p {files[1]}")
    return 0
