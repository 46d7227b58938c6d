"""Several pixels in a word: sums in halves, logic in bytes, dot products of a pixel's channels; all to the last bit."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.codegen.cuda import cuda, print_blocks
from kernels.fusion.blocks import lower_blocks
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, convert, maximum, minimum
from kernels.ir.image import BOOL, F32, I16, I32, U8, U16, ImageType
from kernels.ir.planes import BORDERS, Border, input_plane, load
from tests.kernels.codegen.emulated import Launcher, assert_equal

SIZE = (19, 37)
EXTREMES = {U8: (0, 1, 254, 255), I16: (-32768, -1, 0, 32767), U16: (0, 1, 32768, 65535)}


def one(plane: Expr, inputs: tuple[ImageType, ...]) -> Body:
    """A body of one output, f32, so that sums of any size are seen."""
    return Body(inputs, (Output("out", ImageType(F32, *SIZE), (convert(plane, F32),)),), {}, {})


def clip(image: ImageType, frames: int = 3) -> list[np.ndarray]:
    """Noise, half of it the extreme values."""
    rng = np.random.default_rng(5)
    info = np.iinfo(image.dtype.numpy)
    shape = (frames, *image.shape)
    noise = rng.integers(info.min, info.max, shape, endpoint=True)
    most = rng.choice(EXTREMES[image.dtype], shape)
    return [np.where(rng.random(shape) < 0.5, noise, most).astype(image.dtype.numpy)]


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_random_sums(emulator, data):
    """Sums of sums of looks at u8 pixels, of both signs, any border, any vector, odd widths, in one pass or more."""
    image = ImageType(U8, *SIZE)
    border = Border(data.draw(st.sampled_from(BORDERS)), data.draw(st.sampled_from((0.0, 3.0, 255.0))))
    offsets, factors = st.integers(-3, 3), st.integers(-9, 9)

    def total(plane: Expr, most: int) -> Expr:
        taps = data.draw(st.lists(st.tuples(offsets, offsets, factors), min_size=2, max_size=most))
        made = convert(load(plane, border, *taps[0][:2]), I32) * taps[0][2]
        for dx, dy, factor in taps[1:]:
            made = made + load(plane, border, dx, dy) * factor
        return made + data.draw(factors)

    first = total(input_plane(0, 0, U8, SIZE), 6)
    if data.draw(st.booleans()):
        first = first >> data.draw(st.integers(1, 9))
    body = one(total(first, 3), (image,))
    shape = (16, 4), data.draw(st.sampled_from((4, 8))), 32
    lowered = lower_blocks(body, *shape)
    made = [r.plane for p in lowered.passes for r in p.regions if r.plane in lowered.computed]
    if made and data.draw(st.booleans()):
        lowered = lower_blocks(body, *shape, cuts=[data.draw(st.sampled_from(made))])
    assert_equal(print_blocks(lowered), Launcher(emulator), clip(image))


@pytest.mark.parametrize(("factor", "fits", "beyond"), [(129, 0, 1), (-128, 127, 128), (-128, -128, -129)])
def test_sums_that_just_fit_their_halves(factor, fits, beyond, emulator):
    """All of 16 bits, without and with a sign; what is one beyond is computed alone."""
    size = (5, 14)
    x, border = convert(input_plane(0, 0, U8, size), I32), Border()
    outputs = []
    for k, more in enumerate((fits, beyond)):
        total = load(x, border, k, 0) * 128 + more + load(x, border, -1 - k, 0) * factor
        seen = convert(load(total, border, 0, 1) - load(total, border, 0, -1), F32)
        outputs.append(Output(f"out{k}", ImageType(F32, *size), (seen,)))
    made = cuda(Body((ImageType(U8, *size),), tuple(outputs), {}, {}), tile=(16, 4), threads=64)
    assert "// 2 pixels a word" in made.text
    most = np.random.default_rng(3).choice((0, 255), (6, *size)).astype(np.uint8)
    assert_equal(made, Launcher(emulator, checked=True), [most], ((0, 6),))


@pytest.mark.parametrize("dtype", [I16, U16])
def test_halves_of_images_of_16_bits(dtype, emulator):
    """Differences and means that fit 16 bits, of pixels that take all of them."""
    image = ImageType(dtype, *SIZE)
    x = input_plane(0, 0, dtype, SIZE)
    taps = [convert(load(x, Border("constant", -7.0), dx, 0), I32) for dx in (-2, -1, 1, 2)]
    low = convert((taps[0] + taps[1] + taps[2] + taps[3]) >> 2, I16)
    body = one(load(low, Border(), 0, 1) - load(low, Border(), 0, -1), (image,))
    assert_equal(cuda(body, tile=(16, 4)), Launcher(emulator, checked=True), clip(image, 2), ((0, 2),))


def test_a_binomial_of_bytes_is_summed_in_halves_and_stored_as_words(emulator):
    image = ImageType(U8, *SIZE)
    x = convert(input_plane(0, 0, U8, SIZE), I32)
    taps = ((-1, 4), (0, 6), (1, 4), (2, 1))
    across = sum((load(x, Border(), d, 0) * f for d, f in taps), load(x, Border(), -2, 0))
    down = sum((load(across, Border(), 0, d) * f for d, f in taps), load(across, Border(), 0, -2))
    made = cuda(one(load((down + 128) >> 8, Border(), 1, 0) + 1, (image,)), tile=(16, 4))
    assert len(re.findall(r"// 2 pixels a word", made.text)) == 2
    assert "0x00ff00ffu" in made.text  # both halves shifted at once
    assert "store<8>((unsigned *)(p1" in made.text
    assert_equal(made, Launcher(emulator), clip(image))


def test_planes_of_both_signs_stand_raised_in_their_tiles(emulator):
    """Words and single pixels read them, beyond the image too; a magnitude is one instruction."""
    image = ImageType(U8, *SIZE)
    x = convert(input_plane(0, 0, U8, SIZE), I32)
    slope = load(x, Border(), 1, 0) - load(x, Border(), -1, 0)
    taps = [load(slope, Border("constant", -300.0), dx, dy) for dx, dy in ((0, -1), (0, 1), (1, 0), (-1, 2))]
    total = abs(taps[0] - taps[1] * 3 + taps[2] * 2 - taps[3]) + taps[0] * taps[1]
    made = cuda(one(total, (image,)), tile=(16, 4))
    assert "raise<" not in made.text.split("extern")[1]
    assert "__usad(half_of<unsigned short>(" in made.text
    assert_equal(made, Launcher(emulator), clip(image))


def test_a_constant_below_0_around_a_plane_without_is_raised_in_registers(emulator):
    image = ImageType(U8, *SIZE)
    x = convert(input_plane(0, 0, U8, SIZE), I32)
    border = Border("constant", -300.0)
    slope = load(x, border, 1, 0) - load(x, border, -1, 0)
    made = cuda(one(load(slope, Border(), 0, 1) + load(slope, Border(), 0, -1), (image,)), tile=(16, 4))
    assert "raise<" in made.text.split("extern")[-1]
    assert_equal(made, Launcher(emulator), clip(image))


@pytest.mark.parametrize("vector", [4, 8])
def test_morphology_of_masks_is_logic_of_bytes(vector, emulator):
    image = ImageType(U8, *SIZE)
    mask = input_plane(0, 0, U8, SIZE) > 100
    border = Border("constant", 1.0)
    eroded = minimum(minimum(load(mask, border, -1, 0), mask), load(mask, border, 2, 1))
    grown = maximum(load(eroded, Border(), 0, -1), load(eroded, Border(), 0, 2)) ^ eroded
    body = Body((image,), (Output("out", ImageType(BOOL, *SIZE), (grown,)),), {}, {})
    made = cuda(body, tile=(16, 4), vector=vector, threads=32)
    assert len(re.findall(r"// 4 pixels a word", made.text)) == 2
    assert_equal(made, Launcher(emulator), clip(image))


@pytest.mark.parametrize(("factors", "name"), [((9798, 19235, 3735, 0), "__dp2a_lo"), ((77, 150, 29, 255), "__dp4a"),
                                               ((0, 0, 5, 65535), "__dp2a_hi")])  # fmt: skip
def test_channels_of_a_pixel_are_a_dot_product(factors, name, emulator):
    image = ImageType(U8, *SIZE, 4)
    planes = [convert(input_plane(0, c, U8, SIZE), I32) for c in range(4)]
    total = sum((p * f for p, f in zip(planes[1:], factors[1:], strict=True) if f), planes[0] * factors[0] + 16384)
    made = cuda(one(total >> 3, (image,)), tile=(16, 4))
    assert name in made.text
    assert_equal(made, Launcher(emulator), clip(image))


def test_factors_that_no_dot_product_takes(emulator):
    """A factor below 0, one of 17 bits, three channels."""
    for channels, factor in ((4, -3), (4, 65536), (3, 7)):
        image = ImageType(U8, *SIZE, channels)
        planes = [convert(input_plane(0, c, U8, SIZE), I32) for c in range(channels)]
        made = cuda(one(planes[0] * factor + planes[1] + planes[2], (image,)), tile=(16, 4))
        assert "= (int)__dp" not in made.text
        assert_equal(made, Launcher(emulator), clip(image, 2), ((0, 2),))


def both(first: Expr, second: Expr, image: ImageType) -> Body:
    """Two outputs of one group: what the first has used alone stands in registers when the second is made."""
    outputs = (Output(f"out{k}", ImageType(F32, *SIZE), (convert(e, F32),)) for k, e in enumerate((first, second)))
    return Body((image,), tuple(outputs), {}, {})


def test_a_constant_that_was_used_alone_before_is_packed(emulator):
    image = ImageType(U8, *SIZE)
    x = convert(input_plane(0, 0, U8, SIZE), I32)
    plane = load(x, Border(), 1, 0) + load(x, Border(), -1, 0)
    total = load(plane, Border(), 0, 1) * 3 + load(plane, Border(), 0, -1) + 7
    alone = maximum(load(plane, Border(), 1, 1), 7)
    made = cuda(both(alone, total, image), tile=(16, 4))
    assert "0x00070007u" in made.text  # of the sum, in both halves
    assert_equal(made, Launcher(emulator), clip(image))


def test_a_channel_that_was_used_alone_before_is_in_the_dot_product(emulator):
    image = ImageType(U8, *SIZE, 4)
    planes = [convert(input_plane(0, c, U8, SIZE), I32) for c in range(4)]
    total = planes[0] * 77 + planes[1] * 150 + planes[2] * 29 + 128
    made = cuda(both(planes[1] * planes[1] + 128, total, image), tile=(16, 4))
    assert "__dp4a" in made.text
    assert_equal(made, Launcher(emulator), clip(image))


def test_what_the_group_makes_is_in_no_tile_yet(emulator):
    """A plane that others look at, and that the same group sums up, is taken from its register."""
    image = ImageType(U8, *SIZE)
    x = convert(input_plane(0, 0, U8, SIZE), I32)
    plane = convert(load(x, Border(), 1, 0) + load(x, Border(), -1, 0), I16)
    more = convert(convert(plane, I32) * 2 + load(x, Border(), 0, 1) + load(x, Border(), 0, -1), I16)
    looks = [load(p, Border(), 0, dy) for p in (plane, more) for dy in (-1, 1)]
    body = both(convert(looks[0], F32) * looks[1], convert(looks[2], F32) * looks[3], image)
    assert_equal(cuda(body, tile=(16, 4)), Launcher(emulator), clip(image))


@pytest.mark.parametrize("back", [1, 2])
def test_the_past_of_a_plane_is_not_its_tile(back, emulator):
    """A sum of looks at a plane of 16 bits and of what it was: the tile holds this frame's."""
    image = ImageType(U8, *SIZE)
    x, border = convert(input_plane(0, 0, U8, SIZE), I32), Border()
    plane = convert(load(x, border, 1, 0) + load(x, border, -1, 0) * 3, I16)
    was = convert(load(plane, border, 0, 0, -back), I32)
    total = convert(load(plane, border, 1, 0), I32) + load(plane, border, 0, 1) + was + load(plane, border, 2, 0)
    assert_equal(cuda(one(total, (image,)), tile=(16, 4), threads=64), Launcher(emulator), clip(image, 3))


