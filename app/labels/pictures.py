"""The labelled frames as PNG files, named as DeepLabCut names them: programs that know no clips take them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np

from app.exports.drawing import encoded
from app.files.atomic import make_folder, write_bytes
from app.labels.deeplabcut import picture_names
from app.labels.frames import PlainFrames, check_index
from app.labels.labels import Labels
from app.sources.opening import open_source
from kernels.errors import BadFrame, InputError


def write_pictures(made: Labels, project: Path, done: Callable[[], object] = lambda: None) -> list[str]:
    """Write `labeled-data/CLIP/imgNNN.png` for each labelled frame, 8 bits, gray or colour; NNN is the frame's number.

    Args:
        made: the labels.
        project: the folder that they are seen from.
        done: called after each.

    Returns:
        Their names, seen from `project`, in the order of the frames.

    Raises:
        InputError: a frame cannot be read, or a file not be written; two clips of one name would share a folder.
    """
    names = picture_names(made)
    if len(set(names)) < len(names):
        raise InputError("two of the labelled clips have the same name, so their pictures would have it, too; write "
                         "the labels of each into a file of its own")  # fmt: skip
    for clip, turn in dict.fromkeys((frame.source, frame.turn) for frame in made.frames):
        with closing(open_source(clip, turn=turn)) as source:
            plain = PlainFrames(source, gray=False)
            for frame, name in sorted(zip(made.frames, names, strict=True), key=lambda one: one[0].index):
                if (frame.source, frame.turn) != (clip, turn):
                    continue
                check_index(frame.index, source.info.frames, clip)
                try:
                    pixels = plain.bytes(frame.index)
                except BadFrame as error:
                    raise InputError(f"frame {frame.index} of {clip} cannot be read: {error}") from None
                if pixels.ndim == 3:
                    pixels = np.ascontiguousarray(pixels[..., ::-1])  # as OpenCV has them
                make_folder((project / name).parent)
                write_bytes(project / name, encoded(pixels))
                done()
    return names
