"""Stages: one image kernel each, declared once by a function that builds its body.

    @stage(params=(Param("gain", "float", 1.0, "factor", unit="1"),), per_channel=True)
    def gain(image: Plane, gain: Expr) -> Expr:
        '''Multiply by a factor: out = gain * in, f32. ...'''
        return image() * gain

Nothing else is declared: the output's type, the kind, the reach and the linearity follow from the body. A function
with `per_channel=True` gets a `Plane` per input and is applied to each channel; else it gets an `Image` per input.
Structural parameters arrive as Python values, live ones as expressions.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from kernels.errors import DefinitionError, ExprError
from kernels.ir.body import Body, Host, Output, ValueType
from kernels.ir.expr import Expr, param
from kernels.ir.image import BOOL, F32, I32, ImageType
from kernels.ir.layers import Cut, cut, epilogues
from kernels.ir.planes import BORDERS, Border, coord, gather, input_plane, load, spread, window
from kernels.ir.recurrence import rename_states
from kernels.ir.rewriting import Rewriting
from kernels.ir.table import Candidates, Reduction, TableType, joint_table_size, table_type
from kernels.ir.verify import verify
from kernels.ir.volumes import input_volume
from kernels.param import Param, resolve

_SCALARS = {"bool": BOOL, "int": I32, "float": F32, "vector": None, "points": None, "choice": None, "text": None}


@dataclass(frozen=True, slots=True)
class Plane:
    """One channel of an image, with the border rule of the stage: call it to look at a pixel.

    `p()` is this pixel, `p(1, 0)` its right neighbour, `p(dt=-1)` this pixel one frame ago.
    """

    expr: Expr
    border: Border = field(default_factory=Border)

    def __call__(self, dx: int = 0, dy: int = 0, dt: int = 0) -> Expr:
        return load(self.expr, self.border, dx, dy, dt)

    def of(self, expr: Expr) -> Plane:
        """A computed image with the same border rule, so that a body can look at its neighbours too."""
        return Plane(expr, self.border)

    def strided(self, stride: int, dx: int, dy: int, size: tuple[int, int]) -> Expr:
        """The pixel at (stride*x + dx, stride*y + dy), over an image of `size` (height, width)."""
        return load(self.expr, self.border, dx, dy, 0, stride, size)

    def at(self, y: Expr, x: Expr, size: tuple[int, int]) -> Expr:
        """The pixel at computed whole-number coordinates, over an image of `size` (height, width)."""
        return gather(self.expr, y, x, size, self.border)

    def window(self, kind: str, x: tuple[int, int], y: tuple[int, int]) -> Expr:
        """Sum, min or max over a rectangle of offsets (inclusive)."""
        return window(kind, self.expr, self.border, x, y)

    @property
    def size(self) -> tuple[int, int]:
        """(height, width) in pixels."""
        if self.expr.size is None:
            raise ExprError("this expression varies over no image")
        return self.expr.size

    @property
    def x(self) -> Expr:
        """The column of this pixel, i32."""
        return coord("x", self.size)

    @property
    def y(self) -> Expr:
        """The row of this pixel, i32."""
        return coord("y", self.size)


@dataclass(frozen=True, slots=True)
class Image:
    """All channels of an input."""

    type: ImageType
    planes: tuple[Plane, ...]
    volume: Expr
    """All channels as one expression (`kernels.ir.volumes`)."""

    def __getitem__(self, channel: int) -> Plane:
        return self.planes[channel]

    @property
    def mono(self) -> Plane:
        """The only channel.

        Raises:
            DefinitionError: there are several.
        """
        if len(self.planes) != 1:
            raise DefinitionError(f"it takes one channel but gets {len(self.planes)}; put a `gray` stage before it")
        return self.planes[0]


@dataclass(frozen=True, slots=True)
class Picture:
    """An output image where the significant bits of a sample must be said (else they follow the input)."""

    planes: tuple[Expr, ...]
    bits: int = 0


@dataclass(frozen=True, slots=True)
class Rest:
    """The end of an expanding stage that runs on the host.

    Args:
        name: of its node, behind the stage's.
        host: its function; its outputs are the stage's, too.
        given: the images that it takes.
        words: why it is there, in a sentence.
    """

    name: str
    host: Host
    given: tuple[Expr, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Layers:
    """What an expanding stage returns: its outputs, and the values at which it falls into nodes of their own.

    Args:
        outputs: as other stages return them, images only.
        marks: names and values in the order of computation (see `kernels.ir.layers.cut`).
        aside: more outputs, one expression a channel, which only those who name them get: what the stage is called,
            and what it costs, is the same with and without them.
        rewritings: what was rewritten to make them.
        rest: what runs on the host behind them.
    """

    outputs: Mapping[str, Built]
    marks: tuple[tuple[str, Expr], ...]
    aside: Mapping[str, tuple[Expr, ...]] = field(default_factory=dict)
    rewritings: tuple[Rewriting, ...] = ()
    rest: Rest | None = None


@dataclass(frozen=True, slots=True)
class Expanded:
    """An expanding stage for inputs of some types.

    Args:
        body: whole; what `rest` takes are its last outputs.
        pieces: the same in pieces.
        rewritings: what was rewritten to make it; `where` is empty.
        rest: what runs on the host behind it.
    """

    body: Body
    pieces: Cut
    rewritings: tuple[Rewriting, ...]
    rest: Rest | None = None


Built = Expr | tuple[Expr, ...] | Picture | Reduction | Candidates
Function = Callable[..., Built | Mapping[str, Built] | Host | Layers]


@dataclass(frozen=True, slots=True)
class Stage:
    """One image kernel. Made by the decorator `stage`; see the module's docstring."""

    name: str
    function: Function
    inputs: tuple[str, ...]
    optional: tuple[str, ...]
    params: tuple[Param, ...]
    per_channel: bool
    border: bool
    opaque: bool
    expands: bool = False
    previous: Mapping[str, ValueType] = field(default_factory=dict, hash=False)
    remembers: Mapping[str, str] = field(default_factory=dict, hash=False)
    category: str = ""

    @property
    def doc(self) -> str:
        """The docstring: formula, source, example."""
        return self.function.__doc__ or ""

    @property
    def summary(self) -> str:
        """The docstring's first line."""
        return self.doc.strip().partition("\n")[0]

    def build(self, types: Sequence[ValueType | None], params: Mapping[str, object] | None = None) -> Body:
        """The verified body for inputs of these types.

        Args:
            types: one per input, None for an optional one that is not connected.
            params: some or all parameters; the rest take their defaults.

        Raises:
            DefinitionError: a parameter or an input that this stage does not take.
            ExprError: the stage itself is ill-formed.
        """
        body, made = self._built(types, params)
        if made.rest is not None:
            raise DefinitionError(f"{self.name}: {made.rest.words}; what runs on the host needs a pipeline")
        return body

    def expand(self, types: Sequence[ValueType | None], params: Mapping[str, object] | None = None) -> Expanded:
        """An expanding stage, whole and in pieces; arguments and errors as of `build`."""
        body, made = self._built(types, params)
        pieces = cut(body, made.marks, made.aside)
        pixels = next((t.height * t.width for t in types if isinstance(t, ImageType)), 1)
        behind = epilogues(pieces, pixels)
        return Expanded(body, pieces, (*made.rewritings, *(() if behind is None else (behind,))), made.rest)

    def _built(self, types: Sequence[ValueType | None], params: Mapping[str, object] | None) -> tuple[Body, Layers]:
        given = resolve(self.params, params or {}, self.name)
        values = {p.name: p.settled(given[p.name]) for p in self.params}
        types = (*types, *(None for _ in self.inputs[len(types) :]))
        self._check_inputs(types)
        live = {p.name: _SCALARS[p.kind] for p in self.params if not p.structural}
        arguments: dict[str, object] = {}
        for p in self.params:
            scalar = live.get(p.name)
            arguments[p.name] = param(p.name, scalar) if scalar is not None else values[p.name]
        border = Border(str(arguments.pop("border")), float(values["border_value"])) if self.border else Border()  # type: ignore[arg-type]
        arguments.pop("border_value", None)
        try:
            if self.opaque:
                host = self.function(*types, **values)
                if not isinstance(host, Host):
                    raise ExprError(f"an opaque stage returns a Host, not a {type(host).__name__}")
                outputs = tuple(Output(name, type_) for name, type_ in host.outputs.items())
                return Body(types, outputs, live, values, host), Layers({}, ())
            outputs, layers = self._outputs(types, border, arguments)
        except DefinitionError as error:
            raise DefinitionError(f"{self.name}: {error}") from None
        except ExprError as error:
            raise ExprError(f"{self.name}: {error}") from None
        except Exception as error:  # a mistake in the body; say whose
            raise ExprError(f"{self.name}: its function fails with {type(error).__name__}: {error}") from error
        limits = {p.name: (p.low, p.high) for p in self.params
                  if live.get(p.name) is not None and math.isfinite(p.low) and math.isfinite(p.high)}  # fmt: skip
        body = Body(types, outputs, live, values, limits=limits)
        verify(body, self.name)
        return body, layers

    def _check_inputs(self, types: Sequence[ValueType | None]) -> None:
        if len(types) > len(self.inputs):
            raise DefinitionError(f"{self.name} takes {len(self.inputs)} inputs ({', '.join(self.inputs)}), not "
                                  f"{len(types)}")  # fmt: skip
        if not any(types):
            raise DefinitionError(f"{self.name} needs an input; it takes {', '.join(self.inputs)}")
        for name, type_ in zip(self.inputs, types, strict=True):
            if type_ is None and name not in self.optional:
                raise DefinitionError(f"{self.name} needs an input {name!r}")
            if isinstance(type_, TableType) and not self.opaque:
                raise DefinitionError(f"{self.name} takes an image as {name!r}, not a {type_}")

    def _outputs(
        self, types: Sequence[ValueType | None], border: Border, arguments: Mapping[str, object]
    ) -> tuple[tuple[Output, ...], Layers]:
        images = [
            Image(t, tuple(Plane(input_plane(i, c, t.dtype, (t.height, t.width)), border) for c in range(t.channels)),
                  input_volume(i, t))
            if isinstance(t, ImageType) else None
            for i, t in enumerate(types)
        ]  # fmt: skip
        built: Built | Mapping[str, Built] | Host | Layers = (
            self._per_channel(images, arguments) if self.per_channel else self.function(*images, **arguments)
        )
        layers = built if isinstance(built, Layers) else Layers({}, ())
        if isinstance(built, Layers):
            rest = () if layers.rest is None else layers.rest.given
            built = {**built.outputs, **{f"{REST}{i}": value for i, value in enumerate(rest)}}
        if not isinstance(built, Mapping):
            built = {"out": built}  # type: ignore[dict-item]
        first = next((t for t in types if isinstance(t, ImageType)), None)
        return tuple(_output(name, value, first) for name, value in built.items()), layers

    def _per_channel(self, images: Sequence[Image | None], arguments: Mapping[str, object]) -> Mapping[str, Built]:
        channels = max(len(image.planes) for image in images if image is not None)
        results: dict[str, list[Expr]] = {}
        for c in range(channels):
            planes = []
            for name, image in zip(self.inputs, images, strict=True):
                if image is not None and len(image.planes) not in (1, channels):
                    raise DefinitionError(f"input {name!r} has {len(image.planes)} channels, another {channels}")
                planes.append(image and image.planes[c if len(image.planes) > 1 else 0])
            built = self.function(*planes, **arguments)
            named = built if isinstance(built, Mapping) else {"out": built}
            for name, value in named.items():
                if not isinstance(value, Expr):
                    raise ExprError(f"output {name!r}: a per-channel stage returns expressions")
                results.setdefault(name, []).append(value if channels == 1 else _of_channel(value, c))
        return {name: tuple(planes) for name, planes in results.items()}


