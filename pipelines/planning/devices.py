"""Devices that the planner knows, present or not.

Figures of GPUs are the makers' (NVIDIA data sheets and the CUDA programming guide's table of compute capabilities);
the bandwidths of L2 and shared memory are not published and stand for 32 (shared: 128) bytes a clock and
multiprocessor, the operations for one fp32 instruction a clock and lane. Tensor cores: dense, sums in 32 bits, half of
what is printed with sparsity (data sheets of the A100, H100 and H200; whitepapers of Ada and Blackwell RTX, appendices;
Jetson AGX Orin technical brief, 170 sparse TOPS of bytes, halved for each doubling of bits; of the RTX 3060 the rates
of the GA102 whitepaper times its clock). Of the B200 the maker publishes the memory and the tensor cores of boards of
eight only; multiprocessors, clock and L2 are as others report them, and its model says so. `this-cpu` is what
`fusetrack doctor --calibrate` has measured on this machine, and a cautious default before. `cuda:0` is the first GPU
that is here: what its driver says and `fusetrack doctor --calibrate --device cuda:0` has measured; `cuda:sm_90` stands
for a card of that architecture.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, NamedTuple

from kernels.errors import DefinitionError, FusetrackError
from kernels.executors.base import DeviceModel
from kernels.executors.calibration import kept, outdated
from kernels.executors.cuda_calibration import kept_gpu
from kernels.executors.placement import own_cache

KB, MB = 1024, 1024 * 1024
THIS_CPU = "this-cpu"


def this_cpu(cores: int = 0) -> DeviceModel:
    """A cautious model of this computer: AVX2 at 3 GHz (at most 48e9 multiply-adds a second and core), 15 GB/s of DRAM
    a core up to 40, 1 MB of L2 a core.

    Args:
        cores: 0 for as many as the operating system shows.
    """
    cores = cores or os.cpu_count() or 1
    return DeviceModel(
        THIS_CPU, "cpu", cores, dram=min(15e9 * cores, 40e9), cache=40e9 * cores, near=200e9 * cores,
        cache_bytes=16 * MB, near_bytes=MB, block_bytes=MB, rate=60e9 * cores, launch=15e-6, row=6e-9,
        macs=40e9 * cores, macs_int8=80e9 * cores, origin="default",
    )  # fmt: skip


class _DataSheet(NamedTuple):
    """What a maker says of a GPU.

    Args:
        sms: multiprocessors, each of `lanes` f32 multiply-adds a cycle, at `ghz`.
        dram, bus: GB/s of its memory, and to and from the host.
        l2: MB of its second cache.
        shared, block: KB of a multiprocessor's memory, and those that one block may have.
        threads, blocks: that a multiprocessor holds at once.
        tensor: TFLOPS of tf32 and f16 and TOPS of int8 of tensor cores (a multiply-add counts as two); 0 without.
    """

    name: str
    sms: int
    lanes: int
    ghz: float
    dram: float
    l2: float
    shared: int
    block: int
    threads: int
    blocks: int
    bus: float
    tensor: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def model(self) -> DeviceModel:
        """For the planner."""
        clock = self.ghz * 1e9
        # 32 bytes a clock from L2 and 128 from the multiprocessor's own memory are assumed (see the module); dp4a makes
        # four int8 multiply-adds of one lane. 4 us a launch holds until the card is calibrated.
        tf32, f16, int8 = (speed / 2 * 1e12 for speed in self.tensor)
        return DeviceModel(
            self.name, "cuda", self.sms, dram=self.dram * 1e9, cache=max(32 * self.sms * clock, self.dram * 1e9),
            near=128 * self.sms * clock, cache_bytes=int(self.l2 * MB), near_bytes=self.shared * KB,
            block_bytes=self.block * KB, rate=self.lanes * self.sms * clock, launch=4e-6, bus=self.bus * 1e9,
            threads=self.threads, blocks=self.blocks, macs_int8=4 * self.lanes * self.sms * clock,
            tensor_tf32=tf32, tensor_f16=f16, tensor_int8=int8,
        )  # fmt: skip


_GPUS = (
    _DataSheet("gtx1660", 22, 64, 1.785, 192, 1.5, 64, 64, 1024, 16, 12).model,
    _DataSheet("rtx3060", 28, 128, 1.777, 360, 3, 100, 99, 1536, 16, 24, (12.7, 25.5, 102)).model,
    _DataSheet("rtx4090", 128, 128, 2.52, 1008, 72, 100, 99, 1536, 24, 24, (82.6, 165.2, 660.6)).model,
    _DataSheet("a100", 108, 64, 1.41, 1555, 40, 164, 163, 2048, 32, 24, (156, 312, 624)).model,
    _DataSheet("h100", 132, 128, 1.98, 3350, 50, 228, 227, 2048, 32, 50, (494.7, 989.4, 1978.9)).model,
    _DataSheet("h200", 132, 128, 1.98, 4800, 50, 228, 227, 2048, 32, 50, (494.7, 989.4, 1978.9)).model,
    replace(_DataSheet("b200", 148, 128, 1.965, 8000, 126, 228, 227, 2048, 32, 50, (1125, 2250, 4500)).model,
            origin="reported"),
    _DataSheet("rtx5090", 170, 128, 2.407, 1792, 96, 100, 99, 1536, 24, 50, (104.8, 209.5, 838)).model,
    _DataSheet("jetson-orin", 16, 128, 1.3, 204.8, 4, 164, 163, 1536, 16, 100, (21.25, 42.5, 85)).model,
)  # fmt: skip
_BY_NAME = {device.name: device for device in _GPUS}
ARCHITECTURES = {"sm_75": "gtx1660", "sm_80": "a100", "sm_86": "rtx3060", "sm_87": "jetson-orin", "sm_89": "rtx4090",
                 "sm_90": "h100", "sm_100": "b200", "sm_120": "rtx5090"}  # fmt: skip
"""A card of each architecture."""


def architecture_of(device: DeviceModel) -> str:
    """Of a GPU, such as sm_90: that whose multiprocessors are as its are; the first, as code for it runs on all, where
    none is."""
    own = device.near_bytes, device.threads, device.blocks
    like = {name: _BY_NAME[card] for name, card in ARCHITECTURES.items()}
    return next((name for name, card in like.items() if (card.near_bytes, card.threads, card.blocks) == own), "sm_75")


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU that is here.

    Args:
        model: for the planner; its name is "cuda:0" and so on.
        title: the maker's name of it.
        facts: what measured figures depend on: GPU, driver, CUDA.
        remark: a sentence if what was measured cannot be used.
    """

    model: DeviceModel
    title: str
    facts: Mapping[str, object]
    remark: str = ""


