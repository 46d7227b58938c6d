"""Pipelines as files: read, written without loss, refused with file, line and suggestion."""

from __future__ import annotations

import string
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.ir.image import U8, ImageType
from pipelines import writing
from pipelines.definition import library, load, loads, with_files
from pipelines.graph import Node, Pipeline, Ref, bind, ordered
from pipelines.writing import dumps

GOOD = """\
# what it is for
name = "demo"
summary = "a demonstration"   # kept
taps = ["smooth"]

[stages.gray]
[stages.smooth]
use = "gaussian"
sigma = 1.5      # px
[stages.slow]
use = "iir_lowpass"
inputs = "gray"
alpha = 0.25
"""


def test_reads_what_is_written() -> None:
    made = loads(GOOD)
    assert made.name == "demo"
    assert [n.id for n in made.nodes] == ["gray", "smooth", "slow"]
    assert made.nodes[0].inputs == {"image": Ref("source")}
    assert made.nodes[1].inputs == {"image": Ref("gray")}
    assert made.nodes[1].params == {"sigma": 1.5}
    assert made.nodes[2].inputs == {"image": Ref("gray")}
    assert made.taps == (Ref("smooth"),)


def test_writing_back_keeps_every_byte() -> None:
    assert dumps(loads(GOOD), GOOD) == GOOD


def test_writing_back_changes_only_what_changed() -> None:
    changed = loads(GOOD).with_settings({"smooth.sigma": 2.0})
    assert dumps(changed, GOOD) == GOOD.replace("sigma = 1.5 ", "sigma = 2.0 ")


@pytest.mark.parametrize("name", sorted(library() | with_files()))
def test_shipped_pipelines_survive_a_round_trip(name: str) -> None:
    text = (library() | with_files())[name].read_text()
    made = load(name)
    assert made.name == name
    assert made.summary
    assert dumps(made, text) == text
    assert loads(dumps(made)) == made
    if name in with_files():  # which says so, and what it takes
        assert made.notes
        with pytest.raises(DefinitionError, match=f"`fusetrack pipelines {name}` says"):
            bind(made, ImageType(U8, 64, 64))
    else:
        assert loads(dumps(made)).digest == made.digest


def test_many_points_are_spelt_as_few_are(monkeypatch):
    """Thousands of them would keep a window waiting for seconds."""
    points = tuple((0.25 * k, 1e-7 * k, *((float(k),) if k % 3 else ())) for k in range(-60, 60))
    made = load("template").with_settings({"track.points": points})
    text = writing._written(made, "")
    assert loads(text) == made
    monkeypatch.setattr(writing, "LONG", 1000)
    assert writing._written(made, "") == text
    assert dumps(made, text) == text
    fewer = made.with_settings({"track.points": points[:100]})
    monkeypatch.setattr(writing, "LONG", 64)
    assert loads(dumps(fewer, text)) == fewer


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('summary = "a', 'sumary = "a', 3, "did you mean 'summary'"),
        ('use = "gaussian"', 'use = "gausian"', 8, "did you mean 'gaussian'"),
        ("sigma = 1.5", "sgima = 1.5", 9, "did you mean 'sigma'"),
        ("sigma = 1.5", "sigma = -1", 9, "outside its range 0.1..50 px"),
        ("sigma = 1.5", 'sigma = "big"', 9, "must be a number"),
        ("sigma = 1.5", "sigma = nan", 9, "must be a finite number"),
        ('inputs = "gray"', 'inputs = "grey"', 12, "did you mean 'gray'"),
        ('inputs = "gray"', "inputs = 3", 12, "inputs must be"),
        ('inputs = "gray"', 'inputs = { img = "gray" }', 12, "there is no input 'img'"),
        ('inputs = "gray"', 'inputs = ["gray", "gray"]', 12, "2 inputs are given"),
        ('taps = ["smooth"]', 'taps = ["smoth"]', 4, "did you mean 'smooth'"),
        ('taps = ["smooth"]', "taps = 3", 4, "taps must be a list"),
        ("[stages.gray]", "[stages.gray", 6, ""),
        ("[stages.gray]", "[stages.source]", 6, "the clip itself"),
    ],
)
def test_mistakes_are_named_with_their_line(old: str, new: str, line: int, says: str) -> None:
    with pytest.raises(DefinitionError) as error:
        loads(GOOD.replace(old, new), "demo.toml")
    text = str(error.value)
    assert text.startswith(f"demo.toml:{line}: "), text
    assert says in text
    assert "\n" not in text


def test_a_circle_is_named() -> None:
    text = "[stages.a]\nuse='gaussian'\ninputs='c'\n[stages.b]\nuse='gaussian'\n[stages.c]\nuse='gaussian'\n"
    with pytest.raises(DefinitionError, match="circle: a -> c -> b -> a"):
        loads(text)


def test_a_node_that_takes_itself_is_a_circle() -> None:
    with pytest.raises(DefinitionError, match="circle: a -> a"):
        loads("[stages.a]\nuse='gaussian'\ninputs='a'\n")


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(DefinitionError, match="no stages"):
        loads("")