def border_params(mode: str = "reflect101") -> tuple[Param, ...]:
    """The parameters of a stage that looks beyond the image's edge, with `mode` as the default."""
    return (
        Param("border", "choice", mode, "how the image goes on outside", choices=BORDERS, structural=True),
        Param("border_value", "float", 0.0, "the value outside, for border = constant", structural=True),
    )


def _of_channel(value: Expr, channel: int) -> Expr:
    return rename_states((value,), lambda name: f"{name}[{channel}]")[0]


def _output(name: str, built: Built, first: ImageType | None) -> Output:
    if isinstance(built, Reduction | Candidates):
        return Output(name, table_type(built, joint_table_size(built)), table=built)
    bits = built.bits if isinstance(built, Picture) else 0
    planes = built.planes if isinstance(built, Picture) else (built,) if isinstance(built, Expr) else built
    if not isinstance(planes, tuple) or not planes or not all(isinstance(p, Expr) for p in planes):
        raise ExprError(f"output {name!r} must be an expression, a tuple of them (one a channel), a Picture, a "
                        f"Reduction or Candidates, not {built!r}")  # fmt: skip
    size = next((p.size for p in planes if p.size is not None), None)
    if size is None:
        if first is None:
            raise ExprError(f"output {name!r} varies over no image")
        size = (first.height, first.width)
    planes = tuple(spread(p, size) for p in planes)  # so that any stage can look around in it
    dtype = planes[0].dtype
    if not bits and first is not None and first.dtype == dtype:
        bits = first.bits
    return Output(name, ImageType(dtype, size[0], size[1], sum(p.channels for p in planes), bits), planes)


