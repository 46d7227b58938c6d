"""Components with weights as a table made on a device (`kernels.components.weighed_table`), by two kernels.

    regions   a block takes a frame: runs that touch are joined as for masks alone (`kernels.codegen.cuda_components`);
              the regions that stay get their runs in order, boxes, and a board of their bits
    rows      a block takes a frame, a team of eight threads (`kernels.codegen.cuda_loops`) a region: the host's own
              loops split, weigh and centre it. What they say of a region depends on its own frame alone and on no
              order, so teams share the regions; what blobs near each other do to one another one team works out

A frame that holds what there is no memory for leaves its words and its weights, and the host makes its rows to the same
bits: more than RUNS runs or REGIONS regions, or a region too large for a tile, which the host measures as a list of
pixels.
"""

from __future__ import annotations

from typing import Any

from kernels.centroids.batch_loops import BEGIN, LOOK, TURN, window_room
from kernels.centroids.centroid import LEAST_RADIUS, sized
from kernels.centroids.structs import Memory, Method, Windows
from kernels.codegen.cuda_components import RUNS, runs_text
from kernels.codegen.cuda_components import THREADS as RUN_THREADS
from kernels.codegen.cuda_loops import TEAM, passed
from kernels.components.measure_loops import GATHER, NUMBERS, PLACE, TAKE, Coarse, Step, better_room, better_step
from kernels.components.weighed_table import RADIUS, REAL, TEAMS, WHOLE, WeighedComponents, places
from kernels.ir.bits import words_of
from kernels.ir.image import F32, F64, I32, I64, U8
from kernels.ir.table import COLUMNS, FEATURE
from kernels.loops.language import Loop
from kernels.regions.initial_guess_loops import ELSEWHERE, LAST, LIGHT, SPLIT, light_of
from kernels.regions.region_tiles import ROOM, breadth_of, part_runs, parts_in, runs_of_parts, tile_row
from kernels.regions.structs import Frames, Regions, Rules, Work
from kernels.regions.tile_loops import PLANES

REGIONS = 4096
"""Regions of a frame, parts that they are split into among them, for which there is room."""
OWN_RUNS = 2 * RUNS
"""Runs of a frame's regions and of their parts."""
THREADS = 32 * TEAMS
"""Of a block that makes rows: a team is the first threads of a warp, so that teams do not wait for each other's
branches."""
LOOPS: tuple[Loop, ...] = (light_of, parts_in, breadth_of, runs_of_parts, part_runs, tile_row, better_step)
COUNT, OVERFLOW, TILED, FEW, CROWD, LEFT, SEATS = range(7)
"""Numbers of a frame that kernels hand on; a COUNT below 0 leaves it to the host."""


