"""Which tracks are picked, what they are called, and how they are measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.desk.bench.state import BenchState
from app.desk.bench.topics import Topic
from app.desk.tracks.calibration import Calibration


class TrackChoice:
    """See the module.

    Args:
        bench: the state that it changes.
    """

    def __init__(self, bench: BenchState) -> None:
        self._bench = bench

    def select(self, tracks: Sequence[int]) -> None:
        """Pick tracks; the order is that of distances and angles."""
        bench = self._bench
        bench.selected = list(dict.fromkeys(tracks))
        bench.colours.keep_apart(bench.selected)
        bench.tell(Topic.SELECTION)

    def look_at(self, tracks: Sequence[int]) -> None:
        """Tracks that are drawn together though none is picked: their colours differ, too."""
        bench = self._bench
        before = [bench.colours.number(track) for track in tracks]
        bench.colours.keep_apart(tracks)
        if before != [bench.colours.number(track) for track in tracks]:
            bench.tell(Topic.VIEW)

    def name(self, track: int) -> str:
        """What people call a track, or else the skeleton its point."""
        bench = self._bench
        return bench.names.get(track) or bench.point_names.get(track) or str(track)

    def corrected(self, names: Mapping[int, str]) -> None:
        """The store's corrections have changed, and what tracks are called."""
        bench = self._bench
        bench.names = dict(names)
        bench.tell(Topic.ROWS, Topic.SELECTION, Topic.VIEW)

    def set_calibration(self, calibration: Calibration) -> None:
        """Change scale, origin or axes."""
        bench = self._bench
        bench.calibration = calibration
        bench.tell(Topic.VIEW)
