"""Small clips of every format that is read, with their frames: what `test_conformance` goes by.

A format of `app.sources.formats.FORMATS` has some in `MAKERS`, under the module that reads it; each function
writes one clip into an empty folder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tifffile

from app.files.optional import need
from app.sessions.layout import Picture
from kernels.opencv import cv2
from tests.app.sessions.made import pixels, write
from tests.app.sources.test_avi_gray import write_avi
from tests.app.sources.writers import moving_square, picture, write_cine, write_mraw, write_seq, write_video

COUNT, HEIGHT, WIDTH = 7, 48, 64


@dataclass(frozen=True)
class Made:
    """A clip that was written.

    Args:
        path: what is opened.
        data: the file that holds pixels, to be damaged; of a sequence the one in the middle.
        frames: as they must come back.
        off: gray values by which lossy ones may be off, on average.
    """

    path: Path
    data: Path
    frames: list[Any]
    off: int = 0


def alone(path: Path, frames: Any, off: int = 0) -> Made:
    """A clip in one file."""
    return Made(path, path, list(frames), off)


def noise(white: int = 255, channels: int = 1) -> list[Any]:
    return [picture(HEIGHT, WIDTH, white, k, channels) for k in range(COUNT)]


def smooth() -> list[Any]:
    return moving_square(COUNT, HEIGHT, WIDTH)


def cine(folder: Path) -> Made:
    frames = noise(4095)
    stamps = [(1_500_000_000, k << 22) for k in range(COUNT)]
    path = write_cine(
        folder / "a.cine", frames, bits=16, real_bpp=12, rate=1024, stamps=stamps, trigger=(1_500_000_000, 0)
    )
    return alone(path, frames)


def mraw(folder: Path) -> Made:
    frames = noise(65535)
    path = write_mraw(folder / "a.mraw", frames, bits=16, depth=16)
    return Made(path.with_suffix(".cih"), path, frames)


def mraw_header(folder: Path) -> Made:
    frames = noise()
    path = write_mraw(folder / "a.mraw", frames)
    return Made(path, path.with_suffix(".cih"), frames)


def seq(folder: Path) -> Made:
    frames = noise(1023)
    return alone(write_seq(folder / "a.seq", frames, bits=10), frames)


def seq_jpeg(folder: Path) -> Made:
    frames = moving_square(COUNT, HEIGHT, WIDTH, channels=1)
    return alone(write_seq(folder / "a.seq", frames, kind="jpeg"), frames, 2)


def tiff(folder: Path) -> Made:
    frames = noise(65535)
    tifffile.imwrite(folder / "a.tif", np.stack(frames), photometric="minisblack", metadata=None)
    return alone(folder / "a.tif", frames)


def tiff_packed(folder: Path) -> Made:
    frames = smooth()
    tifffile.imwrite(folder / "a.tif", np.stack(frames), photometric="rgb", compression="lzw", metadata=None)
    return alone(folder / "a.tif", frames)


def npy(folder: Path) -> Made:
    frames = noise()
    np.save(folder / "a.npy", np.stack(frames))
    return alone(folder / "a.npy", frames)


def npz(folder: Path) -> Made:
    frames = noise()
    np.savez(folder / "a.npz", clip=np.stack(frames), fps=500.0)
    return alone(folder / "a.npz", frames)


def npz_packed(folder: Path) -> Made:
    frames = noise()
    np.savez_compressed(folder / "a.npz", clip=np.stack(frames), fps=500.0)
    return alone(folder / "a.npz", frames)


def hdf5(folder: Path) -> Made:
    frames = noise()
    with need("h5py", "HDF5", "hdf5").File(folder / "a.h5", "w") as file:
        file["run/clip"] = np.stack(frames)
        file["run"].attrs["fps"] = 500.0
    return alone(folder / "a.h5", frames)


def hdf5_chunks(folder: Path) -> Made:
    frames = noise(65535)
    with need("h5py", "HDF5", "hdf5").File(folder / "a.h5", "w") as file:
        file.create_dataset("clip", data=np.stack(frames), chunks=(2, 16, 64), compression="gzip", fletcher32=True)
        file["time"] = np.arange(COUNT) / 500
    return alone(folder / "a.h5", frames)


def session(folder: Path) -> Made:
    form = Picture(WIDTH, HEIGHT, "u8", HEIGHT, WIDTH, 1, 8)
    write(folder / "a.mcap", range(COUNT), form)
    return alone(folder / "a.mcap", [pixels(form, k) for k in range(COUNT)])


def video(folder: Path) -> Made:
    frames = smooth()
    return alone(write_video(folder / "a.mkv", frames, "ffv1", "bgr0"), frames)


def video_h264(folder: Path) -> Made:
    frames = smooth()
    return alone(write_video(folder / "a.mp4", frames, "libx264", "yuv420p"), frames, 30)


def video_mjpeg(folder: Path) -> Made:
    frames = smooth()
    return alone(write_video(folder / "a.avi", frames, "mjpeg", "yuvj420p"), frames, 30)


def gray_avi(folder: Path) -> Made:
    frames = noise(65535)
    return alone(write_avi(folder / "a.avi", frames, b"Y16 "), frames)


def images(folder: Path) -> Made:
    frames, files = noise(), [folder / f"a_{k:03d}.png" for k in range(COUNT)]
    for image, file in zip(frames, files, strict=True):
        assert cv2.imwrite(str(file), image)
    return Made(files[0], files[COUNT // 2], frames)


def images_tiff(folder: Path) -> Made:
    frames, files = noise(65535), [folder / f"a_{k:03d}.tif" for k in range(COUNT)]
    for image, file in zip(frames, files, strict=True):
        tifffile.imwrite(file, image, compression="zlib", metadata=None)
    return Made(folder, files[COUNT // 2], frames)


MAKERS: dict[str, tuple[Callable[[Path], Made], ...]] = {
    "cine": (cine,), "mraw": (mraw, mraw_header), "seq": (seq, seq_jpeg), "tiff": (tiff, tiff_packed), "array": (npy,),
    "npz": (npz, npz_packed), "hdf5": (hdf5, hdf5_chunks), "session": (session,),
    "avi_gray": (gray_avi,), "video": (video, video_h264, video_mjpeg), "images": (images, images_tiff),
}  # fmt: skip
