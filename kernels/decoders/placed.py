"""What is looked for in crops: nothing where a placement says that there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.ir.body import Datum, Decoder, Lazy, ValueType
from kernels.ir.image import F32, ImageType
from kernels.ir.placement import placements
from kernels.ir.table import Table, TableType
from kernels.param import Value

Array = npt.NDArray[Any]


def there(placed: Array) -> npt.NDArray[np.bool_]:
    """Which rows of `placements` lie somewhere: none of the six numbers of the map is NaN."""
    made: npt.NDArray[np.bool_] = np.logical_not(np.isnan(placed[:, :6]).any(axis=1))
    return made


def lazy_by(inputs: Sequence[int], placement: int) -> Lazy:
    """That inputs are looked at only where the placement, another input, lies somewhere."""

    def wanted(by: Sequence[Any], params: Mapping[str, Value]) -> npt.NDArray[np.bool_]:
        del params
        return there(placements(by[0], len(by[0])))

    return Lazy(tuple(inputs), (placement,), wanted)


def of_floats(decoder: Decoder, images: Sequence[ValueType | None]) -> Decoder | None:
    """A decoder, where all of its images are f32; others are the host's."""
    return decoder if all(image.dtype == F32 for image in images if isinstance(image, ImageType)) else None


def tables_of_placed(
    images: Sequence[Array | None], placed: Array, types: Mapping[str, TableType],
    locate: Callable[[Sequence[Array | None], Array], Sequence[Sequence[Table]]],
) -> Mapping[str, Sequence[Datum]]:  # fmt: skip
    """The tables that `locate` makes of batches of images and their placements, in the order of `types`; empty ones
    in frames that are not placed, which it does not see."""
    seen = there(placed)
    if seen.all():
        return dict(zip(types, locate(images, placed), strict=True))
    made: dict[str, list[Datum]] = {name: [Table(np.zeros(0, t.numpy))] * len(seen) for name, t in types.items()}
    at = np.flatnonzero(seen)
    if len(at):
        found = locate([None if image is None else image[at] for image in images], placed[at])
        for name, tables in zip(types, found, strict=True):
            for k, table in zip(at.tolist(), tables, strict=True):
                made[name][k] = table
    return made
