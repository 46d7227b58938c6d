"""A project: clips with all that was set, placed, marked and corrected on them, in one file (.ftproj) that people can
read, that moves with its folder, and that the window and the commands open.

The file is TOML. Paths in it count from its folder; an entry that this version does not know is kept when the file is
written again, and said when it is read. What a clip's own files beside it hold (CLIP.events.csv, CLIP.corrections.json)
stays there: a project has copies of it as of when it was saved, which count only where these files are missing.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit

from app.channels.channel import Channel, ChannelColumn
from app.files.atomic import write_bytes
from app.runs import bytes_of, is_there, nearby
from app.sources.formats import split
from app.sources.reading import AS_STORED, Reading
from app.version import __version__
from kernels.errors import InputError, SourceError
from kernels.plugins import find_stage
from pipelines.definition import from_document
from pipelines.frontend import Roi
from pipelines.graph import Node, Pipeline, find_tracker
from pipelines.writing import dumps

FORMAT = "fusetrack project 1"
"""The number rises when files of this version cannot be understood by earlier ones any more."""
MOST_BYTES = 256 << 20
"""What a project may have: tracks that were followed anew are some megabytes; more is no project."""
Presets = Mapping[str, Mapping[str, str]]
"""Settings of cameras (`app.cameras.controls`), by the name that they were kept under."""
CAMERA_FILES = ("table", "calibration")
"""Names of what is a path among what is chosen about several cameras."""
CAMERA_FORMS = ("calibration", "places")
"""What is chosen to calibrate several cameras, and to find places in space."""
FAR = 10_000_000
"""Frames that a camera may be ahead of another one."""
_NAMED = ("cam:", "sim:")
_PIPELINE = ("name", "summary", "notes", "taps", "stages", "trackers", "plan")


@dataclass(frozen=True, slots=True)
class ProjectScale:
    """Scale, origin and axes of a clip (`app.desk.tracks.calibration.Calibration`).

    Args:
        per_px, unit: how long a pixel is; 1 px without a scale.
        origin: x, y in px of the picture.
        angle: of the x axis, degrees, counter-clockwise on the screen.
        y_up: whether y points up.
        pixels: whether pixels were looked at all the same.
    """

    per_px: float = 1.0
    unit: str = "px"
    origin: tuple[float, float] = (0.0, 0.0)
    angle: float = 0.0
    y_up: bool = False
    pixels: bool = False


@dataclass(frozen=True, slots=True)
class SecondClip:
    """A clip of another camera that is shown beside.

    Args:
        path: what `open_source` takes.
        run: folder of a run's results whose tracks are shown over it; "" for none.
        reading: how it is read.
        offset: s that are added to its times to give those of the first clip.
    """

    path: str
    run: str = ""
    reading: Reading = AS_STORED
    offset: float = 0.0

    @property
    def name(self) -> str:
        """For people."""
        return self.path.partition("?")[0] if self.path.startswith(_NAMED) else Path(self.path).name


@dataclass(frozen=True, slots=True)
class ProjectClip:
    """A clip of a project and what was done on it.

    Args:
        path: what `open_source` takes: a path, "sim:SCENE", "cam:...".
        run: folder of a run's results whose tracks are shown; "" for none.
        bytes: of its file when the project was saved, -1 where it is none.
        reading: how it is read.
        roi: x, y, width, height in px; None for the whole picture.
        frames: those between the marks, first and one past the last; None for all.
        frame: that was shown.
        pipeline: its definition, as `tomllib` would read it.
        pipeline_from: the file that it was read from or saved to, or the name of a shipped one; "" for neither.
        changed: whether it differs from what is in the file.
        scale: None in pixels of the picture.
        events: (frame, name), by frame; None where none were ever known.
        channels: the data channels that lie beside it.
        second: the clip that is shown beside it; None for none.
        corrections: of its tracks, as `app.desk.sidecars.corrections_file` writes them; None for none.
        rest: entries that this version does not know.
    """

    path: str
    run: str = ""
    bytes: int = -1
    reading: Reading = AS_STORED
    roi: Roi | None = None
    frames: tuple[int, int] | None = None
    frame: int = 0
    pipeline: Mapping[str, Any] = field(default_factory=dict)
    pipeline_from: str = ""
    changed: bool = False
    scale: ProjectScale | None = None
    events: tuple[tuple[int, str], ...] = ()
    corrections: Mapping[str, Any] | None = None
    rest: Mapping[str, Any] = field(default_factory=dict)
    channels: tuple[Channel, ...] = ()
    second: SecondClip | None = None

    @property
    def name(self) -> str:
        """For people."""
        return self.path.partition("?")[0] if self.path.startswith(_NAMED) else Path(self.path).name

    @property
    def there(self) -> bool:
        """Whether its file is where it was looked for."""
        return self.path.startswith("cam:") or is_there(self.path)

    def graph(self, where: str) -> Pipeline:
        """Its pipeline.

        Args:
            where: the project's file: networks are looked for beside it.

        Raises:
            DefinitionError: it is wrong, or needs a plug-in that is not there.
        """
        return from_document(self.pipeline, where)


@dataclass(frozen=True, slots=True)
class OneCamera:
    """What is chosen of one of several cameras.

    Args:
        path: its clip or its tracks; "" for none, or for what is open in the window.
        ahead: frames by which it is ahead of the first camera.
    """

    path: str
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is chosen in a form about several cameras.

    Args:
        values: words and numbers by name.
        files: paths by name.
        cameras: of each list of cameras what each of them has.
    """

    values: Mapping[str, str | int | float] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    cameras: Mapping[str, tuple[OneCamera, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeveralCameras:
    """Cameras that are calibrated together, and what is followed by them.

    Args:
        calibration, places: what is chosen to calibrate them, and to find places in space.
        left_out: numbers of pictures, or of known places, that do not count.
        rig: the calibration, as its file has it (`app.stereo.rig`, JSON); "" for none yet.
        rest: entries that this version does not know; those of "calibration" and "places", and of the cameras in
            these, too, beside the path that each camera had.
    """

    calibration: Chosen = field(default_factory=Chosen)
    places: Chosen = field(default_factory=Chosen)
    left_out: tuple[int, ...] = ()
    rig: str = ""
    rest: Mapping[str, Any] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether no file was chosen, nothing is calibrated, and a file has nothing else of them."""
        forms = (self.calibration, self.places)
        paths = [one.path for form in forms for rows in form.cameras.values() for one in rows]
        files = [path for form in forms for path in form.files.values()]
        return not (self.rig or self.rest or any((*paths, *files)))


NO_CAMERAS = SeveralCameras()


@dataclass(frozen=True, slots=True)
class Project:
    """What a project's file holds.

    Args:
        clips: one at least.
        shown: the number of the one that is shown.
        window: what was seen of the window: plain values by name.
        rest: entries that this version does not know.
        notes: what is to be said of the file.
        presets: settings of cameras.
        cameras: that are calibrated together.
    """

    clips: tuple[ProjectClip, ...]
    shown: int = 0
    window: Mapping[str, Any] = field(default_factory=dict)
    rest: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    presets: Presets = field(default_factory=dict)
    cameras: SeveralCameras = NO_CAMERAS

    @property
    def clip(self) -> ProjectClip:
        """That which is shown."""
        return self.clips[self.shown]


def as_document(pipeline: Pipeline, folder: Path) -> dict[str, Any]:
    """A pipeline's definition for a project in a folder; files that it names count from there."""
    made: dict[str, Any] = tomllib.loads(dumps(pipeline))
    for kind, nodes in (("stages", pipeline.nodes), ("trackers", pipeline.trackers)):
        for node in nodes:
            declared = find_stage(node.stage).params if isinstance(node, Node) else find_tracker(node.tracker).params
            table = made[kind][node.id]
            for param in declared:
                value = table.get(param.name)
                if param.content is not None and isinstance(value, str) and Path(value).is_file():
                    table[param.name] = relative(value, folder)
    return made


def relative(path: str, folder: Path) -> str:
    """A path as a project in `folder` has it: from there where that can be, with slashes; scenes, cameras and
    addresses as they are."""
    if not path or path.startswith(_NAMED) or "://" in path:
        return path
    file, part = split(path)
    try:
        made = Path(os.path.relpath(os.path.abspath(file), folder.resolve() if folder.exists() else folder)).as_posix()
    except ValueError:  # another drive of Windows
        made = Path(os.path.abspath(file)).as_posix()
    return f"{made}:{part}" if part else made


def located(path: str, folder: Path, size: int = -1, was: str = "") -> str:
    """Where a path of a project in `folder` leads: beside it, where it was when the project was saved (which has moved
    alone then), or where a file of that name and size lies nearby; what is not found is beside it.

    Args:
        path: as `relative` made it.
        folder: of the project.
        size: bytes of the file, -1 where it is unknown.
        was: its whole path then, "" where it is unknown.
    """
    if not path or path.startswith(_NAMED) or "://" in path:
        return path
    file, part = split(path)
    first = os.path.normpath(folder.absolute() / file)
    wanted = f"{first}:{part}" if part else first
    if is_there(wanted):
        return wanted
    if was and is_there(was) and (size < 0 or bytes_of(was) in (size, -1)):
        return was
    tail = "/" + "/".join(one for one in Path(file).parts if one not in ("..", "/"))
    near = nearby(f"{tail}:{part}" if part else tail, folder.absolute())
    return next((one for one in near if size < 0 or bytes_of(one) in (size, -1)), wanted)


# ---------------------------------------------------------------------------------------------------------- writing


def write_project(project: Project, path: Path) -> bytes:
    """Write a project, all or nothing; what was written is returned.

    Raises:
        InputError: the file cannot be written.
    """
    folder = path.parent
    document: dict[str, Any] = {"format": FORMAT, "version": __version__, "shown": project.shown, **project.rest}
    if project.window:
        document["window"] = dict(project.window)
    if project.presets:
        document["camera_presets"] = {name: dict(values) for name, values in project.presets.items()}
    document["clips"] = [_clip_document(clip, folder) for clip in project.clips]
    if not project.cameras.empty:
        document["cameras"] = _cameras_document(project.cameras, folder)
    text = tomlkit.dumps(_ordered(document))
    name = shlex.quote(path.name)
    head = f"# A project of fusetrack: `fusetrack gui {name}` opens it, `fusetrack run {name}` runs it.\n"
    data = f"{head}{text}".encode()
    write_bytes(path.resolve(), data)  # a link stays one
    return data


def _clip_document(clip: ProjectClip, folder: Path) -> dict[str, Any]:
    shared = clip.pipeline_from and (Path(clip.pipeline_from).is_absolute())
    made: dict[str, Any] = {"path": relative(clip.path, folder)}
    if made["path"] != clip.path:
        made["was"] = clip.path
    if clip.run:
        made["run"] = relative(clip.run, folder)
    if clip.bytes >= 0:
        made["bytes"] = clip.bytes
    reading = _reading_document(clip.reading)
    for name, value in (("region", clip.roi), ("frames", clip.frames)):
        if value is not None:
            made[name] = list(value)
    made["frame"] = clip.frame
    if clip.pipeline_from:
        made["pipeline_from"] = relative(clip.pipeline_from, folder) if shared else clip.pipeline_from
        made["pipeline_changed"] = clip.changed
    made |= clip.rest
    if reading:
        made["reading"] = reading
    if (scale := clip.scale) is not None:
        made["scale"] = {"per_px": scale.per_px, "unit": scale.unit, "origin": list(scale.origin),
                         "angle": scale.angle, "y_up": scale.y_up, "pixels": scale.pixels}  # fmt: skip
    made["pipeline"] = clip.pipeline
    if clip.events:
        made["events"] = [{"frame": frame, "name": name} for frame, name in clip.events]
    if clip.channels:
        made["channel"] = _channel_document(clip.channels[0], folder)
        if clip.channels[1:]:  # behind that which versions before several read
            made["more_channels"] = [_channel_document(one, folder) for one in clip.channels[1:]]
    if (second := clip.second) is not None:
        made["second"] = {"path": relative(second.path, folder), "was": second.path, "offset_s": second.offset}
        made["second"] |= {"run": relative(second.run, folder)} if second.run else {}
        if known := _reading_document(second.reading):
            made["second"]["reading"] = known
    if clip.corrections is not None:
        made["corrections"] = clip.corrections
    return made


def _reading_document(reading: Reading) -> dict[str, Any]:
    found = {"fps": reading.fps, "bits": reading.bits, "turn": reading.turn or None,
             "gaps": None if reading.gaps else False}  # fmt: skip
    return {name: value for name, value in found.items() if value is not None}


def _channel_document(channel: Channel, folder: Path) -> dict[str, Any]:
    made: dict[str, Any] = {"path": relative(channel.path, folder), "was": channel.path, "offset_s": channel.offset}
    made |= {name: value for name, value in (
        ("time", channel.time), ("time_unit", channel.time_unit), ("rate", channel.rate),
        ("delimiter", channel.delimiter), ("decimal", channel.decimal)) if value}  # fmt: skip
    made["columns"] = [{"name": one.name, "unit": one.unit, "factor": one.factor} for one in channel.columns]
    return made


def _cameras_document(cameras: SeveralCameras, folder: Path) -> dict[str, Any]:
    rest = dict(cameras.rest)
    made: dict[str, Any] = {name: value for name, value in rest.items() if name not in CAMERA_FORMS}
    if cameras.left_out:
        made["left_out"] = list(cameras.left_out)
    if cameras.rig:
        made["rig"] = tomlkit.string(cameras.rig, literal="'''" not in cameras.rig, multiline=True)
    for name, form in zip(CAMERA_FORMS, (cameras.calibration, cameras.places), strict=True):
        unknown = rest.get(name, {})
        table: dict[str, Any] = {**unknown, **form.values}
        for key, path in form.files.items():
            table[key] = relative(path, folder)
            if table[key] != path:
                table[f"{key}_was"] = path
        for key, rows in form.cameras.items():
            table[key] = [{"path": relative(one.path, folder), "was": one.path, "ahead": one.ahead} for one in rows]
            more = unknown.get(key)  # anything where a file has no cameras there
            left = [one for one in more if isinstance(one, dict)] if isinstance(more, list) else []
            for row in table[key]:  # what is known of a clip is not true of another one
                known = next((n for n, one in enumerate(left) if one.get("path") == row["was"]), None)
                if known is not None:
                    row |= {**left.pop(known), **row}
        made[name] = table
    return made


def _ordered(value: Any) -> Any:
    """Plain values before tables, which would swallow what comes behind them."""
    if isinstance(value, Mapping):
        items = sorted(value.items(), key=lambda item: _is_table(item[1]))
        return {str(key): _ordered(one) for key, one in items if one is not None}
    if isinstance(value, list | tuple):
        return [_ordered(one) for one in value]
    return value


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list | tuple) and bool(value) and all(
        isinstance(one, Mapping) for one in value))  # fmt: skip


