"""The pipeline of a run that was written, with the settings that it was asked for."""

from __future__ import annotations

from typing import Any

import tomlkit

from app.results import SUMMARY
from app.runs import RunRecord
from kernels.errors import InputError
from pipelines.automatic.settling import as_asked
from pipelines.definition import loads
from pipelines.graph import Pipeline
from pipelines.trackers.base import registry


def pipeline_of(record: RunRecord) -> Pipeline:
    """With the settings that the run was asked for; "auto" where something was found on the clip.

    Raises:
        InputError: it needs a stage or tracker that is not there (a plug-in), or the summary is damaged.
    """
    where = f"the pipeline of {record.name}"
    text = record.facts.get("definition")
    if isinstance(text, str) and text:
        return loads(text, where, recorded=True)
    return as_asked(loads(written(record.facts.get("pipeline"), where), where, recorded=True), record.found)


def written(facts: Any, where: str) -> str:
    """The definition that `app.provenance.pipeline_facts` tells, TOML: runs of earlier versions have no other."""
    try:
        document: dict[str, Any] = {"name": facts.get("name", "pipeline"), "summary": facts.get("summary", "")}
        trackers = {node["id"] for node in facts["nodes"] if node["use"] in registry()}
        for kind in ("stages", "trackers"):
            nodes = [node for node in facts["nodes"] if (node["id"] in trackers) == (kind == "trackers")]
            document[kind] = {n["id"]: {"use": n["use"], "inputs": n["inputs"], **n["params"]} for n in nodes}
        return tomlkit.dumps({key: value for key, value in document.items() if value != {}})
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(f"{where} cannot be read from its {SUMMARY}: {error}; run the clip again") from None
