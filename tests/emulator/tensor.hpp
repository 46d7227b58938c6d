// Tensor cores: `mma.sync` of a warp and what brings floats into its types, by the PTX ISA ("Warp Level Matrix
// Multiply-Accumulate Instructions", fragments of m16n8k8, m16n8k16 and m8n8k16). `emulator.py` turns the text's
// assembler into calls of these.
//
// Products of tf32 and f16 are exact here, as there; in what order they are added and how that is rounded nobody
// promises, "single precision at least": here one after another, each sum cut off, which is the worst of it.
#pragma once

EMU_F unsigned emu_cvt_rna_tf32_f32(float a) {  // to the nearest of 11 bits, halves away from 0
    const unsigned bits = __float_as_uint(a);
    return (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & 0xffffe000u;
}
EMU_F unsigned short emu_cvt_rn_f16_f32(float a) {  // to the nearest, halves to even; beyond the largest infinite
    const unsigned bits = __float_as_uint(a), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    if (size >= 0x7f800000u) return (unsigned short)(sign | (size > 0x7f800000u ? 0x7fffu : 0x7c00u));
    if (size < 0x38800000u) {  // a multiple of 2^-24
        const float whole = rintf(__uint_as_float(size) * 16777216.0f);
        return (unsigned short)(sign | (unsigned)whole);
    }
    const unsigned rounded = size + 0x0fffu + (size >> 13 & 1u) - 0x38000000u;
    return (unsigned short)(sign | (rounded >= 0x0f800000u ? 0x7c00u : rounded >> 13));
}
EMU_F double emu_half(unsigned bits) {
    const unsigned e = bits >> 10 & 31u, m = bits & 1023u;
    const double size = e == 31 ? (m ? __builtin_nan("") : __builtin_inf())
                        : e ? (double)(m + 1024) * __builtin_ldexp(1.0, (int)e - 25) : (double)m * 0x1p-24;
    return bits & 0x8000u ? -size : size;
}
EMU_F double emu_tf32(unsigned bits) { return (double)__uint_as_float(bits & 0xffffe000u); }  // the rest is not looked at
EMU_F float emu_cut(double a) {
    const float f = (float)a;
    return fabs((double)f) > fabs(a) && !isinf(f) ? __uint_as_float(__float_as_uint(f) - 1) : f;
}
EMU_INLINE int emu_lane() {
    return (int)((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32);
}
EMU_F emu_u64 emu_two(unsigned low, unsigned high) { return (emu_u64)high << 32 | low; }

// A lane has rows lane / 4 and that + 8 of the sums, columns 2 (lane % 4) and the next. What it multiplies others have:
// `q` is which of the four lanes of a row of A, or of a column of B.
EMU_INLINE void emu_mma_m16n8k8_tf32_tf32(float &d0, float &d1, float &d2, float &d3, unsigned a0, unsigned a1,
                                          unsigned a2, unsigned a3, unsigned b0, unsigned b1, EMU_LINE) {
    const int lane = emu_lane(), row = lane / 4 * 4, column = lane % 4 * 8;
    for (int q = 0; q < 4; ++q) {
        const emu_u64 upper = __shfl_sync(~0u, emu_two(a0, a2), row + q, 32, line);
        const emu_u64 lower = __shfl_sync(~0u, emu_two(a1, a3), row + q, 32, line);
        const emu_u64 left = __shfl_sync(~0u, emu_two(b0, b1), column + q, 32, line);
        const emu_u64 right = __shfl_sync(~0u, emu_two(b0, b1), column + 4 + q, 32, line);
        for (int s = 0; s < 64; s += 32) {  // channels q and q + 4
            const double u = emu_tf32((unsigned)(upper >> s)), v = emu_tf32((unsigned)(lower >> s));
            const double l = emu_tf32((unsigned)(left >> s)), r = emu_tf32((unsigned)(right >> s));
            d0 = emu_cut(d0 + u * l), d1 = emu_cut(d1 + u * r), d2 = emu_cut(d2 + v * l), d3 = emu_cut(d3 + v * r);
        }
    }
}
EMU_INLINE void emu_mma_m16n8k8_f16_f16(float &d0, float &d1, float &d2, float &d3, unsigned a0, unsigned a1,
                                        unsigned b, EMU_LINE) {
    const int lane = emu_lane(), row = lane / 4 * 4, column = lane % 4 * 8;
    for (int q = 0; q < 4; ++q) {
        const emu_u64 both = __shfl_sync(~0u, emu_two(a0, a1), row + q, 32, line);
        const unsigned left = __shfl_sync(~0u, b, column + q, 32, line);
        const unsigned right = __shfl_sync(~0u, b, column + 4 + q, 32, line);
        for (int s = 0; s < 32; s += 16) {  // channels 2 q and 2 q + 1
            const double u = emu_half((unsigned)(both >> s) & 65535u), v = emu_half((unsigned)(both >> (32 + s)) & 65535u);
            const double l = emu_half(left >> s & 65535u), r = emu_half(right >> s & 65535u);
            d0 = emu_cut(d0 + u * l), d1 = emu_cut(d1 + u * r), d2 = emu_cut(d2 + v * l), d3 = emu_cut(d3 + v * r);
        }
    }
}
template <class A>
EMU_INLINE void emu_mma_bytes(int &d0, int &d1, int &d2, int &d3, unsigned a0, unsigned a1, unsigned b, int line) {
    const int lane = emu_lane(), row = lane / 4 * 4, column = lane % 4 * 8;
    for (int q = 0; q < 4; ++q) {
        const emu_u64 both = __shfl_sync(~0u, emu_two(a0, a1), row + q, 32, line);
        const unsigned left = __shfl_sync(~0u, b, column + q, 32, line);
        const unsigned right = __shfl_sync(~0u, b, column + 4 + q, 32, line);
        for (int s = 0; s < 32; s += 8) {  // channels 4 q to 4 q + 3; sums wrap
            const int u = (A)(both >> s), v = (A)(both >> (32 + s)), l = (signed char)(left >> s), r = (signed char)(right >> s);
            d0 += u * l, d1 += u * r, d2 += v * l, d3 += v * r;
        }
    }
}
#define EMU_MMA_BYTES(name, A)                                                                                         \
    EMU_INLINE void emu_mma_m16n8k16_##name##_s8(int &d0, int &d1, int &d2, int &d3, unsigned a0, unsigned a1,         \
                                                 unsigned b, EMU_LINE) {                                               \
        emu_mma_bytes<A>(d0, d1, d2, d3, a0, a1, b, line);                                                             \
    }                                                                                                                  \
    EMU_INLINE void emu_mma_m8n8k16_##name##_s8(int &d0, int &d1, unsigned a, unsigned b, EMU_LINE) {                  \
        int d2 = 0, d3 = 0;                                                                                            \
        emu_mma_bytes<A>(d0, d1, d2, d3, a, 0u, b, line);                                                              \
    }
EMU_MMA_BYTES(u8, unsigned char)
EMU_MMA_BYTES(s8, signed char)
