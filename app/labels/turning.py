"""Labels of clips that ask to be shown turned, such as those of telephones.

Here frames come as they are stored, unless a user has them turned. Other programs show such clips as they ask, so that
the labels in their files count in the turned pictures.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from app.labels.labels import LabelledFrame, Labels
from app.sources.base import SHOWN_TURNED
from app.sources.opening import open_source
from kernels.errors import FusetrackError


def asked_turn(source: str) -> int:
    """By how many degrees clockwise a clip asks to be turned; 0 for one that cannot be opened, as whoever needs its
    frames says."""
    try:
        with closing(open_source(source)) as clip:
            return int(clip.info.metadata.get(SHOWN_TURNED, 0))
    except FusetrackError:
        return 0


def of_others(made: Labels) -> Labels:
    """Labels that another program has counted in pictures as it shows them."""
    asked = {source: asked_turn(source) for source in {frame.source for frame in made.frames}}
    return replace(made, frames=tuple(replace(frame, turn=asked[frame.source]) for frame in made.frames))


def for_others(made: Labels) -> Labels:
    """Labels as another program takes them that opens the clips itself.

    Raises:
        InputError: a clip cannot be read whose labels are turned.
    """
    asked = {source: asked_turn(source) for source in {frame.source for frame in made.frames}}

    def shown(frame: LabelledFrame) -> LabelledFrame:
        if asked[frame.source] == frame.turn:
            return frame
        with closing(open_source(frame.source)) as clip:
            return frame.turned(asked[frame.source], (clip.info.width, clip.info.height))

    return replace(made, frames=tuple(map(shown, made.frames)))
