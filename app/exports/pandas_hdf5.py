"""Tables of numbers in HDF5 as pandas keeps them (`DataFrame.to_hdf`), read and written with h5py alone.

pandas writes through PyTables, which is not needed here. Its two layouts, for a frame under one key:

- *fixed*: for each axis either one array (`axis1`) or, of several levels, arrays `axis0_level0` (the values) and
  `axis0_label0` (which of them, -1 for none) ...; blocks of columns as `block0_values` (rows, columns; turned around
  without the attribute `transposed`), whose columns `block0_items` are kept like an axis.
- *table*: one compound array `table` with `index` and `values_block_0` ..., whose columns are a pickled list of texts
  and tuples in the attribute `values_block_0_kind`. Nothing but lists, tuples, texts and numbers is unpickled: what
  names a class is refused.

https://pandas.pydata.org/docs/user_guide/io.html#hdf5-pytables, pandas/io/pytables.py (`GenericFixed`, `Table`).
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from app.exports.formats.hdf5 import EXTRA, hdf5_image
from app.files.atomic import write_bytes
from app.files.optional import need

Key = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class NumberTable:
    """A table of numbers.

    Args:
        index: what each row is called, one text a level (numbers as text).
        columns: what each column is called, likewise.
        values: (rows, columns) f64.
        levels: what the levels of `columns` are called.
    """

    index: Sequence[Key]
    columns: Sequence[Key]
    values: npt.NDArray[np.float64]
    levels: Key = ()


def read_table(path: Path, what: str) -> NumberTable:
    """The first table of a file.

    Args:
        path: the file.
        what: it is, for the sentence without h5py.

    Raises:
        InputError: h5py is missing.
        Exception: anything else that libhdf5, NumPy and pickle raise of a file that is none.
    """
    h5py = need("h5py", what, EXTRA)
    with h5py.File(path, "r") as file:
        group = next(one for one in file.values() if "pandas_type" in one.attrs)
        return _of_table(group) if "table" in group else _of_fixed(group)


def _of_fixed(group: Any) -> NumberTable:
    blocks, columns = [], []
    for k in range(int(group.attrs["nblocks"])):
        array = group[f"block{k}_values"]
        values = np.asarray(array[()], float)
        blocks.append(values if array.attrs.get("transposed") else values.T)
        columns += _axis(group, f"block{k}_items")
    wanted = _axis(group, "axis0")
    values = np.concatenate(blocks, axis=1)
    order = {key: place for place, key in enumerate(columns)}
    levels = _names(group, "axis0", len(wanted[0]))
    return NumberTable(_axis(group, "axis1"), wanted, values[:, [order[key] for key in wanted]], levels)


def _axis(group: Any, name: str) -> list[Key]:
    """What its places are called."""
    if _text(group.attrs[f"{name}_variety"]) == "regular":
        return [(_text(value),) for value in group[name][()].tolist()]
    levels = []
    for k in range(int(group.attrs[f"{name}_nlevels"])):
        known = [_text(value) for value in group[f"{name}_level{k}"][()].tolist()]
        levels.append([known[place] if place >= 0 else "" for place in group[f"{name}_label{k}"][()].tolist()])
    return list(zip(*levels, strict=True))


def _names(group: Any, name: str, levels: int) -> Key:
    found = [group[f"{name}_level{k}"].attrs.get("name", b"") for k in range(levels) if f"{name}_level{k}" in group]
    return tuple(_text(one) for one in found)


def _of_table(group: Any) -> NumberTable:
    table = group["table"]
    rows = table[()]
    blocks, columns = [], []
    for name in rows.dtype.names:
        if name.startswith("values_block_"):
            blocks.append(np.asarray(rows[name], float).reshape(len(rows), -1))
            columns += _keys(_unpickled(table.attrs[f"{name}_kind"]))
    wanted = _keys(_unpickled(group.attrs["non_index_axes"])[0][1])
    order = {key: place for place, key in enumerate(columns)}
    values = np.concatenate(blocks, axis=1)[:, [order[key] for key in wanted]]
    return NumberTable([(_text(value),) for value in rows["index"].tolist()], wanted, values)


def _keys(listed: Any) -> list[Key]:
    return [tuple(map(_text, one)) if isinstance(one, tuple) else (_text(one),) for one in listed]


class _Plain(pickle.Unpickler):
    """Unpickles lists, tuples, dictionaries, texts and numbers."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"{module}.{name} is not read from a file")


