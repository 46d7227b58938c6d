"""Host functions as tables that are made on the device: heat maps, coordinates, boxes with anchors, components.

The stages `heatmap_peaks`, `coordinates` and `anchors` are host functions, whose loops (`kernels.decoders`) say what
they compute. Here a block takes a frame: its threads share what has no order (the largest number of a channel; maxima
and candidates, listed in their order by sums over the threads before; boxes that overlap; each number of a mean), and
what is computed of one thing is the loop's own function (`kernels.codegen.cuda_loops`). So rows have the bits of the
reference, and nothing but tables leaves the device.

Rows lie as tables have them (`kernels.ir.table`), byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.cuda_components import RUNS, UNITE, components_text
from kernels.codegen.cuda_components import THREADS as COMPONENT_THREADS
from kernels.codegen.cuda_expr import memory_type
from kernels.codegen.cuda_fill import fill_text
from kernels.codegen.cuda_launch import Argument, CudaKernel, with_live
from kernels.codegen.cuda_loops import Way, loop_texts, structure
from kernels.codegen.cuda_otsu import THREADS as OTSU_THREADS
from kernels.codegen.cuda_otsu import otsu_text
from kernels.codegen.cuda_regions import LOOPS as REGION_LOOPS
from kernels.codegen.cuda_regions import THREADS as ROW_THREADS
from kernels.codegen.cuda_regions import regions_text, rows_text
from kernels.codegen.cuda_writer import word
from kernels.components.mask_table import MaskComponents
from kernels.components.weighed_table import WeighedComponents
from kernels.decoders import anchor_loops, coordinate_loops, heatmap_loops
from kernels.decoders.anchors import ROOM as ANCHOR_ROOM
from kernels.decoders.anchors import Detector
from kernels.decoders.coordinates import Regressor
from kernels.decoders.heatmaps import METHODS, PIXELS, HeatmapPeaks
from kernels.decoders.heatmaps import ROOM as PEAK_ROOM
from kernels.decoders.point_row_loops import point_row, sigmoids, uncertain
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body
from kernels.ir.expr import Expr
from kernels.ir.image import F64, I32, I64, U8, DType, ImageType
from kernels.ir.placement import PARTS
from kernels.ir.table import BOX, COLUMNS, FEATURE, GRAYS, KEYPOINT, PACKED, TableType
from kernels.loops.fractions import Fraction
from kernels.loops.language import Loop
from kernels.loops.logarithm import log
from kernels.loops.records import Layout
from kernels.regions.mask_fill import MaskFill
from kernels.regions.otsu_loops import otsu_bin
from kernels.regions.otsu_mask import OtsuMask

THREADS = 256
"""Of a block, which takes a frame."""
EACH = 16
"""Numbers side by side that a thread looks at before threads say how many they have found."""
AREA = [name for name, _ in FEATURE].index("area")
WIDE = [k for k in range(GRAYS) if k != AREA]
"""Columns that `PACKED` has in eight bytes: those before AREA and those between it and GRAYS."""
_NAN = "__longlong_as_double(0x7ff8000000000000LL)"

_PRELUDE = f"""\
// How much threads before this one have, together; `all` is what all of the block have.
__device__ __forceinline__ int before(int own, int *warps, int &all)
{{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int until = own, found = 0;
    for (int step = 1; step < 32; step <<= 1) {{
        const int left = __shfl_up_sync(0xffffffffu, until, step);
        if (lane >= step) until += left;
    }}
    if (lane == 31) warps[warp] = until;
    __syncthreads();
    all = 0;
    for (int k = 0; k < blockDim.x / 32; ++k) {{
        const int some = warps[k];
        if (k < warp) found += some;
        all += some;
    }}
    __syncthreads();
    return found + until - own;
}}
// A placement, of the frame itself where there is none; whether it lies somewhere.
__device__ __forceinline__ bool placed(const double *from, double *frame)
{{
    bool there = true;
    #pragma unroll
    for (int k = 0; k < {PARTS}; ++k) {{
        frame[k] = from ? from[k] : k == 0 || k == 4 ? 1.0 : k < 6 ? 0.0 : {_NAN};
        if (k < 6) there = there && frame[k] == frame[k];
    }}
    return there;
}}
// A row of a table.
template <int count> __device__ __forceinline__ void put_row(unsigned char *to, const double *row)
{{
    #pragma unroll
    for (int k = 0; k < count; ++k) ((double *)to)[k] = row[k];
}}
// A row of features of which area, min and max take four bytes each; a NaN is the host's. Rows
// begin at multiples of four bytes.
__device__ __forceinline__ unsigned gray(double value)
{{ return value == value ? __float_as_uint((float)value) : 0x7fc00000u; }}
__device__ __forceinline__ void put_packed(unsigned char *to, const double *row)
{{
    unsigned *const words = (unsigned *)to;
    #pragma unroll
    for (int k = 0; k < {len(WIDE)}; ++k) {{
        const long long bits = __double_as_longlong(row[k + (k >= {WIDE.index(AREA + 1)})]);
        words[2 * k] = (unsigned)bits;
        words[2 * k + 1] = (unsigned)(bits >> 32);
    }}
    words[{2 * len(WIDE)}] = (unsigned)(long long)row[{AREA}];
    words[{2 * len(WIDE) + 1}] = gray(row[{GRAYS}]);
    words[{2 * len(WIDE) + 2}] = gray(row[{GRAYS + 1}]);
}}
__device__ __forceinline__ void put_point(unsigned char *to, const double *row, double score, int point, int instance)
{{
    put_row<{COLUMNS}>(to, row);
    ((double *)to)[{COLUMNS}] = score;
    ((int *)to)[{2 * COLUMNS + 2}] = point;
    ((int *)to)[{2 * COLUMNS + 3}] = instance;
}}
"""


@dataclass(frozen=True, slots=True, eq=False)
class DecoderProgram:
    """A decoder that runs on a device.

    Attributes:
        back, delays, recurrences, histories: empty: it has no memory of earlier frames.
    """

    body: Body
    back: Mapping[int, int] = field(default_factory=dict)
    delays: Mapping[Expr, int] = field(default_factory=dict)
    recurrences: Mapping[str, Expr] = field(default_factory=dict)
    histories: tuple[tuple[Expr, int], ...] = ()

    @property
    def normal(self) -> DecoderProgram:
        """Its recurrences and histories, where `kernels.fusion.normal.Normal` has them."""
        return self


@dataclass(frozen=True, slots=True)
class Decoding:
    """The kernels of a decoder: their text with all that they call, how they are launched, constants on the device."""

    text: str
    kernels: tuple[CudaKernel, ...]
    weights: npt.NDArray[np.uint8]


def print_decoder(body: Body, name: str) -> Decoding:
    """The kernel of a host function that is a decoder.

    Raises:
        Unsupported: it is none.
    """
    decoder = body.host.decoder if body.host is not None else None
    if decoder is None:
        raise Unsupported("a host function")
    kernel = _Kernel(body, name)
    match decoder:
        case HeatmapPeaks():
            return kernel.heatmap_peaks(decoder)
        case Regressor():
            return kernel.coordinates(decoder)
        case Detector():
            return kernel.anchors(decoder)
        case MaskComponents():
            return kernel.components(decoder)
        case WeighedComponents():
            return weighed_components(body, name, decoder)
        case MaskFill():
            shared, text = fill_text(kernel, decoder)
            return kernel.made((), shared, text, np.zeros(0, np.uint8), UNITE, COMPONENT_THREADS, 4 * RUNS)
        case OtsuMask():
            shared, text = otsu_text(kernel, decoder)
            return kernel.made((otsu_bin,), shared, text, np.zeros(0, np.uint8), threads=OTSU_THREADS)
    raise Unsupported(f"a decoder {type(decoder).__name__}")


class _Kernel:
    """Prints one."""

    def __init__(self, body: Body, name: str) -> None:
        self.body, self.name = body, name
        self.arguments: list[Argument] = []
        self.text: list[str] = []

    def add(
        self, name: str, kind: str, dtype: DType, key: int | str = 0, shape: tuple[int, ...] = (), depth: int = 0
    ) -> str:
        """An argument; its name."""
        self.arguments.append(Argument(name, kind, dtype, key, shape, depth))
        return name

    def input(self, index: int, name: str) -> str:
        """The pointer to an input; that to nothing where it is not connected."""
        type_ = self.body.inputs[index]
        # A typed null pointer, so that the call's types are right whatever is not connected.
        if type_ is None:
            return f"(const {'double' if name == 'places' else 'float'} *)0"
        assert isinstance(type_, ImageType)
        return self.add(name, "input", type_.dtype, index, type_.shape)

    def _placement(self, index: int) -> str:
        """What makes `frame`, and whether it is there."""
        places = self.input(index, "places")
        given = f"{places} + {PARTS} * (size_t)t" if self.body.inputs[index] is not None else places
        return f"double frame[{PARTS}];\nconst bool there = placed({given}, frame);"

    def param(self, name: str, dtype: DType = F64) -> str:
        return self.add(word("p", name), "param", dtype, name)

    def table(self, name: str, columns: Sequence[object], most: int = 1 << 62) -> tuple[str, int]:
        """Where a frame's rows of an output go, as C text, and how many bytes one has; there are never more than `most`
        of them."""
        type_ = self.body.output(name).type
        # Rows on the device have the table's own bytes.
        assert isinstance(type_, TableType)
        assert type_.columns == columns
        decoder = self.body.host.decoder if self.body.host is not None else None
        packed = columns is FEATURE and decoder is not None and decoder.packed
        size = PACKED.itemsize if packed else type_.numpy.itemsize
        capacity = min(type_.capacity, most)
        rows = self.add(f"rows_{name}", "table", U8, name, (capacity, size))
        self.add(f"ends_{name}", "ends", I32, name, (2,))
        return f"({rows} + (size_t)t * {capacity * size})", size

    def ends(self, made: str, more: str, **times: int) -> str:
        """Thread 0 says how many rows there are, and how many found no room; `times` as many of some outputs."""
        computed = [f"ends_{name}[2 * t] = {made} * {n};\nends_{name}[2 * t + 1] = {more} * {n};"
                for name, n in times.items()]  # fmt: skip
        return "if (thread == 0) {\n" + "\n".join(computed) + "\n}"

    def _record(self, record: Any, name: str, **values: object) -> str:
        """A structure with these values: numbers, or C text."""
        layout: Layout = record.layout
        # No field may be forgotten: C would leave it undefined.
        assert set(values) == set(layout.fields)
        lines = [f"{name}.{f} = {v if isinstance(v, str) else _literal(v, k)};" for (f, v), k in
                 ((item, layout.kinds[layout.fields.index(item[0])]) for item in values.items())]  # fmt: skip
        return f"{structure(layout)} {name};\n" + "\n".join(lines)

    def made(
        self, loops: Sequence[Loop], shared: str, frame: str, weights: npt.NDArray[np.uint8], functions: str = "",
        threads: int = THREADS, dynamic: int = 0,
    ) -> Decoding:  # fmt: skip
        """The whole of one kernel.

        Args:
            functions: text that it calls besides loops.
            shared, frame, threads, dynamic: of `kernel`.
        """
        text, kernel = self.kernel(shared, frame, threads, dynamic)
        return Decoding(f"{_PRELUDE}{functions}{loop_texts(loops)}{text}", (kernel,), weights)

    def kernel(self, shared: str, frame: str, threads: int, dynamic: int = 0) -> tuple[str, CudaKernel]:
        """Its text and how it is launched: `shared` declares shared memory, `frame` is what a block does with frame t.

        Args:
            dynamic: bytes of shared memory that are not declared with their size.
        """
        self.add("frames", "frames", I32)
        listed, (given, live, computed) = [], with_live(self.body, self.arguments)
        for a in given:
            # What is only read is const, so that it may go by the read-only path.
            reads = a.kind in ("input", "weights", "settings", "live")
            pointer = f"{'const ' if reads else ''}{memory_type(a.dtype)} *__restrict__ {a.name}"
            listed.append(f"const {memory_type(a.dtype)} {a.name}" if a.is_scalar else pointer)
        newline = "\n"
        text = f"""{{
{shared}
{newline.join(computed)}
const int thread = threadIdx.x;
for (int t = blockIdx.z; t < frames; t += gridDim.z) {{
{frame}
__syncthreads();  // before the next frame takes the same memory
}}
}}"""
        # One block a multiprocessor is enough for the launch: the bound lets it have all registers.
        head = f'extern "C" __global__ void __launch_bounds__({threads}, 1) {self.name}('
        kernel = CudaKernel(self.name, (threads, 1), (1, 1), True, dynamic, given, (0, 0),
                            (0, 0, 0, 0), live=live)  # fmt: skip
        joined = ",\n    ".join(listed)
        return f"{head}\n    {joined})\n{_indented(text)}", kernel

    def components(self, decoder: MaskComponents) -> Decoding:
        """See `kernels.codegen.cuda_components`."""
        shared, text = components_text(self, decoder)
        return self.made((), shared, text, np.zeros(0, np.uint8), UNITE, COMPONENT_THREADS, 4 * RUNS)

    def heatmap_peaks(self, decoder: HeatmapPeaks) -> Decoding:
        """A thread sees one channel: the largest number of each, or maxima of which a warp chooses."""
        params = self.body.params
        (height, width, channels), instances = decoder.shape, decoder.instances
        maps = self.input(0, "maps")
        offsets = self.input(1, "offsets") if decoder.offsets else maps
        placement = self._placement(2)
        # Live parameters are arguments of the kernel: no new compile when one changes.
        live = {name: self.param(name) for name in ("threshold", "separation", "offset_scale", "stride", "scatter")}
        record = self._record(
            heatmap_loops.Maps, "m", frames="frames", height=height, width=width, channels=channels,
            offsets=int(decoder.offsets), method=METHODS.index(str(params["method"])), instances=instances,
            window=self.param("window", I32), pixels=PIXELS.index(str(params["pixels"])), nothing=_NAN, **live,
        )  # fmt: skip
        (out, wide), (points, long) = self.table("out", FEATURE), self.table("points", KEYPOINT)
        row = f"""double work[16], row[{COLUMNS}];
