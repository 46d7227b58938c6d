"""What `fusetrack run` says at the end: tracks, frames, time base, warnings, and what to try."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from app.cautions import rate_warnings, track_hints
from app.controller import Outcome
from app.marked_words import marked
from app.spelling import ordinal
from pipelines.frame import SourceInfo

SHOWN = 20
COLUMNS = (("track", 6), ("seen", 7), ("from", 6), ("to", 6), ("mean x", 8), ("mean y", 8), ("range x", 8),
           ("range y", 8), ("top speed", 10), ("sigma", 7))  # fmt: skip


def print_outcome(outcome: Outcome, said: Collection[str] = ()) -> None:
    """Everything about a run, on stdout, but for the hints that were `said` before it."""
    say, escape = marked()
    report, info = outcome.report, outcome.source
    ledger, tracks = report.ledger, outcome.summary["tracks"]["list"]
    hints = [hint for hint in outcome.summary["hints"] if hint not in said]
    if tracks:
        say(f"[bold]{''.join(f'{name:>{width}}' for name, width in COLUMNS)}[/]")
        for track in tracks[:SHOWN]:
            say(track_line(track))
        more = f"; the {SHOWN} seen longest of {len(tracks)}, all in tracks.csv" if len(tracks) > SHOWN else ""
        speed = "px/s" if info.time.fps > 0 else "px/frame"
        say(f"[dim]px, {speed}; sigma: standard uncertainty of a position{more}[/]\n")
        # Wide tables are cut to those seen longest; hints look at all.
        for hint in (*track_hints(tracks, ledger.processed, outcome.pipeline), *hints):
            say(f"[yellow]hint[/]     {escape(hint)}")
    else:
        say("[bold]no tracks[/]: nothing was seen long enough; `--set` changes thresholds, "
            "`fusetrack pipelines` lists other pipelines")  # fmt: skip
        for hint in hints:
            say(f"[yellow]hint[/]     {escape(hint)}")
        say("")
    bad = f", [bold red]{ledger.bad} could not be read[/]" if ledger.bad else ""
    left = f", {ledger.not_reached} not reached (stopped; what was done is kept)" if ledger.not_reached else ""
    say(f"speed    {speed_line(outcome.summary['speed'], outcome.summary['overlay'] is not None)}")
    say(f"frames   {ledger.processed} of {ledger.announced} processed{bad}{left}{part_text(outcome)}")
    if line := overlay_line(outcome.summary["overlay"], report.seconds):
        say(f"overlay  {line}")
    say(f"device   {escape(device_line(outcome.summary['back_end']))}")
    say(f"time     {escape(time_line(info))}")
    if outcome.summary["back_end"]["note"]:
        say(f"[yellow]warning[/]  {escape(outcome.summary['back_end']['note'])}")
    for warning in (*rate_warnings(info), *info.warnings):
        say(f"[yellow]warning[/]  {escape(warning)}")
    for index, reason in ledger.bad_frames[:3]:
        say(f"[yellow]warning[/]  frame {index}: {escape(reason)}")
    for node, frames in report.sent_back.items():
        say(f"[yellow]warning[/]  {node}: {frames} of {ledger.processed} frames held larger things, or more of them, "
            "than the GPU has room for, and the processor made their rows; --device cpu may be faster")  # fmt: skip
    for node, rows in report.overflow.items():
        say(f"[yellow]warning[/]  {node} had no room for {rows} rows; raise {node}.capacity or its threshold")
    if outcome.scores is not None:
        from app.evaluation.line import describe  # here: most clips have no truth, and start sooner without

        say(f"truth    {describe(outcome.scores)}; compared with {escape(outcome.compared)}")
    elif outcome.compared:
        say(f"truth    not compared: {escape(outcome.compared)}")
    for note in outcome.notes:
        say(f"note     {escape(note)}")
    say(f"results  {escape(str(outcome.folder))}/  {', '.join(file.name for file in outcome.files)}")


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


def speed_line(speed: Mapping[str, float], overlay: bool) -> str:
    """How fast frames were tracked, and how fast with all that was drawn and written.

    >>> facts = {"tracked_fps": 2543.1, "whole_fps": 1131.0, "whole_seconds": 0.42, "processors": 2}
    >>> speed_line(facts | {"compiled_seconds": 0.0}, True)
    'tracked at 2543 frames/s on 2 cores; with overlay, pictures and tables 1131 frames/s, 0.4 s in all'
    >>> speed_line(facts | {"whole_fps": 100.0, "whole_seconds": 4.8, "compiled_seconds": 4.4}, False)[35:]
    '; with pictures and tables 100 frames/s, 4.8 s in all, of which 4.4 s made machine code that is kept'
    """
    cores = "1 core" if speed["processors"] == 1 else f"{speed['processors']} cores"
    compiled = speed["compiled_seconds"]
    made = f", of which {compiled:.1f} s made machine code that is kept" if compiled >= 0.1 else ""
    drawn = "overlay, pictures and tables" if overlay else "pictures and tables"
    return (f"tracked at {speed['tracked_fps']:.0f} frames/s on {cores}; with {drawn} {speed['whole_fps']:.0f} "
            f"frames/s, {speed['whole_seconds']:.1f} s in all{made}")  # fmt: skip


def overlay_line(overlay: Mapping[str, Any] | None, seconds: float) -> str:
    """Which frames the overlay video shows, and what it cost where the run waited for it.

    >>> overlay_line({"seconds": 8.2, "waited_seconds": 7.0, "every": 1, "shown": "33x slower"}, 9.0)
    '33x slower than life; the run waited 7.0 s for it, --no-overlay leaves it out'
    >>> overlay_line({"seconds": 8.2, "waited_seconds": 0.3, "every": 2, "shown": "17x slower"}, 9.0)
    '17x slower than life, every 2nd frame; `fusetrack export RUN --to mp4` draws all'
    >>> overlay_line({"seconds": 8.2, "waited_seconds": 0.3, "every": 1, "shown": ""}, 9.0)
    ''
    """
    if overlay is None:
        return ""
    words = [f"{overlay['shown']} than life"] if overlay["shown"] else []
    words += [f"every {ordinal(overlay['every'])} frame"] if overlay["every"] > 1 else []
    costs = []
    if overlay["waited_seconds"] >= max(1.0, 0.25 * seconds):
        costs.append(f"the run waited {overlay['waited_seconds']:.1f} s for it, --no-overlay leaves it out")
    elif overlay["every"] > 1:
        costs.append("`fusetrack export RUN --to mp4` draws all")
    return "; ".join(filter(None, (", ".join(words), *costs)))


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
