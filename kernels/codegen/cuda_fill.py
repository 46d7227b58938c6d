"""Holes of a mask filled on a device: a block takes a frame (the stage `fill` says what a hole is).

Runs of what is not in the mask are joined by four neighbours, as those of components are by eight
(`kernels.codegen.cuda_components`); those of components that are holes, and not too large, become a part of the mask.
Whole numbers alone, in no order, so that the bits are the host's.
"""

from __future__ import annotations

from typing import Any

from kernels.codegen.cuda_components import THREADS, most_runs, runs_text
from kernels.ir.image import BOOL, I32, I64
from kernels.regions.mask_fill import MaskFill


def fill_text(kernel: Any, decoder: MaskFill) -> tuple[str, str]:
    """What declares shared memory, and what a block does with frame t.

    Args:
        kernel: to which arguments are added (`kernels.codegen.cuda_decoders`).
    """
    height, width = decoder.size
    found, room = runs_text(kernel, decoder.size, 0, outside=True), most_runs(decoder.size)
    size = kernel.param("size", I32)
    boxes = kernel.add("boxes_all", "scratch", I32, "boxes", (3 * room,))
    if kernel.body.output("out").words:
        out = kernel.add("out", "output", I64, "out", (height, found.words // 2))
        last = f"""\
unsigned *const to = (unsigned *){out} + (size_t)t * {height * found.words};
for (int n = thread; n < {height * found.words}; n += {THREADS})
    to[n] = ~words[n] & inside_of(n % {found.words} * 32, {width});"""
    else:
        out = kernel.add("out", "output", BOOL, "out", (height, width))
        last = f"""\
unsigned char *const to = {out} + (size_t)t * {height * width};
for (int n = thread; n < {height * width}; n += {THREADS}) {{
    const int x = n % {width};
    to[n] = !(words[n / {width} * {found.words} + x / 32] >> x % 32 & 1u);
}}"""
    text = f"""\
{found.text}
int *const left = {boxes} + (size_t)t * {3 * room}, *const right = left + {room}, *const low = left + {2 * room};
for (int k = thread; k < runs; k += {THREADS}) {{
    left[k] = {width};
    right[k] = low[k] = -1;
}}
{found.joined}
for (int k = thread; k < runs; k += {THREADS}) {{
    const int root = root_of(parent, k);
    atomicMin(left + root, edges[2 * k]);
    atomicMax(right + root, edges[2 * k + 1]);
    atomicMax(low + root, lines[k]);
}}
__syncthreads();
for (int k = thread; k < runs; k += {THREADS}) {{
    const int root = root_of(parent, k), across = right[root] - left[root] + 1, down = low[root] - lines[root] + 1;
    const bool hole = left[root] > 0 && right[root] < {width - 1} && lines[root] > 0 && low[root] < {height - 1};
    if (!hole || ({size} != 0 && larger(across, down) > {size})) continue;
    const int begin = edges[2 * k], end = edges[2 * k + 1];
    for (int w = begin / 32; w <= end / 32; ++w)
        atomicAnd(words + lines[k] * {found.words} + w, ~bits_between(w, begin, end));
}}
__syncthreads();
{last}"""
    return found.shared, text
