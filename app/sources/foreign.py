"""Files of the trade that are not read: what they are, and the way in, a sentence each."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_SAVE = 'python -c "import numpy as np{imports}; np.save({target!r}, {array})"'
_FIJI = "open it in Fiji (Bio-Formats) and save it as TIFF"


@dataclass(frozen=True, slots=True)
class Foreign:
    """A kind of file that is not read.

    Args:
        title: what it is, with article.
        endings: lower-case, with the dot.
        marks: (first byte, bytes) by any of which it is known, whatever it is called; () where only the ending tells.
        way: what to do; takes the file and its first bytes.
    """

    title: str
    endings: tuple[str, ...]
    marks: tuple[tuple[int, bytes], ...]
    way: Callable[[Path, bytes], str]


def refusal(path: Path, head: bytes) -> str:
    """A sentence about a file that is known and not read; "" for others.

    Args:
        path: the file, or a folder (`.zarr`).
        head: its first 4096 bytes; b"" of a folder.
    """
    ending = path.suffix.lower()
    found = next((one for one in KINDS if any(head[at : at + len(mark)] == mark for at, mark in one.marks)), None)
    found = found or next((one for one in KINDS if ending in one.endings), None)
    return f"{path} is {found.title}, which fusetrack does not read: {found.way(path, head)}" if found else ""


def _save(array: str, *imports: str) -> Callable[[Path, bytes], str]:
    """A line of Python that makes an .npy; {path!r} in `array` stands for the file."""

    def way(path: Path, head: bytes) -> str:
        del head
        words = "".join(f", {one}" for one in imports)
        line = _SAVE.format(imports=words, target=f"{path.stem}.npy", array=array.format(path=str(path)))
        packages = [one.partition(".")[0] for one in imports if not one.startswith("scipy")]
        return f"{''.join(f'pip install {one}; ' for one in packages)}{line} makes an .npy of it"

    return way


def _say(words: str) -> Callable[[Path, bytes], str]:
    return lambda _, __: words


def _ser(path: Path, head: bytes) -> str:
    """The header tells how the frames lie."""
    if len(head) < 178:
        return "its header is cut short"
    color, little, width, height, depth, frames = struct.unpack_from("<6i", head, 18)
    channels = ", 3" if color in (100, 101) else ""
    kind = "u1" if depth <= 8 else "<u2" if little else ">u2"
    shape = f"({frames}, {height}, {width}{channels})"
    return _save(f"np.memmap({{path!r}}, {kind!r}, 'r', 178, {shape})")(path, head)


def _mat(path: Path, head: bytes) -> str:
    """Arrays of the later version are HDF5 with their axes reversed."""
    if b"7.3" in head[:128]:
        made = _save("h5py.File({path!r})['NAME'][:].swapaxes(1, 2)", "h5py")(path, head)
    else:
        made = _save("scipy.io.loadmat({path!r})['NAME'].transpose(2, 0, 1)", "scipy.io")(path, head)
    return f"{made}, where NAME is an array height x width x frames"


_HEADERLESS = _save("np.memmap({path!r}, '<u2', 'r', 0, (FRAMES, HEIGHT, WIDTH))")

KINDS = (
    Foreign("an Andor SIF file", (".sif",), ((0, b"Andor Technology Multi-Channel File"),),
            _save("sif_parser.np_open({path!r})[0]", "sif_parser")),
    Foreign("a SER file (astronomy)", (".ser",), ((0, b"LUCAM-RECORDER"),), _ser),
    Foreign("a PCO picture", (".b16", ".b8", ".pco"), ((0, b"PCO-"),),
            _say("export the recording in pco.camware as TIFF")),
    Foreign("a Hamamatsu HiPic file", (".his", ".img"), (), _say("export it in HiPic or HCImage as TIFF")),
    Foreign("a FLIR thermal sequence", (".sfmov", ".ptw", ".csq", ".ats"), ((0, b"FFF\0"), (0, b"AFF\0")),
            _say("export it in FLIR's software (Research Studio) as TIFF")),
    Foreign("a MATLAB file", (".mat",), ((0, b"MATLAB "),), _mat),
    Foreign("a Zeiss CZI file", (".czi",), ((0, b"ZISRAWFILE"),), _say(_FIJI)),
    Foreign("a Leica LIF file", (".lif",), (), _say(_FIJI)),
    Foreign("a Nikon ND2 file", (".nd2",), ((0, b"\xda\xce\xbe\x0a"),), _save("nd2.imread({path!r})", "nd2")),
    Foreign("a DeltaVision file", (), ((96, b"\xa0\xc0"),), _say(_FIJI)),
    Foreign("an Olympus file", (".oif", ".oib", ".vsi"), (), _say(_FIJI)),
    Foreign("a Zarr store", (".zarr",), (), _save("zarr.open({path!r}, mode='r')[:]", "zarr")),
    Foreign("a FITS file", (".fits", ".fit", ".fts"), ((0, b"SIMPLE  ="),),
            _save("astropy.io.fits.getdata({path!r})", "astropy.io.fits")),
    Foreign("a Princeton SPE file", (".spe",), (), _say("export it in LightField as TIFF")),
    Foreign("a DICOM file", (".dcm",), ((128, b"DICM"),),
            _save("pydicom.dcmread({path!r}).pixel_array", "pydicom")),
    Foreign("a raw file of a cinema camera", (".r3d", ".braw", ".ari"), (),
            _say("export it in the maker's software as TIFF, without any grading")),
    Foreign("a JPEG XL picture", (".jxl",), ((0, b"\xff\x0a"), (0, b"\0\0\0\x0cJXL ")),
            _say("make PNG files of such, by ImageMagick: magick mogrify -format png *.jxl")),
    Foreign("a moving WebP picture", (), ((30, b"ANIM"),),
            _say("make pictures of it, such as by ImageMagick: magick FILE frame_%04d.png")),
    Foreign("an archive", (".zip", ".7z", ".rar", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".zst"),
            ((0, b"7z\xbc\xaf\x27\x1c"), (0, b"Rar!"), (0, b"\x1f\x8b"), (0, b"BZh"), (0, b"\xfd7zXZ")),
            _say("unpack it first")),
    Foreign("a pile of pixels without a header", (".raw", ".bin", ".dat", ".yuv"), (), lambda path, head: (
        _HEADERLESS(path, head) + "; '<u2' stands for 16 bits, 'u1' for 8")),
)  # fmt: skip
