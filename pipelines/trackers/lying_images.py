"""Images that lie on a device until somebody wants them here.

A tracker that can look at them there (`Tracker.looks_there`) gets these in place of arrays. Whoever takes one for an
array has the whole batch brought down, once, unless it is here as well, as the frames of a clip are that went up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError, FusetrackError

Array = npt.NDArray[Any]


class DeviceFailed(DefinitionError):
    """A GPU failed under a tracker, which may be in the middle of a batch."""


@contextmanager
def said_of_gpu(what: str) -> Iterator[None]:
    """Say in a sentence what a driver's error ended.

    Raises:
        DeviceFailed: that.
    """
    try:
        yield
    except FusetrackError:
        raise
    except Exception as error:  # a driver says no in many ways
        raise DeviceFailed(f"{what} failed on the GPU with {type(error).__name__}: {' '.join(str(error).split())}; "
                           "start again, or use --device cpu") from error  # fmt: skip


@dataclass
class Here:
    """What there is of a batch on the host; shared by all of its parts.

    images: None until they are wanted. came: whether they were brought down.
    """

    images: Array | None = None
    came: bool = False


class LyingImages:
    """Some frames of a batch.

    Args:
        batch: where they lie (`kernels.executors.cuda_start.DeviceBatch`); it holds until its program's next batches
            need the memory.
        first: frame of it.
        count: how many; None for all.
        here: what there is of it on the host.
    """

    def __init__(self, batch: Any, first: int = 0, count: int | None = None, here: Here | None = None) -> None:
        self.batch, self.first = batch, first
        self._count = len(batch) if count is None else count
        self._here = Here() if here is None else here

    def __len__(self) -> int:
        return self._count

    @property
    def came(self) -> bool:
        """Whether the batch was brought down."""
        return self._here.came

    @property
    def here(self) -> Array | None:
        """All frames of the batch, where they are on the host."""
        return self._here.images

    @property
    def free(self) -> bool:
        """Whether to look at the images here costs no way down."""
        return self._here.images is not None

    @overload
    def __getitem__(self, place: int) -> LyingImage: ...
    @overload
    def __getitem__(self, place: slice) -> LyingImages: ...
    def __getitem__(self, place: int | slice) -> LyingImage | LyingImages:
        if isinstance(place, slice):
            start, stop, _ = place.indices(self._count)
            return LyingImages(self.batch, self.first + start, max(0, stop - start), self._here)
        if not 0 <= place < self._count:
            raise IndexError(place)
        return LyingImage(self, place)

    def frame(self, place: int) -> Array:
        """A frame of these, here."""
        if self._here.images is None:
            with said_of_gpu("a picture that trackers look at"):
                self._here.images, self._here.came = self.batch.fetched(), True
        made: Array = self._here.images[self.first + place]
        return made


class LyingImage:
    """One of them, which NumPy takes for an array."""

    def __init__(self, images: LyingImages, place: int) -> None:
        self.images, self.place = images, place

    @property
    def shape(self) -> tuple[int, ...]:
        """As of an array."""
        made: tuple[int, ...] = self.images.batch.type.shape
        return made

    @property
    def dtype(self) -> np.dtype[Any]:
        """As of an array."""
        made: np.dtype[Any] = self.images.batch.type.dtype.numpy
        return made

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        made = self.images.frame(self.place)
        if dtype is not None:
            made = made.astype(dtype, copy=False)
        return made.copy() if copy else made


def lying_together(frames: Sequence[Any]) -> LyingImages | None:
    """Frames that follow one another in one batch, as that part of it; None where they are anything else."""
    if not frames or not all(isinstance(one, LyingImage) for one in frames):
        return None
    images: LyingImages = frames[0].images
    first, begin = images.first + frames[0].place, int(frames[0].place)
    for k, one in enumerate(frames):
        if one.images.batch is not images.batch or one.images.first + one.place != first + k:
            return None
    return images[begin : begin + len(frames)]
