// CUDA's scalar functions. Each does what the device's documented operation does; those that are approximate on the
// device (__expf, __fdividef ...) are exact here, so a text that uses them equals no reference on a device.
#pragma once

#define EMU_F static inline __attribute__((always_inline, unused))

// ---- C's functions, that the compiler knows ---------------------------------------------------------------------
extern "C" {
float rintf(float) noexcept; float floorf(float) noexcept; float ceilf(float) noexcept; float truncf(float) noexcept;
float roundf(float) noexcept; float sqrtf(float) noexcept; float fabsf(float) noexcept; float expf(float) noexcept;
float exp2f(float) noexcept; float logf(float) noexcept; float log2f(float) noexcept; float log10f(float) noexcept;
float sinf(float) noexcept; float cosf(float) noexcept; float tanf(float) noexcept; float asinf(float) noexcept;
float acosf(float) noexcept; float atanf(float) noexcept; float atan2f(float, float) noexcept; float tanhf(float) noexcept;
float powf(float, float) noexcept; float hypotf(float, float) noexcept; float fmodf(float, float) noexcept;
float fmaf(float, float, float) noexcept; float cbrtf(float) noexcept; float copysignf(float, float) noexcept;
float nearbyintf(float) noexcept; float ldexpf(float, int) noexcept; float erff(float) noexcept; float expm1f(float) noexcept;
float log1pf(float) noexcept; float remainderf(float, float) noexcept;
double rint(double) noexcept; double floor(double) noexcept; double ceil(double) noexcept; double trunc(double) noexcept;
double round(double) noexcept; double sqrt(double) noexcept; double fabs(double) noexcept; double exp(double) noexcept;
double log(double) noexcept; double sin(double) noexcept; double cos(double) noexcept; double atan2(double, double) noexcept;
double pow(double, double) noexcept; double hypot(double, double) noexcept; double fmod(double, double) noexcept;
double fma(double, double, double) noexcept; double copysign(double, double) noexcept;
int abs(int) noexcept; long long llabs(long long) noexcept;
}
// A NaN gives way to a number, in both spellings.
EMU_F float fminf(float a, float b) { return a != a ? b : b != b ? a : a < b || (a == b && __builtin_signbit(a)) ? a : b; }
EMU_F float fmaxf(float a, float b) { return a != a ? b : b != b ? a : a > b || (a == b && !__builtin_signbit(a)) ? a : b; }
EMU_F double fmin(double a, double b) { return a != a ? b : b != b ? a : a < b || (a == b && __builtin_signbit(a)) ? a : b; }
EMU_F double fmax(double a, double b) { return a != a ? b : b != b ? a : a > b || (a == b && !__builtin_signbit(a)) ? a : b; }
#define EMU_MINMAX(T) EMU_F T min(T a, T b) { return a < b ? a : b; } EMU_F T max(T a, T b) { return a > b ? a : b; }
EMU_MINMAX(int) EMU_MINMAX(unsigned) EMU_MINMAX(long) EMU_MINMAX(unsigned long) EMU_MINMAX(long long) EMU_MINMAX(unsigned long long)
EMU_F unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
EMU_F unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
EMU_F unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
EMU_F unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
EMU_F float min(float a, float b) { return fminf(a, b); }
EMU_F float max(float a, float b) { return fmaxf(a, b); }
EMU_F double min(double a, double b) { return fmin(a, b); }
EMU_F double max(double a, double b) { return fmax(a, b); }
EMU_F float abs(float a) { return fabsf(a); }
EMU_F double abs(double a) { return fabs(a); }
EMU_F bool isnan(float a) { return a != a; }
EMU_F bool isnan(double a) { return a != a; }
EMU_F bool isinf(float a) { return __builtin_isinf(a); }
EMU_F bool isfinite(float a) { return __builtin_isfinite(a); }
EMU_F bool signbit(float a) { return __builtin_signbit(a); }
#define EMU_OVERLOAD(name) EMU_F float name(float a) { return name##f(a); }
EMU_OVERLOAD(rint) EMU_OVERLOAD(floor) EMU_OVERLOAD(ceil) EMU_OVERLOAD(trunc) EMU_OVERLOAD(round) EMU_OVERLOAD(sqrt)
EMU_OVERLOAD(fabs) EMU_OVERLOAD(exp) EMU_OVERLOAD(log) EMU_OVERLOAD(sin) EMU_OVERLOAD(cos)
EMU_F float pow(float a, float b) { return powf(a, b); }
EMU_F float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
EMU_F float rsqrtf(float a) { return 1.0f / sqrtf(a); }

