"""Trackers and their peers on the same scenes: what is judged, chosen, timed, told and drawn."""

from __future__ import annotations

import importlib
import json
import math
import os
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from rich.console import Console

from app.benchmark.pinning import available
from app.benchmark.trackers import measure
from app.benchmark.trackers.contender import Contender, rows, rows_of_points
from app.benchmark.trackers.measure import judge, measure_accuracy, measure_speed
from app.benchmark.trackers.ours import OURS
from app.benchmark.trackers.peers import base as peers
from app.benchmark.trackers.peers.opencv import CONTENDERS as OPENCV
from app.benchmark.trackers.plot import figure, write_plot
from app.benchmark.trackers.results import FIGURES, combined, facts
from app.benchmark.trackers.scenes import SCENES, Clip, Scene, delivered, seeded, timed
from app.benchmark.trackers.table import show_scene, show_speed
from app.cli import main
from app.sources.simulated.source import make_scene

BLOBS = Scene("blobs?count=6&snr=40&width=128&height=128&hidden=0&speed=300", "things", 30, 3.0)
PLATE = Scene("plate?points=4&width=128&height=128", "points", 24)


def told(_: str) -> None:
    """Nobody listens."""


def cheat(clip: Clip, offset: float):
    """What the truth says, `offset` px to the right."""
    t = clip.truth[clip.truth["visible"]]
    return lambda: rows(clip, t["frame"], t["track"], t["x"] + offset, t["y"])


def perfect(kind="things", choices=(2.5, 0.25, 2.9)):
    return Contender("perfect", kind, cheat, choices)


def broken(clip, _):
    raise ValueError("no\nway")


def test_all_scenes_can_be_made() -> None:
    for scene in SCENES.values():
        made = make_scene(scene.spec)
        assert scene.frames <= made.frames
        assert (scene.radius > 0) == (scene.kind == "things")
    assert not any(" " in name or "," in name for name in SCENES)  # names are typed on a command line
    assert make_scene(timed("things", 10).spec).width == 512


def test_a_clip_is_a_source_of_the_scene() -> None:
    clip = Clip(replace(BLOBS, spec=BLOBS.spec + "&bits=12"), 3)
    scene = make_scene(f"{BLOBS.spec}&bits=12")
    assert len(clip) == clip.info.frames == 3
    assert np.array_equal(clip.read(2), scene.render(2))
    assert np.array_equal(clip.truth, np.concatenate([scene.truth(i) for i in range(3)]))
    assert clip.eight_bit().dtype == np.uint8
    assert np.array_equal(clip.eight_bit()[1], scene.render(1) >> 4)
    assert len(clip.points) == 6


def test_the_threshold_is_the_one_that_is_best_for_the_contender() -> None:
    (found,) = measure_accuracy("s", BLOBS, [perfect()], told)
    assert found.choice == 0.25
    assert (found.recall, found.precision, found.idf1, found.switches) == (1, 1, 1, 0)
    assert (found.rmse, found.bias) == pytest.approx((0.25, 0.25))
    assert found.noise == pytest.approx(0, abs=1e-9)
    assert found.ms > 0


def test_who_fails_is_named_and_the_others_go_on() -> None:
    found = list(measure_accuracy("s", BLOBS, [Contender("broken", "things", broken), perfect()], told))
    assert [(r.contender, r.wrong) for r in found] == [("broken", "ValueError: no way"), ("perfect", "")]
    assert math.isnan(found[0].hota)
    speeds = list(measure_speed("things", [Contender("broken", "things", broken)], 0.0, told, (3,), 96))
    assert [(s.rounds, s.wrong) for s in speeds] == [(0, "ValueError: no way")]


def test_contenders_take_part_where_they_fit() -> None:
    assert not list(measure_accuracy("s", BLOBS, [perfect("points")], told))
    assert not list(measure_accuracy("s", BLOBS, [replace(perfect(), scenes=("face",))], told))
    names = {contender.name for contender in OURS if contender.fits("face", "things")}
    assert names == {"fusetrack blobs", "fusetrack facial-markers"}


