"""`fusetrack cameras`: which cameras are there, and what one of them delivers."""

from __future__ import annotations

import argparse
import json
import math
from contextlib import closing
from dataclasses import asdict

from app.cameras.controls import Control, controls_of
from app.cameras.measure import Delivered, measure
from app.cameras.opening import list_cameras, open_camera
from app.commands.arguments import check_fps
from kernels.errors import InputError
from pipelines.frame import SourceInfo

EXAMPLES = """examples:
  fusetrack cameras                                                  which cameras are there
  fusetrack cameras "cam:sim?fps=1000&size=512x512" --seconds 2      what the simulated camera delivers
  fusetrack cameras "cam:sim?scene=beam&drop=0.01&duplicate=0.001&disconnect=@5000&seed=3"
  fusetrack cameras "cam:0?size=640x480&fps=60&fourcc=MJPG"          a camera that OpenCV can open
  fusetrack cameras "cam:pylon:12345678?ExposureTime=500&Width=512"  a Basler camera and its settings
  fusetrack cameras "cam:genicam:/opt/maker/producer.cti:12345678"   a GenICam camera of any maker

the simulated camera takes: scene, clip, size, fps, frames, seed, jitter (share of a frame interval), drop, duplicate,
stall, disconnect, resize (each a probability a frame, or @numbers), stall_time, away (seconds), resized, returns, drift
(ppm), color, pictures, loop, ring, and the parameters of its scene (`fusetrack simulate SCENE`)

exit codes: 0 done; 1 the camera was lost or delivered nothing; 2 there is no such camera
"""
MOST_WORDS = 6
"""Choices of a setting that are printed."""
SHOWN = 6
"""Ranges of missing frames that are printed."""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = (
        "Lists the cameras that are there. With a CAMERA: takes what it delivers for some seconds and says how many "
        "frames came, how regularly, which numbers are missing and which came twice."
    )
    command.epilog = EXAMPLES
    command.add_argument("camera", metavar="CAMERA", nargs="?", help="cam:sim, cam:0, cam:pylon, ... (see below)")
    command.add_argument("--seconds", type=float, default=2.0, metavar="S", help="how long to look (2)")
    command.add_argument("--fps", type=float, metavar="RATE", help="the rate to ask the camera for")
    command.add_argument("--json", action="store_true", help="for machines")
    command.set_defaults(function=_cameras)


def _cameras(options: argparse.Namespace) -> int:
    if options.camera is None:
        return _list(options.json)
    if not (math.isfinite(options.seconds) and 0 < options.seconds <= 86_400):
        raise InputError(f"--seconds must be a positive number of seconds, not {options.seconds:g}")
    with closing(open_camera(options.camera, fps=check_fps(options.fps))) as camera:
        found = measure(camera, options.seconds)
        info = camera.info
    if options.json:
        facts = {"camera": options.camera, "controls": info.metadata.get("controls", []),
                 "width": info.width, "height": info.height, "format": asdict(info.format),
                 "nominal_fps": info.time.fps if math.isfinite(info.time.fps) else None, **found.facts()}  # fmt: skip
        print(json.dumps(facts, indent=1))
    else:
        print("\n".join(describe(options.camera, info, found)))
    return 1 if found.lost or not found.frames else 0


def _list(as_json: bool) -> int:
    entries, notes = list_cameras()
    if as_json:
        print(json.dumps({"cameras": [asdict(entry) for entry in entries], "notes": notes}, indent=1))
        return 0
    width = max(len(entry.text) for entry in entries)
    for entry in entries:
        print(f"{entry.text:{width}}  {entry.sentence}")
    for note in notes:
        print(f"({note})")
    return 0


def describe(text: str, info: SourceInfo, found: Delivered) -> list[str]:
    """The measurement as lines of text."""
    form = info.format
    packed = "" if form.packing == "none" else f", packed {form.packing}"
    lines = [f"{text}  {info.width} x {info.height} px, {form.color}, {form.bits} bit{packed}"]
    lines += [f"  note        {warning}" for warning in info.warnings]
    lines += [f"  setting     {_setting(one)}" for one in controls_of(info.metadata)]
    by_camera = f"{found.fps:.2f} frames/s by the camera's clock, " if found.fps == found.fps else ""
    rate = f": {by_camera}{found.host_fps:.2f} by the host's" if found.frames > 1 else ""
    lines.append(f"  came        {found.frames} frames in {found.seconds:.2f} s{rate}")
    if found.jitter_ms == found.jitter_ms:
        low, median, high = found.interval_ms
        whose = "camera" if found.fps == found.fps else "host"
        lines.append(f"  interval    {median:.3f} ms, {low:.3f} .. {high:.3f}, jitter {found.jitter_ms:.3f} ms rms "
                     f"({whose}'s clock)")  # fmt: skip
    lines.append(f"  missing     {found.missing}{_ranges(found.gaps)}")
    if found.damaged:
        lines.append(f"  damaged     {found.damaged} of these came incomplete")
    lines.append(f"  duplicates  {len(found.duplicates)}{_ranges(_alone(found.duplicates))}")
    if found.late:
        lines.append(f"  late        {len(found.late)}, after a higher number{_ranges(_alone(found.late))}")
    lines.append(f"  taking them {found.processor:.1%} of a core")
    if found.ended:
        lines.append("  the stream came to its end")
    if found.lost:
        lines.append(f"  lost        {found.lost}")
    return lines


def _setting(one: Control) -> str:
    """A control as a line: how it is set, and what it may be."""
    unit = f" {one.unit}" if one.unit not in ("", "1") else ""
    if one.choices:
        words = list(filter(None, one.choices))
        more = f" and {len(words) - MOST_WORDS} more" if len(words) > MOST_WORDS else ""
        may = ", ".join(words[:MOST_WORDS]) + more
    elif one.low is not None and one.high is not None:
        may = f"{one.low:g} to {one.high:g}{unit}"
    else:
        may = unit.strip()
    return f"{one.name}={one.value}  {one.words}" + (f" ({may})" if may else "")


def _alone(numbers: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((number, number) for number in numbers)


def _ranges(ranges: tuple[tuple[int, int], ...]) -> str:
    if not ranges:
        return ""
    shown = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges[:SHOWN])
    return f": {shown}" + (f" and {len(ranges) - SHOWN} more" if len(ranges) > SHOWN else "")