// ---- bits ------------------------------------------------------------------------------------------------------
template <class To, class From> EMU_F To emu_as(From from) {
    static_assert(sizeof(To) == sizeof(From), "");
    To to;
    __builtin_memcpy(&to, &from, sizeof(To));
    return to;
}
EMU_F int __float_as_int(float a) { return emu_as<int>(a); }
EMU_F unsigned __float_as_uint(float a) { return emu_as<unsigned>(a); }
EMU_F float __int_as_float(int a) { return emu_as<float>(a); }
EMU_F float __uint_as_float(unsigned a) { return emu_as<float>(a); }
EMU_F long long __double_as_longlong(double a) { return emu_as<long long>(a); }
EMU_F double __longlong_as_double(long long a) { return emu_as<double>(a); }
EMU_F int __popc(unsigned a) { return __builtin_popcount(a); }
EMU_F int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
EMU_F int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
EMU_F int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
EMU_F int __ffs(int a) { return __builtin_ffs(a); }
EMU_F int __ffsll(long long a) { return __builtin_ffsll(a); }
EMU_F unsigned __brev(unsigned a) {
    a = (a & 0x55555555u) << 1 | (a >> 1 & 0x55555555u);
    a = (a & 0x33333333u) << 2 | (a >> 2 & 0x33333333u);
    a = (a & 0x0f0f0f0fu) << 4 | (a >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(a);
}
EMU_F unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    unsigned long long both = (unsigned long long)b << 32 | a;
    unsigned out = 0;
    for (int i = 0; i < 4; i++) {
        unsigned s = selector >> (4 * i);
        unsigned byte = (unsigned)(both >> (8 * (s & 7))) & 255u;
        out |= (s & 8 ? (byte & 128 ? 255u : 0u) : byte) << (8 * i);
    }
    return out;
}
EMU_F unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
    return (unsigned)((((unsigned long long)high << 32 | low) << (n & 31)) >> 32);
}
EMU_F unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (n & 31));
}

// ---- floats: each operation rounded once -----------------------------------------------------------------------
EMU_F float __fadd_rn(float a, float b) { return a + b; }
EMU_F float __fsub_rn(float a, float b) { return a - b; }
EMU_F float __fmul_rn(float a, float b) { return a * b; }
EMU_F float __fdiv_rn(float a, float b) { return a / b; }
EMU_F float __fsqrt_rn(float a) { return sqrtf(a); }
EMU_F float __frcp_rn(float a) { return 1.0f / a; }
EMU_F float __frsqrt_rn(float a) { return (float)(1.0 / sqrt((double)a)); }
EMU_F float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
EMU_F double __dadd_rn(double a, double b) { return a + b; }
EMU_F double __dsub_rn(double a, double b) { return a - b; }
EMU_F double __dmul_rn(double a, double b) { return a * b; }
EMU_F double __ddiv_rn(double a, double b) { return a / b; }
EMU_F double __dsqrt_rn(double a) { return sqrt(a); }
EMU_F double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
EMU_F float __saturatef(float a) { return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f; }
EMU_F float __fdividef(float a, float b) { return a / b; }
EMU_F float __expf(float a) { return expf(a); }
EMU_F float __exp2f(float a) { return exp2f(a); }
EMU_F float __logf(float a) { return logf(a); }
EMU_F float __log2f(float a) { return log2f(a); }
EMU_F float __sinf(float a) { return sinf(a); }
EMU_F float __cosf(float a) { return cosf(a); }
EMU_F float __powf(float a, float b) { return powf(a, b); }

// ---- conversions saturate; NaN gives zero ----------------------------------------------------------------------
template <class To, class From> EMU_F To emu_saturated(From whole, double low, double beyond, To least, To most) {
    return whole != whole ? (To)0 : whole < (From)low ? least : whole >= (From)beyond ? most : (To)whole;
}
#define EMU_CONVERT(suffix, round)                                                                                     \
    EMU_F int __float2int_##suffix(float a) {                                                                          \
        return emu_saturated<int>(round##f(a), -2147483648.0, 2147483648.0, -2147483647 - 1, 2147483647);              \
    }                                                                                                                  \
    EMU_F unsigned __float2uint_##suffix(float a) {                                                                    \
        return emu_saturated<unsigned>(round##f(a), 0.0, 4294967296.0, 0u, 4294967295u);                               \
    }                                                                                                                  \
    EMU_F long long __float2ll_##suffix(float a) {                                                                     \
        return emu_saturated<long long>(round##f(a), -9223372036854775808.0, 9223372036854775808.0,                    \
                                        -9223372036854775807LL - 1, 9223372036854775807LL);                            \
    }                                                                                                                  \
    EMU_F int __double2int_##suffix(double a) {                                                                        \
        return emu_saturated<int>(round(a), -2147483648.0, 2147483648.0, -2147483647 - 1, 2147483647);                 \
    }                                                                                                                  \
    EMU_F unsigned __double2uint_##suffix(double a) {                                                                  \
        return emu_saturated<unsigned>(round(a), 0.0, 4294967296.0, 0u, 4294967295u);                                  \
    }                                                                                                                  \
    EMU_F long long __double2ll_##suffix(double a) {                                                                   \
        return emu_saturated<long long>(round(a), -9223372036854775808.0, 9223372036854775808.0,                       \
                                        -9223372036854775807LL - 1, 9223372036854775807LL);                            \
    }
