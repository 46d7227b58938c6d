"""`fusetrack train LABELS`: a small network that finds key points, from frames labelled by hand."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from app.labels.formats import FORMATS, read_labels
from app.progress import showing
from app.training.keypoints import JUDGED
from app.training.recipe import BATCH, Recipe, check
from app.training.session import Report, Session

EXAMPLES = """examples:
  fusetrack train mouse.mp4.labels.json --out mouse.onnx && fusetrack run trial7.mp4 -p mouse.toml
  fusetrack train labels.slp --clip session2.avi --out fly.onnx --size 384 --steps 3000
  fusetrack train CollectedData_me.csv --out paw.onnx --turn 180

LABELS are frames whose points were set by hand: labels of the window (CLIP.labels.json, COCO), SLEAP's projects (.slp,
.json, analysis .csv), DeepLabCut's CollectedData (.csv, .h5). 20 to 50 frames that look different are a good beginning
(`fusetrack labels CLIP --frames next 20` names some); one of five is held out, and the error there, in px, is what to
expect of other frames of such clips. It has the error of the labels in it.

From 30 frames of a simulated face whose 14 points were set with an error of 1 px along x and y, five minutes of one
core made a network that is off by .38 px along x and y in frames that it has not seen: .2 px are what is left of the
labels' errors, as the mean over 24 frames has it, .3 px its own from frame to frame (pipelines/ACCURACY.md).
`template`, given each point once, adds .01 px to the error with which it was given.

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
    recipe = Recipe(options.size, options.steps, options.seed, options.turn, options.zoom)
    check(recipe, out)
    labels = read_labels(options.labels, options.clip)
    session = Session.begin(labels, recipe, out, options.resume)
    begun, taught = session.training.step, session.taught
    print(f"{len(labels.frames)} frames with {labels.labelled} labels of {len(labels.points)} points; the network sees "
          f"{taught.width}x{taught.height} px" + (f", from step {begun}" if begun else ""))  # fmt: skip
    with showing("pictures", BATCH * (recipe.steps - begun)) as progress:

        def show(report: Report) -> None:
            progress.advance(BATCH)
            if report.step % (5 * JUDGED) == 0 and taught.held:
                print(report.words, file=sys.stderr, flush=True)

        try:
            made = session.run(show)
        except KeyboardInterrupt:
            step = session.training.step
            print(f"stopped at step {step}; the same command with --resume goes on", file=sys.stderr)
            return 130
    print(made.words)
    turned = {frame.turn for frame in labels.frames} - {0}
    more = f" --turn {turned.pop()}" if len(turned) == 1 else ""  # such pictures it has learnt
    print(f"results  {', '.join(map(str, made.files))}; try: fusetrack run CLIP -p {made.files[1]}{more}")
    return 0
