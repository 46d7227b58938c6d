"""A convolution network from an ONNX file; its layers become nodes of the pipeline."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from kernels.errors import DefinitionError, ExprError
from kernels.ir.body import Host
from kernels.ir.expr import Expr, convert
from kernels.ir.image import F32, ImageType
from kernels.ir.placement import check_placement, composed, planes_of
from kernels.ir.volumes import stack
from kernels.networks import onnx_host, onnx_reader
from kernels.networks.calls import Known
from kernels.networks.feeding import feeding
from kernels.networks.fitting import RESIZES, fitted
from kernels.networks.importing import Imported, bound_input, imported, input_roles, wanted_size
from kernels.networks.onnx_reader import Declared, Model
from kernels.networks.rewriting import rewritten
from kernels.networks.tensors import Tensor
from kernels.param import Param
from kernels.stage import Built, Image, Layers, Rest, stage
from kernels.stages.gray import luma

SCALES = ("unit", "signed", "mean_std", "none")
MULTIPLES = (2, 4, 8, 16, 32, 64, 128)
"""Pixels of the picture for one of a network's coarsest map: lengths of which are tried where others do not go."""


@stage(
    category="Networks",
    inputs=("image", "placement", "second", "third"),
    optional=("placement", "second", "third"),
    params=(
        Param("model", "text", "", "the ONNX file; shipped:NAME comes with the program", structural=True,
              content=onnx_reader.digest),
        Param("output", "text", "", "names of the outputs to keep, separated by commas; all if empty", structural=True),
        Param("names", "text", "", "what the outputs that are kept are called here, in the model's order, separated by "
              "commas; empty: as the model calls them", structural=True),
        Param("normalize", "choice", "unit", "what a network of floats gets: 0..1 of full scale, -1..1, (fraction - "
              "mean) / std, or the samples as they are", choices=SCALES, structural=True),
        Param("mean", "vector", (0.485, 0.456, 0.406), "of mean_std, a value a channel or one", structural=True),
        Param("std", "vector", (0.229, 0.224, 0.225), "of mean_std, a value a channel or one", low=1e-6,
              structural=True),
        Param("resize", "choice", "stretch", "how a picture of another size is brought to the one that the network "
              "takes: stretched, whole with something beside it, its middle, or refused", choices=RESIZES,
              structural=True),
        Param("multiple", "int", 1, "lengths that the file leaves open are the next multiples of this that hold the "
              "picture, which `resize` brings there", unit="px", low=1, high=4096, structural=True),
        Param("padding", "float", 0.0, "of a letterbox: the sample beside the picture, of full scale", unit="1",
              structural=True),
        Param("feed", "text", "", "what goes into the inputs of a model that has several: \"name = image; "
              "other = second; threshold = 0.5\"", structural=True),
        Param("fold", "bool", True, "batch normalisations and constants go into weights", structural=True),
        Param("siblings", "bool", True, "convolutions of one value that look alike become one", structural=True),
        Param("skips", "bool", True, "max pools that are added behind a convolution are computed there",
              structural=True),
        Param("host", "bool", True, "what is not understood runs in onnxruntime, where the extra onnx-host is "
              "installed", structural=True),
    ),
    expands=True,
)  # fmt: skip
def network(
    image: Image, placement: Image | None, second: Image | None, third: Image | None, model: str, output: str,
    names: str, normalize: str, mean: tuple[float, ...], std: tuple[float, ...], resize: str, multiple: int,
    padding: float, feed: str, fold: bool, siblings: bool, skips: bool, host: bool,
) -> Layers:  # fmt: skip
    """A convolution network: key points, heat maps, faces. Its layers are planned and fused like other stages.

    The model is an ONNX file with one input, an image (1, channels, height, width) or (1, height, width, channels) of
    f32 or u8; lengths that the file leaves open are those of the picture, or the next that are a `multiple` of what its
    coarsest map asks for (16 or 32 of a UNet: 1920x1088 for 1920x1080). A network of u8 gets the samples as they are. A
    gray picture goes into all channels that the network takes; of one in colours a network of one channel gets what the
    stage `gray` makes of it. Where the model has several inputs, `feed` says what goes into each: one of the images
    `image`, `second` and `third`, or numbers. An output of the axes (1, channels, height, width) becomes an image of so
    many channels, a list of vectors (1, n, k) an image of n rows with k channels, a vector (1, k) one pixel. Every
    layer is a node of its own, "id/layer", which can be kept as a tap or pinned.

    Where what the network gets lies in the frame, its output `placement` tells those that make points and boxes of its
    results (`kernels.ir.placement`). A picture that is itself a crop (of `warp`) comes with its own as an input; what a
    stage `resize` or `crop` did before is not in it. Pixels of another size are found between neighbours, with
    half-pixel centres, without smoothing.

    The sums of a layer have one order, with one rounding a multiply-add (`kernels.ir.volumes.Contract`), so results do
    not depend on the back end. Without a model: the picture as a network would get it.

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> evaluate(network, np.array([[0, 51, 255]], np.uint8), normalize="signed")
    array([[-1. , -0.6,  1. ]], dtype=float32)
    """
    planes: Sequence[Expr] = [plane.expr for plane in image.planes]
    check_placement(placement and placement.type)
    outer = None if placement is None else [plane.expr for plane in placement.planes]
    if not model:
        _, where = fitted(planes, (image.type.height, image.type.width), "none", padding)
        aside = {"placement": planes_of(composed(outer, where))}
        return Layers({"out": _scaled(planes, image.type, normalize, mean, std)}, (), aside)
    found = onnx_reader.read(model)
    images = {"image": image, "second": second, "third": third}
    wanted = [n.strip() for n in output.split(",") if n.strip()]

    def taken(multiple: int) -> tuple[dict[str, Known], list[tuple[str, Expr]], tuple[float, ...]]:
        """What the model's inputs get, the marks of these, and where what it gets of `image` lies."""
        # Made anew for each attempt: `multiple` changes the size that the model is given.
        inputs: dict[str, Known] = dict(given.constants)
        marks: list[tuple[str, Expr]] = []
        where = fitted(planes, (image.type.height, image.type.width), "none", padding)[1]
        for declared in found.inputs:
            source = images.get(given.images.get(declared.name, ""))
            if source is None:
                continue
            source = _colours(declared, source)
            own: Sequence[Expr] = [plane.expr for plane in source.planes]
            own, there = fitted(own, _size(declared, source.type, multiple), resize, padding * source.type.white)
            inputs[declared.name] = tensor = _given(declared, source, own, normalize, mean, std)
            where = there if given.images[declared.name] == "image" else where
            marks.append((f"input_{len(marks)}" if marks else "input", tensor.volume))
        return inputs, marks, where

    def goes(multiple: int) -> bool:
        try:
            imported(found, taken(multiple)[0], wanted, fold)
        except DefinitionError:
            return False
        return True

    try:
        given = feeding(found, feed, [name for name, one in images.items() if one is not None])
        inputs, marks, where = taken(multiple)
        try:
            read = imported(found, inputs, wanted, fold, host)
            made = rewritten(read, siblings, skips, image.type.height * image.type.width)
            outputs, rest = _named(found, read, made.outputs, names)
        except DefinitionError as error:
            # A sentence that helps: the first multiple with which the model can be read.
            fits = None if resize == "none" else next((more for more in MULTIPLES if goes(more)), None)
            if fits is None:
                raise
            raise ExprError(f"it leaves height and width open, but takes no {image.type.width}x{image.type.height} "
                            f"pixels; set multiple = {fits}, and the picture is brought to the next size that it takes"
                            ) from error  # fmt: skip
    except ExprError as error:
        raise DefinitionError(f"{found.file}: {error}") from None
    marks += [(mark.name, mark.value) for mark in made.marks]
    return Layers(outputs, tuple(marks), {"placement": planes_of(composed(outer, where))}, made.rewritings,
                  None if rest is None else Rest("host", rest, made.given, read.tail.reason if read.tail else ""))


