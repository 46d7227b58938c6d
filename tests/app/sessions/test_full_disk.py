"""Disks that are full, gone or read-only: one sentence, everything that was written kept, the rest named."""

from __future__ import annotations

import errno
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.sessions.layout import Picture
from app.sessions.proof import prove
from app.sessions.reader import SessionReader, SessionState, open_session
from app.sessions.recorder import RecorderProcess
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from app.sessions.shared import RecorderState
from app.sessions.writer import SessionWriter
from kernels.errors import InputError
from tests.app.sessions.made import SMALL, picture, pixels, preamble, row, write
from tests.patience import PATIENCE

resource = pytest.importorskip("resource")
FORM = picture(128, 100)


def record_until_it_stops(path: Path, form: Picture = FORM) -> tuple[str, Recording]:
    recording = Recording.start(path, preamble(form), RecordingOptions(wait=True))
    frames = [pixels(form, k) for k in range(600)]
    end = time.monotonic() + PATIENCE
    k = 0
    while recording.account.state is not RecorderState.FAILED:
        assert time.monotonic() < end, recording.account
        recording.put(frames[k % 600], camera_id=k)
        k += 1
    for _ in range(5):
        assert not recording.put(frames[0], camera_id=k)  # at once, and counted
        k += 1
    with pytest.raises(InputError) as caught:
        recording.close()
    assert "\n" not in str(caught.value)
    account = recording.account
    assert account.announced == k
    return str(caught.value), recording


