"""Trains a small network that finds key points, from frames that somebody has labelled.

The network takes a gray picture, at most some hundred pixels wide, and makes a heat map of half its size for each
point: a Gaussian of WIDTH px where the point is, nothing where it is not. It is an encoder and decoder (Ronneberger et
al., U-Net, 2015) of depthwise separable residual blocks; what it sees of a picture for one point is some 130 px wide.

Its loss has two parts: the quality focal loss of every pixel (Li et al., Generalized focal loss, NeurIPS 2020), and
how far the centroid of each peak, as `heatmap_peaks` takes it (method "integral"), lies from the label: Huber's loss,
which is quadratic up to a pixel of the map (Robust estimation of a location parameter, 1964). So small are the errors
of hands, whose mean is sought; absolute values would lead to their median, which scatters more. Pictures are turned,
scaled, moved, and changed in brightness and contrast, blurred and given noise, anew in each step.

What is judged and left are running means of the weights, over JUDGED steps (Polyak & Juditsky, Acceleration of
stochastic approximation by averaging, 1992): each step by itself follows the errors of the few labels that it saw.

A share of the frames is held out: the errors there say what to expect of other frames of such clips, and the means
with the least of them are kept. All is drawn from one seed and the number of the step, so a training that was stopped
goes on as if it had not been.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.bundle import replacing_all
from app.labels.frames import PlainFrames, check_index
from app.labels.labels import LabelledFrame, Labels
from app.sources.opening import open_source
from app.training.architecture import IMAGE, Architecture, Layer, torch_module
from app.training.recipe import BATCH, FEWEST, Recipe
from kernels.decoders.heatmaps import heatmap_peaks
from kernels.errors import BadFrame, InputError
from kernels.ir.placement import placements
from kernels.plugins import find_stage

Array = npt.NDArray[Any]

STRIDE = 2
"""Pixels of the network's picture that a pixel of a heat map covers."""
GRAIN = 16
"""The network's picture is as many whole GRAIN high and wide: its innermost maps are so much smaller."""
WIDTH = 1.5
"""Standard deviation of a peak, pixels of the heat map."""
WINDOW = 4
"""Half of the width of the window of a peak's centroid, pixels of the heat map: more than 2.5 WIDTH."""
RATE, WARM_UP = 2e-3, 50
PLACES = 20.0
"""Weight of the places, in pixels of the heat map, against the heat map's loss of a point."""
JUDGED = 100
"""Steps between two looks at what is held out."""
HELD = 5
"""One of so many frames is held out."""
KEPT = 30.0
"""Seconds after which the state of a training is kept again."""


def architecture(points: int) -> Architecture:
    """The network of so many points."""
    found = [Layer("stem", IMAGE, (16, 1, 3, 3), stride=2, relu=True)]

    def blocks(name: str, channels: int, count: int) -> None:
        for k in range(count):
            before = found[-1].name
            found.append(Layer(f"{name}.depth{k}", before, (channels, 1, 3, 3)))
            mix = channels, channels, 1, 1
            found.append(Layer(f"{name}.point{k}", f"{name}.depth{k}", mix, adds=before, relu=True))

    def smaller(name: str, taken: int, made: int, count: int) -> str:
        found.append(Layer(f"{name}.narrow", found[-1].name, (taken, 1, 3, 3), stride=2))
        found.append(Layer(f"{name}.widen", f"{name}.narrow", (made, taken, 1, 1), relu=True))
        blocks(name, made, count)
        return found[-1].name

    def larger(name: str, taken: int, made: int, skip: str) -> None:
        found.append(Layer(f"{name}.grow", found[-1].name, (made, taken, 1, 1), adds=skip, relu=True, up=True))
        blocks(name, made, 1)

    quarter = smaller("quarter", 16, 32, 1)
    eighth = smaller("eighth", 32, 48, 2)
    smaller("sixteenth", 48, 64, 3)
    larger("eighth.up", 64, 48, eighth)
    larger("quarter.up", 48, 32, quarter)
    found.append(Layer("phases", found[-1].name, (4 * points, 32, 1, 1)))
    return Architecture(tuple(found), 2)


@dataclass(frozen=True)
class Lesson:
    """A labelled frame as the network is taught with it.

    Args:
        pixels: (height, width) gray, f32, fractions of full scale.
        points: (animals, points, 2), px of the frame.
        fit: px of the frame a pixel of the network's picture covers.
    """

    pixels: Array
    points: Array
    fit: float


