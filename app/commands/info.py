"""`fusetrack info CLIP`: what is in the file; of a run's folder, of which clip it is and what was found."""

from __future__ import annotations

import argparse
import json
import math
from contextlib import closing

from app.cautions import rate_warnings
from app.commands.arguments import add_clip, reading_of
from app.commands.info_results import facts_of, lines_of
from app.files.summary import json_text
from app.path_kinds import what_is
from app.provenance import source_facts
from app.sources.base import ClipSource
from app.sources.integrity import Integrity
from app.sources.opening import open_source
from app.verifying import verify
from kernels.errors import InputError
from pipelines.frame import SourceInfo

ORIGINS = {
    "stamps": "by the time stamps of its frames", "header": "by the header of the camera's file",
    "container": "by the rate at which the file is played", "user": "as you said", "scene": "as the scene was rendered",
    "unknown": "for the file does not tell",
}  # fmt: skip
"""Where a time base comes from (`pipelines.frame`), in words."""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = (
        "Opens a clip and says what it holds and where its time base comes from. Of a run's folder: of which clip it "
        "is, where that is now, with which pipeline it was made, how many tracks were found; of a batch's folder: its "
        "runs; of a project its clips, and what was done on them; of tables of tracks and files of labels: how much is "
        "in them."
    )
    add_clip(command)
    command.add_argument(
        "--verify", action="store_true", help="read all frames with every check that there is for the format, and name "
        "those that are damaged; the exit code is 1 if there are any",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="for machines")
    command.set_defaults(function=_info)


def _info(options: argparse.Namespace) -> int:
    known = facts_of(what_is(options.clip))
    if known is not None:
        if options.verify:
            raise InputError(what_is(options.clip).wrong("a clip (--verify)"))
        print(json_text(known) if options.json else "\n".join(lines_of(known)))
        return 0
    with closing(open_source(options.clip, reading_of(options))) as source:
        verdict = verify(source) if options.verify else None
        info, integrity = source.info, source.integrity if isinstance(source, ClipSource) else None
    if options.json:
        facts = {**source_facts(info), "integrity": integrity and integrity.value}
        if verdict is not None:
            damaged = {str(k): why for k, why in sorted(verdict.flaws.items())}
            facts["verified"] = {"whole": verdict.whole, "damaged": damaged, "sentences": verdict.lines()}
        print(json.dumps(facts, indent=1, default=str))
    else:
        _print(info, integrity)
        for line in verdict.lines() if verdict else ():
            print(f"  verified  {line}")
    return 1 if verdict is not None and not verdict.whole else 0


def _print(info: SourceInfo, integrity: Integrity | None) -> None:
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
    if integrity is not None:
        print(f"  integrity {integrity.value}")
    known = {key: value for key, value in info.metadata.items() if value != "" and not isinstance(value, dict)}
    width = max([9, *map(len, known)])
    for key, value in known.items():
        print(f"  {key:<{width}} {f'{value:.9g}' if isinstance(value, float) else value}")
    for warning in (*rate_warnings(info), *info.warnings):
        print(f"  warning   {warning}")
