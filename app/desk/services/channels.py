"""The data channel beside what is open: read in a thread, moved in time, remembered of each clip while the window is
open (and for longer by a project)."""

from __future__ import annotations

from collections.abc import Callable
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
from app.desk.services.value_steps import ValueSteps
from kernels.errors import FusetrackError, InputError


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


class Channels:
    """See the module.

    Args:
        bench: the state behind the window.

    Attributes:
        history: what was done to it.
        channel: that of what is open, as it is meant; None for none.
        loaded: what is known of it; None while it is read, and where that failed.
        trouble: why it could not be read, "" if it could; it stays what is meant (its file may come back).
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self.channel: Channel | None = None
        self.loaded: Loaded | None = None
        self.trouble = ""
        self._told: list[Callable[[], object]] = []
        self._reading: _Reading | None = None
        self._share = 0.0
        self._kept: dict[str, Channel] = {}
        self._clip = ""
        self.history = ValueSteps[Channel | None](self._set)
        bench.on(Topic.OPENED, self._opened)

    def on(self, listener: Callable[[], object]) -> None:
        """Have `listener` called after each change."""
        self._told.append(listener)

    def _tell(self) -> None:
        for listener in self._told:
            listener()

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
        """How much of it is read; None where nothing is being read."""
        return None if self._reading is None else self._reading.share

    @property
    def offset(self) -> float:
        """s that are added to its times."""
        return 0.0 if self.channel is None else self.channel.offset

    def value_at(self, clip_time: float, column: ChannelColumn) -> float:
        """The sample nearest to a time of the clip; NaN outside."""
        loaded = self.loaded
        if loaded is None:
            return float("nan")
        at = clip_time - self.offset
        low, high = loaded.samples.span
        half = 0.5 / loaded.samples.rate if loaded.samples.count > 1 else 0.0
        if not low - half <= at <= high + half:
            return float("nan")
        return float(loaded.samples.values[column.name][loaded.samples.nearest(at)])

    # -------------------------------------------------------------------------------------------------- changing

    def open(self, channel: Channel) -> None:
        """This lies beside the clip from now on; it is read meanwhile.

        Raises:
            InputError: nothing is open beside which it could lie.
        """
        if not self.possible:
            raise InputError("open a clip first; a data channel lies beside one")
        self._do(f"data channel {Path(channel.path).name}", channel)

    def close(self) -> None:
        """None lies beside the clip any more."""
        if self.channel is not None:
            self._do("no data channel", None)

    def set_offset(self, offset: float) -> None:
        """So many s are added to its times.

        Raises:
            InputError: that is no number.
        """
        if self.channel is not None and offset != self.channel.offset:
            self._do("offset of the data channel", replace(self.channel, offset=offset), merge=True)

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
            self._do("alignment of the data channel", replace(self.channel, offset=offset))
        return offset

    def align_trigger(self, column: str, threshold: float, below: bool, frame: int) -> int:
        """The first sample beyond a threshold was taken when a frame was; that sample.

        Raises:
            InputError: see `app.channels.syncing.first_beyond` and `align`.
        """
        sample = first_beyond(self._samples(), column, threshold, below)
        self.align(sample, frame)
        return sample

    def _samples(self) -> Samples:
        if self.loaded is None:
            raise InputError(self.trouble or ("the data channel is still being read" if self._reading is not None else
                             "there is no data channel; File > Open a data channel opens one"))  # fmt: skip
        return self.loaded.samples

    def _do(self, words: str, after: Channel | None, merge: bool = False) -> None:
        self.history.add(words, self.channel, after, merge)
        self._set(after)

    def _set(self, channel: Channel | None) -> None:
        before, self.channel = self.channel, channel
        if channel is None:
            self._kept.pop(self._clip, None)
            self._stop()
            self.loaded, self.trouble = None, ""
        else:
            self._kept[self._clip] = channel
            asked = before if self.loaded is None else self.loaded.channel
            fresh = asked is None or replace(asked, offset=0.0) != replace(channel, offset=0.0)
            if fresh or (self.loaded is None and self._reading is None):
                self._stop()
                self.loaded, self.trouble = None, ""
                self._reading = _Reading(channel)
        self._tell()

    def _stop(self) -> None:
        if self._reading is not None:
            self._reading.wanted = False
            self._reading = None

    def stop(self) -> None:
        """The window closes: what is being read is read no further."""
        self._stop()

    def poll(self) -> None:
        """Look whether it is read."""
        reading = self._reading
        if reading is None:
            return
        if reading.is_alive():
            if reading.share != self._share:
                self._share = reading.share
                self._tell()
            return
        self._reading = None
        name = Path(reading.channel.path).name
        if reading.loaded is None:
            self.trouble = reading.trouble
            self._bench.speak(Level.ERROR, f"the data channel was not read: {reading.trouble}")
        else:
            self.loaded = reading.loaded
            for sentence in reading.loaded.samples.notes:
                self._bench.speak(Level.WARNING, sentence)
            rate = reading.loaded.samples.rate
            self._bench.speak(Level.NOTE, f"{name}: {reading.loaded.samples.count} samples, {rate:.6g} a second")
        self._tell()

    # ------------------------------------------------------------------------------------------------- following

    def give(self, key: str, channel: Channel | None) -> None:
        """A clip has this when it is opened next: a project says so."""
        self._kept.pop(key, None)
        if channel is not None:
            self._kept[key] = channel

    def _opened(self) -> None:
        clip = self._bench.clip if self.possible else ""
        if clip == self._clip:
            self._tell()
            return
        self._clip = clip
        self.history.begin()
        self._stop()
        self.channel = self.loaded = None
        known = self._kept.get(clip) if clip else None
        if known is not None:
            self._set(known)
        else:
            self._tell()

    # ----------------------------------------------------------------------------------------------------- saving

    def save_at_frames(self, path: Path, how: Resampling, frames: tuple[int, int] | None = None) -> None:
        """Write the channel at the frames' times; see `app.channels.table.write_channel`.

        Args:
            frames: these alone, the first and one past the last; None for all.

        Raises:
            InputError: there is none, it has no time in common with them, or the file cannot be written.
        """
        samples, info = self._samples(), self._bench.info
        assert self.loaded is not None
        assert self.channel is not None
        if info is None or not self.timed:
            raise InputError("the clip's frames have no times; say its rate (File > How the clip is read)")
        first, end = frames if frames is not None else (0, info.frames)
        numbers = range(first, end)
        times = frame_times(info.time, first, end)
        made = at_frames(samples, self.loaded.columns, self.offset, times, how)
        write_channel(path, self.channel, made, numbers, times, how)
