"""Sends the tracks of a run while they are found; neither the run nor this ever waits for a receiver."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.sending import json_lines, osc
from app.sending.message import FRAME_DTYPE, Encode, Message, packets
from app.sending.transports import Address, Transport, parse_address, transport
from kernels.errors import InputError
from pipelines.features import join_tracks
from pipelines.frame import UNKNOWN, FrameBatch, Result
from pipelines.streaming.common.meter import Latency, Meter

FORMATS: Mapping[str, Encode] = {"json": json_lines.encode, "osc": osc.encode}
WAITING = 64
"""Batches that may wait to be sent; where there are more, the oldest is given up: what is late is of no use."""
KNOWN = 1 << 15
"""Frames whose arrival is remembered until they are tracked."""
BEHIND = "this computer was behind"


@dataclass(frozen=True, slots=True)
class Sending:
    """What is to be sent where: `--send` and `--send-format`.

    Args:
        address: where to.
        form: of `FORMATS`.
    """

    address: Address
    form: str = "json"

    @staticmethod
    def of(address: str, form: str = "json") -> Sending:
        """By its spelling; raises InputError as `parse_address`."""
        if form not in FORMATS:
            raise InputError(f"--send-format is {' or '.join(FORMATS)}, not {form!r}")
        return Sending(parse_address(address), form)


@dataclass(frozen=True, slots=True)
class Sent:
    """How it went.

    Args:
        address: where to.
        batches, rows, packets: that were sent.
        dropped: batches that were not, or in part, by reason.
        latency: from when the host had a frame to when its tracks were sent; None if unknown.
    """

    address: str
    batches: int
    rows: int
    packets: int
    dropped: Mapping[str, int]
    latency: Latency | None

    def describe(self) -> str:
        """In words."""
        lost = sum(self.dropped.values())
        words = f"{self.batches} of {self.batches + lost} batches to {self.address}"
        if lost:
            words += f", {lost} dropped ({', '.join(f'{count}: {why}' for why, count in self.dropped.items())})"
        if self.latency is not None and self.latency.frames:
            times = (1e3 * self.latency.p50, 1e3 * self.latency.p99, 1e3 * self.latency.worst)
            words += "; {:.1f} ms median, {:.1f} ms for 99 %, {:.1f} ms at worst, from camera to socket".format(*times)
        return words


class Sender:
    """A sink (`pipelines.frame.Sink`) with a thread of its own, which begins with the first batch.

    Args:
        sending: where to, and how.
        made: the transport; by the address without it.

    Raises:
        InputError: the address leads nowhere.
    """

    def __init__(self, sending: Sending, made: Transport | None = None) -> None:
        self._transport = transport(sending.address) if made is None else made
        self._encode, self._to = FORMATS[sending.form], str(sending.address)
        self._waiting: deque[tuple[int, Sequence[Result]]] = deque()
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._batch = 0
        self._rows = self._packets = self._batches = 0
        self._dropped: Counter[str] = Counter()
        self._meter = Meter()
        self._announced = 0
        self._arrivals = np.full((KNOWN, 2), UNKNOWN, np.int64)  # of frame k at k % KNOWN: camera's and host's time, ns

    def arrived(self, arrivals: npt.NDArray[np.void]) -> None:
        """The next frames that the run announces (ARRIVAL); called by the thread that takes them."""
        count = len(arrivals)
        at = np.arange(self._announced, self._announced + count) % KNOWN
        self._arrivals[at, 0], self._arrivals[at, 1] = arrivals["camera_time"], arrivals["host_time"]
        self._announced += count

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        """Have the tracks of a batch sent."""
        del frames
        if not results:
            return
        with self._wake:
            if len(self._waiting) >= WAITING:
                self._waiting.popleft()
                self._dropped[BEHIND] += 1
            self._waiting.append((self._batch, results))
            self._batch += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="send", daemon=True)
                self._thread.start()
            self._wake.notify()

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
                number, results = self._waiting.popleft()
            try:
                self._send(number, results)
            except Exception as error:  # the run goes on, and whoever ended it gets the error
                self._dropped[f"{type(error).__name__}: {error}"] += 1

    def _send(self, number: int, results: Sequence[Result]) -> None:
        rows = join_tracks(result.tracks for result in results)
        table = np.zeros(len(results), FRAME_DTYPE)
        table["camera_time"] = table["latency"] = np.nan
        table["frame"] = [result.index for result in results]
        table["time"] = [result.time for result in results]
        known = (table["frame"] >= self._announced - KNOWN) & (table["frame"] < self._announced)
        camera, host = self._arrivals[table["frame"][known] % KNOWN].T
        table["camera_time"][known] = np.where(camera == UNKNOWN, np.nan, camera / 1e9)
        table["latency"][known] = np.where(host == UNKNOWN, np.nan, (time.time_ns() - host) / 1e9)
        why = ""
        for packet in packets(Message(number, table, rows), self._encode, self._transport.most):
            why = self._transport.send(packet)
            if why:
                break
            self._packets += 1
        if why:
            self._dropped[why] += 1
            return
        self._batches += 1
        self._rows += len(rows)
        late = table["latency"][np.isfinite(table["latency"])]
        if len(late):
            self._meter.latency("sent", late)

    def close(self) -> None:
        """Send what waits, and end; a second time nothing happens."""
        with self._wake:
            closed, self._closed = self._closed, True
            self._wake.notify()
        if closed:
            return
        if self._thread is not None:
            self._thread.join()
        self._transport.close()

    @property
    def sent(self) -> Sent:
        """How it went so far."""
        latency = self._meter.snapshot().latencies.get("sent")
        return Sent(self._to, self._batches, self._rows, self._packets, dict(self._dropped), latency)
