"""All panels on one sheet, and the page that holds it."""

from __future__ import annotations

from html import escape
from pathlib import Path

from app.evaluation.axes import Place
from app.evaluation.measures import groups
from app.evaluation.panels import (
    MOST_THINGS,
    distances,
    histogram,
    over_time,
    reliability,
    s_curves,
    spectrum,
    stated_sigma,
    thresholds,
    timeline,
)
from app.evaluation.table import HEADS, cells_of
from app.exports.atomic import write_bytes
from app.exports.drawing import GREY, WHITE
from app.exports.shapes import Drawing, Shape, Words, svg, write_drawing
from pipelines.evaluation.complete import Evaluation

ENDINGS = (".png", ".svg", ".html")
LEFT, TOP, WIDE, HIGH, ACROSS, DOWN = 76, 96, 440, 190, 540, 268
ROW, LEAST = 13, 60
STYLE = """
body{margin:0 auto;max-width:1180px;padding:24px;background:#181818;color:#eee;font:14px/1.5 system-ui,sans-serif}
h1{font-size:22px}h2{font-size:15px;margin:22px 0 6px}svg{max-width:100%;height:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:2px 14px 2px 0;text-align:left}
th,td.means{color:#a0a0a0;font-weight:400}.things td,.things th{text-align:right}.wide{overflow-x:auto}
"""


def write_figure(path: Path, found: Evaluation, title: str) -> None:
    """Write the figure, as the ending of the name says.

    Args:
        path: .png, .svg or .html (a page of its own, with the figure and all measures).
        found: what is shown.
        title: names what was compared.

    Raises:
        InputError: the file cannot be written.
    """
    if path.suffix.lower() == ".html":
        write_bytes(path, page(found, title, svg(figure(found, ""))).encode())
    else:
        write_drawing(path, figure(found, title))


def figure(found: Evaluation, title: str) -> Drawing:
    """Panels in two columns, the timeline of identities below; `title` "" for none."""
    clear = found.clear
    line = " · ".join((f"MOTA {clear.mota:.3f}", f"IDF1 {found.identity.idf1:.3f}", f"HOTA {found.hota.hota:.3f}",
                       f"alpha {found.challenge.alpha:.3f}", f"RMSE {clear.rmse:.4f} px",
                       f"id switches {clear.id_switches}", f"recall {clear.recall:.4f}",
                       f"precision {clear.precision:.4f}"))  # fmt: skip
    # Spaces in a row would be one in an SVG. A page has the title above the figure.
    parts: list[Shape] = [Words(title, LEFT, 32, 16, WHITE)] if title else []
    parts.append(Words(line.replace("nan", "-"), LEFT, 56, 12.5, GREY))
    makers = (over_time, histogram, s_curves, spectrum, reliability, stated_sigma, thresholds, distances)
    for number, make in enumerate(makers):
        parts += make(found, Place(LEFT + ACROSS * (number % 2), TOP + DOWN * (number // 2), WIDE, HIGH))
    rows = min(MOST_THINGS, max(1, len(found.things)))
    place = Place(LEFT, TOP + 4 * DOWN, ACROSS + WIDE, max(LEAST, rows * ROW))
    bottom = place.y + place.height + 56
    parts += timeline(found, place)
    return Drawing(LEFT + ACROSS + WIDE + 28, bottom, tuple(parts))


def page(found: Evaluation, title: str, picture: str) -> str:
    """A page that needs nothing else: the figure, the measures, the things."""
    lines = ["<!doctype html>", '<html lang="en"><head><meta charset="utf-8">', f"<title>{escape(title)}</title>",
             f"<style>{STYLE}</style></head><body>", f"<h1>{escape(title)}</h1>", picture]  # fmt: skip
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
