"""Names from files never lead out of the folder that the user chose, whatever they hold."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.batch.finding import Clip
from app.batch.folders import Folders, choose, scan
from app.cli import main
from app.controller import run_clip
from app.desk.jobs.naming import suggest
from app.desk.sidecars.corrections_file import Provenance, aside
from app.exports.export import export_results
from app.exports.material import open_material
from app.files.summary import write_summary
from app.results import HOME, SUMMARY, default_folder
from app.safe_names import MOST, clip_stem, safe_file_name
from app.sources.opening import open_source
from kernels.errors import DefinitionError
from pipelines.definition import loads
from tests.letters import LETTERS

PIECES = st.sampled_from(["..", "/", "\\", ".", " ", "C:", "NUL", "con.txt", "\0", "\n", "‮", "µ", "\udc80", "x" * 300])
NAMES = st.one_of(st.text(LETTERS), st.lists(PIECES).map("".join))
HOSTILE = ["x/../../../ESCAPED", "/ESCAPED", "..", "..\\..\\ESCAPED", "C:\\ESCAPED", "x" * 400, " . ", "aux"]
PIPELINE = """name = '''{}'''
[stages.gray]
[stages.bright]
use = "threshold"
level = 100.0
[stages.spots]
use = "components"
inputs = {{ mask = "bright", weights = "gray" }}
[trackers.follow]
use = "blob"
inputs = "spots"
"""


def is_harmless(name: str) -> bool:
    if not name:
        return False
    posix, windows = PurePosixPath(name), PureWindowsPath(name)
    alone = posix.parts == (name,) and windows.parts == (name,) and name != ".." and not windows.is_reserved()
    return alone and name.isprintable() and name[0] != "." and name[-1] not in ". " and len(name.encode()) <= 255


@given(NAMES, st.booleans())
def test_any_name_becomes_one_harmless_part_of_a_path(name: str, plain: bool) -> None:
    made = safe_file_name(name, plain=plain)
    assert is_harmless(made)
    assert len(made.encode()) <= MOST
    assert plain or safe_file_name(made) == made
    assert is_harmless(clip_stem(name, plain=plain))


def test_ordinary_names_stay_and_long_ones_stay_apart() -> None:
    for name in ("shot_7", "Ärmel 3 (links)", "a.b-c", "console", "速度"):
        assert safe_file_name(name) == name
    assert safe_file_name("x" * 300) != safe_file_name("x" * 301)


@given(NAMES)
def test_all_who_make_a_name_of_one_stay_in_their_folder(name: str) -> None:
    out = Path("/out")
    assert is_harmless(suggest(out, name, ".mcap").name)
    clips = [Clip(name, name), Clip(f"{name}2", name)]
    for folder in choose(clips, Folders(out)).values():
        assert all(map(is_harmless, folder.split("/")))
    beside = aside(out / "c.json", Provenance("c", 1, 1, 1, "p", name))
    assert (beside.parent, is_harmless(beside.name)) == (out, True)


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """A clip, deep enough to see what leaves the folder beside it."""
    y, x = np.mgrid[:24, :32]
    frames = [200 * np.exp(-((x - 8 - t / 4) ** 2 + (y - 12) ** 2) / 9) for t in range(12)]
    folder = tmp_path / "a/b/c"
    folder.mkdir(parents=True)
    np.save(folder / "clip.npy", np.array(frames).astype(np.uint8))
    return folder / "clip.npy"


def strays(clip: Path, top: Path) -> list[Path]:
    """What lies outside the folder of the clip."""
    return [path for path in top.rglob("*") if path.is_file() and not path.is_relative_to(clip.parent)]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_pipeline_called_so_writes_nowhere_else(
    name: str, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(clip.parent)
    Path("evil.toml").write_text(PIPELINE.format(name))
    folder = run_clip("clip.npy", "evil.toml", fps=100.0, overlay=False).folder
    assert (folder.parent, is_harmless(folder.name)) == (HOME, True)
    assert not strays(clip, tmp_path)


def test_a_session_of_such_a_pipeline_is_replayed_in_its_place(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(clip.parent)
    Path("evil.toml").write_text(PIPELINE.format(HOSTILE[0]))
    assert main(["record", "clip.npy", "--fps", "100", "-p", "evil.toml", "-o", "evil.mcap", "-q"]) == 0
    assert main(["replay", "evil.mcap", "-q", "--no-overlay"]) == 0
    assert [path.name for path in HOME.iterdir()] == ["evil-x_.._.._.._ESCAPED"]
    assert main(["export", "evil.mcap", "--to", "csv"]) == 0
    assert not strays(clip, tmp_path)


def test_a_summary_of_others_names_no_other_place(clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(clip.parent)
    outcome = run_clip("clip.npy", "blobs", fps=100.0, overlay=False, out="run")
    for name in (*HOSTILE, "a\0b", ""):
        write_summary(Path("run") / SUMMARY, {**outcome.summary, "source": {"name": name}})
        assert is_harmless(open_material("run").stem)
        (made,) = export_results("run", "csv", force=True).files
        assert (made.parent, is_harmless(made.name)) == (Path("run"), True)
    assert not strays(clip, tmp_path)


def test_a_clip_s_own_name_stays_readable(clip: Path) -> None:
    info = open_source(clip).info
    assert default_folder(info, "blobs", (0, info.frames), None) == HOME / "clip-blobs"
    assert default_folder(info, "my blobs", (0, 3), (1, 2, 3, 4)).name == "clip-my blobs-frames-0-3-roi-1-2-3-4"


def test_halves_of_a_batch_are_not_put_back_above_it(tmp_path: Path) -> None:
    half = tmp_path / "out/....0123abcd.old"
    half.mkdir(parents=True)
    (half / "ESCAPED").touch()
    scan(tmp_path / "out", clear=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("letter", ["\\u0000", "\\n", "\\u001b", "\\u2028"])
def test_control_characters_in_a_pipeline_s_name_are_refused(letter: str) -> None:
    text = "\ufeff" + PIPELINE.replace("'''{}'''", f'"a{letter}b"').format()
    with pytest.raises(DefinitionError, match=r"^evil:1: a name is one line without control characters, not 'a"):
        loads(text, "evil")


def test_a_null_byte_on_the_command_line_is_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["run", "a\0b"], ["batch", "x", "--out", "a\0b"], ["run", "x", "--truth=a\0b"], ["ledger", "a\0b"]):
        assert main(words) == 2
        assert "holds a null byte" in capsys.readouterr().err
    (tmp_path / "list").write_bytes(b"clip.npy\na\0b\n")
    assert main(["batch", "--list", str(tmp_path / "list"), "--out", str(tmp_path / "out")]) == 2
    assert "holds a null byte in line 2" in capsys.readouterr().err
