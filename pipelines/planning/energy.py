"""What a plan's frame takes in energy: bytes of DRAM, bytes near the units, operations, each at so many picojoules.

Without figures of the user's these are of M. Horowitz, "Computing's energy problem (and what we can do about it)",
ISSCC 2014: 45 nm at 0.9 V; DRAM 1.3 nJ for 64 bits (the lower of two), a cache of 32 KB 20 pJ for 64 bits, an addition
of floats 0.9 pJ, a product 3.7 pJ; of bytes 0.2 pJ, added in 32 bits at 0.1 pJ. Later processes take less, of
arithmetic most, so that joules are a scale and no prediction. Leakage, control and clocks are not in it: where the rest
of a system takes more, fusing saves a smaller part than this says, as ConvFusion's authors warn of their own figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipelines.planning.cost import arithmetic
from pipelines.planning.plan import Plan
from pipelines.planning.planner import Planner


@dataclass(frozen=True, slots=True)
class Energy:
    """In picojoules; near memory is what is not DRAM.

    Args:
        dram, near: of a byte.
        mac, mac_int8: of a multiply-add, of floats and of bytes.
        operation: of any other.
        source: where they are from.
    """

    dram: float
    near: float
    mac: float
    mac_int8: float
    operation: float
    source: str


HOROWITZ = Energy(1300 / 8, 20 / 8, 4.6, 0.3, 0.9, "Horowitz 2014, 45 nm")


@dataclass(frozen=True, slots=True)
class Spent:
    """Joules a frame."""

    dram: float
    near: float
    arithmetic: float

    @property
    def whole(self) -> float:
        return self.dram + self.near + self.arithmetic


def spent(planner: Planner, plan: Plan, energy: Energy) -> Spent:
    """What a plan takes; what halos compute again counts again."""
    e, tasks = plan.estimate, planner.work.tasks
    once = sum(arithmetic(task, planner.device) for task in tasks)
    again = max(1.0, e.operations / once) if once else 1.0
    operations = sum(task.operations * energy.operation
                     + floats * energy.mac + whole * energy.mac_int8
                     + sum(macs * (energy.mac_int8 if kind == "int8" else energy.mac) for kind, macs in task.tensor)
                     for task in tasks for floats, whole in [task.products(planner.device)])  # fmt: skip
    return Spent(e.dram * energy.dram * 1e-12, (e.near + e.traffic) * energy.near * 1e-12, operations * again * 1e-12)


def sentence(energy: Energy, plans: Mapping[str, Spent]) -> str:
    """What plans take, the first in its parts, and what was assumed."""
    (_, own), *others = plans.items()
    parts = ", ".join(f"{name} {part / own.whole:.0%}" for name, part in
                      (("DRAM", own.dram), ("near memory", own.near), ("arithmetic", own.arithmetic)))  # fmt: skip
    beside = "".join(f"; {name} {quantity(one.whole)}" for name, one in others)
    return (f"energy {quantity(own.whole)} a frame ({parts}){beside}, at {energy.dram:.3g} pJ a byte of DRAM, "
            f"{energy.near:.3g} of near memory, {energy.mac:.3g} pJ a multiply-add ({energy.mac_int8:.3g} of bytes), "
            f"by {energy.source}; nothing else of the system counts")  # fmt: skip


def quantity(joules: float) -> str:
    """Three digits and a unit.

    >>> quantity(0.00123), quantity(4.5e-6), quantity(2e-9)
    ('1.23 mJ', '4.5 µJ', '2 nJ')
    """
    for unit, size in (("J", 1.0), ("mJ", 1e-3), ("µJ", 1e-6)):
        if joules >= 0.9995 * size:
            return f"{joules / size:.3g} {unit}"
    return f"{joules / 1e-9:.3g} nJ"
