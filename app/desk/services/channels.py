"""The data channels beside what is open: read in threads, moved in time, remembered of each clip while the window is
open (and for longer by a project)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

from app.channels.channel import Channel, ChannelColumn, Contents, Samples
from app.channels.envelope import Envelope
from app.channels.files import look, read
from app.channels.resampling import Resampling
from app.channels.syncing import first_beyond, offset_of
from app.channels.table import at_frames, frame_times, write_channel
from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.observable import Observable
from app.desk.services.value_steps import ValueSteps
from kernels.errors import FusetrackError, InputError
from pipelines.frame import TimeBase


class _Stopped(Exception):
    """Another channel is wanted, or none."""


@dataclass(frozen=True)
class Loaded:
    """A channel that was read.

    Args:
        channel: as it was asked for; its offset is that of `Channels.channel`.
        contents: of its file.
        columns: those that were read.
        samples: what they hold. envelopes: of each column, by its name.
    """

    channel: Channel
    contents: Contents
    columns: tuple[ChannelColumn, ...]
    samples: Samples
    envelopes: dict[str, Envelope]


@dataclass(frozen=True)
class AtFrames:
    """A channel and the frames at whose times it is wanted.

    Args:
        channel: with its offset. loaded: what it holds.
        time: of the clip. frames: the first and one past the last.
    """

    channel: Channel
    loaded: Loaded
    time: TimeBase
    frames: tuple[int, int]

    def write(self, path: Path, how: Resampling = Resampling.LINEAR) -> None:
        """Write it; see `app.channels.table.write_channel`.

        Raises:
            InputError: it has no time in common with the frames, or the file cannot be written.
        """
        first, end = self.frames
        times = frame_times(self.time, first, end)
        made = at_frames(self.loaded.samples, self.loaded.columns, self.channel.offset, times, how)
        write_channel(path, self.channel, made, range(first, end), times, how)


class _Reading(Thread):
    """Reads one channel.

    Attributes:
        share: that is read. loaded: what came of it; None while it lasts, and where `trouble` says why not.
    """

    def __init__(self, channel: Channel) -> None:
        super().__init__(name="data channel", daemon=True)
        self.channel, self.share, self.wanted = channel, 0.0, True
        self.loaded: Loaded | None = None
        self.trouble = ""
        self.start()

    def run(self) -> None:
        try:
            path = Path(self.channel.path)
            contents = look(path, self.channel.delimiter, self.channel.decimal)
            columns = contents.chosen(self.channel, path.name)
            samples = read(self.channel, self._told)
            envelopes = {}
            for column in columns:
                self._told(1.0)
                envelopes[column.name] = Envelope(samples.values[column.name])
            self.loaded = Loaded(self.channel, contents, columns, samples, envelopes)
        except _Stopped:
            pass
        except FusetrackError as error:
            self.trouble = str(error)
        except Exception as error:  # a thread that ends without a word would leave the window waiting
            self.trouble = f"{Path(self.channel.path).name} cannot be read: {error}"

    def _told(self, share: float) -> None:
        self.share = share
        if not self.wanted:
            raise _Stopped


@dataclass
class Entry:
    """One channel beside the clip.

    Args:
        channel: as it is meant.
        loaded: what is known of it; None while it is read, and where that failed.
        trouble: why it could not be read, "" if it could; it stays what is meant (its file may come back).
        reading: reads it now; None for nothing.
    """

    channel: Channel
    loaded: Loaded | None = None
    trouble: str = ""
    reading: _Reading | None = None

    def stop(self) -> None:
        """Read it no further."""
        if self.reading is not None:
            self.reading.wanted = False
            self.reading = None


class Channels(Observable):
    """See the module. Of several, one is chosen: what is said, moved, marked and closed is that one.

    Args:
        bench: the state behind the window.

    Attributes:
        history: what was done to them.
        entries: those beside what is open, in the order in which they came.
    """

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self.entries: list[Entry] = []
        self._chosen = 0
        self._shares: list[float] = []
        self._kept: dict[str, tuple[Channel, ...]] = {}
        self._clip = ""
        self.history = ValueSteps[tuple[Channel, ...]](self._set)
        bench.on(Topic.OPENED, self._opened)

    @property
    def all(self) -> tuple[Channel, ...]:
        """Those beside what is open."""
        return tuple(entry.channel for entry in self.entries)

    @property
    def chosen(self) -> int:
        """The place of the one that is chosen."""
        return min(self._chosen, max(0, len(self.entries) - 1))

    def choose(self, place: int) -> None:
        """Choose another one."""
        if place != self.chosen:
            self._chosen = place
            self._notify()

    @property
    def _entry(self) -> Entry | None:
        return self.entries[self.chosen] if self.entries else None

    @property
    def channel(self) -> Channel | None:
        """The one that is chosen; None where there is none."""
        return None if self._entry is None else self._entry.channel

    @property
    def loaded(self) -> Loaded | None:
        """What is known of it; None while it is read, and where that failed."""
        return None if self._entry is None else self._entry.loaded

    @property
    def trouble(self) -> str:
        """Why it could not be read, "" if it could."""
        return "" if self._entry is None else self._entry.trouble

    # ------------------------------------------------------------------------------------------------- what it is

    @property
    def possible(self) -> bool:
        """Whether a channel can lie beside what is open: a clip."""
        return self._bench.opened is not None and not self._bench.live

    @property
    def timed(self) -> bool:
        """Whether the clip's frames have times, beside which samples can be laid."""
        return self._bench.info is not None and self._bench.info.time.fps > 0

    @property
    def share(self) -> float | None:
        """How much of it is read; None where it is not being read."""
        return None if self._entry is None or self._entry.reading is None else self._entry.reading.share

    @property
    def offset(self) -> float:
        """s that are added to its times."""
        return 0.0 if self.channel is None else self.channel.offset

    def value_at(self, clip_time: float, entry: Entry, column: ChannelColumn) -> float:
        """The sample nearest to a time of the clip; NaN outside."""
        if (loaded := entry.loaded) is None:
            return float("nan")
        at = clip_time - entry.channel.offset
        low, high = loaded.samples.span
        half = 0.5 / loaded.samples.rate if loaded.samples.count > 1 else 0.0
        if not low - half <= at <= high + half:
            return float("nan")
        return float(loaded.samples.values[column.name][loaded.samples.nearest(at)])

    # -------------------------------------------------------------------------------------------------- changing

    def open(self, channel: Channel) -> None:
        """This lies beside the clip from now on, in place of one of the same file; it is read meanwhile.

        Raises:
            InputError: nothing is open beside which it could lie.
        """
        if not self.possible:
            raise InputError("open a clip first; a data channel lies beside one")
        paths = [one.path for one in self.all]
        place = paths.index(channel.path) if channel.path in paths else len(paths)
        self._chosen = place
        if place < len(paths):
            self.entries[place].trouble = ""  # its file may have come back: it is read once more
        self._do(f"data channel {Path(channel.path).name}", (*self.all[:place], channel, *self.all[place + 1 :]))

    def close(self) -> None:
        """The one that is chosen lies beside the clip no more."""
        if self.channel is not None:
            place = self.chosen
            words = "no data channel" if len(self.entries) == 1 else f"no data channel {Path(self.channel.path).name}"
            self._do(words, (*self.all[:place], *self.all[place + 1 :]))

    def set_offset(self, offset: float) -> None:
        """So many s are added to its times.

        Raises:
            InputError: that is no number.
        """
        if self.channel is not None and offset != self.channel.offset:
            self._do("offset of the data channel", self._moved(offset), merge=True)

    def align(self, sample: int, frame: int) -> float:
        """A sample was taken when a frame was; the offset that comes of it, s.

        Args:
            sample: counted from 0. frame: of the clip, counted from 0.

        Raises:
            InputError: there is no such sample or frame, or the clip has no times.
        """
        samples, info = self._samples(), self._bench.info
        if info is None or not self.timed:
            raise InputError("the clip's frames have no times; say its rate (File > How the clip is read)")
        if not 0 <= frame < info.frames:
            raise InputError(f"there is no such frame; the clip has {info.frames}")
        offset = offset_of(samples, sample, float(info.time.time(frame)))
        if self.channel is not None and offset != self.channel.offset:
            self._do("alignment of the data channel", self._moved(offset))
        return offset

    def align_trigger(self, column: str, threshold: float, below: bool, frame: int) -> int:
        """The first sample beyond a threshold was taken when a frame was; that sample.

        Raises:
            InputError: see `app.channels.syncing.first_beyond` and `align`.
        """
        sample = first_beyond(self._samples(), column, threshold, below)
        self.align(sample, frame)
        return sample

    def _moved(self, offset: float) -> tuple[Channel, ...]:
        place = self.chosen
        return (*self.all[:place], replace(self.all[place], offset=offset), *self.all[place + 1 :])

    def _samples(self) -> Samples:
        if self.loaded is None:
            raise InputError(self.trouble or ("the data channel is still being read" if self.share is not None else
                             "there is no data channel; File > Open a data channel opens one"))  # fmt: skip
        return self.loaded.samples

    def _do(self, words: str, after: tuple[Channel, ...], merge: bool = False) -> None:
        self.history.add(words, self.all, after, merge)
        self._set(after)

    def _set(self, channels: tuple[Channel, ...]) -> None:
        before, self.entries = self.entries, []
        for channel in channels:
            # With another offset alone what was read stays.
            asked = replace(channel, offset=0.0)
            known = next((entry for entry in before if replace(entry.channel, offset=0.0) == asked), None)
            if known is not None:
                before.remove(known)
                known.channel = channel
            entry = known or Entry(channel)
            if entry.loaded is None and entry.reading is None and not entry.trouble:
                entry.reading = _Reading(channel)
            self.entries.append(entry)
        for entry in before:
            entry.stop()
        if channels:
            self._kept[self._clip] = channels
        else:
            self._kept.pop(self._clip, None)
        self._notify()

    def stop(self) -> None:
        """The window closes: what is being read is read no further."""
        for entry in self.entries:
            entry.stop()

    def poll(self) -> None:
        """Look whether something is read."""
        ended = [entry for entry in self.entries if entry.reading is not None and not entry.reading.is_alive()]
        for entry in ended:
            self._read(entry)
        shares = [entry.reading.share for entry in self.entries if entry.reading is not None]
        if ended or shares != self._shares:
            self._shares = shares
            self._notify()

    def _read(self, entry: Entry) -> None:
        """It was read, or could not be."""
        reading, entry.reading = entry.reading, None
        assert reading is not None
        name = Path(reading.channel.path).name
        if reading.loaded is None:
            entry.trouble = reading.trouble
            self._bench.speak(Level.ERROR, f"the data channel was not read: {reading.trouble}")
            return
        entry.loaded = reading.loaded
        for sentence in reading.loaded.samples.notes:
            self._bench.speak(Level.WARNING, sentence)
        rate = reading.loaded.samples.rate
        self._bench.speak(Level.NOTE, f"{name}: {reading.loaded.samples.count} samples, {rate:.6g} a second")

    # ------------------------------------------------------------------------------------------------- following

    def give(self, key: str, channels: tuple[Channel, ...]) -> None:
        """A clip has these when it is opened next: a project says so."""
        self._kept.pop(key, None)
        if channels:
            self._kept[key] = channels

    def _opened(self) -> None:
        clip = self._bench.clip if self.possible else ""
        if clip == self._clip:
            self._notify()
            return
        self._clip = clip
        self.history.begin()
        self.stop()
        self.entries, self._chosen = [], 0
        known = self._kept.get(clip, ()) if clip else ()
        if known:
            self._set(known)
        else:
            self._notify()

    # ----------------------------------------------------------------------------------------------------- saving

    def at_frames(self, entry: Entry, frames: tuple[int, int] | None = None) -> AtFrames:
        """What is needed to write a channel at the frames' times, in whatever thread.

        Args:
            frames: these alone, the first and one past the last; None for all.

        Raises:
            InputError: it is not read, or the clip has no times.
        """
        info = self._bench.info
        if entry.loaded is None:
            raise InputError(entry.trouble or "the data channel is still being read")
        if info is None or not self.timed:
            raise InputError("the clip's frames have no times; say its rate (File > How the clip is read)")
        return AtFrames(entry.channel, entry.loaded, info.time, frames if frames is not None else (0, info.frames))

    def chosen_at_frames(self) -> AtFrames:
        """The same of the channel that is chosen, at all frames.

        Raises:
            InputError: there is none, or as `at_frames`.
        """
        self._samples()
        return self.at_frames(self.entries[self.chosen])
