"""Otsu's threshold of bytes on a device: a block takes a frame.

Its threads count into one histogram in shared memory; the level is found by the host's own loop
(`kernels.regions.otsu_loops`), so that the bits are the host's.
"""

from __future__ import annotations

from typing import Any

from kernels.ir.image import BOOL
from kernels.regions.otsu_mask import BINS, OtsuMask

THREADS = 512
"""Of a block: each looks at every so many pixels, and latency binds."""


def otsu_text(kernel: Any, decoder: OtsuMask) -> tuple[str, str]:
    """What declares shared memory, and what a block does with frame t.

    Args:
        kernel: to which arguments are added (`kernels.codegen.cuda_decoders`).
    """
    height, width = decoder.size
    image, out = kernel.input(0, "image"), kernel.add("out", "output", BOOL, "out", (height, width))
    shared = f"""\
__shared__ unsigned found[{BINS}];
__shared__ long long counts[{BINS}], level;
__shared__ double work[{2 * BINS}];"""
    text = f"""\
const unsigned char *const from = {image} + (size_t)t * {height * width};
unsigned char *const to = {out} + (size_t)t * {height * width};
for (int k = thread; k < {BINS}; k += {THREADS}) found[k] = 0;
__syncthreads();
for (int n = thread; n < {height * width}; n += {THREADS}) atomicAdd(found + from[n], 1u);
__syncthreads();
for (int k = thread; k < {BINS}; k += {THREADS}) counts[k] = found[k];
__syncthreads();
if (thread == 0) level = loop_otsu_bin(counts, {BINS}, work);
__syncthreads();
for (int n = thread; n < {height * width}; n += {THREADS}) to[n] = from[n] {">" if decoder.bright else "<="} level;"""
    return shared, text
