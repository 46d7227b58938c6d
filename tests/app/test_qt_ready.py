"""What keeps Qt from showing a window is said in a sentence before Qt would end the program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.qt_ready import PACKAGES, Qt, check_qt, installed
from kernels.errors import InputError
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
QT = Qt([Path("/qt/QtGui.so")], {name: Path(f"/qt/libq{name}.so") for name in ("xcb", "offscreen", "wayland-egl")})
SCREEN = {"DISPLAY": ":0"}


class System:
    """A system on which some libraries are not there, which Qt's own files need."""

    def __init__(self, *gone: str, by: str = "/qt/libqxcb.so") -> None:
        self.gone, self.by = gone, by
        self.loaded: list[str] = []

    def __call__(self, name: str) -> object:
        self.loaded.append(name)
        if name in self.gone or (name == self.by and self.gone):
            what = self.gone[0] if name == self.by else name
            raise OSError(f"{what}: cannot open shared object file: No such file or directory")
        return None


def test_packages_of_all_that_is_missing_are_named_at_once() -> None:
    system = System("libxcb-icccm.so.4", "libxcb-xinerama.so.0", "libxkbcommon-x11.so.0")
    with pytest.raises(InputError) as said:
        check_qt(QT, system, SCREEN)
    words = str(said.value)
    assert "`sudo apt-get install libxcb-icccm4 libxcb-xinerama0 libxkbcommon-x11-0` on Debian and Ubuntu" in words
    assert "`sudo dnf install xcb-util-wm libxcb libxkbcommon-x11` on Fedora" in words
    assert "libxcb-icccm.so.4" in words
    assert "\n" not in words


def test_what_every_part_of_qt_needs_is_named_too_and_wayland_only_where_it_is_wanted() -> None:
    with pytest.raises(InputError, match="install libgl1` on Debian and Ubuntu, `sudo dnf install mesa-libGL`"):
        check_qt(QT, System("libGL.so.1", "libwayland-client.so.0", by="/qt/QtGui.so"), SCREEN)
    with pytest.raises(InputError, match="install libwayland-client0` on"):
        check_qt(QT, System("libwayland-client.so.0", by="/qt/libqwayland-egl.so"), {"WAYLAND_DISPLAY": "wayland-0"})


def test_another_reason_is_said_as_it_is() -> None:
    with pytest.raises(InputError, match=r"Qt does not load: libicudata\.so\.56: cannot open"):
        check_qt(QT, System("libicudata.so.56"), SCREEN)


def test_a_platform_that_there_is_not_is_said_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match=r"asks for 'foo', which this Qt has not; .* offscreen, wayland, xcb$"):
        check_qt(QT, System(), {"QT_QPA_PLATFORM": "foo"})


@pytest.mark.parametrize(("environ", "plugin"), [
    (SCREEN, "/qt/libqxcb.so"), ({"WAYLAND_DISPLAY": "w"}, "/qt/libqwayland-egl.so"),
    ({**SCREEN, "QT_QPA_PLATFORM": "offscreen:fontdir=/x"}, "/qt/libqoffscreen.so"),
])  # fmt: skip
def test_where_all_is_there_nothing_is_said(environ: dict[str, str], plugin: str) -> None:
    system = System()
    check_qt(QT, system, environ)
    assert system.loaded[:2] == ["/qt/QtGui.so", plugin]


def test_every_library_has_a_package_of_both() -> None:
    assert all(debian and fedora and " " not in debian + fedora for debian, fedora in PACKAGES.values())
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = {debian for debian, _ in PACKAGES.values()}
    listed = [word for line in readme.splitlines() if "libgl1" in line or "libxkbcommon-x11-0" in line
              for word in line.replace("`", " ").replace(",", " ").split()
              if word.startswith("lib")]  # fmt: skip
    assert len(listed) >= 8
    assert {word.rstrip(".") for word in listed} <= named


@pytest.mark.skipif(not sys.platform.startswith("linux") or installed() is None, reason="needs Qt of a wheel on Linux")
@pytest.mark.parametrize(("setting", "said"), [
    ({"DISPLAY": ":31415"}, "there is no screen at DISPLAY=:31415"), ({"QT_QPA_PLATFORM": "none"}, "asks for 'none'"),
])  # fmt: skip
def test_the_command_ends_with_a_sentence_and_code_2(setting: dict[str, str], said: str) -> None:
    """It ended with Qt's abort."""
    code = "import sys; from app.cli import main; sys.exit(main(['gui']))"
    rest = {key: value for key, value in os.environ.items()
            if key not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}  # fmt: skip
    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**rest, **setting}, capture_output=True,
                          text=True, timeout=PATIENCE, check=False)  # fmt: skip
    if "libraries of the system" not in made.stderr:  # none are there for a screen at all
        assert said in made.stderr
    assert made.stderr.startswith("fusetrack: ")
    assert made.stderr.count("\n") == 1
    assert made.returncode == 2
