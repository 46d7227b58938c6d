"""What kernels take of a multiprocessor, by NVRTC for a card that need not be here; kept, for that takes seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from hashlib import sha256

from kernels.codegen import nvrtc
from kernels.codegen.nvrtc import Usage
from kernels.executors.cuda_shapes import Compiler
from kernels.executors.measurement_cache import MeasurementCache

KIND = "cuda-usage"


@cache
def usage_by(architecture: str) -> Compiler | None:
    """What compiles for an architecture, such as sm_90, without machine code; None where NVRTC is not installed."""
    if not nvrtc.available():
        return None
    store, known = MeasurementCache(), dict[str, Mapping[str, Usage]]()

    def compiled(text: str) -> tuple[bytes, Mapping[str, Usage]]:
        key = sha256(text.encode()).hexdigest()
        if key not in known:
            about = {"text": key, "architecture": architecture, "nvrtc": list(nvrtc.version()),
                     "options": list(nvrtc.options_of(text))}  # fmt: skip
            facts, _ = store.get(KIND, about)
            if facts is None:
                facts = {name: asdict(used) for name, used in nvrtc.compile_text(text, architecture).usage.items()}
                store.put(KIND, about, facts)
            known[key] = {name: Usage(**used) for name, used in facts.items()}
        return b"", known[key]

    return compiled