def test_ours_and_opencv_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "TRIAL", 12)
    found = {r.contender: r for r in measure_accuracy("s", BLOBS, OURS, told)}
    assert not any(r.wrong for r in found.values())
    assert found["fusetrack blobs"].recall > 0.9
    assert found["fusetrack blobs"].rmse < 0.1
    found = {r.contender: r for r in measure_accuracy("plate", PLATE, [*OURS, *OPENCV], told)}
    assert set(found) == {"fusetrack template", "fusetrack corners", "fusetrack vibration", "OpenCV PyrLK, to first",
                          "OpenCV PyrLK, frame to frame"}  # fmt: skip
    for r in found.values():
        assert not r.wrong
        assert r.recall > 0.95
        assert r.rmse < 0.1


def test_of_two_that_find_all_the_more_exact_is_chosen() -> None:
    for kind, scene in (("things", BLOBS), ("points", PLATE)):
        (found,) = measure_accuracy("s", scene, [perfect(kind, (0.006, 0.0, 0.004))], told)
        assert found.choice == 0.0


def test_what_turns_is_followed_by_a_model_that_turns() -> None:
    template, corners = (contender for contender in OURS if contender.fits("disk", "points"))
    disk = Scene("disk?points=4&width=128&height=128&rate=7", "points", 40, turns=True)
    assert SCENES["disk"].turns
    clip = Clip(disk)
    for contender in (template, corners):
        assert judge(contender.make(clip, 1.0)(), clip).clear.recall == 1.0, contender.name


def test_speeds_are_of_all_in_turns() -> None:
    order = []

    def counting(name):
        def make(clip, _):
            def run():
                order.append((name, len(clip)))
                return cheat(clip, 0.0)()

            return run

        return Contender(name, "things", make, slow=name == "slow")

    found = list(measure_speed("things", [counting("quick"), counting("slow")], 0.0, told, (4,), 96))
    assert [(s.contender, s.features, s.rounds) for s in found] == [("quick", 4, 3), ("slow", 4, 3)]
    assert all(s.low <= s.ms <= s.high for s in found)
    assert all(s.per_second == pytest.approx(4e3 / s.ms) for s in found)
    names = [name for name, length in order if length == 48]
    # One round that does not count, then three; the two take turns in each.
    assert [set(names[i : i + 2]) for i in range(0, 8, 2)] == [{"quick", "slow"}] * 4


def test_frames_that_come_one_by_one_are_timed_too() -> None:
    asked = [contender for contender in (*OURS, *OPENCV) if contender.fits("speed", "points")]
    found = list(measure_speed("points", [*asked, perfect("points", (0.0,))], 0.0, told, (4,), 96))
    for one in found:
        assert not one.wrong
        # Three rounds of 48 frames; how long the first takes is not told by where it ends, and OpenCV begins there.
        assert one.singles in ((0,) if one.contender == "perfect" else (3 * 46, 3 * 47))
        assert one.singles == 0 or 0 < one.p50 <= one.p99 <= one.p999
    assert len(found) == len(asked) + 1 == 6


def test_frames_that_a_camera_has_lost_are_known_by_their_time() -> None:
    clip = Clip(replace(BLOBS, dropped=0.3))
    assert delivered(30, 0.0) == list(range(30))
    kept = delivered(30, 0.3)
    assert kept[0] == 0
    assert 12 < len(kept) < 28
    assert len(clip) == len(kept) == clip.info.frames
    assert [round(clip.info.time.time(i) * clip.fps) for i in range(len(kept))] == kept
    scene = make_scene(BLOBS.spec)
    assert np.array_equal(clip.read(7), scene.render(kept[7]))
    mine, true = clip.truth[clip.truth["frame"] == 7], scene.truth(kept[7])
    assert np.array_equal(mine["x"], true["x"])
    (blobs,) = (contender for contender in OURS if contender.name == "fusetrack blobs")
    assert judge(blobs.make(clip, 0.02)(), clip).hota.hota > 0.9