loop_measured({maps}, begin, {offsets}, m, c, pixel, frame, work, row);
put_row<{COLUMNS}>({out} + (size_t)at * {wide}, row);
put_point({points} + (size_t)at * {long}, row, row[3], c, instance);"""
        begin = f"const long long begin = (long long)t * {height * width * channels};"
        head = f"{placement}\n{record}\n{begin}\nconst float *const map = {maps} + begin;\nint made = 0, more = 0;"
        # One peak a channel is its first largest number; more need lists of maxima.
        if instances == 1:
            shared, work = self._largest(height * width, channels, row)
        else:
            shared, work = self._several(decoder, row)
        text = f"{head}\nif (there) {{\n{work}\n}}\n{self.ends('made', 'more', out=1, points=1)}"
        loops = [heatmap_loops.measured, *([heatmap_loops.is_top] if instances > 1 else [])]
        return self.made(loops, shared, text, np.zeros(0, np.uint8))

    def _largest(self, pixels: int, channels: int, row: str) -> tuple[str, str]:
        """The first largest number of every channel: neighbouring threads see neighbouring channels."""
        # `apart` threads share a channel; of equal numbers the one of the smaller index wins, as in the loop's order.
        side = min(channels, THREADS)
        shared = f"__shared__ float values[{THREADS}];\n__shared__ int seats[{THREADS}], warps[{THREADS // 32}];"
        text = f"""
