"""Components with weights as tables that are made on the device: the reference's rows, bit by bit."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kernels.codegen import cuda_regions, nvrtc
from kernels.codegen.cuda import cuda
from kernels.components.weighed_table import WeighedComponents
from kernels.executors.cuda_runner import CudaRunner
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.decoder_traffic import Found, decoder_traffic
from kernels.ir.body import Body
from kernels.ir.image import BOOL, F32, F64, U8, U16, DType, ImageType
from kernels.ir.table import FEATURE, PACKED, TableType, unpacked
from kernels.stages.components import components
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.emulator.report import KernelFaultError
from tests.kernels.codegen.cuda_driver import Driver
from tests.kernels.codegen.emulated import Launcher
from tests.kernels.executors.simulated_device import SimulatedDevice

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

HEIGHT, WIDTH = 64, 90


def _picture(rng: np.random.Generator, count: int, width: float = 1.3) -> np.ndarray:
    """(HEIGHT, WIDTH) u8: bells on a slope, anywhere, also beyond the edges."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    light = 40.0 + 0.1 * x + rng.normal(0, 4, x.shape)
    for cx, cy in zip(rng.uniform(-1, WIDTH, count), rng.uniform(-1, HEIGHT, count), strict=True):
        light += rng.uniform(60, 150) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * width**2))
    return np.asarray(np.clip(np.rint(light), 0, 255), np.uint8)


