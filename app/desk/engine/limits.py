"""What limits a run: the hop that is busiest, with its numbers, and what to do about it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from app.desk.engine.throughput import CAPTURED, PROCESSED, READ, TRACK, WRITE, Cost, Throughput
from app.desk.group_names import brief, owner
from app.files.atomic import size_text
from app.frame_counts import NEVER_CAME
from app.progress import duration
from pipelines.frame import SourceInfo
from pipelines.streaming.live.ledger import BEHIND

NEAR = 0.8
"""Share of the time between two frames from which on a hop is said to be near its limit."""
SLOW = 0.95
"""Share of the wanted rate below which a hop is said to be behind."""
QUEUE = 0.5
"""How full the recorder's queue is when the disk is said to be behind."""
SHORT = 60.0
"""Seconds of disk that are said to be few."""
PROGRAMS, TRACKING, WRITING, READING = "the pipeline", "tracking", "writing", "reading"


class Weight(IntEnum):
    """How bad it is."""

    FINE = 0
    NEAR = 1
    LIMIT = 2
    LOSS = 3


AS_IT_LIES = (".npy", ".mraw", ".cih", ".cihx")
"""Endings of clips whose frames are read as they lie."""


@dataclass(frozen=True, slots=True)
class Work:
    """What is known of the pipeline.

    Args:
        networks: ids of its networks.
        predicted: seconds a frame that the plan says, by program.
    """

    networks: tuple[str, ...] = ()
    predicted: Mapping[str, float] = field(default_factory=dict)


NO_NETWORK = Work()


@dataclass(frozen=True, slots=True)
class Limit:
    """One finding.

    Args:
        weight: how bad it is.
        hop: which part: "camera", "disk", "the pipeline", "tracking", "writing", "reading", "speed", "".
        words: what is so, with numbers.
        advice: what to do; "" for nothing.
    """

    weight: Weight
    hop: str
    words: str
    advice: str = ""

    @property
    def sentence(self) -> str:
        """Both, for people."""
        return f"{self.words}: {self.advice}" if self.advice else self.words


def what_limits(
    seen: Throughput, info: SourceInfo | None, live: bool, *, speed: float | None = 1.0, device: str = "cpu",
    paused: bool = False, work: Work = NO_NETWORK,
) -> list[Limit]:  # fmt: skip
    """What limits, the worst first; there is always one.

    Args:
        seen: as `app.desk.engine.throughput.look` gives it.
        info: of what is open; None for nothing.
        live: whether it is a camera.
        speed: of a clip's playback; None as fast as it goes.
        device: what computes the pipeline.
        paused: whether a clip stands still, so that its rate only dies away and says nothing.
        work: what is known of the pipeline.
    """
    if info is None:
        return [Limit(Weight.FINE, "", "nothing is open")]
    if not seen.speeds:
        return [Limit(Weight.FINE, "", "no frame has come yet")]
    if paused and not live:
        spent = seen.cost("program", TRACK, WRITE)
        took = f"; a frame took {_ms(spent)} without reading" if spent > 0 else ""
        return [Limit(Weight.FINE, "", f"paused{took}")]
    found = [*_disk(seen), *(_camera(seen, info, device, work) if live else _clip(seen, info, speed, device, work))]
    return sorted(found, key=lambda limit: -limit.weight)


def _disk(seen: Throughput) -> list[Limit]:
    disk = seen.disk
    if disk is None:
        return []
    found = []
    if disk.dropped or (disk.queue.room and disk.queue.now > QUEUE * disk.queue.room):
        lost = f", {disk.dropped} frames were lost" if disk.dropped else ""
        rate = f"{size_text(disk.bytes_a_second)}/s" if math.isfinite(disk.bytes_a_second) else "what it can"
        found.append(Limit(
            Weight.LOSS if disk.dropped else Weight.LIMIT, "disk",
            f"the disk takes {rate}, and {disk.queue.now} of {disk.queue.room} frames wait "
            f"for it{lost}",
            "a faster disk, a smaller picture, fewer frames a second; a rehearsal tells what is sustained",
        ))  # fmt: skip
    if disk.seconds_left < SHORT:
        found.append(Limit(Weight.LIMIT, "disk", f"the disk is full in {duration(disk.seconds_left)}",
                           "free some space, or stop"))  # fmt: skip
    return found


def _camera(seen: Throughput, info: SourceInfo, device: str, work: Work) -> list[Limit]:
    found = []
    comes = seen.speed(CAPTURED)
    said = info.time.fps if info.time.fps > 0 else math.nan
    # The rate that the camera states; that at which frames come where it does not.
    pace = said if said > 0 else comes
    missing = seen.recent.missing
    if missing:
        found.append(Limit(
            Weight.LOSS, "camera", f"{missing} frames were lost in the last seconds: they {NEVER_CAME}",
            "its link or its driver lost them: a shorter cable, larger buffers, a smaller picture",
        ))  # fmt: skip
    elif said > 0 and comes < SLOW * said:
        found.append(Limit(
            Weight.LIMIT, "camera", f"the camera gives {comes:.0f} of the {said:.0f} frames/s it is set to",
            "a shorter exposure, a smaller picture, a faster link",
        ))  # fmt: skip
    busiest = _busiest(seen)
    behind = seen.recent.left_out.get(BEHIND, 0)
    if busiest is None or not pace > 0:
        return found or [Limit(Weight.FINE, "camera", f"the camera sets the pace, {comes:.0f} frames/s")]
    hop, cost = busiest
    load, most = cost * pace, 1.0 / cost
    if behind or load > 1.0:
        left = f", {behind} frames were left out in the last seconds" if behind else ""
        found.append(Limit(Weight.LOSS if behind else Weight.LIMIT, hop,
                           f"{hop} takes {_ms(cost)} a frame, the camera gives one each {_ms(1.0 / pace)}{left}",
                           _advice(hop, seen, device, work, 1.0 / pace)))  # fmt: skip
    elif load > NEAR:
        found.append(Limit(
            Weight.NEAR, hop,
            f"{hop} is busy {load:.0%} of the time, {_ms(cost)} a frame of the {_ms(1.0 / pace)} that there are",
            _advice(hop, seen, device, work, 1.0 / pace),
        ))  # fmt: skip
    elif not found:
        found.append(Limit(
            Weight.FINE, "camera", f"the camera sets the pace, {comes:.0f} frames/s; {hop} is the busiest hop with "
            f"{load:.0%} and would follow up to {most:.0f}",
        ))  # fmt: skip
    return found


