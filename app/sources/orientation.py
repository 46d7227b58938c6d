"""How a file asks to be shown (EXIF, TIFF): turned, mirrored."""

from __future__ import annotations

_SHOWN = {
    2: "mirrored", 3: "turned by 180 degrees", 4: "mirrored and turned by 180 degrees",
    5: "mirrored and turned by 270 degrees clockwise", 6: "turned by 90 degrees clockwise",
    7: "mirrored and turned by 90 degrees clockwise", 8: "turned by 270 degrees clockwise",
}  # fmt: skip
TAG = 274


def orientation_sentence(value: object) -> str:
    """A warning about the number of the tag Orientation; "" where pictures are shown as they are stored.

    >>> orientation_sentence(6)
    'the file asks to be shown turned by 90 degrees clockwise; frames come as stored'
    """
    shown = _SHOWN.get(value) if isinstance(value, int) else None
    return f"the file asks to be shown {shown}; frames come as stored" if shown else ""
