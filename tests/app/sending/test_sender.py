"""Tracks are sent while they are found, in order and all of them; nothing waits for a receiver, and what is dropped is
counted."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.cli import main
from app.live.recording import record_camera
from app.live.wanted import Wanted
from app.sending import sender as module
from app.sending.sender import BEHIND, Sender, Sending
from app.sessions.proof import prove
from app.sessions.proof_words import describe
from app.sessions.reader import open_session
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State, Tracks
from pipelines.frame import ARRIVAL, UNKNOWN, FrameBatch, Result
from tests.app.sending.test_messages import unpacked
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]
CAMERA = "cam:sim?scene=vortex&size=64x48&particles=6&fps=600"


class Receiver:
    """A socket that a thread empties, with when each packet came (ns since 1970)."""

    def __init__(self) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.packets: list[bytes] = []
        self.came: list[int] = []
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while packet := self.socket.recv(65536):
            self.came.append(time.time_ns())
            self.packets.append(packet)

    def close(self) -> None:
        """End once all that was sent is there."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.sendto(b"", ("127.0.0.1", self.port))
        self._thread.join(PATIENCE)
        self.socket.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


def rows_of(frame: int, tracks: int = 2) -> Tracks:
    rows = np.zeros(tracks, TRACK_DTYPE)
    rows["frame"], rows["track"], rows["state"], rows["x"] = frame, np.arange(tracks), State.TRACKED, frame + 0.5
    return rows


def batch(first: int, count: int = 2, tracks: int = 2) -> tuple[FrameBatch, list[Result]]:
    frames = np.arange(first, first + count)
    results = [Result(k, k / 600, {}, rows_of(k, tracks)) for k in frames.tolist()]
    return FrameBatch(frames, frames / 600, np.zeros((count, 2, 2), np.uint8)), results


class Blocked:
    """A transport that sends nothing until it is let go."""

    most = 0

    def __init__(self) -> None:
        self.go, self.begun = threading.Event(), threading.Event()
        self.packets: list[bytes] = []

    def send(self, packet: bytes) -> str:
        self.begun.set()
        self.go.wait(PATIENCE)
        self.packets.append(packet)
        return ""

    def close(self) -> None:
        pass


def test_each_batch_comes_with_its_camera_time_and_latency(receiver: Receiver) -> None:
    sender = Sender(Sending.of(f"udp://127.0.0.1:{receiver.port}"))
    arrivals = np.zeros(4, ARRIVAL)
    arrivals["camera_time"], arrivals["host_time"] = [10**9, UNKNOWN, 3 * 10**9, 4 * 10**9], time.time_ns() - 10**8
    sender.arrived(arrivals)
    for first in (0, 2):
        sender.write(*batch(first))
    sender.write(*batch(4))  # nobody told of their arrival
    sender.close()
    sender.close()
    receiver.close()
    messages = [json.loads(packet) for packet in receiver.packets]
    frames = [frame for message in messages for frame in message["frames"]]
    assert [frame[0] for frame in frames] == list(range(6))
    assert [frame[2] for frame in frames] == [1.0, None, 3.0, 4.0, None, None]
    assert all(0.1 <= frame[3] < 30 for frame in frames[:4])
    assert [frame[3] for frame in frames[4:]] == [None, None]
    assert [row[:3] for row in messages[1]["tracks"]] == [[2, 0, 2.5], [2, 1, 2.5], [3, 0, 3.5], [3, 1, 3.5]]
    sent = sender.sent
    assert (sent.batches, sent.rows, sent.packets, sent.dropped) == (3, 12, 3, {})
    assert sent.latency is not None
    assert sent.latency.worst >= 0.1
    assert re.fullmatch(rf"3 of 3 batches to udp://127.0.0.1:{receiver.port}; [\d.]+ ms median, [\d.]+ ms for 99 %, "
                        r"[\d.]+ ms at worst, from camera to socket", sent.describe())  # fmt: skip