def regions_text(kernel: Any, decoder: WeighedComponents) -> tuple[str, str]:
    """What declares shared memory, and what a block does with frame t to find regions.

    Args:
        kernel: to which arguments are added (`kernels.codegen.cuda_decoders`).
    """
    # Areas, counts and boxes are whole numbers by atomics: exact in any order.
    (height, width), found = decoder.size, runs_text(kernel, decoder.size, decoder.aside)
    lists = _lists(kernel, decoder)
    each = kernel.add("each_all", "scratch", I32, "each", (8 * RUNS,))
    # One word more a row, before the first: tiles look left of a region without a test.
    pitch, most = words_of(width) + 1, min(decoder.capacity, REGIONS)
    # Numbers and places come from prefix sums over the block (`before`), some runs at a time: they follow the order of
    # the runs and not that in which threads are done, so that rows have the host's order and bits.
    shared = f"{found.shared}\n__shared__ int wide;"
    text = f"""\
{found.text}
{lists}
int *const roots = {each} + (size_t)t * {8 * RUNS}, *const areas = roots + {RUNS}, *const many = roots + {2 * RUNS};
int *const left = roots + {3 * RUNS}, *const right = roots + {4 * RUNS}, *const low = roots + {5 * RUNS};
int *const numbers = roots + {6 * RUNS}, *const seeds = roots + {7 * RUNS};
if (thread == 0) wide = 0;
int kept = -1;
if (runs <= {RUNS} && whole_of({WHOLE.index("able")})) {{
    for (int k = thread; k < runs; k += {RUN_THREADS}) {{
        areas[k] = many[k] = 0;
        left[k] = {width};
        right[k] = low[k] = -1;
    }}
    {found.joined}
    for (int k = thread; k < runs; k += {RUN_THREADS}) {{
        const int root = root_of(parent, k);
        roots[k] = root;
        atomicAdd(areas + root, edges[2 * k + 1] - edges[2 * k] + 1);
        atomicAdd(many + root, 1);
        atomicMin(left + root, edges[2 * k]);
        atomicMax(right + root, edges[2 * k + 1]);
        atomicMax(low + root, lines[k]);
    }}
    __syncthreads();
    kept = 0;
    int used = 0;
    for (int first = 0; first < runs; first += {RUN_THREADS}) {{
        const int k = first + thread;
        const bool stays = k < runs && roots[k] == k && areas[k] >= whole_of({WHOLE.index("least")})
                           && (double)areas[k] <= real_of({REAL.index("most")});
        int all, together;
        const int at = kept + before(stays, warps, all);
        const bool mine = stays && at < {most};
        const int place = used + before(mine ? many[k] : 0, warps, together);
        if (k < runs) numbers[k] = mine ? at : -1;
        if (mine) {{
            const int across = right[k] - left[k], down = low[k] - lines[k];
            const bool far = larger(across, down) >= whole_of({WHOLE.index("limit")});
            if (far) wide = 1;
            seeds[at] = k;
            of_owner[at] = 0;
            of_state[at] = far ? {ELSEWHERE} : real_of({REAL.index("split")}) > 0.0 ? {SPLIT} : {LAST};
            of_start[2 * at] = place;
            of_start[2 * at + 1] = many[k];
            of_box[4 * at] = left[k];
            of_box[4 * at + 1] = right[k];
            of_box[4 * at + 2] = lines[k];
            of_box[4 * at + 3] = low[k];
        }}
        kept += all;
        used += together;
    }}
    __syncthreads();
    const int regions = smaller(kept, {most});
    for (int i = warp; i < regions; i += {RUN_THREADS // 32}) {{  // the runs of each, in their order
        const int root = seeds[i], wanted = many[root], place = (int)of_start[2 * i];
        for (int first = root, met = 0; met < wanted; first += 32) {{
            const int k = first + lane;
            const bool own = k < runs && roots[k] == root;
            const unsigned all = __ballot_sync(0xffffffffu, own);
            if (own) {{
                const int at = place + met + __popc(all & ((1u << lane) - 1u));
                of_own_first[at] = (long long)lines[k] * {width} + edges[2 * k];
                of_own_last[at] = (long long)lines[k] * {width} + edges[2 * k + 1];
            }}
            met += __popc(all);
        }}
    }}
    unsigned *const board = (unsigned *)of_board;  // halves of its words
    for (int y = thread; y <= {height}; y += {RUN_THREADS}) board[{2 * pitch} * y] = board[{2 * pitch} * y + 1] = 0u;
    for (int n = thread; n < {height * found.words}; n += {RUN_THREADS})
        board[{2 * pitch} * (n / {found.words}) + 2 + n % {found.words}] = words[n];
    __syncthreads();
    for (int k = thread; k < runs; k += {RUN_THREADS}) {{  // what does not stay is nobody's company
        if (numbers[roots[k]] >= 0) continue;
        const int begin = edges[2 * k], end = edges[2 * k + 1];
        for (int w = begin / 32; w <= end / 32; ++w)
            atomicAnd(board + {2 * pitch} * lines[k] + 2 + w, ~bits_between(w, begin, end));
    }}
    if (thread == 0) {{
        const bool beyond = wide != 0 || (kept > {REGIONS} && {decoder.capacity} > {REGIONS});
        counts[{COUNT}] = beyond ? -1 : regions;
        counts[{OVERFLOW}] = kept - regions;
        counts[{SEATS}] = used;
    }}
}} else if (thread == 0) {{
    counts[{COUNT}] = -1;
}}"""
    return shared, text