REST = "for the host "
"""Before the numbers of outputs of a body that only `Rest` takes."""
DECLARED: dict[str, Stage] = {}
"""Stages by name, as far as their modules were imported; `kernels.plugins.registry` imports all that there are."""


CATEGORIES = (
    "Grey values", "Smooth and sharpen", "Edges and spots", "Over time", "Masks", "Features", "Geometry", "Networks",
    "Camera formats",
)  # fmt: skip
"""Where stages are in the window's list, in its order; one may have none."""


def stage(
    *,
    category: str = "",
    inputs: tuple[str, ...] = ("image",),
    optional: tuple[str, ...] = (),
    params: tuple[Param, ...] = (),
    per_channel: bool = False,
    border: bool | str = False,
    opaque: bool = False,
    expands: bool = False,
    previous: Mapping[str, ValueType] | None = None,
    remembers: Mapping[str, str] | None = None,
) -> Callable[[Function], Stage]:
    """Declare a stage; its name is the function's, its help the docstring.

    Args:
        category: one of CATEGORIES, for the window's list; "" puts it among the user's own.
        inputs: names of the inputs, in order; those in `optional` may stay unconnected (None).
        params: the parameters, in the order of the function's keyword arguments.
        per_channel: the function describes one channel and is applied to each.
        border: add the parameters `border` (a text is its default, else reflect101) and `border_value`; every Plane
            then carries them.
        opaque: the function gets input types and parameter values and returns a `Host`.
        expands: the function returns `Layers`: a pipeline has nodes of its own for its pieces. All its parameters are
            structural.
        previous: optional inputs of an opaque stage that a pipeline gives it as they were one frame ago, so that they
            may come from stages behind it; each with the type that is assumed until its source is known, which no
            output's type may depend on. Before the first frame they are nothing: an empty table, an image of NaN, or
            of 0 if it is of whole numbers.
        remembers: which of these inputs are outputs of the stage's own, where they are not connected.

    A live parameter reaches the function as an expression; a live list of points (boxes of a reduction) as its first
    value, to be used by its name only.

    Raises:
        ExprError: another stage has that name, there is no such category, the function takes other arguments than are
            declared, or a parameter that cannot be live is not structural.
    """

    def declare(function: Function) -> Stage:
        name = function.__name__.rstrip("_")
        if category not in ("", *CATEGORIES):
            raise ExprError(f"stage {name!r}: there is no category {category!r}; there are {', '.join(CATEGORIES)}")
        _check_declaration(name, function, inputs, optional, params, opaque, expands)
        if previous and not (opaque and {*previous} <= {*optional} and {*(remembers or {})} <= {*previous}):
            raise ExprError(f"stage {name!r}: inputs of the frame before are optional ones of an opaque stage")
        edges = border_params(border) if isinstance(border, str) else border_params() if border else ()
        made = Stage(name, function, inputs, optional, (*params, *edges), per_channel, bool(border), opaque, expands,
                     previous or {}, remembers or {}, category)  # fmt: skip
        other = DECLARED.get(name)
        if other is not None and other.function.__module__ != function.__module__:
            raise ExprError(f"there are two stages {name!r}: in {other.function.__module__} and {function.__module__}")
        DECLARED[name] = made
        # doctest looks at functions only; the name now stands for the Stage, so hand it the function.
        vars(sys.modules[function.__module__]).setdefault("__test__", {})[name] = function
        return made

    return declare


def _check_declaration(
    name: str, function: Function, inputs: Sequence[str], optional: Sequence[str], params: Sequence[Param],
    opaque: bool, expands: bool,
) -> None:  # fmt: skip
    declared = [*inputs, *(p.name for p in params)]
    arguments = inspect.signature(function).parameters.values()
    taken = [a.name for a in arguments if a.kind is not inspect.Parameter.VAR_KEYWORD]
    rest = len(taken) < len(arguments)  # **others takes what is not named
    if taken[: len(inputs)] != list(inputs) or not (set(taken) <= set(declared) if rest else taken == declared):
        raise ExprError(f"stage {name!r} declares {', '.join(declared)}, but its function takes {', '.join(taken)}")
    for unknown in set(optional) - set(inputs):
        raise ExprError(f"stage {name!r}: the optional input {unknown!r} is not among its inputs")
    live = [p.name for p in params if not p.structural]
    if expands and live:
        raise ExprError(f"stage {name!r} expands: declare its parameters structural, {', '.join(live)} too")
    for p in params:
        if not opaque and not p.structural and p.kind in ("choice", "text", "vector"):
            raise ExprError(f"stage {name!r}: parameter {p.name!r}, a {p.kind}, changes code: declare it structural")
