"""`fusetrack record SOURCE -o FILE.mcap`: a camera or a clip into a session, tracked on the way."""

from __future__ import annotations

import argparse
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from app.commands.arguments import (
    add_device,
    add_exact,
    add_plugins,
    add_reading,
    load_plugins,
    parse_roi,
    reading_of,
)
from app.ending import HANGUP, Handler, heard, let_go_of_terminal
from app.frame_counts import NEVER_CAME
from app.live.asking import Listener
from app.live.recording import record_camera, record_clip
from app.live.rehearsal import rehearsal
from app.live.status import status
from app.live.wanted import Hands, Recorded, Wanted
from app.progress import showing
from app.sending.sender import FORMATS, Sender, Sending
from app.sessions.asking import SPELLINGS, parse_triggers
from app.sessions.proof import prove
from app.sessions.proof_words import describe
from app.sessions.reader import open_session
from app.sources.base import plural
from app.spelling import parse_settings
from kernels.errors import InputError
from pipelines.streaming.common.changes import Change
from pipelines.streaming.live.options import LATENCY

EXAMPLES = """examples:
  fusetrack record cam:0 -o run7.mcap                        record only, until Ctrl-C
  fusetrack record cam:pylon -o run7.mcap --pipeline blobs --seconds 60
  fusetrack record "cam:sim?scene=vortex&fps=1000&size=512x512" -o sim.mcap --pipeline blobs --frames 5000
  fusetrack record cam:0 -o shot.mcap --pipeline blobs --before 1000 --after 3000 --trigger "speed>200" --trigger key
  fusetrack record clip.cine -o clip.mcap --pipeline blobs   a clip: nothing is ever dropped
  fusetrack record cam:0 -o run9.mcap --pipeline blobs --send udp://127.0.0.1:9000 --send-format osc
  fusetrack record cam:0 -o run7.mcap --rehearse             only say what can be sustained here
  fusetrack record cam:0 -o run8.mcap --pipeline blobs --set bright.level=0.1 --set-at 500:bright.level=0.2

triggers: speed>200 (px/s), region:x,y,width,height (px), lost, time:12:00:00, key. Besides, space or t on the terminal,
a line "trigger [reason]" on standard input and the signal USR1 always trigger; q or a line "stop" ends. With --before
or --trigger nothing is recorded but --before frames before and --after frames after each trigger.

Ctrl-C ends cleanly, a second one breaks off (the session is whole all the same). The file must be new: recordings
overwrite nothing. What was recorded is proven by `fusetrack ledger`, processed again by `fusetrack replay`.

exit codes: 0 done, also by Ctrl-C; 1 it failed on the way (what was recorded is kept), frames were lost, by the camera
or behind it, or --rehearse found too little; 2 the input is wrong; 130 a clip was stopped before its end
"""
FORMAT = "json"
"""Of --send, unless another one is asked for."""
DEFAULT_BEFORE = 1000
"""Frames before a trigger where --trigger is given without --before."""
REHEARSAL, LONG_REHEARSAL = 1.0, 4.0
"""Seconds of the rehearsal before a camera is recorded, and of one that is asked for."""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = (
        "Records a camera or a clip into a session (.mcap): every frame, its times, the tracks of a pipeline, and what "
        "happened. Every frame is accounted for."
    )
    command.epilog = EXAMPLES
    command.add_argument("source", metavar="SOURCE", help="cam:..., or a clip as `fusetrack run` takes it")
    command.add_argument("--out", "-o", metavar="FILE", type=Path, required=True, help="the session, a new file .mcap")
    command.add_argument("--pipeline", "-p", metavar="NAME|FILE", help="what to track with; without it, record only")
    command.add_argument(
        "--set", "-s", action="append", default=[], metavar="NODE.PARAM=VALUE", dest="settings",
        help="change a parameter of the pipeline; may be given several times",
    )  # fmt: skip
    command.add_argument(
        "--set-at", action="append", default=[], metavar="FRAME:NODE.PARAM=VALUE", dest="changes",
        help="the same from this frame on; may be given several times",
    )  # fmt: skip
    command.add_argument("--seconds", type=float, metavar="S", help="end after so many seconds")
    command.add_argument(
        "--frames", type=int, metavar="N", help="end after so many frames; with --seconds whichever comes first"
    )
    add_reading(command)
    command.add_argument("--roi", metavar="X,Y,W,H", help="process this part only, in px; everything is recorded")
    command.add_argument(
        "--before", type=int, metavar="N", help=f"frames to record before a trigger, "
        f"{DEFAULT_BEFORE} unless given; up to half a second more, so that a replay can begin where the run stood"
    )
    command.add_argument("--after", type=int, metavar="N", help="frames to record from a trigger on; without, all")
    command.add_argument(
        "--trigger", action="append", default=[], metavar="WHEN", dest="triggers",
        help=f"record nothing until then: {SPELLINGS.replace('%', '%%')}; may be given several times",
    )  # fmt: skip
    command.add_argument(
        "--rehearse", action="store_true",
        help="only try what the disk and the pipeline sustain here, and say it; records nothing",
    )
    command.add_argument("--no-rehearsal", action="store_true", help="begin at once")
    add_device(command, "auto", "what computes the stages: auto, cpu, cuda, reference; they give the same bits")
    add_exact(command)
    command.add_argument(
        "--latency", type=float, default=LATENCY, metavar="S",
        help=f"seconds from camera to tracks, at most, {LATENCY:g} unless given; frames that would take longer are "
        "recorded and left out: they have no tracks",
    )  # fmt: skip
    command.add_argument("--batch", type=int, metavar="N", help="frames a batch; adapts unless given")
    command.add_argument(
        "--queue", type=int, metavar="N",
        help="frames that fit between here and the disk; without it half a minute of them, 512 MB at most"
    )
    command.add_argument(
        "--send", metavar="ADDRESS",
        help="send the tracks of each batch while they are found: udp://HOST:PORT, or zmq://HOST:PORT to publish them "
        "for subscribers; nothing waits for a receiver",
    )  # fmt: skip
    command.add_argument(
        "--send-format", choices=tuple(FORMATS), help=f"how they are sent: JSON lines or Open Sound Control ({FORMAT})"
    )
    command.add_argument("--quiet", "-q", action="store_true", help="no status line")
    add_plugins(command)
    command.set_defaults(function=_record)