def rows_text(kernel: Any, decoder: WeighedComponents) -> tuple[str, str]:
    """What declares shared memory, and what a block does with frame t to make the rows of its regions.

    Args:
        kernel: to which arguments are added.
    """
    height, width = decoder.size
    image = kernel.input(1, "image")
    type_ = kernel.body.inputs[1]
    out, size = kernel.table("out", FEATURE, REGIONS)
    # The image is kept for the host in case the frame is its own to do.
    pixel, bytes_ = f"const {_pixel(decoder)} *", type_.nbytes
    image_kept = kernel.add("kept_all", "words", U8, "out", (bytes_,), 1)
    lists = _lists(kernel, decoder)
    split = kernel.add("split_all", "scratch", I32, "split", (4 * REGIONS,))
    table = kernel.add("features_all", "scratch", F64, "features", (COLUMNS * REGIONS,))
    room = _room(decoder)
    whole = kernel.add("better_whole", "scratch", I64, "better whole", (room["whole"],))
    floats = kernel.add("better_floats", "scratch", F64, "better floats", (room["floats"],))
    # Each team has memory of its own: nothing is shared while regions are measured.
    own_whole = kernel.add("own_whole_all", "scratch", I64, "own whole", (TEAMS * room["own whole"],))
    own_floats = kernel.add("own_floats_all", "scratch", F64, "own floats", (TEAMS * room["own floats"],))
    own_vectors = kernel.add("own_vectors_all", "scratch", F32, "own vectors", (TEAMS * room["own vectors"],))
    # Structs become arguments a field each, in the order of their fields.
    frames, regions, rules, work = _frames(decoder), _regions(width), _rules(), _work()
    better = f"{frames}, {_windows()}, {_method()}, {_memory()}, {_own()}, {_coarse()}"

    # Parts are looked for twice: first how many each region has, which gives all of them their places, then they are
    # written. To keep what was found would take a team's memory for every region at once.
    def step(kind: int, few: str, first: str, end: str) -> str:
        given = passed(Step.shape, {"kind": f"{kind}", "few": few, "first": first, "end": end})
        return f"loop_better_step_f32({better}, {given})"

    text = f"""\
{pixel}const picture = ({pixel}){image} + (size_t)t * {height * width};
{lists}
int *const parts = {split} + (size_t)t * {4 * REGIONS}, *const seat = parts + {REGIONS};
int *const part_seats = parts + {2 * REGIONS}, *const more_runs = parts + {3 * REGIONS};
double *const of_rows = {table} + (size_t)t * {COLUMNS * REGIONS};
const int team = thread / 32;
const bool works = thread % 32 < {TEAM};
long long *const whole = {whole} + (size_t)t * {room["whole"]};
double *const floats = {floats} + (size_t)t * {room["floats"]};
long long *const own_whole = {own_whole} + ((size_t)t * {TEAMS} + team) * {room["own whole"]};
double *const own_floats = {own_floats} + ((size_t)t * {TEAMS} + team) * {room["own floats"]};
float *const own_vectors = {own_vectors} + ((size_t)t * {TEAMS} + team) * {room["own vectors"]};
const long long regions_of = counts[{COUNT}];
bool here = regions_of >= 0;
int count = here ? (int)regions_of : 0, used = here ? (int)counts[{SEATS}] : 0;
if (here && real_of({REAL.index("split")}) > 0.0) {{
    for (int i = team; i < count; i += {TEAMS}) {{
        if (!works) continue;
        const long long many = loop_parts_in(i, {frames}, {regions}, {rules}, {work});
        const long long across = of_box[4 * i + 1] - of_box[4 * i] + 1;
        const long long down = of_box[4 * i + 3] - of_box[4 * i + 2] + 1;
        const long long runs = many > 1 ? loop_runs_of_parts(down, across, own_whole) : 0;
        if (team_lane() == 0) {{ parts[i] = (int)many; more_runs[i] = (int)runs; }}
    }}
    __syncthreads();
    int fresh = 0;
    for (int first = 0; first < count; first += {THREADS}) {{
        const int i = first + thread;
        int all, together;
        const int at = fresh + before(i < count ? parts[i] - 1 : 0, warps, all);
        const int place = used + before(i < count ? more_runs[i] : 0, warps, together);
        if (i < count) {{ seat[i] = count + at; part_seats[i] = place; }}
        fresh += all;
        used += together;
    }}
    __syncthreads();
    here = count + fresh <= {REGIONS} && used <= {OWN_RUNS};
    for (int i = team; i < count && here; i += {TEAMS}) {{
        if (!works || parts[i] < 2) continue;
        const long long many = loop_parts_in(i, {frames}, {regions}, {rules}, {work});
        const long long breadth = loop_breadth_of(of_box[4 * i + 1] - of_box[4 * i] + 1);
        loop_part_runs(i, {regions}, seat[i], many, breadth, own_whole, {width}, part_seats[i]);
    }}
    count += here ? fresh : 0;
    __syncthreads();
}}
if (!here) {{
    const unsigned char *const from = (const unsigned char *){image} + (size_t)t * {bytes_};
    for (int k = thread; k < {bytes_}; k += {THREADS}) {image_kept}[(size_t)t * {bytes_} + k] = from[k];
    {kernel.ends("-1", "0", out=1)}
}} else {{
    const double limit = 4.0 * real_of({REAL.index("sigma")}) * real_of({REAL.index("sigma")});
    const long long side = whole_of({WHOLE.index("side")});
    for (int i = team; i < count; i += {TEAMS}) {{
        if (!works) continue;
        if (side > 0 && loop_light_of(i, {frames}, {regions}, 0, side, {_NAN})) {{
            if (team_lane() == 0) of_state[i] = {LIGHT};
        }} else {{
            loop_tile_row(i, {frames}, {regions}, {rules}, {work}, limit);
        }}
    }}
    __syncthreads();
    if (whole_of({WHOLE.index("better")})) {{
        if (team == 0 && works) {{
            const long long few = {step(GATHER, "0", "0", "0")};
            const long long crowd = {step(BEGIN, "few", "0", "0")};
            if (team_lane() == 0) {{ counts[{FEW}] = few; counts[{CROWD}] = crowd; }}
        }}
        __syncthreads();
        const long long few = counts[{FEW}];
        for (long long n = {TEAM} * team; n < few && works; n += {TEAM * TEAMS}) {{
            const long long end = n + {TEAM} < few ? n + {TEAM} : few;
            {step(LOOK, "few", "n", "end")};
        }}
        __syncthreads();
        if (team == 0 && works) {{
            {step(TURN, "few", f"counts[{CROWD}]", "0")};
            const long long left = {step(TAKE, "few", "0", "0")};
            if (team_lane() == 0) counts[{LEFT}] = left;
        }}
        __syncthreads();
        for (int i = team; i < count && counts[{LEFT}] > 0; i += {TEAMS})
            if (works && of_state[i] < {ELSEWHERE}) loop_tile_row(i, {frames}, {regions}, {rules}, {work}, limit);
        __syncthreads();
        if (team == 0 && works) {step(PLACE, "0", f"counts[{LEFT}]", "0")};
        __syncthreads();
    }}
    const int made = smaller(count, {decoder.capacity});
    for (int k = thread; k < made; k += {THREADS})
        put_packed({out} + (size_t)k * {size}, of_rows + {COLUMNS} * k);
    {kernel.ends("made", f"(int)counts[{OVERFLOW}] + count - made", out=1)}
}}"""
    return f"__shared__ int warps[{THREADS // 32}];", text


