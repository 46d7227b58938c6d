"""Components of a mask as a table made on a device: a block takes a frame (`kernels.components.mask_table`).

    words    32 pixels of the mask are a word of bits
    runs     begin and end where words change; those of a row follow one another, rows in order, so that a run's number
             tells which comes first
    union    runs that touch are joined: parents in shared memory, a root is never larger than what hangs on it, and who
             finds that another was faster tries again (Komura, Comput. Phys. Commun. 194, 2015; here of runs)
    sums     of each root whole numbers, added by atomics: area, x, y, xx, xy, yy relative to the picture, the box
    rows     roots in their order, which is that of the components' first pixels, if they are neither too small nor too
             large

A frame with more than RUNS runs leaves its words alone, and the host makes its rows: the same bits, seldom.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kernels.components.mask_table import MaskComponents
from kernels.ir.bits import words_of
from kernels.ir.image import F64, I32, I64
from kernels.ir.table import COLUMNS, FEATURE

RUNS = 16128
"""Runs of a frame for which there is room: 63 KB of parents, which with all else fit the 64 KB of a Turing block. A
thousand markers of 16 rows have as many."""
THREADS = 1024
"""Of a block: as many as there are, since nothing else shares a multiprocessor with it at batches of a few frames."""
SUMS, BOX = 6, 4

UNITE = """\
// Parents that others change meanwhile.
__device__ __forceinline__ int seen(const int *p) { return *(const volatile int *)p; }
__device__ __forceinline__ int root_of(const int *parent, int n)
{
    for (int up; (up = seen(parent + n)) != n;) n = up;
    return n;
}
// Join two runs; the root of both is the smaller one's.
__device__ __forceinline__ void unite(int *parent, int a, int b)
{
    while (true) {
        a = root_of(parent, a);
        b = root_of(parent, b);
        if (a == b) return;
        if (a > b) { const int c = a; a = b; b = c; }
        const int was = atomicMin(parent + b, a);
        if (was == b) return;  // it was a root, and hangs on the other now
        b = was;  // somebody was faster: what it was hung on must be joined, too
    }
}
__device__ __forceinline__ void add(long long *to, long long v)
{
    atomicAdd((unsigned long long *)to, (unsigned long long)v);
}
// Pixels of the largest component that stays.
__device__ __forceinline__ double most_of(int area, double share, double pixels)
{
    const double all = __longlong_as_double(0x7ff0000000000000LL), part = share < 1.0 ? share * pixels : all;
    const double most = area != 0 ? (double)area : all;
    return part < most ? part : most;
}
// Those of 32 pixels from column x on that lie in the picture.
__device__ __forceinline__ unsigned inside_of(int x, int width)
{
    return x + 32 <= width ? 0xffffffffu : x < width ? (1u << (width - x)) - 1u : 0u;
}
// Those of word w that are pixels begin to end of its row.
__device__ __forceinline__ unsigned bits_between(int w, int begin, int end)
{
    const unsigned from = w == begin / 32 ? 0xffffffffu << begin % 32 : 0xffffffffu;
    const unsigned to = w == end / 32 ? 0xffffffffu >> (31 - end % 32) : 0xffffffffu;
    return from & to;
}
// 1 + 4 + 9 ... n^2
__device__ __forceinline__ long long squares(long long n) { return n * (n + 1) * (2 * n + 1) / 6; }
"""


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of a mask on a device.

    Args:
        shared: declares shared memory: `parent` and `warps`.
        text: what a block does with frame t to find them.
        joined: and to join those that touch; `runs` is at most RUNS then.
        words: words of 32 pixels of a row.
    """

    shared: str
    text: str
    joined: str
    words: int


