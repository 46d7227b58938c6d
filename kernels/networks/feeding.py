"""What goes into the inputs of a model: images by their names, and constants by value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import ExprError
from kernels.networks.onnx_reader import TYPES, Declared, Model

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Feeding:
    """What the inputs of a model get.

    Args:
        images: which image goes into an input, by the input's name.
        constants: values of the others.
    """

    images: Mapping[str, str]
    constants: Mapping[str, Array]


def feeding(model: Model, text: str, images: Sequence[str]) -> Feeding:
    """What the inputs get.

    Args:
        text: "name = image; other = second; threshold = 0.5; size = 256 256", a semicolon between them. A model with
            one input gets the first image without a word.
        images: that are connected.

    Raises:
        ExprError: an input gets nothing, or what it cannot take; one sentence.
    """
    declared = {one.name: one for one in model.inputs}
    names = ", ".join(repr(name) for name in declared) or "none"
    if not text.strip():
        if len(declared) != 1:
            raise ExprError(f"it takes {len(declared)} inputs ({names}); say by `feed` what goes into each, such as "
                            "feed = \"name = image; other = 0.5\"")  # fmt: skip
        return Feeding(dict.fromkeys(declared, images[0]), {})
    found: dict[str, str] = {}
    constants: dict[str, Array] = {}
    for entry in filter(None, (part.strip() for part in text.split(";"))):
        name, sign, value = (part.strip() for part in entry.partition("="))
        if not sign or name not in declared or name in found or name in constants:
            raise ExprError(f"feed: {entry!r} is no input of the model with what goes into it; it takes {names}")
        if value.isidentifier():
            if value not in images:
                raise ExprError(f"feed: {name!r} takes {value!r}, which is no connected image ({', '.join(images)})")
            found[name] = value
        else:
            constants[name] = _values(declared[name], value)
    missing = [name for name in declared if name not in found and name not in constants]
    if missing:
        raise ExprError(f"feed: nothing goes into {', '.join(map(repr, missing))}")
    if not found:
        raise ExprError("feed: no image goes into the model")
    return Feeding(found, constants)


def _values(declared: Declared, text: str) -> Array:
    try:
        numbers = [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise ExprError(f"feed: {declared.name!r} takes numbers or the name of an image, not {text[:60]!r}") from None
    if declared.dtype not in TYPES.values():
        raise ExprError(f"input {declared.name!r} takes {declared.dtype or 'no known type'}, which has no numbers")
    shape = [n if isinstance(n, int) and n > 0 else 0 for n in declared.shape or ()]
    if shape.count(0) == 1:  # an open length is what is left
        rest = math.prod(n for n in shape if n)
        shape[shape.index(0)] = len(numbers) // rest if rest and len(numbers) % rest == 0 else 0
    shape = [n or 1 for n in shape]
    if len(numbers) not in (1, math.prod(shape)) or math.prod(shape) > 1 << 20:
        raise ExprError(f"feed: {declared.name!r} takes {math.prod(shape)} numbers, not {len(numbers)}")
    with np.errstate(all="ignore"):
        values = np.array(numbers).astype(declared.dtype)
    return values.reshape(shape) if len(numbers) > 1 else np.full(shape, values[0])
