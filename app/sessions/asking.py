"""Triggers as the command line spells them.

    speed>200            a feature moves faster than 200 px/s
    region:10,20,64,48   a feature comes into this rectangle: x, y, width, height in px
    lost                 a feature that was followed is lost, other than by leaving the picture
    time:12:00:00        the clock of this computer, today or tomorrow
    key                  a key on the terminal, a line "trigger" on standard input, the signal USR1
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from app.sessions.triggers import Condition, Enters, FasterThan, Lost
from kernels.errors import InputError

KEY = "key"
SPELLINGS = "speed>200, region:x,y,width,height, lost, time:12:00:00 or key"


@dataclass(frozen=True)
class Asked:
    """What is to trigger a recording, besides a key, a line or a signal, which always can.

    Args:
        conditions: on the tracks.
        at: times of the clock.
    """

    conditions: tuple[Condition, ...] = ()
    at: tuple[datetime, ...] = ()


def parse_triggers(texts: Sequence[str], now: datetime | None = None) -> Asked:
    """What `texts` ask for.

    Args:
        texts: as the module says.
        now: the clock; replaced in tests.

    Raises:
        InputError: none of the spellings.
    """
    conditions: list[Condition] = []
    at: list[datetime] = []
    for text in texts:
        word, _, rest = text.strip().partition(":")
        if speed := re.fullmatch(r"speed\s*>\s*(\S+)", text.strip()):
            conditions.append(FasterThan(_positive(speed[1], text)))
        elif word == "region":
            conditions.append(Enters(_region(rest, text)))
        elif word == "time":
            at.append(_moment(rest, now or datetime.now(), text))
        elif text.strip() == "lost":
            conditions.append(Lost())
        elif text.strip() != KEY:
            raise InputError(f"--trigger takes {SPELLINGS}, not {text!r}")
    return Asked(tuple(conditions), tuple(at))


def _positive(text: str, whole: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise InputError(f"--trigger {whole!r}: a speed is a number of px/s, such as speed>200")
    return value


def _region(text: str, whole: str) -> tuple[float, float, float, float]:
    try:
        x, y, width, height = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--trigger {whole!r}: a region is x,y,width,height in px, such as "
                         "region:10,20,64,48") from None  # fmt: skip
    if not (width > 0 and height > 0 and math.isfinite(x + y + width + height)):
        raise InputError(f"--trigger {whole!r}: the region is empty")
    return x, y, width, height


def _moment(text: str, now: datetime, whole: str) -> datetime:
    try:
        clock = time.fromisoformat(text)
    except ValueError:
        raise InputError(f"--trigger {whole!r}: a time is hours:minutes:seconds, such as time:12:00:00") from None
    if clock.tzinfo is not None:
        raise InputError(f"--trigger {whole!r}: a time is that of this computer's clock, without a time zone")
    moment = datetime.combine(now.date(), clock)
    return moment if moment >= now else moment + timedelta(days=1)