def most_runs(size: tuple[int, int]) -> int:
    """Of a mask (height, width), at most."""
    return size[0] * ((size[1] + 1) // 2)


def runs_text(kernel: Any, size: tuple[int, int], aside: int, outside: bool = False) -> Runs:
    """Runs of input 0, a mask, by THREADS threads; those that touch have the same `root_of(parent, run)`.

    Args:
        kernel: to which arguments are added (`kernels.codegen.cuda_decoders`).
        size: (height, width) of the mask.
        aside: 1 where all eight neighbours belong together, 0 for four.
        outside: runs of what is not in the mask, of which there is room for all; parents of more than RUNS lie in the
            device's memory.
    """
    # A word's 32 pixels never cross rows: rows are padded to whole words of 64.
    height, width = size
    wide = 2 * words_of(width)  # words of 32
    room = most_runs(size) if outside else RUNS
    mask = kernel.input(0, "mask")
    words = kernel.add("words_all", "scratch" if outside else "words", I64, "out", (height, wide // 2))
    rows = kernel.add("rows_all", "scratch", I32, "rows", (height + 1,))
    edges = kernel.add("edges_all", "scratch", I32, "edges", (2 * room,))
    lines = kernel.add("lines_all", "scratch", I32, "lines", (room,))
    # Rows that do not begin at multiples of four bytes allow no loads of words.
    if width % 4:
        read = f"""for (int j = 0; j < 32 && x + j < {width}; ++j) bits |= (unsigned)(from[j] != 0) << j;"""
    else:
        # Four bytes at a time: each is folded onto its lowest bit, and a multiplication brings the four bits side by
        # side.
        read = f"""#pragma unroll
        for (int j = 0; j < 32; j += 4) {{
            if (x + j >= {width}) break;
            unsigned four = *(const unsigned *)(from + j);
            four = (four | four >> 4) & 0x0f0f0f0fu;
            four = (four | four >> 2) & 0x03030303u;
            four = (four | four >> 1) & 0x01010101u;
            bits |= (four * 0x01020408u >> 24 & 15u) << j;
        }}"""
    # A run begins where a bit is set and the one left of it is not; that one may be the last of the word before.
    text = f"""\
const unsigned char *const picture = {mask} + (size_t)t * {height * width};
unsigned *const words = (unsigned *){words} + (size_t)t * {height * wide};
int *const rows = {rows} + (size_t)t * {height + 1}, *const edges = {edges} + (size_t)t * {2 * room};
int *const lines = {lines} + (size_t)t * {room};
const int lane = thread % 32, warp = thread / 32;
for (int n = thread; n < {height * wide}; n += {THREADS}) {{
    const int x = n % {wide} * 32;
    const unsigned char *const from = picture + (size_t)(n / {wide}) * {width} + x;
    unsigned bits = 0;
    {read}
    {"bits = ~bits & inside_of(x, " + str(width) + ");" if outside else ""}
    words[n] = bits;
}}
__syncthreads();
// how many runs each row has, and all before it
for (int y = warp; y < {height}; y += {THREADS // 32}) {{
    int own = 0;
    for (int w = lane; w < {wide}; w += 32) {{
        const unsigned bits = words[y * {wide} + w], left = w > 0 ? words[y * {wide} + w - 1] >> 31 : 0u;
        own += __popc(bits & ~(bits << 1 | left));
    }}
    for (int step = 16; step > 0; step >>= 1) own += __shfl_xor_sync(0xffffffffu, own, step);
    if (lane == 0) rows[y] = own;
}}
__syncthreads();
int runs = 0;
for (int first = 0; first < {height}; first += {THREADS}) {{
    const int y = first + thread;
    int all;
    const int at = runs + before(y < {height} ? rows[y] : 0, warps, all);
    if (y < {height}) rows[y] = at;
    runs += all;
}}
if (thread == 0) rows[{height}] = runs;
__syncthreads();"""
    # A warp takes a row. What begins and what ends in a lane's word is counted in the halves of one number, so that a
    # single scan over the warp places both.
    joined = f"""\
for (int y = warp; y < {height}; y += {THREADS // 32}) {{
    int begins = rows[y], ends = rows[y];
    for (int first = 0; first < {wide}; first += 32) {{
        const int w = first + lane;
        const unsigned bits = w < {wide} ? words[y * {wide} + w] : 0u;
        const unsigned left = w > 0 && w < {wide} ? words[y * {wide} + w - 1] >> 31 : 0u;
        const unsigned right = w + 1 < {wide} ? words[y * {wide} + w + 1] << 31 : 0u;
        unsigned begin = bits & ~(bits << 1 | left), end = bits & ~(bits >> 1 | right);
        const int own = __popc(begin) | __popc(end) << 16;
        int until = own;  // of this lane and those left of it
        for (int step = 1; step < 32; step <<= 1) {{
            const int some = __shfl_up_sync(0xffffffffu, until, step);
            if (lane >= step) until += some;
        }}
        int k = begins + (until - own & 0xffff);
        for (; begin; begin &= begin - 1, ++k) {{ edges[2 * k] = w * 32 + __ffs(begin) - 1; lines[k] = y; }}
        k = ends + (until - own >> 16);
        for (; end; end &= end - 1, ++k) edges[2 * k + 1] = w * 32 + __ffs(end) - 1;
        const int both = __shfl_sync(0xffffffffu, until, 31);
        begins += both & 0xffff;
        ends += both >> 16;
    }}
}}
for (int k = thread; k < runs; k += {THREADS}) parent[k] = k;
__syncthreads();
for (int k = thread; k < runs; k += {THREADS}) {{
    const int y = lines[k], first = edges[2 * k] - {aside}, last = edges[2 * k + 1] + {aside};
    if (y == 0) continue;
    int low = rows[y - 1], high = rows[y];
    while (low < high) {{  // the first run above that does not end left of this one
        const int middle = (low + high) / 2;
        if (edges[2 * middle + 1] < first) low = middle + 1; else high = middle;
    }}
    for (; low < rows[y] && edges[2 * low] <= last; ++low) unite(parent, k, low);
}}
__syncthreads();"""
    # Parents are sized at the launch: static shared memory ends at 48 KB.
    shared = f"extern __shared__ int parents[];\n__shared__ int warps[{THREADS // 32}];"
    if outside:
        far = kernel.add("parents_all", "scratch", I32, "parents", (room,))
        text += f"\nint *const parent = runs <= {RUNS} ? parents : {far} + (size_t)t * {room};"
    else:
        text += "\nint *const parent = parents;"
    return Runs(shared, text, joined, wide)


def components_text(kernel: Any, decoder: MaskComponents) -> tuple[str, str]:
    """What declares shared memory, and what a block does with frame t.

    Args:
        kernel: to which arguments are added (`kernels.codegen.cuda_decoders`).
    """
    # A root is the first of its component's runs in order: what lies on top is its line, and only the left side needs a
    # minimum.
    height, width = decoder.size
    found = runs_text(kernel, decoder.size, decoder.aside)
    params = {name: kernel.param(name, I32) for name in ("min_area", "max_area")}
    share = kernel.param("max_share", F64)
    out, size = kernel.table("out", FEATURE, RUNS)
    sums = kernel.add("sums_all", "scratch", I64, "sums", (SUMS * RUNS,))
    boxes = kernel.add("boxes_all", "scratch", I32, "boxes", (2 * RUNS,))
    # Sums are whole numbers, which are exact in whatever order threads add them; only the moments, about the region's
    # corner, are fractions, and a single thread makes those of a region.
    text = f"""\
{found.text}
long long *const sums = {sums} + (size_t)t * {SUMS * RUNS};
int *const boxes = {boxes} + (size_t)t * {2 * RUNS};
int made = -1, more = runs;  // what the host takes for: this frame is yours
if (runs <= {RUNS}) {{
    for (int k = thread; k < runs; k += {THREADS}) {{
        for (int i = 0; i < {SUMS}; ++i) sums[{SUMS} * k + i] = 0;
        boxes[2 * k] = {width};
    }}
    {found.joined}
    for (int k = thread; k < runs; k += {THREADS}) {{
        const int root = root_of(parent, k);
        const long long a = edges[2 * k], b = edges[2 * k + 1], y = lines[k], n = b - a + 1, x = (a + b) * n / 2;
        long long *const of = sums + {SUMS} * root;
        add(of, n);
        add(of + 1, x);
        add(of + 2, n * y);
        add(of + 3, squares(b) - squares(a - 1));
        add(of + 4, x * y);
        add(of + 5, n * y * y);
        atomicMin(boxes + 2 * root, (int)a);
    }}
    __syncthreads();
    const double most = most_of({params["max_area"]}, {share}, {float(height * width)!r});
    made = 0;
    for (int first = 0; first < runs; first += {THREADS}) {{
        const int k = first + thread;
        const bool kept = k < runs && parent[k] == k && sums[{SUMS} * k] >= {params["min_area"]}
                          && (double)sums[{SUMS} * k] <= most;
        int all;
        const int at = made + before(kept, warps, all);
        if (kept && at < {decoder.capacity}) {{
            const long long *const of = sums + {SUMS} * k;
            const long long n = of[0], left = boxes[2 * k], top = lines[k];
            const double area = (double)n;
            const double mx = (double)(of[1] - n * left) / area, my = (double)(of[2] - n * top) / area;
            const double xx = (double)(of[3] - 2 * left * of[1] + n * left * left) / area - mx * mx;
            const double xy = (double)(of[4] - left * of[2] - top * of[1] + n * left * top) / area - mx * my;
            const double yy = (double)(of[5] - 2 * top * of[2] + n * top * top) / area - my * my;
            const double none = __longlong_as_double(0x7ff8000000000000LL);
            const double row[{COLUMNS}] = {{(double)left + mx, (double)top + my, area, 1.0, area, xx, xy, yy, none, 0.0,
                                    0.5 * (xx - yy), xy, none, none}};
            put_packed({out} + (size_t)at * {size}, row);
        }}
        made += all;
    }}
    more = larger(made - {decoder.capacity}, 0);
    made = smaller(made, {decoder.capacity});
}}
{kernel.ends("made", "more", out=1)}"""
    return found.shared, text
