"""The READMEs: each command is one that there is, each link leads somewhere, each example of Python runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from app import launcher
from app.cli import COMMANDS, joined, parser
from pipelines.definition import load

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path for path in (*ROOT.glob("*.md"), *ROOT.glob("*/*.md"), *ROOT.glob("*/*/*.md"))
    if not path.relative_to(ROOT).parts[0].startswith(".")
)  # fmt: skip
BLOCK = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(fusetrack [a-z][^`]*)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def whole() -> list[tuple[str, str]]:
    """File and command of the lines of blocks and of the table in the README, which can be copied as they are."""
    found = []
    for path in FILES:
        text = re.sub(r"\\\n\s*", " ", path.read_text(encoding="utf-8"))
        lines = [line for block in BLOCK.findall(text) for line in block.splitlines()]
        for line in lines:
            command = re.search(r"(?:^|&& )(fusetrack .*)", line)
            if command and "..." not in line:
                found.append((named(path), command[1]))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    found += [("README.md", command) for row in rows for command in INLINE.findall(row)
              if len(command.split()) > 2]  # fmt: skip
    return sorted(set(found))


@cache
def pieces() -> list[tuple[str, str]]:
    """File and command, with words in capitals for what is to be put in, of the prose."""
    found = {(named(path), " ".join(piece.split()))
             for path in FILES for piece in INLINE.findall(path.read_text(encoding="utf-8"))}  # fmt: skip
    return sorted(found - set(whole()))


def test_commands_are_found():
    assert len(whole()) > 40
    assert len(pieces()) > 40
    assert {name for name, _ in whole()} >= {"README.md", "app/README.md", "kernels/SPEED.md"}


@pytest.mark.parametrize(("name", "command"), whole(), ids=lambda text: text[:60])
def test_a_command_of_a_block_is_one_that_there_is(name, command):
    words = shlex.split(command, comments=True)[1:]
    assert parser(words[0]).parse_args(joined(words)).command == words[0], name


@pytest.mark.parametrize(("name", "command"), pieces(), ids=lambda text: text[:60])
def test_a_command_of_the_prose_has_only_options_that_there_are(name, command):
    words = command.split()
    assert words[1] in COMMANDS, name
    top = parser(words[1])
    assert top.called is not None
    known = {option for action in top.called._actions for option in action.option_strings}
    for word in words[2:]:
        option = word.strip("[]()|,.").partition("=")[0]
        if option.startswith("-") and not re.fullmatch(r"-[\d.].*", option):
            assert option in known, f"{name}: {command}"


def anchor(heading: str) -> str:
    """As GitHub makes it of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("path", FILES, ids=named)
def test_links_lead_somewhere(path):
    for link in LINK.findall(path.read_text(encoding="utf-8")):
        if link.startswith(("http:", "https:", "mailto:")):
            continue
        file, _, place = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), link
        if place:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert place in map(anchor, headings), link


def test_the_example_of_python_runs(tmp_path, monkeypatch):
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "fusetrack", launcher)  # this checkout's, whatever is installed
    names: dict[str, object] = {}
    exec(block.replace('"sample_videos/', f'"{ROOT.as_posix()}/sample_videos/'), names)
    assert load(tmp_path / "mine.toml") == names["mine"].graph
    assert len(names["seen"]["x"]) > 1000
    assert names["smooth"].shape == (100, 288, 384)
    assert len(names["own"].ids) > 20


def test_the_loop_of_the_readme_prints_what_is_said(tmp_path):
    text = (ROOT / "kernels" / "loops" / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "my_loops.py").write_text(block, encoding="utf-8")
    done = subprocess.run([sys.executable, tmp_path / "my_loops.py"], env={**os.environ, "PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert f"`{done.stdout.strip()}`" in text
