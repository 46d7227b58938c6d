"""Tables of points as spreadsheets write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.commands.run import _points
from kernels.errors import InputError

POINTS = ((64.5, 12.0), (3.25, 7.0))


@pytest.mark.parametrize(
    "text",
    [
        "x_px,y_px\n64.5,12\n3.25,7\n",
        "\ufeffx_px;y_px\r\n64,5;12\r\n3,25;7\r\n",
        "name\tx\ty\ntip\t64,5\t12\nroot\t3.25\t7.0\n",
        "frame;x_px;y_px\n4;64.5;12\n4;3.25;7\n5;9;9\n",
    ],
)
def test_commas_semicolons_and_tabs(tmp_path: Path, text: str) -> None:
    (tmp_path / "points.csv").write_text(text, encoding="utf-8", newline="")
    assert _points(tmp_path / "points.csv") == POINTS


@pytest.mark.parametrize("text", ["x_px,y_px\n1\n", "x_px;y_px\n1;a\n", "x_px,y_px\n1,5,2,5\nq,1\n"])
def test_what_is_no_table_of_points_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "points.csv").write_text(text)
    with pytest.raises(InputError, match="is not a table of points with numbers in every row"):
        _points(tmp_path / "points.csv")