def _colours(declared: Declared, image: Image) -> Image:
    """A picture with as many channels as the model takes, if it takes one."""
    if _channels(declared, image.type.channels) != 1 or image.type.channels not in (3, 4):
        return image
    made = luma(image)
    return Image(replace(image.type, channels=1), (image[0].of(made),), made)


def _given(
    declared: Declared, image: Image, planes: Sequence[Expr], normalize: str, mean: Sequence[float],
    std: Sequence[float],
) -> Tensor:  # fmt: skip
    """A picture of the size that the model takes, as it takes it."""
    type_ = image.type
    wanted = _channels(declared, type_.channels)
    if declared.dtype in _FLOATS:
        planes = _scaled(planes, type_, normalize, mean, std)
    elif declared.dtype != type_.dtype.numpy.name:
        raise ExprError(f"input {declared.name!r} takes {declared.dtype or 'no known type'}, but gets {type_.dtype}; "
                        "put a `convert` before it")  # fmt: skip
    else:
        planes = [convert(plane, type_.dtype) for plane in planes]  # a stretched one is of floats
    # Planes of the image itself in their order are its volume: no stack is made of it.
    same = len(planes) > 1 and all(a is b.expr for a, b in zip(planes, image.planes, strict=True))
    volume = image.volume if same else stack([*planes] * wanted if len(planes) == 1 else planes)
    assert volume.size is not None
    return bound_input(declared, ImageType(volume.dtype, *volume.size, volume.channels), volume)