def test_peers_that_are_not_installed_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: 1 if name in ("cv2", "app") else None)
    found, missing = peers.found_peers()
    assert {contender.name.split()[0] for contender in found} == {"OpenCV"}
    assert 'trackpy is not installed (pip install "fusetrack[peers]")' in missing
    assert len(missing) == 3


def test_points_that_are_not_seen_leave_no_rows() -> None:
    clip = Clip(PLATE, 2)
    places = np.array([[[1.0, 2.0], [3.0, 4.0]], [[5.0, np.nan], [7.0, 8.0]]])
    found = rows_of_points(clip, places, np.array([[True, False], [True, True]]))
    assert found[["frame", "track", "x", "y"]].tolist() == [(0, 0, 1.0, 2.0), (1, 1, 7.0, 8.0)]
    assert found["time"].tolist() == [0.0, 1 / clip.fps]


def test_pyidi_is_asked_in_rows_and_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    class Method:
        def __init__(self, video):
            self.video = video

        def set_points(self, points):
            self.points = points

        def configure(self, **how):
            assert how["roi_size"] == (21, 21)

        def get_displacements(self, autosave):
            assert not autosave
            moved = np.zeros((len(self.points), len(self.video), 2))
            moved[:, 1] = (0.5, -2.0)  # down, left
            return moved

    from tests.benchmark_peers.trackers import pyidi as module

    fake = ModuleType("pyidi")
    fake.VideoReader, fake.LucasKanade = (lambda pixels, root: pixels), Method
    monkeypatch.setattr(module, "pyidi", fake)
    clip = Clip(PLATE, 2)
    found = module.CONTENDERS[0].make(clip, 0.0)()
    assert found["x"][found["frame"] == 1] == pytest.approx(clip.points[:, 0] - 2.0)
    assert found["y"][found["frame"] == 1] == pytest.approx(clip.points[:, 1] + 0.5)


def test_tables_and_pictures_tell_all(capsys, tmp_path: Path) -> None:
    things = list(measure_accuracy("crowd", BLOBS, [perfect(), Contender("broken", "things", broken)], told))
    points = list(measure_accuracy("sheet", PLATE, [perfect("points", (0.5,))], told))
    speeds = list(measure_speed("things", [perfect()], 0.0, told, (2, 5), 96))
    console = Console(width=140, highlight=False)
    for results in (things, points):
        show_scene(console, results)
    show_speed(console, speeds)
    said = capsys.readouterr().out
    for words in ("crowd", "sheet", "perfect", "0.2500", "ValueError: no way", "5 things"):
        assert words in said
    assert "nan" not in said
    made = figure([*things, *points], speeds)
    titles = [axes.get_title(loc="left") for axes in made.axes]
    assert titles[0] == "HOTA (larger is better)"
    assert titles[-1] == "speed: things, 512 by 512 px"
    assert [label.get_text() for label in made.axes[0].get_xticklabels()] == ["crowd"]
    hota = {bars.get_label(): bars.patches[0].get_height() for bars in made.axes[0].containers}
    assert hota == {r.contender: pytest.approx(r.hota) for r in things if math.isfinite(r.hota)}
    lines = [line.lines[0] for line in made.axes[-1].containers]
    drawn = [point for line in lines for point in zip(line.get_xdata(), line.get_ydata(), strict=True)]
    assert drawn == [(s.features, s.ms) for s in speeds if s.rounds]
    assert {text.get_text() for text in made.legends[0].get_texts()} >= {"perfect"}
    write_plot(tmp_path / "speeds.svg", [], speeds)
    ElementTree.parse(tmp_path / "speeds.svg")
    assert json.dumps(facts(things, speeds))


