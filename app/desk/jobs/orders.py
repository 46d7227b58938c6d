"""What jobs of a window are asked to do; plain values, so that they can go to a process of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from app.analysis.frf_input import Signal
from app.analysis.kinematics import Wanted
from app.desk.events import Event
from app.desk.tracks.steps import Action
from app.desk.tracks.store import TrackStore
from app.exports.axes import Axes
from app.exports.path_picture import By
from app.exports.video_look import PLAIN, VideoLook
from app.labels.labels import Labels
from app.plots.look import LIGHT, Look
from app.sessions.layout import Picture
from app.sources.reading import AS_STORED, Reading
from app.stereo.calibrating import BoardSeen, Ends
from app.stereo.reconstruction import Wanted as Places
from app.training.recipe import Recipe
from pipelines.analysis.frf import Estimator
from pipelines.analysis.strain import Measure
from pipelines.features import Tracks
from pipelines.frame import TimeBase
from pipelines.frontend import Roi
from pipelines.stereo.board import Board
from pipelines.stereo.bundle import Lens

Frames = tuple[int | None, int | None]

MSD, SHAPES, FRF, MOTION, STRAIN = "msd", "shapes", "frf", "motion", "strain"
"""What is asked of tracks, by the names of the commands."""


@dataclass(frozen=True, slots=True)
class RunOrder:
    """Run a clip through a pipeline, as `fusetrack run`.

    Args:
        clip: as `open_source` takes it.
        pipeline: the definition, TOML.
        frames: first frame and one past the last; None for all.
        reading: how the clip is read, in place of what its file says.
        roi: x, y, width, height in px.
        out: folder for the results; "" for `app.results.default_folder`, or one beside it where that has results of
            other settings.
        overlay: whether to write the overlay video.
        device: what computes.
        events: that lie beside no clip, and are left with the results.
    """

    clip: str
    pipeline: str
    frames: Frames | None = None
    reading: Reading = AS_STORED
    roi: Roi | None = None
    out: str = ""
    overlay: bool = True
    device: str = "auto"
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class BatchOrder:
    """Run many clips through a pipeline, as `fusetrack batch`; what is done already is skipped.

    Args:
        clips: paths, patterns, folders.
        pipeline: the definition, TOML.
        out: the folder of all results.
        at_once: clips at a time; None for what suits the machine.
        redo: also run what is done.
        reading, overlay, device: as in `RunOrder`.
    """

    clips: tuple[str, ...]
    pipeline: str
    out: str
    at_once: int | None = None
    redo: bool = False
    reading: Reading = AS_STORED
    overlay: bool = True
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class ExportOrder:
    """Write tracks or frames in another format, as `fusetrack export`.

    Args:
        source: a folder of results, a session, a table, a clip; "" with `run` or `rows`.
        to, out: the format's name and the file.
        frames, reading: as in `RunOrder`.
        scale: such as "0.12 mm/px"; "" for pixels.
        y_up: y points up from the lowest row of pixels.
        every: also tracks that were never believed.
        guesses: predicted places too, in tables with a column a track.
        force: replace a file that exists.
        run: run this before, and export its results.
        rows: export these; `about` is what a summary says of them (`source`, `pipeline` ...).
        store: export its rows as they are corrected; what starts the job hands them over as `rows_file`.
        rows_file: a file with rows that carry `measures`, which `corrections` and the frames that are known make a
        user's.
        axes: origin and turn of the user's axes.
        names: what tracks are called.
        tracks: only these; () for all.
        clip: whose pictures the tracks are drawn into.
        colour: what the colours of paths tell.
        roi: the part of the pictures that is written; None for all.
        video: how a video looks besides.
    """

    source: str
    to: str
    out: str
    frames: Frames | None = None
    reading: Reading = AS_STORED
    scale: str = ""
    y_up: bool = False
    every: bool = False
    guesses: bool = False
    force: bool = False
    run: RunOrder | None = None
    rows: Tracks | None = None
    about: Mapping[str, object] = field(default_factory=dict)
    store: TrackStore | None = None
    rows_file: str = ""
    measures: tuple[str, ...] = ()
    corrections: tuple[Action, ...] = ()
    ranges: tuple[tuple[int, int], ...] = ()
    axes: Axes | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    tracks: tuple[int, ...] = ()
    clip: str = ""
    colour: By = "track"
    roi: Roi | None = None
    video: VideoLook = PLAIN


@dataclass(frozen=True, slots=True)
class SpectraOrder:
    """Write the spectra that a tracker left.

    Args:
        rows: of `pipelines.trackers.vibration.SPECTRA_DTYPE`.
        out: the file: .csv for a table, .png, .svg or .pdf for a figure.
        title: of the picture.
        scale, force, names: as in `ExportOrder`.
        turned: whether the user has other axes than the picture's, which do not hold for spectra.
    """

    rows: npt.NDArray[Any]
    out: str
    title: str
    scale: str = ""
    force: bool = False
    names: Mapping[int, str] = field(default_factory=dict)
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of tracks, as by `fusetrack msd`, `shapes`, `frf`, `motion` or `strain`.

    Args:
        question: "msd", "shapes", "frf", "motion" or "strain".
        chosen: only of the selected tracks.
        least, lags, noise, drift: of msd, as the options of the command; "" for the noise that suits.
        at, reference, resolution: of shapes, likewise; "" for all peaks, -1 for the point that moves most, 0 for tones.
        axis, estimator: of frf, as `reference` and `resolution` there, too; "" for the axis along which it moves more.
        signal: of frf, in place of a reference. uff: whether a universal file is written, too.
        motion: of motion, likewise.
        window, measure: of strain. between: two tracks, an extensometer; () for none. vtk: whether files for ParaView
            are written, too.
    """

    question: str
    chosen: bool = False
    least: int = 10
    lags: int = 100
    noise: str = ""
    drift: bool = False
    at: str = ""
    reference: int = -1
    resolution: float = 0.0
    axis: str = ""
    estimator: Estimator = "h1"
    signal: Signal | None = None
    uff: bool = False
    motion: Wanted = field(default_factory=Wanted)
    window: int = 5
    measure: Measure = "green-lagrange"
    between: tuple[int, ...] = ()
    vtk: bool = False


