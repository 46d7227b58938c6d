"""All panels on one sheet, and the page that holds it."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from app.evaluation.measures import groups
from app.evaluation.panels import (
    distances,
    histogram,
    over_time,
    reliability,
    s_curves,
    shown_things,
    spectrum,
    stated_sigma,
    thresholds,
    timeline,
)
from app.evaluation.table import HEADS, cells_of
from app.files.atomic import write_bytes
from app.plots.figures import encoded, heading, save, sheet, styled
from app.plots.look import LIGHT, Look
from pipelines.evaluation.complete import Evaluation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS = (over_time, histogram, s_curves, spectrum, reliability, stated_sigma, thresholds, distances)
PAGE = ".html"
ROW, LEAST = 0.016, 0.16
"""Shares of the figure's width that a row of the timeline takes, and all of it at least."""
STYLE = """
body{margin:0 auto;max-width:1180px;padding:24px;background:GROUND;color:INK;font:14px/1.5 system-ui,sans-serif}
h1{font-size:22px}h2{font-size:15px;margin:22px 0 6px}svg{max-width:100%;height:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:2px 14px 2px 0;text-align:left}
th,td.means{color:DIM;font-weight:400}.things td,.things th{text-align:right}.wide{overflow-x:auto}
"""


def write_figure(path: Path, found: Evaluation, title: str, look: Look = LIGHT) -> None:
    """Write the figure, as the ending of the name says.

    Args:
        path: .png, .svg, .pdf or .html (a page of its own, with the figure and all measures).
        found: what is shown.
        title: names what was compared.
        look: how it looks.

    Raises:
        InputError: the file cannot be written.
    """
    if path.suffix.lower() == PAGE:
        write_bytes(path, page(found, title, look).encode())
    else:
        save(figure(found, title, look), path, look)


def figure(found: Evaluation, title: str = "", look: Look = LIGHT) -> Figure:
    """Panels in two columns, or one below the other, and the timeline of identities below; `title` "" for none."""
    columns = 1 if look.narrow else 2
    rows = -(-len(PANELS) // columns)
    high, last = look.height(0.54 / columns), look.width * max(LEAST, ROW * len(shown_things(found)))
    with styled(look):
        made = sheet(look, rows * high + last)
        grid = made.add_gridspec(rows + 1, columns, height_ratios=[*[high] * rows, last])
        for number, draw in enumerate(PANELS):
            draw(found, made.add_subplot(grid[divmod(number, columns)]), look)
        axes: Axes = made.add_subplot(grid[rows, :])
        timeline(found, axes, look)
        heading(made, look, title, scores(found))
    return made


def scores(found: Evaluation) -> str:
    """The most important measures in a line."""
    clear = found.clear
    return " · ".join((f"MOTA {clear.mota:.3f}", f"IDF1 {found.identity.idf1:.3f}", f"HOTA {found.hota.hota:.3f}",
                       f"alpha {found.challenge.alpha:.3f}", f"RMSE {clear.rmse:.4f} px",
                       f"id switches {clear.id_switches}", f"recall {clear.recall:.4f}",
                       f"precision {clear.precision:.4f}")).replace("nan", "-")  # fmt: skip


def page(found: Evaluation, title: str, look: Look = LIGHT) -> str:
    """A page that needs nothing else: the figure, the measures, the things."""
    picture = encoded(figure(found, "", look), ".svg", look).decode()
    picture = picture[picture.index("<svg") :]  # the words before are of a file of its own
    style = STYLE.replace("GROUND", look.ground).replace("INK", look.ink).replace("DIM", look.dim)
    lines = ["<!doctype html>", '<html lang="en"><head><meta charset="utf-8">', f"<title>{escape(title)}</title>",
             f"<style>{style}</style></head><body>", f"<h1>{escape(title)}</h1>", picture]  # fmt: skip
    for name, measures in groups(found):
        lines += [f"<h2>{escape(name)}</h2>", "<table>"]
        for measure in measures:
            cells = (f"<th>{escape(measure.name)}</th>", f"<td>{escape(measure.value)}</td>",
                     f'<td class="means">{escape(measure.means)}</td>')  # fmt: skip
            lines.append(f"<tr>{''.join(cells)}</tr>")
        lines.append("</table>")
    lines += ["<h2>things</h2>", '<div class="wide"><table class="things">',
              f"<tr>{''.join(f'<th>{escape(head)}</th>' for head in HEADS)}</tr>"]  # fmt: skip
    for row in found.things:
        lines.append(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells_of(row))}</tr>")
    return "\n".join([*lines, "</table></div>", "</body></html>", ""])