def test_the_command(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    import app.commands.bench_trackers as command

    monkeypatch.setattr(command, "SCENES", {"crowd": BLOBS})
    monkeypatch.setattr(command, "OURS", [perfect()])
    monkeypatch.setattr(command, "found_peers", lambda: ([], ['x is not installed (pip install "fusetrack[peers]")']))
    out, plot = tmp_path / "t.json", tmp_path / "t.svg"
    assert main(["bench", "--trackers", "crowd", "--json", str(out), "--plot", str(plot)]) == 0
    said = capsys.readouterr().out
    assert "perfect" in said
    assert 'left out: x is not installed (pip install "fusetrack[peers]")' in said
    assert json.loads(out.read_text())["accuracy"][0]["hota"] > 0.5
    ElementTree.fromstring(plot.read_text())


@pytest.mark.skipif(not available(), reason="pinning needs Linux")
def test_pinned_to_one_processor(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    import app.commands.bench_trackers as command

    seen = []

    def make(clip, choice):
        seen.append(os.sched_getaffinity(0))
        return cheat(clip, choice)

    monkeypatch.setattr(command, "SCENES", {"crowd": BLOBS})
    monkeypatch.setattr(command, "OURS", [Contender("perfect", "things", make)])
    monkeypatch.setattr(command, "found_peers", lambda: ([], []))
    before = os.sched_getaffinity(0)
    assert main(["bench", "--trackers", "crowd", "--pin"]) == 0
    assert {len(processors) for processors in seen} == {1}
    assert os.sched_getaffinity(0) == before
    assert "one processor" in capsys.readouterr().out


def test_help_names_every_scene(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "--help"])
    said = capsys.readouterr().out.partition("all of them without it:")[2].split()
    assert set(SCENES) <= set(said)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["plat"], "there is no scene 'plat'; did you mean 'plate'?"),
        (["--size", "64"], "--size is not for --trackers"),
        (["--device", "cuda"], "--trackers compares on the processor"),
        (["--seconds", "-1"], "--seconds takes a number up to 86400, not -1"),
        (["--plot", "x.jpg"], "--plot writes .png, .svg or .pdf"),
    ],
)
def test_what_is_wrong_is_one_sentence(words, says, capsys) -> None:
    assert main(["bench", "--trackers", *words]) == 2
    assert says in capsys.readouterr().err


def test_peers_are_read_without_their_libraries() -> None:
    """Modules that need a library can be imported without it, and do not bring it in."""
    for module in peers.LIBRARIES:
        assert importlib.import_module(module).CONTENDERS


def test_several_seeds_give_medians_and_how_far_they_go() -> None:
    def off(clip: Clip, _: float):
        return cheat(clip, 0.1 * int(clip.scene.spec.rpartition("seed=")[2]))

    contender = Contender("off by a tenth of the seed", "things", off)
    heard: list[str] = []
    (found,) = measure_accuracy("small", BLOBS, [contender], heard.append, 3)
    assert found.seeds == 3
    assert (found.low["rmse"], found.rmse, found.high["rmse"]) == pytest.approx((0.1, 0.2, 0.3))
    assert set(found.low) == set(found.high) == set(FIGURES)
    assert [words.rpartition(" ")[2] for words in heard] == ["1", "2", "3"]
    console = Console(width=200, record=True, file=open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    show_scene(console, [found])
    text = console.export_text()
    assert "of 3 seeds" in text
    assert "0.2000 (0.1000-0.3000)" in text
    json.dumps(facts([found], []))


def test_seeds_draw_other_clips_and_the_first_is_the_scene() -> None:
    one, same, other = (Clip(scene, 3) for scene in (BLOBS, seeded(BLOBS, 1), seeded(BLOBS, 2)))
    assert (one.pixels == same.pixels).all()
    assert (one.pixels != other.pixels).any()
    assert one.truth["x"][0] != other.truth["x"][0]


def test_what_fails_on_one_seed_has_no_medians() -> None:
    def sometimes(clip: Clip, _: float):
        return broken(clip, 0.0) if clip.scene.spec.endswith("seed=2") else cheat(clip, 0.0)

    (found,) = measure_accuracy("small", BLOBS, [Contender("sometimes", "things", sometimes)], told, 2)
    assert found.wrong == "ValueError: no way"
    assert found.seeds == 1
    assert combined([found]) is found


@pytest.mark.parametrize("words", [["--trackers", "blobs-4", "--seeds", "0"], ["gaussian", "--seeds", "2"]])
def test_seeds_that_do_not_fit_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *words]) == 2
    assert "--seeds" in capsys.readouterr().err
