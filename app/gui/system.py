"""Has the system show files: its file manager or browser."""

from __future__ import annotations

from pathlib import Path

from pyqtgraph.Qt import QtCore, QtGui

from kernels.errors import InputError


def show(path: Path) -> None:
    """Show a file, or a folder.

    Raises:
        InputError: it is not there, or nothing here opens such things; says where it lies.
    """
    if not path.exists():
        raise InputError(f"{path} is not there (yet)")
    if not QtGui.QDesktopServices.openUrl(QtCore.QUrl.fromLocalFile(str(path.absolute()))):
        what = "a folder" if path.is_dir() else path.name
        raise InputError(f"the system opens no program for {what}; look at {path.absolute()}")
