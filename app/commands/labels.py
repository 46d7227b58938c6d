"""`fusetrack labels`: files of labelled key points in the formats of other programs, and which frames to label next."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from app.labels import coco
from app.labels.beside import labels_beside
from app.labels.formats import FORMATS, format_of, read_labels, write_labels
from app.labels.labels import Labels, project_of
from app.labels.pictures import write_pictures
from app.labels.proposing import propose
from app.progress import showing
from kernels.errors import InputError

EXAMPLES = """examples:
  fusetrack labels mouse.mp4.labels.json -o mouse.slp             labels of the window for SLEAP
  fusetrack labels mouse.mp4.labels.json --pictures -o project/CollectedData_me.h5
                                                                  for DeepLabCut, with the frames as PNG
  fusetrack labels CollectedData_me.csv --clip mouse.mp4 -o mouse.mp4.labels.json
                                                                  DeepLabCut's labels for the window
  fusetrack labels mouseDLC_resnet50.h5 --clip mouse.mp4 -o mouse.mp4.labels.json --frames 0 120 480
                                                                  what DeepLabCut found in these frames, as labels
  fusetrack labels mouse.mp4 --frames next 20                     which 20 frames to label: the most different ones
  fusetrack labels mouse.mp4 --frames next 5 --labels old.slp     ... beside those that are labelled there

formats, by their endings:
FORMATS

INPUT is a file of labels, or with `--frames next N` a clip, whose labels lie beside it (CLIP.labels.json, as the window
keeps them) or in --labels. Frames count from 0, as everywhere. Up to 300 frames of the clip are looked at, evenly
spread; each proposed frame is the one that looks least like all that are labelled or proposed before it, as in the
window. --pictures writes labeled-data/CLIP/imgNNN.png (8 bits; NNN is the frame) beside OUT, or into the project that
it lies in; SLEAP's project and JSON, and COCO then name the pictures. Files of SLEAP are known by what is in them, also
as labels.v001.json or clip.analysis.csv. Other programs show a video turned that asks for it: places in their files
count in the turned picture, and are written so. DeepLabCut keeps skeletons in its config.yaml, not in its
tables. Its results, and SLEAP's, count as labels from a likelihood of 0.6 on.
exit codes: 0 done; 2 the input is wrong
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = "Converts labelled key points, writes their pictures, and says which frames to label next."
    listed = "\n".join(f"  {ending:6s} {one.summary}" for ending, one in FORMATS.items())
    command.epilog = EXAMPLES.replace("FORMATS", listed)
    command.add_argument("input", metavar="INPUT", help="a file of labels, or a clip with --frames next N")
    command.add_argument("--out", "-o", type=Path, metavar="OUT", help="the file to write; its ending tells the format")
    command.add_argument("--clip", metavar="CLIP", help="of which the labels are, where their file does not say")
    command.add_argument("--frames", nargs="+", metavar="N", help="`next 10`: propose so many; or only these of INPUT")
    command.add_argument("--labels", type=Path, metavar="FILE", help="what is labelled of the clip already")
    command.add_argument("--pictures", action="store_true", help="write the labelled frames as PNG, too")
    command.add_argument("--force", action="store_true", help="replace OUT if it exists")
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    command.set_defaults(function=_labels)


def _labels(options: argparse.Namespace) -> int:
    if options.frames and options.frames[0] == "next":
        return _next(options)
    source, out = Path(options.input), options.out
    if out is None:
        raise InputError("say with -o where the labels are to be written, such as -o mouse.slp, or ask which frames "
                         "to label with --frames next 10")  # fmt: skip
    format_of(out)
    if out.exists() and not options.force:
        raise InputError(f"{out} exists already; --force replaces it")
    made = read_labels(source, options.clip)
    if options.frames:
        made = _chosen(made, [_whole(word) for word in options.frames], source)
    pictures: list[str] = []
    if options.pictures:
        with showing("pictures", len(made.frames)) as progress:
            pictures = write_pictures(made, project_of(out), lambda: progress.advance(1))
    write_labels(made, out, pictures)
    facts = {"out": str(out), "frames": len(made.frames), "animals": made.animals, "points": list(made.points),
             "labels": made.labelled, "pictures": len(pictures)}  # fmt: skip
    if options.json:
        print(json.dumps(facts, indent=1))
        return 0
    more = f", {len(pictures)} pictures in {project_of(out) / 'labeled-data'}" if pictures else ""
    print(f"{out}: {len(made.frames)} frames with {made.labelled} labels of {len(made.points)} points{more}")
    if made.edges and not format_of(out).edges:
        print("the skeleton is not in it; DeepLabCut keeps that in its config.yaml")
    return 0


def _chosen(made: Labels, frames: list[int], file: Path) -> Labels:
    kept = tuple(frame for frame in made.frames if frame.index in frames)
    if not kept:
        raise InputError(f"{file} has no labels in frames {', '.join(map(str, frames))}")
    return replace(made, frames=kept)


def _whole(word: str) -> int:
    if not word.isdecimal():
        raise InputError(f"--frames takes numbers of frames, or `next` and how many are wanted, not {word!r}")
    return int(word)


def _next(options: argparse.Namespace) -> int:
    words = options.frames[1:]
    if len(words) > 1:
        raise InputError(f"--frames next takes how many are wanted, not {' '.join(words)!r}")
    count = _whole(words[0]) if words else 1
    if not 1 <= count <= 10_000:
        raise InputError(f"--frames next takes 1 to 10000 frames, not {count}")
    beside = labels_beside(options.input)
    known = options.labels or (beside if beside.is_file() else None)
    labelled: list[int] = []
    if known is not None:  # what the window keeps may have names and nothing labelled yet
        read = coco.read(known, options.input, begun=True) if known == beside else read_labels(known, options.input)
        labelled = [frame.index for frame in read.frames]
    found = propose(options.input, labelled, count)
    if options.json:
        print(json.dumps({"clip": options.input, "labelled": sorted(set(labelled)), "frames": found}, indent=1))
    else:
        print("\n".join(map(str, found)) if found else "all frames that were looked at are labelled, or look like one")
    return 0
