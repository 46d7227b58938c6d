"""Projects as files: what is written is read again, from elsewhere, too; damaged ones are one sentence; commands."""

from __future__ import annotations

import json
import random
import shutil
import tomllib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli import main
from app.controller import run_clip
from app.desk.services.camera_setup import CameraSetup
from app.exports.axes import Axes
from app.path_kinds import Kind, what_is
from app.project import (
    Chosen,
    OneCamera,
    Project,
    ProjectClip,
    ProjectScale,
    SeveralCameras,
    as_document,
    read_project,
    relative,
    write_project,
)
from app.sources.reading import Reading
from kernels.errors import FusetrackError, InputError
from pipelines.definition import load

CLIP = Path(__file__).parents[2] / "sample_videos" / "vortex_600fps.avi"
SETTINGS = {"bright.level": 0.0625}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "study"
    (made / "clips").mkdir(parents=True)
    shutil.copy(CLIP, made / "clips" / "vortex.avi")
    return made


def full(folder: Path) -> ProjectClip:
    """A clip with all that one may have."""
    clip = folder / "clips" / "vortex.avi"
    return ProjectClip(
        str(clip), bytes=clip.stat().st_size, reading=Reading(1200.0, turn=0), roi=(40, 30, 300, 240), frames=(4, 12),
        frame=7, pipeline=as_document(load("blobs").with_settings(SETTINGS), folder), pipeline_from="blobs",
        changed=True, scale=ProjectScale(0.25, "mm", (100.0, 50.0), 90.0, True),
        events=((5, "on = 'set'"), (6, 'said "now"')), corrections={"actions": [{"words": "w", "steps": []}]},
    )  # fmt: skip


def cameras(folder: Path) -> SeveralCameras:
    """Two cameras, one picture left out, and a calibration."""
    clips = OneCamera(str(folder / "clips" / "vortex.avi")), OneCamera("sim:vortex", 3)
    chosen = Chosen({"by": "board", "columns": 7}, {"table": str(folder / "known.csv")}, {"clips": clips})
    return SeveralCameras(chosen, Chosen({"within_px": 2.0}), (3, 5), '{"name": "it\'s"}')


def written(folder: Path, *clips: ProjectClip) -> Path:
    path = folder / "study.ftproj"
    write_project(Project(clips or (full(folder),), 0, {"panels": ["traces"]}, cameras=cameras(folder)), path)
    return path


def test_what_is_written_is_read_again(folder: Path) -> None:
    path = written(folder)
    found = read_project(path)
    assert found == Project((full(folder),), 0, {"panels": ["traces"]}, cameras=cameras(folder))
    assert found.clip.graph(str(path)) == load("blobs").with_settings(SETTINGS)
    text = path.read_text()
    assert 'path = "clips/vortex.avi"' in text
    assert "level = 0.0625" in text, "people can read and edit it"
    assert 'table = "known.csv"' in text
    assert what_is(path).kind is Kind.OWN_PROJECT


def test_a_folder_that_moved_a_project_that_moved_alone_and_a_clip_that_moved_near_are_found(folder: Path) -> None:
    (folder / "known.csv").touch()
    written(folder)
    there = folder.rename(folder.with_name("other"))
    assert read_project(there / "study.ftproj").clip.path == str(there / "clips" / "vortex.avi")
    alone = there.parent / "alone"
    alone.mkdir()
    write_project(read_project(there / "study.ftproj"), there / "study.ftproj")
    shutil.move(there / "study.ftproj", alone)
    assert read_project(alone / "study.ftproj").clip.path == str(there / "clips" / "vortex.avi"), "where it was"
    assert read_project(alone / "study.ftproj").cameras.calibration.files == {"table": str(there / "known.csv")}
    (there / "clips" / "vortex.avi").rename(alone / "vortex.avi")
    assert read_project(alone / "study.ftproj").clip.path == str(alone / "vortex.avi"), "beside the project"
    (alone / "vortex.avi").write_bytes(b"another one")
    clip = read_project(alone / "study.ftproj").clip
    assert not clip.there, "one of another size is another clip"


def test_paths_count_from_the_project_where_they_are_files(folder: Path) -> None:
    assert relative(str(folder / "clips" / "a.avi"), folder) == "clips/a.avi"
    assert relative("sim:vortex?fps=500", folder) == "sim:vortex?fps=500"
    assert relative(f"{folder}/a.h5:/run/clip", folder / "x") == "../a.h5:/run/clip"


