"""Scores in one line, for the reports of runs; apart from figures and tables, which reports do not wait for."""

from __future__ import annotations

from pipelines.evaluation.clear_mot import Scores


def describe(scores: Scores) -> str:
    """One line for people."""
    if not scores.matches:
        return "no track comes near a true position (are these tracks of the things that the truth follows?)"
    return (f"recall {scores.recall:.4f}  precision {scores.precision:.4f}  id switches {scores.id_switches}  "
            f"RMSE {scores.rmse:.4f} px, {scores.rmse_own:.4f} px about each thing's own mean offset  "
            f"(bias x {scores.bias_x:+.4f}, y {scores.bias_y:+.4f} px)")  # fmt: skip
