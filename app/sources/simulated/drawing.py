"""Drawing without hidden bias: every shape is integrated over the pixels or band-limited, so that moving it by a
fraction of a pixel moves its centre by exactly that.

Coordinates: x right, y down, pixel centres at integers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from app.sources.simulated.late_scipy import erf, erfc, gaussian_filter

Image = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
SQRT2 = float(np.sqrt(2))
CHUNK = 2048
"""Shapes that are drawn at once: bounds the memory, whatever the number of shapes."""
FEW = 20_000
"""Pixels of patches up to which NumPy adds them: half a millisecond. Only from there on is it worth a tenth of a
second, once a process, to load what is compiled."""


def _chunks(count: int) -> Iterator[slice]:
    return (slice(start, start + CHUNK) for start in range(0, count, CHUNK))


def _scatter(image: Image, tops: Whole, lefts: Whole, patches: Floats) -> None:
    """Add patches (n, h, w), one after the other, each rounded to f32 first; what falls outside is dropped.

    Args:
        image: (height, width) f32, C-contiguous.
        tops, lefts: (n,) the pixel of each patch's corner.
    """
    if patches.size >= FEW:
        # Here, so that few patches need not wait for the compiler.
        from app.sources.simulated.scattering_loops import Patches, scattered
        from kernels.loops.calling import call

        if scattered.native() is not None:
            call(scattered, image, *image.shape, Patches(tops, lefts, patches, *patches.shape), np.empty(1, np.float32))
            return
    (height, width), (_, high, wide) = image.shape, patches.shape
    rows, columns = tops[:, None] + np.arange(high), lefts[:, None] + np.arange(wide)
    inside_y = (rows >= 0) & (rows < height)
    inside_x = (columns >= 0) & (columns < width)
    inside = inside_y[:, :, None] & inside_x[:, None, :]
    # Pixels outside of the picture are added as 0 to one inside, so that indices stay valid.
    flat = np.where(inside_y, rows, 0)[:, :, None] * width + np.where(inside_x, columns, 0)[:, None, :]
    np.add.at(image.reshape(-1), flat.reshape(-1), np.where(inside, patches, 0).astype(np.float32).reshape(-1))


def add_gaussians(
    image: Image, x: Floats, y: Floats, amplitude: Floats | float, sigma: Floats | float,
    sigma_y: Floats | float | None = None,
) -> None:  # fmt: skip
    """Add Gaussian spots, exactly integrated over each pixel, to `image` in place.

    Args:
        image: (height, width) f32, C-contiguous.
        x, y: (n,) centres, px.
        amplitude: peak of the spot before the integration; a scalar or (n,).
        sigma: standard deviation, px; a scalar or (n,).
        sigma_y: along y where that is another one; None for round spots.
    """
    if len(x) == 0:
        return
    sigmas = np.broadcast_to(np.asarray(sigma, float), x.shape)
    high = sigmas if sigma_y is None else np.broadcast_to(np.asarray(sigma_y, float), x.shape)
    reach = int(np.ceil(5 * max(sigmas.max(), high.max()))) + 1
    edges = np.arange(-reach, reach + 2) - 0.5
    # the integral of exp(-u^2 / 2 s^2) over a pixel is s sqrt(pi / 2) times a difference of erf
    factor = np.asarray(amplitude) * (sigmas * high) * (np.pi / 2)
    for part in _chunks(len(x)):
        column, row = np.rint(x[part]).astype(np.int64), np.rint(y[part]).astype(np.int64)
        wide, tall = (SQRT2 * sigmas[part])[:, None], (SQRT2 * high[part])[:, None]
        along_x = np.diff(erf((edges + (column - x[part])[:, None]) / wide))
        along_y = np.diff(erf((edges + (row - y[part])[:, None]) / tall)) * factor[part, None]
        _scatter(image, row - reach, column - reach, along_y[:, :, None] * along_x[:, None, :])


def discs(shape: tuple[int, int], x: Floats, y: Floats, radius: Floats | float, edge: float, weight: float) -> Image:
    """How much of each pixel soft-edged discs cover, 0..1 where they do not overlap.

    The profile is erfc((r - radius) / (edge sqrt 2)) / 2, a disc blurred by a lens of standard deviation `edge`; from
    0.7 px on it is band-limited to 1e-4 of its height and may be sampled at the pixel centres.

    Args:
        shape: (height, width) of the picture.
        x, y: (n,) centres, px.
        radius: px, a scalar or (n,).
        edge: standard deviation of the edge, px.
        weight: of each disc: 1, or 1 / moments when the discs are moments of one exposure.
    """
    cover = np.zeros(shape, np.float32)
    if len(x) == 0:
        return cover
    radii = np.broadcast_to(np.asarray(radius, float), x.shape)
    reach = int(np.ceil(radii.max() + 5 * edge)) + 1
    offsets = np.arange(-reach, reach + 1)
    for part in _chunks(len(x)):
        column, row = np.rint(x[part]).astype(np.int64), np.rint(y[part]).astype(np.int64)
        dx = offsets + (column - x[part])[:, None]
        dy = offsets + (row - y[part])[:, None]
        distance = np.sqrt(dy[:, :, None] ** 2 + dx[:, None, :] ** 2)
        patches = (0.5 * weight) * erfc((distance - radii[part, None, None]) / (SQRT2 * edge))
        _scatter(cover, row - reach, column - reach, patches)
    return cover


def span(length: int, low: float, high: float, edge: float) -> Floats:
    """Profile (length,) of a bar from `low` to `high` px whose two edges are blurred by `edge` px, 0..1."""
    at = np.arange(length)
    return np.asarray(0.5 * (erf((at - low) / (SQRT2 * edge)) - erf((at - high) / (SQRT2 * edge))), float)


def step(distance: Floats, edge: float) -> Floats:
    """Cover from the distance to an outline: 1 well inside (below 0), 0 well outside, blurred by `edge`."""
    return np.asarray(0.5 * erfc(distance / (SQRT2 * edge)), float)


def cloud(shape: tuple[int, int], size: float, rng: np.random.Generator) -> Floats:
    """Smooth noise (height, width) of mean 0 and standard deviation 1 whose grains are about `size` px."""
    field = gaussian_filter(rng.standard_normal(shape), size, mode="reflect")
    field -= field.mean()
    return np.asarray(field / max(float(field.std()), 1e-12), float)


def jittered_grid(
    x0: float, x1: float, y0: float, y1: float, pitch: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Speckle positions: one in each cell of a grid of `pitch` px, anywhere in its cell, so that no hole is left."""
    gx, gy = np.meshgrid(np.arange(x0, x1, pitch), np.arange(y0, y1, pitch))
    x = gx.ravel() + rng.uniform(0, pitch, gx.size)
    y = gy.ravel() + rng.uniform(0, pitch, gy.size)
    return x, y


DIGITS = {
    "0": "111101101101111", "1": "010110010010111", "2": "111001111100111", "3": "111001111001111",
    "4": "101101111001001", "5": "111100111001111", "6": "111100111101111", "7": "111001001001001",
    "8": "111101111101111", "9": "111101111001111",
}  # fmt: skip


def number(text: str, scale: int, edge: float = 0.45) -> Floats:
    """The cover of decimal digits (5 scale, 4 scale len(text)) in a 3 x 5 face, each point `scale` px wide."""
    glyphs = [np.array(list(DIGITS[c]), float).reshape(5, 3) for c in text]
    rows = np.hstack([np.pad(glyph, ((0, 0), (0, 1))) for glyph in glyphs])
    return np.asarray(gaussian_filter(np.kron(rows, np.ones((scale, scale))), edge), float)