for (int first = 0; first < {channels}; first += {side}) {{
    const int many = smaller({channels} - first, {side}), apart = {THREADS} / many;
    const int c = first + thread % many;
    float high = __int_as_float(0xff800000);
    int pixel = -1;
    if (thread < apart * many) {{
        for (int p = thread / many; p < {pixels}; p += apart) {{
            const float v = map[(size_t)p * {channels} + c];
            if (v > high) {{ high = v; pixel = p; }}
        }}
    }}
    values[thread] = high;
    seats[thread] = pixel;
    __syncthreads();
    if (thread < many) {{
        for (int k = thread + many; k < apart * many; k += many) {{
            const float v = values[k];
            const int p = seats[k];
            if (p >= 0 && (pixel < 0 || v > high || (v == high && p < pixel))) {{ high = v; pixel = p; }}
        }}
    }}
    const bool found = thread < many && pixel >= 0 && (double)high > m.threshold;
    int all;
    const int at = made + before(found, warps, all), instance = 0;
    if (found) {{
{row}
    }}
    made += all;
}}"""
        return shared, text

    def _several(self, decoder: HeatmapPeaks, row: str) -> tuple[str, str]:
        """Maxima in their order, the highest of each channel by a warp, rows by channel."""
        # Four steps: list all maxima in their order (EACH marks a thread, a scan for their places), let a warp take the
        # highest of its channel again and again and strike out its neighbours, scan the counts for rows' places, write
        # rows.
        (height, width, channels), instances, room = decoder.shape, decoder.instances, PEAK_ROOM
        count = height * width * channels
        taken = self.add("taken_all", "scratch", I32, "taken", (channels * instances,))
        counts = self.add("counts_all", "scratch", I32, "counts", (2 * channels,))
        shared = (f"__shared__ int found[{room}], warps[{THREADS // 32}], excess;\n"
                  f"__shared__ unsigned char used[{room}];")  # fmt: skip
        text = f"""
