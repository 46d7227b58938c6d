"""The simulated camera of an installed wheel, beside a stranger that is called like one of our packages."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tests.test_packaging import STRANGER, build, python


def test_the_camera_process_of_a_wheel_finds_its_packages(tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(build("build_wheel", tmp_path)).extractall(site)
    (site / "kernels").mkdir()
    (site / "kernels" / "__init__.py").write_text(STRANGER)
    done = python(site, "cameras", "cam:sim?size=64x48&frames=50", "--seconds", "60", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "50 frames" in done.stdout
    assert "came to its end" in done.stdout
