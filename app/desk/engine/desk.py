"""What is open in the engine's process, and how the orders of a window are carried out; knows no window and no pipe."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from app.desk.engine import commands, reports
from app.desk.engine.fallback import PLAIN, fitting
from app.desk.engine.kept_run import KeptRun, Unless
from app.desk.engine.live_desk import LiveDesk
from app.desk.engine.picture_box import HEAT, MOST_NAME, PictureBox
from app.desk.engine.ping_pong import PingPong
from app.desk.engine.rows_sink import RowsSink
from app.desk.pipeline.heat_maps import heat_map, placement_of, standing_placement
from app.sources.opening import open_source
from app.sources.session import SessionSource
from kernels.errors import FusetrackError, InputError
from kernels.ir.image import ImageType
from kernels.param import Value
from pipelines.automatic.sample import Sample, further_of, sample_of
from pipelines.automatic.settling import as_asked, open_settings, settle
from pipelines.definition import loads
from pipelines.frame import FrameSource, Pixels, SourceInfo
from pipelines.graph import Pipeline, Ref
from pipelines.streaming.common.states import RunState
from pipelines.streaming.common.still import still_of
from pipelines.streaming.common.watched import Latest
from pipelines.streaming.engine.building import Built
from pipelines.streaming.engine.tracking import PICTURE
from pipelines.streaming.playback.options import PlaybackOptions
from pipelines.streaming.playback.playback import Playback
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
        InputError: it cannot be opened. A pipeline that does not fit it is no reason: `misfit` says why, "" if it does.
    """

    live = False

    def __init__(self, order: commands.Open, sink: RowsSink) -> None:
        self._playing = False
        self._kept: KeptRun | None = None
        if order.run:
            self._kept = KeptRun(order.run, order.what, loads(order.pipeline))
        kept = self._kept
        self._open = partial(open_source, order.what) if kept is None else kept.open
        self._reading = order.reading
        self.source: FrameSource = self._open(order.reading)
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

            def made(pipeline: Pipeline) -> Playback:
                options = PlaybackOptions(device=order.device, roi=order.roi, pictures=True, speed=order.speed,
                                          loop=order.loop, whole=True, measured=True,
                                          still=self._still)  # fmt: skip
                sinks = [Unless(sink, lambda: self._kept is not None)]
                runner = Playback(self.source, pipeline, sinks, options, frames=order.frames, outdated=self._outdated)
                sink.tracking, sink.end = lambda: runner.timeline.tracking, runner.frames[1]
                self._playing = True
                runner.start()
                return runner

            self._sink, self.misfit = sink, ""
            if order.bare and kept is None:
                self.asked = PLAIN
                self.runner = made(PLAIN)
            elif kept is None:
                self.asked = loads(text, recorded=recorded)
                self.runner, self.misfit = fitting(self.asked, lambda one: made(self.settled(one)), made)
            else:
                self.asked, self.found = kept.bare, kept.found
                self.runner = made(kept.bare)
            self.ping_pong = PingPong(self.runner, order, self.source.info.time.fps)
        except BaseException:
            self.source.close()
            raise

    def settled(self, pipeline: Pipeline) -> Pipeline:
        """With numbers in place of "auto", and `words` about them."""
        if self._sample is None:
            self._sample = self._look() if open_settings(pipeline) else None
        if self._sample is None or not open_settings(pipeline):
            return pipeline
        found = settle(pipeline, self._sample, self._roi)
        self.words, self.found = found.words, found.found
        return found.pipeline

    def _look(self) -> Sample:
        """Frames from all over the clip. Once playing has begun they are read from a source of their own: decoders
        serve one thread, and playing reads in another."""
        with nullcontext(self.source) if not self._playing else closing(self._again()) as source:
            return replace(sample_of(source), ground=self._still, further=self._further)

    def _still(self) -> Pixels | None:
        """The clip where nothing moves, while it may be playing."""
        return still_of(self.source, self._again)

    def _further(self) -> Sample:
        with closing(self._again()) as other:
            return further_of(other)

    def _again(self) -> FrameSource:
        return self._open(self._reading)

    @property
    def kept(self) -> KeptRun | None:
        """The run whose tracks are shown as they were written; None once they are computed here."""
        return self._kept

    def _outdated(self) -> None:
        self._kept = None  # from here on results are of the pipeline that was asked for
        self._sink.outdated()

    def set_param(self, order: commands.SetParam) -> None:
        """Change a parameter; raises as `Playback.set_param` and `set_pipeline`."""
        kept = self._kept
        if kept is None:
            self.runner.set_param(order.node, order.param, order.value)
        else:
            self.set_pipeline(kept.pipeline.with_settings({f"{order.node}.{order.param}": order.value}))

    def set_pipeline(self, pipeline: Pipeline) -> None:
        """Go over to another pipeline, or compute a run's anew.

        Raises:
            InputError: it does not fit the clip, or that is not there.
        """
        kept = self._kept
        if kept is not None and not kept.there:
            raise InputError(kept.note)
        settled = self.settled(pipeline)
        if kept is not None:
            kept.pipeline = pipeline
        self.runner.change_pipeline(settled)

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

    def __init__(self, report: Callable[[reports.Report], None]) -> None:
        self._report = report
        self._open: ClipDesk | LiveDesk | None = None
        self._box: PictureBox | None = None
        self._sink = RowsSink()
        self._due = 0.0
        self._stood = reports.Stood(RunState.IDLE, -1)
        self._built: Built | None = None
        self._noted = 0
        self._output, self._over = "", False
        self._standing: npt.NDArray[np.float64] | None = None
        self._looked: tuple[str, ...] = ("",)
        self._ended = ""

    def obey(self, order: commands.Order) -> None:
        """Carry out an order; what goes wrong is reported."""
        try:
            self._obey(order)
        except FusetrackError as error:
            number = order.number if isinstance(order, commands.Open) else -1
            path = order.path if isinstance(order, commands.StartRecording) else ""
            self._report(reports.Refused(str(error), number=number, recording=path))

    def _obey(self, order: commands.Order) -> None:
        if isinstance(order, commands.Open):
            self._begin(order)
            return
        if self._open is None:
            if not isinstance(order, commands.Close | commands.Show | commands.SetLoop | commands.SetSpeed):
                ended = f"the run of {self._ended} has ended; open it again to go on"
                raise InputError(ended if self._ended else "nothing is open")
            return
        opened, runner = self._open, self._open.runner
        if isinstance(order, commands.Close):
            self.close()
            self._report(reports.Closed())
        elif isinstance(order, commands.SetParam):
            if isinstance(opened, ClipDesk):
                opened.set_param(order)
            else:
                runner.set_param(order.node, order.param, order.value)
        elif isinstance(order, commands.SetPipeline):
            before, pipeline = opened.words, loads(order.pipeline)
            if isinstance(opened, ClipDesk):
                opened.set_pipeline(pipeline)
            else:
                runner.change_pipeline(opened.settled(pipeline))
            for sentence in opened.words if opened.words != before else ():
                self._report(reports.Noted(sentence))
        elif isinstance(order, commands.Show):
            if len(order.output.encode()) > MOST_NAME:
                raise InputError(f"{order.output[:40]}… has too long a name to be shown; give the stage a shorter one")
            self._output, self._over = order.output, order.over
            self._look_at(again=True)
        elif isinstance(opened, LiveDesk):
            opened.obey(order, self._report)
        else:
            self._of_clip(opened, order)
            opened.ping_pong.obeyed(order)

    def _of_clip(self, opened: ClipDesk, order: commands.Order) -> None:
        runner = opened.runner
        if isinstance(order, commands.Play):
            if not opened.ping_pong.back:
                runner.play()
        elif isinstance(order, commands.Pause):
            runner.pause()
        elif isinstance(order, commands.Step):
            runner.step(order.frames)
        elif isinstance(order, commands.Seek):
            runner.seek(order.frame)
        elif isinstance(order, commands.SetSpeed):
            if order.speed is not None and not SPEEDS[0] <= order.speed <= SPEEDS[1]:
                raise InputError(f"a speed is between {SPEEDS[0]:g} and {SPEEDS[1]:g}, not {order.speed}")
            runner.set_speed(order.speed)
        elif isinstance(order, commands.SetRange):
            runner.set_range(order.first, order.end)
            self._sink.end = order.end
        elif not isinstance(order, commands.SetLoop):  # which is the ping-pong's to obey
            raise InputError("only cameras are recorded")

    def _begin(self, order: commands.Open) -> None:
        """Open something; what was open stays if that fails."""
        sink = RowsSink()
        camera = order.what.startswith(commands.CAMERA)
        made: ClipDesk | LiveDesk = LiveDesk(order, sink) if camera else ClipDesk(order, sink)
        try:
            built = made.runner.built
            assert built is not None
            box = PictureBox(_most_bytes(built, made.info))
        except BaseException:
            made.close()
            raise
        # Nothing can fail any more: only now what was open goes.
        self.close()
        self._open, self._box, self._sink, self._built, self._noted = made, box, sink, built, 0
        self._output, self._over, self._standing, self._looked = "", False, None, ("",)
        self._stood, self._ended = reports.Stood(RunState.IDLE, -1), ""
        self._report(
            reports.Opened(made.info, made.live,
                       dumps(made.asked) if made.misfit else _asked_for(order, made, built), built.choice.device,
                       _groups(built), _outputs(built), box.name,
                       (*made.words, *((built.note,) if built.note else ())), order.number, made.found, made.misfit)
        )  # fmt: skip
        if isinstance(made, ClipDesk) and made.kept is not None:
            for last_report in made.kept.reports():
                self._report(last_report)
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
        # On the way back playback pauses and seeks from frame to frame; people see it run.
        back = isinstance(opened, ClipDesk) and opened.ping_pong.back
        stood = reports.Stood(RunState.RUNNING if back else runner.state, opened.position)
        if stood != self._stood:
            self._stood = stood
            self._report(stood)
        if built is not None and built is not self._built:
            self._rebuilt(built, opened.position)
        notes = runner.notes
        for note in notes[self._noted :]:
            self._report(reports.Noted(note))
        self._noted = len(notes)
        now = time.monotonic()
        if now >= self._due:
            self._due = now + MEASURE
            account = opened.account if isinstance(opened, LiveDesk) else None
            self._report(reports.Measured(runner.meter, runner.stage_seconds, opened.ledger, account))
        if runner.state is RunState.FAILED:
            sentence, trace, self._ended = runner.error, runner.trace, opened.info.name
            self.close()
            self._report(reports.Refused(sentence, ended=True, number=-1, details=trace))
        elif runner.state is RunState.STOPPED:  # the end of a camera's stream
            self.close()
            self._report(reports.Closed())

    def _rebuilt(self, built: Built, position: int) -> None:
        opened = self._open
        assert opened is not None
        self._built = built
        if self._over:
            self._look_at(again=False)
        # A box has the size of the largest picture that it was made for.
        box = self._box
        if box is None or _most_bytes(built, opened.info) > box.size:
            made = PictureBox(_most_bytes(built, opened.info))
            if box is not None:
                box.close()
            self._box = made
            box = made
        self._report(
            reports.Built(_as_asked(opened, built), built.choice.device, _groups(built), _outputs(built), position,
                      box.name, opened.found)
        )  # fmt: skip

    def _show(self, latest: Latest) -> None:
        """Put the newest picture into the box."""
        opened, box = self._open, self._box
        assert opened is not None
        assert box is not None
        output, result = self._output, latest.result
        pixels = result.taps.get(output) if output else None
        # An output that is gone, or is no picture, is replaced by the plain picture.
        if pixels is None or not isinstance(pixels, np.ndarray) or pixels.ndim < 2:
            output, pixels = "", result.taps.get(PICTURE)
        heat = None
        if output and pixels is not None and self._over and (plain := result.taps.get(PICTURE)) is not None:
            placement = result.taps.get(placement_of(output)) if self._standing is None else self._standing
            heat = None if placement is None else heat_map(pixels, placement)
            output, pixels = "", plain
        if pixels is None:  # a frame that could not be read
            return
        picture: Pixels = np.squeeze(pixels, 2) if pixels.ndim == 3 and pixels.shape[2] == 1 else pixels
        bits = _bits(picture, opened.info) if not output else _bits(picture, None)
        kept = opened.kept if isinstance(opened, ClipDesk) else None
        rows = result.tracks if kept is None else kept.at(result.index)
        with suppress(ValueError):  # larger than any picture of the pipeline: it comes after a rebuild
            box.put(picture, result.index, result.time, rows, output, bits, heat)

    def _look_at(self, again: bool) -> None:
        """Have results carry what is to be shown, and of a map over the picture where it lies, if that changes.

        Args:
            again: have a frame that stands still shown anew in any case.
        """
        assert self._open is not None
        bound = self._built.bound if self._over and self._output and self._built is not None else None
        self._standing = None if bound is None else standing_placement(bound, self._output)
        place = Ref.parse(placement_of(self._output))
        # A placement that never changes is looked up once; one that moves comes with each result.
        moves = bound is not None and self._standing is None and place in bound.types
        wanted = (self._output, str(place)) if moves else (self._output,)
        if again or wanted != self._looked:
            self._looked = wanted
            self._open.runner.show(*wanted)

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


def _asked_for(order: commands.Open, opened: ClipDesk | LiveDesk, built: Built) -> str:
    """The pipeline that is meant: of a run that was written, and of bare pictures, though nothing is computed."""
    return order.pipeline if order.run or order.bare else _as_asked(opened, built)


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
    # Each picture may come with a heat map.
    heat = max((type_.height * type_.width * HEAT for type_ in pictures), default=0)
    return max([info.width * info.height * BIGGEST, *(type_.nbytes for type_ in pictures)]) + heat


def _bits(picture: Pixels, info: SourceInfo | None) -> int:
    """Significant bits of a sample; 0 for floating point."""
    if picture.dtype.kind == "f":
        return 0
    if picture.dtype.kind == "b":
        return 1
    return min(8 * picture.dtype.itemsize, info.format.bits) if info is not None else 8 * picture.dtype.itemsize