int *const taken = {taken} + (size_t)t * {channels * instances}, *const counts = {counts} + (size_t)t * {2 * channels};
const float least = __double2float_rd(m.threshold);  // of floats, those above the one are those above the other
int many = 0;
for (int first = 0; first < {count}; first += {THREADS * EACH}) {{
    const int from = first + thread * {EACH};
    unsigned marks = 0;
    for (int j = 0; j < {EACH} && from + j < {count}; ++j)
        if (map[from + j] > least && loop_is_top(map, 0, {height}, {width}, {channels}, from + j)) marks |= 1u << j;
    int all, at = many + before(__popc(marks), warps, all);
    for (; marks; marks &= marks - 1, ++at)
        if (at < {room}) {{ found[at] = from + __ffs(marks) - 1; used[at] = 0; }}
    many += all;
}}
if (thread == 0) excess = larger(many - {room}, 0);
__syncthreads();
const int kept = smaller(many, {room}), lane = thread % 32;
const double near = m.separation * m.separation;
for (int c = thread / 32; c < {channels}; c += {THREADS // 32}) {{
    int count = 0;
    while (true) {{
        float high = 0;
        int best = -1;
        for (int k = lane; k < kept; k += 32) {{
            if (found[k] % {channels} == c && !used[k]) {{
                const float v = map[found[k]];
                if (best < 0 || v > high) {{ high = v; best = k; }}
            }}
        }}
        for (int step = 16; step > 0; step >>= 1) {{
            const float v = __shfl_xor_sync(0xffffffffu, high, step);
            const int k = __shfl_xor_sync(0xffffffffu, best, step);
            if (k >= 0 && (best < 0 || v > high || (v == high && k < best))) {{ high = v; best = k; }}
        }}
        if (best < 0) break;
        const int p = found[best] / {channels};
        if (lane == 0 && count < {instances}) taken[c * {instances} + count] = p;
        ++count;
        for (int k = lane; k < kept; k += 32) {{
            if (found[k] % {channels} == c && !used[k]) {{
                const int q = found[k] / {channels};
                const double dx = q % {width} - p % {width}, dy = q / {width} - p / {width};
                if (k == best || dx * dx + dy * dy < near) used[k] = 1;
            }}
        }}
        __syncwarp();
    }}
    if (lane == 0) {{
        counts[c] = smaller(count, {instances});
        if (count > {instances}) atomicAdd(&excess, count - {instances});
    }}
}}
__syncthreads();
for (int first = 0; first < {channels}; first += {THREADS}) {{
    const int c = first + thread;
    int all;
    const int at = made + before(c < {channels} ? counts[c] : 0, warps, all);
    if (c < {channels}) counts[{channels} + c] = at;
    made += all;
}}
more = excess;
__syncthreads();
for (int s = thread; s < {channels * instances}; s += {THREADS}) {{
    const int c = s / {instances}, instance = s % {instances};
    if (instance < counts[c]) {{
        const int at = counts[{channels} + c] + instance, pixel = taken[s];
{row}
    }}
}}"""
        return shared, text

    def coordinates(self, decoder: Regressor) -> Decoding:
        """A thread a point."""
        record_of = decoder.record(self.body.params)
        values = self.input(0, "values")
        scores = self.input(1, "scores") if self.body.inputs[1] is not None else values
        placement = self._placement(2)
        given = _fields(record_of)
        # Without scores nothing is below the least: 0 then.
        known = decoder.scores > 0 or record_of.score >= 0
        given |= {"frames": "frames", "nothing": _NAN, "least": self.param("min_score") if known else 0.0}
        record = self._record(coordinate_loops.Points, "p", **given)
        (out, wide), (points, long) = self.table("out", FEATURE), self.table("points", KEYPOINT)
        sure = "loop_sigmoids(&sure, 1, work);" if record_of.logits else ""
        text = f"""{placement}
{record}
int made = 0;
if (there) {{
    for (int first = 0; first < {decoder.points}; first += {THREADS}) {{
        const int k = first + thread;
        double work[8], sure = 0;
        bool found = false;
        if (k < {decoder.points}) {{
            sure = loop_score_of({values}, {scores}, p, t, k);
            {sure}
            found = sure >= p.least && loop_located({values}, p, t, k, frame, work);
        }}
        int all;
        const int at = made + before(found, warps, all);
        if (found) {{
            double row[{COLUMNS}];
            loop_point_row(work[0], work[1], sure, frame, p.nothing, row);
            put_row<{COLUMNS}>({out} + (size_t)at * {wide}, row);
            put_point({points} + (size_t)at * {long}, row, sure, k, 0);
        }}
        made += all;
    }}
}}
{self.ends("made", "0", out=1, points=1)}"""
        loops = [coordinate_loops.score_of, coordinate_loops.located, point_row, sigmoids]
        return self.made(loops, f"__shared__ int warps[{THREADS // 32}];", text, np.zeros(0, np.uint8))

    def anchors(self, decoder: Detector) -> Decoding:
        """A thread a candidate; then thing after thing, the numbers of each by as many threads."""
        count, points = len(decoder.anchors), decoder.points
        size, room = anchor_loops.BOX_NUMBERS + 2 * points, min(ANCHOR_ROOM, count)
        record_of = decoder.record(self.body.params)
        heads = [self.input(i, name) if self.body.inputs[i] is not None else ""
                 for i, name in enumerate(("boxes", "scores", "boxes2", "scores2"))]  # fmt: skip
        first_type = self.body.inputs[0]
        assert isinstance(first_type, ImageType)
        # Anchors of the first head; those of the second follow.
        split = first_type.height * first_type.width * first_type.channels // decoder.numbers
        boxes = heads[0], heads[2] or heads[0]
        scores = (heads[1], heads[3] or heads[1]) if heads[1] else boxes
        placement = self._placement(4)
        given = _fields(record_of)
        least = self.param("min_score")
        given |= {"frames": "frames", "nothing": _NAN, "overlap": self.param("overlap"),
                  "least": f"loop_log({least}) - loop_log(1.0 - {least})" if record_of.logits else least}  # fmt: skip
        record = self._record(anchor_loops.Heads, "h", **given)
        (out, wide), (marks, long) = self.table("out", FEATURE), self.table("points", KEYPOINT)
        outlines, short = self.table("boxes", BOX)
        weights = self.add("weights", "weights", U8, shape=(decoder.anchors.nbytes,))
        # Boxes of candidates, a mean, its spread (three numbers a point and one of the box), and how sure each
        # candidate is.
        numbers = size * (room + 1) + 3 * (points + 1) + room
        doubles = self.add("numbers_all", "scratch", F64, "numbers", (numbers,))
        places = self.add("places_all", "scratch", I64, "places", (3 * room,))

        def of(pair: tuple[str, str], step: int, first: int) -> str:
            """Where number `first` of anchor k lies, in one of the two parts."""
            one = f"{pair[0]} + ((size_t)t * {split} + k) * {step} + {first}"
            if split == count:
                return one
            return f"(k < {split} ? {one} : {pair[1]} + ((size_t)t * {count - split} + k - {split}) * {step} + {first})"

        # Then: list the candidates in their order; again and again the surest one that is left, with all that overlap
        # it, becomes a weighed mean (the blazeface way of suppressing), whose numbers are threads' each.
        box = of(boxes, decoder.numbers, record_of.first)
        score = of(scores, record_of.score_step, record_of.score_first)
        text = f"""{placement}
{record}
double *const things = {doubles} + (size_t)t * {numbers}, *const mean = things + {size * room};
double *const spread = mean + {size}, *const sure = spread + {3 * (points + 1)};
long long *const found = {places} + (size_t)t * {3 * room}, *const used = found + {room};
long long *const members = used + {room};
int made = 0, more = 0;
if (there) {{
    const double width = h.width > 0.0 ? h.width : frame[6], height = h.height > 0.0 ? h.height : frame[7];
    const float least = __double2float_rd(h.least);  // of floats, those above the one are those above the other
    int many = 0;
    for (int first = 0; first < {count}; first += {THREADS * EACH}) {{
        const int from = first + thread * {EACH};
        unsigned marks = 0;
        for (int j = 0; j < {EACH} && from + j < {count}; ++j) {{
            const int k = from + j;
            if (*({score}) > least) marks |= 1u << j;
        }}
        int all, at = many + before(__popc(marks), warps, all);
        for (; marks; marks &= marks - 1, ++at)
            if (at < {room}) found[at] = from + __ffs(marks) - 1;
        many += all;
    }}
    __syncthreads();
    more = larger(many - {room}, 0);
    many = smaller(many, {room});
    for (int i = thread; i < many; i += {THREADS}) {{
        const int k = (int)found[i];
        double own = *({score}), work[8];
        const bool known = {"true" if record_of.logits else "own - own == 0.0"};
        const bool box = loop_decoded({box}, 0, (double *){weights} + 2 * k, h, width, height, things + {size} * i);
        {"loop_sigmoids(&own, 1, work);" if record_of.logits else "(void)work;"}
        sure[i] = own;
        used[i] = known && box ? 0 : -1;
    }}
    __syncthreads();
    while (true) {{
        double high = 0;
        int best = -1;
        for (int i = thread; i < many; i += {THREADS})
            if (used[i] == 0 && (best < 0 || sure[i] > high)) {{ high = sure[i]; best = i; }}
        for (int step = 16; step > 0; step >>= 1) {{
            const double v = __shfl_xor_sync(0xffffffffu, high, step);
            const int i = __shfl_xor_sync(0xffffffffu, best, step);
            if (i >= 0 && (best < 0 || v > high || (v == high && i < best))) {{ high = v; best = i; }}
        }}
        if (thread % 32 == 0) {{ highs[thread / 32] = high; bests[thread / 32] = best; }}
        __syncthreads();
        best = -1;
        for (int k = 0; k < {THREADS // 32}; ++k) {{
            const double v = highs[k];
            const int i = bests[k];
            if (i >= 0 && (best < 0 || v > high || (v == high && i < best))) {{ high = v; best = i; }}
        }}
        if (best < 0) break;
        int together = 0;
        for (int first = 0; first < many; first += {THREADS}) {{
            const int i = first + thread;
            const bool one = i < many && loop_is_one(best, i, h, things, used);
            int all;
            const int at = together + before(one, warps, all);
            if (one) {{ used[i] = 1; members[at] = i; }}
            together += all;
        }}
        __syncthreads();
        double total = 0;
        for (int j = 0; j < together; ++j) total = total + sure[members[j]];
        for (int k = thread; k < {size}; k += {THREADS})
            mean[k] = loop_mean_of(k, together, total, h, sure, things, members);
        __syncthreads();
        for (int k = thread; k <= {points}; k += {THREADS})
            loop_spread_of(k, together, total, h, sure, things, members, mean, spread);
        __syncthreads();
        if (made == {decoder.capacity}) {{ ++more; continue; }}
        double row[{COLUMNS}], outline[5];
        if (thread == 0) {{
            loop_thing_row(mean, high, frame, h.nothing, row, outline);
            loop_uncertain(spread[0], spread[1], spread[2], frame, row);
            put_row<{COLUMNS}>({out} + (size_t)made * {wide}, row);
            put_row<5>({outlines} + (size_t)made * {short}, outline);
        }}
        for (int k = thread; k < {points}; k += {THREADS}) {{
            loop_mark_row(k, mean, spread, high, frame, h.nothing, row);
            put_point({marks} + ((size_t)made * {points} + k) * {long}, row, high, k, made);
        }}
        ++made;
    }}
}}
{self.ends("made", "more", out=1, boxes=1, points=points)}"""
        shared = (f"__shared__ double highs[{THREADS // 32}];\n"
                  f"__shared__ int bests[{THREADS // 32}], warps[{THREADS // 32}];")  # fmt: skip
        loops = [log, anchor_loops.decoded, anchor_loops.is_one, anchor_loops.mean_of, anchor_loops.spread_of,
                 anchor_loops.thing_row, anchor_loops.mark_row, uncertain, sigmoids]  # fmt: skip
        return self.made(loops, shared, text, np.ascontiguousarray(decoder.anchors).reshape(-1).view(np.uint8))


def weighed_components(body: Body, name: str, decoder: WeighedComponents) -> Decoding:
    """See `kernels.codegen.cuda_regions`."""
    first, second = _Kernel(body, f"{name}_regions"), _Kernel(body, f"{name}_rows")
    regions, regions_kernel = first.kernel(*regions_text(first, decoder), COMPONENT_THREADS, 4 * RUNS)
    rows, rows_kernel = second.kernel(*rows_text(second, decoder), ROW_THREADS)
    pixels = Fraction(decoder.dtype.numpy.name, decoder.white).name if decoder.white else decoder.dtype.numpy.name
    text = f"{_PRELUDE}{UNITE}{_region_loops(pixels)}{regions}\n{rows}"
    return Decoding(text, (regions_kernel, rows_kernel), np.zeros(0, np.uint8))


@cache
def _region_loops(pixels: str) -> str:
    """Their texts: the same for all frames and settings, and a fifth of a second's work each time."""
    return loop_texts(REGION_LOOPS, Way(True, pixels), "float32")


def _indented(text: str) -> str:
    """Lines with the indent of the block in which they stand; what a bare `for` or `if` holds, a step further."""
    made, depth, bare = [], 0, 0
    # A `for` or `if` without braces indents one line only.
    for line in filter(None, map(str.strip, text.split("\n"))):
        # A line that begins with a brace closes before it is indented; what it opens counts afterwards.
        depth -= line.startswith("}")
        made.append("    " * (depth + bare) + line)
        bare = bare + 1 if line.startswith(("for (", "if (")) and line.endswith(")") else 0
        depth += line.count("{") - line.count("}") + line.startswith("}")
    return "\n".join(made)


def _fields(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.layout.fields}


def _literal(value: object, kind: str) -> str:
    return repr(float(value)) if kind == "float" else str(int(value))  # type: ignore[call-overload, arg-type]
