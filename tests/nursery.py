"""Processes of ours that tests start, forked from one that has loaded what they load: a start takes hundredths of a
second of a processor in place of a whole one, which is more than what most of these tests look at.

`python -m app ...`, `-c` with the text of `app.child_process.code_of`, and processes of multiprocessing are started so
where `born_in` holds; everything else, and what asks for anything that a fork cannot give, starts as ever. A forked
process is a child of whoever started it, with the words, the environment, the files, the signals, the limits and the
group that it was given, and starts its own in the same way. What is not tried so is the start itself: what is loaded,
and in which order. Tests about that do without.

The nursery is a process of one thread. It makes brothers (`CLONE_PARENT`), so that they are children of its parent.
"""

from __future__ import annotations

import _posixsubprocess
import array
import atexit
import ctypes
import fcntl
import gc
import importlib
import io
import os
import pickle
import platform
import resource
import runpy
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app import controller
from app.child_process import HOME, code_of
from app.plots import figures
from tests.coarse import COARSE, CoarsePicture, encoded
from tests.medium import ASKED, sync
from tests.patience import OF_THE_PROGRAM, PATIENCE

OURS = code_of("it", "all").partition("from it")[0]
"""What the text of a process of ours begins with: where it finds our modules."""
LOADED = (
    "app.cli", "app.commands.batch", "app.commands.record", "app.commands.run", "app.batch.child",
    "app.desk.jobs.child", "app.desk.engine.process", "app.desk.subprocess_worker", "app.sessions.process",
    "app.cameras.simulated.process", "app.live.recording", "app.live.rehearsal", "app.live.replay",
    "kernels.executors.natives", "kernels.executors.cpu", "multiprocessing.spawn", "multiprocessing.shared_memory",
    "matplotlib.figure", "matplotlib.backends.backend_agg", "scipy.signal", "app.evaluation.line",
    "app.exports.disk_file", "app.exports.overlay", "av", "kernels.stages.components", "pipelines.trackers.blob",
    "pyarrow.compute",
)  # fmt: skip
"""What the processes load sooner or later."""
NO_THREADS = {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""Variables without which what is loaded starts threads: PyArrow's memory has one that tidies up."""
WORDS = 4096
"""Bytes of the command line that are left for those of the children."""
CLONE = {"x86_64": 56, "aarch64": 220}.get(platform.machine())
"""The number of the system call."""
CLONE_PARENT = 0x8000
READ_AT_START = ("PYTHON", "LD_", "MALLOC_", "OPENBLAS_", "LC_", "LANG", "MPL")
"""Variables that are read as an interpreter or a library starts: a process that has others starts as ever."""
STREAMS = ("PYTHONIOENCODING",)
"""Those of them that only say how the three streams are made, which is done anew."""
PACE = ("OPENBLAS_NUM_THREADS",)
"""Those that say how fast something is, not what: BLAS has one thread in all that are forked, since batches would start
each of their processes as ever else."""
ENCODING, ERRORS = sys.stdout.encoding, sys.stdout.errors
POSSIBLE = sys.platform == "linux" and CLONE is not None
_start_as_ever = _posixsubprocess.fork_exec


@dataclass(frozen=True)
class Wish:
    """A process that is to be.

    Args:
        words: its command line.
        folder: where it starts.
        variables: its environment.
        files: the numbers that the files sent along get, in their order.
        ignored, blocked: signals.
        limits: the lower and the higher one of each resource.
        session, group: as `subprocess.Popen` takes them.
    """

    words: tuple[str, ...]
    folder: str
    variables: Mapping[str, str]
    files: tuple[int, ...]
    ignored: tuple[int, ...]
    blocked: tuple[int, ...]
    limits: Mapping[int, tuple[int, int]]
    session: bool
    group: int


class Nursery:
    """The parent's side of one; started with the first process that it is asked for.

    Args:
        line, variables: of one that there is already.
        more: modules that are loaded besides.

    Attributes:
        born: processes that it has made.
    """

    def __init__(
        self, line: socket.socket | None = None, variables: Mapping[str, str] | None = None, more: Sequence[str] = ()
    ) -> None:
        self._line, self._variables, self._more = line, variables or {}, more
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self.born = 0

    def fork_exec(self, *given: Any) -> int:
        """In place of `_posixsubprocess.fork_exec`, which `subprocess` and `multiprocessing` call; the process."""
        wish, files = _wished(given)
        if wish is None:
            return _start_as_ever(*given)
        with self._lock:
            if self._line is None:
                self._begin()
            assert self._line is not None
            if _read_at_start(wish.variables) != _read_at_start(self._variables):
                return _start_as_ever(*given)
            _send(self._line, pickle.dumps(wish), files)
            answer = self._line.recv(8)
            if not answer:
                raise RuntimeError("the nursery has ended")
            self.born += 1
        process: int = struct.unpack("q", answer)[0]
        return process

    def _begin(self) -> None:
        ours, theirs = socket.socketpair()
        self._variables = found = dict(os.environ)
        call = f"main({theirs.fileno()}, {(*LOADED, *self._more)!r})"
        code = f"import sys; sys.path.insert(0, {str(HOME)!r}); from tests.nursery import main; {call}"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code, " " * WORDS], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, env=found | NO_THREADS,
        )  # fmt: skip
        theirs.close()
        self._line = ours

    def close(self) -> None:
        """No more of them."""
        if self._line is not None:
            self._line.close()
            self._line = None
        if self._process is not None:
            self._process.wait()


