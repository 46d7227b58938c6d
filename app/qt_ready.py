"""Whether Qt can show a window here, looked at before Qt is: it ends the program where it cannot, without a sentence
that helps. Linux only; elsewhere wheels bring all that Qt needs."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kernels.errors import InputError

PACKAGES = {
    "libGL.so.1": ("libgl1", "mesa-libGL"),
    "libEGL.so.1": ("libegl1", "mesa-libEGL"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libgthread-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs"),
    "libX11.so.6": ("libx11-6", "libX11"),
    "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb"),
    "libXext.so.6": ("libxext6", "libXext"),
    "libxcb.so.1": ("libxcb1", "libxcb"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb"),
    "libxcb-render.so.0": ("libxcb-render0", "libxcb"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb"),
    "libxcb-shm.so.0": ("libxcb-shm0", "libxcb"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb"),
    "libxcb-xinerama.so.0": ("libxcb-xinerama0", "libxcb"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
    "libwayland-client.so.0": ("libwayland-client0", "libwayland-client"),
    "libwayland-cursor.so.0": ("libwayland-cursor0", "libwayland-cursor"),
    "libwayland-egl.so.1": ("libwayland-egl1", "libwayland-egl"),
}  # fmt: skip
"""What Qt loads of the system, and the packages that have it: Debian's and Ubuntu's, Fedora's."""
OWN = ("QtCore", "QtGui", "QtWidgets")
"""Parts of Qt that the window imports."""
Load = Callable[[str], object]
"""Loads a library; raises OSError where that fails."""


@dataclass(frozen=True)
class Qt:
    """Where Qt is.

    Args:
        libraries: its modules for Python that are loaded first.
        plugins: what shows windows, by the name that QT_QPA_PLATFORM knows.
    """

    libraries: Sequence[Path]
    plugins: Mapping[str, Path]


def installed() -> Qt | None:
    """The Qt that would be imported; None where it lies elsewhere than the wheel has it, or not at all."""
    found = importlib.util.find_spec("PyQt5")
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(found.submodule_search_locations[0])
    platforms = folder / "Qt5" / "plugins" / "platforms"
    plugins = {path.stem.removeprefix("libq"): path for path in platforms.glob("libq*.so")}
    return Qt([path for name in OWN for path in folder.glob(f"{name}.*so")], plugins) if plugins else None


def check_qt(qt: Qt | None = None, load: Load = ctypes.CDLL, environ: Mapping[str, str] = os.environ) -> None:
    """See that Qt finds its libraries, knows the platform that it is told, and can reach the screen.

    Args:
        qt: where it is; None for what is installed.
        load: loads a library.
        environ: the environment.

    Raises:
        InputError: it would end the program.
    """
    qt = qt or (installed() if sys.platform.startswith("linux") else None)
    if qt is None:
        return
    asked = environ.get("QT_QPA_PLATFORM", "").split(":")[0].split(";")[0]
    wayland = not asked and not environ.get("DISPLAY")
    name = asked or ("wayland" if wayland else "xcb")
    plugin = next((path for known, path in sorted(qt.plugins.items()) if known.split("-")[0] == name), None)
    if plugin is None:
        raise InputError(f"QT_QPA_PLATFORM asks for {name!r}, which this Qt has not; unset it, or name one of "
                         f"{', '.join(sorted({known.split('-')[0] for known in qt.plugins}))}")  # fmt: skip
    for library in (*qt.libraries, plugin):
        try:
            load(str(library))
        except OSError as error:
            raise InputError(_missing(error, load)) from error
    if name == "xcb" and not _reaches_screen(load):
        raise InputError(f"there is no screen at DISPLAY={environ.get('DISPLAY', '')}: no X server answers there, or "
                         "it does not let this user in; `fusetrack run` needs none")  # fmt: skip


def _missing(error: OSError, load: Load) -> str:
    """What is to be installed."""
    gone = [name for name in PACKAGES if not _loads(name, load)]
    said = " ".join(str(error).split())
    first = said.split(":")[0]
    if first not in gone:  # none that we know of
        return f"the window cannot be shown, as Qt does not load: {said}"
    debian, fedora = (" ".join(dict.fromkeys(PACKAGES[name][k] for name in gone if not name.startswith("libwayland")
                                             or first.startswith("libwayland"))) for k in (0, 1))  # fmt: skip
    return (f"the window needs libraries of the system that are not installed ({first} ...): "
            f"`sudo apt-get install {debian}` on Debian and Ubuntu, `sudo dnf install {fedora}` on Fedora; the other "
            "commands work without them")  # fmt: skip


def _loads(name: str, load: Load) -> bool:
    try:
        load(name)
    except OSError:
        return False
    return True


def _reaches_screen(load: Load) -> bool:
    """Whether an X server answers."""
    xcb = load("libxcb.so.1")
    if not isinstance(xcb, ctypes.CDLL):  # of a test
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed
