"""A simulated camera is lost, stopped, killed, resized: it comes back, nothing hangs, nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from app.cameras.opening import open_camera
from kernels.errors import CameraLost, EndOfStream, InputError
from tests.app.cameras.made import clipped, missing, room, start_again, take_all, take_until_lost, threaded
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]
SMALL = "size=64x48&fps=1000"


def test_it_comes_back_after_a_disconnection_and_says_what_was_lost() -> None:
    with closing(open_camera(f"cam:sim?{SMALL}&frames=900&disconnect=@200,500&away=0.1")) as camera:
        taken = take_all(camera)
        truth = camera.truth()
    lows = [low for low, _ in truth.disconnected]
    assert lows in ([200, 500], [200])  # on a slow machine 500 goes by while it is not connected
    assert len(taken.lost) == len(lows)
    assert "disconnected" in taken.lost[0]
    assert missing(taken.ids) == clipped(truth.missing, taken.ids[-1])
    assert all(high - low >= 99 for low, high in truth.disconnected)  # 0.1 s at 1000 frames/s
    assert len(set(taken.ids)) == len(taken.ids) == truth.announced - truth.lost


def test_start_while_it_is_away_is_refused() -> None:
    with closing(threaded(f"cam:sim?{SMALL}&disconnect=@5&away=3600")) as camera:
        assert len(take_all(camera, reconnect=False).ids) == 5
        with pytest.raises(CameraLost, match="disconnected"):
            camera.start()
        camera.stop()


@pytest.mark.parametrize("how", ["resize=@100,200", "disconnect=@100,200&returns=resized&away=0.01"])
def test_another_size_is_a_loss_after_all_of_the_old_size_came(how: str) -> None:
    with closing(threaded(f"cam:sim?{SMALL}&frames=400&resized=40x32&{how}")) as camera:
        taken = take_all(camera, keep=True)
        truth = camera.truth()
    assert 1 <= len(taken.lost) == len(truth.disconnected) <= 2  # on a slow machine 200 goes by unseen
    for number, picture in zip(taken.ids, taken.pictures, strict=True):
        changes = sum(high < number for _, high in truth.disconnected)
        assert picture.shape == ((32, 40) if changes % 2 else (48, 64))
    assert taken.ids[:100] == list(range(100))
    assert missing(taken.ids) == clipped(truth.missing, taken.ids[-1])
    assert truth.resized == (tuple(low for low, _ in truth.disconnected) if "resize=@" in how else ())


def test_a_change_of_size_that_was_not_seen_before_the_start_is_seen_after_it() -> None:
    with closing(threaded(f"cam:sim?{SMALL}&frames=60&resize=@50&resized=32x32")) as camera:
        camera.start()
        end = time.monotonic() + PATIENCE
        while camera.truth().resized == () and time.monotonic() < end:
            time.sleep(0.01)
        camera.start()  # connects again, with all of the old size still to be taken
        assert camera.info.image.shape == (48, 64)
        pixels, arrivals = room(camera, 100)
        assert camera.take(pixels, arrivals, 1) == 50
        ids, over = take_until_lost(camera)
        assert ids == []
        if camera.truth().delivered > 50:  # on a very slow machine all of the rest went by meanwhile
            assert "32x32" in str(over)
            camera.start()
            assert camera.info.image.shape == (32, 32)


def test_stop_keeps_what_was_delivered_and_start_goes_on() -> None:
    with closing(threaded(f"cam:sim?{SMALL}&frames=400")) as camera:  # fewer than its ring holds
        camera.start()
        time.sleep(0.05)
        camera.stop()
        camera.stop()
        delivered = camera.truth().delivered
        pixels, arrivals = room(camera, 4096)
        got = camera.take(pixels, arrivals, 0) if delivered else 0
        assert got == delivered
        with pytest.raises(EndOfStream):
            camera.take(pixels, arrivals, 0)
        rest = take_all(camera)
        assert rest.ids == list(range(delivered, 400))
        again = take_all(camera)  # after the end it begins anew, its numbers go on
        assert again.ids == list(range(400, 800))


def test_a_killed_camera_is_lost_and_comes_back() -> None:
    with closing(open_camera(f"cam:sim?{SMALL}&frames=100000")) as camera:
        camera.start()
        first = camera.process
        pixels, arrivals = room(camera, 16)
        ids = []
        while len(ids) < 50:
            ids += arrivals["camera_id"][: camera.take(pixels, arrivals, 1)].tolist()
        os.kill(first, signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        more, over = take_until_lost(camera)
        ids += more
        assert isinstance(over, CameraLost)
        assert "died" in str(over)
        start_again(camera, end)
        assert camera.process not in (0, first)
        ids += take_all(camera, most=50).ids
        camera.stop()
        truth = camera.truth()
        assert missing(ids) == clipped(truth.missing, ids[-1])
        assert len(set(ids)) == len(ids)


def test_a_camera_dies_with_its_program(tmp_path: Path) -> None:
    code = (
        "import sys, time; from app.cameras.opening import open_camera\n"
        f"camera = open_camera('cam:sim?{SMALL}'); camera.start()\n"
        "print(camera.process, flush=True); time.sleep(600)"
    )
    program = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    camera = int(program.stdout.readline())
    program.kill()
    program.wait()
    program.stdout.close()
    end = time.monotonic() + PATIENCE
    while running(camera):
        assert time.monotonic() < end, "the camera outlived its program"
        time.sleep(0.01)


def running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        pass
    if Path("/proc/self").exists():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_nothing_is_left_behind_by_a_camera_that_was_never_closed() -> None:
    camera = open_camera(f"cam:sim?{SMALL}")
    camera.start()
    process = camera.process
    camera._process.stdin.close()  # what the system does when the program is gone
    end = time.monotonic() + PATIENCE
    while camera.process:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert not running(process)


def test_a_clip_that_vanished_meanwhile_is_one_sentence(tmp_path: Path) -> None:
    clip = tmp_path / "clip.npy"
    np.save(clip, np.zeros((3, 8, 8), np.uint8))
    with closing(open_camera(f"cam:sim?clip={clip}")) as camera:
        clip.unlink()
        with pytest.raises(InputError, match="does not exist"):
            camera.start()
        np.save(clip, np.ones((3, 8, 8), np.uint8))
        camera.start()
        camera.stop()
