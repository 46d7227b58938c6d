"""Jobs about labelled key points: a file for another program, and a network that finds them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from app.desk.jobs.orders import LabelsOrder, TrainOrder
from app.desk.jobs.stopping import Stop
from app.desk.jobs.telling import Tell, telling
from app.files.atomic import make_folder
from app.labels.formats import write_labels
from app.labels.labels import project_of
from app.labels.pictures import write_pictures
from app.training.recipe import BATCH
from app.training.session import Report, Session


def write(order: LabelsOrder, tell: Tell) -> dict[str, Any]:
    """Write labels; what is told of it.

    Raises:
        InputError: they cannot be written, or a frame cannot be read.
    """
    out, pictures = Path(order.out), list[str]()
    if order.pictures:
        with telling(tell)("pictures", len(order.labels.frames)) as progress:
            pictures = write_pictures(order.labels, project_of(out), lambda: progress.advance(1))
    write_labels(order.labels, out, pictures)
    return {"out": str(out), "frames": len(order.labels.frames), "pictures": len(pictures)}


class _Wish:
    """Whether the training is to stop: between two steps, so that its state is whole."""

    def __init__(self) -> None:
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True


def train(order: TrainOrder, tell: Tell, stop: Stop) -> dict[str, Any]:
    """Train; what is told of it: the files, how good it is, or that it was stopped.

    Raises:
        InputError: torch is missing, the frames cannot be read, or they are too few.
    """
    tell({"label": "labelled frames", "total": 0})
    make_folder(Path(order.out).absolute().parent)
    session = Session.begin(order.labels, order.recipe, Path(order.out), order.resume)
    wish, begun = _Wish(), session.training.step
    stop.started(wish)
    with telling(tell)("pictures", BATCH * (order.recipe.steps - begun)) as progress:

        def show(report: Report) -> None:
            progress.advance(BATCH)
            tell({"note": report.words})
            if wish.stopped:
                raise KeyboardInterrupt

        try:
            made = session.run(show)
        except KeyboardInterrupt:
            stop.over()
            return {"stopped": f"stopped at step {session.training.step}; it can go on from there"}
    error = made.error.median
    return {"result": {"network": str(made.files[0]), "pipeline": str(made.files[1]), "words": made.words,
                       "error": error if math.isfinite(error) else None}}  # fmt: skip
