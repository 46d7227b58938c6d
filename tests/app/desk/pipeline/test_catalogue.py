"""The list of stages: categories, search, outputs."""

from __future__ import annotations

from app.desk.pipeline import catalogue
from kernels.plugins import registry
from kernels.stage import CATEGORIES
from pipelines.trackers.base import registry as trackers


def test_every_stage_and_tracker_is_there_once() -> None:
    names = [entry.name for entry in catalogue.entries() if not entry.tracker]
    assert sorted(names) == sorted(registry())
    assert sorted(entry.name for entry in catalogue.entries() if entry.tracker) == sorted(trackers())
    titles = list(dict.fromkeys(entry.category for entry in catalogue.entries()))
    assert titles == [*CATEGORIES, *titles[len(CATEGORIES) :]]


def test_shipped_stages_have_a_category_and_a_kind() -> None:
    for entry in catalogue.entries():
        if not entry.tracker and registry()[entry.name].function.__module__.startswith("kernels.stages."):
            assert entry.category != catalogue.OWN, entry.name
            assert entry.kind, entry.name
            assert entry.summary


def test_search_looks_at_names_help_and_kinds_and_puts_names_first() -> None:
    assert next(e.name for e in catalogue.found("gauss")) == "gaussian"
    assert "dog" in [e.name for e in catalogue.found("gauss")]
    assert {e.name for e in catalogue.found("recurrent")} >= {"background", "iir_lowpass"}
    assert [e.name for e in catalogue.found("iir low")] == ["iir_lowpass"]
    assert catalogue.found("no such thing") == []
    assert len(catalogue.found("")) == len(registry()) + len(trackers())


def test_outputs_that_stand_for_a_stage() -> None:
    assert catalogue.outputs("gaussian") == ("",)
    assert "l1" in catalogue.outputs("gradient")
    assert catalogue.main_output("gradient") == "magnitude"
    assert catalogue.main_output("background") == "foreground"
    assert catalogue.main_output("components") == ""
