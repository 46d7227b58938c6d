"""Names of groups: layers are counted, and no line of a tip is wider than a screen."""

from __future__ import annotations

from app.desk.group_names import WIDTH, brief, listed, owner


def test_layers_of_two_networks_are_told_apart() -> None:
    names = ["crop", *(f"mesh/conv_{k}" for k in range(40)), "mesh", "iris/input*", "iris/conv_0", "iris"]
    assert brief(names) == "crop + mesh/conv_0 … (41 layers) + iris/input* … (3 layers)"
    assert {owner(name) for name in names} == {"crop", "mesh", "iris"}


def test_few_layers_are_listed() -> None:
    assert brief(["face/input", "face/conv_0", "faces"]) == "face/input + face/conv_0 + faces"


def test_a_tip_lists_all_in_lines_of_some_letters() -> None:
    names = [f"mesh/conv_{k}" for k in range(60)]
    lines = listed(names).splitlines()
    assert " ".join(lines).split(" + ") == names
    assert max(map(len, lines)) <= WIDTH