@dataclass(frozen=True, slots=True)
class AnalyseOrder:
    """Answer a question about tracks.

    Args:
        asked: what.
        out: the folder for tables and picture; what is there of these names is replaced.
        title: of the picture.
        tracks: only these; () for all.
        timed: whether times are seconds.
        exposure: s; None if unknown.
        scale: as in `ExportOrder`.
        windows: of `pipelines.trackers.registration.reference.centres.WINDOWS_DTYPE`, where points are measured; None
        without.
        subset: side of the windows that points are followed with, px; None where there are none.
        store, rows_file, measures, corrections, ranges: as in `ExportOrder`.
        look: of the picture, with the ending of its file.
    """

    asked: Question
    out: str
    title: str = ""
    tracks: tuple[int, ...] = ()
    timed: bool = True
    exposure: float | None = None
    scale: str = ""
    windows: npt.NDArray[Any] | None = None
    subset: float | None = None
    store: TrackStore | None = None
    rows_file: str = ""
    measures: tuple[str, ...] = ()
    corrections: tuple[Action, ...] = ()
    ranges: tuple[tuple[int, int], ...] = ()
    look: Look = LIGHT


@dataclass(frozen=True, slots=True)
class EventsOrder:
    """Write the events that the user has marked.

    Args:
        events: by frame.
        out: the file, a table.
        time: of the clip.
        frames: only these, the first and one past the last; None for all.
        force: write over a file that is there.
    """

    events: tuple[Event, ...]
    out: str
    time: TimeBase
    frames: tuple[int, int] | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class RetrackOrder:
    """Follow one track anew from a place that the user gave.

    Args:
        clip, pipeline, reading, roi, device: as in `RunOrder`.
        track: the number that its rows get.
        tracker: which of the pipeline's trackers follows it.
        frame, x, y: where it is, px of the whole picture.
        frames: the first frame that is processed with the pipeline, and one past the last.
    """

    clip: str
    pipeline: str
    track: int
    frame: int
    x: float
    y: float
    frames: tuple[int, int]
    tracker: int = 0
    reading: Reading = AS_STORED
    roi: Roi | None = None
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class RecordOrder:
    """Record a clip and what a pipeline finds in it into a session, as `fusetrack record`.

    Args:
        clip, pipeline, reading, roi, device: as in `RunOrder`.
        session: a new file, .mcap.
        frames: so many from the first one on; None for all.
        events: that lie beside no clip, and are left beside the session. time: of the clip, where there are some.
    """

    clip: str
    pipeline: str
    session: str
    frames: int | None = None
    reading: Reading = AS_STORED
    roi: Roi | None = None
    device: str = "auto"
    events: tuple[Event, ...] = ()
    time: TimeBase | None = None


@dataclass(frozen=True, slots=True)
class ReplayOrder:
    """Process a session again and compare its tracks, as `fusetrack replay --check`; writes nothing."""

    session: str
    device: str = "auto"


