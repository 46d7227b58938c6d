"""The command line: `fusetrack COMMAND ...`. One sentence and exit code 2 for whatever the user got wrong."""

from __future__ import annotations

import argparse
import atexit
import codecs
import contextlib
import difflib
import gc
import importlib
import os
import re
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from app.ending import have_streams
from app.plots.loading import undocumented
from app.version import __version__
from kernels.errors import FusetrackError, InputError, is_memory

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

LEAST_MEMORY = 900 << 20
"""Bytes of addresses that are gone once all libraries are loaded; some crash where they get fewer."""

COMMANDS = {
    "run": ("run:add", "track features in a clip"),
    "batch": ("batch:add", "run many clips: skips what is done, survives what breaks, reports on all"),
    "gui": ("gui:add", "open the window: video, tracks, pipeline, plan and throughput, live"),
    "plan": ("plan:add", "which stages are fused on a device, with what tiles, what it costs, and why"),
    "prove": ("prove:add", "on a clip's own frames: fusing changes no bit, --fast no more than it may"),
    "evaluate": ("evaluate:add", "compare tracks with the truth: MOTA, IDF1, HOTA, alpha, errors, sigma; with a plot"),
    "motion": ("motion:add", "velocities, accelerations, distances, angles, paths; fits (g, damping), with errors"),
    "msd": ("msd:add", "mean squared displacements, diffusion coefficient and exponent of tracks, with errors"),
    "strain": ("strain:add", "fields of displacement and strain of points, with errors; extensometers; for ParaView"),
    "shapes": ("shapes:add", "operating deflection shapes: amplitude and phase of points at each peak, with errors"),
    "frf": ("frf:add", "frequency responses, coherence, natural frequencies and damping of points, with errors"),
    "channel": ("channel:add", "data channels (force, voltage, sound): what they hold, and their values at frames"),
    "calibrate": ("calibrate:add", "how several cameras map space to their pictures: a board, a wand or known places"),
    "reconstruct": ("reconstruct:add", "places in space, with errors, of what two or more calibrated cameras followed"),
    "labels": ("labels:add", "convert labelled key points, write their pictures, propose which frames to label next"),
    "train": ("train:add", "train a small network that finds key points, from frames labelled by hand"),
    "simulate": ("simulate:add", "write a simulated clip and its exact truth"),
    "bench": ("bench:add", "time chains of kernels against OpenCV and SciPy, side by side"),
    "doctor": ("doctor:add", "what this installation can do; --calibrate measures this machine for the planner"),
    "record": ("record:add", "record a camera or a clip into a session, tracked on the way, every frame accounted for"),
    "replay": ("replay:add", "process a recorded session again; its own pipeline gives the same tracks, bit for bit"),
    "export": ("export:add", "write tracks or frames in the formats of other programs"),
    "ledger": ("ledger:add", "prove where every frame of a recorded session is"),
    "cameras": ("cameras:add", "which cameras are there, and what one of them delivers"),
    "info": ("info:add", "what is in a clip: size, depth, frames, time base, warnings"),
    "pipelines": ("listing:add_pipelines", "list the shipped pipelines, or show one with every parameter"),
    "stages": ("listing:add_stages", "list the image kernels, or explain one"),
    "trackers": ("listing:add_trackers", "list the trackers, or explain one"),
}
"""Command -> (module in app.commands and the function that declares its arguments, help).

Only the module of the command that is called is loaded, so that `fusetrack --help` does not wait for OpenCV.
"""

_KEPT: list[Any] = []
"""The code of this process's classes (`app.kept_code`), once a command is known."""
KEEPING = frozenset({"run", "batch", "record", "replay"})
"""Commands that leave what they have written when they are broken off; the others leave whole files or none."""

LEFT_OVER = "unrecognized arguments: "
"""So argparse begins what it says of words that no command knows."""

