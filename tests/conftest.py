"""For every test."""

from __future__ import annotations

import copy
import gc
import os
import signal
import sys
import tempfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import currently_in_test_context, settings

# Before NumPy is loaded, here and in the processes that tests start: on a processor that others use too, BLAS's threads
# wait for each other in busy loops, which takes ten times as long as the small products of tests do.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# glibc gives memory back to the system at every chance, which then clears the same pages again and again for the many
# arrays that tests make: a tenth of all their time. It reads this as a process starts: those of `-n 3`, and of tests.
os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(256 << 20))
os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(32 << 20))
os.environ.setdefault("MALLOC_TOP_PAD_", str(4 << 20))

from kernels.executors import machine
from kernels.executors.cache import ObjectCache
from kernels.executors.manifest import digest, name_of
from kernels.loops import language
from kernels.stage import DECLARED, Stage

# Continuous integration draws the same cases every time, so that a change is judged by what it changes; people draw
# new ones with every run. Hypothesis also draws numbers and words that our modules have in them, as many as a process
# has loaded so far: those cases would be others with every change of a module and every order of the tests, and to
# read the modules for them takes each process of `-n 3` eight seconds in a fresh checkout.
# How long a case takes depends on what else the machine does; time is no part of what a test says.
settings.register_profile("drawn", deadline=None)
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("drawn")
if os.environ.get("FUSETRACK_FIXED_CASES"):
    settings.load_profile("fixed")
    with suppress(ImportError, AttributeError):  # in versions that do not, yet
        from hypothesis.internal.conjecture import providers

        providers._get_local_constants = lambda own=providers._local_constants: own

# Compiled programs are kept from run to run, but not among the user's own, whose calibration would change plans.
_OWNER = os.environ.get("USERNAME") or os.getuid()
os.environ.setdefault("FUSETRACK_CACHE", str(Path(tempfile.gettempdir()) / f"fusetrack-tests-{_OWNER}"))


class _Examples:
    """Doctests are looked for only in files that have examples; every process of `-n 3` looks through all files."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[Any], list[Any]]:
        found = yield
        return [c for c in found if type(c).__name__ != "DoctestModule" or b">>>" in file_path.read_bytes()]


class _OwnBeginning:
    """Each process of `-n 3` collects all files, and begins at another part of every folder.

    In a fresh checkout there is no bytecode yet. Processes that went through the tree side by side would all compile
    each file, which takes longer than the rest of the collection; so most find what another one has made. In the end
    the tests stand in the order of the tree, as they must in every process.

    Args:
        part: where to begin, as a part of the length of a folder.
    """

    def __init__(self, part: float) -> None:
        self.part = part
        self.places: dict[Any, int] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        if isinstance(collector, pytest.Directory) and collector.path != collector.config.rootpath:
            found = report.result or []
            self.places.update((node, place) for place, node in enumerate(found))
            begin = int(self.part * len(found))
            report.result = found[begin:] + found[:begin]
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        others: dict[Any, int] = {}  # what stands in the right order already: the folders of `testpaths`

        def place(node: Any) -> int:
            return self.places[node] if node in self.places else others.setdefault(node, len(others))

        items.sort(
            key=lambda item: [place(n) for n in item.listchain() if isinstance(n, pytest.Directory | pytest.File)]
        )


class _Skipped:
    """What a run skips, often for a package that is not there, is kept in pytest's cache for `--skipped-before`."""

    def __init__(self, cache: pytest.Cache) -> None:
        self.cache = cache
        self.skipped: dict[str, None] = {}  # in order

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self.skipped[report.nodeid] = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:  # a whole file
        if report.skipped:
            self.skipped[report.nodeid] = None

    def pytest_sessionfinish(self) -> None:
        self.cache.set(_SKIPPED, list(self.skipped))


