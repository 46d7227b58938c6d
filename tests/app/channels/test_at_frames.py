"""A channel at the frames' times, aligned with them, and what is drawn of a long one."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from app.channels import envelope
from app.channels.channel import Channel, ChannelColumn, Samples
from app.channels.envelope import Envelope
from app.channels.resampling import Resampling, resampled
from app.channels.syncing import first_beyond, offset_of
from app.channels.table import at_frames, write_channel
from kernels.errors import InputError

EVEN = Samples({"a": np.array([0.0, 10.0, 20.0, np.nan, 40.0])}, 1.0, 0.5)
UNEVEN = Samples({"a": np.array([0.0, 10.0, 20.0, np.nan, 40.0])}, times=np.array([1.0, 1.5, 2.0, 2.5, 3.0]))


@pytest.mark.parametrize("samples", [EVEN, UNEVEN])
def test_between_samples_and_not_beyond_them(samples: Samples) -> None:
    at = np.array([0.99, 1.0, 1.25, 1.5, 2.0, 2.1, 2.5, 2.9, 3.0, 3.01])
    found = resampled(samples, "a", at)
    assert np.isnan(found).tolist() == [True, False, False, False, False, True, True, True, False, True]
    assert found[np.isfinite(found)] == pytest.approx([0.0, 5.0, 10.0, 20.0, 40.0])


def test_a_frame_on_a_sample_beside_one_without_a_value_has_its_value() -> None:
    times = 1.0 + 0.1 * np.arange(8)
    samples = Samples({"a": np.array([1.0, np.nan] * 4)}, 1.0, 0.1)
    assert np.isfinite(resampled(samples, "a", times)).tolist() == [True, False] * 4, "whatever rounding makes of times"


@pytest.mark.parametrize("even", [True, False])
def test_means_are_over_half_a_frame_to_each_side(even: bool) -> None:
    value = np.arange(100.0)
    value[50] = np.nan
    samples = Samples({"a": value}, 0.0, 0.01, None if even else 0.01 * np.arange(100))
    found = resampled(samples, "a", np.array([-1.0, 0.105, 0.205, 0.305]), Resampling.MEAN)
    assert np.isnan(found[0]) or found[0] == 0.0
    assert found[2:] == pytest.approx([20.5, 30.5])
    there = resampled(samples, "a", np.array([0.495, 0.505, 0.515]), Resampling.MEAN)
    assert there == pytest.approx([49.0, np.nan, 51.0], nan_ok=True)


def test_alignment_by_a_sample_and_by_a_trigger() -> None:
    assert offset_of(EVEN, 2, 0.25) == 0.25 - 2.0
    assert first_beyond(EVEN, "a", 15.0) == 2
    assert first_beyond(EVEN, "a", 5.0, below=True) == 0
    assert first_beyond(EVEN, "a", 20.0) == 4, "above, not at"
    with pytest.raises(InputError, match="no sample of a is above 40; it reaches 40"):
        first_beyond(EVEN, "a", 40.0)
    with pytest.raises(InputError, match="no sample of a is below 0; it reaches 0"):
        first_beyond(EVEN, "a", 0.0, below=True)
    with pytest.raises(InputError, match="no sample 5; the channel has 5"):
        offset_of(EVEN, 5, 0.0)


def test_the_table_states_how_its_values_came_to_be(tmp_path: Path) -> None:
    channel = Channel("/x/hammer.csv", (ChannelColumn("a", "N"),), offset=-1.0)
    times = np.array([0.0, 0.25, 5.0])
    made = at_frames(EVEN, channel.columns, channel.offset, times)
    write_channel(tmp_path / "x.csv", channel, made, [7, 8, 9], times)
    first, *rest = (tmp_path / "x.csv").read_text().splitlines()
    assert first.startswith("# hammer.csv at the frames' times: -1 s were added to its times; interpolated linearly ")
    assert list(csv.reader(rest)) == [["frame", "time_s", "a [N]"], ["7", "0.0", "0"], ["8", "0.25", "5"],
                                      ["9", "5.0", ""]]  # fmt: skip
    with pytest.raises(InputError, match=r"from 101 to 103 s.*no time in common; set its offset"):
        at_frames(EVEN, channel.columns, 100.0, times)


def test_what_is_drawn_of_a_long_channel_is_little_and_loses_no_peak() -> None:
    value = np.sin(np.arange(400_000) / 1e3)
    value[123_456], value[300_001], value[7] = 9.0, -9.0, np.nan
    times = -1.0 + 1e-3 * np.arange(len(value))
    for samples in (Samples({"a": value}, -1.0, 1e-3), Samples({"a": value}, times=times)):
        made = Envelope(value)
        assert (made.low, made.high) == (-9.0, 9.0)
        x, y = made.seen(samples, *samples.span, 500)
        assert len(x) == len(y) <= envelope.MOST * 500 + 8
        assert len(x) > 500
        assert (np.nanmin(y), np.nanmax(y)) == (-9.0, 9.0)
        assert x[np.nanargmax(y)] == pytest.approx(samples.time_of(123_456), abs=0.2)
        assert (np.diff(x) >= 0).all()
        x, y = made.seen(samples, 122.0, 122.5, 500)
        assert np.nanmax(y) == 9.0
        near = samples.times_of(samples.nearest(122.0) - 1, samples.nearest(122.5) + 2)
        assert x.tolist() == near.tolist(), "all samples, where they have room"
