"""Offers a clip the pipeline of the one before, and a session the changes that were made of its own."""

from __future__ import annotations

from html import escape

from app.desk.services.clip_pipelines import ClipPipelines
from app.gui.strips import Strip, Strips

OFFER = "pipeline of before"
"""The strip's name."""


class OtherPipeline:
    """See the module.

    Args:
        strips: of the window.
        pipelines: of the clips.
    """

    def __init__(self, strips: Strips, pipelines: ClipPipelines) -> None:
        self._strips, self._pipelines = strips, pipelines
        pipelines.on(self._changed)

    def _changed(self) -> None:
        offered = self._pipelines.offered
        self._strips.remove(OFFER)
        if offered is None:
            return
        name, whose = escape(offered.pipeline.name), escape(self._pipelines.whose)
        changed = " as changed there" if offered.unsaved else ""
        self._strips.put(OFFER, Strip(
            f"Go on with <b>{name}</b>{changed}, the pipeline of {whose}?",
            buttons=((f"Use {offered.pipeline.name}", self._pipelines.take),), closed=self._pipelines.leave,
            tip="A clip keeps its own pipeline and settings; those of another one come only if you want them",
        ))  # fmt: skip
