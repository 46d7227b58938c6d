"""`fusetrack info CLIP`: what is in the file."""

from __future__ import annotations

import argparse
import json
import math
from contextlib import closing

from app.commands.arguments import add_clip, reading_of
from app.commands.report import rate_warnings
from app.provenance import source_facts
from app.sources.opening import open_source

ORIGINS = {
    "stamps": "by the time stamps of its frames", "header": "by the header of the camera's file",
    "container": "by the rate at which the file is played", "user": "as you said", "scene": "as the scene was rendered",
    "unknown": "for the file does not tell",
}  # fmt: skip
"""Where a time base comes from (`pipelines.frame`), in words."""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Opens a clip and says what it holds and where its time base comes from."
    add_clip(command)
    command.add_argument("--json", action="store_true", help="for machines")
    command.set_defaults(function=_info)


def _info(options: argparse.Namespace) -> int:
    with closing(open_source(options.clip, reading_of(options))) as source:
        info = source.info
    if options.json:
        print(json.dumps(source_facts(info), indent=1, default=str))
        return 0
    print(f"{info.name}  ({info.kind})")
    print(f"  picture   {info.width} x {info.height} px, {info.format.color}, {info.format.bits} bit"
          f"{'' if info.format.packing == 'none' else ', packed ' + info.format.packing}")  # fmt: skip
    short = f" of {info.declared_frames} declared" if info.declared_frames > info.frames else ""
    print(f"  frames    {info.frames}{short}, first is number {info.first_number}")
    rate = f"{info.time.fps:g} fps" if info.time.fps > 0 else "unknown rate"
    print(f"  time      {rate}, {ORIGINS.get(info.time.origin, info.time.origin)}")
    print(f"            {info.time.note}")
    if info.frames and not math.isnan(info.time.fps):
        begin, end = info.time.time(0), info.time.time(info.frames - 1)
        span = f", from {begin:.6g} s to {end:.6g} s of the trigger" if begin else ""
        print(f"  length    {end - begin:.6g} s{span}")
    told = {key: value for key, value in info.metadata.items() if value != "" and not isinstance(value, dict)}
    width = max([9, *map(len, told)])
    for key, value in told.items():
        print(f"  {key:<{width}} {f'{value:.9g}' if isinstance(value, float) else value}")
    for warning in (*rate_warnings(info), *info.warnings):
        print(f"  warning   {warning}")
    return 0
