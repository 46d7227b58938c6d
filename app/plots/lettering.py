"""Words as masks of pixels, in the letters of figures: any alphabet that DejaVu Sans has, µ and umlauts among them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt


@lru_cache(512)
def lettering(words: str, size: int) -> tuple[npt.NDArray[np.uint8], int]:
    """A line of words.

    Args:
        words: without line breaks.
        size: of the letters, px an em.

    Returns:
        How much of each pixel they cover, (height, width), 0 to 255, as small as holds them; and how many of its rows
        lie below the line on which the letters stand.
    """
    import matplotlib
    from matplotlib.ft2font import FT2Font

    font = FT2Font(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans-Bold.ttf"))
    font.set_size(size, 72.0)
    font.set_text(words)
    font.draw_glyphs_to_bitmap(antialiased=True)
    return np.array(font.get_image(), np.uint8), round(font.get_descent() / 64)
