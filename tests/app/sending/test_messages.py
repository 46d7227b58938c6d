"""What a receiver gets: JSON lines and OSC bundles, in packets of whole rows."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sending import json_lines, osc
from app.sending.message import FRAME_DTYPE, Message, packets
from app.sending.transports import DATAGRAM, Address, parse_address
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State


def message(frames: int, tracks: int) -> Message:
    """Some tracks in each of some frames; of the first nobody knows when it was taken."""
    told, rows = np.zeros(frames, FRAME_DTYPE), np.zeros((frames, tracks), TRACK_DTYPE)
    told["frame"] = rows["frame"].T[:] = 100 + np.arange(frames)
    told["time"], told["camera_time"], told["latency"] = told["frame"] / 600, 7e3 + told["frame"] / 600, 0.0125
    told["camera_time"][:1] = told["latency"][:1] = math.nan
    rows["track"], rows["state"] = np.arange(tracks), State.TRACKED
    rng = np.random.default_rng(1)
    for name in ("x", "y", "vx", "vy", "sigma"):
        rows[name] = rng.uniform(0, 500, rows.shape)
    rows["sigma"][:, ::2] = math.nan
    return Message(3, told, rows.ravel())


def unpacked(packet: bytes) -> list[tuple[str, list[Any]]]:
    """The messages of an OSC bundle, read by the specification."""
    assert packet[:8] == b"#bundle\0"
    assert packet[8:16] == bytes(7) + b"\x01"
    made, at = [], 16

    def words(at: int) -> tuple[str, int]:
        end = packet.index(b"\0", at)
        return packet[at:end].decode(), end + 4 - (end - at) % 4

    while at < len(packet):
        (size,) = struct.unpack_from(">i", packet, at)
        assert size % 4 == 0
        at += 4
        end = at + size
        address, at = words(at)
        tags, at = words(at)
        values = []
        for kind in tags.removeprefix(","):
            form = {"i": ">i", "f": ">f", "d": ">d"}[kind]
            values += struct.unpack_from(form, packet, at)
            at += struct.calcsize(form)
        assert at == end
        made.append((address, values))
    return made


def test_a_line_of_json_says_what_stands_in_it() -> None:
    sent = message(2, 3)
    line = json_lines.encode(sent)
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    made = json.loads(line)
    assert (made["batch"], made["part"], made["parts"]) == (3, 1, 1)
    assert made["frames"][0] == [100, pytest.approx(100 / 600, abs=1e-9), None, None]
    assert made["frames"][1] == [101, pytest.approx(101 / 600, abs=1e-9), pytest.approx(7e3 + 101 / 600), 0.0125]
    assert len(made["frames"][0]) == len(made["frame_columns"])
    rows = [dict(zip(made["columns"], row, strict=True)) for row in made["tracks"]]
    for row, wanted in zip(rows, sent.rows, strict=True):
        assert (row["frame"], row["track"], row["state"]) == (wanted["frame"], wanted["track"], "tracked")
        assert row["x_px"] == pytest.approx(float(wanted["x"]), abs=5.1e-6)
        assert row["sigma_px"] is None or row["sigma_px"] == pytest.approx(float(wanted["sigma"]), abs=5.1e-6)
    assert [row["sigma_px"] is None for row in rows] == np.isnan(sent.rows["sigma"]).tolist()


def test_what_is_infinite_is_null_too() -> None:
    sent = message(1, 1)
    sent.rows["vx"] = np.inf
    assert json.loads(json_lines.encode(sent))["tracks"][0][4] is None


def test_a_bundle_is_open_sound_control() -> None:
    sent = message(2, 3)
    counts, *rest = unpacked(osc.encode(sent))
    assert counts == ("/fusetrack/batch", [3, 1, 1])
    frames, rows = rest[:2], rest[2:]
    assert [address for address, _ in rest] == ["/fusetrack/frame"] * 2 + ["/fusetrack/track"] * 6
    assert frames[1][1] == [101, 101 / 600, 7e3 + 101 / 600, 0.0125]
    assert [math.isnan(value) for value in frames[0][1]] == [False, False, True, True]
    for (_, values), wanted in zip(rows, sent.rows, strict=True):
        assert values[:2] == [wanted["frame"], wanted["track"]]
        assert values[2:4] == [np.float32(wanted["x"]), np.float32(wanted["y"])]
        assert values[7] == State.TRACKED


@pytest.mark.parametrize(("encode", "least"), [(osc.encode, 8), (json_lines.encode, 5)])
def test_what_does_not_fit_into_a_datagram_comes_in_parts(encode, least: int) -> None:
    sent = message(16, 64)
    made = list(packets(sent, encode, DATAGRAM))
    assert max(map(len, made)) <= DATAGRAM
    assert len(made) <= len(encode(sent)) / DATAGRAM + 2  # hardly more than it takes
    assert len(made) >= least
    assert [*packets(sent, encode, 0)] == [encode(sent)]
    if encode is json_lines.encode:
        parts = [json.loads(one) for one in made]
        assert [(one["part"], one["parts"]) for one in parts] == [(k + 1, len(made)) for k in range(len(made))]
        whole = json.loads(encode(sent))
        for name in ("frames", "tracks"):
            assert [row for one in parts for row in one[name]] == whole[name]
    else:
        counts = [unpacked(one)[0][1] for one in made]
        assert counts == [[3, k + 1, len(made)] for k in range(len(made))]
        assert repr([one for part in made for one in unpacked(part)[1:]]) == repr(unpacked(encode(sent))[1:])


@given(frames=st.integers(0, 6), tracks=st.integers(0, 6), most=st.integers(60, 2000))
def test_parts_together_are_the_whole_however_small_they_are(frames: int, tracks: int, most: int) -> None:
    sent = message(frames, tracks)
    made = [*packets(sent, osc.encode, most)]
    parts = [unpacked(one) for one in made]
    together = [one for part in parts for one in part[1:]]
    assert repr(together) == repr(unpacked(osc.encode(sent))[1:])  # NaN equals NaN so
    assert all(len(packet) <= most or len(part) <= 2 for packet, part in zip(made, parts, strict=True))


def test_addresses() -> None:
    assert parse_address("udp://127.0.0.1:9000") == Address("udp", "127.0.0.1", 9000)
    assert str(parse_address("zmq://[::1]:5556")) == "zmq://[::1]:5556"


@pytest.mark.parametrize("wrong", ["", "127.0.0.1:9000", "udp://127.0.0.1", "udp://:9000", "udp://a:0", "udp://a:65536",
                                   "tcp://a:90", "udp://a:9000/b", "udp://a b:9", "udp://[::1:9"])  # fmt: skip
def test_what_is_no_address_is_said_in_a_sentence(wrong: str) -> None:
    with pytest.raises(InputError, match=r"--send takes udp://HOST:PORT or zmq://HOST:PORT"):
        parse_address(wrong)
