"""What can be done with labels, by menu and keyboard."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from app.desk.bench.topics import Level
from app.desk.labelling.labeller import Labeller
from app.desk.labelling.proposals import Proposals
from app.gui.actions import Action
from app.gui.docked_window import Panels
from app.gui.labelling.panel import LabelsPanel
from app.gui.tracking import GROUP, Tracking


class Window(Protocol):
    """What is needed of the main window."""

    tracking: Tracking
    proposals: Proposals
    panels: Panels
    labels: LabelsPanel

    def show_panel(self, name: str) -> None: ...


def label_actions(window: Window) -> list[Action]:
    """Those of the menu "Labels", behind its tool."""
    model: Labeller = window.tracking.labeller

    def can() -> bool:
        return not model.why_not

    def some() -> bool:
        return can() and bool(model.sheet.labelled)

    def with_tool(work: Callable[[], object]) -> Callable[[], None]:
        """A frame is looked for to be labelled: the tool is taken, and the panel is there."""

        def do() -> None:
            window.show_panel("labels")
            if can() and window.tracking.tools.tool.name != "label":
                window.tracking.tools.take("label")
            work()

        return do

    def beside(back: bool) -> None:
        found = model.labelled_beside(back)
        if found is None:
            side = "before" if back else "after"
            window.tracking.bench.speak(Level.NOTE, f"no labelled frame {side} this one")
        else:
            model.go(found)

    def train() -> None:
        window.show_panel("labels")
        window.labels.training.begin()

    def training() -> bool:
        return "labels" in window.panels.made and window.labels.training.going

    def here() -> bool:
        return can() and model.frame in model.sheet.frames

    return [
        Action("label_next", "Labels", "&Next frame to label", with_tool(window.proposals.next), "D", group=GROUP + 1,
               enabled=can, tip="The one that looks least like all that are labelled; looks at up to 300 frames first"),
        Action("label_unsure", "Labels", "Least &certain frame", with_tool(window.proposals.least_sure), "Shift+D",
               group=GROUP + 1, enabled=lambda: can() and len(window.tracking.bench.store) > 0,
               tip="The one in which the tracks have their lowest scores"),
        Action("label_after", "Labels", "Next la&belled frame", partial(beside, False), "PgDown", group=GROUP + 1,
               enabled=some),
        Action("label_before", "Labels", "P&revious labelled frame", partial(beside, True), "PgUp", group=GROUP + 1,
               enabled=some),
        Action("label_animal", "Labels", "&Another animal", model.another_animal, "Y", group=GROUP + 2,
               enabled=lambda: can() and bool(model.sheet.points), tip="The next clicks set the points of a new one"),
        Action("label_remove_animal", "Labels", "Remo&ve this animal's labels", model.remove_animal, group=GROUP + 2,
               enabled=here, tip="In the frame that is shown"),
        Action("label_clear", "Labels", "Clear this &frame", lambda: model.clear_frame(model.frame), group=GROUP + 2,
               enabled=here, tip="Without any of its labels; undo brings them back"),
        Action("label_pipeline", "Labels", "Take the p&oints of the pipeline", model.skeleton_of_pipeline,
               group=GROUP + 3, enabled=can, tip="Names and skeleton of its tracker of key points"),
        Action("label_import", "Labels", "&Import labels…", lambda: window.labels.take_file(), "Ctrl+Shift+I",
               group=GROUP + 3, enabled=can,
               tip="Of SLEAP (.slp), DeepLabCut (.csv, .h5) or COCO (.json), or of another clip's window"),
        Action("label_export", "Labels", "&Export labels…", lambda: window.labels.export(False), "Ctrl+Shift+E",
               group=GROUP + 3, enabled=some, tip="For SLEAP, DeepLabCut or COCO"),
        Action("label_pictures", "Labels", "Export labels and &pictures…", lambda: window.labels.export(True),
               group=GROUP + 3, enabled=some, tip="With the labelled frames as labeled-data/CLIP/imgNNN.png beside"),
        Action("label_train", "Labels", "&Train a network from these labels", train, "Ctrl+T", group=GROUP + 4,
               enabled=some, tip="Some minutes on a processor; its pipeline is offered then"),
        Action("label_train_stop", "Labels", "&Stop the training", lambda: window.labels.training.end(),
               group=GROUP + 4, enabled=training, tip="It can go on from there"),
    ]  # fmt: skip
