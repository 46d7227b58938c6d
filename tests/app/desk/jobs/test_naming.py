"""Names of new files."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from app.desk.jobs.naming import following, suggest

DAY = datetime(2026, 11, 21, 9, 30)


def test_suggested_names_count_on_and_are_never_taken(tmp_path: Path) -> None:
    assert suggest(tmp_path / "no", "cam:sim", ".mcap", DAY).name == "cam-sim_2026-11-21_001.mcap"
    for number in (1, 2, 7):
        (tmp_path / f"shot_2026-11-21_{number:03d}.mcap").touch()
    (tmp_path / "shot_2026-11-20_050.mcap").touch()
    (tmp_path / "shot_2026-11-21_old.mcap").touch()
    assert suggest(tmp_path, "shot", ".mcap", DAY).name == "shot_2026-11-21_008.mcap"
    assert suggest(tmp_path, "::", ".mcap", DAY).name == "session_2026-11-21_001.mcap"


def test_the_next_name_keeps_the_users_way_of_counting(tmp_path: Path) -> None:
    for name in ("run.mcap", "run_001.mcap", "a9.mcap", "fly 07.mcap"):
        (tmp_path / name).touch()
    assert following(tmp_path / "free.mcap").name == "free.mcap"
    assert following(tmp_path / "run.mcap").name == "run_002.mcap"
    assert following(tmp_path / "a9.mcap").name == "a10.mcap"
    assert following(tmp_path / "fly 07.mcap").name == "fly 08.mcap"
