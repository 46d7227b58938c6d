"""Cameras that were calibrated together, as a JSON file that people and other programs can read."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from app.exports.scale import METRES
from app.files.missing import missing_sentence
from app.files.summary import json_text, write_summary
from kernels.errors import InputError
from pipelines.stereo.camera_model import PARAMETERS, Array, CameraModel, moved_covariance

VERSION = 1
ORTHOGONAL = 1e-6
"""How far R R' of a file may be from 1: digits that were cut."""


@dataclass(frozen=True, slots=True)
class Rig:
    """Cameras in one space.

    Args:
        cameras: C of them.
        names: of their clips, for people.
        unit: of space, a word of METRES.
        rms: what was left wrong in the pictures, root of the mean squared distance, px.
        method: "board", "wand" or "control".
        notes: sentences to read with it.
        covariance: of `PARAMETERS` of all cameras, (14 C, 14 C); None where it is not known, as in files of versions
            before it.
    """

    cameras: tuple[CameraModel, ...]
    names: tuple[str, ...]
    unit: str
    rms: float
    method: str
    notes: tuple[str, ...] = ()
    covariance: Array | None = None

    def moved(self, rotation: Array, translation: Array, covariance: Array | None = None) -> Rig:
        """In another space: places x of it are at rotation x + translation of this one.

        Args:
            covariance: as `moved_covariance` takes it, where the motion is known no better than the cameras; None: it
                is what somebody says.
        """
        # Without a covariance the motion is exact: its six parameters have no variance.
        if covariance is None and self.covariance is not None:
            covariance = np.pad(self.covariance, (0, 6))
        known = None if covariance is None else moved_covariance(self.cameras, covariance, translation)
        # One motion after the other: R_c (R x + t) + t_c.
        cameras = tuple(replace(camera, rotation=camera.rotation @ rotation,
                                translation=camera.rotation @ translation + camera.translation)
                        for camera in self.cameras)  # fmt: skip
        return replace(self, cameras=cameras, covariance=known)

    def facts(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "fusetrack_rig": VERSION, "unit": self.unit, "method": self.method, "rms_px": self.rms,
            "notes": list(self.notes), "pixels": "centres at whole numbers, x right, y down",
            "cameras": [
                {"name": name, "width": camera.size[0], "height": camera.size[1], "matrix": camera.matrix.tolist(),
                 "distortion_k1_k2_p1_p2_k3": camera.distortion.tolist(), "rotation": camera.rotation.tolist(),
                 "translation": camera.translation.tolist(), "centre": camera.centre.tolist(),
                 "dlt_of_undistorted_pixels": _finite(camera.direct_linear())}
                for name, camera in zip(self.names, self.cameras, strict=True)
            ],
            "covariance_of": [f"{name}_{at + 1}" for at in range(len(self.cameras)) for name in PARAMETERS],
            "covariance": None if self.covariance is None else self.covariance.tolist(),
        }  # fmt: skip


def _finite(numbers: Array) -> list[float] | None:
    """None where the origin lies in the camera's plane, for which there are no such coefficients."""
    return numbers.tolist() if np.isfinite(numbers).all() else None


def write_rig(path: Path, rig: Rig) -> None:
    """Write it, whole or not at all.

    Raises:
        InputError: the file cannot be written.
    """
    write_summary(path, rig.facts())


