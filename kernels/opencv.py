"""The one module that imports cv2.

Importing opencv-python on Linux points Qt at OpenCV's own plug-ins (QT_QPA_PLATFORM_PLUGIN_PATH, QT_QPA_FONTDIR),
and PyQt5 then aborts the process when it opens a window. Both variables are put back to what the user had, so
that neither this process nor its children meet OpenCV's Qt.
"""

from __future__ import annotations

import os

_VARIABLES = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")
_before = {name: os.environ.get(name) for name in _VARIABLES}

import cv2  # noqa: E402, TID251

for _name, _value in _before.items():
    if _value is None:
        os.environ.pop(_name, None)
    else:
        os.environ[_name] = _value

# Errors only: a cut-off video is reported by us, once, not by a warning a frame.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)

__all__ = ["cv2"]
