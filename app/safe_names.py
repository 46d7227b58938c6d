"""Names that come out of data (files, sessions, summaries, cameras) as names of files: harmless on every system."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from pathlib import PurePosixPath

MOST = 200
"""Bytes of a name in UTF-8; file systems take 255, and endings, numbers and ".TOKEN.part" come behind it."""
_MARKS = 8
"""Letters of the digest that keeps names apart which were too long."""
_FORBIDDEN = frozenset('<>:"/\\|?*')
_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])\s*(\.|$)", re.IGNORECASE)
"""What Windows takes for devices, whatever ending follows."""


def safe_file_name(name: str, default: str = "clip", *, plain: bool = False) -> str:
    r"""A name as one part of a path: it leads to no other folder, is not hidden, and every system takes it.

    Whatever a file or another program gives a name goes through here before it becomes a part of a path. Ordinary
    names stay as they are.

    Args:
        name: any text.
        default: for names of which nothing is left.
        plain: leave letters, digits and "-_." alone, so that no shell wants quotes.

    >>> safe_file_name("shot 7 (left).v2"), safe_file_name("x/../../../ESCAPED"), safe_file_name("..")
    ('shot 7 (left).v2', 'x_.._.._.._ESCAPED', 'clip')
    >>> safe_file_name("C:\\a\tb. "), safe_file_name("NUL.txt"), safe_file_name("shot 7", plain=True)
    ('C__a_b', '_NUL.txt', 'shot_7')
    """
    made = "".join(one if _harmless(one, plain) else "_" for one in name)
    made = made.lstrip(". ").rstrip(". ") or default  # hidden; Windows drops dots and blanks at the end
    if _RESERVED.match(made):
        made = f"_{made}"
    data = made.encode()
    if len(data) > MOST:
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_MARKS]
        made = f"{data[: MOST - 1 - _MARKS].decode(errors='ignore')}~{digest}"
    return made


def _harmless(letter: str, plain: bool) -> bool:
    if plain:
        return letter.isalnum() or letter in "-_."
    kind = unicodedata.category(letter)[0]  # C: control, format, halves of surrogates; Z: separators
    return letter == " " or (letter not in _FORBIDDEN and kind not in "CZ")


def clip_stem(name: str, *, plain: bool = False) -> str:
    """The name of a clip, a scene or a camera (`SourceInfo.name`) without its ending, as `safe_file_name`.

    >>> clip_stem("shot.cine"), clip_stem("sim:vortex?frames=9"), clip_stem("cam:rtsp://host/left")
    ('shot', 'sim-vortex', 'left')
    """
    return safe_file_name(PurePosixPath(name.replace(":", "-").split("?")[0]).stem, plain=plain)