def _clip(seen: Throughput, info: SourceInfo, speed: float | None, device: str, work: Work) -> list[Limit]:
    names = [s.name for s in seen.speeds]
    rate = seen.speed(PROCESSED if PROCESSED in names else names[0])
    busiest, spent = _busiest(seen), seen.cost("program", TRACK, WRITE)
    known = info.time.fps > 0
    if speed is not None and known:
        wanted = speed * info.time.fps
        if rate >= SLOW * wanted or busiest is None:
            most = f"; as fast as it goes would be up to {1.0 / spent:.0f}" if spent > 0 else ""
            words = "real time" if speed == 1 else f"{speed:.3g} of real time"
            found = f"the chosen speed sets the pace, {words}: {wanted:.0f} frames/s{most}"
            return [Limit(Weight.FINE, "speed", found)]
    if busiest is None or not rate > 0:
        return [Limit(Weight.FINE, "", f"{rate:.0f} frames/s" if rate > 0 else "nothing runs now")]
    other = 1.0 / rate - spent
    # Reading goes on beside the rest, so what is left of a frame's time is what was waited for it.
    hop, cost = (READING, other) if other > max(spent, busiest[1]) else busiest
    found = f"{rate:.0f} frames/s; {hop} takes most, {_ms(cost)} of the {_ms(1.0 / rate)} a frame"
    if hop == READING and info.name.casefold().endswith(AS_IT_LIES):
        return [Limit(Weight.LIMIT, hop, found, "a faster disk; nothing is decoded")]
    period = 1.0 / (speed * info.time.fps) if speed and known else math.nan
    return [Limit(Weight.LIMIT, hop, found, _advice(hop, seen, device, work, period))]


def _busiest(seen: Throughput) -> tuple[str, float] | None:
    """The hop that takes longest for a frame; programs follow one another in one thread, the others have their own."""
    hops = {PROGRAMS: seen.cost("program"), TRACKING: seen.cost(TRACK), WRITING: seen.cost(WRITE),
            READING: seen.cost(READ)}  # fmt: skip
    hop = max(hops, key=lambda name: hops[name])
    return (hop, hops[hop]) if hops[hop] > 0 else None


def _advice(hop: str, seen: Throughput, device: str, work: Work, period: float) -> str:
    if hop == TRACKING:
        return "fewer points (a higher threshold), a smaller search window"
    if hop == WRITING:
        return "a faster disk for the tables, or fewer tracks"
    if hop == READING:
        return "decoding is slow; a clip that was exported as .mraw or .npy is read as it lies"
    programs = [cost for cost in seen.costs if cost.kind == "program"]
    gpu = ", or a GPU" if device in ("cpu", "reference") else ""
    if slow := network_advice(programs, work.networks, period, work.predicted):
        return f"{slow}{gpu}"
    worst = max(programs, key=lambda cost: cost.seconds)
    most = f"most of it is {brief(worst.name.split('+'))}; " if len(programs) > 1 else ""
    return f"{most}a region of interest, smaller radii{gpu}"


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.3g} ms"


def network_advice(
    costs: Sequence[Cost], networks: Collection[str], period: float, predicted: Mapping[str, float]
) -> str:
    """A sentence about the network that takes more of a frame's time than all other programs; "" where none does.

    Args:
        costs: of the programs, which follow one another.
        networks: ids of the pipeline's networks.
        period: seconds from frame to frame; NaN where no rate is wanted.
        predicted: seconds a frame that the plan says, by program.
    """
    total = sum(cost.seconds for cost in costs)
    for network in networks:
        own = [cost for cost in costs if network in map(owner, cost.name.split("+"))]
        spent = sum(cost.seconds for cost in own)
        if spent <= 0.5 * total:
            continue
        said = sum(predicted.get(cost.name, math.nan) for cost in own)
        plan = f" ({1e3 * said:.3g} ms by the plan)" if said > 0 else ""
        words = f"most of it is the network {network}, {1e3 * spent:.3g} ms{plan}"
        # Programs follow one another: of a frame's time the network has what the others leave.
        left = period - (total - spent)
        if spent > left > 0:
            over = spent / left
            # Cost grows with the area of the input, the square of its sides.
            return (f"{words}, {over:.2g} times the {1e3 * left:.3g} ms that are left for it: it would keep up with an "
                    f"input whose sides are about {math.sqrt(1 / over):.2g} times as long, or at every {_nth(over)} "
                    "frame alone; what also helps: an int8 model, if it is none yet")  # fmt: skip
        return f"{words}; a smaller input, the network at every 2nd frame, an int8 model, if it is none yet"
    return ""


def _nth(over: float) -> str:
    """Which frames alone there is time for.

    >>> _nth(1.3), _nth(4.0000001), _nth(20.2), _nth(10.5)
    ('2nd', '4th', '21st', '11th')
    """
    n = max(2, math.ceil(round(over, 2)))
    return f"{n}{'th' if n % 100 in (11, 12, 13) else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"
