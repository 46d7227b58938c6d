"""How figures look, without matplotlib, so that a command can read its options before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kernels.errors import InputError

SUFFIXES = (".png", ".svg", ".pdf")
SINGLE, DOUBLE = 89 / 25.4, 183 / 25.4
"""Inches of a journal's single and double column (Nature's guide to authors; those of IEEE and Elsevier lie within
3 mm)."""

# Okabe and Ito, Color Universal Design (2008); yellow darkened, because a line of theirs fades on white, and brown in
# place of black, which is the ink.
ON_LIGHT = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8A7A00", "#7A3E1D")
# The same hues, blue and green lightened to be seen on dark ground.
ON_DARK = ("#56B4E9", "#E69F00", "#00BE80", "#CC79A7", "#F0E442", "#EB6E28", "#468CE6", "#B98A5E")


@dataclass(frozen=True, slots=True)
class Look:
    """How a figure looks.

    Args:
        ground, ink: colours behind all, and of letters and of what matters most; "none" for no ground.
        dim, faint: colours of what is beside the point, and of grids and of single curves behind a mean.
        colours: of curves, in order; told apart with colour-blind eyes, too.
        width: of the figure, inches.
        font: of letters, points.
        dpi: pixels an inch of PNG, and of pictures within SVG and PDF.
        line: width of curves, points.
        paper: a caption says what it is, so that it has no title, and its width is that of a column.
        suffix: of files without a chosen name.
    """

    ground: str
    ink: str
    dim: str
    faint: str
    colours: tuple[str, ...]
    width: float = 9.0
    font: float = 10.0
    dpi: int = 200
    line: float = 1.3
    paper: bool = False
    suffix: str = ".png"

    @property
    def narrow(self) -> bool:
        """Whether panels are one below the other: there is no room for two of them side by side."""
        return self.width < 0.6 * DOUBLE

    def height(self, share: float) -> float:
        """Inches of a panel, by its share of the width; a quarter more on a single column, where letters take more."""
        return share * self.width * (1.25 if self.narrow else 1.0)

    def name(self, stem: str) -> str:
        """Of a file without a chosen name."""
        return stem + self.suffix

    def colour(self, number: int) -> str:
        """Of the curve of that number; they begin again when all are used."""
        return self.colours[number % len(self.colours)]

    def dash(self, number: int) -> str:
        """How that curve is broken, so that it is told from the one that has had its colour."""
        return ("-", "--", ":", "-.")[number // len(self.colours) % 4]

    def hatch(self, number: int) -> str:
        """The same of a surface."""
        return ("", "////", "....", "xxxx")[number // len(self.colours) % 4]


LIGHT = Look("#FFFFFF", "#141414", "#5A5A5A", "#D4D4D4", ON_LIGHT)
DARK = Look("#181818", "#F5F5F5", "#A0A0A0", "#3C3C3C", ON_DARK)


def look_of(words: str = "", dark: bool = False) -> Look:
    """What --figure and --dark ask for.

    Args:
        words: joined by commas: "paper" (single column, 8 pt, no ground, no title) or "double" (the same as wide as
            both columns), and the ending of files without a chosen name: "png", "svg" or "pdf".
        dark: light letters on dark ground; of "paper" only the letters.

    >>> look_of("paper,pdf").name("msd"), round(look_of("double").width, 2), look_of(dark=True).ground
    ('msd.pdf', 7.2, '#181818')

    Raises:
        InputError: another word.
    """
    look = DARK if dark else LIGHT
    for word in filter(None, (part.strip().lower() for part in words.split(","))):
        if word in ("paper", "double"):
            width = DOUBLE if word == "double" else SINGLE
            look = replace(look, ground="none", width=width, font=8.0, dpi=600, line=0.9, paper=True)
        elif f".{word}" in SUFFIXES:
            look = replace(look, suffix=f".{word}")
        else:
            raise InputError(f"--figure takes paper, double, png, svg and pdf, joined by commas, not {word!r}")
    return look
