"""What the row kernels of network layers must know of a processor, and its fused multiply-add."""

from __future__ import annotations

from dataclasses import dataclass

from kernels.codegen.writer import Writer, vector

MOST_VECTORS = 12
"""Of a tile: its code is as long as they are many."""
MOST_HALVES = 28
"""Pixels of a half vector that is alone in a tile: with more LLVM keeps some of the sums in memory."""
SHORT_SUM = 48
"""Steps of a sum beside which its end, stores above all, takes so long that smaller tiles are faster, whose ends the
next tile's steps hide: on Zen 4, 3 x 6 sums take .92 of the time of 3 x 8 for sums of 8 steps, .95 for 16, .97 for 48,
the same from 64 on. Longer sums have weights beyond the first cache, which come by for every tile."""


@dataclass(frozen=True, slots=True)
class Target:
    """Shapes of register tiles.

    Args:
        lanes: f32 of a vector; 16 or 8.
        vectors: of output channels in a tile, at most.
        pixels: of a tile. vectors * pixels sums, the weights of a step and one input value stay in registers.
        fused: whether the processor has a fused multiply-add. Without it, it is computed from f64, with the same bits.
        dot: how four products of bytes are added to a sum (see `kernels.codegen.layers_dot`): "vnni", "pairs", "plain".
        halves: whether it makes two multiply-adds of half vectors in the time of one of whole ones. Then channels that
            fill but half a vector need not share one with another pixel's.
        handing: whether a store costs nothing only where it takes its value from the unit that has just made it. Else
            it reads a register, and a multiply-add that would read registers then waits: half a cycle a store, more
            where they come one after another at the end of a tile (Zen 3; loops of single instructions).
    """

    lanes: int
    vectors: int
    pixels: int
    fused: bool
    dot: str = "plain"
    halves: bool = False
    handing: bool = False

    @property
    def registers(self) -> int:
        """That hold such vectors."""
        return 32 if self.lanes == 16 else 16

    @property
    def other(self) -> float:
        """Vectors of other operations that it makes in the time of one of multiply-adds: on Zen 4 two of whole numbers,
        by four units of half a vector, or one of floats beside each of these."""
        return 2.0 if self.halves else 1.0

    @property
    def alone(self) -> int:
        """Pixels of a turn whose vectors share no channels: their sums and the weights of a row stay in registers."""
        return self.registers * 3 // 8

    def pixels_of(self, steps: int) -> int:
        """Pixels of a tile whose sums have so many steps."""
        return self.pixels * 3 // 4 if self.registers == 32 and steps <= SHORT_SUM else self.pixels

    def fitting(self, pixels: int) -> int:
        """Vectors of output channels that a tile of so many pixels has at most: its sums, the weights of a step and one
        input value stay in registers."""
        return min((self.registers - 1) // (pixels + 1), MOST_VECTORS)

    def wide(self, vectors: int, steps: int = SHORT_SUM + 1) -> int:
        """Pixels of a tile of so many vectors: where these are few, more pixels, else too few sums are under way.

        Of 16 registers 12 hold sums, as in a tile of three vectors: two by six take 8 loads for 12 multiply-adds, two
        by four took 6 for 8, which two loads a cycle and the 4 cycles of a sum's step only just feed. (One by twelve
        would be as good, but LLVM keeps some of its sums in memory.)
        """
        if vectors == 2 and self.registers == 16:
            return (self.registers - 1) // vectors - 1
        if vectors > 2:
            return self.pixels_of(steps)
        return self.pixels * 2 if vectors == 1 else self.pixels

    def wide_of_halves(self, vectors: int) -> int:
        """Pixels of a tile of so many half vectors. One alone takes a load for every multiply-add, and two loads a
        cycle, as many as there are multiply-adds: its weights must serve many pixels."""
        return max(1, min((self.registers - 1) // vectors - 1, MOST_HALVES))

    def wide_of_bytes(self, vectors: int) -> int:
        """The same of whole numbers. Where products are of pairs of 16 bits, weights of a pair, a pixel's pair, a mask
        and a product must find room in registers beside the sums, too: sums that do not are stored every step."""
        most = (self.registers - vectors - 3) // vectors if self.dot == "pairs" else self.registers
        return max(2, min(self.wide(vectors), most))

    @staticmethod
    def of(family: str, cpu: str, features: str) -> Target:
        """The tiles for an LLVM target: its architecture, processor and features as LLVM spells them.

        Measured on Zen 4 (32 registers of 512 bits): 3 x 8 sums reach 95 % of the peak, 4 x 4 reach 77 %.
        """
        has = set(features.split(","))
        if family == "x86_64":
            if "+avx512f" in has or cpu == "x86-64-v4":
                words = "+avx512bw" in has or cpu == "x86-64-v4"
                vnni = has >= {"+avx512vnni", "+avx512vl"}
                return Target(16, 3, 8, True, "vnni" if vnni else "pairs" if words else "plain", cpu == "znver4")
            modern = cpu == "x86-64-v3"
            dot = "vnni" if "+avxvnni" in has else "pairs" if "+avx2" in has or modern else "plain"
            return Target(8, 3, 4, "+fma" in has or modern, dot, handing=cpu == "znver3")
        return Target(8, 2, 6, family == "aarch64")


def forms(width: int, most: int) -> tuple[int, ...]:
    """Of how many pixels are the tiles of a row that is cut into as few as can be of at most so many: of one number, or
    of two that differ by one."""
    tiles = -(-width // most)
    pixels = -(-width // tiles)
    return (pixels,) if pixels * tiles == width else (pixels, pixels - 1)


def fused(w: Writer, target: Target, lanes: int, a: str, b: str, c: str) -> str:
    """a * b + c of vectors of f32, rounded once."""
    type_ = vector(lanes, "float")
    name = f"llvm.fma.v{lanes}f32" if target.fused else f"fused.v{lanes}"
    made = w.call(type_, name, (type_, a), (type_, b), (type_, c))
    if not target.fused:
        w.declared[name] = _emulated(lanes)
    return made


def _emulated(lanes: int) -> str:
    """The same from f64: the product is exact; TwoSum's error rounds the sum to odd before it is rounded to f32
    (Boldo and Melquiond 2008, "Emulation of a FMA and correctly rounded sums")."""
    f, d, i, b = (vector(lanes, t) for t in ("float", "double", "i64", "i1"))
    return f"""\
define internal {f} @fused.v{lanes}({f} %a, {f} %b, {f} %c) nounwind {{
  %ad = fpext {f} %a to {d}
  %bd = fpext {f} %b to {d}
  %cd = fpext {f} %c to {d}
  %p = fmul {d} %ad, %bd
  %s = fadd {d} %p, %cd
  %back = fsub {d} %s, %p
  %mine = fsub {d} %s, %back
  %e1 = fsub {d} %p, %mine
  %e2 = fsub {d} %cd, %back
  %error = fadd {d} %e1, %e2
  %bits = bitcast {d} %s to {i}
  %last = and {i} %bits, splat (i64 1)
  %even = icmp eq {i} %last, zeroinitializer
  %rounded = fcmp one {d} %error, zeroinitializer
  %move = and {b} %even, %rounded
  %above = fcmp ogt {d} %error, zeroinitializer
  %positive = fcmp ogt {d} %s, zeroinitializer
  %inward = xor {b} %above, %positive
  %by = select {b} %inward, {i} splat (i64 -1), {i} splat (i64 1)
  %step = select {b} %move, {i} %by, {i} zeroinitializer
  %odd = add {i} %bits, %step
  %value = bitcast {i} %odd to {d}
  %made = fptrunc {d} %value to {f}
  ret {f} %made
}}"""
