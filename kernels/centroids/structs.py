"""What the loops that find centres of blobs work on: frames, windows, blobs, and memory."""

from __future__ import annotations

from kernels.loops.language import F64, I64, LANES
from kernels.loops.structs import Struct, struct


@struct
class Windows(Struct):
    """Windows of weights of a width, the same for all blobs."""

    sigma: float  # px, standard deviation of the weights
    radius: int  # px, half of the width that is weighted
    size: int  # columns and rows, with the ring around
    pitch: int  # numbers that a row takes, a multiple of eight
    reach: float  # px within which others' light counts
    fixed: F64  # 1 in a window's columns (a row); in its ring, within the ring (a window each); 0, 1, 2 ... (a row)
    ring: I64  # where in a window the pixels of its ring are
    many: int  # of these pixels
    crowds: F64  # what others near add to sigma (`kernels.centroids.neighbour_crosstalk`)


@struct
class Method(Struct):
    """How rows are made of what a window shows."""

    grain: float  # variance of a pixel at least
    nothing: float  # sigma of what is not found
    lines: int  # centres by radial symmetry where a window is whole: NEVER, ALWAYS or CHOSEN
    shapes: int  # whether mass, peak and second moments are sums over the light where a window is whole


@struct
class Blobs(Struct):
    """All blobs; of arrays of several numbers a blob the first number of all comes first, then the second."""

    frame: I64  # of each; rises
    near: I64  # its neighbours; the first is -1 where a blob is alone
    start: F64  # px, where it begins: x, y
    state: F64  # x, y, amplitude, width, background and its variance, NOISES
    seen: F64  # x, y, amplitude, width, as its neighbours know it
    count: int
    middle: F64  # px, the middle of its window, x and y side by side
    shift: F64  # px, its last move that others have to know of
    moved: F64  # px, its last move
    due: I64  # 1: it is to be looked at; 2: at an edge
    rows: F64  # of FEATURE


@struct
class Starts(Struct):
    """Where blobs begin, and what becomes of them."""

    frame: I64  # of each; rises
    count: int
    start: F64  # px, x of all, then y
    together: int  # whether those of a frame tell the noise of pixels together (`pooled_noise_loops`)
    rows: F64  # of FEATURE


@struct
class Window(Struct):
    """The window of one blob."""

    left: int  # px, where its first pixel is in the picture
    top: int
    size: int  # columns and rows
    pitch: int  # numbers that a row takes, a multiple of eight
    inner: F64  # 1 in its columns, 0 in what pads its rows
    ring: F64  # 1 in its ring
    core: F64  # 1 within the ring
    iota: F64  # 0, 1, 2 ...
    values: F64  # light; 0 where there is no pixel
    there: F64  # 1 where there is one, 0 elsewhere
    clear: F64  # light above the ground
    mask: F64  # room for a window
    work: F64  # 17 rows and 512 numbers
    out: F64  # results: 64 numbers


@struct
class Gaussian(Struct):
    """The model of a blob: background + height exp(-r^2 / (2 width^2))."""

    x: float  # px
    y: float
    height: float  # light
    width: float  # px
    background: float


@struct
class Crowd(Struct):
    """Those of the blobs that have neighbours, colour after colour: none has a neighbour of its own colour."""

    blobs: Blobs  # all, those without neighbours too
    order: I64  # the numbers of those that have
    place: I64  # of each blob, where it is in the order
    count: int
    words: int  # that hold a bit of each
    awake: I64  # bits of those to be asked, whose turn it is, and whose it was
    before: F64  # px, of each blob its move before and what came of it
    most: int  # neighbours of each


@struct
class Vectors(Struct):
    """Memory of as many blobs as a vector has lanes."""

    ids: I64  # their numbers
    places: I64  # of the first pixels of their windows
    values: LANES  # their windows
    lane: LANES  # what is known of each
    work: LANES
    waiting: LANES  # what is known of those that wait for another look
    who: I64  # their numbers
    room: F64  # for a blob by itself (`centroid_scalar.visit`)


@struct
class Neighbours(Struct):
    """Blobs whose light lies in others' windows."""

    near: I64  # `most` neighbours of each blob, -1 where there are no more
    most: int
    ids: I64  # the blobs of the lanes
    x: F64  # px, of all
    y: F64
    amplitude: F64
    spread: F64  # px


@struct
class Memory(Struct):
    """Memory of a root of loops, of which a function beside it says how much there has to be."""

    whole: I64
    floats: F64
    vectors: LANES
