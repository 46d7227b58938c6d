"""Tracks as the simple XML that TrackMate (Fiji) writes by "Export tracks to XML file".

Read by TrackMate's own import, MATLAB's importTrackMateTracks and everything that analyses single particles.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from xml.sax.saxutils import quoteattr

from app.exports.table import TrackTable
from app.files.atomic import replacing

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
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        file.write(f"<Tracks {' '.join(f'{name}={quoteattr(value)}' for name, value in about.items())}>\n")
        for _, rows in tracks:
            file.write(f' <particle nSpots="{len(rows)}">\n')
            places = zip(rows["frame"].tolist(), rows["x"].tolist(), rows["y"].tolist(), strict=True)
            file.writelines(f'  <detection t="{t}" x="{x:.9g}" y="{y:.9g}" z="0.0" />\n' for t, x, y in places)
            file.write(" </particle>\n")
        file.write("</Tracks>\n")
