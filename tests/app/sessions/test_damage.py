"""Cut, flipped and zeroed files: every group that is whole is served as it was recorded, and nothing else is."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.sessions.proof import prove
from app.sessions.proof_words import describe
from app.sessions.reader import SessionReader, SessionState, open_session
from app.sessions.repair import repair
from kernels.errors import BadFrame, SourceError
from tests.app.sessions.made import SMALL, pixels, write

FRAMES = 60


@pytest.fixture(scope="module")
def base(tmp_path_factory: Any) -> tuple[Path, list[tuple[int, int]]]:
    """An unclosed and a closed session with the same frames, and where each write ended."""
    folder = tmp_path_factory.mktemp("base")
    write(folder / "closed.mcap", range(FRAMES), every=11)
    return folder, write(folder / "open.mcap", range(FRAMES), every=11, close=False)


def served(path: Path) -> list[int]:
    """The numbers of the frames that can be read, each compared with what was recorded."""
    made = []
    with open_session(path) as session:
        for k, sequence in enumerate(session.rows["sequence"].tolist()):
            try:
                assert (session.read(k) == pixels(SMALL, sequence)).all()
            except BadFrame:
                continue
            made.append(sequence)
    return made


@given(data=st.data(), closed=st.booleans())
@settings(max_examples=100, deadline=None)
def test_cut_anywhere(base: Any, tmp_path_factory: Any, data: Any, closed: bool) -> None:
    folder, steps = base
    whole = (folder / ("closed.mcap" if closed else "open.mcap")).read_bytes()
    near = st.sampled_from([position for position, _ in steps]).flatmap(lambda p: st.integers(p - 60, p + 60))
    cut = min(len(whole), data.draw(st.one_of(st.integers(0, len(whole)), near)))
    path = tmp_path_factory.mktemp("cut") / "a.mcap"
    path.write_bytes(whole[:cut])
    if cut < steps[0][0]:
        with pytest.raises(SourceError, match=r"a\.mcap"):
            open_session(path)
        assert path.read_bytes() == whole[:cut]
        return
    expected = max((count for position, count in steps if position <= cut), default=0)
    with SessionReader(path) as session:  # without a repair
        assert len(session) == expected
    assert served(path) == list(range(expected))
    with SessionReader(path) as session:  # after it
        assert session.state is SessionState.FINISHED
        assert len(session) == expected
        assert prove(session).damaged == ()
    before = path.read_bytes()
    assert not repair(path).needed
    assert path.read_bytes() == before
    assert before[: min(cut, steps[-1][0])].startswith(whole[: max(p for p, _ in steps if p <= cut)])


def test_stock_readers_after_a_repair(base: Any, tmp_path: Path) -> None:
    reader_of = pytest.importorskip("mcap.reader").make_reader
    folder, steps = base
    whole = (folder / "open.mcap").read_bytes()
    for k, (position, count) in enumerate(steps):
        path = tmp_path / f"{k}.mcap"
        path.write_bytes(whole[: position + 4000])
        done = repair(path)
        assert done.needed
        assert done.frames == max(n for p, n in steps if p <= position + 4000)
        with path.open("rb") as file:
            reader = reader_of(file, validate_crcs=True)
            found = [m.sequence for _, _, m in reader.iter_messages(topics=["/camera/image"], log_time_order=False)]
            assert reader.get_summary() is not None
        assert found == list(range(done.frames))
        assert done.frames >= count


@pytest.mark.parametrize("closed", [True, False])
def test_a_group_that_looks_like_the_end(base: Any, tmp_path: Path, closed: bool) -> None:
    """Only its opcode is damaged, into that of the end of the data: the groups behind it are there all the same."""
    folder, steps = base
    whole = bytearray((folder / ("closed.mcap" if closed else "open.mcap")).read_bytes())
    for number, at in enumerate(position for position, _ in steps[2:8]):
        changed = bytearray(whole)
        changed[at] = 0x0F
        path = tmp_path / f"{number}.mcap"
        path.write_bytes(changed)
        assert FRAMES - len(served(path)) <= 11


@given(data=st.data(), closed=st.booleans())
@settings(max_examples=100, deadline=None)
def test_damaged_anywhere(base: Any, tmp_path_factory: Any, data: Any, closed: bool) -> None:
    """One damaged stretch of up to 3 bytes takes the frames of one group at most, and no wrong pixel is served."""
    folder, steps = base
    whole = bytearray((folder / ("closed.mcap" if closed else "open.mcap")).read_bytes())
    heads = st.sampled_from([position for position, _ in steps]).flatmap(lambda p: st.integers(p - 900, p + 200))
    at = max(0, min(len(whole) - 1, data.draw(st.one_of(st.integers(0, len(whole) - 1), heads))))
    change = data.draw(st.binary(min_size=1, max_size=3))
    whole[at : at + len(change)] = change
    path = tmp_path_factory.mktemp("bad") / "a.mcap"
    path.write_bytes(whole)
    try:
        found = served(path)
    except SourceError:
        assert at < steps[0][0]
        return
    assert found == sorted(set(found))
    assert FRAMES - len(found) <= 11
    with open_session(path) as session:
        proof = prove(session)
    lost = set(range(FRAMES)) - set(found)
    named = {k for a in proof.absences for k in range(a.first, a.last + 1)}
    sequence = session.rows["sequence"].tolist()
    assert lost <= named | {sequence[k] for k in proof.damaged or ()} | set(range(proof.announced, FRAMES))


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_power_cut(base: Any, tmp_path_factory: Any, data: Any) -> None:
    """Behind the last sync any block may be there, zero or old, in any order; before it nothing is lost."""
    folder, steps = base
    whole = bytearray((folder / "open.mcap").read_bytes())
    synced, count = data.draw(st.sampled_from(steps))
    for at in range(synced, len(whole), 4096):
        kind = data.draw(st.sampled_from("kkzo"))
        if kind != "k":
            whole[at : at + 4096] = bytes(4096) if kind == "z" else b"\x06" * 4096
    path = tmp_path_factory.mktemp("cut") / "a.mcap"
    path.write_bytes(whole[: data.draw(st.integers(synced, len(whole)))])
    found = served(path)
    assert found[:count] == list(range(count))
    assert found == sorted(set(found))


def test_zeros_at_the_end(base: Any, tmp_path: Path) -> None:
    """A power cut may leave a tail of zeros where the size was written and the data was not."""
    folder, steps = base
    shutil.copy(folder / "open.mcap", tmp_path / "a.mcap")
    with (tmp_path / "a.mcap").open("ab") as file:
        file.write(bytes(3 << 20))
    assert served(tmp_path / "a.mcap") == list(range(FRAMES))
    assert (tmp_path / "a.mcap").stat().st_size < steps[-1][0] + 100_000


def test_zeroed_last_groups(base: Any, tmp_path: Path) -> None:
    folder, steps = base
    whole = bytearray((folder / "open.mcap").read_bytes())
    frames = [p for p, n in steps if n >= 40]
    whole[frames[0] + 300 : frames[0] + 5000] = bytes(4700)  # pixels of a group gone, its head and end written
    whole[steps[-1][0] - 9000 :] = bytes(9000)
    (tmp_path / "a.mcap").write_bytes(whole)
    found = served(tmp_path / "a.mcap")
    assert found[:40] == list(range(40))
    assert len(found) < FRAMES


def test_a_group_that_is_gone(base: Any, tmp_path: Path) -> None:
    """In the midst of an unclosed file: the walk goes on behind it, and the ledger names what is gone."""
    folder, steps = base
    whole = bytearray((folder / "open.mcap").read_bytes())
    (begin, first), (end, last) = next(
        (a, b) for a, b in itertools.pairwise(steps) if b[1] - a[1] == 11 and a[1] >= 20
    )
    whole[begin : begin + 4096] = b"\xee" * 4096
    (tmp_path / "a.mcap").write_bytes(whole)
    with open_session(tmp_path / "a.mcap") as session:
        proof = prove(session)
        assert session.rows["sequence"].tolist() == [k for k in range(FRAMES) if not first <= k < last]
        assert any(f"bytes {begin} to" in problem for problem in session.problems)
    assert [(a.first, a.last, a.kind) for a in proof.absences] == [(first, last - 1, "missing")]
    assert end > begin


def test_read_only(base: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be written a session opens all the same."""
    folder, _ = base
    shutil.copy(folder / "open.mcap", tmp_path / "a.mcap")

    def refuse(path: Path) -> None:
        raise SourceError("read-only")

    monkeypatch.setattr("app.sessions.reader.repair", refuse)
    with open_session(tmp_path / "a.mcap") as session:
        assert session.state is SessionState.UNFINISHED
        assert len(session) == FRAMES
        proof = prove(session)
        assert not proof.announced_known
        assert not proof.complete


def test_tracks_that_are_damaged_are_named_in_the_ledger(tmp_path: Path) -> None:
    """The frames are whole, so that only the ledger's last lines tell."""
    path = tmp_path / "a.mcap"
    write(path, range(40), every=10)
    whole = path.read_bytes()
    with open_session(path) as session:
        rows = session.tracks()
    at = whole.index(np.float64(rows["x"][-1]).tobytes())
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    with open_session(path) as session:
        proof = prove(session)
    assert proof.damaged == ()
    assert proof.processing is not None
    assert proof.processing.rows < len(rows)
    assert any("tracks or events are lost" in problem for problem in proof.problems)
    assert any(line.startswith("problem        tracks or events are lost") for line in describe(proof))
