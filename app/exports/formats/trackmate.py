"""Tracks as the simple XML that TrackMate (Fiji) writes by "Export tracks to XML file".

Read by TrackMate's own import, MATLAB's importTrackMateTracks and everything that analyses single particles.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from pathlib import Path

from app.exports.atomic import replacing
from app.exports.table import TrackTable

UNITS = {"px": "pixel", "um": "\N{MICRO SIGN}m"}
"""Our spelling of a unit -> TrackMate's, where they differ."""


def write_trackmate(table: TrackTable, path: Path) -> None:
    """A <particle> a track with a <detection> a seen place; t counts frames, frameInterval says how long one lasts."""
    tracks = table.each()
    known = table.fps > 0
    about = {
        "nTracks": str(len(tracks)),
        "spaceUnits": UNITS.get(table.units.length, table.units.length),
        "frameInterval": repr(1.0 / table.fps) if known else "1.0",
        "timeUnits": "sec" if known else "frame",
        "generationDateTime": datetime.now(UTC).strftime("%a, %d %b %Y %H:%M:%S"),
        "from": "fusetrack",
    }
    root = ET.Element("Tracks", about)
    for _, rows in tracks:
        particle = ET.SubElement(root, "particle", nSpots=str(len(rows)))
        for t, x, y in zip(rows["frame"].tolist(), rows["x"].tolist(), rows["y"].tolist(), strict=True):
            ET.SubElement(particle, "detection", t=str(t), x=f"{x:.9g}", y=f"{y:.9g}", z="0.0")
    ET.indent(root, " ")
    with replacing(path) as temporary:
        ET.ElementTree(root).write(temporary, encoding="UTF-8", xml_declaration=True)
