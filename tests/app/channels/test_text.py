"""Samples in text, as instruments and spreadsheets write them, and what is damaged in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.channels import text as text_channels
from app.channels.channel import Channel, ChannelColumn
from app.channels.files import look, read
from kernels.errors import InputError
from tests.app.channels.made import text

FORMS = {
    "comma": ("time_s,force (N)\n0,1.5\n0.001,2.5\n0.002,3.5\n", "force (N)", "N"),
    "semicolons and decimal commas, ms": ("Zeit [ms];Kraft [N]\n0,0;1,5\n1,0;2,5\n2,0;3,5\n", "Kraft [N]", "N"),
    "tabs": ("time_us\tU (V)\n0\t1.5\n1000\t2.5\n2000\t3.5\n", "U (V)", "V"),
    "blanks, aligned": ("  0.000   1.5\n  0.001   2.5\n  0.002   3.5\n", "column 2", ""),
    "units in a line of their own": ("Time,Channel A\n(ms),(mV)\n\n0.0,1.5\n1.0,2.5\n2.0,3.5\n", "Channel A", "mV"),
    "lines of the instrument before": ("Logger 7\nnumber,12,,\n***End***\n\nX_Value\tU\tComment\n0.0\t1.5\n0.001\t2.5\n"
                                       "0.002\t3.5\n", "U", ""),
    "a delimiter at the end of lines": ("time (s);a;\r\n0;1.5;\r\n0.001;2.5;\r\n0.002;3.5;\r\n", "a", ""),
    "a header that is a comment": ("# t, a [m/s^2]\n0, 1.5\n0.001, 2.5\n0.002, 3.5\n", "a [m/s^2]", "m/s^2"),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_text(form: str, tmp_path: Path) -> None:
    words, name, unit = FORMS[form]
    path = text(tmp_path / "x.csv", words)
    columns = {column.name: column.unit for column in look(path).columns}
    assert columns[name] == unit
    found = read(Channel(str(path)))
    assert found.values[name].tolist() == [1.5, 2.5, 3.5]
    assert found.times_of(0, 3) == pytest.approx([0.0, 0.001, 0.002], abs=1e-12)
    assert found.rate == pytest.approx(1000.0)


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252", "utf-8-sig"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    path = text(tmp_path / "x.csv", "time (s);F (µN)\n0;1\n1;2\n".encode(encoding))
    assert look(path).columns[1] == ChannelColumn("F (µN)", "µN")
    assert read(Channel(str(path))).values["F (µN)"].tolist() == [1.0, 2.0]


def test_without_times_a_rate_is_wanted_and_columns_are_chosen_and_scaled(tmp_path: Path) -> None:
    path = text(tmp_path / "x.txt", "1 10\n5 20\n3 30\n")
    with pytest.raises(InputError, match="no column of times; give the sample rate"):
        read(Channel(str(path)))
    found = read(Channel(str(path), (ChannelColumn("column 2", "N", 2.0),), rate=100.0))
    assert found.values["column 2"].tolist() == [20.0, 40.0, 60.0]
    assert found.span == (0.0, 0.02)
    with pytest.raises(InputError, match=r"no column 'force'; it has column 1, column 2"):
        read(Channel(str(path), (ChannelColumn("force"),), rate=100.0))


def test_times_that_do_not_lie_evenly_are_kept_and_those_that_were_cut_are_the_grid_that_they_were(
    tmp_path: Path,
) -> None:
    uneven = read(Channel(str(text(tmp_path / "x.csv", "t,a\n0,1\n1,2\n10,3\n"))))
    assert uneven.times is not None
    assert uneven.times.tolist() == [0.0, 1.0, 10.0]
    assert [uneven.nearest(at) for at in (-5, 0.4, 5.4, 5.6, 99)] == [0, 0, 1, 2, 2]
    rows = "".join(f"{k / 3:.5f},{k}\n" for k in range(90))
    cut = read(Channel(str(text(tmp_path / "y.csv", f"t,a\n{rows}"))))
    assert cut.times is None
    assert cut.interval == pytest.approx(1 / 3, rel=1e-6)


def test_empty_cells_break_the_curve_and_are_counted(tmp_path: Path) -> None:
    found = read(Channel(str(text(tmp_path / "x.csv", "t;a\n0;1,5\n1;\n2;∞\n3;2,5\n4;1,0\n5;1,0\n"))))
    assert np.isnan(found.values["a"]).tolist() == [False, True, True, False, False, False]
    assert found.notes == ("2 of 6 samples of a are no numbers; the curve is broken there",)


MANY = "".join(f"{k / 10:.1f},{k}\n" for k in range(40))
WRONG = {
    "nothing in it": ("", "is empty"),
    "a head alone": ("t,a\n", "no lines of numbers"),
    "words": ("hello world\nfoo bar\n", "no lines of numbers"),
    "no text": (b"\0\1\2" * 99, "is no text"),
    "a word among numbers": (f"t,a\n{MANY}4.0,abc\n4.1,3\n", "'abc' in column 'a' is no number"),
    "no number at all": ("t,a\n0,nan\n1,nan\n", "column 'a' holds no number"),
    "times that go back": ("t,a\n0,1\n2,2\n1,3\n", r"sample 2 has an earlier time than sample 1 \(1 and 2 s"),
    "equal times": ("t,a\n0,1\n2,2\n2,3\n", "the same time as sample 1.*give the sample rate"),
    "a time that is missing": ("t,a\n0,1\n,2\n2,3\n", "sample 1 of 3 has no time in column 't'"),
    "times alone": ("t\n0\n1\n", "no column beside that of the times"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_one_clear_sentence(what: str, tmp_path: Path) -> None:
    words, match = WRONG[what]
    path = text(tmp_path / "x.csv", words)
    with pytest.raises(InputError, match=match) as error:
        read(Channel(str(path)))
    assert "x.csv" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_last_line_that_was_cut_is_left_out_and_one_in_the_middle_of_a_rate_is_refused(tmp_path: Path) -> None:
    found = read(Channel(str(text(tmp_path / "x.csv", "t,a\n0,1\n0.1,2\n0.2,3\n0.3"))))
    assert found.values["a"].tolist() == [1.0, 2.0, 3.0]
    assert found.notes == ("line 5 of x.csv has another number of fields than the others, and is left out",)
    path = text(tmp_path / "y.csv", "".join(f"{k};{k}\n" if k != 20 else "20\n" for k in range(60)))
    with pytest.raises(InputError, match=r"line 21 has another number of fields.*times of all behind it are unknown"):
        read(Channel(str(path), (ChannelColumn("column 2"),), rate=10.0))


def test_reading_tells_how_far_it_is_and_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_channels, "BLOCK", 4096)
    path = text(tmp_path / "x.csv", "t,a\n" + "".join(f"{k},{k}\n" for k in range(5000)))
    shares: list[float] = []
    assert read(Channel(str(path)), shares.append).count == 5000
    assert len(shares) > 10
    assert shares == sorted(shares)
    assert shares[-1] == 1.0

    class Stop(Exception):
        pass

    def stop(share: float) -> None:
        if share > 0.5:
            raise Stop

    with pytest.raises(Stop):
        read(Channel(str(path)), stop)
    path = text(tmp_path / "y.txt", "".join(f"  {k}    {2 * k}  \n" for k in range(3000)))
    assert read(Channel(str(path))).values["column 2"].tolist() == [2.0 * k for k in range(3000)], "pieces of lines"


def test_what_is_no_channel(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        look(tmp_path / "no.csv")
    with pytest.raises(InputError, match="is a folder"):
        look(tmp_path)
    for wrong, match in (({"rate": -1.0}, "positive"), ({"time_unit": "h"}, "times are in"),
                         ({"offset": float("nan")}, "number of seconds"),
                         ({"columns": (ChannelColumn("a", "", 0.0),)}, "other than 0")):  # fmt: skip
        with pytest.raises(InputError, match=match):
            Channel("x", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("off", "even"), [(0.008, True), (0.012, False)])
def test_how_far_times_may_miss_the_grid_that_takes_their_place(off: float, even: bool, tmp_path: Path) -> None:
    rows = "".join(f"{k + off * (k == 30)!r},{k}\n" for k in range(60))
    found = read(Channel(str(text(tmp_path / "x.csv", f"t,a\n{rows}"))))
    assert (found.times is None) is even


@pytest.mark.parametrize(("last", "taken"), [(2.09, True), (2.15, False)])
def test_a_first_column_without_a_name_is_the_times_if_its_steps_are_alike(
    last: float, taken: bool, tmp_path: Path
) -> None:
    path = text(tmp_path / "x.txt", f"0 5\n1 6\n{last} 7\n")
    assert look(path).time == ("column 1" if taken else "")


def test_so_many_columns_at_once_and_no_more(tmp_path: Path) -> None:
    path = text(tmp_path / "x.csv", "t," + ",".join("abcdefghi") + "\n" + "0,1,2,3,4,5,6,7,8,9\n" * 1)
    eight = tuple(map(ChannelColumn, "abcdefgh"))
    assert [*read(Channel(str(path), eight)).values] == list("abcdefgh")
    with pytest.raises(InputError, match="9 columns are too many at once; choose 8 at most"):
        Channel(str(path), tuple(map(ChannelColumn, "abcdefghi")))
