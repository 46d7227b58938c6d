"""`fusetrack simulate SCENE FILE`: a clip with exact truth."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.commands.arguments import check_fps
from app.progress import showing
from app.sources.simulated.source import make_scene, scenes
from app.sources.simulated.writing import write_scene
from kernels.errors import InputError

EXAMPLES = """examples:
  fusetrack simulate                                          list the scenes
  fusetrack simulate vortex                                   explain one: its parameters
  fusetrack simulate vortex clip.mp4 --fps 1000 --frames 5000
  fusetrack simulate "beam?noise=false&width=640" beam.npy    parameters after a question mark
  fusetrack simulate face face.mkv --lossless
  fusetrack simulate face face.avi --jpeg 92                  each frame by itself, a tenth of the size
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Renders a scene with sensor noise into a clip, and the true positions into a table."
    command.epilog = EXAMPLES
    command.add_argument("scene", nargs="?", metavar="SCENE", help="name, or name?parameter=value&...")
    command.add_argument("file", nargs="?", metavar="FILE", help="where to: .mp4, .mkv, .avi or .npy")
    command.add_argument("--fps", type=float, metavar="RATE", help="frames a second")
    command.add_argument("--frames", type=int, metavar="N", help="length of the clip")
    command.add_argument("--seed", type=int, metavar="S", help="chooses the noise")
    command.add_argument("--lossless", action="store_true", help="FFV1 instead of H.264 (.mkv)")
    command.add_argument("--jpeg", type=int, metavar="QUALITY", help="motion JPEG, 1 to 100 (best), for .avi")
    command.add_argument("--quiet", "-q", action="store_true", help="no progress bar")
    command.set_defaults(function=_simulate)


def _simulate(options: argparse.Namespace) -> int:
    if options.scene is None:
        table = Table("scene", "what it shows", box=None, header_style="bold")
        for name, scene in scenes().items():
            table.add_row(f"[bold]{name}[/]", escape(scene.summary))
        Console().print(table)
        print("\n`fusetrack simulate SCENE` explains one; sim:SCENE takes the place of a clip in every other command.")
        return 0
    spec = options.scene
    for name in ("frames", "seed"):
        value = getattr(options, name)
        if value is not None:
            spec += f"{'&' if '?' in spec else '?'}{name}={value}"
    made = make_scene(spec, fps=check_fps(options.fps))
    if options.file is None:
        table = Table("parameter", "value", "unit", "range", "meaning", box=None, header_style="bold")
        for p in type(made).params():
            table.add_row(p.name, f"{getattr(made, p.name)}", escape(p.unit), p.range_text(), escape(p.doc))
        console = Console()
        console.print(f"[bold]{made.name}[/]  {escape(made.summary)}\n")
        console.print(table)
        return 0
    path = Path(options.file)
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is not a file; give the clip a name, such as {path / 'clip.mp4'}")
    done = 0
    with showing(f"rendering {made.name}", made.frames, quiet=options.quiet) as progress:

        def report(frames: int, _total: int) -> None:
            nonlocal done
            progress.advance(frames - done)
            done = frames

        truth = write_scene(made, path, lossless=options.lossless, jpeg=options.jpeg, progress=report)
    size = path.stat().st_size / 1e6
    print(f"{path}  {made.frames} frames of {made.width}x{made.height} at {made.fps:g} fps, {size:.1f} MB")
    print(f"{truth}  the true positions")
    return 0


