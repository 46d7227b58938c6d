"""Orders for jobs about what is labelled: a file for another program, a network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from app.desk.jobs.orders import LabelsOrder, TrainOrder
from app.desk.labelling.labeller import Labeller
from app.labels.formats import format_of
from app.labels.labels import Labels, labels
from app.results import HOME
from app.safe_names import clip_stem
from app.training.architecture import check_torch
from app.training.recipe import FEWEST, Recipe, check, state_of
from kernels.errors import InputError


def labelled(labeller: Labeller) -> Labels:
    """What is labelled, as other programs take it.

    Raises:
        InputError: nothing is.
    """
    if why := labeller.why_not:
        raise InputError(why)
    made = labeller.sheet.as_labels(labeller.clip)
    if not labeller.sheet.labelled:
        raise InputError("nothing is labelled yet: take the tool (W), and click on the points")
    found = labels(made.points, made.edges, made.frames, labeller.path or Path())
    return replace(found, frames=tuple(replace(frame, hidden=None) for frame in found.frames))


def export_order(labeller: Labeller, out: Path, pictures: bool) -> LabelsOrder:
    """The order to write what is labelled in another format.

    Raises:
        InputError: nothing is labelled, the ending tells no format, or it is the file in which labels are kept.
    """
    format_of(out)
    if labeller.path is not None and out.absolute() == labeller.path.absolute():
        raise InputError(f"{out.name} is where these labels are kept already; choose another name")
    return LabelsOrder(labelled(labeller), str(out), pictures)


def default_network(labeller: Labeller) -> Path:
    """What the network of a clip's labels is called: beside them, or for scenes in the folder of results."""
    if labeller.clip.startswith("sim:") or labeller.path is None:
        return HOME / "network.onnx"
    return labeller.path.with_name(f"{clip_stem(Path(labeller.clip).name)}-network.onnx")


def train_order(labeller: Labeller, out: Path, recipe: Recipe, resume: bool) -> TrainOrder:
    """The order to train a network with what is labelled.

    Raises:
        InputError: torch is missing, too little is labelled, or it cannot be trained so.
    """
    check_torch()
    check(recipe, out, "")
    made = labelled(labeller)
    if len(made.frames) < FEWEST:
        raise InputError(f"{len(made.frames)} labelled frames are too few to learn from; label {FEWEST} or more, "
                         "better 20 that look different (Labels > Next frame to label)")  # fmt: skip
    return TrainOrder(made, str(out), recipe, resume and state_of(out).exists())
