"""An accelerator that the user describes in a TOML file, for plans: memory near the units that is all there is, DRAM,
multiply-adds.

    name = "my-npu"
    sram_bytes = 524288          # what a run of layers may hold: rows at hand, and weights
    dram_bytes_per_s = 3.2e9
    macs_per_s = 256e9           # of floats, and of bytes where macs_int8_per_s is not given
    dram_pj_per_byte = 160       # energies in picojoules; all four or none
    sram_pj_per_byte = 2.5
    mac_pj = 4.6
    mac_int8_pj = 0.3            # may be left out: as mac_pj

It is planned for as one unit through which rows are streamed, without a cache: what leaves a group goes to DRAM. Rows
that do not fit make a group impossible; where weights have no room beside them, as many rows go through all layers at a
time as have, and weights come for each such strip; a layer by itself may go in tiles over its channels instead, in the
order that moves least (`pipelines.planning.scratchpad`).
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

from kernels.errors import DefinitionError
from kernels.executors.base import DeviceModel
from pipelines.planning.energy import HOROWITZ, Energy

NEEDED = ("sram_bytes", "dram_bytes_per_s", "macs_per_s")
ENERGIES = ("dram_pj_per_byte", "sram_pj_per_byte", "mac_pj")
KEYS = ("name", *NEEDED, "macs_int8_per_s", *ENERGIES, "mac_int8_pj")


def is_accelerator(name: str) -> bool:
    """Whether a device is named by its file."""
    return name.lower().endswith(".toml")


def accelerator(file: str) -> tuple[DeviceModel, Energy]:
    """The device that a file describes.

    Raises:
        DefinitionError: it cannot be read, a key is missing, not known or no positive number.
    """
    given = _read(file)
    for key in given:
        if key not in KEYS:
            near = get_close_matches(key, KEYS, n=1)
            raise DefinitionError(f"{file}: there is no {key!r}; "
                                  + (f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(KEYS)}"))
    name = given.get("name", Path(file).stem)
    if not isinstance(name, str) or not name:
        raise DefinitionError(f"{file}: name must be a text, not {name!r}")
    sram, dram, macs = (_number(file, given, key) for key in NEEDED)
    int8 = _number(file, given, "macs_int8_per_s") if "macs_int8_per_s" in given else macs
    some = [key for key in (*ENERGIES, "mac_int8_pj") if key in given]
    energy = HOROWITZ
    if some:
        missing = [key for key in ENERGIES if key not in given]
        if missing:
            raise DefinitionError(f"{file}: {missing[0]} is missing; energies are given all together or not at all")
        of_dram, of_sram, of_mac = (_number(file, given, key) for key in ENERGIES)
        of_int8 = _number(file, given, "mac_int8_pj") if "mac_int8_pj" in given else of_mac
        energy = Energy(of_dram, of_sram, of_mac, of_int8, of_mac, Path(file).name)
    # No cache between near memory and DRAM, and memory near the units that is never too slow.
    endless = math.inf
    device = DeviceModel(name, "cpu", 1, dram, endless, endless, 0, int(sram), int(sram), macs, 0.0, macs=macs,
                         macs_int8=int8, scratchpad=True, origin=Path(file).name)  # fmt: skip
    return device, energy


def _read(file: str) -> Mapping[str, object]:
    try:
        with open(file, "rb") as stream:
            return tomllib.load(stream)
    except FileNotFoundError:
        raise DefinitionError(f"{file}: there is no such file") from None
    except OSError as error:
        raise DefinitionError(f"{file}: cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DefinitionError(f"{file}: is no TOML: {error}") from error


def _number(file: str, given: Mapping[str, object], key: str) -> float:
    if key not in given:
        raise DefinitionError(f"{file}: {key} is missing; an accelerator needs {', '.join(NEEDED)}")
    value = given[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise DefinitionError(f"{file}: {key} must be a positive number, not {value!r}")
    return float(value)
