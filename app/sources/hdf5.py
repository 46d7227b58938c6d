"""HDF5 files: a dataset (frames, height, width[, channels]), read frame by frame, or chunk by chunk where it has some.

The dataset is found by itself where there is only one, or named: file.h5:/path/to/dataset.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from app.files.optional import need
from app.sources.array import as_stack, picture_of
from app.sources.arrays import Held, choose, is_times, time_base
from app.sources.base import ClipSource, check_file, reason_of
from app.sources.integrity import Integrity
from app.sources.parts import beside, identity_of_part
from app.sources.values import deliver
from kernels.errors import BadFrame, InputError, SourceError
from pipelines.frame import Pixels, SourceInfo

_BLOCK = 256 << 20
"""Bytes of whole chunks that are kept."""
_FRAMES = frozenset({"t", "time", "frame", "frames"})
_MOST = 100_000
"""Things in a file that are looked at."""
_ERRORS = (OSError, RuntimeError, ValueError, KeyError, TypeError, AttributeError, MemoryError, UnicodeError)
"""What h5py raises where a file is damaged."""


class Hdf5Source(ClipSource):
    """A stack of pictures in an HDF5 file.

    Args:
        path: the file.
        part: the dataset, or a group that holds only one; "" for the only one of the file.

    Raises:
        SourceError: damaged, no such dataset, several, or h5py is not installed.
    """

    near = False

    def __init__(self, path: Path, part: str = "") -> None:
        check_file(path)
        try:
            h5py = need("h5py", "HDF5", "hdf5")
        except InputError as error:
            raise SourceError(f"{path} cannot be read: {error}") from None
        with suppress(ImportError):
            __import__("hdf5plugin")  # more kinds of compression, where it is installed
        with _sentences(path):
            self._file = h5py.File(path, "r")
        try:
            with _sentences(path):
                super().__init__(self._open(h5py, path, part))
        except BaseException:
            self._file.close()
            raise

    def _open(self, h5py: Any, path: Path, part: str) -> SourceInfo:
        found: list[Held] = []

        def visit(name: str, item: Any) -> bool | None:
            if isinstance(item, h5py.Dataset) and item.shape is not None:
                found.append(Held(f"/{name}", item.shape, item.dtype))
            # True ends the visit: a file of very many datasets is not gone through.
            return True if len(found) > _MOST else None

        self._file.visititems(visit)
        named = self._file.get(part) if part else None
        if isinstance(named, h5py.Dataset) and named.shape is not None:  # also behind a link, which is not visited
            chosen = Held(named.name, named.shape, named.dtype)
        else:
            chosen = choose(path, part, found)
        data = self._data = self._file[chosen.name]
        _check_filters(h5py, path, data)
        _check_axes(path, data)
        warnings: list[str] = []
        shape = as_stack(path, chosen.shape, warnings)
        image, pixels = picture_of(path, shape, chosen.dtype, warnings)
        self._many = chosen.shape[:2] == shape[:2]  # not a single picture without an axis of frames
        self._block, self._kept = self._block_of(image.nbytes, warnings), (-1, np.empty(0))
        groups = [data.parent]
        while groups[-1].name != "/":
            groups.append(groups[-1].parent)
        fields = [dict(data.attrs), *({**dict(group.attrs), **_values(h5py, group)} for group in groups)]
        times = [(item.name, item[()], _unit(item)) for group in groups for item in _datasets(h5py, group)
                 if is_times(item.name) and item.shape == (shape[0],)]  # fmt: skip
        return SourceInfo(
            beside(path, part).name, "hdf5", image.width, image.height, shape[0], image, pixels,
            time_base(shape[0], fields, times, warnings), declared_frames=shape[0], warnings=tuple(warnings),
            metadata={"dataset": chosen.name, "compression": str(data.compression or "none")},
            identity=identity_of_part(path, part),
        )  # fmt: skip

    def _block_of(self, frame_bytes: int, warnings: list[str]) -> int:
        """Frames that are read at a time: those of a chunk, which is decompressed as a whole."""
        chunk = int(self._data.chunks[0]) if self._data.chunks and self._many else 1
        if chunk * frame_bytes <= _BLOCK:
            return chunk
        warnings.append(f"it is stored in chunks of {chunk} frames, each of which is unpacked for every frame: reading "
                        "is slow; h5repack with chunks of one frame makes it fast")  # fmt: skip
        return 1

    def _frame(self, index: int) -> Pixels:
        image, first = self._info.image, index - index % self._block
        # The last chunk is kept: the next frame is mostly in it.
        if self._kept[0] != first:
            try:
                data = self._data[first : first + self._block] if self._many else self._data[()]
            except _ERRORS as error:
                raise BadFrame(index, f"it cannot be read ({reason_of(error)})") from None
            block = np.asarray(data).reshape(-1, *image.shape)
            block.flags.writeable = False
            self._kept = first, block
        return deliver(index, self._kept[1][index - first], image.dtype)

    @property
    def integrity(self) -> Integrity:
        if self._data.fletcher32 or self._data.compression == "gzip":
            return Integrity.SUMS
        return Integrity.PACKED if self._data.compression else Integrity.PLAIN

    def close(self) -> None:
        self._kept = -1, np.empty(0)
        self._file.close()


@contextmanager
def _sentences(path: Path) -> Iterator[None]:
    """What the library raises as a sentence."""
    try:
        yield
    except SourceError:
        raise
    except _ERRORS as error:
        raise SourceError(f"{path} is damaged or no HDF5 file: {reason_of(error)}") from None


def _check_filters(h5py: Any, path: Path, data: Any) -> None:
    """See that what a dataset was compressed by is there.

    Raises:
        SourceError: it is not.
    """
    plan = data.id.get_create_plist()
    for k in range(plan.get_nfilters()):
        code, _, _, name = plan.get_filter(k)
        if not h5py.h5z.filter_avail(code):
            called = name.decode("utf-8", "replace").strip() or f"method {code}"
            raise SourceError(f"{path} is compressed by {called}, which h5py does not know; pip install hdf5plugin")


def _check_axes(path: Path, data: Any) -> None:
    """See that frames are the first axis of a dataset whose axes are labelled.

    Raises:
        SourceError: another one is.
    """
    labels = [str(dim.label).strip() for dim in data.dims]
    places = [k for k, label in enumerate(labels) if label.lower() in _FRAMES]
    if places and places[0]:
        axes = ", ".join(label or "?" for label in labels)
        moved = f"np.moveaxis(h5py.File({str(path)!r})[{data.name!r}][:], {places[0]}, 0)"
        line = f'python -c "import numpy as np, h5py; np.save({path.stem + ".npy"!r}, {moved})" makes an .npy of it'
        raise SourceError(f"{path} labels the axes of {data.name} {axes}, and frames must come first: {line}")


def _datasets(h5py: Any, group: Any) -> list[Any]:
    """The datasets of a group itself."""
    return [item for name in list(group)[:_MOST] if isinstance(item := group.get(name), h5py.Dataset)]


def _values(h5py: Any, group: Any) -> dict[str, Any]:
    """Single values that are in a group as datasets."""
    return {item.name.rsplit("/", 1)[-1]: item[()] for item in _datasets(h5py, group) if item.size == 1}


def _unit(item: Any) -> str:
    unit = item.attrs.get("units", item.attrs.get("unit", ""))
    return unit.decode("utf-8", "replace") if isinstance(unit, bytes) else str(unit)
