"""What is said of options of the commands, in the words of the window."""

from __future__ import annotations

import re
from collections.abc import Mapping

READING = {
    "; say it with --fps": "; File > How the clip is read takes it",
    "; give it with --fps": "; File > How the clip is read takes it",
    "; give the capture rate with --fps": "; File > How the clip is read takes the capture rate",
    "; give --fps": "; File > How the clip is read takes the capture rate",
}
"""Where the window is told the capture rate."""
ANALYSIS = {
    **READING,
    "--reference takes": "the list of what drives takes", "--reference ": "track ", "--column": "“Force…”",
    " (--min-frames)": "; “seen in … frames at least” is among the options",
    " (--lags)": "; “lags up to” is among the options", "use --noise seen": "choose “floor: what the steps show”",
    "--noise seen": "“floor: what the steps show”", "leave out --drift": "untick “take drift away”",
    "--drift": "“take drift away”", "--window": "“window” in the options", "--frames": "“only from mark to mark”",
    "`fusetrack run CLIP -p template --grid 12`": "the tool “Fill with a grid of points” (Shift+B)",
}  # fmt: skip
"""Of the panel Analysis."""
EXPORT = {
    **READING,
    " with -o, or replace it with --force": ", or “replace the file”",
    ", such as --scale \"0.12 mm/px\"": " with the tool “Scale by a known length” (K)",
    "with --scale": "with the tool “Scale by a known length” (K)", "--min-frames": "“only the selected tracks”",
    "--frames": "“only frames”",
}  # fmt: skip
"""Of the window of exports."""
CAMERAS = {
    " (--offset)": " (see “frames ahead”)", "--offset": "“frames ahead”", "--frames": "“Frames”",
    "--within": "“within”", "--match": "pairs that you write yourself", "--least": "“in at least”",
    "--square": "“Side of a square”", "--wand": "“Length”", "--ends": "“Tracks of the ends”",
    "--fps": "“Frames a second”", "--origin": "“Origin”",
    "--size": "“Size of pictures”", "`fusetrack calibrate`": "Calibration",
}  # fmt: skip
"""Of the window of several cameras."""
_FORMAT = re.compile(r"--to (\w+)")
_QUOTED = re.compile(r"(`[^`]*`)")
_LEFT = re.compile(r"(?<![\w-])(--[a-z][a-z-]*)")


def in_window(sentence: str, fields: Mapping[str, str], command: str) -> str:
    """A sentence of a command as the window says it.

    Args:
        sentence: as the command prints it.
        fields: options, and what they are in the window; longer ones first.
        command: has the options that the window has not, which are told as options of it.

    >>> in_window("the markers are in px; say how long a pixel is with --scale", EXPORT, "export")
    'the markers are in px; say how long a pixel is with the tool “Scale by a known length” (K)'
    >>> in_window("--within PX allows more", CAMERAS, "reconstruct")
    '“within” allows more'
    >>> in_window("16 bits; write --to tiff, or raise --bits", EXPORT, "export")
    '16 bits; write the format tiff, or raise `fusetrack export --bits`'
    """
    for option, named in fields.items():
        sentence = sentence.replace(f"{option} PX", named).replace(option, named)
    sentence = _FORMAT.sub(r"the format \1", sentence)
    parts = _QUOTED.split(sentence)  # what is quoted is a command line already
    return "".join(part if at % 2 else _LEFT.sub(rf"`fusetrack {command} \1`", part) for at, part in enumerate(parts))
