"""Displacement and strain as VTK's XML files, which ParaView, VisIt and PyVista open: a file a frame and their times.

ParaView: File > Open strain-vtk/strain.pvd; Filters > Warp By Vector by `displacement` shows the surface as it moves. y
counts down as in the picture, so look from below, or scale y by -1 (Filters > Transform).
"""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
import numpy.typing as npt

from app.analysis.strain import StrainField
from app.files.atomic import make_folder, write_bytes
from pipelines.analysis.strain import NAMES, Strains

Array = npt.NDArray[Any]
FOLDER, SERIES = "strain-vtk", "strain.pvd"
TYPES = {"<f8": "Float64", "<f4": "Float32", "<i8": "Int64", "<i4": "Int32", "|u1": "UInt8"}
CELLS = {4: 9, 3: 5, 1: 1}
"""VTK_QUAD, VTK_TRIANGLE and VTK_VERTEX by their number of corners."""
BLOCK = 1 << 15
"""Bytes that are compressed at once, VTK's own default."""
_PART = re.compile(r"frame-\d{6,}\.vtu")


def write_vtk(folder: Path, found: StrainField) -> list[str]:
    """Write the folder `strain-vtk` with `strain.pvd` and a file a frame, those of an earlier call removed; its name.

    Raises:
        InputError: a file cannot be written.
    """
    parts = make_folder(folder / FOLDER)
    # An earlier run with more frames would leave its files among these.
    for old in parts.iterdir():
        if _PART.fullmatch(old.name):
            old.unlink(missing_ok=True)
    lines = []
    for k, strains in found.each():
        name = f"frame-{int(found.moved.frames[k]):06d}.vtu"
        write_bytes(parts / name, unstructured(found, k, strains))
        lines.append(f'    <DataSet timestep="{found.moved.times[k]:.12g}" part="0" file="{name}"/>')
    text = "\n".join(('<?xml version="1.0"?>', '<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">',
                      "  <Collection>", *lines, "  </Collection>", "</VTKFile>", ""))  # fmt: skip
    write_bytes(parts / SERIES, text.encode())
    return [f"{FOLDER}/"]


def unstructured(found: StrainField, k: int, strains: Strains) -> bytes:
    """Frame number `k` as a .vtu file: points in the reference with their fields, cells whose corners were all seen.
    What is not known is NaN; points that were not seen have `seen` 0."""
    moved, factor = found.moved, found.factor
    seen = np.isfinite(moved.moved[k, :, 0])
    cells = found.cells[seen[found.cells].all(axis=1)] if len(found.cells) else np.flatnonzero(seen)[:, None]
    places = np.column_stack((moved.points * factor, np.zeros(len(seen))))
    way = np.column_stack((np.nan_to_num(moved.moved[k]) * factor, np.zeros(len(seen))))
    fields: dict[str, Array] = {
        "displacement": way, "seen": seen.astype(np.uint8), "track": moved.tracks.astype(np.int32),
        "sigma_u": moved.sigmas[k, :, 0] * np.float32(factor), "sigma_v": moved.sigmas[k, :, 1] * np.float32(factor),
        **dict(zip(NAMES, strains.values, strict=True)),
        **{f"sigma_{name}": one.astype(np.float32) for name, one in zip(NAMES, strains.sigmas, strict=True)},
        "neighbours": strains.neighbours.astype(np.int32),
    }  # fmt: skip
    sides = cells.shape[1]
    return "\n".join((
        '<?xml version="1.0"?>',
        '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64" '
        'compressor="vtkZLibDataCompressor">',
        "  <UnstructuredGrid>",
        f"    <FieldData>{_array('TimeValue', np.array([moved.times[k]]), tuples=1)}",
        f"      {_array('gauge_length', np.array([found.gauge_length]), tuples=1)}</FieldData>",
        f'    <Piece NumberOfPoints="{len(places)}" NumberOfCells="{len(cells)}">',
        '      <PointData Scalars="von_mises" Vectors="displacement">', *_arrays(fields), "      </PointData>",
        f"      <Points>{_array('Points', places)}</Points>", "      <Cells>",
        *_arrays({"connectivity": cells.ravel().astype(np.int64), "offsets": np.arange(1, len(cells) + 1) * sides,
                  "types": np.full(len(cells), CELLS[sides], np.uint8)}),
        "      </Cells>", "    </Piece>", "  </UnstructuredGrid>", "</VTKFile>", "",
    )).encode()  # fmt: skip


def _arrays(fields: Mapping[str, Array]) -> list[str]:
    return [f"        {_array(name, values)}" for name, values in fields.items()]


def _array(name: str, values: Array, tuples: int | None = None) -> str:
    values = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    parts = f' NumberOfComponents="{values.shape[1]}"' if values.ndim == 2 else ""
    many = "" if tuples is None else f' NumberOfTuples="{tuples}"'
    kind = TYPES[values.dtype.str]
    return f"<DataArray type={quoteattr(kind)} Name={quoteattr(name)}{parts}{many} format=\"binary\">{packed(values)}" \
           "</DataArray>"  # fmt: skip


def packed(values: Array) -> str:
    """VTK's inline binary: the header of compressed blocks, then these, each in base64."""
    data = values.tobytes()
    blocks = [data[begin : begin + BLOCK] for begin in range(0, len(data), BLOCK)]
    small = [zlib.compress(block, 1) for block in blocks]
    # VTK's header states the length of the last block, and 0 where that is a whole one.
    last = len(blocks[-1]) % BLOCK if blocks else 0
    header = struct.pack(f"<{3 + len(small)}Q", len(blocks), BLOCK, last, *map(len, small))
    return base64.b64encode(header).decode() + base64.b64encode(b"".join(small)).decode()
