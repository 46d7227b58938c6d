"""Samples in WAV and TDMS files."""

from __future__ import annotations

import sys
import wave
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from app.channels.channel import Channel, ChannelColumn
from app.channels.files import look, read
from kernels.errors import InputError
from tests.app.channels.made import text, wav

SHARES = np.array([[-1.0, 0.5], [0.0, 0.25], [0.5, -0.5], [0.75, -1.0]])


@pytest.mark.parametrize(("dtype", "kind", "bits"), [("u1", 1, 8), ("<i2", 1, 16), ("<i4", 1, 24), ("<i4", 1, 32),
                                                     ("<f4", 3, 32), ("<f8", 3, 64)])  # fmt: skip
def test_wav(dtype: str, kind: int, bits: int, tmp_path: Path) -> None:
    raw = SHARES if kind == 3 else SHARES * 2 ** (bits - 1) + (128 if bits == 8 else 0)
    path = wav(tmp_path / "x.wav", raw.astype(dtype), 48000, kind, bits)
    told = look(path)
    assert (told.kind, told.rate, told.samples) == ("WAV", 48000.0, 4)
    assert [(c.name, c.unit) for c in told.columns] == [("left", "" if kind == 3 else "FS"),
                                                        ("right", "" if kind == 3 else "FS")]  # fmt: skip
    found = read(Channel(str(path), (ChannelColumn("right", "N", 100.0), ChannelColumn("left"))))
    assert found.values["right"].tolist() == (100 * SHARES[:, 1]).tolist()
    assert found.values["left"].tolist() == SHARES[:, 0].tolist()
    assert found.interval == 1 / 48000


def test_wav_as_python_writes_it_and_with_a_rate_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(np.arange(1000, dtype="<i2").tobytes())
    found = read(Channel(str(path)))
    assert (found.values["channel 1"] * 32768).tolist() == list(range(1000))
    assert read(Channel(str(path), rate=51200.0)).interval == 1 / 51200


def test_a_wav_that_is_damaged_says_so_and_one_that_is_cut_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    whole = wav(tmp_path / "x.wav", np.arange(100, dtype="<i2").reshape(-1, 1), 100, cut=50)
    found = read(Channel(str(whole)))
    assert found.count == 75
    assert found.notes == ("x.wav is cut short; what is there is read (75 samples)",)
    data = whole.read_bytes()
    for wrong, match in ((b"", "empty"), (b"RIFF" + data[4:8], "no WAV"), (data[:30], "no piece of samples"),
                         (data.replace(b"fmt ", b"fmx "), "damaged"),
                         (data.replace(b"\x10\0\0\0\1\0", b"\x10\0\0\0\6\0"), "compressed or of an odd kind"),
                         (data[: data.index(b"data") + 8], "holds no samples")):  # fmt: skip
        with pytest.raises(InputError, match=match) as error:
            read(Channel(str(text(tmp_path / "y.wav", wrong))))
        assert "y.wav" in str(error.value)


def test_tdms(tmp_path: Path) -> None:
    nptdms = pytest.importorskip("nptdms")
    path, force = tmp_path / "x.tdms", np.sin(np.arange(1000) / 50)
    about = {"wf_increment": 1e-4, "wf_start_offset": 0.25, "unit_string": "N"}
    with nptdms.TdmsWriter(path) as file:
        file.write_segment([
            nptdms.ChannelObject("shot", "force", force, about),
            nptdms.ChannelObject("shot", "slow", force[:10], {"wf_increment": 1e-2}),
            nptdms.ChannelObject("log", "time", np.arange(10) / 5), nptdms.ChannelObject("log", "u", np.arange(10)),
        ])  # fmt: skip
    told = look(path)
    assert ChannelColumn("shot/force", "N") in told.columns
    assert told.notes == ("its channels have different rates; take columns of one rate together",)
    assert told.rate in (pytest.approx(1e4), pytest.approx(1e2)), "of one of them"
    found = read(Channel(str(path), (ChannelColumn("shot/force", "mN", 1e3),)))
    assert found.values["shot/force"] == pytest.approx(1e3 * force)
    assert (found.start, found.interval) == (0.25, 1e-4)
    with pytest.raises(InputError, match="different rates or numbers of samples"):
        read(Channel(str(path), (ChannelColumn("shot/force"), ChannelColumn("shot/slow"))))
    with pytest.raises(InputError, match="does not say how many samples a second log/u has"):
        read(Channel(str(path), (ChannelColumn("log/u"),)))
    timed = read(Channel(str(path), (ChannelColumn("log/u"),), time="log/time"))
    assert timed.interval == pytest.approx(0.2)
    data = path.read_bytes()
    with pytest.raises(InputError, match=r"y\.tdms holds no channel of numbers"):
        look(text(tmp_path / "y.tdms", data[:60]))
    cut = read(Channel(str(text(tmp_path / "y.tdms", data[:-4000])), (ChannelColumn("shot/force"),)))
    assert "y.tdms is cut short; what is there is read" in cut.notes
    random = np.random.default_rng(3)
    for _ in range(60):
        bad = bytearray(data)
        for place in random.integers(28, 900, 3):
            bad[place] = random.integers(256)
        with suppress(InputError):  # and nothing else
            read(Channel(str(text(tmp_path / "z.tdms", bytes(bad))), (ChannelColumn("shot/force"),)))


def test_a_tdms_file_without_the_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nptdms", None)
    with pytest.raises(InputError, match=r'needs the package nptdms.*pip install "fusetrack\[tdms\]"'):
        look(text(tmp_path / "x.tdms", b"TDSm" + b"\0" * 24))
    with pytest.raises(InputError, match="is no TDMS file, though it is called one"):
        look(text(tmp_path / "y.tdms", b"time,force\n"))