def _unpickled(data: Any) -> Any:
    return _Plain(io.BytesIO(bytes(data)), encoding="utf-8").load()


def _text(value: object) -> str:
    return bytes(value).decode("utf-8") if isinstance(value, bytes | np.bytes_) else str(value)


def write_table(made: NumberTable, path: Path, key: str, what: str) -> None:
    """Write it in the fixed layout, for `pandas.read_hdf`.

    Args:
        made: with texts of several levels as columns.
        path: the file.
        key: under which pandas finds it.
        what: it is, for the sentence without h5py.

    Raises:
        InputError: it cannot be written, or h5py is missing.
    """

    def fill(file: Any, stack: ExitStack) -> None:
        del stack
        _attributes(file, CLASS="GROUP", PYTABLES_FORMAT_VERSION="2.1", TITLE="", VERSION="1.0")
        group = file.create_group(key)
        _attributes(group, CLASS="GROUP", TITLE="", VERSION="1.0", pandas_type="frame", encoding="UTF-8",
                    errors="strict")  # fmt: skip
        group.attrs["ndim"], group.attrs["nblocks"] = np.int64(2), np.int64(1)
        for name in ("axis0", "block0_items"):
            _write_axis(group, name, made.columns, made.levels)
        _write_axis(group, "axis1", made.index, ())
        _array(group, "block0_values", made.values)

    write_bytes(path, hdf5_image(fill, what))


def _write_axis(group: Any, name: str, keys: Sequence[Key], levels: Key) -> None:
    several = len(keys[0]) > 1
    _attributes(group, **{f"{name}_variety": "multi" if several else "regular"})
    if not several:
        numbers = all(key[0].isdecimal() for key in keys)
        data = np.array([int(key[0]) for key in keys]) if numbers else np.array([key[0].encode() for key in keys])
        _labelled(_array(group, name, data), "integer" if numbers else "string", "")
        return
    group.attrs[f"{name}_nlevels"] = np.int64(len(keys[0]))
    for k, column in enumerate(zip(*keys, strict=True)):
        known = sorted(set(column))
        places = np.array([known.index(one) for one in column], np.int16)
        called = levels[k] if levels else ""
        level = _array(group, f"{name}_level{k}", np.array([one.encode() for one in known]))
        _labelled(level, "string", called)
        _attributes(level, **{f"{name}_name{called or None}": called or NONE})
        _array(group, f"{name}_label{k}", places)


NONE = "N."
"""None as PyTables pickles it into an attribute."""


def _labelled(array: Any, kind: str, name: str) -> None:
    _attributes(array, kind=kind, name=name or NONE)
    if kind == "string":
        _attributes(array, nan_rep="nan")


def _array(group: Any, name: str, data: npt.NDArray[Any]) -> Any:
    made = group.create_dataset(name, data=data)
    _attributes(made, CLASS="ARRAY", FLAVOR="numpy", TITLE="", VERSION="2.4")
    made.attrs["transposed"] = np.uint8(1)
    return made


def _attributes(to: Any, **texts: str) -> None:
    """Texts of a fixed length, as PyTables takes them: UTF-8, what is pickled as bytes."""
    kind = need("h5py", "HDF5", EXTRA).string_dtype
    for name, text in texts.items():
        data = text.encode()
        to.attrs.create(name, data, dtype=kind("ascii" if text == NONE else "utf-8", max(1, len(data))))