def read_rig(path: Path) -> Rig:
    """What `write_rig` wrote.

    Raises:
        InputError: it is not there, something else, or damaged.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(missing_sentence(path)) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    return parse_rig(data, str(path))


def rig_text(rig: Rig) -> str:
    """What its file holds, in one line."""
    return json_text(rig.facts(), None)


def parse_rig(data: str | bytes, where: str) -> Rig:
    """What a file of a calibration holds.

    Args:
        where: begins each complaint.

    Raises:
        InputError: it is something else, or damaged.
    """
    try:
        facts = json.loads(data)
    except ValueError:
        raise InputError(f"{where} is no calibration: `fusetrack calibrate` writes them as JSON") from None
    if not isinstance(facts, Mapping) or "fusetrack_rig" not in facts:
        raise InputError(f"{where} is no calibration of cameras; `fusetrack calibrate` writes them")
    if facts["fusetrack_rig"] != VERSION:
        raise InputError(f"{where} is a calibration of version {facts['fusetrack_rig']!r:.20}; this fusetrack reads "
                         f"version {VERSION}")  # fmt: skip
    try:
        return rig_of(facts)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{where} is damaged: {error}") from None


def rig_of(facts: Mapping[str, Any]) -> Rig:
    """What `Rig.facts` told.

    Raises:
        KeyError, TypeError, ValueError, OverflowError: it is something else.
    """
    cameras, names = [], []
    for one in facts["cameras"]:
        size = int(one["width"]), int(one["height"])
        matrix, rotation = _numbers(one["matrix"], (3, 3)), _numbers(one["rotation"], (3, 3))
        if min(size) < 1 or not (matrix[0, 0] > 0 and matrix[1, 1] > 0) or (matrix[2] != (0.0, 0.0, 1.0)).any():
            raise ValueError("a camera's matrix or size is none")
        # A rotation: orthogonal, and no mirror image.
        if np.abs(rotation @ rotation.T - np.eye(3)).max() > ORTHOGONAL or np.linalg.det(rotation) < 0:
            raise ValueError("a camera's rotation is none")
        cameras.append(CameraModel(size, matrix, _numbers(one["distortion_k1_k2_p1_p2_k3"], (5,)), rotation,
                                   _numbers(one["translation"], (3,))))  # fmt: skip
        names.append(str(one["name"]))
    unit, rms = facts["unit"], float(facts["rms_px"])
    if unit not in METRES or not 0 <= rms < math.inf or not cameras:
        raise ValueError("unit, rms_px or cameras")
    covariance = facts.get("covariance")
    if covariance is not None:
        covariance = _numbers(covariance, (len(PARAMETERS) * len(cameras),) * 2)
        if not np.allclose(covariance, covariance.T, rtol=1e-6) or (np.diagonal(covariance) < 0).any():
            raise ValueError("the covariance is none")
    return Rig(tuple(cameras), tuple(names), unit, rms, str(facts["method"]), tuple(map(str, facts.get("notes", ()))),
               covariance)  # fmt: skip


def _numbers(given: Any, shape: tuple[int, ...]) -> Array:
    found = np.array(given, float)
    if found.shape != shape or not np.isfinite(found).all():
        raise ValueError(f"{given!r:.60} should be {' x '.join(map(str, shape))} numbers")
    return found


def parse_length(text: str, option: str) -> tuple[float, str]:
    """A length with its unit.

    >>> parse_length("5 mm", "--square"), parse_length("1.2e-2m", "--square")
    ((5.0, 'mm'), (0.012, 'm'))

    Raises:
        InputError: it is something else.
    """
    match = re.fullmatch(r"\s*([-+.\deE]+?)\s*([a-zµμ]+)\s*", text)
    unit = "" if match is None else match.group(2).replace("µ", "u").replace("μ", "u")
    try:
        value = float(match.group(1)) if match is not None else math.nan
    except ValueError:
        value = math.nan
    if unit not in METRES or not 0 < value < math.inf:
        raise InputError(f'{option} takes a length, such as "5 mm" ({", ".join(METRES)}), not {text!r}')
    return value, unit


def describe(rig: Rig, focal_errors: Sequence[float] | None = None) -> list[str]:
    """What a calibration prints about its cameras."""
    lines = []
    for at, (name, camera) in enumerate(zip(rig.names, rig.cameras, strict=True)):
        error = "" if focal_errors is None else f" +- {focal_errors[at]:.2g}"
        x, y, z = camera.centre
        lines.append(f"camera {at + 1} {name}: focal length {camera.matrix[0, 0]:.6g}{error} px, at ({x:.5g}, {y:.5g}, "
                     f"{z:.5g}) {rig.unit}, k1 {camera.distortion[0]:.3g}")  # fmt: skip
    for at in range(1, len(rig.cameras)):
        apart = float(np.linalg.norm(rig.cameras[at].centre - rig.cameras[0].centre))
        # Rounding may leave a cosine a little above 1.
        turn = math.degrees(math.acos(float(np.clip(rig.cameras[0].axis @ rig.cameras[at].axis, -1.0, 1.0))))
        lines.append(f"camera {at + 1} is {apart:.6g} {rig.unit} from camera 1; their axes differ by {turn:.3g} "
                     "degrees")  # fmt: skip
    return lines