@contextmanager
def born_in(nursery: Nursery) -> Iterator[None]:
    """Processes of ours come from it."""
    before = subprocess._fork_exec  # type: ignore[attr-defined]
    subprocess._fork_exec = _posixsubprocess.fork_exec = nursery.fork_exec  # type: ignore[attr-defined]
    try:
        yield
    finally:
        subprocess._fork_exec = _posixsubprocess.fork_exec = before  # type: ignore[attr-defined]


def _read_at_start(variables: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in variables.items() if k.startswith(READ_AT_START) and k not in (*STREAMS, *PACE)}


def _wished(given: Sequence[Any]) -> tuple[Wish | None, list[int]]:
    """The process that is asked for and its files; None where it must start as ever."""
    (arguments, paths, close_files, kept, folder, variables, p2c_read, _, _, c2p_write, _, error_write, _, failed_write,
     restore, session, group, gid, groups, uid, umask, before, *_) = given  # fmt: skip
    plain = close_files and gid is None and groups is None and uid is None and umask == -1 and before is None
    words = tuple(os.fsdecode(word) for word in arguments)
    if not plain or os.fsencode(sys.executable) not in [os.fsencode(path) for path in paths] or not _ours(words):
        return None, []
    streams = [number if number >= 0 else k for k, number in enumerate((p2c_read, c2p_write, error_write))]
    others = [number for number in kept if number != failed_write]
    found = os.environ if variables is None else dict(_variable(one) for one in variables)
    numbers = [n for n in range(1, signal.NSIG) if n not in (signal.SIGKILL, signal.SIGSTOP)]
    ignored = [n for n in numbers if signal.getsignal(n) is signal.SIG_IGN]
    if restore:
        ignored = [n for n in ignored if n not in (signal.SIGPIPE, signal.SIGXFSZ)]
    folder = os.getcwd() if folder is None else os.path.abspath(os.fsdecode(folder))
    blocked = tuple(signal.pthread_sigmask(signal.SIG_BLOCK, []))
    wish = Wish(words, folder, dict(found), (0, 1, 2, *others), tuple(ignored), blocked, _limits(), bool(session),
                int(group))  # fmt: skip
    return wish, streams + others


def _limits() -> dict[int, tuple[int, int]]:
    names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    return {number: resource.getrlimit(number) for number in {getattr(resource, name) for name in names}}


def _variable(text: bytes) -> tuple[str, str]:
    name, _, value = os.fsdecode(text).partition("=")
    return name, value


def _ours(words: Sequence[str]) -> bool:
    """Whether a command line is one of those that are known."""
    options = [word for word in words[1:] if word != "-B"][:2]
    if options[:1] == ["-c"]:
        return options[1].startswith((OURS, "from multiprocessing.spawn import spawn_main; "))
    return options == ["-m", "app"]


def _send(line: socket.socket, data: bytes, files: Sequence[int]) -> None:
    header = struct.pack("qq", len(data), len(files))
    line.sendmsg([header], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))])
    line.sendall(data)


def _received(line: socket.socket) -> tuple[Wish, list[int]] | None:
    """A wish and its files; None once nobody is there."""
    files = array.array("i")
    header, ancillary, _, _ = line.recvmsg(16, socket.CMSG_SPACE(64 * files.itemsize))
    if len(header) < 16:
        return None
    for _, _, data in ancillary:
        files.frombytes(data[: len(data) - len(data) % files.itemsize])
    length, count = struct.unpack("qq", header)
    assert count == len(files)
    data = b""
    while len(data) < length:
        data += line.recv(length - len(data))
    wish: Wish = pickle.loads(data)
    return wish, list(files)


# ------------------------------------------------------------------------------------------------- in its process


def main(line: int, modules: Sequence[str]) -> None:
    """Load everything, and make children until nobody wants any."""
    gc.disable()
    for name in modules:
        importlib.import_module(name)
    for module, name in OF_THE_PROGRAM:
        setattr(importlib.import_module(module), name, PATIENCE)
    importlib.import_module("app.sources.simulated.source").scenes()
    with tempfile.TemporaryDirectory() as folder:  # fonts are looked for with the first figure of a process
        CoarsePicture(48, 32).save(Path(folder) / "first.png", None)
    gc.freeze()
    _make(socket.socket(fileno=line))