EMU_CONVERT(rn, rint)
EMU_CONVERT(rd, floor)
EMU_CONVERT(ru, ceil)
EMU_CONVERT(rz, trunc)
EMU_F float __int2float_rn(int a) { return (float)a; }
EMU_F float __uint2float_rn(unsigned a) { return (float)a; }
EMU_F float __ll2float_rn(long long a) { return (float)a; }
EMU_F float __ull2float_rn(unsigned long long a) { return (float)a; }
EMU_F double __int2double_rn(int a) { return (double)a; }
EMU_F float __double2float_rn(double a) { return (float)a; }
EMU_F float __double2float_rd(double a) {  // the next lower float where the nearest is above
    const float f = (float)a;
    if (!((double)f > a)) return f;
    const int b = emu_as<int>(f);
    return f == 0.0f ? emu_as<float>(0x80000001u) : emu_as<float>(b + (b < 0 ? 1 : -1));
}

// ---- whole numbers ---------------------------------------------------------------------------------------------
EMU_F int __mul24(int a, int b) { return (int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8)); }
EMU_F int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
EMU_F unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
EMU_F unsigned __sad(int a, int b, unsigned c) { return (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c; }
EMU_F unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
EMU_F int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
EMU_F unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
EMU_F unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
#define EMU_DOT(name, A, B)                                                                                            \
    EMU_F unsigned name(unsigned a, unsigned b, unsigned c) {                                                          \
        for (int i = 0; i < 32; i += 8) c += (unsigned)((int)(A)(a >> i) * (int)(B)(b >> i));                          \
        return c;                                                                                                      \
    }
EMU_DOT(emu_dp4a_uu, unsigned char, unsigned char)
EMU_DOT(emu_dp4a_us, unsigned char, signed char)
EMU_DOT(emu_dp4a_su, signed char, unsigned char)
EMU_DOT(emu_dp4a_ss, signed char, signed char)
EMU_F int __dp4a(int a, int b, int c) { return (int)emu_dp4a_ss((unsigned)a, (unsigned)b, (unsigned)c); }
EMU_F unsigned __dp4a(unsigned a, unsigned b, unsigned c) { return emu_dp4a_uu(a, b, c); }
EMU_F unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return c + (a & 65535u) * (b & 255u) + (a >> 16) * (b >> 8 & 255u);
}
EMU_F unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }
// Video operations: lane by lane of a 32-bit word. `u`, `s`: values of the lanes; `e`: what the lane becomes.
#define EMU_LANES(name, bits, signed_lane, lane, e)                                                                    \
    EMU_F unsigned name(unsigned a, unsigned b) {                                                                      \
        unsigned out = 0;                                                                                              \
        for (int i = 0; i < 32; i += bits) {                                                                           \
            const int u = (lane)(a >> i), v = (lane)(b >> i), s = (signed_lane)(a >> i), t = (signed_lane)(b >> i);    \
            (void)u, (void)v, (void)s, (void)t;                                                                        \
            out |= (unsigned)(lane)(e) << i;                                                                           \
        }                                                                                                              \
        return out;                                                                                                    \
    }
#define EMU_CLIP(value, low, high) ((value) < (low) ? (low) : (value) > (high) ? (high) : (value))
#define EMU_VIDEO(n, bits, S, U, low, high, top)                                                                       \
    EMU_LANES(__vadd##n, bits, S, U, u + v)                                                                            \
    EMU_LANES(__vsub##n, bits, S, U, u - v)                                                                            \
    EMU_LANES(__vaddus##n, bits, S, U, EMU_CLIP(u + v, 0, top))                                                        \
    EMU_LANES(__vsubus##n, bits, S, U, EMU_CLIP(u - v, 0, top))                                                        \
    EMU_LANES(__vaddss##n, bits, S, U, EMU_CLIP(s + t, low, high))                                                     \
    EMU_LANES(__vsubss##n, bits, S, U, EMU_CLIP(s - t, low, high))                                                     \
    EMU_LANES(__vabsdiffu##n, bits, S, U, u > v ? u - v : v - u)                                                       \
    EMU_LANES(__vavgu##n, bits, S, U, (u + v + 1) >> 1)                                                                \
    EMU_LANES(__vminu##n, bits, S, U, u < v ? u : v)                                                                   \
    EMU_LANES(__vmaxu##n, bits, S, U, u > v ? u : v)                                                                   \
    EMU_LANES(__vmins##n, bits, S, U, s < t ? s : t)                                                                   \
    EMU_LANES(__vmaxs##n, bits, S, U, s > t ? s : t)                                                                   \
    EMU_LANES(__vcmpeq##n, bits, S, U, u == v ? top : 0)                                                               \
    EMU_LANES(__vcmpgtu##n, bits, S, U, u > v ? top : 0)                                                               \
    EMU_LANES(__vcmpgeu##n, bits, S, U, u >= v ? top : 0)                                                              \
    EMU_LANES(__vcmpltu##n, bits, S, U, u < v ? top : 0)                                                               \
    EMU_LANES(__vcmpleu##n, bits, S, U, u <= v ? top : 0)                                                              \
    EMU_LANES(__vcmpgts##n, bits, S, U, s > t ? top : 0)
EMU_VIDEO(4, 8, signed char, unsigned char, -128, 127, 255)
EMU_VIDEO(2, 16, short, unsigned short, -32768, 32767, 65535)
