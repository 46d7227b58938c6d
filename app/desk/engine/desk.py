"""What is open in the engine's process, and how the orders of a window are carried out; knows no window and no pipe."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from app.desk.engine import orders as ask
from app.desk.engine import reports as say
from app.desk.engine.live_desk import LiveDesk
from app.desk.engine.picture_box import HEAT, MOST_NAME, PictureBox
from app.desk.engine.ping_pong import PingPong
from app.desk.engine.rows_sink import RowsSink
from app.sources.opening import open_source
from app.sources.session import SessionSource
from kernels.errors import FusetrackError, InputError
from kernels.ir.image import ImageType
from kernels.param import Value
from pipelines.automatic.sample import Sample, sample_of
from pipelines.automatic.settling import as_asked, open_settings, settle
from pipelines.definition import loads
from pipelines.frame import FrameSource, Pixels, SourceInfo
from pipelines.graph import Pipeline
from pipelines.streaming.building import Built
from pipelines.streaming.playback import Playback
from pipelines.streaming.runner import PICTURE
from pipelines.streaming.states import RunState
from pipelines.streaming.working import Latest
from pipelines.writing import dumps

MEASURE = 0.2
"""Seconds between two reports of how it goes."""
BIGGEST = 8
"""Bytes a channel of the widest sample that a box must hold."""
SPEEDS = (1e-4, 1e4)
"""Speeds that make sense."""


class ClipDesk:
    """A clip or a session that is open.

    Args:
        order: what to open.
        sink: takes the rows.

    Raises:
        InputError: it cannot be opened, or the pipeline does not fit it.
    """

    live = False

    def __init__(self, order: ask.Open, sink: RowsSink) -> None:
        self.source: FrameSource = open_source(order.what, order.reading)
        try:
            text, recorded = order.pipeline, not order.pipeline
            if recorded and isinstance(self.source, SessionSource):
                text = self.source.session.pipeline_toml
            if not text:
                raise InputError(f"{self.source.info.name} holds no pipeline of its own; choose one")
            self._sample: Sample | None = None
            self._roi = order.roi
            self.words: tuple[str, ...] = ()
            self.found: Mapping[str, Value] = {}
            pipeline = self.settled(loads(text, recorded=recorded))
            self.runner = Playback(
                self.source, pipeline, [sink], device=order.device, roi=order.roi, pictures=True,
                frames=order.frames, speed=order.speed, loop=order.loop, whole=True, outdated=sink.outdated,
            )  # fmt: skip
            runner = self.runner
            sink.tracking, sink.end = lambda: runner.timeline.tracking, runner.frames[1]
            self.ping_pong = PingPong(self.runner, order, self.source.info.time.fps)
            self.runner.start()
        except BaseException:
            self.source.close()
            raise

    def settled(self, pipeline: Pipeline) -> Pipeline:
        """With numbers in place of "auto", and `words` about them. Frames for them are read before playing begins: it
        reads in a thread of its own."""
        if self._sample is None:
            self._sample = sample_of(self.source) if open_settings(pipeline) else None
        if self._sample is None or not open_settings(pipeline):
            return pipeline
        found = settle(pipeline, self._sample, self._roi)
        self.words, self.found = found.words, found.found
        return found.pipeline

    @property
    def info(self) -> SourceInfo:
        return self.source.info

    @property
    def position(self) -> int:
        return self.runner.position

    @property
    def ledger(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        """Stop, and give the clip back."""
        try:
            self.runner.stop()
        finally:
            self.source.close()


class Desk:
    """Carries out orders; one thread calls it.

    Args:
        report: called with each report.
    """

    def __init__(self, report: Callable[[say.Report], None]) -> None:
        self._report = report
        self._open: ClipDesk | LiveDesk | None = None
        self._box: PictureBox | None = None
        self._sink = RowsSink()
        self._due = 0.0
        self._stood = say.Stood(RunState.IDLE, -1)
        self._built: Built | None = None
        self._noted = 0
        self._output, self._over = "", False
        self._shown = 0
        self._ended = ""

    def obey(self, order: ask.Order) -> None:
        """Carry out an order; what goes wrong is reported."""
        try:
            self._obey(order)
        except FusetrackError as error:
            number = order.number if isinstance(order, ask.Open) else -1
            path = order.path if isinstance(order, ask.StartRecording) else ""
            self._report(say.Refused(str(error), number=number, recording=path))

    def _obey(self, order: ask.Order) -> None:
        if isinstance(order, ask.Open):
            self._begin(order)
            return
        if self._open is None:
            if not isinstance(order, ask.Close | ask.Show | ask.SetLoop | ask.SetSpeed):
                ended = f"the run of {self._ended} has ended; open it again to go on"
                raise InputError(ended if self._ended else "nothing is open")
            return
        opened, runner = self._open, self._open.runner
        if isinstance(order, ask.Close):
            self.close()
            self._report(say.Closed())
        elif isinstance(order, ask.SetParam):
            runner.set_param(order.node, order.param, order.value)
        elif isinstance(order, ask.SetPipeline):
            before = opened.words
            runner.change_pipeline(opened.settled(loads(order.pipeline)))
            for sentence in opened.words if opened.words != before else ():
                self._report(say.Noted(sentence))
        elif isinstance(order, ask.Show):
            if len(order.output.encode()) > MOST_NAME:
                raise InputError(f"{order.output[:40]}… has too long a name to be shown; give the stage a shorter one")
            self._output, self._over = order.output, order.over
            runner.show(order.output)
        elif isinstance(opened, LiveDesk):
            opened.obey(order, self._report)
        else:
            self._of_clip(opened, order)
            opened.ping_pong.obeyed(order)

    def _of_clip(self, opened: ClipDesk, order: ask.Order) -> None:
        runner = opened.runner
        if isinstance(order, ask.Play):
            if not opened.ping_pong.back:
                runner.play()
        elif isinstance(order, ask.Pause):
            runner.pause()
        elif isinstance(order, ask.Step):
            runner.step(order.frames)
        elif isinstance(order, ask.Seek):
            runner.seek(order.frame)
        elif isinstance(order, ask.SetSpeed):
            if order.speed is not None and not SPEEDS[0] <= order.speed <= SPEEDS[1]:
                raise InputError(f"a speed is between {SPEEDS[0]:g} and {SPEEDS[1]:g}, not {order.speed}")
            runner.set_speed(order.speed)
        elif isinstance(order, ask.SetRange):
            runner.set_range(order.first, order.end)
            self._sink.end = order.end
        elif not isinstance(order, ask.SetLoop):  # which is the ping-pong's to obey
            raise InputError("only cameras are recorded")

    def _begin(self, order: ask.Open) -> None:
        """Open something; what was open stays if that fails."""
        sink = RowsSink()
        camera = order.what.startswith(ask.CAMERA)
        made: ClipDesk | LiveDesk = LiveDesk(order, sink) if camera else ClipDesk(order, sink)
        try:
            built = made.runner.built
            assert built is not None
            box = PictureBox(_most_bytes(built, made.info))
        except BaseException:
            made.close()
            raise
        self.close()
        self._open, self._box, self._sink, self._built, self._noted = made, box, sink, built, 0
        self._output, self._over = "", False
        self._stood, self._shown, self._ended = say.Stood(RunState.IDLE, -1), 0, ""
        self._report(
            say.Opened(made.info, made.live, _as_asked(made, built), built.choice.device, _groups(built),
                       _outputs(built), box.name, (*made.words, *((built.note,) if built.note else ())), order.number,
                       made.found)
        )  # fmt: skip
        if order.play and isinstance(made, ClipDesk):
            made.runner.play()
        elif isinstance(made, ClipDesk):
            made.runner.seek(order.frames[0] if order.frames else 0)

    def look(self) -> None:
        """Report what has changed: pictures, rows, state, a few times a second how it goes."""
        opened = self._open
        if opened is None:
            return
        if isinstance(opened, LiveDesk):
            opened.look(self._report)
        else:
            opened.ping_pong.look()
        runner = opened.runner
        # First what is told last: the rows of a picture are there before it, and a pipeline's before it is said to run.
        built, latest = runner.built, runner.latest()
        for rows in self._sink.take():
            self._report(rows)
        if latest is not None:
            self._show(latest)
        back = isinstance(opened, ClipDesk) and opened.ping_pong.back
        stood = say.Stood(RunState.RUNNING if back else runner.state, opened.position)
        if stood != self._stood:
            self._stood = stood
            self._report(stood)
        if built is not None and built is not self._built:
            self._rebuilt(built, opened.position)
        notes = runner.notes
        for note in notes[self._noted :]:
            self._report(say.Noted(note))
        self._noted = len(notes)
        now = time.monotonic()
        if now >= self._due:
            self._due = now + MEASURE
            account = opened.account if isinstance(opened, LiveDesk) else None
            self._report(say.Measured(runner.meter, runner.stage_seconds, opened.ledger, account, self._shown))
        if runner.state is RunState.FAILED:
            sentence, trace, self._ended = runner.error, runner.trace, opened.info.name
            self.close()
            self._report(say.Refused(sentence, ended=True, number=-1, details=trace))
        elif runner.state is RunState.STOPPED:  # the end of a camera's stream
            self.close()
            self._report(say.Closed())

    def _rebuilt(self, built: Built, position: int) -> None:
        opened = self._open
        assert opened is not None
        self._built = built
        box = self._box
        if box is None or _most_bytes(built, opened.info) > box.size:
            made = PictureBox(_most_bytes(built, opened.info))
            if box is not None:
                box.close()
            self._box = made
            box = made
        self._report(
            say.Built(_as_asked(opened, built), built.choice.device, _groups(built), _outputs(built), position,
                      box.name, opened.found)
        )  # fmt: skip

    def _show(self, latest: Latest) -> None:
        """Put the newest picture into the box."""
        opened, box = self._open, self._box
        assert opened is not None
        assert box is not None
        output, result = self._output, latest.result
        pixels = result.taps.get(output) if output else None
        if pixels is None or not isinstance(pixels, np.ndarray) or pixels.ndim < 2:
            output, pixels = "", result.taps.get(PICTURE)
        heat = None
        if output and self._over and (plain := result.taps.get(PICTURE)) is not None:
            output, pixels, heat = "", plain, pixels.reshape(*pixels.shape[:2], -1).max(axis=2)
        if pixels is None:  # a frame that could not be read
            return
        picture: Pixels = np.squeeze(pixels, 2) if pixels.ndim == 3 and pixels.shape[2] == 1 else pixels
        bits = _bits(picture, opened.info) if not output else _bits(picture, None)
        with suppress(ValueError):  # larger than any picture of the pipeline: it comes after a rebuild
            box.put(picture, result.index, result.time, result.tracks, output, bits, heat)
            self._shown += 1

    def close(self) -> None:
        """Close what is open; a recording is closed properly."""
        opened, self._open = self._open, None
        box, self._box = self._box, None
        try:
            if isinstance(opened, LiveDesk):
                opened.close(self._report)
            elif opened is not None:
                opened.close()
        finally:
            if box is not None:
                box.close()


def _as_asked(opened: ClipDesk | LiveDesk, built: Built) -> str:
    """The pipeline as the window has it, TOML: "auto" stands where something was found."""
    return dumps(as_asked(built.pipeline, opened.found))


def _groups(built: Built) -> tuple[str, ...]:
    return tuple(unit.name for unit in built.engine.units)


def _outputs(built: Built) -> tuple[tuple[str, str], ...]:
    """Every image of the user's pipeline, in its order."""
    names = {node.id for node in built.pipeline.nodes}
    types = built.bound.types
    return tuple((str(ref), str(type_)) for ref, type_ in types.items()
                 if ref.node in names and isinstance(type_, ImageType))  # fmt: skip


def _most_bytes(built: Built, info: SourceInfo) -> int:
    pictures = [type_ for type_ in built.bound.types.values() if isinstance(type_, ImageType)]
    heat = max((type_.height * type_.width * HEAT for type_ in pictures), default=0)
    return max([info.width * info.height * BIGGEST, *(type_.nbytes for type_ in pictures)]) + heat


def _bits(picture: Pixels, info: SourceInfo | None) -> int:
    """Significant bits of a sample; 0 for floating point."""
    if picture.dtype.kind == "f":
        return 0
    if picture.dtype.kind == "b":
        return 1
    return min(8 * picture.dtype.itemsize, info.format.bits) if info is not None else 8 * picture.dtype.itemsize
