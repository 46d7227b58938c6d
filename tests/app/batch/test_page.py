"""report.html: whole HTML without outside resources, nothing of a name in it as code, failures first."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from app.batch.finding import Clip
from app.batch.folders import Marker
from app.batch.planning import DONE_BEFORE, NEW, Planned
from app.batch.report import BatchReport
from app.files.atomic import write_bytes

NASTY = "a/<script>alert(1)</script>&\"'#?%.npy"
VOID = {"meta", "input", "img", "br"}


class Page(HTMLParser):
    """Checks that tags are closed in order and gathers what matters."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.images: list[str] = []
        self.scripts = 0
        self.rows: list[str] = []
        self.cells: list[int] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)
        if tag == "a":
            self.links.append(found["href"] or "")
        if tag == "img":
            self.images.append(found["src"] or "")
        self.scripts += tag == "script"
        if tag == "tr" and "tbody" in self.open:
            self.rows.append(found["class"] or "")
            self.cells.append(0)
        if tag == "th" and not self.rows:
            self.cells[:1] = [self.cells[0] + 1 if self.cells else 1]
        if tag == "td":
            self.cells[-1] += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def row(**more: Any) -> dict[str, Any]:
    frames = {"announced": 100, "processed": 98, "bad": 2, "first": 0, "not_reached": 0}
    return {
        "status": "done", "reason": "", "frames": frames, "fps": 210.0, "seconds": 3.2, "width": 64, "height": 48,
        "capture_fps": 1000.0, "tracks": 3, "rows": 290, "longest": 98, "thumbnail": "thumbnail.jpg", "hints": [],
        "warnings": ["<b>cut short</b>"], "files": ["tracks.csv", "trajectories.png"],
        "scores": {"recall": 0.5, "rmse": None}, **more,
    }  # fmt: skip


@pytest.fixture
def report(tmp_path: Path) -> BatchReport:
    """Clips of every status; the first is done and has an evil name."""
    marker = Marker("/c/e.npy", {}, "", {}, True, {}, row(tracks=0))
    planned = [
        Planned(Clip("/c/" + name, name), f"{name[:-4]}", 5_000_000, DONE_BEFORE if skip else NEW, "",
                marker if skip else None, not skip)
        for name, skip in ((NASTY, False), ("b.npy", False), ("c.npy", False), ("d.npy", False), ("e.npy", True))
    ]  # fmt: skip
    facts = {"command": "fusetrack batch '<i>'", "pipeline": "blobs", "configuration": {"bright.level": 0.1, "x": {}},
             "root": "/c", "unmatched": ["no<u>*"], "machine": {"fusetrack": "1"}, "executor": {"kind": "local"},
             "files": ["report.json"]}  # fmt: skip
    made = BatchReport(tmp_path, planned, facts)
    (tmp_path / NASTY[:-4]).mkdir(parents=True)
    write_bytes(tmp_path / NASTY[:-4] / "thumbnail.jpg", b"\xff\xd8picture")
    made.begin("/c/" + NASTY, 1)
    made.end("/c/" + NASTY, row())
    made.end("/c/b.npy", {"status": "failed", "reason": "it is <damaged>", "attempts": 2})
    made.begin("/c/c.npy", 1)
    made.progress("/c/c.npy", {"total": 200})
    made.progress("/c/c.npy", {"done": 50, "bad": 0})
    return made


def test_each_sentence_about_a_clip_is_on_the_page(report: BatchReport, tmp_path: Path) -> None:
    """Those about the data before hints."""
    odd = [f"oddity {k}" for k in range(9)]
    report.end("/c/d.npy", row(warnings=odd, hints=["sigma is small"]))
    report.save(force=True)
    text = (tmp_path / "report.html").read_text("utf-8")
    places = [text.index(sentence) for sentence in (*odd, "sigma is small")]
    assert places == sorted(places)


def test_the_page_is_whole_and_stands_alone(report: BatchReport, tmp_path: Path) -> None:
    report.save(force=True)
    assert report.trouble == ""
    text = (tmp_path / "report.html").read_text("utf-8")
    page = Page(text)
    assert page.open == []
    assert page.scripts == 1
    assert "<i>'" not in text
    assert "<damaged>" not in text
    assert "http://" not in text
    assert "https://" not in text
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert all(src.startswith("data:image/jpeg;base64,") for src in page.images)
    assert len(page.images) == 1
    # Failures on top, then the batch's order; every row has a cell for every heading.
    assert page.rows == ["failed", "done", "running", "waiting", "skipped"]
    assert len(set(page.cells)) == 1
    assert "a/%3Cscript%3Ealert%281%29%3C/script%3E%26%22%27%23%3F%25/tracks.csv" in page.links
    assert not [link for link in page.links if link.startswith(("/", "file:"))]
    assert "prefers-color-scheme:dark" in text
    assert 'data-live="1"' in text
    assert "2 of 100 frames could not be read" in text
    assert "no tracks" in text


def test_totals_count_every_clip_once(report: BatchReport) -> None:
    totals = report.totals()
    states = ("done", "skipped", "failed", "stopped", "running", "waiting")
    assert [totals[state] for state in states] == [1, 1, 1, 0, 1, 1]
    assert totals["clips"] == 5
    assert totals["frames"] == 200
    assert totals["processed"] == 196
    assert totals["unreadable"] == 4
    assert totals["bytes"] == 25_000_000


def test_a_report_that_cannot_be_written_says_so_and_stops_nothing(report: BatchReport, tmp_path: Path) -> None:
    (tmp_path / "report.json").mkdir()
    report.save(force=True)
    assert "report.json is a folder" in report.trouble


def test_every_figure_of_a_clip_is_linked_and_the_picture_leads_to_the_first(
    report: BatchReport, tmp_path: Path
) -> None:  # fmt: skip
    folder = "a/%3Cscript%3Ealert%281%29%3C/script%3E%26%22%27%23%3F%25"
    report.end("/c/" + NASTY, row(files=["tracks.csv", "spectra.png", "shapes.pdf", "msd.svg"]))
    report.save(force=True)
    links = Page((tmp_path / "report.html").read_text("utf-8")).links
    assert [f"{folder}/{name}" in links for name in ("msd.svg", "shapes.pdf", "spectra.png")] == [True] * 3
    assert links.count(f"{folder}/msd.svg") == 2, "of the picture, too"
    assert f"{folder}/trajectories.png" not in links
