"""Scenes to try things on: clips that come with the program and simulated ones, each with a pipeline that suits it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.points_file import read_points
from pipelines.definition import load
from pipelines.graph import Pipeline

FOLDER = Path(__file__).resolve().parents[1] / "sample_videos"


@dataclass(frozen=True, slots=True)
class Sample:
    """A scene.

    Args:
        name: unique. title: for menus.
        what: of a clip its file in `FOLDER`; else "sim:SCENE" or "cam:...".
        pipeline: a shipped one.
        sentence: what there is to see, and what to try.
        tracker: which gets the points of the clip's truth as those to be followed, "" for none.
        mm: how long a pixel is, mm; 0 where it is unknown.
    """

    name: str
    title: str
    what: str
    pipeline: str
    sentence: str
    tracker: str = ""
    mm: float = 0.0

    @property
    def path(self) -> str:
        """What opens it."""
        return self.what if self.what.startswith(("sim:", "cam:")) else str(FOLDER / self.what)

    @property
    def there(self) -> bool:
        """Whether it can be opened: the clips are left out of some installations."""
        return self.path == self.what or Path(self.path).is_file()

    def graph(self) -> Pipeline:
        """Its pipeline, with its points."""
        made = load(self.pipeline)
        if not self.tracker:
            return made
        points = read_points(Path(self.path).with_suffix(".truth.csv"), lambda _: None)
        return made.with_settings({f"{self.tracker}.points": tuple((point[0], point[1]) for point in points)})


SAMPLES: Sequence[Sample] = (
    Sample("vortex", "&Particles in a vortex", "vortex_600fps.avi", "blobs",
           "Some 40 particles cross, leave and enter: click on one to see its path and speed"),
    Sample("face", "Skin markers on a &face", "face_markers_800fps.avi", "facial-markers",
           "14 markers on a face that sways, twitches and blinks: two are hidden for 65 frames and found again"),
    Sample("ball", "A &ball in free fall", "falling_ball_1000fps.avi", "objects",
           "A pixel is 2 mm: in the panel Analysis choose Motion and the fit parabola to find g", mm=2.0),
    Sample("beam", "A beam that &vibrates", "beam_1000fps.avi", "vibration",
           "It moves by less than a pixel: play it through, then Spectrum under Traces and Shapes under Analysis show "
           "its modes at 22, 73 and 138 Hz", tracker="follow"),
    Sample("beads", "Beads in Brownian &motion", "sim:brownian", "blobs",
           "Their diffusion coefficient is known: play it through, then Diffusion under Analysis finds it"),
    Sample("bars", "Blobs that pass behind ba&rs", "sim:bars", "blobs",
           "Each keeps its number behind a bar: guesses are drawn there, with their growing uncertainty (U)"),
    Sample("insects", "&Insects before a textured ground", "sim:insects", "insects",
           "They dart about with sharp turns before a still ground, which is taken off"),
    Sample("targets", "&Quadrant targets of a crash test", "sim:targets", "quadrant-targets",
           "A small network finds where the sectors meet while shadows pass over them"),
    Sample("camera", "A &simulated camera", "cam:sim?scene=vortex&fps=200", "blobs",
           "Live pictures at 200 frames/s: Record writes them with their tracks, Throughput shows what is lost"),
)  # fmt: skip
