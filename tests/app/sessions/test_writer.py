"""What is written comes back, here and in stock readers; nothing is overwritten."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.sessions import events
from app.sessions.layout import ALIGN, Picture
from app.sessions.reader import SessionReader, SessionState, open_session
from app.sessions.schemas import EVENTS, STATES, TRACKS
from app.sessions.writer import SessionWriter
from kernels.errors import InputError, SourceError
from pipelines.frame import PixelFormat
from tests.app.sessions.made import SMALL, START, picture, pixels, preamble, row, tracks, write


@given(
    width=st.integers(1, 90), height=st.integers(1, 60), dtype=st.sampled_from(["u8", "u16", "f32"]),
    channels=st.sampled_from([1, 3, 4]), count=st.integers(1, 40), every=st.integers(0, 7), direct=st.booleans(),
)  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_frames_come_back(
    tmp_path_factory: Any, width: int, height: int, dtype: str, channels: int, count: int, every: int, direct: bool
) -> None:
    path = tmp_path_factory.mktemp("s") / "a.mcap"
    form = picture(width, height, dtype, channels)
    write(path, range(count), form, every=every, direct=direct)
    with SessionReader(path) as session:
        assert session.state is SessionState.FINISHED
        assert session.picture == form
        assert len(session) == count
        assert not session.problems
        out = np.empty(form.image.shape, form.image.dtype.numpy)
        for k in np.random.default_rng(0).permutation(count).tolist():
            assert (session.read(k) == pixels(form, k)).all()
            assert session.read(k, out) is out
            assert out.tobytes() == pixels(form, k).tobytes()
            expected = row(k)
            assert all(session.rows[k][name] == expected[name] for name in expected.dtype.names if name != "crc")
        assert len(session.events()) == (count // every if every else 0)
        expected = [tracks(k, 3) for k in range(count) if every and (k + 1) % every == 0]
        assert session.tracks().tobytes() == b"".join(t.tobytes() for t in expected)


def test_the_same_bytes_past_the_cache_and_through_it(tmp_path: Path) -> None:
    write(tmp_path / "a.mcap", range(50), every=7, direct=True)
    write(tmp_path / "b.mcap", range(50), every=7, direct=False)
    assert (tmp_path / "a.mcap").read_bytes() == (tmp_path / "b.mcap").read_bytes()


def test_groups_begin_at_multiples(tmp_path: Path) -> None:
    steps = write(tmp_path / "a.mcap", range(50), every=7)
    assert all(position % ALIGN == 0 for position, _ in steps)
    assert [n for _, n in steps if n] == sorted(n for k in range(7, 50, 7) for n in (k, k, k)) + [50]


@pytest.mark.parametrize(
    ("form", "encoding"),
    [
        (picture(20, 10), "mono8"), (picture(20, 10, "u16"), "mono16"), (picture(20, 10, "u8", 3), "rgb8"),
        (Picture(20, 10, "u8", 10, 20, 1, 8, "rggb"), "bayer_rggb8"), (picture(20, 10, "u8", 4), "rgba8"),
        (Picture(20, 10, "u8", 10, 30, 1, 8, "mono", 12, "msb12"), "mono-u8-msb1212"),
        (picture(20, 10, "f32"), "32FC1"),
    ],
)  # fmt: skip
def test_stock_reader(tmp_path: Path, form: Picture, encoding: str) -> None:
    """The `mcap` package finds, checks and decodes everything without a line of ours."""
    reader_of = pytest.importorskip("mcap.reader").make_reader
    factory = pytest.importorskip("mcap_protobuf.decoder").DecoderFactory
    path = tmp_path / "a.mcap"
    write(path, range(37), form, every=10)
    with path.open("rb") as file:
        reader = reader_of(file, validate_crcs=True, decoder_factories=[factory()])
        summary = reader.get_summary()
        assert summary.statistics.channel_message_counts == {1: 37, 2: 3, 3: 3, 4: 0}
        assert summary.statistics.message_count == 43
        assert [a.name for a in reader.iter_attachments()] == ["manifest.json", "frames.table"]
        assert [(m.name, m.metadata) for m in reader.iter_metadata()] == [("camera", {"model": "test"})]
        read = list(reader.iter_decoded_messages(topics=["/camera/image"]))
        for k, (schema, _, message, image) in enumerate(read):
            expected = row(k)
            assert schema.name == "foxglove.RawImage"
            assert (message.sequence, message.log_time) == (k, expected["host_time"])
            assert message.publish_time == expected["camera_time"]
            assert image.timestamp.seconds * 10**9 + image.timestamp.nanos == expected["camera_time"]
            assert (image.width, image.height, image.encoding, image.step) == (form.width, 10, encoding, form.step)
            assert image.frame_id == "camera"
            assert image.data == pixels(form, k).tobytes()
            assert image.fusetrack_sequence == k
            assert image.fusetrack_camera_id == 1000 + k
            assert image.fusetrack_time_s == k / 1000
        assert len(read) == 37
        made = [decoded for *_, decoded in reader.iter_decoded_messages(topics=["/tracks"])]
        assert [list(t.x) for t in made] == [tracks(k, 3)["x"].tolist() for k in (9, 19, 29)]
        assert made[0].state == bytes([1] * 6)
        told = [json.loads(m.data) for _, _, m in reader.iter_messages(topics=["/events"])]
        assert told[1] == {"kind": "note", "frame": 19, "text": "at 19"}
        # Looking for a time goes over the indexes alone.
        start = int(row(20)["host_time"])
        found = list(reader.iter_messages(topics=["/camera/image"], starting_at=start, ending_before=start + 3_000_000))
        assert [m.sequence for _, _, m in found] == [20, 21, 22]


def test_stock_reader_of_a_torn_file(tmp_path: Path) -> None:
    module = pytest.importorskip("mcap.stream_reader")
    path = tmp_path / "a.mcap"
    write(path, range(40), every=16, close=False)
    data = path.read_bytes()[:-5000]
    seen = []
    records = iter(module.StreamReader(io.BytesIO(data), emit_chunks=False).records)
    with pytest.raises(Exception, match=r".*"):  # it says that the end is missing, behind all that is there
        seen.extend(r.sequence for r in records if type(r).__name__ == "Message" and r.channel_id == 1)
    assert seen == list(range(32))


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    write(path, range(5))
    before = path.read_bytes()
    with pytest.raises(InputError, match="exists already"):
        SessionWriter.create(path, preamble())
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(SourceError, match="no MCAP"):
        SessionWriter.resume(tmp_path / "note.txt")
    assert path.read_bytes() == before
    assert (tmp_path / "note.txt").read_text() == "mine"


def test_a_growing_session_is_read_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "a.mcap"
    writer = SessionWriter.create(path, preamble(), sync_every=0)
    reader = SessionReader(path)
    assert reader.state is SessionState.GROWING
    assert len(reader) == 0
    for k in range(40):
        writer.frame(row(k), SMALL.bytes_of(pixels(SMALL, k)))
        if k == 20:
            assert reader.refresh() == 16
            assert open_session(path).state is SessionState.GROWING  # and was not repaired under the writer's hands
    writer.close()
    assert reader.refresh() == 24
    assert reader.refresh() == 0
    assert all((reader.read(k) == pixels(SMALL, k)).all() for k in range(40))
    reader.close()
    assert SessionReader(path).state is SessionState.FINISHED


def test_going_on(tmp_path: Path) -> None:
    """A second writer goes on behind the last whole group, as if nothing had happened, also in a closed session."""
    path = tmp_path / "a.mcap"
    write(path, range(20), every=10, close=False)
    with path.open("ab") as file:
        file.write(b"\x06" + bytes(700))  # torn
    for first, closed in ((20, False), (30, True), (40, True)):
        writer = SessionWriter.resume(path, sync_every=0)
        assert writer.next_sequence == first
        assert writer.next_message == {TRACKS: 21, EVENTS: 21 if first == 20 else first + 1, STATES: 0}
        for k in range(first, first + 10):
            writer.frame(row(k), SMALL.bytes_of(pixels(SMALL, k)))
        writer.event(events.event(events.NOTE, None), first + 10, START)
        if closed:
            writer.close()
        else:
            writer.flush()
            writer.abandon()
    with SessionReader(path) as session:
        assert session.rows["sequence"].tolist() == list(range(50))
        assert all((session.read(k) == pixels(SMALL, k)).all() for k in range(50))
        assert len(session.events()) == 5


def test_two_writers_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.sessions.writer.LOCK_PATIENCE", 0.05)
    writer = SessionWriter.create(tmp_path / "a.mcap", preamble(), sync_every=0)
    with pytest.raises(InputError, match="another process"):
        SessionWriter.resume(tmp_path / "a.mcap")
    writer.close()


def test_other_mcap_files_are_refused(tmp_path: Path) -> None:
    writer_of = pytest.importorskip("mcap.writer").Writer
    path = tmp_path / "other.mcap"
    writer = writer_of(str(path))
    writer.start()
    schema = writer.register_schema("x", "jsonschema", b"{}")
    channel = writer.register_channel("/x", "json", schema)
    writer.add_message(channel, 1, b"{}", 1)
    writer.finish()
    before = path.read_bytes()
    with pytest.raises(SourceError, match="not written by fusetrack"):
        open_session(path)
    assert path.read_bytes() == before


def test_times_before_the_camera_was_started(tmp_path: Path) -> None:
    """Negative camera times (before a trigger) and unknown ones are kept; stock fields fall back to the host's."""
    writer = SessionWriter.create(tmp_path / "a.mcap", preamble(), sync_every=0)
    for k, value in enumerate([-5, np.iinfo(np.int64).min, 2**62]):
        writer.frame(row(k, camera_time=value), SMALL.bytes_of(pixels(SMALL, k)))
    writer.close()
    with SessionReader(tmp_path / "a.mcap") as session:
        assert session.rows["camera_time"].tolist() == [-5, np.iinfo(np.int64).min, 2**62]


def test_wrong_frames(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="are u8"):
        SMALL.bytes_of(np.zeros((16, 24), np.uint16))
    assert SMALL.format == PixelFormat()
    assert SMALL.bytes_of(np.zeros((24, 16), np.uint8).T).shape == (384,)


def test_numbers_beyond_32_bits(tmp_path: Path) -> None:
    first = 2**32 - 2
    write(tmp_path / "a.mcap", range(first, first + 5))
    with SessionReader(tmp_path / "a.mcap") as session:
        assert session.rows["sequence"].tolist() == list(range(first, first + 5))