def _record(options: argparse.Namespace) -> int:
    load_plugins(options)
    wanted = wanted_by(options)
    tell = _silent if options.quiet else _tell
    if options.rehearse:
        return _rehearse(wanted, LONG_REHEARSAL, tell)
    if wanted.path.exists():  # also checked where it is created; here before a rehearsal
        raise InputError(f"{wanted.path} exists already and recordings overwrite nothing; choose another name")
    sender = sender_by(options)
    try:
        return _recorded(options, wanted, tell, sender)
    finally:
        if sender is not None:
            sender.close()


def _recorded(
    options: argparse.Namespace, wanted: Wanted, tell: Callable[[str], None], sender: Sender | None
) -> int:
    try:
        with _stopping(tell) as started:
            if wanted.live and not options.no_rehearsal:
                _rehearse(wanted, REHEARSAL, tell)
            if wanted.live:
                tell(f"starting  {wanted.source}" + _with(wanted))
                with status(sys.stderr, quiet=options.quiet, tracks=bool(wanted.pipeline)) as look:
                    made = record_camera(wanted, started=partial(started, wanted), look=look, sender=sender)
            else:
                progress = partial(showing, quiet=options.quiet)
                made = record_clip(wanted, progress=progress, started=partial(started, wanted), sender=sender)
    # With a file there the recording has begun, and the second Ctrl-C is the caller's to say.
    except KeyboardInterrupt:
        if wanted.path.exists():
            raise
        print("fusetrack: stopped before a frame was recorded; nothing is left behind", file=sys.stderr)
        return 130
    return report(made, options.latency)


def sender_by(options: argparse.Namespace) -> Sender | None:
    """What sends the tracks, where --send asks for it.

    Raises:
        InputError: there are none, or the address leads nowhere.
    """
    if options.send is None:
        if options.send_format is not None:
            raise InputError("--send-format is of what --send sends; say with --send udp://HOST:PORT where to")
        return None
    sending = Sending.of(options.send, options.send_format or FORMAT)
    if options.pipeline is None:
        raise InputError("--send sends tracks; give a --pipeline that makes them")
    return Sender(sending)


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _silent(_: str) -> None:
    pass


def _with(wanted: Wanted) -> str:
    return f" with pipeline {wanted.pipeline!r}" if wanted.pipeline else ""


def wanted_by(options: argparse.Namespace) -> Wanted:
    """What the options ask for.

    Raises:
        InputError: one of them cannot be.
    """
    for name in ("frames", "before", "after", "batch", "queue"):
        value = getattr(options, name)
        if value is not None and value < (0 if name == "before" else 1):
            raise InputError(f"--{name} takes a number of frames, not {value}")
    for name in ("seconds", "latency"):
        value = getattr(options, name)
        if value is not None and not 0 < value < 1e9:
            raise InputError(f"--{name} takes a number of seconds, not {value:g}")
    if not options.source or options.out.suffix != ".mcap":
        raise InputError(f"a session's name ends in .mcap, and {str(options.out)!r} does not")
    asked = parse_triggers(options.triggers)
    before = options.before if options.before is not None or not options.triggers else DEFAULT_BEFORE
    if options.after is not None and before is None:
        raise InputError("--after counts from a trigger; say with --trigger or --before what to wait for")
    if asked.conditions and options.pipeline is None:
        raise InputError("speed>, region: and lost look at tracks; give a --pipeline that makes them")
    return Wanted(
        options.source, options.out, options.pipeline, parse_settings(options.settings), parse_changes(options.changes),
        options.seconds, options.frames, reading_of(options), parse_roi(options.roi), before, options.after, asked,
        options.device, options.batch, options.exact, options.latency, options.queue,
    )  # fmt: skip


