"""Whatever is asked to go wrong: the simulated camera's own account is what a reader finds in the numbers.

The camera runs on a thread of the test here, over the same memory, so that many can be tried; that it is a process of
its own changes nothing in it and is tested elsewhere.
"""

from __future__ import annotations

import time
from contextlib import closing

from hypothesis import given, settings
from hypothesis import strategies as st

from app.cameras.simulated.process import EPOCH
from app.cameras.simulated.truth import count
from tests.app.cameras.made import OnAThread, clipped, missing, repeated, take_all, threaded


def camera(query: str) -> OnAThread:
    return threaded(f"cam:sim?size=32x32&pictures=3&{query}")


def when(most: float, frames: int) -> st.SearchStrategy[str]:
    """A fault's times: a share of the frames, or some numbers."""
    numbers = st.lists(st.integers(0, frames + 5), max_size=4, unique=True)
    named = numbers.map(lambda n: "@" + ",".join(map(str, sorted(n))) if n else "0")
    return st.floats(0, most).map(str) | named


FRAMES = 150
FAULTS = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 999),
        "jitter": st.floats(0, 0.9),
        "drop": when(0.5, FRAMES),
        "duplicate": when(0.5, FRAMES),
        "stall": when(0.01, FRAMES),
        "disconnect": when(0.01, FRAMES),
        "resize": when(0.01, FRAMES),
        "returns": st.sampled_from(["same", "resized"]),
        "ring": st.sampled_from([1, 2, 7, 300]),
        "fps": st.sampled_from([3000, 20000]),
        "drift": st.floats(-500, 500),
    }
)


@settings(max_examples=40, deadline=None)
@given(faults=FAULTS, room_for=st.sampled_from([1, 3, 64]), pause=st.sampled_from([0.0, 0.0, 0.002]))
def test_the_camera_and_its_reader_agree(faults: dict[str, object], room_for: int, pause: float) -> None:
    query = "&".join(f"{name}={value}" for name, value in faults.items())
    with closing(camera(f"frames={FRAMES}&stall_time=0.002&away=0.002&resized=48x40&{query}")) as made:
        taken = take_all(made, room_for=room_for, pause=pause, keep=True)
        truth = made.truth()
        infos = made._settings.infos
    ids = taken.ids
    assert taken.ended
    assert truth.complete
    assert truth.announced == FRAMES
    assert truth.delivered == len(ids)
    assert ids == sorted(ids)
    assert repeated(ids) == list(truth.duplicated)
    assert len(set(ids)) == FRAMES - truth.lost
    lost = {n for low, high in truth.missing for n in range(low, high + 1)}
    assert set(ids) == set(range(FRAMES)) - lost
    if ids:
        head = ((0, ids[0] - 1),) if ids[0] else ()
        assert (*head, *missing(ids)) == clipped(truth.missing, ids[-1])
    assert truth.lost == sum(map(count, (truth.dropped, truth.overrun, truth.disconnected, truth.late)))
    assert len(taken.lost) >= len(truth.resized)
    assert {p.shape for p in taken.pictures} <= {info.image.shape for info in infos}


def test_the_time_stamps_tell_where_it_paused() -> None:
    with closing(camera("frames=100&fps=2000&stall=@40,41,90&stall_time=0.05&ring=200")) as made:
        taken = take_all(made)
        truth = made.truth()
    assert truth.stalls == ((40, 0.05), (41, 0.05), (90, 0.05))
    stamps = dict(zip(taken.ids, taken.arrivals["camera_time"].tolist(), strict=True))
    pauses = {k: stamps[k] - stamps[k - 1] for k in stamps if k - 1 in stamps and stamps[k] - stamps[k - 1] != 500_000}
    assert pauses == {k: 50_500_000 for k, _ in truth.stalls}
    assert stamps[0] == EPOCH


def test_a_machine_that_was_asleep_names_what_it_did_not_deliver(monkeypatch) -> None:
    made = camera("frames=5000&fps=1000&ring=10")
    real = time.monotonic_ns
    asleep = [0]
    monkeypatch.setattr("app.cameras.simulated.process.time.monotonic_ns", lambda: real() + asleep[0])
    with closing(made):
        ids = take_all(made, most=20).ids
        asleep[0] = 3_000_000_000
        ids += take_all(made, room_for=1).ids
        truth = made.truth()
    assert count(truth.late) >= 900
    assert missing(ids) == clipped(truth.missing, ids[-1])
    assert truth.announced == 5000
