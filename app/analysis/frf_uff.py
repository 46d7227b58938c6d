"""Frequency responses and coherence as a universal file (UFF, ASCII): nodes (15), functions (58).

Written by pyuff. A node is a track, counted from 1; direction 1 is +x, 2 is +y of the picture, which points down. What
is not known to be a force or an acceleration has the general type 0; labels say the units. A node is where its point
is; where its motion is measured, which may be some px beside it and another place along x than along y, the second line
of each function says.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.analysis.frf_input import Reference
from app.files.atomic import replacing
from app.files.optional import need
from kernels.errors import InputError
from pipelines.analysis.frf import Frf
from pipelines.analysis.series import Series

Array = npt.NDArray[Any]
UFF, EXTRA = "frf.uff", "uff"
RESPONSE, COHERENCE, FREQUENCY, DISPLACEMENT = 4, 6, 18, 8
"""Types of functions, of an abscissa and of an ordinate, by the format's numbers."""
LONGEST = 20
"""Letters of a label."""


def check_uff() -> None:
    """See that it can be written.

    Raises:
        InputError: pyuff is missing.
    """
    need("pyuff", "UFF", EXTRA)


def write_uff(path: Path, series: Series, frf: Frf, reference: Reference, unit: str, factor: float, at: Array) -> None:
    """Write the file.

    Args:
        path: ends with .uff.
        series, frf, reference: what is written.
        unit: of responses, such as mm.
        factor: responses are multiplied by it.
        at: where each axis of each point is measured, (P, 2, 2) px; NaN if unknown.

    Raises:
        InputError: pyuff is missing, or the file cannot be written.
    """
    package = need("pyuff", "UFF", EXTRA)
    # Node labels are positive there; tracks count from 0.
    nodes, places = series.tracks + 1, series.places.mean(axis=2)
    sets: list[dict[str, Any]] = [{
        "type": 15, "node_nums": nodes.tolist(), "def_cs": [0] * len(nodes), "disp_cs": [0] * len(nodes),
        "color": [0] * len(nodes), "x": places[:, 0].tolist(), "y": places[:, 1].tolist(), "z": [0.0] * len(nodes),
    }]  # fmt: skip
    own = reference.own
    common = {
        "type": 58, "binary": 0, "id1": f"{frf.estimator.upper()} beside {reference.name}"[:80], "x": frf.frequencies,
        "abscissa_spacing": 1, "abscissa_spec_data_type": FREQUENCY, "abscissa_axis_lab": "frequency",
        "abscissa_axis_units_lab": "Hz", "ref_node": int(nodes[own[0]]) if own is not None else 0,
        "ref_dir": own[1] + 1 if own is not None else 0, "orddenom_spec_data_type": 0,
    }  # fmt: skip
    units = {"ordinate_spec_data_type": DISPLACEMENT, "ordinate_axis_lab": "response",
             "ordinate_axis_units_lab": unit[:LONGEST], "orddenom_axis_lab": reference.name[:LONGEST],
             "orddenom_axis_units_lab": (reference.measure or unit)[:LONGEST]}  # fmt: skip
    for p, node in enumerate(nodes.tolist()):
        for a in range(2):
            one = {**common, "rsp_node": node, "rsp_dir": a + 1}
            if np.isfinite(at[p, a]).all():
                one["id2"] = f"measured at {at[p, a, 0]:.3f}, {at[p, a, 1]:.3f} px"
            sets.append({**one, **units, "func_type": RESPONSE, "data": np.asarray(frf.response[p, a] * factor)})
            sets.append({**one, "func_type": COHERENCE, "data": np.asarray(frf.coherence[p, a])})
    with replacing(path) as temporary:
        try:
            package.UFF(str(temporary)).write_sets(sets, "overwrite")
        except Exception as error:  # pyuff raises plain exceptions, of a full disk as of everything else
            raise InputError(f"{path} cannot be written: {' '.join(str(error).split())[:160]}") from None