def test_nothing_waits_and_the_oldest_are_given_up_and_counted() -> None:
    blocked = Blocked()
    sender = Sender(Sending.of("udp://127.0.0.1:9", "json"), blocked)
    sender.write(*batch(0))
    assert blocked.begun.wait(PATIENCE)
    begin = time.thread_time()
    for k in range(1, 201):
        sender.write(*batch(2 * k))
    assert time.thread_time() - begin < 1.0
    blocked.go.set()
    sender.close()
    numbers = [json.loads(packet)["batch"] for packet in blocked.packets]
    assert numbers == [0, *range(201 - 64, 201)]  # 64 waited
    assert module.WAITING == 64
    assert sender.sent.dropped == {BEHIND: 136}
    assert sender.sent.describe() == f"65 of 201 batches to udp://127.0.0.1:9, 136 dropped (136: {BEHIND})"


def test_a_socket_without_room_and_a_mistake_are_counted_and_the_rest_is_sent() -> None:
    class Full(Blocked):
        def send(self, packet: bytes) -> str:
            number = json.loads(packet)["batch"]
            if number == 3:
                raise ValueError("oh")
            return "no room in the socket" if number % 2 else ""

    sender = Sender(Sending.of("udp://127.0.0.1:9"), Full())
    for k in range(6):
        sender.write(*batch(2 * k))
    sender.close()
    assert sender.sent.dropped == {"no room in the socket": 2, "ValueError: oh": 1}
    assert sender.sent.batches == 3


def test_nobody_has_to_listen() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
    sender = Sender(Sending.of(f"udp://127.0.0.1:{port}", "osc"))
    for k in range(20):
        sender.write(*batch(2 * k))
    sender.close()
    assert sender.sent.batches == 20