def test_entries_of_later_versions_are_named_and_kept(folder: Path) -> None:
    path = written(folder)
    text = path.read_text().replace("shown = 0", 'shown = 0\nstereo = ["left"]')
    text = text.replace("left_out = [3, 5]", "left_out = [3, 5]\nshutter = { global = true }")
    path.write_text(text.replace('path = "clips', 'lens = { f = 50 }\npath = "clips', 1))
    found = read_project(path)
    assert "(cameras.shutter, clips.lens, stereo)" in found.notes[0]
    setup = CameraSetup()
    setup.bring(found.cameras)
    setup.keep(replace(cameras(folder), left_out=(7,)))
    found = replace(found, cameras=setup.now)
    write_project(found, path)
    again = read_project(path)
    assert again.rest == {"stereo": ["left"]}
    assert again.clip.rest == {"lens": {"f": 50}}
    assert again.cameras == replace(cameras(folder), left_out=(7,), rest={"shutter": {"global": True}})


def test_entries_of_later_versions_about_what_is_chosen_of_cameras_are_named_and_kept(folder: Path) -> None:
    path = written(folder)
    text = path.read_text()
    text = text.replace("columns = 7", "columns = 7\nthorough = true\nweights = [1, 2]\nbundle = { robust = 2.5 }")
    text = text.replace("within_px = 2.0", 'within_px = 2.0\nsmooth = { by = "spline" }\nfilms = [{ path = "a.avi" }]')
    path.write_text(text.replace("ahead = 3", "ahead = 3\nturned = 90"))
    found = read_project(path)
    names = ("calibration.bundle", "calibration.clips.turned", "calibration.thorough", "calibration.weights",
             "places.smooth")  # fmt: skip
    assert found.notes == (f"study.ftproj holds entries that this version does not know "
                           f"({', '.join(f'cameras.{name}' for name in names)}); they are kept",)  # fmt: skip
    setup = CameraSetup()
    setup.bring(found.cameras)
    setup.keep(replace(cameras(folder), places=found.cameras.places))
    write_project(replace(found, cameras=setup.now), path)
    kept = tomllib.loads(path.read_text())["cameras"]
    assert kept["calibration"]["bundle"] == {"robust": 2.5}
    assert kept["calibration"]["thorough"] is True
    assert kept["calibration"]["weights"] == [1, 2]
    assert [row.get("turned") for row in kept["calibration"]["clips"]] == [None, 90]
    assert kept["places"]["smooth"] == {"by": "spline"}
    assert [row["path"] for row in kept["places"]["films"]] == ["a.avi"]
    other = OneCamera(""), OneCamera("sim:brownian")
    chosen = replace(found.cameras.calibration, cameras={"clips": other})
    write_project(replace(found, cameras=replace(found.cameras, calibration=chosen)), path)
    kept = tomllib.loads(path.read_text())["cameras"]
    assert "turned" not in kept["calibration"]["clips"][1], "that was said of another clip"
    chosen = replace(found.cameras.calibration, cameras={"clips": cameras(folder).calibration.cameras["clips"][1:]})
    write_project(replace(found, cameras=replace(found.cameras, calibration=chosen)), path)
    (kept,) = tomllib.loads(path.read_text())["cameras"]["calibration"]["clips"]
    assert kept["turned"] == 90, "another camera goes"


@pytest.mark.parametrize("other", ['["a.avi"]', "true", "[{ ahead = 3 }]", "{ first = 1 }"])
def test_cameras_take_the_place_of_what_is_none(folder: Path, other: str) -> None:
    path = written(folder)
    before, _, after = path.read_text().partition("[[cameras.calibration.clips]]")
    after = after[after.index("[cameras.places]") :]
    path.write_text(before.replace("columns = 7", f"columns = 7\nclips = {other}") + after)
    found = read_project(path)
    assert "(cameras.calibration.clips)" in found.notes[0]
    chosen = replace(found.cameras, calibration=cameras(folder).calibration)
    write_project(replace(found, cameras=chosen), path)
    kept = read_project(path)
    assert kept.cameras.calibration == cameras(folder).calibration
    assert kept.notes == ()


