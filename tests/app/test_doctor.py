"""What the doctor says, and how plans are set beside what they take."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli import main
from app.commands import doctor, measured
from app.commands.doctor import FAIL, OK, WARN, Row
from app.commands.measured import TIE, compared
from kernels.errors import DefinitionError
from kernels.executors import calibration as machine
from kernels.executors.calibration import Calibration, Figures
from kernels.ir.image import U8, ImageType
from pipelines.definition import load
from pipelines.graph import bind
from pipelines.planning import tuning
from pipelines.planning.candidates import FEWEST
from pipelines.planning.devices import find_device, measured_cpu, this_cpu
from pipelines.planning.plan import Plan
from pipelines.planning.planner import Wishes, planner_of
from pipelines.planning.tuning import Measured, Timed


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test has its own cache folder, so that nothing that was measured here before matters."""
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "cache" / "cpu"


def made_up(threads: int, spread: float = 0.05) -> Calibration:
    figures = Figures(threads, 5e-6, 4e-9, 100e9, 110e9, 90e9, 400e9, 80e9, 20e9, 16 << 20)
    device = replace(this_cpu(threads), rate=123e9, dram=45e9, origin="measured")
    return Calibration(device, (figures,), spread)


def test_everything_is_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    for words in ("fusetrack", "Python", "numpy", "cpu back end", "caches", "threads", "OpenCV", "video", "Qt", "GPU",
                  "cache", "disk", "calibration", "fusetrack doctor --calibrate"):  # fmt: skip
        assert words in said


def test_calibration_is_kept_and_the_planner_reckons_with_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    assert find_device("this-cpu").origin == "default"
    made = made_up(machine.available())
    monkeypatch.setattr(doctor, "calibrate", lambda progress: (progress(0.5), made)[1])
    assert main(["doctor", "--calibrate", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["calibration"]["device"]["rate"] == 123e9
    assert facts["rows"][-1] == {"name": "calibration", "state": OK, "found": facts["rows"][-1]["found"], "advice": ""}
    assert len(list(cache.glob("device-*.json"))) == 1
    assert find_device("this-cpu") == measured_cpu() == made.device
    assert main(["doctor"]) == 0
    assert "123 G operations/s, 45 GB/s of DRAM" in capsys.readouterr().out
    assert main(["plan", "blobs", "--json"]) == 0
    capsys.readouterr()
    next(cache.glob("device-*.json")).write_text("{", "utf-8")
    assert find_device("this-cpu").origin == "default"
    assert main(["doctor"]) == 0
    assert "is ignored, since it is damaged" in capsys.readouterr().out


def test_a_failure_is_an_exit_code(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def _broken() -> list[Row]:
        raise RuntimeError("no such\nluck")

    monkeypatch.setattr(doctor, "CHECKS", (_broken, lambda: [Row("window", WARN, "none", "install one")]))
    assert main(["doctor", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert rows[0]["state"] == FAIL
    assert rows[0]["found"] == "RuntimeError: no such luck"
    assert rows[1]["advice"] == "install one"
    monkeypatch.setattr(doctor, "CHECKS", ())
    assert main(["doctor"]) == 0  # a warning that nothing was measured is none


def test_without_a_compiled_back_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing(*_: object, **__: object) -> None:
        raise DefinitionError("the cpu back end needs the package llvmlite")

    monkeypatch.setattr(doctor, "Machine", missing)
    monkeypatch.setattr(doctor, "calibrate", missing)
    monkeypatch.setattr(machine, "Machine", missing)
    assert main(["doctor"]) == 0
    assert "the slow reference runs" in capsys.readouterr().out
    assert main(["doctor", "--calibrate"]) == 1
    capsys.readouterr()
    assert find_device("this-cpu").origin == "default"


def plans() -> dict[str, Plan]:
    planner = planner_of(bind(load("objects"), ImageType(U8, 64, 64)), this_cpu(2))
    same = Wishes(batch=4)
    return {"no fusing": planner.unfused(same), "best": planner.plan(same), "all fusing": planner.plan(same, FEWEST)}


def timed(plan: Plan, factor: float) -> Measured:
    ours = [g for g in plan.groups if g.executor != "host"]
    units = [Timed("+".join(g.nodes), factor * g.estimate.seconds, 0.0, 1.0) for g in ours]
    whole = sum(unit.median for unit in units)
    return Measured(plan.partition, tuple(units), Timed("", whole, 0.95 * whole, 1.05 * whole))


def test_predicted_and_measured_stand_side_by_side() -> None:
    found = plans()
    made = compared(found, {name: timed(plan, 2.0) for name, plan in found.items()})
    assert made.agrees
    assert made.remark == ""
    for name, plan in found.items():
        assert [row.measured.name for row in made.groups[name]] == [
            "+".join(g.nodes) for g in plan.groups if g.executor != "host"
        ]
        assert all(row.ratio == pytest.approx(2.0) for row in (*made.groups[name], made.whole[name]))


def test_another_order_is_named_unless_it_is_a_tie() -> None:
    found = plans()
    ours = {name: sum(g.estimate.seconds for g in plan.groups if g.executor != "host") for name, plan in found.items()}
    ratio = ours["no fusing"] / ours["best"]
    assert ratio > 1 + 2 * TIE
    slow = {name: timed(plan, 1.0 if name == "no fusing" else 3.0 * ratio) for name, plan in found.items()}
    made = compared(found, slow)
    assert made.against == ("no fusing and best", "no fusing and all fusing")
    even = {name: timed(found["best"], 1.0) for name in found}
    assert compared(found, even).agrees


def test_measuring_and_tuning_from_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    monkeypatch.setattr(measured, "time_partitions", quick(measured.time_partitions))
    monkeypatch.setattr(tuning, "time_partitions", quick(tuning.time_partitions))
    arguments = ["plan", "template", "--size", "32x24", "--batch", "2", "--measure", "--tune"]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    for words in ("predicted", "quartiles", "ratio", "no fusing", "all fusing", "timed, a frame", "kept"):
        assert words in said
    assert len(list(cache.glob("plan-*.json"))) == 1
    assert main([*arguments, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    plan = facts["measured"]["plans"]["no fusing"]
    assert set(plan["groups"]) == {"gray", "smooth"}
    assert plan["low"] <= plan["median"] <= plan["high"]
    assert facts["tuned"]["groups"] in [entry["groups"] for entry in facts["tuned"]["timed"]]
    assert main(["plan", "template", "--device", "h100", "--measure"]) == 2
    assert "--measure runs the plan on this computer, not on h100" in capsys.readouterr().err


def quick(function: object) -> object:
    def run(*arguments: object, **options: object) -> object:
        short = [replace(one, seconds=0.0) if isinstance(one, tuning.Patience) else one for one in arguments]
        return function(*short, **options)  # type: ignore[operator]

    return run