def _size(declared: Declared, type_: ImageType, multiple: int) -> tuple[int, int]:
    """(height, width) that the model takes; where it takes any, the next multiples of those of the picture."""
    wanted = _channels(declared, type_.channels)
    height, width = wanted_size(declared, input_roles(declared, wanted if type_.channels == 1 else type_.channels))
    return (height or -(-type_.height // multiple) * multiple, width or -(-type_.width // multiple) * multiple)


_FLOATS = ("float32", "float16", "float64")


def _channels(declared: Declared, given: int) -> int:
    """How many channels an input takes, where a gray picture could go into several."""
    shape = declared.shape
    if shape is None or len(shape) != 4:
        return given
    return next((n for n in (shape[1], shape[3]) if isinstance(n, int) and 1 <= n <= _MOST_COLOURS), given)


_MOST_COLOURS = 4


def _scaled(
    planes: Sequence[Expr], type_: ImageType, normalize: str, mean: Sequence[float], std: Sequence[float]
) -> tuple[Expr, ...]:
    """Samples as floats of the range that a network was trained on."""
    samples = [convert(plane, F32) for plane in planes]
    if normalize == "none":
        return tuple(samples)
    if normalize == "signed":
        return tuple(plane / (type_.white / 2) - 1.0 for plane in samples)
    fractions = samples if type_.white == 1.0 else [plane / type_.white for plane in samples]
    if normalize == "unit":
        return tuple(fractions)
    ends = zip(_line(mean, len(planes), "mean"), _line(std, len(planes), "std"), strict=True)
    return tuple((plane - m) / s for plane, (m, s) in zip(fractions, ends, strict=True))


def _line(values: Sequence[float], channels: int, name: str) -> Sequence[float]:
    if len(values) == 1 or (channels == 1 and values):
        return [values[0]] * channels
    if len(values) != channels:
        raise DefinitionError(f"{name} has {len(values)} values, but the picture has {channels} channels")
    return values


def _named(
    model: Model, read: Imported, made: Mapping[str, Expr], given: str
) -> tuple[dict[str, Built], Host | None]:
    """The outputs by their names in a pipeline, and what makes others in onnxruntime."""
    tail = read.tail
    names: dict[str, str] = {}
    for name in (*made, *(tail.outputs if tail is not None else ())):
        names[name] = _output_name(name, names.values())
    called = [name.strip() for name in given.split(",") if name.strip()]
    if called and (len(called) != len(names) or len({*called}) < len(called)):
        raise ExprError(f"names has {len(called)} names for the outputs {', '.join(names)}")
    wrong = next((name for name in called if not name.isidentifier()), None)
    if wrong is not None:
        raise ExprError(f"{wrong!r} cannot be an output's name; use letters, digits and _")
    names = dict(zip(names, called, strict=True)) if called else names
    # A single output is "out", as that of other stages.
    if len(names) == 1:
        names = dict.fromkeys(names, "out")
    host = None if tail is None else onnx_host.host_of(model, tail, [names[name] for name in tail.outputs])
    return {names[name]: value for name, value in made.items()}, host


def _output_name(name: str, others: Collection[str]) -> str:
    """An output's name as it can be in a pipeline."""
    plain = re.sub(r"\W+", "_", name).strip("_") or "out"
    return plain if plain not in others else f"{plain}_{len(others)}"
