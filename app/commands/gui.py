"""`fusetrack gui [CLIP|RUN]`: the window."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path
from typing import NoReturn

from app.commands.arguments import add_plugins, add_reading, load_plugins, reading_of
from app.files.missing import missing_sentence
from app.path_kinds import NO_CLIPS, Kind, what_is
from app.project import read_project
from app.qt_ready import check_qt
from app.run_pipeline import pipeline_of
from app.runs import read_run
from app.sources.formats import PICTURES, split
from app.sources.numbering import is_pattern, match_folder
from kernels.errors import InputError, SourceError

EXAMPLES = """examples:
  fusetrack gui                                          the clip that was open last, or a sample
  fusetrack gui clip.cine --pipeline facial-markers
  fusetrack gui fusetrack-out/clip-blobs                 the tracks that a run has written, over its clip
  fusetrack gui study.ftproj                             a project: its clip with all that was done on it
  fusetrack gui run7.mcap                                a recorded session, with the pipeline it was recorded with
  fusetrack gui "cam:sim?fps=1000&size=512x512"          a simulated camera; `fusetrack cameras` lists real ones

F1 shows all keys.
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Opens the window: video, tracks, pipeline, plan and throughput, live."
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.epilog = EXAMPLES
    command.add_argument("clip", nargs="?", metavar="CLIP|SESSION|RUN|PROJECT|CAMERA", help="what to open")
    command.add_argument("--pipeline", "-p", metavar="NAME|FILE", help="a shipped pipeline or a .toml file")
    add_reading(command)
    command.add_argument("--theme", choices=("dark", "light"), help="default: as it was last")
    add_plugins(command)
    command.set_defaults(function=_run)


def check_there(clip: str) -> None:
    """Say at once, where it was typed, that there is nothing of that name; whether it can be read the window finds out.

    Raises:
        InputError: it is not there, a folder without pictures, or a run's whose record cannot be read.
    """
    path, what = Path(os.path.expanduser(split(clip)[0])), what_is(clip)
    if what.kind is Kind.RUN:
        pipeline_of(read_run(clip))
    elif what.kind is Kind.OWN_PROJECT:
        read_project(what.path).clip.graph(clip)
    elif what.kind in NO_CLIPS:
        raise InputError(what.wrong("a clip, a session, a run's folder or a project"))
    elif path.is_dir():
        match_folder(path, PICTURES)
    elif not (path.exists() or is_pattern(clip) or clip.startswith(("cam:", "sim:")) or "://" in clip):
        raise SourceError(missing_sentence(path))


def _run(options: argparse.Namespace) -> NoReturn:
    load_plugins(options)
    if options.clip is not None:
        check_there(options.clip)
        kind = what_is(options.clip).kind
        if options.pipeline is not None and kind is Kind.OWN_PROJECT:
            raise InputError(f"{options.clip} brings the pipelines of its clips; choose another one in the window, or "
                             "open a clip with --pipeline")  # fmt: skip
        if options.pipeline is not None and kind is Kind.RUN:
            raise InputError(f"{options.clip} brings the pipeline of its run; to try another one, open its clip "
                             f"({read_run(options.clip).clip}) with --pipeline")  # fmt: skip
    if sys.platform.startswith("linux") and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        raise InputError("there is no screen to open a window on (DISPLAY is not set); `fusetrack run` needs none")
    check_qt()
    try:
        application = importlib.import_module("app.gui.application")
    except ImportError as error:
        raise InputError(f"the window needs PyQt5 and pyqtgraph, which cannot be loaded: {error}") from error
    sample = Path(__file__).resolve().parents[2] / "sample_videos" / "vortex_600fps.avi"
    code = int(application.run(
        options.clip, pipeline=options.pipeline, reading=reading_of(options), theme_name=options.theme,
        plugins=tuple(str(Path(plugin).absolute()) for plugin in options.plugin),
        first=str(sample) if sample.exists() else "",
    ))  # fmt: skip
    # All is closed and written. Python and Qt would now be taken apart in no order that either promises, beside threads
    # that may still load libraries; that ends in a crash now and then.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
