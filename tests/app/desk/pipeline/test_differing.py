"""What two pipelines differ in, as a comparison says it."""

from __future__ import annotations

from app.desk.pipeline import editing
from app.desk.pipeline.differing import differences
from pipelines.definition import load
from pipelines.graph import Ref


def test_in_what_two_pipelines_differ() -> None:
    first = load("blobs")
    assert differences(first, first) == []
    second = editing.remove(first.with_settings({"bright.level": 0.25}), first.trackers[0].id)
    found = {one.what: (one.first, one.second) for one in differences(first, second)}
    assert found["bright level"] == ("auto", "0.25")
    assert found[first.trackers[0].id] == ("blob", "-")
    longer = editing.add_stage(first, "gaussian", Ref("gray"))
    more = {one.what: (one.first, one.second) for one in differences(first, longer)}
    assert more["gaussian"] == ("-", "gaussian")
    assert ("gray", "gaussian") in more.values()  # what took gray takes it now
