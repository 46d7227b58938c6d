"""`fusetrack gui [CLIP]`: the window."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path
from typing import NoReturn

from app.commands.arguments import add_plugins, add_reading, load_plugins, reading_of
from app.sources.base import missing_sentence
from app.sources.formats import PICTURES, split
from app.sources.numbering import is_pattern, match_folder
from kernels.errors import InputError, SourceError

EXAMPLES = """examples:
  fusetrack gui                                          the clip that was open last, or a sample
  fusetrack gui clip.cine --pipeline facial-markers
  fusetrack gui run7.mcap                                a recorded session, with the pipeline it was recorded with
  fusetrack gui "cam:sim?fps=1000&size=512x512"          a simulated camera; `fusetrack cameras` lists real ones

F1 shows all keys.
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Opens the window: video, tracks, pipeline, plan and throughput, live."
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.epilog = EXAMPLES
    command.add_argument("clip", nargs="?", metavar="CLIP|SESSION|CAMERA", help="what to open")
    command.add_argument("--pipeline", "-p", metavar="NAME|FILE", help="a shipped pipeline or a .toml file")
    add_reading(command)
    command.add_argument("--theme", choices=("dark", "light"), help="default: as it was last")
    add_plugins(command)
    command.set_defaults(function=_run)


def check_there(clip: str) -> None:
    """Say at once, where it was typed, that there is nothing of that name; whether it can be read the window finds out.

    Raises:
        SourceError: it is not there, or a folder without pictures.
    """
    path = Path(os.path.expanduser(split(clip)[0]))
    if path.is_dir():
        match_folder(path, PICTURES)
    elif not (path.exists() or is_pattern(clip) or clip.startswith(("cam:", "sim:")) or "://" in clip):
        raise SourceError(missing_sentence(path))


def _run(options: argparse.Namespace) -> NoReturn:
    load_plugins(options)
    if options.clip is not None:
        check_there(options.clip)
    if sys.platform.startswith("linux") and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        raise InputError("there is no screen to open a window on (DISPLAY is not set); `fusetrack run` needs none")
    try:
        application = importlib.import_module("app.gui.application")
    except ImportError as error:
        raise InputError(f"the window needs PyQt5 and pyqtgraph, which cannot be loaded: {error}") from error
    sample = Path(__file__).resolve().parents[2] / "sample_videos" / "vortex_600fps.mp4"
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
