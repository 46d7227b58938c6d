"""A whole training: from labels to the network and its pipeline; stops when it is asked to, and goes on from there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.labels.labels import Labels
from app.training.keypoints import Error, Lessons, Training, lessons
from app.training.product import write_product
from app.training.recipe import BATCH, Recipe, check, state_of


@dataclass(frozen=True)
class Report:
    """How far a training is.

    Args:
        step, steps: done, and in all.
        epoch: how often each frame was shown, on average.
        error: mean distance in what is held out, px, at the last look; NaN without any.
    """

    step: int
    steps: int
    epoch: float
    error: float

    @property
    def words(self) -> str:
        """One line."""
        known = f", mean error {self.error:.2f} px on frames held out" if math.isfinite(self.error) else ""
        return f"step {self.step} of {self.steps}, epoch {self.epoch:.0f}{known}"


@dataclass(frozen=True)
class Product:
    """What is left.

    Args:
        files: network, pipeline, curve.
        error: of what was held out; held: how many frames these are.
    """

    files: tuple[Path, ...]
    error: Error
    held: int

    @property
    def words(self) -> str:
        """How good it is, one line."""
        if not self.held:
            return "nothing was held out of so few frames, so its error is not known; label 5 or more"
        error = self.error
        return (f"error on {self.held} frames held out: median {error.median:.2f} px, {len(error.distances)} points, "
                f"{error.missed} not found (the labels' own error is in it)")  # fmt: skip


@dataclass(frozen=True)
class Session:
    """A training in hand; `begin` makes one."""

    labels: Labels
    recipe: Recipe
    out: Path
    taught: Lessons
    training: Training

    @staticmethod
    def begin(labels: Labels, recipe: Recipe, out: Path, resume: bool) -> Session:
        """Read the frames; take up the state of a training that was stopped, or forget it.

        Raises:
            InputError: see `check`, `lessons` and `Training`.
        """
        check(recipe, out)
        taught, state = lessons(labels, recipe), state_of(out)
        if not resume:
            state.unlink(missing_ok=True)
        return Session(labels, recipe, out, taught, Training(taught, len(labels.points), recipe, state))

    def run(self, report: Callable[[Report], object]) -> Product:
        """Train to the end and write what is left.

        Args:
            report: called after each step.

        Raises:
            KeyboardInterrupt: as it came; the state is kept.
            InputError: something cannot be written.
        """

        def look(step: int, curve: Sequence[tuple[int, float, float, float]]) -> None:
            report(self._report(step, curve[-1][3] if curve else math.nan))

        try:
            made = self.training.run(look)
        except KeyboardInterrupt:
            self.training.keep(state_of(self.out))
            raise
        files = write_product(made, self.labels, self.taught, self.recipe, self.out)
        state_of(self.out).unlink(missing_ok=True)
        return Product(tuple(files), made.error, len(self.taught.held))

    def _report(self, step: int, error: float) -> Report:
        return Report(step, self.recipe.steps, step * BATCH / len(self.taught.shown),
                      error if self.taught.held else math.nan)  # fmt: skip