def test_entries_that_cannot_be_kept_are_named(folder: Path) -> None:
    path = written(folder)
    text = path.read_text()
    for old in ("per_px = 0.25", "fps = 1200.0"):
        assert old in text
        text = text.replace(old, f"{old}\nlater = 5")
    path.write_text(text.replace("[clips.pipeline]", "[clips.pipeline]\nlater = 5"))
    assert read_project(path).notes == ("study.ftproj holds entries that this version does not know "
                                        "(clips.pipeline.later, clips.reading.later, clips.scale.later); they are not "
                                        "kept when it is saved",)  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("fusetrack project 1", "fusetrack project 7", "later version"),
        ('format = "fusetrack project 1"', "", "no project of fusetrack"),
        ("[[clips]]", "[[other]]", "clips must be"),
        ('path = "clips/vortex.avi"', "path = 5", "path must be text"),
        ('path = "clips/vortex.avi"', 'path = "a\\u0000b"', "zero byte"),
        ("region = [40, 30, 300, 240]", "region = [40, 30, -3, 240]", "region must be"),
        ("region = [40, 30, 300, 240]", "region = [40.5, 30, 3, 240]", "region must be"),
        ("frames = [4, 12]", "frames = [12, 4]", "frames must be"),
        ("per_px = 0.25", "per_px = nan", "per_px must be a number"),
        ("per_px = 0.25", "per_px = -1", "positive"),
        ("origin = [100.0, 50.0]", "origin = [100.0]", "origin must be"),
        ("fps = 1200.0", "fps = -3.0", "positive number of frames"),
        ("frame = 7", "frame = true", "frame must be a whole number"),
        ("y_up = true", 'y_up = "up"', "y_up must be true or false"),
        ("left_out = [3, 5]", 'left_out = ["a"]', "cameras: left_out must be"),
        ("ahead = 3", "ahead = 0.5", "cameras.calibration.clips.1.: ahead must be"),
        ("ahead = 3", "ahead = 10000001", "ahead must be a whole number, from -10000000 to 10000000"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(folder: Path, old: str, new: str, why: str) -> None:
    path = written(folder)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=why) as error:
        read_project(path)
    assert "study.ftproj" in str(error.value)
    assert "\n" not in str(error.value)


def test_damaged_files_are_refused_or_read_and_never_anything_else(folder: Path) -> None:
    path = written(folder)
    data, chance = path.read_bytes(), random.Random(7)
    for _ in range(150):
        made = bytearray(data)
        for _ in range(chance.randint(1, 8)):
            made[chance.randrange(len(made))] = chance.randrange(256)
        path.write_bytes(bytes(made[: chance.randint(1, len(made))]))
        with suppress(FusetrackError):
            read_project(path).clip.graph(str(path))


def test_run_does_what_the_project_says_and_options_win(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    path = written(folder)
    assert main(["run", str(path), "--out", "a", "--no-overlay", "-q"]) == 0
    said = capsys.readouterr().out
    assert "1 correction of tracks are of the window" in said
    clip = full(folder)
    same = run_clip(clip.path, clip.graph(""), roi=clip.roi, frames=clip.frames, reading=clip.reading, out="b",
                    overlay=False, scale="0.25 mm/px", origin=Axes(100.0, 50.0, 90.0), y_up=True)  # fmt: skip
    assert len(same.tracks) > 50
    assert (folder / "a" / "tracks.csv").read_bytes() == (folder / "b" / "tracks.csv").read_bytes()
    assert "x_mm" in (folder / "a" / "tracks.csv").read_text().partition("\n")[0]
    events = (folder / "a" / "events.csv").read_text().splitlines()
    assert events[1].startswith("5,0.00416666667,on = 'set'")
    assert len(events) == 3
    assert not (folder / "b" / "events.csv").exists()
    given = replace(full(folder), reading=Reading(1200.0, turn=180))
    path = written(folder, given)
    assert main(["run", str(path), "--out", "c", "--frames", "4:6", "--no-overlay", "--scale", "2 um/px", "--fps",
                 "300"]) == 0  # fmt: skip
    facts = json.loads((folder / "c" / "summary.json").read_text())
    assert facts["source"]["time_base"]["fps"] == 300.0
    assert facts["source"]["metadata"]["turned_clockwise_deg"] == 180, "of the project"
    assert facts["range"] == [4, 6]
    assert "x_um" in (folder / "c" / "tracks.csv").read_text().partition("\n")[0]


def test_one_of_several_clips_is_named_behind_a_colon(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    second = ProjectClip("sim:blobs?frames=3", pipeline=as_document(load("blobs"), folder))
    path = written(folder, full(folder), second)
    assert main(["run", f"{path}:sim:blobs", "--out", "a", "--no-overlay", "-q"]) == 0
    assert json.loads((folder / "a" / "summary.json").read_text())["frames"]["announced"] == 3
    assert main(["run", f"{path}:nothing", "--out", "a", "-q"]) == 2
    assert "it holds vortex.avi, sim:blobs" in capsys.readouterr().err


def test_info_tells_what_is_in_a_project(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(folder)
    assert main(["info", str(path)]) == 0
    said = capsys.readouterr().out
    for words in ("a project of fusetrack", "vortex.avi", "blobs, changed", "bright.level = 0.0625", "frames 4 to 11",
                  "0.25 mm/px", "2 events", "1 correction"):  # fmt: skip
        assert words in said
    (folder / "clips" / "vortex.avi").unlink()
    assert f"cameras   {folder}/clips/vortex.avi; sim:vortex; calibrated together" in said
    assert main(["info", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["clips"][0]["clip_is_there"] is False
    assert main(["run", str(path)]) == 2
    assert "the clip of" in (said := capsys.readouterr().err)
    assert said.count("\n") == 1


def test_commands_that_want_something_else_say_what_it_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(folder)
    assert main(["msd", str(path)]) == 2
    assert "a project of fusetrack" in capsys.readouterr().err