def _clip(seed: int, *counts: int, width: float = 1.3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    pictures = np.stack([_picture(rng, count, width) for count in counts])
    return pictures > 80, pictures


def _body(dtype: DType = U8, **params: Any) -> Body:
    return components.build([ImageType(BOOL, HEIGHT, WIDTH), ImageType(dtype, HEIGHT, WIDTH)], params)


def _agree(body: Body, clip: tuple[np.ndarray, np.ndarray], seed: int, checked: bool = False, **params: Any
           ) -> CudaRunner:  # fmt: skip
    runner = CudaRunner(body, cuda(body), SimulatedDevice(seed, checked=checked))
    got, wanted = (program.run(list(clip), params)["out"] for program in (runner, ReferenceProgram(body)))
    assert len(got) == len(wanted) == len(clip[0])
    for mine, theirs in zip(got, wanted, strict=True):
        assert mine.overflow == theirs.overflow
        assert mine.rows.tobytes() == theirs.rows.tobytes()
    return runner


PARAMS: dict[str, dict[str, Any]] = {
    "a slope beneath": {},
    "a level beneath": {"background": "ring", "grow": 0},
    "a level that is given": {"background": "level", "level": 42.0, "grow": 1, "split": 3.0},
    "split": {"split": 2.5, "min_area": 3, "connectivity": "4"},
    "blobs": {"split": 2.5, "min_area": 3, "refine_sigma": 1.4},
    "radial": {"refine": "radial", "refine_sigma": 1.2},
    "gaussian, wide": {"refine": "gaussian", "refine_sigma": 2.6, "split": 4.0, "grow": 1},
    "moments": {"refine": "moments", "refine_sigma": 1.4, "max_area": 30, "max_share": 0.01},
}


@pytest.mark.parametrize("params", PARAMS.values(), ids=PARAMS)
def test_rows_are_the_references(params: dict[str, Any]) -> None:
    runner = _agree(_body(**params), _clip(1, 0, 3, 12, 60), 1)
    assert runner.sent_back == 0


def test_the_loops_do_not_race_and_stay_in_their_memory() -> None:
    _agree(_body(**PARAMS["blobs"]), _clip(2, 9, 25), 2, checked=True)


def test_dark_things_of_sixteen_bits() -> None:
    mask, pictures = _clip(3, 5, 12)
    _agree(_body(U16, polarity="dark", refine_sigma=1.4), (mask, 60000 - 200 * pictures.astype(np.uint16)), 3)


def test_floats_with_pixels_that_are_no_numbers() -> None:
    mask, pictures = _clip(4, 6, 14)
    light = pictures.astype(np.float32) / np.float32(255)
    light[:, 20:40, 30:60][np.random.default_rng(0).random((2, 20, 30)) < 0.05] = np.nan
    _agree(_body(F32, refine_sigma=1.4, split=2.5), (mask, light), 4)


def test_whole_numbers_that_are_meant_as_fractions() -> None:
    from pipelines.fractions import _taking

    mask, pictures = _clip(5, 4, 15)
    wanted = ReferenceProgram(_body(F32, refine_sigma=1.4, split=2.5)).run(
        [mask, pictures.astype(np.float32) / np.float32(255)], {})["out"]  # fmt: skip
    body = _taking(_body(F32, refine_sigma=1.4, split=2.5), 1, ImageType(U8, HEIGHT, WIDTH), 255)
    got = CudaRunner(body, cuda(body), SimulatedDevice(5)).run([mask, pictures], {})["out"]
    assert [table.rows.tobytes() for table in got] == [table.rows.tobytes() for table in wanted]


def test_a_feature_comes_down_in_a_hundred_bytes_and_keeps_its_bits() -> None:
    """Gray values of 16 bits and numbers that are none, areas of all pixels that a device may have."""
    rows = np.zeros(4, TableType(FEATURE, 1).numpy)
    for k, (name, _) in enumerate(FEATURE):
        rows[name] = np.random.default_rng(k).normal(size=4)
    rows["area"] = 1, 3844, 2**24 + 1, 2**31 - 1
    rows["min"], rows["max"] = (np.nan, -0.0, -32768, 0.1), (np.nan, 65535, 1 / 3, np.inf)
    rows["min"][3], rows["max"][2] = np.float32(0.1), np.float32(1 / 3)
    packed = np.zeros(4, PACKED)
    for name in PACKED.names or ():
        packed[name] = rows[name]
    assert PACKED.itemsize == 100
    assert unpacked(packed).tobytes() == rows.tobytes()
    device = SimulatedDevice(12)
    clip = _clip(12, 30, 12)
    runner = CudaRunner(_body(), cuda(_body()), device)
    assert runner.program.arguments("table")["table", "out", 0].shape[1] == 100
    for mine, theirs in zip(runner.run(list(clip), {})["out"], ReferenceProgram(_body()).run(list(clip), {})["out"],
                            strict=True):  # fmt: skip
        assert mine.rows.tobytes() == theirs.rows.tobytes()


@pytest.mark.parametrize("spoilt", ["0x7fc00000u", "(unsigned)(bits >> 32)", "(unsigned)(long long)row[4]"])
def test_a_word_of_a_row_that_is_wrong_is_found(spoilt: str) -> None:
    """Of regions of a mask alone, which have no gray values."""
    mask, _ = _clip(13, 6)
    body = components.build([ImageType(BOOL, HEIGHT, WIDTH), None], {})
    program = cuda(body)
    assert program.text.count(spoilt) == 1
    wrong = replace(program, text=program.text.replace(spoilt, "7u"))
    runners = [CudaRunner(body, one, SimulatedDevice(13)) for one in (program, wrong)]
    right, got = (runner.run([mask, None], {})["out"][0].rows.tobytes() for runner in runners)
    assert right == ReferenceProgram(body).run([mask, None], {})["out"][0].rows.tobytes() != got


def test_live_parameters_need_no_other_code() -> None:
    body, clip = _body(refine_sigma=1.4), _clip(6, 10)
    runner, reference = CudaRunner(body, cuda(body), SimulatedDevice(6)), ReferenceProgram(body)
    for params in ({}, {"refine_sigma": 2.0, "grow": 3}, {"split": 3.0, "min_area": 5}, {"max_share": 0.004}):
        got, wanted = (program.run(list(clip), params)["out"][0] for program in (runner, reference))
        assert got.rows.tobytes() == wanted.rows.tobytes()
    assert runner.sent_back == 0


@pytest.mark.parametrize("name", ["REGIONS", "OWN_RUNS"])
def test_what_finds_no_room_is_the_hosts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clip = _clip(7, 1, 40, 0, 2)
    runs = int(clip[0][1][:, 0].sum() + (np.diff(clip[0][1].astype(int), axis=1) > 0).sum())
    monkeypatch.setattr(cuda_regions, name, {"REGIONS": 8, "OWN_RUNS": runs}[name])  # parts have more runs
    assert _agree(_body(**PARAMS["blobs"]), clip, 7).sent_back == 1


def test_large_regions_and_wide_windows_are_the_hosts() -> None:
    mask, pictures = _clip(8, 3, 3)
    mask[1, 5:60, 10:80] = True
    assert _agree(_body(), (mask, pictures), 8).sent_back == 1
    assert _agree(_body(refine_sigma=6.0), (mask, pictures), 8).sent_back == 2


def test_rows_past_the_capacity_are_counted() -> None:
    _agree(_body(capacity=4, split=2.5), _clip(9, 30, 2), 9)


def test_what_moves_is_planned_within_a_factor_of_two(emulator: Any) -> None:
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    far = np.minimum.reduce([np.hypot(x - cx, y - cy) for cy in (12, 32, 52) for cx in (12, 34, 56, 78)])
    body, light = _body(), np.clip(200 - 20 * far, 40, 160).astype(np.uint8)
    launcher = Launcher(emulator, checked=True)
    found = Driver(cuda(body), launcher).run([(far < 6)[None], light[None]], {})["out"]
    planned = decoder_traffic(body, Found(len(found[0].rows)))
    for kind, bytes_ in (("load", planned.loads), ("store", planned.stores)):
        assert 0.5 < 32 * sum(r.sectors_of_blocks[kind] for _, r in launcher.reports) / bytes_ < 2
    assert planned.latency == pytest.approx(80e-6)


def test_a_barrier_that_is_missing_is_found() -> None:
    """Blobs that have neighbours take their turns before all have looked. (A team's own waits: `test_cuda_loops`.)"""
    clip, body = _clip(10, 12), _body(**PARAMS["blobs"])
    program = cuda(body)
    spoilt, times = re.subn(r"__syncthreads\(\);(\s*if \(team == 0 && works\) \{\s*loop_better)", r"\1", program.text)
    assert times == 1
    runner = CudaRunner(body, replace(program, text=spoilt), SimulatedDevice(0, checked=True))
    with pytest.raises(KernelFaultError):
        runner.run(list(clip), {})


def test_weights_of_other_numbers_stay_on_the_host() -> None:
    assert not isinstance(_body(F64).host.decoder, WeighedComponents)  # type: ignore[union-attr]
    assert _body(centre="shape").host.decoder is None  # type: ignore[union-attr]


def test_text_compiles_for_a_device() -> None:
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
    size = ImageType(BOOL, 1024, 1024), ImageType(U8, 1024, 1024)
    program = cuda(components.build(list(size), PARAMS["blobs"]))
    made = nvrtc.compile_text(program.text, nvrtc.ARCHITECTURES[0])
    for kernel in program.kernels:
        used = made.usage[kernel.name]
        assert used.shared + kernel.shared <= 64 * 1024  # what a Turing block may have
        assert not used.spills
    assert len(made.cubin) < 1.5e6  # 1.8e6 in 40 s of a core with all that compilers can do


def test_operations_are_rounded_one_by_one_however_fast_the_text_is_compiled() -> None:
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
    text = cuda(_body(**PARAMS["blobs"])).text
    assert nvrtc.FAST in nvrtc.options_of(text)
    ptx = nvrtc.compile_text(text, "compute_90").cubin.decode(errors="replace")
    assert "div.rn.f64" in ptx
    assert "mul.rn.f64" in ptx
    assert not re.findall(r"\bfma\.|\bmad\.(?:rn|f)|\.ftz|\.approx|div\.full", ptx)