_NAN = "__longlong_as_double(0x7ff8000000000000LL)"


def _pixel(decoder: WeighedComponents) -> str:
    return {"uint8": "unsigned char", "int8": "signed char", "uint16": "unsigned short", "int16": "short",
            "float32": "float"}[decoder.dtype.numpy.name]  # fmt: skip


def _room(decoder: WeighedComponents) -> dict[str, int]:
    """Numbers of memory: of a frame, and of each of its teams. Of small windows more are near, of large ones each takes
    more."""
    # Sizes are set before parameters are known: for the worst of all windows.
    least, most = (sized(radius) for radius in (LEAST_RADIUS, RADIUS))
    rooms = [better_room(REGIONS, 1, w, *decoder.size) for w in (least, most)]
    window = window_room.function(most.size, most.pitch)
    return {"whole": max(r[0] for r in rooms), "floats": max(r[1] for r in rooms), "own whole": NUMBERS + 272,
            "own floats": 4 * ROOM + window, "own vectors": TEAM * rooms[1][2]}  # fmt: skip


def _lists(kernel: Any, decoder: WeighedComponents) -> str:
    """What both kernels share of frame t, by name, and what the host says."""
    height, width = decoder.size
    board = height * (words_of(width) + 1) + 2
    settings = kernel.add("settings", "settings", U8, "settings", (places()[""],))
    boards = kernel.add("board_all", "scratch", I64, "board", (board,))
    lists = kernel.add("regions_all", "scratch", I64, "regions", (8 * REGIONS + 2 * OWN_RUNS,))
    counts = kernel.add("counts_all", "scratch", I64, "counts", (8,))
    return f"""\
const unsigned char *const told = {settings};
const auto whole_of = [told](int k) {{ return ((const long long *)told)[k]; }};
const auto real_of = [told](int k) {{ return ((const double *)told)[{len(WHOLE)} + k]; }};
long long *const of_board = {boards} + (size_t)t * {board};
long long *const of_owner = {lists} + (size_t)t * {8 * REGIONS + 2 * OWN_RUNS}, *const of_state = of_owner + {REGIONS};
long long *const of_start = of_owner + {2 * REGIONS}, *const of_box = of_owner + {4 * REGIONS};
long long *const of_own_first = of_owner + {8 * REGIONS}, *const of_own_last = of_own_first + {OWN_RUNS};
long long *const counts = {counts} + (size_t)t * 8;"""