def test_unknown_name_suggests(tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match="did you mean 'blobs'"):
        load("blob")
    with pytest.raises(DefinitionError, match="folder"):
        load(tmp_path)
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DefinitionError, match="UTF-8"):
        load(tmp_path / "x.toml")


@settings(max_examples=200)
@given(st.data())
def test_fuzzed_definitions_raise_one_sentence_or_load(data: st.DataObject) -> None:
    text = list(GOOD)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        kind = data.draw(st.sampled_from(["flip", "cut", "insert"]))
        if kind == "flip":
            text[at] = data.draw(st.sampled_from(string.printable + "\x00é"))
        elif kind == "cut":
            del text[at : at + data.draw(st.integers(1, 20))]
        else:
            text.insert(at, data.draw(st.sampled_from(string.printable)))
        if not text:
            break
    said = "fuzz.toml"
    try:
        loads("".join(text), "fuzz.toml")
    except DefinitionError as error:  # anything else fails the test
        said = str(error)
    assert said.startswith("fuzz.toml")
    assert "\n" not in said


@settings(max_examples=50)
@given(st.permutations(range(6)), st.data())
def test_order_puts_needs_first(shuffle: list[int], data: st.DataObject) -> None:
    nodes = []
    for i in range(6):
        before = data.draw(st.integers(0, i))
        source = "source" if before == i else f"n{before}"
        nodes.append(Node(f"n{i}", "gaussian", {"image": Ref(source)}))
    made = Pipeline("p", "", tuple(nodes[i] for i in shuffle), ())
    done: set[str] = {"source"}
    order = ordered(made)
    assert sorted(n.id for n in order) == sorted(n.id for n in nodes)
    for node in order:
        assert node.inputs["image"].node in done
        done.add(node.id)


def test_settings_are_checked() -> None:
    made = loads(GOOD)
    assert made.with_settings({"slow.alpha": 0.75}).nodes[2].params == {"alpha": 0.75}
    wrong = {"slo.alpha": "did you mean 'slow'", "slow.alpa": "did you mean 'alpha'", "slow": "node.param"}
    for path, says in wrong.items():
        with pytest.raises(DefinitionError, match=says):
            made.with_settings({path: 0.5})
    with pytest.raises(DefinitionError, match="outside its range"):
        made.with_settings({"slow.alpha": 2.0})


def test_the_hash_follows_the_meaning() -> None:
    made = loads(GOOD)
    assert loads(GOOD.replace("# what it is for\n", "")).digest == made.digest
    assert made.with_settings({"slow.alpha": 0.25}).digest == made.digest
    assert made.with_settings({"slow.alpha": 0.5}).digest != made.digest


def test_parameters_of_earlier_versions_are_refused_with_what_to_do_instead():
    text = 'name = "old"\n[stages.gray]\n[stages.spots]\nuse = "components"\n[trackers.follow]\nuse = "blob"\n'
    text += 'inputs = "spots"\nmomentum = 1.0\n'
    with pytest.raises(DefinitionError, match=r"old.toml:8: trackers.follow has no parameter 'momentum' any more: the"):
        loads(text, "old.toml")
    assert "momentum" not in dict(loads(text, "old.toml", recorded=True).trackers[0].params)
    with pytest.raises(DefinitionError, match="follow has no parameter 'momentum' any more: the filter"):
        load("blobs").with_settings({"follow.momentum": 1.0})


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize(("switch", "begin"), [("true", "majority"), ("false", "first")])
def test_switches_of_earlier_versions_are_read_as_what_they_are_now(switch: str, begin: str, recorded: bool) -> None:
    text = f'name = "old"\nsummary = ""\n\n[stages.moving]\nuse = "background"\nmajority = {switch}\nlearn = 0.005\n'
    made = loads(text, "old.toml", recorded=recorded)
    assert made.nodes[0].params == {"begin": begin, "learn": 0.005}
    assert dumps(made, text) == text.replace(f"majority = {switch}\n", "") + f'begin = "{begin}"\n'
    assert made.with_settings({"moving.majority": True}).nodes[0].params["begin"] == "majority"
    assert made.with_settings({"moving.majority": False}).nodes[0].params["begin"] == "first"
    with pytest.raises(DefinitionError, match=r"old.toml:6: stages.moving has no parameter 'majority'"):
        loads(text.replace(switch, "1"), "old.toml", recorded=recorded)


def test_pipelines_that_differ_in_spelling_alone_are_written_each_as_it_is() -> None:
    """`==` of two pipelines does not see the order of parameters, nor 1 beside 1.0; what is written shows both."""
    first = loads('name = "a"\n[stages.blur]\nuse = "gaussian"\nsigma = 1.5\nborder = "wrap"\n')
    (node,) = first.nodes
    turned = replace(first, nodes=(replace(node, params=dict(reversed([*node.params.items()]))),))
    whole = replace(first, nodes=(replace(node, params={**node.params, "sigma": 2}),))
    pointed = replace(first, nodes=(replace(node, params={**node.params, "sigma": 2.0}),))
    assert turned == first
    assert whole == pointed
    for _ in range(2):
        texts = [dumps(pipeline) for pipeline in (first, turned, whole, pointed)]
        assert len(set(texts)) == 4
        assert "sigma = 2\n" in texts[2]
        assert "sigma = 2.0\n" in texts[3]
