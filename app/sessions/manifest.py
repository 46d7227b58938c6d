"""What a session says about itself before its first frame: who recorded what with which versions and which pipeline.

Later changes of parameters are events, with the frame from which on they hold; so a replay is exact.
"""

from __future__ import annotations

import platform
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from app.files.summary import json_text, versions
from app.provenance import pipeline_facts, source_facts
from app.sessions.layout import MANIFEST, PIPELINE, Picture
from app.sessions.preamble import Preamble
from pipelines.frame import SourceInfo
from pipelines.graph import Pipeline
from pipelines.writing import dumps

FORMAT = "fusetrack session 1"


@dataclass(frozen=True)
class Manifest:
    """What a session begins with.

    Args:
        info: the source: its picture, time base, camera metadata.
        pipeline: what processed the frames while they were recorded, if anything did.
        back_end: the executor's name.
        plan: the groups and their reasons, JSON-able.
        settings: whatever else a replay needs (roi, exact ...), JSON-able.
        identity: the session's own.
        created: ns since 1970.
    """

    info: SourceInfo
    pipeline: Pipeline | None = None
    back_end: str = ""
    plan: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    identity: str = field(default_factory=lambda: str(uuid.uuid4()))
    created: int = field(default_factory=time.time_ns)

    def facts(self) -> dict[str, Any]:
        """The content of manifest.json."""
        return {
            "format": FORMAT,
            "uuid": self.identity,
            "created": datetime.fromtimestamp(self.created / 1e9, UTC).isoformat(),
            "host": platform.node(),
            "versions": versions(),
            "source": source_facts(self.info),
            "picture": Picture.of(self.info).facts(),
            "pipeline": None if self.pipeline is None else pipeline_facts(self.pipeline),
            "back_end": self.back_end,
            "plan": dict(self.plan),
            "settings": dict(self.settings),
        }

    def preamble(self) -> Preamble:
        """The same as a session's beginning."""
        info, facts = self.info, self.facts()
        camera = {key: value if isinstance(value, str) else json_text(value) for key, value in info.metadata.items()}
        camera |= {"name": info.name, "kind": info.kind, "fps": json_text(facts["source"]["time_base"]["fps"]),
                   "size": f"{info.width}x{info.height}"}  # fmt: skip
        session = {"format": FORMAT, "uuid": self.identity, "created": facts["created"], "host": facts["host"]}
        files = [(MANIFEST, "application/json", json_text(facts).encode())]
        if self.pipeline is not None:
            files.append((PIPELINE, "application/toml", dumps(self.pipeline).encode()))
        return Preamble(Picture.of(info), {"camera": camera, "session": session}, tuple(files), self.created)