def test_a_camera_of_600_frames_a_second_is_received_in_order_and_whole(
    receiver: Receiver, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The latency is printed; it is the machine's, and nothing is said of it here."""
    sender = Sender(Sending.of(f"udp://127.0.0.1:{receiver.port}", "osc"))
    made = record_camera(Wanted(CAMERA, tmp_path / "a.mcap", "blobs", frames=180, device="cpu"), sender=sender)
    receiver.close()
    assert made.live is not None
    messages = [unpacked(packet) for packet in receiver.packets]
    counts = [tuple(one[0][1]) for one in messages]
    parts = {batch: parts for batch, _, parts in counts}
    assert counts == [(k, part + 1, parts[k]) for k in range(len(parts)) for part in range(parts[k])]  # none lacks
    frames = [values for one in messages for address, values in one if address == "/fusetrack/frame"]
    numbers = [int(values[0]) for values in frames]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == made.live.ledger.processed
    assert (len(parts), len(messages)) == (sender.sent.batches, sender.sent.packets)
    assert all(values[2] > 0 for values in frames)  # the camera's clock
    rows = [values for one in messages for address, values in one if address == "/fusetrack/track"]
    with open_session(tmp_path / "a.mcap") as session:
        kept = session.tracks()
        proof = prove(session, checksums=False)
    assert [(row[0], row[1]) for row in rows] == list(zip(kept["frame"].tolist(), kept["track"].tolist(), strict=True))
    assert np.array_equal([row[2] for row in rows], kept["x"].astype(np.float32))
    assert proof.sent == sender.sent.describe()
    assert f"sent           {proof.sent}" in describe(proof)
    late = {int(values[0]): values[3] for values in frames}
    with capsys.disabled():
        spent = np.array(sorted(late.values())) * 1e3
        print(f"\n600 frames/s, camera to socket: {np.median(spent):.1f} ms median, {spent[-1]:.1f} ms at worst, "
              f"{len(parts)} batches")  # fmt: skip


def test_the_command_sends_a_clip_and_says_so(receiver: Receiver, tmp_path: Path, capsys) -> None:
    clip = "sim:vortex?width=64&height=48&particles=4"
    words = ["record", clip, "-o", str(tmp_path / "a.mcap"), "-p", "blobs", "--frames", "20", "-q", "--send"]
    assert main([*words, f"udp://127.0.0.1:{receiver.port}"]) == 0
    assert re.search(r"^  sent           2 of 2 batches to udp://127", capsys.readouterr().out, re.MULTILINE)
    receiver.close()
    frames = [frame for packet in receiver.packets for frame in json.loads(packet)["frames"]]
    assert [frame[0] for frame in frames] == list(range(20))
    assert {(frame[2], frame[3]) for frame in frames} == {(None, None)}


@pytest.mark.parametrize(("more", "said"), [
    (["--send", "udp://127.0.0.1"], "--send takes udp://HOST:PORT"),
    (["--send", "udp://no-such-host.invalid:9000", "-p", "blobs"], "udp://no-such-host.invalid:9000 leads nowhere: "),
    (["--send", "udp://127.0.0.1:9000"], "--send sends tracks; give a --pipeline that makes them"),
    (["--send-format", "osc", "-p", "blobs"], "--send-format is of what --send sends"),
    (["--send", "udp://127.0.0.1:9000", "--send-format", "xml"], "invalid choice: 'xml'"),
])  # fmt: skip
def test_what_cannot_be_sent_is_said_in_a_sentence(more: list[str], said: str, tmp_path: Path, capsys) -> None:
    assert main(["record", CAMERA, "-o", str(tmp_path / "a.mcap"), *more]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_zmq_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zmq", None)
    with pytest.raises(InputError, match=r'sending to zmq:// needs the package zmq.*pip install "fusetrack\[zmq\]"'):
        Sender(Sending.of("zmq://127.0.0.1:5556"))


def test_zmq_subscribers_get_whole_batches_and_a_slow_one_is_counted() -> None:
    zmq: Any = pytest.importorskip("zmq")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
    sender = Sender(Sending.of(f"zmq://127.0.0.1:{port}"))
    with pytest.raises(InputError, match="cannot be had: address already in use"):
        Sender(Sending.of(f"zmq://127.0.0.1:{port}"))
    context = zmq.Context()
    listener = context.socket(zmq.SUB)
    listener.setsockopt(zmq.SUBSCRIBE, b"")
    listener.setsockopt(zmq.RCVTIMEO, 30_000)
    listener.connect(f"tcp://127.0.0.1:{port}")
    sent = 0
    while not listener.poll(20):  # until the subscription has arrived
        sender.write(*batch(2 * sent))
        sent += 1
    for k in range(sent, sent + 10):
        sender.write(*batch(2 * k, tracks=200))
    sender.close()
    numbers = []
    while not numbers or numbers[-1] < sent + 9:
        message = json.loads(listener.recv())
        assert (message["part"], message["parts"]) == (1, 1)
        assert len(message["tracks"]) == (400 if message["batch"] >= sent else 4)
        numbers.append(message["batch"])
    assert numbers == list(range(numbers[0], sent + 10))
    assert sender.sent.dropped == {}
    context.destroy(linger=0)


def test_the_receiver_of_the_readme_receives(tmp_path: Path) -> None:
    text = (ROOT / "app" / "README.md").read_text("utf-8")
    (block,) = re.findall(r"```python\n(import json.*?)```", text[text.index("## Closed loop") :], re.DOTALL)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
    assert block.count("9000") == 1
    (tmp_path / "receiver.py").write_text(block.replace("9000", str(port)))
    running = subprocess.Popen([sys.executable, "-u", tmp_path / "receiver.py"], stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "PYTHONPATH": ""})  # fmt: skip
    try:
        said: list[str] = []
        assert running.stdout is not None
        reading = threading.Thread(target=lambda: said.append(running.stdout.readline()), daemon=True)
        reading.start()
        sender = Sender(Sending.of(f"udp://127.0.0.1:{port}"))
        for k in range(3000):  # until it has begun to listen
            sender.write(*batch(2 * k))
            reading.join(0.02)
            if said:
                break
        sender.close()
        assert re.fullmatch(r"frame \d+: track 0 at \(\d+\.5, 0\.0\) px, 0\.0 px/s\n", said[0])
    finally:
        running.kill()
        running.communicate()
