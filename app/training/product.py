"""What a training leaves: the network, a pipeline that uses it, and how its error fell."""

from __future__ import annotations

import math
from pathlib import Path

from app.exports.bundle import replacing_all
from app.labels.labels import Labels
from app.training.keypoints import Lessons, Trained, architecture, peaks
from app.training.recipe import Recipe
from app.version import __version__

LEAST_SIGMA = 0.05
"""px: no network's points are believed to be better."""
PIPELINE = """\
name = {name}
summary = "{points} key points by a network trained on {frames} labelled frames"

[stages.gray]

[stages.heat]
use = "network"
model = {model}
normalize = "mean_std"
mean = [{mean:.6g}]
std = [{deviation:.6g}]
resize = "letterbox"

[stages.found]
use = "heatmap_peaks"
inputs = {{ maps = "heat", placement = "heat.placement" }}
method = "{method}"
window = {window}
threshold = {threshold}
instances = {instances}
separation = {separation}

[trackers.follow]
use = "keypoints"
inputs = "found.points"
sorting = "{sorting}"
names = {names}
edges = {edges}
min_score = 0.4
measurement_sigma = {sigma:.3g}        # px, {whence}
"""


def write_product(made: Trained, labels: Labels, taught: Lessons, recipe: Recipe, out: Path) -> tuple[Path, ...]:
    """Write OUT.onnx, OUT.toml beside it, and OUT.csv with the losses and the error of what was held out.

    Args:
        made: the training's result.
        labels: it was made of.
        taught: the frames.
        recipe: how.
        out: the network's file.

    Raises:
        InputError: they cannot be written.
    """
    notes = (f"fusetrack {__version__} train: {len(labels.frames)} labelled frames, --steps {recipe.steps} "
             f"--seed {recipe.seed} --size {recipe.size}; points {', '.join(labels.points)}")  # fmt: skip
    network = architecture(len(labels.points)).onnx(made.weights, notes, (taught.height, taught.width))
    known = math.isfinite(made.error.median)
    # the median distance of two equal normal errors is 1.1774 of one of them (Rayleigh)
    sigma = max(made.error.median / 1.1774, LEAST_SIGMA) if known else 1.0
    how = peaks(taught.animals)
    edges = ", ".join(f"{a}-{b}" for a, b in labels.edges)
    text = PIPELINE.format(
        name=_quoted(out.stem), points=len(labels.points), frames=len(labels.frames), model=_quoted(out.name),
        mean=taught.mean, deviation=taught.deviation, sigma=sigma, edges=_quoted(edges),
        sorting="peak" if taught.animals > 1 else "instance", names=_quoted(", ".join(labels.points)),
        whence="by the frames held out" if known else "nothing was held out", **how,
    )  # fmt: skip
    rows = ["step,heat_map_loss,place_loss_px_of_map,held_out_error_px"]
    rows += [f"{step},{heat:.6g},{place:.6g},{'' if math.isinf(error) else f'{error:.4g}'}"
             for step, heat, place, error in made.curve]  # fmt: skip
    files = out, out.with_suffix(".toml"), out.with_suffix(".csv")
    with replacing_all(*files) as places:
        for place, data in zip(places, (network, text.encode(), ("\n".join(rows) + "\n").encode()), strict=True):
            place.write_bytes(data)
    return files


def _quoted(text: str) -> str:
    """A text in TOML."""
    escaped = "".join(f"\\u{ord(letter):04x}" if ord(letter) < 32 or letter in '"\\\x7f' else letter for letter in text)
    return f'"{escaped}"'
