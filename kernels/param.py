"""Parameters of stages and trackers: type, default, range, unit and help, declared once.

The same `Param` feeds the command line (`--set node.param=value`), the pipeline files, the listing of
`fusetrack stages`, the window's editor and the compiler (a live parameter is a kernel argument, a
structural one changes the code).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType

import numpy as np

from kernels.errors import DefinitionError

Value = bool | int | float | str | tuple[float, ...] | tuple[tuple[float, ...], ...]
"""What a parameter may hold: a scalar, a text (one of `choices`), a vector or a list of vectors."""

_LARGEST = (3.4028234e38, 2**31 - 1)
"""Of f32 and of i32, which a live parameter becomes."""

NONE_RETIRED: Mapping[str, str] = MappingProxyType({})

AUTO = "auto"
"""What a parameter with `auto` may hold in place of a value: one that is found on the clip before it runs."""

KINDS = ("bool", "int", "float", "choice", "text", "vector", "points")


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter.

    Args:
        name: identifier, lower case.
        kind: "bool", "int", "float", "choice", "text", "vector" (a tuple of floats) or "points"
            (a tuple of vectors, such as ((x, y), ...)).
        default: the value without a setting; of the same kind.
        doc: one line of help, without the unit.
        unit: "px", "s", "Hz", "frames", "1" (a ratio), "" (no unit).
        low, high: inclusive range of a number (of each member of a vector).
        choices: the texts allowed for a "choice".
        structural: True if a change of the value changes the generated code; False if it is live.
        length: the number of members of a "vector", 0 for any.
        odd: whether a whole number has to be odd, or 0 where that stands for one that is found: what sliders offer; the
            stage or tracker refuses others.
        auto: whether it may be "auto": the value is found on the clip before it runs (`pipelines.automatic`).
        content: of a "text" that names a file: (its name) -> what stands for the file's content wherever a result's
            origin is hashed; raises DefinitionError.
        former: switches of earlier versions that this one is instead: by their names, what it is for each setting.
    """

    name: str
    kind: str
    default: Value
    doc: str
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    structural: bool = False
    length: int = 0
    odd: bool = False
    auto: bool = False
    content: Callable[[str], str] | None = None
    former: Mapping[str, Mapping[bool, Value]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"Param {self.name}: unknown kind {self.kind!r}; one of {', '.join(KINDS)}")
        object.__setattr__(self, "default", self.check(self.default, self.name))

    def check(self, value: object, where: str) -> Value:
        """Return `value` in this parameter's type.

        Args:
            value: what a file, the command line or the caller gave.
            where: how the user knows the parameter, such as "smooth.sigma".

        Raises:
            DefinitionError: wrong type, outside the range, or not one of the choices.
        """
        if isinstance(value, np.generic | np.ndarray):
            value = value.tolist()
        if self.auto and value == AUTO:
            return AUTO
        match self.kind:
            case "bool":
                if isinstance(value, bool):
                    return value
                raise DefinitionError(f"{where} must be true or false, not {value!r}")
            case "int":
                if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
                    raise DefinitionError(f"{where} must be a whole number, not {value!r}")
                return int(self._in_range(int(value), where))
            case "float":
                return float(self._in_range(_number(value, where), where))
            case "choice":
                if isinstance(value, str) and value in self.choices:
                    return value
                near = get_close_matches(str(value), self.choices, n=1, cutoff=0.5)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise DefinitionError(f"{where} must be one of {', '.join(self.choices)}, not {value!r}{hint}")
            case "text":
                if isinstance(value, str):
                    return value
                raise DefinitionError(f"{where} must be a text, not {value!r}")
            case "vector":
                return self._vector(value, where)
            case _:
                if isinstance(value, str) or not isinstance(value, Sequence):
                    raise DefinitionError(f"{where} must be a list of points [[x, y], ...], not {value!r}")
                return tuple(self._vector(member, where) for member in value)

    def settled(self, value: Value) -> Value:
        """`value`, or the default in place of one that is yet to be found: what code is made with meanwhile."""
        return self.default if self.auto and value == AUTO else value

    def _in_range(self, number: float, where: str) -> float:
        if isinstance(number, float) and not math.isfinite(number):
            raise DefinitionError(f"{where} must be a finite number, not {number}")
        if abs(number) > _LARGEST[self.kind == "int"]:
            raise DefinitionError(f"{where} is too large a number for its type")
        if not self.low <= number <= self.high:
            unit = f" {self.unit}" if self.unit and self.unit != "1" else ""
            raise DefinitionError(f"{where} = {number:.12g} is outside its range {self.range_text()}{unit}")
        return number

    def _vector(self, value: object, where: str) -> tuple[float, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise DefinitionError(f"{where} must be a list of numbers, not {value!r}")
        if self.length and len(value) != self.length:
            raise DefinitionError(f"{where} must have {self.length} members, not {len(value)}")
        low, high = max(self.low, -_LARGEST[False]), min(self.high, _LARGEST[False])
        if all(type(member) is float and low <= member <= high for member in value):  # of thousands of points, too
            return tuple(value)
        return tuple(self._in_range(_number(member, where), where) for member in value)

    def range_text(self) -> str:
        """The allowed values as people write them, such as "0.1..20", ">= 1", "a | b", or ""; and "auto"."""
        text = self._range_text()
        return text if not self.auto else f"{text} | {AUTO}" if text else f"a number | {AUTO}"

    def _range_text(self) -> str:
        if self.kind == "choice":
            return " | ".join(self.choices)
        if math.isinf(self.low) and math.isinf(self.high):
            return ""
        if math.isinf(self.high):
            return f">= {self.low:g}"
        if math.isinf(self.low):
            return f"<= {self.high:g}"
        return f"{self.low:g}..{self.high:g}"


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DefinitionError(f"{where} must be a number, not {value!r}")
    return value


def unknown(name: str, names: Sequence[str], owner: str, retired: Mapping[str, str]) -> DefinitionError:
    """The complaint that `owner` has no parameter `name`.

    Args:
        names: of those that it has.
        retired: those that it had in earlier versions, and what to do instead.
    """
    if name in retired:
        return DefinitionError(f"{owner} has no parameter {name!r} any more: {retired[name]}")
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"it has: {', '.join(names) or 'none'}"
    return DefinitionError(f"{owner} has no parameter {name!r}; {hint}")


def renewed(params: Sequence[Param], given: Mapping[str, object]) -> dict[str, object]:
    """What was given, with parameters in place of the switches that they were in earlier versions (`Param.former`): the
    same bits. A switch that is neither on nor off stays, to be refused.

    >>> begin = Param("begin", "choice", "a", "with what", choices=("a", "b"), former={"late": {True: "b", False: "a"}})
    >>> renewed([begin], {"late": True, "k": 2})
    {'begin': 'b', 'k': 2}
    """
    former = {name: (param.name, values) for param in params for name, values in param.former.items()}
    made: dict[str, object] = {}
    for name, value in given.items():
        if name in former and isinstance(value, bool):
            name, values = former[name]
            value = values[value]
        made[name] = value
    return made


def resolve(
    params: Sequence[Param], given: Mapping[str, object], owner: str, retired: Mapping[str, str] = NONE_RETIRED
) -> dict[str, Value]:
    """Return all parameters of `owner` by name: what was given, checked, else the defaults.

    Raises:
        DefinitionError: an unknown name (with a suggestion, see `unknown`) or a value that its Param refuses.
    """
    by_name = {param.name: param for param in params}
    for name in given:
        if name not in by_name:
            raise unknown(name, list(by_name), owner, retired)
    return {
        name: param.check(given[name], f"{owner}.{name}") if name in given else param.default
        for name, param in by_name.items()
    }
