"""NumPy's .npz: arrays in one zip file, of which one is the clip; mapped where it is stored as it is.

What is compressed is unpacked into memory as a whole when the file is opened.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from app.sessions.shared import free_memory
from app.sources.array import as_stack, layout_of, picture_of, read_array_header
from app.sources.arrays import Held, choose, is_times, time_base
from app.sources.base import reason_of
from app.sources.integrity import Integrity
from app.sources.parts import beside, identity_of_part
from app.sources.raw_stack import Layout, RawStack
from app.sources.values import deliver
from kernels.errors import SourceError
from pipelines.frame import Pixels, SourceInfo

_ENDING = ".npy"
_LOCAL = struct.Struct("<4s22x2H")
"""The header of a member: mark, lengths of name and extra field."""
_HEAD = 1 << 16
"""Bytes of a member that hold its header."""
_SMALL = 16 << 20
"""Bytes of an array that is looked at for times."""
_CHECKED = 1 << 30
"""Bytes of an array that is mapped whose check sum is looked at, which takes some tenths of a second."""
_ERRORS = (OSError, ValueError, KeyError, EOFError, NotImplementedError, RuntimeError, MemoryError, zipfile.BadZipFile,
           zlib.error, struct.error)  # fmt: skip
"""What the library raises where a file is damaged."""


class NpzSource(RawStack):
    """A stack of pictures in a .npz file.

    Args:
        path: the file.
        part: the name of the array; "" for the only stack of the file.

    Raises:
        SourceError: damaged, no such array, several, or it does not fit into memory.
    """

    _unpacked: Pixels | None = None

    def __init__(self, path: Path, part: str = "") -> None:
        self._part = part
        super().__init__(path)

    def _describe(self, path: Path) -> tuple[SourceInfo, Layout]:
        with _sentences(path), zipfile.ZipFile(path) as packed:
            members = {one.filename.removesuffix(_ENDING): one for one in packed.infolist()
                       if one.filename.endswith(_ENDING)}  # fmt: skip
            heads = {name: self._head_of(path, packed, member) for name, member in members.items()}
            found = [Held(name, shape, dtype) for name, (shape, _, dtype, _) in heads.items()]
            chosen = choose(path, self._part, found)
            shape, fortran, dtype, start = heads[chosen.name]
            warnings: list[str] = []
            stack = as_stack(path, shape, warnings)
            image, pixels = picture_of(path, stack, dtype, warnings)
            member = members[chosen.name]
            layout = layout_of(image, stack, dtype, fortran, start)
            if member.compress_type == zipfile.ZIP_STORED:
                layout = layout_of(image, stack, dtype, fortran, start + self._start_of(path, member))
                layout.frames_in(path, self._file.size, stack[0], warnings)
                if member.file_size <= _CHECKED and not _is_whole(packed, member):
                    warnings.append("its check sum is wrong: frames of it are damaged, and it does not say which")
            else:
                self._unpacked = _unpack(path, packed, member, layout, image.shape, stack[0])
            others = {name: _value(packed, members[name], heads[name][0], heads[name][2]) for name in members
                      if name != chosen.name}  # fmt: skip
        times = [(name, value, "") for name, value in others.items() if is_times(name)]
        return SourceInfo(
            beside(path, self._part).name, "npz", image.width, image.height, stack[0], image, pixels,
            time_base(stack[0], [others], times, warnings), declared_frames=stack[0], warnings=tuple(warnings),
            metadata={"array": chosen.name}, identity=identity_of_part(path, self._part),
        ), layout  # fmt: skip

    def _head_of(
        self, path: Path, packed: zipfile.ZipFile, member: zipfile.ZipInfo
    ) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
        """Shape, Fortran order and type of a member, and where in it the data begin."""
        if member.compress_type == zipfile.ZIP_STORED:  # without its check sum, which is that of the data, too
            head = self._file.bytes(self._start_of(path, member), min(member.file_size, _HEAD))
            return read_array_header(path, io.BytesIO(head))
        with packed.open(member) as file:
            return read_array_header(path, file)

    def _start_of(self, path: Path, member: zipfile.ZipInfo) -> int:
        """The byte of the file at which a member's data begin."""
        # The local header repeats name and extra field, whose lengths may differ from those in the list of contents.
        mark, name, extra = _LOCAL.unpack(self._file.bytes(member.header_offset, _LOCAL.size))
        if mark != b"PK\3\4":
            raise SourceError(f"{path} is damaged: {member.filename} is not where its list of contents says")
        return int(member.header_offset + _LOCAL.size + name + extra)

    def _frame(self, index: int) -> Pixels:
        if self._unpacked is None:
            return super()._frame(index)
        return deliver(index, self._unpacked[index], self._info.image.dtype)

    @property
    def integrity(self) -> Integrity:
        return Integrity.TOGETHER

    def close(self) -> None:
        self._unpacked = None
        super().close()


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """What the library raises as a sentence."""
    try:
        yield
    except SourceError:
        raise
    except _ERRORS as error:
        raise SourceError(f"{path} is cut short or damaged, or no .npz file: {reason_of(error)}") from None


def _value(packed: zipfile.ZipFile, member: zipfile.ZipInfo, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """A small array of one value or one axis; None for others."""
    if len(shape) > 1 or member.file_size > _SMALL or dtype.hasobject:
        return None
    with packed.open(member) as file:
        return np.lib.format.read_array(file, allow_pickle=False)


def _is_whole(packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
    """Whether a member's check sum is right."""
    try:
        with packed.open(member) as file:
            while file.read(1 << 20):
                pass
    except zipfile.BadZipFile:
        return False
    return True


def _unpack(
    path: Path, packed: zipfile.ZipFile, member: zipfile.ZipInfo, layout: Layout, shape: tuple[int, ...], frames: int
) -> Pixels:
    """All frames of a compressed array, whose check sum is verified."""
    room = free_memory()
    if 2 * member.file_size > room:
        raise SourceError(
            f"{path} is compressed and takes {member.file_size / 2**30:.1f} GiB in memory, of which "
            f"{room / 2**30:.1f} GiB are free; save it by numpy.save, which is read as it lies"
        )
    data = packed.read(member)
    if layout.start + (frames - 1) * layout.step + layout.span > len(data):
        raise SourceError(f"{path} is damaged: {member.filename} is shorter than it says")
    return np.ndarray((frames, *shape), layout.dtype, data, layout.start, (layout.step, *layout.strides))