@dataclass(frozen=True, slots=True)
class RehearseOrder:
    """Try what a disk sustains.

    Args:
        folder: where the session shall be.
        picture: the type of the frames.
        fps: frames a second that are wanted, 0 if unknown.
        seconds: of the trial.
    """

    folder: str
    picture: Picture
    fps: float
    seconds: float = 3.0


@dataclass(frozen=True, slots=True)
class LabelsOrder:
    """Write labels in another format, as `fusetrack labels`.

    Args:
        labels: what is labelled.
        out: the file, whose ending tells the format; what is there is replaced.
        pictures: whether the frames are written as PNG, too.
    """

    labels: Labels
    out: str
    pictures: bool = False


@dataclass(frozen=True, slots=True)
class TrainOrder:
    """Train a network that finds labelled points, as `fusetrack train`.

    Args:
        labels: what is labelled.
        out: the network, .onnx; its pipeline and its curve lie beside it.
        recipe: how.
        resume: go on with one that was stopped.
    """

    labels: Labels
    out: str
    recipe: Recipe
    resume: bool = False


@dataclass(frozen=True, slots=True)
class CamerasOrder:
    """Look which cameras are there; in a process of its own, for makers' drivers may take long, or crash."""


@dataclass(frozen=True, slots=True)
class GivenRows:
    """Tracks of one camera: those of a file, or of a clip that the window has.

    Args:
        source: a run's folder, a table or a session; "" with `store`.
        store, rows_file, measures, corrections, ranges, names: as in `ExportOrder`.
        title: what they are called. timed: whether times are seconds. size: of the clip's pictures, px.
    """

    source: str = ""
    store: TrackStore | None = None
    rows_file: str = ""
    measures: tuple[str, ...] = ()
    corrections: tuple[Action, ...] = ()
    ranges: tuple[tuple[int, int], ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    title: str = ""
    timed: bool = True
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class SeeBoardOrder:
    """Look for a board in the clips of several cameras, as `fusetrack calibrate --board` does first.

    Args:
        clips: one of each camera.
        board, unit: which, and the unit of its square.
        offsets: frames by which each clip is ahead of the first.
        frames: of the first clip; None for all.
    """

    clips: tuple[str, ...]
    board: Board
    unit: str
    offsets: tuple[int, ...]
    frames: Frames | None = None


@dataclass(frozen=True, slots=True)
class Wand:
    """A wand whose ends were followed, as for `fusetrack calibrate --wand`.

    Args:
        length, unit: from end to end.
        ends: tracks of both, once for all cameras or for each; () to find them.
        focal: about how long focal lengths are, px; None: by trying.
        size: of the pictures, px, where tables do not say it; None for none.
    """

    length: float
    unit: str
    ends: tuple[Ends, ...] = ()
    focal: float | None = None
    size: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class CalibrateOrder:
    """Calibrate cameras, as `fusetrack calibrate`.

    Args:
        by: a board that was seen, a wand, or the path of a table of known places.
        lens: what is free of each lens.
        origin: with a board: space is the board's in this frame.
        without: frames of the first camera, or rows of the table, that do not count.
        clips: with a table: one of each camera.
        tracks: with a wand: of each camera.
        offsets: with a wand: frames by which each camera is ahead of the first.
    """

    by: BoardSeen | Wand | str
    lens: Lens = Lens.RADIAL
    origin: int | None = None
    without: tuple[int, ...] = ()
    clips: tuple[str, ...] = ()
    tracks: tuple[GivenRows, ...] = ()
    offsets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReconstructOrder:
    """Places in space, as `fusetrack reconstruct`.

    Args:
        rig: the calibration's file.
        tracks: of each of its cameras.
        wanted: how; its groups count where `alike` is not set.
        alike: things are the tracks of one name or number.
        out: the folder for the files, and for `places.npz`, of which the window draws.
    """

    rig: str
    tracks: tuple[GivenRows, ...]
    wanted: Places
    alike: bool
    out: str


JobOrder = (
    RunOrder | BatchOrder | ExportOrder | AnalyseOrder | SpectraOrder | EventsOrder | RetrackOrder | RecordOrder
    | ReplayOrder | RehearseOrder | LabelsOrder | TrainOrder | CamerasOrder | SeeBoardOrder | CalibrateOrder
    | ReconstructOrder
)


@dataclass(frozen=True, slots=True)
class Task:
    """An order, and the files of stages and trackers of the user's own that it may need."""

    order: JobOrder
    plugins: tuple[str, ...] = ()
