"""Messages as Open Sound Control 1.0 (Wright 2002, opensoundcontrol.stanford.edu/spec-1_0): a bundle a packet.

All is big-endian and in pieces of four bytes. A message is its address pattern, its type tags (both texts that end in
one to four zero bytes) and its arguments; a bundle is the text "#bundle", a time (here 1, "at once") and its messages,
each behind its length. Types: i is a whole number of 32 bits, f and d are numbers of 32 and 64.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.sending.message import Message

BATCH, FRAME, TRACK = "/fusetrack/batch", "/fusetrack/frame", "/fusetrack/track"
_HEAD = b"#bundle\0" + struct.pack(">Q", 1)
_FRAME = (("frame", "i"), ("time", "d"), ("camera_time", "d"), ("latency", "d"))
_TRACK = (("frame", "i"), ("track", "i"), ("x", "f"), ("y", "f"), ("vx", "f"), ("vy", "f"), ("sigma", "f"),
          ("state", "i"))  # fmt: skip
_NUMPY = {"i": ">i4", "f": ">f4", "d": ">f8"}


def text(words: str) -> bytes:
    """Padded to whole pieces of four bytes, at least one of them zero.

    >>> text("/a"), text(",iif")
    (b'/a\\x00\\x00', b',iif\\x00\\x00\\x00\\x00')
    """
    raw = words.encode("ascii")
    return raw + bytes(4 - len(raw) % 4)


def encode(message: Message) -> bytes:
    """One bundle: /fusetrack/batch, a /fusetrack/frame a frame, a /fusetrack/track a row."""
    counts = text(BATCH) + text(",iii") + struct.pack(">3i", message.batch & 0x7FFFFFFF, message.part, message.parts)
    first = struct.pack(">i", len(counts)) + counts
    return _HEAD + first + _many(FRAME, _FRAME, message.frames) + _many(TRACK, _TRACK, message.rows)


def _many(address: str, fields: Sequence[tuple[str, str]], rows: npt.NDArray[np.void]) -> bytes:
    """A message a row, each behind its length, all at once: they are alike but for the numbers."""
    head = text(address) + text("," + "".join(kind for _, kind in fields))
    plain = np.dtype([("head", f"V{4 + len(head)}"), *((name, _NUMPY[kind]) for name, kind in fields)])
    made = np.zeros(len(rows), plain)
    made["head"] = np.void(struct.pack(">i", plain.itemsize - 4) + head)
    for name, kind in fields:
        made[name] = rows[name].astype(np.int64) & 0x7FFFFFFF if kind == "i" else rows[name]
    return made.tobytes()