@contextmanager
def usable() -> Iterator[None]:
    """Whatever a driver says while it lasts is a DefinitionError in a sentence."""
    try:
        yield
    except FusetrackError:
        raise
    except Exception as error:  # a GPU in exclusive use, a broken driver, a lost device ...
        said = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise DefinitionError(f"the GPU cannot be used: {said}; look at nvidia-smi, or use --device cpu") from error


def gpu(index: int = 0) -> Gpu:
    """The GPU with a number, as calibrated, else as its driver describes it. Only this loads CuPy.

    Raises:
        DefinitionError: there is none that can be used; says why, and what to do.
    """
    with usable():
        device: Any = importlib.import_module("kernels.executors.cuda_device").CudaDevice(index)
        facts: Mapping[str, object] = importlib.import_module("kernels.executors.cuda_clock").gpu_facts(device)
        model: DeviceModel = device.model()
    found, remark = kept_gpu(facts)
    return Gpu(model if found is None else found.of(model), device.name, facts, remark)


def measured_cpu(threads: int = 0) -> DeviceModel:
    """This computer as it was measured with so many threads (0: all); where it was not, `this_cpu` with the caches that
    the system says it has."""
    calibration, _ = kept(threads)
    if calibration is not None:
        return calibration.device
    return replace(this_cpu(threads), near_bytes=own_cache(), block_bytes=own_cache())


def outdated_calibration(device: DeviceModel) -> str:
    """A sentence where a device is this computer's processor and what was once measured of it cannot be used, or ""."""
    return outdated(device.units) if (device.name, device.origin) == (THIS_CPU, "default") else ""


def devices() -> dict[str, DeviceModel]:
    """All by name; `this-cpu` first."""
    return {device.name: device for device in (measured_cpu(), *_GPUS)}


def find_device(name: str) -> DeviceModel:
    """The device called `name`: one of `devices`, cpu for `this-cpu` (as runs call it), a GPU that is here (cuda,
    cuda:1), or cuda:sm_90.

    Raises:
        DefinitionError: there is none; names the nearest.
    """
    kind, _, which = name.partition(":")
    if kind == "cuda" and (which.isdecimal() or name == "cuda"):
        return gpu(int(which or 0)).model
    if kind == "cuda" and which in ARCHITECTURES:
        return replace(_BY_NAME[ARCHITECTURES[which]], name=name)
    known, name = devices(), THIS_CPU if name == "cpu" else name
    if name not in known:
        near = get_close_matches(name, known, n=1, cutoff=0.5)
        more = f"{', '.join(known)}, cuda:0 for the first GPU here, cuda:{' cuda:'.join(ARCHITECTURES)}"
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {more}"
        raise DefinitionError(f"there is no device {name!r}; {hint}")
    return known[name]
