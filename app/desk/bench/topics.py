"""What a bench tells its listeners, and what it needs of the engine."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from app.desk.engine import commands, reports
from app.desk.engine.picture_box import Shown


class Topic(Enum):
    """What views listen to."""

    OPENED = "opened"  # something was opened or closed; everything may differ
    STATE = "state"  # `state`
    PICTURE = "picture"  # a new `shown`
    ROWS = "rows"  # the store has changed
    TABLES = "tables"  # new `tables`
    MEASURED = "measured"  # a new `measured`
    PIPELINE = "pipeline"  # the pipeline as the user edits it
    BUILT = "built"  # the pipeline as it runs: groups, outputs
    SELECTION = "selection"  # `selected`
    VIEW = "view"  # calibration, names, range, events, speed, loop, shown output
    CAMERA = "camera"  # what the camera says about itself: somebody has set it
    RECORDING = "recording"  # a recording began or ended
    MESSAGE = "message"  # `messages` grew


class Level(Enum):
    """How loud a message is."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for the user; `details` is for a report."""

    level: Level
    sentence: str
    details: str = ""
    at: float = field(default_factory=time.time)


class Link(Protocol):
    """What the workbench needs of an `EngineLink`."""

    def send(self, order: commands.Order) -> None: ...
    def poll(self) -> list[reports.Report]: ...
    def picture(self) -> Shown | None: ...
    def close(self) -> None: ...
    def start_again(self) -> None: ...
