"""`fusetrack.Pipeline`: built in code, refused in the words in which a file is, and written as one."""

from __future__ import annotations

import copy
import inspect
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app import launcher as fusetrack
from kernels.errors import DefinitionError, InputError
from kernels.plugins import registry
from pipelines.definition import library, load, loads, with_files
from pipelines.trackers.base import registry as trackers
from tests.app.api.moving import FPS, spots


def built() -> Any:
    return (
        fusetrack.Pipeline(name="mine", summary="spots")
        .gray()
        .gaussian(name="smooth", sigma=1.2)
        .threshold(level=np.float32(60))
        .components(inputs={"mask": "threshold", "weights": "smooth"}, min_area=4)
        .blob(min_hits=2)
    )


TEXT = """name = "mine"
summary = "spots"
[stages.gray]
[stages.smooth]
use = "gaussian"
sigma = 1.2
[stages.threshold]
level = 60
[stages.components]
inputs = { mask = "threshold", weights = "smooth" }
min_area = 4
[trackers.blob]
inputs = "components"
min_hits = 2
"""


def test_steps_lists_and_files_are_the_same_pipeline(tmp_path: Path) -> None:
    pipeline = built()
    assert pipeline.graph == loads(TEXT)
    listed = fusetrack.Pipeline([
        "gray", {"use": "gaussian", "name": "smooth", "sigma": 1.2}, ("threshold", {"level": 60.0}),
        ("components", {"inputs": ["threshold", "smooth"], "min_area": 4}), ("blob", {"min_hits": 2}),
    ], name="mine", summary="spots")  # fmt: skip
    assert listed.graph == pipeline.graph
    pipeline.save(tmp_path / "mine.toml")
    assert load(tmp_path / "mine.toml") == pipeline.graph
    assert fusetrack.Pipeline(tmp_path / "mine.toml").graph == pipeline.graph
    assert loads(str(pipeline)) == pipeline.graph


def test_it_follows_what_its_file_follows(tmp_path: Path) -> None:
    pipeline, clip = built(), spots()
    pipeline.save(tmp_path / "mine.toml")
    ours = fusetrack.track(clip, pipeline, fps=FPS)
    assert len(ours.ids) == 3
    assert ours.pipeline == "mine"
    theirs = fusetrack.track(clip, tmp_path / "mine.toml", fps=FPS)
    assert ours.rows.tobytes() == theirs.rows.tobytes()
    np.testing.assert_array_equal(pipeline(clip, taps="smooth"), fusetrack.apply(clip, "gaussian", sigma=1.2))


@pytest.mark.parametrize("name", [*library(), *with_files()])
def test_shipped_pipelines_come_through_code(name: str) -> None:
    made = fusetrack.Pipeline(name)
    assert made.graph == load(name)
    rebuilt = fusetrack.Pipeline()
    for kind in ("stages", "trackers"):
        for node, table in made._document.get(kind, {}).items():
            rest = {key: value for key, value in table.items() if key not in ("use", "inputs")}
            rebuilt = rebuilt.then(table.get("use", node), name=node, inputs=table.get("inputs"), **rest)
    assert rebuilt.graph.members == made.graph.members
    assert name in fusetrack.library()


def test_what_is_taken_of_the_frame_before_may_be_added_later() -> None:
    later = fusetrack.Pipeline().moments(name="boxes").follow(inputs={"boxes": "boxes", "before": "marks"})
    with pytest.raises(InputError, match="there is no node 'marks'"):
        _ = later.graph
    whole = later.peaks(name="marks", inputs="source")
    assert str(whole.graph.nodes[1].inputs["before"]) == "marks"
    with pytest.raises(InputError, match="there is no node 'bxes'"):
        fusetrack.Pipeline().moments(name="boxes").follow(inputs={"boxes": "bxes", "before": "marks"})


def test_each_step_leaves_the_one_before_as_it_is() -> None:
    first = fusetrack.Pipeline().gray()
    second, third = first.box(), first.gaussian().gaussian()
    assert (first.steps, second.steps, third.steps) == (("gray",), ("gray", "box"), ("gray", "gaussian", "gaussian_2"))
    assert copy.deepcopy(third) == third
    assert pickle.loads(pickle.dumps(third)) == third
    assert len({first, second, third, fusetrack.Pipeline().gray()}) == 3


