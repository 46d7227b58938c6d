"""`fusetrack bench`: fused against unfused against the best that a user could otherwise write."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from rich.console import Console

from app.benchmark import pinning
from app.benchmark.campaign import Campaign, Job
from app.benchmark.chains import CHAINS
from app.benchmark.measure import How, measure_chain, measure_pipeline
from app.benchmark.plot import write_plot
from app.benchmark.results import Result, facts, threads
from app.benchmark.table import show
from app.commands.arguments import add_device, add_figure, add_plugins, load_plugins, look_of_figure
from app.commands.bench_campaign import last_words, progress_bar
from app.files.atomic import check_target
from app.files.summary import versions, write_summary
from app.plots.figures import check_figure
from app.spelling import parse_settings
from kernels.errors import InputError
from kernels.executors.placement import available
from pipelines.definition import load

SIZES, EACH = (256, 512, 1024), 8.0
EXAMPLES = """examples:
  fusetrack bench                                  all chains, three sizes, one thread and all; some minutes
  fusetrack bench seed harris --size 512 --threads 2 --seconds 20
  fusetrack bench --pin --json bench.json --plot bench.png
  fusetrack bench features --size 1024 --batch 8 --batch 1
  fusetrack bench --size 512 --threads 2 --load 0 --load 2   idle, and with two busy processes beside
  fusetrack bench --pipeline my_pipeline.toml --size 512 --channels 4
  fusetrack bench --device cuda --report           on a GPU: one block of text to paste
  fusetrack bench --trackers --plot trackers.png   ours against trackpy, OpenCV, OC-SORT, ByteTrack, pyIDI
  fusetrack bench --trackers vortex plate-dim speed --seconds 5
  fusetrack bench --trackers vortex insects --seeds 5   medians and spread over five clips of each scene
  fusetrack bench --networks                       ours against onnxruntime, OpenVINO, LiteRT, MNN, OpenCV; no download
  fusetrack bench --networks face.onnx unet.onnx --threads 1 --csv networks.csv --plot networks.svg
  fusetrack bench --networks blazeface-like unet-96 --load 0 --load 2 --seconds 60

Contenders: fusetrack fused and unfused (the same back end, one stage a program), the best sequence of OpenCV calls and
others, NumPy and SciPy, and Numba and Halide where they are installed (in a checkout of the repository, pip install
".[bench]"; likewise [peers], [bench-networks] below). All run in one process, in turns and random order, on the same
frames; outputs are compared before the clock runs, and each call that counts follows a millisecond of calls that do
not, as batches of a stream follow one another. Figures are medians of whole calls of --batch frames, with quartiles. A
ratio is OpenCV's time by the contender's: of the medians, its quartiles over the rounds, and of the shortest calls,
which the rest of the machine disturbs least.
--pin keeps the caller on one processor and all helping threads on the others; without it the system puts them where it
likes, which on two processors often is OpenCV's helper on the caller's. Ctrl-C keeps what has been measured.

On a GPU (chain seed without another, 512x512, 1024x1024 and 1920x1080, mono u8 and RGBA, 16 frames a batch): fused and
unfused, plain and as CUDA graphs, cupyx.scipy.ndimage, cupy.fuse, and torch.compile where PyTorch is installed; timed
by CUDA events, then end to end with the transfers.

--trackers (".[peers]" for the peers): every contender follows the same simulated scenes, whole,
from pixels to tracks, with the threshold that is best for it on the first 60 frames, and is judged as by `fusetrack
evaluate`. Then all are timed in turns and random order with 10, 100 and 1000 features in 512 x 512 pixels, as whole
clips and, where a contender can, frame by frame as a camera delivers them (p50, p99, p99.9); --seconds is for each
number, and --pin has everything run on one processor. CHAIN is then speed or a scene, all of them without it:
  things    blobs-4 blobs-10 blobs-40 (by their SNR; 4 in 12 bits) blobs-dropped bars-4 bars-10 bars-40 bars-wide
            vortex insects face
  points    plate plate-flicker plate-dim plate-12 (bits) beam face-points disk