# ---------------------------------------------------------------------------------------------------------- reading


def read_project(path: str | os.PathLike[str]) -> Project:
    """What a project's file holds, with its clips where they are now (`ProjectClip.there`).

    Raises:
        InputError: the file cannot be read, or holds no project that this version understands.
    """
    return parse_project(*_document(Path(path)))


def _document(path: Path) -> tuple[Mapping[str, Any], Path]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} is no project of fusetrack: it has more than {MOST_BYTES >> 20} MB")
        text = path.read_bytes().decode("utf-8-sig")
        return tomllib.loads(text), path
    except UnicodeDecodeError:
        raise InputError(f"{path} is no project of fusetrack: it is no text in UTF-8") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"{path} is no project of fusetrack that can be read: {why}") from None


def parse_project(document: Mapping[str, Any], path: Path) -> Project:
    """What a document says.

    Args:
        document: as `tomllib` reads it.
        path: of its file, for complaints and from whose folder its paths count.

    Raises:
        InputError: it is no project that this version understands.
    """
    said = document.get("format")
    match = re.fullmatch(r"fusetrack project (\d{1,9})", said) if isinstance(said, str) else None
    if match is None:
        raise InputError(f"{path} is no project of fusetrack: it has no format = {FORMAT!r}")
    if int(match.group(1)) > int(FORMAT.rpartition(" ")[2]):
        raise InputError(f"{path} was written by a later version of fusetrack ({document.get('version', said)}); this "
                         f"is {__version__}, which reads {FORMAT!r}")  # fmt: skip
    read = _Fields(document, str(path))
    clips = read.tables("clips")
    if not clips:
        raise InputError(f"{path} holds no clip; a project has one at least")
    shown, window = read.whole("shown", 0, 0), read.table("window")
    presets = presets_of(read.table("camera_presets"))
    cameras = _cameras(read, path.absolute().parent)
    read.known("format", "version")
    unknown = [read]
    made = []
    for number, table in enumerate(clips):
        one = _Fields(table, f"{path}: clips[{number}]")
        made.append(_clip(one, path.absolute().parent))
        unknown.append(one)
    names = sorted({f"{'' if one is read else 'clips.'}{name}" for one in unknown for name in one.rest}
                   | set(_unknown_of_cameras(cameras)))  # fmt: skip
    lost = sorted({f"clips.{name}" for one in unknown[1:] for name in one.lost})
    notes = [f"{path.name} holds entries that this version does not know ({', '.join(those)}); they are {fate}"
             for those, fate in ((names, "kept"), (lost, "not kept when it is saved")) if those]  # fmt: skip
    return Project(tuple(made), min(shown, len(made) - 1), window, read.rest, tuple(notes), presets,
                   cameras)  # fmt: skip