def parse_changes(texts: list[str]) -> list[Change]:
    """--set-at FRAME:node.param=value ... as changes.

    >>> parse_changes(["500:bright.level=0.2"])
    [Change(frame=500, node='bright', param='level', value=0.2)]
    """
    made = []
    for text in texts:
        found = re.fullmatch(r"(\d+):(.*)", text, re.DOTALL)
        if found is None:
            raise InputError(f"--set-at takes FRAME:node.param=value, such as 500:bright.level=0.2, not {text!r}")
        for path, value in parse_settings([found[2]]).items():
            node, _, name = path.partition(".")
            made.append(Change(int(found[1]), node, name, value))  # type: ignore[arg-type]  # checked where it is used
    return made


def _rehearse(wanted: Wanted, seconds: float, tell: Callable[[str], None]) -> int:
    """Say what will be sustained; 1 if that is not enough."""
    what = f"the disk, then pipeline {wanted.pipeline!r}" if wanted.pipeline else "the disk"
    what += ", then both" if wanted.pipeline and wanted.live else ""
    said, enough = rehearsal(
        wanted, seconds, lambda: tell(f"rehearsal tries {what}, {seconds:g} s each and the time to start")
    )
    for sentence in said:
        print(f"rehearsal {sentence}", file=sys.stderr)
    return 0 if enough else 1


@contextmanager
def _stopping(tell: Callable[[str], None] = _silent) -> Iterator[Callable[[Wanted, Hands], None]]:
    """What to call when a recording has begun: from then on the first Ctrl-C ends it cleanly and the second breaks
    off, and keys, lines, signals and the clock trigger. A request to terminate is a Ctrl-C, before that, too: what has
    begun is cleared away. A signal that comes too early triggers once there is something to record."""
    main = threading.current_thread() is threading.main_thread()
    ends = heard() if main else {}
    before: dict[signal.Signals, Handler] = dict(ends)
    listening: list[Listener] = []
    early: list[int] = []
    # SIGTERM as Ctrl-C from the start, but not where somebody has chosen another handler.
    for number, handler in ends.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    if main and hasattr(signal, "SIGUSR1"):
        before[signal.SIGUSR1] = signal.signal(signal.SIGUSR1, lambda number, _: early.append(number))

    def started(wanted: Wanted, hands: Hands) -> None:
        def stop(number: int, _: object) -> None:
            if number != HANGUP:
                signal.signal(number, signal.default_int_handler)
            let_go_of_terminal()
            # Not here: the handler may have come while a lock is held that stopping needs.
            threading.Thread(target=hands.stop, name="stop", daemon=True).start()

        for number in ends:
            signal.signal(number, stop)
        listener = Listener(hands.trigger, hands.stop, at=wanted.asked.at)
        listener.open()
        listening.append(listener)
        for _ in early:
            hands.trigger("signal")
        tell(f"recording {wanted.path}" + (", waiting for a trigger" if wanted.before is not None else "")
             + "; Ctrl-C ends")  # fmt: skip

    try:
        yield started
    finally:
        for listener in listening:
            listener.close()
        for number, handler in before.items():
            with suppress(ValueError):
                signal.signal(number, handler)


def report(made: Recorded, limit: float) -> int:
    """Say how it ended, proven from the file itself; the exit code. `limit`: of the latency, s."""
    lost = processed = False
    never_came = 0
    # A file that cannot be read is told below by the recording's own problems.
    with suppress(InputError), open_session(made.path) as session:
        proof = prove(session, checksums=False)
        print("\n".join((str(made.path), *(f"  {line}" for line in describe(proof)))))
        lost, processed = not proof.complete, proof.processing is not None
        never_came = sum(last - first + 1 for first, last in proof.camera_lost)
    if made.live is not None and processed:
        total = made.live.reading.latencies.get("total")
        if total is not None and total.frames:
            print(f"  latency        {1e3 * total.p50:.1f} ms median, {1e3 * total.p99:.1f} ms for 99 %, "
                  f"{1e3 * total.worst:.1f} ms at worst, from camera to tracks")  # fmt: skip
            if total.p99 > limit:
                print(f"                 beyond the {1e3 * limit:g} ms that --latency allows: the machine was busy, or "
                      "slower than at the start; frames that were left out are counted above")  # fmt: skip
    for note in made.notes:
        print(f"fusetrack: {note}", file=sys.stderr)
    problems = [*made.problems]
    if made.account is not None and not problems and not made.path.exists():
        problems.append(f"{made.path} is not there any more: it was moved or deleted while it was recorded")
    for problem in problems:
        print(f"fusetrack: {problem}", file=sys.stderr)
    if never_came:
        frames = plural(never_came, "frame")
        print(f"fusetrack: {frames} lost: by the camera's own numbers, they {NEVER_CAME}", file=sys.stderr)
    if made.interrupted:
        print("fusetrack: stopped before the end of the clip; what was recorded is kept", file=sys.stderr)
    return 1 if problems or lost or never_came else 130 if made.interrupted else 0
