"""A process that is forked is what one would be that started as ever, in all that it can find out about itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.child_process import code_of

if sys.platform != "linux":
    pytest.skip("forks brothers by a call of Linux", allow_module_level=True)

import resource

from tests.nursery import OURS, POSSIBLE, Nursery, born_in
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(not POSSIBLE, reason="the number of that call is not known here")

SELF = OURS + """gc.enable(); import json, os, resource, signal
status = dict(line.rstrip().split(":\\t") for line in open("/proc/self/status") if line.startswith("Sig"))
print(json.dumps({
    "words": open("/proc/self/cmdline").read().rstrip("\\0"), "argv": sys.argv, "folder": os.getcwd(),
    "variables": dict(os.environ), "leads": (os.getsid(0) == os.getpid(), os.getpgid(0) == os.getpid()),
    "parent": os.getppid(), "name": __name__, "garbage": gc.isenabled(), "threads": len(os.listdir("/proc/self/task")),
    "files": [n for n in range(64) if os.path.exists(f"/proc/self/fd/{n}")],
    "signals": [status[k] for k in ("SigBlk", "SigIgn", "SigCgt")],
    "streams": [(s.fileno(), s.encoding, s.errors, s.line_buffering, s.mode)
                for s in (sys.stdin, sys.stdout, sys.stderr)],
    "limits": resource.getrlimit(resource.RLIMIT_FSIZE), "read": sys.stdin.read(), "mask": os.umask(0),
    "hidden": "app" in sys.modules,
}))
print("beside", file=sys.stderr)
sys.exit(7)
"""


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    with born_in(made):
        yield made
    made.close()


def _found(code: str, **options: Any) -> tuple[dict[str, Any], int, str]:
    made = subprocess.run([sys.executable, "-c", code, "a word", "ü"], input="given", capture_output=True, text=True,
                          timeout=PATIENCE, **options)  # fmt: skip
    assert made.stdout, made.stderr
    return json.loads(made.stdout), made.returncode, made.stderr


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("ignored", [False, True])
@pytest.mark.parametrize("encoding", ["", "utf-8:backslashreplace"])
def test_it_finds_of_itself_what_another_one_finds(
    nursery: Nursery, tmp_path: Path, apart: bool, ignored: bool, encoding: str
) -> None:
    variables = {**os.environ, "FUSETRACK_SOMETHING": "=1 2"} | ({"PYTHONIOENCODING": encoding} if encoding else {})
    kept, other = os.pipe()
    options = {"cwd": tmp_path, "env": variables, "start_new_session": apart, "pass_fds": (kept,)}
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if ignored else signal.getsignal(signal.SIGINT)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, most[1]))
    try:
        born = nursery.born
        ours = _found(SELF, **options)
        assert nursery.born == born + 1
        theirs = _found("\n" + SELF, **options)
        assert nursery.born == born + 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR2])
        signal.signal(signal.SIGINT, before)
        os.close(kept)
        os.close(other)
    assert ours[0].pop("hidden")
    assert not theirs[0].pop("hidden")
    theirs[0]["words"] = theirs[0]["words"].replace("\n" + OURS, OURS)
    assert ours == theirs
    assert ours[1:] == (7, "beside\n")
    assert ours[0]["parent"] == os.getpid()


def test_it_ends_by_a_signal_as_another_one_does(nursery: Nursery) -> None:
    for text, code in (
        ("raise KeyboardInterrupt", -signal.SIGINT), ("import os; os.kill(os.getpid(), 9)", -signal.SIGKILL),
        ("raise ValueError('no')", 1), ("sys.exit('no')", 1), ("pass", 0),
    ):  # fmt: skip
        made = subprocess.run([sys.executable, "-c", OURS + text], capture_output=True, text=True, timeout=PATIENCE)
        assert made.returncode == code, text
        assert ("no" in made.stderr) == ("no" in text)


INNER = OURS + 'import os; print(os.getppid(), "app" in sys.modules, flush=True); sys.stdin.read()'
NESTED = OURS + f"""import subprocess
inner = subprocess.Popen([sys.executable, "-c", {INNER!r}], stdin=subprocess.PIPE)
sys.stdin.read()
"""


def test_its_own_children_are_born_so_too_and_nothing_stays_behind(nursery: Nursery) -> None:
    with subprocess.Popen([sys.executable, "-c", NESTED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          start_new_session=True) as outer:  # fmt: skip
        assert outer.stdout is not None
        assert outer.stdout.readline().split() == [str(outer.pid), "True"]
        below = Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text().split()
        assert len(below) == 2  # the child, and a nursery
        outer.kill()
    end = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{one}/exe").exists() for one in below):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_one_that_is_given_more_threads_is_forked_too(nursery: Nursery) -> None:
    born = nursery.born
    more = {**os.environ, "OPENBLAS_NUM_THREADS": "3"}
    found, code, _ = _found(SELF, env=more)
    assert nursery.born == born + 1
    assert code == 7
    assert found["variables"]["OPENBLAS_NUM_THREADS"] == "3"


def test_what_would_start_otherwise_starts_as_ever(nursery: Nursery, tmp_path: Path) -> None:
    born = nursery.born
    more = {**os.environ, "OPENBLAS_CORETYPE": "Haswell"}
    for options in ({"env": more}, {"preexec_fn": os.getpid}, {"close_fds": False}, {"umask": 7}):
        subprocess.run([sys.executable, "-c", OURS], check=True, timeout=PATIENCE, **options)  # type: ignore[call-overload]
    for code in ("pass", code_of("json", "decoder", tmp_path).replace("decoder.main()", "pass")):  # another's modules
        subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)
    assert nursery.born == born
