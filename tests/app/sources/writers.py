"""Writes small cine, mraw and video files for the tests, independently of the readers.

Packing goes through Python integers, bit by bit, so that it shares no arithmetic with the code under test.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import av
import numpy as np

from kernels.opencv import cv2

SAMPLES = Path(os.environ.get("FUSETRACK_SAMPLES", Path(__file__).parents[3] / ".." / "shared" / "samples")).resolve()


def picture(height: int, width: int, white: int, seed: int, channels: int = 1) -> Any:
    """Random pixels 0 .. white, u8 or u16."""
    shape = (height, width) if channels == 1 else (height, width, channels)
    dtype = np.uint8 if white < 256 else np.uint16
    return np.random.default_rng(seed).integers(0, white + 1, shape).astype(dtype)


def pack(samples: Any, bits: int) -> bytes:
    """Samples of `bits` bits, most significant bit first, the last byte filled with zeros."""
    text = "".join(format(int(v), f"0{bits}b") for v in np.ravel(samples))
    text += "0" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big") if text else b""


def unpack(data: Any, count: int, bits: int) -> list[int]:
    """The inverse of `pack`, again through text."""
    text = "".join(format(int(b), "08b") for b in np.ravel(data))
    return [int(text[i * bits : (i + 1) * bits], 2) for i in range(count)]


def write_cine(
    path: Path,
    pictures: Sequence[Any],
    *,
    bits: int = 8,
    real_bpp: int | None = None,
    flip_v: bool = False,
    flip_h: bool = False,
    first: int = 0,
    rate: int = 1000,
    stamps: Sequence[tuple[int, int]] | None = None,
    exposures: Sequence[float] = (),
    cfa: int = 0,
    compression: int = 0,
    setup_length: int = 10412,
    annotation: bytes = b"",
    declared: int | None = None,
    trigger: tuple[int, int] = (1_500_000_000, 1 << 31),
    run_on: bool = False,
) -> Path:
    """A cine whose stored pictures are `pictures`, top row first.

    Args:
        bits: 8 or 16 (rows stored bottom-up), 10 or 12 (packed, rows stored top-down), 24 or 48 (blue, green, red).
        stamps: (seconds, fraction / 2**32) a frame, or None for no block of stamps.
        annotation: bytes between the annotation's length and the image's size.
        run_on: packed rows follow each other without starting on whole bytes.
    """
    height, width = pictures[0].shape[:2]
    images = [_cine_image(p, bits, run_on) for p in pictures]
    setup = bytearray(setup_length)
    setup[140:144] = b"ST" + struct.pack("<H", setup_length)

    def put(offset: int, code: str, value: Any) -> None:
        if offset + struct.calcsize(code) <= setup_length:
            struct.pack_into("<" + code, setup, offset, value)

    put(0, "H", min(rate, 65535))
    put(743, "I", 4711)
    put(756, "i", int(flip_h))
    put(760, "i", int(flip_v))
    put(768, "I", rate)
    put(808, "I", cfa)
    put(896, "I", real_bpp or (bits if bits <= 16 else 8))
    put(1568, "I", 25_000)
    put(10128, "11s", b"Phantom Own")
    blocks = b""
    if stamps is not None:
        body = b"".join(struct.pack("<II", fraction, second) for second, fraction in stamps)
        blocks += struct.pack("<IHH", 8 + len(body), 1002, 1) + body
    if exposures:
        body = b"".join(struct.pack("<I", round(e * 2**32)) for e in exposures)
        blocks += struct.pack("<IHH", 8 + len(body), 1003, 1) + body
    at_offsets = 84 + setup_length + len(blocks)
    start = at_offsets + 8 * len(images)
    size = 8 + len(annotation) + len(images[0])
    offsets = [start + i * size for i in range(len(images))]
    head = struct.pack(
        "<2sHHHiIiIIIIII", b"CI", 44, compression, 1, first, len(images), first,
        len(images) if declared is None else declared, 44, 84, at_offsets, trigger[1], trigger[0],
    )  # fmt: skip
    packing = {10: 256, 12: 1024}.get(bits, 0)
    bitmap = struct.pack(
        "<IiiHHIIiiII", 40, width, height, 1, 16 if packing else bits, packing, len(images[0]), 0, 0, 0, 0
    )
    table = struct.pack(f"<{len(offsets)}q", *offsets)
    tail = b"".join(
        struct.pack("<I", 8 + len(annotation)) + annotation + b"\xde\xad\xbe\xef" + image for image in images
    )  # the size in the annotation is garbage on purpose: it is in real files
    path.write_bytes(head + bitmap + bytes(setup) + blocks + table + tail)
    return path


def _cine_image(image: Any, bits: int, run_on: bool) -> bytes:
    if bits in (10, 12):
        return pack(image, bits) if run_on else b"".join(pack(row, bits) for row in image)
    little = image[::-1].astype("<u2" if bits in (16, 48) else "u1")
    if bits >= 24:
        little = little[..., ::-1]
        rows = [row.tobytes() for row in little]
        return b"".join(r + b"\0" * (-len(r) % 4) for r in rows)
    return bytes(little.tobytes())


def mraw_pixels(pictures: Sequence[Any], bits: int) -> bytes:
    """The content of an .mraw: bits a sample 8, 10, 12 or 16."""
    if bits in (10, 12):
        return b"".join(pack(p, bits) for p in pictures)
    return b"".join(p.astype("<u2" if bits == 16 else "u1").tobytes() for p in pictures)


def write_mraw(
    path: Path,
    pictures: Sequence[Any],
    *,
    bits: int = 8,
    header: str = "cih",
    encoding: str = "utf-8",
    comment: str = "",
    drop: Sequence[str] = (),
    **fields: Any,
) -> Path:
    """An .mraw with its header beside it; `path` names the .mraw; `fields` replaces header fields."""
    height, width = pictures[0].shape[:2]
    channels = 1 if pictures[0].ndim == 2 else 3
    values = {
        "width": width, "height": height, "frames": len(pictures), "rate": 1000, "step": 1, "start": 0, "depth": 12,
        "side": "Lower", "bits": bits * channels, "color": "Mono" if channels == 1 else "Color",
        "camera": "FASTCAM Own type 100K-M", "format": "MRaw", **fields,
    }  # fmt: skip
    path.write_bytes(mraw_pixels(pictures, bits))
    text = (cih_text if header == "cih" else cihx_text)(values, comment)
    for word in drop:
        text = "\n".join(line for line in text.splitlines() if word not in line)
    data = text.encode(encoding)
    if header == "cihx":
        data = b"!!! This file can not be edited. !!!" + b"\0" * 60 + b"\nCIHX\n" + data + b"\0\xff\xfe\x80" * 40
    path.with_suffix("." + header).write_bytes(data)
    return path


def cih_text(v: dict[str, Any], comment: str) -> str:
    return "\r\n".join(
        (
            "#Camera Information Header", "Date : 2024/02/29", f"Camera Type : {v['camera']}",
            f"Record Rate(fps) : {v['rate']}", "Shutter Speed(s) : 1/5000", f"Total Frame : {v['frames']}",
            f"Start Frame : {v['start']}", f"Save Step : {v['step']}", f"Image Width : {v['width']}",
            f"Image Height : {v['height']}", f"Color Type : {v['color']}", f"Color Bit : {v['bits']}",
            f"File Format : {v['format']}", f"EffectiveBit Depth : {v['depth']}", f"EffectiveBit Side : {v['side']}",
            f"Comment Text : {comment}", "", "#Saved again", "Save Step : 999", "",
        )
    )  # fmt: skip


def cihx_text(v: dict[str, Any], comment: str) -> str:
    return f"""<?xml version="1.0" encoding="utf-8"?>
