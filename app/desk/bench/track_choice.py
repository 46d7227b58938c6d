"""Which tracks are picked, what they are called, and how they are measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.desk.bench.state import BenchState
from app.desk.bench.topics import Topic
from app.desk.tracks.calibration import Calibration


class TrackChoice(BenchState):
    """See the module."""

    def select(self, tracks: Sequence[int]) -> None:
        """Pick tracks; the order is that of distances and angles."""
        self.selected = list(dict.fromkeys(tracks))
        self.colours.keep_apart(self.selected)
        self._tell(Topic.SELECTION)

    def look_at(self, tracks: Sequence[int]) -> None:
        """Tracks that are drawn together though none is picked: their colours differ, too."""
        before = [self.colours.number(track) for track in tracks]
        self.colours.keep_apart(tracks)
        if before != [self.colours.number(track) for track in tracks]:
            self._tell(Topic.VIEW)

    def name(self, track: int) -> str:
        """What people call a track, or else the skeleton its point."""
        return self.names.get(track) or self.point_names.get(track) or str(track)

    def corrected(self, names: Mapping[int, str]) -> None:
        """The store's corrections have changed, and what tracks are called."""
        self.names = dict(names)
        self._tell(Topic.ROWS, Topic.SELECTION, Topic.VIEW)

    def set_calibration(self, calibration: Calibration) -> None:
        """Change scale, origin or axes."""
        self.calibration = calibration
        self._tell(Topic.VIEW)
