"""What can be chosen of trails: how long they are, what their colours tell, whose they are."""

from __future__ import annotations

from collections.abc import Callable

from app.exports.path_picture import By
from app.gui.actions import Action
from app.gui.video.paths import Paths

LENGTHS = (30, 120, 600)
"""Frames of trails."""
COLOURS: dict[By, tuple[str, str]] = {
    "track": ("Colours: one a &track", "Each track has the colour that it has in the table and in the curves"),
    "speed": ("Colours: &speed", "From slow to fast; the scale stands in the lower left corner"),
    "time": ("Colours: tim&e", "From early to late"),
}
MENU = "Trails: length and co&lours"


def path_actions(paths: Paths) -> list[Action]:
    """Lines of a menu in the menu View."""
    look = paths.look

    def last(frames: int) -> Callable[[bool], None]:
        def change(_on: bool) -> None:
            look.trails, look.whole, look.trail = True, False, frames
            paths.changed()

        return change

    def whole(on: bool) -> None:
        look.whole = on
        look.trails = look.trails or on
        paths.changed()

    def colour(by: By) -> Callable[[bool], None]:
        def change(_on: bool) -> None:
            look.by = by
            look.trails = True
            paths.changed()

        return change

    def only(on: bool) -> None:
        look.only = on
        paths.changed()

    def length(frames: int) -> Callable[[], bool]:
        return lambda: look.trails and not look.whole and look.trail == frames

    def chosen(by: By) -> Callable[[], bool]:
        return lambda: look.by == by

    return [
        *(Action(f"trail_{frames}", "View", f"The last &{frames} frames", last(frames), checkable=True, sub=MENU,
                 group=1, tip="How far back trails go", checked=length(frames)) for frames in LENGTHS),
        Action("trail_whole", "View", "The &whole clip", whole, "Shift+T", checkable=True, sub=MENU, group=1,
               tip="Where everything went, as far as frames were processed; Export writes it as a picture",
               checked=lambda: look.trails and look.whole),
        *(Action(f"trail_by_{by}", "View", words, colour(by), checkable=True, sub=MENU, group=1, tip=tip,
                 checked=chosen(by)) for by, (words, tip) in COLOURS.items()),
        Action("trail_only", "View", "Only of se&lected tracks", only, checkable=True, sub=MENU, group=1,
               tip="Where none is selected, of all", checked=lambda: look.only),
    ]  # fmt: skip
