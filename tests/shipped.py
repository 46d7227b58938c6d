"""The shipped pipelines with numbers in place of "auto", for tests that begin behind where a clip tells them."""

from __future__ import annotations

from dataclasses import replace

from pipelines.automatic.settling import open_settings
from pipelines.definition import library, load
from pipelines.graph import Pipeline, Ref

WITHOUT_LAYERS = sorted(name for name in library() if all(node.stage != "network" for node in load(name).nodes))
"""The pipelines of image stages alone: layers of networks have code of their own, by the processor's vectors, and none
for CUDA yet."""
NUMBERS: dict[str, dict[str, object]] = {
    "blobs": {"bright.level": 0.03, "spots.split": 2.5, "spots.refine_sigma": 1.4},
    "objects": {"mask.level": 0.2, "bodies.split": 0.0},
    "facial-markers": {"rim.level": 0.8},
    "background-motion": {"moving.min_sigma": 0.01, "moving.begin": "clip", "ground.min_sigma": 0.01,
                          "ground.change": "brighter", "ground.begin": "clip"},
    "pupil": {"dark.level": 70.0},
    "insects": {"ground.min_sigma": 0.01, "ground.change": "darker", "found.level": -0.02, "found.polarity": "dark",
                "spots.split": 2.5, "spots.refine_sigma": 1.4},
}
UNFORESEEN = {"moving.begin": "majority", "ground.begin": "majority"}
"""Of `background-motion`, where no frame is at hand beforehand."""
FOUND = {"sound.points": (), "bright.level": 0.03, "bright.polarity": "bright", "spots.polarity": "bright",
         "spots.split": 2.5, "spots.refine_sigma": 1.4}
"""What an engine finds for `blobs` on a clip of bright spots."""
IDLE = ("repair", "light", "relight")
"""Stages that change nothing where all pixels are whole and the light is steady."""


def fixed(name: str) -> Pipeline:
    """A shipped pipeline as it is for a clip of bright things with steady light, without the stages that are idle
    then."""
    pipeline = load(name).with_settings(NUMBERS.get(name, {}))
    idle = {node.id: next(iter(node.inputs.values())) for node in pipeline.nodes if node.stage in IDLE}

    def through(ref: Ref) -> Ref:
        while ref.node in idle:
            ref = idle[ref.node]
        return ref

    kept = tuple(
        replace(node, inputs={key: through(ref) for key, ref in node.inputs.items()})
        for node in pipeline.nodes
        if node.id not in idle
    )
    pipeline = replace(pipeline, nodes=kept)
    return pipeline.with_settings({f"{node.id}.{param}": "bright" for node, param in open_settings(pipeline)})