@dataclass(frozen=True)
class Lessons:
    """All of them.

    Args:
        height, width: of the network's picture.
        mean, deviation: of the frames' pixels.
        shown, held: what is learnt from, and what is held out.
        animals: of a frame, at most.
    """

    height: int
    width: int
    mean: float
    deviation: float
    shown: Sequence[Lesson]
    held: Sequence[Lesson]
    animals: int


def lessons(labels: Labels, recipe: Recipe) -> Lessons:
    """The labelled frames, read.

    Raises:
        InputError: too few of them, a clip that cannot be read, or a point beside its picture.
    """
    if len(labels.frames) < FEWEST:
        raise InputError(f"{len(labels.frames)} labelled frames are too few to learn from; label {FEWEST} or more, "
                         "better 20 that look different")  # fmt: skip
    pictures = _read(labels.frames)
    tall, broad = max(p.shape[0] for p in pictures), max(p.shape[1] for p in pictures)
    factor = min(1.0, recipe.size / max(tall, broad))
    height, width = (GRAIN * math.ceil(factor * length / GRAIN) for length in (tall, broad))
    made = []
    for frame, pixels in zip(labels.frames, pictures, strict=True):
        rows, columns = pixels.shape
        beside = (frame.points < -0.5) | (frame.points > np.array([columns, rows]) - 0.5)
        if beside.any():
            raise InputError(f"frame {frame.index} of {frame.source}, {columns}x{rows}, has a label beside the picture")
        made.append(Lesson(pixels, frame.points, max(rows / height, columns / width)))
    order = np.random.default_rng([recipe.seed, 0]).permutation(len(made))
    held = order[: len(made) // HELD]
    all_of_them = np.concatenate([p.ravel() for p in pictures])
    shown, apart = ([made[k] for k in np.sort(part)] for part in (order[len(held) :], held))
    mean, deviation = float(all_of_them.mean()), float(all_of_them.std()) or 1.0
    return Lessons(height, width, mean, deviation, shown, apart, labels.animals)


def _read(frames: Sequence[LabelledFrame]) -> list[Array]:
    """The frames in gray, fractions of full scale."""
    found: dict[int, Array] = {}
    for name, turn in dict.fromkeys((frame.source, frame.turn) for frame in frames):
        with closing(open_source(name, turn=turn)) as source:
            plain = PlainFrames(source, gray=True)
            for k, frame in sorted(enumerate(frames), key=lambda one: one[1].index):
                if (frame.source, frame.turn) == (name, turn):
                    check_index(frame.index, source.info.frames, name)
                    try:
                        found[k] = plain.fractions(frame.index)
                    except BadFrame as error:
                        raise InputError(f"frame {frame.index} of {name} cannot be read: {error}") from None
    return [found[k] for k in range(len(frames))]


@dataclass
class Error:
    """How far the network's points are from labels that it has not seen.

    Args:
        distances: of each labelled point that was found, px of its frame.
        missed: labelled points that were not found.
    """

    distances: Array = field(default_factory=lambda: np.zeros(0))
    missed: int = 0

    @property
    def median(self) -> float:
        """px; NaN without any."""
        return float(np.median(self.distances)) if len(self.distances) else math.nan

    @property
    def cost(self) -> float:
        """What training makes small: the mean distance, none worse than 20 px, which a missed point costs."""
        worst = 20.0
        every = np.concatenate((np.minimum(self.distances, worst), np.full(self.missed, worst)))
        return float(every.mean()) if len(every) else math.inf


@contextmanager
def _without_denormals(torch: Any) -> Iterator[None]:
    """Tiny numbers are 0 in this thread: most of a heat map is next to nothing, and such numbers are slow. Only while
    weights are learnt: what else the thread computes, this training's own judgement too, has the reference's bits."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


@dataclass(frozen=True)
class Trained:
    """What came out.

    Args:
        weights: with the least error, by name.
        error: on what was held out.
        steps: after so many steps.
        curve: (step, loss of the heat maps, of the places, mean error of what is held out in px) of each look.
    """

    weights: dict[str, Array]
    error: Error
    steps: int
    curve: Sequence[tuple[int, float, float, float]]


class Training:
    """A training that can be stopped and goes on.

    Args:
        taught: the frames.
        points: how many points there are.
        recipe: how.
        kept: where its state is kept; None for nowhere.

    Raises:
        InputError: torch is missing, or the state is of another training.
    """

    def __init__(self, taught: Lessons, points: int, recipe: Recipe, kept: Path | None = None) -> None:
        self.torch = torch_module()
        self.taught, self.points, self.recipe, self.kept = taught, points, recipe, kept
        self.network = architecture(points)
        self.torch.set_num_threads(1)  # more wait for one another most of the time, with so small layers
        drawn = self.network.drawn(recipe.seed)
        self.weights = {name: self.torch.from_numpy(array).requires_grad_() for name, array in drawn.items()}
        self.optimizer = self.torch.optim.AdamW(list(self.weights.values()), lr=RATE, weight_decay=1e-4)
        self.means = {name: tensor.detach().clone() for name, tensor in self.weights.items()}
        self.step = 0
        self.best = Trained(drawn, Error(), 0, ())
        self.curve: list[tuple[int, float, float, float]] = []
        self._pictures = [self.torch.from_numpy(one.pixels)[None, None] for one in taught.shown]
        if kept is not None and kept.exists():
            self._resume(kept)

    def run(self, report: Callable[[int, Sequence[tuple[int, float, float, float]]], None]) -> Trained:
        """Train to the end.

        Args:
            report: called after each step with its number and the curve.
        """
        sums, since = np.zeros(2), time.monotonic()
        while self.step < self.recipe.steps:
            sums += self._learn()
            self.step += 1
            if self.step % JUDGED == 0 or self.step == self.recipe.steps:
                error = self.judged()
                self.curve.append((self.step, *(sums / JUDGED).tolist(), error.cost))
                sums[:] = 0
                if error.cost <= self.best.error.cost or not len(self.taught.held):
                    now = {name: tensor.numpy().copy() for name, tensor in self.means.items()}
                    self.best = Trained(now, error, self.step, ())
            report(self.step, self.curve)
            if self.kept is not None and self.step % JUDGED == 0 and time.monotonic() - since > KEPT:
                self.keep(self.kept)
                since = time.monotonic()
        return Trained(self.best.weights, self.best.error, self.best.steps, tuple(self.curve))

    def _learn(self) -> Array:
        """One step; the two parts of its loss."""
        torch, recipe = self.torch, self.recipe
        rng = np.random.default_rng([recipe.seed, 1, self.step])
        pictures, places = self._batch(rng)
        for group in self.optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (self.step + 1) / WARM_UP) * (
                0.5 + 0.5 * math.cos(math.pi * self.step / recipe.steps)) + 1e-5  # fmt: skip
        heat, points = self._wanted(places)
        with _without_denormals(torch):
            logits = self.network.forward(torch, self.weights, pictures)
            pixels, places_lost = _loss(torch, logits, torch.from_numpy(heat), torch.from_numpy(points))
            self.optimizer.zero_grad()
            (pixels + PLACES * places_lost).backward()
            torch.nn.utils.clip_grad_norm_(list(self.weights.values()), 1.0)
            self.optimizer.step()
            share = max(1 / JUDGED, 10 / (self.step + 10))  # over a tenth of the steps so far, at first
            for name, tensor in self.weights.items():
                self.means[name].lerp_(tensor.detach(), share)
        return np.array([pixels.item(), places_lost.item()])

    def _batch(self, rng: np.random.Generator) -> tuple[Any, list[Array]]:
        """Pictures as the network takes them, and where the points are in each (animals, points, 2), px of it."""
        torch, taught = self.torch, self.taught
        made, places = [], []
        middle_of_all = _middle((taught.height, taught.width))
        for k in rng.integers(0, len(taught.shown), BATCH).tolist():
            lesson = taught.shown[k]
            angle, factor = math.radians(rng.normal(0, self.recipe.turn)), math.exp(rng.normal(0, self.recipe.zoom))
            shift = rng.uniform(-0.1, 0.1, 2) * (taught.width, taught.height)
            turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
            picture = _fitted(torch, self._pictures[k], lesson, taught, turn * factor, shift)
            gain, offset = math.exp(rng.normal(0, 0.25)), rng.normal(0, 0.1)
            middle = float(picture.mean())
            picture = (picture - middle) * gain + middle + offset
            if rng.random() < 0.3:
                picture = torch.nn.functional.avg_pool2d(picture, 3, 1, 1, count_include_pad=False)
            noise = rng.standard_normal((1, 1, taught.height, taught.width), np.float32)
            made.append(picture + torch.from_numpy(noise * np.float32(rng.uniform(0, 0.04))))
            away = lesson.points - _middle(lesson.pixels.shape)
            places.append((away / lesson.fit - shift) @ np.linalg.inv(turn * factor).T + middle_of_all)
        return (torch.cat(made)[:, 0] - taught.mean) / taught.deviation, places

    def _wanted(self, places: Sequence[Array]) -> tuple[Array, Array]:
        """Heat maps (n, points, height, width), and picture, channel, x, y in pixels of the map of each point whose
        window is whole."""
        height, width = self.taught.height // STRIDE, self.taught.width // STRIDE
        heat = np.zeros((len(places), self.points, height, width), np.float32)
        rows, columns = np.arange(height, dtype=np.float32), np.arange(width, dtype=np.float32)
        found = []
        for n, animals in enumerate(places):
            for animal in (animals + 0.5) / STRIDE - 0.5:
                for c, (x, y) in enumerate(animal.tolist()):
                    if math.isfinite(x):
                        bell = np.exp(-((rows - y) ** 2) / (2 * WIDTH**2))[:, None] * np.exp(
                            -((columns - x) ** 2) / (2 * WIDTH**2))  # fmt: skip
                        np.maximum(heat[n, c], bell, out=heat[n, c])
                        if WINDOW <= round(x) < width - WINDOW and WINDOW <= round(y) < height - WINDOW:
                            found.append((n, c, x, y))
        return heat, np.array(found, np.float32).reshape(-1, 4)

    def judged(self) -> Error:
        """The error of what is held out, with the weights' means."""
        return judge(self.network, self.means, self.taught, self.taught.held)

    def keep(self, path: Path) -> None:
        """Write the state; raises InputError where it cannot be written."""
        state = {f"weights/{name}": tensor.detach().numpy() for name, tensor in self.weights.items()}
        for name, tensor in self.weights.items():
            moments = self.optimizer.state.get(tensor, {})
            for key in ("exp_avg", "exp_avg_sq"):
                if key in moments:
                    state[f"{key}/{name}"] = moments[key].numpy()
        state |= {f"means/{name}": tensor.numpy() for name, tensor in self.means.items()}
        state |= {f"best/{name}": array for name, array in self.best.weights.items()}
        numbers = np.array([self.step, self.best.steps, self.best.error.missed, *self._recipe()], float)
        with replacing_all(path) as (temporary,), temporary.open("wb") as file:
            np.savez(file, numbers=numbers, curve=np.array(self.curve, float).reshape(-1, 4),
                     distances=self.best.error.distances, **state)  # fmt: skip

    def _recipe(self) -> tuple[float, ...]:
        r = self.recipe
        return (r.size, r.steps, r.seed, r.turn, r.zoom, self.points, len(self.taught.shown), len(self.taught.held),
                self.taught.mean)  # fmt: skip

    def _resume(self, path: Path) -> None:
        try:
            with np.load(path, allow_pickle=False) as file:
                state = {name: file[name] for name in file.files}
            numbers = state["numbers"].tolist()
            if numbers[3:] != [float(value) for value in self._recipe()]:
                raise InputError(f"{path} is of a training with other labels or settings; remove it to begin anew")
            for name, tensor in self.weights.items():
                tensor.data = self.torch.from_numpy(state[f"weights/{name}"])
                self.means[name] = self.torch.from_numpy(state[f"means/{name}"])
                self.optimizer.state[tensor] = {
                    "step": self.torch.tensor(float(numbers[0])),
                    **{key: self.torch.from_numpy(state[f"{key}/{name}"]) for key in ("exp_avg", "exp_avg_sq")},
                }
            best = {name: state[f"best/{name}"] for name in self.weights}
        except InputError:
            raise
        except Exception as error:  # zipfile and NumPy raise anything
            what = " ".join(str(error).split())[:80]
            raise InputError(f"{path} is no state of a training ({what}); remove it to begin anew") from None
        self.step = int(numbers[0])
        self.best = Trained(best, Error(state["distances"], int(numbers[2])), int(numbers[1]), ())
        self.curve = [(int(row[0]), *row[1:]) for row in state["curve"].tolist()]


def judge(network: Architecture, weights: Any, taught: Lessons, frames: Sequence[Lesson]) -> Error:
    """The error of a network on frames: each label's distance to the nearest peak that no other label has.

    Args:
        network: its layers.
        weights: tensors by name.
        taught: says how pictures are brought to the network's size.
        frames: with labels.
    """
    torch = torch_module()
    distances, missed = [], 0
    still = np.eye(2), np.zeros(2)
    for lesson in frames:
        with torch.no_grad():
            picture = _fitted(torch, torch.from_numpy(lesson.pixels)[None, None], lesson, taught, *still)
            heat = network.forward(torch, weights, (picture[:, 0] - taught.mean) / taught.deviation).sigmoid()
        maps = heat.numpy().transpose(0, 2, 3, 1)
        rows = peaks_of(maps, taught.animals)
        found = np.stack((rows["x"], rows["y"]), axis=1)
        found = (found - _middle((taught.height, taught.width))) * lesson.fit + _middle(lesson.pixels.shape)
        for c in range(lesson.points.shape[1]):
            places = lesson.points[:, c][np.isfinite(lesson.points[:, c, 0])]
            there = found[rows["point"] == c]
            apart = np.hypot(*(places[:, None] - there[None]).transpose(2, 0, 1))
            for _ in range(min(apart.shape)):
                a, b = np.unravel_index(apart.argmin(), apart.shape)
                distances.append(float(apart[a, b]))
                apart[a], apart[:, b] = np.inf, np.inf
            missed += max(len(places) - len(there), 0)
    return Error(np.array(distances), missed)


def peaks_of(maps: Array, animals: int) -> Any:
    """The peaks of a picture's heat maps (1, height, width, points), as the product's pipeline finds them: rows of
    KEYPOINT, px of the network's picture."""
    usual = {param.name: param.default for param in find_stage("heatmap_peaks").params}
    how = usual | peaks(animals) | {"stride": float(STRIDE)}
    return heatmap_peaks(maps, None, placements(None, 1), how)[1][0].rows


def peaks(animals: int) -> dict[str, Any]:
    """Parameters of the stage that finds the points in the heat maps, where they are not the usual ones."""
    return {"method": "integral", "threshold": 0.2, "instances": animals, "separation": 3.0, "window": WINDOW,
            "offset_scale": 1.0, "stride": 0.0, "pixels": "half"}  # fmt: skip


def _middle(shape: Sequence[int]) -> Array:
    """x, y of the middle of a picture (height, width)."""
    return np.array([shape[1] - 1, shape[0] - 1]) / 2


def _fitted(torch: Any, picture: Any, lesson: Lesson, taught: Lessons, turn: Array, shift: Array) -> Any:
    """A frame (1, 1, h, w) as stage `network` gives it to the network (letterbox): between pixels, zeros beside it.

    Args:
        turn: (2, 2) from pixels of the network's picture around its middle to such of a picture that is not turned.
        shift: added to that, px.
    """
    rows, columns = lesson.pixels.shape
    # torch counts a picture from -1 at its left edge to 1 at its right one
    own, made = np.array([columns, rows]) / 2, np.array([taught.width, taught.height]) / 2
    matrix = lesson.fit * turn * made / own[:, None]
    theta = np.concatenate([matrix, (lesson.fit * shift / own)[:, None]], axis=1)
    size = (1, 1, taught.height, taught.width)
    affine = torch.from_numpy(theta.astype(np.float32))[None]
    grid = torch.nn.functional.affine_grid(affine, size, align_corners=False)
    inside = (grid.abs() <= 1).all(dim=3)[:, None]
    return torch.nn.functional.grid_sample(picture, grid, "bilinear", "border", align_corners=False) * inside


def _loss(torch: Any, logits: Any, heat: Any, points: Any) -> tuple[Any, Any]:
    """The heat maps' loss a point, and that of the places (Huber's), pixels of the map."""
    made = logits.sigmoid()
    entropy = torch.nn.functional.binary_cross_entropy_with_logits(logits, heat, reduction="none")
    pixels = ((1 + 4 * (heat > 0.02)) * (made - heat) ** 2 * entropy).sum() / max(len(points), 1)
    if not len(points):
        return pixels, pixels * 0
    offsets = torch.arange(-WINDOW, WINDOW + 1)
    columns, rows = (points[:, k].round().long()[:, None] + offsets for k in (2, 3))
    which, channel = (points[:, k].long()[:, None, None] for k in (0, 1))
    peak = made[which, channel, rows[:, :, None], columns[:, None, :]]
    mass = peak.sum((1, 2)) + 1e-3
    dx, dy = columns - points[:, 2:3], rows - points[:, 3:4]
    error = torch.cat([(peak * away).sum((1, 2)) / mass for away in (dx[:, None, :], dy[:, :, None])])
    return pixels, torch.nn.functional.smooth_l1_loss(error, torch.zeros_like(error))
