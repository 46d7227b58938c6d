"""report.html: a page without any outside resource, for people and for every browser.

Rows are in it as plain HTML; the script only sorts, filters and reloads it while the batch runs. Whatever comes from
outside (names, sentences) is escaped, and the page's own policy forbids it to load or send anything.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from app.batch.job import DONE, FAILED, RUNNING, SKIPPED, STOPPED, WAITING
from app.batch.page_style import SCRIPT, STYLE
from app.files.atomic import size_text
from app.progress import duration

NO_TRACKS = "no tracks"
SHOWN_NAMES = {"overlay.mp4": "overlay", "trajectories.png": "trajectories", "tracks.csv": "csv",
               "tracks.parquet": "parquet", "summary.json": "summary"}  # fmt: skip
"""The first results of a row, by what they are called there; figures follow by their own names."""
FIGURES = (".png", ".svg", ".pdf")
_ORDER = {FAILED: 0, STOPPED: 1, RUNNING: 2, WAITING: 3, DONE: 4, SKIPPED: 5}
_WORDS = {SKIPPED: "done before"}
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
COLUMNS = (("", ""), ("clip", "t"), ("status", "n"), ("frames", "n"), ("fps", "n"), ("time", "n"), ("tracks", "n"),
           ("longest", "n"), ("recall", "n"), ("RMSE px", "n"), ("results", ""))  # fmt: skip
"""Headings, and how they sort: as text, as numbers, not at all."""


def page(document: Mapping[str, Any], thumbnails: Mapping[str, bytes]) -> str:
    """The page.

    Args:
        document: what report.json holds.
        thumbnails: JPEGs by path of the clip.
    """
    rows, totals = document["clips"], document["totals"]
    scored = any(row.get("scores") for row in rows)
    failed = [row for row in rows if row["status"] in (FAILED, STOPPED)]
    ordered = sorted(rows, key=lambda row: _ORDER[row["status"]] > 1)  # failures on top, else the batch's order
    body = "".join((
        _header(document, totals),
        _failures(failed),
        _table(ordered, thumbnails, scored),
        _details(document),
    ))  # fmt: skip
    title = f"{totals['clips']} clips through {document['pipeline']}"
    live = ' data-live="1"' if document["state"] == "running" else ""
    return (
        f'<!doctype html>\n<html lang="en"{live}><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="color-scheme" content="light dark"><title>{_e(title)}</title>\n<style>{STYLE}</style></head>\n'
        f"<body>{body}<script>{SCRIPT}</script></body></html>\n"
    )


def _e(value: object) -> str:
    return escape(str(value), quote=True)


def _header(document: Mapping[str, Any], totals: Mapping[str, Any]) -> str:
    good, clips = totals[DONE] + totals[SKIPPED], max(1, totals["clips"])
    state = document["state"]
    badge = {"running": "running", "finished": "finished", "stopped": "stopped"}[state]
    if state == "finished" and totals[FAILED]:
        badge = "failed"
    words = {"failed": f"finished, {totals[FAILED]} failed"}.get(badge, badge)
    parts = [(DONE, totals[DONE] + totals[SKIPPED]), (FAILED, totals[FAILED] + totals[STOPPED]),
             (RUNNING, totals[RUNNING])]  # fmt: skip
    bar = "".join(f'<i class="{name}" style="width:{100 * n / clips:.3f}%"></i>' for name, n in parts if n)
    tiles = [
        ("clips done", f"{good}<small> of {totals['clips']}</small>", f"{totals[SKIPPED]} of them before"
         if totals[SKIPPED] else ""),
        ("failed", str(totals[FAILED] + totals[STOPPED]), "bad" if totals[FAILED] + totals[STOPPED] else ""),
        ("frames", _count(totals["processed"]), f"{_count(totals['unreadable'])} unreadable"
         if totals["unreadable"] else "all that were announced" if totals["processed"] == totals["frames"] else
         f"of {_count(totals['frames'])}"),
        ("tracks", _count(totals["tracks"]), f"{_count(totals['rows'])} rows"),
        ("speed", f"{_count(totals['fps'])}<small> fps</small>", "of this call"),
        ("time", _e(duration(totals["seconds"])), size_text(totals["bytes"]) + " of clips"),
    ]  # fmt: skip
    cells = "".join(
        f'<div class="tile{" alarm" if note == "bad" else ""}"><b>{value}</b><span>{_e(name)}</span>'
        f"<em>{_e('' if note == 'bad' else note)}</em></div>"
        for name, value, note in tiles
    )
    when = str(document["started"])[:16].replace("T", " ")
    return (
        f'<header><h1>{_e(document["pipeline"])} <span class="badge {badge}">{_e(words)}</span></h1>'
        f'<p class="sub">{_e(document["root"])} &middot; {_e(when)} &middot; fusetrack '
        f'{_e(document["machine"]["fusetrack"])}</p><div class="bar">{bar}</div>'
        f'<section class="tiles">{cells}</section></header>'
    )


def _failures(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return ""
    items = "".join(
        f'<li><b>{_e(row["name"])}</b> <span>{_e(row["reason"])}</span> {_link(row["log"], "log")}</li>' for row in rows
    )
    return f'<section class="failures"><h2>What went wrong</h2><ul>{items}</ul></section>'


def _table(rows: Iterable[Mapping[str, Any]], thumbnails: Mapping[str, bytes], scored: bool) -> str:
    columns = [c for c in COLUMNS if scored or c[0] not in ("recall", "RMSE px")]
    heads = "".join(
        f'<th data-sort="{kind}"><button type="button">{_e(name)}</button></th>' if kind else f"<th>{_e(name)}</th>"
        for name, kind in columns
    )
    body = "".join(_row(row, thumbnails.get(row["clip"]), scored) for row in rows)
    return (
        '<section><div class="tools"><input id="filter" type="search" placeholder="filter by name, status, remark"'
        ' aria-label="filter"><span id="shown"></span></div><div class="wide"><table><thead><tr>'
        f"{heads}</tr></thead><tbody>{body}</tbody></table></div></section>"
    )


def _row(row: Mapping[str, Any], thumbnail: bytes | None, scored: bool) -> str:
    status, good = row["status"], row["status"] in (DONE, SKIPPED)
    folder = row["folder"]
    picture = '<span class="none"></span>'
    if thumbnail is not None:
        data = base64.b64encode(thumbnail).decode()
        image = f'<img alt="" loading="lazy" src="data:image/jpeg;base64,{data}">'
        first = next(iter(_figures(row)), "")
        picture = f'<a href="{_href(f"{folder}/{first}")}">{image}</a>' if first else image
    facts = [f"{row['width']}&times;{row['height']}"] if good else []
    if row.get("capture_fps"):
        facts.append(f"{row['capture_fps']:g} fps")
    facts.append(_e(size_text(row["bytes"])) if row["bytes"] else "")
    remarks = "".join(f'<p class="remark">{_e(text)}</p>' for text in _remarks(row))
    reason = f'<p class="reason">{_e(row["reason"])}</p>' if row["reason"] and status in (FAILED, STOPPED) else ""
    again = f" <small>attempt {row['attempts']}</small>" if row["attempts"] > 1 else ""
    cells = [
        f'<td class="pic">{picture}</td>',
        f'<td data-v="{_e(row["name"])}"><b>{_e(row["name"])}</b><p class="facts">'
        f"{' &middot; '.join(filter(None, facts))}</p>{reason}{remarks}</td>",
        f'<td data-v="{_ORDER[status]}" title="{_e(row["why"])}"><span class="badge {status}">'
        f"{_e(_WORDS.get(status, status))}</span>{again}</td>",
    ]
    cells += _numbers(row, scored) if good else _progress(row, scored)
    links = [_link(f"{folder}/{name}", SHOWN_NAMES[name]) for name in SHOWN_NAMES if name in row.get("files", ())]
    links += [_link(f"{folder}/{name}", name) for name in _figures(row) if name not in SHOWN_NAMES]
    links += [_link(row["log"], "log")] if status not in (WAITING,) else []
    cells.append(f'<td class="links">{" ".join(links)}</td>')
    return f'<tr class="{status}">{"".join(cells)}</tr>\n'


def _figures(row: Mapping[str, Any]) -> list[str]:
    """The figures of a clip, trajectories first."""
    found = [str(name) for name in row.get("files", ()) if str(name).lower().endswith(FIGURES)]
    return sorted(found, key=lambda name: (not name.startswith("trajectories"), name))


def _remarks(row: Mapping[str, Any]) -> list[str]:
    remarks = []
    if row["status"] in (DONE, SKIPPED):
        if bad := row["frames"]["bad"]:
            remarks.append(f"{bad} of {row['frames']['announced']} frames could not be read")
        if not row["tracks"]:
            remarks.append(NO_TRACKS)
        remarks += [*row.get("warnings", ()), *row.get("hints", ())]
    return remarks


def _numbers(row: Mapping[str, Any], scored: bool) -> list[str]:
    frames, scores = row["frames"], row.get("scores") or {}
    lost = f'<small class="alarm"> &minus;{_count(frames["bad"])}</small>' if frames["bad"] else ""
    cells = [
        _number(frames["processed"], _count(frames["processed"]) + lost),
        _number(row["fps"], _count(row["fps"])),
        _number(row.get("seconds"), _e(duration(row.get("seconds", 0.0)))),
        _number(row["tracks"], _count(row["tracks"])),
        _number(row.get("longest"), _count(row.get("longest", 0))),
    ]
    if scored:
        for name, form in (("recall", ".3f"), ("rmse", ".3f")):
            value = scores.get(name)
            known = value is not None and math.isfinite(value)
            cells.append(_number(value if known else None, format(value, form) if known else ""))
    return cells


def _progress(row: Mapping[str, Any], scored: bool) -> list[str]:
    done, total = row.get("done", 0), row.get("total")
    if row["status"] != RUNNING or not total:
        return [_number(None, "")] * (7 if scored else 5)
    bar = f'<div class="bar"><i class="running" style="width:{100 * done / total:.1f}%"></i></div>'
    return [_number(done, f"{_count(done)} / {_count(total)}{bar}"), *[_number(None, "")] * (6 if scored else 4)]


def _number(value: float | None, text: str) -> str:
    return f'<td class="num" data-v="{-1 if value is None else value}">{text}</td>'


def _count(value: float) -> str:
    return f"{value:,.0f}".replace(",", "\u202f")


def _href(path: str) -> str:
    return _e(quote(path.encode("utf-8", "surrogateescape")))


def _link(path: str, words: str) -> str:
    return f'<a href="{_href(path)}">{_e(words)}</a>'


def _details(document: Mapping[str, Any]) -> str:
    configuration = {k: v for k, v in document["configuration"].items() if not isinstance(v, dict)}
    tables = (("Settings", configuration), ("Machine", document["machine"]), ("Ran by", document["executor"]))
    blocks = "".join(
        f"<details><summary>{_e(name)}</summary><dl>"
        + "".join(f"<dt>{_e(k)}</dt><dd>{_e('none' if v is None else v)}</dd>" for k, v in facts.items())
        + "</dl></details>"
        for name, facts in tables
    )
    links = " ".join(_link(name, name) for name in document.get("files", ()))
    unmatched = "".join(f"<p>nothing matches {_e(repr(pattern))}</p>" for pattern in document.get("unmatched", ()))
    return f'<footer>{unmatched}<p class="cmd">{_e(document["command"])}</p><p>{links}</p>{blocks}</footer>'
