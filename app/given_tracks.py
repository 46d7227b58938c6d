"""The tracks that a command was given: a run's folder, a table, or a session with what was tracked while it was
recorded; with what is known of their clip."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from app.analysis.motion import ClipTimes, clip_times, clip_times_of
from app.exports.tables import read_tracks
from app.path_kinds import Kind, what_is
from app.provenance import source_facts
from app.results import HOME
from app.safe_names import safe_file_name
from app.sources.opening import open_source
from app.sources.session import SessionSource
from kernels.errors import InputError
from pipelines.features import Tracks

WANTED = "a run's folder, a table of tracks or a recorded session"


@dataclass(frozen=True, slots=True)
class GivenTracks:
    """See the module.

    Args:
        rows: of TRACK_DTYPE, with the measures that are there, those that were never believed among them.
        source: the table or session, as sentences name it.
        home: of a run or a table its folder, of a session one below `HOME`: where results go unless the user says
            otherwise.
        title: what figures are called.
        times: what is known of the clip's times.
    """

    rows: Tracks
    source: Path
    home: Path
    title: str
    times: ClipTimes


def given_tracks(text: str) -> GivenTracks:
    """The tracks of a run's folder, a table or a session.

    Raises:
        InputError: it is something else, damaged, or holds none.
    """
    what = what_is(text)
    if what.kind is Kind.SESSION:
        return _of_session(what.path)
    table = table_of(text)
    home = table.parent
    return GivenTracks(read_tracks(table), table, home, home.name or table.name, clip_times_of(home))


def table_of(text: str) -> Path:
    """The table of tracks that is meant: of a run's folder the exacter of its own.

    Raises:
        InputError: it is something that has none.
    """
    what = what_is(text)
    if what.table is not None:
        return what.table
    if what.path.is_file() and what.kind not in (Kind.CLIP, Kind.IMAGES, Kind.SESSION, Kind.BATCH, Kind.PIPELINE,
                                                    Kind.OWN_PROJECT):
        return what.path  # reading it tells what is wrong
    raise InputError(what.wrong(WANTED))


def _of_session(path: Path) -> GivenTracks:
    with closing(open_source(path)) as source:
        assert isinstance(source, SessionSource)
        rows = source.tracks()
        if not len(rows):
            raise InputError(f"{path} was recorded without tracks; `fusetrack replay {path} --pipeline NAME` finds "
                             "some")  # fmt: skip
        times = clip_times(source_facts(source.info))
    return GivenTracks(rows, path, HOME / safe_file_name(path.stem), path.name, times)
