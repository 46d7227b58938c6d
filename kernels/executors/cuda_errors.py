"""What a CUDA driver, its runtime or CuPy says went wrong, as one sentence that says what to do. Knows CuPy by name."""

from __future__ import annotations

from kernels.errors import DefinitionError, InputError

_MEMORY = ("memoryallocation", "out_of_memory", "outofmemory", "out of memory")
_OLD = ("insufficientdriver", "systemdrivermismatch", "system_driver_mismatch", "compatnotsupported",
        "compat_not_supported", "callrequiresnewerdriver", "unsupportedptxversion", "unsupported_ptx_version",
        "nokernelimagefordevice", "no_binary_for_gpu")  # fmt: skip
_NONE = ("nodevice", "no_device", "invaliddevice", "invalid_device")
_BUSY = ("devicesunavailable", "deviceunavailable", "device_unavailable", "devicealreadyinuse", "mpsmaxclients",
         "mpsconnectionfailed")  # fmt: skip
_LOST = ("illegaladdress", "illegal_address", "launchfailure", "launch_failed", "launchtimeout", "launch_timeout",
         "illegalinstruction", "illegal_instruction", "misaligned", "eccuncorrectable", "ecc_uncorrectable",
         "hardwarestack", "hardware_stack", "invalidpc", "invalid_pc", "nvlinkuncorrectable", "invalidaddressspace",
         "invalid_address_space", "contextisdestroyed", "context_is_destroyed", "deinitialized", "cudartunloading",
         "contained", "erroruncontained", "systemnotready", "gpuislost", "gpu is lost", "externaldevice",
         "errorunknown", "error_unknown", "tensormemoryleak")  # fmt: skip


def input_error(error: BaseException, device: str, memory: str = "") -> InputError:
    """The sentence for an error of the driver.

    Args:
        error: what was raised.
        device: which GPU it concerns, as a user knows it.
        memory: for too little memory: how much was wanted and how much there is, a clause.

    Returns:
        InputError for too little memory, else DefinitionError.
    """
    text = " ".join(str(error).split()) or type(error).__name__
    plain = text.lower()

    def says(words: tuple[str, ...]) -> bool:
        return any(word in plain for word in words)

    if isinstance(error, MemoryError) or says(_MEMORY):
        return InputError(f"{device} has not enough memory{': ' + memory if memory else ''}; take shorter batches, "
                          "a part of the picture (--roi), or --device cpu")  # fmt: skip
    if says(_OLD):
        return DefinitionError(f"the driver of {device} is missing or too old for this CuPy ({text}); install a newer "
                               "driver, or an older CuPy (cuda12), or use --device cpu")  # fmt: skip
    if says(_NONE):
        return DefinitionError(f"the driver does not find {device} ({text}); look at nvidia-smi, or use --device cpu")
    if says(_BUSY):
        return DefinitionError(f"{device} is taken by another program ({text}); look at nvidia-smi, or use "
                               "--device cpu")  # fmt: skip
    if says(_LOST):
        return DefinitionError(f"{device} stopped working ({text}); start again, or use --device cpu")
    return DefinitionError(f"{device} refuses ({type(error).__name__}: {text}); look at nvidia-smi, or use "
                           "--device cpu")  # fmt: skip