--networks (".[bench-networks]" for the peers): every engine has a process of its own, with the same
random input, --threads (1 and 2) and an allocator that keeps freed memory; outputs are compared with ours first, and
who differs is named and left out of the ratio. Then they run in turns and random order, 20 ms each after 3 ms that do
not count. Figures of one frame: the least processor time of a run, the median by the clock with quartiles, and the
share of the fused multiply-adds of f32 that the processor makes in a loop of nothing else, which has its turns too.
"ours is" so many times as fast: by processor time of one thread, by median clock time of several. With --fast (see
fusetrack run) ours is timed, too, where that changes anything. Where a network
takes a picture, a u8 frame of 512x512 through the whole engine (stretched, scaled, network) is timed as well. LiteRT
takes the .tflite of the same name beside the file, else what can be converted here. --size: height and width where a
file leaves them open (256).
Without a file, or by name, networks with random weights that are made here:
  dwpw-128x32-64 dwpw-64x64-128 dwpw-32x128-128 pwdw-128x32-64 pwpw-64x64-128-64 inverted-56x24 inverted-28x32
  siblings-3a blazeface-like unet-96 dwpw-128x32-64-int8
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = ("Times chains of kernels, fused and unfused, against OpenCV, SciPy, Numba and Halide; "
                           "trackers and networks against those of others.")
    command.epilog = EXAMPLES
    command.add_argument("chains", nargs="*", metavar="CHAIN", help=f"of {', '.join(CHAINS)}; all without it")
    command.add_argument("--pipeline", "-p", metavar="NAME|FILE", help="time this pipeline instead, fused, unfused "
                         "and on the reference, without its trackers")  # fmt: skip
    command.add_argument("--set", "-s", action="append", default=[], metavar="NODE.PARAM=VALUE", help="of --pipeline")
    command.add_argument("--channels", type=int, metavar="N", help="of the u8 frames for --pipeline (1)")
    command.add_argument(
        "--size",
        type=int,
        action="append",
        metavar="N",
        help=f"frames of N x N pixels; may be given several times ({', '.join(map(str, SIZES))})",
    )
    command.add_argument("--batch", type=int, action="append", metavar="B", help="frames a call; likewise (8)")
    command.add_argument("--threads", type=int, action="append", metavar="T", help="likewise (1 and all processors)")
    command.add_argument("--load", type=int, action="append", metavar="N",
                         help="busy processes beside, each on one thread; likewise (0)")  # fmt: skip
    command.add_argument("--seconds", type=float, metavar="S",
                         help=f"for everything, making ready included ({EACH:g} s a measurement)")  # fmt: skip
    command.add_argument("--pin", action="store_true", help="keep threads on processors of their own (Linux)")
    command.add_argument("--trackers", action="store_true", help="compare trackers with their peers instead, on scenes "
                         "with known truth: accuracy, then speed")  # fmt: skip
    command.add_argument("--networks", nargs="*", metavar="FILE.onnx", help="compare engines for convolution networks "
                         "instead, on these files or on networks with random weights")  # fmt: skip
    command.add_argument("--seeds", type=int, metavar="N", help="with --trackers: medians and spread of accuracy over "
                         "so many clips of each scene, which differ in noise and motions (1)")  # fmt: skip
    add_device(command, "cpu", "what runs fusetrack's own: cpu, reference, or cuda, cuda:1 ... for a GPU")
    command.add_argument("--report", action="store_true", help="with --device cuda: print one block of text to paste")
    command.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    command.add_argument("--csv", type=Path, metavar="FILE", help="with --networks: write a row a contender")
    command.add_argument("--plot", type=Path, metavar="FILE", help="draw the ratios (with --networks: the share of the "
                         "peak) as a .png, .svg or .pdf")  # fmt: skip
    add_figure(command)
    command.add_argument("--quiet", "-q", action="store_true", help="no progress bar")
    add_plugins(command)
    command.set_defaults(function=_bench)