<cih>
 <imageFileInfo><fileFormat>{v["format"]}</fileFormat></imageFileInfo>
 <imageDataInfo><resolution>
  <width>{v["width"]}</width>
  <height>{v["height"]}</height>
 </resolution>
 <colorInfo><type>{v["color"]}</type><bit>{v["bits"]}</bit></colorInfo>
 <effectiveBit><depth>{v["depth"]}</depth><side>{v["side"]}</side></effectiveBit></imageDataInfo>
 <frameInfo><totalFrame>{v["frames"]}</totalFrame><startFrame>{v["start"]}</startFrame>
 <skipFrame>{v["step"]}</skipFrame></frameInfo>
 <recordInfo><recordRate>{v["rate"]}</recordRate><shutterSpeedNsec>5000</shutterSpeedNsec></recordInfo>
 <deviceInfo><deviceName>{v["camera"]}</deviceName></deviceInfo>
 <basicInfo><comment>{comment}</comment></basicInfo>
 <playbackInfo><skipFrame>77</skipFrame></playbackInfo>
</cih>"""


SEQ_CODES = {"mono": 100, "bayer": 101, "msb": 112, "swapped": 114, "bgr": 200, "jpeg": 100}


def write_seq(
    path: Path,
    pictures: Sequence[Any],
    *,
    kind: str = "mono",
    version: int = 5,
    bits: int | None = None,
    rate: float = 500.0,
    times_us: Sequence[int] | None = None,
    gap: int = 8,
    **fields: Any,
) -> Path:
    """A NorPix sequence.

    Args:
        kind: of `SEQ_CODES`; "jpeg" writes each picture as a JPEG of best quality.
        times_us: of each frame from 1.5e9 s; None for even ones of `rate`.
        gap: bytes from the end of a JPEG to the next piece, the time included.
        fields: replace those of the header (struct code, offset in `at`).
    """
    first = pictures[0]
    channels, size = (1 if first.ndim == 2 else first.shape[2]), first.dtype.itemsize
    start = 8192 if version >= 5 and kind != "jpeg" else 1024
    step = -(-(first.nbytes + 8) // 512) * 512
    at = {"version": ("<i", 28), "width": ("<I", 548), "height": ("<I", 552), "depth": ("<I", 556),
          "bits": ("<I", 560), "image_bytes": ("<I", 564), "format": ("<I", 568), "frames": ("<I", 572),
          "step": ("<I", 580), "rate": ("<d", 584), "bayer": ("<i", 608), "compression": ("<I", 620),
          "oldest": ("<I", 656)}  # fmt: skip
    values = {"version": version, "width": first.shape[1], "height": first.shape[0], "depth": 8 * size * channels,
              "bits": bits or 8 * size, "image_bytes": first.nbytes, "format": SEQ_CODES[kind],
              "frames": len(pictures), "step": step, "rate": rate, "compression": int(kind == "jpeg"),
              **fields}  # fmt: skip
    head = bytearray(start)
    head[:4] = b"\xed\xfe\0\0"
    head[4:24] = "Norpix seq".encode("utf-16-le")
    struct.pack_into("<i", head, 32, 1024)
    head[36:46] = "a run".encode("utf-16-le")
    for name, value in values.items():
        struct.pack_into(at[name][0], head, at[name][1], value)
    parts = [bytes(head)]
    for k, image in enumerate(pictures):
        us = round(k * 1e6 / rate) if times_us is None else times_us[k]
        ms, us = divmod(us, 1000)
        stamp = struct.pack("<IHH", 1_500_000_000 + ms // 1000, ms % 1000, us if version >= 5 else 0)
        if kind == "jpeg":
            data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 100])[1].tobytes()
            parts.append(struct.pack("<I", len(data) + 4) + data + stamp.ljust(gap, b"\0")[:gap])
        else:
            data = image.astype(">u2" if kind == "swapped" else image.dtype.newbyteorder("<")).tobytes()
            parts.append((data + stamp).ljust(step, b"\0"))
    path.write_bytes(b"".join(parts))
    return path


def write_video(
    path: Path, pictures: Sequence[Any], codec: str, pixel_format: str, *, rate: int = 30, movflags: str = "",
    **options: str,
) -> Path:  # fmt: skip
    """A video by FFmpeg; pictures are gray or RGB, u8 or u16. `movflags` of MP4 and MOV: "faststart" puts the index
    first."""
    with av.open(str(path), "w", options={"movflags": movflags} if movflags else {}) as container:
        stream = container.add_stream(codec, rate=rate, options=options)
        height, width = pictures[0].shape[:2]
        stream.width, stream.height, stream.pix_fmt = width, height, pixel_format
        for image in pictures:
            frame = _video_frame(image, pixel_format)
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode(None):
            container.mux(packet)
    return path


def _video_frame(image: Any, pixel_format: str) -> Any:
    if not pixel_format.startswith("gray"):
        return av.VideoFrame.from_ndarray(image, format="rgb24").reformat(format=pixel_format)
    frame = av.VideoFrame(image.shape[1], image.shape[0], pixel_format)
    plane = frame.planes[0]
    buffer = np.zeros((image.shape[0], plane.line_size), np.uint8)
    rows = image.astype(np.uint8 if pixel_format == "gray" else "<u2").view(np.uint8)
    buffer[:, : rows.shape[1]] = rows
    plane.update(buffer.tobytes())
    return frame


def moving_square(count: int, height: int = 48, width: int = 64, channels: int = 3) -> list[Any]:
    """Smooth RGB or gray pictures with a moving square and their index as eight black or white blocks (`index_in`)."""
    base = np.add.outer(np.arange(height), np.arange(width)).astype(np.float64)
    pictures = []
    for k in range(count):
        image = (base + 3 * k) % 200
        image[8:20, (5 + 2 * k) % (width - 12) :][:, :12] = 250
        for bit in range(8):  # the index itself, readable after any lossy codec
            image[-8:, 8 * bit : 8 * bit + 8] = 255 * (k >> bit & 1)
        gray = image.astype(np.uint8)
        pictures.append(gray if channels == 1 else np.stack([gray, 255 - gray, gray // 2], -1))
    return pictures


def index_in(image: Any) -> int:
    """The index that `moving_square` drew, from the first channel of a decoded picture."""
    plane = image[..., 0] if image.ndim == 3 else image
    return sum(int(plane[-6:-2, 8 * bit + 2 : 8 * bit + 6].mean() > 127) << bit for bit in range(8))