def check(path: Path, recorded: int) -> None:
    """All frames that were written are there, and what came behind them is named."""
    with open_session(path) as session:
        proof = prove(session)
        assert session.rows["sequence"].tolist() == list(range(recorded))
        assert all((session.read(k) == pixels(FORM, k)).all() for k in range(recorded))
        assert proof.damaged == ()
        assert proof.announced == proof.recorded + proof.dropped + proof.missing
        if proof.announced > recorded:
            assert (proof.absences[0].first, proof.absences[-1].last) == (recorded, proof.announced - 1)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 6 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "none", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("file systems cannot be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.skipif(os.name != "posix", reason="mounts")
def test_a_full_disk(small_disk: Path) -> None:
    path = small_disk / "a.mcap"
    sentence, recording = record_until_it_stops(path)
    recorded = recording.account.recorded
    assert "the disk is full" in sentence
    assert f"ends after {recorded} frames" in sentence
    assert recorded >= 300  # 5 MB at least: only what closing needs stayed free
    with SessionReader(path) as session:
        assert session.state is SessionState.FINISHED  # closed with what was kept free for it
        proof = prove(session)
    assert proof.ending == sentence
    assert proof.missing == 0
    assert proof.dropped > 0
    check(path, recorded)


@pytest.mark.skipif(os.name != "posix", reason="mounts")
def test_a_disk_without_room_for_the_first_frames(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=2m", str(small_disk)], check=True)
    sentence, recording = record_until_it_stops(small_disk / "a.mcap", picture(512, 512))
    assert "the disk is full" in sentence
    assert recording.account.recorded == 0
    with open_session(small_disk / "a.mcap") as session:
        proof = prove(session)
    assert (proof.recorded, proof.ending) == (0, sentence)
    assert proof.announced == proof.dropped + proof.missing


@pytest.mark.skipif(os.name != "posix", reason="mounts")
def test_a_full_disk_of_many_small_frames(small_disk: Path) -> None:
    """The summary is as large as the frames here, and there is room for it all the same."""
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    sentence, recording = record_until_it_stops(small_disk / "a.mcap", picture(4, 4))
    with SessionReader(small_disk / "a.mcap") as session:
        assert session.state is SessionState.FINISHED
        assert len(session) == recording.account.recorded > 5_000
        assert prove(session, checksums=False).ending == sentence


@pytest.mark.skipif(os.name != "posix", reason="limits")
def test_a_limit_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system cuts a write in its midst; the torn group makes room for the summary."""
    spawn = RecorderProcess._spawn

    def limited(self: RecorderProcess) -> Any:
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, before[1]))
        try:
            return spawn(self)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    monkeypatch.setattr(RecorderProcess, "_spawn", limited)
    sentence, recording = record_until_it_stops(tmp_path / "a.mcap")
    recorded = recording.account.recorded
    assert "may not grow" in sentence
    assert 2_000_000 - 17 * FORM.frame_bytes < recorded * FORM.frame_bytes < 2_000_000
    check(tmp_path / "a.mcap", recorded)


@pytest.mark.skipif(os.name != "posix", reason="files that are open can be deleted")
def test_the_file_is_deleted(tmp_path: Path) -> None:
    recording = Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(wait=True))
    recording.put(pixels(SMALL, 0))
    (tmp_path / "a.mcap").unlink()
    end = time.monotonic() + PATIENCE
    while recording.account.state is not RecorderState.FAILED:
        assert time.monotonic() < end
        time.sleep(0.01)
    with pytest.raises(InputError, match="the file was deleted; nothing of it is left"):
        recording.close()


@pytest.mark.skipif(os.name != "posix", reason="files that are open can be deleted")
def test_the_file_is_deleted_at_the_end(tmp_path: Path) -> None:
    recording = Recording.start(tmp_path / "a.mcap", preamble(), RecordingOptions(wait=True))
    recording.put(pixels(SMALL, 0))
    (tmp_path / "a.mcap").unlink()
    with pytest.raises(InputError, match=r"because the file was deleted; nothing of it is left$"):
        recording.close()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.ENODEV, errno.EDQUOT])
@pytest.mark.parametrize("after", [1, 3])
def test_a_write_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, after: int) -> None:
    """In this process: half of a group is written, then the disk refuses, then it is there again."""
    path = tmp_path / "a.mcap"
    writer = SessionWriter.create(path, preamble(), sync_every=0, direct=False)
    done = 0
    plain = os.pwrite
    calls = 0

    def refuse(descriptor: int, view: Any, offset: int) -> int:
        nonlocal calls
        calls += 1
        if calls == after:
            plain(descriptor, view[:5000], offset)
            raise OSError(code, os.strerror(code))
        return plain(descriptor, view, offset)

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", refuse)
        with pytest.raises(OSError, match=os.strerror(code)):  # noqa: PT012
            for k in range(100):
                writer.frame(row(k), SMALL.bytes_of(pixels(SMALL, k)))
                done = writer.frames_written
    writer.drop_held()
    writer.close()
    with open_session(path) as session:
        assert len(session) == done == 16 * (after - 1)


def test_a_sync_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing more is written after it: nobody knows what is on the medium."""
    def refuse(descriptor: int) -> None:
        raise OSError(errno.EIO, "gone")

    monkeypatch.setattr("app.sessions.disk.sync", refuse)
    writer = SessionWriter.create(tmp_path / "a.mcap", preamble(), sync_every=0.01)
    end = time.monotonic() + PATIENCE
    with pytest.raises(OSError, match="gone"):  # noqa: PT012
        while time.monotonic() < end:
            writer.tick()
            time.sleep(0.005)
    writer.abandon()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="no permission"):
        Recording.start(tmp_path / "a.mcap", preamble())
    tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    ("code", "words"), [(errno.EACCES, "no permission"), (errno.EROFS, "read-only"), (errno.ENOSPC, "disk is full")]
)
def test_a_session_that_cannot_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, words: str
) -> None:
    def refuse(*args: Any, **options: Any) -> int:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(os, "open" if code != errno.ENOSPC else "pwrite", refuse)
        with pytest.raises(InputError, match=words) as caught:
            SessionWriter.create(tmp_path / "a.mcap", preamble(), direct=False)
    assert "record to another place" in str(caught.value)
    assert not (tmp_path / "a.mcap").exists()


def test_a_summary_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session stays unclosed, whole, and is closed when it is opened next."""
    path = tmp_path / "a.mcap"
    write(path, range(40), every=9, close=False)

    def refuse(*args: Any) -> int:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", refuse)
        with open_session(path) as session:
            assert session.state is SessionState.UNFINISHED
            assert len(session) == 40
    with open_session(path) as session:
        assert session.state is SessionState.FINISHED
        assert len(session) == 40
