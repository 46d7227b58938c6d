"""Data channels in files of any kind that is understood: what they hold, and their samples."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.channels.channel import Channel, Contents, Samples
from app.files.missing import missing_sentence
from kernels.errors import InputError

Progress = Callable[[float], object]


def look(path: Path, delimiter: str = "", decimal: str = "") -> Contents:
    """What a file holds, as far as its beginning tells.

    Args:
        delimiter, decimal: of a text file, where what is found in it is wrong.

    Raises:
        InputError: it is not there, or holds no samples.
    """
    _there(path)
    if _is_wav(path):
        from app.channels import wav

        return wav.look(path)
    if path.suffix.lower() == ".tdms":
        from app.channels import tdms

        return tdms.look(path)
    from app.channels import text

    return text.look(path, delimiter, decimal)


def read(channel: Channel, progress: Progress = lambda _share: None) -> Samples:
    """The samples of a channel.

    Args:
        progress: called with the share that is read, now and then; what it raises ends the reading.

    Raises:
        InputError: the file is not there or damaged, a column is not there or holds no numbers, or the times do not
            rise.
    """
    path = Path(channel.path)
    _there(path)
    try:
        if _is_wav(path):
            from app.channels import wav

            return wav.read(path, channel, progress)
        if path.suffix.lower() == ".tdms":
            from app.channels import tdms

            return tdms.read(path, channel, progress)
        from app.channels import text

        return text.read(path, channel, progress)
    except MemoryError:
        raise InputError(f"{path.name} has more samples than there is memory for; choose fewer columns") from None


def _there(path: Path) -> None:
    if path.is_dir():
        raise InputError(f"{path} is a folder; a data channel is a file: text (CSV), WAV or TDMS")
    if not path.exists():
        raise InputError(missing_sentence(path))


def _is_wav(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(12)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    return path.suffix.lower() == ".wav" or (head[:4] in (b"RIFF", b"RF64") and head[8:] == b"WAVE")