def _unknown_of_cameras(cameras: SeveralCameras) -> Iterator[str]:
    """Names of what this version does not know of several cameras."""
    for name, value in cameras.rest.items():
        if name not in CAMERA_FORMS:
            yield f"cameras.{name}"
            continue
        for key, inner in value.items():
            rows = getattr(cameras, name).cameras.get(key)
            if rows is None:
                yield f"cameras.{name}.{key}"
            else:
                yield from (f"cameras.{name}.{key}.{one}" for row in inner for one in row if one != "path")


def presets_of(found: object) -> Presets:
    """Settings of cameras as JSON or TOML has them; what is none is left out."""
    if not isinstance(found, Mapping):
        return {}
    return {str(name): {str(one): _setting(value) for one, value in values.items()}
            for name, values in found.items() if isinstance(values, Mapping)}  # fmt: skip


def _setting(value: object) -> str:
    """As an address has it; people write numbers and flags without quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _clip(read: _Fields, folder: Path) -> ProjectClip:
    size = read.whole("bytes", -1, -1)
    path = read.text("path")
    if not path:
        raise InputError(f"{read.where} has no path")
    run, was = read.text("run"), read.text("was")
    if "\0" in path + run + was:
        raise InputError(f"{read.where}: path holds a zero byte, which no file's name has")
    roi, frames = read.numbers("region", 4), read.numbers("frames", 2)
    if roi is not None and not (min(roi[:2]) >= 0 and min(roi[2:]) > 0):
        raise InputError(f"{read.where}: region must be x, y, width and height in px, not {list(roi)}")
    if frames is not None and not 0 <= frames[0] < frames[1]:
        raise InputError(f"{read.where}: frames must be the first and one past the last, not {list(frames)}")
    source = read.text("pipeline_from")
    shipped = not source.endswith(".toml")
    return ProjectClip(
        located(path, folder, size, was), located(run, folder), size, _reading(read),
        None if roi is None else (roi[0], roi[1], roi[2], roi[3]), None if frames is None else (frames[0], frames[1]),
        read.whole("frame", 0, 0), _pipeline(read), source if shipped else located(source, folder),
        read.flag("pipeline_changed"), _scale(read), _events(read), read.table("corrections") or None, read.rest,
        _channels(read, folder), _second(read, folder),
    )  # fmt: skip


def _pipeline(read: _Fields) -> Mapping[str, Any]:
    made = read.table("pipeline")
    if not made.get("stages") and not made.get("trackers"):
        raise InputError(f"{read.where} has no pipeline with stages or trackers")
    read.inside(made, "pipeline").known(*_PIPELINE)
    return {name: value for name, value in made.items() if name in _PIPELINE}


def _reading(read: _Fields) -> Reading:
    inner = read.inside(read.table("reading"), "reading")
    fps = inner.number("fps", 0.0)
    try:
        return Reading(fps or None, inner.whole("bits", 0, 0) or None, inner.whole("turn", 0, 0),
                       inner.flag("gaps", True))  # fmt: skip
    except SourceError as error:
        raise InputError(f"{read.where}.reading: {error}") from None


def _scale(read: _Fields) -> ProjectScale | None:
    table = read.table("scale")
    if not table:
        return None
    inner = read.inside(table, "scale")
    per_px, unit = inner.number("per_px", 1.0), inner.text("unit", "px")
    if not per_px > 0:
        raise InputError(f"{inner.where}: per_px must be a positive number of {unit} a pixel, not {per_px}")
    inner.known("origin")
    origin = table.get("origin", [0.0, 0.0])
    if not (isinstance(origin, list) and len(origin) == 2 and all(map(_finite, origin))):
        raise InputError(f"{inner.where}: origin must be x and y in px of the picture, not {origin!r}")
    return ProjectScale(per_px, unit, (float(origin[0]), float(origin[1])), inner.number("angle", 0.0),
                        inner.flag("y_up"), inner.flag("pixels"))  # fmt: skip


def _second(read: _Fields, folder: Path) -> SecondClip | None:
    table = read.table("second")
    if not table:
        return None
    inner = read.inside(table, "second")
    path, run, was = inner.text("path"), inner.text("run"), inner.text("was")
    if not path or "\0" in path + run + was:
        raise InputError(f"{inner.where} has no path of a clip")
    return SecondClip(located(path, folder, -1, was), located(run, folder), _reading(inner),
                      inner.number("offset_s", 0.0))  # fmt: skip


def _cameras(read: _Fields, folder: Path) -> SeveralCameras:
    table = read.table("cameras")
    if not table:
        return NO_CAMERAS
    inner = _Fields(table, f"{read.where}: cameras")
    numbers = table.get("left_out", [])
    if not (isinstance(numbers, list) and all(type(number) is int for number in numbers)):
        raise InputError(f"{inner.where}: left_out must be whole numbers, not {_short(numbers)}")
    inner.known("left_out")
    forms = [_chosen(inner, name, folder) for name in CAMERA_FORMS]
    unknown = {name: rest for name, (_, rest) in zip(CAMERA_FORMS, forms, strict=True) if rest}
    return SeveralCameras(forms[0][0], forms[1][0], tuple(numbers), inner.text("rig"), inner.rest | unknown)


def _chosen(read: _Fields, name: str, folder: Path) -> tuple[Chosen, Mapping[str, Any]]:
    """What is chosen, and what this version does not know of it."""
    inner = _Fields(read.table(name), f"{read.where}.{name}")
    unknown: dict[str, Any] = {}
    values: dict[str, str | int | float] = {}
    files: dict[str, str] = {}
    cameras: dict[str, tuple[OneCamera, ...]] = {}
    for key in CAMERA_FILES:
        if key in inner.rest:
            files[key] = _located(inner, key, folder, f"{key}_was")
    for key, value in dict(inner.rest).items():
        if isinstance(value, list) and all(isinstance(row, dict) and "path" in row for row in value):
            rows = [_Fields(row, f"{inner.where}.{key}[{number}]") for number, row in enumerate(value)]
            cameras[key] = tuple(OneCamera(_located(row, "path", folder), row.whole("ahead", 0, -FAR, FAR))
                                 for row in rows)  # fmt: skip
            if any(row.rest for row in rows):
                unknown[key] = [{"path": one.path, **row.rest} for one, row in zip(cameras[key], rows, strict=True)]
        elif isinstance(value, str) or _finite(value):
            values[key] = value
        else:
            unknown[key] = value
    return Chosen(values, files, cameras), unknown


def _located(read: _Fields, name: str, folder: Path, old: str = "was") -> str:
    path, was = read.text(name), read.text(old)
    if "\0" in path + was:
        raise InputError(f"{read.where}: {name} holds a zero byte, which no file's name has")
    return located(path, folder, -1, was)


def _channels(read: _Fields, folder: Path) -> tuple[Channel, ...]:
    first, more = read.table("channel"), read.tables("more_channels")
    tables = [(first, "channel")] if first else []
    tables += [(table, f"more_channels[{number}]") for number, table in enumerate(more)]
    return tuple(_channel(read.inside(table, name), folder) for table, name in tables)


def _channel(inner: _Fields, folder: Path) -> Channel:
    path, was = inner.text("path"), inner.text("was")
    if not path or "\0" in path + was:
        raise InputError(f"{inner.where} has no path of a file")
    columns = []
    for number, one in enumerate(inner.tables("columns")):
        column = inner.inside(one, f"columns[{number}]")
        columns.append(ChannelColumn(column.text("name"), column.text("unit"), column.number("factor", 1.0)))
    try:
        return Channel(located(path, folder, -1, was), tuple(columns), inner.text("time"), inner.text("time_unit"),
                       inner.number("rate", 0.0) or None, inner.text("delimiter"), inner.text("decimal"),
                       inner.number("offset_s", 0.0))  # fmt: skip
    except InputError as error:
        raise InputError(f"{inner.where}: {error}") from None


def _events(read: _Fields) -> tuple[tuple[int, str], ...]:
    made = set()
    for number, table in enumerate(read.tables("events")):
        inner = read.inside(table, f"events[{number}]")
        name = " ".join(inner.text("name").split())
        if not name:
            raise InputError(f"{inner.where} has no name")
        made.add((inner.whole("frame", -1, 0), name))
    return tuple(sorted(made))


def _finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


class _Fields:
    """Takes the entries of a table one by one; what is of another type is said.

    Args:
        table: the entries.
        where: begins each complaint.

    Attributes:
        rest: what was not asked for.
        lost: names of what was not asked for of tables in it (`inside`).
    """

    def __init__(self, table: Mapping[str, Any], where: str) -> None:
        self._table, self.where = table, where
        self.rest = dict(table)
        self._inner: list[tuple[str, _Fields]] = []

    def inside(self, table: Mapping[str, Any], name: str) -> _Fields:
        """The entries of a table in it, of which those that are not asked for are not kept."""
        made = _Fields(table, f"{self.where}.{name}")
        self._inner.append((re.sub(r"\[\d+\]", "", name), made))
        return made

    @property
    def lost(self) -> Iterator[str]:
        for name, inner in self._inner:
            yield from (f"{name}.{one}" for one in (*inner.rest, *inner.lost))

    def known(self, *names: str) -> None:
        """These belong to it."""
        for name in names:
            self.rest.pop(name, None)

    def _take(self, name: str, default: Any, good: Any, what: str) -> Any:
        self.rest.pop(name, None)
        value = self._table.get(name, default)
        if not good(value):
            raise InputError(f"{self.where}: {name} must be {what}, not {_short(value)}")
        return value

    def text(self, name: str, default: str = "") -> str:
        return str(self._take(name, default, lambda v: isinstance(v, str), "text"))

    def flag(self, name: str, default: bool = False) -> bool:
        return bool(self._take(name, default, lambda v: isinstance(v, bool), "true or false"))

    def number(self, name: str, default: float) -> float:
        return float(self._take(name, default, _finite, "a number"))

    def whole(self, name: str, default: int, least: int, most: int = (1 << 62) - 1) -> int:
        def good(value: Any) -> bool:
            return type(value) is int and (value == default or least <= value <= most)

        above = f"{least} or more" if most >> 61 else f"from {least} to {most}"
        return int(self._take(name, default, good, f"a whole number, {above}"))

    def numbers(self, name: str, count: int) -> tuple[int, ...] | None:
        def good(value: Any) -> bool:
            return value is None or (isinstance(value, list) and len(value) == count and all(
                type(one) is int and abs(one) < 1 << 31 for one in value))  # fmt: skip

        value = self._take(name, None, good, f"{count} whole numbers")
        return None if value is None else tuple(value)

    def table(self, name: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._take(name, {}, lambda v: isinstance(v, dict), f"a table: [{name}]")
        return found

    def tables(self, name: str) -> Sequence[Mapping[str, Any]]:
        found: Sequence[Mapping[str, Any]] = self._take(name, [], lambda v: isinstance(v, list) and all(
            isinstance(one, dict) for one in v), f"tables: [[{name}]]")  # fmt: skip
        return found


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
