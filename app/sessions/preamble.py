"""The beginning of a session, written and read: the layout of the frames, the attachments, what the summary repeats."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app.sessions import records, schemas
from app.sessions.contents import Opening
from app.sessions.disk import read_at
from app.sessions.layout import Picture, aligned
from app.sessions.records import HEAD, MAGIC, Damaged, Fields, Op
from app.version import __version__
from kernels.errors import SourceError

PROFILE = "fusetrack"
MOST_PREAMBLE = 256 << 20
"""Longest beginning that is believed, in bytes."""


@dataclass(frozen=True, slots=True)
class Preamble:
    """What is written before the first frame.

    Args:
        picture: the type of every frame.
        facts: metadata for stock tools: name -> texts ("camera", "session").
        files: attachments: (name, media type, bytes); the manifest is the first.
        created: ns since 1970.
    """

    picture: Picture
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    files: tuple[tuple[str, str, bytes], ...] = ()
    created: int = 0

    def pack(self) -> bytes:
        """The bytes, a multiple of ALIGN."""
        made = records.MAGIC + records.header(PROFILE, f"fusetrack {__version__}")
        made += b"".join((*schemas.schemas(), *schemas.channels(self.picture.facts())))
        made += b"".join(records.metadata(name, values) for name, values in self.facts.items())
        made += b"".join(records.attachment(name, media, data, self.created) for name, media, data in self.files)
        room = aligned(len(made) + records.HEAD.size) - len(made)
        return made + records.padding(room)


def read_preamble(descriptor: int, path: Path) -> Opening:
    """The beginning of a session.

    Raises:
        SourceError: it is no session of fusetrack, or its beginning is not whole.
    """
    head = read_at(descriptor, len(MAGIC), 0)
    if head != MAGIC:
        raise SourceError(f"{path} is no MCAP file: its first bytes are {head!r}")
    size = os.fstat(descriptor).st_size
    made = Opening(Picture(1, 1, "u8", 1, 1, 1, 8), {}, [], [], [], 0, [])
    pictures: list[str] = []
    at = len(MAGIC)
    try:
        op = 0
        # The preamble ends with the record that fills it up to a multiple of ALIGN.
        while op != Op.PADDING:
            begin = read_at(descriptor, HEAD.size, at)
            if len(begin) < HEAD.size:
                raise Damaged("it ends before the first frame")
            op, length = HEAD.unpack(begin)
            end = at + HEAD.size + length
            if end > min(size, MOST_PREAMBLE):
                raise Damaged("it ends before the first frame")
            _take(op, at, begin + read_at(descriptor, length, at + HEAD.size), made, pictures)
            at = end
            if op in (Op.CHUNK, Op.DATA_END, Op.FOOTER):
                raise Damaged("it was not written by fusetrack")
        made.end = at
        if not pictures:
            raise Damaged("it was not written by fusetrack")
        made.picture = Picture.from_facts(json.loads(pictures[0]))
    except (Damaged, ValueError) as error:
        raise SourceError(f"{path} is no session that can be read: {error}") from None
    return made


def _take(op: int, at: int, whole: bytes, made: Opening, pictures: list[str]) -> None:
    """Book one record of the preamble."""
    content = whole[HEAD.size :]
    match op:
        case Op.SCHEMA:
            made.schemas.append(whole)
        case Op.CHANNEL:
            made.channels.append(whole)
            fields = Fields(content)
            number, _ = fields.numbers("HH")
            fields.text(), fields.text()
            if number == schemas.IMAGES:
                pictures += [text for key, text in fields.mapping().items() if key == "picture"]
        case Op.METADATA | Op.ATTACHMENT:
            try:  # what is damaged stays where it is, and out of the summary
                if op == Op.ATTACHMENT:
                    file = records.read_attachment(content)
                    made.files[file.name] = file
                else:
                    Fields(content).text()
                made.placed.append((op, at, len(whole), content))
            except Damaged as error:
                made.problems.append(f"a part of the beginning is damaged: {error}")