def test_what_stands_in_memory_is_not_summed_anew(emulator):
    """A sum of looks aside that an earlier pass has left, and its operand with a tile that has no halo aside."""
    size = (7, 70)
    x = convert(input_plane(0, 0, U8, size), I32) * 2
    far = load(x, Border(), 1, 0) + load(x, Border(), -1, 0)
    total = far + load(x, Border(), 0, 1) + load(x, Border(), 0, -1)
    plane = convert(total, F32) * convert(load(far, Border(), 60, 0), F32)
    body = Body((ImageType(U8, *size),), (Output("out", ImageType(F32, *size), (plane,)),), {}, {})
    made = cuda(body, tile=(16, 4), threads=64)
    assert len(made.kernels) == 2
    noise = np.random.default_rng(1).integers(0, 256, (1, *size)).astype(np.uint8)
    assert_equal(made, Launcher(emulator), [noise], ((0, 1),))


def test_what_stands_in_a_tile_is_not_shifted_anew(emulator):
    """Of a plane that is a shifted sum, a shift more: the tile of the sum's operand holds another plane by then."""
    x = convert(input_plane(0, 0, U8, SIZE), I32) * 2
    mean = (load(x, Border(), 1, 0) + load(x, Border(), -1, 0)) >> 1
    product = load(mean, Border(), 3, 1) * load(mean, Border(), -3, 0)
    third = convert(mean >> 2, F32) * load(convert(product, F32), Border(), 1, 0) + load(mean, Border(), 0, 2)
    body = one(load(third, Border(), 1, 0) + load(third, Border(), 0, 1), (ImageType(U8, *SIZE),))
    assert_equal(cuda(body, tile=(16, 4), threads=64), Launcher(emulator), clip(body.inputs[0], 1), ((0, 1),))