def test_settings_are_changed_by_mapping_or_keyword() -> None:
    made = fusetrack.Pipeline("blobs").with_settings({"band.sigma": 2.0}, max_missed=7)
    assert made.parameters["band.sigma"] == 2.0
    assert made.parameters["follow.max_missed"] == 7
    assert "band.sigma = 2.0 px (0.1..50): standard deviation of the narrow blur" in made.describe()
    assert fusetrack.Pipeline(made, name="other").name == "other"


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda p: p.gaussian(sgima=1), 'use = "gaussian"\nsgima = 1'),
        (lambda p: p.gaussian(sigma=-1), 'use = "gaussian"\nsigma = -1'),
        (lambda p: p.gaussian(border="mirror"), 'use = "gaussian"\nborder = "mirror"'),
        (lambda p: p.gaussian(inputs="gry"), 'use = "gaussian"\ninputs = "gry"'),
        (lambda p: p.gaussian(inputs=["a", "b"]), 'use = "gaussian"\ninputs = ["a", "b"]'),
        (lambda p: p.gaussian(inputs={"img": "source"}), 'use = "gaussian"\ninputs = { img = "source" }'),
        (lambda p: p.gaussian(inputs="gaussian"), 'use = "gaussian"\ninputs = "gaussian"'),
        (lambda p: p.components(min_area="many"), 'use = "components"\nmin_area = "many"'),
    ],
)
def test_mistakes_are_told_in_the_words_of_files(build: Any, text: str) -> None:
    stage = text.partition('"')[2].partition('"')[0]
    with pytest.raises(DefinitionError) as of_file:
        loads(f"[stages.{stage}]\n{text}\n", "pipeline")
    with pytest.raises(DefinitionError) as of_code:
        build(fusetrack.Pipeline())
    sentence = str(of_file.value).partition(": ")[2]
    assert str(of_code.value).endswith(sentence)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: fusetrack.Pipeline().gausian(), "there is no stage or tracker 'gausian'; did you mean 'gaussian'?"),
        (lambda: fusetrack.Pipeline(["gausian"]), "did you mean 'gaussian'?"),
        (lambda: fusetrack.Pipeline("blbs"), "did you mean 'blobs'?"),
        (lambda: fusetrack.Pipeline(3), "a name, a file or a list of steps, not int"),
        (lambda: fusetrack.Pipeline([3]), "not 3"),
        (lambda: fusetrack.Pipeline([{"sigma": 3}]), "not {'sigma': 3}"),
        (lambda: fusetrack.Pipeline().graph, "has no stages and no trackers"),
        (lambda: fusetrack.Pipeline().gray(name="a").box(name="a"), "two nodes are called 'a'"),
        (lambda: fusetrack.Pipeline().gray(name="source"), "'source' is the clip itself"),
        (lambda: fusetrack.Pipeline(["gray"], taps=["x"]), "there is no node 'x'"),
        (lambda: fusetrack.Pipeline().gray().with_taps("x"), "there is no node 'x'"),
    ],
)
def test_other_mistakes_are_said_in_a_sentence(wrong: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        wrong()
    assert words in str(caught.value)


def test_every_stage_and_tracker_is_a_method_with_its_help() -> None:
    empty = fusetrack.Pipeline()
    own = {name for name in vars(type(empty)) if not name.startswith("_")}
    for name, kind in {**registry(), **trackers()}.items():
        assert name not in own
        method = getattr(empty, name)
        assert {"name", "inputs", *(param.name for param in kind.params)} == {*inspect.signature(method).parameters}
        assert not {"name", "inputs"} & {param.name for param in kind.params}
        assert all(param.doc in method.__doc__ for param in kind.params)
        assert name in dir(empty)
    assert not hasattr(empty, "nothing_of_the_kind")
    assert not hasattr(empty, "_repr_html_")


def test_runs_that_write_take_built_pipelines_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    np.save(tmp_path / "clip.npy", spots())
    monkeypatch.chdir(tmp_path)
    outcome = fusetrack.run_clip("clip.npy", built(), fps=FPS, overlay=False)
    assert outcome.folder.name == "clip-mine"
    ours = fusetrack.track("clip.npy", built(), fps=FPS)
    np.testing.assert_array_equal(outcome.table()["x_px"], ours["x"])
    with pytest.raises(TypeError, match=r"fusetrack\.track takes arrays"):
        fusetrack.run_clip(spots(), built())
    with pytest.raises(ValueError, match=r"fusetrack\.track gives the same rows"):
        fusetrack.run_clip("clip.npy", "blobs", out=False)