def _bench(options: argparse.Namespace) -> int:
    for file in (options.json, options.csv, options.plot):
        if file is not None:  # not after minutes of measuring
            check_target(file)
    if options.networks is not None and (options.trackers or options.chains):
        other = "--trackers" if options.trackers else f"chains ({', '.join(options.chains)})"
        raise InputError(f"give either {other} or --networks, not both")
    if options.csv is not None and options.networks is None:
        raise InputError("--csv is for --networks; leave it out")
    # Each way is imported by name where it is asked for: others would wait for its libraries.
    if options.trackers:  # loads trackers, and peers where they are installed
        module = importlib.import_module("app.commands.bench_trackers")
        compare: Callable[[argparse.Namespace], int] = module.bench_trackers
        return compare(options)
    if options.seeds is not None:
        raise InputError("--seeds is for --trackers; leave it out")
    if options.networks is not None:  # loads the importer
        networks: Callable[[argparse.Namespace], int]
        networks = importlib.import_module("app.commands.bench_networks").bench_networks
        return networks(options)
    if options.device.partition(":")[0] == "cuda":  # loads CuPy, which nothing else shall wait for
        gpu: Callable[[argparse.Namespace], int] = importlib.import_module("app.commands.bench_gpu").bench_gpu
        return gpu(options)
    if options.device == "auto":
        raise InputError("bench compares on one device; --device takes cpu, reference, cuda, cuda:1 ...")
    if options.report:
        raise InputError("--report belongs to --device cuda")
    jobs = _jobs(options)
    seconds = options.seconds if options.seconds is not None else EACH * len(jobs)
    if not 0 < seconds <= 86400:
        raise InputError(f"--seconds takes a positive number up to 86400, not {seconds:g}")
    if options.plot is not None:
        check_figure(options.plot)
    if options.pin and not pinning.available():
        raise InputError("--pin needs Linux; leave it out")
    made = versions()
    console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 120)
    console.print(f"[dim]{made['processor']}, {available()} processors, OpenCV {made['opencv']}, "
                  f"back end {options.device}[/]\n")  # fmt: skip
    results: list[Result] = []
    with progress_bar(seconds, options.quiet) as progress:
        campaign = Campaign(jobs, seconds, progress)
        for result in campaign.run():
            results.append(result)
            show(console, result)
    last_words(console, campaign, len(results), (line for result in results for line in result.left_out))
    if results and options.json is not None:
        write_summary(options.json, {"versions": made, "results": facts(results)})
    if results and options.plot is not None:
        write_plot(options.plot, results, look_of_figure(options))
    return 130 if campaign.interrupted else 0


def _jobs(options: argparse.Namespace) -> list[Job[Result]]:
    sizes, batches = options.size or list(SIZES), options.batch or [8]
    counts, loads = options.threads or list(dict.fromkeys((1, available()))), options.load or [0]
    for name, values, low, high in (("--size", sizes, 16, 8192), ("--batch", batches, 1, 1024),
                                    ("--threads", counts, 1, 256), ("--load", loads, 0, 256)):  # fmt: skip
        for value in values:
            if not low <= value <= high:
                raise InputError(f"{name} takes {low} to {high}, not {value}")
    hows = [How(size, batch, count, options.device, options.pin, load)
            for size in sizes for batch in batches for count in counts for load in loads]  # fmt: skip
    if options.pipeline is None:
        for name, given in (("--set", options.set), ("--channels", options.channels), ("--plugin", options.plugin)):
            if given:
                raise InputError(f"{name} belongs to --pipeline; the chains are fixed")
        return [Job(_label(name, how), partial(measure_chain, CHAINS[name], how))
                for name in _names(options.chains) for how in hows]  # fmt: skip
    if options.chains:
        raise InputError(f"give either chains ({', '.join(options.chains)}) or --pipeline, not both")
    load_plugins(options)
    channels = options.channels or 1
    if not 1 <= channels <= 64:
        raise InputError(f"--channels takes 1 to 64, not {channels}")
    pipeline = load(options.pipeline).with_settings(parse_settings(options.set))
    return [Job(_label(pipeline.name, how), partial(measure_pipeline, pipeline, channels, how)) for how in hows]


def _label(name: str, how: How) -> str:
    return f"{name} {how.size}x{how.size}, {threads(how.threads)}"


def _names(chains: list[str]) -> list[str]:
    for name in chains:
        if name not in CHAINS:
            near = get_close_matches(name, CHAINS, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(CHAINS)}"
            raise InputError(f"there is no chain {name!r}; {hint}")
    return chains or list(CHAINS)
