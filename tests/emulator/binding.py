"""The structures of machine.hpp, for ctypes."""

from __future__ import annotations

import ctypes
from ctypes import c_int32, c_int64, c_uint32, c_uint64, c_void_p


class Region(ctypes.Structure):
    _fields_ = [("start", c_uint64), ("size", c_uint64), ("mode", c_uint32), ("shared", c_uint32)]


class RawFinding(ctypes.Structure):
    _fields_ = [
        ("kind", c_uint32), ("count", c_uint32), ("where", c_uint64), ("other", c_uint64),
        ("block", c_uint32 * 3), ("thread", c_uint32 * 3), ("other_thread", c_uint32),
        ("region", c_int32), ("offset", c_int64), ("size", c_uint64),
    ]  # fmt: skip


class RawSite(ctypes.Structure):
    _fields_ = [
        ("where", c_uint64), ("space", c_uint32), ("operation", c_uint32),
        ("accesses", c_uint64), ("bytes", c_uint64), ("requests", c_uint64), ("transactions", c_uint64),
        ("ideal", c_uint64),
    ]  # fmt: skip


class RawCounts(ctypes.Structure):
    _fields_ = [
        ("barriers", c_uint64), ("collectives", c_uint64), ("atomics", c_uint64), ("switches", c_uint64),
        ("sectors_of_blocks", c_uint64 * 3), ("sectors_of_launch", c_uint64 * 3),
    ]  # fmt: skip


class Launch(ctypes.Structure):
    _fields_ = [
        ("grid", c_uint32 * 3), ("block", c_uint32 * 3), ("shared_bytes", c_uint64), ("seed", c_uint64),
        ("order", c_uint32), ("flush", c_uint32), ("limit_s", c_uint32), ("stopped", c_uint32),
        ("switching", c_uint32), ("live", c_uint32),
        ("arguments", c_void_p), ("argument_bytes", c_uint64),
        ("regions", ctypes.POINTER(Region)), ("n_regions", c_uint32), ("n_findings", c_uint32),
        ("module_start", c_uint64), ("module_end", c_uint64), ("stacks", c_void_p),
        ("findings", RawFinding * 64), ("counts", RawCounts), ("sites", ctypes.POINTER(RawSite)), ("n_sites", c_uint64),
    ]  # fmt: skip


ORDERS = {"shuffled": 0, "forward": 1, "reverse": 2, "lockstep": 3}
KINDS = {
    1: "out-of-bounds read", 2: "out-of-bounds write", 3: "race in a block", 4: "race between blocks",
    5: "uninitialised shared read", 6: "uninitialised output read", 7: "unwritten output", 8: "divergent barrier",
    9: "inactive lane", 10: "divergent collective", 11: "write to an input", 12: "misaligned access",
    13: "cast overflow", 14: "index overflow", 15: "shift overflow", 16: "division by zero", 17: "assertion",
    18: "crash", 19: "endless",
}  # fmt: skip
