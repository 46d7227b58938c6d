"""What can be done with a recording, by menu and keyboard."""

from __future__ import annotations

from app.gui.actions import Action
from app.gui.sessions.record_bar import RecordBar


def record_actions(bar: RecordBar) -> list[Action]:
    """The menu "Record"."""
    bench = bar.bench

    def idle() -> bool:
        return bench.live and not bench.recording

    return [
        Action("record", "Record", "&Record or stop", bar.toggle, "Ctrl+R", "record",
               enabled=lambda: bench.opened is not None or bar.record.isChecked(),
               tip="What the camera delivers, or the clip, goes into a new session, frame by frame, with the tracks"),
        Action("trigger", "Record", "&Trigger", bar.pull, "G", "trigger", enabled=lambda: bool(bench.recording),
               tip="Records what was kept from before, and what follows"),
        Action("rehearse", "Record", "Re&hearse", bar.try_disk, "Ctrl+Shift+R", "gauge", enabled=idle,
               tip="What this disk sustains, tried for three seconds"),
        Action("open_recorded", "Record", "&Open the last session", bar.open_recorded, "Ctrl+Shift+L", "play", group=1,
               enabled=lambda: bool(bench.recorded) and not bench.recording),
        Action("check_replay", "Record", "&Check the replay", bar.check_replay, "", "proof", group=1,
               tip="Processes the session that is open, or was recorded last, again; the tracks have to be the same, "
                   "bit by bit", enabled=lambda: bool(bar.session) and not bench.recording),
    ]  # fmt: skip
