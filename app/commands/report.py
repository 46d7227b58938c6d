"""What `fusetrack run` says at the end: tracks, frames, time base, warnings, and what to try."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from app.controller import Outcome
from pipelines.frame import SourceInfo
from pipelines.graph import Pipeline

SHOWN = 20
PLAYER_FPS = 120
"""A video that plays at this rate or less may well be a high-speed clip that was exported for slow playback."""
MANY = 60
COLUMNS = (("track", 6), ("seen", 7), ("from", 6), ("to", 6), ("mean x", 8), ("mean y", 8), ("range x", 8),
           ("range y", 8), ("top speed", 10), ("sigma", 7))  # fmt: skip


def print_outcome(outcome: Outcome, said: Collection[str] = ()) -> None:
    """Everything about a run, on stdout, but for the hints that were `said` before it."""
    # Here: processes of batches want the sentences below, and not what prints them.
    from rich.console import Console
    from rich.markup import escape

    console, report, info = Console(highlight=False, soft_wrap=True), outcome.report, outcome.source
    ledger, tracks = report.ledger, outcome.summary["tracks"]["list"]
    hints = [hint for hint in outcome.summary["hints"] if hint not in said]
    if tracks:
        console.print(f"[bold]{''.join(f'{name:>{width}}' for name, width in COLUMNS)}[/]")
        for track in tracks[:SHOWN]:
            console.print(track_line(track))
        more = f"; the {SHOWN} seen longest of {len(tracks)}, all in tracks.csv" if len(tracks) > SHOWN else ""
        speed = "px/s" if info.time.fps > 0 else "px/frame"
        console.print(f"[dim]px, {speed}; sigma: standard uncertainty of a position{more}[/]\n")
        for hint in (*track_hints(tracks, ledger.processed, outcome.pipeline), *hints):
            console.print(f"[yellow]hint[/]     {escape(hint)}")
    else:
        console.print("[bold]no tracks[/]: nothing was seen long enough; `--set` changes thresholds, "
                      "`fusetrack pipelines` lists other pipelines")  # fmt: skip
        for hint in hints:
            console.print(f"[yellow]hint[/]     {escape(hint)}")
        console.print()
    bad = f", [bold red]{ledger.bad} could not be read[/]" if ledger.bad else ""
    left = f", {ledger.not_reached} not reached (stopped; what was done is kept)" if ledger.not_reached else ""
    console.print(f"frames   {ledger.processed} of {ledger.announced} processed{bad}{left}; "
                  f"{report.fps:.0f} frames/s in {report.seconds:.1f} s{part_text(outcome)}")  # fmt: skip
    if line := overlay_line(outcome.summary["overlay"], report.seconds):
        console.print(f"overlay  {line}")
    console.print(f"device   {escape(device_line(outcome.summary['back_end']))}")
    console.print(f"time     {escape(time_line(info))}")
    if outcome.summary["back_end"]["note"]:
        console.print(f"[yellow]warning[/]  {escape(outcome.summary['back_end']['note'])}")
    for warning in (*rate_warnings(info), *info.warnings):
        console.print(f"[yellow]warning[/]  {escape(warning)}")
    for index, reason in ledger.bad_frames[:3]:
        console.print(f"[yellow]warning[/]  frame {index}: {escape(reason)}")
    for node, rows in report.overflow.items():
        console.print(f"[yellow]warning[/]  {node} had no room for {rows} rows; raise {node}.capacity or its threshold")
    if outcome.scores is not None:
        from app.commands.evaluate import describe  # here: most clips have no truth, and start sooner without

        console.print(f"truth    {describe(outcome.scores)}; compared with {escape(outcome.compared)}")
    elif outcome.compared:
        console.print(f"truth    not compared: {escape(outcome.compared)}")
    for note in outcome.notes:
        console.print(f"note     {escape(note)}")
    console.print(f"results  {escape(str(outcome.folder))}/  {', '.join(file.name for file in outcome.files)}")


def part_text(outcome: Outcome) -> str:
    """Which part of the clip this was, where that is one frame: `--frames 10` is often meant as the first ten."""
    first, end = outcome.summary["range"]
    if end - first != 1 or outcome.source.frames == 1:
        return ""
    return (
        f" (frame {first} alone; --frames :{first} are the first {first})" if first > 1 else f" (frame {first} alone)"
    )


def time_line(info: SourceInfo) -> str:
    """The rate and where it comes from; notes that begin with the rate are not told it twice."""
    if not info.time.fps > 0:
        return f"unknown rate, time counts frames: {info.time.note}"
    rate = f"{info.time.fps:g} fps"
    return info.time.note if info.time.note.startswith(rate) else f"{rate} ({info.time.origin}): {info.time.note}"


def overlay_line(overlay: Mapping[str, float] | None, seconds: float) -> str:
    """What the overlay video cost; "" for less than a second, without which nobody would be much faster.

    >>> overlay_line({"seconds": 8.2, "waited_seconds": 7.0}, 9.0)
    '8.2 s to draw and encode, of which the run waited 7.0 s; --no-overlay leaves it out'
    >>> overlay_line({"seconds": 8.2, "waited_seconds": 0.3}, 9.0)
    '8.2 s to draw and encode, beside the rest'
    """
    if overlay is None or overlay["seconds"] < 1.0:
        return ""
    text = f"{overlay['seconds']:.1f} s to draw and encode"
    if overlay["waited_seconds"] < 0.25 * seconds:
        return f"{text}, beside the rest"
    return f"{text}, of which the run waited {overlay['waited_seconds']:.1f} s; --no-overlay leaves it out"


def device_line(back_end: Mapping[str, Any]) -> str:
    """What computed, and why not the GPU, if there might be one.

    >>> device_line({"device": "cpu", "why": "CuPy is not installed, so no GPU is used"})
    'cpu'
    >>> device_line({"device": "cpu", "why": "the frames are not worth their way to the GPU"})
    'cpu; the frames are not worth their way to the GPU'
    """
    title = f" ({back_end['gpu']['gpu']})" if "gpu" in back_end else ""
    why = back_end["why"]
    # Who has not installed CuPy asked for no GPU.
    return f"{back_end['device']}{title}" + (f"; {why}" if why and not why.startswith("CuPy is not installed") else "")


def track_line(track: Mapping[str, Any]) -> str:
    """A track's numbers below COLUMNS; a wide number pushes the rest to the right, none is ever cut.

    Args:
        track: an entry of `TrackStatistics.facts`.
    """
    speed = track["top_speed_px_per_s"]
    values = (
        f"{track['track']}", f"{track['seen_frames']}", f"{track['first_frame']}", f"{track['last_frame']}",
        f"{track['mean_x_px']:.2f}", f"{track['mean_y_px']:.2f}", f"{track['range_x_px']:.2f}",
        f"{track['range_y_px']:.2f}", f"{speed:.0f}" if speed >= 100 else f"{speed:.3g}",
        f"{track['mean_sigma_px']:.3f}",
    )  # fmt: skip
    cells = (f"{value:>{width - 1}}" for value, (_, width) in zip(values, COLUMNS, strict=True))
    return " " + " ".join(cells)


def rate_warnings(info: SourceInfo) -> list[str]:
    """A sentence if the clip's rate is one at which videos are played rather than taken."""
    if info.time.origin != "container" or not 0 < info.time.fps <= PLAYER_FPS:
        return []
    return [f"{info.time.fps:.4g} fps is the rate at which the video is played; if the camera took it faster, all "
            "times and speeds are wrong until you give the capture rate with --fps"]  # fmt: skip


def track_hints(tracks: Sequence[Mapping[str, Any]], frames: int, pipeline: Pipeline) -> list[str]:
    """A sentence if there are many tracks and most are short: noise or texture was followed, most likely.

    Args:
        tracks: entries of `TrackStatistics.facts`.
        frames: frames processed.
    """
    life = float(np.median([track["seen_frames"] for track in tracks]))
    if len(tracks) < MANY or life > 0.5 * frames:
        return []
    text = f"{len(tracks)} tracks, half of them seen in {life:.0f} frames or fewer of {frames}"
    tries = []
    tries += [f"a larger {node.id}.min_area" for node in pipeline.nodes if node.stage == "components"]
    tries += ["a part of the picture (--roi)", "another pipeline"]
    return [f"{text}: if these are noise or texture and no things of yours, try {', '.join(tries[:-1])} or {tries[-1]}"]