_SKIPPED = "fusetrack/skipped"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare `--skipped-before`."""
    parser.addoption("--skipped-before", action="store_true", help="only what the last run without this skipped")


def _skipped_before(config: pytest.Config) -> set[str] | None:
    """What the last run skipped, tests and whole files, where nothing else is wanted."""
    if not config.getoption("--skipped-before"):
        return None
    assert config.cache is not None
    return set(config.cache.get(_SKIPPED, []))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """For `--skipped-before`: files of which nothing was skipped need not even be read."""
    wanted = _skipped_before(config)
    if wanted is None or not collection_path.is_file():
        return None
    name = collection_path.relative_to(config.rootpath).as_posix()
    return None if name in {test.partition("::")[0] for test in wanted} else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """For `--skipped-before`."""
    wanted = _skipped_before(config)
    if wanted is not None:
        chosen = [item for item in items if {item.nodeid, item.nodeid.partition("::")[0]} & wanted]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
        items[:] = chosen


def pytest_configure(config: pytest.Config) -> None:
    """A process of `-n 3` that crashes ends the run and names its test: xdist would wait for its heir forever."""
    if getattr(config.option, "maxworkerrestart", "") is None:
        config.option.maxworkerrestart = "0"
    if worker := getattr(config, "workerinput", None):
        config.pluginmanager.register(_OwnBeginning(int(worker["workerid"][2:]) / worker["workercount"]))
    config.pluginmanager.register(_Examples())  # what stands in a conftest holds for its own folder alone
    cache = getattr(config, "cache", None)  # there is none with -p no:cacheprovider
    part = config.option.skipped_before or getattr(config.option, "lf", False)  # of what ran before: that is kept
    if not (worker or part) and cache is not None:
        config.pluginmanager.register(_Skipped(cache))


_CRASHED = "fusetrack/crashed"


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_handlecrashitem(crashitem: str, sched: Any) -> None:
    """Leave in pytest's cache that a process crashed, which ends the run: what came behind was not tried."""
    if (cache := getattr(sched.config, "cache", None)) is not None:
        cache.set(_CRASHED, crashitem)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Thousands of tests are collected by every process of `-n 3`, and all are kept: to look through them for garbage
    again and again takes as long as the collection itself."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist, which need not be there
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """`-n 3`: the tests of a file stay together, since they share what is made once; files go in the order of the tree.

    That order has the slow ones first and ends with many short ones, so that no process waits long for another. But
    half of the processes at most have files whose tests wait for cameras, recorders and clocks: the processors would
    idle meanwhile, and such tests be late later.
    """
    from xdist.scheduler import LoadFileScheduling

    if config.option.dist != "load":  # somebody wants it otherwise
        return None
    config.option.loadscopereorder = False

    class Mixed(LoadFileScheduling):
        def _assign_work_unit(self, node: Any) -> None:
            others = [units for other, units in self.assigned_work.items() if other is not node]
            wait = sum(any(name.startswith(WAITING) and not all(tests.values()) for name, tests in units.items())
                       for units in others)  # fmt: skip
            if wait >= max(1, len(self.nodes) // 2):
                computing = next((name for name in self.workqueue if not name.startswith(WAITING)), None)
                if computing is not None:
                    self.workqueue.move_to_end(computing, last=False)
            super()._assign_work_unit(node)

    return Mixed(config, log)


WAITING = tuple(f"tests/app/{room}/" for room in (
    "batch", "cameras", "desk/engine", "desk/jobs", "desk/services", "live", "sessions"))  # fmt: skip
"""Rooms whose tests start processes, and wait for them most of the time."""


@pytest.fixture(autouse=True, scope="session")
def ctrl_c() -> Iterator[None]:
    """A job in the background starts with Ctrl-C ignored; the tests about Ctrl-C need Python's own handler."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def machine_code() -> Iterator[None]:
    """A test that takes the compiler away gives it back: what comes behind it would take a hundred times as long."""
    before = language._LOADER[:]
    yield
    if before != language._LOADER:
        language._LOADER[:] = before
        language._native.cache_clear()


class _CompiledOnce:
    """LLVM compiles a text once: half of all cases that Hypothesis draws were drawn before but for something that is
    not in the code (pixels, seeds, threads), and LLVM takes most of their time.

    Loops, the largest of which take two seconds, are kept on disk: all processes of `-n 3` want the same ones at the
    same time, and tests with a cache of their own want them again. One compiles, the others wait for it.

    Two thirds of what Hypothesis draws are compiled without LLVM's optimisation, in two fifths of the time; the others,
    and all that tests name, as for users. So drawn cases also show that no bit depends on it.
    """

    def __init__(self) -> None:
        self.compiled, self.identified = machine.Machine.compile, machine.Machine.identity.fget
        self.loops = ObjectCache(Path(os.environ["FUSETRACK_CACHE"]) / "loops")
        self.passes = digest([Path(machine.__file__)])
        self.bodies: dict[tuple[object, ...], bytes] = {}
        """Of one file's tests: others draw other ones."""

    def compile(self, of: machine.Machine, text: str, only: str = "") -> bytes:
        """What `Machine.compile` returns."""
        plain = not only and currently_in_test_context() and zlib.crc32(text.encode()) % 3 > 0
        key = *self.identified(of), text, only, plain
        if key not in self.bodies:
            self.bodies[key] = self._loop(of, text, only) if only else self._kernel(of, text, plain)
        machine._check_room()  # which fails where LLVM would
        return self.bodies[key]

    def identity(self, of: machine.Machine) -> tuple[str, ...]:
        """What `Machine.identity` is; what is drawn is kept apart on disk."""
        return (*self.identified(of), *(("drawn",) if currently_in_test_context() else ()))

    def _kernel(self, of: machine.Machine, text: str, plain: bool) -> bytes:
        if plain:
            of = copy.copy(of)
            of.level = 0
        return self.compiled(of, text)

    def _loop(self, of: machine.Machine, text: str, only: str) -> bytes:
        name = name_of("loop", self.passes, text, only, *self.identified(of))
        with _alone(self.loops.folder / f"{name}.lock"):
            made = self.loops.get(name)
            if made is None:
                made = self.compiled(of, text, only)
                self.loops.put(name, made)
            return made


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """At most one process is in here with the same file; on Windows there may be several, which costs time alone."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
        yield


_COMPILED = _CompiledOnce()


@pytest.fixture(autouse=True, scope="module")
def compiled_once() -> Iterator[None]:
    """See `_CompiledOnce`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine.Machine, "compile", lambda *given: _COMPILED.compile(*given))
        patch.setattr(machine.Machine, "identity", property(lambda of: _COMPILED.identity(of)))
        yield
    _COMPILED.bodies.clear()


def _plugins() -> set[str]:
    return {name for name in sys.modules if name.startswith("fusetrack_plugin_")}


_SEEN: dict[str, Any] = {}
"""What was loaded when all modules were last looked through, and which of them were plug-ins: to look before and after
each test takes a thirtieth of all time."""


def _loaded() -> tuple[int, str]:
    """How many modules there are, and the last one."""
    return len(sys.modules), next(reversed(sys.modules))


@pytest.fixture(autouse=True)
def own_stages() -> Iterator[None]:
    """Plug-ins that a test loads go with it: windows hand all that are loaded to their processes, and batches take
    clips whose plug-ins are others for clips that have not been run."""
    loaded = _loaded()
    before = _plugins() if loaded != _SEEN.get("modules") else _SEEN["plugins"]
    yield
    if _loaded() == loaded:
        _SEEN.update(modules=loaded, plugins=before)
        return
    for name in _plugins() - before:
        for stage in vars(sys.modules.pop(name)).values():
            if isinstance(stage, Stage) and DECLARED.get(stage.name) is stage:
                del DECLARED[stage.name]
