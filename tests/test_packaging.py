"""The wheel, the editable install and the bare checkout all start, beside another package called `kernels`."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[1]
STRANGER = 'raise ImportError("this is the other package called kernels")\n'
PROGRAM = "import fusetrack, sys; sys.exit(fusetrack.main())"


def build(hook: str, folder: Path) -> Path:
    """Run a hook of the build back end in the checkout; the wheel that it made."""
    code = f"from hatchling.build import {hook}; print({hook}({str(folder)!r}))"
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return folder / out.stdout.split()[-1]


def python(site: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    start = f"import site; site.addsitedir({str(site)!r}); import sys; sys.path.remove({str(site)!r});" \
            f"sys.path.insert(0, {str(site)!r});"  # fmt: skip
    program = start + "sys.argv[0] = 'fusetrack';" + PROGRAM
    return subprocess.run([sys.executable, "-P", "-c", program, *arguments], cwd=cwd, env=env, capture_output=True,
                          text=True, timeout=PATIENCE)  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("build_wheel", tmp_path_factory.mktemp("wheel"))


def test_the_wheel_has_one_top_level(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"fusetrack"}
    assert {"fusetrack/__init__.py", "fusetrack/py.typed"} <= {*names}
    assert "fusetrack/kernels/stages/gaussian.py" in names
    assert not any("benchmark_peers" in name for name in names)
    assert any(name.startswith("fusetrack/pipelines/library/") and name.endswith(".toml") for name in names)
    assert "fusetrack/pipelines/library/quadrant_targets.onnx" in names
    assert any(name.startswith("fusetrack/sample_videos/") and name.endswith(".csv") for name in names)


def test_the_wheel_starts_beside_a_stranger(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    (site / "kernels").mkdir()
    (site / "kernels" / "__init__.py").write_text(STRANGER)
    done = python(site, "stages", "gaussian", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Gaussian blur" in done.stdout


def test_an_editable_install_starts_beside_a_stranger(tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(build("build_editable", tmp_path)).extractall(site)
    (site / "kernels").mkdir()
    (site / "kernels" / "__init__.py").write_text(STRANGER)
    done = python(site, "stages", "gaussian", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Gaussian blur" in done.stdout


def test_the_bare_checkout_starts() -> None:
    done = subprocess.run([sys.executable, "-m", "app", "--version"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("fusetrack ")


def test_every_module_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that nothing here uses: what they need may be missing on a user's machine."""
    monkeypatch.chdir(tmp_path)  # an example leaves its figures where it is run
    folders = ("kernels", "pipelines", "app", "tests/benchmark_peers")
    paths = [path for name in folders for path in sorted((ROOT / name).rglob("*.py"))]
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths if path.stem != "__main__"]
    assert len(modules) > 500
    for module in modules:
        importlib.import_module(module.removesuffix(".__init__"))


def test_import_is_light(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); before = set(sys.modules); import fusetrack;"
        "heavy = {m.partition('.')[0] for m in set(sys.modules) - before};"
        "print(sorted(heavy & {'numpy', 'cv2', 'cupy', 'PyQt5', 'pyqtgraph', 'scipy', 'av', 'rich', 'pyarrow',"
        "'matplotlib'}))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_spawned_workers_find_the_packages(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    script = tmp_path / "script.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(site)!r})\n"
        "import fusetrack, multiprocessing\n"
        "from kernels.ir.image import arithmetic_type, U8, F32\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.apply(arithmetic_type, (U8, F32)))\n"
    )
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "f32"


def test_opencv_leaves_qt_alone() -> None:
    code = ("from kernels.opencv import cv2; import os; "
            "print([k for k in ('QT_QPA_PLATFORM_PLUGIN_PATH', 'QT_QPA_FONTDIR') if 'cv2' in os.environ.get(k, '')])")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