EXAMPLES = """examples:
  fusetrack run clip.cine                            follow bright spots; results in fusetrack-out/
  fusetrack run clip.mraw --pipeline template --set "track.points=[[120,88]]"
  fusetrack run sim:vortex --pipeline blobs          a simulated scene with exact truth
  fusetrack info clip.cine                           what is in the file: size, depth, frames, time base
  fusetrack stages gaussian                          what a stage does, its parameters, its example

exit codes: 0 done; 1 it failed on the way; 2 the input is wrong (one sentence says what); 130 stopped by Ctrl-C, what
was done is kept
"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, and where help is, instead of repeating the usage.

    Attributes:
        called: the parser of the command that is called; argparse has the one of all say what is left over.
    """

    called: Parser | None = None

    def error(self, message: str) -> NoReturn:
        if near := _meant(message):
            message = f"there is no command {near[0]!r}; did you mean {near[1]!r}?"
            raise InputError(f"{message} `{self.prog} --help` lists them")
        if self.called is not None and message.startswith(LEFT_OVER):
            raise InputError(self.called.left_over(message.removeprefix(LEFT_OVER)))
        if number := re.fullmatch(r"argument (.*): invalid (int|float) value: (.*)", message, re.DOTALL):
            kind = "a whole number" if number[2] == "int" else "a number"
            message = f"{number[1].partition('/')[0]} takes {kind}, not {number[3]}"
        raise InputError(f"{message}; `{self.prog} --help` shows how it is called")

    def left_over(self, words: str) -> str:
        """A sentence for words that mean nothing to this command, by their first one."""
        name, first = self.prog.partition(" ")[2], words.split()[0]
        if first.startswith("-"):
            option = first.partition("=")[0]
            known = [spelling for action in self._actions for spelling in action.option_strings]
            near = difflib.get_close_matches(option, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; `{self.prog} --help` lists them"
            return f"{name} has no option {option!r}{hint}"
        several = "; `fusetrack batch` takes several clips" if name == "run" else ""
        return f"{name} cannot take {words!r}, too{several}; `{self.prog} --help` shows how it is called"


def _meant(message: str) -> tuple[str, str] | None:
    """The word that is no command, and the command that it resembles; None for other errors and far words."""
    found = re.match(r"argument COMMAND: invalid choice: '([^']*)'", message)
    near = difflib.get_close_matches(found[1], COMMANDS, n=1, cutoff=0.5) if found else []
    return (found[1], near[0]) if found and near else None


def parser(called: str = "") -> argparse.ArgumentParser:
    """The command line, with the arguments of the command that is `called`."""
    top = Parser(
        prog="fusetrack",
        description="Streams high-speed video through fused image kernels and follows what moves.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"fusetrack {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (place, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary, formatter_class=argparse.RawDescriptionHelpFormatter)
        if name == called:
            top.called = command
            module, _, function = place.partition(":")
            getattr(importlib.import_module(f"app.commands.{module}"), function)(command)
    return top


def joined(words: Sequence[str]) -> list[str]:
    """`words` with values such as -50: or -1,0,5,5 joined to their option, which argparse would take for options.

    >>> joined(["run", "clip.cine", "--frames", "-50:", "-q"])
    ['run', 'clip.cine', '--frames=-50:', '-q']
    """
    made: list[str] = []
    for word in words:
        if made and made[-1].startswith("--") and "=" not in made[-1] and re.fullmatch(r"-[\d.][-\d.:,]*", word):
            made[-1] += f"={word}"
        else:
            made.append(word)
    return made


def program() -> int:
    """`main` for a process that ends with it; returns the exit code, which holds however often Ctrl-C is pressed."""
    code = 0

    def leave(*_: object) -> None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, RuntimeError):
                stream.flush()
        os._exit(code)

    def end() -> None:
        """The last thing that is done at the exit, once threads have ended. An interpreter that saw Ctrl-C in a text
        that it executed (as dataclasses do) ends by that signal, though it was answered long ago."""
        if code == 130:
            leave()
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    atexit.register(end)
    have_streams()
    undocumented()
    gc.disable()  # until the command's modules are loaded, as in `app.child_process.code_of`
    try:
        code = main()
    except KeyboardInterrupt:  # once more, while the first was answered
        code = 130
    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, leave)
    if _KEPT:
        _KEPT[0].keep()
    return code


SPELT = "fusetrack.spelt"
"""How letters that an encoding has not are written."""
_SIGNS = {"µ": "u", "±": "+-", "°": " deg", "²": "^2", "…": "...", "→": "->", "≈": "~"}


def spelt(error: UnicodeError) -> tuple[str, int]:
    """Signs by others that mean the same, the rest as Python writes it.

    >>> codecs.register_error(SPELT, spelt)
    >>> "3 µs ± 0.1".encode("ascii", SPELT)
    b'3 us +- 0.1'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(_SIGNS.get(one) or one.encode("ascii", "backslashreplace").decode() for one in letters), error.end


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    given = joined(sys.argv[1:] if arguments is None else arguments)
    codecs.register_error(SPELT, spelt)
    for stream in (sys.stdout, sys.stderr):
        # Names of files may hold letters that the terminal's encoding has not.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors=SPELT)  # type: ignore[union-attr]
    try:
        if word := next((word for word in given if "\0" in word), None):
            raise InputError(f"{word!r} holds a null byte, which no name can; leave it out")
        if not given:
            parser().print_help()
            sys.stdout.flush()
            return 0
        if arguments is None and COMMANDS.keys() & set(given):
            _heed_limit()
            _KEPT[:] = [importlib.import_module("app.kept_code").keeping()]
        if given[0] == "help":
            given = [*given[1:], "--help"]
        try:
            options = parser(next((word for word in given if word in COMMANDS), "")).parse_args(given)
        except SystemExit:  # it has printed what was asked for
            sys.stdout.flush()
            raise
        if arguments is None:  # the process is the command's own
            gc.freeze()
            gc.enable()
        code = int(options.function(options))
        sys.stdout.flush()  # here, where what keeps it from being written is answered in a sentence
        return code
    except InputError as error:
        print(f"fusetrack: {error}", file=sys.stderr)
        return 2
    except FusetrackError as error:
        print(f"fusetrack: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        kept = "; the rows and frames written so far are kept" if KEEPING.intersection(given[:1]) else ""
        print(f"fusetrack: stopped{kept}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        _drop_output()  # its reader went away (`| head`)
        return 1
    except Exception as error:
        if is_memory(error):
            print(f"fusetrack: {_memory_words()}", file=sys.stderr)
            return 1
        if not isinstance(error, OSError):
            raise
        what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
        print(f"fusetrack: {what}", file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()  # or the exit fails at it again, in words and with a code of its own
        return 2


def _memory_words() -> str:
    limit = memory_limit()
    if limit is None:
        return "there is not enough memory; take a part of the picture (--roi)"
    return (f"there is not enough memory within {limit >> 20} MiB (ulimit -v); raise that, or take a part of the "
            "picture (--roi)")  # fmt: skip


def memory_limit() -> int | None:
    """Bytes of addresses that this process may have (`ulimit -v`); None for no limit."""
    if resource is None:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def _heed_limit() -> None:
    """Where memory is limited, have the libraries take little of it, and end before they would end the process.

    Raises:
        InputError: they cannot be loaded within the limit.
    """
    limit = memory_limit()
    if limit is None:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread takes some 30 MB, and crashes without
    if limit < LEAST_MEMORY:
        raise InputError(f"there is not enough memory within {limit >> 20} MiB (ulimit -v), as the libraries alone "
                         f"need {LEAST_MEMORY >> 20}; raise that limit")  # fmt: skip


def _drop_output() -> None:
    """Point stdout at nothing, so that the exit is quiet about what could not be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
