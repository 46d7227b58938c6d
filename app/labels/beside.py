"""Where the labels of a clip are kept while they are made."""

from __future__ import annotations

from pathlib import Path

from app.labels.coco import ENDING
from app.sources.formats import stands_for


def labels_beside(clip: str | Path) -> Path:
    """CLIP.labels.json, beside the clip (COCO)."""
    return Path(f"{stands_for(clip)}.labels{ENDING}")