def _whole(name: str) -> str:
    return f"whole_of({WHOLE.index(name)})"


def _real(name: str) -> str:
    return f"real_of({REAL.index(name)})"


def _array(name: str, type_: str = "double") -> str:
    return f"({type_} *)(told + {places()[name]})"


def _frames(decoder: WeighedComponents) -> str:
    height, width = decoder.size
    return passed(Frames.shape, {
        "image": "picture", "total": f"{height * width}", "height": f"{height}", "width": f"{width}",
        "sign": f"({_whole('dark')} ? -1.0 : 1.0)", "exact": _whole("exact")})  # fmt: skip


def _regions(width: int) -> str:
    return passed(Regions.shape, {
        "base": "0", "frames": "1", "count": "count", "runs": "used", "start": "of_start", "box": "of_box",
        "own_first": "of_own_first", "own_last": "of_own_last", "owner": "of_owner", "state": "of_state",
        "board": "of_board", "pitch": f"{words_of(width) + 1}", "rows": "of_rows"})  # fmt: skip


def _rules() -> str:
    own = {name: _whole(name) for name in ("side", "grow", "steps", "margin", "level", "slope")}
    own |= {name: _real(name) for name in ("given", "rim", "split", "depth", "grain", "blur")}
    return passed(Rules.shape, {
        **own, "weights": _array("weights"), "radius": _whole("blur_radius"), "table": f"told + {places()['table']}",
        "iota": _array("iota"), "nothing": _NAN})  # fmt: skip


def _work() -> str:
    """As `measure_loop` parts its memory."""
    whole, floats = "own_whole", "own_floats"
    rest = f"{floats} + {3 * ROOM}"
    return passed(Work.shape, {
        "bits": f"{whole} + {ROOM}", "part": whole, "tops": f"{whole} + {ROOM + PLANES}", "tile": f"{floats} + 64",
        "ring": f"{floats} + {ROOM}", "light": f"{floats} + {2 * ROOM}", "work": f"{rest} + 1024", "acc": rest,
        "sums": f"{rest} + 256", "plain": f"{rest} + 320", "ground": f"{rest} + 384"})  # fmt: skip


def _windows() -> str:
    return passed(Windows.shape, {
        "sigma": _real("sigma"), "radius": _whole("radius"), "size": _whole("size"), "pitch": _whole("pitch"),
        "reach": _real("reach"), "fixed": _array("fixed"), "ring": _array("ring", "long long"), "many": _whole("many"),
        "crowds": _array("crowds")})  # fmt: skip


def _method() -> str:
    return passed(Method.shape, {"grain": _real("grain"), "nothing": _NAN, "lines": _whole("lines"),
                                 "shapes": _whole("shapes")})  # fmt: skip


def _memory() -> str:
    return passed(Memory.shape, {"whole": "whole", "floats": "floats", "vectors": "own_vectors"})


def _own() -> str:
    return passed(Memory.shape, {"whole": f"own_whole + {NUMBERS}", "floats": f"own_floats + {4 * ROOM}",
                                 "vectors": "own_vectors"})  # fmt: skip


def _coarse() -> str:
    return passed(Coarse.shape, {"frames": "1", "count": "count", "owner": "of_owner", "state": "of_state",
                                 "table": "of_rows"})  # fmt: skip

