"""How much of a core the interpreter takes in a live run, thread by thread.

    python tests/measure_interpreter.py                  # facial-markers, 512x512 at 1000 fps, batches of 16
    python tests/measure_interpreter.py --seconds 20 --pipeline blobs --fps 600

Needs Linux and py-spy (`pip install py-spy`; root, or `kernel.yama.ptrace_scope` 0). `fusetrack record` runs on the
simulated camera in a process of its own. Two seconds after its first frame two samplers look at its threads for so many
seconds: one counts the samples in which a thread runs, one those in which it holds the interpreter's lock (the GIL).

    a thread's share = processor time that the system counted for it * samples with the lock / samples in which it runs

So compiled loops and copies of frames, which let go of the lock, do not count; NumPy's work on small arrays, which
holds it, does. Time in which other programs had the processor counts in neither. Start-up is left out. Where the engine
was behind and left frames out, what engine and trackers took is scaled to all frames.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

RATE = 250
"""Samples a second of each of the two samplers; higher ones disturb what they look at."""
SETTLED = 2.0
"""Seconds from the first frame on that are left out."""
PROCESSING = ("engine", "track")
FRAMES_BEGIN = 1 << 20
"""Bytes of a session that holds more than its preamble."""
PATIENCE = 60.0
"""Seconds that the run may take to begin."""


def processor_times(process: int) -> dict[int, float]:
    """Seconds that each thread has had a processor."""
    made = {}
    for task in Path(f"/proc/{process}/task").iterdir():
        made[int(task.name)] = int((task / "schedstat").read_text().split()[0]) / 1e9
    return made


def sampler(spy: str, process: int, seconds: float, out: Path, *only: str) -> subprocess.Popen[bytes]:
    """Begin to look at a process."""
    command = [spy, "record", "--pid", str(process), "--threads", "--nonblocking", "--format", "raw", *only]
    command += ["--rate", str(RATE), "--duration", str(max(1, round(seconds))), "--output", str(out)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def samples(file: Path) -> Counter[tuple[int, str]]:
    """Samples of each thread (its number and its name)."""
    found: Counter[tuple[int, str]] = Counter()
    for line in file.read_text().splitlines():
        stack, count = line.rsplit(" ", 1)
        known = re.match(r"thread \((\d+)\): ([^;]*)", stack)
        if known:
            found[int(known[1]), known[2]] += int(count)
    return found


def begun(process: subprocess.Popen[str], session: Path) -> bool:
    """Wait for the first frames: the session grows."""
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        if session.exists() and session.stat().st_size > FRAMES_BEGIN:
            return True
        time.sleep(0.1)
    return False


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=10.0)
    options.add_argument("--fps", type=int, default=1000)
    options.add_argument("--size", default="512x512")
    options.add_argument("--scene", default="face")
    options.add_argument("--pipeline", "-p", default="facial-markers")
    options.add_argument("--batch", type=int, default=16)
    options.add_argument("--folder", type=Path, default=Path("/dev/shm"), help="where the session goes meanwhile")
    options.add_argument("--py-spy", default=shutil.which("py-spy"), metavar="FILE")
    given = options.parse_args()
    if given.py_spy is None:
        print("py-spy is not there: pip install py-spy, or give --py-spy FILE", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        session, every, holding = (Path(folder) / name for name in ("run.mcap", "every", "holding"))
        session_of = f"cam:sim?scene={given.scene}&size={given.size}&fps={given.fps}"
        command = [sys.executable, "-m", "app", "record", session_of, "-p", given.pipeline, "--batch", str(given.batch)]
        length = given.seconds + SETTLED + 2
        command += ["--seconds", f"{length:g}", "--no-rehearsal", "-o", str(session)]
        run = subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               cwd=Path(__file__).parents[1])  # fmt: skip
        if not begun(run, session):
            print(run.communicate()[0], file=sys.stderr)
            return 1
        time.sleep(SETTLED)
        before, begin = processor_times(run.pid), time.monotonic()
        looking = [sampler(given.py_spy, run.pid, given.seconds, every),
                   sampler(given.py_spy, run.pid, given.seconds, holding, "--gil")]  # fmt: skip
        time.sleep(given.seconds)
        after, passed = processor_times(run.pid), time.monotonic() - begin
        failed = [one for one in looking if one.wait()]
        said = run.communicate()[0]
        if failed:
            print("py-spy may not look at other processes here; it needs root, or ptrace_scope 0", file=sys.stderr)
            return 1
        running, with_lock = samples(every), samples(holding)
        asked = given.fps * length
        done = re.search(r"^ *processed +(\d+) frames", said, re.MULTILINE)
        behind = max(1.0, asked / max(1, int(done[1]))) if done else 1.0
        total = 0.0
        print(f"of a core, {passed:.1f} s:")
        print(f"{'thread':12} {'processor':>10} {'runs':>6} {'locks':>6} {'interpreter':>12}")
        for thread in sorted(running, key=lambda one: -with_lock[one]):
            busy = (after.get(thread[0], 0.0) - before.get(thread[0], 0.0)) / passed
            share = busy * min(1.0, with_lock[thread] / running[thread])
            share *= behind if thread[1] in PROCESSING else 1.0
            total += share
            print(f"{thread[1]:12} {busy:10.1%} {running[thread]:6} {with_lock[thread]:6} {share:12.1%}")
        print(f"{'all':12} {'':10} {'':6} {'':6} {total:12.1%}")
        print(f"{1 / behind:.0%} of the frames were processed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
