"""The states of the window with a camera, and of what is recorded from it."""

from __future__ import annotations

from tests.gui.rig import Rig

CAMERA = "cam:sim?scene=vortex&fps=1000&size=512x512"


def throughput(rig: Rig) -> None:
    """A camera of 1000 frames a second, and what limits it."""
    rig.open(CAMERA)
    rig.window.show_panel("throughput")
    rig.wait(4.0)


def camera(rig: Rig) -> None:
    """Which camera."""
    rig.window.ask_for_camera()
    rig.wait(2.0)


def recording(rig: Rig) -> None:
    """A camera that is being recorded."""
    rig.open(CAMERA)
    rig.wait(0.5)
    bar = rig.window.record_bar
    bar.name.setText(str(rig.folder / "run7.mcap"))
    bar.record.click()
    rig.until(lambda: rig.bench.measured is not None and rig.bench.measured.recording is not None)
    rig.wait(2.0)


def rehearsal(rig: Rig) -> None:
    """What a disk sustains, before a recording that waits for a trigger."""
    rig.open(CAMERA)
    bar = rig.window.record_bar
    bar.waits.setChecked(True)
    bar.before.setValue(500)
    bar.after.setValue(1500)
    bar.when.setText("speed>2000")
    bar.rehearse.click()
    rig.until(lambda: rig.window.jobs.all and not rig.window.jobs.running)
    rig.wait(0.5)


def armed(rig: Rig) -> None:
    """Frames are kept in memory until a trigger comes."""
    rig.open(CAMERA)
    bar = rig.window.record_bar
    bar.waits.setChecked(True)
    bar.before.setValue(500)
    bar.after.setValue(1500)
    bar.name.setText(str(rig.folder / "run7.mcap"))
    bar.record.click()
    rig.until(lambda: rig.bench.measured is not None and rig.bench.measured.recording is not None)
    rig.wait(2.0)


def recorded(rig: Rig) -> None:
    """What came of a recording with a trigger."""
    armed(rig)
    rig.window.record_bar.trigger.click()
    rig.wait(3.0)
    rig.window.record_bar.record.click()
    rig.until(lambda: rig.bench.recorded)
    rig.wait(1.0)


def session(rig: Rig) -> None:
    """A session that was recorded around a trigger: frames and seconds count from it."""
    recorded(rig)
    rig.window.record_bar.open_button.click()
    rig.until(lambda: not rig.bench.live and rig.bench.shown is not None)
    rig.wait(2.5)


def asked(rig: Rig) -> None:
    """The window is closed while something is recorded."""
    recording(rig)
    rig.window.close()
    rig.wait(0.5)