def _make(line: socket.socket) -> None:
    """Children, each of which goes on with what it is to do; returns in them, and ends in the nursery."""
    while True:
        asked = _received(line)
        if asked is None:
            os._exit(0)
        assert len(os.listdir("/proc/self/task")) == 1, "a process with threads is not to be forked"
        process = _brother()
        if not process:
            break
        line.sendall(struct.pack("q", process))
        for number in asked[1]:
            os.close(number)
    wish, files = asked
    nursery = None
    if "app.cameras.simulated import process" not in wish.words[-1]:  # which starts none
        ours, theirs = socket.socketpair()
        if not os.fork():  # while there is one thread
            keep = theirs.fileno()
            os.closerange(0, keep)
            os.closerange(keep + 1, 1 << 16)
            _make(theirs)
            return
        theirs.close()
        nursery = Nursery(ours, wish.variables)
    _become(wish, files, nursery)


def _brother() -> int:
    """As `os.fork`, but the child is one of this process's parent."""
    python = ctypes.PyDLL(None)
    python.PyOS_BeforeFork()
    process = python.syscall(CLONE, CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0)
    if process:
        python.PyOS_AfterFork_Parent()
        if process < 0:
            raise OSError("no process can be made")
    else:
        python.PyOS_AfterFork_Child()
    return int(process)


def _become(wish: Wish, files: Sequence[int], nursery: Nursery | None) -> None:
    """Be the process that is wished, to its end."""
    _take(wish, files, nursery)
    for name in ASKED:
        setattr(os, name, sync)
    if COARSE in wish.variables:
        controller.TrajectoryPicture = CoarsePicture  # type: ignore[attr-defined]
        figures.encoded = encoded
    if nursery is None:
        subprocess._fork_exec = _posixsubprocess.fork_exec = _start_as_ever  # type: ignore[attr-defined]
    else:
        subprocess._fork_exec = _posixsubprocess.fork_exec = nursery.fork_exec  # type: ignore[attr-defined]
    code = 1
    try:
        _run(wish.words)
        code = 0
    except SystemExit as asked:
        code = asked.code if isinstance(asked.code, int) else int(asked.code is not None)
        if code and not isinstance(asked.code, int):
            print(asked.code, file=sys.stderr)
    except BaseException as error:
        traceback.print_exc()
        if isinstance(error, KeyboardInterrupt):  # as Python ends then
            code = -signal.SIGINT
    with suppress(BaseException):
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if code == -signal.SIGINT:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(code & 0xFF)


def _take(wish: Wish, files: Sequence[int], nursery: Nursery | None) -> None:
    """Words, environment, files, signals and group."""
    above = max(*wish.files, *files, 256) + 1
    moved = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, above) for number in files]
    if nursery is not None and nursery._line is not None:
        line = nursery._line
        nursery._line = socket.socket(fileno=fcntl.fcntl(line, fcntl.F_DUPFD_CLOEXEC, above))
        line.detach()
    os.closerange(0, above)
    for number, wanted in zip(moved, wish.files, strict=True):
        os.dup2(number, wanted)
        os.close(number)
    for limit, both in wish.limits.items():
        if resource.getrlimit(limit) != both:
            resource.setrlimit(limit, both)
    os.chdir(wish.folder)
    os.environ.clear()
    os.environ.update(wish.variables)
    if wish.session:
        os.setsid()
    if wish.group >= 0:
        os.setpgid(0, wish.group)
    for number in range(1, signal.NSIG):
        with suppress(OSError, ValueError):
            if number in wish.ignored:
                signal.signal(number, signal.SIG_IGN)
    if signal.SIGINT not in wish.ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, wish.blocked)
    _show(wish.words)
    _open_streams(wish.variables)


def _open_streams(variables: Mapping[str, str]) -> None:
    """Standard input, output and error as Python opens them."""
    encoding, _, errors = variables.get("PYTHONIOENCODING", "").partition(":")
    at_once = bool(variables.get("PYTHONUNBUFFERED"))
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        raw = io.FileIO(number, mode, closefd=False)
        buffer: Any = io.BufferedReader(raw) if mode == "r" else raw if at_once else io.BufferedWriter(raw)
        how = "backslashreplace" if number == 2 else errors or ERRORS
        lines = not at_once and (number == 2 or raw.isatty())
        made = io.TextIOWrapper(buffer, encoding or ENCODING, how, line_buffering=lines, write_through=at_once)
        made.mode = mode
        setattr(sys, name, made)
        setattr(sys, f"__{name}__", made)


def _show(words: Sequence[str]) -> None:
    """Have the system show the words as this process's command line."""
    with open("/proc/self/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    begin, end = (int(fields[k]) for k in (45, 46))
    line = b"\0".join(os.fsencode(word) for word in words)[: end - begin - 1]
    ctypes.memset(begin, 0, end - begin)
    ctypes.memmove(begin, line, len(line))


def _run(words: Sequence[str]) -> None:
    """What Python does with its command line."""
    gc.enable()
    options = [word for word in words[1:] if word != "-B"]
    kind, what, *rest = options
    if kind == "-c":
        sys.argv[:] = ["-c", *rest]
        main_module: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
        exec(compile(what, "<string>", "exec"), main_module)
    else:
        sys.argv[:] = ["-m", *rest]
        sys.path[0] = os.getcwd()
        runpy.run_module(what, run_name="__main__", alter_sys=True)
