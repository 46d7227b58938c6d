"""What a TIFF stack says about itself: how many frames it should hold, what its pages are, its frame interval.

ImageJ and tifffile write lines and JSON into the first page's description, OME-TIFF an XML text.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from kernels.errors import SourceError

SECONDS = {
    1.0: ("", "s", "sec", "secs", "second", "seconds"),
    1e-3: ("ms", "msec", "msecs", "millisec", "millisecond", "milliseconds"),
    1e-6: ("us", "\u00b5s", "\u03bcs", "\\u00b5s", "usec", "microsec", "microsecond", "microseconds"),
    1e-9: ("ns", "nsec", "nanosecond", "nanoseconds"),
    60.0: ("min", "minute", "minutes"),
    3600.0: ("h", "hr", "hour", "hours"),
}


@dataclass(frozen=True, slots=True)
class Description:
    """What the first page's description says.

    Args:
        about: ImageJ's or tifffile's words by name; of OME only `finterval`. `finterval` counts in seconds.
        pages: pages that the file should have; 0 if it does not say.
        channels, slices, times: of a hyperstack, 1 each if it does not say. Pages that are RGB count once.
    """

    about: dict[str, Any] = field(default_factory=dict)
    pages: int = 0
    channels: int = 1
    slices: int = 1
    times: int = 1

    def check(self, path: Path) -> str:
        """A warning if pages are frames although the file calls them otherwise, else "".

        Raises:
            SourceError: pages of several channels or depths take turns, so that one after the other is no clip.
        """
        many = [f"{n} {word}" for n, word in ((self.channels, "channels"), (self.slices, "slices")) if n > 1]
        if (many and self.times > 1) or len(many) > 1:
            raise SourceError(
                f"{path} holds {' and '.join(many)} of each of {self.times} times, page after page, which are no "
                "frames of one clip; save one of them as a stack (ImageJ: Image > Color > Split Channels, or Image > "
                "Duplicate)"
            )
        return f"the file says that its pages are {many[0]}; they are taken as frames" if self.channels > 1 else ""


def describe(tiff: Any, page: Any) -> Description:
    """Read the description of an open tifffile.TiffFile; an empty one if there is none, or it is damaged.

    Args:
        tiff: the file.
        page: its first frame.
    """
    try:
        pixels = int(page.imagelength) * int(page.imagewidth) * int(page.samplesperpixel)
        first = tiff.pages[0]
        if tiff.is_ome:
            return _of_ome(str(tiff.ome_metadata), int(page.samplesperpixel))
        if tiff.imagej_metadata:
            return _of_imagej(dict(tiff.imagej_metadata))
        texts = (str(text) for text in (first.description, first.description1))
        found = next((text for text in texts if text.startswith("{") and '"shape":' in text), "{}")
        about = json.loads(found)  # tifffile's own
        values = math.prod(int(n) for n in about.get("shape", ()))
        # Of files that were written page by page each page tells its own shape.
        return Description(about, values // pixels if values > pixels and values % pixels == 0 else 0)
    except Exception:  # tifffile lets struct, index and value errors of damaged texts through
        return Description()


def _of_imagej(about: dict[str, Any]) -> Description:
    about["finterval"] = _seconds(about.get("finterval"), about.get("tunit", ""))
    channels, slices, times, pages = (_count(about.get(n)) for n in ("channels", "slices", "frames", "images"))
    return Description(about, pages if "images" in about else 0, channels, slices, times)


def _of_ome(text: str, samples: int) -> Description:
    pixels = next(e for e in ElementTree.fromstring(text).iter() if e.tag.rpartition("}")[2] == "Pixels")
    slices, times = _count(pixels.get("SizeZ")), _count(pixels.get("SizeT"))
    channels = max(1, _count(pixels.get("SizeC")) // samples)
    interval = _seconds(pixels.get("TimeIncrement"), pixels.get("TimeIncrementUnit", "s"))
    # No number of pages: those of one recording may lie in several files.
    return Description({"finterval": interval}, 0, channels, slices, times)


def _count(value: object) -> int:
    try:
        return max(1, int(str(value)))
    except ValueError:
        return 1


def _seconds(value: object, unit: object) -> float | None:
    """An interval in seconds; None if there is none, or its unit is unknown."""
    try:
        interval = float(str(value))
    except ValueError:
        return None
    word = str(unit).strip().lower()
    return next((interval * seconds for seconds, words in SECONDS.items() if word in words), None)
