"""Figures are made and written here alone: by matplotlib's objects, without pyplot, whatever a matplotlibrc says.

matplotlib takes half a second to load, so nothing loads it before a figure is drawn; `load_early` does it in a thread
while something else goes on.
"""

from __future__ import annotations

import functools
import io
import logging
import textwrap
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.files.atomic import write_bytes
from app.plots.loading import load
from app.plots.look import LIGHT, SUFFIXES, Look
from app.plots.png import png
from app.plots.words import literal
from kernels.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_OURS = ("backend", "interactive", "toolbar", "webagg", "tk.", "keymap", "date.epoch", "timezone")
"""Settings that belong to the user's own windows, not to the look of a figure."""
_NO_DATES = {
    ".svg": {"Date": None, "Creator": "fusetrack"},
    ".pdf": {"CreationDate": None, "Creator": "fusetrack"},
}
"""The same figure is the same file, whenever it is written."""


def load_early() -> threading.Thread:
    """Load matplotlib in a thread, for a figure that will be drawn; errors show where it is."""
    thread = threading.Thread(target=load, name="matplotlib", daemon=True)
    thread.start()
    return thread


@contextmanager
def styled(look: Look = LIGHT) -> Iterator[None]:
    """matplotlib's own settings, and those of a look, for axes that are made within."""
    load()
    import matplotlib as mpl

    defaults = {name: value for name, value in mpl.rcParamsDefault.items() if not name.startswith(_OURS)}
    small = look.font - 1.0
    ours: dict[str, Any] = {
        "font.family": "DejaVu Sans", "font.size": look.font, "axes.titlesize": look.font, "axes.titlelocation": "left",
        "axes.labelsize": look.font, "figure.titlesize": look.font + 2.0, "legend.fontsize": small,
        "xtick.labelsize": small, "ytick.labelsize": small,
        "text.color": look.ink, "axes.labelcolor": look.ink, "axes.titlecolor": look.ink, "axes.edgecolor": look.dim,
        "xtick.color": look.dim, "ytick.color": look.dim, "xtick.labelcolor": look.ink, "ytick.labelcolor": look.ink,
        "figure.facecolor": look.ground, "axes.facecolor": "none", "savefig.facecolor": look.ground,
        "axes.grid": True, "axes.axisbelow": True, "grid.color": look.faint, "grid.linewidth": 0.5,
        "axes.linewidth": 0.6, "xtick.major.width": 0.6, "ytick.major.width": 0.6, "xtick.minor.width": 0.4,
        "ytick.minor.width": 0.4, "lines.linewidth": look.line, "lines.markersize": 3.0 * look.line,
        "lines.solid_capstyle": "butt", "legend.frameon": False, "legend.handlelength": 1.5,
        "legend.title_fontsize": small, "axes.formatter.useoffset": False,
        "axes.formatter.use_mathtext": False, "agg.path.chunksize": 20_000,
        # Letters stay letters, so that a drawing program can change them.
        "svg.fonttype": "none", "svg.hashsalt": "fusetrack", "pdf.fonttype": 42,
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # settings of matplotlib's that it calls old
        entered = mpl.rc_context({**defaults, **ours})
        entered.__enter__()
    try:
        yield
    finally:
        entered.__exit__(None, None, None)


def sheet(look: Look, height: float, least: float = 0.0) -> Figure:
    """An empty figure, its panels laid out so that nothing runs over anything else; make its axes within `styled`.

    Args:
        look: how it looks, and how wide it is.
        height: inches (`Look.height`).
        least: inches that it is wide, where it is not for a paper.
    """
    from matplotlib.figure import Figure

    width = look.width if look.paper else max(look.width, least)
    return Figure(figsize=(width, height), dpi=look.dpi, layout="constrained")


@contextmanager
def on(axes: Axes | None, look: Look = LIGHT, share: float = 0.62) -> Iterator[Axes]:
    """The axes to draw on: a reader's as they are, or those of a figure of their own, `share` as high as it is wide."""
    if axes is not None:
        yield axes
        return
    with styled(look):
        yield sheet(look, look.height(share)).add_subplot()


def panel(fill: Callable[[Any, Axes, Look], None]) -> Callable[..., Axes]:
    """Make of a function that draws something into axes one that takes a reader's axes or makes some, and returns
    them: `drawn(something, axes=None, look=LIGHT)`."""

    @functools.wraps(fill)
    def drawn(shown: Any, axes: Axes | None = None, look: Look = LIGHT) -> Axes:
        with on(axes, look) as axes:
            fill(shown, axes, look)
        return axes

    return drawn


def heading(figure: Figure, look: Look, title: str, note: str = "") -> None:
    """A title above all panels, and below it a sentence in lines as long as the figure; a paper has a caption."""
    letters = int(72.0 * figure.get_figwidth() / (0.54 * look.font))
    lines = ([literal(title)] if title else []) + textwrap.wrap(literal(note), letters)
    if lines and not look.paper:
        figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=look.font)


def check_figure(path: Path, option: str = "--plot", more: tuple[str, ...] = ()) -> None:
    """Before anything long begins.

    Raises:
        InputError: the ending is none of a figure's.
    """
    endings = (*SUFFIXES, *more)
    if path.suffix.lower() not in endings:
        raise InputError(f"{option} writes {', '.join(endings[:-1])} or {endings[-1]}, not {path.name!r}")


def draw(path: Path, look: Look, height: float, fill: Callable[[Figure], object], least: float = 0.0) -> None:
    """Make a figure, have it filled and write it.

    Args:
        path: ends with .png, .svg or .pdf.
        look: how it looks.
        height: as of `sheet`.
        fill: draws into the empty figure.
        least: as of `sheet`.

    Raises:
        InputError: another ending, or the file cannot be written.
    """
    with styled(look):
        figure = sheet(look, height, least)
        fill(figure)
        save(figure, path, look)


def save(figure: Figure, path: Path, look: Look = LIGHT) -> None:
    """Write a figure, whole or not at all, as the ending of its name says; the same figure gives the same bytes.

    Raises:
        InputError: another ending, or the file cannot be written.
    """
    check_figure(path, "a figure")
    write_bytes(path, encoded(figure, path.suffix.lower(), look))


def encoded(figure: Figure, suffix: str, look: Look = LIGHT) -> bytes:
    """The bytes of a file of that ending."""
    data, dpi = io.BytesIO(), figure.dpi
    logger = logging.getLogger("matplotlib")
    with styled(look), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # a name in a script that DejaVu lacks: boxes
        level = logger.level
        logger.setLevel(logging.ERROR)
        try:
            _lay_out(figure, look)
            if suffix == ".png":
                figure.set_dpi(look.dpi)
                wide = int(figure.bbox.width)  # as matplotlib counts its pixels
                figure.savefig(data, format="raw", dpi=look.dpi, facecolor=look.ground)
            else:
                figure.savefig(data, format=suffix[1:], dpi=look.dpi, facecolor=look.ground,
                               metadata=_NO_DATES[suffix])  # fmt: skip
        finally:
            figure.set_dpi(dpi)
            logger.setLevel(level)
    if suffix != ".png":
        return data.getvalue()
    return png(np.frombuffer(data.getbuffer(), np.uint8).reshape(-1, wide, 4), look.dpi)


def _lay_out(figure: Figure, look: Look) -> None:
    """Place the panels, at the pixels that will be written; writing would do so by drawing everything once more."""
    engine = figure.get_layout_engine()
    if engine is not None and figure.axes:
        figure.set_dpi(look.dpi)
        engine.execute(figure)
        figure.set_layout_engine(None)
