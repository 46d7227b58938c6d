"""Data channels in TDMS files (LabVIEW, DAQmx), read by npTDMS, which is loaded where one is read and not before."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from app.channels.channel import Channel, ChannelColumn, Contents, Samples, Values, rising
from app.files.optional import need
from kernels.errors import InputError

PIECE = 1 << 19
"""Samples that are read at once."""
_NUMBERS = "iufb"

Progress = Callable[[float], object]


def look(path: Path) -> Contents:
    """What a TDMS file holds; its samples are not read.

    Raises:
        InputError: it cannot be read, is none, or npTDMS is not installed.
    """
    with _opened(path) as (file, notes), _sound(path):
        channels = _channels(file)
        if not channels:
            raise InputError(f"{path.name} holds no channel of numbers")
        columns, preview = [], []
        rates: list[float] = []
        for name, channel in channels.items():
            unit = str(channel.properties.get("unit_string", "") or channel.properties.get("NI_UnitDescription", ""))
            columns.append(ChannelColumn(name, unit))
            interval = _interval(channel)
            rates += [] if interval is None else [1.0 / interval]
            said = f"{1.0 / interval:.6g} samples a second" if interval else "no rate"
            preview.append((name, f"{len(channel)} samples", said))
        rate = rates[0] if rates else None
        times = [name for name in channels if name.rpartition("/")[2].strip().lower() in ("time", "t", "zeit")]
        if len({round(one, 6) for one in rates}) > 1:
            notes = (*notes, "its channels have different rates; take columns of one rate together")
        return Contents("TDMS", tuple(columns), times[0] if times and rate is None else "", "s", rate,
                        max(map(len, channels.values())), preview=tuple(preview[:8]), notes=notes)  # fmt: skip


def read(path: Path, channel: Channel, progress: Progress) -> Samples:
    """All samples of the columns that a channel looks at; see `app.channels.text.read`."""
    contents, name = look(path), path.name
    columns, clock = contents.chosen(channel, path.name), contents.clock(channel)
    with _opened(path) as (file, _):
        with _sound(path):
            channels = _channels(file)
        wanted = {column.name: channels[column.name] for column in columns}
        if clock:
            if clock not in channels:
                raise InputError(f"{name} has no channel of times {clock!r}; it has {', '.join(channels)}")
            wanted[clock] = channels[clock]
        counts = {len(one) for one in wanted.values()}
        intervals = {_interval(one) for key, one in wanted.items() if key != clock}
        # One time axis for all: different lengths or rates have none.
        if len(counts) > 1 or (not clock and channel.rate is None and len(intervals) > 1):
            each = ", ".join(str(len(one)) for one in wanted.values())
            raise InputError(f"{name}: {', '.join(wanted)} have different rates or numbers of samples ({each}); take "
                             "them one at a time")  # fmt: skip
        count = counts.pop()
        if not count:
            raise InputError(f"{name} holds no samples of {', '.join(wanted)}")
        values: dict[str, Values] = {}
        for number, (key, one) in enumerate(wanted.items()):
            made = np.empty(count)
            # In pieces, so that reading can be stopped.
            for begin in range(0, count, PIECE):
                with _sound(path):
                    made[begin : begin + PIECE] = one.read_data(begin, min(PIECE, count - begin))
                progress((number + min(1.0, (begin + PIECE) / count)) / len(wanted))
            values[key] = made
        interval, begin_at = intervals.pop(), 0.0
        if channel.rate is not None:
            interval = 1.0 / channel.rate
        elif interval is not None:
            with suppress(TypeError, ValueError):
                begin_at = float(next(iter(wanted.values())).properties.get("wf_start_offset", 0.0))
    notes = list(contents.notes)
    for column in columns:
        made = values[column.name]
        empty = int(count - np.count_nonzero(np.isfinite(made)))
        if empty == count:
            raise InputError(f"{name}: {column.name} holds no number")
        if empty:
            notes.append(f"{empty} of {count} samples of {column.name} are no numbers; the curve is broken there")
    shown = {column.name: values[column.name] * column.factor for column in columns}
    if clock:
        return Samples(shown, *rising(values[clock], clock, name), tuple(notes))
    if interval is None:
        raise InputError(f"{name} does not say how many samples a second {columns[0].name} has; give the sample rate, "
                         "or say which channel holds the times")  # fmt: skip
    return Samples(shown, begin_at, interval, None, tuple(notes))


@contextmanager
def _sound(path: Path) -> Iterator[None]:
    """Whatever a damaged file makes npTDMS fall over is one sentence.

    Raises:
        InputError: instead.
    """
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:
        raise InputError(f"{path.name} cannot be read as TDMS: {' '.join(str(error).split())[:120]}") from None


@contextmanager
def _heard() -> Iterator[list[str]]:
    """What npTDMS would write to a terminal meanwhile: each of its modules has a handler of its own for that."""
    words: list[str] = []
    handler = logging.Handler()
    # Each of npTDMS's loggers has its own handler to stderr: all are exchanged for one that keeps the words.
    handler.emit = lambda record: words.append(record.getMessage())  # type: ignore[method-assign]
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("nptdms")]
    before = [(log, log.handlers, log.propagate) for log in loggers]
    for log in loggers:
        log.handlers, log.propagate = [handler], False
    try:
        yield words
    finally:
        for log, handlers, spread in before:
            log.handlers, log.propagate = handlers, spread


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """An npTDMS file, and what is to be said of it.

    Raises:
        InputError: it cannot be read, is none, or npTDMS is not installed.
    """
    try:
        with path.open("rb") as file:
            head = file.read(4)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    if not head:
        raise InputError(f"{path.name} is empty; it holds no samples")
    # Looked at before the library is loaded: it may not be installed, and the file may be none.
    if head != b"TDSm":
        raise InputError(f"{path.name} is no TDMS file, though it is called one")
    reader = need("nptdms", "reading a TDMS file", "tdms")
    with _heard() as words, _sound(path):
        file = reader.TdmsFile.open(path)
    cut = any("incomplete" in said or "less data" in said for said in words)
    try:
        yield file, (f"{path.name} is cut short; what is there is read",) if cut else ()
    finally:
        file.close()


def _channels(file: Any) -> dict[str, Any]:
    """Those of numbers, by "group/channel"."""
    return {f"{group.name}/{channel.name}": channel for group in file.groups() for channel in group.channels()
            if channel.dtype is not None and np.dtype(channel.dtype).kind in _NUMBERS}  # fmt: skip


def _interval(channel: Any) -> float | None:
    """s from sample to sample, as the file says; None where it does not."""
    value = channel.properties.get("wf_increment")
    return float(value) if isinstance(value, int | float) and np.isfinite(value) and value > 0 else None
