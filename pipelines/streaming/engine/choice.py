"""Which back end runs a pipeline, and why not another."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kernels.errors import DefinitionError, InputError
from kernels.executors.base import DeviceModel, Executor, executor
from pipelines.graph import Bound, Ref
from pipelines.planning.devices import gpu, measured_cpu, outdated_calibration, usable
from pipelines.planning.planner import planner_of
from pipelines.planning.tuning import seen_by

WORTH = 1.25
"""A GPU is taken where it is predicted to be at least so many times as fast as the processor, transfers included."""
ESTIMATES = False
"""Whether a GPU is taken where its figures hang on an estimate that no card has confirmed: how long a team of threads
takes for a region (`kernels.fusion.decoder_traffic.EACH_REGION`) or a window
(`pipelines.trackers.registration.windows.device_windows.CHAIN`). Until that is measured, the processor has the regions
unless a GPU is named, and trackers of windows are reckoned with as if pixels came down for them."""

@dataclass(frozen=True)
class Choice:
    """What runs.

    Args:
        executor: the back end.
        asked: what the user asked for.
        device: what runs: "reference", "cpu" or "cuda:0".
        why: why no other, a clause; empty where the user named it.
        note: a sentence to warn with; empty where the user got what could be hoped for.
        model: what the planner reckons with.
        machine: what tuned groups are kept for; None for this computer's processor.
    """

    executor: Executor
    asked: str
    device: str
    why: str = ""
    note: str = ""
    model: DeviceModel | None = None
    machine: Mapping[str, object] | None = None

    @property
    def facts(self) -> dict[str, Any]:
        """For a summary."""
        gpu_facts = {} if self.machine is None else {"gpu": dict(self.machine)}
        return {"asked": self.asked, "device": self.device, "why": self.why, "note": self.note, **gpu_facts}


def choose(asked: str, bound: Bound, wanted: Sequence[Ref], batch: int) -> Choice:
    """The back end for a pipeline.

    Args:
        asked: "auto", "cpu", "reference", "cuda" or "cuda:1". auto is the first GPU where one can be used, these
            frames are worth their way to it and that hangs on no estimate (ESTIMATES), else the processor, else the
            reference.
        wanted: the outputs that must be there at the end.
        batch: frames a batch.

    Raises:
        DefinitionError: what was asked for is not there.
    """
    if asked != "auto":
        return _asked(asked)
    why = "CuPy is not installed, so no GPU is used" if importlib.util.find_spec("cupy") is None else ""
    if not why:
        try:
            found = gpu(0)
            taken, why = _worth(bound, wanted, batch, found.model)
            if taken:
                return Choice(_on_gpu("cuda:0"), asked, "cuda:0", why, found.remark, found.model, found.facts)
        except InputError as error:
            why = without_advice(error)
    return on_cpu(asked, why)


def without_advice(error: Exception) -> str:
    """What an error says, but for the advice to use the processor, which is what is done."""
    return re.sub(r"([;,] start again)?[;,]?( or)?( use)? --device cpu$", "", " ".join(str(error).split()))


def on_cpu(asked: str, why: str) -> Choice:
    """The processor, or the reference where it cannot be compiled for."""
    try:
        model = measured_cpu()
        return Choice(executor("cpu"), asked, "cpu", why, outdated_calibration(model), model)
    except (InputError, ImportError, OSError) as error:
        note = f"the slow reference back end runs, because the compiled one cannot: {error}"
        return Choice(executor("reference"), asked, "reference", why, note)


def _on_gpu(name: str) -> Executor:
    with usable():
        return executor(name)


def _asked(name: str) -> Choice:
    if name.partition(":")[0] == "cuda":
        made = _on_gpu(name)
        number = int(name.partition(":")[2] or 0)
        found = gpu(number)
        return Choice(made, name, f"cuda:{number}", "", found.remark, found.model, found.facts)
    model = measured_cpu() if name == "cpu" else None
    note = "" if model is None else outdated_calibration(model)
    return Choice(executor(name), name, name, note=note, model=model)


def _worth(bound: Bound, wanted: Sequence[Ref], batch: int, device: DeviceModel) -> tuple[bool, str]:
    """Whether frames are worth their way to a GPU, by the planner's figures, and a clause that says so."""
    on_gpu, here = predicted(bound, wanted, batch, device), predicted(bound, wanted, batch, measured_cpu())
    if on_gpu is None:
        return False, f"no plan fits {device.name}"
    if not ESTIMATES and here is not None and on_gpu * WORTH <= here and estimated(bound, wanted, batch, device):
        return False, (f"{device.name} would take {1e6 * on_gpu:.0f} µs a frame by the planner's figures, but how long "
                       f"regions take is an estimate, so it is not taken unless it is named ({device.name})")
    if here is None:
        return True, f"no plan fits the cpu, {device.name} takes {1e6 * on_gpu:.0f} µs a frame by the planner's figures"
    figures = f"{1e6 * on_gpu:.0f} µs a frame with the transfers, by the planner's figures, on the cpu {1e6 * here:.0f}"
    if on_gpu * WORTH > here:
        return False, f"frames of this size are not worth their way to {device.name}, where they take {figures}"
    return True, f"on {device.name} they take {figures}"


def estimated(bound: Bound, wanted: Sequence[Ref], batch: int, device: DeviceModel) -> bool:
    """Whether a device would compute what nothing but an estimate says the time of."""
    tasks = planner_of(seen_by(bound, wanted, batch)[0], device).work.tasks
    return any(task.latency > 0 and not task.hosted(device) for task in tasks)


def predicted(bound: Bound, wanted: Sequence[Ref], batch: int, device: DeviceModel) -> float | None:
    """Seconds a frame by the planner, host functions included; None where there is no plan.

    Those take as long wherever the rest runs, but beside a GPU instead of before and after it (`Plan.steady`). What
    trackers take comes down: how long they look at it where it lies is an estimate (ESTIMATES).
    """
    seen, wishes = seen_by(bound if ESTIMATES else replace(bound, asked=bound.taps), wanted, batch)
    planner = planner_of(seen, device)
    try:
        return planner.plan(wishes).steady
    except DefinitionError:
        return None
